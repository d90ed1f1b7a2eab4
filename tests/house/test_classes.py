"""Types of loads differ by the members of their classes (src/model/load_class.h): nothing switches over them."""
import pathlib
import re
import unittest

import house

ROOT = pathlib.Path(house.ROOT)


def types():
    return re.findall(r"\bLOAD\(([A-Z_]+), ", (ROOT / "src/model/load_types.h").read_text().split("#define")[2])


def switches(text):
    return re.findall(r"\bcase (RT_LOAD_[A-Z_]+):", text)


class Classes(unittest.TestCase):
    def test_nothing_switches_over_types_of_loads(self):
        self.assertGreater(len(types()), 10)
        found = {str(f.relative_to(ROOT)): switches(f.read_text()) for f in sorted(ROOT.glob("src/*/*.[ch]"))}
        self.assertEqual({f: found[f] for f in found if found[f]}, {})

    def test_a_switch_is_seen(self):
        self.assertEqual(switches("switch (t) { case RT_LOAD_SPRING: return; }"), ["RT_LOAD_SPRING"])

    def test_the_guide_or_the_reference_names_each(self):
        reference = (ROOT / "docs/reference/model-file.md").read_text()
        classes = re.findall(r"\bLOAD\([A-Z_]+, ([a-z_]+),", (ROOT / "src/model/load_types.h").read_text())
        self.assertEqual([name for name in classes if f"### load `{name}`" not in reference], [])


if __name__ == "__main__":
    unittest.main()
