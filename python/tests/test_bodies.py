"""Flexible bodies from finite-element programs."""

import pathlib
import subprocess

import numpy as np
import pytest

import routh


def link(examples: pathlib.Path, **options: object) -> routh.Reduced:
    folder = examples / "flexible"
    return routh.reduce(
        folder / "link.sti",
        folder / "link.mas",
        nodes=folder / "link.inp",
        length_unit=1e-3,
        mass_unit=1e3,
        **options,  # type: ignore[arg-type]
    )


def test_a_body_is_that_of_the_program(
    program: str, examples: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    body = link(examples, interfaces={1001: "LEFT", 1002: "RIGHT"}, modes=8)
    folder = examples / "flexible"
    command = f"""reduce {folder}/link.sti {folder}/link.mas --nodes {folder}/link.inp --length-unit mm
        --mass-unit t --interface 1001=LEFT --interface 1002=RIGHT --modes 8"""
    told = subprocess.run(
        [program, *command.split()], capture_output=True, text=True, check=True
    ).stdout
    assert [line[:20] for line in body.table().splitlines()] == [
        line[:20] for line in told.splitlines()
    ]
    assert body.mass == pytest.approx(0.1872)
    assert body.n_normal == 8 and len(body.frequencies) == 14
    assert np.abs(body.inertia - body.inertia.T).max() <= 1e-12
    body.save(tmp_path / "link.json")
    assert (tmp_path / "link.json").read_text() == body.text()


def test_interfaces_of_nodes_and_of_their_mean(examples: pathlib.Path) -> None:
    plain = link(examples, modes=4)
    assert len(plain.frequencies) == 4 and plain.n_normal == 4
    lines = (examples / "flexible" / "link-frequencies.txt").read_text().splitlines()
    calculix = [float(w[3]) for w in map(str.split, lines) if len(w) == 5 and w[0].isdigit()]
    assert np.allclose(plain.frequencies, calculix[6:10], rtol=1e-6)  # six digits are printed
    mean = link(examples, interfaces={1001: [1, 2, 3, 4]}, modes=2)
    assert len(mean.frequencies) >= 2
    with pytest.raises(routh.Error, match="999"):
        link(examples, interfaces=[999], modes=2)
