"""Derivatives of responses and of shapes, comparisons by parameters, certificates, joint space and sparsity."""

import pathlib
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import routh


@pytest.fixture(scope="module")
def car(examples: pathlib.Path) -> routh.Model:
    return routh.Model.read(examples / "quarter-car-active.yaml")


# ---- of responses ----------------------------------------------------------------------------


def test_derivatives_of_a_response_are_what_differences_come_to(car: routh.Model) -> None:
    hz = [0.4, 1.0, 3.0, 12.0]
    found = car.response("road", "travel", over=(0.1, 25)).sensitivity("k,c", hz=hz)
    assert found.parameters == ("k", "c") and found.by.shape == (2, 4, 1, 1)
    assert np.array_equal(found.hz, hz)

    def response(name: str, value: float) -> Any:
        other = car.with_settings(settings={name: value}).response("road", "travel", over=(0.1, 25))
        return other.sensitivity(["k"], hz=hz).H  # the same frequencies

    for p, name in enumerate(found.parameters):
        value, step = found.values[p], 1e-4 * found.values[p]
        slope = (response(name, value + step) - response(name, value - step)) / (2 * step)
        assert np.allclose(found.by[p], slope, rtol=1e-6)  # the error of the differences
        size = np.abs(found.H)
        assert np.allclose(found.magnitude_by[p], (found.H.conj() * found.by[p]).real / size, rtol=1e-10)
        assert np.allclose(found.phase_by[p], (found.by[p] / found.H).imag, rtol=1e-10)
        assert np.allclose(found.magnitude_effect[p], value * found.magnitude_by[p] / size, rtol=1e-10)


def test_peaks_move_as_said(car: routh.Model) -> None:
    response = car.response("road", "travel", over=(0.1, 25))
    found = response.sensitivity("k")
    assert len(found.hz) == len(response.hz)
    assert len(found.peaks) == len(response.channels[0].peaks)
    peak = max(found.peaks, key=lambda p: p.magnitude)
    step = 1e-3 * found.values[0]
    near = []
    for value in (found.values[0] - step, found.values[0] + step):
        other = car.with_settings(k=value).response("road", "travel", over=(0.1, 25)).channels[0]
        near.append((other.largest_hz, other.largest))
    (hz0, size0), (hz1, size1) = near
    assert peak.hz_by[0] == pytest.approx((hz1 - hz0) / (2 * step), rel=1e-3)
    assert peak.magnitude_by[0] == pytest.approx((size1 - size0) / (2 * step), rel=1e-4)
    assert peak.hz_effect[0] == pytest.approx(found.values[0] * peak.hz_by[0] / peak.hz, rel=1e-12)


def test_a_band_holds_what_parameters_scatter() -> None:
    """One mass: |H| and phase of 40 000 pairs of k and c drawn in numpy; and the corners of intervals."""
    m = routh.Model("oscillator")
    k, c = m.parameter("k", 50.0), m.parameter("c", 3.0)
    block = m.body("block", mass=2, inertia=[1, 1, 1])
    m.translational("rail", block, m.ground, axis="x")
    push = m.input("push")
    m.force("push_it", on=block, components=[f"{push} - {k}*DX({block}) - {c}*VX({block})", 0, 0])
    m.output("x", f"DX({block})")
    response = m.response("push", "x", over=(0.1, 3, 9))
    by = response.sensitivity("k,c")
    w = 2 * np.pi * by.hz

    def gain(stiffness: Any, damping: Any) -> Any:
        return 1 / (stiffness - 2 * w**2 + 1j * w * damping)

    random = np.random.default_rng(3)
    draws = gain(50 + 0.5 * random.standard_normal((40000, 1)), 3 + 0.05 * random.standard_normal((40000, 1)))
    band = by.band({"k": 0.5, "c": 0.05})
    assert np.allclose(band.magnitude[:, 0, 0], np.abs(draws).std(axis=0), rtol=0.03)
    assert np.allclose(band.phase[:, 0, 0], np.angle(draws / gain(50, 3)).std(axis=0), rtol=0.03)
    assert np.allclose(band.low[:, 0, 0] * band.high[:, 0, 0], np.abs(gain(50, 3)) ** 2)
    corners = np.abs([gain(50 + a * 1e-3, 3 + b * 1e-4) for a in (-1, 1) for b in (-1, 1)])
    worst = by.band({k: 1e-3, "c": 1e-4}, worst=True)
    assert np.allclose(worst.high[:, 0, 0], corners.max(axis=0), rtol=1e-8)
    assert np.allclose(worst.low[:, 0, 0], corners.min(axis=0), rtol=1e-8)
    assert np.array_equal(by.band({}).low, by.band({}).high)
    with pytest.raises(routh.UnknownNameError, match="kk"):
        by.band({"kk": 1})
    with pytest.raises(routh.BadArgumentError, match="not negative"):
        by.band({"k": -1})


def test_derivatives_of_a_response_as_tables(car: routh.Model) -> None:
    found = car.response("road", "travel", over=(0.5, 5, 4)).sensitivity("k,c")
    assert "travel" in found.table() and "k" in found.csv().splitlines()[0] + found.csv()
    assert found.json()
    columns = found.columns()
    assert {len(column) for column in columns.values()} == {8}
    if find_spec("xarray"):
        data = found.to_xarray()
        assert dict(data.sizes) == {"parameter": 2, "hz": 4, "output": 1, "input": 1}
        assert complex(data.by.sel(parameter="c")[2, 0, 0]) == found.by[1, 2, 0, 0]
    assert "2 parameters" in repr(found)
    with pytest.raises(routh.BadArgumentError):
        car.response("road", "travel", over=(0.5, 5, 4)).sensitivity("kk")


# ---- of shapes -------------------------------------------------------------------------------


def test_derivatives_of_shapes_are_what_differences_come_to() -> None:
    chain = routh.template("pendulum-chain", n=3, k=2.0)
    found = chain.shape_sensitivity("k,l")
    assert found.shape_by.shape == (2, 3, found.modes.linear.n_states)
    assert len(found.held) == 3 and found.held[0]
    for p, name in enumerate(found.parameters):
        step = 1e-5 * found.values[p]
        ends = [
            chain.with_settings(settings={name: found.values[p] + side * step}).linearize().modes() for side in (-1, 1)
        ]
        for k, place in enumerate(found.index):
            low, high = (modes.right_vectors[:, place] for modes in ends)
            assert np.allclose(found.shape_by[p, k], (high - low) / (2 * step), atol=1e-6 * np.abs(low).max() / found.values[p])
            slope = (ends[1].eigenvalues[place] - ends[0].eigenvalues[place]) / (2 * step)
            assert found.eigenvalue_by[p, k] == pytest.approx(slope, rel=1e-6)
    columns = found.columns()
    assert {len(column) for column in columns.values()} == {found.shape_by.size}
    assert len(chain.shape_sensitivity("k", modes=[2]).index) == 1
    if find_spec("xarray"):
        data = found.to_xarray()
        assert complex(data.shape_by.sel(parameter="l")[1, 2]) == found.shape_by[1, 1, 2]


# ---- of matrices -----------------------------------------------------------------------------


def test_derivatives_of_matrices_are_what_differences_come_to(car: routh.Model) -> None:
    linear = car.linearize()
    found = linear.sensitivity("k,body_mass")
    for p, (name, value) in enumerate(zip(found.parameters, found.values)):
        step = 1e-4 * value
        low, high = (car.with_settings(settings={name: value + side * step}).linearize() for side in (-1, 1))
        for matrix in ("A", "B", "B1", "C", "D", "mass", "damping", "stiffness", "coupling", "force"):
            slope = (getattr(high, matrix) - getattr(low, matrix)) / (2 * step)
            exact = getattr(found, matrix)[p]
            assert exact.shape == getattr(linear, matrix).shape
            assert np.allclose(exact, slope, rtol=1e-6, atol=1e-9 * np.abs(getattr(linear, matrix)).max() / value)
    columns = found.columns()
    assert {len(column) for column in columns.values()} == {sum(int(np.count_nonzero(getattr(found, m)))
                                                               for m in set(columns["matrix"]))}
    assert "Derivatives by k" in found.table() and "dA/dk" in found.csv()
    assert found.json()["derivatives"]["parameters"][0]["parameter"] == "k"
    assert "2 parameters" in repr(found)
    with pytest.raises(routh.BadArgumentError):
        linear.sensitivity("kk")


# ---- compared by parameters ------------------------------------------------------------------


def test_a_change_is_shared_out_by_parameters() -> None:
    chain = routh.template("pendulum-chain", n=3, k=1.0)
    comparison = chain.compare(versus={"k": 1.5, "l": 1.1})
    assert comparison.parameters == ("k", "l")
    assert np.array_equal(comparison.parameter_values[1], [1.5, 1.1])
    for pair, parts, hz in zip(
        comparison.pairs, comparison.eigenvalue_by_parameter, comparison.frequency_by_parameter
    ):
        first, second = pair.eigenvalue
        assert abs(parts.sum() - (second - first)) <= 1e-6 * abs(first)  # the quadrature
        assert abs(pair.parameters_left) <= 1e-6
        assert hz[0] > 0 > hz[1]  # stiffer is faster, longer is slower
    assert "k" in comparison.table() and comparison.json()
    rows = {len(column) for column in comparison.columns().values()}
    assert rows == {3 * (len(comparison.terms) + 2)}
    plain = chain.compare(chain.with_settings(k=1.5))
    assert plain.parameters == () and all(np.isnan(p.parameters_left) for p in plain.pairs)
    with pytest.raises(TypeError, match="versus"):
        chain.compare()


def test_what_goes_wrong_between_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = routh.template("pendulum-chain", n=2)
    whole = routh.Model.with_settings
    calls = []

    class Broken(Exception):
        pass

    def with_settings(self: routh.Model, **options: Any) -> routh.Model:
        calls.append(options)
        if len(calls) == 3:
            raise Broken
        return whole(self, **options)

    monkeypatch.setattr(routh.Model, "with_settings", with_settings)
    with pytest.raises(Broken):
        chain.compare(versus={"l": 1.1})
    assert len(calls) == 3


# ---- certificates ----------------------------------------------------------------------------


def test_eigenvalues_are_proved() -> None:
    model = routh.Model("Oscillator")
    model.parameter("k", 8)
    mass = model.body("mass", mass=2, inertia=[1, 1, 1])
    model.translational("slide", mass, model.ground, at=[0, 0, 0], axis="x")
    model.force("spring", mass, components=["-k*DX(mass) - 0.5*VX(mass)", 0, 0])
    model.set_operating_point("static")
    try:
        found = model.certify(digits=30)
    except routh.NotSupportedError as refused:
        if "FLINT" in str(refused):
            pytest.skip(str(refused))
        raise
    assert found.stable is True
    assert [e.multiplicity for e in found.eigenvalues] == [1, 1]
    exact = complex(-0.125, np.sqrt(4 - 0.125**2))
    for e in found.eigenvalues:
        assert abs(e.value.real - exact.real) <= e.reach[0] + 1e-15
        assert abs(abs(e.value.imag) - exact.imag) <= e.reach[1] + 1e-15
        assert e.real.startswith("-0.125") or e.real.startswith("[-0.125")
        assert e.polynomial and "16" in e.polynomial  # 4 s^2 + s + 16
    assert "0.125" in found.table() and found.json()
    assert len(found.columns()["value"]) == 2
    assert model.certify(k=-8).stable is False


# ---- joint space -----------------------------------------------------------------------------


def test_joint_space_is_the_linear_model_in_joint_coordinates() -> None:
    chain = routh.template("pendulum-chain", n=4)
    mechanism = chain.mechanism("relative")
    space = mechanism.joint_space()
    assert (space.n_q, space.n_u) == (4, 4) and all(space.angles) and len(set(space.bodies)) == 4
    point = mechanism.operating_point()
    q, u, udot = space.start(point)
    A, B = space.evaluate(q, u, udot)
    assert A.shape == (8, 8) and B.shape == (8, 4)
    mine = np.sort_complex(np.linalg.eigvals(A))
    others = np.sort_complex(chain.linearize().modes().eigenvalues)
    assert np.allclose(np.sort(np.abs(mine)), np.sort(np.abs(others)), rtol=1e-8)
    # at rest u' is linear in tau, and B is how
    tau = np.array([0.3, -0.1, 0.2, 0.05])
    assert np.allclose(space.accelerations(q, u), 0, atol=1e-12)
    assert np.allclose(space.accelerations(q, u, tau), B[4:] @ tau, rtol=1e-9)
    # and u' of a little motion is that of A
    step = 1e-6
    for k in range(4):
        moved = q.copy()
        moved[k] += step
        back = q.copy()
        back[k] -= step
        slope = (space.accelerations(moved, u) - space.accelerations(back, u)) / (2 * step)
        assert np.allclose(slope, A[4:, k], atol=1e-6 * np.abs(A).max())
    with pytest.raises(ValueError, match="shape"):
        space.evaluate(q[:3], u)
    with pytest.raises(routh.NotSupportedError):
        chain.mechanism().joint_space()


# ---- sparsity --------------------------------------------------------------------------------


def test_patterns_are_where_entries_are() -> None:
    pytest.importorskip("scipy", reason="scipy is not installed")
    chain = routh.template("pendulum-chain", n=3)
    found = chain.equilibrium().sparsity()
    names = [pattern.name for pattern in found.patterns]
    assert {"M", "K", "G"} <= set(names)
    for pattern in found.patterns:
        assert pattern.matrix().shape == pattern.shape and pattern.matrix().nnz == pattern.n_entries == len(pattern.row)
        if pattern.factor_of is not None:
            assert pattern.shape[0] <= found.patterns[pattern.factor_of].shape[0]
    descriptor = chain.descriptor()
    E = found["E"].matrix()
    assert E.shape == descriptor.E.shape
    outside = descriptor.E.copy()
    outside[E.nonzero()] = 0
    assert np.abs(outside.toarray()).max() == 0  # nothing beyond the pattern
    assert found.svg().startswith("<svg") or "<svg" in found.svg()[:200]
    with pytest.raises(KeyError, match="no pattern .*there are: "):
        found["nothing"]
