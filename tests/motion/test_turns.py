"""Angles that count their turns, in runs: drives with couplers against closed forms, in every coordinate set and by every
integrator. Every one of them turns under constant torques, so that its angles are half the acceleration times the time
squared. At effort 1 ten turns, else a hundred."""
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import COORDINATES, ROUTH, ModelCase  # noqa: E402
FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
TURNS = 100 if FULL else 10
INTEGRATORS = ["hht", "generalized-alpha", "bdf", "explicit-runge-kutta", "adams"]

# Each: the model; the angles (or displacements) as multiples of the first, which is counted; the acceleration of that
# by the energy of all bodies: 2 T = I q'^2 and the power of the torques Q q'.

BALL_SCREW = """
bodies: {nut: {mass: 3, inertia: [1, 1, 1.5]}, screw: {mass: 2, inertia: [1, 1, 0.2]}}
joints:
  rail: {type: translational, between: [ground, nut], at: [0, 0, 0], axis: z}
  bearing: {type: revolute, between: [screw, ground], at: [0, 0, 0], axis: z}
  thread: {type: screw, between: [nut, screw], at: [0, 0, 0], axis: z, pitch: -0.16}
loads: {motor: {type: torque, on: screw, components: [0, 0, -0.9]}}
outputs: {turn: AZ(screw), z: DZ(nut)}
"""
LEAD = 0.16 / (2 * math.pi)

# The cage turns by half the sum of both sides.
DIFFERENTIAL = """
bodies:
  cage: {mass: 1, inertia: [1, 2, 1]}
  left: {mass: 1, inertia: [1, 0.5, 1]}
  right: {mass: 1, inertia: [1, 0.5, 1]}
joints:
  c: {type: revolute, between: [ground, cage], at: [0, 0, 0], axis: y}
  l: {type: revolute, between: [left, ground], at: [0, 0, 0], axis: y}
  r: {type: revolute, between: [right, ground], at: [0, 0, 0], axis: y}
  d: {type: coupler, joints: [c, l, r], ratios: [2, 1, 1]}
loads:
  drive: {type: torque, on: cage, components: [0, 1.2, 0]}
  steer: {type: torque, on: left, components: [0, 0.3, 0], reaction_on: right}
outputs: {cage: AY(cage), left: AY(left), right: AY(right)}
"""

# Sun 20, planet 15, ring 50 teeth: in the carrier's frame the sun and the planet, the planet and the ring.
PLANETARY = """
bodies:
  sun: {mass: 1, inertia: [1, 1, 0.1]}
  carrier: {mass: 1, inertia: [1, 1, 0.6]}
  planet: {mass: 0.5, inertia: [1, 1, 0.05], position: [1.75, 0, 0]}
joints:
  s: {type: revolute, between: [sun, carrier], at: [0, 0, 0], axis: z}
  c: {type: revolute, between: [carrier, ground], at: [0, 0, 0], axis: z}
  p: {type: revolute, between: [planet, carrier], at: [1.75, 0, 0], axis: z}
  sun_planet: {type: gear, joints: [s, p], ratios: [20, 15]}
  planet_ring: {type: gear, joints: [p, c], ratios: [15, 50]}
loads: {motor: {type: torque, on: sun, components: [0, 0, -0.7]}}
outputs: {sun: AZ(sun), carrier: AZ(carrier), planet: "AZ(planet, carrier)"}
"""

# The rack is the first body; the pinion turns backwards.
STEERING = """
bodies:
  rack: {mass: 4, inertia: [1, 1, 1], position: [0, 5, 0]}
  pinion: {mass: 1, inertia: [1, 1, 0.3], position: [2, 0, 0]}
joints:
  rail: {type: translational, between: [ground, rack], at: [0, 5, 0], axis: x}
  hinge: {type: revolute, between: [pinion, ground], at: [2, 0, 0], axis: z}
  mesh: {type: rack_and_pinion, joints: [rail, hinge], radius: 0.25}
loads: {wheel: {type: torque, on: pinion, components: [0, 0, 0.4]}}
outputs: {pinion: AZ(pinion), rack: "DX(rack)"}
"""

# A belt over three pulleys and a carriage on it.
BELT = """
bodies:
  a: {mass: 1, inertia: [1, 1, 0.2]}
  b: {mass: 1, inertia: [1, 1, 0.4], position: [1, 0, 0]}
  c: {mass: 1, inertia: [1, 1, 0.1], position: [2, 0, 0]}
  carriage: {mass: 3, inertia: [1, 1, 1], position: [0.5, 1, 0]}
joints:
  ha: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}
  hb: {type: revolute, between: [ground, b], at: [1, 0, 0], axis: z}
  hc: {type: revolute, between: [c, ground], at: [2, 0, 0], axis: z}
  rail: {type: translational, between: [carriage, ground], at: [0.5, 1, 0], axis: x}
  ab: {type: gear, joints: [ha, hb], ratios: [0.1, 0.3]}
  bc: {type: gear, joints: [hb, hc], ratios: [0.3, 0.05]}
  belt: {type: coupler, joints: [rail, ha], ratios: [1, 0.1]}
loads: {motor: {type: torque, on: a, components: [0, 0, 0.6]}}
outputs: {a: AZ(a), b: AZ(b), c: AZ(c), carriage: "DX(carriage)"}
"""

MODELS = {
    "a ball screw drive": (BALL_SCREW, {"turn": 1, "z": LEAD}, -0.9 / (0.2 + 3 * LEAD**2)),
    # half the difference of both sides turns by 0.6 / 1 where the cage turns by 1.2 / 3
    "a differential": (DIFFERENTIAL, {"cage": 1, "left": 1 + 0.6 / 0.4, "right": 1 - 0.6 / 0.4}, 0.4),
    # c q: planet in carrier p = -50/15 c, sun in carrier s = 50/20 c, so sun = 3.5 c, and planet = -35/15 c
    "a planetary gear set": (PLANETARY, {"carrier": 1, "sun": 3.5, "planet": -10 / 3},
                             -0.7 * 3.5 / (0.1 * 3.5**2 + 0.6 + 0.5 * 1.75**2 + 0.05 * (7 / 3)**2)),
    "a rack steering": (STEERING, {"pinion": 1, "rack": None}, 0.4 / (0.3 + 4 * 0.25**2)),
    "a timing belt": (BELT, {"a": 1, "b": 1 / 3, "c": 2, "carriage": -0.1},
                      0.6 / (0.2 + 0.4 / 9 + 0.1 * 4 + 3 * 0.01)),
}


class Turns(ModelCase):
    def simulate(self, text, end, *options):
        """What the outputs went through; None where the build has no such integrator."""
        out = self.path("out.csv")
        done = subprocess.run([ROUTH, "simulate", self.write(text), "--channels", "outputs", "--end", repr(end), "--every",
                               repr(end / 2), "-o", out, *options], capture_output=True, text=True, check=False)
        if "SUNDIALS, and this build" in done.stderr:
            return None
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(out, encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return {re.sub(r" \[.*", "", name).split("/")[-1]: float(last) - float(first)
                for name, first, last in zip(rows[0], rows[1], rows[-1])}

    def check(self, name, coordinates, integrator):
        text, parts, acceleration = MODELS[name]
        end = math.sqrt(2 * TURNS * 2 * math.pi / abs(acceleration))
        found = self.simulate(text, end, "--coordinates", coordinates, "--integrator", integrator, "--tolerance", "1e-8")
        if found is None:
            return
        whole = math.copysign(TURNS * 2 * math.pi, acceleration)
        for output, part in parts.items():
            # a turn that is lost anywhere is one times some ratio; what integrators make wrong is a hundredth of that
            with self.subTest(model=name, coordinates=coordinates, integrator=integrator, output=output):
                right = whole * part if part is not None else whole * self.rack_way(text)
                self.assertLess(abs(found[output] - right), 0.01 * 2 * math.pi * abs(right / whole))

    @staticmethod
    def rack_way(text):
        """The rail's coordinate is ground's relative to the rack: x = -rail, rail = radius * angle."""
        return -float(re.search(r"radius: ([\d.]+)", text).group(1))

    def test_drives_in_every_coordinate_set(self):
        for name in MODELS:
            for coordinates in COORDINATES if FULL else COORDINATES[1:4]:
                self.check(name, coordinates, "hht")

    def test_drives_by_every_integrator(self):
        for name in MODELS:
            for integrator in INTEGRATORS[1:]:
                for coordinates in ["absolute", "relative"] if FULL else ["absolute"]:
                    self.check(name, coordinates, integrator)

    def test_a_bushing_is_not_wound_through_half_a_revolution(self):
        text = """
bodies: {a: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, w]}}
parameters: {w: 10}
joints: {h: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}}
loads: {b: {type: bushing, between: [a, ground], at: [0, 0, 0], rotation: {stiffness: [1, 1, 2]}}}
outputs: {a: AZ(a)}
"""
        for options in ([], ["--step", "0.01"]):
            with self.assertRaisesRegex(AssertionError, "load 'b': .*half a revolution"):
                self.simulate(text, 2.0, *options)
            self.assertLess(abs(self.simulate(text.replace("w: 10", "w: 4"), 5.0, *options)["a"]), 4 / math.sqrt(2) + 1e-3)

    def test_an_exact_beam_is_not_wound_through_half_a_revolution(self):
        """A beam that is driven round at its tip, of GJ/L = 1: the torque is the angle, until one of its elements is undefined."""
        text = """
parameters: {w: 4}
beams:
  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: N, order: P, mass_per_length: 1, inertia_y: 1e-3,
      inertia_z: 1e-3, EA: 1e4, GAy: 1e4, GAz: 1e4, GJ: 1, EIy: 10, EIz: 10, damping_ratio: 0.1}
markers:
  tip: {body: b.last, at: [1, 0, 0], orientation: {z: x}}
  there: {body: ground, position: [1, 0, 0], orientation: {z: x}}
joints:
  root: {type: fixed, between: [b.first, ground], at: [0, 0, 0]}
  hinge: {type: revolute, between: [tip, there]}
  drive: {type: motion, joint: hinge, function: w*step(time, 0, 0, 5, 1)}
outputs: {a: "TX(drive) - AZ(tip, there)"}
"""
        for elements, order, within, beyond in ((2, 1, 5.5, 8), (2, 4, 9, 24)):
            beam = text.replace("N", str(elements)).replace("P", str(order))
            at_rest = self.simulate(beam.replace("w: 4", f"w: {within}"), 30.0)["a"]
            self.assertLess(abs(at_rest), 2e-2 * within)
            for options in ([], ["--step", "0.005"]):
                with self.assertRaisesRegex(AssertionError, "load 'b.e[12]': .*half a revolution.*divide it into"):
                    self.simulate(beam.replace("w: 4", f"w: {beyond}"), 6.0, *options)

    def test_forces_of_time_alone(self):
        """w = 30 + 1 - cos(t) by an integrator whose error estimate must see them."""
        text = """
bodies: {c: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 30]}}
joints: {h: {type: revolute, between: [c, ground], at: [0, 0, 0], axis: z}}
loads: {q: {type: torque, on: c, components: [0, 0, sin(time)]}}
outputs: {w: WZ(c)}
"""
        for tolerance in ("1e-6", "1e-8", "1e-10"):
            found = self.simulate(text, 20.0, "--coordinates", "relative", "--integrator",
                                  "explicit-runge-kutta", "--tolerance", tolerance)
            if found is not None:
                self.assertAlmostEqual(found["w"], 1 - math.cos(20), delta=10 * float(tolerance), msg=tolerance)

    def test_a_wheel_whose_steps_are_long_angles(self):
        # 1 rad and more a step: rows of joints turn in the frame of the body, and old factors with them
        cases = [(a, c, i) for a in "xyz" for c in COORDINATES for i in INTEGRATORS[:2]]
        for axis, coordinates, integrator in cases if FULL else cases[::3]:  # each axis, set and integrator
            torque = ", ".join("sin(time)" if a == axis else "0" for a in "xyz")
            speed = ", ".join("30" if a == axis else "0" for a in "xyz")
            text = f"""
bodies: {{wheel: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [{speed}]}}}}
joints: {{hinge: {{type: revolute, between: [wheel, ground], at: [0, 0, 0], axis: {axis}}}}}
loads: {{drive: {{type: torque, on: wheel, components: [{torque}]}}}}
outputs: {{w: W{axis.upper()}(wheel)}}
"""
            tolerance = "1e-7" if coordinates == "natural" else "1e-6"  # whose steps at 1e-6 are off by 2.6e-3
            w = self.simulate(text, 20, "--coordinates", coordinates, "--integrator", integrator, "--tolerance", tolerance)["w"]
            self.assertLess(abs(w - 1 + math.cos(20)), 2e-3, f"{axis} {coordinates} {integrator}")

    def test_steps_of_more_than_half_a_turn(self):
        """Of one length, in coordinates that take them exactly."""
        acceleration = MODELS["a timing belt"][2]
        found = self.simulate(BELT, 12.0, "--step", "0.25", "--coordinates", "relative")
        self.assertAlmostEqual(found["c"], 2 * acceleration / 2 * 144, delta=1e-6)
        self.assertGreater(2 * acceleration * 12 * 0.25, math.pi)


if __name__ == "__main__":
    unittest.main()
