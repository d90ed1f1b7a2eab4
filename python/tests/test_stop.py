"""Calls that are stopped on their way: by Ctrl-C, whichever thread the system gives it to, and by what the function that is told
of progress raises. Nothing here depends on how fast anything is: signals are sent from within the call, or to one that has no end."""

import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_studies import hear_interrupts

import routh

BEGIN = """
    import os, signal, sys, time
    import routh

    def main():
        chain = routh.template("pendulum-chain", n=3)
        point = chain.equilibrium()
        linear = chain.linearize(point)
        calls = {
            "equilibrium": chain.equilibrium,
            "operating_point": lambda **o: chain.operating_point("given", **o),
            "linearize": lambda **o: chain.linearize(point, **o),
            "difference": lambda **o: chain.linearize(point, method="difference", **o),
            "check": chain.check,
            "verify": linear.modes().verify,
            "search": lambda **o: chain.descriptor(point).modes(2, **o),
            "search_complex": lambda **o: chain.descriptor(point).modes(2, -1 + 2j, **o),
        }
"""


def script(code: str, *arguments: str) -> "subprocess.Popen[str]":
    whole = textwrap.dedent(BEGIN) + textwrap.indent(textwrap.dedent(code), "    ") + "\nmain()\n"
    return subprocess.Popen(
        [sys.executable, "-u", "-c", whole, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    )


def interrupted(code: str, *arguments: str) -> str:
    """What the script prints after its first line, at which it gets SIGINT."""
    import signal

    process = script(code, *arguments)
    assert process.stdout is not None and process.stderr is not None
    line = process.stdout.readline()
    assert line == "ready\n", process.stderr.read()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert "Traceback" not in err, err
    return out


@pytest.mark.parametrize(
    "call",
    ["equilibrium", "operating_point", "linearize", "difference", "check", "verify", "search", "search_complex"],
)
def test_ctrl_c_within_a_call_is_keyboard_interrupt(call: str) -> None:
    out = interrupted(
        """
        first = True

        def hold(done, all):
            nonlocal first
            if first:
                first = False
                print("ready")
                time.sleep(100)

        call = calls[sys.argv[1]]
        try:
            call(progress=hold)
        except KeyboardInterrupt:
            print("stopped", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        call()
        print("again")
        """,
        call,
    )
    assert out == "stopped True\nagain\n"


def test_ctrl_c_without_progress_reaches_a_call_that_has_no_end() -> None:
    out = interrupted(
        """
        try:
            print("ready")
            routh.template("pendulum-chain", n=1).linearize().modes().verify(duration=1e5)
        except KeyboardInterrupt:
            print("stopped")
        """
    )
    assert out == "stopped\n"


OTHERS = """
        import ctypes
        tgkill = ctypes.CDLL(None).tgkill

        def others():
            return [int(t) for t in os.listdir("/proc/self/task") if int(t) != os.getpid()]

        def send(done, all):
            if others() and not send.sent:  # not the main thread
                send.sent = True
                tgkill(os.getpid(), others()[-1], signal.SIGINT)

        send.sent = False
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are found in /proc")
def test_ctrl_c_in_a_thread_of_openmp_stops_a_call() -> None:
    process = script(
        OTHERS
        + """
        long = routh.template("pendulum-chain", n=100)
        try:
            for _ in range(3):  # the threads are there from the first on
                long.linearize(threads=4, progress=send)
        except KeyboardInterrupt:
            print("stopped", send.sent)
        print("end", send.sent)
        """
    )
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0 and "Traceback" not in err, err
    if out == "end False\n":
        pytest.skip("the library works with one thread here")
    assert out == "stopped True\nend True\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are found in /proc")
def test_ctrl_c_in_a_thread_of_openmp_stops_a_sweep() -> None:
    process = script(
        OTHERS
        + """
        sweep = chain.sweep({"l": [1 + 0.001 * k for k in range(400)]}, threads=4, progress=send, solve=False)
        print(sweep.interrupted, send.sent, sum(len(line.values) for line in sweep.lines) < 400)
        """
    )
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0 and "Traceback" not in err, err
    if out == "False False False\n":
        pytest.skip("the library works with one thread here")
    assert out == "True True True\n"


def test_ctrl_c_keeps_the_best_that_an_optimisation_has_found(examples: Any) -> None:
    process = script(
        """
        study = (
            "variables:\\n  k: {between: [10e3, 40e3]}\\n  c: {between: [300, 3000]}\\n"
            "goals:\\n  ride: {peak: acceleration, input: road, as: velocity, over: [0.3, 6], minimise: yes}\\n"
        )

        def send(evaluation, all):
            if evaluation == 3:
                os.kill(os.getpid(), signal.SIGINT)

        model = routh.Model.read(sys.argv[1])
        before = signal.getsignal(signal.SIGINT)
        try:
            best = model.optimise(study, progress=send)
        except routh.NotSupportedError as refused:
            print("refused", refused)
            return
        print(best.interrupted, best.end, best.n_evaluations, best.after <= best.before)
        print(signal.getsignal(signal.SIGINT) is before, model.optimise(study, evaluations=2).end)
        """,
        str(examples / "quarter-car-active.yaml"),
    )
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0 and "Traceback" not in err, err
    if out.startswith("refused"):
        pytest.skip(out)
    assert out == "True interrupted 3 True\nTrue limit of evaluations\n"


# ---- progress --------------------------------------------------------------------------------


class Enough(Exception):
    pass


def calls(chain: routh.Model) -> dict[str, Callable[..., Any]]:
    point = chain.equilibrium()
    return {
        "equilibrium": chain.equilibrium,
        "linearize": lambda **o: chain.linearize(point, **o),
        "check": chain.check,
        "verify": chain.linearize(point).modes().verify,
        "search": lambda **o: chain.descriptor(point).modes(2, **o),
    }


@pytest.mark.parametrize("name", ["equilibrium", "linearize", "check", "verify", "search"])
def test_what_a_progress_function_raises_stops_the_call(name: str) -> None:
    call = calls(routh.template("pendulum-chain", n=1 if name == "verify" else 3))[name]
    told: list[tuple[float, float]] = []
    call(progress=lambda done, all: told.append((done, all)))
    assert len(told) >= 3
    assert all(a[0] <= b[0] for a, b in zip(told, told[1:]))
    assert all(done <= every or every == 0 for done, every in told)
    n = len(told)

    def enough(done: float, every: float) -> None:
        told.append((done, every))
        if len(told) == n + 2:
            raise Enough

    with pytest.raises(Enough):
        call(progress=enough)
    assert len(told) == n + 2  # it was not asked again
    call()


def test_a_bar_is_drawn_and_cleared(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from routh import _watch

    monkeypatch.setattr(_watch, "PAUSE", 0.0)
    monkeypatch.setattr(_watch.time, "monotonic", iter(np.arange(0.0, 1e6)).__next__)
    routh.template("pendulum-chain", n=3).check(progress=True)
    routh.template("pendulum-chain", n=3).linearize(progress=True)
    err = capfd.readouterr().err
    assert "check [#" in err and "cells" in err
    assert "linearization" in err and "steps" in err
    assert err.endswith("\r\033[K")


def test_calls_in_other_threads_are_not_stopped_by_signals_to_the_main_one() -> None:
    chain = routh.template("pendulum-chain", n=3)
    told: list[float] = []
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(chain.linearize(progress=lambda d, a: told.append(d))))
    thread.start()
    thread.join()
    assert told and np.array_equal(results[0].A, chain.linearize().A)
