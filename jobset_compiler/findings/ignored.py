"""What a runtime says where nobody reads it: rules behind others, patterns that match nothing, names of templates, settings of no network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.findings.endless import UNCOUNTED, catching_all
from jobset_compiler.findings.words import JOBS_OF_SPEC, JOBSET_TEMPLATE, POD_TEMPLATE, Found, in_runtime, listed, pod_template_of, told_of_runtime
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
CODE = codes.silent.NEVER_READ
# What Python's expressions have and Go's have not; what neither takes.
NOT_IN_GO = re.compile(r"\(\?(?:[=!>]|<[=!])|\\[1-9]")
BROKEN = ("unterminated", "missing )", "unbalanced", "nothing to repeat", "bad escape (end", "bad character range")
NAMES = ("name", "namespace", "finalizers")
LEAVE_OUT = "leave out what is no label or annotation"
RESTARTS = ("RestartJobSet", "RestartJob")


def of_runtime(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    """JSC734."""
    given = (runtime.typed.get("spec", {}).get("template") or {}).get("metadata") or {}
    if unread := [field for field in NAMES if given.get(field)]:
        message = f"{listed(unread)} of the template: no effect, since JobSets are named after their TrainJob and take over labels and annotations alone"
        yield in_runtime(runtime, CODE, message, (*JOBSET_TEMPLATE, "metadata", unread[0]), LEAVE_OUT, INFO)
    gang = runtime.pod_group_policy
    if gang is not None and gang.coscheduling is None and gang.volcano is None:
        message = "podGroupPolicy names no scheduler: there is no PodGroup"
        known = " or ".join(f"{name}: {{}}" for name in profile.types().struct("trainer.PodGroupPolicy").fields)
        yield in_runtime(runtime, CODE, message, ("spec", "podGroupPolicy"), f"write {known}, or leave it out")
    yield from told_of_runtime(runtime, _of_template)
    written = ((runtime.document.value.get("spec") or {}).get("template") or {}).get("spec") or {}
    # Go leaves a 0 out, which here is as good as it reads.
    is_given = (written.get("failurePolicy") or {}).get("maxRestarts") is not None
    yield from told_of_runtime(runtime, lambda template, policy: _restarts(template.get("failurePolicy"), is_given))


def _of_template(template: Tree, policy: str) -> Iterator[Found]:
    yield from _names(template)
    network = template.get("network") or {}
    if not network.get("enableDNSHostnames", True):
        for field in ("subdomain", "publishNotReadyAddresses"):
            if field in network:
                message = f"{field} has no effect: without enableDNSHostnames the JobSet has no Service"
                yield Found(CODE, message, ("network", field), "leave enableDNSHostnames out, or this", None if field == "subdomain" else INFO)


def _restarts(failures: Tree | None, is_given: bool) -> Iterator[Found]:
    if failures is None:
        return
    rules = failures.get("rules") or ()
    last = catching_all(rules)
    for index, rule in enumerate(rules):
        at = ("failurePolicy", "rules", index)
        if last is not None and index > last:
            message = f"rule {rule['name']} is never asked: {rules[last]['name']} before it matches every failure"
            yield Found(CODE, message, at, "put the rule that has no conditions last")
        for position, pattern in enumerate(rule.get("onJobFailureMessagePatterns") or ()):
            if reason := _unreadable(pattern):
                message = f"{pattern} matches nothing: {reason}"
                yield Found(CODE, message, (*at, "onJobFailureMessagePatterns", position), "write an expression of RE2, the syntax of Go")
    most = failures.get("maxRestarts", 0)
    if most <= 0 and not any(rule.get("action") in UNCOUNTED for rule in rules):
        restarting = next((index for index, rule in enumerate(rules) if rule.get("action") in RESTARTS), None)
        message = f"nothing is restarted: maxRestarts is {most}" if is_given else "nothing is restarted: maxRestarts is not given and counts as 0"
        if restarting is not None:
            yield Found(CODE, message, ("failurePolicy", "rules", restarting, "action"), "write maxRestarts: 1 or more")
        elif most < 0 or not is_given:
            yield Found(CODE, message, ("failurePolicy", "maxRestarts") if is_given else ("failurePolicy",), "write maxRestarts: 1 or more", INFO)


def _unreadable(pattern: str) -> str:
    """Why a pattern is none that Go reads, "" for others (and for those that only Python does not read)."""
    if NOT_IN_GO.search(pattern):
        return "Go's expressions have neither lookaround nor references back"
    try:
        re.compile(pattern)
    except re.error as error:
        return error.msg if error.msg.startswith(BROKEN) else ""
    return ""


def _names(template: Tree) -> Iterator[Found]:
    for index, job in enumerate(replicated_jobs(template)):
        for what, metadata, at, fields in (
            ("Jobs", job.get("template", {}).get("metadata") or {}, ("template",), NAMES),
            ("pods", pod_template_of(job).get("metadata") or {}, POD_TEMPLATE, NAMES[:2]),
        ):
            if unread := [field for field in fields if metadata.get(field)]:
                message = f"{listed(unread)} in the template of the {what} of {job['name']}: no effect, since their controller names them"
                yield Found(CODE, message, (*JOBS_OF_SPEC, index, *at, "metadata", unread[0]), LEAVE_OUT, INFO)
