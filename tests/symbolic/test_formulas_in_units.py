"""Formulas of models in units of their own and with parts in such: with the values of the symbols they are the matrices of
routh linearize, and what they are in is named in every notation."""
import json
import pathlib
import re
import sys
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

PART = """{units}
connections: [top]
parameters: {{k: 5 N/mm, mb: {m}, c: 20 N s/m}}
bodies: {{b: {{mass: mb, inertia: [1, 1, 1]}}}}
joints: {{g: {{type: translational, between: [b, top], at: [0, 0, 0], axis: x}}}}
loads: {{s: {{type: bushing, between: [b, top], at: [0, 0, 0], translation: {{stiffness: [k, 0, 0], damping: [c, 0, 0]}}}}}}
"""
WHOLE = """{units}
parameters: {{outer: 160 lbf/in, mass: {mass}}}
bodies: {{a: {{mass: mass, inertia: [1, 1, 1]}}}}
joints: {{g: {{type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}}}
loads: {{s: {{type: bushing, between: [a, ground], at: [0, 0, 0], translation: {{stiffness: [outer, 0, 0]}}}}}}
parts: {{p: {{file: part.yaml, connect: {{top: a}}}}}}
linearize: {{states: [a.x, p.b.x]}}
"""
SYSTEMS = {"": (3, 2), "units: [mm, t, ms]": (0.003, 0.002), "units: [in, lb, min]": (4, 5)}


class FormulasInUnits(ModelCase):
    def model(self, units, of_part):
        with open(self.path("part.yaml"), "w", encoding="utf-8") as file:
            file.write(PART.format(units=of_part, m=SYSTEMS[of_part][1]))
        return WHOLE.format(units=units, mass=SYSTEMS[units][0])

    def test_values(self):
        for units in SYSTEMS:
            for of_part in SYSTEMS:
                with self.subTest(units, part=of_part):
                    text = self.model(units, of_part)
                    numeric = self.run_it("linearize", text)
                    symbols = self.run_it("symbolic", text, "--independent", "a.x,p.b.x")["symbols"]
                    code = self.try_it("symbolic", text, "--independent", "a.x,p.b.x", "--format", "python").stdout
                    made = {}
                    exec(code, made)  # pylint: disable=exec-used
                    listed = re.search("# parameters: (.*)", code).group(1).split(", ")
                    values = {s["name"]: s["value"] for s in symbols}
                    for name, found in zip(("mass", "damping", "stiffness"), made["linear_model"]([values[n] for n in listed])):
                        size = np.abs(numeric[name]).max()
                        np.testing.assert_allclose(found, numeric[name], rtol=0, atol=1e-14 * size, err_msg=name)

    def test_what_they_are_in(self):
        of = {"outer": "[mm, t, ms]", "mass": "[mm, t, ms]", "p.k": "[m, kg, s]", "p.mb": "[m, kg, s]", "p.c": "[m, kg, s]"}
        text = self.model("units: [mm, t, ms]", "")
        self.assertEqual({s["name"]: s["units"] for s in self.run_it("symbolic", text)["symbols"]}, of)
        for notation, comment in (("text", ""), ("latex", "% "), ("c", "// "), ("python", "# "), ("matlab", "% ")):
            with self.subTest(notation):
                done = self.try_it("symbolic", text, "--format", notation)
                (line,) = [each for each in done.stdout.splitlines() if "units:" in each]
                self.assertEqual(line.split(";")[0], comment + "units: values of the formulas in SI")
                found = {name: system for names, system in re.findall(r"; (.*?) in (\[.*?\])", line) for name in names.split(", ")}
                self.assertEqual(found, of)
                self.assertNotIn("units", self.try_it("symbolic", self.model("", ""), "--format", notation).stdout)
                self.assertIn("in SI", self.try_it("symbolic", text, "--symbols", "none", "--format", notation).stdout)


if __name__ == "__main__":
    unittest.main()
