#!/usr/bin/env python3
"""Slow modes beside stiff ones, whatever the stiffest part does: a pendulum beside a panel, and a blade that flaps on
the axis of its rotation, against closed forms; and mechanisms whose zeros are zeros."""
import decimal
import json
import math
import os
import subprocess
import tempfile
import unittest

from runs import EFFORT, ROUTH, SOURCE

PANEL = """gravity: [0, 0, -{g}]
bodies:
  ball: {{mass: 50, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0, -0.3]}}
  panel: {{type: beam, position: [5, 0, 0], to: [4.4, 0, 0], elements: {n}, density: 2700, youngs_modulus: {E},
    shear_modulus: {E}/2.6, section: {{rectangle: {{height: 1.5, width: 0.02}}}}, damping: {{stiffness: {c}}}}}
joints:
  pin: {{type: revolute, between: [ball, ground], at: [0, 0, 0], axis: y}}
  wall: {{type: fixed, between: [panel, ground], at: [5, 0, 0]}}
operating_point: {{type: given}}
"""
OSCILLATOR = """bodies:
  mass: {{mass: 1, inertia: [1, 1, 1]}}
joints:
  rail: {{type: translational, between: [mass, ground], axis: x}}
loads:
  k: {{type: bushing, between: [mass, ground], at: [0, 0, 0], translation: {{stiffness: [4, 0, 0], damping: [{c}, 0, 0]}}}}
operating_point: {{type: given}}
"""
BLADE = """parameters: {{turn: {turn}, n: {n}, EA: {EA}}}
bodies:
  blade: {{type: beam, to: [1.7, 0, 0], elements: n, density: 0.6, youngs_modulus: EA, shear_modulus: EA, area: 1,
    iyy: 2/EA, izz: 2/EA, torsion_constant: 2/EA, angular_velocity: [0, 0, turn]}}
  hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, turn]}}
joints:
  bearing: {{type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}}
  drive: {{type: motion, joint: bearing, function: turn*time}}
  root: {{type: revolute, between: [blade, hub], at: [0, 0, 0], axis: y}}
operating_point: {{type: steady}}
"""
# In decimals k = a + b, in doubles not always.
CANCELLED = """parameters: {{a: {a}, b: {b}, c: a+b}}
bodies:
  free: {{mass: 1, inertia: [1, 1, 1]}}
  other: {{mass: 1, inertia: [1, 1, 1]}}
joints:
  pin: {{type: revolute, between: [free, ground], at: [0, 0, 0], axis: y}}
  hinge: {{type: revolute, between: [other, ground], at: [0, 0, 0], axis: y}}
loads:
  spring: {{type: torsion_spring, between: [free, ground], at: [0, 0, 0], axis: y, stiffness: {k}}}
  against: {{type: torsion_spring, between: [free, ground], at: [0, 0, 0], axis: y, torque: c*AY(free)}}
  stiff: {{type: torsion_spring, between: [other, ground], at: [0, 0, 0], axis: y, stiffness: 100}}
operating_point: {{type: given}}
"""


DIFFERENCE = """parameters: {{a: 1.1, b: 1.0999999, c: a - b, d: 0}}
bodies:
  soft: {{mass: 1, inertia: [1, 1, 1]}}
  stiff: {{mass: 1, inertia: [1, 1, 1]}}
joints:
  x: {{type: translational, between: [soft, ground], axis: x}}
  y: {{type: translational, between: [stiff, ground], axis: x}}
loads:
  k: {{type: bushing, between: [soft, ground], at: [0, 0, 0], translation: {{stiffness: [{k}, 0, 0]}}}}
  s: {{type: bushing, between: [stiff, ground], at: [0, 0, 0], translation: {{stiffness: [7, 0, 0]}}}}
operating_point: {{type: given}}
"""
TOP = """gravity: [0, 0, -9.81]
parameters: {{tilt: 0.5}}
bodies:
  top: {{mass: 1, inertia: [0.01, 0.01, 0.005], position: [0.2*sin(tilt), 0, 0.2*cos(tilt)],
    orientation: {{rpy: [0, tilt, 0]}}}}
joints:
  tip: {{type: spherical, between: [top, ground], at: [0, 0, 0]}}
operating_point: {{type: steady}}
steady: {{axis: z, spins: {{top: {{axis: z, rate: {spin}}}}},
  prescribed: {{height: {{expression: DZ(top), value: 0.2*cos(tilt)}}}}}}
"""
PRELOADED = """gravity: [0, 0, -9.81]
bodies:
  b: {mass: 1.3, inertia: [0.4, 0.4, 0.4], position: [0, 0, 0.7]}
  c: {mass: 1, inertia: [1, 1, 1], position: [5, 0, 0]}
joints:
  j: {type: revolute, between: [b, ground], at: [0, 0, 0], axis: y}
  j2: {type: revolute, between: [c, ground], at: [5, 0, 0], axis: y}
loads:
  s: {type: torsion_spring, between: [b, ground], at: [0, 0, 0], axis: y, stiffness: 20, preload: 3.7}
  s2: {type: torsion_spring, between: [c, ground], at: [5, 0, 0], axis: y, stiffness: 1e13, preload: 1e12}
operating_point: {type: static}
"""


def modes(text, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([ROUTH, "modes", path, "--json", "-q", *arguments], capture_output=True, text=True,
                              check=True)
    return json.loads(done.stdout)


class Slow(unittest.TestCase):
    def nearest(self, found, want):
        return min(found["modes"], key=lambda mode: abs(complex(*mode["eigenvalue"]) - want))

    def check(self, found, want, relative):
        self.assertEqual(found["zero_eigenvalues"], 0)
        mode = self.nearest(found, 1j * want)
        off = abs(complex(*mode["eigenvalue"]) - 1j * want)
        self.assertLessEqual(off, relative * want)
        self.assertLessEqual(off, mode["error_bound"] + 1e-15 * want)

    def test_a_pendulum_beside_a_panel(self):
        grid = [(E, c, g, n) for E in ("1e5", "7e10", "1e15") for c in ("0", "1e-3", "1e-2") for g in (1e-6, 0.0231, 10)
                for n in (1, 6)]
        if EFFORT < 5:
            grid = grid[::7]
        else:
            grid += [("1e15", "1e-2", 1e-6, 32)]
        for E, c, g, n in grid:
            with self.subTest(E=E, damping=c, gravity=g, elements=n):
                want = math.sqrt(50 * g * 0.3 / (50 * 0.09 + 1e-4))
                self.check(modes(PANEL.format(E=E, c=c, g=repr(g), n=n)), want, 1e-9)

    def test_a_blade_flaps_as_fast_as_it_turns(self):
        """As a rigid body w^2 = W^2 (Izz - Ixx) / Iyy, with second moments i of the section; a beam of equal slope along
        its length bends in no way."""
        for EA, turn in (("1e9", 0.3), ("1e11", 1), ("1e11", 3)):
            with self.subTest(EA=EA, turn=turn):
                i, square = 2 / float(EA), 1.7 ** 2 / 3
                want = turn * math.sqrt((square - i) / (square + i))
                self.check(modes(BLADE.format(EA=EA, turn=turn, n=12)), want, 1e-12)

    def test_critical_damping_keeps_its_verdict(self):
        """(s + c/2)^2: two equal eigenvalues with one vector, whose bound is the root of that of the numbers."""
        for c in (4, -4):
            found = modes(OSCILLATOR.format(c=c))
            for mode in found["modes"]:
                off = abs(complex(*mode["eigenvalue"]) + c / 2)
                self.assertLessEqual(off, mode["error_bound"])
                self.assertLess(mode["error_bound"], 1e-6)
                self.assertEqual(mode["defective"], 2)

    def test_a_soft_part_beside_a_preload_is_settled(self):
        """An inverted pendulum on a torsion spring beside a body under 1e12 N m, which nothing joins."""
        angle = 0.4
        for _ in range(60):
            angle -= (20 * angle - 1.3 * 9.81 * 0.7 * math.sin(angle) - 3.7) / (
                20 - 1.3 * 9.81 * 0.7 * math.cos(angle))
        want = math.sqrt((20 - 1.3 * 9.81 * 0.7 * math.cos(angle)) / (0.4 + 1.3 * 0.49))
        self.check(modes(PRELOADED), want, 1e-13)

    def test_a_steady_top_keeps_its_zeros(self):
        """Turned about the vertical and about its axis, and faster in either: two chains, also where it hardly
        precesses."""
        for spin in (118, 119, 120, 121, 150, 300):
            with self.subTest(spin=spin):
                found = modes(TOP.format(spin=spin))
                self.assertEqual(found["zero_eigenvalues"], 4)
                for mode in found["modes"]:
                    self.assertLessEqual(mode["eigenvalue"][0], mode["error_bound"])

    def test_what_moves_freely_still_does(self):
        for name, zeros in (("conical-pendulum", 2), ("steady-turn", 1), ("disc-on-circle", 4), ("humanoid", 16),
                            ("tractor-semitrailer", 4), ("rolling-disc", 6), ("bicycle", 6), ("falling-ball", 9)):
            with self.subTest(name=name):
                text = (SOURCE / "examples" / f"{name}.yaml").read_text(encoding="utf-8")
                self.assertEqual(modes(text)["zero_eigenvalues"], zeros)

    def test_a_load_that_cancels_a_spring_but_for_rounding(self):
        sums = [(a, b) for a in range(1, 100, 7) for b in range(1, 100, 11)]
        rounded = [(a, b) for a, b in sums if a / 10 + b / 100 != (10 * a + b) / 100]
        for a, b in rounded[::1 if EFFORT >= 5 else 4]:
            with self.subTest(a=a, b=b):
                text = CANCELLED.format(a=a / 10, b=b / 100, k=(10 * a + b) / 100)
                self.assertEqual(modes(text)["zero_eigenvalues"], 2)

    def test_numbers_that_cancel_within_an_expression(self):
        for torque in ("0.1*AY(free) + 0.2*AY(free) - 0.3*AY(free)", "1.1*AY(free) + 2.2*AY(free) - 3.3*AY(free)",
                       "AY(free)/3*1.1 - AY(free)*1.1/3"):
            with self.subTest(torque=torque):
                text = CANCELLED.format(a=1, b=1, k=2).replace("c*AY(free)", f"c*AY(free) + {torque}")
                self.assertEqual(modes(text)["zero_eigenvalues"], 2)

    def test_bounds_know_what_parameters_lose_that_cancel(self):
        """1.1 - 1.0999999 is 1e-7 in decimals, and off by 6e-10 of it in doubles."""
        right = decimal.Decimal("1e-7").sqrt()
        for stiffness in ("a - b", "c", "2*d + c"):
            for options in ([], ["--wanted", "2"]):
                with self.subTest(stiffness=stiffness, options=options):
                    slowest = min(modes(DIFFERENCE.format(k=stiffness), *options)["modes"], key=lambda m: abs(m["eigenvalue"][1]))
                    value, bound = abs(slowest["eigenvalue"][1]), slowest["error_bound"]
                    self.assertLessEqual(abs(decimal.Decimal(value) - right), decimal.Decimal(bound))
                    self.assertLess(bound, 1e-6 * value)

    def test_a_saved_model_keeps_what_rounding_took(self):
        with tempfile.TemporaryDirectory() as folder:
            model, saved = os.path.join(folder, "model.yaml"), os.path.join(folder, "linear.json")
            with open(model, "w", encoding="utf-8") as file:
                file.write(PANEL.format(E="7e10", c="1e-3", g="0.0231", n=6))
            with open(saved, "w", encoding="utf-8") as file:
                subprocess.run([ROUTH, "linearize", model, "--json", "-q"], stdout=file, check=True)
            found = [json.loads(subprocess.run([ROUTH, "modes", path, "--json", "-q"], capture_output=True, text=True,
                                               check=True).stdout) for path in (model, saved)]
        self.assertEqual(found[0]["eigenvalues"], found[1]["eigenvalues"])


if __name__ == "__main__":
    unittest.main()
