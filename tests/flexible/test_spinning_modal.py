#!/usr/bin/env python3
"""Bodies of finite elements that spin: the inertia of their nodes is gyroscopic and centrifugal.

A shaft of Hermite elements with discs. In axes that turn with the shaft at W about x, nodal displacements and rotations have
the velocities u' + W x u, and a node of polar inertia J turned by p, r about y and z takes 1/2 J W (W (p^2 + r^2) + p r' - r p')
from the kinetic energy; so M q'' + G q' + K q = 0 of the nodes' own coordinates, by numpy. A uniform shaft with rotary inertia
has (1 + e) w^2 -+ 2 e W w - w0^2 = 0 in the fixed frame."""
import pathlib
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

E, NU, RHO, L = 2.1e11, 0.3, 7800.0, 1.2
MODEL = """bodies:
  shaft: {type: modal, stiffness_matrix: k.mtx, mass_matrix: m.mtx, nodes: nodes.txt, interface: [1, LAST],
          modes: MODES, normal_modes: free, angular_velocity: [W, 0, 0]}
markers:
  left: {body: shaft, node: 1}
  right: {body: shaft, node: LAST}
joints:
  left: {type: spherical, between: [left, ground]}
  right: {type: inline, between: [right, ground], axis: x}
operating_point: {type: steady}
steady: {axis: x, turn_rate: W}
"""


def element(l, A, I, J, rotary):
    """Stiffness and mass, six directions a node."""
    K, M = numpy.zeros((12, 12)), numpy.zeros((12, 12))
    m, EI, G = RHO * A * l, E * I / l**3, E / (2 * (1 + NU))
    for at, k, mass in ((0, E * A / l, m), (3, G * J / l, RHO * J * l)):
        i = [at, at + 6]
        K[numpy.ix_(i, i)] += k * numpy.array([[1, -1], [-1, 1]])
        M[numpy.ix_(i, i)] += mass / 6 * numpy.array([[2, 1], [1, 2]])
    k = EI * numpy.array([[12, 6 * l, -12, 6 * l], [6 * l, 4 * l * l, -6 * l, 2 * l * l],
                          [-12, -6 * l, 12, -6 * l], [6 * l, 2 * l * l, -6 * l, 4 * l * l]])
    c = m / 420 * numpy.array([[156, 22 * l, 54, -13 * l], [22 * l, 4 * l * l, 13 * l, -3 * l * l],
                               [54, 13 * l, 156, -22 * l], [-13 * l, -3 * l * l, -22 * l, 4 * l * l]])
    c += rotary * RHO * I / (30 * l) * numpy.array([[36, 3 * l, -36, 3 * l], [3 * l, 4 * l * l, -3 * l, -l * l],
                                                    [-36, -3 * l, 36, -3 * l], [3 * l, -l * l, -3 * l, 4 * l * l]])
    for i, sign in (([1, 5, 7, 11], 1), ([2, 4, 8, 10], -1)):
        s = numpy.array([1, sign, 1, sign])
        K[numpy.ix_(i, i)] += k * numpy.outer(s, s)
        M[numpy.ix_(i, i)] += c * numpy.outer(s, s)
    return K, M


def shaft(n, radius, rotary, discs):
    A, I = numpy.pi * radius**2, numpy.pi * radius**4 / 4
    size = 6 * (n + 1)
    K, M = numpy.zeros((size, size)), numpy.zeros((size, size))
    k, m = element(L / n, A, I, 2 * I, rotary)
    for e in range(n):
        at = slice(6 * e, 6 * e + 12)
        K[at, at] += k
        M[at, at] += m
    for node, mass, polar, across in discs:
        for i, x in enumerate((mass, mass, mass, polar, across, across)):
            M[6 * node + i, 6 * node + i] += x
    return K, M


def turning_frame(K, M, W):
    """Eigenvalues in the axes of the shaft: ends held across, the left one along."""
    size = len(K)
    turn = numpy.zeros((size, size))  # W x u
    for at in range(0, size, 3):
        turn[at + 1, at + 2], turn[at + 2, at + 1] = -W, W
    polar = numpy.zeros((size, size))
    spin = numpy.zeros((size, size))
    for node in range(0, size, 6):
        J = M[3::6, node + 3].sum()
        polar[node + 4, node + 4] = polar[node + 5, node + 5] = J * W**2
        spin[node + 4, node + 5], spin[node + 5, node + 4] = J * W, -J * W  # L has - q' spin q / 2 less its transpose
    # 2 T = (q' + turn q)'M(q' + turn q) - q'polar q - p r' J W + r p' J W
    G = M @ turn + (M @ turn).T * -1 + spin
    C = K - turn.T @ M @ turn + polar
    free = [i for i in range(size) if i not in (0, 1, 2, size - 5, size - 4)]
    M, G, C = (X[numpy.ix_(free, free)] for X in (M, G, C))
    n = len(free)
    X = numpy.block([[numpy.zeros((n, n)), numpy.eye(n)], [-numpy.linalg.solve(M, C), -numpy.linalg.solve(M, G)]])
    return numpy.linalg.eigvals(X)


def write_matrix(path, X):
    rows = [(i + 1, j + 1, X[i, j]) for i in range(len(X)) for j in range(i + 1) if X[i, j]]
    path.write_text(f"%%MatrixMarket matrix coordinate real symmetric\n{len(X)} {len(X)} {len(rows)}\n"
                    + "".join(f"{i} {j} {float(x)!r}\n" for i, j, x in rows))


class Spin(ModelCase):
    def spectrum(self, K, M, W):
        n, folder = len(K) // 6 - 1, pathlib.Path(self.folder.name)
        write_matrix(folder / "k.mtx", K)
        write_matrix(folder / "m.mtx", M)
        (folder / "nodes.txt").write_text("".join(f"{k + 1} {k * L / n!r} 0 0\n" for k in range(n + 1)))
        text = MODEL.replace("LAST", str(n + 1)).replace("MODES", str(6 * n)).replace("W", repr(float(W)))
        return numpy.array([complex(*z) for z in self.run_it("modes", text)["eigenvalues"]])

    def compare(self, K, M, W, within):
        found = self.spectrum(K, M, W)
        want = turning_frame(K, M, W)
        low = sorted((z for z in want if z.imag > 1), key=abs)[:6]
        for z in low:
            error = min(abs(found - z)) / abs(z)
            self.assertLess(error, within, f"{W:g} rad/s: {z} is missed by {error:.1e}")

    def test_disc(self):
        for W in (0, 300, 900):
            K, M = shaft(5, 0.02, False, [(2, 20, 0.2, 0.1)])
            self.compare(K, M, W, 1e-6)

    def test_overhung_flat_and_long_discs(self):
        for W in (250, 700):
            K, M = shaft(5, 0.025, False, [(1, 5, 0.3, 0.15), (4, 8, 0.02, 0.09)])
            self.compare(K, M, W, 1e-6)

    def test_uniform(self):
        n, radius = 8, 0.05
        A, I = numpy.pi * radius**2, numpy.pi * radius**4 / 4
        for W in (0, 400, 3000):
            found = abs(self.spectrum(*shaft(n, radius, True, []), W).imag)
            for mode in (1, 2):
                e = (mode * numpy.pi / L)**2 * I / A
                own = (mode * numpy.pi / L)**2 * numpy.sqrt(E * I / (RHO * A))
                for sign in (1, -1):
                    whirl = sign * (e * W * sign + numpy.sqrt((e * W)**2 + (1 + e) * own**2)) / (1 + e)
                    error = min(abs(found - abs(whirl - W))) / own
                    self.assertLess(error, 4 * (mode * numpy.pi / n)**4 / 1440, f"{W:g} rad/s, mode {mode}: {error:.1e}")


if __name__ == "__main__":
    unittest.main()
