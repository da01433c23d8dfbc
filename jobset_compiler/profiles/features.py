"""Every behaviour by which releases of Kubeflow Trainer (and the JobSet they pin) differ, one sentence each.

A feature is named after what it does, never after a version; which release has it is said in `catalogue`.
`#N` cites kubeflow/trainer, `k8s` the pinned Kubernetes libraries.
"""

from __future__ import annotations

from jobset_compiler.profiles.profile import Feature

# --- how overrides reach the runtime template (resolve/patches.py)
PATCHES_WHOLE_JOBSET = Feature(
    "patches-whole-jobset", "A patch is merged into the JobSet spec, so that an unknown replicatedJob is added; the runtime's order is restored.", ("#3709",)
)

# --- resources (resolve/resources.py, passes/user.py)
RESOURCES_REPLACED = Feature("resources-replaced", "resourcesPerNode replaces all resources of the node container; {} leaves them.", ("#3551",))
RESOURCES_MERGED = Feature(
    "resources-merged",
    "resourcesPerNode is merged into the node container's resources by key, before any plugin runs; claims are dropped.",
    ("#3602",),
    replaces=RESOURCES_REPLACED,
)
GANG_COUNTS_RESOURCES_PER_NODE = Feature(
    "gang-counts-resources-per-node", "PodGroup minResources use the TrainJob's resourcesPerNode for the trainer.", ("#2982", "#2980")
)

# --- counts (objects/jobset.py)
FIRST_TRAINER_COUNT_FOR_ALL = Feature(
    "first-trainer-count-for-all", "Every replicatedJob with the trainer ancestor runs as many pods as the first one.", ("#2653",)
)
PORTS_BY_PROTOCOL = Feature(
    "ports-by-protocol",
    "Two ports are the same when both have the same name, or the same number and protocol; unnamed ones no longer overwrite each other.",
    ("#3926",),
    "read upstream",
)
INIT_CONTAINER_PORTS_SYNCED = Feature("init-container-ports-synced", "Ports of init containers go through the same upsert as those of containers.", ("#3561",))

# --- torch (passes/torch.py)
NPROC_FROM_EACH_LIST = Feature(
    "nproc-from-each-list", "numProcPerNode is capped by the CPUs of the limits, else of the requests, of resourcesPerNode.", ("#2492", "#2407")
)
NPROC_FROM_REQUESTS_THEN_LIMITS = Feature(
    "nproc-from-requests-then-limits",
    "numProcPerNode auto becomes the CPU count where no GPU is declared in the TrainJob or else the runtime.",
    ("#2653",),
    replaces=NPROC_FROM_EACH_LIST,
)
RUNTIME_NPROC = Feature("runtime-nproc", "The runtime's mlPolicy.torch.numProcPerNode is the start value, and strings cpu, gpu, auto are allowed.", ("#3239",))
ENV_INJECTION = Feature("env-injection", "mlPolicy.torch.envInjection lists further containers that get the PET_* variables.", ("#3516",))

# --- torchtune (passes/torchtune.py)
TUNE_LORA = Feature("tune-lora", "TorchTune arguments select LoRA and QLoRA recipes.", ("#2832",))
TUNE_DEVICES_FROM_GPUS = Feature("tune-devices-from-gpus", "The recipe and the rendezvous flag look at the GPU count as well as at numProcPerNode.", ("#2832",))
TUNE_MERGES_FILE = Feature("tune-merges-file", "tokenizer.merges_file is carried over from the runtime's command.", ("#2832", "#2835"))
TUNE_BOOLEAN_ARGUMENTS = Feature("tune-boolean-arguments", "quantize_base and use_dora count only when their value is true.", ("#3302",))
TUNE_OLD_MODELS = Feature("tune-old-models", "Supported models: llama3_2/1B, llama3_2/7B, llama3_3/70B.", ("#2832",))
TUNE_LORA_RULES = Feature("tune-lora-rules", "QLoRA is refused for models and device counts that cannot run it.", ("#2832",))
TUNE_LORA_NEEDS_ONE_NODE = Feature("tune-lora-needs-one-node", "LoRA arguments on several nodes are refused.", ("#3302",))
TUNE_MANAGED_ARGUMENTS_REFUSED = Feature("tune-managed-arguments-refused", "Arguments that the runtime manages are refused.", ("#3302",))
TUNE_NODES_DEREFERENCED = Feature(
    "tune-nodes-dereferenced", "The webhook crashes on a torchtune TrainJob with numProcPerNode and without numNodes.", ("#3239",)
)

# --- mpi (passes/mpi.py)
MPI_SLOTS_FROM_GPUS = Feature("mpi-slots-from-gpus", "Slots are the GPU count where nothing else is set and the node has more than one GPU.", ("#2653",))
MPI_NODE_GETS_ENV = Feature(
    "mpi-node-gets-env", "With runLauncherAsNode the replicatedJob named node gets the TrainJob's env and resources as well.", ("#2653",)
)
MPI_KEY_MODES = Feature("mpi-key-modes", "The SSH key volume has file modes that sshd accepts.", ("#3649",))
ENDPOINTS_OF_ALL_REPLICAS = Feature("endpoints-of-all-replicas", "Host names cover every replica of a replicatedJob.", ("#3539",))
MPI_RESERVED_ENV = Feature("mpi-reserved-env", "Reserved OMPI_* variables in spec.trainer.env are refused.", ("#3491",))

# --- jax, flux, status (passes/jax.py, passes/flux/, passes/status.py)
JAX_NEEDS_NO_TRAINER_JOB = Feature("jax-needs-no-trainer-job", "A JAX runtime without a trainer replicatedJob is skipped rather than a crash.", ("#3563",))
FLUX_RUNTIME_COMMAND = Feature("flux-runtime-command", "The runtime's own command is wrapped when the TrainJob has none.", ("#3674",))
FLUX_NEEDS_NO_TRAINER = Feature(
    "flux-needs-no-trainer", "Without spec.trainer or its numNodes, Flux runs as many nodes as the runtime says.", ("#3904",), "read upstream"
)
FLUX_TRAINJOB_PROCESSES_CHECKED = Feature("flux-trainjob-processes-checked", "The TrainJob's numProcPerNode must be 1 or more.", ("#3325",))
FLUX_SHARED_MEMORY = Feature("flux-shared-memory", "A memory-backed volume is mounted at /dev/shm.", ("#3561",))
FLUX_EMPTY_IMAGE_DROPPED = Feature(
    "flux-empty-image-dropped", "An empty FLUX_VIEW_IMAGE leaves the installer without an image rather than with an empty one.", ("#3561",), "read upstream"
)
TRAINJOB_STATUS = Feature("trainjob-status", "The feature gate TrainJobStatus exists: trainer containers can report their progress.", ("#3227",))
FLUX_RESOURCE_SPEC = Feature("flux-resource-spec", "The entrypoint declares cores and GPUs to Flux itself.", ("#3325",))

# --- pod groups (passes/coscheduling.py)
GANG_LABEL_FOR_ANY_POLICY = Feature("gang-label-for-any-policy", "The pod-group label is set whenever podGroupPolicy is present, even empty.", ("#2729",))
POD_LEVEL_HUGEPAGES = Feature("pod-level-hugepages", "Pod-level requests count hugepages besides cpu and memory.", ("k8s 1.34",))

# --- controller
COMPLETED_JOBSET_RECREATED = Feature(
    "completed-jobset-recreated", "A JobSet that is gone after it completed is created again.", ("#3013",), "read upstream"
)
FAILED_JOBSET_RECREATED = Feature("failed-jobset-recreated", "A JobSet that is gone after it failed is created again.", ("#2981", "#3891"), "read upstream")
INITIALIZERS_READ_S3 = Feature("initializers-read-s3", "The initializer images read s3:// and, for datasets, cache://.", ("#2911", "#2793"), "read upstream")
STATUS_AFTER_POLICIES = Feature(
    "status-after-policies", "The variables of TrainJobStatus always follow those of the ML policy.", ("#3889",), "read upstream"
)
UPDATES_READ_THE_SNAPSHOT = Feature(
    "updates-read-the-snapshot",
    "An edit of a TrainJob is validated with the runtime that it keeps, and only without one with the live runtime.",
    ("#3960",),
    "read upstream",
)
RUNTIME_SNAPSHOT = Feature(
    "runtime-snapshot", "A TrainJob keeps the runtime it was first reconciled with: later edits of the runtime do not reach it.", ("#3580",), "read upstream"
)
RUNTIME_DELETED_IN_USE = Feature(
    "runtime-deleted-in-use",
    "A runtime that a TrainJob uses can be deleted: no finalizer keeps it, and updates of the TrainJob are refused from then on.",
    ("#3580",),
    "read upstream",
)
MULTIKUEUE_LEFT_ALONE = Feature("multikueue-left-alone", "A TrainJob managed by kueue.x-k8s.io/multikueue is not reconciled.", ("#3681",))

# --- admission: TrainJob and runtime webhooks (admission/)
TRAINJOB_DEFAULTER = Feature(
    "trainjob-defaulter", "A mutating webhook reads every TrainJob into Go's types before the schema does, and stamps the time of overrides.", ("#3309",)
)
NAME_CHECKED_BY_WEBHOOK = Feature(
    "name-checked-by-webhook", "The TrainJob webhook, not the schema, checks that the name is an RFC 1035 label.", ("#2736", "#2767")
)
CHECKS_NEED_NPROC = Feature("checks-need-nproc", "Reserved env and torchtune rules are checked only when numProcPerNode is set.", ("#3239",))
ANCESTOR_CONTAINERS_CHECKED = Feature(
    "ancestor-containers-checked", "A runtime's ancestor job must have the container that the ancestor stands for.", ("#2722",)
)
LAUNCHER_REPLICAS_CHECKED = Feature("launcher-replicas-checked", "A runtime's job named launcher must have one replica.", ("#2533",))
RUNTIME_WEBHOOK_OPT_OUT = Feature(
    "runtime-webhook-opt-out", "The label trainer.kubeflow.org/webhook-validation: disabled skips the runtime webhooks.", ("#3683",)
)
DUPLICATE_TARGETS_REFUSED = Feature("duplicate-targets-refused", "An override target may be named only once.", ("#2880",))
OVERRIDES_CHANGE_ON_RESUME = Feature(
    "overrides-change-on-resume", "Overrides may also change in the update that resumes the TrainJob.", ("#3469", "#3489"), "read upstream"
)
PATCH_MANAGER_CHECKED = Feature("patch-manager-checked", "A patch's manager must be a domain-prefixed path.", ("#3309",))
INITIALIZER_MOUNT_CHECKED = Feature("initializer-mount-checked", "An initialiser container must mount the volume called initializer.", ("#3714",))
DEPRECATION_WARNED = Feature("deprecation-warned", "A runtime labelled as deprecated raises an admission warning.", ("#2791",))
DEPRECATION_PAGE_MOVED = Feature("deprecation-page-moved", "The deprecation warning links to trainer.kubeflow.org.", ("#3711",))

JOBSET_UPDATE_SHOWS_JOBS = Feature(
    "jobset-update-shows-jobs", "JobSet's webhook shows the replicatedJobs that may not change, where it crashed over additional ones before.", ("jobset 0.12",)
)

# --- what the server says (kube/structural, admission/)
VALUES_AS_GO_SYNTAX = Feature("values-as-go-syntax", "Webhook errors print bad values in Go syntax rather than JSON.", ("k8s 1.32",))
CEL_HIDES_OBJECT_VALUES = Feature("cel-hides-object-values", "A CEL error prints the value, and nothing for objects and lists.", ("k8s 1.36",))
BRANCHES_CHECKED = Feature(
    "int-or-string-branches-checked", "A number of an int-or-string that is nearly an integer (2147483648.5) is refused.", ("k8s 0.36",)
)
INTEGER_FORMATS_NAMED = Feature(
    "integer-formats-named", "A type error of a number field names its format (int32) where no text was given.", ("k8s 1.36",)
)
LABELS_MEASURED_IN_BYTES = Feature(
    "labels-measured-in-bytes", "Errors about label keys and values speak of bytes and of a valid label key.", ("k8s 1.36",)
)
OWNER_FIELDS_NAMED = Feature("owner-fields-named", "An error about an owner reference repeats the name of its empty field.", ("k8s 1.32",))

# --- JobSet's own admission (admission/jobset.py)
SCHEDULING_GROUP_UNDECLARED = Feature(
    "scheduling-group-undeclared", "The runtime knows schedulingGroup in pods, the JobSet that it pins does not, and the apply fails.", ("jobset 0.11.1",)
)
JOBSET_ERRORS_NAME_FIELDS = Feature("jobset-errors-name-fields", "JobSet's webhook names the field of an error about a name.", ("jobset 0.9",))
COORDINATOR_LABEL_CHECKED = Feature(
    "coordinator-label-checked", "JobSet's webhook refuses a coordinator whose host name is no label value.", ("jobset 0.11",)
)
JOBSET_ERRORS_STRUCTURED = Feature("jobset-errors-structured", "JobSet's webhook answers with a structured 422 error.", ("jobset 0.12",))

# --- what the JobSet controller creates (expand/)
JOBS_LABELLED_WITH_GROUP = Feature("jobs-labelled-with-group", "Jobs carry the UID of their JobSet and the labels of their group.", ("jobset 0.9",))
