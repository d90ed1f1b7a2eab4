"""The programs of examples/c compile as a user compiles them and print what NumPy computes, or what the program prints."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

try:
    import numpy
except ImportError:
    numpy = None

ROOT = pathlib.Path(os.environ["ROUTH_SOURCE"])
BUILD = pathlib.Path(os.environ["ROUTH_BUILD"])
STRICT = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.programs = {}
        for source in (ROOT / "examples/c").glob("*.c"):
            program = pathlib.Path(cls.folder.name) / source.stem
            code, _, complaints = run("cc", *STRICT, "-I", ROOT / "include", source, "-o", program, "-L", BUILD, "-lrouth",
                                      f"-Wl,-rpath,{BUILD}")
            assert code == 0, complaints
            cls.programs[source.stem] = program

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_there_is_a_test_of_each(self):
        self.assertEqual(set(self.programs), {"quarter-car", "sweep", "parametric"})

    @unittest.skipUnless(numpy, "NumPy is not installed")
    def test_the_quarter_car_has_the_modes_of_two_masses(self):
        code, printed, complaints = run(self.programs["quarter-car"])
        self.assertEqual(code, 0, complaints)
        mass, damping = numpy.diag([300.0, 40.0]), 1500.0 * numpy.array([[1, -1], [-1, 1]])
        stiffness = 20e3 * numpy.array([[1, -1], [-1, 1]]) + numpy.diag([0, 180e3])
        inverse = numpy.linalg.inv(mass)
        a = numpy.block([[numpy.zeros((2, 2)), numpy.eye(2)], [-inverse @ stiffness, -inverse @ damping]])
        wanted = sorted((abs(s) / (2 * numpy.pi), -s.real / abs(s)) for s in numpy.linalg.eigvals(a) if s.imag >= 0)
        found = sorted((float(line.split()[0]), float(line.split()[-1])) for line in printed.splitlines())
        numpy.testing.assert_allclose(found, wanted, rtol=1e-10)

    def test_the_sweep_is_the_program_s(self):
        parameter, values = "m", []
        model = pathlib.Path(self.folder.name) / "pendulum.yaml"
        model.write_text("parameters: {m: 1}\nbodies: {bob: {mass: m, inertia: [0.1, 0.2, 0.3], position: [0, 0, -1]}}\n"
                         "joints: {pin: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}}\n")
        code, printed, complaints = run(self.programs["sweep"], model, parameter, "1", "2.5")
        self.assertEqual(code, 0, complaints)
        for value in ("1", "2.5"):
            _, text, _ = run(BUILD / "routh", "modes", model, "--set", f"m={value}", "--json")
            values += [(value, f"{m['eigenvalue'][0]:.12g}", f"{m['eigenvalue'][1]:.12g}") for m in json.loads(text)["modes"]]
        self.assertEqual([tuple(line.split()) for line in printed.splitlines()], values)
        code, again, complaints = run(self.programs["parametric"], model, parameter, "1", "2.5")
        self.assertEqual((code, again), (0, printed), complaints)

    def test_what_is_wrong_is_said(self):
        code, _, complaints = run(self.programs["sweep"], ROOT / "examples/four-bar.yaml", "nothing", "1")
        self.assertEqual(code, 1)
        self.assertIn("nothing", complaints)
        code, _, complaints = run(self.programs["parametric"], ROOT / "examples/four-bar.yaml", "nothing", "1")
        self.assertEqual(code, 1)
        self.assertIn("'nothing' is not a parameter of the model", complaints)


if __name__ == "__main__":
    unittest.main()
