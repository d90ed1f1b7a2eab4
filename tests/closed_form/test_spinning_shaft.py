#!/usr/bin/env python3
"""Spinning shafts of Rayleigh's theory on two supports, as flexible bodies with either frame.

A round section: (1 + e) w^2 -+ 2 e W w - w0^2 = 0 in the fixed frame, e = k^2 I/A. Any section, from the kinetic energy of its
sections in axes that turn with the shaft (v = a sin kx, w = b sin kx, sections turned by -w' and v' about y and z):
    2 T = A ((v' - W w)^2 + (w' + W v)^2) + Iy (p' - W r)^2 + Iz (r' + W p)^2 - (Iy + Iz) W (W (p^2 + r^2) + p r' - r p'),
    p = -k b, r = k a,   2 U = E k^4 (Iz a^2 + Iy b^2) over rho."""
import os
import pathlib
import sys
import unittest
from math import pi, sqrt

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

MODEL = """parameters: {W: 0, n: 16}
bodies:
  shaft: {type: beam, to: [1, 0, 0], orientation: {x: [0, 0, 1], z: [1, 0, 0]}, elements: n, rotary_inertia: true, frame: FRAME,
          density: 7800, youngs_modulus: 2.1e11, poissons_ratio: 0.3, section: {SECTION}, angular_velocity: [0, 0, W]}
joints:
  left: {type: spherical, between: [shaft, ground], at: [0, 0, 0]}
  right: {type: inline, between: [shaft, ground], at: [0, 0, 1], axis: z}
operating_point: {type: steady}
steady: {axis: z, turn_rate: W}
"""
DENSITY, MODULUS = 7800, 2.1e11
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))


def rotating(A, Iy, Iz, mode, W):
    """Eigenvalues in the axes of the shaft, of M q'' + G q' + K q = 0 with q = (a, b)."""
    k = mode * pi
    M = numpy.diag([A + Iz * k**2, A + Iy * k**2])
    # terms q_i' q_j of T: A (-a' b + b' a) W, Iy and Iz of (b' a, -a' b) k^2 W, and (Iy + Iz) k^2 W/2 (a' b - b' a)
    B = W * numpy.array([[0, -A - Iz * k**2 + (Iy + Iz) * k**2 / 2], [A + Iy * k**2 - (Iy + Iz) * k**2 / 2, 0]])
    T = W**2 * numpy.diag([A + Iy * k**2 - (Iy + Iz) * k**2, A + Iz * k**2 - (Iy + Iz) * k**2])
    K = MODULUS / DENSITY * k**4 * numpy.diag([Iz, Iy]) - T
    G = B - B.T
    X = numpy.block([[numpy.zeros((2, 2)), numpy.eye(2)], [-numpy.linalg.solve(M, K), -numpy.linalg.solve(M, G)]])
    return numpy.linalg.eigvals(X)


class Shaft(ModelCase):
    def spectrum(self, frame, section, W):
        text = MODEL.replace("FRAME", frame).replace("SECTION", section)
        return numpy.array([complex(*z) for z in self.run_it("modes", text, "--set", f"W={W!r}")["eigenvalues"]])

    def near(self, found, want, mode, own, what):
        """Cubic elements of length h make a frequency too high by (k h)^4/1440; twice that."""
        within = 2 * (mode * pi / 16)**4 / 1440 * own
        error = min(abs(found - want))
        self.assertLess(error, within, f"{what}: {want} is missed by {error / own:.1e}")

    def test_round(self):
        d = 0.05
        A, I = pi * d**2 / 4, pi * d**4 / 64
        w0 = pi**2 * sqrt(MODULUS * I / (DENSITY * A))
        for frame in ("tangent", "mean-axis"):
            for W in (0, 0.3 * w0, 2.7 * w0, 5 * w0) if EFFORT > 1 else (5 * w0 if frame == "tangent" else 0.3 * w0,):
                found = self.spectrum(frame, "circle: {radius: 0.025}", W)
                for mode in (1, 2, 3):
                    e, own = (mode * pi)**2 * I / A, mode**2 * w0
                    for sign in (1, -1):
                        whirl = sign * (e * W * sign + sqrt((e * W)**2 + (1 + e) * own**2)) / (1 + e)
                        self.near(abs(found.imag), abs(whirl - W), mode, own, f"{frame}, {W:g} rad/s, mode {mode}")

    def test_flat(self):
        a, b = 0.08, 0.05  # height along the section's y, width
        A, Iz, Iy = a * b, b * a**3 / 12, a * b**3 / 12
        for frame in ("tangent", "mean-axis"):
            for W in (400.0, 1700.0) if EFFORT > 1 else (1700.0,):
                found = self.spectrum(frame, f"rectangle: {{height: {a}, width: {b}}}", W)
                for mode in (1, 2):
                    own = (mode * pi)**2 * sqrt(MODULUS * Iz / (DENSITY * A))
                    for z in rotating(A, Iy, Iz, mode, W):
                        self.near(found, z, mode, own, f"{frame}, {W:g} rad/s, mode {mode}")


if __name__ == "__main__":
    unittest.main()
