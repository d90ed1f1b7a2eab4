"""Ends of optimisations: goals that exclude each other are missed by as little as possible, which closed forms give; an end
where the gradients show no optimum is said to be none."""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]
MASS = ("parameters: {k: 1, c: 0.3}\n"
        "bodies: {m: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {g: {type: translational, between: [m, ground], at: [0, 0, 0], axis: x}}\n"
        "loads: {s: {type: bushing, between: [m, ground], translation: {stiffness: [k, 0, 0], damping: [c, 0, 0]}}}\n")


class Ends(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.model = cls.write("mass.yaml", MASS)
        if "lacks" in cls.run_study("variables: {c: {between: [0.1, 1]}}\ngoals: {a: {damping_ratio: 1, near: 0.1}}\n").stderr:
            print("this build has no NLopt")
            sys.exit(77)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    @classmethod
    def run_study(cls, text):
        return subprocess.run([ROUTH, "optimise", cls.model, "--study", cls.write("study.yaml", text), "--json"],
                              capture_output=True, text=True)

    def test_bounds_that_exclude_each_other_are_missed_least(self):
        """f at least a and at most b < a: (a - f)/a = (f - b)/b at f = 2 a b/(a + b)."""
        for a, b in ((1, 0.3), (0.8, 0.79), (3, 0.2)):
            done = self.run_study("variables: {k: {between: [0.05, 900]}}\n"
                                  f"goals: {{a: {{frequency: 1, at_least: {a}}}, b: {{frequency: 1, at_most: {b}}}}}\n")
            result = json.loads(done.stdout)
            self.assertEqual(done.returncode, 1)
            self.assertIn("smallest violation", done.stderr)
            f = math.sqrt(result["variables"][0]["after"]) / (2 * math.pi)
            self.assertAlmostEqual(f, 2 * a * b / (a + b), 5)
            self.assertAlmostEqual(result["violation"], (a - b) / (a + b), 5)

    def test_more_places_than_variables(self):
        """NLopt refuses more equations than variables; what is missed least has a closed form again."""
        done = self.run_study("variables: {k: {between: [0.5, 100]}}\n"
                              "goals: {a: {frequency: 1, at: 1}, b: {frequency: 1, at: 0.3}}\n")
        self.assertEqual(done.returncode, 1)
        result = json.loads(done.stdout)
        self.assertAlmostEqual(math.sqrt(result["variables"][0]["after"]) / (2 * math.pi), 0.6 / 1.3, 5)

    def test_more_places_than_variables_that_agree(self):
        done = self.run_study("variables: {k: {between: [0.5, 100]}}\n"
                              "goals: {a: {frequency: 1, at: 0.5}, b: {frequency: 1, at: 0.5}}\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(json.loads(done.stdout)["variables"][0]["after"], math.pi**2, 4)

    def test_two_variables(self):
        """Damping ratio c/(2 sqrt(k)) at least 0.6 while c <= 0.5 and the frequency is at least 1 Hz."""
        done = self.run_study("variables: {k: {between: [0.5, 100]}, c: {between: [0.1, 0.5]}}\n"
                              "goals: {a: {frequency: 1, at_least: 1}, b: {damping_ratio: 1, at_least: 0.6}}\n")
        result = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1)
        k, c = (v["after"] for v in result["variables"])
        # the best: c = 0.5, 1 - sqrt(k)/(2 pi) = 1 - c/(2 sqrt(k) 0.6)
        self.assertAlmostEqual(c, 0.5, 5)
        self.assertAlmostEqual(k, 2 * math.pi * 0.5 / 1.2, 3)

    def test_an_optimum_within_all_bounds(self):
        """The gradient itself vanishes there: k = (2 pi f)^2, from far and from the optimum itself; a compromise of two wishes."""
        for start in (1, 9, (2 * math.pi * 0.3)**2):
            done = self.run_study(f"variables: {{k: {{between: [0.05, 900], start: {start!r}}}}}\n"
                                  "goals: {a: {frequency: 1, near: 0.3}}\n")
            result = json.loads(done.stdout)
            self.assertEqual((done.returncode, result["end"]), (0, "converged"), result["message"])
            self.assertLess(result["optimality"], 1e-3)
            self.assertAlmostEqual(result["variables"][0]["after"], (2 * math.pi * 0.3)**2, 5)
        done = self.run_study("variables: {k: {between: [0.05, 90]}}\n"
                              "goals: {a: {frequency: 1, near: 0.3}, b: {expression: (k/4 - 2)^2 + 2, minimise: yes}}\n")
        self.assertEqual(json.loads(done.stdout)["end"], "converged")

    def test_an_end_that_is_no_smooth_optimum_is_said(self):
        """The slowest real part is least where the pair meets: the gradients there show nothing."""
        done = self.run_study("variables: {c: {between: [0.1, 10]}}\ngoals: {a: {real_part: 1, minimise: yes}}\n")
        result = json.loads(done.stdout)
        self.assertGreater(result["optimality"], 0.1)
        self.assertEqual((done.returncode, result["end"]), (1, "not verified"))
        self.assertIn("the gradients do not show an optimum", result["message"])
        self.assertAlmostEqual(result["variables"][0]["after"], 2, 4)


if __name__ == "__main__":
    unittest.main()
