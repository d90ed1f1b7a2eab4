"""Types and static functions have names of their own, and the check sees each way of breaking that."""
import unittest

import house

names = house.load_tool("check_names")


def complaints(files):
    with house.Tree(files) as root:
        return names.check(root)


class Names(unittest.TestCase):
    def test_every_name_of_the_library_is_defined_once(self):
        self.assertEqual(names.check(house.ROOT), [])

    def test_many_names_are_seen(self):
        types, functions = set(), set()
        for file in (house.ROOT / "src").rglob("*.[ch]"):
            more = names.names_in(file.read_text())
            types |= more[0]
            functions |= more[1]
        self.assertGreater(len(types), 300)
        self.assertGreater(len(functions), 4000)

    def test_a_type_of_two_headers_is_refused(self):
        text = "typedef struct rt_axis {\n    int n;\n} rt_axis;\n"
        self.assertEqual(len(complaints({"src/a/a.h": text, "src/b/b.h": text})), 1)
        self.assertEqual(complaints({"src/a/a.h": text, "src/b/b.h": "typedef struct rt_axis rt_axis;\n"}), [])

    def test_a_static_function_of_two_files_is_refused(self):
        text = "static bool take(int n,\n                 int m)\n{\n    return n > m;\n}\n"
        found = complaints({"src/a/a.c": text, "src/b/b.c": text})
        self.assertEqual(found, ["the static function take is defined in src/a/a.c and src/b/b.c; give each a name of its own"])

    def test_a_declaration_a_call_and_a_comment_are_no_definition(self):
        text = "/* static int take(int n)\n{ */\nstatic const int x[] = {1};\nint f(void)\n{\n    return take(2);\n}\n"
        self.assertEqual(complaints({"src/a/a.c": text, "src/b/b.c": text}), [])


if __name__ == "__main__":
    unittest.main()
