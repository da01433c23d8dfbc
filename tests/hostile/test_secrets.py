"""What is in a Secret is in no report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobset_compiler.diagnostics.redaction import hidden, hidden_pair, is_credential
from tests.hostile.test_text import DIFFS, VERBS

Here = Callable[..., Any]

SECRETS = """\
apiVersion: v1
kind: Secret
metadata: {name: twice}
stringData:
  password: hunter2-one
  password: hunter2-two
---
apiVersion: v1
kind: Secret
metadata: {name: unclosed}
stringData:
  token: "hunter2-three
  other: x
---
kind: Secret
apiVersion: v1
data:
\tk: hunter2-four
---
apiVersion: v1
kind: Secret
metadata: {name: colon}
stringData:
  password:hunter2-five
  x: 1
---
apiVersion: v1
kind: Secret
metadata: {name: tagged}
stringData:
  password: !!int hunter2-six
---
apiVersion: v1
metadata: {name: of-no-kind}
stringData: {password: hunter2-seven}
data: {password: hunter2-eight}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    env: [{name: HF_TOKEN, value: hunter2-nine, extra: 1}, {name: PLAIN, value: seen}]
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: b}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    env:
    - name: WANDB_API_KEY
      value: hunter2-ten
      value: hunter2-eleven
"""


def test_no_report_shows_what_is_in_a_secret(here: Here) -> None:
    Path("secrets.yaml").write_text(SECRETS)
    valid = SECRETS[SECRETS.index("apiVersion: trainer") :]
    Path("jobs.yaml").write_text(valid)
    Path("changed.yaml").write_text(valid.replace("hunter2", "hunter2-changed"))
    for argv in VERBS:
        if argv[0] not in ("render", "expand"):
            result = here(*argv, "secrets.yaml")
            assert "hunter2" not in result.out + result.err, (argv, result)
            result = here(*argv, "jobs.yaml")
            assert "hunter2" not in result.out + result.err, (argv, result)
    for argv in DIFFS:
        result = here(*argv, "--validate", "warn", "jobs.yaml", "changed.yaml")
        assert result.code == 3
        assert "hunter2" not in result.out + result.err, (argv, result)
        assert "hidden: the one after" in result.out
    assert "seen" in here("check", "jobs.yaml").out


KEY = "-----BEGIN EC PRIVATE KEY-----\nhunter2-key\n-----END EC PRIVATE KEY-----\n"


@pytest.mark.parametrize("option", ["--check", "--update"])
def test_a_folder_that_is_compared_does_not_show_the_private_key(here: Here, job: str, option: str) -> None:
    from base64 import b64encode

    Path("key").write_text(KEY)
    Path("key.pub").write_text("ecdsa-sha2-nistp521 hunter2-pub\n")
    mpi = job.replace("torch-distributed", "deepspeed-distributed")
    arguments = ("render", "-", "--ssh-key", "key", "--output-dir", "out")
    results = [here(*arguments, option, stdin=mpi)]
    here(*arguments, stdin=mpi)
    secret = Path("out/default/train/secret-train-mpi-ssh-auth.yaml")
    Path("key").write_text(KEY.replace("hunter2-key", "hunter2-other"))
    results.append(here(*arguments, option, stdin=mpi))
    secret.write_text(secret.read_text().replace("data:", "data: ["))
    results.append(here(*arguments, option, stdin=mpi))
    secret.write_text(secret.read_text() + "\n# hunter2")
    results.append(here(*arguments, option, stdin=mpi))
    results.append(here(*arguments, option, stdin=""))
    assert "-kind: Secret\n" in results[-1].out or option == "--update"
    for result in results:
        assert result.code == 3
        assert "secret-train-mpi-ssh-auth.yaml" in result.out
        assert "(hidden" in result.out or result is results[-1]
        assert "hunter2" not in result.out and b64encode(KEY.encode())[:40].decode() not in result.out
        assert "LS0tLS1CRUdJTiBFQ" not in result.out


VARIABLES = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    image: x
    env:
    - name: HF_TOKEN
      value: hunter2-one
    - {name: DB_PASSWORD, value: "hunter2-two"}
    - name: APP_PRIVATE_KEY
      value: |
        hunter2-three
        hunter2-four
    - value: "hunter2-five
        hunter2-six"
      name: WANDB_API_KEY
"""


def test_a_folder_that_is_compared_does_not_show_variables(here: Here) -> None:
    here("render", "-", "--output-dir", "out", stdin=VARIABLES)
    for option, text in (("--check", VARIABLES.replace("hunter2", "hunter2-changed")), ("--update", VARIABLES.replace("value: x", "value: y"))):
        result = here("render", "-", "--output-dir", "out", option, "--no-bundled-runtimes", stdin=text)
        result = here("render", "-", "--output-dir", "out", option, stdin=text)
        assert "hunter2" not in result.out + result.err
        assert (result.code == 3) == ("(hidden: the one after)" in result.out) == (option == "--check")
    assert "hunter2-one" in Path("out/default/a/jobset-a.yaml").read_text()
    gone = here("render", "-", "--output-dir", "out", "--update", stdin="")
    assert gone.code == 3 and "(hidden)" in gone.out and "hunter2" not in gone.out


@pytest.mark.parametrize("output", ["text", "json", "sarif", "github"])
@pytest.mark.parametrize(
    "env", ["[API_TOKEN=hunter2]", "{API_TOKEN: hunter2}", "[{API_TOKEN: hunter2}]", "\n    - API_TOKEN=hunter2 x", "\n      API_TOKEN: 'hunter2'"]
)
def test_a_secret_in_the_wrong_shape_is_not_quoted(here: Here, env: str, output: str) -> None:
    head = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec:\n  runtimeRef: {name: torch-distributed}\n  trainer:\n"
    result = here("check", "-", "--format", output, stdin=f"{head}    env: {env}\n")
    assert result.code == 1 and "hunter2" not in result.out


# Each is refused at a place in a value that is secret, or with a hint that says how to write it.
@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("value: hunter2-one", "value: hunter2-one: x"),
        ("value: hunter2-one", "value: 'hunter2-one"),
        ("value: hunter2-one", "value: [hunter2-one]"),
        ("value: hunter2-one", "value: *hunter2-one"),
        ("value: hunter2-one", "value: hunter2-one\n      hunter2-more"),
        ("        hunter2-four", "   hunter2-four: ["),
        ("        hunter2-four", "\thunter2-four"),
        ("        hunter2-six", "  hunter2-six\\q"),
        ("        hunter2-six", "  hunter2-six\\q: ["),
    ],
)
@pytest.mark.parametrize("output", ["text", "json", "sarif", "github"])
def test_no_line_of_a_secret_value_is_quoted(here: Here, good: str, bad: str, output: str) -> None:
    text = VARIABLES.replace(good, bad)
    assert text != VARIABLES
    result = here("check", "-", "--format", output, stdin=text)
    shown = result.out + result.err
    assert result.code == 1 and "error" in shown
    assert "hunter2" not in shown


def test_a_hint_does_not_say_what_its_line_hides(here: Here) -> None:
    out = here("check", "-", "--trainer-version", "v2.1", stdin=VARIABLES.replace("hunter2-one", "7654321").replace("image: x", "image: 5")).out
    assert "7654321" not in out and 'put it in quotes: "(hidden)"' in out
    assert 'put it in quotes: "5"' in out


def test_names_of_variables_that_hold_something_secret() -> None:
    assert all(map(is_credential, ("HF_TOKEN", "hf_token", "WANDB_API_KEY", "AWS_SECRET_ACCESS_KEY", "PASSWORD", "DB_PASSWORD", "CLIENT_SECRET")))
    assert not any(map(is_credential, ("MAX_TOKENS", "TOKENIZERS_PARALLELISM", "KEY", "SORT_KEY", "SECRETARY", "MONKEY", "", None, 5)))


def test_two_versions_of_a_secret_can_be_told_apart() -> None:
    old = {"kind": "Secret", "data": {"same": "hunter2", "other": "hunter2-a", "gone": "hunter2-b"}}
    new = {"kind": "Secret", "data": {"same": "hunter2", "other": "hunter2-c"}, "stringData": "hunter2"}
    before, after = hidden_pair(old, new)
    assert before["data"]["same"] == after["data"]["same"] == "(hidden)"
    assert before["data"]["other"] != after["data"]["other"]
    assert "hunter2" not in str((before, after, hidden([old, new])))
    assert old["data"] == {"same": "hunter2", "other": "hunter2-a", "gone": "hunter2-b"}
    plain = {"kind": "ConfigMap", "data": {"a": "b"}}
    assert hidden_pair(plain, plain) == (plain, plain)
