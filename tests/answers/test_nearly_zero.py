"""Eigenvalues within their bounds of those of 60 digits, where one of them has all but reached zeros of the mechanism."""
import itertools
import math
import os
import pathlib
import random
import sys
import unittest

import mpmath

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


if __name__ == "__main__":
    unittest.main()
