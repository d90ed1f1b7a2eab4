"""Variants of a part: a file that sets parameters of another, a file of the same name in another library, a number that chooses."""
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402

ROUTH = os.environ["ROUTH"]
STRUT = """connections: [root]
exports: [m, k]
parameters: {k: 100, sport: 0, rate: "k*(1 + 3*sport)"}
bodies: {m: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: translational, between: [m, root], at: [0, 0, 0], axis: x}}
loads: {s: {type: bushing, between: [m, root], at: [0, 0, 0], translation: {stiffness: rate}}}
"""
SPORT = "connections: [root]\nexports: [strut.m]\nparts: {strut: {file: strut.yaml, set: {k: 900}, connect: {root: root}}}\n"
ONE = "parts: {p: {file: FILE, connect: {root: ground}}}\n"


class Variants(PartsCase):
    def stiffness(self, text, *options):
        return self.run_it("linearize", text, *options)["stiffness"][0][0]

    def test_a_file_that_sets_parameters_of_another(self):
        self.file("strut.yaml", STRUT)
        self.file("sport.yaml", SPORT)
        self.assertEqual(self.stiffness(ONE.replace("FILE", "strut.yaml")), 100)
        self.assertEqual(self.stiffness(ONE.replace("FILE", "sport.yaml")), 900)

    def test_a_library_with_a_file_of_the_same_name(self):
        for name, k in (("comfort", 100), ("sport", 700)):
            self.file(f"{name}/strut.yaml", STRUT.replace("k: 100", f"k: {k}"))
        model = self.file("car/model.yaml", ONE.replace("FILE", "strut.yaml"))
        for name, frequency in (("comfort", 10), ("sport", 700**0.5)):
            done = subprocess.run([ROUTH, "modes", str(model), "--library", self.path(name), "--csv"], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            head, *lines = [line.split(",") for line in done.stdout.strip().splitlines()]
            self.assertAlmostEqual(abs(float(lines[0][head.index("imaginary")])), frequency, 9)

    def test_a_number_that_chooses(self):
        self.file("strut.yaml", STRUT)
        one = ONE.replace("FILE", "strut.yaml")
        self.assertEqual(self.stiffness(one, "--set", "p.sport=1"), 400)
        model = "parameters: {sport: 0}\n" + one.replace("connect", "set: {sport: sport}, connect")
        self.assertEqual(self.stiffness(model), 100)
        self.assertEqual(self.stiffness(model, "--set", "sport=1"), 400)


if __name__ == "__main__":
    unittest.main()
