"""A force that nothing balances is none of what rounding makes of stiff elements, beside it or across it."""
import itertools
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import COORDINATES, ModelCase  # noqa: E402

FORCE = 1e-4  # N; stiffness of 1e12 N/m at 1 m makes 9e-4 N of the rounding of places

BESIDE = """
operating_point: {{type: {type}}}
bodies:
  a: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
  b: {{mass: 1e-3, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints:
  j: {{type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}
  k: {{type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}
loads:
  s: {{type: bushing, between: [a, ground], at: [0, 0, 0], translation: {{stiffness: [1e12, 0, 0]}}}}
  t: {{type: bushing, between: [b, ground], at: [1, 0, 0], translation: {{stiffness: [{soft}, 0, 0]}}}}
  f: {{type: force, on: b, components: [{force}, 0, 0]}}
"""

# stiff along e = (c, s), soft across it
ACROSS = """
operating_point: {{type: {type}}}
bodies: {{a: {{mass: 1e-3, inertia: [1e-3, 1e-3, 1e-3], position: [0.7, 0.2, 0.1]}}}}
markers:
  p: {{body: a, at: [0.7, 0.2, 0.1], orientation: {{z: [0, 0, 1], x: [{c}, {s}, 0]}}}}
  g: {{body: ground, at: [0.7, 0.2, 0.1], orientation: {{z: [0, 0, 1], x: [{c}, {s}, 0]}}}}
joints: {{j: {{type: planar, between: [a, ground], at: [0.7, 0.2, 0.1], axis: z}}}}
loads:
  s: {{type: bushing, between: [p, g], translation: {{stiffness: [1e12, {soft}, 0]}}, rotation: {{stiffness: [0, 0, 4]}}}}
  f: {{type: force, on: a, components: [{x}, {y}, 0]}}
"""


def across(kind, angle, soft):
    c, s = math.cos(angle), math.sin(angle)
    return ACROSS.format(type=kind, c=c, s=s, soft=soft, x=-FORCE * s, y=FORCE * c)

# bodies in a row on a hinge, joined by stiff bushings, drawn horizontally: they hang in the end
HANGING = """
operating_point: {{type: static}}
gravity: [0, 0, -9.81]
bodies:
{bodies}
joints: {{h: {{type: revolute, between: [b0, ground], at: [{x}, 0, 0], axis: y}}}}
loads:
{loads}
"""
INERTIA = (0.1, 0.2, 0.15)


def hanging(n, stiffness, away):
    bodies = [f"  b{i}: {{mass: 1, inertia: {list(INERTIA)}, position: [{away + 0.5 * (i + 1)}, 0, 0]}}" for i in range(n)]
    loads = [f"  k{i}: {{type: bushing, between: [b{i}, b{i - 1}], at: [{away + 0.5 * (i + 0.5)}, 0, 0], "
             f"translation: {{stiffness: {stiffness}}}, rotation: {{stiffness: {stiffness}}}}}" for i in range(1, n)]
    return HANGING.format(bodies="\n".join(bodies), loads="\n".join(loads), x=away + 0.2)


# two bodies that nothing holds, one stiff bushing between them, at an odd angle
FREE = """
operating_point: {{type: static}}
bodies:
  a: {{mass: 9, inertia: [0.1, 0.2, 0.15], position: [{x!r}, 0.3, 0.028], orientation: {{x: [0.77, -0.18, 0.61], z: [0.62, 0.02, -0.78]}}}}
  b: {{mass: 9, inertia: [0.1, 0.2, 0.15], position: [{y!r}, 0.21, 0.33], orientation: {{x: [0.77, -0.18, 0.61], z: [0.62, 0.02, -0.78]}}}}
loads:
  k: {{type: bushing, between: [a, b], at: [{x!r}, 0.25, 0.18], translation: {{stiffness: {stiffness}}}, rotation: {{stiffness: {stiffness}}}}}
"""

STRUT = """
gravity: [0, 0, -9.81]
operating_point: {{type: static}}
bodies:
  bob: {{mass: 5, inertia: [1, 1, 1], position: [0.3, 0, -0.9]}}
  a: {{mass: 1, inertia: [1, 1, 1], position: [5, 0, 0.02]}}
markers:
  hook: {{body: ground, position: [0, 0, 0]}}
  above: {{body: ground, position: [5, 0, 1]}}
  below: {{body: ground, position: [5, 0, -1]}}
joints:
  o: {{type: orientation, between: [bob, ground]}}
  v: {{type: translational, between: [a, ground], at: [5, 0, 0], axis: z}}
loads:
  s: {{type: spring, between: [bob, hook], stiffness: 1e5, free_length: 1}}
  u: {{type: spring, between: [a, above], stiffness: {stiffness}, free_length: 0.95}}
  w: {{type: spring, between: [a, below], stiffness: {stiffness}, free_length: 0.95}}
"""

UPRIGHT = """
gravity: [0, 0, -9.81]
operating_point: {{type: static}}
bodies:
  a: {{mass: {mass}, inertia: [1e-6, 1e-6, 1e-6], position: [{l}, {x}, 0]}}
  b: {{mass: {mass}, inertia: [1e-9, 1e-9, 1e-9], position: [{x}, {x}, 1]}}
joints: {{r: {{type: revolute, between: [b, ground], at: [{x}, {x}, 0], axis: y}}}}
loads:
  k: {{type: bushing, between: [a, ground], at: [{l}, {x}, 0], translation: {{stiffness: {stiffness}}}, rotation: {{stiffness: {stiffness}}}}}
"""
NEGATIVE = """
operating_point: {{type: static}}
bodies: {{a: {{mass: 1, inertia: [1, 1, 1]}}}}
joints: {{j: {{type: planar, between: [a, ground], at: [0, 0, 0], axis: z}}}}
loads:
  k: {{type: bushing, between: [a, ground], at: [0, 0, 0], translation: {{stiffness: [{stiffness}, {negative}, 0]}}, rotation: {{stiffness: [0, 0, 1]}}}}
"""


class BalanceBesideStiff(ModelCase):
    def test_stiff_bodies_come_to_hang(self):
        """As one body: w^2 = g sum(h) / sum(I + h^2), with h below the hinge; the bushings are too stiff to show."""
        for n, stiffness, away in ((2, 1e8, 30), (3, 1e7, 30), (3, 1e9, 1000), (4, 1e8, 1)):
            found = self.run_it("modes", hanging(n, stiffness, away))
            h = [0.3 + 0.5 * i for i in range(n)]
            wanted = math.sqrt(9.81 * sum(h) / sum(INERTIA[1] + x * x for x in h))
            slow = min(m["eigenvalue"][1] for m in found["modes"] if m["eigenvalue"][1] > 1e-3)
            self.assertLess(abs(slow - wanted), 1e-5 * wanted, (n, stiffness, away))

    def test_stiff_bodies_that_nothing_holds_are_at_rest_as_they_are(self):
        for stiffness, away in itertools.product((1e7, 1e8, 1e9, 1e10, 1e11, 1e12), (0, 1, 10, 1000, 1e6)):
            model = FREE.format(stiffness=stiffness, x=away + 0.1, y=away + 0.5)
            found = self.run_it("equilibrium", model)
            for body in found["bodies"]:
                self.assertLess(abs(body["position"][0] - away - (0.1 if body["name"] == "a" else 0.5)), 1e-9 * max(1, away))

    def models(self, kind, soft):
        yield BESIDE.format(type=kind, soft=soft, force=FORCE)
        for angle in (0, 0.3, math.pi / 4, 1.2):
            yield across(kind, angle, soft)

    def test_what_is_unstable_beside_stiff_elements_is_not_kept(self):
        """A pendulum drawn upright, beside a spring that weighs or far away makes more rounding than its weight."""
        for stiffness, mass, away in ((1e7, 1e-3, 1e6), (1e9, 1e-4, 1e4), (1e11, 1e-6, 0)):
            found = self.run_it("equilibrium", UPRIGHT.format(stiffness=stiffness, mass=mass, x=away, l=away + 1))
            self.assertAlmostEqual(found["bodies"][1]["position"][2], -1, delta=1e-6)
        for stiffness, negative in ((1e12, 1e-4), (1e9, 1e-8), (1e14, 0.05)):
            model = NEGATIVE.format(stiffness=stiffness, negative=-negative)
            self.assertRegex(self.try_it("equilibrium", model).stderr, "no static equilibrium")

    def test_a_pendulum_hangs_beside_a_strut_that_is_pressed(self):
        """What is left of 5e11 N in the strut is as large as the weight of the bob."""
        for stiffness in (1e10, 1e12, 1e13):
            found = self.run_it("equilibrium", STRUT.format(stiffness=stiffness))
            bob = found["bodies"][0]["position"]
            self.assertLess(abs(bob[0]), 1e-6)
            self.assertAlmostEqual(bob[2], -1 - 5 * 9.81 / 1e5, delta=1e-9)

    def test_a_force_beside_a_large_one_is_none_of_what_is_left_of_it(self):
        """9e-4 N on a free body beside 1e8 N on a spring of 1e12 N/m"""
        model = BESIDE.format(type="static", soft=0, force=9e-4).rstrip() + "\n  g: {type: force, on: a, components: [1e8, 0, 0]}\n"
        self.assertRegex(self.try_it("equilibrium", model).stderr, "no static equilibrium")

    def test_no_equilibrium_where_nothing_balances(self):
        for model, coordinates in itertools.product(self.models("static", 0), COORDINATES):
            done = self.try_it("modes", model, "--coordinates", coordinates)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, "no static equilibrium")

    def test_state_that_accelerates_is_not_at_rest(self):
        for model, coordinates in itertools.product(self.models("given", 0), COORDINATES):
            found = self.run_it("linearize", model, "--coordinates", coordinates)
            self.assertAlmostEqual(found["residual"], 1, delta=1e-6)

    def test_equilibrium_where_a_soft_spring_balances(self):
        """k = 1 N/m gives 1e-4 m; w^2 = k/m = 1000."""
        for model, coordinates in itertools.product(self.models("static", 1), COORDINATES):
            found = self.run_it("modes", model, "--coordinates", coordinates)
            slow = [m["eigenvalue"][1] for m in found["modes"] if abs(m["eigenvalue"][1] - math.sqrt(1000)) < 1e-6]
            self.assertEqual(len(slow), 1, found["modes"])


if __name__ == "__main__":
    unittest.main()
