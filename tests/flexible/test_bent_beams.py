#!/usr/bin/env python3
"""Beams that sag, roll and turn: damping of the strain they have, inertia in roll, and what is said where a limit of the
theory is met."""
import math
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
SECTION = "density: 7800, youngs_modulus: 2.1e11, poissons_ratio: 0.3"


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
STRUT = f"""bodies:
  strut: {{type: beam, to: [1, 0, 0], elements: 8, planar: true, frame: FRAME, {SECTION}, area: 1e-4, izz: 8e-10}}
markers: {{tip: {{body: strut, node: last}}}}
joints:
  pin: {{type: revolute, between: [strut, ground], at: [0, 0, 0], axis: z}}
  slide: {{type: inline, between: [strut, ground], at: [1, 0, 0], axis: x}}
loads: {{push: {{type: force, on: tip, components: [-PUSH, 0, 0]}}}}
operating_point: {{type: static}}
"""
DAMPED = f"""bodies:
  bar: {{type: beam, to: [1, 0, 0], elements: 6, frame: FRAME, damping: {{mass: 10}}, {SECTION}, section: {{circle: {{radius: 0.005}}}}}}
"""
HELD = "joints: {wall: {type: fixed, between: [bar, ground], at: [0, 0, 0]}}"
LOADED = f"""bodies: {{b: {{type: beam, to: [1, 0, 0], elements: 6, FRAME, {SECTION}, area: 1.6e-4, iyy: IYY, izz: 2e-8, torsion_constant: 9e-10}}}}
markers: {{tip: {{body: b, node: last}}}}
joints: {{wall: {{type: fixed, between: [b, ground], at: [0, 0, 0]}}}}
loads: {{end: {{type: torque, on: tip, components: [TORQUE, 0, MOMENT]}}}}
operating_point: {{type: static}}
"""
ROCKET = f"""bodies:
  hull: {{type: beam, to: [1, 0, 0], elements: 8, planar: true, frame: FRAME, {SECTION}, area: 1e-4, izz: 8e-10}}
markers: {{base: {{body: hull, node: first}}}}
joints: {{plane: {{type: planar, between: [hull, ground], at: [0, 0, 0], axis: z}}}}
loads: {{thrust: {{type: force, on: base, resolved_in: base, components: [PUSH, 0, 0]}}}}
operating_point: {{type: steady}}
steady: {{turn_rate: 0, accelerated: true}}
"""


class Bent(ModelCase):
    def modes(self, text):
        return [complex(*z) for z in self.run_it("modes", text)["eigenvalues"]]

    def said(self, text):
        return " ".join(self.run_it("equilibrium", text)["warnings"])

    def test_damping_of_a_sagging_beam(self):
        """Bending has the damping ratio s w / 2, whatever the sag: the axis of a cantilever does not stretch."""
        s = 2e-5
        for gravity in (0.5, 5, 20):
            found = self.modes(CANTILEVER.replace("GRAVITY", str(gravity)).replace("DAMPING", f"damping: {{stiffness: {s}}}"))
            first = min((z for z in found if z.imag > 1), key=abs)
            ratio = -first.real / abs(first) / (s * abs(first) / 2)
            self.assertLess(abs(ratio - 1), 0.02, f"gravity {gravity}: {ratio} of the ratio of bending")

    def test_roll_of_a_planar_beam(self):
        found = self.modes(ROLL)
        want = math.sqrt(10 / (7800 * 8.02e-6))
        self.assertLess(min(abs(abs(z.imag) - want) for z in found), 1e-9 * want)

    def test_limits_are_said(self):
        limits = [
            (TURNING.replace("FRAME", "frame: mean-axis"), "do not stiffen it"),
            (CANTILEVER.replace("GRAVITY", "60").replace(", DAMPING", ""), "model a beam under `beams`"),
            (CANTILEVER.replace("GRAVITY", "30").replace("[0, 0, -", "[0, -").replace("30]", "30, 0]").replace("DAMPING", "frame: mean-axis"),
             "critical bending moment"),
            (ROLL.replace("planar: true,", "planar: true, damping: {mass: 1},"), "`frame: mean-axis` for damping"),
        ]
        for text, words in limits:
            self.assertIn(words, self.said(text))

    def test_axial_force_in_bodies_of_modes(self):
        """A strut has w^2 = (1 - P/P_E) w0^2: tangent frames have it; mean axes do not, whatever their modes, and say so."""
        euler = math.pi**2 * 2.1e11 * 8e-10
        own = math.pi**2 * math.sqrt(2.1e11 * 8e-10 / (7800 * 1e-4))
        for part in (-3, 0.0005, 0.1, 0.9):
            held = STRUT.replace("PUSH", str(part * euler))
            first = min(abs(z) for z in self.modes(held.replace("FRAME", "tangent")))
            self.assertLess(abs(first / (own * math.sqrt(1 - part)) - 1), 2e-3)
            for frame in ("mean-axis", "mean-axis, modes: 4"):
                text = held.replace("FRAME", frame)
                unloaded = min(abs(z) for z in self.modes(STRUT.replace("PUSH", "0").replace("FRAME", frame)))
                missed = abs((min(abs(z) for z in self.modes(text)) / unloaded) ** 2 - (1 - part))
                self.assertEqual(missed > 2e-3, f"axial force of {abs(part):.2g} of its buckling" in self.said(text), (part, frame))
        for part in (0.0005, 1, 4):
            thrust = ROCKET.replace("PUSH", str(part * euler))
            self.assertEqual(self.said(thrust.replace("FRAME", "tangent")), "")
            self.assertEqual(part > 0.01, "axial force" in self.said(thrust.replace("FRAME", "mean-axis")), part)

    def test_mass_damping(self):
        """Where all of the mass is damped alike, modes have -a/2; where it is not, that is said."""
        for frame, joints, right in (("tangent", HELD, True), ("mean-axis", "", True), ("tangent", "", False),
                                     ("mean-axis", HELD, False)):
            text = DAMPED.replace("FRAME", frame) + joints
            off = max(abs(z.real + 5) for z in self.modes(text) if abs(z) > 1e-3)
            self.assertEqual(off < 1e-9, right, (frame, joints, off))
            self.assertEqual("damps motion against" in self.said(text), not right, (frame, joints))

    def test_moments_are_said_from_where_they_matter(self):
        """Squares of frequencies change by (T/T_c)^2 with T_c = 2 pi E I/L, and by (M/M_c)^2 (1 - I/I') with M_c = pi (E I G J)^(1/2)
        /L: said above 0.002 of them."""
        E, G, Iz, J = 2.1e11, 2.1e11 / 2.6, 2e-8, 9e-10
        for Iy in (2.2e-10, 0.9 * Iz):
            weak = min(Iy, Iz)
            for part in (0.02, 0.044, 0.046, 0.1, 0.25) if EFFORT > 1 else (0.044, 0.1):
                moment = part * math.pi * math.sqrt(E * weak * G * J)
                said = part**2 * (1 - weak / Iz) > 2e-3
                text = LOADED.replace("IYY", repr(Iy)).replace("TORQUE", "0").replace("MOMENT", repr(moment))
                for frame in ("frame: mean-axis", "stiffening: false"):
                    self.assertEqual("critical bending moment" in self.said(text.replace("FRAME", frame)), said, (Iy, part, frame))
                self.assertNotIn("critical", self.said(text.replace("FRAME", "frame: tangent")))
        for part in (0.02, 0.044, 0.046, 0.1) if EFFORT > 1 else (0.044, 0.046):
            text = LOADED.replace("IYY", "2.2e-10").replace("TORQUE", repr(part * 2 * math.pi * E * 2.2e-10)).replace("MOMENT", "0").replace("FRAME", "frame: mean-axis")
            self.assertEqual("critical torque" in self.said(text), part**2 > 2e-3, part)

    def test_nothing_is_said_within_the_limits(self):
        for text in (TURNING.replace("FRAME", "frame: tangent").replace("12", "0.2"),
                     TURNING.replace("FRAME", "frame: mean-axis").replace("12", "0.2"),
                     CANTILEVER.replace("GRAVITY", "0.5").replace(", DAMPING", "")):
            self.assertEqual(self.said(text), "")


if __name__ == "__main__":
    unittest.main()
