#!/usr/bin/env python3
"""Bending moments and torques stiffen and soften beams in a tangent frame: lateral buckling and shafts under torque, against the
minimum of the energies of the classical theory over polynomials, and against exact `beams`.

    strip, in the limit I/I' = 0:   2 V = int E I w''^2 + G J p'^2 + 2 M p w'',    2 T = int m w'^2 + rho Ip p'^2
    shaft:                          2 V = int E I (v''^2 + w''^2) + T (v'' w' - w'' v')"""
import csv
import os
import pathlib
import sys
import unittest

import numpy
from numpy.polynomial import Legendre, Polynomial

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
GJ, POLAR = 1.5, 1e-4
STRIP = f"""parameters: {{P: 0, M: 0, n: 8}}
bodies:
  strip: {{type: beam, to: [1, 0, 0], elements: n, density: 1, area: 1, youngs_modulus: 1e12, iyy: 1e-12, izz: {POLAR},
          shear_modulus: 1e12, torsion_constant: {GJ}e-12}}
markers: {{start: {{body: strip, node: first}}, end: {{body: strip, node: last}}}}
operating_point: {{type: static}}
"""
CLAMPED = STRIP + """joints: {root: {type: fixed, between: [start, ground]}}
loads: {tip: {type: force, on: end, components: [0, -P, 0]}}
"""
FORKS = STRIP.replace("markers: {", "markers: {side: {body: strip, node: last, orientation: {x: [1, 0, 0], z: [0, 1, 0]}}, ") + """joints:
  left: {type: universal, between: [strip, ground], at: [0, 0, 0], axis: x}
  right: {type: inline, between: [strip, ground], at: [1, 0, 0], axis: x}
  fork: {type: perpendicular_axes, between: [side, ground], axis: z}
loads:
  one: {type: torque, on: start, components: [0, 0, -M]}
  other: {type: torque, on: end, components: [0, 0, M]}
"""
SHAFT = """parameters: {T: 0, n: 8}
bodies:
  shaft: {type: beam, to: [1, 0, 0], elements: n, density: 1, area: 1, youngs_modulus: 1e8, iyy: 1e-8, izz: 1e-8, shear_modulus: 1e8,
          torsion_constant: 1e-6}
markers: {end: {body: shaft, node: last}}
joints:
  root: {type: fixed, between: [shaft, ground], at: [0, 0, 0]}
  guide: {type: cylindrical, between: [shaft, ground], at: [1, 0, 0], axis: x}
loads: {drive: {type: torque, on: end, components: [T, 0, 0]}}
operating_point: {type: static}
"""
# A right angle of two strips, I/I' = 1/20, loaded across its plane's normal at its end.
SECTION = "density: 1, area: 1, youngs_modulus: 1e6, iyy: 1e-6, izz: 2e-5, shear_modulus: 1e6, torsion_constant: 1.5e-6"
ANGLE = f"""parameters: {{P: 0, n: 8}}
bodies:
  post: {{type: beam, to: [0, 1, 0], side: [-1, 0, 0], elements: n, {SECTION}}}
  arm: {{type: beam, position: [0, 1, 0], to: [1, 0, 0], side: [0, 1, 0], elements: n, {SECTION}}}
markers: {{end: {{body: arm, node: last}}}}
joints:
  root: {{type: fixed, between: [post, ground], at: [0, 0, 0]}}
  corner: {{type: fixed, between: [arm, post], at: [0, 1, 0]}}
loads: {{tip: {{type: force, on: end, components: [0, -P, 0]}}}}
operating_point: {{type: static}}
"""
EXACT = """parameters: {P: 0, n: 8}
beams:
  post: {type: sections, from: [0, 0, 0], to: [0, 1, 0], side: [-1, 0, 0], elements: n, SECTION}
  arm: {type: sections, from: [0, 1, 0], to: [1, 1, 0], side: [0, 1, 0], elements: n, SECTION}
joints:
  root: {type: fixed, between: [post.first, ground], at: [0, 0, 0]}
  corner: {type: fixed, between: [arm.first, post.last], at: [0, 1, 0]}
loads: {tip: {type: force, on: arm.last, components: [0, -P, 0]}}
operating_point: {type: static}
""".replace("SECTION", "mass_per_length: 1, EA: 1e6, GJ: 1.5, EIy: 1, EIz: 20, inertia_y: 1e-6, inertia_z: 2e-5")


# A strip that is twisted by a torque and then bent across its twisted section.
TWISTED = """parameters: {T: 0.28, P: 0.001, n: 8}
bodies:
  strip: {type: beam, to: [1, 0, 0], elements: n, density: 1, area: 1, youngs_modulus: 1e6, iyy: 1e-6, izz: 4e-4, shear_modulus: 1e6,
          torsion_constant: 1.5e-6}
markers: {end: {body: strip, node: last}}
joints: {root: {type: fixed, between: [strip, ground], at: [0, 0, 0]}}
loads:
  twist: {type: torque, on: end, components: [T, 0, 0]}
  tip: {type: force, on: end, components: [0, 0, P]}
outputs: {w: DZ(end)}
operating_point: {type: static}
"""


def rod_tip(stiffness, force, torque, steps=400):
    """Of Kirchhoff's rod, clamped at 0 along x: r' = R e_x, R' = R k~, R (stiffness k) = torque + (r(1) - r) x force. The tip
    r(1) by iteration, as small forces move it little."""
    def cross(v):
        return numpy.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])

    def rates(r, R, tip):
        k = R.T @ (torque + numpy.cross(tip - r, force)) / stiffness
        return R[:, 0], R @ cross(k)

    tip, h = numpy.array([1.0, 0, 0]), 1 / steps
    for _ in range(12):
        r, R = numpy.zeros(3), numpy.eye(3)
        for _ in range(steps):
            one = rates(r, R, tip)
            two = rates(r + h / 2 * one[0], R + h / 2 * one[1], tip)
            three = rates(r + h / 2 * two[0], R + h / 2 * two[1], tip)
            four = rates(r + h * three[0], R + h * three[1], tip)
            r, R = (x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip((r, R), one, two, three, four))
        if numpy.abs(r - tip).max() < 1e-14:
            break
        tip = r
    return r


class Polynomials:
    """Polynomials times a factor, with two derivatives, at the points of Gauss on [0, 1]."""

    def __init__(self, factor, n=14):
        x, w = numpy.polynomial.legendre.leggauss(40)
        self.x, self.w = (x + 1) / 2, w / 2
        members = [Polynomial(factor) * Legendre.basis(k, domain=[0, 1]).convert(kind=Polynomial, domain=[-1, 1], window=[-1, 1])
                   for k in range(n)]
        self.at = [numpy.array([p.deriv(d)(self.x) if d else p(self.x) for p in members]) for d in range(3)]

    def product(self, one, other, second=None, weight=1):
        return (self.at[one] * self.w * weight) @ (second or self).at[other].T


def frequencies(K, M):
    L = numpy.linalg.inv(numpy.linalg.cholesky(M))
    return numpy.sqrt(numpy.maximum(numpy.linalg.eigvalsh(L @ K @ L.T), 0))


def blocks(a, b, c):
    return numpy.block([[a, b], [b.T, c]])


class Lateral(ModelCase):
    def test_a_twisted_strip_bends_across_its_sections(self):
        """E Iz / E Iy = 400, twisted by 0.19 rad: bending stiffness about axes that rotate along the strip."""
        right = rod_tip(numpy.array([1.5, 1, 400]), numpy.array([0, 0, 1e-3]), numpy.array([0.28, 0, 0]))[2]
        error = []
        for n in (4, 8):
            found = self.run_it("equilibrium", TWISTED, "--set", f"n={n}")
            error.append(next(o["value"] for o in found["signals"] if o["name"] == "w") / right - 1)
        self.assertLess(abs(error[1]), 2e-4, error)
        self.assertLess(abs(error[1]), abs(error[0]) / 10, error)  # of fourth order

    def least(self, text, *settings, count=1):
        """The least frequencies, of pairs of eigenvalues."""
        options = [word for setting in settings for word in ("--set", setting)]
        found = sorted(abs(complex(*z)) for z in self.run_it("modes", text, *options)["eigenvalues"])
        return found[0:2 * count:2]

    def strip(self, moment, w, p):
        K = blocks(w.product(2, 2), w.product(2, 0, p, moment(w.x)), GJ * p.product(1, 1))
        return K, blocks(w.product(0, 0), 0 * K[:14, 14:], POLAR * p.product(0, 0))

    def critical(self, w, p, moment):
        """The least factor at which K is singular: w and p alone are in the first and last block."""
        K, _ = self.strip(moment, w, p)
        A, B, C = K[:14, :14], K[:14, 14:], K[14:, 14:]
        return 1 / numpy.sqrt(max(abs(numpy.linalg.eigvals(numpy.linalg.solve(A, B @ numpy.linalg.solve(C, B.T))))))

    def fourth_order(self, text, name, load, right, what, at_8):
        """The error falls with the fourth power of the length of an element, to `at_8` for 8."""
        error = [self.least(text, f"{name}={load!r}", f"n={n}")[0] / right - 1 for n in ((8, 16) if EFFORT > 1 else (4, 8))]
        self.assertLess(abs(error[1]), at_8 / (16 if EFFORT > 1 else 1), f"{what}: {error}")
        self.assertTrue(11 < error[0] / error[1] < 20, f"{what}: {error}")

    def test_strip_under_a_load_at_its_end(self):
        w, p = Polynomials([0, 0, 1]), Polynomials([0, 1])
        P_c = self.critical(w, p, lambda x: 1 - x)
        self.assertAlmostEqual(P_c / numpy.sqrt(GJ), 4.0126, delta=1e-4)
        for part, at_8 in ((0.25, 1e-5), (0.5, 2e-5), (0.75, 6e-5), (0.95, 6e-4)) if EFFORT > 1 else ((0.95, 6e-4),):
            right = frequencies(*self.strip(lambda x: part * P_c * (1 - x), w, p))[0]
            self.fourth_order(CLAMPED, "P", part * P_c, right, f"strip at {part}", at_8)

    def test_it_buckles_where_it_should(self):
        """The load at which w^2 is zero, along the secant; extrapolated from two lengths of elements."""
        w, p = Polynomials([0, 0, 1]), Polynomials([0, 1])
        P_c = self.critical(w, p, lambda x: 1 - x)
        found = []
        for n in (4, 8) if EFFORT <= 1 else (16, 32):
            loads = [0.99 * P_c, 0.995 * P_c]
            squares = [self.least(CLAMPED, f"P={P!r}", f"n={n}")[0] ** 2 for P in loads]
            for share in (0.9, 0.9, 0.9, 1):  # below it, where there is an equilibrium
                loads.append(loads[-1] - share * squares[-1] * (loads[-1] - loads[-2]) / (squares[-1] - squares[-2]))
                squares.append(self.least(CLAMPED, f"P={loads[-1]!r}", f"n={n}")[0] ** 2 if share < 1 else 0)
            found.append(loads[-1])
        error = [P / P_c - 1 for P in found]
        self.assertTrue(11 < error[0] / error[1] < 18, error)
        self.assertLess(abs(error[1] + (error[1] - error[0]) / 15), 3e-5 if EFFORT <= 1 else 3e-8, error)
        beyond = self.try_it("equilibrium", CLAMPED, "--set", f"P={1.5 * P_c!r}")
        self.assertIn("no static equilibrium was found", beyond.stderr)

    def test_strip_under_moments_at_its_ends(self):
        """Prandtl: M_c = pi (E I G J)^(1/2)/L between forks, and 1 - (M/M_c)^2 of the square of the frequency, its inertia of torsion
        left aside."""
        w = Polynomials([0, 1, -1])
        M_c = self.critical(w, w, lambda x: 0 * x + 1)
        self.assertAlmostEqual(M_c, numpy.pi * numpy.sqrt(GJ), delta=1e-9)
        for part, at_8 in ((0.25, 6e-5), (0.5, 6e-5), (0.75, 1e-4), (0.95, 1e-3)) if EFFORT > 1 else ((0.75, 1e-4),):
            right = frequencies(*self.strip(lambda x: 0 * x + part * M_c, w, w))[0]
            self.fourth_order(FORKS, "M", part * M_c, right, f"forks at {part}", at_8)

    def test_shaft_under_torque(self):
        """Clamped at both ends: T_c = 8.9868 E I/L (Greenhill)."""
        v = Polynomials([0, 0, 1, -2, 1])
        S = v.product(2, 1)
        for T, at_8 in ((4, 6e-4), (6, 2e-3), (8.5, 3e-2)) if EFFORT > 1 else ((6, 2e-3),):
            K, M, Z = v.product(2, 2), v.product(0, 0), 0 * S
            right = frequencies(blocks(K, T / 2 * (S - S.T), K), blocks(M, Z, M))[0]
            self.fourth_order(SHAFT, "T", T, right, f"shaft at {T}", at_8)

    def test_energy_of_a_soft_beam_in_motion(self):
        """Bent in both planes and twisted, it keeps its energy as far as the steps are accurate."""
        text = """gravity: [0, -3, -1]
bodies: {b: {type: beam, to: [1, 0, 0], elements: 2, density: 1, area: 0.01, youngs_modulus: 300, iyy: 1e-5, izz: 1e-4,
             shear_modulus: 300, torsion_constant: 1.5e-5, rotary_inertia: true}}
joints: {wall: {type: fixed, between: [b, ground], at: [0, 0, 0]}}
"""
        done = self.try_it("simulate", text, "--end", "0.5", "--integrator", "explicit-runge-kutta", "--tolerance", "1e-9",
                           "--output", self.path("motion.csv"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("motion.csv"), encoding="utf-8") as file:
            rows = list(csv.reader(file))
        total, elastic = (numpy.array([float(row[rows[0].index(f"energy/{what} [J]")]) for row in rows[1:]])
                          for what in ("total", "elastic"))
        self.assertGreater(max(elastic), 1e-4)
        self.assertLess(max(abs(total - total[0])), 1e-7 * max(elastic))

    def test_angle_against_exact_beams(self):
        """Out of its plane, with the bending before it buckles: exact beams have an error of second order."""
        for P in (0.5, -0.5) if EFFORT > 1 else (0.5,):
            exact = [self.least(EXACT, f"P={P}", f"n={n}", count=2) for n in (6, 12)]
            body = self.least(ANGLE, f"P={P}", "n=6", count=2)
            for one in range(2):
                right = exact[1][one] + (exact[1][one] - exact[0][one]) / 3
                self.assertLess(abs(body[one] / right - 1), 3e-4, (P, one, body, exact))


if __name__ == "__main__":
    unittest.main()
