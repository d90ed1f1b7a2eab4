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

EFFORT = int(os.environ.get("ROUTH_TEST_EFFORT", "1"))
STEP = 1e-30


def number(z):
    return f"{z.real!r}".replace("np.float64(", "").replace(")", "")


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
        self.written_as_difference = g.random() < 0.5

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


class Loops(PartsCase):
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
        self.check_linkages(FourBar, 120 * EFFORT, 1)

    def test_random_slider_cranks(self):
        self.check_linkages(SliderCrank, 100 * EFFORT, 2)


if __name__ == "__main__":
    unittest.main()
