"""Coordinates of joints, frames of markers, moved bodies and spins: what they mean, and what is refused."""
import csv
import io
import json
import os
import pathlib
import re
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from model_case import COORDINATES  # noqa: E402
from parts_case import PartsCase  # noqa: E402
from placed_trees import random_tree, text_of, turn  # noqa: E402

X, Y, Z = numpy.eye(3)
EFFORT = int(os.environ.get("ROUTH_TEST_EFFORT", "1"))

HINGE = """gravity: [0, 0, -9.81]
parameters: {phi: 30 deg, d: 0.2}
bodies:
  rod: {mass: 2, inertia: [0.1, 0.12, 0.05], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: z, angle: phi}
"""

#: A four-bar linkage, its crank along x, and a spring whose free length is that of the reference configuration.
FOUR_BAR = """gravity: [0, -9.81, 0]
parameters: {phi: 40 deg}
bodies:
  crank:   {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0, 0.5, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}
  coupler: {mass: 2, inertia: [0.01, 0.4, 0.4], position: [1, 1.1, 0]}
  rocker:  {mass: 1.5, inertia: [0.01, 0.2, 0.2], position: [2, 0.6, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}
joints:
  foot:  {type: revolute, between: [crank, ground], at: [0, 0, 0], angle: -phi}
  heel:  {type: revolute, between: [rocker, ground], at: [2, 0, 0]}
  left:  {type: revolute, between: [coupler, crank], at: [0, 1, 0]}
  right: {type: revolute, between: [coupler, rocker], at: [2, 1.2, 0]}
loads:
  spring: {type: spring, between: [coupler, ground], stiffness: 90}
"""


class Placing(PartsCase):
    def bodies(self, text, *options):
        return {b["name"]: b for b in self.run_it("equilibrium", text, "--at", "given", *options)["bodies"]}

    def output(self, text, name, *options):
        linear = self.run_it("linearize", text, "--at", "given", *options)
        return linear["output_values"][linear["outputs"].index(name)]

    # ---- more than half a turn ---------------------------------------------------------------------------------------

    def test_angles_count_all_turns(self):
        text = HINGE + ("markers: {b: {body: rod, at: [0, 0, 0]}}\n"
                        "loads: {coil: {type: torsion_spring, between: [b, ground], axis: z, stiffness: 3, free_angle: 0.5}}\n"
                        "outputs: {a: AZ(b), torque: 'TZ(coil)'}\n")
        for degrees in (100, 179, 181, 400, -800, 3600):
            for coordinates in COORDINATES:
                options = ("--set", f"phi={degrees} deg", "--coordinates", coordinates)
                a = numpy.radians(degrees)
                self.assertAlmostEqual(self.output(text, "a", *options), a, delta=1e-12 * abs(a))
                self.assertAlmostEqual(self.output(text, "torque", *options), -3 * (a - 0.5), delta=1e-11 * abs(a))

    def test_turns_of_a_chain_add_up(self):
        text = """bodies: {one: {mass: 1, inertia: [1, 1, 1]}, two: {mass: 1, inertia: [1, 1, 1]}}
joints:
  a: {type: revolute, between: [one, ground], at: [0, 0, 0], axis: z, angle: 150 deg}
  b: {type: revolute, between: [two, one], at: [1, 0, 0], axis: z, angle: 140 deg}
outputs: {sum: AZ(two)}
"""
        self.assertAlmostEqual(self.output(text, "sum"), numpy.radians(290), delta=1e-13)

    def test_a_nut_goes_as_far_as_its_turns(self):
        text = """parameters: {q: 1000 deg}
bodies: {nut: {mass: 1, inertia: [1, 1, 1]}}
joints: {s: {type: screw, between: [nut, ground], at: [0, 0, 0], axis: x, pitch: 0.09, angle: q, rate: 2}}
outputs: {q: AX(nut)}
"""
        for coordinates in COORDINATES:
            nut = self.bodies(text, "--coordinates", coordinates)["nut"]
            self.assert_near(nut["position"], [0.25, 0, 0], 1e-14)
            self.assert_near(nut["velocity"], [2 * 0.09 / (2 * numpy.pi), 0, 0], 1e-14)
            self.assertAlmostEqual(self.output(text, "q", "--coordinates", coordinates), numpy.radians(1000), delta=1e-12)

    # ---- from the command line ---------------------------------------------------------------------------------------

    def test_a_slider_keeps_the_half_turn_between_its_bodies(self):
        for half in numpy.eye(3):
            text = f"""bodies:
  sled: {{mass: 1, inertia: [1, 2, 3], orientation: {{axis: {half.tolist()}, angle: 180 deg}}}}
joints: {{slide: {{type: translational, between: [sled, ground], axis: z, displacement: 0.25}}}}
"""
            found = self.bodies(text)["sled"]
            self.assert_near(found["orientation"], (2 * numpy.outer(half, half) - numpy.eye(3)).ravel(), 1e-15)
            self.assert_near(found["position"], [0, 0, 0.25], 1e-15)

    def test_a_coordinate_is_set_like_a_parameter(self):
        written = self.bodies(HINGE.replace("angle: phi", "angle: 75 deg, rate: 4"))
        self.assertEqual(written, self.bodies(HINGE, "--set", "hinge.angle=75deg", "--set", "hinge.rate=4"))
        self.assertEqual(written, self.bodies(HINGE.replace(", angle: phi", ""), "--set", "hinge.angle=75deg", "--set", "hinge.rate=4"))
        self.assertEqual(self.bodies(HINGE, "--set", "hinge.angle=2*phi"), self.bodies(HINGE, "--set", "phi=60deg"))
        self.refused(HINGE, "'displacement' is not a field", options=("--set", "hinge.displacement=1"))
        self.refused(HINGE, "no parameter 'door.angle'", options=("--set", "door.angle=1"))
        self.refused(HINGE, "angle", "is a length", options=("--set", "hinge.angle=3 mm"))

    def test_a_sweep_goes_over_a_parameter_of_a_coordinate(self):
        text = HINGE.replace("axis: z", "axis: y")
        text += "linearize: {states: [rod.ry]}\n"
        swept = self.try_it("sweep", text, "--at", "given", "--over", "phi=0.1:1.1:3", "--csv", "--solve", "none")
        self.assertEqual(swept.returncode, 0, swept.stderr)
        rows = [[float(x) for x in (row["phi"], row["imaginary"])] for row in csv.DictReader(io.StringIO(swept.stdout))]
        self.assertEqual(len(rows), 6)
        for a, frequency in rows:  # m g l sin a = I omega^2
            self.assertAlmostEqual(abs(frequency), numpy.sqrt(2 * 9.81 * 0.5 * numpy.sin(a) / 0.62), delta=1e-12)

    # ---- files of states ---------------------------------------------------------------------------------------------

    def state(self, **state):
        path = self.path("state.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"schema": "routh-state/1", **state}, file)
        return path

    def test_a_state_by_coordinates_of_joints(self):
        text = HINGE.replace("angle: phi", "angle: phi, rate: 3")
        joints = [{"name": "hinge.angle", "value": 7.5}]
        found = self.run_it("equilibrium", text, "--at", self.state(joints=joints))
        for key in ("position", "orientation", "velocity", "angular_velocity"):
            self.assert_near(found["bodies"][0][key], self.bodies(text, "--set", "hinge.angle=7.5")["rod"][key], 1e-15)
        for coordinates in COORDINATES:  # the turns too
            outputs = text + "outputs: {a: AZ(rod)}\n"
            linear = self.run_it("linearize", outputs, "--at", self.state(joints=joints), "--coordinates", coordinates)
            self.assertAlmostEqual(linear["output_values"][0], 7.5, delta=1e-13)

    def test_a_loop_by_the_coordinate_of_one_joint(self):
        found = self.run_it("equilibrium", FOUR_BAR, "--at", self.state(time=1.5, joints=[{"name": "foot.angle", "value": 0.2}]))
        crank, coupler, rocker = (numpy.array(b["position"]) for b in found["bodies"])
        self.assert_near(crank, [-0.5 * numpy.sin(0.2), 0.5 * numpy.cos(0.2), 0], 1e-7)
        self.assertEqual(found["time"], 1.5)
        tip, top = 2 * crank, 2 * (rocker - [2, 0, 0]) + [2, 0, 0]
        self.assertAlmostEqual(numpy.linalg.norm(top - tip), numpy.hypot(2, 0.2), delta=1e-12)
        self.assert_near((top + tip) / 2, coupler, 1e-12)

    def wrong(self, words, **state):
        done = self.try_it("modes", HINGE, "--at", self.state(**state))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stderr)

    def test_what_is_wrong_with_coordinates_of_a_state(self):
        for joints, words in (([{"name": "hinge.speed", "value": 1}], "no coordinate or rate"), ([{"name": "phi", "value": 1}], "crank.angle"),
                              ([], "empty"), ([{"name": "hinge.angle"}], "joints[0].value"), ({}, "not a list")):
            self.wrong(words, joints=joints)
        self.wrong("time", bodies=[])
        both = {"joints": [{"name": "hinge.angle", "value": 1}], "time": 0,
                "bodies": [{"name": "rod", "position": [0, 0, 0], "quaternion": [1, 0, 0, 0]}]}
        self.wrong("both bodies and coordinates", **both)

    def refused_state(self, text, options, *words):
        done = self.try_it("modes", text, *options)
        self.assertEqual(done.returncode, 2, done.stdout)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_a_state_and_settings_of_the_same_coordinate(self):
        text = HINGE.replace("angle: phi", "angle: phi, rate: 3")
        given = self.state(joints=[{"name": "hinge.angle", "value": 0.5}])
        found = self.run_it("equilibrium", text, "--at", given, "--set", "hinge.rate=2")["bodies"][0]
        self.assert_near(found["position"], [0.5 * numpy.cos(0.5), 0.5 * numpy.sin(0.5), 0], 1e-15)
        self.assert_near(found["angular_velocity"], [0, 0, 2], 1e-15)
        self.refused_state(text, ("--at", given, "--set", "hinge.angle=1"), "joints[0]", "hinge.angle is also set to 1")
        twice = self.state(joints=[{"name": "hinge.angle", "value": 0.5}, {"name": "hinge.rate", "value": 1}, {"name": "hinge.angle", "value": 1}])
        self.refused_state(text, ("--at", twice), "joints[2]", "hinge.angle is given already, as joints[0]")
        saved = self.path("saved.json")
        self.try_it("equilibrium", text, "--at", "given", "--save-state", saved)
        for setting in ("hinge.angle=30 deg", "hinge.angle=390 deg", "hinge.rate=3"):
            kept = self.run_it("equilibrium", text, "--at", saved, "--set", setting)["bodies"][0]
            self.assert_near(kept["position"], [0.5 * numpy.cos(numpy.pi / 6), 0.25, 0], 1e-15)
        self.refused_state(text, ("--at", saved, "--set", "hinge.angle=60 deg"), "hinge.angle is set", "has it -30 deg more")
        self.refused_state(text, ("--at", saved, "--set", "hinge.rate=2"), "hinge.rate is set", "has it 1 rad/s more")
        said = self.run_it("equilibrium", text, "--at", saved, "--set", "phi=60 deg")["warnings"]
        self.assertRegex(" ".join(said), "angle of joint hinge follows from a parameter that was set, but the saved state.*-30 deg more")
        self.assertEqual(self.run_it("equilibrium", text, "--at", saved, "--set", "phi=30 deg")["warnings"], [])
        with open(saved, encoding="utf-8") as file:
            state = json.load(file)
        self.refused_state(text, ("--at", self.state(**{**state, "bodies": 2 * state["bodies"]})), "bodies[1]", "is given already")

    # ---- what stays with the reference configuration -----------------------------------------------------------------

    def test_a_coordinate_changes_the_state_and_not_the_springs(self):
        free = float(numpy.hypot(1, 1.1))
        given = FOUR_BAR.replace("stiffness: 90}", f"stiffness: 90, free_length: {free!r}}}")
        for text in (FOUR_BAR, given):
            reaction = self.run_it("equilibrium", text, "--at", "given")["loads"][0]["force"]
            x = numpy.array(self.bodies(text)["coupler"]["position"])
            force = -90 * (numpy.linalg.norm(x) - free) * x / numpy.linalg.norm(x)
            self.assert_near(reaction, force, 1e-12)
            self.assertGreater(numpy.abs(force).max(), 1)

    # ---- loops -------------------------------------------------------------------------------------------------------

    def test_a_loop_closes_by_the_joints_that_are_not_written(self):
        for degrees in (-10, 5, 40, 60):
            found = self.run_it("equilibrium", FOUR_BAR, "--at", "given", "--set", f"phi={degrees} deg")
            crank = next(b for b in found["bodies"] if b["name"] == "crank")
            a = numpy.radians(90 - degrees)
            self.assert_near(crank["position"], [0.5 * numpy.cos(a), 0.5 * numpy.sin(a), 0], 1e-7)
            self.assertEqual([w for w in found["warnings"] if "foot" in w], [])
            self.assertLess(found["constraint_error"], 1e-13)

    def test_what_assembly_changes_of_a_coordinate_is_said(self):
        text = FOUR_BAR.replace("at: [2, 0, 0]}", "at: [2, 0, 0], angle: 0}")
        found = self.run_it("equilibrium", text, "--at", "given", "--set", "phi=3 deg")
        said = " ".join(found["warnings"])
        self.assertRegex(said, r"angle of joint (foot|heel) was changed by -?[0-9.]+ deg from what is written")

    def test_rates_of_zero_beside_coordinates_that_close_a_loop_change_nothing(self):
        """A linkage of five bars, a parallelogram where it begins: coupler and rocker keep their angles."""
        free = ("bodies:\n  a: {mass: 1, inertia: [1, 1, 1], position: [0, 0.5, 0]}\n"
                "  b: {mass: 1, inertia: [1, 1, 1], position: [0.5, 1.2, 0]}\n"
                "  c: {mass: 1, inertia: [1, 1, 1], position: [1.5, 1.2, 0]}\n"
                "  d: {mass: 1, inertia: [1, 1, 1], position: [2, 0.5, 0]}\n"
                "joints:\n  j1: {type: revolute, between: [a, ground], at: [0, 0, 0], angle: 10 deg}\n"
                "  j2: {type: revolute, between: [b, a], at: [0, 1, 0]}\n  j3: {type: revolute, between: [c, b], at: [1, 1.5, 0]}\n"
                "  j4: {type: revolute, between: [d, c], at: [2, 1, 0]}\n"
                "  j5: {type: revolute, between: [ground, d], at: [2, 0, 0], angle: -12 deg}\n")
        rates = [word for k in range(1, 6) for word in ("--set", f"j{k}.rate=0")]
        for name, body in self.bodies(free, *rates).items():
            self.assert_near(body["position"], self.bodies(free)[name]["position"], 1e-14)
        tilt = numpy.arctan2(*self.bodies(free)["d"]["orientation"][3::-3])
        self.assertAlmostEqual(tilt, numpy.radians(12), delta=1e-14)

    def test_a_loop_of_written_coordinates_must_close(self):
        text = FOUR_BAR.replace("at: [0, 1, 0]}", "at: [0, 1, 0], angle: phi}")
        text = text.replace("at: [2, 1.2, 0]}", "at: [2, 1.2, 0], angle: 0.3}").replace("at: [2, 0, 0]}", "at: [2, 0, 0], angle: 0}")
        self.refused(text, "closes a loop of joints whose coordinates are all written", options=("--at", "given"))

    # ---- derivatives -------------------------------------------------------------------------------------------------

    def check_derivatives(self, text, parameter, value, tolerance):
        def modes(x):
            A = numpy.array(self.run_it("linearize", text, "--at", "given", "--set", f"{parameter}={x!r}")["A"])
            return numpy.linalg.eigvals(A)

        h = 1e-4
        found = self.run_it("sensitivity", text, "--at", "given", "--set", f"{parameter}={value!r}")["modes"]
        self.assertTrue(found)
        far, near = [[modes(value + s * k * h) for s in (-1, 1)] for k in (2, 1)]
        for mode in found:
            z, by = complex(*mode["eigenvalue"]), next(b for b in mode["by"] if b["parameter"] == parameter)
            at = [[pair[k][numpy.abs(pair[k] - z).argmin()] for k in (0, 1)] for pair in (far, near)]
            slope = (8 * (at[1][1] - at[1][0]) - (at[0][1] - at[0][0])) / (12 * h)
            self.assertLess(abs(complex(*by["eigenvalue"]) - slope), tolerance * max(1, abs(slope)), (parameter, z))

    def test_eigenvalues_by_an_initial_angle(self):
        robot = """gravity: [0, 0, -9.81]
parameters: {a: 0.4, b: -0.7, d: 0.1, w: 1.5}
bodies: {one: {mass: 3, inertia: [0.1, 0.2, 0.25]}, two: {mass: 2, inertia: [0.1, 0.15, 0.05]}, three: {mass: 1, inertia: [0.05, 0.05, 0.05]}}
markers:
  foot: {body: one, position: [-0.4, 0, 0]}
  one_end: {body: one, position: [0.5, 0.1, 0], orientation: {axis: [1, 0, 0], angle: a}}
  two_end: {body: two, position: [-0.5, 0, 0.1]}
  two_tip: {body: two, position: [0.4, 0, 0]}
  three_end: {body: three, position: [0.2, 0, 0]}
joints:
  q1: {type: revolute, between: [foot, ground], axis: z, angle: a, rate: w}
  q2: {type: universal, between: [one_end, two_end], axis: x, angle_x: b, angle_y: 2*a}
  q3: {type: cylindrical, between: [three_end, two_tip], axis: [1, 1, 0], angle: b^2, displacement: d, velocity: d}
loads: {hold: {type: bushing, between: [three, ground], translation: {stiffness: 200}, rotation: {stiffness: 30}}}
"""
        for parameter, value in (("a", 0.4), ("b", -0.7), ("d", 0.1), ("w", 1.5)):
            self.check_derivatives(robot, parameter, value, 1e-7)

    def test_eigenvalues_by_the_angle_of_a_loop_that_assembly_closes(self):
        self.check_derivatives(FOUR_BAR, "phi", 0.6, 1e-6)

    # ---- frames, spins -----------------------------------------------------------------------------------------------

    def test_bodies_in_the_frames_of_markers_in_any_order(self):
        text = """bodies:
  third: {mass: 1, inertia: [1, 1, 1], relative_to: second, position: [0, 1, 0]}
  second: {mass: 1, inertia: [1, 1, 1], relative_to: arm, position: [2, 0, 0], orientation: {axis: [0, 0, 1], angle: 90 deg},
           velocity: [0, 0, 3]}
  first: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], angular_velocity: [0, 0, 2]}
markers: {arm: {body: first, at: [1, 1, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}}
"""
        found = self.bodies(text)
        self.assert_near(found["second"]["position"], [1, 3, 0], 1e-15)
        self.assert_near(found["third"]["position"], [1, 2, 0], 1e-15)  # second's y axis points along -y
        self.assert_near(found["second"]["velocity"], [-6, 0, 3], 1e-15)
        self.assert_near(found["third"]["velocity"], [-4, 0, 3], 1e-15)
        self.assert_near(found["third"]["angular_velocity"], [0, 0, 2], 1e-15)
        self.refused(text.replace("position: [1, 0, 0]", "relative_to: third"), "leads in a circle")
        self.refused(text.replace("relative_to: arm", "relative_to: leg"), "'leg' is not defined")

    def test_a_frame_on_a_body_that_joints_place(self):
        text = """bodies:
  lens:   {mass: 1, inertia: [1, 1, 1], relative_to: camera, position: [0.1, 0, 0], orientation: {axis: [0, 0, 1], angle: 20 deg}}
  camera: {mass: 1, inertia: [1, 1, 1], relative_to: tip, position: [0, 0, 0.05]}
  arm:    {mass: 1, inertia: [1, 1, 1]}
  cap:    {mass: 1, inertia: [1, 1, 1]}
markers:
  foot: {body: arm, position: [-0.4, 0, 0]}
  tip:  {body: arm, position: [0.4, 0, 0]}
  edge: {body: lens, position: [0, 1, 0]}
  rim:  {body: cap, position: [-0.3, 0, 0]}
joints:
  q1: {type: revolute, between: [foot, ground], axis: -y, angle: 0, rate: 2}
  q2: {type: revolute, between: [rim, edge], axis: z, angle: 10 deg}
"""
        for a in (0, 0.7):
            A = turn(Y, -a)
            found = self.bodies(text, "--set", f"q1.angle={a!r}")
            edge = numpy.array([0.9 - numpy.sin(numpy.radians(20)), numpy.cos(numpy.radians(20)), 0.05])
            cap = edge + 0.3 * numpy.array([numpy.cos(numpy.radians(30)), 0.5, 0])
            for name, x, B in (("arm", [0.4, 0, 0], 0), ("camera", [0.8, 0, 0.05], 0), ("lens", [0.9, 0, 0.05], 20), ("cap", cap, 30)):
                self.assert_near(found[name]["position"], A @ x, 1e-15, name)
                self.assert_near(found[name]["orientation"], (A @ turn(Z, numpy.radians(B))).ravel(), 1e-15, name)
                self.assert_near(found[name]["velocity"], numpy.cross([0, -2, 0], A @ x), 1e-14, name)
        self.refused(text.replace("relative_to: tip", "relative_to: rim"), "leads in a circle", "'q2' places 'cap'")
        self.refused(text.replace("position: [0, 1, 0]", "at: [0, 1, 0]"), "marker 'edge'", "'lens'", "body 'camera' places it")

    def test_a_spin_is_that_of_all_that_is_carried(self):
        text = """bodies:
  hub: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], spin: {axis: z, rate: 60 rpm, about: [0, 0, 0]}}
  arm: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 0]}
  tip: {mass: 1, inertia: [1, 1, 1], position: [1, 3, 0]}
joints:
  root: {type: spherical, between: [arm, hub], at: [1, 1, 0]}
  lag: {type: revolute, between: [tip, arm], at: [1, 2.5, 0], axis: x, rate: 3}
"""
        w = 2 * numpy.pi
        found = self.bodies(text)
        for name in found:
            x, y, _ = found[name]["position"]
            extra = numpy.array([0, 0, 1.5]) if name == "tip" else 0
            self.assert_near(found[name]["velocity"], numpy.array([-w * y, w * x, 0]) + extra, 1e-14)
        self.assert_near(found["arm"]["angular_velocity"], [0, 0, w], 1e-14)
        self.assert_near(found["tip"]["angular_velocity"], [3, 0, w], 1e-14)
        self.refused(text.replace("position: [1, 2, 0]}", "position: [1, 2, 0], spin: {axis: z, rate: 1}, velocity: [0, 0, 0]}"),
                     "spin and velocity are both given")

    def test_a_part_spins_with_all_its_bodies(self):
        self.file("rotor.yaml", """bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 2], velocity: [0, 0, 5], angular_velocity: [0, 1, 0]}
""")
        text = """parts:
  r: {file: rotor.yaml, at: [0, 3, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}, spin: {axis: z, rate: 10}}
  m: {file: rotor.yaml, mirror: y, spin: {axis: x, rate: 10, about: [0, 0, 1]}}
"""
        found = self.bodies(text)
        self.assert_near(found["r.a"]["position"], [0, 4, 0], 1e-15)
        self.assert_near(found["r.a"]["velocity"], [-10, 0, 0], 1e-15)
        self.assert_near(found["r.b"]["velocity"], [0, 0, 5], 1e-15)
        self.assert_near(found["r.b"]["angular_velocity"], [-1, 0, 10], 1e-15)
        self.assert_near(found["m.a"]["velocity"], [0, 10, 0], 1e-15)
        self.assert_near(found["m.b"]["angular_velocity"], [10, 1, 0], 1e-15)

    def test_a_body_is_moved_with_what_it_carries(self):
        text = """parameters: {a: 20 deg}
bodies:
  car: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1], moved: {about: [1, 0, 0], orientation: {axis: [0, 1, 0], angle: a}, displacement: [0, 0, 2]}}
  wheel: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 1]}
joints: {hub: {type: revolute, between: [wheel, car], at: [2, 0, 1], axis: y, angle: 90 deg}}
"""
        A = turn(Y, numpy.radians(20))
        found = self.bodies(text)
        for name, x in (("car", [0, 0, 1]), ("wheel", [2, 0, 1])):
            self.assert_near(found[name]["position"], numpy.array([1, 0, 2]) + A @ (numpy.array(x) - [1, 0, 0]), 1e-15)
        self.assert_near(found["wheel"]["orientation"], (A @ turn(Y, numpy.pi / 2)).ravel(), 1e-15)

    def test_formulas_have_the_rates_of_joints(self):
        """A rotor on gimbals, whose displacement along its axis has no rate: the gyroscopic moments."""
        text = """parameters: {k: 30, w: 2, J: 0.5, A: 0.3}
bodies:
  frame: {mass: 1, inertia: [A, A, A]}
  rotor: {mass: 2, inertia: [A, A, J]}
joints:
  gimbal:  {type: universal, between: [frame, ground], at: [0, 0, 0], axis: z}
  bearing: {type: cylindrical, between: [rotor, frame], at: [0, 0, 0], axis: z, rate: w}
loads: {s: {type: bushing, between: [rotor, ground], translation: {stiffness: k}, rotation: {stiffness: [k, k, 0]}}}
"""
        done = self.try_it("symbolic", text, "--independent", "frame.rx,frame.ry,rotor.z,rotor.rz")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("C[1,2] = w*J\nC[2,1] = -w*J\n", done.stdout)

    def test_axes_of_orientations_may_be_letters(self):
        text = """bodies:
  a: {mass: 1, inertia: [1, 1, 1], orientation: {axis: x, angle: 20 deg}}
  b: {mass: 1, inertia: [1, 1, 1], orientation: {axis: -z, angle: 20 deg}}
  c: {mass: 1, inertia: [1, 1, 1], orientation: {z: -y, x: z}}
"""
        found = self.bodies(text)
        self.assert_near(found["a"]["orientation"], turn(X, numpy.radians(20)).ravel(), 1e-15)
        self.assert_near(found["b"]["orientation"], turn(Z, numpy.radians(-20)).ravel(), 1e-15)
        self.assert_near(found["c"]["orientation"], numpy.column_stack([Z, numpy.cross(-Y, Z), -Y]).ravel(), 1e-15)
        self.refused(text.replace("axis: x", "axis: q"), "axis must be")

    # ---- parts -------------------------------------------------------------------------------------------------------

    def test_mirror_images_of_trees_are_placed_as_their_images(self):
        for seed in range(12 * EFFORT):
            bodies, joints = random_tree(seed, by_points=seed % 2 == 0)
            tree = text_of(bodies, joints, by_points=seed % 2 == 0)
            self.file("tree.yaml", tree)
            k, at, R = seed % 3, numpy.array([0.3, -1, 2]), turn(Z, 0.7)
            S = numpy.diag([-1 if i == k else 1 for i in range(3)])
            found = self.bodies(f"""parts:
  one: {{file: tree.yaml}}
  two: {{file: tree.yaml, mirror: {'xyz'[k]}, at: [0.3, -1, 2], orientation: {{axis: [0, 0, 1], angle: 0.7}}}}
""")
            for b in bodies:
                a, m = found[f"one.{b['name']}"], found[f"two.{b['name']}"]
                A = numpy.array(a["orientation"]).reshape(3, 3)
                size = 1 + numpy.abs(a["position"]).max()
                speed = 1 + max(numpy.abs(a["velocity"]).max(), numpy.abs(a["angular_velocity"]).max())
                for mine, theirs, scale in (
                        (at + R @ S @ a["position"], m["position"], size), ((R @ S @ A @ S).ravel(), m["orientation"], 1),
                        (R @ S @ a["velocity"], m["velocity"], 100 * speed * size),  # as in test_placing_trees.py
                        (-(R @ S @ a["angular_velocity"]), m["angular_velocity"], 100 * speed)):
                    self.assertLess(numpy.abs(mine - theirs).max(), 1e-13 * scale, f"seed {seed}, {b['name']}\n{tree}")

    def test_mirror_images_of_frames_spins_and_moved_bodies(self):
        self.file("things.yaml", """bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 3], orientation: {axis: [1, 2, 0], angle: 0.4}, velocity: [1, 0, 2], angular_velocity: [0, 1, 3],
      moved: {about: [0, 1, 0.5], orientation: {axis: [1, 1, 3], angle: 0.7}, displacement: [0.1, 0.2, 0.3]}}
  b: {mass: 1, inertia: [1, 1, 1], relative_to: m, position: [0.5, 1, 2], orientation: {axis: [0, 2, 1], angle: -0.9}, velocity: [3, 1, 0],
      angular_velocity: [2, 0, 1]}
  c: {mass: 1, inertia: [1, 1, 1], position: [0, 1, -2], spin: {axis: [1, 2, 3], rate: 4, about: [1, 0, 1]}}
  d: {mass: 1, inertia: [1, 1, 1], relative_to: m, position: [0, 1, -2], spin: {axis: [1, -2, 3], rate: 4, about: [1, 0, 1]}}
  f: {mass: 1, inertia: [1, 1, 1], relative_to: ground, position: [1, 1, -2]}
markers: {m: {body: a, position: [1, 0, 0.5], orientation: {axis: [1, 0, 1], angle: 0.8}}}
""")
        for k in range(3):
            at, R = numpy.array([0.3, -1, 2]), turn(Z, 0.7)
            S = numpy.diag([-1 if i == k else 1 for i in range(3)])
            found = self.bodies(f"""parts:
  one: {{file: things.yaml}}
  two: {{file: things.yaml, mirror: {'xyz'[k]}, at: [0.3, -1, 2], orientation: {{axis: [0, 0, 1], angle: 0.7}}}}
""")
            for b in "abcdf":
                a, m = found[f"one.{b}"], found[f"two.{b}"]
                self.assert_near(m["position"], at + R @ S @ a["position"], 1e-14)
                self.assert_near(m["orientation"], (R @ S @ numpy.array(a["orientation"]).reshape(3, 3) @ S).ravel(), 1e-14)
                for key, sign in (("velocity", 1), ("angular_velocity", -1)):
                    self.assertLess(numpy.abs(m[key] - sign * R @ S @ a[key]).max(), 1e-13, (b, key))
                self.assertGreater(numpy.abs(a["velocity"]).max(), 0.1 if b != "f" else -1)

    def test_coordinates_of_parts_are_set_by_their_whole_names(self):
        self.file("arm.yaml", re.sub(r"gravity.*\n", "", HINGE))
        text = "parts: {left: {file: arm.yaml, mirror: x}, right: {file: arm.yaml, set: {phi: 1}}}\n"
        found = self.bodies(text, "--set", "left.hinge.angle=1")
        self.assert_near(found["left.rod"]["position"], numpy.multiply([-1, 1, 1], found["right.rod"]["position"]), 1e-15)

    def test_the_table_says_of_what_point_of_a_flexible_body_the_velocity_is(self):
        beam = ("bodies: {b: {type: beam, to: [4, 0, 0], elements: 2, planar: true, density: 1, youngs_modulus: 1e8, "
                "section: {circle: {radius: 0.1}}}, r: {mass: 1, inertia: [1, 1, 1]}}\n"
                "joints:\n  O: {type: revolute, between: [b, ground], at: [0, 0, 0], rate: 2}\n"
                "  R: {type: revolute, between: [r, ground], at: [1, 0, 0], rate: 2}\n")
        done = self.try_it("equilibrium", beam, "--at", "given")
        self.assertIn("in world axes; of flexible ones that of their frame's origin\n", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^  b +0 +0 +0 +0 +0 +2$")
        done = self.try_it("equilibrium", beam.replace(", rate: 2}\n  R", "}\n  R"), "--at", "given")
        self.assertIn("bodies that move, in world axes\n", done.stdout)

    # ---- what nothing holds ------------------------------------------------------------------------------------------

    def test_the_order_of_bodies_does_not_say_which_of_them_stays(self):
        arm = "  arm: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
        base = "  base: {mass: 9, inertia: [1, 1, 1], velocity: [20, 0, 0]}\n"
        joint = "joints: {h: {type: revolute, between: [arm, base], at: [0.5, 0, 0], axis: y, angle: 30 deg, rate: 2}}\n"
        first, second = (self.bodies("bodies:\n" + text + joint) for text in (arm + base, base + arm))
        self.assertEqual(first, second)
        a = numpy.radians(30)
        self.assert_near(first["base"]["position"], [0, 0, 0], 0)
        self.assert_near(first["arm"]["position"], [0.5 + 0.5 * numpy.cos(a), 0, -0.5 * numpy.sin(a)], 1e-15)
        self.assert_near(first["arm"]["velocity"], [20 - numpy.sin(a), 0, -numpy.cos(a)], 1e-15)
        driven = [body.replace(", velocity: [20, 0, 0]", "").replace("position: [1", "velocity: [5, 0, 0], position: [1")
                  for body in (arm, base)]
        first, second = (self.bodies("bodies:\n" + text + joint) for text in (driven[0] + driven[1], driven[1] + driven[0]))
        self.assertEqual(first, second)
        self.assert_near(first["arm"]["position"], [1, 0, 0], 0)
        self.assert_near(first["base"]["velocity"], [5 + numpy.sin(a), 0, -numpy.cos(a)], 1e-15)

    # ---- what is refused ---------------------------------------------------------------------------------------------

    def test_what_is_written_twice_must_agree(self):
        between = """bodies:
  rod: {mass: 1, inertia: [1, 1, 1], position: [0, 1, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}
markers: {end: {body: rod, position: [-1, 0, 0]}}
joints: {hinge: {type: revolute, between: [end, ground], axis: z, angle: 90 deg}}
"""
        self.assert_near(self.bodies(between)["rod"]["position"], [0, 1, 0], 1e-15)
        self.refused(between.replace("axis: z, angle: 90", "axis: z, angle: 60"), "joint 'hinge'", "written as 1.0472", "'rod'", "1.5708")
        self.refused(between.replace("position: [0, 1, 0]", "position: [0, 1.1, 0]"), "joint 'hinge'", "'rod'", "does not allow")
        unset = between.replace(", angle: 90 deg}\n", "}\n")  # from outside it is another state
        found = self.bodies(unset, "--set", "hinge.angle=30 deg")["rod"]
        self.assert_near(found["position"], [numpy.cos(numpy.pi / 6), 0.5, 0], 1e-15)
        moving = HINGE.replace("position: [0.5, 0, 0]}", "position: [0.5, 0, 0], velocity: [0, 1, 0]}").replace("angle: phi", "rate: 2")
        self.bodies(moving)
        self.refused(moving.replace("rate: 2", "rate: 3"), "body 'rod'", "'hinge'", "leave out one")
        spinning = moving.replace(", velocity: [0, 1, 0]", ", angular_velocity: [0, 0, 2]")
        self.bodies(spinning)
        self.refused(spinning.replace("rate: 2", "rate: 2.1"), "body 'rod'", "by 0.05 m/s", "leave out one")

    def test_a_coordinate_of_the_last_joint_of_a_loop_of_written_ones_is_refused_by_its_cause(self):
        text = ("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
                "  p: {type: cylindrical, between: [a, ground], at: [0, 0, 0], angle: 10 deg}\n"
                "  q: {type: cylindrical, between: [a, ground], at: [0, 0, 1], displacement: 0.2}\n")
        self.refused(text, "joint 'q'", "every joint of a loop that it closes", "write nothing on one of them")

    def test_points_of_the_world_need_a_place(self):
        text = """bodies: {rod: {mass: 1, inertia: [1, 1, 1]}}
markers: {end: {body: rod, position: [-1, 0, 0]}, tip: {body: rod, at: [1, 0, 0]}}
joints: {hinge: {type: revolute, between: [end, ground], angle: 60 deg}}
"""
        self.refused(text, "marker 'tip'", "'rod'", "'hinge' places it")

    def test_beams_are_not_moved(self):
        text = """bodies: {hub: {mass: 1, inertia: [1, 1, 1]}}
beams:
  blade: {type: material, from: [0, 0, 0], to: [1, 0, 0], elements: 2, density: 1000, youngs_modulus: 1e9, shear_modulus: 4e8,
          area: 1e-4, iyy: 1e-9, izz: 1e-9, torsion_constant: 1e-9}
joints:
  bearing: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z, angle: 10 deg}
  root: {type: fixed, between: [blade.first, hub]}
"""
        self.refused(text, "node of a beam", "a beam is not moved so")

    def test_a_beam_stays_where_what_it_carries_spins(self):
        """A rotor on a tower of exact beams, whose foot alone is held: not the spinning hub stays, but the tower."""
        beam = ("{type: material, from: [0, 0, 0], to: %s, elements: 2, density: 1000, youngs_modulus: 1e9, "
                "shear_modulus: 4e8, area: 1e-4, iyy: 1e-9, izz: 1e-9, torsion_constant: 1e-9}")
        text = f"""bodies:
  nacelle: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, 2]}}
  hub: {{mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 2], spin: {{axis: x, rate: 3}}}}
beams: {{tower: {beam % "[0, 0, 2]"}}}
joints:
  foot: {{type: fixed, between: [tower.first, ground], at: [0, 0, 0]}}
  yaw: {{type: fixed, between: [nacelle, tower.last], at: [0, 0, 2]}}
  bearing: {{type: revolute, between: [hub, nacelle], at: [0.5, 0, 2], axis: x}}
"""
        found = self.bodies(text)
        self.assert_near(found["nacelle"]["position"], [0, 0, 2], 1e-14)
        self.assert_near(found["hub"]["angular_velocity"], [3, 0, 0], 1e-13)
        self.assert_near(found["nacelle"]["angular_velocity"], [0, 0, 0], 1e-13)


if __name__ == "__main__":
    unittest.main()
