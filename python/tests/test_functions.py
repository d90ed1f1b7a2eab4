"""Functions of the caller in Python: forces, measures and constraints against the same written as expressions."""

import copy
import gc
import math
import pathlib
import pickle
import shutil
import subprocess
import threading
import warnings
import weakref

import numpy as np
import pytest

import routh
from routh.measures import DX, DZ, VX


def spring(x: float, v: float) -> float:
    return 700 * x + 900 * x**3 + 30 * abs(v) * v


def spring_gradient(x: float, v: float) -> "tuple[float, float]":
    return 700 + 2700 * x**2, 60 * abs(v)


def spring_hessian(x: float, v: float) -> "list[list[float]]":
    return [[5400 * x, 0.0], [0.0, math.copysign(60, v) if v else 0.0]]


def curve(x):
    return x * x / 2 + x * x * x / 10


EXPRESSIONS = {
    "spring": "(700*{0} + 900*{0}^3 + 30*abs({1})*{1})",
    "curve": "({0}^2/2 + {0}^3/10)",
}


def built(given: "str | None", velocity: float = 0.4) -> routh.Model:
    """A slider and a bead on a wire; given: None for expressions."""
    model = routh.Model("Slider and bead")
    model.gravity = (0, 0, -9.81)
    if given is None:

        def call(name):
            return lambda *x: routh.Expression(EXPRESSIONS[name].format(*(f"({each})" for each in x)))

        pull, wire = call("spring"), call("curve")
    else:
        more = {"gradient": spring_gradient} if given != "values" else {}
        if given == "all":
            more["hessian"] = spring_hessian
        pull = model.function("spring", spring, **more)
        wire = model.function(
            "curve",
            curve,
            complex_step=given == "gradients",
            gradient=(lambda x: x + 0.3 * x * x) if given == "all" else None,
            hessian=(lambda x: 1 + 0.6 * x) if given == "all" else None,
        )
    a = model.body("a", mass=2, inertia=[1, 1, 1], position=[0.1, 0, 0], velocity=[velocity, 0, 0])
    slope = 0.5 + 0.3 * 0.25
    bead = model.body(
        "bead", mass=3, inertia=[1, 1, 1], position=[0.5, 0, 0.1375], velocity=[-0.2, 0, -0.2 * slope]
    )
    model.translational("rail", a, model.ground, at=[0, 0, 0], axis="x")
    model.expression_joint("wire", DZ(bead) - wire(DX(bead)))
    model.expression_joint("plane", routh.measures.DY(bead))
    model.orientation_joint("upright", bead, model.ground)
    model.force("on_a", a, components=[-pull(DX(a) - 0.02, VX(a)), 0, 0])
    model.force("on_bead", bead, components=[-pull(DX(bead) - DX(a), VX(bead) - VX(a)), 0, 0])
    model.output("felt", pull(DX(bead), VX(bead)))
    model.set_linearize(states=["a.x", "bead.x"])
    return model


@pytest.mark.parametrize("given, tolerance", [("values", 1e-8), ("gradients", 1e-8), ("all", 1e-12)])
@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_functions_are_expressions(given: str, tolerance: float, coordinates: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", routh.OperatingPointWarning)
        found = built(given).linearize(coordinates=coordinates)
    expected = built(None).linearize(coordinates=coordinates)
    for name in "ABCD":
        one, other = getattr(found, name), getattr(expected, name)
        assert np.abs(one - other).max(initial=0) <= tolerance * max(np.abs(other).max(initial=0), 1e-300), name
    assert np.allclose(found.modes().eigenvalues, expected.modes().eigenvalues, rtol=100 * tolerance)


def test_what_a_gradient_gives_may_have_any_shape() -> None:
    text = f"""
bodies: {{b: {{mass: 1, inertia: [1, 1, 1], position: [0.3, 0, 0]}}}}
joints: {{rail: {{type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}}}
loads: {{f: {{type: force, on: b, components: ["-f(DX(b))", 0, 0]}}}}
"""
    shapes = [lambda x: 3 * x**2, lambda x: [3 * x**2], lambda x: np.array(3 * x**2), lambda x: np.array([3 * x**2])]
    for gradient in shapes:
        f = routh.Function(lambda x: np.float64(x) ** 3, gradient=gradient)
        A = routh.Model.parse(text, functions={"f": f}).linearize().A
        assert A[1, 0] == pytest.approx(-0.27, rel=1e-15)
    with pytest.raises(routh.BadArgumentError, match="the gradient of the function f gives 2 numbers, and not 1"):
        f = routh.Function(lambda x: x, gradient=lambda x: (1, 2))
        routh.Model.parse(text, functions={"f": f}).linearize()


TEXT = """
functions: {{f: {{arguments: 1}}}}
bodies: {{b: {{mass: 1, inertia: [1, 1, 1], position: [{x}, 0, 0]}}}}
joints: {{rail: {{type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}}}
loads: {{f: {{type: force, on: b, components: ["-f(DX(b))", 0, 0]}}}}
operating_point: {{type: {type}}}
"""


def test_an_exception_reaches_the_caller() -> None:
    def undefined(x: float) -> float:
        return math.sqrt(x)

    with pytest.raises(ValueError, match="math domain error") as caught:
        routh.Model.parse(TEXT.format(x=-1, type="given"), functions={"f": undefined}).linearize()
    assert isinstance(caught.value.__cause__, routh.NumericError)
    assert "load 'f': the function f has no finite value at (-1)" in str(caught.value.__cause__)

    def broken(x: float) -> float:
        raise KeyError("no such tyre")

    with pytest.raises(KeyError, match="no such tyre") as broke:
        routh.Model.parse(TEXT.format(x=1, type="static"), functions={"f": broken}).linearize()
    assert isinstance(broke.value.__cause__, routh.Error)
    # nothing is left over for the next call
    assert routh.Model.parse(TEXT.format(x=1, type="given"), functions={"f": lambda x: x}).linearize().A[1, 0] == -1


def test_not_a_number_is_refused_by_name() -> None:
    with pytest.raises(routh.NumericError, match=r"load 'f': the function f has no finite value at \(2\)"):
        routh.Model.parse(TEXT.format(x=2, type="given"), functions={"f": lambda x: math.nan}).linearize()


def test_what_is_raised_where_the_function_ends_does_not_count() -> None:
    """Differences go there, and turn back."""
    A = routh.Model.parse(TEXT.format(x=0.01, type="given"), functions={"f": lambda x: math.sqrt(x)}).linearize().A
    assert A[1, 0] == pytest.approx(-5, rel=1e-11)


def test_a_gradient_that_is_wrong_is_warned_of() -> None:
    f = routh.Function(lambda x: x**3, gradient=lambda x: 2 * x**2)
    with pytest.warns(routh.OperatingPointWarning, match="the derivative of f by its argument 1 as the caller gives it is"):
        routh.Model.parse(TEXT.format(x=0.5, type="given"), functions={"f": f}).linearize()


def test_what_is_not_smooth_is_warned_of() -> None:
    with pytest.warns(routh.OperatingPointWarning, match="load f: the derivative of f by its argument 1 is taken by differ"):
        routh.Model.parse(TEXT.format(x=0, type="given"), functions={"f": abs_of}).linearize()


def abs_of(x: float) -> float:
    return abs(x)


def yaml_of(text: str) -> dict:
    return pytest.importorskip("yaml", reason="yaml (PyYAML) is not installed").safe_load(text)


def test_a_model_says_what_it_needs() -> None:
    text = built("values").to_yaml()
    assert yaml_of(text)["functions"] == {"spring": {"arguments": 2}, "curve": {"arguments": 1}}
    with pytest.raises(routh.ModelError, match="the function (spring|curve) of . arguments?, declared in line .*, is missing"):
        routh.Model.parse(text).linearize()
    again = routh.Model.parse(text, functions={"spring": spring, "curve": curve})
    assert np.array_equal(again.linearize().A, built("values").linearize().A)
    with pytest.raises(routh.ModelError, match="it is declared with 2 arguments, and given with 1"):
        routh.Model.parse(text, functions={"spring": curve, "curve": curve})


def test_copies_and_pickle_take_functions_along() -> None:
    model = routh.Model.parse(TEXT.format(x=0.5, type="given"), functions={"f": abs_of})
    A = model.linearize().A
    for other in (model.copy(), copy.deepcopy(model), pickle.loads(pickle.dumps(model)), model.with_settings()):
        assert other == model
        assert np.array_equal(other.linearize().A, A)
    other = routh.Model.parse(TEXT.format(x=0.5, type="given"), functions={"f": curve})
    assert other != model


def test_names_that_mean_something_are_refused() -> None:
    for name in ("sin", "DX", "2nd", "a b", ""):
        with pytest.raises(routh.Error):
            routh.Model.parse("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}", functions={name: abs_of})
    model = routh.Model()
    model.function("f", abs_of)
    with pytest.raises(routh.BadArgumentError, match="has a function 'f' already"):
        model.function("f", abs_of)
    with pytest.raises(routh.BadArgumentError, match="say arguments="):
        model.function("g", lambda *x: 1.0)
    model.function("g", lambda *x: 1.0, arguments=3)


def test_sweeps_sensitivities_and_runs_call_them() -> None:
    text = "parameters: {k: 3}\n" + TEXT.format(x=0.5, type="given").replace("f(DX(b))", "k*f(DX(b)) + 2*DX(b)")
    with_function = routh.Model.parse(text, functions={"f": curve})
    without = routh.Model.parse(text.replace("f(DX(b))", "(DX(b)^2/2 + DX(b)^3/10)").replace("functions: {f: {arguments: 1}}", ""))
    one, two = (m.sensitivity() for m in (with_function, without))
    assert np.allclose(one.eigenvalue_by, two.eigenvalue_by, rtol=1e-8, atol=1e-8)


def test_models_let_functions_go() -> None:
    class Big:
        def __call__(self, x: float) -> float:
            return x

    function = Big()
    seen = weakref.ref(function)
    model = routh.Model.parse(TEXT.format(x=0.5, type="given"), functions={"f": routh.Function(function, arguments=1)})
    linear = model.linearize()
    del function, model
    gc.collect()
    del linear
    gc.collect()
    assert seen() is None


def test_threads_may_call_them_at_once() -> None:
    model = routh.Model.parse(TEXT.format(x=0.5, type="given"), functions={"f": curve})
    expected = model.linearize().A
    found: list = []

    def one() -> None:
        for _ in range(5):
            found.append(np.array_equal(routh.Model.parse(TEXT.format(x=0.5, type="given"), functions={"f": curve}).linearize().A, expected))

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20 and all(found)


def test_gradients_of_jax() -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    f = routh.Function(lambda x: jax.numpy.sin(x), gradient=jax.grad(jax.numpy.sin))
    A = routh.Model.parse(TEXT.format(x=0.5, type="given"), functions={"f": f}).linearize().A
    assert A[1, 0] == pytest.approx(-math.cos(0.5), rel=1e-14)


def test_arguments_are_in_the_units_of_the_file() -> None:
    seen = set()

    def f(x: float) -> float:
        seen.add(x)
        return 2 * x

    text = TEXT.format(x=500, type="given").replace("functions:", "units: [mm, t, s]\nfunctions:")
    A = routh.Model.parse(text, functions={"f": routh.Function(f, gradient=lambda x: 2.0)}).linearize().A
    assert 500.0 in seen and max(abs(x) for x in seen) < 1100
    assert A[1, 0] == pytest.approx(-2, rel=1e-14)  # N/mm over t


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_plugins_are_loaded_where_that_is_allowed(examples: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folder = examples / "c/plugin"
    library = tmp_path / "libtyre.so"
    command = ["cc", "-shared", "-fPIC", "-I", examples.parent / "include", folder / "tyre.c", "-o", library, "-lm"]
    subprocess.run([str(word) for word in command], check=True)
    car = tmp_path / "car.yaml"
    car.write_text((folder / "car.yaml").read_text())
    with pytest.raises(routh.ModelError, match="a library runs code"):
        routh.Model.read(car)
    model = routh.Model.read(car, allow_plugins=True)
    A = model.linearize().A
    # a file that is saved elsewhere still finds the library
    (tmp_path / "below").mkdir()
    model.save(tmp_path / "below/car.yaml")
    assert "../libtyre.so" in (tmp_path / "below/car.yaml").read_text()
    again = routh.Model.read(tmp_path / "below/car.yaml", allow_plugins=True, functions={})
    assert np.array_equal(again.linearize().A, A)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).linearize().A, A)
    # a function that is given takes the place of the library's
    given = routh.Model.read(
        car, functions={"tyre_force": lambda a, n: 0.9 * n * math.sin(1.3 * math.atan(10 * a)), "grip_reserve": abs_of}
    )
    assert np.allclose(given.linearize().A, A, rtol=1e-8, atol=1e-8)
