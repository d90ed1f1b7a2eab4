"""A, B, C, D of a saved linear model are all that another program needs: its frequency response by them alone is what
`routh response` finds from the model, with inputs that prescribe motions too; or the file has no D."""
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["ROUTH_SOURCE"])
ROUTH = os.environ["ROUTH"]
OCTAVE = shutil.which("octave-cli") or shutil.which("octave")
QUARTER = (ROOT / "examples/quarter-car-active.yaml").read_text()

try:
    import numpy
    import scipy.io
    import scipy.signal
except ImportError:
    numpy = scipy = None

# a pendulum under a trolley that an input moves: the acceleration of the input acts on it; a bob that turns with it is
# slower than the trolley at once, by a share of its speed
DRIVEN = """
parameters: {L: 1.5, c: 0.3}
gravity: [0, 0, -9.81]
inputs: {u: {value: 0, unit: m}, push: {value: 0, unit: N}}
bodies:
  trolley: {mass: 2, inertia: [1, 1, 1]}
  bob: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, -L]}
joints:
  rail: {type: translational, between: [trolley, ground], at: [0, 0, 0], axis: x}
  pin: {type: revolute, between: [bob, trolley], at: [0, 0, 0], axis: y}
  drive: {type: motion, joint: rail, function: u}
loads:
  wire: {type: torsion_spring, between: [trolley, bob], at: [0, 0, 0], axis: y, stiffness: 0, damping: c}
  wind: {type: force, on: bob, components: [push, 0, 0]}
outputs:
  place: {expression: "DX(bob)", unit: m}
  swing: {expression: "AY(bob, trolley)", unit: rad}
"""
SPEED = '  speed: {expression: "VX(bob)", unit: m/s}\n'
GRIP = re.search(r"  grip: .*\n", QUARTER).group(0)
# a name, the model, and which output is given by which rate
PROPER = {"driven": DRIVEN, "quarter": QUARTER.replace(GRIP, ""),
          # rates of a force that an input moves along: none act
          "half": (ROOT / "examples/half-car-active.yaml").read_text()}
IMPROPER = {"speed": (DRIVEN + SPEED, "speed", "u"), "grip": (QUARTER, "grip", "road"),
            "rope": ((ROOT / "examples/gantry-crane.yaml").read_text(), "rope_force", "hoist")}
HZ = "0.01:100:25"


def routh(*words, code=0):
    done = subprocess.run([ROUTH, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, f"{words}\n{done.stderr}"
    return done


def response_of(path):
    """Frequencies and H, one matrix for each."""
    document = json.loads(routh("response", path, "--over", HZ, "--json", "--quiet").stdout)
    H = numpy.zeros((len(document["hz"]), len(document["outputs"]), len(document["inputs"])), complex)
    for channel in document["channels"]:
        H[:, channel["output"], channel["input"]] = numpy.array(channel["re"]) + 1j * numpy.array(channel["im"])
    return numpy.array(document["hz"]), H


def by_matrices(hz, A, B, C, D):
    return numpy.array([C @ numpy.linalg.solve(2j * numpy.pi * f * numpy.eye(len(A)) - A, B) + D for f in hz])


@unittest.skipUnless(numpy, "numpy or scipy is not installed")
class StateSpace(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def model(self, name, text):
        path = self.place / f"{name}.yaml"
        path.write_text(text)
        return path

    def assert_same(self, found, expected, bound=1e-11):
        """Of each channel, relative to its largest."""
        largest = numpy.abs(expected).max(axis=0)
        largest[largest == 0] = 1
        self.assertLess((numpy.abs(found - expected) / largest).max(), bound)

    def test_rates_of_inputs_do_act_here(self):
        for name, text in PROPER.items():
            with self.subTest(name):
                routh("linearize", self.model(name, text), "--output", self.place / "m.npz")
                file = numpy.load(self.place / "m.npz")
                self.assertEqual("rates.B1" in file.files, name != "half")

    def test_the_matrices_alone_give_the_response(self):
        for name, text in PROPER.items():
            with self.subTest(name):
                path = self.model(name, text)
                hz, H = response_of(path)
                routh("linearize", path, "--output", self.place / "m.npz")
                m = numpy.load(self.place / "m.npz")
                self.assert_same(by_matrices(hz, m["A"], m["B"], m["C"], m["D"]), H)
                for k in range(H.shape[2]):
                    one = scipy.signal.StateSpace(m["A"], m["B"][:, [k]], m["C"], m["D"][:, [k]])
                    self.assert_same(by_matrices(hz, one.A, one.B, one.C, one.D), H[:, :, [k]])

    def test_the_states_are_those_that_the_note_tells(self):
        """y = z + (B1 + A B2) in + B2 in', of which names with ~ are moved and no others."""
        path = self.model("driven", DRIVEN)
        routh("linearize", path, "--output", self.place / "m.npz")
        m = numpy.load(self.place / "m.npz")
        s, n = 3 + 2j, len(m["A"])
        y = numpy.linalg.solve(s * numpy.eye(n) - m["A"], m["rates.B"] + s * m["rates.B1"] + s**2 * m["rates.B2"])
        z = numpy.linalg.solve(s * numpy.eye(n) - m["A"], m["B"])
        P = m["rates.B1"] + m["A"] @ m["rates.B2"]
        self.assertLess(numpy.abs(z + P + s * m["rates.B2"] - y).max(), 1e-13)
        moved = (P != 0).any(axis=1) | (m["rates.B2"] != 0).any(axis=1)
        self.assertEqual([str(a) for a in m["states"]],
                         [f"{a}~" if k else str(a) for a, k in zip(m["rates.states"], moved)])
        self.assertTrue(moved.any())

    def test_no_file_has_a_D_that_is_not_all(self):
        for name, (text, output, rate) in IMPROPER.items():
            path = self.model(name, text)
            for file in ["m.json", "m.mat", "m.npz", "m.h5", "m.csv", "folder/"]:
                with self.subTest(name, file=file):
                    done = routh("linearize", path, "--output", f"{self.place}/{file}")
                    self.assertIn(f"no matrix D: the output {output} is given by a rate of the input {rate}",
                                  done.stderr)
                    # what was saved is the model all the same
                    hz, H = response_of(path)
                    self.assert_same(response_of(f"{self.place}/{file}")[1], H)
            document = json.loads((self.place / "m.json").read_text())
            self.assertIsNone(document["D"])
            self.assertIn(f"the output {output} ", document["rates"]["note"])
            self.assertNotIn("D", numpy.load(self.place / "m.npz").files)
            self.assertNotIn("D", scipy.io.loadmat(self.place / "m.mat"))
            self.assertFalse((self.place / "folder/D.mtx").exists())
            self.assertNotIn("\nD,", (self.place / "m.csv").read_text())

    def test_rates_become_inputs_on_demand(self):
        for name, text in [*PROPER.items(), *((name, case[0]) for name, case in IMPROPER.items())]:
            with self.subTest(name):
                path = self.model(name, text)
                hz, H = response_of(path)
                done = routh("linearize", path, "--output", self.place / "m.npz", "--derivatives", "inputs")
                self.assertNotIn("no matrix D", done.stderr)
                m = numpy.load(self.place / "m.npz")
                names = [str(a) for a in m["inputs"]]
                self.assertFalse([a for a in m.files if a.startswith("rates.")])
                each, s = by_matrices(hz, m["A"], m["B"], m["C"], m["D"]), (2j * numpy.pi * hz)[:, None]
                together = numpy.zeros_like(H)
                for k, one in enumerate(names):
                    together[:, :, names.index(one.rstrip("'"))] += s ** one.count("'") * each[:, :, k]
                self.assert_same(together, H)
                self.assert_same(response_of(self.place / "m.npz")[1], each)

    def test_files_convert_without_loss(self):
        for name, text in [*PROPER.items(), *((name, case[0]) for name, case in IMPROPER.items())]:
            routh("linearize", self.model(name, text), "--output", self.place / "first.json")
            for file in ["m.mat", "m.npz", "m.h5", "m.csv", "folder/"]:
                with self.subTest(name, file=file):
                    routh("linearize", self.place / "first.json", "--output", f"{self.place}/{file}")
                    routh("linearize", f"{self.place}/{file}", "--output", self.place / "again.json")
                    self.assertEqual((self.place / "first.json").read_bytes(), (self.place / "again.json").read_bytes())

    def test_matrices_of_another_program_may_stand_beside(self):
        """B, B1, D, D1 of y, as members of the names they have in formulas."""
        routh("linearize", self.model("grip", QUARTER), "--output", self.place / "m.json")
        document = json.loads((self.place / "m.json").read_text())
        rates = document.pop("rates")
        document.update({key: rates[key] for key in ("states", "B", "B1", "B2", "D", "D1", "D2")})
        (self.place / "by hand.json").write_text(json.dumps(document))
        self.assert_same(response_of(self.place / "by hand.json")[1], response_of(self.place / "m.json")[1])

    def test_wrong_words_are_refused(self):
        path = self.model("driven", DRIVEN)
        self.assertIn("it may be states or inputs", routh("linearize", path, "--output", self.place / "m.npz",
                                                          "--derivatives", "none", code=2).stderr)
        self.assertIn("needs a linear model saved", routh("linearize", path, "--derivatives", "inputs", code=2).stderr)

    @unittest.skipUnless(OCTAVE, "octave is not installed")
    def test_octave_builds_the_response_by_ss(self):
        for name, text in [*PROPER.items(), ("grip", QUARTER)]:
            with self.subTest(name):
                path = self.model(name, text)
                routh("linearize", path, "--quiet", "--output", self.place / "m.mat")
                hz, H = response_of(path)
                scipy.io.savemat(self.place / "h.mat", {"hz": hz, "H": numpy.moveaxis(H, 0, 2)})
                program = f"""pkg load control
                    m = load("{self.place / 'm.mat'}"); h = load("{self.place / 'h.mat'}");
                    sys = ss(m.A, m.B, m.C, m.D, "stname", m.states, "inname", m.inputs, "outname", m.outputs);
                    F = freqresp(sys, 2*pi*h.hz(:)); largest = max(abs(h.H), [], 3); largest(largest == 0) = 1;
                    printf("%.3g\\n", max(max(max(abs(F - h.H), [], 3) ./ largest)));"""
                done = subprocess.run([OCTAVE, "--no-gui", "--norc", "--quiet", "--eval", program], capture_output=True,
                                      text=True)
                if "control" in done.stderr and "not installed" in done.stderr:
                    self.skipTest("octave-control is not installed")
                if name == "grip":
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn("'D'", done.stderr)
                else:
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertLess(float(done.stdout), 1e-9)


@unittest.skipUnless(numpy, "numpy or scipy is not installed")
class Recipes(unittest.TestCase):
    """What docs/guide/exchange.md tells readers to type."""
    recipes = re.findall(r"<!-- recipe -->\n```(\w+)\n(.*?)```", (ROOT / "docs/guide/exchange.md").read_text(), re.S)

    def run_recipe(self, language, text, command):
        with tempfile.TemporaryDirectory() as place:
            model = ROOT / "examples/half-car-active.yaml"
            for name in ["car.mat", "car.npz"]:
                routh("linearize", model, "--output", f"{place}/{name}")
            hz, H = json.loads(routh("response", model, "--over", "1.5:3:2", "--json").stdout), None
            H = numpy.zeros((len(hz["outputs"]), len(hz["inputs"])), complex)
            for channel in hz["channels"]:
                H[channel["output"], channel["input"]] = channel["re"][0] + 1j * channel["im"][0]
            poles = [complex(*p) for p in hz["poles"]]
            done = subprocess.run([*command, text], cwd=place, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return H, poles, done.stdout

    def test_there_are_three(self):
        self.assertEqual([language for language, _ in self.recipes], ["octave", "python", "python"])

    @unittest.skipUnless(OCTAVE, "octave is not installed")
    def test_octave(self):
        text = "pkg load control\n" + self.recipes[0][1] + '\np = pole(sys); printf("= %.17g %.17g\\n", [real(p) imag(p)]\');'
        H, poles, out = self.run_recipe("octave", text, [OCTAVE, "--no-gui", "--norc", "--quiet", "--eval"])
        found = [complex(*map(float, line.split()[1:])) for line in out.splitlines() if line.startswith("= ")]
        self.assertEqual(len(found), len(poles))
        for p in poles:
            self.assertLess(min(abs(p - q) for q in found), 1e-8 * max(map(abs, poles)))

    def python(self, index, module):
        text = f"import numpy, scipy.signal\nimport {module}\n" + self.recipes[index][1] + "\nfor h in H.flatten(): print(repr(complex(h)))"
        H, _, out = self.run_recipe("python", text, [sys.executable, "-c"])
        found = numpy.array([complex(line) for line in out.split()]).reshape(H.shape)
        self.assertLess(numpy.abs(found - H).max(), 1e-11 * numpy.abs(H).max())

    def test_scipy(self):
        self.python(1, "scipy")

    @unittest.skipUnless(importlib.util.find_spec("control"), "python-control is not installed")
    def test_python_control(self):
        self.python(2, "control")


if __name__ == "__main__":
    unittest.main()
