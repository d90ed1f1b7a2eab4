"""The documentation agrees with the program, and the check that says so sees where it would not."""
import os
import pathlib
import unittest

import house

docs = house.load_tool("check_docs")
PROGRAM = os.environ.get("ROUTH") or str(house.ROOT / "build/routh")

FALSE_PROGRAM = """#!/bin/sh
if [ "$1" = reference ]; then echo "# Model files"; else echo "frequency  0.5 Hz"; echo "2 modes, residual 1e-17"; fi
"""


def complaints(page, files=None, reference="# Model files\n", update=False):
    with house.Tree({"README.md": page, docs.REFERENCE: reference, "examples/a.yaml": "", "build/routh": FALSE_PROGRAM,
                     **(files or {})}) as root:
        (root / "build/routh").chmod(0o755)
        found = docs.check(root, root / "build/routh", update)
        return found, (root / "README.md").read_text(), (root / docs.REFERENCE).read_text()


def found(page, **more):
    return complaints(page, **more)[0]


def block(*lines):
    return "```console\n" + "".join(line + "\n" for line in lines) + "```\n"


class Docs(unittest.TestCase):
    @unittest.skipUnless(pathlib.Path(PROGRAM).exists(), "the program is not built")
    def test_the_pages_agree_with_the_program(self):
        self.assertEqual(docs.check(house.ROOT, PROGRAM), [])

    def test_links_within_the_project_must_lead_somewhere(self):
        self.assertEqual(found("[a](docs/reference/model-file.md) [b](https://example.org/x) [c](#part-1)\n## Part 1\n"), [])
        self.assertEqual(len(found("[a](docs/missing.md)")), 1)
        self.assertEqual(len(found("[a](docs/reference/model-file.md#missing)")), 1)

    def test_links_in_blocks_are_no_links(self):
        self.assertEqual(found("```c\na[0](x)\n```\n"), [])

    def test_the_reference_must_be_the_programs(self):
        self.assertEqual(len(found("", reference="# Old\n")), 1)

    def test_output_as_shown_is_accepted(self):
        self.assertEqual(found(block("$ build/routh x", "frequency 0.50001 Hz", "2 modes, residual 3e-16")), [])
        self.assertEqual(found(block("$ build/routh x", "...", "2 modes, residual 0")), [])
        self.assertEqual(found(block("$ build/routh x", "frequency 0.5 Hz", "...")), [])

    def test_a_wrong_number_is_seen(self):
        self.assertEqual(len(found(block("$ build/routh x", "frequency 0.51 Hz", "..."))), 1)

    def test_work_may_differ_by_a_tenth(self):
        print_work = "$ echo solved 100 times, frequency 0.5 Hz"
        self.assertEqual(found(block(print_work, "solved 92 times, frequency 0.5 Hz")), [])
        self.assertEqual(len(found(block(print_work, "solved 89 times, frequency 0.5 Hz"))), 1)
        self.assertEqual(len(found(block(print_work, "solved 100 times, frequency 0.6 Hz"))), 1)

    def test_a_wrong_word_and_a_missing_line_are_seen(self):
        self.assertEqual(len(found(block("$ build/routh x", "frequencies 0.5 Hz", "..."))), 1)
        self.assertEqual(len(found(block("$ build/routh x", "frequency 0.5 Hz"))), 1)
        self.assertEqual(len(found(block("$ build/routh x"))), 1)

    def test_files_shown_are_there_for_the_commands(self):
        page = "<!-- file: b.txt -->\n```yaml\na: 1\n```\n"
        self.assertEqual(found(page + block("$ cat b.txt", "a: 1")), [])
        self.assertEqual(len(found(page + block("$ cat b.txt", "a: 2"))), 1)

    def test_update_writes_what_is_printed_and_keeps_what_agrees(self):
        page = block("$ build/routh x", "...", "2 modes, residual 0") + block("$ build/routh x", "wrong")
        _, new, reference = complaints(page, reference="# Old\n", update=True)
        self.assertEqual(new, block("$ build/routh x", "...", "2 modes, residual 0") +
                         block("$ build/routh x", "frequency  0.5 Hz", "2 modes, residual 1e-17"))
        self.assertEqual(reference, "# Model files\n")


if __name__ == "__main__":
    unittest.main()
