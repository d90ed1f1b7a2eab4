#!/usr/bin/env python3
"""Exact beams whose axis is kinked, curved or twisted, and rods between markers with axes of any direction.

Compliance of a cantilever by Castigliano's theorem, for the force F at the point p:
    u(p) = int G' S G ds F,   G F = (F, (p - r(s)) x F) in the section's axes.
Frequencies by finite elements of a space frame: twelve by twelve matrices, cubic bending, linear stretch and twist,
consistent masses."""
import math
import os
import pathlib
import sys
import unittest

import numpy as np
import scipy.linalg

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402


EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))


def cross_matrix(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rotation(axis, angle):
    k = cross_matrix(np.asarray(axis, float) / np.linalg.norm(axis))
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def section_axes(d, side):
    """x along d, y towards side, as columns"""
    x = d / np.linalg.norm(d)
    z = np.cross(x, side)
    z = z / np.linalg.norm(z)
    return np.stack((x, np.cross(z, x), z), axis=1)


def compliance(curve, lengths, S, point):
    """3 x 3; curve(piece, s): place and section axes at s in the piece of the given length"""
    total = np.zeros((3, 3))
    for piece, length in enumerate(lengths):
        nodes, weights = np.polynomial.legendre.leggauss(60)
        for t, w in zip(nodes, weights):
            r, E = curve(piece, (t + 1) / 2 * length)
            G = np.vstack((E.T, E.T @ cross_matrix(point - r)))
            total += w * length / 2 * G.T @ S @ G
    return total


def bar(n, at, matrix, k):
    """linear shapes of the displacements or rotations `at` of both ends"""
    for i in range(2):
        for j in range(2):
            matrix[at[i], at[j]] += k * n[i][j]


def element(length, mass, iy, iz, EA, GJ, EIy, EIz, GA=math.inf):
    """K and M over (displacement, rotation) of both ends, in the element's axes; M without shear deformation"""
    l, K, M = length, np.zeros((12, 12)), np.zeros((12, 12))
    for at, k, m in (((0, 6), EA / l, mass * l), ((3, 9), GJ / l, (iy + iz) * l)):
        bar([[1, -1], [-1, 1]], at, K, k)
        bar([[1 / 3, 1 / 6], [1 / 6, 1 / 3]], at, M, m)
    move = np.array([[156, 22 * l, 54, -13 * l], [22 * l, 4 * l**2, 13 * l, -3 * l**2], [54, 13 * l, 156, -22 * l],
                     [-13 * l, -3 * l**2, -22 * l, 4 * l**2]]) * l / 420
    tilt = np.array([[36, 3 * l, -36, 3 * l], [3 * l, 4 * l**2, -3 * l, -l**2], [-36, -3 * l, 36, -3 * l],
                     [3 * l, -l**2, -3 * l, 4 * l**2]]) / (30 * l)
    for at, sign, EI, i in (((1, 5, 7, 11), 1, EIz, iz), ((2, 4, 8, 10), -1, EIy, iy)):
        s, f = np.diag([1, sign, 1, sign]), 12 * EI / (GA * l**2)
        bend = np.array([[12, 6 * l, -12, 6 * l], [6 * l, (4 + f) * l**2, -6 * l, (2 - f) * l**2], [-12, -6 * l, 12, -6 * l],
                         [6 * l, (2 - f) * l**2, -6 * l, (4 + f) * l**2]]) / (l**3 * (1 + f))
        K[np.ix_(at, at)] += EI * s @ bend @ s
        M[np.ix_(at, at)] += s @ (mass * move + i * tilt) @ s
    return K, M


def frame_frequencies(points, n, side, held, section):
    """of a space frame of straight pieces, n elements each, in rad/s"""
    count = n * (len(points) - 1) + 1
    K, M = np.zeros((6 * count, 6 * count)), np.zeros((6 * count, 6 * count))
    for k in range(count - 1):
        d = (points[k // n + 1] - points[k // n]) / n
        T = np.kron(np.eye(4), section_axes(d, side).T)
        at = np.ix_(range(6 * k, 6 * k + 12), range(6 * k, 6 * k + 12))
        for whole, part in zip((K, M), element(np.linalg.norm(d), *section)):
            whole[at] += T.T @ part @ T
    free = np.setdiff1d(np.arange(6 * count), held)
    return np.sqrt(abs(scipy.linalg.eigh(K[np.ix_(free, free)], M[np.ix_(free, free)], eigvals_only=True)))


def listed(x):
    return np.asarray(x).tolist()


STIFF = {"EA": 900.0, "GAy": 400.0, "GAz": 250.0, "GJ": 5.0, "EIy": 3.0, "EIz": 7.0}
S = np.diag([1 / v for v in STIFF.values()])
SECTION = "type: sections, mass_per_length: 1, inertia_y: 1e-2, inertia_z: 2e-2, " + ", ".join(
    f"{k}: {v}" for k, v in STIFF.items())
ARM = np.array([0.3, -0.2, 0.25])
PULLED = """beams: {{b: {{{section}, points: {points}, elements: {n}, side: {side}{more}}}}}
markers: {{g: {{body: ground}}, p: {{body: b.last, at: {point}}}, q: {{body: ground, at: {point}}}}}
joints: {{wall: {{type: fixed, between: [b.first, ground], at: {root}}}}}
inputs: {{fx: 0, fy: 0, fz: 0}}
loads: {{pull: {{type: force, on: p, components: [fx, fy, fz]}}}}
outputs: {{ux: "DX(p, q, g)", uy: "DY(p, q, g)", uz: "DZ(p, q, g)"}}
"""


class BentAxes(ModelCase):
    def gain(self, text):
        """of a mechanism at rest, at frequency zero: outputs by inputs"""
        d = self.run_it("linearize", text)
        A, B, C, D = (np.array(d[k]) for k in "ABCD")
        return D - C @ np.linalg.solve(A, B)

    def pulled(self, points, n, side, more=""):
        point = np.asarray(points[-1]) + ARM
        return self.gain(PULLED.format(section=SECTION, points=listed(points), n=n, side=listed(side), more=more,
                                       point=listed(point), root=listed(points[0])))

    def test_kinked(self):
        """Straight pieces are exact with one element each, whatever the kinks between them."""
        side = np.array([0.2, 0.3, 1.0])
        for points in ([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0.5, 0, 0], [1, 0.1, 0], [0.8, 1.5, 0.4], [0.1, 0.4, 1.1]]):
            points = np.array(points, float)
            axes = [section_axes(b - a, side) for a, b in zip(points, points[1:])]
            lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
            want = compliance(lambda k, s: (points[k] + s * axes[k][:, 0], axes[k]), lengths, S, points[-1] + ARM)
            for n in (1, 3) if EFFORT > 1 else (1,):
                found = self.pulled(points, n, side)
                self.assertLess(abs(found - want).max(), 1e-11 * abs(want).max(), f"{n} elements a piece")

    def test_twisted(self):
        """Sections that turn along a straight axis are exact with one element, up to whole revolutions."""
        side, root, axis = np.array([0, 1.0, 0.3]), np.array([0.2, 0.1, 0]), np.array([0.6, 0.1, 0.8])
        length, E = np.linalg.norm(axis), section_axes(axis, side)
        for twist in (1.0, math.pi, 7.0):
            want = compliance(lambda k, s: (root + s * E[:, 0], E @ rotation([1, 0, 0], 0.4 + twist * s / length)), [length], S,
                              root + axis + ARM)
            for n in (1, 3) if EFFORT > 1 else (1,):
                found = self.pulled([root, root + axis], n, side, f", stations: [0, {length!r}], twist: [0.4, {0.4 + twist!r}]")
                self.assertLess(abs(found - want).max(), 1e-11 * abs(want).max(), f"{twist} rad, {n} elements")

    def test_curved(self):
        """A quarter of a circle, of second order: the nodes are a polygon."""
        side, errors = np.array([0, 0, 1.0]), []
        arc = lambda k, s: (np.array([math.sin(s), 1 - math.cos(s), 0]),
                            section_axes(np.array([math.cos(s), math.sin(s), 0]), side))
        want = compliance(arc, [math.pi / 2], S, np.array([1, 1, 0]) + ARM)
        for n in (4, 8, 16) if EFFORT > 1 else (8, 16):
            points = [arc(0, math.pi / 2 * k / n)[0] for k in range(n + 1)]
            errors.append(abs(self.pulled(points, 1, side) - want).max() / abs(want).max())
        self.assertLess(errors[-1], 2e-3)
        for coarse, fine in zip(errors, errors[1:]):
            self.assertAlmostEqual(math.log2(coarse / fine), 2, delta=0.05)

    def test_kinked_frequencies(self):
        """Of third order in the length of elements, as a straight beam's, by masses at the nodes."""
        points, side = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0]], float), np.array([0, 0, 1.0])
        want = frame_frequencies(points, 24, side, range(6), (1, 1e-4, 1e-4, 1e4, 1, 1, 1.5))[:4]
        text = """beams: {{b: {{type: sections, points: {points}, elements: {n}, side: [0, 0, 1], mass_per_length: 1,
  inertia_y: 1e-4, inertia_z: 1e-4, EA: 1e4, GJ: 1, EIy: 1, EIz: 1.5}}}}
joints: {{wall: {{type: fixed, between: [b.first, ground], at: [0, 0, 0]}}}}
"""
        errors = []
        for n in (1, 2, 4, 8, 16) if EFFORT > 1 else (4, 8):
            found = self.run_it("modes", text.format(points=listed(points), n=n))["eigenvalues"]
            found = np.sort([abs(complex(*z)) for z in found if z[1] > 0])[:4]
            errors.append(abs(found / want - 1).max())
        self.assertLess(errors[-1], 2e-3)
        for coarse, fine in zip(errors, errors[1:]):
            self.assertAlmostEqual(math.log2(coarse / fine), 3, delta=0.1)

    def rods(self, first, middle, last, bending, side=""):
        """of a body on two rods at a right angle, their markers with these axes"""
        section = listed(np.diag([900.0, 400, 400, 5, *bending]))
        text = f"""bodies:
  a: {{mass: 2, inertia: [1, 2, 1.5], position: [1, 0, 0]}}
  b: {{mass: 3, inertia: [1, 3, 2], position: [1, 1, 0]}}
markers:
  g: {{body: ground, orientation: {first}}}
  m: {{body: a, orientation: {middle}}}
  t: {{body: b, orientation: {last}}}
loads:
  r: {{type: flexible_rod, between: [g, m], stiffness: {section}{side}}}
  s: {{type: flexible_rod, between: [t, m], stiffness: {section}{side}}}
"""
        found = self.run_it("modes", text)["eigenvalues"]
        return np.sort([abs(complex(*z)) for z in found if z[1] > 0])

    def test_turned_markers(self):
        """Axes of the markers do not matter: of a round rod, but for the mean of their y across it; with a side not at all."""
        side = np.array([0.3, 0.2, 1.0])
        M = np.diag([2, 2, 2, 1, 2, 1.5, 3, 3, 3, 1, 3, 2])
        turns = ["{axis: [0, 0, 1], angle: 20 deg}", "{axis: [1, 0, 0], angle: 135 deg}", "{axis: [1, 0, 0], angle: -150 deg}",
                 "{axis: [1, 2, 3], angle: 3}", "{axis: [0, 1, 0], angle: 180 deg}", "{axis: [-1, 2, 0.5], angle: 2}"]
        for bending, written in (((7.0, 7.0), ""), ((2.0, 7.0), f", side: {listed(side)}")):
            K = np.zeros((18, 18))
            for at, d in ((0, np.array([1.0, 0, 0])), (6, np.array([0, 1.0, 0]))):
                T = np.kron(np.eye(4), section_axes(d, side).T)
                K[at:at + 12, at:at + 12] += T.T @ element(1, 0, 0, 0, 900, 5, *bending, 400)[0] @ T
            want = np.sqrt(scipy.linalg.eigh(K[6:, 6:], M, eigvals_only=True))
            for k, turn in enumerate(turns if EFFORT > 1 else turns[:2]):
                found = self.rods(turn, turns[k - 1], turns[k - 2], bending, written)
                self.assertLess(abs(found / want - 1).max(), 1e-11, f"{turn}, {written}")


if __name__ == "__main__":
    unittest.main()
