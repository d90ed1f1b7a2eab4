"""An installed Routh serves programs that find it by pkg-config and by find_package, shared and static."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["ROUTH_SOURCE"])
BUILD = pathlib.Path(os.environ["ROUTH_BUILD"])

PROGRAM = """#include <routh/routh.h>
#include <stdio.h>
int main(void)
{
    return puts(routh_version()) < 0;
}
"""

LISTS = """cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(Routh 0.1 REQUIRED)
add_executable(shared user.c)
target_link_libraries(shared PRIVATE Routh::routh)
add_executable(static user.c)
target_link_libraries(static PRIVATE Routh::routh_static)
"""


CXX_PROGRAM = """#include <routh/routh.h>
#include <cstdio>
#include <cstring>
static_assert(ROUTH_VERSION_NUMBER == ROUTH_VERSION_MAJOR * 10000 + ROUTH_VERSION_MINOR * 100 + ROUTH_VERSION_PATCH,
              "the number is made of the three");
int main()
{
    static const char text[] = "bodies: {stone: {mass: 1, inertia: [1, 1, 1]}}\\n";
    char version[40];
    routh_model *model = nullptr;
    routh_error error = {};
    std::snprintf(version, sizeof version, "%d.%d.%d", ROUTH_VERSION_MAJOR, ROUTH_VERSION_MINOR, ROUTH_VERSION_PATCH);
    const routh_status status = routh_model_parse(&model, text, sizeof text - 1, "stone", nullptr, 0, &error);
    routh_model_free(model);
    return std::puts(version) < 0 || status || std::strcmp(version, routh_version());
}
"""

CXX_LISTS = LISTS.replace("user C", "user CXX").replace("user.c", "user.cpp")


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout.strip()


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.user = pathlib.Path(cls.folder.name)
        run("cmake", "--install", BUILD, "--prefix", cls.user / "first")
        # An installed tree may be moved.
        cls.prefix = cls.user / "moved"
        (cls.user / "first").rename(cls.prefix)
        (cls.user / "user.c").write_text(PROGRAM)
        cls.libraries = next(cls.prefix.rglob("librouth.so")).parent

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_headers_libraries_and_program_are_there(self):
        names = {path.name for path in self.prefix.rglob("*")}
        wanted = {header.name for header in (ROOT / "include/routh").glob("*.h")}
        wanted |= {"librouth.a", "librouth.so", "routh.pc", "RouthConfig.cmake", "routh", "routh.1", "_routh", "routh.fish"}
        self.assertLessEqual(wanted, names)
        self.assertTrue(run(self.prefix / "bin/routh", "--version"))
        self.assertEqual(run(self.prefix / "bin/routh", "man"), (self.prefix / "share/man/man1/routh.1").read_text().strip())
        self.assertIn("_routh", (self.prefix / "share/bash-completion/completions/routh").read_text())

    def test_pkg_config(self):
        if not shutil.which("pkg-config"):
            self.skipTest("pkg-config is not installed")
        paths = dict(os.environ, PKG_CONFIG_PATH=str(self.libraries / "pkgconfig"))
        for kind, flags in (("shared", []), ("static", ["--static"])):
            with self.subTest(kind):
                words = run("pkg-config", "--cflags", "--libs", *flags, "routh", env=paths).split()
                if kind == "static": # the archive in place of the shared library that -lrouth would take
                    words = [str(self.libraries / "librouth.a") if word == "-lrouth" else word for word in words]
                program = self.user / f"by-pkg-config-{kind}"
                run("cc", self.user / "user.c", "-o", program, *words, f"-Wl,-rpath,{self.libraries}")
                self.assertRegex(run(program), r"^\d+\.\d+\.\d+$")

    def test_find_package(self):
        (self.user / "CMakeLists.txt").write_text(LISTS)
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        run("cmake", *generator, "-S", self.user, "-B", self.user / "b", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", self.user / "b")
        for kind in ("shared", "static"):
            self.assertRegex(run(self.user / "b" / kind), r"^\d+\.\d+\.\d+$")

    @unittest.skipUnless(shutil.which("c++"), "no C++ compiler is installed")
    def test_find_package_in_a_project_of_cxx_alone(self):
        place = self.user / "cxx"
        place.mkdir()
        (place / "CMakeLists.txt").write_text(CXX_LISTS)
        (place / "user.cpp").write_text(CXX_PROGRAM)
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        run("cmake", *generator, "-S", place, "-B", place / "b", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", place / "b")
        for kind in ("shared", "static"):
            self.assertRegex(run(place / "b" / kind), r"^\d+\.\d+\.\d+$")

    def test_the_shared_library_exports_only_what_the_headers_declare(self):
        lines = run("nm", "-D", "--defined-only", self.libraries / "librouth.so").splitlines()
        names = {line.split()[-1] for line in lines}
        declared = "\n".join(header.read_text() for header in (ROOT / "include/routh").glob("*.h"))
        self.assertTrue(names)
        self.assertEqual([name for name in sorted(names) if f"{name}(" not in declared], [])


if __name__ == "__main__":
    unittest.main()
