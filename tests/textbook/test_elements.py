"""Every element against a second implementation, written from the textbook: tests/textbook/README.md."""
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(os.environ["ROUTH_SOURCE"])
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(ROOT / "tools"))
try:
    import run
except ImportError as missing:  # numpy, mpmath, cffi
    print(f"{missing.name} is not installed")
    sys.exit(77)
import textbook

EFFORT = max(1, int(os.environ.get("ROUTH_TEST_EFFORT") or 1))
CASES = 6 if EFFORT < 10 else textbook.CASES


class Elements(unittest.TestCase):
    """One test for each element, made below."""


class House(unittest.TestCase):
    def test_every_element_of_the_program_has_a_reference(self):
        found = textbook.elements_of(os.environ["ROUTH"])
        for kind, names in found.items():
            self.assertEqual(set(run.KINDS[kind]) | set(textbook.WITHOUT.get(kind, [])), set(names), kind)

    def test_the_page_lists_every_element_with_enough_cases(self):
        shown = textbook.shown((ROOT / textbook.PAGE).read_text())
        self.assertEqual(sorted(shown), sorted((kind, name) for kind in run.KINDS for name in run.KINDS[kind]))
        for key, line in shown.items():
            self.assertGreaterEqual(line["cases"], 100, key)
            for level in textbook.LEVELS:
                self.assertLessEqual(line[level], textbook.BOUND[level], (key, level))

    def test_a_wrong_reference_is_noticed(self):
        """A spring stiffer by 1e-9 is not the program's."""
        import loads
        from compare import errors
        right = loads.Spring.on_first

        def wrong(load, f, solution):
            load.k *= 1 + 1e-9
            try:
                return right(load, f, solution)
            finally:
                load.k /= 1 + 1e-9

        loads.Spring.on_first = wrong
        try:
            found, _ = errors(loads.spring, run.seed_of("load", "spring", 3), second=False)
        finally:
            loads.Spring.on_first = right
        self.assertGreater(found["values"][0], textbook.BOUND["values"])
        self.assertGreater(found["first"][0], textbook.BOUND["first"])


def _test(kind, name):
    def test(self):
        done, worst = run.measure(kind, name, CASES)
        self.assertEqual(done, CASES)
        for level, (size, where, what) in worst.items():
            self.assertLessEqual(size, textbook.BOUND[level], f"{level} of {where}, {what}")
        line = textbook.shown((ROOT / textbook.PAGE).read_text()).get((kind, name))
        for level in textbook.LEVELS if line else ():
            self.assertLessEqual(worst[level][0], line[level], f"docs/validation.md claims less: {level} of {worst[level][1]}")
    test.__doc__ = f"{kind} {name} is what its definition says"
    return test


for _kind in run.KINDS:
    for _name in run.KINDS[_kind]:
        setattr(Elements, f"test_{_kind}_{_name}", _test(_kind, _name))

if __name__ == "__main__":
    unittest.main()
