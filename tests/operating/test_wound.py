"""Exact beams and bushings that searches wind: motions, moments and torques against closed forms, whatever is asked for in one
search; an element that would go through half a revolution ends the search with an error that names it.

A shaft of GJ / L = 1 has the torque of its angle; a beam of E I / L = 10 that is bent to a circle has the moment 10 theta, and
its tip is at [sin(theta), 1 - cos(theta)] / theta. With n elements of order 1 the circle is a polygon, whose sides are L / n
long and rotated by theta (2 k - 1) / (2 n)."""
import csv
import io
import math
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import COORDINATES, ModelCase  # noqa: E402

BEAM = """
parameters: {{angle: 0}}
operating_point: {{type: static}}
beams:
  b: {{type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: {elements}, order: {order}, mass_per_length: 1, inertia_y: 1e-3,
      inertia_z: 1e-3, EA: 1e4, GAy: 1e4, GAz: 1e4, GJ: 1, EIy: 10, EIz: 10}}
markers:
  tip: {{body: b.last, at: [1, 0, 0], orientation: {{z: x}}}}
  there: {{body: ground, position: [1, 0, 0], orientation: {{z: x}}}}
  begin: {{body: b.first, at: [0, 0, 0], orientation: {{z: x}}}}
  origin: {{body: ground, orientation: {{z: x}}}}
"""
ROOT = "joints:\n  root: {{type: fixed, between: [b.first, ground], at: [0, 0, 0]}}"
# The shaft, driven at its end; at both ends; at its end by one wheel on another.
DRIVEN = BEAM + ROOT + """
  hinge: {{type: revolute, between: [tip, there]}}
  drive: {{type: motion, joint: hinge, function: angle}}
outputs: {{a: "AZ(tip, there)", torque: TX(drive)}}
"""
BOTH = BEAM + """
joints:
  hinge: {{type: revolute, between: [tip, there]}}
  drive: {{type: motion, joint: hinge, function: angle/2}}
  root: {{type: revolute, between: [begin, origin]}}
  other: {{type: motion, joint: root, function: -angle/2}}
outputs: {{torque: TX(drive)}}
"""
WHEELS = BEAM + ROOT + """
  hub: {{type: revolute, between: [wheel, ground], at: [1.5, 0, 0], axis: x}}
  hinge: {{type: revolute, between: [b.last, wheel], at: [1, 0, 0], axis: x}}
  drive: {{type: motion, joint: hub, function: angle/2}}
  other: {{type: motion, joint: hinge, function: angle/2}}
bodies: {{wheel: {{mass: 1, inertia: [1, 1, 1], position: [1.5, 0, 0]}}}}
outputs: {{torque: TX(drive)}}
"""
TORQUE = BEAM + ROOT + """
  hinge: {{type: revolute, between: [tip, there]}}
loads: {{q: {{type: torque, on: b.last, components: [angle, 0, 0]}}}}
outputs: {{torque: "AZ(tip, there)"}}
"""
BENT = BEAM + ROOT + """
  plane: {{type: planar, between: [m, ground], at: [1, 0, 0], axis: z}}
  weld: {{type: fixed, between: [b.last, m], at: [1, 0, 0]}}
  drive: {{type: motion, joint: plane, along: rz, function: angle}}
bodies: {{m: {{mass: 1e-3, inertia: [1e-3, 1e-3, 1e-3], position: [1, 0, 0]}}}}
outputs: {{moment: TZ(drive), x: DX(b.last), y: DY(b.last)}}
"""
BUSHING = """
parameters: {angle: 0}
operating_point: {type: static}
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints:
  h: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}
%s
loads:
  b: {type: bushing, between: [a, ground], at: [0, 0, 0], rotation: {stiffness: [1, 1, 2]}}
%s
outputs: {a: AZ(a), torque: -TZ(b)}
"""
PUSHED = BUSHING % ("", "  q: {type: torque, on: a, components: [0, 0, 2*angle]}")
TAKEN = BUSHING % ("  d: {type: motion, joint: h, function: angle}", "")
ROTOR = """
parameters: {q: 0}
operating_point: {type: static}
bodies: {r: {mass: 5, inertia: [1, 1, 1]}}
markers: {c: {body: ground, position: [0, 0, 0]}}
loads:
  b1: {type: bushing, between: [r, ground], at: [-1, 0, 0], translation: {stiffness: 1e4}}
  b2: {type: bushing, between: [r, ground], at: [1, 0, 0], translation: {stiffness: 1e4}}
  s: {type: torsion_spring, between: [r, c], axis: x, stiffness: 2}
  t: {type: torque, on: r, components: [2*q, 0, 0]}
outputs: {a: AX(r)}
"""
FOUR_BAR = """
parameters: {angle: 0}
operating_point: {type: static, accept_unstable: true}
bodies:
  cr: {mass: 1, inertia: [1, 1, 1]}
  co: {mass: 1, inertia: [1, 1, 1], position: [1, 1, 0]}
  ro: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}
  x: {mass: 1, inertia: [1, 1, 1], position: [9, 0, 0]}
joints:
  h: {type: revolute, between: [cr, ground], at: [0, 0, 0], axis: z}
  h2: {type: revolute, between: [cr, co], at: [0, 1, 0], axis: z}
  h3: {type: revolute, between: [co, ro], at: [2.2, 1.1, 0], axis: z}
  h4: {type: revolute, between: [ro, ground], at: [2.5, 0, 0], axis: z}
  d: {type: motion, joint: h, function: angle}
loads:
  g: {type: bushing, between: [x, ground], at: [9, 0, 0], translation: {stiffness: 1000}, rotation: {stiffness: 10}}
outputs: {r: AZ(ro)}
"""
FLAP = """
parameters: {angle: 0}
operating_point: {type: steady}
gravity: [0, 0, -9.81]
beams:
  b: {type: sections, from: [0.1, 0, 0], to: [1, 0, 0], elements: 8, mass_per_length: 1, inertia_y: 1e-4, inertia_z: 1e-2, EA: 1e5,
      GAy: 1e5, GAz: 1e5, GJ: 30, EIy: 20, EIz: 200}
joints:
  hub: {type: revolute, between: [hb, ground], at: [0, 0, 0], axis: z}
  spin: {type: motion, joint: hub, function: 20*time}
  flap: {type: revolute, between: [fl, hb], at: [0.1, 0, 0], axis: y}
  pit: {type: revolute, between: [b.first, fl], at: [0.1, 0, 0], axis: x}
  pm: {type: motion, joint: pit, function: angle}
bodies: {hb: {mass: 1, inertia: [1, 1, 1]}, fl: {mass: 0.1, inertia: [0.01, 0.01, 0.01], position: [0.1, 0, 0]}}
outputs: {flap: "AY(fl, hb)"}
"""
RACK = BEAM + ROOT + """
  hinge: {{type: revolute, between: [tip, there]}}
  sl: {{type: translational, between: [rk, ground], at: [1, 1, 0], axis: y}}
  rp: {{type: rack_and_pinion, joints: [sl, hinge], radius: 0.5}}
  drive: {{type: motion, joint: sl, function: 0.5*angle}}
bodies: {{rk: {{mass: 1, inertia: [1, 1, 1], position: [1, 1, 0]}}}}
outputs: {{torque: FY(drive)*0.5}}
"""
SADDLE = """
operating_point: {type: static}
gravity: [0, 0, -20]
bodies: {m: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.3]}}
markers:
  gl: {body: ground, orientation: {axis: [1, 0, 0], angle: -3.09}}
  gr: {body: ground, orientation: {axis: [1, 0, 0], angle: 3.09}}
  mm: {body: m, position: [0, 0, -0.3]}
joints:
  h: {type: revolute, between: [m, ground], at: [0, 0, 0], axis: x}
loads:
  l: {type: bushing, between: [mm, gl], rotation: {stiffness: [2, 100, 100]}}
  r: {type: bushing, between: [mm, gr], rotation: {stiffness: [2, 100, 100]}}
"""
WOUND = "load 'b.e[0-9]': .*half a revolution.*divide it into"


class Wound(ModelCase):
    def found(self, text, degrees, *options, elements=4, order=1):
        text = text.format(elements=elements, order=order) if "beams:" in text else text
        made = self.run_it("equilibrium", text, "--set", f"angle={math.radians(degrees)!r}", *options)
        return {s["name"]: s["value"] for s in made["signals"]}

    def check_shaft(self, text, degrees, *options, **mesh):
        # of order 1 exact; of higher order to the power 2 p of what is left between nodes; a revolution less is 6.3 off
        right, exact = math.radians(degrees), mesh.get("order", 1) == 1
        torque = self.found(text, degrees, *options, **mesh)["torque"]
        self.assertLess(abs(torque - right), 1e-9 if exact else 1e-2, (degrees, options, mesh))

    def check_bent(self, degrees, *options, elements=8, order=1):
        theta, n = math.radians(degrees), elements
        found = self.found(BENT, degrees, *options, elements=elements, order=order)
        sides = [theta * (2 * k - 1) / (2 * n) for k in range(1, n + 1)]
        tip = (sum(map(math.cos, sides)) / n, sum(map(math.sin, sides)) / n)
        exact = order == 1
        tip = tip if exact else (math.sin(theta) / theta, (1 - math.cos(theta)) / theta)
        for value, right in ((found["moment"] / 10, theta), (found["x"], tip[0]), (found["y"], tip[1])):
            self.assertLess(abs(value - right), 1e-9 if exact else 1e-3, (degrees, options, elements, order))

    def test_motions_beyond_half_a_revolution(self):
        for elements, order in ((2, 1), (4, 1), (2, 4), (1, 8)):
            for degrees in (200, -340, 400) if elements * order > 2 else (200, -340):
                self.check_shaft(DRIVEN, degrees, elements=elements, order=order)
        self.check_shaft(DRIVEN, 700, elements=8)

    def test_in_every_coordinate_set(self):
        for coordinates in COORDINATES:
            self.check_shaft(DRIVEN, 400, "--coordinates", coordinates)
            self.check_bent(340, "--coordinates", coordinates)

    def test_motions_that_add_up(self):
        """Each of them is less than half a revolution."""
        for degrees in (220, 300, -340):
            self.check_shaft(BOTH, degrees, elements=2)
            self.check_shaft(WHEELS, degrees, elements=2)
            self.check_shaft(WHEELS, degrees, elements=1, order=5)

    def test_bending(self):
        for elements in (2, 4, 8):
            for degrees in (170, 200, -340):
                self.check_bent(degrees, elements=elements)
        self.check_bent(340, elements=2, order=4)
        # beyond a revolution another one is stable, that of two revolutions less, which is out of the plane on the way
        self.check_bent(400, "--accept-unstable", elements=4)

    def test_torques(self):
        for elements, order in ((2, 1), (8, 1), (2, 5)):
            self.check_shaft(TORQUE, 340, elements=elements, order=order)
        self.assertAlmostEqual(self.found(PUSHED, 170)["torque"], 2 * math.radians(170), delta=1e-9)

    def test_steady_motions(self):
        for degrees in (200, 400):
            self.check_shaft(DRIVEN, degrees, "--at", "steady")
        self.check_fails(DRIVEN, 200, WOUND, "--at", "steady", elements=1)

    def check_fails(self, text, degrees, message, *options, **mesh):
        with self.assertRaisesRegex(AssertionError, message, msg=(degrees, mesh)):
            self.found(text, degrees, *options, **mesh)

    def test_an_element_beyond_half_a_revolution(self):
        for text in (DRIVEN, BOTH, WHEELS, TORQUE, BENT):
            self.check_fails(text, 200, WOUND, elements=1)
            self.check_fails(text, -400, WOUND, elements=2)
        for coordinates in COORDINATES:
            self.check_fails(DRIVEN, 400, WOUND, "--coordinates", coordinates, elements=2)

    def test_bushings(self):
        for text in (PUSHED, TAKEN):
            for degrees in (250, -250, 400):
                for options in ((), ("--at", "steady")):
                    self.check_fails(text, degrees, "load 'b': .*half a revolution.*use a torsion_spring", *options)

    def test_a_sweep_ends_at_half_a_revolution_of_each_element(self):
        """Four elements, 4 pi = 12.57. Torque changes frequencies of bending, so that these show which equilibrium there is."""
        text = DRIVEN.format(elements=4, order=1)
        self.check_shaft(DRIVEN, math.degrees(12))
        modes = self.rows("modes", text, "--set", "angle=12")
        right = max(float(r["imaginary"]) for r in modes if r["imaginary"])
        for values, last in (("0:14:8", 12), ("12:14:6", 12.4)):
            swept = [r for r in self.rows("sweep", text, "--solve", "none", "--over", f"angle={values}") if r["on_grid"] == "1"]
            self.assertAlmostEqual(max(float(r["angle"]) for r in swept), last)
            highest = max(float(r["imaginary"]) for r in swept if float(r["angle"]) == 12)
            self.assertAlmostEqual(highest / right, 1, delta=1e-9)
            self.assertRegex(self.try_it("sweep", text, "--solve", "none", "--over", f"angle={values}").stdout, WOUND)
            events = self.run_it("sweep", text, "--solve", "none", "--over", f"angle={values}")["lines"][0]["events"]
            self.assertEqual([e["kind"] for e in events], ["lost"])
            self.assertLess(abs(events[0]["value"] - 4 * math.pi), events[0]["error"])
            self.assertLess(events[0]["error"], 1e-8)

    def test_a_warning_of_large_angles_within_an_element(self):
        """Where the torque of the shaft is off by 1 % and more, by about as much as is said; of orders 2 to 5, and no other."""
        for order, angles in ((2, (1.5, 2, 2.3, 3, 4)), (3, (4, 4.6, 5, 6)), (4, (6, 7.5, 8.2)), (5, (9, 10.7, 11.3)), (7, (8, 13))):
            for angle in angles:
                for text, name, right in ((DRIVEN, "torque", angle), (BENT, "moment", 10 * angle)):
                    made = self.run_it("equilibrium", text.format(elements=1, order=order), "--set", f"angle={angle}",
                                       "--accept-unstable")
                    found = {s["name"]: s["value"] for s in made["signals"]}[name]
                    said = [w for w in made["warnings"] if "bent or twisted by" in w]
                    off = abs(found / right - 1)
                    self.assertEqual(len(said), int(off > 0.01), (order, angle, off, said))
                    for words in said:
                        pattern = r"load b\.e1, an element of order (\d), .* by ([\d.]+) deg .* about ([\d.]+) %; divide"
                        of, degrees, percent = map(float, re.search(pattern, words).groups())
                        self.assertEqual(of, order)
                        self.assertAlmostEqual(degrees, math.degrees(angle), delta=0.6)
                        self.assertLess(abs(math.log(percent / 100 / off)), math.log(1.5))
        # as many elements again are exact enough, and those of order 1 are exact
        for elements, order in ((2, 2), (2, 1)):
            made = self.run_it("equilibrium", DRIVEN.format(elements=elements, order=order), "--set", "angle=4")
            self.assertEqual(made["warnings"], [])

    def test_what_is_carried_along_or_unrelated_is_as_before(self):
        """A bushing that holds places only goes by no angle; a four-bar cannot rotate by -340 deg on the way to 20 deg; a rotor that
        pitches its blade by whole revolutions flaps as without (a rigid blade by hand: 0.035 rad)."""
        for degrees in (200, 300):
            found = self.run_it("equilibrium", ROTOR, "--set", f"q={math.radians(degrees)!r}")["signals"]
            self.assertAlmostEqual({s["name"]: s["value"] for s in found}["a"], math.radians(degrees), delta=1e-9)
        here, there = (self.run_it("equilibrium", FOUR_BAR, "--set", f"angle={a} deg")["signals"] for a in (-10, 350))
        for x, y in zip(here, there):
            if x["name"] == "r":
                self.assertAlmostEqual(x["value"], y["value"], delta=1e-9)
        flap = [{s["name"]: s["value"] for s in self.run_it("equilibrium", FLAP, "--set", f"angle={a} deg")["signals"]}["flap"]
                for a in (17, 377)]
        self.assertAlmostEqual(flap[0], flap[1], delta=1e-9)
        self.assertAlmostEqual(flap[1], 0.036, delta=0.004)

    def test_a_rack_that_winds_a_shaft(self):
        """The motion is of a length; GJ/L = 1. An expression is not led, and ends with an error."""
        for angle in (4, -9):
            found = self.run_it("equilibrium", RACK.format(elements=8, order=1), "--set", f"angle={angle}")["signals"]
            self.assertAlmostEqual({s["name"]: s["value"] for s in found}["torque"], angle, delta=1e-9)
        text = RACK.format(elements=8, order=1).split("  sl:")[0] + '  e: {type: expression, expression: "AZ(tip, there) - angle"}\n'
        self.assertRegex(self.try_it("equilibrium", text, "--set", "angle=4").stderr, WOUND)

    def test_a_saddle_is_left_without_winding(self):
        """A mass on top of a hinge between two bushings that are twisted by 3.09 rad one way and the other."""
        self.assertRegex(self.try_it("equilibrium", SADDLE).stderr, "half a revolution")

    def test_saved_states(self):
        """Of four elements with 3 rad each: a little further they arrive; where the last one is wound by the motion, they end."""
        text, state = DRIVEN.format(elements=4, order=1), self.path("state.json")
        self.run_it("equilibrium", text, "--set", "angle=12", "--save-state", state)
        for angle in (12.1, 6):
            found = self.run_it("equilibrium", text, "--set", f"angle={angle}", "--from", state)["signals"]
            self.assertAlmostEqual({s["name"]: s["value"] for s in found}["torque"], angle, delta=1e-9)
        for angle in (12.3, -6):
            self.assertRegex(self.try_it("equilibrium", text, "--set", f"angle={angle}", "--from", state).stderr, WOUND)

    def rows(self, command, text, *options):
        done = self.try_it(command, text, "--csv", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.DictReader(io.StringIO(done.stdout)))


if __name__ == "__main__":
    unittest.main()
