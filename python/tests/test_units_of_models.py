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
