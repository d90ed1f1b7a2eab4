"""Constants that stand in a formula, of soft terms beside stiff ones: their sum in a derivative is no double, and both count."""
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
try:
    import mpmath
except ImportError:
    print("mpmath is missing")
    sys.exit(77)
from model_case import ModelCase  # noqa: E402


def carts(n, springs):
    """Carts of mass 1 + i/4 on a line, springs (i, j, k) between two of them, or cart i and ground (j = -1), as formulas."""
    force = [[] for _ in range(n)]
    for i, j, k in springs:
        stretch = f"DX(c{i}, o{i})" + (f" - DX(c{j}, o{j})" if j >= 0 else "")
        force[i].append(f"-{k!r}*({stretch})")
        if j >= 0:
            force[j].append(f"{k!r}*({stretch})")
    lines = ["operating_point: {type: given}", "bodies:"]
    lines += [f"  c{i}: {{mass: {1 + i / 4}, inertia: [1, 1, 1], position: [{i}, 0, 0]}}" for i in range(n)]
    lines += ["markers:"] + [f"  o{i}: {{body: ground, position: [{i}, 0, 0]}}" for i in range(n)]
    lines += ["joints:"] + [f"  j{i}: {{type: translational, between: [c{i}, o{i}], axis: x}}" for i in range(n)]
    lines += ["loads:"] + [f'  f{i}: {{type: force, on: c{i}, components: ["{" + ".join(f)}", 0, 0]}}' for i, f in enumerate(force) if f]
    return "\n".join(lines) + "\n"


def frequencies(n, springs):
    """Of M x'' + K x = 0 with 60 digits."""
    with mpmath.workdps(60):
        K, root = mpmath.zeros(n), [mpmath.sqrt(1 + mpmath.mpf(i) / 4) for i in range(n)]
        for i, j, k in springs:
            for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                if a >= 0 and b >= 0:
                    K[a, b] += sign * mpmath.mpf(k) / (root[a] * root[b])
        return [float(mpmath.sqrt(abs(x))) if abs(x) > mpmath.mpf(10) ** -30 else 0.0 for x in mpmath.eigsy(K, eigvals_only=True)]


class LiteralConstants(ModelCase):
    def compare(self, n, springs):
        found = self.run_it("modes", carts(n, springs))
        wanted = sorted(frequencies(n, springs))
        zeros = wanted.count(0.0)
        self.assertEqual(found["zero_eigenvalues"], 2 * zeros, springs)
        here = sorted(m["eigenvalue"][1] for m in found["modes"] if m["eigenvalue"][1] > 0)
        for x, y in zip(here, wanted[zeros:]):
            self.assertLess(abs(x - y), 1e-9 * y, springs)

    def test_a_soft_spring_beside_a_stiff_one(self):
        for stiff, soft in ((1e13, 1e-4), (1e7, 0.3), (1e12, 0.7), (1.1e9, 0.1)):
            self.compare(2, [(1, 0, stiff), (1, -1, soft)])

    def test_chains_of_stiff_and_soft_springs_by_turns(self):
        for seed in range(12):
            r = random.Random(seed)
            n, stiff, soft = r.randint(2, 6), 10 ** r.uniform(4, 11), 10 ** r.uniform(-3, 0)
            springs = [(a + 1, a, soft if a % 2 else stiff) for a in range(n - 1)]
            if r.random() < 0.5:
                springs.append((0, -1, soft))
            self.compare(n, springs)


if __name__ == "__main__":
    unittest.main()
