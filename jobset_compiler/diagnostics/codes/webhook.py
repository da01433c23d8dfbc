"""330-359, then 390-399: what Trainer's webhooks refuse and warn about. 360-369: what they and the API server refuse in an update."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, WARNING, Code

# --- any TrainJob
TRAINJOB_NAME = Code(
    "JSC330",
    "trainjob-name",
    ERROR,
    "The TrainJob's name is no RFC 1035 label.",
    "The name becomes the name of a JobSet, of Jobs and of a headless service: lower-case letters, digits and hyphens, a letter first, at most 63 characters. "
    "Releases from 2.1 on say so in the schema (JSC109), 2.0 in its webhook.",
)

# --- JobSet plugin: initialisers and overrides
INITIALIZER_JOB_MISSING = Code(
    "JSC331",
    "initializer-job-missing",
    ERROR,
    "The TrainJob has an initializer, the runtime no job for it.",
    "spec.initializer.dataset needs a replicatedJob called dataset-initializer in the runtime, spec.initializer.model one called model-initializer. "
    "The webhook looks at the job's name, the controller at its ancestor label: give it both.",
)
INITIALIZER_CONTAINER_MISSING = Code(
    "JSC332",
    "initializer-container-missing",
    ERROR,
    "The initializer's job has no container of that name.",
    "The container (not only the job) must be called dataset-initializer or model-initializer: it gets the storage URI, the environment and the secret.",
)
INITIALIZER_MOUNT_MISSING = Code(
    "JSC333",
    "initializer-mount-missing",
    ERROR,
    "The initializer's container does not mount the volume called initializer.",
    "Since 2.3 (#3714) the container must have a volumeMount whose name is initializer: without it what was downloaded is lost with the pod. "
    "The shipped runtime torch-distributed-with-cache and upstream's example 05 fail this rule themselves (#3714).",
)
TARGET_TWICE = Code(
    "JSC334",
    "override-target-twice",
    ERROR,
    "Two podSpecOverrides name the same job.",
    "2.0 allows one override for each job of the runtime: merge them into one. Later releases merge several in their order (#2880).",
)
TARGET_UNKNOWN = Code(
    "JSC335",
    "override-target-unknown",
    ERROR,
    "An override names a job that the runtime does not have.",
    "Overrides are addressed to replicatedJobs of the runtime by name (node, launcher, dataset-initializer, model-initializer in the community runtimes). "
    "From 2.3 on the server no longer refuses this: the patch then adds a job of its own.",
)
CONTAINER_OF_UNKNOWN_TARGET = Code(
    "JSC336",
    "override-container-unknown",
    ERROR,
    "An override for a job that the runtime does not have names containers.",
    "2.0 and 2.1 complain about each container of such an override as well. Correct the name of the target job first.",
)
ENV_ON_RESERVED_CONTAINER = Code(
    "JSC337",
    "override-env-on-reserved-container",
    ERROR,
    "An override sets variables of a container that the TrainJob has a field for.",
    "Variables of the containers node, dataset-initializer and model-initializer belong into spec.trainer.env, "
    "spec.initializer.dataset.env and spec.initializer.model.env.",
)
PATCH_MANAGER = Code(
    "JSC338",
    "patch-manager",
    ERROR,
    "The manager of a runtime patch is not a domain-prefixed path.",
    "runtimePatches[].manager says who wrote the patch and keys the list: a DNS domain, a slash and a path, for example example.com/platform-team.",
)

# --- torch
PROCESSES_NOT_A_NUMBER = Code(
    "JSC339",
    "processes-not-a-number",
    ERROR,
    "numProcPerNode is a string other than auto, cpu and gpu.",
    'Write a number without quotes. 2.0 and 2.1 also take the strings auto, cpu and gpu; "4" is none of them. From 2.2 on only numbers are possible.',
)
RESERVED_TORCH_ENV = Code(
    "JSC340",
    "torch-reserved-env",
    ERROR,
    "spec.trainer.env sets variables that the torch policy sets.",
    "The PET_* variables follow from numNodes and numProcPerNode. 2.0 and 2.1 refuse them only where numProcPerNode is set as well (JSC832).",
)

# --- torchtune
TUNE_MODEL = Code(
    "JSC341",
    "torchtune-model",
    ERROR,
    "The runtime's name stands for no model that torchtune is supported with.",
    "The model is read off the *name* of the runtime: torchtune-llama3.2-1b means llama3_2/1B. A renamed runtime has no model (JSC856).",
)
TUNE_NODES = Code(
    "JSC342",
    "torchtune-nodes",
    ERROR,
    "This model cannot be tuned on several nodes.",
    "Only llama3_3/70B has a multi-node recipe: set spec.trainer.numNodes to 1 and use more devices of one node.",
)
TUNE_NODES_UNSET = Code(
    "JSC343",
    "torchtune-nodes-unset",
    ERROR,
    "The webhook of this release crashes on this TrainJob.",
    "2.0 and 2.1 read spec.trainer.numNodes without looking whether it is there when the command is tune run and numProcPerNode is set: "
    "the server answers with a Go panic. Write numNodes: 1.",
)
TUNE_QLORA_MODEL = Code(
    "JSC344",
    "torchtune-qlora-model",
    ERROR,
    "QLoRA does not work with this model.",
    "torchtune has no QLoRA recipe for qwen2_5/1.5B: leave model.quantize_base out.",
)
TUNE_QLORA_DEVICES = Code(
    "JSC345",
    "torchtune-qlora-devices",
    ERROR,
    "QLoRA with this model runs on one device only.",
    "Set numProcPerNode to 1 or resourcesPerNode to one GPU. Two errors are given, one for each field, as either would do.",
)
TUNE_LORA_NODES = Code(
    "JSC346",
    "torchtune-lora-nodes",
    ERROR,
    "LoRA arguments on several nodes.",
    "torchtune has no LoRA recipe for several nodes. Before 2.3 (#3302) the arguments were ignored and a full fine-tuning was run (JSC835).",
)
TUNE_MANAGED_ARGUMENT = Code(
    "JSC347",
    "torchtune-managed-argument",
    ERROR,
    "An argument that the runtime sets.",
    "output_dir, tokenizer.path, tokenizer.merges_file and checkpointer.checkpoint_dir come from the command of the runtime's container (#3302).",
)

# --- mpi, xgboost, flux
MPI_PROCESSES_NOT_A_NUMBER = Code(
    "JSC348", "mpi-processes-not-a-number", ERROR, "numProcPerNode is a string.", "MPI needs a number of slots: write it without quotes."
)
MPI_JOBS_MISSING = Code(
    "JSC349",
    "mpi-jobs-missing",
    ERROR,
    "Several nodes, but the MPI runtime lacks its launcher or its node job.",
    "With runLauncherAsNode the launcher is the first node and the replicatedJob called node runs the others: both must be there under these names.",
)
RESERVED_MPI_ENV = Code(
    "JSC350",
    "mpi-reserved-env",
    ERROR,
    "spec.trainer.env sets variables that the MPI policy sets.",
    "The controller configures Open MPI's host file, host names, slots and ssh arguments itself. Refused since 2.3 (#3491); before, the user's values won.",
)
RESERVED_XGBOOST_ENV = Code(
    "JSC351",
    "xgboost-reserved-env",
    ERROR,
    "spec.trainer.env sets a variable that the XGBoost policy sets.",
    "The DMLC_* variables follow from numNodes and the GPUs of a node.",
)
FLUX_PROCESSES = Code("JSC352", "flux-processes", ERROR, "Flux needs at least one process a node.", "Leave numProcPerNode out or write 1 or more.")
FLUX_INSTALLER = Code(
    "JSC353",
    "flux-installer",
    ERROR,
    "The runtime has an init container called flux-installer.",
    "The controller adds one of that name to the job called node: rename yours.",
)

# --- volcano
VOLCANO_QUEUE_EMPTY = Code(
    "JSC354",
    "volcano-queue-empty",
    ERROR,
    "The Volcano queue annotation is there, but empty.",
    "Give a queue in scheduling.volcano.sh/queue-name or leave the annotation out: Volcano then uses its default queue.",
)
PRIORITY_CLASS_MISSING = Code(
    "JSC355",
    "priority-class-missing",
    ERROR,
    "A PriorityClass that does not exist.",
    "Said only when the facts list the priority classes of the cluster. With a Volcano policy the webhook looks up the class of every "
    "replicatedJob, until it meets a system-* class (JSC844).",
)

# --- runtimes
RUNTIME_REPLICAS = Code(
    "JSC356",
    "runtime-replicas",
    ERROR,
    "A job that the TrainJob controls has not exactly one replica.",
    "The number of nodes is mlPolicy.numNodes or spec.trainer.numNodes: each is a pod of one Job. replicas of jobs with an ancestor label "
    "must be 1 (upstream #2318 asks for more).",
)
RUNTIME_CONTAINER_MISSING = Code(
    "JSC357",
    "runtime-container-missing",
    ERROR,
    "A job with an ancestor label lacks the container that it stands for.",
    "trainer needs a container called node, dataset-initializer and model-initializer one called like themselves. Init containers do not count.",
)
RUNTIME_CHECKS_SKIPPED = Code(
    "JSC358",
    "runtime-checks-skipped",
    WARNING,
    "A runtime opts out of a check that it would fail.",
    "The label trainer.kubeflow.org/webhook-validation: disabled (2.3, #3683) keeps the runtime webhooks away. What they would have refused is told here.",
)
DEPRECATED_RUNTIME_GIVEN = Code(
    "JSC359",
    "deprecated-runtime-given",
    WARNING,
    "A ClusterTrainingRuntime is marked as deprecated.",
    "The server warns when a ClusterTrainingRuntime labelled trainer.kubeflow.org/support: deprecated is created, and again about every TrainJob that uses it.",
)

# --- updates
OVERRIDES_WHILE_RUNNING = Code(
    "JSC360",
    "overrides-while-running",
    ERROR,
    "Overrides are changed while the TrainJob runs.",
    "podSpecOverrides, podTemplateOverrides and runtimePatches may change only while the TrainJob is suspended. Suspend it first; from 2.2.1 on (#3469) "
    "the same update may suspend or resume it.",
)
OVERRIDES_WHILE_ACTIVE = Code(
    "JSC361",
    "overrides-while-active",
    ERROR,
    "Overrides are changed while Jobs of the JobSet are still active.",
    "A suspended TrainJob may still have running Jobs for a while. Said only where the facts tell of them.",
)
JOBSET_CHANGE_REFUSED = Code(
    "JSC362",
    "jobset-change-refused",
    ERROR,
    "The edit changes a part of the JobSet that cannot change.",
    "The TrainJob's update is admitted, but the controller then fails to update the JobSet, again and again: the JobSet webhook allows changes of "
    "replicatedJobs only in pod templates' labels, annotations, node selectors, tolerations and scheduling gates, and only while it is suspended.",
)
BROKEN_RUNTIME_KEPT = Code(
    "JSC364",
    "broken-runtime-kept",
    ERROR,
    "The TrainJob keeps the runtime that its JobSet was refused with.",
    "From 2.3 on (#3580) the controller writes the runtime into the ConfigMap NAME-runtime-snapshot before it builds anything, and builds from that ever "
    "after. Where the JobSet was refused, an edit of the runtime changes nothing. Delete the TrainJob, or that ConfigMap.",
)
RUNTIME_REMOVED = Code(
    "JSC365",
    "runtime-removed",
    WARNING,
    "The runtime of a TrainJob is not among the new documents.",
    "If that means that it is deleted: up to 2.2 a finalizer keeps a runtime for as long as a TrainJob uses it. In 2.3 it goes, and from then on every update "
    "of the TrainJob is refused, even one that only suspends it or changes a label, because the webhook does not find the runtime.",
)
EDIT_WITHOUT_EFFECT = Code(
    "JSC363",
    "edit-without-effect",
    WARNING,
    "The edit is admitted, but changes nothing that runs.",
    "The controller does not apply the JobSet again while neither the TrainJob nor the JobSet is suspended. Suspend the TrainJob, or create a new one.",
)
