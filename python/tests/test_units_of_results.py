"""Tables in units that are asked for are the program's with --units, to the byte."""

import pathlib
import re
import subprocess

import pytest

import routh

UNITS = "mm,kN,rpm,deg,km/h"


def printed(*command: object) -> str:
    words = [*map(str, command), "--units", UNITS]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def test_tables_are_the_programs(program: str, examples: pathlib.Path) -> None:
    for name in ("rotor-stator", "quarter-car-active"):
        file = examples / f"{name}.yaml"
        m = routh.Model.read(file)
        linear = m.linearize()
        assert linear.table(units=UNITS) == printed(program, "linearize", file)
        assert linear.modes().table(units=UNITS) == printed(program, "modes", file)
        assert m.operating_point().table(units=UNITS) == printed(program, "equilibrium", file)
        assert linear.table(units=None) == linear.table() != linear.table("mm")


def test_tables_of_studies_are_in_these_units(examples: pathlib.Path) -> None:
    rotor = routh.Model.read(examples / "rotor-stator.yaml")
    sweep = rotor.sweep({"spin": [0, 10, 20]}, speed="spin")
    assert "190.986" in sweep.table(units="rpm") and "190.986" not in sweep.table()
    compared = rotor.compare(versus={"k": 900})
    assert " Hz (+" in compared.table() or " Hz (-" in compared.table()
    assert re.search(r" rpm \([+-]", compared.table(units="rpm")) and " Hz (" not in compared.table(units="rpm")
    assert "0.0015532" in rotor.sensitivity().table(units="rpm")  # df/dkt of mode 6


def test_what_is_no_unit_is_refused(examples: pathlib.Path) -> None:
    modes = routh.Model.read(examples / "rotor-stator.yaml").linearize().modes()
    with pytest.raises(routh.BadArgumentError, match="did you mean Hz"):
        modes.table("hz")
    with pytest.raises(routh.BadArgumentError, match="mm and in are units of one kind"):
        modes.table("mm,in")
