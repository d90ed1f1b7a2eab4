"""routh benchmark as a user meets it: its forms, which problems, what it refuses."""
import csv
import io
import json
import os
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]


def run(*arguments, status=0):
    done = subprocess.run([ROUTH, *arguments], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stderr if status else done.stdout


def benchmark(*arguments, status=0):
    return run("benchmark", *arguments, status=status)


class Forms(unittest.TestCase):
    def test_the_table_has_a_line_for_each_number_and_a_sum(self):
        lines = benchmark("slider-pendulum").splitlines()
        self.assertEqual(lines[0].split()[:6], ["problem", "quantity", "unit", "published", "reference", "computed"])
        self.assertEqual(sum("c = " in line for line in lines), 9)
        self.assertEqual(sum("slider-pendulum" in line for line in lines), 1)
        self.assertEqual(sum(line.endswith("misprint") for line in lines), 2)
        self.assertRegex(lines[-1], r"^1 problem, 9 numbers: 9 agree, 0 disagree, 0 not computed; [\d.e-]+ s$")

    def test_json_and_csv_have_the_same_numbers(self):
        data = json.loads(benchmark("--json", "slider-pendulum", "ziegler"))
        rows = list(csv.DictReader(io.StringIO(benchmark("--csv", "slider-pendulum", "ziegler"))))
        values = [(problem["name"], value) for problem in data["problems"] for value in problem["values"]]
        self.assertEqual([name for name, _ in values], [row["problem"] for row in rows])
        for (_, value), row in zip(values, rows, strict=True):
            self.assertEqual(value["computed"], float(row["computed"]))
            self.assertEqual(value["published"] or "", row["published"])
            self.assertEqual(value["verdict"], "yes")
        self.assertEqual((data["numbers"], data["agree"], data["disagree"], data["not_computed"]), (11, 11, 0, 0))

    def test_sources_formulas_and_times_are_there(self):
        problem = json.loads(benchmark("--json", "cart-pendulum"))["problems"][0]
        self.assertIn("Den Hartog", problem["source"])
        self.assertEqual(problem["values"][0]["formula"], "sqrt((M + m)*g/(M*l))")
        self.assertIsNone(problem["values"][0]["published"])
        self.assertGreater(problem["seconds"], 0)
        self.assertEqual(problem["model"], "its own")

    def test_a_list_computes_nothing(self):
        lines = benchmark("--list").splitlines()
        self.assertTrue(any(line.split()[0] == "bicycle" for line in lines if line.strip()))
        data = json.loads(benchmark("--list", "--json", "bicycle"))
        self.assertTrue(all(value["computed"] is None for value in data["problems"][0]["values"]))
        self.assertEqual(data["seconds"], 0)

    def test_the_model_of_a_problem_runs_by_itself(self):
        value = json.loads(benchmark("--json", "governor-arm"))["problems"][0]["values"][0]["computed"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.yaml")
            benchmark("--model", "governor-arm", "--output", path)
            modes = json.loads(run("modes", "--json", path))["modes"]
        self.assertTrue(any(abs(mode["eigenvalue"][1] - value) < 1e-12 for mode in modes))


class Choice(unittest.TestCase):
    def names(self, *words):
        return [problem["name"] for problem in json.loads(benchmark("--list", "--json", *words))["problems"]]

    def test_by_name_part_and_pattern(self):
        self.assertEqual(self.names("bicycle"), ["bicycle"])
        self.assertEqual(self.names("rotor-stator", "top"), ["rotor-stator", "rotor-stator-local", "sleeping-top",
                                                             "precessing-top", "euler-top"])
        self.assertEqual(self.names("?uler-column"), ["euler-column"])

    def test_an_unknown_name_is_refused(self):
        self.assertIn('named "bycicle"; routh benchmark --list', benchmark("bycicle", status=2))
        self.assertIn("one problem", benchmark("--model", status=2))
        self.assertIn("one problem", benchmark("--model", "bicycle", "andrews", status=2))
        self.assertIn("no benchmark problem", benchmark("--model", "bicycl", status=2))

    def test_shells_complete_the_names(self):
        for shell in ("bash", "zsh", "fish"):
            self.assertIn(" bicycle ", run("completion", shell))


if __name__ == "__main__":
    unittest.main()
