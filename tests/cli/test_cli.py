"""The program routh as its users meet it: commands, options, exit statuses, messages, files."""
import base64
import csv
import io
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = os.path.abspath(os.environ.get("ROUTH", "build/routh"))
SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).parents[2])
MODEL_COMMANDS = ["modes", "linearize", "equilibrium", "check", "report"]
SOMEBODY = 65534


def routh(*args, stdin="", folder=None, program=PROGRAM, **more):
    """Runs the program; stdin is text."""
    return subprocess.run([program, *map(str, args)], input=stdin, capture_output=True, text=True, cwd=folder,
                          timeout=120, **more)


def template(name, *settings):
    done = routh("template", name, *settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def bits(x):
    return struct.pack("<d", float(x))


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.model = self.folder / "slider.yaml"
        self.model.write_text(template("slider-pendulum", "c=20"))

    def good(self, *args, **more):
        done = routh(*args, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, status, *args, **more):
        """One message of one line on standard error, nothing on standard output."""
        done = routh(*args, **more)
        self.assertEqual(done.returncode, status, f"{args}: {done.stderr}")
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Aerror: [^\n]+\n\Z")
        return done.stderr

    def left(self):
        return sorted(file.name for file in self.folder.iterdir())


class Usage(Case):
    def test_without_a_command_the_overview_is_shown_as_an_error(self):
        done = routh()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("routh COMMAND", done.stderr)

    def test_the_overview_names_every_command(self):
        text = self.good("help")
        self.assertEqual(text, self.good("--help"))
        for name in MODEL_COMMANDS + ["sensitivity", "symbolic", "template", "schema", "reference", "version"]:
            self.assertRegex(text, rf"(?m)^  {name}\b")

    def test_every_command_has_a_help_that_names_its_options(self):
        for name in MODEL_COMMANDS + ["template", "schema", "reference"]:
            text = self.good(name, "--help")
            self.assertEqual(text, self.good("help", name))
            self.assertIn("--output FILE", text)
        for option in ("--set", "--at", "--coordinates", "--method", "--reference", "--threads", "--json", "--csv"):
            self.assertIn(option, self.good("help", "modes"))
        self.assertNotIn("--method", self.good("help", "equilibrium"))

    def test_a_misspelt_command_is_suggested(self):
        self.assertIn("did you mean modes?", self.refused(2, "mode"))
        self.assertIn("did you mean linearize?", self.refused(2, "linearise", self.model))
        self.assertIn("routh help", self.refused(2, "frobnicate"))

    def test_a_misspelt_option_is_suggested(self):
        self.assertIn("did you mean --json?", self.refused(2, "modes", self.model, "--jsno"))
        self.assertIn("did you mean --reference?", self.refused(2, "modes", self.model, "--referense=ground"))
        self.assertIn("option --zzz is unknown", self.refused(2, "modes", self.model, "--zzz"))
        self.assertIn("option -x is unknown", self.refused(2, "modes", self.model, "-x"))

    def test_an_old_name_is_answered_with_the_new_one(self):
        self.assertIn("command confirm is unknown; did you mean verify?", self.refused(2, "confirm", self.model))
        self.assertIn("option --confirm is unknown; did you mean --verify?", self.refused(2, "report", self.model, "--confirm"))
        self.assertIn("option --as-given is unknown; did you mean --no-shooting?", self.refused(2, "floquet", self.model, "--as-given"))

    def test_help_has_lines_of_at_most_100_columns(self):
        for name in re.findall(r"^  (?!routh)([a-z]+) ", self.good("help"), re.M):
            for line in self.good("help", name).splitlines():
                self.assertLessEqual(len(line), 100, f"{name}: {line}")

    def test_an_option_of_another_command_is_refused(self):
        self.assertIn("has no option --method", self.refused(2, "equilibrium", self.model, "--method", "augmented"))
        self.assertIn("has no option --json", self.refused(2, "report", self.model, "--json"))

    def test_wrong_values_of_options_are_refused(self):
        for args, piece in [(["--set"], "needs a value"), (["--set", "c"], "NAME=VALUE"), (["--set", "=1"], "NAME=VALUE"),
                            (["--threads", "two"], "whole number"), (["--threads", "-1"], "whole number"),
                            (["--threads", "99999999999999999999"], "whole number"), (["--json=yes"], "no value"),
                            (["--json", "--csv"], "exclude"), (["--at", "statics"], "did you mean static?"),
                            (["--at", "noon"], "given, static or steady"), (["--shapes"], "--json"), (["--branches", "--csv"], "--csv"),
                            (["--coordinates", "polar"], "absolute"), (["--method", "magic"], "augmented"),
                            (["--penalty", "alpha=-1"], "positive"), (["--penalty", "beta=1"], "omega"),
                            (["--penalty", "alpha"], "positive"), (["--penalty", "xi=1,"], "positive"),
                            (["--penalty", "xi=nan"], "positive"),
                            (["--penalty", "xi=2"], "--method penalty"),
                            (["--penalty", "xi=2", "--method", "auto"], "--method penalty")]:
            with self.subTest(args=args):
                self.assertIn(piece, self.refused(2, "modes", self.model, *args))

    def test_an_observer_that_is_no_marker_is_refused_by_name(self):
        self.assertIn("nobody", self.refused(2, "modes", self.model, "--reference", "nobody"))

    def test_a_missing_model_and_a_word_too_many_are_refused(self):
        for name in MODEL_COMMANDS:
            self.assertIn("needs MODEL", self.refused(2, name))
            if name not in ("check", "modes"):
                second = [self.model] if name == "report" else []  # it shows two beside each other
                self.assertIn("slip", self.refused(2, name, self.model, *second, "slip"))

    def test_several_models_are_checked_in_one_run(self):
        other = self.folder / "other.yaml"
        other.write_text(template("four-bar", "N=2"))
        one = [json.loads(self.good("check", model, "--json", "-q")) for model in (self.model, other)]
        both = json.loads(self.good("check", self.model, other, "--json", "-q"))
        self.assertEqual([m["degrees_of_freedom"] for m in both["models"]], [m["degrees_of_freedom"] for m in one])
        self.assertEqual([m["file"] for m in both["models"]], [str(self.model), str(other)])
        done = routh("check", self.model, "slip", other)
        self.assertEqual(done.returncode, 1)
        self.assertIn("slip: the model file cannot be read", done.stderr)
        self.assertEqual(re.findall(r"==== model \d of \d: (.*)", done.stdout), [str(self.model), str(other)])
        twice = routh("check", self.model, self.model, "--set", "k=0", "--set", "phi=0", "--at", "given", "-q")
        self.assertEqual(twice.returncode, 1)
        self.assertEqual(twice.stderr.count(f"{self.model}: "), len(twice.stderr.splitlines()))

    def test_options_may_stand_anywhere_and_in_both_spellings(self):
        want = self.good("modes", self.model, "--csv", "--set", "c=0")
        self.assertEqual(want, self.good("modes", "--set=c=0", "--csv", self.model))
        self.assertEqual(want, self.good("modes", "--csv", "--set=c=0", "--", self.model))

    def test_a_defective_pair_on_the_axis_is_said_to_grow(self):
        """Two equal oscillators, the first driving the second: x2 = t sin(t), at a damping ratio of 0."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "linear.json")
            for damping, note in ((0, "one of 2 equal, defective: may grow with time"), (0.2, "one of 2 equal, defective")):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({"schema": "routh-linear/1", "degrees_of_freedom": {"position": 2, "velocity": 2, "control": 0},
                               "states": ["x", "y", "x'", "y'"], "units": ["m", "m", "m/s", "m/s"],
                               "A": [[0, 0, 1, 0], [0, 0, 0, 1], [-1, 0, -damping, 0], [1, -1, 0, -damping]]}, file)
                done = subprocess.run([PROGRAM, "modes", path], capture_output=True, text=True, check=True)
                self.assertEqual([line.rsplit("; ", 1)[1] for line in done.stdout.splitlines() if "one of 2" in line], 2 * [note])

    def test_a_saved_linear_model_takes_the_place_of_the_model(self):
        want = self.good("modes", self.model, "--csv")
        for name in ("m.json", "m.mat", "m.h5", "m.npz", "m.csv", "folder/"):
            path = f"{self.folder}/{name}"
            self.assertEqual(self.good("linearize", self.model, "--output", path), "")
            self.assertEqual(self.good("modes", path, "--csv"), want)
            self.good("linearize", path, "--output", self.folder / "again.json")
            self.assertEqual((self.folder / "again.json").read_bytes(), (self.folder / "m.json").read_bytes())
        self.good("linearize", self.model, "--format", "npz", "--output", self.folder / "odd name")
        self.assertEqual(self.good("modes", self.folder / "odd name", "--csv"), want)

    def test_what_needs_the_mechanism_is_refused_of_a_linear_model(self):
        saved = self.folder / "m.json"
        self.good("linearize", self.model, "--output", saved)
        for words in (["--set", "c=0"], ["--method", "minimal"], ["--reference", "slider"], ["--wanted", "1"],
                      ["--branches"], ["--at", "static"], ["--threads", "1"]):
            self.assertIn(f"{words[0]} needs a model file", self.refused(2, "modes", saved, *words))
        for name in ("equilibrium", "check", "report"):
            self.assertIn("needs a model file", self.refused(2, name, saved))
        self.assertIn("overwrite", self.refused(2, "linearize", saved, "--output", saved))
        self.assertIn("json, mat, ", self.refused(2, "linearize", saved, "--format", "xml", "--output", "x"))
        self.refused(2, "linearize", saved, "--format", "mat")
        saved.write_text(saved.read_text()[:-100])
        self.assertIn("m.json:", self.refused(1, "modes", saved))

    def test_a_result_may_not_overwrite_its_model(self):
        before = self.model.read_bytes()
        for name in MODEL_COMMANDS:
            self.assertIn("overwrite the model", self.refused(2, name, self.model, "--output", self.model))
        page = self.folder / "odd.html"
        page.write_bytes(before)
        self.refused(2, "report", page, folder=self.folder)
        self.assertEqual((self.model.read_bytes(), page.read_bytes()), (before, before))


class Faults(Case):
    def test_a_file_that_cannot_be_read_is_named(self):
        self.assertIn("none.yaml", self.refused(1, "modes", self.folder / "none.yaml"))
        self.assertIn(str(self.folder), self.refused(1, "modes", self.folder))

    def test_a_wrong_model_is_told_with_file_line_and_element(self):
        text = self.model.read_text()
        broken = self.folder / "broken.yaml"
        broken.write_text(text.replace("mass:", "mas:", 1))
        line = 1 + broken.read_text().split("mas:")[0].count("\n")
        for name in MODEL_COMMANDS:
            message = self.refused(1, name, broken, folder=self.folder)
            self.assertRegex(message, rf"\Aerror: {re.escape(str(broken))}:{line}:\d+: ")
            self.assertIn("mass", message)
        self.assertEqual(self.left(), ["broken.yaml", "slider.yaml"])

    def test_a_parameter_that_is_not_there_is_refused_by_name(self):
        self.assertIn("cc", self.refused(1, "modes", self.model, "--set", "cc=1"))

    def test_a_value_that_is_no_expression_is_refused(self):
        self.assertIn("c", self.refused(1, "modes", self.model, "--set", "c=2*"))


class Template(Case):
    def test_the_templates_are_listed_with_a_line_each(self):
        lines = self.good("template").splitlines()
        names = [line.split()[0] for line in lines]
        for name in ("rotor-stator", "four-bar", "slider-pendulum", "rotating-pendulum", "spatial-four-bar",
                     "pendulum-chain", "mcpherson", "flexible-double-pendulum", "blade-segments"):
            self.assertIn(name, names)
        self.assertTrue(all(len(line.split()) > 3 for line in lines))

    def test_a_template_is_shaped_by_its_settings_and_written_to_a_file(self):
        file = self.folder / "bars.yaml"
        self.assertEqual(self.good("template", "four-bar", "N=3", "-o", file), "")
        self.assertEqual(file.read_text(), template("four-bar", "N=3"))
        self.assertNotEqual(file.read_text(), template("four-bar", "N=2"))

    def test_wrong_names_and_settings_are_refused(self):
        self.assertIn("four-bar", self.refused(2, "template", "fourbar"))
        self.assertIn("KEY=VALUE", self.refused(2, "template", "four-bar", "N"))
        self.assertIn("Nn", self.refused(2, "template", "four-bar", "Nn=2"))
        self.assertIn("some", self.refused(2, "template", "four-bar", "N=some"))

    def test_schema_and_reference_are_written(self):
        self.assertIn("properties", json.loads(self.good("schema")))
        self.assertIn("# ", self.good("reference"))


class Results(Case):
    def modes(self, *args, **more):
        return json.loads(self.good("modes", self.model, "--json", *args, **more))

    def test_json_holds_what_the_contract_says(self):
        data = self.modes()
        self.assertEqual((data["coordinates"], data["method"], data["reference"]), ("absolute", "augmented", "ground"))
        self.assertEqual(data["degrees_of_freedom"], {"position": 2, "velocity": 2, "control": 0})
        self.assertLess(data["residual"], 1e-9)
        self.assertTrue(data["at_rest"])
        self.assertEqual([mode["eigenvalue"] for mode in data["modes"]], data["eigenvalues"])
        self.assertEqual([len(data["eigenvalues"]), len(data["states"])], [4, 4])

    def test_a_mechanism_that_cannot_move_is_said_to_be_fixed_by_its_joints(self):
        self.model.write_text("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {weld: {type: fixed, between: [b, ground]}}\n")
        for command in ("modes", "linearize"):
            self.assertIn("Its joints fix every body: free one of them.\n", self.good(command, self.model))
        self.assertEqual(self.modes()["modes"], [])

    def test_eigenvalues_are_sorted_by_modulus_then_imaginary_part_and_paired(self):
        data = self.modes()
        values = [complex(*z) for z in data["eigenvalues"]]
        for a, b in zip(values, values[1:]):
            self.assertTrue(abs(a) < abs(b) * (1 - 1e-12) or a.imag <= b.imag, values)
        for value, mode in zip(values, data["modes"]):
            self.assertEqual(values[mode["conjugate"]], value.conjugate())

    def test_frequencies_and_damping_follow_from_the_eigenvalue(self):
        for mode in self.modes()["modes"]:
            s = complex(*mode["eigenvalue"])
            self.assertAlmostEqual(mode["undamped_frequency_hz"], abs(s) / (2 * math.pi), delta=1e-14)
            self.assertAlmostEqual(mode["damped_frequency_hz"], abs(s.imag) / (2 * math.pi), delta=1e-14)
            self.assertAlmostEqual(mode["damping_ratio"], -s.real / abs(s), delta=1e-14)

    def test_an_undamped_mode_has_no_negative_zero(self):
        spring = self.folder / "spring.yaml"
        spring.write_text("bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"
                          "joints:\n  r: {type: translational, between: [a, ground], axis: x}\n"
                          "loads:\n  s: {type: force, on: a, components: [\"-4*DX(a) - c*VX(a)\", 0, 0]}\n"
                          "parameters: {c: 0}\n")
        for form in ["--csv", "--json"]:
            self.assertNotRegex(self.good("modes", spring, form), r"(^|[,: \[])-0([,}\]\s]|$)")

    def test_a_mechanism_without_freedom_has_nothing_to_verify(self):
        still = self.folder / "still.yaml"
        still.write_text("bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"
                         "joints:\n  f: {type: fixed, between: [a, ground]}\n")
        self.assertRegex(self.good("verify", still), r"redundant equations +none\n\n0 confirmed, 0 not seen, 0 contra")
        self.assertNotIn("experiment", json.loads(self.good("verify", still, "--json")))

    def test_energies_are_fractions_of_one(self):
        for mode in self.modes()["modes"]:
            for kind in ("kinetic", "strain", "dissipation"):
                self.assertAlmostEqual(sum(mode["energies"][kind].values()), 1, delta=1e-5)

    def test_the_closed_form_of_the_slider_and_pendulum_is_found(self):
        want = [complex(-0.2262843110604194, 3.023550453990885), complex(-0.3121772274011190, 0.7478154173420137)]
        values = [complex(*z) for z in self.modes()["eigenvalues"]]
        for w in want:
            self.assertLess(min(abs(w - z) for z in values), 1e-9)

    def test_a_parameter_is_set_by_an_expression(self):
        self.assertNotEqual(self.modes()["eigenvalues"], self.modes("--set", "c=0")["eigenvalues"])
        self.assertEqual(self.modes()["eigenvalues"], self.modes("--set", "c=2*10")["eigenvalues"])

    def test_the_last_of_two_settings_or_a_clear_refusal(self):
        done = routh("modes", self.model, "--json", "--set", "c=0", "--set", "c=20")
        if done.returncode == 0:
            self.assertEqual(json.loads(done.stdout)["eigenvalues"], self.modes()["eigenvalues"])
        else:
            self.assertIn("c", done.stderr)

    def test_the_model_is_read_from_standard_input(self):
        data = json.loads(self.good("modes", "-", "--json", stdin=self.model.read_text()))
        self.assertEqual(data["eigenvalues"], self.modes()["eigenvalues"])

    def test_csv_has_the_numbers_of_json_to_the_last_bit(self):
        rows = list(csv.DictReader(io.StringIO(self.good("modes", self.model, "--csv"))))
        data = self.modes()
        self.assertEqual(len(rows), len(data["modes"]))
        for row, mode in zip(rows, data["modes"]):
            self.assertEqual([bits(row["real"]), bits(row["imaginary"])], [bits(x) for x in mode["eigenvalue"]])
            self.assertEqual(bits(row["damping_ratio"]), bits(mode["damping_ratio"]))

    def test_the_linear_model_is_told_alike_by_json_and_csv(self):
        data = json.loads(self.good("linearize", self.model, "--json"))
        n = len(data["states"])
        self.assertEqual([len(row) for row in data["A"]], [n] * n)
        self.assertEqual((data["inputs"], data["outputs"], data["B"], data["C"], data["D"]), ([], [], [[]] * n, [], []))
        rows = list(csv.reader(io.StringIO(self.good("linearize", self.model, "--csv"))))
        self.assertEqual(rows[0][2:], data["states"])
        self.assertEqual({len(row) for row in rows}, {n + 2})
        for name in ("A", "mass", "damping", "stiffness"):
            told = [[bits(x) for x in row[2:] if x] for row in rows[1:] if row[0] == name]
            self.assertEqual(told, [[bits(x) for x in row] for row in data[name]], name)

    def test_the_equilibrium_is_told_by_table_json_and_csv(self):
        data = json.loads(self.good("equilibrium", self.model, "--json"))
        self.assertEqual(data["type"], "static")
        rows = list(csv.DictReader(io.StringIO(self.good("equilibrium", self.model, "--csv"))))
        for body in data["bodies"]:
            row = next(r for r in rows if (r["of"], r["name"], r["quantity"]) == ("body", body["name"], "position"))
            self.assertEqual([bits(row[k]) for k in "xyz"], [bits(x) for x in body["position"]])
        table = self.good("equilibrium", self.model)
        for thing in data["bodies"] + data["joints"] + data["loads"]:
            self.assertRegex(table, rf"(?m)^  {thing['name']} ")

    def test_the_operating_point_can_be_chosen(self):
        self.assertEqual(self.modes("--at", "given")["operating_point"]["type"], "given")
        self.assertEqual(self.modes("--at", "static")["operating_point"]["type"], "static")

    def test_the_table_has_a_line_for_every_pair(self):
        table = self.good("modes", self.model)
        self.assertRegex(table, r"(?m)^     1 +-0\.3121772\d* +\+-0\.74781542 ")
        self.assertRegex(table, r"(?m)^     2 +-0\.2262843\d* +\+-3\.0235505 ")
        self.assertNotRegex(table, r"(?m)^     3 ")
        self.assertTrue(table.isascii())

    def test_a_saved_state_is_taken_up_again_to_the_last_bit(self):
        state, again = self.folder / "state.json", self.folder / "again.json"
        moving = self.folder / "turning.yaml"
        moving.write_text(template("rotor-stator", "spin=6"))
        for model, more in ((self.model, ()), (moving, ()), (moving, ("--coordinates", "relative"))):
            want = self.good("modes", model, "--csv", "--save-state", state, *more)
            self.assertEqual(self.good("modes", model, "--csv", "-q", "--at", state, *more), want)
            self.good("equilibrium", model, "--at", state, "--save-state", again, *more)
            a, b = json.loads(state.read_text()), json.loads(again.read_text())
            self.assertEqual(a["coordinates"], b["coordinates"])
            for command in ("equilibrium", "linearize", "modes"):
                self.good(command, model, "--at", state, *more)
        self.assertIn("given state", self.good("equilibrium", moving, "--at", state))

    def test_settings_count_above_the_inputs_of_a_saved_state(self):
        model, path = self.folder / "pushed.yaml", self.folder / "state.json"
        model.write_text('''
parameters: {force: 0, twice: 2*force, other: 1}
bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
inputs: {push: twice, aside: other}
joints: {s: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}
loads: {f: {type: force, on: a, components: [push, 5*aside, 0]}}
operating_point: {type: given}
''')

        def inputs(*arguments):
            text = self.good("equilibrium", model, "--json", *arguments)
            return {s["name"]: s["value"] for s in json.loads(text)["signals"] if s["kind"] == "input"}

        self.assertEqual(inputs("--set", "other=7", "--save-state", path), {"push": 0, "aside": 7})
        self.assertEqual(inputs("--at", path), {"push": 0, "aside": 7})
        self.assertEqual(inputs("--at", path, "--set", "force=3"), {"push": 6, "aside": 7})
        self.assertEqual(inputs("--at", path, "--set", "other=2"), {"push": 0, "aside": 2})
        said = self.good("equilibrium", model, "--at", path, "--set", "force=3")
        self.assertIn("input push is 6, which follows from a parameter that was set", said)
        self.assertNotIn("which follows", self.good("equilibrium", model, "--at", path, "--set", "other=7"))

    def test_a_state_that_does_not_fit_is_refused_or_moved_as_far_as_allowed(self):
        path = self.folder / "state.json"
        self.good("equilibrium", self.model, "--save-state", path)
        state = json.loads(path.read_text())
        del state["coordinates"]
        state["bodies"][0]["position"][0] += 1e-3
        path.write_text(json.dumps(state))
        self.assertIn("does not satisfy the joints", self.refused(1, "modes", self.model, "--at", path))
        self.assertIn("was changed", self.good("modes", self.model, "--at", path, "--fit", "0.1"))
        changes = json.loads(self.good("equilibrium", self.model, "--at", path, "--fit", "0.1", "--json"))["changes"]
        self.assertTrue(1e-4 < max(c["moved"] for c in changes) <= 1e-3)
        state["bodies"][0]["mass"] = 1
        path.write_text(json.dumps(state))
        self.assertIn("bodies[0]: \"mass\" is no member", self.refused(1, "modes", self.model, "--at", path))

    def test_several_models_in_one_run(self):
        other = self.folder / "chain.yaml"
        other.write_text(template("pendulum-chain", "n=3"))
        broken = self.folder / "broken.yaml"
        broken.write_text("bodies: {")
        one = [json.loads(self.good("modes", m, "--json", "-q")) for m in (self.model, other)]
        both = json.loads(self.good("modes", self.model, other, "--json", "-q"))
        self.assertEqual(both, {"models": one})
        rows = list(csv.DictReader(io.StringIO(self.good("modes", other, other, "--csv", "-q"))))
        self.assertEqual([row["model"] for row in rows], 12 * [str(other)])
        done = routh("modes", self.model, broken, other, "--wanted", "5")
        self.assertEqual(done.returncode, 2)  # the slider has four
        self.assertIn(f"==== model 1 of 1: {other}", done.stdout)
        said = done.stderr.splitlines()
        self.assertEqual(len(said), 2)
        self.assertTrue(said[0].startswith(f"error: {self.model}: 5 eigenvalues are requested"), said[0])
        self.assertTrue(said[1].startswith(f"error: {broken}:"), said[1])
        for words, hint in ((["-", other], "standard input"), ([other, other, "--save-state", "x.json"], "--save-state"),
                            ([other, self.model, "--output", self.model], "overwrite")):
            self.assertIn(hint, self.refused(2, "modes", *words))

    def test_several_operating_points_in_one_run(self):
        points = ("--at", "given", "--at", "static")
        one = [self.good("modes", self.model, "--at", at, "--json") for at in ("given", "static")]
        both = json.loads(self.good("modes", self.model, *points, "--json"))
        self.assertEqual(both, {"points": [json.loads(text) for text in one]})
        rows = list(csv.DictReader(io.StringIO(self.good("modes", self.model, *points, "--csv"))))
        self.assertEqual([row["at"] for row in rows], ["given"] * 4 + ["static"] * 4)
        table = self.good("linearize", self.model, *points)
        self.assertEqual(table.count("==== operating point"), 2)
        self.assertIn(self.good("linearize", self.model, "--at", "static"), table)
        self.good("equilibrium", self.model, *points)
        for args in (["report"], ["linearize", "--sparsity", "x.svg"], ["linearize", "--output", "x.mat"],
                     ["modes", "--save-state", "x.json"], ["check"]):
            with self.subTest(args=args):
                self.assertIn("--at", self.refused(2, args[0], self.model, *args[1:], *points, folder=self.folder))
        self.assertEqual(self.left(), ["slider.yaml"])

    def test_points_on_the_motion(self):
        at = json.loads(self.good("modes", self.model, "--json", "-q", "--from", "given", "--at", "time=0,0.25", "--at", "time=0.5"))
        self.assertEqual([p["operating_point"]["time"] for p in at["points"]], [0, 0.25, 0.5])
        start = self.folder / "start.json"
        self.good("equilibrium", self.model, "--from", "given", "--at", "time=0.25", "--save-state", start)
        self.assertEqual(json.loads(start.read_text())["time"], 0.25)
        whole = json.loads(self.good("equilibrium", self.model, "--json", "--from", "given", "--at", "time=0.5"))
        rest = json.loads(self.good("equilibrium", self.model, "--json", "--from", start, "--at", "time=0.5"))
        for a, b in zip(whole["bodies"], rest["bodies"]):
            for x, y in zip(a["position"] + a["velocity"], b["position"] + b["velocity"]):
                self.assertAlmostEqual(x, y, delta=1e-4)
        for args, piece in [(["time=1,0"], "must increase"), (["time=x"], "time=0,0.5,2"), (["time="], "time=0,0.5,2"),
                            (["time=1,"], "time=0,0.5,2"), (["time=nan"], "time=0,0.5,2"), (["time=-1"], "after --at time="),
                            (["given", "--from", "given"], "--from needs --at"), (["time=1", "--from", "time=0"], "--from takes"),
                            (["tim=1"], "time=T")]:
            with self.subTest(args=args):
                self.assertIn(piece, self.refused(2, "modes", self.model, "--at", *args))

    def test_redundant_rows_are_named_and_counted(self):
        self.model.write_text(template("four-bar", "N=3"))
        self.assertEqual(len(self.modes()["operating_point"]["redundant"]), 9)
        self.assertIn("... and 4 more", self.good("modes", self.model))

    def test_a_check_whose_answers_are_all_yes_ends_with_status_0(self):
        data = json.loads(self.good("check", self.model, "--json"))
        self.assertEqual(data["verdict"], "yes")
        self.assertEqual({a["verdict"] for a in data["answers"]}, {"yes"})
        *cells, exact = data["cells"]
        self.assertEqual((exact["coordinates"], exact["method"]), ("natural", "symbolic"))
        self.assertIn(exact["state"], ("compared", "refused", "left out"))
        self.assertEqual(cells[0]["state"], "reference")
        self.assertEqual({c["verdict"] for c in cells[1:]}, {"yes"})
        sets, methods = {c["coordinates"] for c in cells}, {c["method"] for c in cells}
        self.assertEqual(len(cells), len(sets) * len(methods))
        help_text = self.good("help", "modes")
        for name in sets | {m.partition(":")[0] for m in methods}:
            self.assertIn(name, help_text)
        done = routh("check", self.model)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.endswith("All answers are yes.\n"))
        self.assertTrue(done.stdout.isascii())

    def test_a_check_with_an_answer_no_ends_with_status_1_and_says_which(self):
        self.model.write_text(template("four-bar"))
        line = ("check", self.model, "--set", "k=0", "--set", "phi=0", "--at", "given")
        done = routh(*line)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Aerror: regular: no: [^\n]*singular[^\n]*\n\Z")
        self.assertIn("No: regular", done.stdout)
        self.assertEqual(json.loads(routh(*line, "--json").stdout)["verdict"], "no")

    def test_a_check_that_cannot_tell_ends_with_status_0_and_says_so(self):
        self.model.write_text(template("four-bar"))
        line = ("check", self.model, "--set", "k=0", "--set", "phi=1e-8", "--at", "given")
        done = routh(*line)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"\Anote: [^\n]*cannot tell[^\n]*\n\Z")
        self.assertIn("Cannot tell: regular", done.stdout)
        self.assertEqual(routh(*line, "--quiet").stderr, "")

    def test_a_check_takes_no_choice_of_coordinates_and_method(self):
        self.assertIn("has no option --method", self.refused(2, "check", self.model, "--method", "augmented"))
        self.assertIn("has no option --csv", self.refused(2, "check", self.model, "--csv"))

    def test_branches_of_a_singular_configuration_are_told_by_table_and_json(self):
        self.model.write_text(template("four-bar"))
        line = ("--set", "k=0", "--set", "down=0", "--set", "phi=0", "--branches")
        table = self.good("modes", self.model, *line)
        self.assertIn("forces of joints foot_0, foot_1, left_1 and right_1 are not determined", " ".join(table.split()))
        self.assertIn("Branches of motion that meet here", table)
        self.assertIn("+-3.8360136", table)
        branches = self.modes(*line)["branches"]
        self.assertTrue(branches["singular"] and branches["all"])
        self.assertEqual(branches["undetermined"], ["foot_0", "foot_1", "left_1", "right_1"])
        found = [branch["eigenvalues"][1][1] for branch in branches["found"]]
        for value, expected in zip(found, [3.431034829319, 3.836013555763], strict=True):
            self.assertAlmostEqual(value, expected, delta=1e-11)
        self.assertEqual([row["body"] for row in branches["found"][0]["directions"][0]],
                         ["crank_0", "crank_1", "coupler_1"])

    def test_a_regular_configuration_has_no_branches(self):
        self.assertIn("No branches of motion", self.good("modes", self.model, "--branches"))
        self.assertEqual(self.modes("--branches")["branches"]["found"], [])
        self.assertNotIn("branches", self.modes())

    def test_branches_are_refused_where_something_moves_or_is_out_of_balance(self):
        rotor, bars = self.folder / "rotor.yaml", self.folder / "bars.yaml"
        rotor.write_text(template("rotor-stator"))
        bars.write_text(template("four-bar"))
        self.assertIn("moves; use --at static", self.refused(2, "modes", rotor, "--branches"))
        self.assertIn("of the largest force", self.refused(2, "modes", bars, "--at", "given", "--branches"))

    def test_auto_says_what_it_chose(self):
        self.assertIn("minimal:sparse (chosen by auto)", self.good("modes", self.model, "--method", "auto"))
        told = json.loads(self.good("modes", self.model, "--method", "auto", "--json"))
        self.assertEqual((told["method"], told["method_by_auto"]), ("minimal:sparse", True))
        self.assertNotIn("method_by_auto", json.loads(self.good("modes", self.model, "--json")))

    def test_sparsity_is_drawn_in_place_of_the_linear_model(self):
        picture = self.folder / "sparsity.svg"
        self.assertEqual(self.good("linearize", self.model, "--coordinates", "relative", "--sparsity", picture), "")
        drawn = xml.etree.ElementTree.fromstring(picture.read_text())
        texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
        for words in ("Slider and pendulum", "[M G'; G 0]", "A - s E", "2 x 2, 4 entries"):
            self.assertIn(words, texts)
        self.assertEqual(self.good("linearize", self.model, "--coordinates=relative", "--sparsity=-"),
                         picture.read_text())
        self.assertIn("overwrite the model", self.refused(2, "linearize", self.model, "--sparsity", self.model))
        self.assertIn("replaces the linear model", self.refused(2, "linearize", self.model, "--sparsity", "x.svg", "--json"))
        self.assertIn("has no option --sparsity", self.refused(2, "modes", self.model, "--sparsity", "x.svg"))

    def test_shapes_are_written_where_asked_for(self):
        self.assertNotIn("shape", self.modes()["modes"][0])
        shape = self.modes("--shapes")["modes"][0]["shape"]
        self.assertAlmostEqual(max(max(map(abs, row["motion"])) for row in shape), 1, delta=1e-12)
        self.assertNotIn("nodes", self.modes("--shapes")["modes"][0])

    def test_shapes_of_flexible_bodies_are_those_of_their_nodes(self):
        example = SOURCE / "examples/flexible-double-pendulum.yaml"
        mode = json.loads(self.good("modes", example, "--json", "--shapes"))["modes"][0]
        first = {row["body"]: row["motion"] for row in reversed(mode["nodes"])}
        frames = {row["marker"]: row["motion"] for row in mode["shape"]}
        for body in ("link1", "link2"):
            for a, b in zip(first[body], frames[body]):
                self.assertAlmostEqual(a, b, delta=1e-12)

    def test_a_larger_penalty_has_a_smaller_error(self):
        bounds = [max(mode["error_bound"] for mode in self.modes("--method", "penalty", *more)["modes"])
                  for more in ([], ["--penalty", "alpha=1e8,xi=0.7"])]
        self.assertGreater(bounds[0], 10 * bounds[1])

    def test_a_method_that_is_too_small_for_the_mechanism_names_one_that_is_not(self):
        chain = self.folder / "chain.yaml"
        chain.write_text(template("pendulum-chain", "n=501"))
        for method, other in (("minimal:qr", "minimal:sparse"), ("redundant", "--wanted"), ("penalty", "augmented")):
            told = self.refused(1, "modes", chain, "--method", method)
            self.assertIn(method, told)
            self.assertIn(other, told)

    def test_wanted_eigenvalues_are_the_nearest_of_all(self):
        chain = self.folder / "chain.yaml"
        chain.write_text(template("pendulum-chain", "n=12"))
        every = json.loads(self.good("modes", chain, "--json"))
        self.assertIsNone(every["wanted"])
        few = json.loads(self.good("modes", chain, "--method", "redundant", "--wanted", "6", "--json"))
        self.assertEqual((few["wanted"]["count"], len(few["modes"])), (6, 6))
        region, = few["wanted"]["regions"]
        self.assertEqual((region["near"], region["counted"]), ([0, 0], "inertia"))
        self.assertTrue(4.02 < region["radius"] < 5.64)
        for found, expected in zip(few["eigenvalues"], every["eigenvalues"]):
            self.assertAlmostEqual(found[0], expected[0], delta=1e-9)
            self.assertAlmostEqual(found[1], expected[1], delta=1e-9)
        self.assertTrue(all(mode["residual"] <= 1e-9 and mode["condition"] is None for mode in few["modes"]))
        self.assertIn("6 of 24, those nearest to 0 1/s", self.good("modes", chain, "--wanted=6"))
        self.assertEqual(len(self.good("modes", chain, "--wanted", "6", "--csv").splitlines()), 7)
        near = json.loads(self.good("modes", chain, "--wanted", "2", "--near", "-1.5", "--json"))
        self.assertEqual(near["wanted"]["regions"][0]["near"], [-1.5, 0])
        self.assertEqual(near["wanted"]["regions"][0]["counted"], "winding number")
        several = json.loads(self.good("modes", chain, "--wanted", "2", "--near", "5i,-0.1+4i", "--near=9i", "--json"))
        self.assertEqual([region["near"] for region in several["wanted"]["regions"]], [[0, 5], [-0.1, 4], [0, 9]])
        self.assertEqual(len(several["modes"]), 6)
        self.assertIn("those nearest to 3 numbers",
                      self.good("modes", chain, "--wanted=2", "--uncounted", "--near", "5i,-0.1+4i,9i"))
        between = self.good("modes", chain, "--between", "0.3,1Hz")
        self.assertIn("6 of 24", between)
        self.assertIn("all between 0.3 and 1 Hz, by inertia", between)

    def test_wanted_goes_with_what_it_can(self):
        for words, hint in ((["--near", "1"], "--wanted"), (["--wanted", "2", "--method", "minimal"], "redundant"),
                            (["--wanted", "2", "--shapes", "--json"], "--shapes"),
                            (["--wanted", "2", "--near", "here"], "number"), (["--wanted", "2", "--near", "5i+"], "5i"),
                            (["--wanted", "2", "--between", "0,1"], "leave out --wanted"), (["--uncounted"], "--wanted"),
                            (["--wanted", "few"], "whole number")):
            self.assertIn(hint, self.refused(2, "modes", self.model, *words))
        self.assertIn("has 4", self.refused(2, "modes", self.model, "--wanted", "5"))
        rotor = self.folder / "rotor.yaml"
        rotor.write_text(template("rotor-stator"))
        self.assertIn("--wanted N", self.refused(2, "modes", rotor, "--between", "0,1"))

    def test_wanted_goes_with_motion(self):
        rotor = self.folder / "rotor.yaml"
        rotor.write_text(template("rotor-stator"))
        some = json.loads(self.good("modes", rotor, "--wanted", "4", "--json"))
        every = json.loads(self.good("modes", rotor, "--json"))
        self.assertEqual(some["zero_eigenvalues"], 2)
        self.assertTrue(some["steady"])
        for got, right in zip(some["eigenvalues"], every["eigenvalues"]):
            self.assertAlmostEqual(got[1], right[1], delta=1e-12)

    def test_modes_of_matrices_from_files(self):
        mass, stiffness, damping = (self.folder / name for name in ("M.mtx", "K.mtx", "C.mtx"))
        head = "%%MatrixMarket matrix coordinate real symmetric\n3 3 "
        mass.write_text(head + "3\n1 1 1\n2 2 1\n3 3 1\n")
        stiffness.write_text(head + "3\n1 1 4\n2 2 9\n3 3 9\n")
        damping.write_text(head + "3\n1 1 0.4\n2 2 0.6\n3 3 0.6\n")
        files = ["--mass", mass, "--stiffness", stiffness]
        two = json.loads(self.good("modes", *files, "--wanted", "2", "--json"))
        self.assertEqual((two["unknowns"], two["counted"]), (3, True))
        found = [mode["eigenvalue"][1] for mode in two["modes"]]  # the copy of the second comes with it
        self.assertEqual(len(found), 3)
        for omega, expected in zip(found, (2, 3, 3)):
            self.assertAlmostEqual(omega, expected, delta=1e-12)
        some = self.good("modes", *files, "--between", "0.4,0.6Hz", "--csv").splitlines()
        self.assertEqual(len(some), 3)
        self.assertIn("2, counted", self.good("modes", *files, "--between", "0.4,0.6"))
        damped = json.loads(self.good("modes", *files, "--damping", damping, "--wanted", "1", "--json"))
        self.assertEqual((damped["counted"], damped["counted_by"]), (True, "winding number"))
        near = json.loads(self.good("modes", *files, "--damping", damping, "--wanted", "1", "--near", "3i", "--json"))
        self.assertEqual(len(near["modes"]), 2)
        self.assertAlmostEqual(damped["modes"][0]["damping_ratio"], 0.1, delta=1e-12)
        for words, hint in ((files, "--wanted N"), ([*files, "--wanted", "1", self.model], "leave out"),
                            (["--mass", mass, "--wanted", "1"], "--stiffness"),
                            ([*files, "--between", "3,1"], "two frequencies"),
                            ([*files, "--wanted", "1", "--at", "static"], "--at needs a model file"),
                            ([*files, "--wanted", "1", "--threads", "2"], "--threads needs a model file"),
                            ([*files, "--wanted", "1", "--output", mass], "overwrite"),
                            ([], "needs MODEL")):
            self.assertIn(hint, self.refused(2, "modes", *words))
        stiffness.write_text(head + "3\n1 1 4\n2 2 9\n4 3 9\n")
        self.assertIn(f"{stiffness}:5:", self.refused(1, "modes", *files, "--wanted", "1"))

    def test_the_number_of_threads_does_not_change_the_result(self):
        self.assertEqual(self.modes("--threads", "1")["eigenvalues"], self.modes("--threads", "2")["eigenvalues"])


class Report(Case):
    def setUp(self):
        super().setUp()
        done = routh("report", self.model, folder=self.folder)
        if done.returncode and "was not built" in done.stderr:
            self.skipTest("this build has no page for the report")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.page = (self.folder / "slider.html").read_text()

    def data(self):
        return json.loads(re.search(r'<script type="application/json" id="routh-data">([^<]*)</script>', self.page)[1])

    def test_the_page_holds_the_modes_of_the_model(self):
        modes = json.loads(self.good("modes", self.model, "--json"))
        data = self.data()
        self.assertEqual([mode["eigenvalue"] for mode in data["modes"]], modes["eigenvalues"])
        drawn = [mode for mode in data["modes"] if mode["eigenvalue"][1] >= 0]
        for mode in drawn:
            self.assertEqual(len(base64.b64decode(mode["motion"]["re"], validate=True)), 12 * len(data["moved"]))
        bodies = {body["name"] for body in data["bodies"]} - {"ground"}
        self.assertLessEqual(bodies, {data["markers"][k]["name"] for k in data["moved"]})

    def test_the_page_refers_to_nothing_outside(self):
        self.assertEqual(re.findall(r'(?:src|href)\s*=\s*["\']?(?!data:|#)[\w./]+:?[^"\' >]*', re.sub(
            r"<script>.*?</script>", "", self.page, flags=re.S)), [])
        self.assertNotIn("<!--ROUTH-DATA-->", self.page)

    def test_what_the_user_wrote_cannot_end_the_data(self):
        text = self.model.read_text()
        evil = "</script><script>alert(1)</script>"
        named = re.sub(r"(?m)^title:.*$", f'title: "{evil}"', text)
        self.assertIn(evil, named)
        self.model.write_text(named)
        self.good("report", self.model, "-o", self.folder / "evil.html")
        self.page = (self.folder / "evil.html").read_text()
        self.assertNotIn(evil, self.page)
        self.assertEqual(self.data()["title"], evil)

    def test_the_data_keep_to_the_schema_of_the_page(self):
        schema = SOURCE / "viewer/data.schema.json"
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        if not schema.exists():
            self.skipTest("viewer/data.schema.json is not there")
        schema = json.loads(schema.read_text())
        for name in ("slider-pendulum", "rotor-stator", "four-bar", "spatial-four-bar", "mcpherson"):
            self.model.write_text(template(name))
            self.page = self.good("report", self.model, "--output", "-")
            jsonschema.validate(self.data(), schema)

    def test_the_folder_holds_the_page_and_nothing_else_new(self):
        self.assertEqual(self.left(), ["slider.html", "slider.yaml"])


def somebody():
    """In the child: give up the rights of root."""
    if os.geteuid() == 0:
        os.setgid(SOMEBODY)
        os.setuid(SOMEBODY)


def small_files():
    """In the child: no file of more than 1024 bytes, which the OpenMP library of clang needs for itself."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


class Files(Case):
    """Outputs that cannot be written: exit status 1, one message, nothing half done."""

    COMMANDS = [["modes"], ["modes", "--json"], ["modes", "--csv"], ["linearize", "--json"], ["equilibrium"],
                ["template"], ["schema"]]

    def line(self, command):
        what = {"template": "four-bar", "schema": None}.get(command[0], self.model)
        return [command[0], *([what] if what else []), *command[1:]]

    def test_an_output_file_holds_what_standard_output_would(self):
        for command in self.COMMANDS:
            file = self.folder / "out"
            file.write_text("old\n" * 100000)
            self.assertEqual(self.good(*self.line(command), "--output", file), "")
            self.assertEqual(file.read_text(), self.good(*self.line(command)))
        self.assertEqual(self.left(), ["out", "slider.yaml"])

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_disk_is_told(self):
        for command in self.COMMANDS + [["help"], ["version"]]:
            with open("/dev/full", "w") as full:
                line = self.line(command) if command in self.COMMANDS else command
                done = subprocess.run([PROGRAM, *map(str, line)], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1, command)
            self.assertRegex(done.stderr, r"\Aerror: cannot write to standard output: No space left on device\n\Z")
        self.assertIn("/dev/full: No space", self.refused(1, "modes", self.model, "--output", "/dev/full"))

    def test_a_pipe_that_nobody_reads_is_told(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([PROGRAM, "modes", self.model, "--json"], stdout=write, stderr=subprocess.PIPE, text=True)
        os.close(write)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Aerror: cannot write to standard output: Broken pipe\n\Z")

    def test_a_closed_standard_output_is_told(self):
        done = subprocess.run(["/bin/sh", "-c", '"$0" modes "$1" >&-', PROGRAM, self.model], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output", done.stderr)

    def test_a_file_that_breaks_off_leaves_the_old_one(self):
        file = self.folder / "out"
        self.model.write_text((SOURCE / "examples/humanoid.yaml").read_text())
        for old in (None, "old\n"):
            if old:
                file.write_text(old)
            for command in self.COMMANDS:
                message = self.refused(1, *self.line(command), "--output", file, preexec_fn=small_files)
                self.assertIn("File too large", message)
            self.assertEqual(self.left(), ["out", "slider.yaml"] if old else ["slider.yaml"])
        self.assertEqual(file.read_text(), "old\n")

    def test_a_folder_that_may_not_be_written_or_is_not_there_is_told(self):
        locked = self.folder / "locked"
        locked.mkdir()
        locked.chmod(0o555)
        self.folder.chmod(0o755)
        self.model.chmod(0o644)
        # a copy, since somebody else than root need not be able to reach the program itself
        copy = shutil.copy(PROGRAM, self.folder / "routh")
        message = self.refused(1, "modes", self.model, "-o", locked / "out", program=copy, preexec_fn=somebody)
        self.assertIn("Permission denied", message)
        self.assertEqual(list(locked.iterdir()), [])
        self.assertIn("No such file", self.refused(1, "modes", self.model, "-o", self.folder / "none" / "out"))
        self.assertIn("Is a directory", self.refused(1, "modes", self.model, "-o", self.folder))

    def test_a_failed_run_leaves_no_output(self):
        broken = self.folder / "broken.yaml"
        broken.write_text("bodies: [")
        for name in MODEL_COMMANDS:
            self.refused(1, name, broken, "--output", self.folder / "out")
        self.assertEqual(self.left(), ["broken.yaml", "slider.yaml"])

    def test_an_interrupt_ends_the_program(self):
        with subprocess.Popen([PROGRAM, "modes", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30), -signal.SIGINT)


if __name__ == "__main__":
    outcome = unittest.main(exit=False).result
    failed = len(outcome.failures) + len(outcome.errors)
    passed = outcome.testsRun - failed - len(outcome.skipped)
    print(f"{passed} passed, {failed} failed, {len(outcome.skipped)} skipped")
    sys.exit(1 if failed else 0)
