"""The releases of Trainer, oldest first; each is the one before with some features added and some gone. Those of JobSet are in `jobset`."""

from __future__ import annotations

from jobset_compiler.profiles import features as f
from jobset_compiler.profiles.jobset import JOBSET_0_8, JOBSET_0_10, JOBSET_0_11, JOBSET_0_12
from jobset_compiler.profiles.profile import Profile

V2_0 = Profile(
    name="v2.0",
    trainer="2.0.1",
    jobset=JOBSET_0_8,
    comes_with=JOBSET_0_8,
    kubernetes="1.32",
    kueue="0.14.0",
    features=frozenset(
        feature.slug
        for feature in (
            f.RESOURCES_REPLACED,
            f.FIRST_TRAINER_COUNT_FOR_ALL,
            f.NPROC_FROM_EACH_LIST,
            f.RUNTIME_NPROC,
            f.TUNE_OLD_MODELS,
            f.GANG_LABEL_FOR_ANY_POLICY,
            f.NAME_CHECKED_BY_WEBHOOK,
            f.CHECKS_NEED_NPROC,
            f.TUNE_NODES_DEREFERENCED,
            f.LAUNCHER_REPLICAS_CHECKED,
            f.DUPLICATE_TARGETS_REFUSED,
            f.VALUES_AS_GO_SYNTAX,
            f.OWNER_FIELDS_NAMED,
        )
    ),
    policies=("torch", "mpi"),
    override_field="podSpecOverrides",
)

V2_1 = V2_0.derive(
    "v2.1",
    trainer="2.1.0",
    jobset=JOBSET_0_10,
    kubernetes="1.34",
    kueue="0.14.8 to 0.16",
    override_field="podTemplateOverrides",
    add=(
        f.NPROC_FROM_REQUESTS_THEN_LIMITS,
        f.TUNE_LORA,
        f.TUNE_DEVICES_FROM_GPUS,
        f.TUNE_MERGES_FILE,
        f.TUNE_LORA_RULES,
        f.MPI_SLOTS_FROM_GPUS,
        f.MPI_NODE_GETS_ENV,
        f.POD_LEVEL_HUGEPAGES,
        f.ANCESTOR_CONTAINERS_CHECKED,
        f.DEPRECATION_WARNED,
        f.COMPLETED_JOBSET_RECREATED,
        f.FAILED_JOBSET_RECREATED,
        f.INITIALIZERS_READ_S3,
    ),
    drop=(
        f.FIRST_TRAINER_COUNT_FOR_ALL,
        f.NPROC_FROM_EACH_LIST,
        f.TUNE_OLD_MODELS,
        f.GANG_LABEL_FOR_ANY_POLICY,
        f.NAME_CHECKED_BY_WEBHOOK,
        f.LAUNCHER_REPLICAS_CHECKED,
        f.DUPLICATE_TARGETS_REFUSED,
        f.VALUES_AS_GO_SYNTAX,
        f.OWNER_FIELDS_NAMED,
    ),
)

V2_2 = V2_1.derive(
    "v2.2",
    trainer="2.2.1",
    jobset=JOBSET_0_11,
    kubernetes="1.36",
    kueue="0.17 or newer",
    override_field="runtimePatches",
    policies=("jax", "xgboost", "flux"),
    add=(
        f.TRAINJOB_STATUS,
        f.GANG_COUNTS_RESOURCES_PER_NODE,
        f.PATCH_MANAGER_CHECKED,
        f.TRAINJOB_DEFAULTER,
        f.OVERRIDES_CHANGE_ON_RESUME,
        f.LABELS_MEASURED_IN_BYTES,
        f.INTEGER_FORMATS_NAMED,
        f.BRANCHES_CHECKED,
        f.CEL_HIDES_OBJECT_VALUES,
    ),
    drop=(f.RUNTIME_NPROC, f.CHECKS_NEED_NPROC, f.TUNE_NODES_DEREFERENCED, f.COMPLETED_JOBSET_RECREATED),
)

V2_3 = V2_2.derive(
    "v2.3",
    trainer="2.3.0",
    jobset=JOBSET_0_12,
    kubernetes="1.36",
    add=(
        f.PATCHES_WHOLE_JOBSET,
        f.RESOURCES_MERGED,
        f.INIT_CONTAINER_PORTS_SYNCED,
        f.ENV_INJECTION,
        f.TUNE_BOOLEAN_ARGUMENTS,
        f.TUNE_LORA_NEEDS_ONE_NODE,
        f.TUNE_MANAGED_ARGUMENTS_REFUSED,
        f.MPI_KEY_MODES,
        f.ENDPOINTS_OF_ALL_REPLICAS,
        f.MPI_RESERVED_ENV,
        f.JAX_NEEDS_NO_TRAINER_JOB,
        f.FLUX_RUNTIME_COMMAND,
        f.FLUX_TRAINJOB_PROCESSES_CHECKED,
        f.FLUX_SHARED_MEMORY,
        f.FLUX_RESOURCE_SPEC,
        f.FLUX_EMPTY_IMAGE_DROPPED,
        f.MULTIKUEUE_LEFT_ALONE,
        f.RUNTIME_SNAPSHOT,
        f.RUNTIME_DELETED_IN_USE,
        f.RUNTIME_WEBHOOK_OPT_OUT,
        f.INITIALIZER_MOUNT_CHECKED,
        f.DEPRECATION_PAGE_MOVED,
    ),
    drop=(f.RESOURCES_REPLACED, f.GANG_COUNTS_RESOURCES_PER_NODE),
)

# master of 2026-08-21 (8c0f5059b) and the four pull requests merged right after it: #3904, #3922, #3926, #3960.
NEXT = V2_3.derive(
    "next",
    trainer="not released",
    jobset=JOBSET_0_12,
    kubernetes="1.36",
    add=(f.PORTS_BY_PROTOCOL, f.STATUS_AFTER_POLICIES, f.FLUX_NEEDS_NO_TRAINER, f.UPDATES_READ_THE_SNAPSHOT),
    drop=(f.FLUX_TRAINJOB_PROCESSES_CHECKED, f.FAILED_JOBSET_RECREATED),
)

PROFILES = (
    V2_0,
    V2_1,
    V2_2,
    V2_3,
    NEXT,
)
RELEASED = tuple(profile for profile in PROFILES if profile.is_released)
NEWEST = RELEASED[-1]


def find(name: str) -> Profile | None:
    """The profile of a release as people write it: "v2.3", "V2.3", "2.3", "2.3.0", "latest", "next"; None for a release that is not known."""
    text = name.strip().lower().removeprefix("v")
    if text == "latest":
        return NEWEST
    if text == NEXT.name:
        return NEXT
    parts = text.split(".")
    if len(parts) not in (2, 3) or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    return next((profile for profile in PROFILES if profile.name == f"v{parts[0]}.{parts[1]}"), None)


def is_compared(name: str, profile: Profile) -> bool:
    """Whether a release as people write it is one that was compared with upstream's own answers, and not another patch release of it."""
    text = name.strip().lower().removeprefix("v")
    return text.count(".") < 2 or text == profile.trainer
