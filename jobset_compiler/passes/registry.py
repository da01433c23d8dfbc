"""The built-in passes in their order. Inside a stage they run in this order; what follows depends on what stands before.

The order reproduces upstream's: jax and mpi variables stand before the user's, those of torch, xgboost and flux after
them, and the user's own values come last of all (passes/user.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.passes.coscheduling import COSCHEDULING, COSCHEDULING_GROUP
from jobset_compiler.passes.flux.policy import FLUX, FLUX_OBJECTS
from jobset_compiler.passes.initializers import INITIALIZERS
from jobset_compiler.passes.jax import JAX
from jobset_compiler.passes.mpi import MPI, MPI_OBJECTS, MPI_SIZING
from jobset_compiler.passes.sizing import SIZING
from jobset_compiler.passes.status import GATES, STATUS, STATUS_OBJECTS
from jobset_compiler.passes.torch import TORCH
from jobset_compiler.passes.torchtune import TORCHTUNE
from jobset_compiler.passes.user import USER, USER_ENV
from jobset_compiler.passes.volcano import VOLCANO, VOLCANO_GROUP
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
    COSCHEDULING_GROUP,
    VOLCANO_GROUP,
    MPI_OBJECTS,
    FLUX_OBJECTS,
    STATUS_OBJECTS,
    GATES,
)
