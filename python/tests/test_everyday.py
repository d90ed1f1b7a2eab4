"""What one does every day: runs from states and with inputs of one's own, points of runs, tables, arrays of others."""

import pathlib
import pickle
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import routh

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def read(name: str, **parameters: Any) -> routh.Model:
    return routh.Model.read(SOURCE / f"examples/{name}.yaml", **parameters)


def oscillator() -> routh.Model:
    """m x'' + c x' + k x = push"""
    m = routh.Model("Oscillator")
    push = m.input("push", 0)
    cart = m.body("cart", mass=2, inertia=[1, 1, 1])
    m.translational("rail", cart, m.ground, at=[0, 0, 0], axis="x")
    m.force("f", cart, components=[push - 50 * routh.measures.DX(cart) - 3 * routh.measures.VX(cart), 0, 0])
    m.output("place", routh.measures.DX(cart))
    return m


# ---- runs ------------------------------------------------------------------------------------


def test_a_run_begins_at_states_of_ones_own() -> None:
    m = oscillator()
    how = {"tolerance": 1e-10, "integrator": "explicit-runge-kutta"}
    history = m.simulate(2, x0={"cart.x": 0.1, "cart.x'": -0.2}, **how)
    d, w = 3 / 4, np.sqrt(50 / 2 - (3 / 4) ** 2)
    t = history.time
    expected = np.exp(-d * t) * (0.1 * np.cos(w * t) + (-0.2 + d * 0.1) / w * np.sin(w * t))
    assert history["outputs/place"] == pytest.approx(expected, abs=1e-8)
    again = m.simulate(2, x0=[0.1, -0.2], **how)
    assert again == history
    with pytest.raises(routh.UnknownNameError, match="no state 'cart.y'"):
        m.simulate(2, x0={"cart.y": 1})


def test_states_of_closed_loops_stay_closed() -> None:
    m = read("four-bar")
    f = m.dynamics("given")
    history = m.simulate(0.2, at="given", x0={f.states[0]: f.x0[0] + 0.1})
    assert np.abs(history["residuals/position"]).max() < 1e-9
    assert not np.allclose(history.point(0).positions[list(m.bodies)[0]], m.operating_point("given").positions[list(m.bodies)[0]])


@pytest.mark.parametrize("how", ["text", "expression", "table", "number"])
def test_inputs_of_ones_own_drive_a_run(how: str) -> None:
    signal = pytest.importorskip("scipy.signal")
    m = oscillator()
    times = np.linspace(0, 3, 31)
    given: dict[str, Any] = {
        "text": "20*sin(4*time)",
        "expression": 20 * np.sin(4 * routh.Expression("time")),
        "table": (times, np.where(times < 1, 20 * times, 20.0)),
        "number": 7.5,
    }
    history = m.simulate(3, inputs={"push": given[how]}, at="given", tolerance=1e-10, every=0.001)
    t = history.time
    u = {
        "text": 20 * np.sin(4 * t), "expression": 20 * np.sin(4 * t), "table": np.interp(t, *given["table"]),
        "number": np.full_like(t, 7.5),
    }[how]
    assert history["inputs/push"] == pytest.approx(u, abs=1e-9)
    system = ([[0, 1], [-25, -1.5]], [[0], [0.5]], [[1, 0]], [[0]])
    _, y, _ = signal.lsim(system, u, t, interp=True)
    assert history["outputs/place"] == pytest.approx(y, abs=2e-6)
    assert m.simulate(0.1)["inputs/push"].max() == 0  # the model is as it was
    point = history.point(1.5)
    assert [s.value for s in point.signals if s.name == "push"] == pytest.approx([np.interp(1.5, t, u)], abs=1e-4)
    assert m.linearize(point).n_states == 2 and point.mechanism is m.mechanism()


def test_inputs_come_in_place_of_those_of_the_model_and_with_points_of_it() -> None:
    m = read("quarter-car-active")
    point = m.equilibrium()
    history = m.simulate(0.3, at=point, inputs={"load": 50})
    assert (history["inputs/load"] == 50).all() and history["inputs/road"].max() == m.simulate(0.3)["inputs/road"].max()
    with pytest.raises(routh.UnknownNameError, match="no input 'laod'.*did you mean 'load'"):
        m.simulate(0.3, inputs={"laod": 1})
    with pytest.raises(routh.ArgumentTypeError, match="the input load is a function"):
        m.simulate(0.3, inputs={"load": lambda t: t})  # type: ignore[dict-item]
    with pytest.raises(routh.BadArgumentError, match="as many values as times"):
        m.simulate(0.3, inputs={"load": ([0, 1], [1])})
    with pytest.raises(routh.BadArgumentError, match="of another model"):
        m.simulate(0.3, inputs={"load": oscillator().inputs["push"]})


@pytest.mark.parametrize("name", ["double-pendulum", "gantry-crane", "flexible-double-pendulum", "falling-ball"])
def test_points_of_a_run_are_those_of_its_records(name: str) -> None:
    m = read(name)
    history = m.simulate(0.5, at="given")
    for k in (7, 400, 120, len(history.time) - 1):
        point = history.point(history.time[k])
        assert point.time == pytest.approx(history.time[k], abs=1e-12)
        for body in m.bodies:
            assert point.positions[body] == pytest.approx(history[f"bodies/{body}/position"][k], abs=1e-9, rel=1e-9)
            assert point.velocities[body] == pytest.approx(history[f"bodies/{body}/velocity"][k], abs=1e-7, rel=1e-7)
    there = pickle.loads(pickle.dumps(history))
    assert there.point(0.25).state_text() == history.point(0.25).state_text()
    with pytest.raises(routh.BadArgumentError, match="0.6 s is not in it"):
        history.point(0.6)


@pytest.mark.filterwarnings("ignore::routh.NotSteadyWarning")
def test_a_point_of_a_run_is_linearized_about() -> None:
    m = routh.template("pendulum-chain", n=1, angle=1)
    history = m.simulate(1, at="given", coordinates="relative", tolerance=1e-10)
    point = history.point(0.4)
    linear = m.linearize(point)
    f = m.dynamics(point)
    J, _ = f.jacobian()
    assert np.sort_complex(np.linalg.eigvals(linear.A)) == pytest.approx(np.sort_complex(np.linalg.eigvals(J)), rel=1e-6)
    assert not np.allclose(linear.A, m.linearize("given").A)
    assert m.simulate(1.5, at=point).time[0] == pytest.approx(0.4)


def test_hdf5_is_refused_before_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    file = tmp_path / "run.h5"
    with pytest.raises(routh.MissingPackageError, match="a history in HDF5 needs the package h5py: pip install h5py"):
        oscillator().simulate(1, output=file)
    assert not file.exists()


# ---- responses, sweeps -----------------------------------------------------------------------


def test_responses_at_frequencies_of_ones_own() -> None:
    linear = oscillator().linearize()
    hz = np.array([0.1, 0.5, 0.7957747, 3.0, 3.1])
    response = linear.response("push", "place", hz=hz)
    s = 2j * np.pi * hz
    assert np.array_equal(response.hz, hz)
    assert response() == pytest.approx(1 / (2 * s**2 + 3 * s + 50), rel=1e-12)
    assert linear.response("push", "place", hz=2.5).H.shape == (1, 1, 1)
    assert pickle.loads(pickle.dumps(response)) == response
    for wrong, match in (([2, 1], "frequency 1 of the response is 1 Hz"), ([], "one row"), ([[1, 2]], "one row")):
        with pytest.raises(routh.BadArgumentError, match=match):
            linear.response("push", "place", hz=wrong)
    with pytest.raises(routh.ArgumentTypeError, match="one of them"):
        linear.response("push", "place", hz=hz, over=(1, 2))


def test_elements_stand_for_their_names_in_studies() -> None:
    m = oscillator()
    push, place = m.inputs["push"], m.outputs["place"]
    assert m.response(push, [place], over=(1, 2)).inputs == ("push",)
    c = m.parameter("c", 3)
    m.force("g", "cart", components=[-c * routh.measures.VX("cart"), 0, 0])
    for values in ([1, 2, 3], (1, 2, 3), range(1, 4), np.array([1, 2, 3]), (v for v in (1.0, 2.0, 3.0)), {1: 0, 2: 0, 3: 0}.keys()):
        sweep = m.sweep({c: values}, solve="none")
        assert sweep.line.values.tolist() == [1, 2, 3]


# ---- tables ----------------------------------------------------------------------------------


def test_modes_and_points_as_data_frames() -> None:
    pytest.importorskip("pandas")
    m = read("quarter-car-active")
    modes = m.linearize().modes()
    frame = modes.to_pandas()
    assert list(frame.index) == list(range(1, len(modes.numbers) + 1))
    assert frame["damping"].to_numpy() == pytest.approx(modes.damping_ratio[list(modes.numbers)])
    point = m.equilibrium()
    bodies, forces, signals = (point.to_pandas(of) for of in ("bodies", "reactions", "signals"))
    assert bodies.loc["body", "position z (m)"] == point.positions["body"][2]
    name = next(iter(point.reactions))
    assert forces.loc[name, "force z (N)"] == point.reactions[name].force[2]
    assert list(point.to_pandas("loads").index) == list(point.loads)
    assert set(signals["kind"]) >= {"input", "output"}
    with pytest.raises(routh.UnknownNameError, match="did you mean 'bodies'"):
        point.to_pandas("bodys")  # type: ignore[arg-type]


def test_data_frames_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    m = oscillator()
    for call in (m.equilibrium().to_pandas, m.linearize().modes().to_pandas):
        with pytest.raises(routh.MissingPackageError, match="pip install pandas"):
            call()
    assert list(m.linearize().modes().columns())[0] == "mode"


def test_features_are_those_of_the_build() -> None:
    features = routh.features()
    for name in ("NLopt", "SUNDIALS", "FLINT"):
        assert features[name] == routh.build_info()[name].present
    assert features["scipy"] == ("scipy" in features and __import__("importlib").util.find_spec("scipy") is not None)


# ---- matrices --------------------------------------------------------------------------------


def rod(n: int) -> tuple[Any, Any, np.ndarray]:
    """A straight rod of n elements along x, three directions a node: lateral springs make it whole."""
    sparse = pytest.importorskip("scipy.sparse")
    size = 3 * (n + 1)
    K, M = np.zeros((size, size)), np.zeros((size, size))
    rng = np.random.default_rng(3)
    places = np.column_stack([np.arange(n + 1) * 0.1, 0.02 * rng.random(n + 1), 0.02 * rng.random(n + 1)])
    for a in range(n + 1):
        M[3 * a : 3 * a + 3, 3 * a : 3 * a + 3] = 0.1 * np.eye(3)
        for b in range(a + 1, min(a + 4, n + 1)):
            d = places[b] - places[a]
            k = 1e4 * np.outer(d, d) / (d @ d)
            i, j = slice(3 * a, 3 * a + 3), slice(3 * b, 3 * b + 3)
            K[i, i] += k
            K[j, j] += k
            K[i, j] -= k
            K[j, i] -= k
    return sparse.csr_matrix(K), sparse.csr_matrix(M), places


def test_matrices_and_meshes_of_scipy_and_numpy_are_reduced(tmp_path: pathlib.Path) -> None:
    K, M, places = rod(6)
    body = routh.reduce(K, M, nodes=places, interfaces=[1, 7], modes=3)
    numbered = np.column_stack([np.arange(1, 8), places])
    dofs = np.column_stack([np.repeat(np.arange(1, 8), 3), np.tile([1, 2, 3], 7)])
    for k, m in ((K.tocsc(), M.tocoo()), (K.toarray(), M.toarray()), (K.toarray().tolist(), M)):
        other = routh.reduce(k, m, nodes=numbered, dofs=dofs, interfaces=[1, 7], modes=3)
        assert other.text() == body.text()
    io = pytest.importorskip("scipy.io")
    io.mmwrite(tmp_path / "k.mtx", K, precision=17)
    io.mmwrite(tmp_path / "m.mtx", M, precision=17)
    np.savetxt(tmp_path / "nodes.txt", numbered, fmt=["%d", "%.17g", "%.17g", "%.17g"])
    files = routh.reduce(tmp_path / "k.mtx", tmp_path / "m.mtx", nodes=tmp_path / "nodes.txt", interfaces=[1, 7], modes=3)
    assert files.frequencies == pytest.approx(body.frequencies, rel=1e-12)
    assert body.mass == pytest.approx(0.7)
    with pytest.raises(routh.BadArgumentError, match="matrices need nodes"):
        routh.reduce(K, M)
    with pytest.raises(routh.ArgumentTypeError, match="the stiffness is a file, a sparse matrix or an array"):
        routh.reduce(3.0, M, nodes=places)
    with pytest.raises(routh.ArgumentTypeError, match="nodes have 3 or 4 columns"):
        routh.reduce(K, M, nodes=places[:, :2])


@pytest.mark.filterwarnings("ignore::routh.NotSteadyWarning")
def test_a_history_of_the_model_is_replaced_and_points_lead_back() -> None:
    m = oscillator()
    m.set_simulate(end=1, inputs={"push": "10*time"})
    before, history = m.simulate(), m.simulate(inputs={"push": "2 + time"})
    assert before["inputs/push"] == pytest.approx(10 * before.time)
    assert history["inputs/push"] == pytest.approx(2 + history.time)
    point = history.point(0.5)
    assert {s.name: s.value for s in point.signals}["push"] == pytest.approx(2.5)
    assert point.positions["cart"][0] == pytest.approx(np.interp(0.5, history.time, history["outputs/place"]), abs=1e-6)
    assert m.linearize(point).A == pytest.approx(m.linearize().A)
    assert m.simulate()["inputs/push"] == pytest.approx(10 * before.time)


# ---- systems, studies ------------------------------------------------------------------------


def closed_by(system: Any) -> np.ndarray:
    m = oscillator()
    u = m.add_system("c", system, [-routh.measures.DX("cart"), 2 * routh.measures.VX("cart")])
    m.force("g", "cart", components=[sum(u.values(), routh.Expression("0")), 0, 0])
    return np.sort_complex(np.linalg.eigvals(m.linearize("given").A))


def test_systems_of_other_packages_become_controllers() -> None:
    A, B = np.array([[-2.0, 1.0], [0.0, -3.0]]), np.array([[1.0, 0.5], [0.0, 2.0]])
    C, D = np.array([[4.0, 1.0]]), np.array([[0.5, -0.25]])
    # x' = v, 2 v' = -50 x - 3 v + y;  z' = A z + B u, y = C z + D u, u = (-x, 2 v)
    U = np.array([[-1.0, 0.0], [0.0, 2.0]])
    plant = np.array([[0.0, 1.0], [-25.0, -1.5]]) + np.array([[0.0], [0.5]]) @ D @ U
    whole = np.block([[plant, np.array([[0.0], [0.5]]) @ C], [B @ U, A]])
    expected = np.sort_complex(np.linalg.eigvals(whole))
    assert closed_by((A, B, C, D)) == pytest.approx(expected, rel=1e-9)
    signal = pytest.importorskip("scipy.signal")
    assert closed_by(signal.StateSpace(A, B, C, D)) == pytest.approx(expected, rel=1e-9)
    control = pytest.importorskip("control")
    assert closed_by(control.ss(A, B, C, D, outputs=["torque"])) == pytest.approx(expected, rel=1e-9)
    m = oscillator()
    assert list(m.add_system("c", control.ss(A, B, C, D, outputs=["torque"]), [1, 2])) == ["torque"]
    for transfer in (control.tf([1, 2], [1, 3, 4]), signal.TransferFunction([1, 2], [1, 3, 4])):
        other = oscillator()
        (y,) = other.add_system("h", transfer, other.inputs["push"]).values()
        other.output("filtered", y)
        s = 2j * np.pi * 0.7
        H = other.response("push", "filtered", hz=[0.7], at="given")()[0]
        assert H == pytest.approx((s + 2) / (s**2 + 3 * s + 4), rel=1e-9)
    gain = oscillator().add_system("k", ([], np.zeros((0, 2)), np.zeros((1, 0)), [[2.0, -1.0]]), ["a", 3])
    assert {name: str(e) for name, e in gain.items()} == {"y1": "(2.0*a + (-1.0)*(3))"}
    for wrong, match in (
        (control.ss(A, B, C, D, 0.1), "discrete"), (control.ss(A, B, C, D, True), "discrete"),
        (signal.StateSpace(A, B, C, D, dt=0.1), "discrete"), ("A", "is needed, not str"),
    ):
        with pytest.raises(routh.ArgumentTypeError, match=match):
            oscillator().add_system("c", wrong, [1, 2])
    with pytest.raises(routh.BadArgumentError, match="the system has 2 inputs, and 1 expressions"):
        oscillator().add_system("c", (A, B, C, D), [1])


def test_a_study_is_a_mapping_too() -> None:
    if not routh.features()["NLopt"]:
        pytest.skip("the library has no NLopt")
    m = read("quarter-car-active")
    study = {
        "variables": {"k": {"between": [10e3, 40e3]}, "c": {"between": (300, 3000)}},
        "goals": {
            "ride": {"peak": "acceleration", "input": "road", "as": "velocity", "over": [0.3, 6], "minimise": True},
            "damped": {"damping_ratio": "all", "at_least": 0.17},
        },
    }
    text = """\
variables:
  k: {between: [10e3, 40e3]}
  c: {between: [300, 3000]}
goals:
  ride: {peak: acceleration, input: road, as: velocity, over: [0.3, 6], minimise: yes}
  damped: {damping_ratio: all, at_least: 0.17}
"""
    assert m.optimise(study, evaluations=3).after == m.optimise(text, evaluations=3).after
    with pytest.raises(routh.Error, match="study"):
        m.optimise({"variabls": {}})


def test_a_run_with_inputs_of_ones_own_does_not_warn_of_eigenvalues() -> None:
    """That these are those of one time matters to a linear model of it, which still warns; and so do other warnings."""
    m = oscillator()
    m.input("idle", 0)
    with pytest.warns(routh.OperatingPointWarning) as told:
        history = m.simulate(0.2, inputs={"push": "20*sin(4*time)"}, at="given")
    assert len(told) == 1 and "idle reaches nothing" in str(told[0].message)
    assert told[0].filename == __file__
    m.inputs["idle"].remove()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.ptp(m.simulate(0.2, inputs={"push": "20*sin(4*time)"}, x0={"cart.x": 0.1})["outputs/place"]) > 0
    m.set_simulate(inputs={"push": "20*sin(4*time)"})
    with pytest.warns(routh.OperatingPointWarning, match="the history of input push depends on time"):
        m.linearize("given")
    assert history.time[-1] == pytest.approx(0.2)


def test_a_joint_s_coordinate_as_a_state_is_shown_where_it_is_set() -> None:
    """States have the names of bodies; coordinates of joints, which settings take, are refused with the call that takes them."""
    m = routh.Model("Pendulum")
    bob = m.body("bob", mass=1, inertia=[1, 1, 1], position=[0, 0, -1])
    m.revolute("hinge", bob, m.ground, at=[0, 0, 0], axis="y")
    for coordinates in ("absolute", "relative"):
        match = r"no state 'hinge.angle'.*with_settings\(settings=\{'hinge.angle': 0.1\}\)"
        with pytest.raises(routh.UnknownNameError, match=match):
            m.simulate(0.1, x0={"hinge.angle": 0.1}, coordinates=coordinates)
    driven = m.with_settings(settings={"hinge.angle": 0.1})
    assert driven.operating_point("given").positions["bob"][0] == pytest.approx(-np.sin(0.1))
    with pytest.raises(routh.UnknownNameError) as other:
        m.simulate(0.1, x0={"bob.angel": 0.1}, coordinates="relative")
    assert other.value.candidates[0] == "bob.angle" == other.value.suggestion and "with_settings" not in str(other.value)


def test_a_transfer_function_that_differentiates_is_refused_as_one() -> None:
    """By python-control with an error of its own, which is no routh.Error."""
    control = pytest.importorskip("control")
    m = oscillator()
    with pytest.raises(routh.BadArgumentError, match="degree 2 above degree 1 .*time constant"):
        m.add_system("pd", control.tf([1, 2, 1], [1, 3]), "DX(cart)")
    signal = pytest.importorskip("scipy.signal")
    with pytest.raises(routh.BadArgumentError, match="degree 1 above degree 0"):
        m.add_system("d", signal.TransferFunction([1, 0], [1]), "DX(cart)")
    assert not m.controllers
