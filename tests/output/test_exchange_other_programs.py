"""Other programs read what `routh linearize --output` writes, and find in it the poles that `routh modes` prints."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["ROUTH_SOURCE"])
ROUTH = os.environ["ROUTH"]
MODELS = ["rotor-stator.yaml", "slider-pendulum.yaml"]

try:
    import numpy
except ImportError:
    numpy = None
try:
    import h5py
except ImportError:
    h5py = None
try:
    import scipy.io
except ImportError:
    scipy = None


def routh(*words):
    done = subprocess.run([ROUTH, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, f"{words}\n{done.stderr}"
    return done.stdout


def models():
    """Examples with inputs and outputs too, where there are such."""
    with_inputs = [path.name for path in sorted((ROOT / "examples").glob("*.yaml"))
                   if "\ninputs:" in path.read_text() and "\noutputs:" in path.read_text()]
    return MODELS + with_inputs[:2]


class OtherPrograms(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def saved(self, model, name):
        path = self.place / name
        routh("linearize", ROOT / "examples" / model, "--quiet", "--output", path)
        return path

    def document(self, model):
        return json.loads(routh("linearize", ROOT / "examples" / model, "--json"), parse_int=float) # -0 is one

    def poles(self, model):
        """Those that are not rigid: of rigid ones a full matrix has only roots of rounding."""
        modes = json.loads(routh("modes", ROOT / "examples" / model, "--json"))["modes"]
        return [complex(*mode["eigenvalue"]) for mode in modes if not mode["rigid"]]

    def assert_poles(self, model, found):
        """Each pole is among those found, to 1e-12 of the fastest; in examples no pole is ill-conditioned."""
        found, wanted = list(found), self.poles(model)
        scale = max(map(abs, wanted))
        self.assertTrue(wanted)
        for pole in wanted:
            nearest = min(found, key=lambda other: abs(other - pole))
            self.assertLessEqual(abs(nearest - pole), 1e-12 * scale)
            found.remove(nearest)

    def assert_matrices(self, model, get):
        """All matrices of the document, bit for bit."""
        document = self.document(model)
        for name in ("A", "B", "C", "D", "mass", "damping", "stiffness"):
            wanted = numpy.array(document[name], dtype=float)
            found = numpy.asarray(get(name))
            self.assertEqual(found.size, wanted.size, name)
            if wanted.size:
                self.assertTrue(numpy.array_equal(found, wanted), name)
                self.assertTrue(numpy.array_equal(numpy.signbit(found), numpy.signbit(wanted)), name)

    @unittest.skipUnless(numpy, "python3-numpy is not installed")
    def test_numpy(self):
        for model in models():
            with numpy.load(self.saved(model, "m.npz"), allow_pickle=False) as file:
                self.assert_matrices(model, lambda name: file[name])
                self.assertEqual(list(file["states"]), self.document(model)["states"])
                self.assertEqual(str(file["schema"]), "routh-linear/1")
                self.assertEqual(int(file["degrees_of_freedom.position"]),
                                 self.document(model)["degrees_of_freedom"]["position"])
                self.assert_poles(model, numpy.linalg.eigvals(file["A"]))
                E, z, z1 = numpy.eye(len(file["A"])), *(int(file["degrees_of_freedom." + level])
                                                        for level in ("position", "velocity"))
                E[z:z + z1, z:z + z1] = file["mass"]
                self.assertTrue(numpy.array_equal(file["E"], E))

    @unittest.skipUnless(numpy, "python3-numpy is not installed")
    def test_what_numpy_saves_again_is_read(self):
        path = self.saved("rotor-stator.yaml", "m.npz")
        with numpy.load(path) as file:
            again = {name: numpy.asfortranarray(file[name]) for name in file.files}
        for save, name in ((numpy.savez, "again.npz"), (numpy.savez_compressed, "less.npz")):
            save(self.place / name, **again)
            routh("linearize", self.place / name, "--output", self.place / "again.json")
            routh("linearize", path, "--output", self.place / "first.json")
            self.assertEqual((self.place / "again.json").read_bytes(), (self.place / "first.json").read_bytes())

    @unittest.skipUnless(h5py and numpy, "python3-h5py is not installed")
    def test_hdf5(self):
        for model in models():
            with h5py.File(self.saved(model, "m.h5"), "r") as file:
                self.assert_matrices(model, lambda name: file[name][()])
                self.assertEqual([name.decode() for name in file["states"][()]], self.document(model)["states"])
                self.assertIn("bodies", file["operating_point"])
                self.assert_poles(model, numpy.linalg.eigvals(file["A"][()]))

    @unittest.skipUnless(scipy and numpy, "python3-scipy is not installed")
    def test_matrix_market(self):
        for model in models():
            folder = self.place / model
            folder.mkdir()
            self.saved(model, model)
            document = self.document(model)
            for name in ("A", "mass", "stiffness"):
                found = scipy.io.mmread(str(folder / f"{name}.mtx"))
                self.assertTrue(numpy.array_equal(found, numpy.array(document[name])), name)
            self.assert_poles(model, numpy.linalg.eigvals(scipy.io.mmread(str(folder / "A.mtx"))))

    @unittest.skipUnless(scipy and numpy, "python3-scipy is not installed")
    def test_matlab_by_scipy(self):
        for model in models():
            file = scipy.io.loadmat(self.saved(model, "m.mat"), chars_as_strings=True)
            self.assert_matrices(model, lambda name: file[name])
            self.assertEqual([cell[0][0] for cell in file["states"]], self.document(model)["states"])

    @unittest.skipUnless(shutil.which("octave-cli") or shutil.which("octave"), "octave is not installed")
    def test_octave_builds_a_state_space(self):
        octave = shutil.which("octave-cli") or shutil.which("octave")
        has_control = subprocess.run([octave, "--no-gui", "--norc", "--eval", "pkg load control"],
                                     capture_output=True).returncode == 0
        if not has_control:
            self.skipTest("octave-control is not installed")
        for model in models():
            path = self.saved(model, "m.mat")
            program = f"""pkg load control
                m = load("{path}");
                save("-v6", "{self.place / "again.mat"}", "-struct", "m");
                assert(iscellstr(m.states) && rows(m.states) == rows(m.A));
                if isempty(m.B), m.B = zeros(rows(m.A), 1); m.C = eye(rows(m.A)); m.D = zeros(rows(m.A), 1); end
                sys = ss(m.A, m.B, m.C, m.D, "stname", m.states);
                printf("%s\\n", m.states{{:}});
                p = pole(sys);
                printf("pole %.17g %.17g\\n", [real(p), imag(p)]');
                printf("norm %.17g\\n", max(max(abs(sys.a - m.A))));"""
            done = subprocess.run([octave, "--no-gui", "--norc", "--quiet", "--eval", program],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = done.stdout.splitlines()
            names = [line for line in lines if not line.startswith(("pole ", "norm "))]
            self.assertEqual(names, self.document(model)["states"])
            self.assertIn("norm 0", lines)
            self.assert_poles(model, [complex(*map(float, line.split()[1:])) for line in lines
                                      if line.startswith("pole ")])
            again = json.loads(routh("linearize", self.place / "again.mat", "--json"))
            first = json.loads(routh("linearize", path, "--json"))
            self.assertEqual(again, first) # Octave writes whole numbers without the sign of a zero


if __name__ == "__main__":
    unittest.main()
