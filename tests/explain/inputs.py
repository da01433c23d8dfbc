"""Inputs that use what there is to tell of, each with the release it is told for, and what else the compile is told."""

from __future__ import annotations

from typing import Any

import jobset_compiler as jc

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: mine, labels: {owner: us}}
spec:
"""
TRAINJOB = """\
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train, namespace: ml, labels: {who: me}, annotations: {note: x}}
spec:
  runtimeRef: {name: mine}
"""
EVERYTHING = f"""{RUNTIME}\
  mlPolicy: {{numNodes: 3, torch: {{}}}}
  podGroupPolicy: {{volcano: {{}}}}
  template:
    metadata: {{labels: {{team: a}}, annotations: {{cost.example.com/center: "7"}}}}
    spec:
      ttlSecondsAfterFinished: 60
      network: {{publishNotReadyAddresses: true}}
      failurePolicy:
        maxRestarts: 3
        restartStrategy: BlockingRecreate
        rules:
        - {{name: preempted, action: RestartJobSetAndIgnoreMaxRestarts, onJobFailureReasons: [PodFailurePolicy]}}
        - {{name: hopeless, action: FailJobSet, targetReplicatedJobs: [node, logger], onJobFailureMessagePatterns: ["exit code 3"]}}
      successPolicy: {{operator: Any, targetReplicatedJobs: [node]}}
      replicatedJobs:
      - name: logger
        replicas: 2
        template:
          metadata: {{labels: {{part: log}}}}
          spec:
            parallelism: 2
            completions: 2
            ttlSecondsAfterFinished: 30
            activeDeadlineSeconds: 7200
            podFailurePolicy:
              rules:
              - {{action: Ignore, onPodConditions: [{{type: DisruptionTarget, status: "True"}}]}}
              - {{action: FailJob, onExitCodes: {{containerName: log, operator: In, values: [3, 4]}}}}
            template:
              spec:
                schedulerName: volcano
                restartPolicy: Never
                activeDeadlineSeconds: 600
                containers: [{{name: log, image: "example.com/log:1", resources: {{requests: {{cpu: 100m}}}}}}]
      - name: node
        dependsOn: [{{name: logger, status: Ready}}]
        template:
          metadata:
            labels: {{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            backoffLimitPerIndex: 2
            maxFailedIndexes: 1
            template:
              metadata: {{labels: {{part: node}}, annotations: {{team.example.com/pager: "on"}}}}
              spec:
                schedulerName: volcano
                priorityClassName: high
                restartPolicy: Never
                serviceAccountName: runner
                nodeSelector: {{pool: gpu, example.com/zone: b}}
                tolerations:
                - {{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}}
                - {{key: spot, operator: Equal, value: "true", tolerationSeconds: 30, effect: NoExecute}}
                securityContext: {{fsGroup: 7}}
                initContainers:
                - name: fetch
                  image: example.com/fetch:1
                  command: [fetch, --all]
                  volumeMounts: [{{name: data, mountPath: /data}}]
                containers:
                - name: node
                  image: example.com/base:1
                  command: [torchrun, train.py]
                  args: [--epochs, "1"]
                  env:
                  - {{name: LEVEL, value: info}}
                  - {{name: WHERE, valueFrom: {{fieldRef: {{fieldPath: spec.nodeName}}}}}}
                  - {{name: HF_TOKEN, valueFrom: {{secretKeyRef: {{name: hub, key: token}}}}}}
                  envFrom:
                  - {{configMapRef: {{name: common}}}}
                  - {{prefix: S3_, secretRef: {{name: store}}}}
                  ports: [{{name: metrics, containerPort: 9090, protocol: TCP}}]
                  resources: {{limits: {{cpu: 8, nvidia.com/gpu: 2}}, requests: {{cpu: 4, nvidia.com/gpu: 2}}}}
                  volumeMounts:
                  - {{name: data, mountPath: /data, readOnly: true}}
                  - {{name: keys, mountPath: /keys, subPath: ssh}}
                - name: side
                  image: example.com/side:1
                  env: [{{name: A, value: "1"}}]
                  workingDir: /work
                volumes:
                - {{name: data, persistentVolumeClaim: {{claimName: data}}}}
                - {{name: keys, secret: {{secretName: keys, defaultMode: 256, items: [{{key: id, path: id_rsa, mode: 384}}]}}}}
                - {{name: unused, emptyDir: {{medium: Memory, sizeLimit: 1Gi}}}}
{TRAINJOB}\
  suspend: true
  activeDeadlineSeconds: 90061
  trainer:
    numNodes: 4
    image: example.com/mine:2
    args:
    - --epochs
    - "30"
    env:
    - {{name: LEVEL, value: debug}}
    - {{name: MORE, value: "a b"}}
    resourcesPerNode:
      limits: {{cpu: 16, memory: 64Gi, nvidia.com/gpu: 4}}
      requests: {{cpu: 16, memory: 64Gi, nvidia.com/gpu: 4}}
"""
PATCHED = f"""{RUNTIME}\
  mlPolicy: {{torch: {{}}}}
  template:
    metadata: {{labels: {{team: platform}}}}
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}}}
          spec:
            template:
              spec:
                serviceAccountName: default
                nodeSelector: {{pool: cpu, zone: a}}
                tolerations: [{{key: shared, operator: Exists}}]
                containers:
                - {{name: node, image: "example.com/base:1"}}
                - {{name: side, image: "example.com/side:1", env: [{{name: A, value: "1"}}], volumeMounts: [{{name: keys, mountPath: /keys}}]}}
                volumes: [{{name: keys, secret: {{secretName: keys}}}}]
{TRAINJOB}\
  trainer: {{numNodes: 2}}
"""
OF_2_2 = """\
  runtimePatches:
  - manager: a.example.com/first
    trainingRuntimeSpec:
      template:
        metadata: {labels: {team: ml, more: x}, annotations: {why: asked}}
        spec:
          replicatedJobs:
          - name: node
            template:
              metadata: {labels: {of: job}}
              spec:
                template:
                  metadata: {labels: {of: pod}, annotations: {p: q}}
                  spec:
                    serviceAccountName: first
                    nodeSelector: {pool: gpu, disk: ssd}
                    tolerations: [{key: gpu, operator: Exists}]
                    volumes: [{name: scratch, emptyDir: {medium: Memory}}]
                    containers:
                    - name: side
                      env: [{name: A, value: "2"}, {name: B, value: x}]
                      volumeMounts: [{name: scratch, mountPath: /scratch, readOnly: true}]
  - manager: b.example.com/second
    trainingRuntimeSpec:
      template:
        metadata: {labels: {team: last}}
        spec:
          replicatedJobs:
          - name: node
            template:
              spec:
                template:
                  spec:
                    serviceAccountName: second
                    nodeSelector: {pool: gpu}
                    tolerations: [{key: spot, operator: Exists}]
                    schedulingGates: [{name: example.com/hold}]
  - manager: c.example.com/third
    trainingRuntimeSpec:
      template:
        spec:
          replicatedJobs:
          - {name: node, template: {spec: {template: {spec: {serviceAccountName: second}}}}}
"""
OF_2_1 = """\
  labels: {team: ml}
  annotations: {why: asked}
  podTemplateOverrides:
  - targetJobs: [{name: node}]
    metadata: {labels: {of: pod}}
    spec:
      serviceAccountName: first
      tolerations: [{key: gpu, operator: Exists}]
      volumes: [{name: scratch, emptyDir: {}}]
      containers: [{name: side, volumeMounts: [{name: scratch, mountPath: /scratch}], env: [{name: B, value: x}]}]
  - targetJobs: [{name: node}]
    spec: {serviceAccountName: second, nodeSelector: {pool: gpu}}
"""
OF_2_0 = """\
  labels: {team: ml}
  podSpecOverrides:
  - targetJobs: [{name: node}]
    serviceAccountName: first
    containers: [{name: side, env: [{name: B, value: x}]}]
    nodeSelector: {pool: gpu}
"""
LAUNCHED = f"""{RUNTIME}\
  mlPolicy: {{numNodes: 1, mpi: {{numProcPerNode: 2, runLauncherAsNode: true, sshAuthMountPath: /home/mpiuser/.ssh}}}}
  podGroupPolicy: {{coscheduling: {{scheduleTimeoutSeconds: 120}}}}
  template:
    spec:
      network: {{subdomain: train}}
      startupPolicy: {{startupPolicyOrder: InOrder}}
      replicatedJobs:
      - name: launcher
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}}}
          spec: {{template: {{spec: {{schedulerName: s, containers: [{{name: node, image: i, command: [mpirun, a]}}]}}}}}}
      - name: node
        template: {{spec: {{template: {{spec: {{schedulerName: s, containers: [{{name: node, image: i, resources: {{requests: {{cpu: 500m}}}}}}]}}}}}}}}
{TRAINJOB}\
  trainer: {{numNodes: 4, command: [mpirun, b], env: [{{name: A, value: "1"}}]}}
"""
WRAPPED = f"""{RUNTIME}\
  mlPolicy: {{numNodes: 1, flux: {{numProcPerNode: 3}}}}
  template:
    spec:
      replicatedJobs:
      - name: other
        template: {{spec: {{template: {{spec: {{containers: [{{name: main, image: i}}]}}}}}}}}
      - name: node
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}}}
          spec: {{template: {{spec: {{containers: [{{name: node, image: i, command: [a]}}]}}}}}}
{TRAINJOB}\
  trainer: {{numNodes: 4, command: [lmp, -in, "in file"], env: [{{name: A, value: "1"}}]}}
"""
LONG = f"""{RUNTIME}\
  template:
    spec:
      network: {{enableDNSHostnames: false}}
      replicatedJobs:
      - name: one
        replicas: 1
        template:
          spec: {{completionMode: NonIndexed, backoffLimit: 0, template: {{spec: {{containers: [{{name: a, image: i}}]}}}}}}
      - name: none
        template:
          spec: {{parallelism: 0, completions: 0, backoffLimit: 2, template: {{spec: {{restartPolicy: Never, containers: [{{name: a, image: i}}]}}}}}}
{TRAINJOB.replace("name: train,", "name: a-name-that-takes-a-lot-of-the-room,").replace(" namespace: ml,", "")}\
  managedBy: trainer.kubeflow.org/trainjob-controller
"""
QUEUED = f"""{PATCHED.replace("{who: me}", "{kueue.x-k8s.io/queue-name: q}")}\
  suspend: true
  runtimePatches: [{{manager: a.example.com/x, trainingRuntimeSpec: {{template: {{metadata: {{labels: {{a: b}}}}}}}}}}]
"""

HYDRA = LAUNCHED.replace("sshAuthMountPath", "mpiImplementation: Intel, sshAuthMountPath")
TWO_TARGETS = f"""{LAUNCHED}\
  podTemplateOverrides:
  - targetJobs: [{{name: launcher}}, {{name: node}}]
    metadata: {{labels: {{scheduling.x-k8s.io/pod-group: other, a: b}}}}
    spec: {{nodeSelector: {{}}, serviceAccountName: runner}}
  - targetJobs: [{{name: node}}]
    metadata: {{labels: {{a: c}}}}
"""

UNNAMED = f"""{RUNTIME}\
  template:
    metadata: {{name: ignored}}
    spec:
      replicatedJobs:
      - name: dataset-initializer
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}}}
          spec:
            template:
              spec:
                containers: [{{name: dataset-initializer, image: i, resources: {{limits: {{acme.io/GPU: 2}}, requests: {{acme.io/GPU: 2}}}}}}]
      - name: node
        dependsOn: [{{name: dataset-initializer, status: Complete}}]
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}}}
          spec: {{parallelism: 3, template: {{spec: {{containers: [{{name: node, image: i, env: [{{name: A, value: "1"}}, {{name: B, value: "2"}}]}}]}}}}}}
      - name: other
        replicas: 2
        template:
          spec:
            parallelism: 5
            completions: 9
            template: {{spec: {{containers: [{{name: main, image: i, envFrom: [{{secretRef: {{name: a}}}}, {{configMapRef: {{name: b}}}}]}}]}}}}
{TRAINJOB}\
  trainer: {{resourcesPerNode: {{limits: {{nvidia.com/gpu: 4}}, requests: {{nvidia.com/gpu: 4}}}}}}
"""


def of_bundled(name: str, **fields: str) -> str:
    """A TrainJob of one of the runtimes that come with us."""
    lines = "".join(f"  {field}: {value}\n" for field, value in fields.items())
    return f"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {{name: train}}\nspec:\n  runtimeRef: {{name: {name}}}\n{lines}"


TUNED = of_bundled(
    "torchtune-llama3.2-1b",
    trainer="{command: [tune, run], args: [epochs=1], numNodes: 1, resourcesPerNode: {limits: {nvidia.com/gpu: 2}, requests: {nvidia.com/gpu: 2}}}",
    initializer="{dataset: {storageUri: 'hf://a/b', secretRef: {name: s}}, model: {storageUri: 'hf://c/d', env: [{name: X, value: z}]}}",
)
# claim, text, release, more for the compile
INPUTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "everything that a pod can say": (EVERYTHING, "v2.3", {}),
    "everything, before the runtime was kept": (EVERYTHING, "v2.1", {}),
    "three patches": (PATCHED + OF_2_2, "v2.3", {}),
    "overrides of 2.1": (PATCHED + OF_2_1, "v2.1", {}),
    "overrides of 2.0": (PATCHED + OF_2_0, "v2.0", {}),
    "a launcher that is a node": (LAUNCHED, "v2.3", {}),
    "a launcher of 2.0": (LAUNCHED, "v2.0", {}),
    "overrides of two jobs": (TWO_TARGETS, "v2.1", {}),
    "an extension": (HYDRA, "v2.3", {"extensions": ("mpi-hydra",)}),
    "no policy": (UNNAMED, "v2.3", {}),
    "no policy in 2.1": (UNNAMED, "v2.1", {}),
    "long names, no host names": (LONG, "v2.2", {}),
    "a queue": (QUEUED, "v2.3", {}),
    "a tuning recipe": (TUNED, "v2.3", {}),
    "a tuning recipe of 2.0": (TUNED, "v2.0", {}),
    "a tuning recipe on two nodes of 2.1": (TUNED.replace("numNodes: 1", "numNodes: 2"), "v2.1", {}),
    "flux": (WRAPPED, "v2.3", {}),
    "xgboost": (EVERYTHING.replace("numNodes: 3, torch: {}", "xgboost: {}"), "v2.3", {}),
    "jax": (of_bundled("jax-distributed", trainer="{numNodes: 2}"), "v2.3", {}),
    "progress is reported": (of_bundled("torch-distributed", trainer="{numNodes: 2}"), "v2.3", {"feature_gates": {"TrainJobStatus": True}}),
    "another JobSet": (of_bundled("torch-distributed"), "v2.3", {"jobset_version": "0.11.1"}),
}


def compiled(name: str) -> jc.Compilation:
    text, release, options = INPUTS[name]
    result = jc.compile_yaml(text, trainer_version=release, file="job.yaml", **options)
    assert result.ok, [diagnostic for diagnostic in result.diagnostics if diagnostic.is_error]
    return result
