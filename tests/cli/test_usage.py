"""What is said to who calls the command wrongly. Read the text below `__snapshots__`; `--snapshot-update` writes it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import JOB, RUNTIME, run_here

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]

WRONG = """\
rendr job.yaml
nothing at all
render --nope job.yaml
render --outputs job.yaml
render -R jobs/
render --recursive jobs/
render --dry-run job.yaml
render --server-side job.yaml
render --strict job.yaml
render --context a job.yaml
render --kubeconfig a job.yaml
render --cluster a job.yaml
render -o
render -o ymal job.yaml
render --output-dir= job.yaml
render --check=yes job.yaml
render -qk job.yaml
render -qo
render --check job.yaml
render --update job.yaml
render --ssh-key key --generate-ssh-keys job.yaml
render --ssh-key job.yaml job.yaml
render --ssh-key missing job.yaml
render --ssh-key key job.yaml
render --passthrough -o json job.yaml
render --output-dir out -o json job.yaml
render --output-dir job.yaml job.yaml
render --trainer-version v2.9 job.yaml
render --trainer-version v23 job.yaml
render --jobset-version 0.99 job.yaml
render --kubernetes-version 1.9 job.yaml
render --feature-gate TrainJobStatus job.yaml
render --feature-gate TrainJobStatus=maybe job.yaml
render --extension mpi-hidra job.yaml
render --validate lax job.yaml
render --facts missing.yaml job.yaml
render --facts list.yaml job.yaml
render --facts unknown.yaml job.yaml
render --facts uid.yaml job.yaml
render --facts classes.yaml job.yaml
render --facts gates.yaml job.yaml
render --config bad-extension.yaml job.yaml
render --config bad-validate.yaml job.yaml
render --config bad-code.yaml job.yaml
render --config bad-fail-on.yaml job.yaml
render --config missing.yaml job.yaml
render missing.yaml
render https://example.com/job.yaml
check -f json job.yaml
check -f json
check --unsafe-fixes job.yaml
check --fix --was job.yaml job.yaml
check --diff --format json job.yaml
check --diff --statistics job.yaml
check --fix -
check --fix
check --fix job.yaml -
check --diff --was job.yaml job.yaml
check --fix --active node job.yaml
check --format json=a.json --format json --format text job.yaml
check
check http://example.com/job.yaml
check --format jsn job.yaml
check --format json= job.yaml
check --format json --format sarif job.yaml
check --format sarif --statistics job.yaml
check --was job.yaml --was-git HEAD job.yaml
check --active node job.yaml
check --was - -
check --was missing.yaml job.yaml
check --was-git HEAD -
diff job.yaml
diff job.yaml job.yaml
diff --from v2.0 --to v2.0 job.yaml
diff --from v2.0 --to v2.3
diff --from-jobset 0.10 --to-jobset 0.10 job.yaml
diff --from-jobset 0.10 --to-jobset 0.12
diff --max-length 10 job.yaml runtime.yaml
diff - -
diff job.yaml a/job.yaml b/job.yaml
diff --to v2.9 job.yaml
explain --why job.yaml
explain --names --field spec job.yaml
explain --gitops --ignore-differences --names job.yaml
explain --names --json job.yaml
explain --field spec.nope job.yaml
explain --field spec..nope job.yaml
explain --field '' job.yaml
explain --line job.yaml job.yaml
explain --line job.yaml:99 job.yaml
explain -o mermaid --names job.yaml
expand -o nope job.yaml
migrate --write --output-dir out job.yaml
migrate --write -
migrate --output-dir out -
migrate --write --check job.yaml
migrate --runtime TrainingRuntime/ job.yaml
migrate --use chief job.yaml
migrate
migrate --gang volcano --runtime mine job.yaml
migrate --runtime a/b/c job.yaml
migrate --gang slurm job.yaml
migrate --output-dir out a/job.yaml b/job.yaml
runtimes shw
runtimes torch-distributed list
runtimes list torch-distributed
runtimes show
runtimes show torch-distribted
releases v9
releases -o markdown v2.3
codes lst
codes list JSC101
codes explain
codes explain JSC999
schema TrainJb
schema
completion
completion fsh
fn
lsp --nope
lsp
lsp --trainer-version v9
lsp --kubernetes-version 1.9
lsp job.yaml
report
passes nothing
"""
FILES = {
    "job.yaml": JOB,
    "runtime.yaml": RUNTIME,
    "a/job.yaml": JOB,
    "b/job.yaml": JOB,
    "key": "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    "key.pub": "nothing\n",
    "list.yaml": "- a\n",
    "unknown.yaml": "uids: a\n",
    "uid.yaml": "uid: 3\n",
    "classes.yaml": "priorityClasses: high\n",
    "gates.yaml": "featureGates: [A]\n",
    "bad-extension.yaml": "extensions: [mpi]\n",
    "bad-validate.yaml": "validate: lax\n",
    "bad-code.yaml": "ignore: [JSC99]\n",
    "bad-fail-on.yaml": "fail-on: info\n",
}


def test_what_is_said(here: Here, snapshot: SnapshotAssertion) -> None:
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    said = []
    for line in WRONG.splitlines():
        code, out, err = here(*shlex.split(line))
        assert (code, out) == (2, ""), (line, code, out, err)
        said.append(f"$ {line}\n{err}")
    assert "".join(said) == snapshot


@pytest.mark.parametrize("words", [("releases", "v2.0"), ("passes",), ("runtimes",)], ids=" ".join)
def test_what_there_is(words: tuple[str, ...], snapshot: SnapshotAssertion) -> None:
    """What these verbs list; `passes` without what other distributions bring."""
    code, out, err = run_here(*words, *(("--no-plugins",) if words == ("passes",) else ()))
    assert (code, err) == (0, "")
    assert out == snapshot
