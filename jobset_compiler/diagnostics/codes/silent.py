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
