"""f(t, x, u): against the linear model, simulations, and SciPy's and python-control's own integrators."""

import pathlib
import pickle
import threading
import warnings
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


def slider_crank(drive: str = "") -> routh.Model:
    """Crank 1, rod 2.5, a slider, and a bob that hangs from it; with gravity along y, and along z without a drive."""
    m = routh.Model("Slider-crank")
    m.gravity = (0, -9.81, 0) if drive else (0, 0, -9.81)
    crank = m.body("crank", mass=1, inertia=[0.1, 0.1, 0.1], position=[0.5, 0, 0])
    rod = m.body("rod", mass=2, inertia=[0.1, 1, 1], position=[2.25, 0, 0])
    slider = m.body("slider", mass=3, inertia=[1, 1, 1], position=[3.5, 0, 0])
    a = m.revolute("a", crank, m.ground, at=[0, 0, 0], axis="z")
    m.revolute("b", rod, crank, at=[1, 0, 0], axis="z")
    m.spherical("c", rod, slider, at=[3.5, 0, 0])
    m.translational("rail", slider, m.ground, at=[3.5, 0, 0], axis="x")
    if drive:
        bob = m.body("bob", mass=0.4, inertia=[0.1, 0.1, 0.1], position=[3.5, -0.5, 0])
        m.revolute("pin", bob, slider, at=[3.5, 0, 0], axis="z")
        m.motion("drive", joint=a, function=drive)
    m.output("crank", f"AZ({crank})")
    m.output("slider", f"DX({slider})")
    return m


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_a_driven_slider_crank_keeps_its_branch_and_turns_through_scipys_steps(coordinates: str) -> None:
    integrate = pytest.importorskip("scipy.integrate")
    f = slider_crank("25*time + sin(3*time)").dynamics("given", coordinates=coordinates)
    # the bob on a support that moves as the closed form says: 0.2 theta'' = -0.2 (g sin theta + s'' cos theta)
    t = np.linspace(0, 2, 2001)

    def slider(t: Any) -> Any:
        phi = 25 * t + np.sin(3 * t)
        return np.cos(phi) + np.sqrt(6.25 - np.sin(phi) ** 2)

    def bob(t: float, x: Any) -> list[float]:
        h = 1e-4
        push = (-slider(t - 2 * h) + 16 * slider(t - h) - 30 * slider(t) + 16 * slider(t + h) - slider(t + 2 * h)) / (12 * h * h)
        return [x[1], -0.2 * (9.81 * np.sin(x[0]) + push * np.cos(x[0])) / (0.1 + 0.4 * 0.25)]

    expected = integrate.solve_ivp(bob, (0, 2), [0, 0], rtol=1e-9, atol=1e-9).y[:, -1]
    found = integrate.solve_ivp(f, (0, 2), f.x0, rtol=1e-8, atol=1e-9)
    # the pin's own angle counts from the slider, which does not turn
    assert found.y[:, -1] == pytest.approx(expected, abs=2e-4 * np.abs(expected).max())
    for at in (2.0, 0.1, 1.7, 13.0, 0.0, 0.55):
        phi = 25 * at + np.sin(3 * at)
        assert f.output(at, f.x0) == pytest.approx([phi, slider(at)], abs=1e-9 * (1 + phi))


def test_a_free_slider_crank_turns_as_its_energy_says() -> None:
    integrate = pytest.importorskip("scipy.integrate")
    f = slider_crank().dynamics("given", coordinates="relative")
    assert f.states == ("rod.angle", "rod.angle'")  # against the crank: psi = -asin(sin(phi) / 2.5) - phi
    x0 = f.vector({"rod.angle'": -1.4 * 30.0})
    found = integrate.solve_ivp(f, (0, 2), x0, rtol=1e-9, atol=1e-9)

    def inertia(phi: float) -> float:
        """Of all bodies for the crank's angle."""
        s, c = np.sin(phi), np.cos(phi)
        root = np.sqrt(6.25 - s * s)
        x = -s - s * c / root  # of the slider, by phi
        middle = np.array([-s + (x + s) / 2, c / 2])  # the middle of the rod: half way between both ends
        turn = -c / root
        return float(0.1 + 0.25 + 2 * middle @ middle + 1 * turn**2 + 3 * x**2)

    start = inertia(0) * 30.0**2
    assert found.y[0, -1] < -4 * np.pi
    for x in found.y.T:
        phi, s = f.output(0, x)
        assert -np.arcsin(np.sin(phi) / 2.5) - phi == pytest.approx(x[0], abs=1e-9)
        assert s == pytest.approx(np.cos(phi) + np.sqrt(6.25 - np.sin(phi) ** 2), abs=1e-9)
        rate = x[1] / (-1 - np.cos(phi) / np.sqrt(6.25 - np.sin(phi) ** 2))
        assert inertia(phi) * rate**2 == pytest.approx(start, rel=1e-6)


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


def test_inputs_that_are_left_out_follow_their_histories() -> None:
    t = np.linspace(0, 10, 41)
    m = routh.Model("Towed")
    push, lead, rest = m.input("push", 1), m.input("lead", 0), m.input("rest", 5)
    cart = m.body("cart", mass=4, inertia=[1, 1, 1])
    tow = m.body("tow", mass=1, inertia=[1, 1, 1])
    m.translational("rail", cart, m.ground, at=[0, 0, 0], axis="x")
    m.motion("drive", joint=m.translational("way", tow, m.ground, at=[0, 0, 0], axis="x"), function=lead)
    m.force("f", cart, components=[f"{push}*{push} + {rest} + VX({tow}) - time*DX({cart})", 0, 0])
    m.output("a", f"ACCX({cart})")
    m.set_simulate(inputs={"push": {"table": np.column_stack([t, 3 * t]).tolist()}, "lead": "time^2"})
    f = m.dynamics("given")
    assert f.inputs == ("push", "lead", "rest")
    assert f.input(0.5) == pytest.approx([1.5, 0.25, 5])
    # f = (push^2 + rest + lead' - t x) / 4
    for u, expected in (
        (None, 441 + 5 + 14 - 3.5),
        ({"rest": 1}, 441 + 1 + 14 - 3.5),
        ({"push": 2}, 4 + 5 + 14 - 3.5),
        ({"lead": 2}, 441 + 5 - 3.5),
        ([2, 0, 1], 4 + 1 - 3.5),
        ({}, 441 + 5 + 14 - 3.5),
    ):
        assert f(7, [0.5, 0], u)[1] == pytest.approx(expected / 4, rel=1e-12)
        assert f.output(7, [0.5, 0], u) == pytest.approx([expected / 4], rel=1e-12)
    for u, by_push in ((None, 42), ({"rest": 1}, 42), ({"push": 2}, 4), ([2, 0, 1], 4)):
        J, B = f.jacobian(7, [0.5, 0], u)
        assert J == pytest.approx(np.array([[0, 1], [-7 / 4, 0]]), abs=1e-7)
        assert B == pytest.approx(np.array([[0, 0, 0], [by_push / 4, 0, 1 / 4]]), abs=1e-6)
    with pytest.raises(routh.BadArgumentError, match="step is 0"):
        f.jacobian(step=0)


def test_derivatives_hold_where_states_and_inputs_are_large() -> None:
    m = routh.Model()
    m.gravity = [0, 0, -9.81]
    rod = m.body("rod", mass=2, inertia=[0.01] * 3, position=[0, 0, -1])
    cart = m.body("cart", mass=1, inertia=[1, 1, 1])
    m.revolute("hinge", rod, m.ground, at=[0, 0, 0], axis="y")
    m.translational("rail", cart, m.ground, axis="x")
    push = m.input("push", 0)
    m.force("wind", cart, components=[f"cos(20*{routh.measures.DX(cart)}) + 3*{push}", 0, 0])
    f = m.dynamics(coordinates="relative")
    for turns in (0, 30, 3000, 100000):
        x = np.array([0.3, 0.2, 1, 2]) + 2 * np.pi * turns * np.array([1, 1, 0, 0])
        angle, shift = (x[0], x[1]) if f.states[0].startswith("rod") else (x[1], x[0])
        J, B = f.jacobian(0, x, [1e3])
        by = {"rod": -2 * 9.81 * np.cos(angle) / 2.01, "cart": -20 * np.sin(20 * shift)}
        expected = np.diag([by[name.split(".")[0]] for name in f.states[:2]])
        assert J[2:, :2] == pytest.approx(expected, abs=1e-5 if turns < 100 else 1e-3)
        assert sorted(B[2:, 0]) == pytest.approx([0, 3], rel=1e-9, abs=1e-9)
    with pytest.raises(routh.BadArgumentError, match="lost in a state"):
        f.jacobian(0, {f.states[0]: 1e9}, step=1e-14)


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


def test_events_that_are_not_in_it_are_told() -> None:
    text = """
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
inputs: {brake: 0}
loads: {f: {type: force, on: a, components: [brake, 0, 0]}}
events: {EVENTS}
operating_point: {type: given}
"""
    acting = "{wall: {when: DX(a) - 1, action: stop}, on: {when: VX(a) - 1, action: set, input: brake, value: 1}}"
    with pytest.warns(routh.DynamicsWarning, match="wall, on; simulate"):
        routh.Model.parse(text.replace("{EVENTS}", acting)).dynamics()
    with warnings.catch_warnings():
        warnings.simplefilter("error", routh.DynamicsWarning)
        routh.Model.parse(text.replace("{EVENTS}", "{seen: {when: DX(a) - 1}}")).dynamics()
