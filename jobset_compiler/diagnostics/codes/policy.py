"""3xx: policies, passes, and the rules of the TrainJob webhook."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, Code

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
INJECTION_TARGET_MISSING = Code(
    "JSC303",
    "injection-target-missing",
    ERROR,
    "envInjection names a replicatedJob or container that the runtime does not have.",
    "mlPolicy.torch.envInjection.targets (2.3, #3516) must name a replicatedJob of the template and containers or init containers of it. "
    "The controller fails on every reconcile otherwise.",
)
