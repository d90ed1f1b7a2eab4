"""routh response as a user meets it. Against simulations of the model itself: tests/response."""
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


class Response(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

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

    def test_poles_and_zeros_give_the_curve_whatever_the_motion_is_counted_by(self):
        cases = [("engine-mount.yaml", ("--base", "z", "--of", "engine.z,engine.z',engine.ry"), "2:20"),
                 ("quarter-car-active.yaml", ("--input", "road"), "0.3:30")]
        at_rest = []
        for example, asked, over in cases:
            for motion in ("displacement", "velocity", "acceleration"):
                data = respond(SOURCE / "examples" / example, *asked, "--as", motion, "--over", over)
                for channel in data["channels"]:
                    zeros, extra = [complex(*z) for z in channel["zeros"]], channel.get("poles_at_rest", 0)
                    at_rest.append((sum(z == 0 for z in zeros), extra))
                    self.assertEqual(sorted(map(abs, zeros)), [abs(z) for z in zeros])
                    largest = max(abs(complex(*h)) for h in zip(channel["re"], channel["im"]))
                    for k, f in enumerate(data["hz"]):
                        s = 2j * math.pi * f
                        h = channel["gain"] / s**extra
                        for z in zeros:
                            h *= (s - z) / 100
                        for p in data["poles"]:
                            h /= (s - complex(*p)) / 100
                        h *= 100.0 ** (len(zeros) - len(data["poles"]))
                        self.assertLess(abs(h - complex(channel["re"][k], channel["im"][k])), 1e-9 * largest, (motion, channel["output"]))
        # engine.z, engine.z', engine.ry over the ground; acceleration, travel, grip over the road
        self.assertEqual(at_rest, [(0, 0), (1, 0), (2, 0), (0, 1), (0, 0), (1, 0), (0, 2), (0, 1), (0, 0),
                                   (2, 0), (2, 0), (2, 0), (1, 0), (1, 0), (1, 0), (0, 0), (0, 0), (0, 0)])

    def test_messages_about_spectra_name_the_file_or_the_expression(self):
        model = SOURCE / "examples" / "quarter-car-active.yaml"
        for psd, words in ((self.path("none.csv"), "none.csv: the file cannot be read: "),
                           ("road=speed", "spectrum \"road=speed\": the name 'speed' is not known")):
            done = subprocess.run([ROUTH, "response", model, "--psd", psd], capture_output=True, text=True, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)

    def test_what_acts_at_once_on_an_acceleration_is_an_input_of_the_model_or_refused(self):
        model = self.path("mass.yaml")
        with open(model, "w", encoding="utf-8") as file:
            file.write("inputs: {push: {unit: N}}\n"
                       "bodies: {mass: {mass: 2, inertia: [1, 1, 1]}}\n"
                       "joints: {guide: {type: translational, between: [mass, ground], at: [0, 0, 0], axis: z}}\n"
                       "loads:\n"
                       "  spring: {type: bushing, between: [mass, ground], translation: "
                       "{stiffness: [0, 0, 100], damping: [0, 0, 3]}}\n"
                       "  force: {type: force, on: mass, components: [0, 0, push]}\n"
                       "outputs:\n"
                       "  felt: {expression: ACCZ(mass), unit: m/s^2}\n"
                       "  seen: {expression: DZ(mass), unit: m}\n"
                       "linearize: {states: [mass.z]}\n")
        s = 2j * math.pi
        want = 1 / (2 * s * s + 3 * s + 100)
        found = respond(model, "--of", "felt,seen", "--over", "1:2:2")
        self.assertLess(abs(value(found, "felt", 0) - s * s * want), 1e-13)
        self.assertLess(abs(value(found, "seen", 0) - want), 1e-13)
        found = respond(model, "--input", "mass.z", "--of", "seen", "--over", "1:2:2")
        self.assertLess(abs(value(found, "seen", 0) - want), 1e-13)
        saved = self.path("mass.mat")
        routh("linearize", model, "--output", saved)
        for where, words in ((model, ("--input", "mass.z")), (model, ("--base", "z")), (saved, ("--input", "mass.z"))):
            done = subprocess.run([ROUTH, "response", where, *words, "--of", "felt"], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("the output felt depends on accelerations", done.stderr)

    def test_ground_that_accelerates_tilts_gravity_for_flexible_bodies_too(self):
        """Held to an acceleration a along x, elastic links hang along (-a, -g): turned by -a/g as they are, not bent."""
        model = SOURCE / "examples/flexible-double-pendulum.yaml"
        found = respond(model, "--base", "x", "--of", "link1.rz,link2.rz,link1.6.y,link2.11.y", "--as", "acceleration", "--over", "1:2:2")
        gains = [c["static_gain"] for c in found["channels"]]
        for gain in gains[:2]:
            self.assertLess(abs(gain + 1 / 9.81), 1e-9)
        for gain in gains[2:]:
            self.assertLess(abs(gain), 1e-9)


if __name__ == "__main__":
    unittest.main()
