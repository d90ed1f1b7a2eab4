"""A model that was read is one like any other: looked at, changed, written, copied."""

import copy
import inspect
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest

import routh
from routh._elements import Elements
from routh.construction import NAMED, SHORT

pytestmark = pytest.mark.filterwarnings("ignore::routh.Warning")
SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted((SOURCE / "examples").glob("*.yaml")) + [
    SOURCE / f"examples/{name}.yaml" for name in ("car/car", "atv/atv") if (SOURCE / f"examples/{name}.yaml").exists()
]

TEXT = """\
title: A plant  # and what is said of it
parameters:
  k: 40  # N/m
  g: 9.81
gravity: [0, 0, -g]
bodies:
  cart: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}
  bob: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -1]}
joints:
  rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}
  hinge: {type: revolute, between: [bob, cart], at: [0, 0, 0], axis: y}
loads:
  spring: {type: force, on: cart, components: ["push - k*DX(cart)", 0, 0]}
inputs: {push: 0}
outputs: {angle: "AY(bob)"}
"""


def plant(**parameters: Any) -> routh.Model:
    return routh.Model.parse(TEXT, "plant.yaml", **parameters)


def result(model: routh.Model) -> Any:
    """A as bytes, or what was refused."""
    try:
        return model.linearize(extended=False).A.tobytes()
    except routh.Error as error:
        return error.status, error.element, error.message


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_read_and_taken_apart_is_the_example(path: pathlib.Path) -> None:
    plain = routh.Model.read(path)
    taken = routh.Model.read(path)
    taken.title = taken.title  # made of its parts from here on
    assert taken._construction().origin is None
    assert taken == plain
    assert result(taken) == result(plain)
    assert plain.to_yaml() == path.read_text("utf-8")
    assert routh.Model.parse(taken.to_yaml(), name=str(path)) == taken


def test_what_it_holds_is_shown() -> None:
    m = plant(k=50)
    assert m.gravity == [0, 0, "-g"] and m.title == "A plant" and m.description is None
    assert {name: p.value for name, p in m.parameters.items()} == {"k": 50, "g": 9.81}
    assert list(m.bodies) == ["cart", "bob"] and list(m.joints) == ["rail", "hinge"]
    assert m.bodies["cart"].fields == {"mass": 2, "inertia": [1, 1, 1], "position": [0, 0, 0]}
    assert m.joints["hinge"].type == "revolute" and m.bodies["bob"].type is None
    assert m.inputs["push"].fields == {"value": 0} and m.outputs["angle"].fields == {"expression": "AY(bob)"}
    assert (m.loads["spring"].name, m.markers, m.parts, m.beams, m.events, m.controllers, m.variables) == (
        "spring", {}, {}, {}, {}, {}, {}
    )
    assert hasattr(m, "k") and not hasattr(m, "stiffness") and "k" in dir(m)
    assert dict(inspect.getmembers(m))["gravity"] == m.gravity


def test_it_is_changed_as_one_that_a_program_builds() -> None:
    m = plant()
    before = m.linearize()
    m.k = 60
    m.bodies["bob"].set(mass=m.k / 30)
    m.inputs["push"].set(unit="N")
    m.outputs["angle"].set(expression="2*AY(bob)")
    m.output("place", f"DX({m.bodies['cart']})")
    m.set_simulate(end=2)
    m.gravity = (0, 0, -3.72)
    after = m.linearize()
    text = TEXT.replace("k: 40", "k: 60").replace("mass: 1", "mass: k/30").replace("[0, 0, -g]", "[0, 0, -3.72]")
    text = text.replace('"AY(bob)"', '"2*AY(bob)", place: "DX(cart)"') + "simulate: {end: 2}\n"
    by_hand = routh.Model.parse(text, "plant.yaml").linearize()
    for name in ("A", "B", "C", "D"):
        assert np.array_equal(getattr(after, name), getattr(by_hand, name))
    assert after.inputs[0].unit == "N" and before.inputs[0].unit == ""
    assert not np.array_equal(before.A, after.A)
    m.loads["spring"].remove()
    assert m.loads == {} and "spring" not in m.to_yaml()


def test_its_text_is_that_of_the_file_until_it_is_changed(tmp_path: pathlib.Path) -> None:
    m = plant()
    assert m.parameters["k"].value == 40
    assert m.to_yaml() == TEXT
    assert "k: 50" in plant(k=50).to_yaml() and "k: 50" in m.with_settings(k=50).to_yaml()
    m.k = 41
    assert "title: A plant  # and" in m.to_yaml() and "k: 41  # N/m" in m.to_yaml()
    m.save(tmp_path / "saved.yaml")
    assert routh.Model.read(tmp_path / "saved.yaml") == m


def test_a_value_that_is_set_counts_more_than_a_setting() -> None:
    for m in (plant(k=50), plant().with_settings(k=50)):
        m.k = 60
        assert m.evaluate("k") == 60
    built = routh.Model()
    l = built.parameter("l", 1)
    built.body("bob", mass=l, inertia=[1, 1, 1])
    other = built.with_settings(l=2)
    other.l = 3
    assert (built.evaluate("l"), other.evaluate("l"), other.l.value) == (1, 3, 3)


def test_a_setting_may_be_an_expression_of_the_model() -> None:
    m = plant()
    assert m.with_settings(k=2 * m.g).evaluate("k") == 2 * 9.81
    with pytest.raises(routh.BadArgumentError, match="of another model"):
        m.with_settings(k=2 * plant().g)


def test_messages_have_the_places_of_the_file_after_a_change_too() -> None:
    wrong = TEXT.replace("axis: y", "axis: [0, 0, 0]").replace("k: 40", "k: 40\n  l: 1")
    m = routh.Model.parse(TEXT, "plant.yaml")
    m.joints["hinge"].set(axis=[0, 0, 0])
    with pytest.raises(routh.ModelError) as changed:
        m.linearize()
    assert changed.value.element == "joint hinge" and changed.value.file.endswith("test_read_models.py")
    m.joints["hinge"].set(axis="y")
    m.bodies["bob"].remove()
    with pytest.raises(routh.ModelError) as without:
        m.linearize()
    assert (without.value.file, without.value.line) == ("plant.yaml", 11)
    with pytest.raises(routh.ModelError):
        routh.Model.parse(wrong, "plant.yaml").linearize()


def test_models_are_equal_where_they_hold_the_same() -> None:
    m, other = plant(), plant()
    assert m == other and not m != other and m != "plant"
    other.k = 41
    assert m != other and m == other.with_settings(k=40) and m.with_settings(k=41) == other
    built = routh.Model("A plant")
    assert built != m
    with pytest.raises(TypeError):
        hash(m)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)), routh.Model.copy])
def test_copies_are_equal_and_apart(copied: Any) -> None:
    for m in (plant(), plant(k=50), routh.template("pendulum-chain", n=2)):
        other = copied(m)
        assert other == m and result(other) == result(m) and other.to_yaml() == m.to_yaml()
        other.body("more", mass=1, inertia=[1, 1, 1])
        assert other != m and "more" not in m.bodies and "more" in other.bodies


def test_the_tables_of_sections_are_those_of_the_methods() -> None:
    adds = {method.adds[0]: method.positional for method in vars(Elements).values() if hasattr(method, "adds")}
    named = {name for name, what in adds.items() if not isinstance(what, str)}
    assert set(SHORT) < named
    assert {name for name in adds if name in NAMED} | {"parameters", "functions"} == set(NAMED)
    for section, field in SHORT.items():
        assert adds[section] == [field]


def test_what_cannot_be_read_is_refused_as_the_program_does(tmp_path: pathlib.Path) -> None:
    with pytest.raises(routh.FileError, match="the model file cannot be read"):
        routh.Model.read(tmp_path)
    with pytest.raises(routh.FileError, match="No such file"):
        routh.Model.read(tmp_path / "none.yaml")


def test_a_file_that_changes_later_changes_nothing(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "plant.yaml"
    path.write_text(TEXT)
    m = routh.Model.read(path)
    path.write_text("nothing of that")
    assert m.with_settings(k=50).evaluate("k") == 50 and m.to_yaml() == TEXT


# ---- arrays of other packages ----------------------------------------------------------------


def body(**fields: Any) -> np.ndarray:
    m = routh.Model()
    b = m.body("b", mass=1, position=[0, 0, -1], **fields)
    m.parameter("i", 2)
    m.spherical("ball", b, m.ground, at=[0, 0, 0])
    m.gravity = (0, 0, -9.81)
    return m.linearize("given").A


def test_inertia_as_a_tensor() -> None:
    tensor = np.array([[2.0, 0.1, 0.2], [0.1, 3.0, -0.3], [0.2, -0.3, 4.0]])
    six = body(inertia=[2, 3, 4, 0.1, 0.2, -0.3])
    assert np.array_equal(body(inertia=tensor), six) and np.array_equal(body(inertia=tensor.tolist()), six)
    tensor[0, 1] = 0.2
    with pytest.raises(routh.BadArgumentError, match=r"b, inertia: the tensor is not symmetric: entry \[0, 1\] is 0.2"):
        body(inertia=tensor)


def test_orientation_as_a_rotation_or_a_matrix() -> None:
    transform = pytest.importorskip("scipy.spatial.transform")
    turn = transform.Rotation.from_rotvec([0.1, -0.4, 0.3])
    axis = np.array([0.1, -0.4, 0.3])
    angle = float(np.linalg.norm(axis))
    plain = body(inertia=[1, 2, 2.5], orientation={"axis": axis / angle, "angle": angle})
    for orientation in (turn, turn.as_matrix(), turn.as_matrix().tolist(), {"matrix": turn.as_matrix()}):
        assert body(inertia=[1, 2, 2.5], orientation=orientation) == pytest.approx(plain, rel=1e-12, abs=1e-12)
    assert np.abs(plain - body(inertia=[1, 2, 2.5])).max() > 1e-3
