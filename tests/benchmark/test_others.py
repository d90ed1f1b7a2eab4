#!/usr/bin/env python3
"""tools/benchmark_others.py computes the same problems by what other programs this Python has, and all agree with the reference."""
import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
PROGRAM = os.environ.get("ROUTH") or str(SOURCE / "build/routh")
sys.path.insert(0, str(SOURCE / "tools"))
import benchmark_others as others  # noqa: E402

FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
SCALE = {"five-pendulums": 9.81 / 0.3}  # whose numbers are omega^2 l/g


class Others(unittest.TestCase):
    def test_every_program_that_is_there_agrees(self):
        """On five pendulums at full effort only: SymPy takes ten seconds for them."""
        problems = [p for p in others.PROBLEMS if FULL or p != "five-pendulums"]
        done = subprocess.run([sys.executable, "-W", "ignore", SOURCE / "tools/benchmark_others.py", "--markdown", "--once",
                               *problems, PROGRAM], capture_output=True, text=True, check=True)
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines()[2:]]
        self.assertEqual([row[0] for row in rows if row[1] == "Routh"], problems)
        for problem, program, digits, _ in rows:
            self.assertTrue(digits and int(digits) >= 9, (problem, program, digits))

    def test_digits_are_those_of_the_worst_number(self):
        self.assertEqual(others.agreed([1.0, 2.0], [1.0, 2.0]), 15)
        self.assertEqual(others.agreed([1.0, 2.002], [1.0, 2.0]), 3)
        self.assertEqual(others.agreed([1.0], [1.0, 2.0]), 0)
        self.assertEqual(others.agreed([-1.0], [1.0]), 0)

    def test_the_references_are_those_of_the_benchmark(self):
        for problem in others.PROBLEMS:
            done = subprocess.run([PROGRAM, "benchmark", "--json", problem], capture_output=True, text=True, check=True)
            there = next(p for p in json.loads(done.stdout)["problems"] if p["name"] == problem)
            known = [value["reference"] * (SCALE.get(problem, 1)) for value in there["values"]]
            for right in others.references(problem):
                powers = (right, math.sqrt(abs(right)))
                self.assertTrue(any(abs(k - r) < 1e-12 * abs(r) for k in known for r in powers), (problem, right, known))


if __name__ == "__main__":
    unittest.main()
