"""Numbers that are asked of models in other units: goals of studies, bounds of variables, periods, sweeps and charts, in
models in ms and for parameters of parts whose files are in mm, t, s or in ms, against the same in SI."""
import json
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

# f = sqrt(k/m)/2 pi
MODEL = """
units: UNITS
connections: [base]
exports: [b, k, mb, W]
parameters: {k: 400 N/m, mb: 2 kg, ratio: 3, W: 20 rad/s, bare: 5}
bodies: {b: {mass: mb, inertia: [1, 1, 1]}}
joints: {t: {type: translational, between: [b, base], at: [0, 0, 0], axis: x}}
markers: {w: {body: ground, at: [-1, 0, 0]}}
inputs: {u: 0}
loads:
  s: {type: spring, between: [b, w], stiffness: k}
  f: {type: force, on: b, components: [u + 0*W, 0, 0]}
outputs: {x: DX(b)}
"""
FLAT = MODEL.replace("connections: [base]\nexports: [b, k, mb, W]\n", "").replace("base]", "ground]")
WHOLE = "parameters: {mw: 3 kg, own: 20 rad/s}\nparts: {p: {file: part.yaml, connect: {base: ground}}}\n"
GROWS = """
units: UNITS
connections: [base]
exports: [k, W]
parameters: {k: 100 N/m, e: 0.3, W: 20 rad/s}
bodies: {b: {mass: 1 kg, inertia: [1, 1, 1]}}
joints: {t: {type: translational, between: [b, base], at: [0, 0, 0], axis: x}}
loads: {f: {type: force, on: b, components: ["-k*(1 + e*cos(W*time))*DX(b)", 0, 0]}}
operating_point: {type: given}
"""


class Studies(ModelCase):
    def save(self, name, text):
        pathlib.Path(self.path(name)).write_text(text, encoding="utf-8")
        return self.path(name)

    def part(self, units, text=MODEL):
        self.save("part.yaml", text.replace("UNITS", units))
        return WHOLE

    def found(self, model, study):
        """Variables as they are at the end, and the values of goals."""
        at = self.save("study.yaml", study)
        result = json.loads(self.try_it("optimise", model, "--study", at, "--json").stdout)
        return [v["after"] for v in result["variables"]], [g["after"] for g in result["goals"]]

    def refused(self, model, study, *words):
        done = self.try_it("optimise", model, "--study", self.save("study.yaml", study))
        self.assertEqual((done.returncode, done.stdout), (1, ""), study)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_goals_of_frequencies_are_in_hz_whatever_the_unit_of_time(self):
        wanted = 2 * (2 * math.pi * 3) ** 2
        for units, unit in (("[m, kg, s]", 1), ("[m, kg, ms]", 1e6), ("[mm, t, min]", 1 / 3.6)):
            for at in ("3", "3 Hz", "180 rpm/(2*pi)", "0.003 kHz",
                       "0.3*W/(2*pi)*pi"):
                study = f"variables: {{k: {{between: [300 N/m, 2000 N/m]}}}}\ngoals: {{f: {{frequency: 1, at: {at}}}}}\n"
                with self.subTest(units=units, at=at):
                    (k,), (f,) = self.found(FLAT.replace("UNITS", units), study)
                    self.assertAlmostEqual(f, 3, delta=1e-6)
                    scale = {"[m, kg, s]": 1, "[m, kg, ms]": 1e-6, "[mm, t, min]": 3.6}[units]
                    self.assertAlmostEqual(k / scale, wanted, delta=1e-3)

    def test_what_nobody_can_tell_is_refused(self):
        for at, words in (("bare*3", "nothing says what it is of"), ("3 mm", "it is a length"),
                          ("0.02*W + 1", "write it with its unit")):
            study = f"variables: {{k: {{between: [300 N/m, 2000 N/m]}}}}\ngoals: {{f: {{frequency: 1, at: {at}}}}}\n"
            self.refused(FLAT.replace("UNITS", "[m, kg, ms]"), study, words)

    def test_bounds_of_a_parameter_of_a_part_are_in_its_own_units(self):
        whole = self.part("[mm, t, s]")
        goals = "goals: {f: {frequency: 1, at: 3}}\n"
        for between in ("[300 N/m, 2000 N/m], start: 500 N/m", "[0.3, 2]", "[0.3 N/mm, p.k*5]"):
            (k,), _ = self.found(whole, f"variables: {{p.k: {{between: {between}}}}}\n" + goals)
            self.assertAlmostEqual(k, 2e-3 * (2 * math.pi * 3) ** 2, delta=1e-6)
        self.refused(whole, "variables: {p.k: {between: [1 mm, 2 mm]}}\n" + goals, "it is a length, and a value in kg s^-2")

    def test_expressions_are_in_the_units_of_the_model(self):
        """2 kg in a part in t, and 3 kg outside."""
        whole = self.part("[mm, t, s]")
        for expression, at in (("p.mb + mw", "7 kg"), ("p.mb + 3 kg", "7"), ("p.mb + mw", "2*mw + 1 kg"), ("p.mb", "0.004 t")):
            (m,), (value,) = self.found(whole, f"variables: {{p.mb: {{between: [0.001, 0.01]}}}}\n"
                                               f"goals: {{m: {{expression: {expression}, at: {at}}}}}\n")
            self.assertAlmostEqual(m, 0.004, delta=1e-10)
            self.assertAlmostEqual(value, 4 if "+" not in expression else 7, delta=1e-8)
        for goal, words in (("expression: p.mb + mw, at: 7 mm", "it is a length, and a mass is needed"),
                            ("expression: p.bare + mw, at: 7", "the parameter 'p.bare' is in units of [mm, t, s]"),
                            ("peak: p.x, input: p.u, over: [0.5 Hz, 1 Hz], at_most: 20 mm/N", "write a number without a unit")):
            self.refused(whole, f"variables: {{p.mb: {{between: [0.001, 0.01]}}}}\ngoals: {{m: {{{goal}}}}}\n", words)

    def test_periods_of_parts_in_ms(self):
        whole = self.part("[m, kg, ms]", GROWS) + "operating_point: {type: given}\n"
        alone = self.run_it("floquet", whole, "--period-of", "own")
        for given in (("--period-of", "p.W"), ("--period", "2*pi/p.W"), ("--period", "0.1*pi")):
            there = self.run_it("floquet", whole, *given)
            self.assertAlmostEqual(there["period"], math.pi / 10, delta=1e-15)
            for x, y in zip(there["modes"], alone["modes"], strict=True):
                self.assertLess(math.dist(x["multiplier"], y["multiplier"]), 1e-9)
        done = self.try_it("floquet", whole, "--period", "2 mm")
        self.assertIn("it is a length, and a time is needed", done.stderr)

    def test_values_of_sweeps_and_charts(self):
        whole = self.part("[mm, t, s]")
        points = self.run_it("sweep", whole, "--over", "p.k=200 N/m:600 N/m:2")["lines"][0]["points"]
        self.assertEqual([p["value"] for p in points], [0.2, 0.6])
        for option, values in (("--over", "p.k=1 mm:2 mm:3"), ("--over", "p.k=1 N/m, 2 N"), ("--over", "p.W=1 s:2 s:3")):
            done = self.try_it("sweep", whole, option, values)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("correct its unit", done.stderr)
        chart = ("symbolic", whole, "--chart", self.path("c.svg"), "--over", "p.mb=1 kg:3 kg", "--over")
        ticks = []
        for values in ("p.k=100 N/m:500 N/m", "p.k=0.1:0.5"):
            done = self.try_it(*chart, values)
            self.assertEqual(done.returncode, 0, done.stderr)
            ticks.append(pathlib.Path(self.path("c.svg")).read_text(encoding="utf-8"))
        self.assertEqual(ticks[0], ticks[1])
        self.assertIn("is needed", self.try_it(*chart, "p.k=1 mm:2 mm").stderr)


if __name__ == "__main__":
    unittest.main()
