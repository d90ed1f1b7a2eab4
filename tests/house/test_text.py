"""No file names one machine, no lock file a registry; C lines have at most 100 columns."""
import unittest

import house

text = house.load_tool("check_text")


def complaints(name, content):
    with house.Tree({name: content}) as root:
        return text.check(root)


class Text(unittest.TestCase):
    def test_the_files_of_the_project_are_clean(self):
        self.assertEqual(text.check(house.ROOT), [])

    def test_a_path_of_one_machine_is_refused(self):
        self.assertEqual(len(complaints("a.md", "see /" + "home/me/x\n")), 1)
        self.assertEqual(complaints("a.md", "#!/usr/bin/python3\nsrc/" + "work/x https://example.org/home/x\n"), [])

    def test_a_registry_host_in_a_lock_file_is_refused(self):
        self.assertEqual(len(complaints("package-lock.json", '"resolved": "https://registry.' + 'npmjs.org/x"\n')), 1)

    def test_long_lines_of_c_are_refused(self):
        self.assertEqual(complaints("a.c", "x" * 100 + "\n"), [])
        self.assertEqual(len(complaints("a.c", "x" * 101 + "\n")), 1)
        self.assertEqual(complaints("a.c", "é" * 100 + "\n"), [])

    def test_a_line_of_text_in_c_may_be_a_little_longer(self):
        for line, wrong in (('    "' + "x" * 104 + '"\n', 0), ('    "' + "x" * 105 + '"\n', 1),
                            ('    "' + "\\\"" * 50 + '");\n', 0), ('    f("' + "x" * 100 + '");\n', 1)):
            self.assertEqual(len(complaints("a.c", line)), wrong, line)

    def test_tabs_trailing_blanks_and_missing_line_ends_are_refused(self):
        for content in ("\tint a;\n", "int a; \n", "int a;"):
            self.assertEqual(len(complaints("a.c", content)), 1, content)


if __name__ == "__main__":
    unittest.main()
