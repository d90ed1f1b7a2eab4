"""Steady motions of machines that spin while nothing else moves, and of what is free in space."""
import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ROUTH, ModelCase  # noqa: E402

FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
FREE = 0.75  # of the springs

TUB = f"""
gravity: [0, 0, -9.81]
parameters: {{spin: 100, c: 60, moves: 0}}
bodies:
  tub: {{mass: 30, inertia: [1.5, 1, 1], velocity: [0, 0, moves]}}
  drum: {{mass: 10, inertia: [0.5, 0.4, 0.4], angular_velocity: [spin, 0, 0], velocity: [0, 0, moves]}}
markers:
  a: {{body: tub, position: [0.2, 0.3, 0]}}
  b: {{body: tub, position: [0.2, -0.3, 0]}}
  c: {{body: tub, position: [-0.2, 0.3, 0]}}
  d: {{body: tub, position: [-0.2, -0.3, 0]}}
  A: {{body: ground, position: [0.25, 0.4, 0.8]}}
  B: {{body: ground, position: [0.25, -0.4, 0.8]}}
  C: {{body: ground, position: [-0.25, 0.4, 0.8]}}
  D: {{body: ground, position: [-0.25, -0.4, 0.8]}}
joints: {{bearing: {{type: revolute, between: [drum, tub], at: [0, 0, 0], axis: x}}}}
loads:
  sa: {{type: spring, between: [a, A], stiffness: 6000, damping: c, free_length: {FREE}}}
  sb: {{type: spring, between: [b, B], stiffness: 6000, damping: c, free_length: {FREE}}}
  sc: {{type: spring, between: [c, C], stiffness: 6000, damping: c, free_length: {FREE}}}
  sd: {{type: spring, between: [d, D], stiffness: 6000, damping: c, free_length: {FREE}}}
operating_point: {{type: steady}}
steady: {{turn_rate: 0, spins: {{drum: {{axis: x, rate: spin}}}}}}
"""

SATELLITE = """
parameters: {drifts: 0, turn: 0.2}
bodies:
  carrier: {mass: 100, inertia: [60, 60, 20], angular_velocity: [0, 0, turn], velocity: [0, 0, drifts]}
  wheel: {mass: 5, inertia: [0.1, 0.1, 0.2], angular_velocity: [0, 0, turn + 50], velocity: [0, 0, drifts]}
joints: {axle: {type: revolute, between: [wheel, carrier], at: [0, 0, 0], axis: z}}
operating_point: {type: steady}
steady: {axis: z, turn_rate: turn, spins: {wheel: {axis: z, rate: 50}}}
"""

# An exact beam, thin, clamped to a hub at an angle to its axis.
BOOM = """
parameters: {angle: 0.3}
bodies: {hub: {mass: 1, inertia: [1, 1, 1]}}
beams:
  boom: {type: material, from: [0, 0, 0], to: [sin(angle), 0, cos(angle)], side: [0, 1, 0], elements: 4, density: 7800,
         youngs_modulus: 2.1e11, shear_modulus: 8e10, area: 3.6e-4, iyy: 2.7e-8, izz: 4.3e-9, torsion_constant: 1.3e-8}
joints:
  bearing: {type: revolute, between: [hub, ground], axis: z}
  root: {type: fixed, between: [boom.first, hub], at: [0, 0, 0]}
operating_point: {type: steady}
steady: {axis: z, turn_rate: 0}
"""


def rotation(theta: numpy.ndarray) -> numpy.ndarray:
    """exp(theta x), to the fourth power: enough for second derivatives by small steps."""
    S = numpy.array([[0, -theta[2], theta[1]], [theta[2], 0, -theta[0]], [-theta[1], theta[0], 0]])
    return numpy.eye(3) + S + S @ S / 2 + S @ S @ S / 6 + S @ S @ S @ S / 24


def tub_eigenvalues(spin: float, c: float) -> numpy.ndarray:
    """By the potential of springs and weight, its second derivatives by steps of high order, and the drum's momentum."""
    ends = [(sx * 0.2, sy * 0.3, 0.0, sx * 0.25, sy * 0.4, 0.8) for sx in (1, -1) for sy in (1, -1)]

    def lengths(x: numpy.ndarray) -> numpy.ndarray:
        R = rotation(x[3:])
        return numpy.array([numpy.linalg.norm(x[:3] + R @ numpy.array(e[:3]) - numpy.array(e[3:])) for e in ends])

    def potential(x: numpy.ndarray) -> float:
        return 0.5 * 6000 * ((lengths(x) - FREE) ** 2).sum() + 40 * 9.81 * x[2]

    def slope(f, x, h=1e-3):  # fourth order
        out = []
        for i in range(6):
            d = numpy.zeros(6)
            d[i] = h
            out.append((8 * (f(x + d) - f(x - d)) - (f(x + 2 * d) - f(x - 2 * d))) / (12 * h))
        return numpy.array(out)

    x = numpy.zeros(6)
    for _ in range(5):
        hessian = slope(lambda y: slope(potential, y), x)
        x = x - numpy.linalg.solve(hessian, slope(potential, x))
    K = slope(lambda y: slope(potential, y), x)
    W = slope(lengths, x)  # 6 x 4
    D = c * W @ W.T
    H = 0.5 * spin  # the drum's momentum, along x: torque theta' x H on the tub
    D[4, 5] += H
    D[5, 4] -= H
    M = numpy.diag([40, 40, 40, 1.5, 1.4, 1.4])
    A = numpy.block([[numpy.zeros((6, 6)), numpy.eye(6)], [-numpy.linalg.solve(M, K), -numpy.linalg.solve(M, D)]])
    return numpy.linalg.eigvals(A)


class Machines(ModelCase):
    def found(self, text: str, *settings: str) -> dict:
        options = [word for setting in settings for word in ("--set", setting)]
        return self.run_it("modes", text, *options)

    def miss(self, found: dict, wanted: numpy.ndarray) -> float:
        """The largest distance of a wanted eigenvalue from its own found one, relative."""
        left, worst = [complex(*z) for z in found["eigenvalues"]], 0.0
        for z in wanted:
            k = min(range(len(left)), key=lambda i: abs(left[i] - z))
            worst = max(worst, abs(left.pop(k) - z) / (1 + abs(z)))
        return worst

    def test_a_drum_in_a_sprung_tub(self) -> None:
        """Nothing moves but the drum, whatever velocity is written; modes are those of the gyroscope on springs."""
        for spin in (0, 100, 300):
            for c in (0, 60, 600):
                for moves in (0, 0.2):
                    found = self.found(TUB, f"spin={spin}", f"c={c}", f"moves={moves}")
                    self.assertTrue(found["steady"])
                    self.assertLess(self.miss(found, tub_eigenvalues(spin, c)), 1e-6, (spin, c, moves))

    def test_the_turn_need_not_be_said(self) -> None:
        """Springs to the ground turn with nothing: the frame rests."""
        text = TUB.replace("turn_rate: 0, ", "")
        point = self.run_it("equilibrium", text)
        self.assertLess(abs(point["steady"]["turn_rate"]), 1e-9)
        self.assertLess(self.miss(self.found(text), tub_eigenvalues(100, 60)), 1e-6)

    def test_a_satellite_with_a_wheel(self) -> None:
        """The speed that nothing determines stays as written; it nutates with H/I - W in the turning frame."""
        for turn in (0, 0.2, 1.5):
            for drifts in (0, 7.5):
                found = self.found(SATELLITE, f"turn={turn}", f"drifts={drifts}")
                nutation = abs((20 * turn + 0.2 * (turn + 50)) / 60.1 - turn)
                self.assertLess(min(abs(complex(*z) - 1j * nutation) for z in found["eigenvalues"]), 1e-9)
                point = self.run_it("equilibrium", SATELLITE, "--set", f"turn={turn}", "--set", f"drifts={drifts}")
                for body in point["bodies"]:
                    self.assertAlmostEqual(body["velocity"][2], drifts, 9)

    def test_nearly_met_is_not_met(self) -> None:
        """1 - x^2 has a largest value: one that is above it by little is refused, with both values."""
        text = """
parameters: {over: 0}
bodies: {block: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0]}}
inputs: {push: 0}
joints: {rail: {type: translational, between: [block, ground], at: [0, 0, 0], axis: x}}
loads: {hold: {type: force, on: block, components: ["push - 40*DX(block) - 3*VX(block)", 0, 0]}}
operating_point: {type: steady}
steady: {turn_rate: 0, prescribed: {height: {expression: "1 - DX(block)^2", value: 1 + over}}, free: [push]}
"""
        point = self.run_it("equilibrium", text, "--set", "over=-0.09")
        self.assertAlmostEqual(point["steady"]["found"][0]["value"], 12, 9)
        for over in ("1e-9", "1e-8", "1e-5"):
            done = self.try_it("equilibrium", text, "--set", f"over={over}")
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn(f"must be {1 + float(over):.12g}", done.stderr)

    def test_stiff_beams_without_a_load(self) -> None:
        """What rounding leaves of E A is no force: the motion is found, with the clamped beam's w = 3.516 sqrt(EI/(m L^4))."""
        want = 3.51602 * math.sqrt(2.1e11 * 2.7e-8 / (7800 * 3.6e-4))
        for angle in (0.02, 0.3, 1, 1.4):
            found = self.found(BOOM, f"angle={angle}")
            self.assertTrue(found["at_rest"])
            self.assertLess(min(abs(abs(complex(*z)) / want - 1) for z in found["eigenvalues"]), 0.05, angle)

    def test_a_bent_boom_that_turns(self) -> None:
        """A thin beam of 16 elements bends outwards; as a body in a floating frame it has the same frequencies."""
        exact = BOOM.replace("elements: 4", "elements: 16").replace("turn_rate: 0", "turn_rate: 40")
        exact = exact.replace("area:", "angular_velocity: [0, 0, 40], area:")
        exact = exact.replace("inertia: [1, 1, 1]", "inertia: [1, 1, 1], angular_velocity: [0, 0, 40]")
        head, rest = exact.split("beams:")
        floating = head.replace("bodies: {hub:", "bodies:\n  hub:").replace("40]}}", "40]}") + (
            "  boom: {type: beam, to: [1, 0, 0], orientation: {x: [sin(angle), 0, cos(angle)], z: [-cos(angle), 0, sin(angle)]},\n"
            "         elements: 12, rotary_inertia: true, density: 7800, youngs_modulus: 2.1e11, shear_modulus: 8e10, area: 3.6e-4,\n"
            "         iyy: 2.7e-8, izz: 4.3e-9, torsion_constant: 1.3e-8, angular_velocity: [0, 0, 40]}\n"
            + rest[rest.index("joints:"):].replace("boom.first", "boom"))
        for angle in (0.3, 1) if FULL else (1,):
            own = [sorted(abs(complex(*z)) for z in self.found(text, f"angle={angle}")["eigenvalues"]) for text in (exact, floating)]
            for mode in (2, 4, 6):  # each twice, after two zeros
                self.assertLess(abs(own[0][mode] / own[1][mode] - 1), 5e-3, (angle, mode))

    def test_what_the_motion_depends_on_must_be_said(self) -> None:
        """The wheel's spin changes how it nutates: left open it is refused, by its name."""
        text = SATELLITE.replace("axis: z, rate: 50}", "axis: z}")
        done = subprocess.run([ROUTH, "modes", self.write(text)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the spin of wheel", done.stderr)
        self.assertNotIn("the speed of", done.stderr)


if __name__ == "__main__":
    unittest.main()
