"""The text interface as a user meets it: names, titles, endings of files, commas in functions, warnings of added states."""
import json
import math
import os
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]
BODY = "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
SPRING = "loads: {s: {type: spring, between: [b, wall], stiffness: %s}}\nmarkers: {wall: {body: ground, position: [1, 0, 0]}}\n"


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def file(self, text, name="model.yaml"):
        with open(self.path(name), "w", encoding="utf-8") as to:
            to.write(text)
        return self.path(name)

    def routh(self, *words, status=0):
        done = subprocess.run([ROUTH, *words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def linear(self, text, *words):
        return json.loads(self.routh("linearize", self.file(text), "--json", "-q", *words).stdout)


class ParameterE(Case):
    """`e` is the number 2.718.. where nothing else has the name, and 1e3 a number always."""

    def stiffness(self, text, *words):
        return self.linear(text, *words)["stiffness"][0][0]

    def test_a_parameter_has_the_name(self):
        for k, wanted in (("e", 7), ("2*e + e*e", 63), ("1e3*e", 7000), ("1e1", 10), ("max(e, 1)", 7), ("exp(1)*e/exp(1)", 7)):
            with self.subTest(k):
                self.assertAlmostEqual(self.stiffness("parameters: {e: 7}\n" + BODY + SPRING % k), wanted, 12)
        self.assertAlmostEqual(self.stiffness("parameters: {e: 7}\n" + BODY + SPRING % "e", "--set", "e=3"), 3, 12)

    def test_else_it_is_the_number(self):
        self.assertAlmostEqual(self.stiffness(BODY + SPRING % "e"), math.e, 14)
        self.assertAlmostEqual(self.stiffness("parameters: {q: 2*e}\n" + BODY + SPRING % "q"), 2*math.e, 14)

    def test_in_functions_and_signals(self):
        text = "parameters: {e: 7}\n" + BODY + SPRING % 1 + "outputs: {y: e*DX(b), z: f}\nvariables: {f: 2*e*DX(b)}\n"
        made = self.linear(text)
        x = made["states"].index("b.x") if isinstance(made["states"][0], str) else 0
        self.assertAlmostEqual(made["C"][0][x], 7, 12)
        self.assertAlmostEqual(made["C"][1][x], 14, 12)
        made = self.linear(BODY + SPRING % 1 + "inputs: {e: 0}\nvariables: {d: e - DX(b)}\noutputs: {y: 3*d + 2*e}\n")
        self.assertAlmostEqual(made["D"][0][0], 5, 12)

    def test_in_a_part_it_is_that_of_the_part(self):
        self.file("exports: [b]\n" + BODY + SPRING % "e", "constant.yaml")
        self.file("exports: [b]\nparameters: {e: 5}\n" + BODY + SPRING % "e", "own.yaml")
        for name, wanted in (("constant", math.e), ("own", 5)):
            self.assertAlmostEqual(self.stiffness("parameters: {e: 7}\nparts: {p: {file: %s.yaml}}\n" % name), wanted, 12)
        text = "parameters: {e: 7}\nparts: {p: {file: own.yaml, set: {e: 2*e}}}\n"
        self.assertAlmostEqual(self.stiffness(text), 14, 12)
        self.assertAlmostEqual(self.stiffness(text, "--set", "p.e=4"), 4, 12)

    def test_in_sensitivities_sweeps_studies_and_formulas(self):
        name = self.file("parameters: {e: 8}\n" + BODY + SPRING % "e" +
                         "joints: {t: {type: translational, between: [b, ground], axis: x}}\n")
        made = json.loads(self.routh("sensitivity", name, "--json").stdout)
        self.assertEqual([p["parameter"] for p in made["modes"][0]["by"]], ["e"])
        formula = self.routh("symbolic", name).stdout
        self.assertRegex(formula, r"(?m)\be\b")
        code = {}
        exec(self.routh("symbolic", name, "--format", "python").stdout, code)
        self.assertEqual(code["linear_model"]([5.0])[2][0][0], 5)
        swept = json.loads(self.routh("sweep", name, "--over", "e=2:32:3", "--json").stdout)
        self.assertEqual(swept["parameter"], "e")
        self.assertEqual(json.loads(self.routh("floquet", name, "--period", "1/e", "--no-shooting", "--json").stdout)["period"], 0.125)

    def test_a_circle_is_told(self):
        said = self.routh("modes", self.file("parameters: {e: 2*e}\n" + BODY), status=1).stderr
        self.assertIn("parameter 'e'", said)


class Titles(Case):
    def test_the_name_of_the_file_where_none_is_written(self):
        for name, title in (("quarter.car.yaml", "quarter.car"), ("two words.yml", "two words"), ("j.json", "j")):
            text = BODY if not name.endswith("json") else json.dumps({"bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}}})
            path = self.file(text, name)
            self.assertEqual(self.routh("modes", path).stdout.split("  (")[0], title)
            self.assertEqual(json.loads(self.routh("modes", path, "--json").stdout)["title"], title)
        self.assertTrue(self.routh("modes", self.file("title: A mass\n" + BODY)).stdout.startswith("A mass  ("))

    def test_none_of_standard_input(self):
        done = subprocess.run([ROUTH, "modes", "-"], input=BODY, capture_output=True, text=True, check=True)
        self.assertTrue(done.stdout.startswith("untitled"))


class Endings(Case):
    """Names of files that promise another form are refused, before anything is computed: the model does not even exist."""

    def test_what_is_refused(self):
        there = self.file(BODY)
        for command, words, known in (
                ("modes", [], [".txt", ".json (with --json)", ".csv (with --csv)"]), ("equilibrium", [], [".txt"]), ("check", [], [".txt"]),
                ("linearize", [], [".json", ".mat", ".h5", ".npz", ".csv"]), ("simulate", [], [".h5, .hdf5 or .csv"]), ("report", [], [".html"]),
                ("response", ["--csv"], [".csv"]), ("sweep", ["--over", "k=1:2:3"], [".txt"]), ("symbolic", ["--format", "c"], [".c"]),
                ("sensitivity", ["--json"], [".json"]), ("verify", [], [".txt"])):
            for model in (there, self.path("nothing.yaml")):
                with self.subTest((command, model)):
                    said = self.routh(command, model, *words, "-o", self.path("x.unknown"), status=2).stderr
                    self.assertIn("x.unknown is not known", said)
                    for word in known:
                        self.assertIn(word, said)
                    self.assertFalse(os.path.exists(self.path("x.unknown")))
        for words, hint in ((["x.json"], "add --json"), (["x.csv"], "add --csv"), (["x.csv", "--json"], "ask for --csv"),
                            (["x.json", "--csv"], "ask for --json")):
            said = self.routh("modes", there, *words[1:], "-o", self.path(words[0]), status=2).stderr
            self.assertIn(hint, said)
        for words in (("template", "four-bar"), ("schema",), ("reference",)):
            self.assertIn("give a name that ends in", self.routh(*words, "-o", self.path("x.unknown"), status=2).stderr)

    def test_what_is_written_beside(self):
        there = self.file(BODY)
        for command, option, ending in (("modes", "save-state", ".json"), ("equilibrium", "save-state", ".json"), ("sweep", "svg", ".svg"),
                                        ("response", "svg", ".svg"), ("linearize", "sparsity", ".svg"), ("symbolic", "chart", ".svg"),
                                        ("optimise", "write-model", ".yaml")):
            for model in (there, self.path("nothing.yaml")):
                with self.subTest((command, option, model)):
                    path = self.path("x.unknown")
                    said = self.routh(command, model, "--" + option, path, status=2).stderr
                    self.assertIn(f"option --{option}: the ending of {path} is not known; give a name that ends in {ending}", said)
                    self.assertFalse(os.path.exists(path))
        for name in ("a.json", "without", "run.2"):
            self.routh("modes", there, "--save-state", self.path(name))
            self.assertTrue(os.path.exists(self.path(name)))
        self.routh("modes", there, "--save-state", "/dev/null")

    def test_what_is_written(self):
        there = self.file(BODY)
        for words in (("modes", "a.txt"), ("modes", "without"), ("modes", "run.2"), ("modes", "a.JSON", "--json"), ("modes", "a.csv", "--csv"),
                      ("modes", "b.txt", "--json"), ("linearize", "l.mat"), ("linearize", "l.json", "--json"), ("linearize", ".hidden"),
                      ("linearize", "l.any", "--format", "json"), ("report", "r.htm")):
            with self.subTest(words):
                self.routh(words[0], there, "-o", self.path(words[1]), *words[2:])
                self.assertTrue(os.path.exists(self.path(words[1])))
        self.routh("modes", there, "-o", "/dev/null")


class Commas(Case):
    """YAML parts [max(a, b), 0] at each comma; Routh puts together what stands in parentheses."""

    def test_as_with_quotes(self):
        plain = ("parameters: {a: 1, b: max(2, min(3,  a))}\n"
                 "bodies: {m: {mass: max(a, b), inertia: [max(1, 2), max(a,b), atan2(1, 2) * 3], position: [max(a, b), 0,\n"
                 "   min(a,\n      b)]}}\ninputs: {u: 1}\n"
                 "outputs: {y: {expression: DX(m, ground) + max(0*u, 2), unit: m}, z: AX(m, ground), w: max(u, 0) }\n"
                 "loads: {f: {type: force, on: m, components: [step(u, 0, 0, 2, 5), 2*max(a, min(b, 3)) - 4, 0]}}\n")
        quoted = ('parameters: {a: 1, b: "max(2, min(3,  a))"}\n'
                  'bodies: {m: {mass: "max(a, b)", inertia: ["max(1, 2)", "max(a,b)", "atan2(1, 2) * 3"], position: ["max(a, b)", 0,\n'
                  '   "min(a, b)"]}}\ninputs: {u: 1}\n'
                  'outputs: {y: {expression: "DX(m, ground) + max(0*u, 2)", unit: m}, z: "AX(m, ground)", w: "max(u, 0)"}\n'
                  'loads: {f: {type: force, on: m, components: ["step(u, 0, 0, 2, 5)", "2*max(a, min(b, 3)) - 4", 0]}}\n')
        one, two = self.linear(plain), self.linear(quoted)
        self.assertEqual(one, two)
        self.assertEqual(one["D"][0][0], 0)

    def test_places_in_messages(self):
        for text, place, words in (
                ("bodies: {m: {mass: 1, inertia: [max(1, q), 1, 1]}}", "1:40", "'q' is not known"),
                ("bodies: {m: {mass: max(1,   q), inertia: [1, 1, 1]}}", "1:29", "'q' is not known"),
                ("bodies: {m: {mass: 1, inertia: [max(1, 2, 1, 1]}}", "1:33", "a '(' in 'max(1, 2, 1, 1' is not closed"),
                ("bodies: {m: {mass: max(1, inertia: [1, 1, 1]}}", "1:20", "the parenthesis of 'max(' is not closed"),
                ("bodies: {m: {mass: max(1, 2, inertia: [1, 1, 1]}}", "1:20", "a '(' in 'max(1, 2' is not closed"),
                ("bodies: {m: {mass: max(1, 2), inertia: [1, 1, 1], 3}}", "1:51", "'3'"),
                ("bodies: {m: {mass: 1, inertia: [(1, [2], 1]}}", "1:33", "the parenthesis that opens here"),
                ("bodies: {m: {mass: 1, inertia: [(1" + ", 1" * 5000 + "]}}", "1:33", "10000")):
            with self.subTest(text[:60]):
                said = self.routh("modes", self.file(text), status=1).stderr
                self.assertIn(f":{place}: ", said)
                self.assertIn(words, said)

    def test_rewritten_in_place(self):
        name = self.file("# kept\nparameters: {k: max(1,  2), c: 3} # and this\n" + BODY + SPRING % "k" +
                         "joints: {t: {type: translational, between: [b, ground], axis: x}}\n")
        study = self.file("variables: {k: {between: [max(1, 0.5), 9]}}\ngoals: {f: {frequency: 1, at: sqrt(4/2)/(2*pi)}}\n", "study.yaml")
        done = subprocess.run([ROUTH, "optimise", name, "--study", study, "--write-model", self.path("new.yaml"), "-q"], capture_output=True,
                              text=True, check=False)
        if os.path.exists(self.path("new.yaml")):
            with open(self.path("new.yaml"), encoding="utf-8") as new:
                text = new.read()
            self.assertIn("# kept\n", text)
            self.assertIn("# and this", text)
            self.assertNotIn("2)", text.split("\n")[1])
        else:
            self.fail(done.stderr)


class AddedStates(Case):
    def test_one_line_with_a_switch_for_all(self):
        bodies = "".join(f"  b{k}: {{mass: 1, inertia: [1, 1, 1], position: [{k}, 0, 0]}}\n" for k in range(12))
        name = self.file("bodies:\n" + bodies + "linearize: {states: [b3.x]}\n")
        few = json.loads(self.routh("linearize", name, "--json").stdout)["warnings"]
        self.assertEqual(len([w for w in few if "completed" in w]), 1)
        self.assertTrue(few[0].startswith("the state set was completed by 71 states, as those asked for leave 71 degrees of freedom open: "))
        self.assertTrue(few[0].endswith(" and 65 more, which `details` names"))
        made = json.loads(self.routh("linearize", name, "--json", "--details").stdout)
        whole = made["warnings"][0]
        listed = whole.split("open: ")[1].replace(" and ", ", ").split(", ")
        self.assertEqual(listed, made["states"][1:72])
        one = self.file("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {p: {type: planar, between: [b, ground], axis: z}}\n"
                        "linearize: {states: [b.x, b.y]}\n")
        self.assertIn("state b.rz was added: the states asked for leave 1 degree of freedom open", self.routh("modes", one).stdout)


if __name__ == "__main__":
    unittest.main()
