"""7xx: what is accepted and then does nothing, or something else than it says. No server tells; the training waits, runs alone or is not there."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import WARNING, Code

MPI_JOB_NAMES = Code(
    "JSC701",
    "mpi-job-names",
    WARNING,
    "An MPI runtime lacks the names that the policy goes by.",
    "The MPI policy finds its pods by name: the workers are the replicatedJob called node, the launcher that called launcher, and in both the container called "
    "node gets the SSH keys. MPIJobs call the workers worker; under that name the host file stays empty, numNodes has no effect and the workers have no keys.",
)
MPI_KEY_UNREADABLE = Code(
    "JSC702",
    "mpi-key-unreadable",
    WARNING,
    "The container's user cannot read the SSH keys.",
    "From 2.3 (#3649) the keys are mounted for their owner and group alone. They belong to root unless the pod has a securityContext.fsGroup: "
    "a container with another runAsUser cannot read them, and ssh fails. Upstream's own runtimes got an fsGroup for that (#3748).",
)
RUNTIME_WITHOUT_JOBS = Code(
    "JSC703",
    "runtime-without-jobs",
    WARNING,
    "The runtime has no replicatedJobs.",
    "A JobSet without replicatedJobs is admitted and runs nothing: there will be no pods. Containers belong to "
    "spec.template.spec.replicatedJobs[].template.spec.template.spec.",
)
INITIALIZER_NOT_AWAITED = Code(
    "JSC704",
    "initializer-not-awaited",
    WARNING,
    "The trainer does not wait for an initializer.",
    "All replicatedJobs start together unless dependsOn says otherwise. Data and models are there when the Job of the initializer is complete: the trainer, "
    "or a job that it waits for, must depend on it with status Complete. startupPolicy InOrder waits until it is ready, which is when the download begins.",
)
INITIALIZER_WITHOUT_VOLUME = Code(
    "JSC705",
    "initializer-without-volume",
    WARNING,
    "What an initializer downloads is lost with its pod.",
    "The initializer writes below /workspace. Unless a volume that outlives the pod is mounted there (a persistentVolumeClaim, or from 2.3 the "
    "volumeClaimPolicies of the JobSet), nobody else sees the files. 2.3 refuses TrainJobs that use an initializer without a mount called initializer.",
)
PODS_WITHOUT_INDEX = Code(
    "JSC706",
    "pods-without-index",
    WARNING,
    "Pods of a NonIndexed Job have no rank and no host name.",
    "The policies take the rank of a node from its completion index and reach other nodes under <job>-<index>. With completionMode NonIndexed there is no "
    "index: the rank is empty and the names do not resolve. Leave completionMode out: JobSet makes Jobs Indexed.",
)
NO_PROCESSES = Code(
    "JSC707",
    "no-processes",
    WARNING,
    "A number of processes below 1.",
    "numProcPerNode is taken as it is, 0 and negative numbers as well. torchrun refuses it, and a host of 0 slots gets no process from mpirun.",
)
SHARED_SUBDOMAIN = Code(
    "JSC708",
    "shared-subdomain",
    WARNING,
    "Two TrainJobs of one namespace have the same subdomain.",
    "JobSet makes one headless Service of the name that network.subdomain gives, for the pods of the first JobSet alone. Another JobSet finds it there and "
    "uses it as it is: the host names of its pods do not resolve, and its nodes do not find each other. Leave network.subdomain out of the runtime: "
    "every JobSet then has a Service of its own name.",
)
NOT_STARTED_BY_TORCHRUN = Code(
    "JSC710",
    "not-started-by-torchrun",
    WARNING,
    "Several nodes or GPUs, and one plain Python process in each node.",
    "The torch policy sets PET_* variables, which torchrun alone reads. A program that python starts knows nothing of other nodes, and uses "
    "one process for all "
    "GPUs of its own (#3492). Silence this where the program reads PET_* or starts its processes itself.",
)
ARGS_FOR_THE_IMAGE = Code(
    "JSC711",
    "args-without-command",
    WARNING,
    "args without a command go to the image's entrypoint.",
    "Neither the TrainJob nor the runtime has a command, so that args follow whatever the image starts. The runtime torch-distributed has no command either: "
    "torchrun has to be written.",
)
SEVERAL_WORDS_IN_ONE = Code(
    "JSC712",
    "several-words-in-one",
    WARNING,
    "One word of a command has several in it.",
    "command and args are lists of words, which no shell takes apart. [torchrun train.py] asks for a program with a blank in its name, "
    "and [--epochs 3] for a flag with one. Write a list item a word, or [sh, -c, ...].",
)
TORCHRUN_FLAG = Code(
    "JSC713",
    "torchrun-flag",
    WARNING,
    "A flag of torchrun says what the policy says, or something else.",
    "Flags win over the PET_* variables that numNodes, numProcPerNode and resourcesPerNode end up in. Where they differ, nodes wait for others that never come "
    "or GPUs idle; where they agree they break with the next change. Leave them out.",
)
VARIABLE_STAYS_TEXT = Code(
    "JSC714",
    "variable-stays-text",
    WARNING,
    "A variable in command or args is expanded by nobody.",
    "Kubernetes expands $(NAME) where the container has a variable NAME, and nothing else; $NAME and ${NAME} are a shell's, and there is "
    "none unless the command starts one: [sh, -c, ...].",
)
SHELL_IGNORES_WORDS = Code(
    "JSC715",
    "shell-ignores-words",
    WARNING,
    "Words after the script of a shell have no effect.",
    "sh -c runs one word. What follows it are positional parameters, which the script does not read: [sh, -c, python, train.py] starts python without a file.",
)
CLAIMS_NOT_COUNTED = Code(
    "JSC720",
    "claims-not-counted",
    WARNING,
    "Devices of resource claims are not counted.",
    "The number of processes follows from resources with gpu in their name. Devices that come by a ResourceClaim (DRA) are none: torch then starts as many "
    "processes as there are CPUs. Set spec.trainer.numProcPerNode.",
)
LIST_REPLACED = Code(
    "JSC721",
    "list-replaced",
    WARNING,
    "A patch replaces a list of the runtime.",
    "Lists with a merge key (containers, volumes, env) are merged with a patch item by item. All others, such as tolerations, are replaced "
    "as a whole: what the "
    "runtime has there is gone. Repeat it in the patch.",
)
TF_CONFIG_SIZE = Code(
    "JSC722",
    "tf-config-size",
    WARNING,
    "TF_CONFIG names another number of workers than there are pods.",
    "A TF_CONFIG that is written into a runtime or a TrainJob has a fixed list of workers. A worker beyond the list fails; one that is "
    "listed and never comes is "
    "waited for without end. Write a runtime for each number of nodes.",
)
TUNE_WITHOUT_COMMAND = Code(
    "JSC723",
    "tune-arguments-without-command",
    WARNING,
    "torchtune arguments of a TrainJob without the command that chooses a recipe.",
    "Recipe and configuration are chosen by the controller only where spec.trainer.command is [tune, run]. Otherwise the arguments follow the runtime's own "
    "command, a full fine-tuning recipe, which does not know those of LoRA.",
)
CACHE_URI = Code(
    "JSC724",
    "cache-uri",
    WARNING,
    "A cache:// URI has not the form that the image reads.",
    "The dataset initializer takes cache://SCHEMA/TABLE apart at the slash: without the second part it fails in the pod, and further parts are not read.",
)
PLACEHOLDER_LEFT = Code(
    "JSC725",
    "placeholder-left",
    WARNING,
    "A placeholder has not been filled in.",
    "Kubernetes replaces nothing in images, URIs or values of variables: ${TAG}, <IMAGE>, {{ image }} and CHANGEME are taken as they stand, "
    "and an image of that "
    "name is never pulled. Compile what the tool that fills them in writes. In values of variables $(NAME) names an earlier variable.",
)
QUANTITY_NOT_CANONICAL = Code(
    "JSC726",
    "quantity-not-canonical",
    WARNING,
    "Kueue may not be able to admit the TrainJob: a quantity is not in its canonical form.",
    "Kueue adds a runtimePatch when it admits a TrainJob. Trainer's defaulter (2.2 and later) stamps the patch and writes the whole object anew, quantities in "
    "their canonical form: an unquoted 8 becomes a text, 1000m becomes 1. spec.trainer is immutable and compared as text, so that the update is refused. "
    "Write the canonical form, in quotes.",
)
IMAGE_UNREADABLE = Code(
    "JSC727",
    "image-unreadable",
    WARNING,
    "An image has a name that no registry can have.",
    "The API server does not look at the form of an image. The kubelet does: with blanks, capitals in the repository, https:// before it or a colon "
    "without a tag the pod waits with InvalidImageName.",
)
BYTES_FOR_MORE = Code(
    "JSC728",
    "bytes-for-more",
    WARNING,
    "Memory or storage of a few bytes.",
    "A quantity without a unit is a number of bytes, and m stands for thousandths, as in 500m of a CPU: 512m of memory are less than one byte. Every server "
    "takes it, and no container starts with it. Write Mi or Gi.",
)
FIELD_OVERWRITTEN = Code(
    "JSC736",
    "field-overwritten",
    WARNING,
    "A field of the runtime that a controller writes over.",
    "Trainer suspends the JobSet as the TrainJob says, and JobSet its Jobs as it is suspended itself. The subdomain of pods is that of the JobSet "
    "wherever it makes host names, and the host name of pods with an index follows from the Job. And policies write variables, volumes and mounts over "
    "those of the same name or path, such as PET_NNODES or what is mounted at the folder of the SSH keys. What the runtime says of these is accepted "
    "and lost.",
)
MANAGED_ELSEWHERE = Code(
    "JSC737",
    "managed-elsewhere",
    WARNING,
    "JobSet's controller leaves the JobSets of the runtime alone.",
    "A JobSet whose managedBy names another controller is not reconciled by JobSet's own: no Jobs, no Service, no status. Leave it out unless "
    "such a controller runs.",
)
NAMES_UNRESOLVED = Code(
    "JSC738",
    "names-unresolved",
    WARNING,
    "Names of pods do not resolve.",
    "Rendezvous addresses and host files hold names of pods. JobSet gives pods names unless enableDNSHostnames is false, and pods in the network "
    "of their node ask "
    "the DNS of the node, which does not know them, unless dnsPolicy is ClusterFirstWithHostNet.",
)
ENDS_EARLY = Code(
    "JSC739",
    "ends-early",
    WARNING,
    "The JobSet is complete before the training is.",
    "successPolicy says which Jobs count. With operator Any one of them is enough, an initializer or another Job that the training waits for too; and once a "
    "JobSet is complete, its other Jobs are deleted or never made.",
)
METADATA_STAYS = Code(
    "JSC740",
    "metadata-stays",
    WARNING,
    "A label or annotation of the TrainJob is meant for its pods.",
    "metadata.labels and metadata.annotations of a TrainJob are not passed on. Service meshes, scrapers, networks and autoscalers read those of "
    "pods, JobSet those of "
    "the JobSet: write them into the runtime, or into a patch of the TrainJob.",
)
REFERENCE_STAYS_TEXT = Code(
    "JSC741",
    "reference-stays-text",
    WARNING,
    "A variable names one that the container has not, or not yet, or as only a shell would read it.",
    "The kubelet replaces $(NAME) in the value of a variable by one that stands before it in the container. Trainer writes its own, such as PET_NNODES, behind "
    "those of the TrainJob, and the Job controller JOB_COMPLETION_INDEX behind all: in values they stay as they are. In "
    "command and args all variables are known. $NAME is a shell's, and no shell reads the values of variables: write $(NAME), or the value itself.",
)
JOB_WARNED = Code(
    "JSC735",
    "job-warned",
    WARNING,
    "The API server takes a Job with a warning that something has no effect.",
    "An API server answers some fields with a warning: a selector that selects no pod, a volume that no kubelet can mount any more, a port that two containers "
    "of a pod want, an annotation that is read no longer. The JobSet controller creates the Jobs, so that nobody sees it.",
)
DEVICE_UNKNOWN = Code(
    "JSC729",
    "device-unknown",
    WARNING,
    "A resource whose name is nearly that of GPUs.",
    "Any name with a domain can be asked for. One that no device plugin offers lets the pods wait for ever. Plugins of NVIDIA and AMD offer nvidia.com/gpu and "
    "amd.com/gpu.",
)
TF_CONFIG_HOST = Code(
    "JSC730",
    "tf-config-host",
    WARNING,
    "TF_CONFIG names hosts under another name than the pods have.",
    "Pods are addressed below network.subdomain where the runtime sets one, and below the name of the TrainJob where it does not. Hosts that end in the "
    "TrainJob's name do not resolve beside a subdomain of another name, and every worker waits for the others without end.",
)
FULL_NAME_TOO_LONG = Code(
    "JSC731",
    "full-name-too-long",
    WARNING,
    "The full host name of pods is longer than Linux takes.",
    "With setHostnameAsFQDN the kubelet gives containers the full name of their pod as host name, <pod>.<subdomain>.<namespace>.svc.<domain of the cluster>. "
    "Where that has more than 64 characters the pod stays in ContainerCreating. The domain is only known to the cluster; cluster.local is counted. "
    "Leave setHostnameAsFQDN out, or shorten the names.",
)
MOUNT_MISSES = Code(
    "JSC732",
    "mount-misses",
    WARNING,
    "A volume is not seen where it is looked for.",
    "Of two volumes at one path (written otherwise, as with a slash at the end) only one is seen, and a volume at the root leaves nothing of the image. "
    "Initializers write to /workspace/dataset and /workspace/model: another volume there hides what they have written, and a trainer that mounts none of "
    "their volumes has no data. In paths nothing is expanded, neither ~ nor a variable (but $(NAME) in subPathExpr).",
)
NEVER_ENDS = Code(
    "JSC733",
    "never-ends",
    WARNING,
    "The job is restarted for ever, or is never complete.",
    "Limits are switched off one by one: a rule that restarts after every failure without counting it, a pod failure policy that ignores every exit "
    "code, a backoffLimit of 2147483647. And a JobSet is complete when all Jobs that count for its successPolicy are: those that run a server such as sshd "
    "never are.",
)
NEVER_READ = Code(
    "JSC734",
    "never-read",
    WARNING,
    "Nobody reads what the runtime says there.",
    "Rules of a failurePolicy behind one that matches every failure, patterns that are no expressions of Go's, restarts of which maxRestarts allows "
    "none, settings of a network that has no host names, a podGroupPolicy without a scheduler, and names, namespaces and finalizers in the metadata of "
    "templates, of which only labels and annotations are taken over.",
)
WITHOUT_EFFECT = Code(
    "JSC742",
    "without-effect",
    WARNING,
    "A value of the TrainJob changes nothing.",
    "Something beside it counts, or it says nothing: an initializer or an override of nothing, a value next to valueFrom, empty values in overrides "
    "(which add and replace, and take nothing away), what a later override writes once more, an empty command or args with nothing to clear.",
)
NEVER_STARTS = Code(
    "JSC743",
    "never-starts",
    WARNING,
    "Pods are created and then wait for ever.",
    "The API server takes what no node or scheduler can do: an emptyDir whose medium is not Memory, HugePages, HugePages-<size> or empty (the kubelet fails to "
    "mount it), one of huge pages where the pod requests none of that size (or, with HugePages alone, none, or several sizes), the name of a scheduler with "
    "blanks in it, and schedulingGates, which hold the pods back until somebody takes them away (worth knowing where a controller of yours does). Volumes "
    "that no container mounts hold nobody up.",
)
