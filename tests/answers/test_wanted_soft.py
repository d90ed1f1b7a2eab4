#!/usr/bin/env python3
"""Selected eigenvalues of soft parts beside stiff ones: what is small beside the stiffest entry is no rounding, whether it
damps, or is not symmetric. Each found is within its bound of one that is there, or the search is refused."""
import cmath
import decimal
import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ROUTH, ModelCase  # noqa: E402

# Two masses of 2 kg, each of two parts that a spring of 1e14 N/m joins, on springs to ground, with a circulatory coupling.
FOLLOWERS = """
bodies:
  a: {{mass: 1, inertia: [1, 1, 1]}}
  b: {{mass: 1, inertia: [1, 1, 1]}}
  c: {{mass: 1, inertia: [1, 1, 1]}}
  d: {{mass: 1, inertia: [1, 1, 1]}}
joints:
  ja: {{type: translational, between: [a, ground], axis: x}}
  jb: {{type: translational, between: [b, ground], axis: x}}
  jc: {{type: translational, between: [c, ground], axis: x}}
  jd: {{type: translational, between: [d, ground], axis: x}}
loads:
  s1: {{type: bushing, between: [a, c], at: [0, 0, 0], translation: {{stiffness: [1e14, 0, 0]}}}}
  s2: {{type: bushing, between: [b, d], at: [0, 0, 0], translation: {{stiffness: [1e14, 0, 0]}}}}
  s3: {{type: bushing, between: [a, ground], at: [0, 0, 0], translation: {{stiffness: [3.3, 0, 0], damping: [{d}, 0, 0]}}}}
  s4: {{type: bushing, between: [b, ground], at: [0, 0, 0], translation: {{stiffness: [3.1, 0, 0], damping: [{d}, 0, 0]}}}}
  f1: {{type: force, on: a, components: ["-{p}*DX(b)", 0, 0]}}
  f2: {{type: force, on: b, components: ["{p}*DX(a)", 0, 0]}}
operating_point: {{type: given}}
"""


def followers(p, d):
    """With stiff springs that do not give: 2 x'' + d x' + 3.3 x + p y = 0,  2 y'' + d y' + 3.1 y - p x = 0."""
    middle, off = 3.2, cmath.sqrt(0.1**2 - p * p)
    return [(-d + sign * cmath.sqrt(d * d - 8 * k)) / 4 for k in (middle + off, middle - off) for sign in (1, -1)]


class Wanted(ModelCase):
    def check(self, text, right, *options):
        """How many were found; 0 where the search is refused."""
        done = subprocess.run([ROUTH, "modes", self.write(text), "--json", "-q", *options], capture_output=True, text=True,
                              check=False)
        if done.returncode:
            self.assertRegex(done.stderr, r"\Aerror: ")
            return 0
        found = json.loads(done.stdout)["modes"]
        for mode in found:
            value = complex(*mode["eigenvalue"])
            # the springs of 1e14 N/m give: omega by m omega^2/(4 k) of it at most
            self.assertLessEqual(min(abs(value - z) for z in right), mode["error_bound"] + 2e-14, value)
        return len(found)

    def test_a_circulatory_coupling(self):
        for p in (0, 1e-9, 1e-3, 0.05, 0.7, 3):
            with self.subTest(p=p):
                self.check(FOLLOWERS.format(p=p, d=0), followers(p, 0), "--wanted", "4")
        self.assertEqual(self.check(FOLLOWERS.format(p=0, d=0), followers(0, 0), "--wanted", "4"), 4)

    def test_a_little_damping(self):
        for d in (1e-9, 1e-3, 0.4, 3):
            with self.subTest(d=d):
                self.check(FOLLOWERS.format(p=0, d=d), followers(0, d), "--wanted", "4")

    def test_between_two_frequencies(self):
        for p, d in ((0.7, 0), (0, 0.4)):
            with self.subTest(p=p, d=d):
                self.check(FOLLOWERS.format(p=p, d=d), followers(p, d), "--between", "0.01,10")

    def test_springs_that_count_turns(self):
        """A torsion spring, wound, of which the sparse matrices are evaluated too."""
        text = """
bodies: {arm: {mass: 1, inertia: [1, 1, 0.4]}, other: {mass: 1, inertia: [1, 1, 0.9]}}
joints:
  hinge: {type: revolute, between: [arm, ground], at: [0, 0, 0], axis: z}
  hinge2: {type: revolute, between: [other, ground], at: [0, 0, 0], axis: z}
loads:
  spring: {type: torsion_spring, between: [arm, ground], at: [0, 0, 0], axis: z, stiffness: 2}
  spring2: {type: torsion_spring, between: [other, ground], at: [0, 0, 0], axis: z, stiffness: 5}
  torque: {type: torque, on: arm, components: [0, 0, 30]}
operating_point: {type: static}
"""
        right = [sign * 1j * (k / i)**0.5 for k, i in ((2, 0.4), (5, 0.9)) for sign in (1, -1)]
        self.assertEqual(self.check(text, right, "--wanted", "4"), 4)

    def test_what_is_taken_for_zero_has_a_bound(self):
        """Inverted pendulums on springs a little stiffer than they need, k - m g l = e."""
        for e in ("1e-15", "4e-15", "2e-14", "1e-10"):
            text = f"""
gravity: [0, 0, -10]
bodies:
  ball: {{mass: 1, inertia: [0, 0.5, 1], position: [0, 0, 0.7]}}
  stiff: {{mass: 1, inertia: [1, 1, 1], position: [5, 0, 0]}}
joints:
  pin: {{type: revolute, between: [ball, ground], at: [0, 0, 0], axis: y}}
  pin2: {{type: revolute, between: [stiff, ground], at: [5, 0, 0], axis: y}}
loads:
  s: {{type: torsion_spring, between: [ball, ground], at: [0, 0, 0], axis: y, stiffness: "7 + {e}"}}
  s2: {{type: torsion_spring, between: [stiff, ground], at: [5, 0, 0], axis: y, stiffness: 3}}
operating_point: {{type: given}}
""".replace("inertia: [0,", "inertia: [0.5,")
            right = [sign * 1j * (float(e) / 0.99)**0.5 for sign in (1, -1)] + [3**0.5 * 1j, -(3**0.5) * 1j]
            for options in ([], ["--wanted", "2"]):
                with self.subTest(e=e, options=options):
                    self.check(text, right, *options)

    def test_springs_that_all_but_hold_a_pendulum(self):
        """1.3 kg at 0.7 m on a spring of m g l (1 + e), in decimals."""
        moment, inertia = decimal.Decimal("8.9271"), decimal.Decimal("1.3") * decimal.Decimal("0.49") + decimal.Decimal("0.01")
        for e in ("-2e-14", "-3e-15", "5e-16", "1e-15", "2e-15", "3e-15", "4e-15", "6e-15", "1e-14", "3e-14", "1e-13"):
            stiffness = moment * (1 + decimal.Decimal(e))
            text = f"""
gravity: [0, 0, -9.81]
bodies: {{b: {{mass: 1.3, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.7]}}}}
joints: {{j: {{type: revolute, between: [b, ground], at: [0, 0, 0], axis: y}}}}
loads: {{s: {{type: torsion_spring, between: [b, ground], at: [0, 0, 0], axis: y, stiffness: {stiffness}}}}}
operating_point: {{type: given}}
"""
            right = [sign * cmath.sqrt(-float(moment * decimal.Decimal(e) / inertia)) for sign in (1, -1)]
            for options in ([], ["--wanted", "2"]):
                with self.subTest(e=e, options=options):
                    self.assertEqual(self.check(text, right, *options), 2)

    def test_a_joint_far_from_the_origin(self):
        """Its place in the body is a difference of large numbers."""
        for length, z in (("0.001", "999999.999"), ("0.7", "999999.3")):
            text = f"""
gravity: [0, 0, -9.81]
bodies: {{b: {{mass: 1.3, inertia: [0.01, 0.01, 0.01], position: [1e6, 0, {z}]}}}}
joints: {{j: {{type: revolute, between: [b, ground], at: [1e6, 0, 1e6], axis: y}}}}
operating_point: {{type: given}}
"""
            square = 1.3 * 9.81 * float(length) / (1.3 * float(length)**2 + 0.01)
            right = [sign * 1j * square**0.5 for sign in (1, -1)]
            for options in ([], ["--wanted", "2"]):
                with self.subTest(length=length, options=options):
                    self.assertEqual(self.check(text, right, *options), 2)


if __name__ == "__main__":
    unittest.main()
