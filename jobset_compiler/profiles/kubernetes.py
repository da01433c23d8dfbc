"""The minor releases of Kubernetes whose API servers judge Jobs and Pods, oldest first, and by what they differ.

A release of Trainer belongs with one of them (`Profile.kubernetes`: the libraries that it pins); another may be asked for. All feature
gates stand at their defaults. Source: pkg/features/kube_features.go, pkg/api/pod/util.go and the validation of pkg/apis/core of Kubernetes 1.32 to
1.36, compared minor by minor; the answers of 1.34 and 1.36 were recorded as well.
Values that are lists, maps or structs are printed as 1.34 and later print them, for older minors too, which print Go syntax with addresses of memory.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from jobset_compiler.profiles.profile import Feature
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.profiles.profile import Profile

READ = "read upstream"

# --- fields that a server keeps; one without the gate drops them before it validates (admission/children/gates.py)
POD_LEVEL_RESOURCES = Feature("pod-level-resources", "Pods have resources of their own beside those of their containers.", ("k8s PodLevelResources",))
RESOURCE_CLAIMS = Feature("resource-claims", "Pods and containers have claims to devices.", ("k8s DynamicResourceAllocation",))
HOST_USERS = Feature("host-users", "A pod can have a user namespace of its own.", ("k8s UserNamespacesSupport",), READ)
SUPPLEMENTAL_GROUPS_POLICY = Feature("supplemental-groups-policy", "securityContext.supplementalGroupsPolicy is kept.", ("k8s SupplementalGroupsPolicy",), READ)
SELINUX_CHANGE_POLICY = Feature("selinux-change-policy", "securityContext.seLinuxChangePolicy is kept.", ("k8s SELinuxChangePolicy",), READ)
PROC_MOUNT = Feature("proc-mount", "securityContext.procMount of a container is kept.", ("k8s ProcMountType",), READ)
RESIZE_POLICY = Feature("resize-policy", "resizePolicy of a container is kept.", ("k8s InPlacePodVerticalScaling",), READ)
RESTART_RULES = Feature("restart-rules", "Containers have a restartPolicy of their own, and rules.", ("k8s ContainerRestartRules",))
RESTART_RULES_DROPPED = Feature(
    "restart-rules-dropped", "The restartPolicy of a container that is no sidecar is known, gated, and dropped.", ("k8s ContainerRestartRules",)
)
ENV_FILES = Feature("env-files", "A variable can come from a file (fileKeyRef).", ("k8s EnvFiles",))
HOSTNAME_OVERRIDE = Feature("hostname-override", "hostnameOverride is kept.", ("k8s HostnameOverride",))
IMAGE_VOLUMES = Feature("image-volumes", "Volumes of images are kept, and what mounts them.", ("k8s ImageVolume",))

# --- rules
SLEEP_OF_ZERO = Feature("sleep-of-zero", "A lifecycle hook may sleep for no time.", ("k8s PodLifecycleSleepActionAllowZero",), READ)
RELAXED_DNS_SEARCHES = Feature(
    "relaxed-dns-searches", "DNS search domains may have underscores, and be a dot alone.", ("k8s RelaxedDNSSearchValidation",), READ
)
NODE_AFFINITY_VALUES = Feature("node-affinity-values", "Values of a required node affinity are label values.", ("k8s",), READ)
CLASS_OF_VOLUME_ATTRIBUTES = Feature("class-of-volume-attributes", "volumeAttributesClassName of a claim is checked.", ("k8s VolumeAttributesClass",))
SPREAD_KEYS_MERGED = Feature(
    "spread-keys-merged",
    "matchLabelKeys of a topology spread constraint are merged into its selector, and checked as those of affinities are.",
    ("k8s MatchLabelKeysInPodTopologySpreadSelectorMerge",),
)
GIT_REPO_DISABLED = Feature("git-repo-disabled", "Volumes of git repositories are disabled, and a warning says so.", ("k8s GitRepoVolumeDriver",))
DEVICES_NEED_HOST_USERS = Feature("devices-need-host-users", "Containers of a pod with hostUsers: false have no volumeDevices.", ("k8s",))
STRICT_ADDRESSES = Feature("strict-addresses", "IP addresses have no leading zeros and no IPv4 in IPv6.", ("k8s StrictIPCIDRValidation",))
RULES_FOR_SIDECARS = Feature(
    "rules-for-sidecars", "Sidecars may have restart rules, and a rule may restart all containers.", ("k8s RestartAllContainersOnContainerExits",)
)
NO_RESTART_TO_RESIZE_INIT = Feature("no-restart-to-resize-init", "An init container that is no sidecar has no resizePolicy RestartContainer.", ("k8s",))

# --- words
WORDS_SAY_BYTES = Feature("words-say-bytes", "Label keys and values are measured in bytes, and a bad key is called one.", ("k8s",))
WORDS_NAME_COMPARISONS = Feature("words-name-comparisons", "Among the operators of tolerations, Lt and Gt are listed for those who write them.", ("k8s",))
WORDS_ONE_FOR_NO_DRIVER = Feature("words-one-for-no-driver", "An empty CSI driver is only missing, and no bad name besides.", ("k8s",))
WORDS_SAY_HOST_USERS = Feature("words-say-host-users", "hostUsers is called by its name in messages, not by that of its Go field.", ("k8s",))
WORDS_COUNT_RULES = Feature("words-count-rules", "Too many restart rules are counted, not measured.", ("k8s",))
WORDS_SAY_POD_POLICY = Feature("words-say-pod-policy", "The restartPolicy that a resizePolicy contradicts is called the pod's.", ("k8s",))
WORDS_NO_EMPTY_OS = Feature("words-no-empty-os", "An empty os.name is only required, without more words.", ("k8s",), READ)


class Kubernetes(Value):
    """A minor release of Kubernetes: "1.36", and what its API server does."""

    __slots__ = ("features", "name")

    def __init__(self, name: str, features: frozenset[str]) -> None:
        self.name: Final = name
        self.features: Final = features

    def __hash__(self) -> int:
        return hash(self.name)

    def has(self, feature: Feature) -> bool:
        return feature.slug in self.features

    def derive(self, name: str, *, add: tuple[Feature, ...], drop: tuple[Feature, ...] = ()) -> Kubernetes:
        """The next minor release: this one's features without `drop`, with `add`."""
        gone = {feature.slug for feature in drop}
        assert gone <= self.features, f"{name} drops what {self.name} has not: {gone - self.features}"
        return Kubernetes(name, (self.features - gone) | {feature.slug for feature in add})


V1_32 = Kubernetes("1.32", frozenset())
V1_33 = V1_32.derive(
    "1.33",
    add=(
        HOST_USERS,
        SUPPLEMENTAL_GROUPS_POLICY,
        SELINUX_CHANGE_POLICY,
        PROC_MOUNT,
        RESIZE_POLICY,
        SLEEP_OF_ZERO,
        RELAXED_DNS_SEARCHES,
        NODE_AFFINITY_VALUES,
        GIT_REPO_DISABLED,
    ),
)
V1_34 = V1_33.derive(
    "1.34",
    add=(
        POD_LEVEL_RESOURCES,
        RESOURCE_CLAIMS,
        RESTART_RULES_DROPPED,
        CLASS_OF_VOLUME_ATTRIBUTES,
        SPREAD_KEYS_MERGED,
        DEVICES_NEED_HOST_USERS,
        WORDS_SAY_HOST_USERS,
        WORDS_NO_EMPTY_OS,
    ),
)
V1_35 = V1_34.derive(
    "1.35",
    add=(
        RESTART_RULES,
        ENV_FILES,
        HOSTNAME_OVERRIDE,
        IMAGE_VOLUMES,
        WORDS_SAY_BYTES,
        WORDS_NAME_COMPARISONS,
        WORDS_ONE_FOR_NO_DRIVER,
    ),
    drop=(RESTART_RULES_DROPPED,),
)
V1_36 = V1_35.derive(
    "1.36",
    add=(STRICT_ADDRESSES, RULES_FOR_SIDECARS, NO_RESTART_TO_RESIZE_INIT, WORDS_COUNT_RULES, WORDS_SAY_POD_POLICY),
)
MINORS = (V1_32, V1_33, V1_34, V1_35, V1_36)


def find_kubernetes(name: str) -> Kubernetes | None:
    """The minor release "1.36", "v1.36" or "1.36.3"; None for one that is not known."""
    minor = ".".join(name.removeprefix("v").split(".")[:2])
    return next((kubernetes for kubernetes in MINORS if kubernetes.name == minor), None)


@cache
def kubernetes_of(profile: Profile) -> Kubernetes:
    """The minor release that a release of Trainer belongs with."""
    found = find_kubernetes(profile.kubernetes)
    assert found is not None, f"{profile.name} names a Kubernetes that is not in the list"
    return found
