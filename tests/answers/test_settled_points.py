#!/usr/bin/env python3
"""Operating points with all digits: a soft spring that hardens and a controller, on a body that a stiff spring ties to another, at
rest and carried around. What doubles leave of the balance of the stiff spring moves the soft one, whose stiffness depends on where
it is. Eigenvalues against the same equations with 40 digits, to the last digits of a double and within their bounds."""
import pathlib
import sys
import unittest

try:
    import mpmath
except ImportError:
    print("mpmath is not installed")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

# Places x_a and x_b along the rail, s = x_b - 1, the rotation rate w:
#   x_a'' = w^2 x_a - K (x_a - x_b + 5/4),   x_b'' = w^2 x_b + K (x_a - x_b + 5/4) - s - s^3 + c,   c' = 3 - c - c^3 x_b / 8
LOADS = """controllers: {{c: {{type: differential, rate: "3 - c - 0.125*c^3*{b}", initial: 1}}}}
loads:
  stiff: {{type: force, on: a, reaction_on: b, resolved_in: {on}, components: ["-{K}*({a} - {b} + 1.25)", 0, 0]}}
  soft: {{type: force, on: b, resolved_in: {on}, components: ["-({b} - 1) - ({b} - 1)^3 + c", 0, 0]}}
"""
AT_REST = """bodies: {{a: {{mass: 1, inertia: [1, 1, 1]}}, b: {{mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}}}
joints:
  rail_a: {{type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}
  rail_b: {{type: translational, between: [b, ground], at: [1, 0, 0], axis: x}}
operating_point: {{type: static}}
""" + LOADS
CARRIED = """bodies:
  hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, {w}]}}
  a: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, {w}]}}
  b: {{mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, {w}, 0], angular_velocity: [0, 0, {w}]}}
joints:
  axle: {{type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}}
  drive: {{type: motion, joint: axle, function: {w}*time}}
  rail_a: {{type: translational, between: [a, hub], at: [0, 0, 0], axis: x}}
  rail_b: {{type: translational, between: [b, hub], at: [1, 0, 0], axis: x}}
operating_point: {{type: steady}}
steady: {{axis: z, turn_rate: {w}}}
""" + LOADS


def eigenvalues(K, w):
    def rest(a, b, c):
        stiff, s = K * (a - b + mpmath.mpf(5) / 4), b - 1
        return [w * w * a - stiff, w * w * b + stiff - s - s**3 + c, 3 - c - c**3 * b / 8]
    _, b, c = mpmath.findroot(rest, (0.7, 1.9, 1.5))
    A = mpmath.matrix([[0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [w * w - K, K, 0, 0, 0], [K, w * w - K - 1 - 3 * (b - 1)**2, 0, 0, 1],
                       [0, -c**3 / 8, 0, 0, -1 - 3 * c**2 * b / 8]])
    return mpmath.eig(A)[0]


class SettledPoints(ModelCase):
    def check(self, model, K, w, **names):
        with mpmath.workdps(40):
            right = eigenvalues(mpmath.mpf(K), mpmath.mpf(w))
            found = self.run_it("modes", model.format(K=K, w=w, **names))["modes"]
            self.assertEqual(len(found), len(right))
            for mode in found:
                value = mpmath.mpc(*mode["eigenvalue"])
                error = min(abs(value - other) for other in right)
                self.assertLessEqual(error, 4 * sys.float_info.epsilon * abs(value))
                self.assertLessEqual(error, mode["error_bound"])

    def test_at_rest(self):
        for K in ("1e4", "1e8", "1e10"):
            with self.subTest(K=K):
                self.check(AT_REST, K, 0, a="DX(a)", b="DX(b)", on="ground")

    def test_carried_around(self):
        for K, w in (("1e4", "0.5"), ("1e8", "0.75"), ("1e8", "0.875"), ("1e8", "1.1875")):
            with self.subTest(K=K, w=w):
                self.check(CARRIED, K, w, a="DX(a, ground, hub)", b="DX(b, ground, hub)", on="hub")


if __name__ == "__main__":
    unittest.main()
