"""Dwells: the mechanism is simulated under a small sine until only that frequency is left, and its outputs have amplitude
and phase of the frequency response. What differs is what a linear model leaves out: it falls with the square of the
amplitude, and once that is taken off, H is left."""
import math
import os
import tempfile
import unittest

from runs import SOURCE, amplitude, example, respond, response_at, simulate, write

EVERY, PERIODS = 32, 6   # samples a period, periods that are looked at


class SineDwells(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def dwell(self, text, source, size, hertz, settle):
        """H of all outputs as the motion of that size shows it."""
        history = f"{size!r}*STEP5(time, 0, 0, 1, 1)*sin({2 * math.pi * hertz!r}*time)"
        model = write(self.path("dwell.yaml"), text + f'\nsimulate: {{inputs: {{{source}: "{history}"}}}}\n')
        end = (math.ceil(settle * hertz) + PERIODS) / hertz
        run = simulate(model, "--end", repr(end), "--every", repr(1 / hertz / EVERY), "--tolerance", "1e-9", "--integrator", "bdf")
        times = run.pop("time")[-PERIODS * EVERY :]
        return {name: amplitude(times, values[-PERIODS * EVERY :], hertz) / (-1j * size) for name, values in run.items()}

    def at(self, model, source, hertz):
        return respond(model, "--input", source, "--over", f"{hertz!r}:{2 * hertz!r}:2")

    def two_sizes(self, text, source, size, hertz, settle, nonlinear):
        """nonlinear: the outputs in which the difference stands far above the errors of integration."""
        model = write(self.path("model.yaml"), text)
        data = self.at(model, source, hertz)
        large, small = (self.dwell(text, source, s, hertz, settle) for s in (2 * size, size))
        for name, found in small.items():
            h = response_at(data, name, source, 0)
            more, less = large[name] / h - 1, found / h - 1
            if name in nonlinear:
                self.assertGreater(abs(less), 1e-5, name)
                self.assertLess(abs(more / less - 4), 0.2, name)
            # the terms with the fourth power of the amplitude are left
            self.assertLess(abs((4 * less - more) / 3), 3e-6 + 4 * abs(more) ** 2, name)

    def test_a_quarter_of_a_car_is_linear(self):
        text, model = example("quarter-car-active.yaml"), SOURCE / "examples/quarter-car-active.yaml"
        for hertz in (1.6498, 11.3):
            found = self.dwell(text, "road", 1e-3, hertz, 12)
            data = self.at(model, "road", hertz)
            for name, value in found.items():
                self.assertLess(abs(value / response_at(data, name, "road", 0) - 1), 3e-5, (name, hertz))

    def test_half_a_car(self):
        self.two_sizes(example("half-car-active.yaml"), "front_road", 0.02, 1.4, 16, ("pitch", "rear_travel"))

    ENGINE = """
joints:
  rail: {type: translational, between: [frame, ground], at: [0, 0, 0], axis: z}
  shake: {type: motion, joint: rail, function: floor}
inputs: {floor: {value: 0, unit: m}}
outputs:
  z: {expression: DZ(engine), unit: m}
  ry: {expression: AY(engine), unit: rad}
  x: {expression: DX(engine), unit: m}
"""

    def test_an_engine_on_a_moving_floor(self):
        """What --base says of the example, too."""
        text = example("engine-mount.yaml").replace("body: ground", "body: frame")
        text = text.replace("bodies:\n", "bodies:\n  frame: {mass: 1, inertia: [1, 1, 1]}\n") + self.ENGINE
        hertz = 9.68
        self.two_sizes(text, "floor", 0.001, hertz, 6, ("z", "ry", "x"))
        floor = self.at(self.path("model.yaml"), "floor", hertz)
        ground = respond(SOURCE / "examples/engine-mount.yaml", "--base", "z", "--of", "engine.z,engine.ry,engine.x", "--over",
                         f"{hertz!r}:{2 * hertz!r}:2")
        for name in ("z", "ry", "x"):
            ratio = response_at(floor, name, "floor", 0) / response_at(ground, "engine." + name, "ground.z", 0)
            self.assertLess(abs(ratio - 1), 1e-12, name)


if __name__ == "__main__":
    unittest.main()
