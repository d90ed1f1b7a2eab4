"""Sources that are compiled together mean what they mean alone: none uses a name that another of its group defines for itself."""
import pathlib
import unittest

import house

joined = house.load_tool("joined")


def groups(files):
    """{name of a file: its group}"""
    with house.Tree(files) as root:
        return {path.name: group for path, group in joined.joined([pathlib.Path(root) / file for file in files])}


class Joined(unittest.TestCase):
    def test_sources_of_a_folder_come_together(self):
        found = groups({"src/m/a.c": "int a;\n", "src/m/b.c": "int b;\n", "src/n/c.c": "int c;\n"})
        self.assertEqual(found["a.c"], found["b.c"])
        self.assertNotEqual(found["a.c"], found["c.c"])

    def test_a_name_of_one_that_another_uses_keeps_them_apart(self):
        for own in ("enum { MOST = 3 };", "static const double OTHER = 1, MOST = 2;", "#define MOST 3", "static const char *const MOST[2] = {0};",
                    "typedef struct MOST {\n    int n;\n} MOST;", "static int MOST(int n)\n{\n    return n;\n}", "typedef double (*MOST)(double x);"):
            found = groups({"src/m/a.c": own + "\n", "src/m/b.c": "int f(void)\n{\n    enum { MOST = 2 };\n    return MOST;\n}\n"})
            self.assertNotEqual(found["a.c"], found["b.c"], own)

    def test_a_name_in_a_comment_is_none(self):
        found = groups({"src/m/a.c": "enum { MOST = 3 };\n", "src/m/b.c": "/* MOST */ int b;\n"})
        self.assertEqual(found["a.c"], found["b.c"])

    def test_what_asks_for_more_of_the_headers_stays_alone(self):
        self.assertEqual(set(groups({"src/m/a.c": "#define _GNU_SOURCE\n", "src/m/b.c": "#define _POSIX_C_SOURCE 200809L\n"})), {"b.c"})

    def test_a_group_has_an_end(self):
        found = groups({f"src/m/s{k}.c": f"int s{k};\n" for k in range(joined.MOST + 1)})
        self.assertEqual(len(set(found.values())), 2)

    def test_the_library_is_compiled_in_few_groups(self):
        sources = sorted((house.ROOT / "src").rglob("*.c"))
        found = dict(joined.joined(sources))
        self.assertGreater(len(found), 0.95 * len(sources))
        self.assertLess(len(set(found.values())), len(sources) / 5)


if __name__ == "__main__":
    unittest.main()
