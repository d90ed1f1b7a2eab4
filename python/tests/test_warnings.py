"""What the program warns of is a Python warning, in ``warnings`` of the result, and in its HTML."""

import pathlib
import subprocess
import sys
import warnings
from typing import Any

import pytest

import routh
from routh import _warnings

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# At 45 degrees, held by nothing.
TEXT = """\
title: Let go
gravity: [0, 0, -9.81]
bodies: {bob: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.7, 0, -0.7]}}
joints: {hinge: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}}
"""


def let_go() -> routh.Model:
    return routh.Model.parse(TEXT, "let-go.yaml")


def test_a_point_out_of_balance_is_told() -> None:
    m = let_go()
    with pytest.warns(routh.NotSteadyWarning, match="the operating point is not in equilibrium") as told:
        linear = m.linearize("given")
    assert len(told) == 1 and told[0].filename == __file__
    text = str(told[0].message)
    assert linear.warnings == (text,) and text in linear.table() and linear.json()["warnings"] == [text]
    assert "not in equilibrium" in linear._repr_html_()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        modes = linear.modes()  # it was told
    assert text in modes.warnings and "not in equilibrium" in modes._repr_html_()


def test_a_point_in_balance_is_not() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        linear = let_go().linearize("static")
        assert linear.warnings == linear.modes().warnings == ()
        assert "Warning" not in linear._repr_html_()


def test_warnings_are_filtered_by_their_class() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", routh.NotSteadyWarning)
        with pytest.raises(routh.NotSteadyWarning):
            let_go().linearize("given")
        warnings.simplefilter("ignore", routh.Warning)
        warnings.simplefilter("error", UserWarning, append=True)
        let_go().linearize("given")


def test_states_that_are_dropped_are_told_once() -> None:
    m = routh.template("pendulum-chain", n=2)
    with pytest.warns(routh.LinearWarning) as told:
        linear = m.linearize(states=["rod_1.x", "rod_1.ry", "rod_2.x"])
    assert not any(issubclass(w.category, routh.NotSteadyWarning) for w in told)
    assert {str(w.message) for w in told} == set(linear.warnings)


def test_a_defective_eigenvalue_is_told() -> None:
    m = routh.Model()
    b = m.body("b", mass=1, inertia=[1, 1, 1])
    m.translational("rail", b, m.ground, at=[0, 0, 0], axis="x")
    m.force("damper", b, components=["-DX(b) - 2*VX(b)", 0, 0])
    linear = m.linearize("given")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        modes = linear.modes()
    assert [str(w.message) for w in told] == [t for t in modes.warnings if t not in linear.warnings]
    assert all(w.category is routh.ModesWarning for w in told)


def test_parameters_without_derivatives_are_told() -> None:
    m = routh.Model.read(SOURCE / "examples/rotor-stator.yaml")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = m.sensitivity()
    own = [str(w.message) for w in told if w.category is routh.SensitivityWarning]
    assert own == list(found.warnings)


@pytest.mark.parametrize("name", ["blade-segments", "three-bladed-rotor", "humanoid", "crank-slider"])
def test_they_are_those_of_the_program(program: str, name: str, tmp_path: pathlib.Path) -> None:
    path = SOURCE / f"examples/{name}.yaml"
    for file in (path, tmp_path / "let-go.yaml"):
        if file != path:
            file.write_text(TEXT)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            modes = routh.Model.read(file).linearize().modes()
        run = subprocess.run([program, "modes", str(file)], capture_output=True, text=True, check=True)
        printed = [line.split(None, 1)[1] for line in run.stdout.splitlines() if line.startswith("warning ")]
        assert printed == list(modes.warnings) and (file == path or len(printed) == 1)


def test_every_class_is_a_warning_and_public() -> None:
    for name in _warnings.__all__:
        kind: Any = getattr(routh, name)
        assert issubclass(kind, routh.Warning) and issubclass(kind, UserWarning) and name in routh.__all__
    assert issubclass(routh.InterruptedWarning, RuntimeWarning)
    assert issubclass(routh.NotSteadyWarning, routh.LinearWarning)


def test_the_line_is_that_of_the_caller() -> None:
    code = f"import routh\nm = routh.Model.parse({TEXT!r})\n\nm.linearize('given')\n"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "<string>:4: NotSteadyWarning: the operating point is not in equilibrium" in run.stderr
