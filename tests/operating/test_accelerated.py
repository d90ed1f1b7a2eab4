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
