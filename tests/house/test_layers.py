"""Includes run down the floors only, and the check that says so sees each way of breaking that."""
import unittest

import house

layers = house.load_tool("check_layers")
EDGES = "base: routh/status.h\nmodel: base\nanswers: base routh/linear.h\ncli: routh\ninclude: routh\n"


def complaints(files, edges=EDGES):
    with house.Tree({"tools/allowed_edges.txt": edges, **files}) as root:
        return layers.check(root)


class Layers(unittest.TestCase):
    def test_the_sources_keep_to_the_allowed_edges(self):
        self.assertEqual(layers.check(house.ROOT), [])

    def test_every_room_of_the_sources_has_a_floor(self):
        edges = layers.read_edges((house.ROOT / "tools/allowed_edges.txt").read_text())
        rooms = {folder.name for folder in (house.ROOT / "src").iterdir() if folder.is_dir()}
        self.assertLessEqual(rooms, set(edges))

    def test_an_include_down_is_accepted(self):
        self.assertEqual(complaints({"src/model/m.c": '#include "base/error.h"\n#include "model/m.h"\n'}), [])

    def test_an_include_up_is_refused_with_its_line(self):
        found = complaints({"src/base/b.c": '#include <math.h>\n#include "model/m.h"\n'})
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith('src/base/b.c:2: #include "model/m.h"'), found[0])

    def test_answers_may_not_see_the_mechanism(self):
        self.assertEqual(complaints({"src/answers/a.c": '#include "routh/linear.h"\n'}), [])
        self.assertEqual(len(complaints({"src/answers/a.c": '#include "routh/mechanism.h"\n'})), 1)
        self.assertEqual(len(complaints({"src/answers/a.c": '#include "model/m.h"\n'})), 1)

    def test_the_program_may_not_reach_into_the_library(self):
        self.assertEqual(complaints({"cli/main.c": '#include "routh/routh.h"\n#include "options.h"\n',
                                     "cli/options.h": ""}), [])
        self.assertEqual(len(complaints({"cli/main.c": '#include "base/error.h"\n'})), 1)

    def test_one_name_for_two_functions_of_one_program_is_refused(self):
        self.assertEqual(layers.twice(house.ROOT), [])
        declared = "routh_status rt_rows_make(rt_rows *rows);\n"
        with house.Tree({"src/base/rows.h": declared, "distributed/rows.h": declared}) as root:
            self.assertEqual(layers.twice(root), ["distributed/rows.h: rt_rows_make is declared in src/base/rows.h too"])

    def test_relative_and_nameless_includes_are_refused(self):
        self.assertEqual(len(complaints({"src/model/m.c": '#include "../base/error.h"\n'})), 1)
        self.assertEqual(len(complaints({"src/model/m.c": '#include "m.h"\n', "src/model/m.h": ""})), 1)

    def test_a_room_without_a_floor_is_refused(self):
        self.assertEqual(len(complaints({"src/attic/a.c": ""})), 1)

    def test_a_list_that_runs_in_a_circle_is_refused(self):
        self.assertEqual(len(complaints({}, "a: b\nb: c\nc: a\n")), 3)


if __name__ == "__main__":
    unittest.main()
