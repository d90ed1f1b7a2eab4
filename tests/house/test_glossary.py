"""The words that the field has better ones for stay out of all that a user reads (tests/house/glossary.py)."""
import re
import unittest

import glossary
import house

# A use of each word of the list, and uses that are right.
WRONG = [
    "a room of src", "the neck of the library", "the floors below", "seen by the observer", "imbalance", "it says nothing new",
    "the positions as written", "as given", "which is   at rest", "meaning   small motions", "it moves freely", "a kink of the force",
    "ways from inputs to outputs", "energy shares", "most kinetic energy", "wanted eigenvalues", "the wheel turns", "turned x",
    "an error with its place", "it tells why", "this was told", "and says so", "held against each other", "it holds them against each other",
    "it holds of itself", "cases are dealt", "a deal", "a watch", "made numbers", "joined coordinates", "the lean of a tyre",
    "the force along", "the force across", "confirm", "confirmation", "the state was added", "gone on with", "it stays where it is put",
    "the body it blames", "pieces of a beam", "speed in the frame", "what moved which mode", "it comes twice", "a massless rod",
]
RIGHT = [
    "which is small", "turning point", "a steady turn", "turned out well", "in turn", "no room", "observable",
    "the meaning of it", "shared coordinates", "a rod hangs", "placed on it", "the file's share", "piecewise", "clean", "balance",
    "ideal", "a turn_rate", "a car in a steady turn", "turn one format into another",
]

# One file of each kind, with the word at @.
KINDS = {
    "README.md": "Text @.\n", "CONTRIBUTING.md": "Text @.\n", "CHANGELOG.md": "# Changes\n\n- @\n", "docs/guide/a.md": "- @\n",
    "docs/tutorials/a.ipynb": '{"cells": ["@"]}\n', "examples/a.yaml": "# @\nbodies: {}\n", "examples/README.md": "| @ |\n",
    "schema/a.json": '{"description": "@"}\n', "include/routh/a.h": "/* @ */\nint a;\n", "cli/a.c": 'int f(void)\n{\n    g("@");\n}\n',
    "src/a/a.c": 'static const char a[] = "@";\n', "src/a/a.h": '#define A "@"\n', "src/a/README.md": "@\n",
    "python/routh/a.py": 'def f():\n    """@"""\n', "src/output/a.c": 'static const char a[] = "@";\n', "viewer/src/a.ts": "f('x', \"@\");\n",
}


def complaints(files, **more):
    with house.Tree(files) as root:
        return glossary.check(root, **more)


class Glossary(unittest.TestCase):
    def test_what_users_read_has_the_words_of_the_field(self):
        found = glossary.check(house.ROOT)
        self.assertEqual(found, [], f"{len(found)} places")

    def test_every_word_is_refused(self):
        for text in WRONG:
            self.assertNotEqual(list(glossary.wrong_in(text)), [], text)

    def test_every_line_of_the_list_has_a_use_that_is_refused(self):
        for pattern, _, _ in glossary.COMPILED:
            self.assertTrue(any(pattern.search(text) for text in WRONG), pattern.pattern)

    def test_what_is_right_passes(self):
        for text in RIGHT:
            self.assertEqual(list(glossary.wrong_in(text)), [], text)

    def test_every_word_is_refused_in_every_kind_of_file(self):
        for word in WRONG:
            found = complaints({name: text.replace("@", word) for name, text in KINDS.items()}, not_yet=())
            for name, text in KINDS.items():
                if re.match("which is|meaning", word) and not text.startswith("@"):
                    continue # heads of lines, as tables have them
                self.assertTrue(any(line.startswith(f"{name}:") for line in found), f"{name}: {word}: {found}")

    def test_a_line_break_hides_nothing(self):
        self.assertEqual(len(complaints({"README.md": "wanted\neigenvalues\n"})), 1)
        self.assertEqual(len(complaints({"cli/a.c": 'f("wanted "\n  "eigenvalues");\n'})), 1)
        self.assertEqual(len(complaints({"include/routh/a.h": "/* wanted\n * eigenvalues */\n"})), 1)

    def test_code_is_no_text(self):
        self.assertEqual(complaints({"cli/a.c": "int turn; /* turn */\n", "include/routh/a.h": "int turn;\n",
                                     "python/routh/a.py": "turn = 1 # turn\n", "src/a/a.c": '#include "base/watch.h"\n'}), [])

    def test_what_commands_print_is_text_too(self):
        page = {"docs/a.md": "```console\n$ routh modes\nimbalance 0\n```\n"}
        self.assertEqual(complaints(page, not_yet=("printed by a command",)), [])
        self.assertEqual(len(complaints(page, not_yet=())), 1)

    def test_the_table_of_old_names_may_hold_them(self):
        table = "# Changes\n\n### Renamed\n\n| old | new |\n|---|---|\n| confirm | verify |\n\n### Added\n\n- "
        self.assertEqual(complaints({"CHANGELOG.md": table + "verify\n"}), [])
        self.assertEqual(len(complaints({"CHANGELOG.md": table + "confirm\n"})), 1)


if __name__ == "__main__":
    unittest.main()
