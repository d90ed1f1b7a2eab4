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


class BalanceBesideStiff(ModelCase):
    def models(self, kind, soft):
        yield BESIDE.format(type=kind, soft=soft, force=FORCE)
        for angle in (0, 0.3, math.pi / 4, 1.2):
            yield across(kind, angle, soft)

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
