#!/usr/bin/env python3
"""Finely divided beams: the lowest modes of a cantilever of many elements to the digits of the finite elements themselves,
against banded matrices of decimal numbers with 60 digits (Przemieniecki, Theory of Matrix Structural Analysis, sec. 5.6
and 11.3)."""
import decimal
import pathlib
import sys
import unittest

from runs import EFFORT

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

decimal.getcontext().prec = 60
D = decimal.Decimal

MODEL = """bodies:
  beam: {{type: beam, to: [{L}, 0, 0], elements: {n}, planar: true, stiffening: {bars}, density: {density}, area: {area},
    youngs_modulus: {E}, shear_modulus: {E}, iyy: {I}, izz: {I}, torsion_constant: {I}}}
joints:
  wall: {{type: fixed, between: [beam, ground], at: [0, 0, 0]}}
operating_point: {{type: given}}
"""
NUMBERS = {"L": "2.3", "density": "2710", "area": "0.0031", "E": "7.1e10", "I": "4.7e-7"}
ROOTS = (1.87510406871, 4.69409113297, 7.85475743824)


def element(l, EI, m):
    """Stiffness and mass of v1, r1, v2, r2."""
    K = [[12, 6 * l, -12, 6 * l], [6 * l, 4 * l * l, -6 * l, 2 * l * l],
         [-12, -6 * l, 12, -6 * l], [6 * l, 2 * l * l, -6 * l, 4 * l * l]]
    M = [[156, 22 * l, 54, -13 * l], [22 * l, 4 * l * l, 13 * l, -3 * l * l],
         [54, 13 * l, 156, -22 * l], [-13 * l, -3 * l * l, -22 * l, 4 * l * l]]
    return [[EI / l**3 * x for x in row] for row in K], [[m * l / 420 * x for x in row] for row in M]


def cantilever(n):
    """Rows i of K and M as entries (i, i .. i + 3), the first node held."""
    v = {k: D(x) for k, x in NUMBERS.items()}
    k, m = element(v["L"] / n, v["E"] * v["I"], v["density"] * v["area"])
    K, M = [[[D(0)] * 4 for _ in range(2 * n)] for _ in range(2)]
    for e in range(n):
        for a in range(4):
            for b in range(a, 4):
                i, j = 2 * (e - 1) + a, 2 * (e - 1) + b
                if i >= 0:
                    K[i][j - i] += k[a][b]
                    M[i][j - i] += m[a][b]
    return K, M


def times(A, x):
    y = [D(0)] * len(x)
    for i, row in enumerate(A):
        for d, a in enumerate(row):
            if i + d < len(x):
                y[i] += a * x[i + d]
                if d:
                    y[i + d] += a * x[i]
    return y


def solve(A, b):
    """L D L' of the band, in place of its copy."""
    n, L, x = len(A), [list(row) for row in A], list(b)
    for i in range(n):
        pivot = L[i][0]
        for d in range(1, 4):
            if i + d < n:
                f = L[i][d] / pivot
                for e in range(d, 4):
                    if i + e < n:
                        L[i + d][e - d] -= f * L[i][e]
                x[i + d] -= f * x[i]
    for i in reversed(range(n)):
        x[i] = (x[i] - sum(L[i][d] * x[i + d] for d in range(1, 4) if i + d < n)) / L[i][0]
    return x


def frequency(K, M, near):
    """By Rayleigh's quotients from beside the continuous beam's."""
    mu, x = near, [D(i % 7 + 1) for i in range(len(K))]
    for _ in range(9):
        shifted = [[a - mu * b for a, b in zip(r, s)] for r, s in zip(K, M)]
        x = solve(shifted, times(M, x))
        norm = max(abs(t) for t in x)
        x = [t / norm for t in x]
        Mx = times(M, x)
        before, mu = mu, sum(a * b for a, b in zip(x, times(K, x))) / sum(a * b for a, b in zip(x, Mx))
        if abs(mu - before) <= mu * D(10)**-40:
            return mu.sqrt()
    raise AssertionError("the quotients do not settle")


class Cantilever(ModelCase):
    def modes(self, n, bars, *options):
        found = self.run_it("modes", MODEL.format(n=n, bars=bars, **NUMBERS), *options)["modes"]
        return sorted((m["eigenvalue"][1], m["error_bound"]) for m in found if m["eigenvalue"][1] > 0)

    def compare(self, n, found, relative):
        v = {k: float(x) for k, x in NUMBERS.items()}
        unit = v["E"] * v["I"] / (v["density"] * v["area"] * v["L"]**4)
        K, M = cantilever(n)
        for k, root in enumerate(ROOTS):
            right = frequency(K, M, D(unit * root**4 * (1 + 1e-5)))
            value, bound = found[k]
            self.assertLessEqual(abs(D(value) - right), D(bound), (n, k, value, right))
            self.assertLessEqual(bound, relative * value, (n, k, bound))

    def test_all_digits_of_the_elements_are_there(self):
        for n in (10, 30, 60, 100)[:None if EFFORT > 1 else 3]:
            for bars in ("false", "true"):
                with self.subTest(n=n, bars=bars):
                    self.compare(n, self.modes(n, bars), 1e-9)

    def test_selected_modes_of_many_elements(self):
        for n in (200, 400, 2000)[:None if EFFORT > 1 else 2]:
            with self.subTest(n=n):
                self.compare(n, self.modes(n, "true", "--wanted", "6"), 1e-12)


if __name__ == "__main__":
    unittest.main()
