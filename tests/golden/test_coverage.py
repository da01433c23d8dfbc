"""The goldens leave nothing out: every diagnostic code is seen in one, and every feature of a release makes a difference in one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jobset_compiler.diagnostics.codes import all_codes
from jobset_compiler.pipeline import compile_documents
from jobset_compiler.profiles import Feature, Profile, features, find
from jobset_compiler.request.options import Options
from jobset_compiler.request.releases import about_release
from jobset_compiler.source.diagnose import diagnose
from jobset_compiler.source.reader import read_text
from tests.golden.case_file import Told
from tests.golden.cases import Case, all_cases
from tests.golden.features import EXAMPLES

TESTS = Path(__file__).resolve().parents[1]
CASES = {case.id: case for case in all_cases()}

# What no text that is compiled can say: where it is tried instead.
TRIED_ELSEWHERE = {
    "JSC001": ("source/test_files.py", "files and folders, which a golden does not have"),
    "JSC002": ("source/test_reader.py", "bytes that are no text"),
    "JSC020": ("golden/test_coverage.py", "a document of 64 MiB"),
    "JSC025": ("hostile/test_files.py", "a link in a folder"),
    "JSC110": ("library/test_updates.py", "the kind of error that only an update can have"),
    "JSC207": ("golden/test_coverage.py", "an option of the command"),
    "JSC213": ("cli/test_render.py", "how the release was asked for"),
    "JSC301": ("passes/test_driver.py", "passes of others"),
    "JSC302": ("passes/test_driver.py", "passes of others"),
    "JSC304": ("passes/test_driver.py", "passes of others"),
    "JSC313": ("passes/test_required.py", "objects that no server has admitted"),
    "JSC112": ("library/test_updates.py", "an update"),
    "JSC360": ("library/test_updates.py", "an update"),
    "JSC361": ("library/test_updates.py", "an update"),
    "JSC362": ("library/test_updates.py", "an update"),
    "JSC363": ("library/test_updates.py", "an update"),
    "JSC364": ("library/test_updates.py", "an update"),
    "JSC365": ("library/test_updates.py", "an update"),
    "JSC501": ("request/test_plugins.py", "a distribution that cannot be loaded"),
    "JSC502": ("request/test_plugins.py", "a distribution that gives no passes"),
    "JSC510": ("integrations/test_krm.py", "the command as a KRM function"),
    "JSC511": ("integrations/test_krm.py", "the command as a KRM function"),
    "JSC658": ("passes/test_brought.py", "passes of others"),
    "JSC901": ("cli/test_main.py", "a bug of ours"),
}
FEATURES_ELSEWHERE = {
    "cel-hides-object-values": ("admission/test_cel.py", "only the server's print of a value, which messages leave out"),
    "jobs-labelled-with-group": ("expand/test_children.py", "only the Jobs that JobSet makes of the output"),
    "overrides-change-on-resume": ("library/test_updates.py", "only updates"),
    "jobset-update-shows-jobs": ("library/test_updates.py", "only updates"),
    "runtime-deleted-in-use": ("library/test_updates.py", "only updates"),
    "runtime-snapshot": ("library/test_updates.py", "only updates"),
    "updates-read-the-snapshot": ("library/test_updates.py", "only updates"),
}
# One rule takes the place of another: without either there is none.
INSTEAD_OF = {"nproc-from-requests-then-limits": "nproc-from-each-list", "nproc-from-each-list": "nproc-from-requests-then-limits"}


def codes_in_goldens() -> set[str]:
    printed = (told.printed for case in CASES.values() for told in case.file.told.values())
    return {code for text in printed for code in re.findall(r"\b(?:error|warning|info) (JSC\d{3}) ", text)}


def test_every_code_is_reached() -> None:
    reached = codes_in_goldens()
    missing = {f"{code.code} {code.slug}" for code in all_codes() if code.code not in reached and code.code not in TRIED_ELSEWHERE}
    assert not missing, "codes without a golden"
    assert not reached.intersection(TRIED_ELSEWHERE), "there is a golden now"
    assert TRIED_ELSEWHERE.keys() <= {code.code for code in all_codes()}
    assert {file for file, _ in TRIED_ELSEWHERE.values() if not (TESTS / file).is_file()} == set()


def test_every_feature_has_an_example() -> None:
    slugs = {value.slug for value in vars(features).values() if isinstance(value, Feature)}
    assert slugs == EXAMPLES.keys() | FEATURES_ELSEWHERE.keys()
    assert not EXAMPLES.keys() & FEATURES_ELSEWHERE.keys()
    assert {file for file, _ in FEATURES_ELSEWHERE.values() if not (TESTS / file).is_file()} == set()


def told(case: Case, profile: Profile) -> Told:
    """Output and diagnostics of a golden in some profile, as `case.compile` has them for those with a name."""
    settings = case.options
    gates = frozenset(gate for gate, on in (settings["feature_gates"] or {}).items() if on)
    facts = settings["facts"]._replace(feature_gates=gates)
    options = Options(profile, settings["bundled_runtimes"], facts, problems=about_release(profile.name, profile))
    documents, problems = read_text(case.text, "input.yaml")
    result = compile_documents(documents, diagnose(problems), options)
    return case.told(result)


@pytest.mark.parametrize("slug", EXAMPLES)
def test_feature_makes_a_difference(slug: str) -> None:
    case_id, name = EXAMPLES[slug]
    case, profile = CASES[case_id], find(name)
    assert profile is not None and name in case.releases
    toggled = profile._replace(features=profile.features ^ {slug} ^ ({INSTEAD_OF[slug]} if slug in INSTEAD_OF else set()))
    assert told(case, profile) == case.told(case.compile(name))
    assert told(case, toggled) != told(case, profile)


def test_a_runtime_that_lives_elsewhere_may_be_missing() -> None:
    documents, _ = read_text(CASES["errors/misspelt-bundled-runtime"].text)
    result = compile_documents(documents, (), Options(ignore_missing_runtime=True))
    assert result.ok and not result.objects
    assert [diagnostic.code for diagnostic in result.diagnostics] == ["JSC207"]


def test_a_document_may_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobset_compiler.source.reader.MAX_DOCUMENT_LENGTH", 100)
    case = CASES["torch/minimal-trainjob-on-bundled-runtime"]
    assert [diagnostic.code for diagnostic in case.compile("v2.3").diagnostics] == ["JSC020"]


# The Job and Pod APIs: the objects are there, what comes of them is not.
OF_CHILDREN = {code.code for code in all_codes() if "JSC430" <= code.code <= "JSC443"}
# A server only drops these; --validate says whether that is an error.
BY_VALIDATE = {"JSC021", "JSC103"}


def test_severity_has_one_meaning() -> None:
    """Where there is an error nothing is submitted, unless it is only the children that are refused; severities are those of the catalogue."""
    of_catalogue = {code.code: code.severity for code in all_codes()}
    for case in CASES.values():
        for release, told in case.file.told.items():
            printed = re.findall(r"\b(error|warning|info) (JSC\d{3}) ", told.printed)
            errors = {code for severity, code in printed if severity == "error"}
            assert (told.output is not None) is (errors <= OF_CHILDREN), f"{case.id} {release}"
            for severity, code in printed:
                # What the decoder would say of a TrainJob whose runtime was refused before decides nothing.
                demoted = code.startswith("JSC1") and severity == "warning" and errors
                # A quirk that does no harm in this case may be a notice, but nothing becomes an error or ceases to be one.
                same = (severity == "error") is (of_catalogue[code] == "error")
                assert same or code in BY_VALIDATE or demoted, f"{case.id} {release}: {severity} {code}"
