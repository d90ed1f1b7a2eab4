"""Each public header compiles alone, in C and in C++, without a warning."""
import shutil
import subprocess
import unittest

import house

HEADERS = sorted((house.ROOT / "include/routh").glob("*.h"))
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only"]


def compile_alone(compiler, language, standard, header, tail=""):
    source = f'#include "routh/{header.name}"\n#include "routh/{header.name}"\n{tail}'
    return subprocess.run([compiler, "-x", language, f"-std={standard}", *STRICT, "-I", house.ROOT / "include", "-"],
                          input=source, capture_output=True, text=True)


def first_of(*compilers):
    return next((name for name in compilers if shutil.which(name)), None)


class Headers(unittest.TestCase):
    def check(self, compiler, language, standard):
        self.assertTrue(HEADERS)
        for header in HEADERS:
            with self.subTest(header=header.name):
                done = compile_alone(compiler, language, standard, header)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_in_c(self):
        self.check(first_of("gcc", "cc"), "c", "c17")

    def test_in_cxx(self):
        compiler = first_of("g++", "clang++-14")
        if not compiler:
            self.skipTest("no C++ compiler is installed")
        self.check(compiler, "c++", "c++17")

    def test_a_header_that_lacks_an_include_would_be_seen(self):
        with house.Tree({"bad.h": "size_t routh_x(void);\n"}) as root:
            done = subprocess.run([first_of("gcc", "cc"), "-std=c17", *STRICT, "-x", "c", "-include", root / "bad.h", "-"],
                                  input="", capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
