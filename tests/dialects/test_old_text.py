"""What a migration keeps of how a text was written: comments, blank lines, quotes, brackets, indentation. The whole new text is compared."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc

TWO_ROLES = """\
# Above the job.
---
# Of the team.
apiVersion: kubeflow.org/v1  # old
kind: PyTorchJob # kind
metadata:   # about it
  # a name
  name: job # the name
  labels: {a: b}   # flow
  # below the labels
spec:
# as deep as the key
  nprocPerNode: "2" # two
  runPolicy:
    # never again
    backoffLimit: 0
    # below the limit
  # below the policy
  pytorchReplicaSpecs:
    # about the master
    Master:
      # how many
      replicas: 1 # one master
      template: # of the master
        spec:
          # in the master
          containers: # of the master, too
          - name: pytorch # master's name
            image: a:1 # master's image
            command: [torchrun, t.py] # master's command
            args: ['# none', 'a # b', x]
            env: [{name: A, value: "1"}, {name: B, value: '2'}]
    # about the workers
    Worker:
      replicas: 2 # two workers
      restartPolicy: OnFailure # again
      template: # of the worker
        # about its pod
        spec: # its pod
          # above the list
          containers: # a list
          # above the item
          - # behind the dash
            # above the name
            name: pytorch # its name
            # above the image
            image: a:1 # its image
            # about the words
            command: # words
            # first
            - torchrun # run
            # second
            - t.py # what
            # below the words
            args: ["# none", 'a # b', x]  # three
            env: # variables
              # about A
              - name: A # A
                # about its value
                value: "1" # one
              # about B
              - {name: B, value: '2'}  # B
              # below B
            # below the variables
          # below the containers
# At the end.
"""

NOT_THE_SAME = TWO_ROLES.replace("image: a:1 # master's", "image: b:1 # master's")

DEEPER = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
    name: job   # name

    # blank lines above

spec:

    # about the reference
    runtimeRef:
        apiGroup: trainer.kubeflow.org
        kind: TrainingRuntime   # one of ours
        name: mine


    # two blank lines above
    podTemplateOverrides:   # overrides
        # about the first
        -   targetJobs:
                # the job
                -   name: node   # node
            # what it says
            spec:
                # zone
                nodeSelector:   # where
                    zone: 'a'   # a
                    # below the zone
                tolerations:
                    -   key: "x"   # x
                        operator: Exists
        # about the second
        -   targetJobs: [{name: node}]   # again
            spec: {nodeSelector: {b: "c"}}   # flow
    # last
    trainer:
        numProcPerNode: "4"   # four
        args:
            -   |   # a block
                # no comment
                a
            -   >-
                b
                c
            - "d

              e"
"""

RUNTIME_OF_2_1 = """\
# Two runtimes.
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata: {name: mine}  # mine
spec:
  mlPolicy:
    # how many
    numNodes: 2  # nodes
    torch:  # torch
      # how many processes
      numProcPerNode: "3"  # three
  template:
    # the JobSet
    spec:
      replicatedJobs:
        # the only one
        - name: node  # node
          template:
            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
            spec: {template: {spec: {containers: [{name: node, image: 'a:1'}]}}}  # on one line
---
# Nothing of ours.
a:   1   # one
--- # behind the dashes
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: job}
spec:
  runtimeRef: {kind: TrainingRuntime, name: mine}
  trainer: {numProcPerNode: "2", numNodes: 1}  # two
...
# The end.
"""

MPI = """\
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: pi # pi
spec:
  # one slot
  slotsPerWorker: 1 # slots
  runPolicy: # policy
    cleanPodPolicy: Running # clean
    ttlSecondsAfterFinished: 60 # a minute
  mpiReplicaSpecs:
    # it starts
    Launcher: # launcher
      replicas: 1 # launchers
      template:
        spec:
          # its containers
          containers:
          - image: a:1 # launcher's image
            name: main # launcher's name
            args: [mpirun, pi-worker-0] # old
    # they work
    Worker: # worker
      replicas: 2 # workers
      template:
        spec:
          containers:
          - image: a:1 # worker's image
            name: main # worker's name
            resources: # worker's resources
              limits: {cpu: 1} # one
"""

PREVIEW = """\
apiVersion: kubeflow.org/v2alpha1 # preview
kind: TrainingRuntime
metadata: # its data
  name: torch # torch
  labels: # labels
    # about the phase
    training.kubeflow.org/phase: pre-training # phase
spec:
  mlPolicy: # policy
    numNodes: 1 # one
    torch: # torch
      numProcPerNode: auto # auto
      elasticPolicy: # elastic
        maxNodes: 3 # three
  # the JobSet
  template: # template
    spec: # jobs
      replicatedJobs: # list
        # first
        - name: initializer # initializer
          # its template
          template:
            spec:
              template:
                spec:
                  # init containers
                  initContainers: # inits
                    # the data
                    - name: dataset-initializer # data
                      image: d:1 # image of the data
                    # the model
                    - name: model-initializer # model
                      image: m:1 # image of the model
                  # nothing
                  containers: # idle
                    - name: busybox # busy
                      image: busybox:1 # image that does nothing
        # second
        - name: trainer-node # node
          template:
            spec:
              template:
                spec:
                  containers: # training
                    # it trains
                    - name: trainer # trainer
                      image: t:1 # image that trains
                    # beside it
                    - name: side # side
                      image: s:1 # image beside
"""

OME = """\
apiVersion: ome.io/v1beta1 # OME
kind: TrainingRuntime # runtime
metadata: {name: rt} # rt
spec: # what
  # policy
  mlPolicy: # ml
    numNodes: 2 # two
    torch: # torch
      # processes
      numProcPerNode: "4" # four
  # template
  template: # JobSet
    spec:
      replicatedJobs:
        # the worker
        - name: worker # worker
          template:
            spec:
              template:
                spec:
                  containers:
                    # it trains
                    - name: trainer # trainer
                      image: t:1 # image
--- # the job
apiVersion: ome.io/v1beta1
kind: TrainingJob # job
metadata: {name: job} # job's name
spec:
  # which
  runtimeRef: {name: rt, kind: TrainingRuntime} # rt
  # data
  datasets: # sets
    storageUri: pvc://data/train # claim
  # the model
  modelConfig: # model
    # from there
    inputModel: llama # input
    outputModel: # output
      storageUri: pvc://out # out
  trainer: # trainer
    # words
    args: [a] # a
    numNodes: 3 # three
"""

TENSORFLOW = """\
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: tf}
spec:
  runPolicy: {cleanPodPolicy: None} # clean
  tfReplicaSpecs:
    PS: # servers
      replicas: 2 # two servers
      template: &pod
        spec: {containers: [{name: tensorflow, image: "a#b"}]} #tight
    Worker:
      replicas: 3 #three workers
      template:
        # the pod's own
        spec:
          containers:
            - name: tensorflow
              image: a#b # an image
              args: ["# 1", "# 2", '# 3 # 4'] # 5 # 6
              env: [
                {name: A, value: "#"}, # in brackets
                {name: B, value: '# no'},
              ] # behind brackets
"""

IN_BRACKETS = """\
# above
---
{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j}, spec: {pytorchReplicaSpecs: {Worker: {
  template: {spec: {containers: [{name: pytorch, image: "a:1"}]}}}}}} # in brackets
# below
---
apiVersion: kubeflow.org/v1
kind: JAXJob
metadata: {name: j}
spec: {jaxReplicaSpecs: {Worker: {template: {spec: {containers: [{name: jax, image: "a:1"}]}}}}} # all of it
"""

SHALLOW = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: j}
spec:
  runPolicy: {backoffLimit: 1}
  pytorchReplicaSpecs:
    Worker:
      template:
        spec:
          containers:
          - name: pytorch
            image: a:1
            args:
            - a
  # less deep
            # as deep

            - |
              b

               c
 # hardly deep
            - "d

               e"
            livenessProbe: {exec: {command: [f]}} # probe
"""

METADATA_FIRST = """\
metadata:
  # above the name
  name: job # name
  # above the labels
  labels: {a: b}
spec:
  # above the reference
  runtimeRef: {name: torch-distributed}
  # above the trainer
  trainer: {numProcPerNode: "2"} # two
# above the kind
kind: TrainJob
apiVersion: trainer.kubeflow.org/v1alpha1 # version
"""

IN_A_LIST = """\
---
# a list
apiVersion: v1
kind: List
items: # its items
- apiVersion: kubeflow.org/v1 # first
  kind: PyTorchJob
  metadata: {name: j}
  spec:
    pytorchReplicaSpecs:
      Worker:
        template:
          spec:
            # in the list
            affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{}]}}}
            securityContext:
              supplementalGroups: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
            topologySpreadConstraints: []
            containers:
            - {name: side, image: "b:1", securityContext: {capabilities: {add: []}}}
            - name: pytorch
              image: a:1
              args: ["x\\ny", ""]
- {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: "1"}}
- apiVersion: kubeflow.org/v1
  kind: JAXJob
  metadata: {name: k}
  spec:
    jaxReplicaSpecs:
      Worker:
        template:
          spec:
            securityContext:
              supplementalGroups: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
            containers: [{name: jax, image: "a:1"}]
# below
"""

AT_ALL_DEPTHS = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: job
      # deeper than the name

    # less deep
spec:
  runtimeRef:
    kind: TrainingRuntime
    name: mine
      # deeper than the name of the runtime
    # as deep as the name
  # as deep as the reference

      # deeper again
  # above the overrides
  podTemplateOverrides:
  # above the first
  - targetJobs: [{name: node}]
      # below the aim
    # above what it says
    spec: {nodeSelector: {a: b}}
   # between the items
  # above the second
  - targetJobs: [{name: launcher}]
    spec: {nodeSelector: {a: c}}

    # below the second
  # above the labels
  labels: {a: b}
  trainer: {numProcPerNode: "2"}
"""

TEXTS = {
    "two roles that are alike": (TWO_ROLES, jc.Wishes()),
    "two roles, written into a runtime": (TWO_ROLES, jc.Wishes(keep_success_policy=True)),
    "the worker of two roles": (NOT_THE_SAME, jc.Wishes(use="worker")),
    "the master of two roles": (NOT_THE_SAME, jc.Wishes(use="master", keep_success_policy=True)),
    "lines of Windows": (MPI.replace("\n", "\r\n"), jc.Wishes()),
    "no line break at the end": (RUNTIME_OF_2_1.partition("...")[0].rstrip("\n"), jc.Wishes()),
    "indented by four": (DEEPER, jc.Wishes(manager="example.com/m")),
    "a runtime of 2.1": (RUNTIME_OF_2_1, jc.Wishes()),
    "an MPIJob": (MPI, jc.Wishes()),
    "an MPIJob that keeps what it says": (MPI, jc.Wishes(keep_ttl=True, keep_backoff=True, v1_env=False)),
    "a runtime of the preview": (PREVIEW, jc.Wishes()),
    "OME": (OME, jc.Wishes()),
    "a TFJob": (TENSORFLOW, jc.Wishes()),
    "a TFJob without variables": (TENSORFLOW.removesuffix("\n"), jc.Wishes(v1_env=False)),
    "in brackets": (IN_BRACKETS, jc.Wishes()),
    "comments less deep than what they are in": (SHALLOW, jc.Wishes(trainer_fields=True)),
    "metadata first": (METADATA_FIRST, jc.Wishes()),
    "in a list": (IN_A_LIST, jc.Wishes()),
    "at all depths": (AT_ALL_DEPTHS, jc.Wishes()),
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_new_text_keeps_of_the_old_one(name: str, snapshot: SnapshotAssertion) -> None:
    text, wishes = TEXTS[name]
    migration = jc.migrate(text, wishes=wishes)
    assert migration.ok and migration.changed, [str(found) for found in migration.diagnostics]
    assert migration.text == snapshot
    assert jc.migrate(migration.text).text == migration.text


def test_without_the_bundled_runtimes_one_is_written() -> None:
    text = TENSORFLOW.replace("TFJob", "PyTorchJob").replace("tfReplicaSpecs", "pytorchReplicaSpecs").replace("PS:", "Master:").replace("tensorflow", "pytorch")
    text = text.replace("replicas: 2 # two", "replicas: 1 # two").partition("    Worker:")[0].replace("runPolicy", "a")
    assert [document["kind"] for document in jc.migrate(text).documents] == ["TrainJob"]
    assert [document["kind"] for document in jc.migrate(text, bundled_runtimes=False).documents] == ["TrainingRuntime", "TrainJob"]
