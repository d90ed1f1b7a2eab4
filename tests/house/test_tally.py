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


def case(status, output="", inside=""):
    return f'<testcase name="t" status="{status}">{inside}<system-out>{output}</system-out></testcase>'


def count(*cases, steps=""):
    files = {"a.xml": "<testsuite>" + "".join(cases) + "</testsuite>", "steps.txt": steps}
    with house.Tree(files) as root, contextlib.redirect_stdout(io.StringIO()):
        return tally.count_folder(root)


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

    def test_steps_are_counted_too(self):
        self.assertEqual(count(steps="passed a\nfailed b c\nskipped d\n"), [1, 1, 1])


if __name__ == "__main__":
    unittest.main()
