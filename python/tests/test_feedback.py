"""State feedback as expressions of measures."""

import pathlib
import warnings
from typing import Any

import numpy as np
import pytest

import routh

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def pendulum(angle: float = 0.0) -> routh.Model:
    """A rod on a cart between springs, the rod at an angle that a spring holds."""
    m = routh.Model("Cart and rod")
    m.gravity = (0, 0, -9.81)
    force, torque = m.input("force", 3), m.input("torque", 0)
    cart = m.body("cart", mass=1.5, inertia=[0.02, 0.03, 0.04])
    rod = m.body("rod", mass=0.3, inertia=[0.016, 0.016, 1e-4], position=[0.4 * np.sin(angle), 0, 0.4 * np.cos(angle)])
    m.translational("rail", cart, m.ground, at=[0, 0, 0], axis="x")
    m.revolute("hinge", rod, cart, at=[0, 0, 0], axis="y")
    m.spring("soft", cart, m.marker("wall", m.ground, at=[1, 0, 0]), stiffness=40, damping=2)
    m.torsion_spring("coil", rod, cart, at=[0, 0, 0], axis="y", stiffness=9, damping=0.1)
    m.force("push", cart, components=[force, 0, 0])
    m.torque("twist", rod, components=[0, torque, 0])
    m.set_operating_point("static")
    return m


MEASURES = ["DX(rod)", "VX(rod)", "AY(rod, cart)", "WY(rod)"]


@pytest.mark.parametrize("coordinates", routh.COORDINATES)
@pytest.mark.parametrize("angle", [0, 0.7])
def test_the_closed_loop_is_that_of_the_gains(coordinates: Any, angle: float) -> None:
    """And the operating point stays where it is, in spite of values of measures that are not zero there."""
    m = pendulum(angle)
    linear = m.linearize(coordinates=coordinates)
    K = np.array([[20.0, -7, 3, 0.5], [1, 4, -2, 0.25]])
    law = m.state_feedback(K, MEASURES, linear)
    m.loads["push"].set(components=[m.inputs["force"] + law[0], 0, 0])
    m.loads["twist"].set(components=[0, m.inputs["torque"] + law[1], 0])
    closed = m.linearize(coordinates=coordinates)
    assert closed.state_names == linear.state_names
    assert closed.point is not None and linear.point is not None
    assert closed.point.positions["rod"] == pytest.approx(linear.point.positions["rod"], abs=1e-9)
    expected = linear.A - linear.B @ K
    assert closed.A == pytest.approx(expected, abs=1e-8 * np.abs(expected).max())


def test_order_and_signs_of_measures_do_not_matter() -> None:
    m = pendulum()
    linear = m.linearize()
    (one,) = m.state_feedback([20, -7, 3, 0.5], MEASURES, linear)
    (two,) = m.state_feedback([20, -7, 3, 0.5], ["-2*WY(rod)", *MEASURES[:2], "AY(cart, rod)"], linear)
    m.output("one", one)
    m.output("two", two)
    C = m.linearize().C
    assert C[0] == pytest.approx(-np.array([20, -7, 3, 0.5]), abs=1e-11) and C[1] == pytest.approx(C[0], abs=1e-11)


def test_states_of_controllers_are_fed_back_too() -> None:
    m = pendulum()
    m.lag_controller("filtered", "AY(rod, cart)", time_constant=0.1)
    linear = m.linearize()
    assert linear.n_control == 1
    (law,) = m.state_feedback(np.arange(1.0, 6), [*MEASURES, m.controllers["filtered"]], linear)
    m.output("law", law)
    assert m.linearize().C[0] == pytest.approx(-np.arange(1.0, 6), abs=1e-11)


def test_units_of_measures_and_states_do_not_matter() -> None:
    """Gains of very different size are all in the law, as their states may be."""
    K = np.array([20, -7, 3, 0.5])
    for scale in (1e-13, 1e13):
        m = pendulum(0.3)
        linear = m.linearize()
        (law,) = m.state_feedback(K, [f"{scale}*DX(rod)", f"{scale}*VX(rod)", *MEASURES[2:]], linear)
        m.output("law", law)
        assert m.linearize().C[0] == pytest.approx(-K, rel=1e-11)
    m = pendulum()
    m.lag_controller("large", "1e12*AY(rod, cart)", time_constant=0.1)
    linear = m.linearize()
    K = np.array([2000, -700, 300, 50, 1e-12])
    (law,) = m.state_feedback(K, [*MEASURES, m.controllers["large"]], linear)
    m.output("law", law)
    assert m.linearize().C[0] == pytest.approx(-K, rel=1e-11)


def test_a_model_with_angles_that_count_revolutions() -> None:
    """They are those of its own outputs, and stay where measures are found."""
    m = pendulum(0.3)
    m.output("revolutions", "AY(rod, ground)")
    linear = m.linearize()
    (law,) = m.state_feedback([1, 2, 3, 4], MEASURES, linear)
    m.output("law", law)
    assert m.linearize().C[1] == pytest.approx([-1, -2, -3, -4], abs=1e-11)


@pytest.mark.filterwarnings("ignore:.*changes along the motion")
def test_a_steady_motion_in_its_moving_frame() -> None:
    m = routh.Model.read(SOURCE / "examples" / "steady-turn.yaml")
    linear = m.linearize()
    assert linear.point is not None and linear.point.type == "steady"
    measures = ["VX(car)", "VY(car)", "WZ(car)", "AZ(car)", "rear_force", "DX(car)", "DY(car)"]
    (law,) = m.state_feedback(np.arange(1.0, 8), measures, linear)
    m.output("law", law)
    assert m.linearize().C[-1] == pytest.approx(-np.arange(1.0, 8), abs=1e-9)


def test_measures_that_change_along_the_motion_are_named() -> None:
    """A law of a rotor's angle stops the rotor; one of what the angle deviates from its rotation does not."""
    m = routh.Model("Rotor")
    torque = m.input("torque", 0)
    rotor = m.body("rotor", mass=3, inertia=[0.1, 0.1, 0.2], position=[0.5, 0, 0], velocity=[0, 25, 0], angular_velocity=[0, 0, 50])
    m.revolute("bearing", rotor, m.ground, at=[0, 0, 0], axis="z")
    m.torque("motor", rotor, components=[0, 0, torque])
    m.output("speed", "WZ(rotor)")
    linear = m.linearize("given", states=["rotor.rz"])
    with pytest.warns(routh.LinearWarning, match=r"^AZ\(rotor\) changes along the motion") as told:
        m.state_feedback([100, 20], ["AZ(rotor)", "WZ(rotor)"], linear)
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (law,) = m.state_feedback([100, 20], ["AZ(rotor) - 50*TIME", "WZ(rotor)"], linear)
    m.loads["motor"].set(components=[0, 0, torque + law])
    assert m.simulate(1.0, every=0.5)["outputs/speed"] == pytest.approx([50] * 3, rel=1e-3)


def test_other_states_and_outputs_are_no_obstacle() -> None:
    m = pendulum()
    m.output("feedback_1", "DX(cart)")
    linear = m.linearize(states=["rod.x", "rod.ry"], reference="cart")
    (law,) = m.state_feedback([1, 2, 3, 4], MEASURES, linear)
    m.output("law", law)
    again = m.linearize(states=["rod.x", "rod.ry"], reference="cart")
    assert again.C[1] == pytest.approx([-1, -2, -3, -4], abs=1e-11)


def test_what_does_not_fit_is_refused() -> None:
    m = pendulum()
    linear = m.linearize()
    K = [1, 2, 3, 4]
    with pytest.raises(routh.BadArgumentError, match=r"K has the shape \(3,\).*4 states"):
        m.state_feedback(K[:3], MEASURES, linear)
    with pytest.raises(routh.BadArgumentError, match="3 measures are given for 4 states, which do not determine"):
        m.state_feedback(K, MEASURES[:3], linear)
    with pytest.raises(routh.BadArgumentError, match="do not determine"):
        m.state_feedback(K, [*MEASURES[:3], "2*DX(rod) + VX(rod)"], linear)
    with pytest.raises(routh.BadArgumentError, match=r"ACCX\(cart\) feels"):
        m.state_feedback(K, [*MEASURES[:3], "ACCX(cart)"], linear)
    with pytest.raises(routh.BadArgumentError, match="force feels inputs"):
        m.state_feedback(K, [*MEASURES[:3], m.inputs["force"]], linear)
    with pytest.raises(routh.ModelError, match="marker or body 'crt' is not defined; did you mean 'cart'"):
        m.state_feedback(K, [*MEASURES[:3], "DX(crt)"], linear)
    with pytest.raises(routh.BadArgumentError, match="belongs to another model"):
        pendulum().state_feedback(K, MEASURES, linear)
    with pytest.raises(routh.BadArgumentError, match="of another model"):
        m.state_feedback(K, [*MEASURES[:3], pendulum().inputs["force"]], linear)
    m.bodies["cart"].set(mass=2)
    with pytest.raises(routh.BadArgumentError, match="before it was changed"):
        m.state_feedback(K, MEASURES, linear)


def test_a_linear_model_of_a_file_has_no_mechanism(tmp_path: pathlib.Path) -> None:
    m = pendulum()
    m.linearize().save(tmp_path / "linear.npz")
    with pytest.raises(routh.BadArgumentError, match="was read from a file"):
        m.state_feedback([1, 2, 3, 4], MEASURES, routh.load(tmp_path / "linear.npz"))


def test_what_is_no_gain_and_no_linear_model_is_refused() -> None:
    m = pendulum()
    linear = m.linearize()
    with pytest.raises(routh.BadArgumentError, match=r"K\[0, 2\] is nan"):
        m.state_feedback([1, 2, np.nan, 4], MEASURES, linear)
    with pytest.raises(routh.ArgumentTypeError, match="a linear model is needed, as linearize.. gives it, not a ndarray"):
        m.state_feedback([1, 2, 3, 4], MEASURES, linear.A)  # type: ignore[arg-type]
