#!/usr/bin/env python3
"""Beams that sag, roll and turn: damping of the strain they have, inertia in roll, and what is said where a limit of the
theory is met."""
import json
import math
import os
import subprocess
import tempfile
import unittest

SECTION = "density: 7800, youngs_modulus: 2.1e11, poissons_ratio: 0.3"


def run(command, text):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as f:
        f.write(text)
        f.flush()
        done = subprocess.run([os.environ["ROUTH"], command, f.name, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def modes(text):
    return [complex(*z) for z in run("modes", text)["eigenvalues"]]


def said(text):
    return " ".join(run("equilibrium", text)["warnings"])


CANTILEVER = f"""gravity: [0, 0, -GRAVITY]
bodies:
  beam: {{type: beam, to: [1, 0, 0], elements: 10, {SECTION}, section: {{rectangle: {{width: 0.004, height: 0.006}}}}, DAMPING}}
joints:
  wall: {{type: fixed, between: [beam, ground], at: [0, 0, 0]}}
operating_point: {{type: static}}
"""
TURNING = f"""bodies:
  hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 12]}}
  blade: {{type: beam, to: [1, 0, 0], elements: 10, {SECTION}, section: {{rectangle: {{width: 0.004, height: 0.006}}}}, FRAME,
          angular_velocity: [0, 0, 12]}}
joints:
  bearing: {{type: revolute, between: [hub, ground], axis: z}}
  root: {{type: fixed, between: [blade, hub], at: [0, 0, 0]}}
operating_point: {{type: steady}}
steady: {{axis: z, turn_rate: 12}}
"""
ROLL = """bodies:
  strip: {type: beam, to: [1, 0, 0], elements: 4, planar: true, density: 7800, youngs_modulus: 2.1e11, area: 1e-4, iyy: 8e-6,
          izz: 2e-8}
joints:
  axle: {type: revolute, between: [strip, ground], at: [0, 0, 0], axis: x}
loads:
  bar: {type: torsion_spring, between: [strip, ground], at: [0, 0, 0], axis: x, stiffness: 10}
"""


class Bent(unittest.TestCase):
    def test_damping_of_a_sagging_beam(self):
        """Bending has the damping ratio s w / 2, whatever the sag: the axis of a cantilever does not stretch."""
        s = 2e-5
        for gravity in (0.5, 5, 20):
            found = modes(CANTILEVER.replace("GRAVITY", str(gravity)).replace("DAMPING", f"damping: {{stiffness: {s}}}"))
            first = min((z for z in found if z.imag > 1), key=abs)
            ratio = -first.real / abs(first) / (s * abs(first) / 2)
            self.assertLess(abs(ratio - 1), 0.02, f"gravity {gravity}: {ratio} of the ratio of bending")

    def test_roll_of_a_planar_beam(self):
        found = modes(ROLL)
        want = math.sqrt(10 / (7800 * 8.02e-6))
        self.assertLess(min(abs(abs(z.imag) - want) for z in found), 1e-9 * want)

    def test_limits_are_said(self):
        limits = [
            (TURNING.replace("FRAME", "frame: mean-axis"), "do not stiffen it"),
            (CANTILEVER.replace("GRAVITY", "60").replace(", DAMPING", ""), "model a beam under `beams`"),
            (CANTILEVER.replace("GRAVITY", "30").replace("[0, 0, -", "[0, -").replace("30]", "30, 0]").replace(", DAMPING", ""),
             "critical bending moment"),
            (ROLL.replace("planar: true,", "planar: true, damping: {mass: 1},"), "`frame: mean-axis` for damping"),
        ]
        for text, words in limits:
            self.assertIn(words, said(text))

    def test_nothing_is_said_within_the_limits(self):
        for text in (TURNING.replace("FRAME", "frame: tangent").replace("12", "0.2"),
                     TURNING.replace("FRAME", "frame: mean-axis").replace("12", "0.2"),
                     CANTILEVER.replace("GRAVITY", "0.5").replace(", DAMPING", "")):
            self.assertEqual(said(text), "")


if __name__ == "__main__":
    unittest.main()
