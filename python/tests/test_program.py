"""The command routh that pip brings beside Python's own commands: the program itself."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

import routh

COMMAND = pathlib.Path(sys.executable).parent / "routh"
DATA = pathlib.Path(sys.prefix) / "share"
MODEL = """\
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5]}
joints:
  hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}
"""


def command(*args: object, **more: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([COMMAND, *map(str, args)], capture_output=True, text=True, check=False, **more)  # type: ignore


def test_it_is_there_and_of_the_same_version() -> None:
    done = command("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"routh {routh.__version__}\n", "")


def test_standard_input_statuses_and_messages_are_the_programs(tmp_path: pathlib.Path) -> None:
    done = command("modes", "-", input=MODEL)
    assert done.returncode == 0
    assert "rod 100 %" in done.stdout
    done = command("modes", tmp_path / "none.yaml")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")
    assert command("mode").returncode == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_it_as_it_ends_a_program(number: signal.Signals, tmp_path: pathlib.Path) -> None:
    """It reads a pipe that nobody fills; what was begun is what ends."""
    process = subprocess.Popen([COMMAND, "modes", "-"], stdin=subprocess.PIPE)
    while os.readlink(f"/proc/{process.pid}/exe").rpartition("/")[2] != "routh":
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait() == -number
    assert process.stdin is not None
    process.stdin.close()


def test_manual_and_completions_come_along() -> None:
    for name in (
        "man/man1/routh.1",
        "bash-completion/completions/routh",
        "zsh/site-functions/_routh",
        "fish/vendor_completions.d/routh.fish",
    ):
        assert (DATA / name).stat().st_size > 1000
    assert (DATA / "man/man1/routh.1").read_text() == command("man").stdout
