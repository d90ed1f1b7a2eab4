"""Limits that sweeps solve for, against closed forms and against eigenvalues of numpy and mpmath: on any grid, on and off
its values, beside exact zeros, on both sides of where modes meet; and said not to be resolved where they are not.
ROUTH_TEST_EFFORT above 1 takes more random mechanisms."""
import itertools
import math
import os
import pathlib
import random
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
try:
    import limit_family
    import numpy
except ImportError:
    print("numpy or mpmath is missing")
    sys.exit(77)
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
LIMITS = ("flutter", "divergence")

PENDULUM = """
parameters: {k: 12, c: 0.3}
gravity: [0, 0, -10]
bodies:
  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1]}
joints:
  hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}
loads:
  spring: {type: torsion_spring, between: [rod, ground], at: [0, 0, 0], axis: y, stiffness: k, damping: c}
operating_point: {type: given}
"""


# A ball that hangs from a hub which rotates steadily; th: where it begins, an arm along x.
BALL = """
gravity: [0, 0, -9.81]
parameters: {W: 1, d: 0.2, arm: 0, th: 0}
bodies:
  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, W]}
  ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [arm + 0.5*sin(th), 0, -0.5*cos(th)], angular_velocity: [0, 0, W]}
joints:
  axle: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}
  hinge: {type: revolute, between: [ball, hub], at: [arm, 0, 0], axis: y}
loads:
  damper: {type: torsion_spring, between: [ball, hub], axis: y, stiffness: 0, damping: d}
operating_point: {type: steady}
steady: {turn_rate: W}
"""


def sliders(*forces, masses=None, parameters="p: 0.1"):
    """Sliders x, y, .. along axes of their own, each with the force given."""
    names = "xyz"[:len(forces)]
    masses = masses or [1] * len(forces)
    lines = [f"parameters: {{{parameters}}}", "bodies:"]
    lines += [f"  {n}: {{mass: {m}, inertia: [1, 1, 1], position: [0, {i}, 0]}}" for i, (n, m) in enumerate(zip(names, masses))]
    lines += ["joints:"] + [f"  r{n}: {{type: translational, between: [{n}, ground], at: [0, {i}, 0], axis: x}}"
                            for i, n in enumerate(names)]
    lines += ["loads:"] + [f'  f{n}: {{type: force, on: {n}, components: ["{f}", 0, 0]}}' for n, f in zip(names, forces)]
    return "\n".join(lines + ["operating_point: {type: given}", ""])


def car(m, J, a, b, front, rear):
    """A single-track car on linear tyres, at a speed u that is held; free in place and heading."""
    lines = ["parameters: {u: 20}", "bodies:", f"  car: {{mass: {m!r}, inertia: [{J!r}, {J!r}, {J!r}], velocity: [u, 0, 0]}}",
             "markers:", f"  front: {{body: car, position: [{a!r}, 0, 0]}}", f"  rear: {{body: car, position: [{-b!r}, 0, 0]}}",
             "joints:", "  plane: {type: planar, between: [car, ground], at: [0, 0, 0], axis: z}",
             '  speed: {type: nonholonomic, expressions: ["VX(car, ground, car) - u"]}', "loads:"]
    for axle, c in (("front", front), ("rear", rear)):
        slip = f"atan(VY({axle}, ground, car)/VX({axle}, ground, car))"
        lines.append(f'  {axle}_tyre: {{type: force, on: {axle}, resolved_in: {axle}, components: [0, "-({c!r})*{slip}", 0]}}')
    return "\n".join(lines + ["operating_point: {type: given}", ""])


class Limits(ModelCase):
    def events(self, text, over, *options, kinds=LIMITS + ("not resolved",)):
        sweep = self.run_it("sweep", text, "--over", over, *options)
        return [e for e in sweep["lines"][0]["events"] if e["kind"] in kinds]

    def limits(self, text, over, wanted, *options, kinds=LIMITS + ("not resolved",), close=1e-6):
        """Events of these kinds are [(kind, value, unstable above)] and hold these values, to less than `close`."""
        found = sorted(self.events(text, over, *options, kinds=kinds), key=lambda e: e["value"])
        self.assertEqual([e["kind"] for e in found], [w[0] for w in wanted], (over, found))
        for e, (_, value, grows) in zip(found, wanted):
            self.assertLessEqual(abs(e["value"] - value), e["error"] + 1e-15 * abs(value), (over, e, value))
            self.assertLess(e["error"], close, over)
            if grows is not None:
                self.assertEqual(e["grows"], grows, over)

    def test_a_ball_leaves_the_axis_of_a_steady_motion(self):
        """At W^2 = g/l, where the equations of the steady motion are singular."""
        for d in ("0", "0.2"):
            for over in ("W=1:8:8", "W=8:1:8", "W=4:5:2"):
                self.limits(BALL, over, [("divergence", math.sqrt(9.81/0.5), True)], "--set", f"d={d}")
        # that comes to the axis from beside it, and so to rounding
        for over in ("W=1:8:8", "W=4:5:2"):
            self.limits(BALL, over, [("divergence", math.sqrt(9.81/0.5), True)], "--set", "th=1")

    def lost(self, text, over, *options):
        """Eigenvalues at the values of the grid, and whether a branch is lost."""
        (line,) = self.run_it("sweep", text, "--over", over, *options)["lines"]
        events = [e for e in line["events"] if e["kind"] in ("lost", "not resolved", "divergence")]
        return {p["value"]: [complex(*e["eigenvalue"]) for e in p["eigenvalues"]] for p in line["points"]}, events

    def test_a_sweep_stays_on_its_branch_on_any_grid(self):
        """Where an unstable one lies nearer: a pendulum that leans to one side, k (a - off) = 10 sin(a), a growing from off."""
        text = PENDULUM.replace("stiffness: k,", "stiffness: k, free_angle: 0.01,").replace("type: given", "type: static")
        for count in (2, 3, 4, 5, 6, 11):
            found, events = self.lost(text, f"k=15:5:{count}", "--set", "c=0")
            self.assertEqual(events, [], count)
            a = 0.01
            for k in (15 - i / 40 for i in range(401)):
                for _ in range(20):
                    a -= (k * (a - 0.01) - 10 * math.sin(a)) / (k - 10 * math.cos(a))
            w = math.sqrt((5 - 10 * math.cos(a)) / 1.1)
            self.assertLess(max(abs(abs(s) - w) for s in found[5]), 1e-9, count)

    def test_a_steady_motion_stays_on_its_branch(self):
        """A ball on an arm flies outwards, W^2 (arm + l sin a) = g tan a, stable all the way."""
        own = ("--set", "arm=0.05", "--set", "th=1.2", "--set", "W=8")
        x, _, z = self.run_it("equilibrium", BALL, *own)["bodies"][1]["position"]
        self.assertLess(abs(64 * x - 9.81 * (x - 0.05) / -z), 1e-8)
        wanted = [complex(*s) for s in self.run_it("modes", BALL, *own)["eigenvalues"]]
        for over in ("W=1:8:2", "W=1:8:3", "W=1:8:8"):
            found, events = self.lost(BALL, over, "--set", "arm=0.05", "--set", "th=0.1")
            self.assertEqual(events, [], over)
            self.assertLess(max(min(abs(s - w) for s in found[8]) for w in wanted), 1e-7, over)

    def test_an_inverted_pendulum_on_any_grid(self):
        for over in ("k=9.2:12:40", "k=9:11:401", "k=9:11:3", "k=8.9:11:22", "k=5:20:4", "k=9.99:10.021:2", "k=12:9:2",
                     "k=10:12:3", "k=8:10:3", "k=10:8:2", "k=0:20:3"):
            self.limits(PENDULUM, over, [("divergence", 10, False)])

    def test_a_boundary_of_a_pendulum_is_straight(self):
        for over in ("k=9.2:12:40", "k=9:11:3"):
            sweep = self.run_it("sweep", PENDULUM, "--over", over, "--boundary", "c=0.1:1")
            curves = [b for b in sweep["boundaries"] if b["kind"] in LIMITS]
            self.assertEqual([b["kind"] for b in curves], ["divergence"])
            self.assertEqual(curves[0]["border"], [True, True])
            for point in curves[0]["points"]:
                self.assertLess(abs(point["value"] - 10), 1e-9, point)
                self.assertFalse(point["turning_point"], point)

    def test_an_oscillator_loses_its_damping(self):
        for over in ("p=-1:3:2", "p=-1:1:3", "p=-3:3:2", "p=-3:3:7", "p=0:2:3", "p=3:-1:9"):
            self.limits(sliders("-DX(x)-p*VX(x)"), over, [("flutter", 0, False)])

    def test_a_damping_ratio_is_reached_before_a_pair_becomes_real(self):
        for over in ("p=-1:3:2", "p=0:5:2", "p=1.4:2:2", "p=1:4:31", "p=4:0:3"):
            self.limits(sliders("-DX(x)-p*VX(x)"), over, [("damping", 1.4, False)], "--damping-ratio", "0.7",
                        kinds=("damping",))

    def test_a_bead_on_a_hoop_leaves_the_bottom(self):
        for c in (0, 0.3, 20):
            for over in ("p=1:6:2", "p=0:10:6", "p=3:4:11", "p=3.1:3.2:2", "p=0:8:101"):
                self.limits(sliders(f"-(9.81-p*p)*DX(x)-{c}*VX(x)"), over, [("divergence", math.sqrt(9.81), True)])

    def test_unlike_masses_with_circulatory_coupling(self):
        # [[m1 s2 + c1 s + k1, p], [-p, m2 s2 + c2 s + k2]]: a quartic, by Routh's criterion quadratic in p^2 = q
        m, c, k = (1, 5), (0.4, 0.1), (9, 200)
        a3, a2 = c[0] / m[0] + c[1] / m[1], (k[0] * m[1] + k[1] * m[0] + c[0] * c[1]) / (m[0] * m[1])
        a1, a0 = (c[0] * k[1] + c[1] * k[0]) / (m[0] * m[1]), k[0] * k[1] / (m[0] * m[1])
        limit = math.sqrt(((a3 * a2 * a1 - a1 * a1) / a3 ** 2 - a0) * m[0] * m[1])
        text = sliders(f"-{k[0]}*DX(x)-{c[0]}*VX(x)-p*DX(y)", f"-{k[1]}*DX(y)-{c[1]}*VX(y)+p*DX(x)", masses=m)
        for over in ("p=-40:40:5", "p=-60:60:2", "p=-80:90:3", "p=-60:60:100", "p=-41:43:18", "p=-40:40:2", "p=-60:60:4"):
            self.limits(text, over, [("flutter", -limit, False), ("flutter", limit, True)])

    def test_undamped_modes_merge(self):
        text = sliders("-2*DX(x)-p*DX(y)", "-5*DX(y)+p*DX(x)")
        for over in ("p=0:2:2", "p=0:3:4", "p=1:2:5", "p=1.4:1.6:33"):
            self.limits(text, over, [("flutter", 1.5, True)])

    def test_one_passes_zero_among_exact_zeros(self):
        for beside in ("0", "-0.7*VX(y)"):
            for over in ("p=-1:2:2", "p=0:2:3", "p=0.5:2:4", "p=1:3:2", "p=-1:1:3"):
                self.limits(sliders("(p-1)*DX(x)-0.4*VX(x)", beside), over, [("divergence", 1, True)])
                self.limits(sliders("(p-1)*DX(x)", beside), over, [("divergence", 1, True)])

    def test_a_value_on_a_limit_is_no_rigid_mode(self):
        sweep = self.run_it("sweep", PENDULUM, "--over", "k=9:11:3")
        self.assertEqual([e["rigid"] for p in sweep["lines"][0]["points"] for e in p["eigenvalues"]], [False] * 6)

    def test_an_island_between_values(self):
        for over in ("p=-1:3:2", "p=0:2:3", "p=-3:3:4", "p=-2:3:6", "p=0:1.99:2"):
            # unstable where (p - 1)^2 < 0.09
            self.limits(sliders("-4*DX(x)-((p-1)^2-0.09)*VX(x)"), over, [("flutter", 0.7, True), ("flutter", 1.3, False)])
            self.limits(sliders("-((p-1)^2-0.09)*DX(x)-0.8*VX(x)"), over,
                        [("divergence", 0.7, True), ("divergence", 1.3, False)])

    def test_modes_that_change_places_beside_a_limit(self):
        # at 1 the first mode becomes unstable, the second stable, and a pair flutters: not the flutter alone
        text = sliders("-(1-p)*DX(x)-0.3*VX(x)", "-(p-1)*DX(y)-0.5*VX(y)", "-5*DX(z)-(1-p)*VX(z)")
        for over in ("p=0:3:2", "p=0:3:4", "p=1:3:3", "p=0:1:3", "p=3:0:7"):
            found = self.events(text, over)
            self.assertEqual([e["kind"] for e in found], ["not resolved"], over)
            self.assertLessEqual(abs(found[0]["value"] - 1), found[0]["error"], over)
        # two that come together are both told
        text = sliders("-(1-p)*DX(x)-0.3*VX(x)", "-(2-2*p)*DX(y)-0.5*VX(y)")
        for over in ("p=0:3:2", "p=0:3:4", "p=3:0:8"):
            self.limits(text, over, [("divergence", 1, True)] * 2)

    def test_a_jump_is_not_a_limit(self):
        # the stiffness jumps from 3 to -1
        text = sliders("-(1-2*(p-1)/sqrt((p-1)^2))*DX(x)-0.3*VX(x)")
        for over in ("p=0:3:2", "p=0.93:1.2:4"):
            found = self.events(text, over)
            self.assertEqual([e["kind"] for e in found], ["not resolved"])
            self.assertEqual(found[0]["of"], "stability")
            self.assertLessEqual(abs(found[0]["value"] - 1), found[0]["error"])
            self.assertIn("not resolved", self.table(text, over))

    def table(self, text, over):
        return subprocess.run([os.environ["ROUTH"], "sweep", self.write(text), "--over", over], capture_output=True,
                              text=True, check=True).stdout

    def test_the_real_part_is_the_computed_one(self):
        # of several limits that are no round numbers, rounding leaves one of another value than 0 in any arithmetic
        real = [self.events(sliders(f"-9*DX(x)-(p-{a})*VX(x)-DX(y)", "-20*DX(y)-0.3*VX(y)+DX(x)"), "p=0:5:9")[0]["eigenvalue"][0]
                for a in (1.1, 1.3, 1.7, 1.9)]
        self.assertTrue(any(real), real)
        self.assertLess(max(map(abs, real)), 1e-12)

    def test_an_oversteering_car_beside_its_rigid_modes(self):
        # y' = v + u psi, psi' = r; m (v' + u r) = Y_v v + Y_r r, J r' = N_v v + N_r r with slip angles (v + a r)/u and
        # (v - b r)/u: the determinant is zero where u^2 m (a Cf - b Cr) = L^2 Cf Cr. Three zeros of place and heading stay.
        for m, a, b, front, rear in ((1500, 1.5, 1.2, 60e3, 60e3), (1620, 1.5, 1.2, 60e3, 60e3), (1200, 1.3, 1.4, 90e3, 70e3)):
            limit = (a + b) * math.sqrt(front * rear / (m * (a * front - b * rear)))
            # 30 is the limit of the second, and on two grids
            for over in ("u=10:60:6", "u=10:60:51", "u=25:55:16", "u=10:60:2", "u=60:10:3"):
                self.limits(car(m, 2500, a, b, front, rear), over, [("divergence", limit, True)])
        self.limits(car(1500, 2500, 1.2, 1.5, 60e3, 60e3), "u=10:60:6", [])

    def test_random_cars(self):
        for seed in range(int(38 * EFFORT)):
            r = random.Random(seed)
            m, J, a, b = r.uniform(500, 3e4), r.uniform(800, 6e4), r.uniform(0.8, 3), r.uniform(0.8, 3)
            front, rear = 10 ** r.uniform(4, 5.5), 10 ** r.uniform(4, 5.5)
            balance = a * front - b * rear
            limit = (a + b) * math.sqrt(front * rear / (m * balance)) if balance > 0 else math.inf
            high = r.choice([40, 80, 120])
            over = f"u={r.choice([3, 7.5, 10])}:{high}:{r.choice([2, 3, 5, 9, 26])}"
            wanted = [("divergence", limit, True)] if 10 < limit < high else []
            if 2 < limit < 10 or abs(limit - high) < 1e-3:
                continue
            self.limits(car(m, J, a, b, front, rear), over, wanted, close=1e-6 * high)

    def test_a_rolling_disc_falls_below_a_speed(self):
        # v^2 = A m g r^3 / (C (C + m r^2)); undamped above, beside six zeros in chains. Nothing else is said of it
        text = (pathlib.Path(os.environ["ROUTH_SOURCE"]) / "examples/rolling-disc.yaml").read_text(encoding="utf-8")
        gravity, mass, radius = 9.81, 1.3, 0.25
        for A, C in ((1 / 4, 1 / 2), (1 / 2, 1), (0.3, 0.55)):
            part = [f * mass * radius ** 2 for f in (A, C)]
            limit = math.sqrt(part[0] * mass * gravity * radius ** 3 / (part[1] * (part[1] + mass * radius ** 2)))
            for over in ("v=0.1:3:9", "v=0.5:1.2:2", "v=2:0.3:4"):
                self.limits(text, over, [("divergence", limit, False)], "--set", f"A={part[0]!r}", "--set", f"C={part[1]!r}",
                            kinds=LIMITS + ("not resolved", "ambiguous"))

    def test_jumps_and_poles_are_no_limits(self):
        """A stiffness that jumps from -1 to 1, and eigenvalues 1/(p - 0.123): nothing passes zero there."""
        for damping in (0, 1e-6, 1e-3, 0.3):
            text = sliders(f"-(p-0.37)/abs(p-0.37)*DX(x)-{damping}*VX(x)")
            for over in ("p=-1:1:2", "p=-1:1:11", "p=0.9:-0.7:4"):
                self.limits(text, over, [("not resolved", 0.37, None)], close=1e-3)
        text = ("parameters: {p: 0.3}\nbodies: {m: {mass: 1, inertia: [1, 1, 1]}}\njoints: {hold: {type: fixed, between: [m, ground]}}\n"
                "controllers:\n  s: {type: differential, rate: \"s/(p-0.123)\", initial: 0}\noperating_point: {type: given}\n")
        for over in ("p=-1:1:2", "p=0:0.2:2"):
            self.limits(text, over, [("not resolved", 0.123, None)])

    def test_another_equilibrium_between_two_values_is_no_limit(self):
        """Below its limit the pendulum leans to its side and is stable: no divergence there, whatever a value between finds."""
        text = PENDULUM.replace("{type: given}", "{type: static}").replace("k: 12, c: 0.3", "k: 5, c: 0.3")
        for damping, over in itertools.product(("1e-6", "1e-3", "0.01", "0.3"), ("k=5:14.62:9", "k=5:10:2", "k=5:15:9")):
            for event in self.events(text, over, "--set", f"c={damping}", kinds=LIMITS):
                with self.subTest(damping=damping, over=over, event=event):
                    self.assertLessEqual(abs(event["value"] - 10), event["error"] + 1e-9)

    def test_a_lost_branch_excuses_no_change_of_stability(self):
        """A strut on a torsion spring: its load passes 1 at a value of the grid or between, and the states may change."""
        text = PENDULUM.replace("[0, 0, -10]", "[0, 0, 0]").replace("k: 12, c: 0.3", "k: 1, c: 0.001, P: 1").replace("{type: given}",
            "{type: static}").replace("operating_point", "  f: {type: force, on: rod, components: [0, 0, -P]}\noperating_point")
        for over in ("P=0:2:2", "P=0:2:4", "P=0:2:3", "P=0:2:5", "P=0.5,1,1.2"):
            line = self.run_it("sweep", text, "--over", over)["lines"][0]
            counts = [p["unstable"] for p in line["points"]]
            events = [e for e in line["events"] if e["kind"] in LIMITS + ("not resolved",)]
            self.assertEqual(len(events) > 0, len(set(counts)) > 1, (over, counts, line["events"]))

    def test_a_critical_speed_with_two_values(self):
        # |Im| = sqrt(9 - p^2 / 4) = n p; beyond p = 6 the pair is real
        for order in (1, 2, 0.5):
            speed = 3 / math.sqrt(order ** 2 + 0.25)
            for over in ("p=0.1:20:2", "p=0:8:5", "p=0.5:5.9:3"):
                self.limits(sliders("-9*DX(x)-p*VX(x)"), over, [("critical speed", speed, None)], "--speed", "p", "--orders",
                            str(order), kinds=("critical speed", "not resolved"))

    def test_two_that_meet_far_from_the_axis_and_come_to_it_between(self):
        """-m +- sqrt(D): D, of fourth order in p, is 500 times as large within one interval as at its ends, where it has opposite
        signs. Limits are where D = m^2."""
        for seed in range(int(24 * EFFORT)):
            r = random.Random(seed)
            m, n = r.uniform(0.5, 5), r.choice([3, 4, 6, 9])
            at = r.randrange(n - 1)
            low = r.choice([-1, 1]) * r.uniform(0.05, 1) * m * m / 500
            high = -math.copysign(r.uniform(0.05, 1) * m * m / 500, low)
            a, b, c = (r.uniform(-8, 8) * m * m for _ in range(3))
            s = f"(p-{at})"
            D = f"({low!r}) + ({high - low!r})*{s} + {s}*({at + 1}-p)*(({a!r}) + ({b!r})*{s} + ({c!r})*{s}^2)"
            of_s = numpy.poly1d([high - low, low]) + numpy.poly1d([-1, 1, 0]) * numpy.poly1d([c, b, a])
            limits = [at + x.real for x in (of_s - m * m).roots if abs(x.imag) < 1e-9 and 0 <= at + x.real <= n - 1]
            wanted = [("divergence", x, bool(of_s.deriv()(x - at) > 0)) for x in sorted(limits)]
            self.limits(sliders(f"-2*{m!r}*VX(x) - ({m!r}^2 - ({D}))*DX(x)"), f"p=0:{n - 1}:{n}", wanted)

    def test_limits_behind_a_meeting_that_the_ends_do_not_show(self):
        """-m +- sqrt(D), where m and D have no slope at the ends of the interval."""
        near, far = "5-96*p^2*(1-p)^2", "0.01*(1-6*p^2+4*p^3)"
        for m, D, over in (("3+4*cos(pi*p)", "0.01*cos(pi*p/2)", "p=0:2:2"), ("3+4*cos(pi*p)", "0.01*cos(pi*p/2)", "p=-2:2:3"),
                           ("3+4*cos(2*pi*p)", "0.01*(1.3-p)", "p=0:3:4"), (near, far, "p=0:1:2"), (near, far, "p=1:0:2")):
            def largest(p):
                names = {"p": p, "cos": math.cos, "pi": math.pi, "__builtins__": {}}
                a, d = (eval(f.replace("^", "**"), names) for f in (m, D))  # pylint: disable=eval-used
                return -a + (math.sqrt(d) if d > 0 else 0)
            low, high = sorted(float(x) for x in over[2:].split(":")[:2])
            grid = [low + (high - low) * k / 20000 for k in range(20001)]
            changes = [x for x, y in zip(grid, grid[1:]) if (largest(x) > 0) != (largest(y) > 0)]
            events = self.events(sliders(f"-2*({m})*VX(x)-(({m})^2-({D}))*DX(x)"), over, kinds=LIMITS)
            # those that one side of a meeting shows; a change of sign within a pair of real ones is another
            for x in changes:
                if over != "p=0:3:4" or 1 < x < 2:
                    self.assertTrue(any(abs(e["value"] - x) < 1e-3 for e in events), (m, over, x, events))

    def test_random_mechanisms(self):
        ratio = 0.3
        for seed in range(int(6 * EFFORT)):
            family = limit_family.Family(seed, 4 if EFFORT <= 1 else 8)
            over, values = family.grid()
            sweep = self.run_it("sweep", family.yaml(), "--over", over, "--damping-ratio", str(ratio))
            events = sweep["lines"][0]["events"]
            dense = max(0, min(40, 160 // len(values)))
            problems = limit_family.check(family, values, limit_family.open_for(events, "stability"), LIMITS,
                                          limit_family.real_part, dense)
            # a ratio jumps where a pair passes zero
            problems += limit_family.check(family, values, limit_family.open_for(events, "damping", "divergence"),
                                           ("damping",), limit_family.damping(ratio), dense)
            self.assertEqual(problems, [], (seed, over))

    def test_gyroscopic_modes_beside_a_rigid_one(self):
        """s^4 + (g^2 p^2 - a - b) s^2 + a b in x and y, which z moves: undamped beyond |p| = (sqrt(a) + sqrt(b)) / g, where
        rounding gives modes a damping of either sign."""
        a, b, g = 0.234619140625, 1.70703125, 0.63427734375
        x = f"{a}*DX(x)+2.94482421875*DX(y)-3.4140625*DX(z)-p*{g}*(2*VX(x)-5*VX(y)+VX(z))"
        y = f"{b}*DX(y)-{b}*DX(z)-p*{g}*(VX(x)-2*VX(y))"
        limit = (math.sqrt(a) + math.sqrt(b)) / g
        for over in ("p=-3:3:30", "p=2:4:3", "p=3.1:2.5:9", "p=-2:-5:11"):
            low, high = sorted(float(v) for v in over[2:].split(":")[:2])
            wanted = [("flutter", v, v < 0) for v in (-limit, limit) if low < v < high]
            self.limits(sliders(x, y, "0"), over, wanted)

    def test_wide_mechanisms(self):
        """Every limit is there, or said not to be resolved, no other is, and all are where they are said to be."""
        excused = limits = 0
        for seed in range(int(24 * EFFORT)):
            family = limit_family.WideFamily(seed, (3, 4, 6, 6, 8, 4, 3, 12 if EFFORT > 1 else 4)[seed % 8])
            over = family.grid()
            line = self.run_it("sweep", family.yaml(), "--over", over)["lines"][0]
            problems, those = limit_family.check_all(family, [p["value"] for p in line["points"]], line["events"])
            self.assertEqual(problems, [], (seed, over))
            excused, limits = excused + those, limits + len(family.steps)
        self.assertLess(excused, 0.1 * limits)


if __name__ == "__main__":
    unittest.main()
