"""601-649: documents of other APIs, and what became of them."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING, Code

OLDER_API = Code(
    "JSC601",
    "older-api",
    ERROR,
    "A document of an API that Kubeflow Trainer v2 does not read.",
    "Jobs of the training operator v1 and of the MPI operator (kubeflow.org/v1, kubeflow.org/v2beta1) and OME's ome.io/v1beta1 are other APIs: a "
    "cluster with Kubeflow Trainer v2 alone has no kind for them. `jobset-compiler migrate FILE` rewrites such a document for the chosen release, "
    "with comments on what changes; --convert (convert=True in the library) compiles it as it is. docs/dialects.md has the rules. Of the preview "
    "kubeflow.org/v2alpha1 the kinds exist, under another version: that is JSC102, with the same two ways.",
)
NO_RULES = Code(
    "JSC602",
    "no-rules-for-it",
    ERROR,
    "A document of an older API of a form that is not converted.",
    "Rules exist for the last version of each API. Versions before it (kubeflow.org/v1beta2 and the like) were converted to it by their own "
    "operators; other documents that the message names were never read by anything. Write the document in the version that the hint names, then "
    "migrate it.",
)
REFUSED_THERE = Code(
    "JSC603",
    "refused-by-its-own-api",
    ERROR,
    "The older API itself would refuse the document.",
    "The message is that of the webhook or of the schema of that API. What never ran there is not converted: mend it first.",
)
TEMPLATES_DIFFER = Code(
    "JSC604",
    "replicas-differ",
    ERROR,
    "The pods of master and workers differ, and one TrainJob runs the same pod on every node.",
    "Kubeflow Trainer v2 takes the ranks of a training from the completion index of one Job, so that master and workers are pods of one template. "
    "The message lists what differs. Often the difference does not matter (a master without GPUs): --use worker or --use master says whose "
    "template is taken.",
)
NO_EQUIVALENT = Code(
    "JSC605",
    "no-equivalent",
    ERROR,
    "The document asks for something that no release of Kubeflow Trainer v2 can do.",
    "What would be left after dropping it would be another training. The message names the field, the hint what can be done.",
)
ELASTIC_FIXED = Code(
    "JSC606",
    "elastic-becomes-fixed",
    WARNING,
    "The job scaled; a TrainJob has a fixed number of nodes.",
    "No release of Kubeflow Trainer v2 adds or removes nodes of a running TrainJob, and nothing of it can be the target of a "
    "HorizontalPodAutoscaler. torchrun still gets its range of nodes and its restarts, so that a lost node is waited for or done without, as the "
    "flags say.",
)
NOT_CARRIED = Code(
    "JSC607",
    "not-carried",
    INFO,
    "A field has no place in the new document.",
    "It did nothing in the older API either, or what it did is done by Kubeflow Trainer or JobSet without being asked. The comment stands where "
    "it would have been.",
)
WORKS_OTHERWISE = Code(
    "JSC608",
    "works-otherwise",
    WARNING,
    "Something that the document asks for happens differently, or not at all.",
    "The new document runs, but not in every respect as the older one did. The message says in which; the comment stands where the field would "
    "have been.",
)
V1_VARIABLES = Code(
    "JSC609",
    "v1-variables-written",
    INFO,
    "The variables that the v1 operator set are written into the TrainJob.",
    "Kubeflow Trainer v2 sets PET_* (read by torchrun), JAX_* or DMLC_* only. A program that is not started by torchrun and reads RANK, "
    "WORLD_SIZE or MASTER_ADDR would silently train alone on every node, so migrate writes what v1 set. --no-v1-env leaves them out.",
)
PROCESSES_NEED_GPUS = Code(
    "JSC610",
    "processes-need-resources",
    WARNING,
    "How many processes a node runs depends on resources that the document does not declare.",
    "The v1 operator handed nprocPerNode: auto to torchrun, which counts what it sees. From Trainer v2.1 on the controller counts what the "
    "resources declare, and one process a node runs where they declare nothing. Declare GPUs (or CPUs), or set numProcPerNode.",
)
RANKS_BY_SSH = Code(
    "JSC611",
    "ranks-start-by-ssh",
    WARNING,
    "MPIJobs of the training operator v1 start their ranks by kubectl exec, Kubeflow Trainer v2 by SSH.",
    "The image needs an SSH server, a client and a host key, and mpirun must be allowed for its user (root: OMPI_ALLOW_RUN_AS_ROOT). Nothing in "
    "the document shows whether it has.",
)
MPI_NEEDS_EXTENSION = Code(
    "JSC612",
    "mpi-implementation-needs-extension",
    ERROR,
    "No release of Kubeflow Trainer runs this MPI implementation.",
    "The schema of every release admits OpenMPI only. The extension mpi-hydra renders Intel MPI and MPICH, which no release of Trainer does: "
    "--extension mpi-hydra takes it. Otherwise build the image with Open MPI.",
)
OLD_HOST_NAME = Code(
    "JSC613",
    "old-host-name",
    WARNING,
    "A command, argument or variable names a pod as the older API called it.",
    "Pods of a JobSet are called <job>-<replicatedJob>-0-<index> and found as <that>.<job>. The texts of the document are not touched: change the "
    "name there.",
)
ENDS_OTHERWISE = Code(
    "JSC614",
    "ends-otherwise",
    INFO,
    "When the job ends, or how often it is tried again, is decided by other rules.",
    "Batch Jobs give up after backoffLimit failures, 6 unless said otherwise, where the v1 operator went on for ever; a JobSet is complete when "
    "all its pods are, where v1 looked at the master. --keep-backoff and --keep-success-policy write the old behaviour into a runtime.",
)
VARIABLE_TWICE = Code(
    "JSC615",
    "variable-set-twice",
    WARNING,
    "The document sets a variable that the operator set as well.",
    "In the older API the operator's entry came last and won. JobSet refuses two entries of a name, so that the operator's value is kept and the "
    "other one left out.",
)
RELABELLED = Code(
    "JSC616",
    "relabelled",
    INFO,
    "A document says an older version but speaks the language of today.",
    "kubeflow.org/v2alpha1 never knew these names, and no server of today reads that apiVersion: drafts of documentation look like this. What it "
    "means is clear, so only the version, the group of its runtimeRef and managedBy are changed.",
)
TWO_VOCABULARIES = Code(
    "JSC617",
    "two-vocabularies",
    ERROR,
    "A document mixes names of kubeflow.org/v2alpha1 with names of Kubeflow Trainer v2.",
    "No controller ever understood both, so that it cannot be said what it means. The message lists both groups with their places.",
)
NOW_EFFECTIVE = Code(
    "JSC618",
    "now-effective",
    WARNING,
    "The older controller ignored something that acts now.",
    "kubeflow.org/v2alpha1 had fields that its controller never read (podSpecOverrides, mlPolicy.mpi), and lost others (labels of pods, valueFrom "
    "of variables). Converted, they do what they say: look at them before the job runs.",
)
DOCUMENTED_ONLY = Code(
    "JSC619",
    "documented-only",
    INFO,
    "The API of this document was only ever documented.",
    "ome.io/v1beta1 TrainingRuntime, ClusterTrainingRuntime and TrainingJob were described in May 2025, and no release of OME has them. They are "
    "read as described, with the behaviour of Kubeflow Trainer where nothing is described.",
)
ROLE_TAKEN = Code(
    "JSC620",
    "role-taken-by-name",
    INFO,
    "Which replicated job trains was told by its name.",
    "Kubeflow Trainer looks for a label. A runtime of OME has none, so that the job called trainer-node, node or worker, or the only one, is "
    "taken for the trainer.",
)
ROLE_UNCLEAR = Code(
    "JSC621",
    "role-unclear",
    ERROR,
    "It cannot be told which replicated job or container trains.",
    "Call the job `worker` or `node`, and the container `trainer` or `node`, or leave only one of them.",
)
RUNTIME_CANNOT_HOLD = Code(
    "JSC622",
    "runtime-cannot-hold",
    ERROR,
    "The job needs something that a TrainJob cannot say over an existing runtime.",
    "With --runtime NAME the runtime stays as it is, and the job may only bring what spec.trainer and the overrides of the release have fields "
    "for. Without --runtime a runtime is written that has everything.",
)
MOVED_TO_TRAINJOBS = Code(
    "JSC623",
    "moved-to-trainjobs",
    WARNING,
    "The number of processes cannot stand in the runtime any more.",
    "From v2.2 on a runtime has no torch.numProcPerNode: each TrainJob says it. The TrainJobs of the input that use the runtime got it; others "
    "need it as well.",
)
OUTPUT_REFUSED = Code(
    "JSC624",
    "migrated-form-refused",
    ERROR,
    "The release refuses what the document becomes.",
    "What is migrated is compiled before it is written. The errors beside this one say what is wrong, at the lines of the old document; nothing "
    "was written.",
)
