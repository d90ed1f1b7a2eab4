"""routh modes --energies as a user meets it: the sums in the JSON of examples of every kind against the eigenvalues, the
tables, and what is refused."""
import json
import os
import pathlib
import subprocess
import unittest

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])


def routh(*arguments):
    return subprocess.run([ROUTH, *map(str, arguments)], capture_output=True, text=True, check=False)


def example(name):
    return SOURCE / "examples" / f"{name}.yaml"


def total(ways):
    return sum(ways.values())


class Energies(unittest.TestCase):
    def test_sums(self):
        """At rest, spinning, in steady rotation, rolling, with a controller, flexible."""
        for name in ("mcpherson", "rotating-pendulum", "steady-turn", "bicycle", "cart-pendulum-lqr", "cantilever",
                     "three-bladed-rotor", "flexible-blade", "washing-machine"):
            done = routh("modes", example(name), "--energies", "--json", "-q")
            self.assertEqual(done.returncode, 0, done.stderr)
            for mode in json.loads(done.stdout)["modes"]:
                parts = mode["attribution"]
                if mode["rigid"]:
                    self.assertIsNone(parts["closure"])
                    continue
                self.assertLess(parts["closure"], 1e-11, name)
                elements = parts["elements"]
                self.assertAlmostEqual(sum(e["kinetic"] for e in elements), 1, 11, name)
                if mode["eigenvalue"][1] == 0:
                    self.assertTrue(all(e["frequency"]["position"] is None for e in elements))
                else:
                    size = sum(abs(x) for e in elements for x in e["frequency"].values())
                    self.assertLess(abs(sum(total(e["frequency"]) for e in elements) - 1), 1e-11 * size, name)
                if elements[0]["damping"]["rate"] is not None:
                    size = 1 + sum(abs(x) for e in elements for x in e["damping"].values())
                    off = sum(total(e["damping"]) for e in elements) - mode["damping_ratio"]
                    self.assertLess(abs(off), 1e-11 * size, name)
                if parts["participation"][0]["re"] is not None:
                    self.assertAlmostEqual(sum(p["re"] for p in parts["participation"]), 1, 9, name)
                    self.assertAlmostEqual(sum(p["im"] for p in parts["participation"]), 0, 9, name)

    def test_table(self):
        done = routh("modes", example("mcpherson"), "--energies")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        first = lines.index("Attribution of frequency and damping") + 3
        self.assertEqual(lines[first].split()[:3], ["1", "load", "coil"])
        self.assertIn("Participation of states", lines)
        self.assertNotIn("Attribution of", routh("modes", example("mcpherson")).stdout)

    def test_several_points(self):
        done = routh("modes", example("mcpherson"), "--energies", "--json", "-q", "--at", "given", "--at", "static")
        self.assertEqual(done.returncode, 0, done.stderr)
        for point in json.loads(done.stdout)["points"]:
            self.assertIn("attribution", point["modes"][0])

    def test_refusals(self):
        model = example("mcpherson")
        for arguments, says in ((("--csv",), "has no --csv form"), (("--wanted", 2), "needs all modes"),
                                (("--between", "1,2"), "--between")):
            done = routh("modes", model, "--energies", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main()
