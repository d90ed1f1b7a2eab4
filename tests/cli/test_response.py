"""routh response as a user meets it, and against simulations of the model itself."""
import cmath
import csv
import json
import math
import os
import pathlib
import random
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


    def test_sparse_equations_give_the_same_as_full_ones(self):
        for example, names in (("engine-mount.yaml", "engine.z,engine.ry"), ("flexible-double-pendulum.yaml", None)):
            model = SOURCE / "examples" / example
            if names is None:
                states = json.loads(routh("linearize", model, "--json", "-q"))["states"]
                names = ",".join(states[:2])
            asked = ("--input", names, "--of", names, "--over", "0.5:60:40")
            full, sparse = respond(model, *asked), respond(model, *asked, "--wanted", "4")
            self.assertTrue(sparse["sparse"] and not full["sparse"])
            for a, b in zip(full["channels"], sparse["channels"]):
                size = max(abs(complex(*h)) for h in zip(a["re"], a["im"]))
                for re, im, sre, sim in zip(a["re"], a["im"], b["re"], b["im"]):
                    self.assertLess(abs(complex(re, im) - complex(sre, sim)), 1e-9 * abs(complex(re, im)) + 1e-12 * size)
                if a["static_gain"] is not None:
                    self.assertAlmostEqual(a["static_gain"], b["static_gain"], delta=1e-9 * abs(a["static_gain"]) + 1e-12 * size)
            n = len(full["inputs"])
            for i in range(n):  # these mechanisms are reciprocal
                for j in range(i):
                    a, b = full["channels"][i * n + j], full["channels"][j * n + i]
                    size = max(map(abs, a["re"] + a["im"]))
                    self.assertLess(max(abs(x - y) for x, y in zip(a["re"] + a["im"], b["re"] + b["im"])), 1e-10 * size)

    def test_a_saved_linear_model_responds_as_its_mechanism(self):
        model, saved = SOURCE / "examples/quarter-car-active.yaml", self.path("saved.json")
        routh("linearize", model, "-q", "-o", saved, "--format", "json")
        asked = ("--over", "0.5:20:30")
        a, b = respond(model, *asked)["channels"], respond(saved, *asked)["channels"]
        self.assertEqual([c["re"] + c["im"] for c in a], [c["re"] + c["im"] for c in b])

    MASS = """
bodies:
  mass: {mass: 3, inertia: [1, 1, 1], position: [0, 0, 1]}
joints:
  guide: {type: translational, between: [mass, BASE], at: [0, 0, 1], axis: z}
loads:
  strut: {type: spring, between: [mass, BASE], stiffness: 500, damping: 7}
"""
    SHAKER = """
joints:
  table: {type: translational, between: [table, ground], at: [0, 0, 0], axis: z}
  shake: {type: motion, joint: table, function: shaker}
inputs: {shaker: {value: 0, unit: m}}
outputs: {z: {expression: DZ(mass), unit: m}}
"""

    def write(self, name, text):
        path = self.path(name)
        pathlib.Path(path).write_text(text)
        return path

    def test_a_moving_ground_is_the_transmissibility_and_that_of_a_shaken_table(self):
        model = self.write("mass.yaml", self.MASS.replace("BASE", "ground"))
        shaken = self.MASS.replace("BASE", "table").replace("  mass: {mass: 3", "  table: {mass: 8, inertia: [1, 1, 1]}\n  mass: {mass: 3")
        shaken = self.write("table.yaml", shaken.replace("joints:\n", self.SHAKER.replace("\ninputs", "\nINPUTS").split("INPUTS")[0].lstrip())
                            + "inputs" + self.SHAKER.split("inputs")[1])
        for motion, power in (("displacement", 0), ("velocity", 1), ("acceleration", 2)):
            asked = ("--over", "0.2:20:50", "--as", motion)
            ground = respond(model, "--base", "z", "--of", "mass.z,mass.z'", *asked)
            table = respond(shaken, *asked)
            for k, f in enumerate(ground["hz"]):
                s = 2j * math.pi * f
                exact = (7 * s + 500) / (3 * s * s + 7 * s + 500) / s**power
                self.assertLess(abs(value(ground, "mass.z", k) - exact), 1e-12 * abs(exact))
                self.assertLess(abs(value(ground, "mass.z'", k) - s * exact), 1e-12 * abs(s * exact))
                self.assertLess(abs(value(table, "z", k) - exact), 1e-11 * abs(exact))
            first = ground["channels"][0]
            self.assertEqual(first["static_infinite"], power > 0)
            self.assertTrue(power > 0 or abs(first["static_gain"] - 1) < 1e-13)

    def test_ground_that_accelerates_tilts_gravity_for_flexible_bodies_too(self):
        """Held to an acceleration a along x, elastic links hang along (-a, -g): turned by -a/g as they are, not bent."""
        model = SOURCE / "examples/flexible-double-pendulum.yaml"
        found = respond(model, "--base", "x", "--of", "link1.rz,link2.rz,link1.6.y,link2.11.y", "--as", "acceleration", "--over", "1:2:2")
        gains = [c["static_gain"] for c in found["channels"]]
        for gain in gains[:2]:
            self.assertLess(abs(gain + 1 / 9.81), 1e-9)
        for gain in gains[2:]:
            self.assertLess(abs(gain), 1e-9)

    def test_a_random_road_shakes_the_quarter_car_as_its_spectrum_says(self):
        """A period of a road of sines with random amplitudes and phases: exactly what H gives for these sines, and within three
        standard deviations of what the spectrum gives for all roads."""
        model, step, low, n = SOURCE / "examples/quarter-car-active.yaml", 0.5, 0.75, 23
        spectrum, names = "1e-5/f^2", ("acceleration", "travel", "grip")
        lines = [low + step * k for k in range(n)]
        generator = random.Random(3)
        # power of a line: S step on the average, distributed as the sum of two squares (chi squared of order 2)
        powers = [1e-5 / f**2 * step * generator.expovariate(1) for f in lines]
        sines = "+".join(f"{math.sqrt(2 * p)!r}*sin({2 * math.pi * f!r}*time+{generator.uniform(0, 2 * math.pi)!r})"
                         for p, f in zip(powers, lines))
        data = respond(model, "--input", "road", "--over", f"{low - step / 2}:{lines[-1] + step / 2}", "--psd", f"road={spectrum}")
        at = [respond(model, "--input", "road", "--over", f"{f!r}:{2 * f!r}:2") for f in lines]
        text, out, every = self.path("model.yaml"), self.path("run.csv"), 512
        pathlib.Path(text).write_text(model.read_text() + f"\nsimulate: {{inputs: {{road: \"STEP5(time,0,0,1,1)*({sines})\"}}}}\n")
        routh("simulate", text, "--end", repr(6 / step), "--every", repr(1 / step / every), "--tolerance", "1e-7", "--integrator",
              "bdf", "--channels", "outputs", "-q", "-o", out)
        with open(out, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        for i, name in enumerate(names):
            column = next(k for k, head in enumerate(rows[0]) if head.startswith(f"outputs/{name} "))
            values = [float(r[column]) for r in rows[-every:]]
            mean = sum(values) / every
            found = sum((v - mean) ** 2 for v in values) / every
            gains = [abs(value(d, name, 0)) ** 2 for d in at]
            self.assertLess(abs(found / sum(g * p for g, p in zip(gains, powers)) - 1), 1e-2, name)
            mean_powers = [g * 1e-5 / f**2 * step for g, f in zip(gains, lines)]
            deviation = math.sqrt(sum(p * p for p in mean_powers))
            expected = data["random"]["outputs"][i]["mean_square"]
            self.assertLess(abs(sum(mean_powers) / expected - 1), 0.03, name)  # the sum over lines of an integral
            self.assertLess(abs(found - expected), 3 * deviation, name)
            self.assertLess(3 * deviation, 1.5 * expected)


if __name__ == "__main__":
    unittest.main()
