"""Points that motions lead beyond half a turn: their dependence on parameters against differences of runs next to
them, and sweeps over the motion's angle against runs of their own."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

# A bob hangs from a rack, an arm from a wheel at `ratio` times the turns of the wheel that moves both; another motion
# turns what the arm's spring is fixed to. In a point as given, bob and arm are where they were taken along to.
MODEL = """
parameters: {a: 4, b: -9, ratio: 3, radius: 0.3}
bodies:
  wheel: {mass: 1, inertia: [1, 1, 2], position: [2, 0, 0]}
  other: {mass: 1, inertia: [1, 1, 2], position: [3, 0, 0]}
  disk: {mass: 1, inertia: [1, 1, 2], position: [4, 2, 0]}
  rack: {mass: 1, inertia: [1, 1, 1], position: [0, 5, 0]}
  bob: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.2, 4.2, 0]}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [3.4, 0.5, 0]}
markers:
  tip: {body: bob}
  tip2: {body: arm}
  post: {body: ground, position: [1, 2, 0]}
  post2: {body: disk, position: [0.2, 0, 0]}
joints:
  hinge: {type: revolute, between: [wheel, ground], at: [2, 0, 0], axis: z}
  hinge2: {type: revolute, between: [ground, other], at: [3, 0, 0], axis: z}
  hinge3: {type: revolute, between: [disk, ground], at: [4, 2, 0], axis: z}
  rail: {type: translational, between: [rack, ground], at: [0, 5, 0], axis: x}
  hang: {type: revolute, between: [bob, rack], at: [0, 5, 0], axis: z}
  crank: {type: revolute, between: [arm, other], at: [3.4, 0, 0], axis: z}
  mesh: {type: rack_and_pinion, joints: [rail, hinge], radius: radius}
  pair: {type: gear, joints: [hinge, hinge2], ratios: [ratio, -1]}
  drive: {type: motion, joint: hinge, function: a*1 rad}
  drive2: {type: motion, joint: hinge3, function: b*1 rad}
loads:
  pull: {type: spring, between: [tip, post], stiffness: 40, free_length: 1}
  pull2: {type: spring, between: [tip2, post2], stiffness: 30, free_length: 1}
gravity: [0, -9.81, 0]
operating_point: {type: given}
"""

# A nut on a screw is driven, and a bob with springs hangs from it.
SCREW = """
parameters: {a: 4, pitch: 0.2}
bodies:
  nut: {mass: 1, inertia: [1, 1, 2], position: [0, 0, 0.3]}
  bob: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.3, 0.4, 0.2]}
  drum: {mass: 1, inertia: [1, 1, 2], position: [2, 0, 0]}
markers:
  tip: {body: bob}
  post: {body: ground, position: [1, 2, 0]}
  eye: {body: drum}
  core: {body: nut}
joints:
  thread: {type: screw, between: [nut, ground], at: [0, 0, 0.3], axis: z, pitch: pitch}
  drive: {type: motion, joint: thread, function: a*1 rad}
  hang: {type: spherical, between: [bob, nut], at: [0, 0, 0.3]}
  hinge: {type: revolute, between: [drum, ground], at: [2, 0, 0], axis: z}
loads:
  pull: {type: spring, between: [tip, post], stiffness: 40, free_length: 1}
  wind: {type: torsion_spring, between: [eye, core], axis: z, interpolation: cubic,
         table: [[-40, -100], [-10, -30], [0, 0], [10, 20], [40, 150]]}
gravity: [0, 0, -9.81]
operating_point: {type: given}
"""


class Turns(ModelCase):
    def run_with(self, command, text, values, *options):
        sets = [x for name, value in values.items() for x in ("--set", f"{name}={value!r}")]
        return self.run_it(command, text, *sets, *options)

    def eigenvalues(self, text, values, *options):
        found = self.run_with("modes", text, values, *options)["eigenvalues"]
        return sorted((complex(*z) for z in found), key=lambda z: (z.imag, z.real))

    def check_sensitivity(self, text, values, *options):
        found = self.run_with("sensitivity", text, values, "--parameters", ",".join(values), *options)["modes"]
        here = self.eigenvalues(text, values, *options)
        self.assertGreater(len(found), 0)
        for name, value in values.items():
            step = 1e-5 * max(1, abs(value))
            more, less = (self.eigenvalues(text, {**values, name: value + by}, *options) for by in (step, -step))
            for mode in found:
                z = complex(*mode["eigenvalue"])
                k = min(range(len(here)), key=lambda i, z=z: abs(here[i] - z))
                by = [complex(*b["eigenvalue"]) for b in mode["by"] if b["parameter"] == name][0]
                self.assertLess(abs(by - (more[k] - less[k]) / (2 * step)), 2e-6 * max(1, abs(by)), (name, z))

    def test_points_as_given(self):
        for a, b in ((4.3, -9.2), (-20.3, -9.2), (4.3, 11.3), (2.2, 11.3)):
            self.check_sensitivity(MODEL, {"a": a, "b": b, "ratio": 3, "radius": 0.3})
        for coordinates in ("euler-angles", "relative"):
            self.check_sensitivity(MODEL, {"a": 4.3, "b": -9.2, "ratio": 3}, "--coordinates", coordinates)

    def test_static_equilibria(self):
        self.check_sensitivity(MODEL, {"a": -20, "b": -9, "ratio": 3, "radius": 0.3}, "--at", "static")

    def test_screws(self):
        for a in (2.2, 4, -20):
            self.check_sensitivity(SCREW, {"a": a, "pitch": 0.2})

    def test_sweeps_of_equilibria(self):
        """Each value as in a run of its own, which the motion leads there from what is written."""
        text = MODEL.replace("function: a*1 rad", "function: a").replace("{a: 4,", "{a: 4 rad,")
        lines = self.run_with("sweep", text, {}, "--over", "a=0:10:11", "--at", "static")["lines"]
        points = [p for p in lines[0]["points"] if p["on_grid"]]
        self.assertEqual(len(points), 11)
        for point in points:
            own = self.eigenvalues(text, {"a": point["value"]}, "--at", "static")
            found = sorted(z["eigenvalue"][1] for z in point["eigenvalues"])
            for z, right in zip(found, own):
                self.assertAlmostEqual(z, right.imag, delta=1e-8, msg=point["value"])


if __name__ == "__main__":
    unittest.main()
