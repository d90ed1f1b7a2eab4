"""Machines written without a sine or a cosine, against the same with every position written out: a governor, a robot of
six joints, a two-wheeler with camber and steer."""
import pathlib
import re
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from model_case import ModelCase  # noqa: E402
from placed_trees import STEP, back, cross, joint_pose, pose, rates, triad, turn, vector  # noqa: E402

X, Y, Z = numpy.eye(3)


def rows(A):
    return "[" + ", ".join(vector(row) for row in A) + "]"


def body_text(name, rest, T):
    """A body at a pose with its rates, in numbers."""
    r, A, v, w = rates(T)
    return (f"  {name}: {{{rest}, position: {vector(r)}, orientation: {{matrix: {rows(A)}}}, "
            f"velocity: {vector(v)}, angular_velocity: {vector(w)}}}\n")


class Machines(ModelCase):
    def assert_same(self, short, long, states, tolerance=1e-14):
        """Positions and velocities, M, C, K and eigenvalues, in every coordinate set."""
        self.assertEqual(re.findall(r"\b(?:sin|cos|tan|sqrt)\b", short), [])
        short, long = (f"{text}linearize: {{states: [{states}]}}\n" for text in (short, long))
        a, b = (self.run_it("equilibrium", text) for text in (short, long))
        self.assertEqual([w for w in a["warnings"] if "from what is written" not in w], b["warnings"])
        size = max(numpy.abs(x["position"]).max() for x in b["bodies"])
        speed = max(numpy.abs(x[k]).max() for x in b["bodies"] for k in ("velocity", "angular_velocity"))
        for one, two in zip(a["bodies"], b["bodies"]):
            for key, scale in (("position", size), ("orientation", 1), ("velocity", speed), ("angular_velocity", speed)):
                self.assertLess(numpy.abs(numpy.subtract(one[key], two[key])).max(), tolerance * max(scale, 1), (one["name"], key))
        for coordinates in ("absolute", "relative", "natural"):
            linear = [self.run_it("linearize", text, "--coordinates", coordinates, "--method", "minimal") for text in (short, long)]
            for key in ("mass", "damping", "stiffness", "A"):
                m, n = (numpy.array(x[key]) for x in linear)
                self.assertLess(numpy.abs(m - n).max(), tolerance * numpy.abs(n).max(), (coordinates, key))
            values = [numpy.linalg.eigvals(numpy.array(x["A"])) for x in linear]
            for z in values[0]:
                self.assertLess(numpy.abs(values[1] - z).min(), tolerance * numpy.abs(values[1]).max(), coordinates)
        return a

    # ---- the governor ------------------------------------------------------------------------------------------------

    GOVERNOR = """gravity: [0, 0, -9.81]
parameters: {swing: 35 deg, speed: 120 rpm}
bodies:
  shaft:  {mass: 2, inertia: [0.02, 0.02, 0.004], position: [0, 0, 0.25]}
  arm_1:  {mass: 0.9, inertia: [0.003, 0.003, 0.001], position: [0.04, 0, 0.28]}
  arm_2:  {mass: 0.9, inertia: [0.003, 0.003, 0.001], position: [-0.04, 0, 0.28]}
  link_1: {mass: 0.1, inertia: [0.0004, 0.0004, 0.00002], position: [0.04, 0, 0.1]}
  link_2: {mass: 0.1, inertia: [0.0004, 0.0004, 0.00002], position: [-0.04, 0, 0.1]}
  sleeve: {mass: 0.6, inertia: [0.001, 0.001, 0.002], position: [0, 0, 0.01]}
joints:
  bearing: {type: revolute, between: [shaft, ground], at: [0, 0, 0], axis: z, rate: speed}
  top_1:   {type: revolute, between: [arm_1, shaft], at: [0.04, 0, 0.4], axis: y, angle: -swing}
  top_2:   {type: revolute, between: [arm_2, shaft], at: [-0.04, 0, 0.4], axis: y, angle: swing}
  knee_1:  {type: revolute, between: [link_1, arm_1], at: [0.04, 0, 0.2], axis: y, angle: 2*swing}
  knee_2:  {type: revolute, between: [link_2, arm_2], at: [-0.04, 0, 0.2], axis: y, angle: -2*swing}
  foot_1:  {type: revolute, between: [sleeve, link_1], at: [0.04, 0, 0], axis: y, angle: -swing}
  foot_2:  {type: revolute, between: [sleeve, link_2], at: [-0.04, 0, 0], axis: y, cut: true}
  slide:   {type: translational, between: [sleeve, shaft], at: [0, 0, 0], axis: z, cut: true}
loads:
  spring:  {type: spring, between: [sleeve, shaft], stiffness: 500, free_length: 0.3}
"""

    def governor_long(self):
        swing, speed, s = numpy.radians(35), 120 * 2 * numpy.pi / 60, {}
        out = [re.sub(r"(?ms)^bodies:.*", "bodies:\n", self.GOVERNOR)]
        rest = {n: re.search(rf"{n}: +{{(mass.*?), position", self.GOVERNOR).group(1)
                for n in ("shaft", "arm_1", "arm_2", "link_1", "link_2", "sleeve")}
        up = 0.4 - 0.4 * numpy.cos(swing)
        for k, side in ((1, 1), (2, -1)):
            s[f"arm_{k}"] = (turn(Y, -side * swing), [side * (0.04 + 0.12 * numpy.sin(swing)), 0, 0.4 - 0.12 * numpy.cos(swing)])
            s[f"link_{k}"] = (turn(Y, side * swing), [side * (0.04 + 0.1 * numpy.sin(swing)), 0, up + 0.1 * numpy.cos(swing)])
        s["shaft"], s["sleeve"] = (numpy.eye(3), [0, 0, 0.25]), (numpy.eye(3), [0, 0, 0.01 + up])
        for name in rest:
            A, r = s[name]
            spin = pose(numpy.eye(3) + 1j * STEP * cross([0, 0, speed]))
            out.append(body_text(name, rest[name], spin @ pose(A, r)))
        knee = 0.04 + 0.2 * numpy.sin(swing), 0.4 - 0.2 * numpy.cos(swing)
        out.append(f"""joints:
  bearing: {{type: revolute, between: [shaft, ground], at: [0, 0, 0], axis: z}}
  top_1:   {{type: revolute, between: [arm_1, shaft], at: [0.04, 0, 0.4], axis: y}}
  top_2:   {{type: revolute, between: [arm_2, shaft], at: [-0.04, 0, 0.4], axis: y}}
  knee_1:  {{type: revolute, between: [link_1, arm_1], at: [{knee[0]!r}, 0, {knee[1]!r}], axis: y}}
  knee_2:  {{type: revolute, between: [link_2, arm_2], at: [{-knee[0]!r}, 0, {knee[1]!r}], axis: y}}
  foot_1:  {{type: revolute, between: [sleeve, link_1], at: [0.04, 0, {up!r}], axis: y}}
  foot_2:  {{type: revolute, between: [sleeve, link_2], at: [-0.04, 0, {up!r}], axis: y, cut: true}}
  slide:   {{type: translational, between: [sleeve, shaft], at: [0, 0, {up!r}], axis: z, cut: true}}
loads:
  spring:  {{type: spring, between: [sleeve, shaft], stiffness: 500, free_length: 0.3}}
""")
        return "".join(out).replace("numpy.float64", "").replace("(", "").replace(")", "")

    def test_a_governor_by_its_swing_and_speed(self):
        found = self.assert_same(self.GOVERNOR, self.governor_long(), "shaft.rz,sleeve.z")
        self.assertEqual(found["degrees_of_freedom"], 2)

    def test_a_spring_whose_ends_meet_but_for_rounding_has_no_direction(self):
        """At 60 deg the sleeve is in the middle of the shaft, which the spring is fixed to. What settles from there ends elsewhere."""
        text = self.GOVERNOR.replace("position: [0, 0, 0.25]", "position: [0, 0, 0.2]").replace("position: [0, 0, 0.01]", "position: [0, 0, 0]")
        for swing, status in ((59, 0), (60, 1)):
            done = self.try_it("equilibrium", text, "--set", f"swing={swing} deg")
            self.assertEqual(done.returncode, status, done.stdout)
            self.assertEqual("at the same point but for rounding" in done.stderr, status == 1, done.stderr)
        found = self.run_it("equilibrium", text + "operating_point: {type: static}\n", "--set", "swing=60 deg")
        self.assertLess(found["residual"], 1e-11)
        places = {b["name"]: b["position"][2] for b in found["bodies"]}
        self.assertGreater(abs(places["sleeve"] - places["shaft"]), 0.1)

    # ---- a robot -----------------------------------------------------------------------------------------------------

    #: axis, point of it and centre of mass of each link, upright; angle in degrees, rate
    ROBOT = [("z", [0, 0, 0.1], [0, 0, 0.3], 40, 0.5), ("y", [0.05, 0.1, 0.4], [0.05, 0.1, 0.65], -65, 1.2),
             ("y", [0.05, 0.1, 0.9], [0.1, 0.05, 1.1], 110, -0.8), ("z", [0.05, 0, 1.2], [0.05, 0, 1.3], 200, 2.5),
             ("x", [0.05, 0, 1.4], [0.07, 0.01, 1.42], -300, 3), ("z", [0.05, 0, 1.45], [0.05, 0.02, 1.5], 500, -4)]
    INERTIA = "mass: 3.5, inertia: [0.03, 0.05, 0.04, 0.001, 0.002, -0.003]"
    TIP = "translation: {stiffness: 300, damping: 5}, rotation: {stiffness: 20}"

    def robot(self):
        out = ["gravity: [0, 0, -9.81]\nbodies:\n"]
        out += [f"  link_{k}: {{{self.INERTIA}, position: {vector(c)}}}\n" for k, (_, _, c, _, _) in enumerate(self.ROBOT)]
        out += ["joints:\n"]
        for k, (axis, at, _, angle, rate) in enumerate(self.ROBOT):
            on = f"link_{k - 1}" if k else "ground"
            out.append(f"  q{k}: {{type: revolute, between: [link_{k}, {on}], at: {vector(at)}, axis: {axis}, "
                       f"angle: {angle} deg, rate: {rate} rad/s}}\n")
        out.append("markers:\n  a: {body: link_5, at: [0.05, 0, 1.5]}\n  b: {body: ground, position: [0.05, 0, 1.5]}\n")
        return "".join(out) + f"loads:\n  tip: {{type: bushing, between: [a, b], {self.TIP}}}\n"

    def robot_long(self):
        here, there, joints = pose(), [], []
        for k, (axis, at, centre, angle, rate) in enumerate(self.ROBOT):
            e = {"x": X, "y": Y, "z": Z}[axis]
            J = joint_pose({"type": "revolute", "angle": numpy.radians(angle), "rate": rate})
            world = pose(triad(e), at)
            point = here @ numpy.array([*at, 1])
            joints.append(f"  q{k}: {{type: revolute, between: [link_{k}, {f'link_{k - 1}' if k else 'ground'}], "
                          f"at: {vector(point[:3].real)}, axis: {vector((here[:3, :3] @ e).real)}}}\n")
            here = here @ world @ J @ back(world)
            there.append(here @ pose(None, centre))
        tip = back(there[5]) @ here
        markers = (f"markers:\n  a: {{body: link_5, position: {vector((tip @ [0.05, 0, 1.5, 1])[:3].real)}, "
                   "orientation: {matrix: " + rows(tip[:3, :3].real) + "}}\n  b: {body: ground, position: [0.05, 0, 1.5]}\n")
        return ("gravity: [0, 0, -9.81]\nbodies:\n" + "".join(body_text(f"link_{k}", self.INERTIA, T) for k, T in enumerate(there))
                + markers + "joints:\n" + "".join(joints)
                + f"loads:\n  tip: {{type: bushing, between: [a, b], {self.TIP}}}\n")

    def test_a_robot_by_six_angles_and_rates(self):
        self.assert_same(self.robot(), self.robot_long(), "link_0.rz,link_1.z,link_2.z,link_3.rx,link_4.ry,link_5.rz")

    # ---- a two-wheeler -----------------------------------------------------------------------------------------------

    TWO_WHEELER = """gravity: [0, 0, -9.81]
parameters: {v: 4, camber: 12 deg, steer: -7 deg, r: 0.31, w: 1, trail: 0.06}
bodies:
  frame:       {mass: 9, inertia: [0.35, 0.9, 0.6, 0, 0.12, 0], position: [0.42, 0, 0.55], velocity: [v, 0, 0],
                angular_velocity: [0, 0, 0], moved: {orientation: {axis: [1, 0, 0], angle: camber}}}
  fork:        {mass: 2.6, inertia: [0.16, 0.17, 0.02, 0, 0.03, 0], position: [0.88, 0, 0.72]}
  rear_wheel:  {mass: 2.2, inertia: [0.1, 0.2, 0.1], position: [0, 0, r]}
  front_wheel: {mass: 2.2, inertia: [0.1, 0.2, 0.1], position: [w, 0, r]}
markers:
  rear_axle:  {body: rear_wheel, orientation: {z: [0, 1, 0], x: [1, 0, 0]}}
  front_axle: {body: front_wheel, orientation: {z: [0, 1, 0], x: [1, 0, 0]}}
joints:
  rear_hub:  {type: revolute, between: [rear_wheel, frame], at: [0, 0, r], axis: y, rate: v/r}
  head:      {type: revolute, between: [fork, frame], at: [w, 0, 0.6], axis: [-0.3, 0, 1], angle: steer, rate: 0}
  front_hub: {type: revolute, between: [front_wheel, fork], at: [w, 0, r], axis: y, rate: v/r}
  rear_contact:  {type: rolling, between: [rear_axle, ground], radius: r}
  front_contact: {type: rolling, between: [front_axle, ground], radius: r}
"""

    def two_wheeler_long(self):
        v, r, w = 4, 0.31, 1
        camber, steer = pose(turn(X, numpy.radians(12))), numpy.radians(-7)
        head = pose(triad([-0.3, 0, 1]), [w, 0, 0.6])
        turned = camber @ head @ joint_pose({"type": "revolute", "angle": steer}) @ back(head)

        def wheel(carrier, at):
            hub = pose(triad(Y), at)
            return carrier @ hub @ joint_pose({"type": "revolute", "rate": v / r}) @ back(hub) @ pose(None, at)

        places = {"frame": camber @ pose(None, [0.42, 0, 0.55]), "fork": turned @ pose(None, [0.88, 0, 0.72]),
                  "rear_wheel": wheel(camber, [0, 0, r]), "front_wheel": wheel(turned, [w, 0, r])}
        text, out = self.TWO_WHEELER, []
        for name, T in places.items():
            T[:3, 3] += 1j * STEP * numpy.array([v, 0, 0])
            rest = re.search(rf"{name}: +{{(mass.*?), position", text).group(1)
            out.append(body_text(name, rest, T))

        # the same points in the bodies' own axes
        centre = {"frame": [0.42, 0, 0.55], "fork": [0.88, 0, 0.72], "rear_wheel": [0, 0, r], "front_wheel": [w, 0, r]}
        points, joints = "", ""
        for name, first, second, at, axis in (("rear_hub", "rear_wheel", "frame", [0, 0, r], "y"),
                                              ("head", "fork", "frame", [w, 0, 0.6], "[-0.3, 0, 1]"),
                                              ("front_hub", "front_wheel", "fork", [w, 0, r], "y")):
            for k, body in enumerate((first, second)):
                points += f"  {name}_{k}: {{body: {body}, position: {vector(numpy.subtract(at, centre[body]))}}}\n"
            joints += f"  {name}: {{type: revolute, between: [{name}_0, {name}_1], axis: {axis}}}\n"
        start, markers, there = text.index("bodies:\n") + 8, text.index("markers:"), text.index("joints:")
        return (text[:start] + "".join(out) + text[markers:there] + points + "joints:\n" + joints
                + text[text.index("  rear_contact:"):])

    def test_a_two_wheeler_by_camber_and_steer(self):
        found = self.assert_same(self.TWO_WHEELER, self.two_wheeler_long(), "frame.x,frame.y,frame.rz,frame.rx,fork.rz,"
                                 "rear_wheel.ry,front_wheel.ry")
        lowest = min(body["position"][2] for body in found["bodies"] if "wheel" in body["name"])
        self.assertLess(lowest, 0.31)


if __name__ == "__main__":
    unittest.main()
