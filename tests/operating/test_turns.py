"""Angles that count their turns, in operating points: motions beyond half a turn, springs that are wound, saved states."""
import json
import math
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import COORDINATES, ROUTH, ModelCase  # noqa: E402

# A wheel that is driven, a rack on it, and another wheel that turns `ratio` times the other way.
RACK = """
parameters: {phi: 4, ratio: 3}
bodies:
  wheel: {mass: 1, inertia: [1, 1, 2], position: [2, 0, 0]}
  other: {mass: 1, inertia: [1, 1, 2], position: [3, 0, 0]}
  rack: {mass: 1, inertia: [1, 1, 1], position: [0, 5, 0]}
joints:
  hinge: {type: revolute, between: [wheel, ground], at: [2, 0, 0], axis: z}
  hinge2: {type: revolute, between: [ground, other], at: [3, 0, 0], axis: z}
  rail: {type: translational, between: [rack, ground], at: [0, 5, 0], axis: x}
  mesh: {type: rack_and_pinion, joints: [rail, hinge], radius: 0.3}
  pair: {type: gear, joints: [hinge, hinge2], ratios: [ratio, -1]}
  drive: {type: motion, joint: hinge, function: phi}
outputs: {rack: "DX(rack)", wheel: AZ(wheel), other: "AZ(ground, other)"}
operating_point: {type: static}
"""

# Free angle and orientation of the arm, torque on it.
SPRING = """
parameters: {free: 170 deg, at: 190 deg, T: 0, k: 2}
bodies: {arm: {mass: 1, inertia: [1, 1, 0.4], orientation: {axis: [0, 0, 1], angle: at}}}
markers: {base: {body: ground}}
joints: {hinge: {type: revolute, between: [%s], axis: z}}
loads:
  spring: {type: torsion_spring, between: [%s], axis: z, stiffness: k, free_angle: free}
  torque: {type: torque, on: arm, components: [0, 0, T]}
outputs: {spring: TZ(spring)}
operating_point: {type: given}
"""


class Points(ModelCase):
    def signals(self, text, *options):
        return {s["name"]: s["value"] for s in self.run_it("equilibrium", text, *options)["signals"]}

    def check_rack(self, phi, ratio, *options):
        found = self.signals(RACK, "--set", f"phi={phi}", "--set", f"ratio={ratio}", *options)
        for name, right in (("wheel", phi), ("rack", 0.3 * phi), ("other", ratio * phi)):
            self.assertAlmostEqual(found[name], right, delta=1e-10 * max(1, abs(ratio * phi)), msg=name)

    def test_limits_several_turns_away(self):
        """A torque of 30 presses the wheel 0.3 rad into a stop at 20 rad, or at -9 rad."""
        for torque, right in ((30, 20.3), (-30, -9.3)):
            text = f"""
bodies: {{c: {{mass: 1, inertia: [1, 1, 0.5]}}}}
joints: {{h: {{type: revolute, between: [c, ground], at: [0, 0, 0], axis: z}}}}
loads:
  stop: {{type: limit, joint: h, lower: -9, upper: 20, stiffness: 100}}
  motor: {{type: torque, on: c, components: [0, 0, {torque} - 1e-3*AZ(c)]}}
outputs: {{c: AZ(c)}}
operating_point: {{type: static}}
"""
            for coordinates in COORDINATES:
                found = self.run_it("linearize", text, "--coordinates", coordinates)
                right_now = right - 1e-5 * right
                self.assertAlmostEqual(found["output_values"][0], right_now, delta=1e-4)

    def test_motions_beyond_half_a_turn(self):
        for phi in (3.1, math.pi, 3.2, 4, 2 * math.pi, -20, 300):
            self.check_rack(phi, 3)
        self.check_rack(-7, 40)
        for coordinates in COORDINATES:
            self.check_rack(4, 3, "--coordinates", coordinates)

    def test_springs_start_within_half_a_turn_of_their_free_angle(self):
        for pair, sign in (("arm, base", 1), ("base, arm", -1)):
            text = SPRING % (pair, pair)
            for free, at in ((170, 190), (-170, 170), (700, 650), (0, 179), (90, 271)):
                found = self.signals(text, "--set", f"free={free} deg", "--set", f"at={at} deg")
                off = (sign * at - free + 180) % 360 - 180
                self.assertAlmostEqual(found["spring"], -2 * math.radians(off), delta=1e-12)

    def test_springs_are_wound(self):
        for pair, sign in (("arm, base", 1), ("base, arm", -1)):
            text = (SPRING % (pair, pair)).replace("TZ(spring)", "AZ(arm)").replace("at: 190", "at: 0")
            for torque in (20, -37, 100, -400):
                found = self.signals(text, "--at", "static", "--set", f"T={torque}", "--set", "free=0.3")
                self.assertAlmostEqual(found["spring"], torque / 2 + sign * 0.3, delta=1e-9)

    def test_a_linear_model_is_the_same_after_whole_turns(self):
        """Of the spring that winds nothing but its angle; and of the rack's drive let go."""
        text = (SPRING % ("arm, base", "arm, base")).replace("at: 190", "at: 0").replace("TZ(spring)", "AZ(arm)")
        first = self.run_it("modes", text, "--at", "static", "--set", "free=0")["eigenvalues"]
        turns = 10 * math.pi
        fifth = self.run_it("modes", text, "--at", "static", "--set", "free=0", "--set", f"T={2 * turns!r}")
        for a, b in zip(first, fifth["eigenvalues"]):
            self.assertAlmostEqual(a[0], b[0], delta=1e-12)
            self.assertAlmostEqual(a[1], b[1], delta=1e-12)

    def test_saved_states_keep_turns(self):
        text = RACK.replace("  drive: {type: motion, joint: hinge, function: phi}\n", "").replace("static", "given")
        text = text.replace("[1, 1, 2], position: [2, 0, 0]", "[1, 1, 2], position: [2, 0, 0], angular_velocity: [0, 0, w]")
        text = text.replace("phi: 4", "w: 10")
        file = self.path("state.json")
        found = self.signals(text, "--at", "time=7", "--save-state", file)
        self.assertAlmostEqual(found["wheel"], 70, delta=1e-6)
        for coordinates in COORDINATES:
            again = self.signals(text, "--at", file, "--coordinates", coordinates)
            for name, value in found.items():
                self.assertAlmostEqual(again[name], value, delta=1e-9, msg=coordinates)
        with open(file, encoding="utf-8") as state:
            angles = {a["name"]: a["value"] for a in json.load(state)["angles"]}
        self.assertAlmostEqual(angles["hinge.rz"], 70, delta=1e-6)
        self.assertAlmostEqual(angles["hinge2.rz"], 210, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
