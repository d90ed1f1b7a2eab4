"""The closing line counts what really happened."""
import contextlib
import io
import unittest

import house

tally = house.load_tool("tally")

CMOCKA = """[==========] Running 3 test(s).
[==========] 3 test(s) run.
[  PASSED  ] 1 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  FAILED  ] 1 test(s), listed below:
[  FAILED  ] b
"""

UNITTEST = """test_a (__main__.T.test_a) ... skipped 'octave is not installed'
test_b (__main__.T.test_b)
What it shows. ... ok
test_c (__main__.T.test_c)
What it shows. ... skipped "there's no h5py"

Ran 3 tests in 0.1s

OK (skipped=2)
"""


def case(status, output="", inside=""):
    return f'<testcase name="t" status="{status}">{inside}<system-out>{output}</system-out></testcase>'


def count(*cases, steps=""):
    files = {"a.xml": "<testsuite>" + "".join(cases) + "</testsuite>", "a.steps": steps}
    with house.Tree(files) as root, contextlib.redirect_stdout(io.StringIO()):
        return tally.count_folder(root)


def told(inside):
    with house.Tree({"a.xml": f"<testsuite>{inside}</testsuite>"}) as root:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            tally.count_folder(root)
    return said.getvalue().splitlines()


class Tally(unittest.TestCase):
    def test_a_plain_entry_counts_as_one(self):
        self.assertEqual(count(case("run"), case("fail")), [1, 1, 0])

    def test_a_cmocka_program_counts_as_its_tests(self):
        self.assertEqual(count(case("fail", CMOCKA)), [1, 1, 1])

    def test_a_program_that_dies_after_passing_tests_fails(self):
        passed = "[==========] 2 test(s) run.\n[  PASSED  ] 2 test(s).\n"
        self.assertEqual(count(case("fail", passed)), [2, 1, 0])

    def test_a_program_that_hides_its_failures_fails(self):
        self.assertEqual(count(case("run", CMOCKA)), [1, 1, 1])

    def test_a_unittest_script_counts_as_its_tests(self):
        self.assertEqual(count(case("run", "Ran 7 tests in 0.1s\n\nOK (skipped=2)\n")), [5, 0, 2])
        self.assertEqual(count(case("fail", "Ran 7 tests in 0.1s\n\nFAILED (failures=1, errors=2)\n")), [4, 3, 0])

    def test_status_77_is_a_skip_and_a_missing_program_is_a_failure(self):
        self.assertEqual(count(case("notrun", "no browser", '<skipped message="SKIP_RETURN_CODE=77"/>')), [0, 0, 1])
        self.assertEqual(count(case("notrun", "", '<skipped message="Unable to find executable"/>')), [0, 1, 0])

    def test_each_test_of_pytest_counts(self):
        cases = ["", '<skipped type="pytest.skip" message="no scipy"/>', "<failure/>", "<error/>", "<failure/><error/>"]
        self.assertEqual(count(*(f'<testcase classname="c" name="t">{inside}</testcase>' for inside in cases)), [1, 3, 1])

    def test_what_is_skipped_is_named(self):
        named = ["skipped: t, test_a (octave is not installed)", "skipped: t, test_c (there's no h5py)"]
        self.assertEqual(told(case("run", UNITTEST)), named)
        names = CMOCKA.replace("listed below:\n[  FAILED  ] 1", "listed below:\n[  SKIPPED ] a\n\n[  FAILED  ] 1")
        self.assertEqual(told(case("run", names)), ["skipped: t, a"])
        self.assertEqual(told(case("run", "Ran 7 tests in 0.1s\n\nOK (skipped=2)\n")), ["skipped: 2 in t"])

    def test_a_file_of_pytest_that_is_skipped_whole_is_named_with_its_reason(self):
        skip = """<skipped message="collection skipped">('/a/test_x.py', 21, "Skipped: no yaml")</skipped>"""
        self.assertEqual(told(f'<testcase classname="" name="x">{skip}</testcase>'), ["skipped: all of x (no yaml)"])
        self.assertEqual(told('<testcase name="t"><skipped message="no scipy"/></testcase>'), ["skipped: t (no scipy)"])

    def test_steps_are_counted_too(self):
        self.assertEqual(count(steps="passed a\nfailed b c\nskipped d\n"), [1, 1, 1])


if __name__ == "__main__":
    unittest.main()
