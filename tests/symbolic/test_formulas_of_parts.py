"""Formulas of models made of parts: certified eigenvalues of a car of four mirrored corners against the numeric ones, joints
along oblique axes, points that are differences of decimals."""
import json
import os
import pathlib
import re
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
EXAMPLES = pathlib.Path(os.environ["ROUTH_SOURCE"], "examples")
# Digits are lost by differences: 0.42 - 0.43, 0.1234567 - 0.7.
OBLIQUE = """
bodies: {arm: {mass: 3, inertia: [0.03, 0.03, 0.05], position: [-0.02, -0.7, 0.43]}}
joints: {hinge: {type: revolute, between: [arm, ground], at: [-0.02, -0.1234567, 0.42], axis: AXIS}}
loads: {spring: {type: torsion_spring, between: [arm, ground], axis: x, stiffness: 3}}
"""


class Formulas(PartsCase):
    def certified(self, text):
        done = self.try_it("symbolic", text, "--certify", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def eigenvalues(self, document):
        return numpy.array([complex(*e["value"]) for e in document["eigenvalues"] for _ in range(e["multiplicity"])])

    def compare(self, text, tolerance):
        exact = self.eigenvalues(self.certified(text))
        numeric = numpy.array([complex(*s) for s in self.run_it("modes", text, "--at", "given")["eigenvalues"]])
        self.assertEqual(len(exact), len(numeric))
        for s in exact:
            self.assertLess(abs(numeric - s).min(), tolerance * abs(s))

    def test_a_car_of_four_corners(self):
        corner = (EXAMPLES / "car/corner.yaml").read_text(encoding="utf-8")
        self.file("corner.yaml", re.sub(r", preload: (load|\[[^]]*\])", "", corner))
        car = (EXAMPLES / "car/car.yaml").read_text(encoding="utf-8")
        car = re.sub(r"gravity: .*", "gravity: [0, 0, 0]", car).replace("type: static", "type: given")
        if EFFORT <= 1:  # the front alone, held at the rear
            car = re.sub(r"\n  rear_.*", "", car).replace("parts:", "joints: {axle: {type: spherical, between: [chassis, ground], "
                                                          "at: [-2.7, 0, 0.4]}}\nparts:")
        self.compare(car, 1e-11)

    def test_a_car_that_is_not_written_in_equilibrium_is_refused_by_its_force(self):
        self.file("corner.yaml", (EXAMPLES / "car/corner.yaml").read_text(encoding="utf-8"))
        done = self.try_it("symbolic", (EXAMPLES / "car/car.yaml").read_text(encoding="utf-8"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("the reference configuration is not an equilibrium", done.stderr)

    def test_joints_along_oblique_axes(self):
        for axis in ([1, 0.02, -0.05], [0.3, -2, 7], [1, 1, 0], [3, 0, -4], [1, 2, 3]):
            with self.subTest(axis=axis):
                self.compare(OBLIQUE.replace("AXIS", str(axis)), 1e-11)


if __name__ == "__main__":
    unittest.main()
