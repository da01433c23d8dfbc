"""370-389: advice that no server gives. Everything here is admitted and compiled as it stands; it is just hardly what was meant."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import INFO, WARNING, Code

ANCESTOR_LABEL_MISPLACED = Code(
    "JSC370",
    "ancestor-label-misplaced",
    WARNING,
    "The ancestor label stands where nobody reads it.",
    "trainer.kubeflow.org/trainjob-ancestor-step belongs into the metadata of the replicatedJob's Job template (template.metadata.labels), not into that of "
    "its pod template, of the runtime or of the JobSet. Elsewhere it has no effect: image, command, env and resources of the TrainJob are then silently "
    "ignored. Upstream's own prose and one of its runtimes got this wrong (#2719).",
)
ANCESTOR_UNKNOWN = Code(
    "JSC371",
    "ancestor-unknown",
    WARNING,
    "The ancestor label has a value that the controller does not know.",
    "The values are trainer, dataset-initializer and model-initializer. A job with any other value is left as the runtime has it.",
)
NO_TRAINER_JOB = Code(
    "JSC372",
    "no-trainer-job",
    WARNING,
    "The runtime has an mlPolicy, but no job that it applies to.",
    "Policies act on the replicatedJob whose Job template is labelled trainer.kubeflow.org/trainjob-ancestor-step: trainer. Without one nothing is injected, "
    "and numNodes, image, command, env and resourcesPerNode of TrainJobs have no effect (#2548).",
)
GPUS_AND_PROCESSES = Code(
    "JSC373",
    "gpus-and-processes-differ",
    WARNING,
    "numProcPerNode is not the number of GPUs of a node.",
    "One process drives one GPU as a rule: with fewer processes GPUs idle, with more they share. Leave numProcPerNode out (auto counts the GPUs), or silence "
    "this where the program drives several GPUs from one process.",
)
BOTH_GANG_POLICIES = Code(
    "JSC374",
    "both-gang-policies",
    WARNING,
    "podGroupPolicy has both coscheduling and volcano.",
    "The server takes it (#4060), and the controller makes two PodGroups of two schedulers for the same pods; one of the schedulers waits for ever. Keep one.",
)
KUEUE_LABEL_MISPLACED = Code(
    "JSC375",
    "kueue-label-misplaced",
    WARNING,
    "A Kueue label stands where Kueue does not read it.",
    "Kueue reads kueue.x-k8s.io/queue-name and kueue.x-k8s.io/priority-class from the labels of the TrainJob itself: metadata.labels. On the runtime, on the "
    "JobSet, on pods or as an annotation they do not queue the TrainJob, which then runs at once.",
)
KAI_QUEUE_MISSING = Code(
    "JSC376",
    "kai-queue-missing",
    WARNING,
    "Pods ask for the KAI scheduler, but name no queue that it reads.",
    "KAI takes the queue from the label kai.scheduler/queue of the top owner, that is of the TrainJob, or of the pod; annotations and the labels of the JobSet "
    "are not read. Without one the pods go to the queue called default-queue. No PodGroup is rendered for KAI: its own controller makes it (#2628).",
)
TIME_TO_LIVE = Code(
    "JSC377",
    "time-to-live",
    WARNING,
    "ttlSecondsAfterFinished deletes what the controller then makes again.",
    "A JobSet that its time to live deletes may be created and run once more, as the TrainJob is still there (#2981): 2.1 does so always (fixed by #3013), 2.2 "
    "and 2.3 when it failed. A single Job that its own time to live deletes is created again by JobSet while the others still run. "
    "Delete finished TrainJobs instead.",
)
MPI_LAUNCHER_EARLY = Code(
    "JSC378",
    "mpi-launcher-does-not-wait",
    WARNING,
    "The launcher may start before the nodes accept connections.",
    "mpirun fails at once when sshd on a node is not up yet (#2751). Upstream's runtimes of 2.3 let the launcher depend on node with status Ready, and all of "
    "them have a readiness probe on sshd's port. Nodes that run sshd never complete, so that Complete is waited for in vain.",
)
MPI_KEY_FOLDER = Code(
    "JSC379",
    "mpi-key-folder",
    WARNING,
    "The SSH keys are mounted where the container's user does not look.",
    "ssh and sshd look for keys in ~/.ssh of the user they run as. sshAuthMountPath is /root/.ssh unless given: for a container that does not run as root it "
    "must be that user's folder, such as /home/mpiuser/.ssh.",
)
MPI_NAMES_NOT_PUBLISHED = Code(
    "JSC380",
    "mpi-names-not-published",
    WARNING,
    "Host names of nodes that are not ready do not resolve.",
    "network.publishNotReadyAddresses: false hides pods from DNS until they are ready, and enableDNSHostnames: false always: "
    "the launcher then cannot reach the hosts in its host file.",
)
FRAMEWORK_LABEL_MISSING = Code(
    "JSC381",
    "framework-label-missing",
    INFO,
    "The runtime has no framework label.",
    "The Python SDK lists and uses only runtimes labelled trainer.kubeflow.org/framework: torch, deepspeed, mlx, jax, "
    "xgboost, torchtune ... (#2851). kubectl users do not need it.",
    asked=True,
)
STORAGE_SCHEME = Code(
    "JSC383",
    "storage-scheme",
    WARNING,
    "The initializer of this release cannot read that storageUri.",
    "Upstream's initializer images know hf:// (2.0), and from 2.1 s3:// and, for datasets, cache://. Anything else ends with an error in the pod (#3834). "
    "Said only of jobs that run these images.",
)
RESERVED_VARIABLE_WINS = Code(
    "JSC384",
    "reserved-variable-wins",
    WARNING,
    "The TrainJob replaces a variable that the MPI policy sets.",
    "Before 2.3 (#3491) the OMPI_MCA_* variables of the launcher can be overridden by spec.trainer.env; later releases refuse that.",
)
KUEUE_RELEASES = Code(
    "JSC385",
    "kueue-releases",
    INFO,
    "Which releases of Kueue this release of Trainer works with.",
    "Kueue is built with the types of one release of Trainer and starts a TrainJob by writing overrides into it, spelled as that release spells them. "
    "Trainer 2.0 goes with Kueue 0.14.0, 2.1 with 0.14.8 to 0.16, 2.2 and later with 0.17 or newer. With another pair the override is dropped, and the "
    "TrainJob stays suspended for ever (kueue#11931). Told with -v.",
    asked=True,
)
