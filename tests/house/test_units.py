"""Units of a module hang together in one direction, and the check sees where they do not."""
import os
import pathlib
import unittest

import house

units = house.load_tool("check_units")


class Units(unittest.TestCase):
    def test_no_more_than_three_units_of_the_library_reach_each_other(self):
        self.assertEqual(units.check(pathlib.Path(os.environ["ROUTH_BUILD"])), [])

    def test_calls_of_the_library_are_seen(self):
        objects = units.objects_of(pathlib.Path(os.environ["ROUTH_BUILD"]))
        edges = units.edges_of(units.symbols(objects))
        self.assertGreater(len(edges), 400)
        self.assertIn("base/error", edges["base/file"])
        self.assertNotIn("base/file", edges["base/error"])

    def test_a_ring_of_four_is_refused_and_one_of_three_is_not(self):
        ring = {"m/a": {"m/b"}, "m/b": {"m/c"}, "m/c": {"m/a"}, "m/d": {"m/a"}}
        self.assertEqual(units.complaints(ring), [])
        ring["m/c"] = {"m/d"}
        self.assertEqual(len(units.complaints(ring)), 1)

    def test_two_modules_that_call_each_other_are_refused(self):
        self.assertEqual(len(units.complaints({"m/a": {"n/b"}, "n/b": {"m/a"}})), 1)

    def test_a_folder_without_a_build_is_refused(self):
        self.assertEqual(len(units.check(house.ROOT / "docs")), 1)


if __name__ == "__main__":
    unittest.main()
