"""Whatever Python's side refuses is a routh.Error, and of the class that one expects besides."""

import pathlib
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest

import routh
from routh import errors

SOURCE = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def car() -> routh.Model:
    return routh.Model.read(SOURCE / "examples/quarter-car-active.yaml")


UNKNOWN: dict[str, tuple[Callable[[routh.Model], Any], str | None]] = {
    "type of a point": (lambda m: m.linearize("statc"), "static"),
    "coordinates": (lambda m: m.linearize(coordinates="relativ"), "relative"),
    "method": (lambda m: m.linearize(method="augmentd"), "augmented"),
    "output of a state space": (lambda m: m.linearize().to_scipy(outputs="travl"), "travel"),
    "input of a state space": (lambda m: m.linearize().state_space(inputs="raod"), "road"),
    "derivatives": (lambda m: m.linearize().state_space(derivatives="input"), "inputs"),
    "matrix": (lambda m: m.linearize().to_pandas("stifness"), "stiffness"),
    "kind of energy": (lambda m: m.linearize().modes().energies("kinetc"), "kinetic"),
    "channel of a response": (lambda m: m.response("road")("travl"), "travel"),
    "base": (lambda m: m.response(base="up"), None),
    "type of a sweep's point": (lambda m: m.sweep({"k": [1, 2]}, at="steedy"), "steady"),
    "library": (lambda m: routh.build_info()["SUNDIAL"], "SUNDIALS"),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_an_unknown_name_is_told_with_the_nearest(car: routh.Model, what: str) -> None:
    call, near = UNKNOWN[what]
    with pytest.raises(routh.UnknownNameError) as caught:
        call(car)
    error = caught.value
    assert isinstance(error, (routh.Error, ValueError)) and isinstance(error, KeyError)
    assert error.suggestion == near and error.status == "BAD_ARGUMENT"
    assert near is None or near in error.candidates and f"did you mean {near!r}?" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.name, again.candidates) == (str(error), error.name, error.candidates)


def test_names_of_the_library_are_errors_of_the_same_tree(car: routh.Model) -> None:
    with pytest.raises(routh.BadArgumentError):
        car.response("raod")
    with pytest.raises(routh.BadArgumentError):
        car.evaluate("kk")


TYPES: list[Callable[[routh.Model], Any]] = [
    lambda m: m.response(over=3),
    lambda m: m.compare(),
    lambda m: m.compare("other.yaml"),
    lambda m: m.linearize(states="body.z"),
    lambda m: m.with_settings(k=None),
    lambda m: m.body(mass=1),
    lambda m: m.body("b", mass=1j),
]


@pytest.mark.parametrize("call", TYPES)
def test_a_wrong_type_is_an_error_and_a_type_error(car: routh.Model, call: Callable[[routh.Model], Any]) -> None:
    with pytest.raises(routh.ArgumentTypeError) as caught:
        call(car.copy())
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, routh.BadArgumentError)


def test_an_attribute_that_is_not_there(car: routh.Model) -> None:
    with pytest.raises(routh.MissingAttributeError, match="did you mean 'linearize'"):
        car.linearise()
    with pytest.raises(AttributeError, match="no parameter 'kk'"):
        car.kk = 3
    assert not hasattr(car, "kk")


def test_every_class_is_an_error_and_public() -> None:
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, Exception)]
    assert len(classes) > 15
    for c in classes:
        assert issubclass(c, routh.Error) and getattr(routh, c.__name__) is c and c.__name__ in routh.__all__


def test_no_module_raises_anything_else() -> None:
    """Of Python's own only what a subclass must do, and what stops a call; and what functions of the caller raise."""
    allowed = {"NotImplementedError", "KeyboardInterrupt", "failed", "ended", "raised"}
    for path in pathlib.Path(routh.__file__).parent.rglob("*.py"):
        for raised in re.findall(r"^\s+raise ([\w.]+)", path.read_text("utf-8"), re.M):
            name = raised.rsplit(".", 1)[-1]
            if not hasattr(errors, name) and name not in {"unknown_name", "unknown_choice", "error_of"}:
                assert name in allowed, (path.name, raised)
