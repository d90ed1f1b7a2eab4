"""Eigenvalues within their bounds of those of 60 digits, where one of them has all but reached zeros of the mechanism."""
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import unittest

import mpmath
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import limit_family  # noqa: E402
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))


def exactly(family, p):
    """All eigenvalues at p, by blocks of which each does one thing."""
    out = []
    with mpmath.workdps(60):
        for part in family.parts:
            A = mpmath.matrix(family.part_matrix(part, mpmath.mpf(p), mpmath.mpf))
            if A.rows == 2:
                c, k = -A[1, 1], -A[1, 0]
                root = mpmath.sqrt(c * c / 4 - k)
                # the smaller one without cancellation
                big = -c / 2 - root if mpmath.re(c) >= 0 else -c / 2 + root
                out += [big, k / big if big else mpmath.mpf(0)]
            else:
                out += list(mpmath.eig(A, left=False, right=False))
    return [mpmath.mpc(x) for x in out]


def unmatched(found, truth):
    """Of found values with bounds the one that no true value is left for; each serves once."""
    left = list(truth)
    for value, bound in sorted(found, key=lambda f: f[1]):
        near = min(left, key=lambda t: abs(t - value))
        if abs(near - value) > bound + 1e-30:
            return value, bound, complex(near)
        left.remove(near)
    return None


class NearlyZero(ModelCase):
    def modes(self, text, p):
        modes = self.run_it("modes", text, "--set", f"p={p!r}")["modes"]
        return [(complex(*m["eigenvalue"]), math.inf if m["error_bound"] is None else m["error_bound"]) for m in modes]

    def test_beside_a_double_zero(self):
        """A real value leaves a double and a single zero beside an undamped pair: where it is 2e-13, the double zero was
        taken for one of a coupling of 1e-3, and the pair grew."""
        family = limit_family.Family(50146, 6)
        for p in (-0.015624999999545735, -0.0156249999999, -0.015625000001, -0.015625 + 2 ** -50, -0.0156):
            with self.subTest(p=p):
                self.assertIsNone(unmatched(self.modes(family.yaml(), p), exactly(family, p)))

    def test_families(self):
        """Any number of blocks, mixed, from 1e-15 to 1e-3 beside what one of them does."""
        seeds, tried = itertools.count(1), 0
        while tried < 40 * EFFORT:
            seed = next(seeds)
            family, choice = limit_family.Family(seed, 6), random.Random(seed)
            limits = [-float(k[0, 0, 0]) / float(k[1, 0, 0]) for c, k in family.parts if len(c[0]) == 1 and k[1, 0, 0]]
            if not limits or family.n < 3:
                continue
            tried += 1
            p = choice.choice(limits) + choice.choice([-1, 1]) * 10 ** choice.uniform(-15, -3)
            with self.subTest(seed=seed, p=p):
                self.assertIsNone(unmatched(self.modes(family.yaml(), p), exactly(family, p)))

    def test_undamped_modes_of_a_matrix_beside_a_double_zero(self):
        """Gyroscopic ones, mixed with a free motion by whole numbers: their real parts are 0, in doubles within their bounds, which
        rounding that split the zeros off was not in."""
        for seed in range(int(150 * EFFORT)):
            with self.subTest(seed=seed):
                modes = self.modes_of(undamped(random.Random(seed)))
                self.assertEqual(sum(m["rigid"] for m in modes), 2)
                for m in modes:
                    self.assertLessEqual(abs(m["eigenvalue"][0]), m["error_bound"])

    def modes_of(self, A):
        n = len(A) // 2
        with open(self.path("linear.json"), "w", encoding="utf-8") as file:
            json.dump({"schema": "routh-linear/1", "degrees_of_freedom": {"position": n, "velocity": n, "control": 0},
                       "states": [f"x{k}" for k in range(n)] + [f"x{k}'" for k in range(n)], "units": ["m"] * n + ["m/s"] * n,
                       "inputs": [], "outputs": [], "A": A.tolist(), "B": [[]] * (2 * n), "C": [], "D": []}, file)
        done = subprocess.run([os.environ["ROUTH"], "modes", self.path("linear.json"), "--json"], capture_output=True,
                              text=True, check=True)
        return json.loads(done.stdout)["modes"]


def undamped(r):
    """The state matrix of 3 to 5 motions: two on springs with gyroscopic forces, one that is free, the others on springs."""
    n = r.choice([3, 3, 4, 5])
    C, K, T, back = numpy.zeros((n, n)), numpy.diag([r.randint(1, 80) / 8 for _ in range(n)]), numpy.eye(n), numpy.eye(n)
    C[0, 1], K[-1, -1] = r.randint(1, 40) / 8, 0
    C[1, 0] = -C[0, 1]
    for _ in range(2 * n):  # a shear and its inverse
        i, j = r.sample(range(n), 2)
        sign = r.choice([-1, 1])
        T[i] += sign * T[j]
        back[:, j] -= sign * back[:, i]
    return numpy.block([[numpy.zeros((n, n)), numpy.eye(n)], [-T @ K @ back, -T @ C @ back]])


if __name__ == "__main__":
    unittest.main()
