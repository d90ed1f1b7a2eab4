"""What happens between the instants that an integrator looks at: short pulses of forces, motions and tables, contacts,
events that turn over and back. Against closed forms, by every integrator, in models in which all is at rest before, so
that nothing but the model itself says when to look."""
import csv
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ROUTH, ModelCase  # noqa: E402
FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
INTEGRATORS = ["hht", "generalized-alpha", "bdf", "explicit-runge-kutta", "adams"]

PUSHED = """
bodies: {{a: {{mass: 1, inertia: [1, 1, 1]}}}}
loads: {{f: {{type: force, on: a, components: ["{force}", 0, 0]}}}}
outputs: {{v: VX(a)}}
"""
DRIVEN = """
bodies: {{a: {{mass: 1, inertia: [1, 1, 1]}}, b: {{mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}}}
joints:
  rail: {{type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}
  drive: {{type: motion, joint: rail, function: "{motion}"}}
  beside: {{type: translational, between: [b, ground], at: [1, 0, 0], axis: x}}
loads: {{s: {{type: bushing, between: [a, b], at: [0, 0, 0], translation: {{damping: [1, 1, 1]}}}}}}
outputs: {{x: DX(b)}}
"""
SPHERES = """
bodies:
  a: {{mass: {ma!r}, inertia: [1, 1, 1], velocity: [{v!r}, 0, 0]}}
  b: {{mass: {mb!r}, inertia: [1, 1, 1], position: [{x!r}, 0, 0]}}
loads:
  c: {{type: contact, between: [a, b], radius: {r!r}, other_radius: {r!r}, stiffness: {k!r}}}
outputs: {{va: VX(a), vb: VX(b)}}
"""


CAR = """
bodies:
  road: {{mass: 1, inertia: [1, 1, 1]}}
  wheel: {{mass: 40, inertia: [1, 1, 1]}}
  body: {{mass: 320, inertia: [1, 1, 1]}}
joints:
  r: {{type: translational, between: [road, ground], at: [0, 0, 0], axis: z}}
  w: {{type: translational, between: [wheel, ground], at: [0, 0, 0], axis: z}}
  b: {{type: translational, between: [body, ground], at: [0, 0, 0], axis: z}}
  profile: {{type: motion, joint: r, function: "HAVSIN(time,{at!r},0,{middle!r},0.05)-HAVSIN(time,{middle!r},0,{end!r},0.05)"}}
loads:
  tyre: {{type: bushing, between: [wheel, road], at: [0, 0, 0], translation: {{stiffness: [0, 0, 180e3]}}}}
  spring: {{type: bushing, between: [body, wheel], at: [0, 0, 0],
            translation: {{stiffness: [0, 0, 18e3], damping: [0, 0, 1200]}}}}
outputs: {{body: DZ(body), wheel: DZ(wheel)}}
"""


def simpson(f, end, n=200000):
    h = end / n
    return h / 3 * sum((1 if k in (0, n) else 4 if k % 2 else 2) * f(k * h) for k in range(n + 1))


def car_over_bump(at, length, end, every):
    """body(t), wheel(t) at the records, by the classical Runge-Kutta method from where the bump begins."""
    def rates(t, y):
        b, w, vb, vw = y
        u = (t - at) / length
        road = 0.05 * math.sin(math.pi * u) ** 2 if 0 < u < 1 else 0
        force = 18e3 * (w - b) + 1200 * (vw - vb)
        return vb, vw, force / 320, (180e3 * (road - w) - force) / 40

    def step(t, y, h):
        k1 = rates(t, y)
        k2 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
        k3 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
        k4 = rates(t + h, [a + h * b for a, b in zip(y, k3)])
        return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]

    out, y, t = [], [0.0] * 4, at
    for k in range(round(end / every) + 1):
        while t < k * every - 1e-12:
            h = min(k * every - t, 2e-4 if t < at + length else 1e-3)
            if t < at + length < t + h:
                h = at + length - t
            y, t = step(t, y, h), t + h
        out.append(y[:2] if k * every > at else [0.0, 0.0])
    return out


class RunCase(ModelCase):
    def simulate(self, text, *options):
        """The last record, and how many events there were."""
        out = self.path("out.csv")
        done = subprocess.run([ROUTH, "simulate", self.write(text), "--channels", "outputs", "-o", out, *map(str, options)],
                              capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr + text)
        with open(out, newline="", encoding="utf-8") as file:
            *_, last = csv.reader(file)
        return [float(x) for x in last[1:]], int(re.search(r"(\d+) events?;", done.stderr).group(1))


class Pulses(RunCase):
    def forms(self, at, width):
        """Forces that act around `at` for some `width` with a push of 1 N s."""
        return [
            (f"exp(-((time-{at!r})/{width!r})^2)/{math.sqrt(math.pi) * width!r}"),
            (f"max(0, 1-abs(time-{at!r})/{width!r})/{width!r}"),
            (f"(STEP(time,{at - width!r},0,{at!r},1)-STEP(time,{at!r},0,{at + width!r},1))/{width!r}"),
            (f"sin(time)/1e4+STEP5(time,{at!r},0,{at + width!r},1)*STEP5(time,{at + width!r},1,{at + 2 * width!r},0)"
             f"/{width!r}"),
            (f"(sign(time-{at!r})-sign(time-{at + width!r}))/{2 * width!r}"),
        ]

    def test_no_push_is_lost(self):
        chance = random.Random(3)
        for n in range(1000 if FULL else 30):
            at, width = chance.uniform(2, 15), 10 ** chance.uniform(-4, -0.3)
            force = self.forms(at, width)[n % 5]
            integrator = INTEGRATORS[n // 5 % 5]
            with self.subTest(force=force, integrator=integrator):
                extra = (1 - math.cos(20)) / 1e4 if force.startswith("sin") else 0
                (v,), _ = self.simulate(PUSHED.format(force=force), "--end", 20, "--every", 1, "--integrator", integrator)
                self.assertLess(abs(v - 1 - extra), 2e-3)

    def test_no_motion_is_lost(self):
        # the damper moves b by as much as a goes forth and back only where it is seen: c (x_a - x_b)' = m x_b''
        for integrator in INTEGRATORS:
            for width in (1e-3, 0.05, 0.4):
                motion = f"STEP5(time,6,0,{6 + width!r},1)"
                (x,), _ = self.simulate(DRIVEN.format(motion=motion), "--end", 30, "--every", 3, "--integrator", integrator)
                self.assertLess(abs(x - 2), 2e-3, f"{integrator} {width}")

    def test_a_table_pushes(self):
        points = "0, 0, 9, 0, 9.001, 1000, 9.002, 0, 20, 0"
        table = PUSHED.format(force=f"table_linear(time, {points})")
        for integrator in INTEGRATORS:
            (v,), _ = self.simulate(table, "--end", 20, "--every", 1, "--integrator", integrator)
            self.assertLess(abs(v - 1), 2e-3, integrator)

    def test_a_car_over_a_bump(self):
        chance = random.Random(9)
        for n in range(1000 if FULL else 8):
            at, length, every = chance.uniform(1, 8), 10 ** chance.uniform(-2, 0), chance.choice([0.1, 0.5, 1])
            model = CAR.format(at=at, middle=at + length / 2, end=at + length)
            self.simulate(model, "--end", 10, "--every", every, "--integrator", INTEGRATORS[n % 5])
            with open(self.path("out.csv"), newline="", encoding="utf-8") as file:
                records = [[float(x) for x in row[1:]] for row in list(csv.reader(file))[1:]]
            for got, right in zip(records, car_over_bump(at, length, 10, every), strict=True):
                self.assertLess(max(abs(a - b) for a, b in zip(got, right)), 1e-4, f"{at} {length} {INTEGRATORS[n % 5]}")

    def test_forms_of_functions(self):
        """Forms whose bounds are hard to come by: integrals over 20 s."""
        forms = {
            "2^(-time)": (1 - 2 ** -20) / math.log(2),
            "(1+time)^(time/10)": simpson(lambda t: (1 + t) ** (t / 10), 20),
            "atan2(time-5, 1)": 15 * math.atan(15) - math.log(226) / 2 - 5 * math.atan(5) + math.log(26) / 2,
            "asin(sin(time))": simpson(lambda t: math.asin(math.sin(t)), 20),
            "exp(time-5)*1e4*(step(time,5,0,5.0001,1)-step(time,5.0001,0,5.0002,1))": 1,
        }
        for force, right in forms.items():
            for integrator in INTEGRATORS if FULL else INTEGRATORS[::2]:
                (v,), _ = self.simulate(PUSHED.format(force=force), "--end", 20, "--every", 1, "--integrator", integrator)
                self.assertLess(abs(v / right - 1), 1e-2, f"{force} {integrator}")

    def test_a_clock_may_be_a_signal(self):
        for signals in ("variables: {u: time}", "variables: {w: time, u: w}"):
            model = PUSHED.format(force="1e4*(STEP(u,5,0,5.0001,1)-STEP(u,5.0001,0,5.0002,1))") + signals + "\n"
            for integrator in INTEGRATORS:
                (v,), _ = self.simulate(model, "--end", 20, "--every", 1, "--integrator", integrator)
                self.assertLess(abs(v - 1), 1e-2, f"{signals} {integrator}")

    def test_a_linear_table_drives(self):
        model = DRIVEN.format(motion="table_linear(time, 0, 0, 9, 0, 10, 1, 20, 1)")
        for integrator in INTEGRATORS[:2]:
            (x,), _ = self.simulate(model, "--end", 30, "--every", 3, "--integrator", integrator)
            self.assertLess(abs(x - 2), 1e-2, integrator)

    def test_linearised_after_a_pulse(self):
        model = PUSHED.format(force="STEP(time,5,0,5.005,200)-STEP(time,5.005,0,5.01,200)")
        point = self.run_it("equilibrium", model, "--at", "time=8")
        self.assertLess(abs(next(s["value"] for s in point["signals"] if s["name"] == "v") - 1), 2e-3)


class Collisions(RunCase):
    def test_none_is_missed(self):
        chance = random.Random(1)
        for n in range(1000 if FULL else 50):
            integrator = INTEGRATORS[n % 5]
            tolerance = 10 ** chance.uniform(-10 if FULL else -8, -3)
            v, k, mb = 10 ** chance.uniform(-3, 3), 10 ** chance.uniform(3, 12), 10 ** chance.uniform(-3, 3)
            gap, r = 10 ** chance.uniform(-2, 2), 10 ** chance.uniform(-2, 1)
            ma, mb = (1.0, mb) if chance.random() < 0.5 else (mb, 1.0)
            m = ma * mb / (ma + mb)
            k = max(k, m * (v / (0.5 * r)) ** 2)  # spheres that are pressed through each other do not collide
            end = 2 * gap / v + 10 * math.pi * math.sqrt(m / k)
            model = SPHERES.format(ma=ma, mb=mb, v=v, x=gap + 2 * r, r=r, k=k)
            with self.subTest(model=model, integrator=integrator, tolerance=tolerance):
                (va, vb), _ = self.simulate(model, "--end", repr(end), "--every", repr(end / 10), "--integrator", integrator,
                                            "--tolerance", repr(tolerance))
                self.assertGreater(vb, 0.5 * 2 * ma * v / (ma + mb))
                self.assertLess(abs(ma * va + mb * vb - ma * v), 1e-6 * ma * v)

    def test_speeds_are_those_of_the_elastic_impact(self):
        for integrator in INTEGRATORS:
            for v in (0.3, 7, 33):
                for k in (1e5, 1e9):
                    model = SPHERES.format(ma=1.0, mb=2.0, v=v, x=1.5, r=0.1, k=max(k, 1e3 * v * v))
                    (va, vb), _ = self.simulate(model, "--end", repr(4 / v), "--every", repr(1 / v), "--integrator",
                                                integrator, "--tolerance", "1e-8")
                    self.assertLess(abs(va + v / 3), 1e-4 * v, f"{integrator} {v} {k}")
                    self.assertLess(abs(vb - 2 * v / 3), 1e-4 * v, f"{integrator} {v} {k}")

    def test_contacts_that_begin_smoothly(self):
        for exponent in (1.5, 2, 3):
            for integrator in INTEGRATORS:
                for x in (-1.2, -0.7):
                    model = SPHERES.format(ma=1.0, mb=1.0, v=1.0, x=1.2, r=0.1, k=1e8).replace(
                        "stiffness:", f"exponent: {exponent}, stiffness:").replace("velocity: [1.0", f"position: [{x}, 0, 0], velocity: [1.0")
                    (va, vb), _ = self.simulate(model, "--end", 4, "--every", 1, "--integrator", integrator)
                    self.assertLess(max(abs(va), abs(vb - 1)), 2e-3, f"{exponent} {integrator} {x}")

    def test_a_bump_on_the_way(self):
        # energy: v^2 = 1 + 2 integral of 100 (1 - (x/a)^2)^2 over 2 a = 1 + 200 a 16/15
        model = PUSHED.format(force="100*max(0, 1-((DX(a)-5)/0.001)^2)^2").replace("1, 1, 1]", "1, 1, 1], velocity: [1, 0, 0]")
        for integrator in INTEGRATORS:
            (v,), _ = self.simulate(model, "--end", 20, "--every", 1, "--integrator", integrator)
            self.assertLess(abs(v - math.sqrt(1 + 0.2 * 16 / 15)), 2e-3, integrator)

    def test_a_shuttle_keeps_its_speed(self):
        model = """
bodies: {a: {mass: 1, inertia: [1, 1, 1], velocity: [3, 0, 0]}}
loads: {f: {type: force, on: a, components: ["1e6*max(0, -1 - DX(a)) - 1e6*max(0, DX(a) - 1)", 0, 0]}}
outputs: {v: VX(a)}
"""
        # a lap takes 4 m / v and twice pi sqrt(m / k); after 30 stops at 2/3 s apart the end is far from the next one
        for integrator in INTEGRATORS:
            (v,), events = self.simulate(model, "--end", 20, "--every", 1, "--integrator", integrator)
            self.assertLess(abs(v / 3 - 1), 3e-3, integrator)
            self.assertEqual(events, 60, integrator)

    def test_a_ball_comes_to_rest(self):
        model = """
gravity: [0, 0, -9.81]
bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}}
joints: {r: {type: translational, between: [a, ground], at: [0, 0, 0], axis: z}}
loads: {f: {type: force, on: a, components: [0, 0, "max(0, -1e6*DZ(a) - 100*VZ(a))*max(0, sign(-DZ(a)))"]}}
outputs: {z: DZ(a)}
"""
        for integrator in INTEGRATORS if FULL else INTEGRATORS[::2]:
            (z,), events = self.simulate(model, "--end", 20, "--every", 1, "--integrator", integrator)
            self.assertLess(abs(z + 9.81e-6), 1e-9, integrator)
            self.assertGreater(events, 90, integrator)

    def test_a_step_longer_than_the_contact_is_refused(self):
        model = SPHERES.format(ma=1.0, mb=1.0, v=10.0, x=0.3, r=0.05, k=1e9)
        done = subprocess.run([ROUTH, "simulate", self.write(model), "--end", "1", "--step", "0.1", "-o", self.path("o.csv")], capture_output=True,
                              text=True, check=False)
        if done.returncode == 0:
            self.fail("a step of 0.1 s goes through a contact of 1e-4 s: " + done.stderr)
        self.assertIn("load 'c'", done.stderr)
        self.assertIn("shorter step", done.stderr)


class Events(RunCase):
    def test_pairs_are_seen(self):
        chance = random.Random(7)
        g = 9.81
        for n in range(1000 if FULL else 45):
            integrator, kind = INTEGRATORS[n % 5], n // 5 % 3
            width, at = 10 ** chance.uniform(-4 if kind else -2.5, 0), chance.uniform(2, 8)
            if kind == 0:  # a throw that is above a height for so long
                height = g * at * at / 2 - g * (width / 2) ** 2 / 2
                model = (f"gravity: [0, 0, -{g}]\nbodies: {{a: {{mass: 1, inertia: [1, 1, 1], velocity: [0, 0, {g * at!r}]}}}}\n"
                         f"events: {{e: {{when: 'DZ(a)-{height!r}', action: record}}}}\n")
            elif kind == 1:
                model = ("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                         f"events: {{e: {{when: '(time-{at!r})^2-{width * width / 4!r}', action: record}}}}\n")
            else:
                model = ("bodies: {a: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
                         f"events: {{e: {{when: 'abs(DX(a)-{at!r})-{width / 2!r}', action: record}}}}\n")
            with self.subTest(model=model, integrator=integrator):
                _, events = self.simulate(model + "outputs: {x: DX(a)}\n", "--end", 10, "--every", 1, "--integrator", integrator)
                self.assertEqual(events, 2)

    def test_actions_at_one_time_act_on_the_state_before(self):
        model = """
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
inputs: {p: 3, q: 5}
events:
  swap: {when: time - 2, action: set, input: p, value: q}
  back: {when: time - 2, action: set, input: q, value: p}
outputs: {p: p, q: q}
"""
        (p, q), _ = self.simulate(model, "--end", 4, "--every", 1)
        self.assertEqual((p, q), (5, 3))


if __name__ == "__main__":
    unittest.main()
