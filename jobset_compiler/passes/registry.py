"""The built-in passes in their order. Inside a stage they run in this order; what follows depends on what stands before.

The order reproduces upstream's: jax and mpi variables stand before the user's, those of torch, xgboost and flux after
them, and the user's own values come last of all (passes/user.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.passes.coscheduling import COSCHEDULING
from jobset_compiler.passes.flux import FLUX
from jobset_compiler.passes.initializers import INITIALIZERS
from jobset_compiler.passes.jax import JAX
from jobset_compiler.passes.mpi import MPI, MPI_SIZING
from jobset_compiler.passes.notices_flux import NOTICES as NOTICES_FLUX
from jobset_compiler.passes.notices_gang import NOTICES as NOTICES_GANG
from jobset_compiler.passes.notices_initializers import NOTICES as NOTICES_INITIALIZERS
from jobset_compiler.passes.notices_jobs import NOTICES as NOTICES_JOBS
from jobset_compiler.passes.notices_mpi import NOTICES as NOTICES_MPI
from jobset_compiler.passes.notices_order import NOTICES as NOTICES_ORDER
from jobset_compiler.passes.notices_patches import NOTICES as NOTICES_PATCHES
from jobset_compiler.passes.notices_ports import NOTICES as NOTICES_PORTS
from jobset_compiler.passes.notices_resources import NOTICES as NOTICES_RESOURCES
from jobset_compiler.passes.notices_torch import NOTICES as NOTICES_TORCH
from jobset_compiler.passes.notices_trainer import NOTICES as NOTICES_TRAINER
from jobset_compiler.passes.required_fields import REQUIRED_FIELDS
from jobset_compiler.passes.sizing import SIZING
from jobset_compiler.passes.status import GATES, STATUS
from jobset_compiler.passes.torch import TORCH
from jobset_compiler.passes.torchtune import TORCHTUNE
from jobset_compiler.passes.user import USER, USER_ENV
from jobset_compiler.passes.volcano import VOLCANO
from jobset_compiler.passes.xgboost import XGBOOST

if TYPE_CHECKING:
    from jobset_compiler.passes.api import Pass

BUILTIN: tuple[Pass, ...] = (
    SIZING,
    MPI_SIZING,
    USER_ENV,
    TORCH,
    TORCHTUNE,
    MPI,
    JAX,
    XGBOOST,
    FLUX,
    STATUS,
    INITIALIZERS,
    USER,
    COSCHEDULING,
    VOLCANO,
    GATES,
    REQUIRED_FIELDS,
    NOTICES_TRAINER,
    NOTICES_JOBS,
    NOTICES_PORTS,
    NOTICES_RESOURCES,
    NOTICES_TORCH,
    NOTICES_MPI,
    NOTICES_FLUX,
    NOTICES_INITIALIZERS,
    NOTICES_GANG,
    NOTICES_PATCHES,
    NOTICES_ORDER,
)
