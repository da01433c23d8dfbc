"""Descriptions and examples of the Trainer API."""

from __future__ import annotations

from typing import Any

IMMUTABLE = "Cannot be changed once the TrainJob exists."
METADATA_OF_PATCH = "Labels and annotations to add."

TEXTS: dict[str, dict[str, str]] = {
    "root": {
        "apiVersion": "API group and version of the object.",
        "kind": "Kind of the object.",
        "metadata": "Name, namespace, labels and annotations of the object.",
    },
    "kinds": {
        "TrainJob": "One training run: which runtime it uses, and what differs from that runtime. The controller turns both into a JobSet.",
        "TrainingRuntime": "A template for TrainJobs of its own namespace: machine-learning policy, gang scheduling and the JobSet to fill in.",
        "ClusterTrainingRuntime": "A template for TrainJobs of every namespace: machine-learning policy, gang scheduling and the JobSet to fill in.",
        "JobSet": "A group of Jobs that start, fail and end together.",
    },
    "trainer.TrainJob": {
        "": "One training run: which runtime it uses, and what differs from that runtime.",
        "spec": "What to run.",
        "status": "What the controller reports; written by it alone.",
    },
    "trainer.TrainJobSpec": {
        "": "What to run: a runtime, and what differs from it.",
        "runtimeRef": f"The runtime that this job is made from. {IMMUTABLE}",
        "initializer": "Steps that fetch a dataset or a model before training; the runtime must have replicated jobs for them.",
        "trainer": "What to change in the training step: image, command, environment, nodes, resources. Up to v2.3 the distributed "
        "environment (PET_*, ...) is only injected where this is present, be it {}.",
        "labels": "Labels for the JobSet and its pods (up to v2.1; later a runtimePatches entry does that).",
        "annotations": "Annotations for the JobSet and its pods (up to v2.1; later a runtimePatches entry does that).",
        "podSpecOverrides": "Changes to pods of the runtime's jobs (v2.0; renamed podTemplateOverrides in v2.1).",
        "podTemplateOverrides": "Changes to pod templates of the runtime's jobs (v2.1; runtimePatches since v2.2).",
        "runtimePatches": "Changes to the runtime's JobSet template for this job alone, one entry for each manager that makes some.",
        "suspend": "Whether the job waits: no pods run, and running pods are removed. Queue controllers set this.",
        "activeDeadlineSeconds": f"Seconds after which a job that still runs is failed and its JobSet deleted. {IMMUTABLE}",
        "managedBy": "Which controller reconciles the job: the Trainer's own, or MultiKueue's that sends it to another cluster.",
    },
    "trainer.TrainJobStatus": {
        "": "What the controller reports about a TrainJob.",
        "conditions": "Suspended, Complete and Failed, with reasons.",
        "jobsStatus": "Pod counts for each replicated job.",
        "trainerStatus": "Progress and metrics that the training containers report themselves (feature gate TrainJobStatus).",
    },
    "trainer.TrainerStatus": {
        "": "Progress that the training containers reported.",
        "progressPercentage": "How much is done, 0 to 100.",
        "estimatedRemainingSeconds": "Seconds left, as the trainer estimates.",
        "metrics": "Named metrics, newest values.",
        "lastUpdatedTime": "When the report came in.",
    },
    "trainer.Metric": {"": "A metric of the training.", "name": "Name of the metric.", "value": "Its value as text."},
    "trainer.JobStatus": {
        "": "State of the Jobs of one replicated job.",
        "name": "Name of the replicated job.",
        "ready": "Jobs whose pods are all ready.",
        "succeeded": "Jobs that succeeded.",
        "failed": "Jobs that failed.",
        "active": "Jobs with running or pending pods.",
        "suspended": "Jobs that are suspended.",
    },
    "trainer.RuntimeRef": {
        "": "A reference to a TrainingRuntime or ClusterTrainingRuntime.",
        "name": "Name of the runtime.",
        "apiGroup": "API group of the runtime.",
        "kind": "ClusterTrainingRuntime, or TrainingRuntime for one in the job's namespace.",
    },
    "trainer.Initializer": {
        "": "What to fetch before training.",
        "dataset": "Where the dataset comes from; sets STORAGE_URI and more in the dataset-initializer container.",
        "model": "Where the pre-trained model comes from; sets STORAGE_URI and more in the model-initializer container.",
    },
    "trainer.DatasetInitializer": {
        "": "Where the dataset comes from.",
        "storageUri": "Where the dataset is kept, as scheme://path (hf://user/dataset, s3://bucket/prefix).",
        "env": "Environment variables of the dataset-initializer container.",
        "secretRef": "Secret in the job's namespace whose keys become environment variables of the initializer, for credentials.",
    },
    "trainer.ModelInitializer": {
        "": "Where the pre-trained model comes from.",
        "storageUri": "Where the model is kept, as scheme://path (hf://org/model, s3://bucket/prefix).",
        "env": "Environment variables of the model-initializer container.",
        "secretRef": "Secret in the job's namespace whose keys become environment variables of the initializer, for credentials.",
    },
    "trainer.Trainer": {
        "": "What the job changes in the container called node of the runtime's trainer job.",
        "image": "Container image of the training code; replaces the runtime's.",
        "command": "Entry point; replaces the runtime's command.",
        "args": "Arguments; replace the runtime's. For torchtune runtimes: key=value overrides of the recipe.",
        "env": "Environment variables to add; a variable of the runtime with the same name is replaced. Variables that the policy sets (PET_*) are refused.",
        "numNodes": "Number of training nodes (pods); replaces mlPolicy.numNodes of the runtime.",
        "resourcesPerNode": "Requests and limits of each node. Since v2.3 merged into the runtime's by resource name; before, they replace all of them.",
        "numProcPerNode": "Processes on each node. A whole number; up to v2.1 also auto, cpu or gpu. Left out, torch counts the GPUs of a node, else its CPUs.",
    },
    "trainer.RuntimePatch": {
        "": "One manager's changes to the runtime of a job.",
        "manager": "Who makes this change, as domain/path (kueue.x-k8s.io/manager). One entry for each manager.",
        "time": "When the entry was last changed; the API server sets it.",
        "trainingRuntimeSpec": "The changes, in the shape of a runtime's spec.",
    },
    "trainer.TrainingRuntimeSpecPatch": {"": "Changes to a runtime's spec.", "template": "Changes to the JobSet template."},
    "trainer.JobSetTemplatePatch": {
        "": "Changes to the JobSet.",
        "metadata": "Labels and annotations for the JobSet.",
        "spec": "Changes to the JobSet's spec.",
    },
    "trainer.JobSetSpecPatch": {"": "Changes to the JobSet's spec.", "replicatedJobs": "Changes to replicated jobs, found by name."},
    "trainer.ReplicatedJobPatch": {
        "": "Changes to one replicated job.",
        "name": "Name of the replicated job, as the runtime has it.",
        "template": "Changes to its Job template.",
    },
    "trainer.JobTemplatePatch": {"": "Changes to a Job template.", "metadata": METADATA_OF_PATCH, "spec": "Changes to the Job's spec."},
    "trainer.JobSpecPatch": {"": "Changes to a Job's spec.", "template": "Changes to its pod template; nothing else of a Job can be patched."},
    "trainer.PodTemplatePatch": {"": "Changes to a pod template.", "metadata": METADATA_OF_PATCH, "spec": "Changes to the pod's spec."},
    "trainer.PodSpecPatch": {
        "": "Changes to a pod's spec. Image, command, args and resources cannot be changed here; spec.trainer is the place for those.",
        "serviceAccountName": f"Service account of the pods. {IMMUTABLE}",
        "volumes": f"Volumes to add or change, by name. {IMMUTABLE}",
        "initContainers": f"Changes to init containers, by name. {IMMUTABLE}",
        "containers": f"Changes to containers, by name. {IMMUTABLE}",
        "imagePullSecrets": f"Secrets for pulling images. {IMMUTABLE}",
        "securityContext": f"User, group and other security settings of the pod. {IMMUTABLE}",
        "nodeSelector": "Labels that a node must have.",
        "affinity": "Rules on where pods may or should run.",
        "tolerations": "Taints that the pods tolerate; replaces the runtime's list.",
        "schedulingGates": "Gates that hold the pods back from scheduling until someone removes them.",
        "terminationGracePeriodSeconds": f"Seconds between the signal to stop and the kill. {IMMUTABLE}",
    },
    "trainer.ContainerPatch": {
        "": "Changes to one container of the runtime.",
        "name": "Name of the container, as the runtime has it.",
        "env": "Environment variables to add or replace, by name. The container node takes its variables from spec.trainer.env instead.",
        "volumeMounts": "Volumes to mount; here each volume at most once.",
        "securityContext": "User, capabilities and other security settings of the container.",
    },
    "trainer.PodSpecOverride": {
        "": "Changes to the pods of some of the runtime's jobs (v2.0).",
        "targetJobs": "Which replicated jobs are changed.",
        "serviceAccountName": "Service account of the pods.",
        "nodeSelector": "Labels that a node must have.",
        "tolerations": "Taints that the pods tolerate.",
        "volumes": "Volumes to add or change, by name.",
        "initContainers": "Changes to init containers, by name.",
        "containers": "Changes to containers, by name.",
        "schedulingGates": "Gates that hold the pods back from scheduling.",
    },
    "trainer.PodSpecOverrideTargetJob": {"": "A replicated job to change.", "name": "Name of the replicated job."},
    "trainer.PodTemplateOverride": {
        "": "Changes to the pod templates of some of the runtime's jobs (v2.1).",
        "targetJobs": "Which replicated jobs are changed.",
        "metadata": METADATA_OF_PATCH,
        "spec": "Changes to the pods' spec.",
    },
    "trainer.PodTemplateOverrideTargetJob": {"": "A replicated job to change.", "name": "Name of the replicated job."},
    "trainer.PodTemplateSpecOverride": {
        "": "Changes to a pod's spec (v2.1).",
        "serviceAccountName": "Service account of the pods.",
        "nodeSelector": "Labels that a node must have.",
        "affinity": "Rules on where pods may or should run.",
        "tolerations": "Taints that the pods tolerate.",
        "volumes": "Volumes to add or change, by name.",
        "initContainers": "Changes to init containers, by name.",
        "containers": "Changes to containers, by name.",
        "schedulingGates": "Gates that hold the pods back from scheduling.",
        "imagePullSecrets": "Secrets for pulling images.",
    },
    "trainer.ContainerOverride": {
        "": "Changes to one container of the runtime (up to v2.1).",
        "name": "Name of the container, as the runtime has it.",
        "env": "Environment variables to add or replace, by name.",
        "volumeMounts": "Volumes to mount; here each volume at most once.",
    },
    "trainer.TrainingRuntime": {"": "A template that TrainJobs are made from.", "spec": "Policies and the JobSet template."},
    "trainer.TrainingRuntimeSpec": {
        "": "Policies and the JobSet template that TrainJobs are made from.",
        "mlPolicy": "How the nodes find each other: number of nodes and the framework.",
        "podGroupPolicy": "Gang scheduling: start all pods of a job or none.",
        "template": "The JobSet that is filled in for each TrainJob.",
    },
    "trainer.JobSetTemplateSpec": {
        "": "The JobSet that is filled in for each TrainJob.",
        "metadata": "Labels and annotations of the JobSet.",
        "spec": "The JobSet's spec. The job template labelled trainer.kubeflow.org/trainjob-ancestor-step: trainer, with a container called node, "
        "is where spec.trainer of a TrainJob goes.",
    },
    "trainer.MLPolicy": {
        "": "How the training nodes find each other. At most one framework.",
        "numNodes": "Number of training nodes where the TrainJob says none.",
        "torch": "PyTorch (torchrun): sets PET_* variables.",
        "mpi": "MPI: a launcher with a host file and SSH keys.",
        "jax": "JAX: sets JAX_* variables.",
        "xgboost": "XGBoost: sets DMLC_* variables.",
        "flux": "Flux: starts the program under a Flux broker on every node.",
    },
    "trainer.TorchMLPolicySource": {
        "": "Settings of PyTorch runtimes.",
        "numProcPerNode": "Processes on each node where the TrainJob says none: auto, cpu, gpu or a number (up to v2.1).",
        "elasticPolicy": "Elastic training (up to v2.1; never implemented).",
        "envInjection": "Which further containers get the PET_* variables (since v2.3).",
    },
    "trainer.EnvInjection": {
        "": "Which containers, besides the one called node, get the PET_* variables.",
        "targets": "Containers by replicated job.",
    },
    "trainer.EnvInjectionTarget": {
        "": "Containers of one replicated job that get the PET_* variables.",
        "jobName": "Name of the replicated job.",
        "containerNames": "Names of its containers or init containers. The container called node is not listed; it always gets them.",
    },
    "trainer.TorchElasticPolicy": {
        "": "Elastic training (up to v2.1; never implemented).",
        "maxRestarts": "How often a restart is tried.",
        "minNodes": "Least number of nodes.",
        "maxNodes": "Greatest number of nodes.",
        "metrics": "What scaling goes by.",
    },
    "trainer.MPIMLPolicySource": {
        "": "Settings of MPI runtimes.",
        "numProcPerNode": "Slots of each node in the host file where the TrainJob says none.",
        "mpiImplementation": "MPI implementation whose variables are set.",
        "sshAuthMountPath": "Folder in which the SSH keys are mounted.",
        "runLauncherAsNode": "Whether the launcher takes part in the training itself.",
    },
    "trainer.JAXMLPolicySource": {"": "Settings of JAX runtimes; there are none."},
    "trainer.XGBoostMLPolicySource": {"": "Settings of XGBoost runtimes; there are none."},
    "trainer.FluxMLPolicySource": {"": "Settings of Flux runtimes.", "numProcPerNode": "Processes on each node where the TrainJob says none; at least 1."},
    "trainer.PodGroupPolicy": {
        "": "Gang scheduling. Set one of these; with both the pods wait forever.",
        "coscheduling": "A PodGroup of the scheduler plugin Coscheduling.",
        "volcano": "A PodGroup of Volcano.",
    },
    "trainer.CoschedulingPodGroupPolicySource": {
        "": "Settings of Coscheduling's PodGroup.",
        "scheduleTimeoutSeconds": "Seconds that the pods of the group wait for each other.",
    },
    "trainer.VolcanoPodGroupPolicySource": {
        "": "Settings of Volcano's PodGroup. The queue comes from the annotation scheduling.volcano.sh/queue-name of the JobSet template, "
        "the priority from the pods' priority class.",
        "networkTopology": "How near to each other the nodes must be.",
    },
    "volcano.NetworkTopologySpec": {
        "": "How near to each other the nodes of a job must be.",
        "mode": "hard: never place further apart; soft: rather not.",
        "highestTierAllowed": "Highest tier of the network that the job may span.",
    },
}

MANAGERS = ("trainer.kubeflow.org/trainjob-controller", "kueue.x-k8s.io/multikueue")
NODE_JOB: dict[str, Any] = {
    "name": "node",
    "template": {
        "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
        "spec": {"template": {"spec": {"containers": [{"name": "node", "image": "docker.io/pytorch/pytorch:2.9.1-cuda12.8-cudnn9-runtime"}]}}},
    },
}
RUNTIME_SPEC = {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {"replicatedJobs": [NODE_JOB]}}}
TRAINER_API = "trainer.kubeflow.org/v1alpha1"

EXAMPLES: dict[tuple[str, str], tuple[Any, ...]] = {
    ("kinds", "TrainJob"): (
        {
            "apiVersion": TRAINER_API,
            "kind": "TrainJob",
            "metadata": {"name": "mnist"},
            "spec": {"runtimeRef": {"name": "torch-distributed"}, "trainer": {"numNodes": 2, "command": ["torchrun", "train.py"]}},
        },
    ),
    ("kinds", "TrainingRuntime"): ({"apiVersion": TRAINER_API, "kind": "TrainingRuntime", "metadata": {"name": "team-torch"}, "spec": RUNTIME_SPEC},),
    ("kinds", "ClusterTrainingRuntime"): ({"apiVersion": TRAINER_API, "kind": "ClusterTrainingRuntime", "metadata": {"name": "torch"}, "spec": RUNTIME_SPEC},),
    ("kinds", "JobSet"): ({"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "mnist"}, "spec": {"replicatedJobs": [NODE_JOB]}},),
    ("trainer.RuntimeRef", "name"): ("torch-distributed", "torchtune-llama3.2-1b"),
    ("trainer.RuntimeRef", "kind"): ("ClusterTrainingRuntime", "TrainingRuntime"),
    ("trainer.Trainer", "command"): (["torchrun", "train.py"],),
    ("trainer.Trainer", "args"): (["--epochs", "3"],),
    ("trainer.Trainer", "numNodes"): (2,),
    ("trainer.Trainer", "numProcPerNode"): (8,),
    ("trainer.Trainer", "resourcesPerNode"): ({"requests": {"cpu": 8, "memory": "64Gi"}, "limits": {"nvidia.com/gpu": 8}},),
    ("trainer.DatasetInitializer", "storageUri"): ("hf://tatsu-lab/alpaca", "s3://bucket/prefix"),
    ("trainer.ModelInitializer", "storageUri"): ("hf://meta-llama/Llama-3.2-1B-Instruct", "s3://bucket/prefix"),
    ("trainer.TrainJobSpec", "managedBy"): MANAGERS,
    ("trainer.RuntimePatch", "manager"): ("kueue.x-k8s.io/manager", "example.com/platform"),
    ("trainer.MPIMLPolicySource", "sshAuthMountPath"): ("/root/.ssh", "/home/mpiuser/.ssh"),
    ("trainer.EnvInjectionTarget", "containerNames"): (["sidecar"],),
    ("jobset.DependsOn", "status"): ("Ready", "Complete"),
    ("core.Container", "image"): ("docker.io/pytorch/pytorch:2.9.1-cuda12.8-cudnn9-runtime",),
    ("core.ResourceRequirements", "requests"): ({"cpu": "500m", "memory": "16Gi"},),
    ("core.ResourceRequirements", "limits"): ({"nvidia.com/gpu": 8, "memory": "64Gi"},),
    ("core.Toleration", "effect"): ("NoSchedule", "PreferNoSchedule", "NoExecute"),
}
