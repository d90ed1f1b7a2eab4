"""Uniformly accelerated operating points against closed forms; what does not last is refused."""
import math
import pathlib
import subprocess
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import COORDINATES, ROUTH, ModelCase  # noqa: E402

G = 9.81

# A pendulum of length 0.6 on a cart that is driven.
CART = """
gravity: [0, 0, -9.81]
parameters: {acc: 2, v: 0, at: 0}
bodies:
  cart: {mass: 5, inertia: [1, 1, 1], position: [%s, 0, 0]}
  bob: {mass: 2, inertia: [1e-12, 1e-12, 1e-12], position: [%s, 0, -0.6]}
joints:
  rail: {type: translational, between: [cart, ground], axis: x}
  hinge: {type: revolute, between: [bob, cart], at: [%s, 0, 0], axis: y}
  drive: {type: motion, between: [cart, ground], along: x, function: "%s"}
operating_point: {type: steady, time: at}
"""


def driven(function: str = "v*time + acc*time^2/2", start: str = "0") -> str:
    return CART % (start, start, start, function)


# The same, pushed by a force, against a drag d v.
PUSHED = """
gravity: [0, 0, -9.81]
parameters: {F: 14, d: 0, v: 0}
bodies:
  cart: {mass: 5, inertia: [1, 1, 1], velocity: [v, 0, 0]}
  bob: {mass: 2, inertia: [1e-12, 1e-12, 1e-12], position: [0, 0, -0.6], velocity: [v, 0, 0]}
joints:
  rail: {type: translational, between: [cart, ground], axis: x}
  hinge: {type: revolute, between: [bob, cart], at: [0, 0, 0], axis: y}
loads: {push: {type: force, on: cart, components: ["F - d*VX(cart)", 0, 0]}}
operating_point: {type: steady}
steady: {accelerated: true}
"""

# A rocket in a plane, its thrust along its axis, with a pendulum that trails behind a point ahead of its centre.
ROCKET = """
parameters: {T: 60}
bodies:
  hull: {mass: 10, inertia: [1, 8, 8]}
  slosh: {mass: 2, inertia: [1e-12, 1e-12, 1e-12], position: [0.3, 0, 0]}
joints:
  plane: {type: planar, between: [hull, ground], at: [0, 0, 0], axis: z}
  pin: {type: revolute, between: [slosh, hull], at: [0.8, 0, 0], axis: z}
loads: {thrust: {type: force, on: hull, resolved_in: hull, components: [T, 0, 0]}}
operating_point: {type: steady}
steady: {turn_rate: 0, accelerated: true}
"""

# A rotating pendulum in a lift.
LIFT = """
gravity: [0, 0, -9.81]
parameters: {acc: 1.5, W: 6}
bodies:
  shaft: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, W]}
  bob: {mass: 2, inertia: [1e-12, 1e-12, 1e-12], position: [0.45, 0, -0.4]}
joints:
  guide: {type: cylindrical, between: [shaft, ground], at: [0, 0, 0], axis: z}
  hinge: {type: revolute, between: [bob, shaft], at: [0, 0, 0], axis: y}
  lift: {type: motion, between: [shaft, ground], along: z, function: acc*time^2/2}
  turn: {type: nonholonomic, expressions: ["WZ(shaft) - W"]}
operating_point: {type: steady}
"""


# A car on rails whose wheel is braked or driven against it; the grip is by slip, and carries no weight.
BRAKED = """
gravity: [0, 0, -9.81]
parameters: {v: 20, T: -200, C: 4e4, r: 0.3, m: 400, mw: 20, J: 1.2}
bodies:
  car: {mass: m, inertia: [100, 300, 300], position: [0, 0, 0.6], velocity: [v, 0, 0]}
  wheel: {mass: mw, inertia: [J/2, J, J/2], position: [0, 0, r], velocity: [v, 0, 0], angular_velocity: [0, v/r, 0]}
joints:
  rail: {type: translational, between: [car, ground], at: [0, 0, 0.6], axis: x}
  hub: {type: revolute, between: [wheel, car], at: [0, 0, r], axis: y}
loads:
  brake: {type: torsion_spring, between: [wheel, car], axis: y, torque: T}
  grip: {type: force, on: foot, components: ["C*(r*WY(wheel) - VX(car))/VX(car)", 0, 0]}
  roll: {type: torque, on: wheel, components: [0, "-r*C*(r*WY(wheel) - VX(car))/VX(car)", 0]}
markers: {foot: {body: wheel}}
operating_point: {type: steady}
steady: {turn_rate: 0, accelerated: true, prescribed: {speed: {expression: VX(car), value: v}}, spins: {wheel: y}}
"""

# A pendulum below a sled that a spring and a damper hold above a slope, where a thrust along the slope drives it.
SLOPE = """
gravity: [0, 0, -9.81]
parameters: {th: 0.2, T: 30, k: 4000, c: 60, v: 3, kr: 500}
bodies:
  sled: {mass: 5, inertia: [1, 1, 1], position: [0, 0, -0.03], velocity: [v*cos(th), 0, v*sin(th)]}
  bob: {mass: 2, inertia: [1e-12, 1e-12, 1e-12], position: [0, 0, -0.6], velocity: [v*cos(th), 0, v*sin(th)]}
joints:
  plane: {type: planar, between: [sled, ground], at: [0, 0, 0], axis: y}
  hinge: {type: revolute, between: [bob, sled], at: [0, 0, -0.03], axis: y}
variables:
  N: "-k*(cos(th)*DZ(sled) - sin(th)*DX(sled)) - c*(cos(th)*VZ(sled) - sin(th)*VX(sled))"
loads:
  hold: {type: force, on: sled, components: ["-sin(th)*N + cos(th)*T", 0, "cos(th)*N + sin(th)*T"]}
  pitch: {type: torsion_spring, between: [sled, ground], axis: y, stiffness: kr}
operating_point: {type: steady}
steady: {turn_rate: 0, accelerated: true}
"""

# A sled that a force X drives and a force Z carries, at a speed that is prescribed.
SLED = """
gravity: [0, 0, -9.81]
bodies:
  sled: {mass: 5, inertia: [1, 1, 1], velocity: [3, 0, 0]}
joints: {plane: {type: planar, between: [sled, ground], at: [0, 0, 0], axis: y}}
loads:
  drive: {type: force, on: sled, components: ["X", 0, "Z"]}
  pitch: {type: torsion_spring, between: [sled, ground], axis: y, stiffness: 500}
operating_point: {type: steady}
steady: {turn_rate: 0, accelerated: true, prescribed: {speed: {expression: VX(sled), value: 3, unit: m/s}}}
"""

HELD = "-4000*DZ(sled) - 60*VZ(sled)"
# X and Z of what does not last.
LOST = (
    [(f"20 - ({k})*DX(sled)", HELD) for k in (0.01, 0.1, 1, 10, 100, 1e4, -1, -100)]
    + [(f"20 - ({d})*VX(sled)", HELD) for d in (0.01, 0.1, 1, 10)]
    + [(f"20 - ({d})*VX(sled)^2", HELD) for d in (0.01, 1)]
    + [(f"20 - 1e5*max(DX(sled) - ({d}), 0)", HELD) for d in (0.05, 0.3)]
    + [(f"20 + 5*sin({w}*time)", HELD) for w in (1, 10, 100)]
    + [("20", f"-4000*(DZ(sled) - 0.01*sin({w}*time)) - 60*VZ(sled)") for w in (1, 10, 100)]
    + [("20", f"-4000*(DZ(sled) - 0.01*sin({w}*DX(sled))) - 60*VZ(sled)") for w in (0.5, 5, 50)]
    + [
        ("20 + 0.5*time", HELD),
        ("20 + DX(sled)^2", HELD),
        ("20/(1 + DX(sled)^2)", HELD),
        ("20 - 100*(DX(sled) - 3*time)", HELD),
        ("20", "-4000*(DZ(sled) - 0.1*time^3) - 60*VZ(sled)"),
        ("20", "-4000*(1 + 0.1*DX(sled))*DZ(sled) - 60*VZ(sled)"),
        ("20", "-4000*(DZ(sled) - 0.001*DX(sled)^2) - 60*VZ(sled)"),
        ("20", "-4000*DZ(sled) + VX(sled)^3"),
    ]
)

# A wheel on a fixed axle that a torque of 3 N m drives: against a spring that it winds, or its centre of mass off the axle.
WHEEL = """
bodies:
  wheel: {mass: 5, inertia: [1, 2, 1], position: [%s, 0, 0], angular_velocity: [0, 10, 0], velocity: [0, 0, %s]}
joints: {axle: {type: revolute, between: [wheel, ground], at: [0, 0, 0], axis: y}}
loads:
  drive: {type: torque, on: wheel, components: [0, 3, 0]}
  winds: {type: torsion_spring, between: [wheel, ground], axis: y, stiffness: %s}
operating_point: {type: steady}
steady: {turn_rate: 0, accelerated: true, spins: {wheel: y}}
"""


def slope_modes(th: float, T: float = 30, k: float = 4000) -> list:
    """Of the sled along and across the slope and the bob's angle psi, in the axes of the slope: what is felt is the thrust's
    acceleration T/7 and g cos(th), whatever the speed."""
    length, size = 0.57, math.hypot(T / 7, G * math.cos(th))
    sin, cos = -T / 7 / size, G * math.cos(th) / size
    M = numpy.array([[7, 0, 2 * length * cos], [0, 7, 2 * length * sin], [2 * length * cos, 2 * length * sin, 2 * length**2]])
    K, C = numpy.diag([0, k, 2 * length * size]), numpy.diag([0, 60, 0])
    A = numpy.block([[numpy.zeros((3, 3)), numpy.eye(3)], [-numpy.linalg.solve(M, K), -numpy.linalg.solve(M, C)]])
    return sorted((z for z in numpy.linalg.eigvals(A) if z.imag > 1e-3), key=abs)


def nearest(found: dict, wanted: complex) -> float:
    return min(abs(complex(*z) - wanted) for z in found["eigenvalues"]) / abs(wanted)


class Accelerated(ModelCase):
    def refused(self, text: str, *settings: str) -> str:
        options = [word for setting in settings for word in ("--set", setting)]
        done = subprocess.run([ROUTH, "modes", self.write(text), *options], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def found(self, text: str, *settings: str, command: str = "modes") -> dict:
        return self.run_it(command, text, *[word for setting in settings for word in ("--set", setting)])

    def test_a_driven_cart(self) -> None:
        """w^2 = sqrt(g^2 + a^2)/l, the string along (a, g), at any instant and speed, in every set of coordinates."""
        for acc in (0.5, 2, -7, 30):
            for v, at in ((0, 0), (0, 1.5), (3, 0), (-4, 0.7)):
                settings = (f"acc={acc}", f"v={v}", f"at={at}")
                start = f"({v})*({at}) + ({acc})*({at})^2/2"
                found = self.found(driven(start=start), *settings)
                w = (G * G + acc * acc) ** 0.25 / 0.6**0.5
                self.assertLess(nearest(found, 1j * w), 1e-10, settings)
                self.assertTrue(found["steady"])
                self.assertFalse(found["at_rest"])
                point = self.found(driven(start=start), *settings, command="equilibrium")
                self.assertAlmostEqual(point["steady"]["frame_acceleration"][0], acc, 10)
                cart, bob = (b["position"] for b in point["bodies"])
                self.assertAlmostEqual((cart[0] - bob[0]) / (cart[2] - bob[2]), acc / G, 10)
        for coordinates in COORDINATES:
            found = self.run_it("modes", driven(), "--coordinates", coordinates)
            self.assertLess(nearest(found, 1j * (G * G + 4) ** 0.25 / 0.6**0.5), 1e-10)

    def test_its_derivative(self) -> None:
        """dw/da = w a/(2 (g^2 + a^2))."""
        w = (G * G + 4) ** 0.25 / 0.6**0.5
        (mode,) = self.run_it("sensitivity", driven())["modes"]
        (slope,) = [by["eigenvalue"][1] for by in mode["by"] if by["parameter"] == "acc"]
        self.assertAlmostEqual(slope, w * 2 / (2 * (G * G + 4)), 12)

    def test_a_pushed_cart(self) -> None:
        """a = F/(M + m), at the speed that is written; w^2 = g'/l / (1 - m cos^2/(M + m))."""
        for F, v in ((14, 0), (14, 5), (70, -2)):
            a = F / 7
            found = self.found(PUSHED, f"F={F}", f"v={v}")
            size, cos2 = math.hypot(G, a), G * G / (G * G + a * a)
            self.assertLess(nearest(found, 1j * math.sqrt(size / 0.6 / (1 - 2 * cos2 / 7))), 1e-10)
            self.assertTrue(found["steady"])
            point = self.found(PUSHED, f"F={F}", f"v={v}", command="equilibrium")
            self.assertAlmostEqual(point["steady"]["frame_acceleration"][0], a, 10)
            self.assertAlmostEqual(point["bodies"][0]["velocity"][0], v, 9)

    def test_a_rocket_with_slosh(self) -> None:
        """M q'' + K q = 0 of the hull's place and pitch and the pendulum's angle."""
        for T in (60, 6):
            a, p, length, hull, slosh, inertia = T / 12, 0.8, 0.5, 10, 2, 8
            # rows: bob, hull across, hull's pitch; of y'', theta'', phi'' and theta, phi
            M = numpy.array([[slosh, slosh * p, -slosh * length], [hull, 0, 0], [0, inertia, 0]])
            K = numpy.array([[0, 0, -slosh * a], [0, -T, slosh * a], [0, -p * slosh * a, p * slosh * a]])
            values = numpy.linalg.eigvals(-numpy.linalg.solve(M, K))
            found = self.found(ROCKET, f"T={T}")
            for mu in values:
                if abs(mu) > 1e-6:
                    self.assertLess(nearest(found, numpy.sqrt(complex(mu))), 1e-9, T)

    def test_a_rotating_pendulum_in_a_lift(self) -> None:
        """cos = (g + a)/(W^2 l) and w = W sin."""
        length = math.hypot(0.45, 0.4)
        for acc in (1.5, -3):
            found = self.found(LIFT, f"acc={acc}")
            cos = (G + acc) / (36 * length)
            self.assertLess(nearest(found, 1j * 6 * math.sqrt(1 - cos * cos)), 1e-9)

    def test_a_wheel_that_is_braked_or_driven(self) -> None:
        """The slip k stays: M a = C k, J s' = T - r C k, s'/s = a/v; at once also J (1 + k) a/r = T - r C k."""
        C, r, M, J = 4e4, 0.3, 420, 1.2
        for v in (5, 20, 60):
            for T in (-900, -200, 50, 600):
                low, high = -0.9, 0.9
                for _ in range(200):
                    k = (low + high) / 2
                    low, high = (low, k) if J * (1 + k) * C * k / M / r > T - r * C * k else (k, high)
                point = self.found(BRAKED, f"v={v}", f"T={T}", command="equilibrium")
                wheel = point["steady"]["spins"][0]
                self.assertAlmostEqual(point["steady"]["frame_acceleration"][0] / (C * k / M), 1, delta=1e-10)
                self.assertAlmostEqual(wheel["rate"] / (v * (1 + k) / r), 1, delta=1e-10)
                self.assertAlmostEqual(wheel["acceleration"] / ((1 + k) * C * k / M / r), 1, delta=1e-10)
        self.assertIn("instant", self.refused(BRAKED.replace('"C*(', '"-5*VX(car) + C*(')))

    def test_a_sled_held_above_a_slope(self) -> None:
        """It accelerates along the slope, and none across, where its height is felt: to rounding, at any speed."""
        for th in (0, 0.2, -0.5):
            for v in (0, 3, 20):
                point = self.found(SLOPE, f"th={th}", f"v={v}", command="equilibrium")
                a, size = point["steady"]["frame_acceleration"], 30 / 7 - G * math.sin(th)
                self.assertAlmostEqual(a[0], size * math.cos(th), delta=1e-13)
                self.assertAlmostEqual(a[2], size * math.sin(th), delta=1e-13)
                x, _, z = point["bodies"][0]["position"]
                self.assertAlmostEqual(z * math.cos(th) - x * math.sin(th), -7 * G * math.cos(th) / 4000, delta=1e-12)
                x, _, z = point["bodies"][0]["velocity"]
                self.assertAlmostEqual(z * math.cos(th) - x * math.sin(th), 0, delta=1e-13)
            for coordinates in COORDINATES:
                found = self.run_it("modes", SLOPE, "--set", f"th={th}", "--coordinates", coordinates)
                for mode in slope_modes(th):
                    self.assertLess(nearest(found, mode), 1e-10)

    def test_derivatives_where_a_slope_rotates(self) -> None:
        """With the slope the direction rotates that has no acceleration; against differences of the closed form."""
        h = 1e-4
        modes = self.run_it("sensitivity", SLOPE)["modes"]
        for name, value in (("th", 0.2), ("T", 30.0), ("k", 4000.0)):
            by = h * value
            far, near, beyond, after = (slope_modes(**{"th": 0.2, name: value + i * by}) for i in (-2, -1, 1, 2))
            for i, at in enumerate(slope_modes(0.2)):
                mode = min(modes, key=lambda m, at=at: abs(complex(*m["eigenvalue"]) - at))
                (slope,) = [complex(*x["eigenvalue"]) for x in mode["by"] if x["parameter"] == name]
                wanted = (far[i] - 8 * near[i] + 8 * beyond[i] - after[i]) / (12 * by)
                self.assertLess(abs(slope - wanted), 1e-8 * max(abs(wanted), abs(at) / value), name)

    def test_a_height_that_grows_with_the_speed_or_along_a_ramp(self) -> None:
        """It has a velocity across; along a ramp an acceleration, too, as the ramp has it."""
        text = SLED.replace('"X"', "20")
        point = self.found(text.replace('"Z"', f'"{HELD} + 10*VX(sled)"'), command="equilibrium")
        self.assertAlmostEqual(point["bodies"][0]["velocity"][2], 0.01, delta=1e-13)
        self.assertAlmostEqual(point["steady"]["frame_acceleration"][2], 0, delta=1e-13)
        point = self.found(text.replace('"Z"', '"-4000*(DZ(sled) - 0.01*DX(sled)) - 60*VZ(sled)"'), command="equilibrium")
        self.assertAlmostEqual(point["steady"]["frame_acceleration"][2], 0.04, delta=1e-13)

    def test_what_is_held_and_does_not_last_is_refused(self) -> None:
        """Springs and walls ahead, drag, waves, forces in time: each with a sled that is held at its height."""
        self.found(SLED.replace('"X"', "20").replace('"Z"', f'"{HELD}"'), command="equilibrium")
        for X, Z in LOST:
            with self.subTest(X=X, Z=Z):
                self.refused(SLED.replace('"X"', f'"{X}"').replace('"Z"', f'"{Z}"'))

    def test_an_angle_that_is_felt_does_not_swing_between_two_times(self) -> None:
        """phi = s t + s' t^2/2 is zero at T, too, where s = -s' T/2: no steady motion."""
        for at, velocity, stiffness in ((0, 0, 0.01), (0, 0, -0.01), (0.1, -1, 0), (0.001, -0.01, 0)):
            self.assertIn("instant", self.refused(WHEEL % (at, velocity, stiffness)))

    def test_what_does_not_last_is_refused(self) -> None:
        """A drag that grows with the speed, a drive whose acceleration changes, a shaft that spins up."""
        self.assertIn("instant", self.refused(PUSHED, "d=0.5"))
        for function in ("cos(3*time)", "acc*time^2/2 + time^3", "sin(time)^2"):
            self.assertIn("instant", self.refused(driven(function)))
        spun = driven().replace("translational, between: [cart, ground]", "revolute, at: [0, 0, 1], between: [cart, ground]")
        spun = spun.replace("between: [cart, ground], along: x", "joint: rail").replace("axis: x", "axis: x")
        self.refused(spun)


if __name__ == "__main__":
    unittest.main()
