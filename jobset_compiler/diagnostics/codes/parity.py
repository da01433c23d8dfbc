"""8xx: parity notices. Behaviour of upstream that is reproduced although it surprises; a notice never changes what is compiled.

A quirk is called by the number of its notice everywhere; `docs/quirks.md` lists them all with their releases.
"""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import INFO, WARNING, Code

PORTS_COLLAPSE = Code(
    "JSC801",
    "ports-collapse",
    WARNING,
    "Ports of a container overwrite each other.",
    "The controller takes two ports for the same when their numbers are equal or when neither has a name, and writes each onto the first such "
    "one. A single unnamed port gives way to the trainer port 29500; of two unnamed ports the later one is written twice, and the server then "
    "refuses the JobSet. From 2.3 this also happens to init containers. Fixed after 2.3 by #3926. Give every port a name of its own.",
)
NO_TRAINER_SECTION = Code(
    "JSC802",
    "rendezvous-not-injected",
    WARNING,
    "Without spec.trainer no rendezvous variables are injected.",
    "torch, JAX and XGBoost get PET_*, JAX_* or DMLC_* variables and the trainer port only when the TrainJob has a spec.trainer, even an empty "
    "one (#4076). Several nodes do not find each other otherwise. Write `trainer: {}`.",
)
LIMITS_COUNT_ONE = Code(
    "JSC803",
    "process-count-capped",
    WARNING,
    "resourcesPerNode overrides numProcPerNode, or hides GPUs.",
    "2.0 looks at the limits and then at the requests of resourcesPerNode, and takes a missing list for one process: GPUs that stand in only one "
    "of them, or an explicit numProcPerNode beside limits alone, come to 1 or to the CPU count. Fixed in 2.1 by #2653. Repeat the resources under "
    "limits and requests.",
)
ONE_PROCESS_WITHOUT_RESOURCES = Code(
    "JSC804",
    "one-process-without-resources",
    INFO,
    "Without declared resources one process is started per node.",
    "From 2.1 (#2653) `auto` becomes the CPU count when neither the TrainJob nor the runtime declares a GPU, and 1 when there is no CPU either. "
    "On machines whose GPUs are not declared (whole-node pools, DRA claims) that leaves all but one idle. Set spec.trainer.numProcPerNode.",
    asked=True,
)
ACCELERATOR_NOT_COUNTED = Code(
    "JSC805",
    "accelerator-not-counted",
    WARNING,
    "An accelerator whose resource name does not contain gpu is not counted.",
    "MIG slices (nvidia.com/mig-*), TPUs, Gaudi, Neuron and Ascend devices are no GPUs to the controller, so processes, slots or workers come "
    "from the CPUs or are 1 (#2900). Set spec.trainer.numProcPerNode where the policy reads it.",
)
MERGED_RESOURCES_NOT_COUNTED = Code(
    "JSC806",
    "merged-resources-not-counted",
    WARNING,
    "Processes are counted from resourcesPerNode alone although the pod has the runtime's resources as well.",
    "2.3 merges resourcesPerNode into the runtime's resources, but still counts processes, slots, workers and tasks as if resourcesPerNode were "
    "all there is (pull request #3974 is open). Repeat the runtime's GPUs and CPUs in resourcesPerNode, or set numProcPerNode.",
)
RUNTIME_RESOURCES_REPLACED = Code(
    "JSC807",
    "runtime-resources-replaced",
    WARNING,
    "resourcesPerNode replaces all resources of the runtime.",
    "Up to 2.2 any limits or requests in resourcesPerNode replace the container's resources as a whole, so that GPUs or memory of the runtime are "
    "lost (#3551). 2.3 merges by name (#3602). Repeat what should stay.",
)
RESOURCES_IGNORED = Code(
    "JSC808",
    "resources-per-node-ignored",
    WARNING,
    "resourcesPerNode is ignored because the runtime has no mlPolicy.",
    "2.3 merges resourcesPerNode where it reads the mlPolicy; a runtime without one keeps its own resources (a side effect of #3602). Give the "
    "runtime an mlPolicy, such as `mlPolicy: {numNodes: 1}`.",
)
CLAIMS_DROPPED = Code(
    "JSC809",
    "claims-dropped",
    WARNING,
    "Resource claims are dropped.",
    "The controller writes only limits and requests when resourcesPerNode applies: claims in it have no effect, and those of the runtime's "
    "container are lost as well. No upstream issue is known. Keep resourcesPerNode away from containers with claims.",
)
GHOST_JOB = Code(
    "JSC810",
    "patch-adds-job",
    WARNING,
    "A patch names a replicatedJob that the runtime does not have, and adds it.",
    "From 2.3 (#3709) patches are merged into the JobSet as a whole, and the check for unknown jobs comes too late to see them (#3948 is open). "
    "The added job has no containers, or never finishes.",
)
GHOST_CONTAINER = Code(
    "JSC811",
    "patch-adds-container",
    WARNING,
    "An override names a container that the runtime does not have, and adds it without an image.",
    "Overrides are merged before they are checked, so the check never finds an unknown container (#3948 is open). A container without an image is "
    "refused when the pod is made.",
)
COMPLETIONS_OVERWRITTEN = Code(
    "JSC813",
    "completions-overwritten",
    WARNING,
    "parallelism and completions of a Job are set to the number of its pods.",
    "The controller writes one count into parallelism and completions of every replicatedJob, also of those that the TrainJob does not touch: a "
    "completions of the runtime's own is lost, and parallelism 0 becomes 1. For the trainer the count is that of numNodes, 1 where nobody gives one: its "
    "parallelism is lost as well. replicas 0 becomes 1, since Go leaves a 0 out of what the controller sends. No upstream issue is known.",
)
REPLICAS_COUNTED_ONCE = Code(
    "JSC814",
    "replicas-counted-once",
    WARNING,
    "Replicas of a replicatedJob are counted once.",
    "PodGroups count the pods of one replica (#2318), and host files list one replica before 2.3 (#3539).",
)
GANG_DEADLOCK = Code(
    "JSC815",
    "gang-never-complete",
    WARNING,
    "The PodGroup waits for pods that are only made after others have run.",
    "minMember counts every pod of the TrainJob, initialisers included. With dependsOn or startup in order some of them do not exist before "
    "others are ready or complete, so that the gang is never complete and nothing is scheduled. No upstream issue is known.",
)
GANG_IGNORES_LIMITS = Code(
    "JSC816",
    "gang-ignores-limits",
    INFO,
    "minResources of the PodGroup leave out what is only a limit.",
    "Only requests are added up, and a server copies limits into requests no sooner than when it makes the pod: a GPU that stands in the limits "
    "alone is missing from minResources. No upstream issue is known. Repeat it under requests.",
)
GANG_IGNORES_RESOURCES = Code(
    "JSC817",
    "gang-ignores-resources-per-node",
    WARNING,
    "minResources of the PodGroup are the runtime's, not those of resourcesPerNode.",
    "2.0 and 2.1 add up the runtime's requests, whatever the TrainJob asks for (#2525, #2980); fixed in 2.2 by #2982. Put the requests into the runtime.",
)
SCHEDULER_NAME_UNSET = Code(
    "JSC818",
    "scheduler-name-unset",
    INFO,
    "Pods of a gang have no schedulerName.",
    "The controller never sets schedulerName. Unless the cluster's default scheduler knows PodGroups, pods without one are scheduled one by one, "
    "and the PodGroup does nothing. No upstream issue is known. Set it in the runtime's pod templates.",
)
SEVERAL_LAUNCHERS = Code(
    "JSC819",
    "several-launchers",
    WARNING,
    "mlPolicy.numNodes multiplies the launcher.",
    "numNodes of an MPI runtime counts the pods of the job with the trainer label, which is the launcher; spec.trainer.numNodes counts those of "
    "the job called node. With a runtime's numNodes above 1 several launchers run mpirun. No upstream issue is known. Keep numNodes 1 in MPI "
    "runtimes.",
)
TWO_HOSTS_FOR_ONE_NODE = Code(
    "JSC820",
    "two-hosts-for-one-node",
    WARNING,
    "With runLauncherAsNode one node still makes two hosts.",
    "The job called node runs numNodes - 1 pods, but at least one, beside the launcher (#3954; #4045 is open).",
)
WORKER_NOT_OVERRIDDEN = Code(
    "JSC821",
    "mpi-worker-overrides",
    WARNING,
    "The TrainJob's image, environment, resources or command reach other MPI containers than expected.",
    "Image, command, args and env go to the job with the trainer label, which is the launcher. Workers keep the runtime's image, and get the "
    "environment and resourcesPerNode only with runLauncherAsNode from 2.1 on (#2650, #4030). A worker with the trainer label gets the command "
    "too, instead of its SSH server (#3427).",
)
SLOTS_BY_ORDER = Code(
    "JSC822",
    "slots-by-job-order",
    WARNING,
    "MPI slots do not see the worker's GPUs.",
    "Slots are counted from the first replicatedJob that is called node or carries the trainer label. Where the launcher stands first, GPUs of "
    "the workers are not seen, and slots are 1. No upstream issue is known; 2.3's own runtimes list the workers first (#3748).",
)
FLUX_ARGUMENTS = Code(
    "JSC825",
    "flux-wrapping",
    WARNING,
    "Flux's wrapper loses or adds something.",
    "2.2 does not see the runtime's own command (#3674); in every release the runtime's args stay on the container and become arguments of the "
    "wrapped command.",
)
FLUX_KEY_DERIVABLE = Code(
    "JSC826",
    "flux-key-derivable",
    INFO,
    "The key of the Flux brokers follows from the TrainJob's UID.",
    "The private key is the SHA-256 of metadata.uid, which everybody who may read the TrainJob, its pods or its events can see. Keep brokers away "
    "from networks that you do not trust. No upstream issue is known.",
)
OPEN_MPI_FIVE = Code(
    "JSC827",
    "open-mpi-5",
    INFO,
    "Only Open MPI 4 reads the injected variables.",
    "Open MPI 5 has other names for them (PRTE_*) and ignores OMPI_MCA_orte_*: mpirun then starts everything on the launcher, and the job "
    "completes without its workers (#4028; #4029 is open). Images with Open MPI 5 must set PRTE_MCA_prte_default_hostfile=/etc/mpi/hostfile "
    "themselves.",
    asked=True,
)
JAX_VARIABLES_OVERRIDDEN = Code(
    "JSC828",
    "jax-variables-overridden",
    WARNING,
    "The TrainJob overrides a variable that JAX's coordination needs.",
    "JAX_NUM_PROCESSES, JAX_PROCESS_ID and JAX_COORDINATOR_ADDRESS are not reserved, unlike those of other policies, and the TrainJob's value "
    "wins (#3669; #3670 is open).",
)
FIXED_ADDRESSES = Code(
    "JSC830",
    "fixed-addresses",
    WARNING,
    "The rendezvous address does not follow the runtime's names.",
    "The address of the first node is always <TrainJob>-node-0-0.<TrainJob>, whatever the trainer's replicatedJob is called and whatever "
    "network.subdomain says. No upstream issue is known. Call the job node and leave network.subdomain unset.",
)
SECOND_TRAINER_JOB = Code(
    "JSC831",
    "second-trainer-job",
    WARNING,
    "A second replicatedJob has the trainer label.",
    "It gets the TrainJob's image, command, args and environment, but no rendezvous variables, and another number of pods: the first job's in "
    "2.0, mlPolicy.numNodes from 2.1 on (#2653).",
)
RESERVED_ENV_UNCHECKED = Code(
    "JSC832",
    "reserved-env-unchecked",
    WARNING,
    "A reserved PET_* variable was accepted, and wins.",
    "2.0 and 2.1 check reserved names only when spec.trainer.numProcPerNode is set (#3239). The TrainJob's value then replaces the injected one.",
)
TUNE_OLD_LIST = Code(
    "JSC833",
    "tune-old-model-list",
    INFO,
    "2.0 does not know the 3B model that it has a runtime for.",
    "Its list of supported models names a llama3_2/7B instead of the 3B (#2832). The check only runs when spec.trainer.numProcPerNode is set, so "
    "leave that unset.",
)
QUANTIZE_BASE_FALSE = Code(
    "JSC834",
    "quantize-base-false",
    WARNING,
    "quantize_base=False is taken for QLoRA.",
    "2.1 and 2.2 look only for the name of the argument (#3302). Leave the argument out for LoRA.",
)
LORA_IGNORED = Code(
    "JSC835",
    "lora-ignored",
    WARNING,
    "LoRA arguments are passed to a full fine-tuning recipe.",
    "2.0 has no LoRA recipes (#2832), and 2.1 and 2.2 do not use them on several nodes (#3302); 2.3 refuses that. Use one node.",
)
STORAGE_URI_OVERRIDDEN = Code(
    "JSC836",
    "storage-uri-overridden",
    WARNING,
    "A STORAGE_URI variable replaces storageUri.",
    "The initialiser's env is written after storageUri and wins (#3955; #3958 is open). Keep one of them.",
)
INITIALIZER_NOT_INJECTED = Code(
    "JSC837",
    "initializer-not-injected",
    WARNING,
    "The initialiser's settings reach no container.",
    "The webhook looks for a replicatedJob of that name, but the controller for the ancestor label on the Job template and a container (not an "
    "init container) of that name. A runtime that has one without the other is admitted and the settings are lost. No upstream issue is known.",
)
TWO_SOURCES = Code(
    "JSC839",
    "two-sources",
    WARNING,
    "An override leaves a volume or variable with two sources.",
    "Overrides are merged field by field: a volume or variable of the same name with another source keeps both, and the pod is refused. Pull "
    "request #3961 validates other parts only. Use another name.",
)
PATCH_METADATA_PASSED = Code(
    "JSC840",
    "patch-metadata-passed",
    WARNING,
    "A patch sets name, namespace or finalizers of a template.",
    "From 2.2 (#3309) metadata of a patch is merged whole into Job and pod templates, not only labels and annotations.",
)
NO_NODES = Code(
    "JSC841",
    "no-nodes",
    WARNING,
    "numNodes 0, or below 1 in the runtime.",
    "spec.trainer.numNodes has no lower bound (#3805, #3809): 0 makes a Job of no pods that completes at once, a negative number is refused by "
    "the Job API (JSC430). mlPolicy.numNodes below 1 counts as 1 (#3863 is open).",
)
RANDOM_ORDER = Code(
    "JSC842",
    "random-order",
    INFO,
    "Upstream's result depends on a random order; one outcome was chosen.",
    "The controller keeps its plugins and resource lists in Go maps: the order of variables of XGBoost and of TrainJobStatus, which of several "
    "GPU-like resources is counted, and which of two PodGroups is built first differ from process to process. The compiler always gives the same "
    "one of the legal outcomes.",
)
STATUS_OVERWRITES = Code(
    "JSC843",
    "status-overwrites",
    WARNING,
    "TrainJobStatus overwrites a volume, mount or variable of the runtime.",
    "The plugin upserts its volume kubeflow-trainer-token, its mount and its variables without looking (#3956). Use other names.",
)
VOLCANO_SETTINGS = Code(
    "JSC844",
    "volcano-settings",
    WARNING,
    "A queue or priority class has no effect on the Volcano PodGroup.",
    "The queue is only read from the JobSet's annotations: those of the runtime's template, of spec.annotations (2.1) or of a patch (2.2 on), "
    "never from the TrainJob's own metadata. Of several priority classes the last one counts (#4084).",
)
ELASTIC_POLICY_IGNORED = Code(
    "JSC848",
    "elastic-policy-ignored",
    WARNING,
    "elasticPolicy is accepted and ignored.",
    "2.0 and 2.1 have the field but no code for it; it was removed in 2.2 (#3235).",
)
MULTIKUEUE_IGNORED = Code(
    "JSC849",
    "managed-by-ignored",
    WARNING,
    "managedBy is not honoured: the objects are made here as well.",
    "Before 2.3 (#3681) the controller reconciles TrainJobs that are managed by kueue.x-k8s.io/multikueue like any other.",
)
FILE_KEY_REF_LOST = Code(
    "JSC851",
    "file-key-ref-lost",
    WARNING,
    "A fileKeyRef variable of the TrainJob loses its source.",
    "The controller's conversion does not know fileKeyRef and writes an empty valueFrom, which the server refuses. No upstream issue is known. "
    "Put such variables into the runtime.",
)
TUNE_MODEL_FROM_NAME = Code(
    "JSC856",
    "tune-model-from-name",
    WARNING,
    "The torchtune configuration is named after the runtime, and this name stands for no known model.",
    "The model is read off the runtime's name (torchtune-llama3.2-1b is llama3_2/1B). 2.0 and 2.1 check it only when spec.trainer.numProcPerNode "
    "is set, so a renamed runtime silently asks torchtune for a configuration that does not exist. No upstream issue is known.",
)
TRAINER_SECTION_UNUSED = Code(
    "JSC870",
    "trainer-section-unused",
    WARNING,
    "A field of spec.trainer has no effect.",
    "Only replicatedJobs with the label trainer.kubeflow.org/trainjob-ancestor-step: trainer on the Job template, and in them only a container "
    "called node, are changed; MPI counts the pods of the replicatedJob called node. numProcPerNode is read for torch, MPI and Flux "
    "alone. From 2.1 (#2722) the runtime webhook refuses a labelled job without that container.",
)
GPU_LIKE_NAME = Code(
    "JSC871",
    "gpu-like-name",
    WARNING,
    "A resource that is no device is counted as GPUs.",
    "Every resource whose name contains gpu counts, also memory or core shares of a GPU (nvidia.com/gpumem, nvidia.com/gpucores): their amount "
    "becomes a number of processes. No upstream issue is known. Set spec.trainer.numProcPerNode where the policy reads it.",
)
FLUX_EXIT_STATUS = Code(
    "JSC872",
    "flux-exit-status",
    INFO,
    "A Flux job succeeds even when its command fails.",
    "The controller's entrypoint, and ours, ends with writing a marker file, so that the exit status of the command is lost and the TrainJob "
    "completes. No upstream issue is known. Let the command leave a sign of success elsewhere.",
    asked=True,
)
FLUX_MEMORY = Code(
    "JSC873",
    "flux-shared-memory",
    INFO,
    "Shared memory of a Flux job is read-only.",
    "From 2.3 on (#3561) the controller mounts a memory-backed volume at /dev/shm, and mounts it read-only: programs that share memory there fail. Use another "
    "path for it.",
    asked=True,
)
