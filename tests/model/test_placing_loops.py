"""Loops that close on the way from the drawing to what is written, against positions and rates in closed form on the branch that is
drawn: random planar linkages with angles of several turns, and refusals where they cannot go on."""
import os
import pathlib
import re
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402
from placed_trees import turn  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import test_placing  # noqa: E402

EFFORT = int(os.environ.get("ROUTH_TEST_EFFORT", "1"))
STEP = 1e-30


def point(z):
    return f"[{float(z.real)!r}, {float(z.imag)!r}, 0]"


def body(name, a, b):
    """A rod from a to b, points of the plane as complex numbers, its x axis along it."""
    return (f"  {name}: {{mass: 1, inertia: [0.1, 0.2, 0.2], position: {point((a + b) / 2)}, "
            f"orientation: {{axis: [0, 0, 1], angle: {float(numpy.angle(b - a))!r}}}}}\n")


def apex(a, b, left, right, side):
    """The third corner of a triangle over a, b with these sides at them; None where there is none. Complex steps along t
    are kept in pairs (x, y)."""
    d = (b[0] - a[0], b[1] - a[1])
    square = d[0] ** 2 + d[1] ** 2
    along = (square + left ** 2 - right ** 2) / (2 * square)
    height = left ** 2 / square - along ** 2
    if height.real <= 0:
        return None
    up = side * numpy.sqrt(height)
    return (a[0] + along * d[0] - up * d[1], a[1] + along * d[1] + up * d[0])


def polar(r, angle):
    return (r * numpy.cos(angle), r * numpy.sin(angle))


def flat(p):
    return complex(p[0].real, p[1].real)


class FourBar:
    """Ground 0 - d, crank a, coupler b, rocker c, drawn at a crank angle on one side."""

    def __init__(self, g):
        while True:
            self.a, self.b, self.c, self.d = g.uniform(0.3, 1.5, 4)
            self.drawn, self.side = g.uniform(-numpy.pi, numpy.pi), g.choice([-1, 1])
            if self.clear(self.drawn) > 0.05:
                break

    def clear(self, angle):
        """How far the loop is from a singular configuration; negative where it does not close."""
        reach = abs(self.a * numpy.exp(1j * angle) - self.d)
        return min(self.b + self.c - reach, reach - abs(self.b - self.c))

    def corners(self, angle):
        tip = polar(self.a, angle)
        return tip, apex(tip, (self.d, 0), self.b, self.c, self.side)

    def text(self):
        tip, top = map(flat, self.corners(complex(self.drawn)))
        return ("bodies:\n" + body("crank", 0, tip) + body("coupler", tip, top) + body("rocker", complex(self.d), top)
                + f"""joints:
  foot:  {{type: revolute, between: [crank, ground], at: [0, 0, 0]}}
  left:  {{type: revolute, between: [coupler, crank], at: {point(tip)}}}
  right: {{type: revolute, between: [coupler, rocker], at: {point(top)}}}
  heel:  {{type: revolute, between: [rocker, ground], at: {point(complex(self.d))}}}
outputs: {{crank: AZ(crank), rocker: AZ(rocker)}}
""")

    def rods(self, angle):
        tip, top = self.corners(angle)
        return {"crank": ((0, 0), tip), "coupler": (tip, top), "rocker": ((self.d, 0), top)}

    def first_limit(self, to):
        """The crank angle from `drawn` at which the loop comes to its end; None: it gets there."""
        for x in numpy.linspace(self.drawn, to, int(2000 * (1 + abs(to - self.drawn)))):
            if self.clear(x) <= 0:
                return x
        return None


class SliderCrank(FourBar):
    """A crank a, a rod b, a slider on the line y = e."""

    def __init__(self, g):
        while True:
            self.a, self.b, self.e = g.uniform(0.3, 1.5), g.uniform(0.3, 2.5), g.uniform(-0.3, 0.3)
            self.drawn, self.side = g.uniform(-numpy.pi, numpy.pi), g.choice([-1, 1])
            if self.clear(self.drawn) > 0.05:
                break

    def clear(self, angle):
        return self.b - abs(self.a * numpy.sin(angle) - self.e)

    def corners(self, angle):
        tip = polar(self.a, angle)
        return tip, (tip[0] + self.side * numpy.sqrt(self.b ** 2 - (tip[1] - self.e) ** 2), self.e + 0 * tip[1])

    def text(self):
        tip, pin = map(flat, self.corners(complex(self.drawn)))
        return ("bodies:\n" + body("crank", 0, tip) + body("coupler", tip, pin) + body("slider", pin - 0.1, pin + 0.1)
                + f"""joints:
  foot:  {{type: revolute, between: [crank, ground], at: [0, 0, 0]}}
  left:  {{type: revolute, between: [coupler, crank], at: {point(tip)}}}
  right: {{type: revolute, between: [coupler, slider], at: {point(pin)}}}
  rail:  {{type: translational, between: [slider, ground], at: {point(pin)}, axis: x}}
outputs: {{crank: AZ(crank), rocker: 'DX(slider)'}}
""")

    def rods(self, angle):
        tip, pin = self.corners(angle)
        return {"crank": ((0, 0), tip), "coupler": (tip, pin), "slider": ((pin[0] - 0.1, pin[1]), (pin[0] + 0.1, pin[1]))}


#: A four-bar linkage with a hand on its coupler, and a finger that slides in the hand, all of them held by springs.
HAND = """gravity: [0, -9.81, 0]
parameters: {phi: 40 deg, w: 1.5, h: 1.2, half: 10 deg, q: 2*half, s: 0.3}
bodies:
  crank:   {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0, 0.5, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}
  coupler: {mass: 2, inertia: [0.01, 0.4, 0.4], position: [1, (1 + h)/2, 0]}
  rocker:  {mass: 1.5, inertia: [0.01, 0.2, 0.2], position: [2, h/2, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}
  hand:    {mass: 1.5, inertia: [0.01, 0.2, 0.2], position: [3, 2, 0]}
  finger:  {mass: 1.5, inertia: [0.01, 0.2, 0.2], position: [4, 2, 0]}
joints:
  foot:  {type: revolute, between: [crank, ground], at: [0, 0, 0], angle: -phi, rate: w}
  heel:  {type: revolute, between: [rocker, ground], at: [2, 0, 0]}
  left:  {type: revolute, between: [coupler, crank], at: [0, 1, 0]}
  right: {type: revolute, between: [coupler, rocker], at: [2, h, 0]}
  wrist: {type: revolute, between: [hand, coupler], at: [2.5, 2, 0], angle: q, rate: s}
  slide: {type: translational, between: [finger, hand], at: [3.5, 2, 0], axis: x}
outputs: {angle: AZ(hand) - AZ(coupler), rate: WZ(hand) - WZ(coupler), slip: WZ(finger) - WZ(hand), coupler: AZ(coupler)}
loads:
  hold: {type: bushing, between: [finger, ground], translation: {stiffness: 200, damping: 3}, rotation: {stiffness: 30}}
  pull: {type: spring, between: [hand, ground], stiffness: 100}
"""

#: Two shafts with gears, an arm on the second.
GEARS = """parameters: {phi: 40 deg, w: 1.5}
bodies:
  a:   {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0, 0, 0]}
  b:   {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1, 0, 0]}
  arm: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [2, 0, 0]}
joints:
  ja:   {type: revolute, between: [a, ground], at: [0, 0, 0], angle: phi, rate: w}
  jb:   {type: revolute, between: [b, ground], at: [1, 0, 0]}
  jc:   {type: revolute, between: [arm, b], at: [1.5, 0, 0], angle: 10 deg, rate: 0.5}
  gear: {type: coupler, joints: [ja, jb], ratios: [1, 2]}
outputs: {b: AZ(b), arm: AZ(arm), wb: WZ(b), warm: WZ(arm)}
"""

MOTION = """parameters: {phi: 40 deg, w: 1.5}
bodies:
  a: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0, 0, 0]}
  b: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1, 0, 0]}
joints:
  ja: {type: revolute, between: [a, ground], at: [0, 0, 0]}
  jb: {type: revolute, between: [b, a], at: [1, 0, 0], rate: 0.5, angle: 10 deg}
  m:  {type: motion, joint: ja, function: phi + w*time}
outputs: {a: AZ(a), b: AZ(b), wa: WZ(a), wb: WZ(b)}
"""


class Loops(PartsCase):
    def outputs(self, text, *options):
        linear = self.run_it("linearize", text, "--at", "given", *options)
        return dict(zip(linear["outputs"], linear["output_values"]))

    def positions(self, text, *options):
        return {b["name"]: b["position"] for b in self.run_it("equilibrium", text, "--at", "given", *options)["bodies"]}

    def check_rods(self, rods, found, tolerance, what):
        """Poses and velocities of all rods, their rates by the complex step."""
        bodies = {b["name"]: b for b in found["bodies"]}
        speed = max(numpy.abs(b["velocity"]).max() for b in bodies.values()) + 1
        for name, (p, q) in rods.items():
            b, A = bodies[name], numpy.array(bodies[name]["orientation"]).reshape(3, 3)
            middle = [(p[k] + q[k]) / 2 for k in (0, 1)]
            along = [q[k] - p[k] for k in (0, 1)]
            length = numpy.hypot(along[0].real, along[1].real)
            turn = (along[0].real * along[1].imag - along[1].real * along[0].imag) / length ** 2 / STEP
            for k in (0, 1):
                self.assertAlmostEqual(b["position"][k], middle[k].real, delta=tolerance, msg=what)
                self.assertAlmostEqual(A[k, 0], along[k].real / length, delta=10 * tolerance, msg=what)
                self.assertAlmostEqual(b["velocity"][k], middle[k].imag / STEP, delta=1e3 * tolerance * speed, msg=what)
            self.assertAlmostEqual(b["angular_velocity"][2], turn, delta=1e3 * tolerance * max(1, abs(turn)), msg=what)

    def check_linkages(self, kind, n, seed):
        reached = refused = 0
        for k in range(n):
            g = numpy.random.default_rng([seed, k])
            x = kind(g)
            to = x.drawn + g.uniform(-1, 1) * g.choice([0.5, numpy.pi, 2 * numpy.pi, 20])
            limit = x.first_limit(to)
            by, what = to - x.drawn, f"{kind.__name__} {k}"
            options = ("--at", "given", "--set", f"foot.angle={float(by)!r}", "--set", "foot.rate=1.7")
            if limit is None and min(x.clear(y) for y in numpy.linspace(x.drawn, to, 4000)) < 1e-3:
                continue
            if limit is None:
                angle = to + 1.7j * STEP
                self.check_rods({n: [[numpy.asarray(v, complex) for v in p] for p in r] for n, r in x.rods(angle).items()},
                                self.run_it("equilibrium", x.text(), *options), 1e-11, what + "\n" + x.text())
                reached += 1
                continue
            done = self.try_it("equilibrium", x.text(), *options)
            self.assertEqual(done.returncode, 1, what + done.stdout)
            said = re.search(r"joint 'foot'.*singular configuration, where it is (\S+) deg, on the way from", done.stderr)
            self.assertTrue(said, what + done.stderr)
            self.assertAlmostEqual(float(said.group(1)), numpy.degrees(limit - x.drawn), delta=0.3, msg=what)
            refused += 1
        self.assertGreater(min(reached, refused), n // 16)

    def test_random_four_bar_linkages(self):
        self.check_linkages(FourBar, 20 * EFFORT, 1)

    def test_random_slider_cranks(self):
        self.check_linkages(SliderCrank, 20 * EFFORT, 2)

    # ---- which branch ------------------------------------------------------------------------------------------------

    def parallelogram(self, drawn=90):
        a = numpy.exp(1j * numpy.radians(drawn))
        return ("bodies:\n" + body("crank", 0, a) + body("coupler", a, 2 + a) + body("rocker", 2, 2 + a) + f"""joints:
  foot:  {{type: revolute, between: [crank, ground], at: [0, 0, 0]}}
  left:  {{type: revolute, between: [coupler, crank], at: {point(a)}}}
  right: {{type: revolute, between: [coupler, rocker], at: {point(2 + a)}}}
  heel:  {{type: revolute, between: [rocker, ground], at: [2, 0, 0]}}
""")

    def test_a_parallelogram_stays_one(self):
        for by in (-89, -45, 1, 60, 88.9):
            found = self.positions(self.parallelogram(), "--set", f"foot.angle={by} deg")
            tip = numpy.exp(1j * numpy.radians(90 + by))
            self.assert_near(found["coupler"], [1 + tip.real, tip.imag, 0], 1e-11)
        for by in (90, 91, 200, -90.001, 360):  # where it may become an antiparallelogram
            self.refused(self.parallelogram(), "joint 'foot'", "singular configuration", "more than one way",
                         options=("--at", "given", "--set", f"foot.angle={by} deg"))
        self.refused(self.parallelogram(0), "joint 'foot'", "is drawn in a singular configuration", "draw the bodies a little away",
                     options=("--at", "given", "--set", "foot.angle=1 deg"))

    def test_random_spatial_linkages(self):
        """Crank and rocker about axes that are askew, a link with a ball at each end: |q(b) - p(a)| = l has two solutions
        b, of which one is drawn."""
        reached = refused = 0
        for k in range(24 * EFFORT):
            g = numpy.random.default_rng([4, k])
            axes = [x / numpy.linalg.norm(x) for x in g.normal(size=(2, 3))]
            feet, arms = [numpy.zeros(3), g.uniform(1.5, 2.5) * numpy.array([1, 0.2, 0])], []
            for e, r in zip(axes, (g.uniform(0.2, 0.5), g.uniform(0.8, 1.4))):
                arm = numpy.cross(e, g.normal(size=3))
                arms.append(r * arm / numpy.linalg.norm(arm))
            tips = [f + a for f, a in zip(feet, arms)]
            length = numpy.linalg.norm(tips[1] - tips[0])
            ends = [lambda a, i=i: feet[i] + test_placing.turn(axes[i], a) @ arms[i] for i in (0, 1)]

            def follower(a, side=None):
                """b of |feet + turn(b) arm - p|^2 = l^2: P cos b + Q sin b = R."""
                p = ends[0](a) - feet[1]
                P, Q = p @ arms[1], p @ numpy.cross(axes[1], arms[1])
                R = (p @ p + arms[1] @ arms[1] - length ** 2) / 2
                clear = numpy.hypot(P, Q) - abs(R)
                if clear <= 0:
                    return None, clear
                both = [numpy.arctan2(Q, P) + s * numpy.arccos(R / numpy.hypot(P, Q)) for s in (1, -1)]
                if side is None:
                    return int(numpy.argmin([abs(numpy.exp(1j * b) - 1) for b in both])), clear
                return both[side], clear

            side, clear = follower(0)
            if clear < 0.05:
                continue
            to = g.uniform(-9, 9)
            way = [follower(a, side)[1] for a in numpy.linspace(0, to, 3000)]
            text = "bodies:\n" + "".join(
                f"  {n}: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: {list(map(float, x))}}}\n"
                for n, x in (("crank", (feet[0] + tips[0]) / 2), ("link", (tips[0] + tips[1]) / 2), ("rocker", (feet[1] + tips[1]) / 2)))
            axis = [list(map(float, e)) for e in axes]
            at = [list(map(float, x)) for x in (*feet, *tips)]
            text += f"""joints:
  foot: {{type: revolute, between: [crank, ground], at: {at[0]}, axis: {axis[0]}}}
  heel: {{type: revolute, between: [rocker, ground], at: {at[1]}, axis: {axis[1]}}}
  one:  {{type: spherical, between: [link, crank], at: {at[2]}}}
  two:  {{type: {('spherical', 'universal')[k % 2]}, between: [link, rocker], at: {at[3]}}}
"""
            options = ("--at", "given", "--set", f"foot.angle={float(to)!r}")
            if min(way) < 0:
                self.refused(text, "joint 'foot'", "singular configuration", options=options)
                refused += 1
                continue
            if min(way) < 1e-3 or k % 2 and self.try_it("equilibrium", text, *options).returncode:
                continue  # a universal joint may come to the end of its own way
            found = self.run_it("equilibrium", text, *options)
            poses = {b["name"]: (numpy.array(b["position"]), numpy.array(b["orientation"]).reshape(3, 3)) for b in found["bodies"]}
            b = follower(to, side)[0]
            for name, i, angle in (("crank", 0, to), ("rocker", 1, b)):
                self.assert_near(poses[name][0], (feet[i] + ends[i](angle)) / 2, 1e-10, f"{k}\n{text}")
            self.assert_near(poses["link"][0], (ends[0](to) + ends[1](b)) / 2, 1e-10, f"{k}\n{text}")
            along = poses["link"][1] @ (tips[1] - tips[0])
            self.assert_near(along, ends[1](b) - ends[0](to), 1e-10, f"{k}\n{text}")
            reached += 1
        self.assertGreater(min(reached, refused), 3 * EFFORT, (reached, refused))

    def test_a_loop_that_is_not_drawn_has_no_branch(self):
        text = """bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}}
markers:
  a0: {body: a, position: [-0.5, 0, 0]}
  a1: {body: a, position: [0.5, 0, 0]}
  b0: {body: b, position: [-1, 0, 0]}
  b1: {body: b, position: [1, 0, 0]}
  c0: {body: c, position: [-0.75, 0, 0]}
  c1: {body: c, position: [0.75, 0, 0]}
  g:  {body: ground, position: [2, 0, 0]}
joints:
  q0: {type: revolute, between: [a0, ground], angle: 60 deg}
  q1: {type: revolute, between: [b0, a1]}
  q2: {type: revolute, between: [c1, b1]}
  q3: {type: revolute, between: [c0, g]}
"""
        said = " ".join(self.run_it("equilibrium", text, "--at", "given")["warnings"])
        self.assertIn("the loop that joint q2 closes is open by 0.5 m in the reference configuration", said)
        tip = numpy.exp(1j * numpy.pi / 3)
        top = complex(*apex((tip.real, tip.imag), (2, 0), 2, 1.5, 1))
        angles = {"q1": numpy.angle((top - tip) / tip), "q2": numpy.angle((top - 2) / (top - tip))}
        options = [o for name, a in angles.items() for o in ("--set", f"{name}.angle={float(a)!r}")]
        found = self.run_it("equilibrium", text, "--at", "given", *options)  # all of them are written: nothing is left open
        self.assertEqual(found["warnings"], [])
        self.assert_near(found["bodies"][1]["position"], [((tip + top) / 2).real, ((tip + top) / 2).imag, 0], 1e-13)

    def test_any_joint_of_a_loop_leads_it(self):
        reached = 0
        for k in range(12 * EFFORT):
            g = numpy.random.default_rng([3, k])
            x = FourBar(g)
            to = x.drawn + g.uniform(-0.4, 0.4)
            if x.first_limit(to) is not None or min(x.clear(y) for y in (x.drawn, to)) < 0.1:
                continue
            way = [[flat(p) for p in x.corners(complex(y))] for y in numpy.linspace(x.drawn, to, 50)]
            (a, b), (c, d) = way[0], way[-1]
            angles = {"left": lambda p, q: (q - p) / p, "right": lambda p, q: (q - p) / (q - x.d), "heel": lambda p, q: q - x.d}
            for name, angle in angles.items():
                values = numpy.unwrap([numpy.angle(angle(p, q) / angle(a, b)) for p, q in way])
                if not abs(numpy.sum(numpy.sign(numpy.diff(values)))) == 49:
                    continue  # the same value twice on the way
                value = values[-1]
                found = self.positions(x.text(), "--set", f"{name}.angle={float(value)!r}")
                reached += 1
                self.assert_near(found["coupler"], [((c + d) / 2).real, ((c + d) / 2).imag, 0], 1e-9, f"{k} {name}\n{x.text()}")
        self.assertGreater(reached, 8)

    def test_turns_of_all_angles_are_counted(self):
        g = FourBar.__new__(FourBar)
        g.a, g.b, g.c, g.d, g.drawn, g.side = 0.5, 1.5, 1.5, 1.2, 0.4, 1
        for turns in (-7, 3):
            found = self.outputs(g.text(), "--set", f"foot.angle={turns * 360 + 30} deg")
            self.assertAlmostEqual(found["crank"], turns * 2 * numpy.pi + numpy.pi / 6 + 0.4, delta=1e-9)
            self.assertLess(abs(found["rocker"]), numpy.pi)

    # ---- what hangs on loops, gears and motions ----------------------------------------------------------------------

    def test_what_a_loop_carries_keeps_its_coordinates_and_rates(self):
        for phi in (-10, 40, 70):
            found = self.outputs(HAND, "--set", f"phi={phi} deg")
            self.assertAlmostEqual(found["angle"], numpy.radians(20), delta=1e-12)
            self.assertAlmostEqual(found["rate"], 0.3, delta=1e-12)
            self.assertAlmostEqual(found["slip"], 0, delta=1e-12)
            tip = 1j * numpy.exp(-1j * numpy.radians(phi))
            top = apex((tip.real, tip.imag), (2, 0), numpy.hypot(2, 0.2), 1.2, 1)
            drawn = numpy.angle(2 + 0.2j)
            self.assertAlmostEqual(found["coupler"], numpy.angle(complex(*top) - tip) - drawn, delta=1e-11)

    def test_what_is_made_of_rates_that_do_not_fit_is_said(self):
        self.assertEqual(self.run_it("equilibrium", HAND, "--at", "given")["warnings"], [])
        text = HAND.replace("at: [2, 0, 0]}", "at: [2, 0, 0], rate: 5}")
        said = " ".join(self.run_it("equilibrium", text, "--at", "given")["warnings"])
        for name in ("foot", "heel"):
            self.assertRegex(said, f"rate of joint {name} was changed by -?[0-9.]+ rad/s from what is written")

    def test_turns_of_what_is_changed_count(self):
        text = GEARS.replace("at: [1, 0, 0]}", "at: [1, 0, 0], angle: 0}")
        for phi in (20, 380, 1100):  # the least change of both that makes phi + 2 b = 0
            found = self.run_it("equilibrium", text, "--at", "given", "--set", f"phi={phi} deg")["warnings"]
            said = {name: float(by) for name, by in re.findall(r"angle of joint (\w+) was changed by (\S+) deg", " ".join(found))}
            self.assertAlmostEqual((phi + said["ja"]) + 2 * said["jb"], 0, delta=0.01 * phi, msg=phi)

    def test_eigenvalues_by_all_that_a_loop_depends_on(self):
        check = test_placing.Placing.check_derivatives
        for parameter, value in (("phi", 0.6), ("w", 1.5), ("h", 1.2), ("half", 0.15), ("q", 0.3), ("s", 0.3)):
            check(self, HAND, parameter, value, 1e-7)

    def test_gears_carry_on(self):
        for phi in (40, 1000):
            found = self.outputs(GEARS, "--set", f"phi={phi} deg")
            expected = {"b": -numpy.radians(phi) / 2, "arm": numpy.radians(10 - phi / 2), "wb": -0.75, "warm": -0.25}
            for name, value in expected.items():
                self.assertAlmostEqual(found[name], value, delta=1e-12 * phi, msg=name)

    def test_a_motion_is_the_coordinate_of_its_joint(self):
        for phi in (40, 400, -170):
            found = self.outputs(MOTION, "--set", f"phi={phi} deg")
            expected = {"a": numpy.radians(phi), "b": numpy.radians(phi + 10), "wa": 1.5, "wb": 2}
            for name, value in expected.items():
                self.assertAlmostEqual(found[name], value, delta=1e-12 * abs(phi), msg=name)
        self.outputs(MOTION, "--set", "ja.angle=40deg", "--set", "ja.rate=1.5")
        for setting in ("angle=50deg", "angle=400deg", "rate=1.4"):
            self.refused(MOTION, "joint 'm'", "this motion prescribes", "'ja' has written", options=("--at", "given", "--set", f"ja.{setting}"))

    def test_velocities_that_fit_what_is_written_get_what_a_motion_adds(self):
        text = """bodies:
  table:  {mass: 9, inertia: [1, 1, 1]}
  sledge: {mass: 2, inertia: [1, 1, 1], velocity: [1, 0, 0]}
joints:
  post:  {type: translational, between: [table, ground], axis: z}
  drive: {type: motion, joint: post, function: 0.1*sin(time)}
  ice:   {type: planar, between: [sledge, table], axis: z, x: 0.1, vx: 1, rate: 0}
"""
        sledge = self.run_it("equilibrium", text, "--at", "given")["bodies"][1]
        self.assert_near(sledge["velocity"], [1, 0, 0.1], 1e-14)
        self.refused(text.replace("velocity: [1, 0, 0]", "velocity: [1.1, 0, 0]"), "body 'sledge'", "its velocity is written, and is another one")

    def test_a_motion_leads_a_loop_as_a_coordinate_does(self):
        x = SliderCrank.__new__(SliderCrank)
        x.a, x.b, x.e, x.drawn, x.side = 1, 2.1, 0, 0, 1
        text = x.text().replace("joints:\n", "joints:\n  lead: {type: motion, joint: foot, function: 120 deg + 0.7*time}\n")
        text = text.replace("bodies:\n", "bodies:\n  bob: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}\n").replace(
            "joints:\n", "joints:\n  free: {type: revolute, between: [bob, ground], at: [0, 0, 1], rate: 1}\n")
        found = self.positions(text)
        a = numpy.radians(120)
        self.assertAlmostEqual(found["slider"][0], numpy.cos(a) + numpy.sqrt(2.1 ** 2 - numpy.sin(a) ** 2), delta=1e-11)

    def test_a_loop_that_is_left_open_is_not_differentiated(self):
        five = "bodies:\n" + body("a", 0, 1j) + body("b", 1j, 1 + 2j) + body("c", 1 + 2j, 2 + 1j) + body("d", 2, 2 + 1j) + """parameters: {phi: 0.2, m: 3}
joints:
  foot:  {type: revolute, between: [a, ground], at: [0, 0, 0], angle: phi}
  left:  {type: revolute, between: [b, a], at: [0, 1, 0]}
  top:   {type: revolute, between: [c, b], at: [1, 2, 0]}
  right: {type: revolute, between: [d, c], at: [2, 1, 0]}
  heel:  {type: revolute, between: [d, ground], at: [2, 0, 0]}
loads: {s: {type: spring, between: [c, ground], stiffness: 10, damping: m}}
"""
        found = self.positions(five)
        self.assert_near(found["a"], [-0.5 * numpy.sin(0.2), 0.5 * numpy.cos(0.2), 0], 1e-12)
        done = self.try_it("sensitivity", five, "--at", "given", "--parameters", "phi")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("leave open", done.stderr)
        self.assertTrue(self.run_it("sensitivity", five, "--at", "given", "--parameters", "m")["modes"])

    # ---- bodies that no joint carries --------------------------------------------------------------------------------

    def test_a_body_on_rods_stays_on_the_side_where_it_is_drawn(self):
        """Two cranks, and a body on two rods below their tips: below them on the way, whatever is nearest in the end."""
        deep, rod = 1 - numpy.sqrt(0.35 ** 2 - 0.3 ** 2), 0.35
        text = f"""parameters: {{q: 0, p: 0}}
bodies:
  a: {{mass: 1, inertia: [1, 1, 1], position: [-0.3, 0.1, 0]}}
  b: {{mass: 1, inertia: [1, 1, 1], position: [0.3, 0.1, 0]}}
  bob: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, {deep!r}, 0]}}
markers: {{tip_a: {{body: a, at: [-0.3, 1, 0]}}, tip_b: {{body: b, at: [0.3, 1, 0]}}}}
joints:
  left: {{type: revolute, between: [a, ground], at: [-0.3, 0, 0], angle: q, rate: 2}}
  right: {{type: revolute, between: [b, ground], at: [0.3, 0, 0], angle: p, rate: 3}}
  rod_a: {{type: rod, between: [tip_a, bob], length: {rod}}}
  rod_b: {{type: rod, between: [tip_b, bob], length: {rod}}}
  flat: {{type: inplane, between: [bob, ground]}}
  along: {{type: parallel_axes, between: [bob, ground]}}
"""
        for q, p in ((1.4, 1.4), (3.1, 3), (-2.5, -2.6)):
            step = STEP * 1j
            tips = [(x - numpy.sin(angle), numpy.cos(angle)) for x, angle in ((-0.3, q + 2 * step), (0.3, p + 3 * step))]
            bob = apex(*tips, rod, rod, -1)
            found = self.run_it("equilibrium", text, "--at", "given", "--set", f"q={q}", "--set", f"p={p}", "--sensitivity", "q")
            own = next(b for b in found["bodies"] if b["name"] == "bob")
            self.assert_near(own["position"], [bob[0].real, bob[1].real, 0], 1e-13)
            self.assert_near(own["velocity"], [bob[0].imag / STEP, bob[1].imag / STEP, 0], 1e-12)
            by_q = apex((-0.3 - numpy.sin(q + step), numpy.cos(q + step)), (0.3 - numpy.sin(p), numpy.cos(p)), rod, rod, -1)
            by = next(b for b in found["derivatives"]["parameters"][0]["bodies"] if b["name"] == "bob")
            self.assert_near(by["position"], [by_q[0].imag / STEP, by_q[1].imag / STEP, 0], 1e-12)
            self.assertEqual(found["warnings"], [])

    def test_a_platform_on_six_rods_follows_their_slides(self):
        """Its pose by Newton's method on the squares of the rods' lengths, along the way of the slides."""
        g = numpy.random.default_rng(7)
        turns = numpy.arange(6) * numpy.pi / 3
        feet = numpy.array([[numpy.cos(t), numpy.sin(t), 0] for t in turns + 0.3 * (-1) ** numpy.arange(6)])
        balls = 0.6 * numpy.array([[numpy.cos(t), numpy.sin(t), 0] for t in turns - 0.25 * (-1) ** numpy.arange(6)])
        height = numpy.array([0, 0, 0.9])
        lengths = numpy.linalg.norm(balls + height - feet, axis=1)
        to, rate = g.uniform(-0.3, 0.3, 6), g.normal(size=6)
        r, A = height.copy(), numpy.eye(3)
        for part in numpy.linspace(0, 1, 51):
            for _ in range(8):
                rods = r + balls @ A.T - feet - numpy.outer(part * to, (0, 0, 1))
                J = numpy.hstack([rods, numpy.cross(balls @ A.T, rods)])
                d = numpy.linalg.solve(J, (lengths ** 2 - (rods ** 2).sum(axis=1)) / 2)
                angle = numpy.linalg.norm(d[3:])
                r, A = r + d[:3], turn(d[3:] / max(angle, 1e-300), angle) @ A
        twist = numpy.linalg.solve(J, rods[:, 2] * rate)
        text = "bodies:\n  platform: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.9]}\n"
        text += "".join(f"  s{k}: {{mass: 1, inertia: [1, 1, 1], position: {x.tolist()}}}\n" for k, x in enumerate(feet))
        text += "markers:\n" + "".join(f"  b{k}: {{body: platform, position: {x.tolist()}}}\n" for k, x in enumerate(balls))
        text += "joints:\n" + "".join(
            f"  t{k}: {{type: translational, between: [s{k}, ground], at: {x.tolist()}, displacement: {to[k]!r}, "
            f"velocity: {rate[k]!r}}}\n  r{k}: {{type: rod, between: [s{k}, b{k}], length: {lengths[k]!r}}}\n"
            for k, x in enumerate(feet))
        found = next(b for b in self.run_it("equilibrium", text, "--at", "given")["bodies"] if b["name"] == "platform")
        self.assert_near(found["position"], r, 1e-13)
        self.assert_near(found["orientation"], A.ravel(), 1e-13)
        self.assert_near([*found["velocity"], *found["angular_velocity"]], twist, 1e-12)


if __name__ == "__main__":
    unittest.main()
