"""650-699: extensions, and what passes bring that no release of Trainer has."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING, Code

WRITTEN_BY_EXTENSION = Code(
    "JSC650",
    "written-by-extension",
    INFO,
    "Parts of the output come from an extension.",
    "What an extension writes (--extension NAME, extensions=(...) in the library) is this compiler's own: no release of Kubeflow Trainer creates it, so "
    "a cluster whose controller gets the TrainJob comes to something else. Apply what is rendered instead. docs/extensions.md says what each one does.",
)
VALUE_ADMITTED = Code(
    "JSC651",
    "value-admitted",
    INFO,
    "A value that the release refuses was let through.",
    "The schema of the release does not list it, and an API server refuses the runtime; a pass (of an extension, or of another distribution) admits the "
    "value, and renders what it stands for.",
)
RESERVED_BY_PASS = Code(
    "JSC652",
    "reserved-by-pass",
    ERROR,
    "spec.trainer.env sets variables that a pass sets.",
    "Said as the controller says it of the variables of its own policies. The value of the TrainJob would win over the pass's, and what the pass has to "
    "do with it would no longer hold. Leave the variable out, or the pass.",
)
BROUGHT_RUNTIME_USED = Code(
    "JSC653",
    "brought-runtime-used",
    INFO,
    "The runtime comes with a pass.",
    "Neither the inputs nor the release have a runtime of that name: it was brought by an extension, or by a pass of another distribution. Whether a "
    "cluster has it is not known; `jobset-compiler runtimes show NAME --extension NAME` prints it.",
)
HOSTFILE_EMPTY = Code(
    "JSC654",
    "mpi-host-file-empty",
    ERROR,
    "The host file of mpirun has no usable line.",
    "Without lines mpirun of Intel MPI and MPICH starts one process on the launcher and reports success; with 0 slots a line it starts nothing and says "
    "nothing. Both look like a job that runs. The extension mpi-hydra refuses them.",
)
NAMESPACE_NEEDED = Code(
    "JSC655",
    "mpi-namespace-needed",
    ERROR,
    "The host name of the launcher depends on a namespace that is not given.",
    "mpirun of Intel MPI and MPICH tells the nodes its own host name without a domain. The extension mpi-hydra lets them find it by a search "
    "domain, <subdomain>.<namespace>.svc.<cluster domain>. Without a namespace in the TrainJob that domain would be guessed, and the job would hang "
    "wherever the guess is wrong.",
)
ENTRYPOINT_BYPASSED = Code(
    "JSC656",
    "mpi-entrypoint-bypassed",
    INFO,
    "The launcher's command takes the place of an entrypoint that prepares MPI.",
    "The images of the MPI operator for Intel MPI and MPICH have an entrypoint that loads the variables of oneAPI and waits until the names of "
    "all hosts resolve, and then runs its arguments. With mpirun in command it does not run.",
)
HOSTS_OVERRIDDEN = Code(
    "JSC657",
    "mpi-hosts-overridden",
    INFO,
    "An argument of mpirun takes the place of the generated host file or number of processes.",
    "mpirun takes hosts and processes a host from the environment that the extension mpi-hydra writes, unless its command line says otherwise.",
)
BROUGHT_RUNTIME_INVALID = Code(
    "JSC658",
    "brought-runtime-invalid",
    ERROR,
    "What a pass brings as a runtime is none.",
    "A pass that brings a runtime gives the YAML text of one ClusterTrainingRuntime with the name that it is listed under. Report it to the distribution "
    "of the pass, or leave its passes out with --no-plugins.",
)
TF_POLICY = Code(
    "JSC660",
    "tf-policy",
    ERROR,
    "A runtime that says tensorflow has the policy of another framework.",
    "The extension tensorflow writes TF_CONFIG into runtimes whose label trainer.kubeflow.org/framework is tensorflow and which have no policy of another "
    "framework: torch, mpi, jax, xgboost and flux set variables of their own.",
)
TF_ROLES = Code(
    "JSC661",
    "tf-roles",
    ERROR,
    "The replicatedJobs do not make a TensorFlow cluster.",
    "The replicatedJob with the trainer label is role worker; others called chief or master, ps and evaluator are those roles, each the pods of one Job. "
    "Two of one role could not be told apart.",
)
TF_CONTAINER = Code(
    "JSC662",
    "tf-container",
    ERROR,
    "It is not clear which container of a role trains.",
    "TF_CONFIG goes into the container called node of the trainer's job; in the other roles into node, else tensorflow, else the only one that there is.",
)
TF_DNS = Code(
    "JSC663",
    "tf-dns",
    ERROR,
    "TF_CONFIG needs the host names of pods, and they are switched off.",
    "With network.enableDNSHostnames false JobSet makes no Service for the pods, so that no address of theirs is known before they run.",
)
TF_HOST_NETWORK = Code(
    "JSC664",
    "tf-host-network",
    WARNING,
    "TensorFlow's servers share the ports of their machines.",
    "With hostNetwork all pods of a role listen on the same port of the machine that they run on. Two on one machine cannot both have it.",
)
TF_CONFIG_KEPT = Code(
    "JSC665",
    "tf-config-kept",
    INFO,
    "A TF_CONFIG that was given is left alone.",
    "The extension tensorflow writes TF_CONFIG only where neither the TrainJob nor the runtime have one: it is no reserved name, and who gives it means it.",
)
TF_TASK_INDEX = Code(
    "JSC666",
    "tf-task-index",
    ERROR,
    "TF_TASK_INDEX means something else.",
    "The extension tensorflow reads the index of a pod from the variable TF_TASK_INDEX, which is the annotation "
    "batch.kubernetes.io/job-completion-index. The runtime or the TrainJob have another value under that name.",
)
TF_CONFIG_LENGTH = Code(
    "JSC667",
    "tf-config-length",
    ERROR,
    "TF_CONFIG would be longer than a variable can be.",
    "It lists every pod. The kernel takes 128 KiB for one variable, so that a container with a longer one does not start; about 2000 pods fit.",
)
TF_PS_NEVER_ENDS = Code(
    "JSC668",
    "tf-ps-never-ends",
    WARNING,
    "The job does not end, since its parameter servers do not.",
    "Without a successPolicy a JobSet is complete when all its Jobs are. Parameter servers serve until they are stopped: name the job that decides.",
)
