"""tools/mutate finds what can be mutated, makes it a choice at run time, and says which test caught it."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import house

TOOL = house.ROOT / "tools" / "mutate"
sys.path.insert(0, str(TOOL))
import candidates  # noqa: E402
import choose  # noqa: E402
import places  # noqa: E402
import table  # noqa: E402
import tiers  # noqa: E402
import tree  # noqa: E402

SOURCE = """#include <stdio.h>
enum { SIZE = 2 + 1 };
static const double table[SIZE] = {1 + 1, 2, 3};
#define TWICE(x) (2 * (x))
static double work(const double a[3], int n)
{
    static double kept = 2 * 3.5;
    double local[SIZE + 1] = {a[0] + a[1]};
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    if (n > 2) sum = 0.5 * sum;
    switch (n) {
        case 1 + 2: sum = -sum; break;
    }
    return sum + TWICE(local[0]) + (double)sizeof(char[1 + 1]) + table[0] + kept;
}
void print_it(double x) { printf("%g\\n", x + 1); }
int main(void)
{
    const double a[3] = {1, 2, 4};
    print_it(work(a, 3));
    return 0;
}
"""
# local[0] = 3, the sum 7, halved 3.5, turned to -3.5; -3.5 + 6 + 2 + 2 + 7, and 1 of print_it
PRINTED = -3.5 + 6 + 2 + 2 + 7 + 1


@unittest.skipUnless(candidates.load_clang(), "python3-clang-14 is not installed")
class Mutations(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "a.c"
        self.file.write_text(SOURCE)
        self.found = candidates.find(self.file, "a.c", ["-std=c17"])

    def after(self, kind):
        return sorted((c.before, c.after) for c in self.found if c.kind == kind)

    def test_each_kind_is_found_where_it_may_be(self):
        self.assertIn(("a[0] + a[1]", "a[0] - a[1]"), self.after("sign"))
        self.assertIn(("-sum", "sum"), self.after("sign"))
        self.assertIn(("a[i]", "-(a[i])"), self.after("sign"))
        self.assertIn(("a[i]", "0"), self.after("term"))
        self.assertIn(("a[0] + a[1]", "a[1]"), self.after("term"))
        self.assertEqual(self.after("factor"), [("0.5", "1.0")])
        self.assertIn(("n > 2", "n >= 2"), self.after("comparison"))
        self.assertIn(("i < n", "i + 1 < n"), self.after("comparison"))
        self.assertIn(("0", "1"), self.after("index"))
        self.assertIn(("i", "(i) > 0 ? (i) - 1 : (i)"), self.after("index"))

    def test_nothing_is_taken_from_constants_macros_and_functions_that_print(self):
        lines = SOURCE.splitlines()
        for c in self.found:
            self.assertNotRegex(lines[c.line - 1], "^enum|^static const|static double kept|printf|#define")
        for c in self.found:
            self.assertNotIn(SOURCE[c.begin:c.end], ("SIZE + 1", "1 + 1", "1 + 2", "2 * (local[0])"))

    def program(self, mutants):
        """The file with all mutants, compiled."""
        (self.folder / "m.c").write_bytes(tree.mutate_text(self.file.read_bytes(), list(enumerate(mutants, 1))))
        (self.folder / "mutant.c").write_text((TOOL / "mutant.c.in").read_text().replace("@COUNT@", str(len(mutants))))
        program = self.folder / "program"
        subprocess.run(["cc", "-std=c17", "-Wall", "-Wno-unused", "-include", str(TOOL / "mutant.h"), str(self.folder / "m.c"),
                        str(self.folder / "mutant.c"), "-o", str(program)], check=True)
        return program

    def printed(self, program, **environment):
        return float(subprocess.run([program], env={**os.environ, **environment}, check=True, capture_output=True).stdout)

    @unittest.skipUnless(shutil.which("cc"), "no C compiler is installed")
    def test_each_mutant_is_a_choice_of_the_environment(self):
        mutants = choose.choose({"a.c": self.found}, 100, 1)
        program = self.program(mutants)
        self.assertEqual(self.printed(program), PRINTED)
        expected = {("n > 2", "n >= 2"): PRINTED, ("0.5", "1.0"): PRINTED - 3.5, ("-sum", "sum"): PRINTED + 7}
        for number, c in enumerate(mutants, 1):
            if (c.before, c.after) in expected:
                self.assertEqual(self.printed(program, ROUTH_MUTANT=str(number)), expected.pop((c.before, c.after)))
        self.assertLess(len(expected), 3)

    @unittest.skipUnless(shutil.which("cc"), "no C compiler is installed")
    def test_what_is_reached_and_would_differ_is_recorded(self):
        wanted = {("n > 2", "n >= 2"): 1, ("0.5", "1.0"): 3, ("i < n", "i + 1 < n"): 3}
        mutants = [c for c in self.found if (c.before, c.after) in wanted]
        program, record = self.program(mutants), self.folder / "record"
        record.write_bytes(bytes(len(mutants) + 1))
        self.assertEqual(self.printed(program, ROUTH_MUTANT_RECORD=str(record)), PRINTED)
        self.assertEqual(list(record.read_bytes()[1:]), [wanted[c.before, c.after] for c in mutants])
        self.assertEqual(len(mutants), 3)

    def test_sources_with_mutants_alone_are_compiled_otherwise(self):
        self.assertEqual(tree.with_header("src/a/b.c", b"int x;"), b'#include "../../mutant.h"\n#line 1\nint x;')
        self.assertTrue(tree.with_header("src/a/b.h", b"int x;").startswith(b"#pragma GCC system_header\n"))
        self.assertEqual(tree.without_warnings(b"", ["src/a/b.c"]),
                         b"set_source_files_properties(src/a/b.c PROPERTIES COMPILE_OPTIONS -w)\n")

    def test_lines_keep_their_numbers(self):
        text = self.file.read_bytes()
        mutants = choose.choose({"a.c": self.found}, 100, 1)
        self.assertEqual(tree.mutate_text(text, list(enumerate(mutants, 1))).count(b"\n"), text.count(b"\n"))


def made_up(file, begin, end, kind, after="x"):
    return candidates.Candidate(file, begin, end, 1, kind, "y", after, True, "f")


class Choice(unittest.TestCase):
    def setUp(self):
        self.by_file = {f"src/a/{f}.c": [made_up(f"src/a/{f}.c", 10 * i, 10 * i + 15, kind)
                                         for i in range(30) for kind in ("sign", "index")] for f in "abc"}

    def test_it_is_the_same_for_the_same_seed_and_another_for_another(self):
        self.assertEqual(choose.choose(self.by_file, 12, 1), choose.choose(dict(reversed(self.by_file.items())), 12, 1))
        self.assertNotEqual(choose.choose(self.by_file, 12, 1), choose.choose(self.by_file, 12, 2))

    def test_it_is_spread_over_files_and_kinds_and_nothing_overlaps(self):
        chosen = choose.choose(self.by_file, 12, 1)
        self.assertEqual([sum(c.file == f for c in chosen) for f in self.by_file], [4, 4, 4])
        self.assertGreater(sum(c.kind == "index" for c in chosen), 3)
        for a in chosen:
            self.assertTrue(choose.apart(a, [b for b in chosen if b is not a and b.file == a.file]))

    def test_places_are_equations_and_not_what_stores_them(self):
        chosen, idle = places.choose_files(["src/elements/joint_evaluate.c", "src/base/json.c", "cli/run.c"])
        self.assertEqual(chosen, ["src/elements/joint_evaluate.c"])
        self.assertIn("src/linear/*.[ch]", idle)


class MadeUpRunner:
    """A tier whose tests fail with certain mutants."""

    def __init__(self, deadly):
        self.deadly, self.runs = deadly, []

    def run(self, test, mutants, attempt=1):
        self.runs.append((test.name, tuple(mutants)))
        if attempt > 1 and test.name == "unsteady":
            return 0, 0.5
        return (1 if self.deadly.get(test.name, set()) & set(mutants) else 0), 0.5


class MarkingRunner(tiers.Runner):
    """Whose tests reach all mutants, and pass with none."""

    def start(self, test, mutants, record, longest):
        if record is None:
            return super().start(test, mutants, record, longest)
        record.write_bytes(b"\3" * 7)
        return (None, longest) if test.name == "a.long" and longest < 1 else (0, 0.6 if test.name == "a.long" else 0.1)


class Hunting(unittest.TestCase):
    def hunt(self, deadly, alive, width=1):
        tests = [tiers.Test(name, [], {}, "", False, may_catch=frozenset(alive)) for name in sorted(deadly)]
        hunt = tiers.Hunt(MadeUpRunner(deadly), alive)
        hunt.width = width
        tiers.in_parallel(hunt.hunt, tests, 1)
        return hunt

    def test_what_is_caught_is_caught_alone_by_the_first_test_that_can(self):
        hunt = self.hunt({"a": {3, 40}, "b": {3, 7}}, range(1, 65), width=64)
        self.assertEqual({k: v[0] for k, v in hunt.caught.items()}, {3: "a", 40: "a", 7: "b"})
        self.assertEqual(hunt.alive, set(range(1, 65)) - {3, 7, 40})
        for name in ("a", "b"):
            for k in hunt.caught:
                self.assertEqual((name, (k,)) in hunt.runner.runs, hunt.caught[k][0] == name)

    def test_what_fails_only_once_is_not_caught(self):
        self.assertEqual(self.hunt({"unsteady": {3}}, {3, 4}).alive, {3, 4})

    def test_many_survivors_cost_few_runs(self):
        self.assertLess(len(self.hunt({"a": set(), "b": set()}, range(1, 201)).runner.runs), 20)

    def test_a_test_is_not_run_for_what_it_cannot_catch(self):
        hunt = tiers.Hunt(MadeUpRunner({"a": {1}}), {1, 2})
        hunt.hunt(tiers.Test("a", [], {}, "", False, may_catch=frozenset({2})))
        self.assertEqual((hunt.alive, hunt.runner.runs), ({1, 2}, [("a", (2,))]))

    def test_without_time_what_was_run_counts_and_the_rest_is_named(self):
        with house.Tree({"runs.jsonl": ""}) as folder:
            test = tiers.Test("a", ["sh", "-c", "test $ROUTH_MUTANT != 5"], {}, str(folder), False, may_catch=frozenset({5}))
            other = tiers.Test("b", ["true"], {}, str(folder), False, may_catch=frozenset({6}))
            tiers.Hunt(tiers.Runner(folder, 1, "full"), {5}).hunt(test)
            late = tiers.Hunt(tiers.Runner(folder, 1, "full", 0), {5, 6})
            late.hunt(test)
            late.hunt(other)
            self.assertEqual((late.alive, late.unfinished), ({6}, ["b"]))

    def test_short_tests_of_the_modules_come_first_and_long_ones_last(self):
        commands = {"a.long": "echo $ROUTH_MUTANT >>long", "a.near": "case $ROUTH_MUTANT in *4*) exit 1; esac",
                    "b.far": "case $ROUTH_MUTANT in *[45]*) exit 1; esac"}
        with house.Tree({"runs.jsonl": ""}) as folder:
            runner = MarkingRunner(folder, 1, "fast")
            tests = [tiers.Test(name, ["sh", "-c", text], {}, str(folder), False) for name, text in sorted(commands.items())]
            groups = tiers.nearest_first(tests[::-1], ["src/a/x.c"])
            self.assertEqual([[t.name for t in group] for group in groups], [["a.near", "a.long"], ["b.far"]])
            hunt = tiers.Hunt(runner, {4, 5, 6})
            tiers.hunt_in_order(runner, hunt, groups, 6, 1, 0.3)
            self.assertEqual({k: v[0] for k, v in hunt.caught.items()}, {4: "a.near", 5: "b.far"})
            self.assertEqual((folder / "long").read_text().split(), ["6"])

    def test_tests_are_taken_in_the_order_that_is_asked_for(self):
        tests = [tiers.Test(name, [], {}, "", False) for name in ("a.x", "a.y", "b.x", "c.z")]
        self.assertEqual([t.name for t in tiers.in_order_of(["b.*", "a.y", "?.x"], tests)], ["b.x", "a.y", "a.x"])

    def test_what_other_tests_caught_before_stays_caught(self):
        with house.Tree({"runs.jsonl": ""}) as folder:
            test = tiers.Test("a", ["sh", "-c", "test $ROUTH_MUTANT != 5"], {}, str(folder), False, may_catch=frozenset({4, 5}))
            tiers.Hunt(tiers.Runner(folder, 1, "fast"), {4, 5, 6}).hunt(test)
            for tier, alive in ("fast", {4, 6}), ("full", {4, 5, 6}):
                hunt = tiers.Hunt(tiers.Runner(folder, 1, tier), {4, 5, 6})
                hunt.recall()
                self.assertEqual(hunt.alive, alive)

    def test_what_was_run_is_not_run_again(self):
        with house.Tree({"runs.jsonl": ""}) as folder:
            test = tiers.Test("a", ["sh", "-c", "test $ROUTH_MUTANT != 5"], {}, str(folder), False)
            runner = tiers.Runner(folder, 1, "fast")
            self.assertEqual((runner.run(test, (1, 2, 3))[0], runner.run(test, (5,))[0]), (0, 1))
            self.assertEqual(len((folder / "runs.jsonl").read_text().splitlines()), 2)
            again = tiers.Runner(folder, 1, "fast")
            test.command = ["false"]
            self.assertEqual((again.run(test, (1, 3))[0], again.run(test, (5,))[0]), (0, 1))
            self.assertEqual((again.run(test, (1, 4))[0], again.run(test, (5,), attempt=2)[0]), (1, 1))

    def test_a_failure_of_a_thread_is_not_lost(self):
        with self.assertRaises(ZeroDivisionError):
            tiers.in_parallel(lambda x: 1 / x, [1, 0], 2)


class Table(unittest.TestCase):
    def test_the_percentage_is_of_what_anything_catches(self):
        mutants = [made_up("src/a/a.c", 10 * i, 10 * i + 5, "sign") for i in range(5)]
        rows = list(table.rows(mutants, {1: ("t", 0.1, False), 2: ("t", 0.1, True), 3: ("u", 1, False)}, {4: ("v", 9, False)},
                               set()))
        self.assertEqual([row["verdict"] for row in rows], ["fast", "fast", "fast", "full", "unreached"])
        self.assertEqual(rows[1]["test"], "t (time)")
        self.assertEqual(table.percentage(rows), 75)
        self.assertIn("catches 75.0 % of what anything catches", table.summary(rows))


if __name__ == "__main__":
    unittest.main()
