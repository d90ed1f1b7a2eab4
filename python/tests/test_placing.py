"""Bodies placed by joints, in models that a program builds, and states by coordinates of joints."""

import pathlib

import numpy as np
import pytest

import routh


def arm() -> routh.Model:
    m = routh.Model()
    phi = m.parameter("phi", "30 deg")
    m.gravity = [0, 0, -9.81]
    upper = m.body("upper", mass=4, inertia=[0.01, 0.2, 0.2], position=[0.4, 0, 0])
    lower = m.body("lower", mass=3, inertia=[0.01, 0.1, 0.1], position=[1.1, 0, 0])
    m.revolute("base", upper, m.ground, at=[0, 0, 0], axis="-y", angle=phi)
    m.revolute("bend", lower, upper, at=[0.8, 0, 0], axis="-y", angle=-2 * phi, rate="2 rad/s")
    m.body("camera", mass=0.1, inertia=[1e-4, 1e-4, 1e-4], relative_to=lower, position=[0, 0, 0.1])
    m.body("top", mass=1, inertia=[1, 1, 2], position=[0, 3, 0], spin={"axis": "z", "rate": "60 rpm"})
    m.body("car", mass=1, inertia=[1, 1, 2], position=[0, 5, 1], moved={"orientation": {"axis": [1, 0, 0], "angle": 0.1}})
    return m


def test_a_built_model_is_placed_by_its_joints() -> None:
    point = arm().mechanism().operating_point("given")
    a = np.radians(30)
    at = point.positions
    assert np.allclose(at["upper"], [0.4 * np.cos(a), 0, 0.4 * np.sin(a)], atol=1e-15)
    assert np.allclose(at["lower"], [1.1 * np.cos(a), 0, 0.5 * np.sin(a)], atol=1e-15)
    assert np.allclose(at["camera"] - at["lower"], [0.1 * np.sin(a), 0, 0.1 * np.cos(a)], atol=1e-15)
    assert np.allclose(point.bodies["top"].angular_velocity, [0, 0, 2 * np.pi], atol=1e-15)
    assert np.allclose(at["car"], [0, 5 * np.cos(0.1) - np.sin(0.1), np.cos(0.1) + 5 * np.sin(0.1)], atol=1e-14)


def test_a_built_model_is_that_of_its_file(tmp_path: pathlib.Path) -> None:
    model = arm()
    again = routh.Model.parse(model.to_yaml(), name=str(tmp_path / "arm.yaml"))
    for name, position in model.mechanism().operating_point("given").positions.items():
        assert np.array_equal(position, again.mechanism().operating_point("given").positions[name])


def test_a_state_by_coordinates_is_that_of_settings() -> None:
    model = arm()
    state = model.mechanism().operating_point_from_state({"base.angle": 1.25, "bend.rate": -1})
    other = model.with_settings(settings={"base.angle": 1.25, "bend.rate": -1}).mechanism().operating_point("given")
    for name, position in other.positions.items():
        assert np.allclose(state.positions[name], position, atol=1e-15)
        assert np.allclose(state.velocities[name], other.velocities[name], atol=1e-15)
    with pytest.raises(routh.ArgumentTypeError, match="base.angle: real numbers are needed"):
        model.mechanism().operating_point_from_state({"base.angle": "60 deg"})
    with pytest.raises(routh.BadArgumentError, match="no coordinate or rate"):
        model.mechanism().operating_point_from_state({"base.speed": 1})


def heights(model: routh.Model) -> "dict[str, float]":
    return {name: float(p[2]) for name, p in model.mechanism().operating_point("given").positions.items()}


def test_coordinates_that_are_set_are_in_the_file_that_is_written(tmp_path: pathlib.Path) -> None:
    model = arm().with_settings(settings={"base.angle": "60 deg", "phi": 0.2})
    model.save(tmp_path / "set.yaml")
    again = routh.Model.read(tmp_path / "set.yaml")
    assert heights(again) == heights(model) != heights(arm())
    assert model != arm()
    assert model == routh.Model.parse(model.to_yaml())


def test_what_a_program_gives_a_joint_comes_in_place_of_a_setting() -> None:
    model = arm().with_settings(settings={"base.angle": "60 deg"})
    model.joints["base"].set(rate=1)
    assert np.isclose(heights(model)["upper"], 0.4 * np.sin(np.pi / 3))
    model.joints["base"].set(angle="10 deg")
    assert np.isclose(heights(model)["upper"], 0.4 * np.sin(np.pi / 18))
