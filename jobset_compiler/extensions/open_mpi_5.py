"""open-mpi-5: the variables of Open MPI 5, whose runtime is PRTE, beside those that the controller sets for Open MPI 4.

Source: kubeflow/trainer #4028 and #4029. Open MPI 5 ignores OMPI_MCA_orte_*, so that all processes start on the launcher. Host names are shortened,
other than for Open MPI 4: PRTE knows its own host by the short name only, and would reach a launcher that is a node by ssh. None of these names is reserved
in a release that does not set them: the TrainJob's values win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import LAUNCHER, NODE
from jobset_compiler.passes.api import POLICY, OfRuntime, Pass, SetEnv
from jobset_compiler.passes.mpi import HOSTFILE_FOLDER, HOSTFILE_KEY, OPEN_MPI, policy_of, slots
from jobset_compiler.passes.mpi import POLICY as POLICY_PATH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.passes.api import Edit
    from jobset_compiler.resolve.plan import Plan

NAME = "open-mpi-5"


def applies(plan: Plan) -> bool:
    return plan.policy_name == "mpi" and policy_of(plan).implementation == OPEN_MPI


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    launcher = plan.pod_set(LAUNCHER)
    if launcher is None or launcher.container(NODE) is None:
        return
    count, because = slots(plan)
    policy = OfRuntime(POLICY_PATH)
    yield SetEnv(LAUNCHER, NODE, {"name": "PRTE_MCA_prte_default_hostfile", "value": f"{HOSTFILE_FOLDER}/{HOSTFILE_KEY}"}, because=policy)
    yield SetEnv(LAUNCHER, NODE, {"name": "PRTE_MCA_prte_keep_fqdn_hostnames", "value": "false"}, because=policy)
    yield SetEnv(LAUNCHER, NODE, {"name": "PRTE_MCA_prte_set_default_slots", "value": str(count)}, because=because)
    yield SetEnv(LAUNCHER, NODE, {"name": "PRTE_MCA_plm_ssh_args", "value": "-o ConnectionAttempts=10"}, because=policy)


PASSES = (Pass(NAME, POLICY, applies, run, cites=("#4028", "#4029"), extension=NAME),)
