"""Checks, verifications, attributions, realizations, comparisons, branches."""

import pathlib
import subprocess
from typing import Any

import numpy as np
import pytest

import routh


def printed(*command: object) -> str:
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def without_figures(text: str) -> list[list[str]]:
    """The words of the lines: times and what is of rounding size are not alike in two processes."""
    return [[w for w in line.split() if not w[0].isdigit()] for line in text.splitlines()]


def agrees(row: object, saved: dict[str, Any]) -> bool:
    """Every number and text of the JSON is an attribute with that value; null is NaN, infinite or an empty text."""
    for name, value in saved.items():
        found = getattr(row, name)
        if value is None:
            alike = found == "" or not np.isfinite(found)
        elif isinstance(value, list):
            parts = [np.nan if part is None else part for part in value]
            alike = np.array_equal([found.real, found.imag], parts, equal_nan=True)
        else:
            alike = found == value
        assert alike, f"{name}: {found!r} is not {value!r}"
    return True


def test_rows_have_the_values_of_the_json(examples: pathlib.Path) -> None:
    model = routh.Model.read(examples / "slider-pendulum.yaml")
    check = model.check()
    saved = check.json()
    assert len(check.cells) == len(saved["cells"]) > 10
    assert all(map(agrees, check.cells, saved["cells"]))
    assert all(map(agrees, check.findings.values(), saved["answers"]))
    assert {cell.verdict for cell in check.cells if cell.state == "reference"} == {"yes"}
    verification = model.linearize().modes().verify()
    assert all(map(agrees, verification.modes, verification.json()["modes"]))
    assert all(m.damped_frequency_hz > 0 for m in verification.modes)


def test_a_sound_model_passes_its_check(program: str, examples: pathlib.Path) -> None:
    file = examples / "slider-pendulum.yaml"
    check = routh.Model.read(file).check()
    assert check and check.verdict == "yes"
    assert all(check.findings.values())
    assert check.degrees_of_freedom == 2
    assert {cell.coordinates for cell in check.cells} == set(routh.COORDINATES)
    assert [cell.state for cell in check.cells].count("reference") == 1
    assert (check.digits >= 6).all()
    told = printed(program, "check", file)
    assert len(without_figures(told)) > 40
    assert without_figures(check.table()) == without_figures(told)


def test_a_check_that_cannot_tell_is_not_true(examples: pathlib.Path) -> None:
    check = routh.Model.read(examples / "slider-pendulum.yaml").check(tolerance=1e-30)
    assert check.verdict == "cannot tell" and not check
    assert check.findings["rank"] and not check.findings["agreement"]
    assert "cannot tell" in {cell.verdict for cell in check.cells if cell.state == "compared"}


def test_simulated_motion_verifies_the_modes(examples: pathlib.Path) -> None:
    modes = routh.Model.read(examples / "slider-pendulum.yaml").linearize().modes()
    verification = modes.verify(seed=3)
    assert verification.n_contradicted == 0 and verification.n_confirmed >= 1
    assert verification._c.seed == 3
    confirmed = [m for m in verification.modes if m.verdict == "confirmed"]
    assert all(m.distance <= 1 for m in confirmed)
    assert all(abs(m.found - m.eigenvalue) <= 1e-2 * abs(m.eigenvalue) for m in confirmed)
    assert np.array_equal(verification.spectrum, verification.json()["spectrum"]["amplitude"])
    assert "confirmed" in verification.table()


def test_attribution_sums_to_what_it_explains(rotor: routh.Model) -> None:
    modes = rotor.linearize().modes()
    parts = modes.attribution()
    moving = ~modes.rigid.astype(bool)
    assert parts.kinetic.shape == (len(modes), len(parts.elements))
    assert np.allclose(parts.kinetic[moving].sum(axis=1), 1, atol=1e-10)
    assert parts.frequency.shape[2] == 4
    assert np.allclose(parts.frequency[moving].sum(axis=(1, 2)), 1, atol=1e-8)
    assert np.allclose(
        parts.damping[moving].sum(axis=(1, 2)), modes.damping_ratio[moving], rtol=1e-6
    )
    assert (parts.closure[moving] <= 1e-8).all()
    simple = moving & (modes.multiplicity == 1)
    assert np.allclose(parts.participation[simple].sum(axis=1), 1, atol=1e-8)


def test_tables_of_answers_are_the_programs(program: str, examples: pathlib.Path) -> None:
    file = examples / "cart-pendulum-lqr.yaml"
    modes = routh.Model.read(file).linearize().modes()
    assert modes.attribution().table() == printed(program, "modes", file, "--energies")
    assert modes.realization().table() == printed(program, "modes", file, "--realization")
    with pytest.raises(routh.BadArgumentError):
        routh.template("pendulum-chain", n=2).linearize().modes().realization()


def test_realization_counts_inputs_and_outputs(examples: pathlib.Path) -> None:
    linear = routh.Model.read(examples / "cart-pendulum-lqr.yaml").linearize()
    found = linear.modes().realization().modes
    assert len(found) == linear.n_states
    for mode in found:
        assert mode.input.each.shape == (linear.n_inputs,)
        assert mode.output.each.shape == (linear.n_outputs,)


def test_parts_of_a_change_sum_to_it() -> None:
    soft, stiff = (
        routh.template("pendulum-chain", n=3, k=k).linearize().modes() for k in (1.0, 1.5)
    )
    comparison = soft.compare(stiff)
    assert len(comparison.pairs) == 3
    assert all(a.size == 0 for a in comparison.alone)
    for pair, parts, hz in zip(
        comparison.pairs, comparison.eigenvalue_parts, comparison.frequency_parts
    ):
        first, second = pair.eigenvalue
        assert abs(first - soft.eigenvalues[pair.mode[0]]) <= 1e-12 * abs(first)
        assert abs(second - stiff.eigenvalues[pair.mode[1]]) <= 1e-12 * abs(second)
        assert abs(parts.sum() - (second - first)) <= 1e-9 * abs(first)
        change = (
            stiff.undamped_frequency_hz[pair.mode[1]] - soft.undamped_frequency_hz[pair.mode[0]]
        )
        assert change > 0
        assert hz.sum() == pytest.approx(change, rel=1e-6)
    assert "load" in comparison.table()


def test_what_needs_the_mechanism_says_so(chain: routh.Model, tmp_path: pathlib.Path) -> None:
    chain.linearize().save(tmp_path / "chain.npz")
    modes = routh.load(tmp_path / "chain.npz").modes()
    assert len(modes.table().splitlines()) > 5
    for ask in (modes.attribution, modes.verify, lambda: modes.compare(modes)):
        with pytest.raises(ValueError, match="read from a file"):
            ask()


def test_a_plain_configuration_has_no_branches(chain: routh.Model) -> None:
    branches = chain.equilibrium().branches()
    assert not branches.singular and branches.branches == ()
    assert branches.degrees_of_freedom == branches.nearby == 5
