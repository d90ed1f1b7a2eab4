"""Plug-ins: libraries that a model file names for its functions, loaded where that is allowed alone. The plug-in of
examples/c/plugin against the same model with expressions."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["ROUTH_SOURCE"])
ROUTH = os.environ["ROUTH"]
STRICT = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC"]
SOURCE = '#include <routh/plugin.h>\n#include <math.h>\n%s\n'


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def compile_to(library, source):
    code, _, complaints = run("cc", *STRICT, "-I", ROOT / "include", source, "-o", library, "-lm")
    assert code == 0, complaints


@unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
class Plugins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        shutil.copy(ROOT / "examples/c/plugin/car.yaml", cls.folder)
        cls.car = cls.folder / "car.yaml"
        compile_to(cls.folder / "libtyre.so", ROOT / "examples/c/plugin/tyre.c")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def refused(self, *words, model=None, more=("--allow-plugins",)):
        code, out, complaints = run(ROUTH, "modes", model or self.car, *more)
        self.assertEqual((code != 0, out), (True, ""), complaints)
        for word in words:
            self.assertIn(word, complaints)

    def test_a_library_is_loaded_where_that_is_allowed_alone(self):
        self.refused("car.yaml:15", "function 'tyre_force'", "a library runs code", "--allow-plugins", more=())
        self.assertEqual(run(ROUTH, "modes", self.car, "--allow-plugins")[0], 0)

    def test_commands_that_read_the_model_themselves(self):
        for command in (["sweep", self.car, "--over", "v=20:30:3"], ["check", self.car], ["equilibrium", self.car],
                        ["sensitivity", self.car, "--parameters", "a"]):
            code, _, complaints = run(ROUTH, *command)
            self.assertIn("--allow-plugins", complaints, command)
            self.assertNotEqual(code, 0)
            code, _, complaints = run(ROUTH, *command, "--allow-plugins")
            self.assertEqual(code, 0, (command, complaints))

    def test_it_is_the_model_with_expressions(self):
        text = self.car.read_text()
        begin, end = text.index("functions:"), text.index("bodies:")
        plain = text[:begin] + text[end:]
        for slip, load in (("slip_f", "load_f"), ("slip_r", "load_r")):
            plain = plain.replace(f"tyre_force({slip}, {load})", f"(0.9*{load}*sin(1.3*atan(10*{slip})))")
        other = self.folder / "plain.yaml"
        other.write_text(plain)
        for more in ([], ["--set", "v=40"]):
            one, two = (json.loads(run(ROUTH, "linearize", model, "--json", *more, *allow)[1])
                        for model, allow in ((self.car, ["--allow-plugins"]), (other, [])))
            for name in "ABCD":
                size = max((abs(x) for row in two[name] for x in row), default=1)
                for row, expected in zip(one[name], two[name]):
                    for x, y in zip(row, expected):
                        self.assertLessEqual(abs(x - y), 1e-12 * size, name)

    def plugin(self, name, body):
        source = self.folder / f"{name}.c"
        source.write_text(SOURCE % body)
        compile_to(self.folder / f"lib{name}.so", source)
        model = self.folder / f"{name}.yaml"
        model.write_text("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                         f"functions: {{f: {{library: lib{name}.so, arguments: 1}}}}\n"
                         "loads: {l: {type: force, on: b, components: ['-f(DX(b))', 0, 0]}}\n")
        return model

    def test_what_is_no_plugin_is_refused(self):
        value = "static int f(void *user, const double *x, double *out) { (void)user; out[0] = x[0]; return 0; }\n"
        exported = value + "static const routh_function list[] = {{.name = \"%s\", .n_arguments = %d, .value = f}};\n" \
            "const routh_plugin routh_plugin_functions = {%s, 1, list};"
        self.refused("exports no routh_plugin_functions", model=self.plugin("empty", "int nothing;"))
        self.refused("compiled for version 2", model=self.plugin("new", exported % ("f", 1, "2")))
        self.refused("has no function 'f'", model=self.plugin("other", exported % ("g", 1, "ROUTH_PLUGIN_VERSION")))
        self.refused("2 arguments in the library", "and 1 here", model=self.plugin("two", exported % ("f", 2, "1")))
        good = self.plugin("good", exported % ("f", 1, "1"))
        self.assertEqual(run(ROUTH, "modes", good, "--allow-plugins")[0], 0)
        (self.folder / "libgood.so").unlink()
        self.refused("the library cannot be loaded", "libgood.so", model=good)
        (self.folder / "libgood.so").write_text("no library")
        self.refused("the library cannot be loaded", model=good)

    def test_a_part_brings_its_own(self):
        """From the folder of the part's file; the model may declare them too."""
        (self.folder / "parts").mkdir(exist_ok=True)
        shutil.copy(self.folder / "libtyre.so", self.folder / "parts/libpart.so")
        part = self.folder / "parts/part.yaml"
        part.write_text("functions: {grip_reserve: {library: ./libpart.so, arguments: 1}}\n"
                        "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                        "loads: {l: {type: force, on: b, components: ['-grip_reserve(DX(b) + 0.1)', 0, 0]}}\n")
        whole = self.folder / "whole.yaml"
        whole.write_text("parts: {p: {file: parts/part.yaml}, q: {file: parts/part.yaml, at: [1, 0, 0]}}\n")
        self.refused("part.yaml:1", "a library runs code", model=whole, more=())
        self.assertEqual(run(ROUTH, "modes", whole, "--allow-plugins")[0], 0)
        one = whole.read_text()
        shutil.copy(self.folder / "libtyre.so", self.folder / "parts/libother.so")
        (self.folder / "parts/other.yaml").write_text(part.read_text().replace("libpart", "libother"))
        whole.write_text("parts: {p: {file: parts/part.yaml}, q: {file: parts/other.yaml, at: [1, 0, 0]}}\n")
        self.refused("other.yaml:1", "'grip_reserve'", "from another one at", "part.yaml:1", "another name", model=whole)
        (self.folder / "parts/libother.so").unlink()
        (self.folder / "parts/libother.so").symlink_to("libpart.so")
        self.assertEqual(run(ROUTH, "modes", whole, "--allow-plugins")[0], 0)
        whole.write_text(one + "functions: {grip_reserve: {arguments: 2}}\n")
        self.refused("declared with 1 argument, and given with 2", model=whole)


if __name__ == "__main__":
    unittest.main()
