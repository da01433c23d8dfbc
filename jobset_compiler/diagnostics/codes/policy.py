"""3xx: policies, passes, and the rules of the TrainJob webhook."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING, Code

PASS_CONFLICT = Code(
    "JSC301",
    "pass-conflict",
    ERROR,
    "Two passes want different values in one place.",
    "A pass may only replace what an earlier pass has written when it says so in its `overrides`. The message names both passes and both values.",
)
PASS_FAILED = Code(
    "JSC302",
    "pass-failed",
    ERROR,
    "A third-party pass raised an exception.",
    "The distribution that brought the pass is named. Its passes can be left out with --no-plugins.",
)
PASS_OUT_OF_STAGE = Code(
    "JSC304",
    "pass-out-of-stage",
    ERROR,
    "A third-party pass wants to change what a stage before its own has settled.",
    "The stages are size, policy, containers, scheduling, companions and check. Passes of a later stage have read what an earlier one settled, so a pass may "
    "only change what its own stage or a later one settles; one of stage check changes nothing. Give the pass an earlier stage, or split it in two.",
)
INJECTION_TARGET_MISSING = Code(
    "JSC303",
    "injection-target-missing",
    ERROR,
    "envInjection names a replicatedJob or container that the runtime does not have.",
    "mlPolicy.torch.envInjection.targets (2.3, #3516) must name a replicatedJob of the template and containers or init containers of it. "
    "The controller fails on every reconcile otherwise.",
)
MPI_IMPLEMENTATION_UNSUPPORTED = Code(
    "JSC310",
    "mpi-implementation-unsupported",
    ERROR,
    "The runtime asks for an MPI implementation that the controller does not know.",
    'The schema admits mpiImplementation "" (from 2.1), but the controller then fails on every reconcile, with the address of the value in its message. '
    "Leave the field out, which means OpenMPI.",
)
FLUX_WITHOUT_NODES = Code(
    "JSC311",
    "flux-without-nodes",
    ERROR,
    "A Flux runtime needs spec.trainer.numNodes.",
    "The controller panics, and tries again for ever, when a TrainJob of a Flux runtime has no spec.trainer or no numNodes in it (2.2, 2.3; #3667). "
    "The runtime's mlPolicy.numNodes does not help. Fixed after 2.3 by #3904.",
)
JAX_WITHOUT_TRAINER_JOB = Code(
    "JSC312",
    "jax-without-trainer-job",
    ERROR,
    "A JAX runtime needs a replicatedJob with the trainer ancestor label.",
    "The controller of 2.2 panics, and tries again for ever, when no Job template carries the label trainer.kubeflow.org/trainjob-ancestor-step: trainer. "
    "2.3 (#3563) skips such a runtime: nothing is injected.",
)
POLICY_FIELD_UNSET = Code(
    "JSC313",
    "policy-field-unset",
    ERROR,
    "A field of a policy that the server always fills in is missing.",
    "The controller follows this field without looking and panics when it is missing. The server's schema has a default for it, so this only happens to "
    "objects that were never admitted by a server.",
)
HOSTFILE_TOO_LARGE = Code(
    "JSC314",
    "hostfile-too-large",
    ERROR,
    "The MPI host file has more lines than an API server takes.",
    "The controller writes a line for every pod into a ConfigMap. With a million of them it runs out of memory, or the API server refuses the "
    "request, which is limited to 3 MiB (a ConfigMap to 1 MiB). Lower numNodes.",
)
SSH_KEY_PLACEHOLDER = Code(
    "JSC320",
    "ssh-key-placeholder",
    INFO,
    "The MPI Secret holds a placeholder instead of an SSH key.",
    "The controller generates a new ECDSA P-521 key pair for every TrainJob. A compiler that gives equal output for equal input cannot, and should not mint "
    "keys unasked. The text in its place cannot be mistaken for a key, and as it is no base64 every cluster refuses the Secret (illegal base64 data): an "
    "immutable Secret with a wrong key could not be mended. Where the objects are to be applied, give a key pair (--ssh-key), or leave the Secret out "
    "(--no-secrets) where the cluster has one.",
    asked=True,
)
FLUX_KEY_PLACEHOLDER = Code(
    "JSC321",
    "flux-key-placeholder",
    INFO,
    "The Flux Secret holds a placeholder instead of a CURVE certificate.",
    "The controller derives the key pair of the Flux brokers from the UID of the TrainJob, which only a cluster gives. Put metadata.uid into the TrainJob, "
    "or `uid` into the facts file, to have the same certificate here. The placeholder is no base64: a cluster refuses the Secret.",
    asked=True,
)
CERTIFICATE_PLACEHOLDER = Code(
    "JSC322",
    "certificate-placeholder",
    INFO,
    "The TLS ConfigMap holds a placeholder instead of a certificate.",
    "With the feature gate TrainJobStatus the controller copies ca.crt of its webhook Secret (kubeflow-trainer-webhook-cert) into a ConfigMap of the TrainJob. "
    "Give it as `certificate_authority` in the facts file to see it here.",
    asked=True,
)
FEATURE_GATE_UNKNOWN = Code(
    "JSC323",
    "feature-gate-unknown",
    WARNING,
    "The release has no feature gate of that name.",
    "Only gates that change what a TrainJob compiles to are known here. TrainJobStatus exists from 2.2 on (#3227).",
)
