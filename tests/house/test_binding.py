"""The public headers can be read by the binding of the Python package, and what it writes of them compiles."""
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Binding(unittest.TestCase):
    def setUp(self):
        try:
            import cffi  # noqa: F401
        except ImportError:
            self.skipTest("cffi is not installed")
        self.python = sysconfig.get_path("include")
        if not (pathlib.Path(self.python) / "Python.h").exists() or not shutil.which("cc"):
            self.skipTest("Python.h or cc is not installed")

    def write(self, include, output):
        return subprocess.run([sys.executable, ROOT / "python/binding.py", "--compiler", "cc", "--include", include,
                               "--output", output], capture_output=True, text=True)

    def test_what_is_written_of_the_headers_compiles_and_has_every_function(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "binding.c"
            written = self.write(ROOT / "include", output)
            self.assertEqual(written.returncode, 0, written.stderr)
            done = subprocess.run(["cc", "-fsyntax-only", "-Wall", "-Wno-unused", "-Wno-attributes", "-Werror", "-I",
                                   ROOT / "include", "-I", self.python, output], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            text = output.read_text()
        headers = "".join(header.read_text() for header in (ROOT / "include/routh").glob("*.h"))
        functions = re.findall(r"^ROUTH_API [^;(]*?(routh_\w+)\(", headers, re.MULTILINE)
        self.assertGreater(len(functions), 150)
        self.assertEqual([name for name in functions if f"_cffi_f_{name}(" not in text], [])

    def test_a_header_that_is_no_plain_c_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            include = pathlib.Path(folder) / "include"
            shutil.copytree(ROOT / "include", include)
            header = include / "routh/version.h"
            header.write_text(header.read_text().replace(
                "ROUTH_API const char *routh_version(void);", "class version { };"))
            self.assertNotEqual(self.write(include, pathlib.Path(folder) / "binding.c").returncode, 0)


if __name__ == "__main__":
    unittest.main()
