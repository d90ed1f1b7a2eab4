"""routh compare as a user meets it: parts that sum to what routh modes says of the two, pairs, parameters, and what is
refused."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])


def routh(*arguments):
    return subprocess.run([ROUTH, *map(str, arguments)], capture_output=True, text=True, check=False)


def example(name):
    return SOURCE / "examples" / f"{name}.yaml"


def data(*arguments):
    done = routh(*arguments, "--json", "-q")
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Report(unittest.TestCase):
    def page(self, folder, *arguments, status=0):
        page = pathlib.Path(folder) / "page.html"
        done = routh("report", *arguments, "-o", page)
        self.assertEqual(done.returncode, status, done.stderr)
        if status:
            return done.stderr
        return json.loads(page.read_text().split('id="routh-data">')[1].split("</script>")[0])

    def test_the_section_is_what_the_command_tells(self):
        with tempfile.TemporaryDirectory() as folder:
            car, changes = example("mcpherson"), ["--versus", "spring=40e3", "--versus", "damper=1000"]
            told, page = data("compare", car, *changes), self.page(folder, car, *changes)
            shown = page["comparison"]
            self.assertEqual([p["name"] for p in shown["parameters"]], list(told["second"]["parameters"]))
            for pair, other in zip(shown["pairs"], told["pairs"], strict=True):
                self.assertEqual(pair["change"], other["change"])
                self.assertEqual(pair["parts"], other["parts"][:12])
                self.assertEqual(pair["by_parameter"], other["by_parameter"])
                # the page's own modes are the first one's
                shown_there = page["modes"][pair["first"]["mode"]]["eigenvalue"]
                distance = math.dist(pair["first"]["eigenvalue"], shown_there)
                self.assertLess(distance, 1e-12 * math.hypot(*shown_there))
            other = pathlib.Path(folder) / "other.yaml"
            other.write_text(car.read_text().replace("mass: ", "mass: 1.01*"))
            two = self.page(folder, car, other)["comparison"]
            self.assertEqual(two["file"], str(other))
            self.assertEqual(two["parameters"], [])
            self.assertTrue(all("by_parameter" not in pair for pair in two["pairs"]))
            self.assertNotIn("comparison", self.page(folder, car))
            state = pathlib.Path(folder) / "other.json"
            self.assertIn("takes one --at", self.page(folder, car, *changes, "--save-state", state, status=2))
            self.assertIn("no parameter 'wheel'", self.page(folder, car, "--versus", "wheel=1", status=1))


class Compare(unittest.TestCase):
    def check(self, found, before, after):
        """Pairs name modes of the two as routh modes gives them; parts sum to the differences of what it says."""
        self.assertTrue(found["pairs"])
        for pair in found["pairs"]:
            a, b = before[pair["first"]["mode"]], after[pair["second"]["mode"]]
            for key, scale in (("undamped_frequency_hz", a["undamped_frequency_hz"]), ("damping_ratio", 1)):
                parts = [p[key] for p in pair["parts"]]
                size = scale + sum(map(abs, parts))
                self.assertLess(abs(sum(parts) - (b[key] - a[key])), 1e-9 * size)
                self.assertLess(abs(pair["change"][key] - (b[key] - a[key])), 1e-9 * size)
            self.assertLess(pair["closure"], 1e-10)

    def test_settings(self):
        settings = ("--versus", "spring=40e3", "--versus", "damper=1000")
        found = data("compare", example("mcpherson"), *settings)
        before = data("modes", example("mcpherson"))["modes"]
        after = data("modes", example("mcpherson"), "--set", "spring=40e3", "--set", "damper=1000")["modes"]
        self.check(found, before, after)
        self.assertEqual(found["first"]["parameters"], {"spring": 26e3, "damper": 1600})
        self.assertEqual(found["second"]["parameters"], {"spring": 40e3, "damper": 1000})
        for pair in found["pairs"]:
            self.assertEqual(pair["parts"][0]["term"], "load coil")
            self.assertLess(pair["parameters_left"], 1e-8)
            by = {p["parameter"]: complex(*p["eigenvalue"]) for p in pair["by_parameter"]}
            change = complex(*pair["change"]["eigenvalue"])
            self.assertLess(abs(sum(by.values()) - change), 1e-6 * abs(change))

    def test_set_is_for_both(self):
        found = data("compare", example("mcpherson"), "--set", "spring=30e3", "--set", "tyre=150e3", "--versus", "spring=40e3")
        before = data("modes", example("mcpherson"), "--set", "spring=30e3", "--set", "tyre=150e3")["modes"]
        after = data("modes", example("mcpherson"), "--set", "spring=40e3", "--set", "tyre=150e3")["modes"]
        self.check(found, before, after)
        self.assertEqual(found["first"]["parameters"], {"spring": 30e3})

    def test_two_models(self):
        """A spring more, and a heavier car, in any coordinates."""
        text = example("mcpherson").read_text()
        self.assertIn("mass: 300", text)
        self.assertIn("loads:\n", text)
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "other.yaml"
            other.write_text(text.replace("mass: 300", "mass: 350").replace(
                "loads:\n", "loads:\n  more: {type: spring, between: [car, ground], stiffness: 900}\n"))
            for coordinates in ("absolute", "relative", "euler-angles"):
                same = ("--coordinates", coordinates)
                found = data("compare", example("mcpherson"), other, *same)
                self.check(found, data("modes", example("mcpherson"), *same)["modes"], data("modes", other, *same)["modes"])
                self.assertIn("load more", [p["term"] for p in found["pairs"][0]["parts"]])
                self.assertNotIn("by_parameter", found["pairs"][0])

    def test_without_derivatives(self):
        """Where derivatives by parameters are refused the terms are there, and it says so."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "band.yaml"
            path.write_text("parameters: {t: 0.2}\n"
                            "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                            "joints: {rail: {type: translational, between: [b, ground], axis: x}}\n"
                            "loads:\n"
                            "  band: {type: spring, between: [b, nail],\n"
                            "         table: [" + ", ".join(f"[{k} + t, {k}*t - 1]" for k in range(140)) + "]}\n"
                            "markers: {nail: {body: ground, position: [1.5, 0, 0]}}\n")
            done = routh("compare", path, "--versus", "t=0.3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, "attribution to parameters is not available: .*band.yaml:6:[0-9]+: .*load 'band'.*"
                                      "the parameter t has no derivative, because it acts through a number of the table after 256 that depend on parameters")
        self.assertIn("load band", done.stdout)
        self.assertNotIn("by parameter", done.stdout)

    def test_segments(self):
        """Beams in mean axes have parts by parameters too, which are all there is of a damping."""
        found = data("compare", example("blade-segments"), "--versus", "ratio=2e-5")
        pair = found["pairs"][0]
        self.assertIn("ratio", json.dumps(pair["by_parameter"]))

    def test_moving(self):
        found = data("compare", example("spinning-pendulum"), "--versus", "rate=4")
        self.check(found, data("modes", example("spinning-pendulum"))["modes"],
                   data("modes", example("spinning-pendulum"), "--set", "rate=4")["modes"])

    def test_a_saved_linear_model_is_refused(self):
        """It has no elements and no parameters: an error, for the first, the second and sensitivities."""
        with tempfile.TemporaryDirectory() as folder:
            saved = os.path.join(folder, "linear.json")
            self.assertEqual(routh("linearize", example("mcpherson"), "--output", saved).returncode, 0)
            for words in (("compare", saved, saved), ("compare", example("mcpherson"), saved),
                          ("compare", saved, "--versus", "spring=1"), ("sensitivity", saved),
                          ("sensitivity", "--response", saved)):
                done = routh(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), words)
                self.assertIn("linear.json is a linear model, and this command needs a model file", done.stderr)

    def test_table(self):
        done = routh("compare", example("mcpherson"), "--versus", "spring=40e3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("mode 1 -> mode 1", done.stdout)
        self.assertIn("by parameter", done.stdout)
        self.assertNotIn("nan", done.stdout)
        self.assertNotIn("+-", done.stdout)
        same = routh("compare", example("mcpherson"), example("mcpherson"))
        self.assertEqual(same.stdout.count("does not move"), 2)

    def test_alone(self):
        found = data("compare", example("mcpherson"), "--versus", "damper=20000")
        pairs, modes = len(found["pairs"]), len(found["second"]["alone"])
        values = [m["eigenvalue"] for m in data("modes", example("mcpherson"), "--set", "damper=20000")["modes"]]
        self.assertEqual(pairs + modes, sum(v[1] >= 0 for v in values))

    def test_refusals(self):
        model = example("mcpherson")
        for arguments, status, says in (
                ((model,), 2, "needs two models"),
                ((model, "--versus", "spring=1", "--csv"), 2, "or --json"),
                ((model, "--versus", "spring"), 2, "--versus takes NAME=VALUE"),
                ((model, "--versus", "spring=1", "--versus", "spring=2"), 2, "--versus sets 'spring' twice, to '1' and to '2'"),
                ((model, "--set", "spring=1", "--set", "spring=2"), 2, "--set sets 'spring' twice, to '1' and to '2'"),
                ((model, "--versus", "sprung=1"), 1, "no parameter 'sprung'"),
                ((model, model, model), 2, "compare"),
                ((model, example("jeffcott-rotor")), 2, "no body 'car'"),
                ((model, "--versus", "spring=30e3", "--at", "given", "--at", "static"), 2, "takes one --at"),
                ((model, "nothing.yaml"), 1, "nothing.yaml")):
            done = routh("compare", *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main()
