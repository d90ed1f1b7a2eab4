"""Other programs read what `routh response --output` writes, and find in it the curve, the poles and the zeros."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["ROUTH_SOURCE"])
ROUTH = os.environ["ROUTH"]
OCTAVE = shutil.which("octave-cli") or shutil.which("octave")

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

CASES = [("quarter-car-active.yaml", ["--over", "0.2:50", "--psd", "road=1e-6/f^2"]),
         ("engine-mount.yaml", ["--base", "z", "--of", "engine.z,engine.ry", "--as", "acceleration", "--over", "2:20"])]


def routh(*words):
    done = subprocess.run([ROUTH, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}\n{done.stderr}"
    return done.stdout


class ResponseFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def saved(self, case, name):
        path = self.place / name
        routh("response", ROOT / "examples" / case[0], "--quiet", *case[1], "--output", path)
        return path

    def document(self, case):
        return json.loads(self.saved(case, "r.json").read_text())

    def assert_same(self, case, get, texts):
        """Every number of the document, bit for bit; those of the channels in their columns."""
        document = self.document(case)
        channels = document["channels"]
        self.assertEqual(texts("inputs"), [x["name"] for x in document["inputs"]])
        self.assertEqual(texts("output_units"), [x["unit"] for x in document["outputs"]])
        self.assertEqual(texts("channels"), [f"{document['outputs'][c['output']]['name']} / {document['inputs'][c['input']]['name']}"
                                             for c in channels])
        shape = (len(document["outputs"]), len(document["inputs"]))
        none = lambda x: numpy.inf if x is None else x
        wanted = {"hz": document["hz"], "poles": document["poles"],
                  "H_real": numpy.transpose([c["re"] for c in channels]),
                  "H_imaginary": numpy.transpose([c["im"] for c in channels]),
                  "static_gains": numpy.reshape([none(c["static_gain"]) for c in channels], shape),
                  "largest": numpy.reshape([none(c["largest"]) for c in channels], shape),
                  "gains": numpy.reshape([c["gain"] for c in channels], shape),
                  "poles_at_rest": numpy.reshape([c.get("poles_at_rest", 0) for c in channels], shape),
                  "zeros": [[k + 1, *z] for k, c in enumerate(channels) for z in c["zeros"]],
                  "peaks": [[k + 1, p["hz"], p["magnitude"], p["phase"], p["antiresonance"]]
                            for k, c in enumerate(channels) for p in c["peaks"]]}
        if "random" in document:
            wanted["rms"] = [o["rms"] for o in document["random"]["outputs"]]
            wanted["psd"] = numpy.transpose([o["psd"] for o in document["random"]["outputs"]])
        for name, values in wanted.items():
            found, values = numpy.asarray(get(name), dtype=float), numpy.asarray(values, dtype=float)
            self.assertGreater(values.size, 0, name)
            self.assertTrue(numpy.array_equal(found.reshape(values.shape), values), name)

    @unittest.skipUnless(numpy, "python3-numpy is not installed")
    def test_numpy(self):
        for case in CASES:
            with numpy.load(self.saved(case, "r.npz"), allow_pickle=False) as file:
                self.assert_same(case, lambda name: file[name], lambda name: list(file[name]))

    @unittest.skipUnless(h5py and numpy, "python3-h5py is not installed")
    def test_hdf5(self):
        for case in CASES:
            with h5py.File(self.saved(case, "r.h5"), "r") as file:
                self.assert_same(case, lambda name: file[name][()], lambda name: [x.decode() for x in file[name][()]])

    @unittest.skipUnless(scipy and numpy, "python3-scipy is not installed")
    def test_matlab_by_scipy(self):
        for case in CASES:
            file = scipy.io.loadmat(self.saved(case, "r.mat"), chars_as_strings=True)
            self.assert_same(case, lambda name: file[name], lambda name: [cell[0][0] for cell in file[name]])

    @unittest.skipUnless(OCTAVE, "octave is not installed")
    def test_octave_finds_the_same_curve_poles_and_zeros_by_the_state_space(self):
        """H = C (s I - A)^-1 (B + s B1 + s^2 B2) + D + s D1 + s^2 D2 of the saved linear model, and zeros and poles."""
        model = ROOT / "examples/quarter-car-active.yaml"
        routh("linearize", model, "--quiet", "--output", self.place / "m.mat")
        path = self.saved(CASES[0], "r.mat")
        program = f"""m = load("{self.place / "m.mat"}"); r = load("{path}");
            H = r.H_real + 1i*r.H_imaginary; worst = 0; product = 0; n = numel(r.outputs); k = numel(r.inputs);
            p = r.poles*[1; 1i]; z = r.zeros(:, 2:3)*[1; 1i]; g = r.gains.'; g = g(:);
            for j = 1:rows(H)
                s = 2i*pi*r.hz(j);
                h = m.C*((s*eye(rows(m.A)) - m.A) \\ (m.rates_B + s*m.rates_B1 + s^2*m.rates_B2)) + m.rates_D + s*m.rates_D1 + s^2*m.rates_D2;
                h = h.'; h = h(:);
                worst = max(worst, abs(H(j, :).' - h) ./ max(abs(H)).');
                for c = 1:n*k
                    q = g(c)*prod(s - z(r.zeros(:, 1) == c))/prod(s - p);
                    product = max(product, abs(q - H(j, c))/max(abs(H(:, c))));
                end
            end
            e = eig(m.A); far = max(arrayfun(@(x) min(abs(x - e)), p));
            assert(iscellstr(r.channels) && numel(r.channels) == n*k);
            printf("%.3g %.3g %.3g\\n", max(worst), product, far/max(abs(p)));"""
        done = subprocess.run([OCTAVE, "--no-gui", "--norc", "--quiet", "--eval", program], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        curve, product, poles = map(float, done.stdout.split())
        self.assertLess(curve, 1e-12)
        self.assertLess(product, 1e-9)
        self.assertLess(poles, 1e-12)


if __name__ == "__main__":
    unittest.main()
