"""routh response as a user meets it, and against simulations of the model itself."""
import cmath
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])


def routh(*arguments):
    done = subprocess.run([ROUTH, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


def respond(model, *arguments):
    return json.loads(routh("response", model, "--json", "-q", *arguments))


def value(data, output, k):
    """H of the first input at frequency k."""
    channel = next(c for c in data["channels"] if data["outputs"][c["output"]]["name"] == output and c["input"] == 0)
    return complex(channel["re"][k], channel["im"][k])


def fit(times, values, hertz):
    """Complex amplitude of exp(2 pi i f t) in the samples, a constant beside, by least squares over whole periods."""
    n = len(times)
    mean = sum(values) / n
    return 2 / n * sum((v - mean) * cmath.exp(-2j * math.pi * hertz * t) for t, v in zip(times, values))


class Response(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def dwell(self, example, name, size, hertz, settle, names, every=64):
        """Amplitudes of the model's outputs where an input is size sin(2 pi f t): the last four periods."""
        text = (SOURCE / "examples" / example).read_text()
        self.assertNotIn("simulate:", text)
        model, out = self.path("model.yaml"), self.path("run.csv")
        history = f"\nsimulate: {{inputs: {{{name}: \"{size}*STEP5(time, 0, 0, 1, 1)*sin({2 * math.pi * hertz!r}*time)\"}}}}\n"
        pathlib.Path(model).write_text(text + history)
        periods = math.ceil(settle * hertz) + 4
        routh("simulate", model, "--end", repr(periods / hertz), "--every", repr(1 / hertz / every), "--tolerance", "1e-8",
              "--integrator", "bdf", "--channels", "outputs", "-q", "-o", out)
        with open(out, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        last = rows[-4 * every:]
        found = {}
        for name in names:
            column = next(k for k, head in enumerate(rows[0]) if head.startswith(f"outputs/{name} "))
            found[name] = fit([float(r[0]) for r in last], [float(r[column]) for r in last], hertz)
        return found

    def test_a_sine_dwell_of_the_quarter_car_has_the_amplitude_and_phase_of_the_response(self):
        model, size = SOURCE / "examples/quarter-car-active.yaml", 1e-3
        names = ("acceleration", "travel", "grip")
        for hertz in (1.6498, 11.3):
            data = respond(model, "--input", "road", "--over", f"{hertz}:{2 * hertz}:2")
            found = self.dwell(model.name, "road", size, hertz, 12, names)
            for name in names:
                h = value(data, name, 0)
                self.assertLess(abs(found[name] / (-1j * size) / h - 1), 2e-4, (name, hertz))


if __name__ == "__main__":
    unittest.main()
