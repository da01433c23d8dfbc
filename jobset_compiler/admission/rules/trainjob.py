"""The plugins that judge a TrainJob, in the order of their findings."""

from __future__ import annotations

from jobset_compiler.admission.rules.flux import FLUX
from jobset_compiler.admission.rules.initializers import INITIALIZERS
from jobset_compiler.admission.rules.mpi import MPI
from jobset_compiler.admission.rules.overrides import OVERRIDES
from jobset_compiler.admission.rules.torch import INJECTION, TORCH
from jobset_compiler.admission.rules.torchtune import TORCHTUNE
from jobset_compiler.admission.rules.volcano import VOLCANO
from jobset_compiler.admission.rules.xgboost import XGBOOST

PLUGINS = (FLUX, INITIALIZERS, OVERRIDES, MPI, INJECTION, TORCH, TORCHTUNE, VOLCANO, XGBOOST)
