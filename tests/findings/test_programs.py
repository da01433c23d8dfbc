"""What the words of a command start, read as a person would read them."""

from __future__ import annotations

import shlex

import pytest

from jobset_compiler.findings.programs import Flag, Program, base, read_words

OTHER, PYTHON, TORCHRUN = Program("other"), Program("python"), Program("torchrun")


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("", OTHER),
        ("./train.sh", OTHER),
        ("python", OTHER),  # reads its program from elsewhere
        ("python train.py", PYTHON),
        ("/usr/bin/python3.11 -u -OO train.py --epochs 3", PYTHON),
        ("python -X dev train.py", OTHER),
        ("python3 train.py.gz", OTHER),
        ("pythonic train.py", OTHER),
        ("my-python train.py", OTHER),
        ("python -c pass", OTHER),
        ("python -m", OTHER),
        ("python -m pkg.train", PYTHON),
        ("python -m accelerate.commands.launch train.py", OTHER),
        ("python -u -m torch.distributed.launch", TORCHRUN),
        ("python launch.py", OTHER),  # starts the processes itself, by its name
        ("python launch/train.py", PYTHON),  # a folder says nothing
        ("env A=1 B=2 time nohup exec python train.py", PYTHON),
        ("=1 python train.py", OTHER),
        ("1A=1 python train.py", OTHER),
        ("exec", OTHER),
        ("/opt/venv/bin/torchrun", TORCHRUN),
        ("torchrun train.py --nnodes=2", TORCHRUN),  # a flag of the script
    ],
)
def test_one_command(command: str, program: Program) -> None:
    assert read_words(shlex.split(command)) == program


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        ("--nnodes=2 --nproc-per-node 4 t.py", [Flag("nnodes", "2", 1), Flag("nproc_per_node", "4", 2)]),
        ("--standalone --nnodes 2 t.py --nnodes 3", [Flag("standalone", "", 1), Flag("nnodes", "2", 2)]),
        ("-m --nnodes 2", [Flag("m", "", 1)]),  # behind it the program's own words
        ("--module --nnodes 2", [Flag("module", "", 1)]),
        ("--no-python --run_path -h t.py", [Flag("no_python", "", 1), Flag("run_path", "", 2), Flag("h", "", 3)]),
        ("--rdzv-conf=a=b=c t.py", [Flag("rdzv_conf", "a=b=c", 1)]),
        ("--nnodes", [Flag("nnodes", "", 1)]),
        ("--nnodes= t.py", [Flag("nnodes", "", 1)]),
    ],
)
def test_flags_of_torchrun(words: str, flags: list[Flag]) -> None:
    assert read_words(["torchrun", *words.split()]) == Program("torchrun", tuple(flags))
    assert read_words(["nohup", "torchrun", *words.split()]).flags == tuple(Flag(flag.name, flag.value, flag.word + 1) for flag in flags)
    module = ["python", "-m", "torch.distributed.run", *words.split()]
    assert read_words(module).flags == tuple(Flag(flag.name, flag.value, flag.word + 2) for flag in flags)


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("python train.py", "python"),
        ("cd /x && pip install y; python train.py", "python"),
        ("python train.py\n# done\n\n", "python"),
        ("python prepare.py; ./train.sh", "other"),
        ("torchrun t.py || sleep 60", "torchrun"),
        ("python train.py --a \\\n --b", "python"),
        ("eval $(horovodrun); python train.py", "other"),
        ("export X=$PET_NNODES; python train.py", "other"),
        ("accelerate launch x; python train.py", "other"),
        ("cat <<E > train.py\nE\npython train.py", "other"),
        ("echo 'a; b'; python train.py", "other"),  # where a command ends cannot be told
        ("", "other"),
        ("\n;\n", "other"),
    ],
)
def test_scripts_of_a_shell(script: str, kind: str) -> None:
    for shell in ("sh", "/bin/bash"):
        assert read_words([shell, "-c", script]) == Program(kind, script=script)
        assert read_words([shell, "-e", "-xec", script]) == Program(kind, script=script)
        assert read_words([shell, script]) == OTHER, "the name of a file"
    assert read_words(["fish", "-c", script]) == OTHER


def test_flags_in_a_script_stand_where_the_script_stands() -> None:
    script = "set -e; exec torchrun --nnodes 2 t.py"
    assert read_words(["bash", "-x", "-c", script]) == Program("torchrun", (Flag("nnodes", "2", 3),), script)


@pytest.mark.parametrize(
    ("rest", "dropped"),
    [
        ((), ()),
        (("--",), ()),
        (("_",), ()),
        (("/bin/bash",), ()),
        (("bash",), ()),
        (("sh",), (3,)),
        (("--", "a"), (3, 4)),
        (("a", "b"), (3, 4)),
    ],
)
def test_words_behind_a_script(rest: tuple[str, ...], dropped: tuple[int, ...]) -> None:
    assert read_words(["/bin/bash", "-c", "python t.py", *rest]) == Program("python", (), "python t.py", dropped)
    for reading in ('exec "$@"', "echo $1", "echo ${2:-x}", "echo $*", "echo ${@}"):
        assert read_words(["/bin/bash", "-c", reading, *rest]).dropped == ()
    assert read_words(["/bin/bash", "-c", "echo $HOME", *rest]).dropped == dropped


@pytest.mark.parametrize("words", [("bash",), ("bash", "-c"), ("bash", "train.sh"), ("bash", "--rcfile", "x")])
def test_a_shell_without_a_script(words: tuple[str, ...]) -> None:
    assert read_words(list(words)) == OTHER


def test_the_program_of_a_path() -> None:
    assert [base(word) for word in ("a", "/a/b", "./b", "a/")] == ["a", "b", "b", ""]
