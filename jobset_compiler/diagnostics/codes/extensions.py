"""650-699: extensions, and what passes bring that no release of Trainer has."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, Code

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
