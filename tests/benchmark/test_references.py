#!/usr/bin/env python3
"""The reference numbers of the benchmark, computed here once more without the program: roots of the beams' equations, zeros of
Laguerre's polynomials, the fall of the four-bars; and the numbers of the papers as they stand in tests/reference."""
import functools
import json
import math
import os
import pathlib
import subprocess
import unittest
from decimal import Decimal, getcontext

SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
PROGRAM = os.environ.get("ROUTH") or str(SOURCE / "build/routh")
getcontext().prec = 40


@functools.cache
def problem(name):
    done = subprocess.run([PROGRAM, "benchmark", "--json", name], capture_output=True, text=True, check=True)
    return {entry["name"]: entry for entry in json.loads(done.stdout)["problems"]}[name]


def references(name, case=None):
    return [value["reference"] for value in problem(name)["values"] if value["case"] == case]


def root(f, low, high):
    """By halving; works for floats and decimals."""
    left = f(low) > 0
    for _ in range(120):
        middle = (low + high) / 2
        if (f(middle) > 0) == left:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def file(name):
    return json.loads((SOURCE / "tests/reference" / name).read_text("utf-8"))


class Beams(unittest.TestCase):
    def compare(self, name, expected, case=None, places=1e-12):
        for found, right in zip(references(name, case), expected, strict=True):
            self.assertLess(abs(found - float(right)), places * abs(float(right)), name)

    def test_clamped_and_free_beams(self):
        for name, sign in (("cantilever-beam", 1), ("free-beam", -1)):
            near = [(k + 0.5 + (sign < 0)) * math.pi for k in range(3)]
            self.compare(name, [root(lambda x, s=sign: math.cos(x) + s / math.cosh(x), x - 0.4, x + 0.4) for x in near])

    def test_a_beam_with_a_mass_at_its_end(self):
        def f(x):
            return 1 / math.cosh(x) + math.cos(x) + x * (math.cos(x) * math.tanh(x) - math.sin(x))

        self.compare("beam-with-tip-mass", [root(f, 1, 1.5), root(f, 3.8, 4.3)])

    def test_becks_column(self):
        """P^2 + 2 w^2 (1 + cosh b cos a) + P w sinh b sin a = 0 has its double root where its least value over w is zero."""
        def f(p, w):
            q = math.sqrt(p * p / 4 + w * w)
            a, b = math.sqrt(q + p / 2), math.sqrt(q - p / 2)
            return p * p + 2 * w * w * (1 + math.cosh(b) * math.cos(a)) + p * w * math.sinh(b) * math.sin(a)

        def least(p):
            low, high = 6.0, 16.0
            for _ in range(200):  # golden section would do; thirds are as good
                left, right = low + (high - low) / 3, high - (high - low) / 3
                if f(p, left) < f(p, right):
                    high = right
                else:
                    low = left
            return f(p, (low + high) / 2)

        self.compare("beck-column", [root(least, 18.0, 22.0)], places=1e-9)

    def test_rotating_beams(self):
        """w'''' = (W^2 (1 - x^2)/2 w')' + omega^2 w in powers of x, as Wright et al. solve it, with 40 digits."""
        def end(speed, square):
            rows = []
            for first in (2, 3):
                c = [Decimal(0)] * 130
                c[first] = Decimal(1)
                for n in range(120):
                    c[n + 4] = (speed ** 2 / 2 * (n + 2) * (n + 1) * c[n + 2]
                                - (speed ** 2 / 2 * n * (n + 1) - square) * c[n]) / ((n + 4) * (n + 3) * (n + 2) * (n + 1))
                rows.append((sum(n * (n - 1) * a for n, a in enumerate(c)),
                             sum(n * (n - 1) * (n - 2) * a for n, a in enumerate(c))))
            return rows[0][0] * rows[1][1] - rows[1][0] * rows[0][1]

        for speed in (0, 1, 2, 3, 4, 5, 6, 12):
            found = references("rotating-beam", f"W = {speed}")
            for value in found:
                square = root(lambda s, w=Decimal(speed): end(w, s), Decimal(value * 0.99) ** 2, Decimal(value * 1.01) ** 2)
                self.assertLess(abs(Decimal(value) - square.sqrt()), Decimal("1e-11"))


class Pendulums(unittest.TestCase):
    def test_zeros_of_laguerres_polynomial(self):
        def laguerre(x):
            return sum((-1) ** k * math.comb(5, k) * x ** k / math.factorial(k) for k in range(6))

        for found in references("five-pendulums"):
            self.assertLess(abs(root(laguerre, found * 0.95, found * 1.05) - found), 6e-13 * max(1, found))

    def test_four_bars_that_fall(self):
        """The time in which two four-bars turn so far, by Simpson's rule: theta'^2 = 1 + 2 G/J (1 - cos theta)."""
        angle = references("four-bar-falling")[0]
        ratio, n = 9.81 * 3.5 / 3, 4000
        f = [1 / math.sqrt(1 + 2 * ratio * (1 - math.cos(angle * k / n))) for k in range(n + 1)]
        time = angle / n / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))
        self.assertLess(abs(time - 0.5), 1e-12)


class Papers(unittest.TestCase):
    def test_the_rotor_and_stator(self):
        for frame, name in (("ground", "rotor-stator"), ("rotor", "rotor-stator-local")):
            lines = [c for c in file("rotor_stator.json")["sweep"] if c["observer"] == frame]
            self.assertEqual(len(lines), 11)
            for line in lines:
                found = references(name, f"{line['speed_hz']:.1f} Hz")
                right = [x for re, im in sorted(line["eigenvalues"], key=lambda s: s[1]) for x in (im, re)]
                for a, b in zip(found, right, strict=True):
                    self.assertLess(abs(a - b), 1e-11 * abs(b))

    def test_the_four_bars(self):
        for line in file("four_bar.json")["cases"]:
            case = f"N = {line['N']}"
            right = {"four-bar": (line["phi"], line["undamped_imaginary"]),
                     "four-bar-damped": (line["damped_imaginary"], line["damped_real"])}
            for name, numbers in right.items():
                for a, b in zip(references(name, case), numbers, strict=True):
                    self.assertLess(abs(a - b), 1e-12 * abs(b))

    def test_the_others(self):
        trom, ge = file("trom.json"), file("ge.json")
        self.assertEqual(references("double-pendulum-rods"), ge["double_pendulum"]["omega_squared"])
        self.assertEqual(references("spring-pendulum"), ge["spring_pendulum"]["omega_squared"])
        for name, key in (("driven-slider", "omega_squared"), ("pendulum-on-rotating-shaft", "omega")):
            right = trom["driven_slider" if name == "driven-slider" else "turning_shaft"][key]
            self.assertLess(abs(references(name)[-1] - right), 1e-11 * right)

    def test_every_table_of_the_papers_has_its_problem(self):
        """What docs/validation.md shows of the papers is in the benchmark, but for lines that it computes by formulas as printed."""
        done = subprocess.run([PROGRAM, "benchmark", "--list", "--json"], capture_output=True, text=True, check=True)
        there = {(entry["source"].split(":")[0], entry["where"]) for entry in json.loads(done.stdout)["problems"]}
        where = " ".join(w for _, w in there if w)
        for table in ("Table 1", "Table 2", "Table 3", "Section 5.1", "Fig. 6", "Fig. 7", "Tables 3.5 and 3.7", "Table 4.1",
                      "section 4.4", "Table 5.1", "(5.1)", "(5.5)", "(55) and (56)", "(59) to (64)", "(20)", "(9)"):
            self.assertIn(table, where)


if __name__ == "__main__":
    unittest.main()
