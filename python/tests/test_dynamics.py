"""f(t, x, u): against the linear model, simulations, and SciPy's and python-control's own integrators."""

import pathlib
import pickle
import threading
from typing import Any

import numpy as np
import pytest

import routh

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def read(name: str, **parameters: Any) -> routh.Model:
    return routh.Model.read(SOURCE / f"examples/{name}.yaml", **parameters)


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize("name", ["quarter-car-active", "gantry-crane", "four-bar", "double-pendulum", "cart-pendulum-lqr"])
def test_its_derivatives_are_the_linear_model(name: str, coordinates: str) -> None:
    m = read(name)
    linear = m.linearize(coordinates=coordinates)
    f = m.dynamics(coordinates=coordinates)
    assert f.inputs == linear.input_names and f.outputs == linear.output_names
    assert f.n_states == linear.n_states
    J, B = f.jacobian()
    found, expected = np.sort_complex(np.linalg.eigvals(J)), np.sort_complex(np.linalg.eigvals(linear.A))
    size = np.abs(expected).max()
    for value in expected:
        assert np.abs(found - value).min() < 1e-5 * size
    if len(f.inputs):
        # H(s) of states to states is not shared; the polynomial's coefficients tr(J^k B) are, of one input at a time
        s = 1j * 0.37 * size + 0.1
        d = np.linalg.det(s * np.eye(len(J)) - J) / np.linalg.det(s * np.eye(len(J)) - linear.A)
        assert d == pytest.approx(1, rel=1e-5)
        assert B.shape == (f.n_states, len(f.inputs)) and np.isfinite(B).all()


def test_at_an_equilibrium_nothing_moves() -> None:
    for name in ("quarter-car-active", "four-bar", "cart-pendulum-lqr"):
        f = read(name).dynamics()
        assert np.abs(f(f.t0, f.x0)).max() < 1e-8
        assert f(f.t0, f.x0, f.u0) == pytest.approx(f(f.t0, {}), abs=1e-12)


def test_a_pendulum_has_the_closed_form() -> None:
    m = routh.Model("Pendulum")
    l = m.parameter("l", 0.7)
    push = m.input("push", 0)
    m.gravity = (0, 0, -9.81)
    bob = m.body("bob", mass=2, inertia=[0, 0, 0], position=[0, 0, -l])
    m.revolute("hinge", bob, m.ground, at=[0, 0, 0], axis="y")
    m.torque("drive", bob, components=[0, push, 0])
    m.output("height", f"DZ({bob})")
    f = m.dynamics(coordinates="relative")
    assert f.states == ("bob.angle", "bob.angle'") and f.units == ("rad", "rad/s")
    for angle, rate, u in ((0.3, -1.0, 0.0), (2.9, 4.0, 1.5), (-40.0, 0.0, -2.0)):
        expected = -9.81 / 0.7 * np.sin(angle) + u / (2 * 0.7**2)
        x = np.array([angle, rate])
        sign = 1 if f(0, [0.1, 0])[1] < 0 else -1
        assert sign == 1
        assert f(0, x, [u]) == pytest.approx([rate, expected], rel=1e-11, abs=1e-11)
        assert f.output(0, x, {"push": u}) == pytest.approx([-0.7 * np.cos(angle)], rel=1e-12)
    point = f.point(0, {"bob.angle": 0.3})
    assert point.positions["bob"] == pytest.approx([-0.7 * np.sin(0.3), 0, -0.7 * np.cos(0.3)], rel=1e-12)
    assert m.linearize(point).n_states == 2


@pytest.mark.parametrize("name", ["double-pendulum", "four-bar", "gantry-crane"])
def test_scipy_integrates_it_to_the_simulated_motion(name: str) -> None:
    integrate = pytest.importorskip("scipy.integrate")
    m = read(name)
    f = m.dynamics("given")
    x0 = f.x0.copy()
    x0[f.n_coordinates : 2 * f.n_coordinates] += 0.5
    motion = integrate.solve_ivp(f, (0, 0.5), x0, method="DOP853", rtol=1e-11, atol=1e-12)
    history = m.simulate(0.5, at=f.point(0, x0), integrator="explicit-runge-kutta", tolerance=1e-11)
    there, end = f.point(0.5, motion.y[:, -1]), history.point(0.5)
    for body, position in there.positions.items():
        assert position == pytest.approx(end.positions[body], abs=1e-8)
        assert there.velocities[body] == pytest.approx(end.velocities[body], abs=1e-7)


def test_python_control_takes_it() -> None:
    control = pytest.importorskip("control")
    m = read("quarter-car-active")
    system = m.dynamics().to_control()
    assert (system.nstates, system.ninputs, system.noutputs) == (6, 2, 3)
    t = np.linspace(0, 0.5, 101)
    load = np.full_like(t, 100.0)
    response = control.input_output_response(system, t, np.vstack([0 * t, load]), m.dynamics().x0, solve_ivp_kwargs={"rtol": 1e-9})
    linear = control.forced_response(m.linearize().to_control(inputs=["load"]), t, load)
    assert response.outputs[1] == pytest.approx(linear.outputs[1] + response.outputs[1, 0], abs=2e-3 * np.ptp(linear.outputs[1]))


def test_numbers_that_do_not_fit_are_refused() -> None:
    f = read("quarter-car-active").dynamics()
    with pytest.raises(routh.UnknownNameError, match="no state 'body.zz'.*did you mean 'body.z'"):
        f(0, {"body.zz": 1})
    with pytest.raises(routh.UnknownNameError, match="no input 'raod'.*did you mean 'road'"):
        f(0, f.x0, {"raod": 1})
    with pytest.raises(routh.BadArgumentError, match=r"states have the shape \(6,\) here, not \(5,\)"):
        f(0, f.x0[:5])
    with pytest.raises(routh.BadArgumentError, match="the state body.z is not finite"):
        f(0, {"body.z": np.nan})
    with pytest.raises(routh.ArgumentTypeError):
        f(0, "x")


def test_it_is_copied_pickled_and_shared_by_threads() -> None:
    f = read("four-bar").dynamics()
    x = f.x0 + 0.01
    expected = f(0, x)
    assert np.array_equal(pickle.loads(pickle.dumps(f))(0, x), expected)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append([f(0, x) for _ in range(50)])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(np.abs(rate - expected).max() < 1e-10 for rates in found for rate in rates)
    with pytest.raises(ValueError, match="read-only"):
        f.x0[0] = 1


def test_time_and_histories_of_inputs_count() -> None:
    m = routh.Model("Pushed")
    m.input("push", 0)
    cart = m.body("cart", mass=2, inertia=[1, 1, 1])
    m.translational("rail", cart, m.ground, at=[0, 0, 0], axis="x")
    m.force("f", cart, components=["push + 3*time", 0, 0])
    m.set_operating_point("given", time=2)
    m.set_simulate(inputs={"push": "time^2"})
    f = m.dynamics()
    assert f.t0 == 2 and f.u0.tolist() == [4]
    assert f(f.t0, f.x0) == pytest.approx([0, (4 + 6) / 2])
    assert f(5, [0.5, 0.25]) == pytest.approx([0.25, (25 + 15) / 2])
    assert f(5, [0.5, 0.25], [7]) == pytest.approx([0.25, (7 + 15) / 2])
    assert f(5, [0.5, 0.25]) == pytest.approx([0.25, (25 + 15) / 2])
    assert f.point(5, {}).time == 5
