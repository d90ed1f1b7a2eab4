"""Models and results are copied, compared, and carried to other processes."""

import concurrent.futures
import copy
import multiprocessing
import pathlib
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import routh

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ["rotor-stator", "quarter-car-active", "humanoid", "steady-turn", "four-bar", "flexible-blade"]


def read(name: str, **parameters: Any) -> routh.Model:
    return routh.Model.read(SOURCE / f"examples/{name}.yaml", **parameters)


def carried(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("name", EXAMPLES)
def test_linear_models_and_modes_come_back_bit_by_bit(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", routh.Warning)
        linear = read(name).linearize()
    modes = linear.modes()
    there = carried(linear)
    assert there == linear and hash(there) == hash(linear) and there is not linear
    assert there.A.tobytes() == linear.A.tobytes() and there.markers == linear.markers
    assert there.warnings == linear.warnings
    again = carried(modes)
    assert again == modes and again.eigenvalues.tobytes() == modes.eigenvalues.tobytes()
    assert np.array_equal(again.energies("kinetic"), modes.energies("kinetic"))
    assert again.table() == modes.table()
    assert there.point == linear.point  # found again


@pytest.mark.parametrize("name", EXAMPLES)
def test_operating_points_are_found_again(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what was told is not told again
        point = read(name).equilibrium()
        there = carried(point)
        assert there._pointer is None
        assert there == point and there.table() == point.table()
    state = point.mechanism.operating_point_from_state(point.state_text())
    assert carried(state) == state and state != point  # of another type
    other = point.mechanism.operating_point_of(point)
    assert carried(other) == other


def test_a_model_goes_with_its_points() -> None:
    m = routh.template("pendulum-chain", n=3)
    point = m.equilibrium()
    for copied in (carried, copy.deepcopy):
        other, there = copied((m, point))
        assert np.array_equal(other.linearize(there).A, m.linearize(point).A)
        with pytest.raises(routh.BadArgumentError, match="another model"):
            m.linearize(there)
    assert copy.copy(point) is point and copy.deepcopy(point) is point
    linear = m.linearize(point)
    assert copy.copy(linear) is linear and copy.deepcopy(linear.modes())[0] == linear.modes()[0]


def test_a_point_of_a_model_that_was_changed_keeps_what_it_was_of() -> None:
    m = routh.template("pendulum-chain", n=2)
    point, A = m.equilibrium(), m.linearize().A
    m.gravity = (0, 0, -1)
    there = carried(point)
    assert there == point and np.array_equal(there.linearize().A, A)
    assert not np.array_equal(m.linearize().A, A)


def test_results_of_a_file_are_carried(tmp_path: pathlib.Path) -> None:
    linear = read("rotor-stator").linearize()
    linear.save(tmp_path / "linear.json")
    loaded = routh.load(tmp_path / "linear.json")
    assert loaded == linear and carried(loaded) == linear and carried(loaded).point is None


def test_responses_and_histories_are_carried() -> None:
    car = read("quarter-car-active")
    response = car.response("road", "travel", over=(0.1, 25))
    there = carried(response)
    assert there == response and there.table() == response.table()
    assert there != car.response("road", "travel", over=(0.1, 24))
    history = routh.template("pendulum-chain", n=2).simulate(0.1)
    there = carried(history)
    assert there == history and there.table() == history.table() and copy.copy(history) is history


def test_what_is_not_carried_says_so() -> None:
    m = routh.template("pendulum-chain", n=2)
    for thing in (m.sweep({"l": [1, 2]}), m.check(), m.descriptor(), m.descriptor().modes(2), m.descriptor().linear):
        with pytest.raises(routh.ArgumentTypeError, match="not pickled; pickle "):
            pickle.dumps(thing)
    assert pickle.loads(pickle.dumps(m.sweep({"l": [1, 2]}).columns()))


def test_records_of_results_are_compared() -> None:
    point = read("rotor-stator").equilibrium()
    a, b = carried(point), point
    assert a.bodies == b.bodies and list(a.bodies.values())[0] == list(b.bodies.values())[0]
    first, second = list(a.bodies.values())[:2]
    assert first != second and len({first, second, first}) == 2


def _frequencies(model: routh.Model) -> Any:
    return model.linearize().modes()


def _stiffer(k: float) -> routh.Linear:
    return routh.template("pendulum-chain", n=3, k=k).linearize()


def test_processes_are_given_models_and_give_results() -> None:
    """8 workers, by spawn: nothing of this process is in them but what is pickled."""
    values = [1.0 + k for k in range(16)]
    models = [routh.template("pendulum-chain", n=3, k=k) for k in values]
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(8, mp_context=spawn) as pool:
        modes = list(pool.map(_frequencies, models))
        linear = list(pool.map(_stiffer, values))
    for m, found, there in zip(models, modes, linear):
        assert found == m.linearize().modes() and there == m.linearize()


def test_joblib_carries_them() -> None:
    joblib = pytest.importorskip("joblib")
    models = [routh.template("pendulum-chain", n=2, k=k) for k in range(1, 17)]
    assert joblib.Parallel(8)(joblib.delayed(_frequencies)(m) for m in models) == [_frequencies(m) for m in models]


def test_dask_carries_them() -> None:
    dask = pytest.importorskip("dask")
    models = [routh.template("pendulum-chain", n=2, k=float(k)) for k in range(1, 17)]
    found = dask.compute([dask.delayed(_frequencies)(m) for m in models], scheduler="processes", num_workers=8)
    assert found[0] == [_frequencies(m) for m in models]
