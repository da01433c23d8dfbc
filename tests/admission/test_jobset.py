"""JobSet's own admission: what refuses a JobSet, in which words, where, and with what way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jobset_compiler as jc
from jobset_compiler.admission.jobset_apply import apply_message, apply_problems
from jobset_compiler.admission.jobset_webhook import excess_hint
from jobset_compiler.profiles import find
from tests.admission.rules.cases import ALL, Tree, compiled, job, runtime, trainjob

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic

LABEL = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an "
    "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)
NODE = job("node", "trainer")
SINCE_2_1, SINCE_2_2 = ALL[1:], ALL[2:]


def runtime_of(*jobs: Tree, **spec: Any) -> Tree:
    out = runtime(*(jobs or (NODE,)))
    out["spec"]["template"]["spec"].update(spec)
    return out


def with_job(entry: Tree, **fields: Any) -> Tree:
    return {**entry, **fields}


def refusals(profile: str, *objects: Tree) -> list[Diagnostic]:
    """The errors, all of them JobSet's."""
    found = [d for d in compiled(profile, *objects).diagnostics if d.is_error]
    assert {d.stage for d in found} <= {"jobset"}
    return found


def words(profile: str, *objects: Tree) -> list[tuple[str, str, str]]:
    return [(d.slug, d.path, d.message) for d in refusals(profile, *objects)]


@pytest.mark.parametrize(
    ("profiles", "given", "slug", "message"),
    [
        (
            SINCE_2_2,
            runtime_of(failurePolicy={"restartStrategy": "InPlaceRestart"}),
            "in-place-restart-gated",
            "InPlaceRestart restart strategy cannot be set when",
        ),
        (
            ALL,
            runtime_of(NODE, with_job(job("a"), replicas=2**31 - 1)),
            "too-many-pods",
            "the product of replicas and parallelism must not exceed 2147483647 for replicatedJob 'a'",
        ),
        (
            ALL,
            runtime_of(job("a"), with_job(NODE, dependsOn=[{"name": "b", "status": "Ready"}]), job("b")),
            "dependency-target",
            "replicatedJob: node cannot depend on replicatedJob: b",
        ),
        (
            ALL,
            runtime_of(successPolicy={"operator": "All", "targetReplicatedJobs": ["x"]}),
            "success-policy-target",
            "invalid replicatedJob name 'x' does not appear in .spec.ReplicatedJobs",
        ),
        (
            ALL,
            runtime_of(failurePolicy={"rules": [{"name": "a b", "action": "FailJobSet"}]}),
            "failure-rule-name",
            "invalid failure policy rule name 'a b', a failure policy rule name must",
        ),
        (
            ALL,
            runtime_of(failurePolicy={"rules": [{"name": "r" * 129, "action": "FailJobSet"}]}),
            "failure-rule-name",
            "invalid failure policy rule name of length 129, the rule name",
        ),
        (
            ALL,
            runtime_of(failurePolicy={"rules": [{"name": "r", "action": "FailJobSet"}] * 2}),
            "failure-rule-name",
            "rule names are not unique, rules with indices [0 1] all have the same name 'r'",
        ),
        (
            ALL,
            runtime_of(failurePolicy={"rules": [{"name": "r", "action": "FailJobSet", "targetReplicatedJobs": ["x"]}]}),
            "failure-policy-target",
            "invalid replicatedJob name 'x' in failure policy does not appear in .spec.ReplicatedJobs",
        ),
        (
            ALL,
            runtime_of(failurePolicy={"rules": [{"name": "r", "action": "FailJobSet", "onJobFailureReasons": ["OOMKilled"]}]}),
            "failure-reason",
            "invalid job failure reason 'OOMKilled' in failure policy is not a recognized job failure reason",
        ),
        (ALL, runtime_of(coordinator={"replicatedJob": "x"}), "coordinator", "coordinator replicatedJob x does not exist"),
        (ALL, runtime_of(coordinator={"replicatedJob": "node", "jobIndex": 1}), "coordinator", "coordinator job index 1 is invalid for replicatedJob node"),
        (
            ALL,
            runtime_of(coordinator={"replicatedJob": "node", "podIndex": 1}),
            "coordinator",
            "coordinator pod index 1 is invalid for replicatedJob node job index 0",
        ),
    ],
)
def test_rules_without_a_field(profiles: tuple[str, ...], given: Tree, slug: str, message: str) -> None:
    """2.3 pins a JobSet whose errors are structured; what has no field is an internal error there."""
    if slug == "too-many-pods":
        given["spec"]["template"]["spec"]["replicatedJobs"][1]["template"]["spec"]["parallelism"] = 2
    for profile in profiles:
        ((said, path, text),) = words(profile, given, trainjob())
        start = "Internal error: " if profile == "v2.3" else ""
        assert (said, path) == (slug, "") and text.startswith(start + message), profile


@pytest.mark.parametrize("action", ["RestartJob", "RestartJobAndIgnoreMaxRestarts"])
def test_restarting_one_job_is_gated_and_hides_the_other_rules(action: str) -> None:
    given = runtime_of(failurePolicy={"rules": [{"name": "no name", "action": action, "targetReplicatedJobs": ["x"]}]})
    assert [slug for slug, _, _ in words("v2.3", given, trainjob())] == ["restart-job-gated"]


@pytest.mark.parametrize("profile", ALL)
def test_first_job_depends_on_nothing(profile: str) -> None:
    given = runtime_of(with_job(NODE, dependsOn=[{"name": "a", "status": "Ready"}]), job("a"))
    assert [slug for slug, _, _ in words(profile, given, trainjob())] == ["first-job-depends", "dependency-target"]


@pytest.mark.parametrize(
    ("profiles", "spec", "slug", "path", "value", "message"),
    [
        (
            ALL,
            {"network": {"subdomain": "s" * 64}},
            "jobset-subdomain",
            "spec.network.subdomain",
            "s" * 64,
            ".spec.network.subdomain is too long, must be less than 63 characters",
        ),
        (ALL, {"network": {"subdomain": "a.b"}}, "jobset-subdomain", "spec.network.subdomain", "a.b", LABEL),
        (SINCE_2_1, {"replicatedJobs": [with_job(NODE, groupName="G")]}, "group-name", "spec.replicatedJobs[0].groupName", "G", LABEL),
        (ALL, {"managedBy": "kueue"}, "jobset-managed-by", "spec.managedBy", "kueue", 'must be a domain-prefixed path (such as "acme.io/foo")'),
        (
            ALL,
            {"managedBy": "acme.io/a b"},
            "jobset-managed-by",
            "spec.managedBy",
            "a b",
            "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
        ),
    ],
)
def test_rules_with_a_field(profiles: tuple[str, ...], spec: Tree, slug: str, path: str, value: str, message: str) -> None:
    for profile in profiles:
        structured = f'Invalid value: "{value}": {message}' if profile == "v2.3" else message
        shown_path = "" if profile == "v2.0" and slug != "jobset-managed-by" else path
        assert words(profile, runtime_of(**spec), trainjob()) == [(slug, shown_path, structured)], profile


@pytest.mark.parametrize(("manager", "message"), [("", "Required value"), ("a.io/" + "x" * 59, "Too long: may not be more than 63 bytes")])
def test_managers_without_a_printed_value(manager: str, message: str) -> None:
    assert words("v2.3", runtime_of(managedBy=manager), trainjob()) == [("jobset-managed-by", "spec.managedBy", message)]
    assert words("v2.2", runtime_of(managedBy=manager), trainjob()) == [("jobset-managed-by", "spec.managedBy", message.partition(": ")[2] or message)]


@pytest.mark.parametrize(("length", "nodes", "accepted"), [(48, 10, True), (49, 10, False), (48, 11, False), (47, 100, True)])
@pytest.mark.parametrize("profile", ALL)
def test_room_for_pod_names(profile: str, length: int, nodes: int, accepted: bool) -> None:
    given = trainjob(name="j" * length, trainer={"numNodes": nodes})
    found = refusals(profile, runtime(policy={"numNodes": 1}), given)
    assert [d.slug for d in found] == ([] if accepted else ["pod-name"])
    for d in found:
        assert d.message.endswith("JobSet name is too long, pod names generated for this JobSet will exceed 63 characters")
        assert d.hint.startswith("cut 1 character off the TrainJob's name")
        assert (d.at, d.path) == (("metadata", "name"), "" if profile == "v2.0" else "spec.replicatedJobs[0].name")


@pytest.mark.parametrize(("network", "more"), [({}, 33), ({"network": {"subdomain": "a"}}, 17), ({"network": {"enableDNSHostnames": False}}, 2)])
def test_full_host_names_need_more_room(network: Tree, more: int) -> None:
    """Of a name with 50 characters, in the namespace a."""
    node = job("node", "trainer", setHostnameAsFQDN=True)
    given = trainjob(name="j" * 50, trainer={"numNodes": 1})
    given["metadata"]["namespace"] = "a"
    (found,) = refusals("v2.3", runtime_of(node, **network), given)
    assert found.hint.startswith(f"cut {more} characters off the TrainJob's name: the pod")


@pytest.mark.parametrize(("nodes", "more"), [(1, 17), (10, 17), (11, 18), (100, 18), (101, 19)])
def test_full_host_names_are_those_of_the_last_pod(nodes: int, more: int) -> None:
    given = trainjob(name="j" * 50, trainer={"numNodes": nodes})
    given["metadata"]["namespace"] = "a"
    hints = [each.hint for each in refusals("v2.3", runtime_of(job("node", "trainer", setHostnameAsFQDN=True), network={"subdomain": "a"}), given)]
    assert [hint for hint in hints if hint.startswith(f"cut {more} characters off the TrainJob's name: the pod")] == hints[:1]


def test_job_names_say_which_name_is_malformed() -> None:
    upper = refusals("v2.2", runtime(job("Node", "trainer")), trainjob())
    assert [(d.slug, d.message, d.at[-2:]) for d in upper] == [("job-name", LABEL, (0, "name")), ("pod-name", LABEL, (0, "name"))]


def test_claims() -> None:
    def claims(*names: str) -> list[Tree]:
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
        return [{"templates": [{"metadata": {"name": name}, "spec": spec} for name in names]}]

    mount = [{"name": "w", "mountPath": "/w"}]
    container = {"name": "node", "image": "a", "volumeMounts": mount}
    user = job("node", "trainer", [container])
    assert words("v2.3", runtime_of(user, volumeClaimPolicies=claims("w")), trainjob()) == []
    path = "spec.volumeClaimPolicies[0].template[{}].name"
    twice = 'Invalid value: "w": names must be unique for VolumeClaimPolicies template'
    assert words("v2.3", runtime_of(user, volumeClaimPolicies=claims("w", "w")), trainjob()) == [("claim-template", path.format(1), twice)]
    long = words("v2.2", runtime_of(user, volumeClaimPolicies=claims("w", "l" * 60)), trainjob())
    assert [text for _, at, text in long if at == path.format(1)] == ["VolumeClaimPolicies template name is too long"]
    taken = job("node", "trainer", [container], volumes=[{"name": "w", "emptyDir": {}}])
    conflict = (
        "claim-template",
        "spec.replicatedJobs[0].template.spec.template.spec.volumes[0].name",
        "volume name conflicts with VolumeClaimPolicy template name: w",
    )
    assert words("v2.2", runtime_of(taken, volumeClaimPolicies=claims("w")), trainjob()) == [conflict]
    ((slug, where, text),) = words("v2.3", runtime_of(volumeClaimPolicies=claims("w")), trainjob())
    assert (slug, where) == ("claim-template", "spec.replicatedJobs")
    assert text.startswith('Invalid value: [{"name":"node","groupName":"default","template":{"metadata":{"labels":')
    assert text.endswith("]: replicatedJob containers don't have a matching volumeMount: w from VolumeClaimPolicies")


def test_a_coordinator_must_be_a_label_value_since_2_2() -> None:
    given, long = runtime_of(coordinator={"replicatedJob": "node"}), trainjob(name="j" * 30)
    endpoint = f"{'j' * 30}-node-0-0.{'j' * 30}"
    for profile in SINCE_2_2:
        ((slug, path, message),) = words(profile, given, long)
        assert (slug, path) == ("coordinator-label", "") and f'invalid label value "{endpoint}"' in message
    for profile in ALL[:2]:
        result = compiled(profile, given, long)
        assert result.is_submitted and not result.ok
        assert any(d.slug == "job-refused" and endpoint in d.message for d in result.diagnostics), "but no Job could be created"


# ---------------------------------------------------------------------------------- apply and schema


def with_ports(*ports: int) -> Tree:
    container = {"name": "node", "image": "a", "ports": [{"containerPort": port} for port in ports]}
    return runtime(job("node", "trainer", [container]), job("side", None, [container]))


@pytest.mark.parametrize("profile", ALL)
def test_apply_refuses_ports_that_overwrote_each_other(profile: str) -> None:
    (found,) = refusals(profile, with_ports(8080, 9090), trainjob(metadata={"namespace": "team"}))
    container = '.spec.replicatedJobs[name="{}"].template.spec.template.spec.containers[name="node"]'
    where = container + '.ports: duplicate entries for key [containerPort=9090,protocol="TCP"]'
    start = "failed to create typed patch object (team/job; jobset.x-k8s.io/v1alpha2, Kind=JobSet): errors:\n"
    assert (found.slug, found.path) == ("jobset-duplicate-keys", "")
    assert found.message == f"{start}  {where.format('node')}\n  {where.format('side')}"
    assert "give every port of the container a name" in found.hint


def test_apply_tells_list_items_by_their_keys() -> None:
    profile = find("v2.3")
    assert profile is not None
    spread = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    pod = {"containers": [{"name": "a"}, {"name": "a"}], "topologySpreadConstraints": [spread, spread], "tolerations": [{}, {}]}
    jobset = {"metadata": {}, "spec": {"replicatedJobs": [{"name": "n", "template": {"spec": {"template": {"spec": pod}}}}]}}
    path = '.spec.replicatedJobs[name="n"].template.spec.template.spec.'
    assert [(problem.where, problem.message) for problem in apply_problems(jobset, profile)] == [
        (f"{path}containers", 'duplicate entries for key [name="a"]'),
        (f"{path}topologySpreadConstraints", 'duplicate entries for key [topologyKey="zone",whenUnsatisfiable="DoNotSchedule"]'),
    ]


def test_apply_looks_at_fields_by_name_and_no_further_than_one_that_it_does_not_know() -> None:
    profile = find("v2.2")
    assert profile is not None
    twice = [{"name": "a"}, {"name": "a"}]
    pod: Tree = {"volumes": twice, "schedulingGroup": {}, "initContainers": None, "containers": twice, "zone": 1}
    jobs = [{"name": "n", "template": {"spec": {"template": {"spec": pod}}}}]
    jobset = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "js"},
        "spec": {"replicatedJobs": jobs, "failurePolicy": {"rules": [{"name": "r", "targetReplicatedJobs": ["b", "b"]}] * 2}},
    }
    problems = apply_problems(jobset, profile)
    pod_path = ("spec", "replicatedJobs", 0, "template", "spec", "template", "spec")
    shown = '.spec.replicatedJobs[name="n"].template.spec.template.spec'
    assert [(problem.path, problem.where, problem.message, problem.key) for problem in problems] == [
        ((*pod_path, "containers", 1), f"{shown}.containers", 'duplicate entries for key [name="a"]', '[name="a"]'),
        ((*pod_path, "schedulingGroup"), f"{shown}.schedulingGroup", "field not declared in schema", ""),
    ]
    start = "failed to create typed patch object (/js; jobset.x-k8s.io/v1alpha2, Kind=JobSet): "
    assert apply_message(jobset, problems[1:]) == f"{start}{shown}.schedulingGroup: field not declared in schema"
    assert apply_message(jobset, problems) == f"{start}errors:\n" + "\n".join(f"  {problem.where}: {problem.message}" for problem in problems)


def test_2_2_pins_a_jobset_without_scheduling_group() -> None:
    given = runtime(job("node", "trainer", schedulingGroup={"podGroupName": "g"}))
    ((slug, path, message),) = words("v2.2", given, trainjob())
    assert (slug, path) == ("jobset-undeclared-field", "")
    assert message.endswith('.spec.replicatedJobs[name="node"].template.spec.template.spec.schedulingGroup: field not declared in schema')
    assert compiled("v2.3", given, trainjob()).ok


def test_labels_of_runtime_and_patches_are_first_looked_at_here() -> None:
    given = runtime(template={"metadata": {"labels": {"a": "no label"}}})
    ((slug, path, message),) = words("v2.3", given, trainjob())
    assert (slug, path) == ("jobset-schema", "metadata.labels") and message.startswith("a valid label must be an empty string or consist of")


def test_a_patch_for_an_unknown_job_makes_one_without_containers() -> None:
    patch = {
        "manager": "a.io/b",
        "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [{"name": "ghost", "template": {"spec": {"template": {"spec": {}}}}}]}}},
    }
    ((slug, path, _),) = words("v2.3", runtime(), trainjob(runtimePatches=[patch]))
    assert slug == "jobset-schema" and path.endswith(".template.spec.template.spec.containers")


# ------------------------------------------------------------------------------------------- places


TEXT = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: rt}
spec:
  template:
    spec:
      replicatedJobs:
      - name: side
        template:
          spec:
            template:
              spec:
                containers:
                - name: web
                  image: a
                  ports:
                  - containerPort: 80
                  - containerPort: 443
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: job}
spec:
  runtimeRef: {name: rt}
  runtimePatches:
  - manager: a.io/b
    trainingRuntimeSpec:
      template:
        spec:
          replicatedJobs:
          - name: side
            template:
              spec:
                template:
                  spec:
                    containers:
                    - name: more
                      volumeMounts:
                      - {name: nope, mountPath: /x}
"""


def test_places_are_in_the_document_that_says_so() -> None:
    (found,) = [d for d in jc.compile_yaml(TEXT, bundled_runtimes=False).diagnostics if d.is_error]
    assert (found.slug, found.line) == ("jobset-duplicate-keys", 18)
    assert [(note.message, note.span.line) for note in found.notes] == [("used by this TrainJob", 24)]
    fixed = TEXT.replace("80", "80\n                    name: http")
    warned = {d.slug: d.line for d in jc.compile_yaml(fixed, bundled_runtimes=False).diagnostics if d.code.startswith("JSC4")}
    assert warned == {"volume-mount-refused": 40, "container-refused": 38}, "what a patch says is found in the patch"


def test_a_refused_jobset_says_nothing_of_its_children() -> None:
    given = runtime(job("Node", "trainer", [{"name": "node"}]))
    assert all(d.is_error for d in compiled("v2.3", given, trainjob()).diagnostics if d.code.startswith("JSC4"))


def test_required_values_that_were_empty_are_missing() -> None:
    """The runtime's schema takes an empty list or text, but apply configurations write neither; lists come back as null from JobSet's defaulter."""
    rules = with_job(NODE, template={"spec": {**NODE["template"]["spec"], "podFailurePolicy": {"rules": []}}})
    at = "spec.replicatedJobs[0].template.spec"
    for profile in ALL:
        assert [(d.path, d.message) for d in refusals(profile, runtime_of(rules), trainjob())] == [
            (f"{at}.podFailurePolicy.rules", f'{at}.podFailurePolicy.rules in body must be of type array: "null"')
        ]
    pod = NODE["template"]["spec"]["template"]["spec"]
    certificate = {"name": "v", "projected": {"sources": [{"podCertificate": {"signerName": "", "keyType": "ED25519"}}]}}
    asked = with_job(NODE, template={"spec": {"template": {"spec": {**pod, "volumes": [certificate]}}}})
    for profile in SINCE_2_1:
        found = [(d.path, d.message) for d in refusals(profile, runtime_of(asked), trainjob())]
        assert found == [(f"{at}.template.spec.volumes[0].projected.sources[0].podCertificate.signerName", "Required value")]


def test_rules_that_look_into_an_empty_list_fail() -> None:
    in_order = runtime_of(startupPolicy={"startupPolicyOrder": "InOrder"})
    in_order["spec"]["template"]["spec"]["replicatedJobs"] = []
    for profile in ALL:
        (found,) = refusals(profile, in_order, trainjob())
        assert found.path == "spec" and found.message.startswith("no such key: replicatedJobs evaluating rule: ")
    for profile in SINCE_2_2:
        (found,) = refusals(profile, runtime_of(volumeClaimPolicies=[{"templates": []}]), trainjob())
        assert found.path == "spec.volumeClaimPolicies[0]" and found.message.startswith("no such key: templates evaluating rule: ")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("a_b", "write it in lower case letters, digits and dashes, beginning with a letter"),
        ("a" * 63, "write it in lower case letters, digits and dashes, beginning with a letter"),
        ("a" * 64, "shorten it by 1 character"),
        ("a" * 65, "shorten it by 2 characters"),
        ("ü" * 32, "shorten it by 1 character"),
    ],
)
def test_how_much_a_name_has_too_many(name: str, hint: str) -> None:
    assert excess_hint("it", name) == hint
