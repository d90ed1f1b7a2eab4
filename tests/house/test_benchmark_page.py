"""docs/benchmark.md shows what the program computes, and the check of it ignores times and rounding, nothing else."""
import json
import os
import pathlib
import re
import subprocess
import unittest

import house

tool = house.load_tool("benchmark_page")
FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
LONG = ("euler-column", "beck-column", "andrews", "bicycle", "flexible-double-pendulum", "flexible-double-pendulum-stiffened")
PROGRAM = pathlib.Path(os.environ.get("ROUTH", house.ROOT / "build/routh"))


def value(**changes):
    return {"case": None, "quantity": "omega", "unit": "rad/s", "published": "1.5", "formula": None, "reference": 1.5,
            "computed": 1.5, "digits": 15, "digits_wanted": 0, "misprint": False, "note": None, "verdict": "yes", **changes}


def document(*values, seconds=0.01, **changes):
    return {"numbers": len(values), "agree": len(values), "problems": [
        {"name": "a", "title": "A thing", "source": "A. Author", "where": "Table 1", "model": "its own", "seconds": seconds,
         "values": list(values), **changes}]}


EMPTY = "# Page\n\n<!-- summary -->\n<!-- end -->\n\n<!-- problems -->\n<!-- end -->\n"
RIGHT = document(value(computed=1.23456789, digits=8))


def wrong(data):
    """(problem, what it is of) of all numbers and problems that do not come out as their sources have them."""
    found = []
    for problem in data["problems"]:
        fault = problem.get("fault")
        found += [(problem["name"], fault)] if fault and "SUNDIALS" not in fault else []
        found += [(problem["name"], value["quantity"]) for value in problem["values"] if value["verdict"] == "no"]
    return found


class Page(unittest.TestCase):
    def complaints(self, data, page=None, update=False):
        page = page or tool.filled(EMPTY, RIGHT)
        with house.Tree({tool.PAGE: page}) as root:
            found = tool.check(root, data, update)
            return found, (root / tool.PAGE).read_text()

    @unittest.skipUnless(PROGRAM.exists(), "the program is not built")
    def test_the_page_is_in_step_with_the_program(self):
        """And every number agrees with its source, but those that need an integrator that is not built in. The whole page at full
        effort, else all problems but the five that take longest."""
        names = []
        if not FULL:
            listed = subprocess.run([PROGRAM, "benchmark", "--list"], capture_output=True, text=True, check=True).stdout
            names = [name for name in re.findall(r"(?m)^  (\S+)", listed) if name not in ("problem", *LONG)]
            self.assertGreater(len(names), 40, listed)
        done = subprocess.run([PROGRAM, "benchmark", "--json", *names], capture_output=True, text=True, check=False)
        data = json.loads(done.stdout)
        self.assertEqual(wrong(data), [], done.stderr)
        if FULL:
            self.assertEqual(tool.check(house.ROOT, data), [])
            return
        page = (house.ROOT / tool.PAGE).read_text("utf-8")
        for problem in data["problems"]:
            shown = re.search(rf"(?ms)^### {re.escape(problem['name'])}\n.*?(?=^### |<!-- end -->)", page)
            self.assertIsNone(tool.stale(shown.group(0).rstrip(), tool.problems({"problems": [problem]}).strip()), problem["name"])

    def test_a_number_that_does_not_agree_is_seen(self):
        self.assertEqual(wrong(RIGHT), [])
        self.assertEqual(len(wrong(document(value(), value(verdict="no")))), 1)
        self.assertEqual(len(wrong(document(fault="singular"))), 1)

    def test_a_page_in_step_is_kept(self):
        page = tool.filled(EMPTY, RIGHT)
        self.assertEqual(self.complaints(RIGHT, page, True), ([], page))
        self.assertEqual(tool.filled(page, RIGHT), page)

    def test_times_and_rounding_are_ignored(self):
        self.assertEqual(self.complaints(document(value(computed=1.23456789, digits=8), seconds=7))[0], [])
        self.assertEqual(self.complaints(document(value(computed=1.234567896, digits=7)))[0], [])

    def test_anything_else_is_seen(self):
        for data in (document(value(computed=1.23456795, digits=8)), document(value(computed=1.23456789, digits=6)),
                     document(value(computed=1.23456789, digits=8, published="1.6")),
                     document(value(computed=1.23456789, digits=8, reference=1.50000001)),
                     document(value(computed=1.23456789, digits=8), title="Another"),
                     document(value(computed=1.23456789, digits=8), source="B. Author"),
                     document(value(computed=1.23456789, digits=8), value())):
            self.assertEqual(len(self.complaints(data)[0]), 1)

    def test_update_writes_what_is_missing(self):
        found, page = self.complaints(RIGHT, EMPTY, True)
        self.assertEqual((found, page), ([], tool.filled(EMPTY, RIGHT)))

    def test_misprints_formulas_and_remarks_are_shown(self):
        page = tool.filled(EMPTY, document(value(misprint=True, note="the sign", formula="sqrt(k/m)", reference=-1.5)))
        for text in ("**1.5** (wrong)", "omega, rad/s: the sign.", "- omega: `sqrt(k/m)`"):
            self.assertIn(text, page)


if __name__ == "__main__":
    unittest.main()
