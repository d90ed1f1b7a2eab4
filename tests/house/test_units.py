"""Units of src/system (a source with its header) form no knot of more than three that need each other, by the symbols of
their objects."""
import os
import pathlib
import subprocess
import unittest

LARGEST = 3


def symbols(folder):
    """{unit: (what it defines, what it needs)}"""
    units = {}
    for file in sorted(folder.glob("*.o")):
        lines = subprocess.run(["nm", "-g", file], capture_output=True, text=True, check=True).stdout.splitlines()
        words = [line.split()[-2:] for line in lines]
        units[file.name.split(".")[0]] = ({w[1] for w in words if w[0] != "U"}, {w[1] for w in words if w[0] == "U"})
    return units


def knots(units):
    """Sets of units that reach each other."""
    home = {name: unit for unit, (defines, _) in units.items() for name in defines}
    reach = {unit: {home[n] for n in needs if n in home} - {unit} for unit, (_, needs) in units.items()}
    for middle in units:
        for unit in units:
            if middle in reach[unit]:
                reach[unit] |= reach[middle]
    found = {frozenset(v for v in reach[u] if u in reach[v]) for u in units if u in reach[u]}
    return sorted(map(sorted, found))


class Units(unittest.TestCase):
    def test_no_large_knot_in_system(self):
        program = pathlib.Path(os.environ.get("ROUTH", ""))
        units = symbols(program.parent / "CMakeFiles/routh_objects.dir/src/system")
        if not units:
            self.skipTest("the library was built elsewhere")
        self.assertEqual([k for k in knots(units) if len(k) > LARGEST], [])

    def test_a_knot_is_seen(self):
        units = {"a": ({"x"}, {"y"}), "b": ({"y"}, {"z"}), "c": ({"z"}, {"x", "w"}), "d": ({"w"}, set())}
        self.assertEqual(knots(units), [["a", "b", "c"]])


if __name__ == "__main__":
    unittest.main()
