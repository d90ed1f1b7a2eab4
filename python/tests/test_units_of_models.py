"""Models in units of their own, as programs make and drive them: the same physics in SI and in mm, t and ms."""

import numpy as np
import pytest

import routh

PLANT = """{units}
gravity: [0, 0, 0]
bodies: {{block: {{mass: 2 kg, inertia: [1, 1, 1]}}}}
joints: {{guide: {{type: translational, between: [block, ground], axis: x}}}}
markers: {{wall: {{body: ground}}}}
inputs: {{push: 0}}
loads:
  spring: {{type: bushing, between: [block, ground], at: [0, 0, 0],
           translation: {{stiffness: [5 kN/m, 0, 0], damping: [20 N s/m, 0, 0]}}}}
  push: {{type: force, on: block, components: [push, 0, 0]}}
outputs: {{x: DX(block)}}
simulate: {{end: 0.5 s}}
"""
# Numbers of inputs and outputs are in the model's units: of force, t mm/ms^2 = 1e6 N, and of length.
SYSTEMS = {"si": ("", 1, 1), "mm-ms": ("units: [mm, t, ms]", 1e-6, 1e3), "min": ("units: [m, kg, min]", 3600, 1)}


def plant(system):
    return routh.Model.parse(PLANT.format(units=SYSTEMS[system][0]))


@pytest.mark.parametrize("system", SYSTEMS)
def test_times_of_an_input_are_in_seconds(system):
    """A ramp, and the response of an oscillator to it in closed form."""
    _, force, length = SYSTEMS[system]
    m = plant(system)
    history = m.simulate(0.4, inputs={"push": ([0, 0.5], [0, 3 * force])}, tolerance=1e-10)
    w, d = 50, 5  # rad/s, 1/s: x'' + 2 d x' + w^2 x = r t
    r, wd = 3 / 0.5 / 2, np.sqrt(w**2 - d**2)
    t = history.time
    c = 2 * d / w**2
    free = np.exp(-d * t) * (c * np.cos(wd * t) + (d * c - 1) / wd * np.sin(wd * t))
    exact = r / w**2 * (t - c + free)
    assert np.allclose(history["outputs/x"] / length, exact, rtol=0, atol=1e-4 * exact.max())
    assert m.simulate(inputs={"push": ([0, 0.5], [0, force])}).time[-1] == pytest.approx(0.5)  # to the model's end
    with pytest.raises(routh.BadArgumentError, match="from 0 to 0.4 s, but the run is from 0 to 0.5 s"):
        m.simulate(inputs={"push": ([0, 0.4], [0, force])})


def test_a_system_of_another_package_is_by_seconds():
    """The poles of a loop are those of the matrices, whatever time the model is in."""
    A, B, C, D = np.array([[-3.0, 2], [0, -40]]), np.array([[0.5], [8]]), np.array([[30.0, 7]]), np.array([[2.0]])
    k, c, mass = 5000, 20, 2
    loop = np.block([
        [np.array([[0, 1], [-(k + D[0, 0]) / mass, -c / mass]]), np.vstack([np.zeros(2), -C / mass])],
        [B, np.zeros((2, 1)), A],
    ])
    wanted = np.sort_complex(np.linalg.eigvals(loop))
    for system, (_, force, length) in SYSTEMS.items():
        m = plant(system)
        u = m.add_system("c", (A, B, C, D), [f"DX(block)/{length}"])["y1"]
        m.force("law", "block", components=[-force * u, 0, 0])
        assert np.allclose(np.sort_complex(np.linalg.eigvals(m.linearize().A)), wanted, rtol=1e-9), system
        again = routh.Model.parse(m.to_yaml())
        assert np.allclose(np.sort_complex(np.linalg.eigvals(again.linearize().A)), wanted, rtol=1e-9), system


def test_units_are_set_before_a_system_is_added():
    m = plant("si")
    m.add_system("c", ([[-3]], [[1]], [[1]], [[0]]), ["DX(block)"])
    m.units = ["mm", "t", "s"]
    for model in (m, m.copy()):
        with pytest.raises(routh.BadArgumentError, match="c are by another unit of time.*before add_system"):
            model.units = ["mm", "t", "ms"]
    m.controllers["c"].remove()
    m.units = ["mm", "t", "ms"]


@pytest.mark.parametrize("system, by_second", [("si", 1), ("mm-ms", 1e-3), ("min", 60)])
def test_a_period_is_an_expression_of_parameters(system, by_second):
    m = plant(system)
    rate = m.parameter("rate", 30 * by_second)  # 30 rad/s
    for options in ({"period": 2 * np.pi / rate}, {"period_of": rate}, {"period_of": 1 * rate}, {"period": "2*pi/rate"}, {"period": np.pi / 15}):
        assert m.floquet(**options).period == pytest.approx(np.pi / 15, rel=1e-14)
    other = plant(system).parameter("rate", 1)
    with pytest.raises(routh.BadArgumentError, match="the period: .* is of another model"):
        m.floquet(period=1 / other)


PART = """units: [mm, t, s]
parameters: {k: 2 N/mm}
bodies: {b: {mass: 2 kg, inertia: [1, 1, 1]}}
joints: {slide: {type: translational, between: [b, ground], axis: z}}
loads: {s: {type: bushing, between: [b, ground], at: [0, 0, 0], translation: {stiffness: [0, 0, k]}}}
"""


@pytest.mark.parametrize("value", [7, "7", "2*3.5", "(7)", "max(7, 1)", "2*pi", "7 N/mm + 1"])
def test_numbers_in_units_of_a_part_are_not_written_into_a_model_in_others(tmp_path, value):
    (tmp_path / "part.yaml").write_text(PART, "utf-8")
    whole = routh.Model.parse("parts: {p: {file: part.yaml}}\n", name=str(tmp_path / "whole.yaml"))
    with pytest.raises(routh.BadArgumentError, match="p.k has no place.*units of a part's own file.*with its unit"):
        whole.with_settings(settings={"p.k": value}).to_yaml()
    same = routh.Model.parse("units: [mm, t, s]\nparts: {p: {file: part.yaml}}\n", name=str(tmp_path / "same.yaml"))
    for model in (same.with_settings(settings={"p.k": value}), whole.with_settings(settings={"p.k": "7e3 N/m"})):
        again = routh.Model.parse(model.to_yaml(), name=str(tmp_path / "again.yaml"))
        assert np.allclose(again.linearize().K, model.linearize().K, rtol=1e-14)
