"""Random mechanisms with some masses and inertias taken to zero. K and C do not depend on them, as no weight acts, and M is
linear in them: so M without them is 2 M(1) - M(2), from the models with them once and twice. The eigenvalues of the pencil
follow in NumPy from its reversal K + C u + M u^2 = 0, s = 1/u, which needs no inverse of M. Some are compared with the limit
of small masses besides. ROUTH_TEST_EFFORT above 1 takes 300 of them.
"""
import os
import random
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.environ["ROUTH_SOURCE"], "tests", "support"))
from model_case import COORDINATES, ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
CASES = 300 if EFFORT > 1 else 24
METHODS = ["augmented", "minimal:sparse", "minimal:qr", "redundant", "minimal:partition", "minimal:svd",
           "minimal:zero-eigenvalue", "minimal:gram-schmidt"]
JOINTS = {"revolute": True, "translational": True, "cylindrical": True, "spherical": False, "planar": True, None: False}


def vector(values):
    return "[" + ", ".join(f"{x:.6g}" for x in values) + "]"


class Mechanism:
    """A tree of bodies, with bushings to the ground and prestressed springs between bodies."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.n = r.randint(2, 5)
        self.kind = [r.choice(["full", "point", "rod", "massless", "massless"]) for _ in range(self.n)]
        self.kind[r.randrange(self.n)] = "full"
        self.place = [[b + r.uniform(-0.2, 0.2), r.uniform(-0.4, 0.4), r.uniform(-0.4, 0.4)] for b in range(self.n)]
        self.mass = [r.uniform(0.5, 3) for _ in range(self.n)]
        self.inertia = [r.uniform(0.05, 0.1) for _ in range(self.n)]
        self.joints, self.loads = [], []
        for b in range(self.n):
            self.joint(b)
            self.bushing(b)
        for k in range(r.randint(0, 2)):
            self.spring(k)

    def joint(self, b):
        r = self.r
        kind = r.choice(list(JOINTS))
        if kind is None:
            return
        other = r.choice(["ground"] + [f"b{k}" for k in range(b)])
        at = [x + r.uniform(-0.3, 0.3) for x in self.place[b]]
        axis = f", axis: {vector([r.uniform(-1, 1) for _ in range(3)])}" if JOINTS[kind] else ""
        self.joints.append(f"  j{b}: {{type: {kind}, between: [b{b}, {other}], at: {vector(at)}{axis}}}")

    def bushing(self, b):
        r = self.r
        at = [x + r.uniform(-0.2, 0.2) for x in self.place[b]]
        k, t = ([r.uniform(50, 500) for _ in range(3)] for _ in range(2))
        damped = r.choice(["no", "no", "some", "all"])
        c = [0 if damped == "no" or (damped == "some" and i < 2) else r.uniform(1, 9) for i in range(3)]
        d = [0 if damped != "all" else r.uniform(1, 9) for _ in range(3)]
        self.loads.append(f"  k{b}: {{type: bushing, between: [b{b}, ground], at: {vector(at)}, translation: {{stiffness: "
                          f"{vector(k)}, damping: {vector(c)}}}, rotation: {{stiffness: {vector(t)}, damping: {vector(d)}}}}}")

    def spring(self, k):
        a, b = self.r.sample(range(self.n), 2)
        length = sum((x - y) ** 2 for x, y in zip(self.place[a], self.place[b])) ** 0.5
        damping = self.r.choice([0, self.r.uniform(0.5, 5)])
        self.loads.append(f"  s{k}: {{type: spring, between: [b{a}, b{b}], stiffness: {self.r.uniform(20, 200):.6g}, "
                          f"damping: {damping:.6g}, free_length: {length * self.r.uniform(0.9, 1.1):.6g}}}")

    def text(self, part):
        """With so much of the masses and inertias that are zero."""
        bodies = []
        for b in range(self.n):
            kind, i = self.kind[b], self.inertia[b]
            mass = self.mass[b] * (part if kind == "massless" else 1)
            moments = {"full": [i, 1.2 * i, 1.5 * i], "rod": [i, i, part * i]}.get(kind, [part * i] * 3)
            bodies.append(f"  b{b}: {{mass: {mass!r}, inertia: [{', '.join(map(repr, moments))}], "
                          f"position: {vector(self.place[b])}}}")
        joints = ["joints:", *self.joints] if self.joints else []
        return "\n".join(["bodies:", *bodies, *joints, "loads:", *self.loads, "operating_point: {type: static}"]) + "\n"


class RandomMassless(ModelCase):
    def matrices(self, text):
        d = self.run_it("linearize", text)
        return d["states"], *(np.array(d[k]) for k in ("mass", "damping", "stiffness"))

    def limit(self, mechanism):
        """Finite eigenvalues of the pencil without the masses."""
        names, M1, C, K = self.matrices(mechanism.text(1))
        again, M2, _, _ = self.matrices(mechanism.text(2))
        self.assertEqual(names, again)
        n, M = len(M1), 2 * M1 - M2
        if n == 0:
            return np.array([])
        A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(K, M), -np.linalg.solve(K, C)]])
        u = np.linalg.eigvals(A)
        return 1 / u[abs(u) > 1e-5 * max(abs(u))]

    def eigenvalues(self, text, *options):
        return np.array([complex(*z) for z in self.run_it("modes", text, *options)["eigenvalues"]])

    def compare(self, found, expected, limit, what):
        self.assertEqual(len(found), len(expected), f"{what}: {found} {expected}")
        left = list(found)
        for z in sorted(expected, key=abs):
            k = int(np.argmin([abs(w - z) for w in left]))
            self.assertLessEqual(abs(left.pop(k) - z), limit * abs(z), f"{what}: {z} among {found}")

    def test_masses_that_are_zero_are_the_limit(self):
        massless = skipped = 0
        for seed in range(CASES):
            mechanism = Mechanism(seed)
            options = ["--coordinates", COORDINATES[seed % 5], "--method", METHODS[seed % 8]]
            done = self.try_it("modes", mechanism.text(0), *options)
            if "out of all proportion" in done.stderr: # a damper that the equilibrium's turns hardly move
                skipped += 1
                continue
            found = self.eigenvalues(mechanism.text(0), *options)
            self.compare(found, self.limit(mechanism), 1e-7, f"seed {seed} {options}")
            massless += mechanism.kind.count("massless")
        self.assertGreater(massless, CASES / 2)
        self.assertLessEqual(skipped, CASES / 20)

    def test_small_masses_tend_to_it(self):
        # an eigenvalue of the small model is s + a e + b e^2: what is left of (e, e/2) is of second order. Slow ones, as b
        # grows with their size
        e = 1e-7
        for seed in range(1000, 1000 + (30 if EFFORT > 1 else 4)):
            mechanism = Mechanism(seed)
            exact = self.eigenvalues(mechanism.text(0))
            one, half = self.eigenvalues(mechanism.text(e)), self.eigenvalues(mechanism.text(e / 2))
            for z in exact[abs(exact) < 300]:
                near = 2 * half[np.argmin(abs(half - z))] - one[np.argmin(abs(one - z))]
                self.assertLessEqual(abs(near - z), 1e-6 * abs(z), f"seed {seed}: {z}")


if __name__ == "__main__":
    unittest.main()
