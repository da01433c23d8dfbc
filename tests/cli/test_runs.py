"""What a user sees who follows the help: commands one after another in one folder, with everything that each writes and its exit code.

Read the text below `__snapshots__`; `--snapshot-update` writes it.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler
from tests.cli.conftest import JOB, RUNTIME

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]

MPI = JOB.replace("name: train", "name: mpi").replace("torch-distributed", "deepspeed-distributed")
V1 = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: old
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: pytorch
            image: registry.example/train:1
"""
UNREADABLE = f"{JOB}---\na: [b\n---\nkind: ConfigMap\n"
WARNED = f"{JOB}  trainer:\n    image: <IMAGE>\n"
MENDABLE = f"# ü\n{JOB}  suspend: 'true'\n  trainer:\n    numNodes: '4' # four\n    env:\n    - name: API_TOKEN\n      valu: hf_secret\n"
FILES = {
    "job.yaml": JOB,
    "runtime.yaml": RUNTIME,
    "mine.yaml": JOB.replace("torch-distributed", "mine").replace("name: train", "name: train-mine"),
    "nodes.yaml": f"{JOB}  trainer:\n    numNodes: 3\n    resourcesPerNode:\n      limits:\n        nvidia.com/gpu: 2\n",
    "mpi.yaml": MPI,
    "wrong.yaml": f"{JOB.replace('torch-distributed', 'nothing')}---\n{JOB}  trainr: {{}}\n",
    "warned.yaml": WARNED,
    "unreadable.yaml": UNREADABLE,
    "mendable.yaml": MENDABLE,
    "v1.yaml": V1,
    "other.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}",
    "separated.yaml": "---\n# first\napiVersion: v1\nkind: Service\n",
    "empty.yaml": "",
    "facts.yaml": "uid: '1234'\npriorityClasses: [high]\nfeatureGates: {TrainJobStatus: true, Other: false}\nclusterDomain: example.org\n",
    "folder/a.yaml": JOB,
    "folder/b/c.yaml": JOB.replace("name: train", "name: second"),
    "folder/skipped.yaml": JOB.replace("name: train", "name: skipped"),
    "key": "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    "key.pub": "ssh-ed25519 AAAA\n",
    "settings.yaml": "trainer-version: v2.2\nnamespace: ml\nignore: [JSC802]\nexclude: ['**/skipped.yaml']\n",
}

RUNS = {
    "render": """\
render job.yaml
render job.yaml -o json
render job.yaml --form admitted
render folder -o name
render folder -o name --exclude '**/skipped.yaml' -n ml
render folder -o name --config settings.yaml
render mpi.yaml -o name
render mpi.yaml -o name --no-secrets
render mpi.yaml --ssh-key key -o name -v
render job.yaml --with-snapshot -o name
render mine.yaml -r runtime.yaml -o name
render mine.yaml
render mine.yaml --ignore-missing-runtime
render job.yaml --no-bundled-runtimes
render job.yaml --facts facts.yaml -o name -v
render job.yaml --feature-gate TrainJobStatus=true --feature-gate Other=False -o name
render v1.yaml -o name
render v1.yaml -o name --convert
render wrong.yaml -o name
render wrong.yaml -o name --validate ignore
render unreadable.yaml -o name
render warned.yaml -o name --fail-on warning
render warned.yaml -o name -q
render empty.yaml
render other.yaml -v
render job.yaml -o name --trainer-version 2.1 --jobset-version 0.10 --kubernetes-version 1.33
""",
    "output-dir": """\
render job.yaml --output-dir out --check
render job.yaml mpi.yaml --output-dir out --no-secrets
render job.yaml mpi.yaml --output-dir out --no-secrets
render nodes.yaml --output-dir out --check
render nodes.yaml --output-dir out --update
render nodes.yaml --output-dir out --update
render nodes.yaml --output-dir out -q
render nodes.yaml --output-dir out --form submitted
render wrong.yaml --output-dir out
render empty.yaml --output-dir out
""",
    "passthrough": """\
render --passthrough other.yaml job.yaml separated.yaml -v
render --passthrough runtime.yaml mine.yaml
render --passthrough --keep-runtimes runtime.yaml mine.yaml --form submitted
render --passthrough mpi.yaml --no-secrets
render --passthrough empty.yaml other.yaml empty.yaml other.yaml
render --passthrough unreadable.yaml
render --passthrough other.yaml missing.yaml
""",
    "check": """\
check job.yaml nodes.yaml runtime.yaml
check wrong.yaml warned.yaml unreadable.yaml
check wrong.yaml -q
check job.yaml -v
check warned.yaml --fail-on warning
check warned.yaml --error-on placeholder-left --color always
check wrong.yaml --ignore JSC201 --warn-on JSC103
check wrong.yaml warned.yaml --statistics
check wrong.yaml warned.yaml --statistics --color always
check wrong.yaml warned.yaml --statistics --format json
check wrong.yaml --statistics --format text=counted.txt --format json=counted.json
check wrong.yaml --format github
check job.yaml --format github -v
check job.yaml --format github
check wrong.yaml --format junit
check warned.yaml --format junit --fail-on warning
check wrong.yaml --format text=report.txt --format junit=-
check other.yaml folder missing.yaml
check other.yaml
check other.yaml --skip-unrelated
check --was job.yaml nodes.yaml
check --was nodes.yaml --was mine.yaml job.yaml mine.yaml -r runtime.yaml
check --was unreadable.yaml wrong.yaml
check --was folder folder -v
""",
    "fix": """\
check --diff mendable.yaml
check --diff --unsafe-fixes mendable.yaml
check --diff job.yaml
check --diff unreadable.yaml missing.yaml
check --fix mendable.yaml
check --fix mendable.yaml
check --fix --unsafe-fixes mendable.yaml -q
check --fix mendable.yaml --format json=fixed.json
""",
    "explain": """\
explain job.yaml
explain nodes.yaml --names
explain nodes.yaml --gitops --color always
explain nodes.yaml mpi.yaml --ignore-differences
explain nodes.yaml mpi.yaml -o mermaid
explain nodes.yaml mpi.yaml --field spec.trainer.numNodes
explain --line nodes.yaml:9
explain --line ./nodes.yaml:9 --line mpi.yaml:7 -o json
explain nodes.yaml --names -o json
explain wrong.yaml
explain unreadable.yaml
""",
    "expand": """\
expand job.yaml
expand mpi.yaml nodes.yaml -o name
expand mpi.yaml -o name --now
expand mpi.yaml -o name -q
expand wrong.yaml
expand unreadable.yaml
""",
    "migrate": """\
migrate v1.yaml
migrate other.yaml separated.yaml empty.yaml job.yaml
migrate empty.yaml other.yaml
migrate v1.yaml job.yaml --check
migrate job.yaml --check
migrate v1.yaml wrong.yaml --check
migrate v1.yaml folder --output-dir out --exclude '**/skipped.yaml'
migrate v1.yaml --runtime torch-distributed --manager me.example/x --no-v1-env --keep-ttl --keep-backoff
migrate v1.yaml wrong.yaml --write
migrate v1.yaml --write -q
migrate v1.yaml --write
migrate missing.yaml
migrate mine.yaml -r runtime.yaml
migrate unreadable.yaml
""",
    "diff": """\
diff job.yaml nodes.yaml
diff job.yaml job.yaml folder
diff job.yaml nodes.yaml --color always
diff job.yaml nodes.yaml -o unified
diff job.yaml nodes.yaml -o markdown
diff job.yaml nodes.yaml -o json
diff job.yaml nodes.yaml --output-file out.txt --color always
diff job.yaml empty.yaml
diff job.yaml wrong.yaml
diff job.yaml wrong.yaml --color always -q
diff job.yaml missing.yaml
diff --from v2.2 job.yaml nodes.yaml
diff --from-jobset 0.10 --to-jobset 0.12 --trainer-version v2.2 job.yaml -o unified
diff --to v2.0 --jobset-version 0.10 job.yaml
""",
    "others": """\
runtimes --trainer-version v2.0
runtimes show torch-distributed --trainer-version v2.0
runtimes list --extension tensorflow --no-plugins
runtimes show mpi --extension tensorflow
runtimes show tensorflow-distributed
codes 201 unknown-field
codes explain jsc103
schema TrainJob --validate job.yaml --validate wrong.yaml
schema TrainJob --validate wrong.yaml --lenient --validate missing.yaml
schema trainjob --validate empty.yaml --validate unreadable.yaml
completion --candidates ren
completion --candidates --fail -- check
report wrong.yaml -o report.html
report missing.yaml -o report.html
""",
}


def said_of(data: bytes | None) -> str:
    """What has become of a file: all of a short one."""
    if data is None:
        return "is gone"
    text = data.decode()
    return f"is now\n{text}" if text.count("\n") <= 20 else f"has many lines now: {text.partition(chr(10))[0]}"


@pytest.mark.parametrize("name", RUNS)
def test_runs(here: Here, name: str, snapshot: SnapshotAssertion) -> None:
    for file, text in FILES.items():
        Path(file).parent.mkdir(exist_ok=True, parents=True)
        Path(file).write_text(text)
    told = []
    for line in RUNS[name].splitlines():
        before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
        code, out, err = here(*shlex.split(line))
        told.append(f"$ {line}\n{out}{'' if out.endswith(chr(10)) or not out else '(no line end)' + chr(10)}")
        told += [f"! {text}\n" for text in err.splitlines()]
        now = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
        for path in sorted(before.keys() | now.keys()):
            if before.get(path) != now.get(path):
                told.append(f"> {path.as_posix()} {said_of(now.get(path))}\n")
        told.append(f"= {code}\n\n")
    assert "".join(told).replace(jobset_compiler.__version__, "VERSION") == snapshot
