"""For which TrainJobs a topic can have something to say: cheap questions, asked before the topic's module is imported.

Each may say yes too often, and no only where the topic would yield nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.resolve.plan import Plan

# What placeholders have: signs, and words in lower case, each with what it begins with.
SIGNS = ("$", "<", "%")
OF_TEMPLATES = "{{"
WORDS = {
    "fixme": ("fixme",),
    "your": ("your_", "your-"),
    "insert": ("insert_", "insert-"),
    "change": ("changeme", "change_me", "change-me"),
    "replace": ("replaceme", "replace_me", "replace-me"),
    "fill": ("fillme", "fill_me", "fill-me"),
    "to": ("todo", "to_do", "to-do"),
}
# What the mediums of volumes begin with that are made of huge pages.
HUGE_PAGES = "HugePages"
# What labels and schedulers of queues have in their names.
QUEUES = ("kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/priority-class", "kai")


def always(_plan: Plan) -> bool:
    return True


def policy_is(*names: str) -> Callable[[Plan], bool]:
    """The runtime names one of those policies; "" for none."""
    return lambda plan: plan.policy_name in names


def has_trainer(plan: Plan) -> bool:
    return plan.trainer is not None


def asks_for_resources(plan: Plan) -> bool:
    return plan.job.trainer is not None and bool(plan.job.trainer.resources_per_node)


def names_variables(plan: Plan) -> bool:
    """A sign of a variable stands somewhere, or in a value where there is no text."""
    texts = (plan.job.document.text, plan.runtime.document.text)
    if all(texts):
        return any("$" in text for text in texts)
    containers = [container for pods in plan.pod_sets for container in (*pods.containers, *pods.init_containers)]
    return any("$" in (entry.get("value") or "") for container in containers for entry in container.env)


def may_say_nothing(plan: Plan) -> bool:
    """The TrainJob has overrides, an initializer, an empty command or args, or a variable with two values."""
    job = plan.job
    initializer = (job.typed.get("spec") or {}).get("initializer")
    if job.patches or initializer is not None or (job.trainer is not None and (job.trainer.command == () or job.trainer.args == ())):
        return True
    return any("value" in entry and "valueFrom" in entry for part in (job.trainer, job.dataset, job.model) if part is not None for entry in part.env)


def has_metadata(plan: Plan) -> bool:
    return bool(plan.job.labels or plan.job.annotations)


def has_initializers(plan: Plan) -> bool:
    return plan.job.dataset is not None or plan.job.model is not None


def has_gang(plan: Plan) -> bool:
    return plan.pod_group_policy is not None


def has_patches(plan: Plan) -> bool:
    return bool(plan.job.patches)


def may_never_start(plan: Plan) -> bool:
    """A patch may have changed what is said of the runtime, or a volume needs huge pages that somebody requests."""
    return bool(plan.job.patches) or any(
        "emptyDir" in volume and (volume["emptyDir"] or {}).get("medium", "").startswith(HUGE_PAGES) for pods in plan.pod_sets for volume in pods.volumes
    )


def writes_beside_a_policy(plan: Plan) -> bool:
    """The template has variables, volumes or mounts beside those of a policy, or a patch may have changed what is said of the runtime."""
    if plan.job.patches:
        return True
    pods = [pod_spec_of(job) for job in replicated_jobs(plan.template)] if plan.policy_name else []
    if any("volumes" in pod for pod in pods):
        return True
    containers = [container for pod in pods for field in ("containers", "initContainers") for container in pod.get(field) or ()]
    return any("env" in container or "volumeMounts" in container for container in containers)


def has_full_names(plan: Plan) -> bool:
    return any("setHostnameAsFQDN" in pod_spec_of(job) for job in replicated_jobs(plan.template))


def mounts_volumes(plan: Plan) -> bool:
    """A container mounts something, and not only as the bundled runtimes do."""
    return (not plan.runtime.bundled or bool(plan.job.patches)) and any(
        container.mounts for pods in plan.pod_sets for container in (*pods.containers, *pods.init_containers)
    )


def writes_by_hand(plan: Plan) -> bool:
    """No policy injects anything into the trainer."""
    return plan.trainer is not None and not plan.policy_name


def asks_for_processes(plan: Plan) -> bool:
    return plan.trainer is not None and plan.trainer.num_proc_per_node is not None


def has_words(plan: Plan) -> bool:
    """The TrainJob says what its node starts."""
    return plan.trainer is not None and (plan.trainer.command is not None or plan.trainer.args is not None)


def may_hold_placeholders(plan: Plan) -> bool:
    """A sign of one stands somewhere, or the image is not a plain one."""
    text, image = plan.job.document.text, plan.job.trainer.image if plan.job.trainer is not None else None
    return not text or has_signs(text) or not (image is None or is_plain_image(image))


def has_signs(text: str) -> bool:
    """What a placeholder needs stands somewhere in the text."""
    if any(map(text.__contains__, SIGNS)) or ("{" in text and OF_TEMPLATES in text):  # one sign is found much quicker than two
        return True
    small = text.lower()
    return any(start in small and any(map(small.__contains__, words)) for start, words in WORDS.items())


def is_plain_image(image: str) -> bool:
    """Words in lower case with single separators and at most one tag: every registry takes that."""
    words = image.replace(".", "/").replace("-", "/").replace("_", "/").replace(":", "/").split("/")
    is_tagged_last = image.count(":") <= 1 and ":" not in image.rpartition("/")[0]
    return image.isascii() and len(image) < 128 and image == image.lower() and all(word.isalnum() for word in words) and is_tagged_last


def has_ports(plan: Plan) -> bool:
    """A container of the template has ports of its own."""
    for job in replicated_jobs(plan.template):
        pod = pod_spec_of(job)
        for field in ("containers", "initContainers"):
            if any("ports" in container for container in pod.get(field) or ()):
                return True
    return False


def may_queue(plan: Plan) -> bool:
    """A name of Kueue or KAI stands in the TrainJob or its runtime."""
    text, other = plan.job.document.text, plan.runtime.document.text
    return not text or not other or stands_in_runtime(other, QUEUES) or any(map(text.__contains__, QUEUES))


@lru_cache(maxsize=64)
def stands_in_runtime(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of the words stands in the text of a runtime, which comes with every TrainJob that names it."""
    return any(map(text.__contains__, words))


def is_random(plan: Plan) -> bool:
    """Upstream decides something of it by chance: where the variables of xgboost or of a feature gate stand, which of two gangs counts first,
    which of several names of GPUs is counted."""
    gang = plan.pod_group_policy
    has_two_gangs = gang is not None and gang.coscheduling is not None and gang.volcano is not None
    return has_two_gangs or plan.policy_name == "xgboost" or bool(plan.facts.feature_gates) or _names_several_gpus(plan)


def _names_several_gpus(plan: Plan) -> bool:
    if plan.policy_name not in ("torch", "mpi", "flux"):
        return False
    return any(" ".join(plan.node_resources.get(key) or ()).lower().count("gpu") > 1 for key in ("requests", "limits"))
