"""Transmission zeros of random systems against exact arithmetic: the numerator of each transfer function is computed with
whole numbers (Faddeev and Leverrier), made free of squares, and its roots found with mpmath. Every zero has to be within
its bound, all of them, as often as they are; and gain prod (s - zero) has to be the numerator on the imaginary axis and
off it. Dense and second-order systems, gyroscopic, rigid, with multiple zeros, zeros at 0 and at infinity, with rates of
the input, and chains of masses."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

try:
    import mpmath
    import numpy as np
    from scipy.optimize import linear_sum_assignment
except ImportError:
    print("numpy, scipy or mpmath is missing")
    sys.exit(77)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from exact_polynomials import roots  # noqa: E402

ROUTH = os.environ["ROUTH"]
SYSTEMS = int(120 * float(os.environ.get("ROUTH_TEST_EFFORT", "1")))


# ---- exact polynomials, lowest power first -----------------------------------------------------------------------------


def whole(M):
    """A matrix of doubles as whole numbers over one power of two."""
    fractions = [[Fraction(float(x)) for x in row] for row in M]
    common = max([x.denominator for row in fractions for x in row] or [1])
    return np.array([[int(x * common) for x in row] for row in fractions], dtype=object).reshape(np.shape(M)), common


def numerator(A, b, c, d):
    """c adj(s I - A) b + d det(s I - A), as fractions."""
    n = len(A)
    W, w = whole(A)
    columns, u = whole(np.array(b, dtype=float).reshape(n, 1))
    rows, v = whole(np.array(c, dtype=float).reshape(1, n))
    # with W = w A: det(t I - W) = sum k_j t^j, adj(t I - W) = sum N_j t^j, t = w s
    characteristic = [0] * n + [1]
    N, adjugate = np.zeros((n, n), dtype=object), [None] * n
    one = np.array([[int(i == j) for j in range(n)] for i in range(n)], dtype=object)
    for k in range(1, n + 1):
        N = (W.dot(N) if k > 1 else N) + characteristic[n - k + 1] * one
        adjugate[n - k] = N
        characteristic[n - k] = -sum((W.dot(N))[i, i] for i in range(n)) // k
    result = [Fraction(0)] * (n + 1)
    for j in range(n + 1):
        result[j] = Fraction(float(d)) * characteristic[j] * Fraction(w)**j / Fraction(w)**n
    for j in range(n):
        value = rows.dot(adjugate[j]).dot(columns)[0, 0]
        result[j] += Fraction(int(value), u * v) * Fraction(w)**j / Fraction(w)**(n - 1)
    while result and result[-1] == 0:
        result.pop()
    return result


# ---- systems ---------------------------------------------------------------------------------------------------------


def chain(r, n):
    """Masses on springs with dampers between them, in units in which all is exact: k/c the same, or of two kinds."""
    ratio = r.choice([10.0, 1000.0, 0.5])
    c = r.choice([0.25, 1.0, 2.0], n)
    k = c * np.where(r.random(n) < r.choice([0, 0.3]), 3 * ratio, ratio)
    M = r.choice([0.5, 1.0, 2.0], n)
    links = [(i - 1, i) for i in range(n)]
    K, C = np.zeros((n, n)), np.zeros((n, n))
    for (i, j), stiff, damp in zip(links, k, c):
        for X, x in ((K, stiff), (C, damp)):
            X[j, j] += x
            if i >= 0:
                X[i, i] += x
                X[i, j] -= x
                X[j, i] -= x
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-K / M[:, None], -C / M[:, None]]])
    b, row = np.zeros(2 * n), np.zeros(2 * n)
    b[n] = 1
    row[n - 1 - r.integers(0, min(3, n))] = 1
    return A, b, row, 0.0


def dense(r, n):
    A = r.standard_normal((n, n)) * 10**r.uniform(-1, 3)
    return A, r.standard_normal(n), r.standard_normal(n), r.choice([0.0, 0.0, r.standard_normal()])


def second_order(r, n):
    """General: neither symmetric nor damped in proportion, gyroscopic; free where it says so."""
    M = r.standard_normal((n, n))
    M = M @ M.T + n * np.eye(n)
    K = r.standard_normal((n, n)) * 100
    K = K @ K.T + 10 * r.standard_normal((n, n))
    if r.random() < 0.3:
        K[:, 0] = K[0, :] = 0
    C = r.standard_normal((n, n))
    C = C @ C.T + 5 * (C - C.T)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    b, row = np.zeros(2 * n), np.zeros(2 * n)
    b[n:] = np.linalg.solve(M, r.standard_normal(n))
    row[r.integers(0, 2 * n)] = 1
    if r.random() < 0.4:
        row[:n] = r.standard_normal(n)
    return A, b, row, 0.0


def known(r, n):
    """A companion form with zeros that are given: multiple, at 0, on the axis."""
    factors = [[1, 1], [2, 1], [0, 1], [4, 0, 1], [1, 2], [5, 2, 1], [-3, 1]]
    p = [Fraction(int(r.integers(1, 5)))]
    while True:
        factor = factors[r.integers(0, len(factors))]
        for _ in range(int(r.choice([1, 1, 2, 3]))):
            q = [Fraction(0)] * (len(p) + len(factor) - 1)
            for i, x in enumerate(p):
                for j, y in enumerate(factor):
                    q[i + j] += x * y
            if len(q) > n:
                break
            p = q
        if len(p) > n - 2 or r.random() < 0.2:
            break
    A = np.diag(np.ones(n - 1), 1)
    A[-1] = -r.integers(1, 40, n)
    row = np.array([float(p[k]) if k < len(p) else 0.0 for k in range(n)])
    b = np.zeros(n)
    b[-1] = 1
    return A, b, row, 0.0


def turned(r, n):
    """The same in other states, by whole numbers of determinant 1: what is zero by cancellation stays so."""
    A, b, c, d = known(r, n)
    T, inverse = np.eye(n), np.eye(n)
    for _ in range(n):
        i, j = r.choice(n, 2, replace=False)
        f = float(r.integers(-2, 3))
        T[i] += f * T[j]
        inverse[:, j] -= f * inverse[:, i]
    return T @ A @ inverse, T @ b, c @ inverse, d


FAMILIES = [(chain, 1, 12), (dense, 1, 12), (second_order, 1, 6), (known, 2, 12), (turned, 2, 7)]


class TransmissionZeros(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def response(self, A, b, c, d, b1=None, d1=None):
        n = len(A)
        model = {"schema": "routh-linear/1", "degrees_of_freedom": {"position": 0, "velocity": 0, "control": n},
                 "states": [f"x{k}" for k in range(n)], "units": [""] * n, "inputs": ["u"], "outputs": ["y"],
                 "A": np.array(A).tolist(), "B": [[float(x)] for x in b], "C": [[float(x) for x in c]], "D": [[float(d)]]}
        if b1 is not None:
            model |= {"B1": [[float(x)] for x in b1], "D1": [[float(d1)]]}
        path = os.path.join(self.folder.name, "linear.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(model, file)
        done = subprocess.run([ROUTH, "response", path, "--json", "--over", "0.01:10:3"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["channels"][0]

    def unmatched(self, found, bounds, true):
        """How many of the zeros found have no true one within their bounds, each true one taken once."""
        if not found:
            return 0
        beyond = np.ones((len(found), max(len(true), len(found))))
        for i, (z, bound) in enumerate(zip(found, bounds)):
            for j, t in enumerate(true):
                off = abs(mpmath.mpc(*z) - t)
                beyond[i, j] = off > bound * (1 + mpmath.mpf(10)**-9) + abs(t) * mpmath.mpf(10)**-15
        rows, columns = linear_sum_assignment(beyond)
        return int(beyond[rows, columns].sum())

    def compare(self, seed, channel, p, size):
        """1: told, 0: the program cannot."""
        if "zeros" not in channel:
            self.assertTrue(channel["zeros_why"])
            return 0, 0
        found, bounds = channel["zeros"], channel["zero_bounds"]
        if not p:
            self.assertEqual((found, channel["gain"]), ([], 0), seed)
            return 1, 0
        true = sorted(roots(p), key=abs)
        # what is zero but for rounding leaves zeros at infinity somewhere beyond all
        while len(true) > len(found) and abs(true[-1]) > 1e7 * size:
            true.pop()
        self.assertEqual(len(found), len(true), f"{seed}: {found} {[complex(t) for t in true]}")
        self.assertEqual(self.unmatched(found, bounds, true), 0, f"{seed}: {found} {bounds} {[complex(t) for t in true]}")
        for s in (0.3j * size, 2.7j * size, size * (0.6 + 0.8j), -0.5 * size + 0.1j * size, 1.7 * size):
            product, slack = mpmath.mpf(channel["gain"]), 1e-6
            for z, bound in zip(found, bounds):
                product *= mpmath.mpc(s) - mpmath.mpc(*z)
                slack += bound / abs(s - complex(*z))
            value = sum((mpmath.mpf(x.numerator) / x.denominator) * mpmath.mpc(s)**k for k, x in enumerate(p))
            if slack < 0.1:
                self.assertLessEqual(abs(product - value), 3 * slack * abs(value), seed)
        worst = max([bound / abs(complex(*z)) for z, bound in zip(found, bounds) if z != [0, 0]] or [0])
        return 1, worst

    def test_random_systems(self):
        told, worst = [], {}
        for seed in range(SYSTEMS):
            r = np.random.default_rng(seed)
            family, low, high = FAMILIES[seed % len(FAMILIES)]
            A, b, c, d = family(r, int(r.integers(low, high + 1)))
            with mpmath.workdps(60):
                one, bound = self.compare(f"{family.__name__} {seed}", self.response(A, b, c, d), numerator(A, b, c, d),
                                          float(np.abs(A).max()) or 1)
            told.append(one)
            worst.setdefault(family.__name__, []).append(bound)
        print({name: (f"{np.median(x):.1e}", f"{max(x):.1e}") for name, x in worst.items()}, sum(told), "of", len(told))
        self.assertGreaterEqual(sum(told), 0.97 * len(told))
        for name in ("chain", "dense", "second_order"):
            self.assertLess(np.median(worst[name]), 1e-9)

    def test_the_rate_of_an_input(self):
        """y = c (s I - A)^-1 (b + b1 s) u + (d + d1 s) u: numerator and zeros of both together."""
        for seed in range(12):
            r = np.random.default_rng(1000 + seed)
            A, b, c, d = dense(r, 4)
            b1, d1 = r.standard_normal(4), r.choice([0.0, 1.5])
            p, q = numerator(A, b, c, d), numerator(A, b1, c, d1)
            both = [Fraction(0)] * (max(len(p), len(q) + 1))
            for k, x in enumerate(p):
                both[k] += x
            for k, x in enumerate(q):
                both[k + 1] += x
            with mpmath.workdps(60):
                self.assertEqual(self.compare(seed, self.response(A, b, c, d, b1, d1), both, np.abs(A).max())[0], 1)

    def test_a_long_chain_of_masses_with_stiffness_damping(self):
        """n - 1 zeros at -k/c, and no others: that is the product of c s + k of the links between."""
        for n in (10, 20, 30):
            bodies = "".join(f"  m{k}: {{mass: 1, inertia: [1, 1, 1], position: [{k}, 0, 0]}}\n" for k in range(1, n + 1))
            joints = "".join(f"  j{k}: {{type: translational, between: [m{k}, ground], axis: x, at: [{k}, 0, 0]}}\n"
                             for k in range(1, n + 1))
            loads = "".join(f"  s{k}: {{type: bushing, between: [m{k}, {'ground' if k == 1 else f'm{k - 1}'}], "
                            f"at: [{k}, 0, 0], translation: {{stiffness: [1000, 0, 0], damping: [1, 0, 0]}}}}\n"
                            for k in range(1, n + 1))
            path = os.path.join(self.folder.name, "chain.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"bodies:\n{bodies}joints:\n{joints}loads:\n{loads}")
            words = [ROUTH, "response", path, "--input", "m1.x", "--of", f"m{n}.x", "--over", "0.1:10:3"]
            channel = json.loads(subprocess.run([*words, "--json"], capture_output=True, text=True, check=True).stdout)
            channel = channel["channels"][0]
            self.assertEqual(channel["zero_multiplicities"], [n - 1] * (n - 1))
            self.assertEqual(channel["gain"], 1)
            for z, bound in zip(channel["zeros"], channel["zero_bounds"]):
                self.assertLess(abs(complex(*z) + 1000), min(bound, 1e-6))
            table = subprocess.run(words, capture_output=True, text=True, check=True).stdout
            self.assertIn(f"  zeros -1000 ({n - 1} times) 1/s\n", table)

    def test_what_cannot_be_known(self):
        """Whether the input reaches the output hangs on digits that doubles do not have."""
        x = 1 / 3
        channel = self.response([[-1, 0], [0, -1 - 1e-16]], [1, 1], [x, -x], 0)
        self.assertEqual((channel["zeros"], channel["gain"]), ([], 0))


if __name__ == "__main__":
    unittest.main()
