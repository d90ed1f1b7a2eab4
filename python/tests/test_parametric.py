"""Parameters that are set again and again give what a model gives that is read with their values."""

from __future__ import annotations

import math
import pathlib

import numpy as np
import pytest

import routh

TEXT = """
parameters: {m: 2, k: 50, half: k/2, x: 0.1}
inputs: {f: 0}
bodies: {a: {mass: m, inertia: [1, 1, 1], position: [x, 0, 0]}}
markers: {w: {body: ground, position: [-1, 0, 0]}}
joints: {s: {type: translational, between: [a, ground], at: [x, 0, 0], axis: x}}
loads:
  spring: {type: spring, between: [a, w], stiffness: 2*half, damping: 0.1}
  push: {type: force, on: a, components: [f, 0, 0]}
outputs: {y: "VX(a)"}
"""


@pytest.mark.parametrize("coordinates", routh.COORDINATES)
@pytest.mark.parametrize("extended", [False, True])
def test_values_give_what_reading_gives(coordinates: str, extended: bool) -> None:
    p = routh.Model.parse(TEXT).parametric(["m", "k", "x"], coordinates=coordinates, extended=extended)
    for m, k, x in (2.0, 50.0, 0.1), (2.0, 60.0, 0.1), (3.0, 60.0, 0.1), (3.0, 60.0, 0.4), (2.0, 50.0, 0.1):
        p.set({"m": m, "k": k, "x": x})
        settings = {"m": m, "k": k, "x": x}
        model = routh.Model.parse(TEXT, **settings)
        linear = model.linearize(coordinates=coordinates, extended=extended, shares=False, markers=False)
        assert np.array_equal(p.eigenvalues, linear.modes().eigenvalues)
        for name in "ABCD":
            assert np.array_equal(getattr(p, name), getattr(linear, name)), name


def test_what_is_set_is_read_back() -> None:
    p = routh.Model.parse(TEXT).parametric(["k", "half"])
    assert p.parameters == ("k", "half") and len(p) == 2 and list(p) == ["k", "half"]
    assert (p["k"], p["half"]) == (50.0, 25.0)
    p["half"] = 40
    assert p["half"] == 40.0 and p.is_number("half")
    assert p.eigenvalues.imag.max() == pytest.approx(math.sqrt(40 - 0.025**2), rel=1e-12)
    assert "k, half" in repr(p)


def test_what_is_wrong_is_refused_and_passes() -> None:
    model = routh.Model.parse(TEXT)
    with pytest.raises(routh.BadArgumentError, match="'stiffness' is not a parameter"):
        model.parametric(["stiffness"])
    with pytest.raises(routh.UnknownNameError, match="there is no parameter 'c'"):
        model.parametric(["k"])["c"] = 1.0
    p = model.parametric(["m"])
    assert not model.parametric(["x"]).is_number("x")
    before = p.eigenvalues
    with pytest.raises(routh.BadArgumentError, match="must be a finite number"):
        p["m"] = math.nan
    p["m"] = -1
    with pytest.raises(routh.ModelError, match="must not be negative"):
        p.eigenvalues
    p["m"] = 2
    assert np.array_equal(p.eigenvalues, before)


def test_arrays_are_copies() -> None:
    p = routh.Model.parse(TEXT).parametric(["k"])
    first, kept = p.A, p.A.copy()
    p["k"] = 70
    assert not np.array_equal(p.A, kept)
    assert np.array_equal(first, kept)


def test_the_model_may_go() -> None:
    p = routh.Model.parse(TEXT).parametric(["k"])
    p["k"] = 70
    assert p.eigenvalues.shape == (2,)


def test_parts_may_be_set(examples: pathlib.Path) -> None:
    model = routh.Model.read(examples / "car/car.yaml")
    p = model.parametric(["front_left.k"], extended=False)
    p["front_left.k"] = 65e3
    again = routh.Model.read(examples / "car/car.yaml", **{"front_left.k": 65e3})
    assert np.array_equal(p.eigenvalues, again.linearize(extended=False).modes().eigenvalues)
