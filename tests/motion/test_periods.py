"""Periods are found or refused, never another: limit cycles, driven models, states of rest and pulses, against a Runge-Kutta
method of the test's own."""
import json
import math
import os
import pathlib
import random
import sys
import unittest

import numpy
from scipy.integrate import solve_ivp

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
MODEL = """gravity: [0, 0, 0]
bodies: {{m: {{mass: 1, inertia: [1, 1, 1], position: [{x}, 0, 0], velocity: [{v}, 0, 0]}}}}
joints: {{rail: {{type: translational, between: [m, ground], at: [0, 0, 0], axis: x}}}}
loads: {{pull: {{type: force, on: m, components: ["{force}", 0, 0]}}}}
operating_point: {{type: given}}
linearize: {{states: [m.x]}}
"""

ROTOR = """gravity: [0, 0, 0]
bodies: {{rotor: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, {w}]}}}}
joints: {{pin: {{type: revolute, between: [rotor, ground], at: [0, 0, 0], axis: z}}}}
loads: {{turn: {{type: torque, on: rotor, components: [0, 0, "{force}"]}}}}
operating_point: {{type: given}}
"""


def cycle(f, x, v):
    """Period and the other multiplier of the limit cycle that x'' = f(x, x') comes to."""
    def crossing(_, y):
        return y[1]
    crossing.direction = -1
    rates = lambda t, y: [y[1], f(y[0], y[1])]  # noqa: E731
    y = solve_ivp(rates, (0, 60), [x, v], rtol=1e-9, atol=1e-11, method="DOP853").y[:, -1]
    s = solve_ivp(rates, (0, 40), y, rtol=1e-11, atol=1e-13, events=crossing, method="DOP853")
    return s.t_events[0][-1] - s.t_events[0][-2]


def monodromy(k, damping, period, breaks):
    """Of x'' + damping x' + k(t) x = 0."""
    y = numpy.array([1.0, 0, 0, 1])
    times = [0.0, *breaks, period]
    for a, b in zip(times, times[1:]):
        y = solve_ivp(lambda t, y: [y[1], -k(t) * y[0] - damping * y[1], y[3], -k(t) * y[2] - damping * y[3]], (a, b), y,
                      rtol=1e-12, atol=1e-14, method="DOP853", max_step=(b - a) / 100).y[:, -1]
    return numpy.linalg.eigvals(y.reshape(2, 2).T)


class Periods(ModelCase):
    def turn(self, torque, *options, w):
        return self.floquet(torque, *options, model=ROTOR, w=w)

    def floquet(self, force, *options, model=MODEL, x=0.0, v=0.0, w=0.0):
        text = model.format(x=repr(float(x)), v=repr(float(v)), w=repr(float(w)), force=force)
        return self.try_it("floquet", text, *options, "--json")

    def read(self, run):
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_limit_cycles_from_any_guess(self):
        """Guesses from 0.4 to 4 of the period: right, or refused."""
        rng, found, tried = random.Random(3), 0, 0
        for _ in range(int(max(1, EFFORT))):
            mu, k, a = rng.uniform(0.5, 3), rng.uniform(0.5, 4), 10 ** rng.uniform(-1, 0.5)
            period = cycle(lambda x, v: -k * x + mu * (1 - (x / a) ** 2) * v, a, 0)
            for _ in range(2 if EFFORT <= 1 else 3):
                tried += 1
                guess = period * rng.uniform(0.4, 4)
                run = self.floquet(f"-{k!r}*DX(m) + {mu!r}*(1 - (DX(m)/{a!r})^2)*VX(m)", "--period-near", repr(guess),
                              x=rng.uniform(0.2, 2) * a, v=rng.uniform(-1, 1) * a)
                with self.subTest(mu=mu, k=k, a=a, part=guess / period):
                    if run.returncode:
                        self.assertIn("no periodic motion was found", run.stderr)
                        continue
                    found += 1
                    data = json.loads(run.stdout)
                    self.assertLess(abs(data["period"] - period), 1e-6 * period)
                    self.assertEqual(data["verdict"], "stable")
                    self.assertEqual(sum(m["trivial"] for m in data["modes"]), 1)
        self.assertGreater(found, 0.8 * tried)

    def test_rest_is_no_orbit(self):
        for force in ("-DX(m) + 0.1*VX(m)", "-DX(m) - 0.3*VX(m) - DX(m)^3", "-DX(m) - 0.1*VX(m)")[:3 if EFFORT > 1 else 2]:
            for x in (0, 0.1, 1) if EFFORT > 1 else (1,):
                with self.subTest(force=force, x=x):
                    run = self.floquet(force, "--period-near", "6", x=x)
                    self.assertEqual(run.returncode, 1)
                    self.assertIn("no periodic motion was found", run.stderr)

    def test_at_rest_no_multiplier_is_left_out(self):
        """An unstable state of rest with a given period, whose multiplier nearest to 1 is the unstable one."""
        data = self.read(self.floquet("-DX(m) + 0.001*VX(m)", "--period", "2*pi"))
        self.assertEqual(data["verdict"], "unstable")
        self.assertFalse(any(m["trivial"] for m in data["modes"]))

    def test_one_verdict_on_conservative_orbits(self):
        """x'' = -x - x^3: both multipliers are 1, one of them that of the shift."""
        period = cycle(lambda x, v: -x - x ** 3 - 0 * v, 1, 0)
        for option in (("--period-near", repr(1.01 * period)), ("--period", repr(period), "--tolerance", "1e-8")):
            with self.subTest(option=option):
                data = self.read(self.floquet("-DX(m) - DX(m)^3", *option, x=1))
                self.assertEqual(data["verdict"], "neither")
                self.assertLess(abs(data["largest"] - 1), 1e-5)

    def test_given_periods_are_those_of_the_model(self):
        """Stiffness and force of period pi, at rest and driven."""
        for force in ("-(1 + 0.3*cos(2*time))*DX(m) - 0.1*VX(m)", "-DX(m) - 0.1*VX(m) + cos(2*time)",
                      "-(1 + 1e-4*sin(2*time + 1))*DX(m) - 0.1*VX(m)", "-DX(m) - 0.1*VX(m) + 1e-3*abs(cos(time))"):
            periods = (("pi", True), ("pi/2", False), ("pi + 0.01", False), ("2*pi", True), ("3*pi", True), ("2", False),
                       ("4", False))
            for period, right in periods if EFFORT > 1 else periods[:3]:
                with self.subTest(force=force, period=period):
                    run = self.floquet(force, "--period", period, "--tolerance", "1e-7")
                    self.assertEqual(run.returncode == 0, right, run.stderr)
                    if not right:
                        self.assertIn("not periodic", run.stderr)

    def test_multipliers_below_rounding_have_no_exponent(self):
        """Of a relaxation oscillation the other multiplier is exp of the integral of the trace: 1e-11 to 1e-135."""
        open_ones = 0
        drives = ((2.5, 7.7), (5, 11.6), (3.3, 9.3), (7, 14), (10, 19.1))[:5 if EFFORT > 1 else 2]
        for drive, guess in drives:
            told = self.read(self.floquet(f"-DX(m) + {drive}*(1 - DX(m)^2)*VX(m)", "--period-near", str(guess), x=1.8))
            true, other = told["trace"] / told["period"], told["modes"][1]
            open_ones += other["exponent"][0] is None
            if other["exponent"][0] is None:
                self.assertGreaterEqual(other["error"], 0.99 * abs(other["multiplier"][0] - math.exp(told["trace"])))
                self.assertIsNone(other["damping_ratio"])
            else:
                self.assertAlmostEqual(other["exponent"][0], true, delta=1e-4 * abs(true))
        self.assertEqual(open_ones, len(drives) - 1)

    def test_angles_count_turns_within_a_period(self):
        """A swing of five radians to each side, and a limit cycle of ten that is first followed for some periods."""
        def upwards(_, y):
            return y[0]
        upwards.direction = 1
        s = solve_ivp(lambda t, y: [y[1], -y[0] - 0.1 * y[0] ** 3], (0, 20), [0, 8], rtol=1e-12, atol=1e-12,
                      events=upwards, method="DOP853")
        period = s.t_events[0][-1] - s.t_events[0][-2]
        told = self.read(self.turn("-AZ(rotor) - 0.1*AZ(rotor)^3", "--period", repr(period), w=8))
        self.assertAlmostEqual(told["bodies"][0]["angular_velocity"][2], 8, delta=1e-3)
        for mode in told["modes"]:
            self.assertLess(abs(complex(*mode["multiplier"]) - 1), 1e-5)
        told = self.read(self.turn("-AZ(rotor) + (1 - (AZ(rotor)/5)^2)*WZ(rotor)", "--period-near", "5", w=2))
        self.assertAlmostEqual(told["period"], cycle(lambda x, v: -x + (1 - x * x) * v, 0.1, 0.4), delta=1e-7)

    def test_bodies_that_come_back_with_a_wound_angle(self):
        """The torque of the next turn is another: no period. With that of the whole angle there is one."""
        for period, reason in (("--period", "an angle that counts turns has gone on"), ("--period-near", "no periodic motion")):
            run = self.turn("2*sin(AZ(rotor)/2) - 0.5*WZ(rotor)", period, "2.49", w=2)
            self.assertEqual(run.returncode, 1, run.stdout)
            self.assertIn(reason, run.stderr)
        behind = ROTOR.replace("angular_velocity", "orientation: {{rpy: [0, 0, -3]}}, angular_velocity")
        self.assertNotEqual(behind, ROTOR)
        run = self.floquet("2*sin((AZ(rotor) + 3)/2) - 0.5*WZ(rotor)", "--period", "2.49", model=behind, w=2)  # from -3 to 3.28
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("an angle that counts turns has gone on", run.stderr)
        torque = "2*sin(AZ(rotor)) + 1 - 0.5*WZ(rotor)"
        told = self.read(self.turn(torque, "--period-near", "3", w=2))

        def once(t, y):
            return y[0] - 2 * math.pi
        once.terminal = True
        y = [0, 2]
        for _ in range(30):
            s = solve_ivp(lambda t, y: [y[1], 2 * math.sin(y[0]) + 1 - 0.5 * y[1]], (0, 100), y, rtol=1e-11, atol=1e-12,
                          events=once, method="DOP853")
            y = [0, s.y[1, -1]]
        self.assertAlmostEqual(told["period"], s.t[-1], delta=1e-7)
        self.assertAlmostEqual(told["largest"], math.exp(-0.5 * s.t[-1]), delta=1e-7)

    def test_what_depends_on_time_has_no_free_period(self):
        run = self.floquet("-DX(m) - 0.1*VX(m) + cos(2*time)", "--period-near", "3")
        self.assertEqual(run.returncode, 2)
        self.assertIn("depends on time itself", run.stderr)

    def test_pulses(self):
        """A stiffness that acts for 1e-1 to 1e-5 of the period."""
        rng = random.Random(5)
        for w in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5):
            for _ in range(int(max(1, EFFORT))):
                at, area, k = rng.uniform(0.5, 5.5), rng.choice([-1, 1]) * rng.uniform(1, 4), rng.uniform(0.3, 3)
                stiffness = lambda t: k + area / w * math.exp(-(2 * math.sin((t - at) / 2) / w) ** 2)  # noqa: E731
                exact = monodromy(stiffness, 0.1, 2 * math.pi, [at - 8 * w, at, at + 8 * w] if w < 0.05 else [])
                data = self.read(self.floquet(f"-({k!r} + ({area!r})/{w!r}*exp(-(2*sin((time - {at!r})/2)/{w!r})^2))*DX(m) - 0.1*VX(m)",
                                         "--period", "2*pi", "--tolerance", "1e-7"))
                with self.subTest(w=w, at=at, area=area, k=k):
                    self.assertLess(abs(data["largest"] - abs(exact).max()), 1e-6 * abs(exact).max() + 2 * data["error"])


if __name__ == "__main__":
    unittest.main()
