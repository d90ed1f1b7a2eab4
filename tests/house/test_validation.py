"""docs/validation.md shows what the tests compared with the papers, and the check of it sees what does not hold."""
import json
import os
import pathlib
import unittest

import house

validation = house.load_tool("validation")
RECORDS = pathlib.Path(os.environ.get("ROUTH_BUILD", house.ROOT / "build")) / "records"

PAGE = """# Page
<!-- table: A; Table 1 -->

| quantity | printed | reference | Routh | exact within | penalty within |
|---|--:|--:|--:|--:|--:|
| s | 1.5 | 1.5 | 1.5 | < 1e-12 | < 2e-06 |

<!-- end -->
"""


def record(**changes):
    line = {"paper": "A", "table": "Table 1", "quantity": "s", "published": "1.5", "reference": 1.5, "computed": 1.5,
            "coordinates": "absolute", "method": "augmented", "scale": 0, "bound": 0}
    return json.dumps({**line, **changes}) + "\n"


EXACT, PENALTY = record(), record(method="penalty", computed=1.500001, bound=1.9e-6)


def complaints(*records, page=PAGE, update=False):
    files = {"docs/validation.md": page, "records/test_a.jsonl": "".join(records), "tests/a/test_a.c": ""}
    with house.Tree(files) as root:
        found = validation.check(root, root / "records", update)
        return found, (root / "docs/validation.md").read_text()


class Validation(unittest.TestCase):
    @unittest.skipUnless(any(RECORDS.glob("*.jsonl")), "no test has recorded anything: the C tests are not built")
    def test_the_page_is_in_step_with_the_tests(self):
        self.assertEqual(validation.check(house.ROOT, RECORDS), [])

    def test_a_page_in_step_is_accepted_and_kept(self):
        self.assertEqual(complaints(EXACT, PENALTY, update=True), ([], PAGE))

    def test_rounding_of_another_machine_is_accepted(self):
        self.assertEqual(complaints(record(computed=1.5 + 9e-13), PENALTY)[0], [])
        self.assertEqual(complaints(EXACT, record(method="penalty", computed=1.5, bound=2.1e-6))[0], [])

    def test_a_difference_above_the_claim_is_seen(self):
        self.assertEqual(len(complaints(record(computed=1.5 + 2e-12), PENALTY)[0]), 1)
        self.assertEqual(len(complaints(EXACT, record(method="minimal", computed=1.5 + 2e-12), PENALTY)[0]), 1)
        self.assertEqual(len(complaints(EXACT, record(method="penalty", computed=1.5, bound=4e-6))[0]), 1)

    def test_a_claim_far_above_the_difference_is_seen(self):
        timid = PAGE.replace("< 1e-12", "< 1e-06")
        self.assertEqual(len(complaints(EXACT, PENALTY, page=timid)[0]), 1)

    def test_a_wrong_number_on_the_page_is_seen(self):
        for wrong in ("1.5 | 1.5 | 1.6", "1.5 | 1.51 | 1.5", "1.4 | 1.5 | 1.5"):
            self.assertEqual(len(complaints(EXACT, PENALTY, page=PAGE.replace("1.5 | 1.5 | 1.5", wrong))[0]), 1, wrong)

    def test_a_printed_number_that_is_wrong_is_marked(self):
        _, new = complaints(record(published="1.4"), update=True)
        self.assertIn("| s | **1.4** (wrong) | 1.5 | 1.5 |", new)

    def test_a_table_that_is_not_shown_or_not_recorded_is_seen(self):
        self.assertEqual(len(complaints(EXACT, PENALTY, record(table="Table 2"))[0]), 1)
        self.assertEqual(len(complaints(record(table="Table 2"))[0]), 2)

    def test_a_line_more_and_a_line_less_are_seen(self):
        self.assertEqual(len(complaints(EXACT, PENALTY, record(quantity="t"))[0]), 1)
        extra = PAGE.replace("\n\n<!-- end", "\n| t | 1 | 1 | 1 | < 1e-12 |  |\n\n<!-- end")
        self.assertEqual(len(complaints(EXACT, PENALTY, page=extra)[0]), 1)

    def test_no_records_are_no_agreement(self):
        self.assertEqual(len(complaints("")[0]), 1)

    def test_two_tests_that_disagree_are_refused(self):
        with self.assertRaises(ValueError):
            complaints(EXACT, record(reference=1.6))

    def test_what_is_no_number_is_refused(self):
        with self.assertRaises(ValueError):
            complaints(record(computed=None))


if __name__ == "__main__":
    unittest.main()
