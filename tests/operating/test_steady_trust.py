"""Steady motions of light bodies beside heavy ones, from rough starts; what runs away or does not last is refused."""
import math
import os
import pathlib
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
G, ARM, ROD, INERTIA = 9.81, 0.1, 0.2, 1e-9

# A bob on a rotating arm, with a heavy block on the same hub.
SWING = f"""
gravity: [0, 0, -{G}]
parameters: {{m: 1e-3, M: 1e4, w: 6, tilt: 0.1}}
bodies:
  hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, w]}}
  bob: {{mass: m, inertia: [m*{INERTIA}, m*{INERTIA}, m*{INERTIA}], position: [{ARM} + {ROD}*sin(tilt), 0, -{ROD}*cos(tilt)]}}
  block: {{mass: M, inertia: [M, M, M], position: [0, 0, -3]}}
joints:
  bearing: {{type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}}
  pin: {{type: revolute, between: [bob, hub], at: [{ARM}, 0, 0], axis: y}}
  mount: {{type: fixed, between: [block, hub], at: [0, 0, -3]}}
operating_point: {{type: steady}}
steady: {{axis: z, turn_rate: w}}
"""

# A sled on a rail, with a force along it.
SLED = """
gravity: [0, 0, -9.81]
parameters: {v: 1, A: 100}
bodies: {sled: {mass: 100, inertia: [1, 1, 1], velocity: [v, 0, 0]}}
joints: {rail: {type: translational, between: [sled, ground], axis: x}}
loads: {push: {type: force, on: sled, components: ["%s", 0, 0]}}
operating_point: {type: %s}
steady: {turn_rate: 0%s}
"""
AT_V = ", prescribed: {speed: {expression: VX(sled), value: v}}"

# A ball on an arm that leans to the axis at the speed V; it does so only above a certain one.
INWARDS = """
gravity: [0, 0, -9.81]
parameters: {V: 8, W: 8}
bodies:
  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, V]}
  ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0.05 - 0.5*sin(1.12), 0, -0.5*cos(1.12)], angular_velocity: [0, 0, V]}
joints:
  axle: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}
  hinge: {type: revolute, between: [ball, hub], at: [0.05, 0, 0], axis: y}
operating_point: {type: steady}
steady: {turn_rate: W}
"""

# A sledge that circles on a central spring, balanced as it is written; what is added vanishes there.
CIRCLING = """
bodies: {sledge: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0], velocity: [0, 2.5, 0], angular_velocity: [0, 0, 5]}}
joints: {ice: {type: planar, between: [sledge, ground], axis: z, at: [0, 0, 0]}}
loads:
  spring: {type: force, on: sledge, components: [-25*DX(sledge), -25*DY(sledge), 0]}
  wind: {type: force, on: sledge, components: ["%s", 0, 0]}
operating_point: {type: steady}
steady: {turn_rate: 5, prescribed: {radius: {expression: DM(sledge), value: 0.5}}}
"""

# A wheel about a vertical axis that meets something near one azimuth.
WHEEL = """
parameters: {w: 10, at: 180, wide: 10}
bodies: {wheel: {mass: 1, inertia: [1, 1, 2], angular_velocity: [0, 0, w]}}
joints: {axle: {type: revolute, between: [wheel, ground], axis: z}}
loads: {stop: {type: torque, on: wheel, components: [0, 0, "-5*exp(-(sin(AZ(wheel)/2 - at*pi/360)/(wide*pi/360))^2)"]}}
operating_point: {type: steady}
steady: {turn_rate: w}
"""

# Two drives in line, at unequal rates.
DRIVES = """
parameters: {n1: 50, n2: 80}
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
  c: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  ja: {type: revolute, between: [a, ground], axis: z}
  jb: {type: revolute, between: [b, a], axis: z}
  jc: {type: translational, between: [c, ground], axis: x}
  da: {type: motion, joint: ja, function: n1*time}
  db: {type: motion, joint: jb, function: n2*time}
loads: {k: {type: spring, between: [c, ground], stiffness: 100, free_length: 1}}
operating_point: {type: steady}
steady: {axis: z, spins: {a: {axis: z, rate: n1}, b: {axis: z, rate: n1 + n2}}, turn_rate: 0}
"""


def moment(tilt: float, w: float) -> float:
    """On the bob about the pin, over m times its rod, in the rotating frame; a ball's own inertia does not count."""
    return (ARM + ROD * math.sin(tilt)) * w * w * math.cos(tilt) - G * math.sin(tilt)


def tilts(w: float) -> list:
    """All angles of balance."""
    found = []
    grid = numpy.linspace(-math.pi, math.pi, 4001)
    for a, b in zip(grid, grid[1:]):
        if moment(a, w) * moment(b, w) <= 0:
            for _ in range(100):
                middle = (a + b) / 2
                a, b = (middle, b) if moment(a, w) * moment(middle, w) > 0 else (a, middle)
            found.append(a)
    return found


class Trust(ModelCase):
    def point(self, text, **values):
        options = [word for name, value in values.items() for word in ("--set", f"{name}={value!r}")]
        return self.run_it("equilibrium", text, *options)

    def refused(self, text, *words, **values):
        options = [word for name, value in values.items() for word in ("--set", f"{name}={value!r}")]
        done = self.try_it("equilibrium", text, *options)
        self.assertEqual(done.returncode, 1, (done.stdout, values))
        for word in words:
            self.assertIn(word, done.stderr)

    def tilt_of_bob(self, **values) -> float:
        """The hub hardly turns while the motion is found, so that the arm points along x."""
        x, y, z = next(b["position"] for b in self.point(SWING, **values)["bodies"] if b["name"] == "bob")
        self.assertLess(abs(y), 1e-3)
        return math.atan2(math.copysign(math.hypot(x, y), x) - ARM, -z)

    def test_a_light_body_beside_a_heavy_one(self) -> None:
        """It is in balance by its own weight, 1e-16 of the block's; also where the start is far from the motion."""
        for m in (1, 1e-3, 1e-6, 1e-9):
            for M in (1, 1e4, 1e7):
                for w in (3, 6, 12, 20):
                    found = self.tilt_of_bob(m=m, M=M, w=w)
                    self.assertLess(min(abs(found - t) for t in tilts(w)), 1e-9, (m, M, w))

    def test_rough_starts(self) -> None:
        """From any angle the bob comes to an angle of balance."""
        for w in (3, 12):
            for tilt in numpy.linspace(-3, 3, 61 if FULL else 13):
                found = self.tilt_of_bob(w=w, tilt=float(tilt))
                self.assertLess(min(abs(found - t) for t in tilts(w)), 1e-9, (w, tilt))

    def test_what_runs_away_has_no_motion(self) -> None:
        """A push that falls off with the speed has no balance, however small it becomes."""
        for A in (1e5, 1, 1e-3):
            for push in ("A/(100 + VX(sled))", "A*exp(-VX(sled))", "A/(1 + VX(sled)^2)"):
                self.refused(SLED % (push, "steady", ""), *(["sled"] if A >= 1 else []), A=A)

    def test_periods_that_alias(self) -> None:
        """Whatever the period along the way, and wherever a force begins."""
        for push in ("A*sin(2*pi*DX(sled)/0.01)", "A*sin(2*pi*DX(sled)/0.01)^2", "A*sin(2*pi*DX(sled)/0.73)",
                     "A*sin(2*pi*DX(sled)/0.137)", "A*STEP(DX(sled), 5, 0, 5.2, 1)", "A*STEP(DX(sled), 50, 0, 90, 1)"):
            self.refused(SLED % (push, "steady", AT_V), "for an instant only", "along x")
        point = self.point(SLED % ("A*0*DX(sled)", "steady", AT_V))
        self.assertEqual(point["bodies"][0]["velocity"][0], 1)

    def test_stops_at_an_azimuth(self) -> None:
        """Half a turn on, or three quarters: seen all around, down to a few degrees."""
        for wide in (20, 10, 5):
            for at in range(60, 310, 10 if FULL else 50):
                self.refused(WHEEL, at=at, wide=wide)

    def test_drives_at_unequal_rates(self) -> None:
        """Joint angles count their turns while the motion goes on."""
        for n1, n2 in ((50, 80), (1, 1000), (-30, 7), (1e-3, 50)):
            point = self.point(DRIVES, n1=n1, n2=n2)
            self.assertLess(point["residual"], 1e-12)
            self.assertLess(point["steady"]["drift"], 1e-9)

    def test_time_is_named(self) -> None:
        """What depends on time itself is named, at rest and in motion, in every kind of point."""
        words = "load push depends on time"
        for push in ("-(1+3*sin(time))*DX(sled)", "-DX(sled) + 100*time", "-DX(sled) + STEP(time, 5, 0, 6, 10)"):
            for kind in ("static", "steady", "given"):
                point = self.point(SLED % (push, kind, ""), v=0)
                self.assertEqual(sum(words in w for w in point["warnings"]), 1, (push, kind))
        for kind in ("static", "steady", "given"):
            point = self.point(SLED % ("-DX(sled)", kind, ""), v=0)
            self.assertFalse(any("time" in w for w in point.get("warnings", [])))

    def test_another_branch_is_named(self) -> None:
        """W^2 (arm + l sin a) = g tan a has an a below zero only above the least W, where the way from a faster one ends."""
        angles = [-0.11 - i * 1e-4 for i in range(14500)]
        least = math.sqrt(min(9.81 * math.tan(a) / (0.05 + 0.5 * math.sin(a)) for a in angles))
        for rate, stays in ((1.01 * least, True), (0.99 * least, False), (0.9 * least, False)):
            point = self.point(INWARDS, W=rate)
            x = math.hypot(*point["bodies"][1]["position"][:2])
            self.assertEqual(sum("the steady motion that was found is another one" in w for w in point.get("warnings", [])),
                             0 if stays else 1, rate)
            self.assertEqual(point["bodies"][1]["position"][0] < 0, stays)
            self.assertLess(abs(rate**2 * x - 9.81 * abs(x + (0.05 if stays else -0.05)) / -point["bodies"][1]["position"][2]), 1e-7)

    def test_what_feels_directions_is_no_limit_of_forces(self) -> None:
        """Balanced at first, there is no way to go that could end."""
        for wind in ("0.1*DY(sledge)", "0.1*DY(sledge)^3", "0.1*DY(sledge)^5"):
            done = self.try_it("equilibrium", CIRCLING % wind)
            self.assertEqual(done.returncode, 1, wind)
            self.assertIn("balanced for an instant only", done.stderr, wind)
            self.assertIn("directions of the world", done.stderr, wind)
        self.assertLess(self.point(CIRCLING % "0")["residual"], 1e-12)

    def test_a_history_that_moves_an_input_is_named(self) -> None:
        """Where it moves at that time, not where it stands."""
        for history, moves in (("3*sin(5*time)", True), ("time^2", True), ("STEP(time, 1, 0, 2, 3)", False), ("0", False)):
            for kind in ("static", "steady", "given"):
                text = SLED % ("u - DX(sled)", kind, "") + f"inputs: {{u: {{value: 0}}}}\nsimulate: {{inputs: {{u: \"{history}\"}}}}\n"
                warnings = self.point(text, v=0).get("warnings", [])
                self.assertEqual(sum("history of input u depends on time" in w for w in warnings), moves, (history, kind))


class Ways(ModelCase):
    def test_a_way_that_needs_short_steps_ends_before_the_bound_of_iterations(self):
        """Conical pendulums whose rate is far from the start's: the steps of the way are halved until Newton's method follows."""
        model = (pathlib.Path(__file__).parents[2] / "examples/conical-pendulum.yaml").read_text()
        for length in (0.35, 0.6, 1.2):
            found = self.run_it("equilibrium", model, "--set", f"l={length}")
            rate = math.sqrt(G / (length * math.cos(math.pi / 6)))
            self.assertAlmostEqual(abs(found["steady"]["turn_rate"]), rate, delta=1e-9 * rate)
            self.assertLess(found["iterations"], 200, length)  # the default bound


if __name__ == "__main__":
    unittest.main()
