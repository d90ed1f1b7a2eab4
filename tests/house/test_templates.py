"""What the build makes of the files of src/model/templates, and what it refuses (cmake/embed_templates.cmake)."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from house import ROOT

GOOD = "% about: A thing.\ntitle: thing\n"


@unittest.skipUnless(shutil.which("cmake"), "cmake is not installed")
class Embedding(unittest.TestCase):
    def embed(self, files):
        """(exit status, what was said, the C that was written) of a folder with these files."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).write_text(text)
            done = subprocess.run(["cmake", f"-DFOLDER={root}", f"-DOUTPUT={root / 'out.c'}", "-P",
                                   ROOT / "cmake/embed_templates.cmake"], capture_output=True, text=True, check=False)
            written = (root / "out.c").read_text() if (root / "out.c").exists() else None
            return done.returncode, " ".join(done.stderr.split()), written

    def refused(self, files):
        status, said, written = self.embed(files)
        self.assertNotEqual(status, 0)
        self.assertIsNone(written)
        return said

    def test_templates_are_written_in_the_order_of_the_list(self):
        status, said, written = self.embed({"list.txt": "# order\nb-2\na\n", "a.template": GOOD,
                                            "b-2.template": GOOD.replace("thing", "b; [c]")})
        self.assertEqual((status, said), (0, ""))
        self.assertLess(written.index('{"b-2", "A b; [c].", '), written.index('{"a", "A thing.", '))
        self.assertIn("rt_template_count = 2;", written)
        self.assertIn("".join(f"0x{byte:02x}," for byte in GOOD.encode())[:60], written)

    def test_a_file_that_is_not_listed_stops_the_build(self):
        said = self.refused({"list.txt": "a\n", "a.template": GOOD, "b.template": GOOD})
        self.assertIn("add the line b", said)

    def test_a_name_without_file_stops_the_build(self):
        said = self.refused({"list.txt": "a\nb\n", "a.template": GOOD})
        self.assertIn("b.template is missing", said)

    def test_a_name_that_stands_twice_stops_the_build(self):
        self.assertIn("twice", self.refused({"list.txt": "a\na\n", "a.template": GOOD}))

    def test_a_template_that_says_nothing_about_itself_stops_the_build(self):
        for text in ("title: a\n", "% about:\ntitle: a\n", '% about: A "b".\n'):
            self.assertIn("one sentence", self.refused({"list.txt": "b\na\n", "a.template": text, "b.template": GOOD}))


if __name__ == "__main__":
    unittest.main()
