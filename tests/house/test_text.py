"""No file names one machine, no lock file a registry; C lines have at most 110 columns."""
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
        self.assertEqual(complaints("a.md", "#!/usr/bin/python3\nsrc/work/x https://example.org/home/x\n"), [])

    def test_a_registry_host_in_a_lock_file_is_refused(self):
        self.assertEqual(len(complaints("package-lock.json", '"resolved": "https://registry.' + 'npmjs.org/x"\n')), 1)

    def test_long_lines_of_c_are_refused(self):
        self.assertEqual(complaints("a.c", "x" * 110 + "\n"), [])
        self.assertEqual(len(complaints("a.c", "x" * 111 + "\n")), 1)
        self.assertEqual(complaints("a.c", "é" * 110 + "\n"), [])

    def test_tabs_trailing_blanks_and_missing_line_ends_are_refused(self):
        for content in ("\tint a;\n", "int a; \n", "int a;"):
            self.assertEqual(len(complaints("a.c", content)), 1, content)


if __name__ == "__main__":
    unittest.main()
