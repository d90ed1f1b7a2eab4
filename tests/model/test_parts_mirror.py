"""Nature has no handedness: a whole model, used as a part that is mirrored and placed anyhow, has the
eigenvalues and transfer functions of the model itself, by every class of joint, load, controller and
measure. What is refused in a mirror is refused by name, and those classes are listed here."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import class_samples  # noqa: E402

ROUTH = os.environ["ROUTH"]
FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
MOVING = """
  a: {mass: 1.3, inertia: [0.5, 0.7, 0.9, 0.05, -0.04, 0.08], position: [0.1, 0.2, 0.3], velocity: [0.3, -0.1, 0.2], angular_velocity: [0.1, 0.3, -0.2], orientation: {rpy: [0.3, -0.2, 0.1]}}
  b: {mass: 0.8, inertia: [0.6, 0.4, 0.3, -0.03, 0.02, 0.04], position: [1.2, -0.5, 0.9], velocity: [-0.2, 0.1, 0.3], angular_velocity: [-0.2, 0.1, 0.4], orientation: {axis: [1, 2, 3], angle: 0.4}}
  c: {mass: 2.1, inertia: [0.9, 1.1, 0.7, 0.1, 0.05, -0.07], position: [-0.9, 0.8, -0.6], velocity: [0.1, 0.2, -0.1], angular_velocity: [0.2, 0.2, 0.1]}
"""
ACTING = """  act: {type: force, on: i, components: [u1, "2*u2 + u1", u3]}
  twist: {type: torque, on: k, components: [u1, u2, "u3 - u2"], resolved_in: j, reaction_on: i}
"""
INPUTS = "u1: 0.1, u2: 0.2, u3: -0.1"
OUTPUTS = {"p1": "DX(i)", "p2": "DY(k, j, i)", "p3": "DZ(j, i)", "p4": "WX(a)", "p5": "WY(b, c, i)",
           "p6": "VZ(c, a, k, j)", "p7": "ACCX(a, b)", "p8": "WDTZ(c)", "p9": "FY(hold_a, j)", "p10": "TX(hold_b)",
           "p11": "DM(i, g) + VM(i, j)", "p12": "TZ(twist, i)", "p13": "FX(act, b)"}
# about the diagonal: axes of the world change places, so that states are the same but for their names; off equilibrium a
# linear model depends on what its states are
PLACE = "at: [0.7, -1.2, 0.4], orientation: {axis: [1, 1, 1], angle: 120 deg}"
# what is refused, by mirror and class
REFUSED = {("x", "load beam"): "a beam", ("z", "load tyre"): "a tyre", ("z", "load magic_formula_tyre"): "a tyre",
           ("z", "load contact"): "a contact", ("z", "joint rolling"): "a rolling joint"}


def text_of(name, text):
    """The sample with bodies that move and turn, with more inputs and outputs."""
    text = text.replace(class_samples.BODIES, MOVING)
    text = text.replace("loads:\n", "loads:\n" + ACTING, 1)
    outputs = ", ".join(f'{key}: "{value}"' for key, value in OUTPUTS.items())
    if "load" in name or "joint" in name:
        outputs += ', own: "FX(x, i)", owm: "TM(x)"' if name not in ("joint expression", "joint nonholonomic") else ""
        return f"{text}inputs: {{{INPUTS}}}\noutputs: {{{outputs}}}\n"
    text = text.replace("inputs: {u: 0}", f"inputs: {{u: 0.3, {INPUTS}}}")
    return text.replace("outputs: {", f"outputs: {{{outputs}, ")


def with_measures_together(samples):
    """All measures as outputs of one model."""
    calls = [re.search(r'outputs: {y: "(.*?)"}', text).group(1) for name, text in samples.items() if "measure" in name]
    found = {name: text for name, text in samples.items() if "measure" not in name}
    text = next(text for name, text in samples.items() if "measure" in name)
    outputs = ", ".join(f'm{k}: "{call}"' for k, call in enumerate(calls))
    found["all measures"] = re.sub(r'outputs: {y: ".*?"}', f"outputs: {{{outputs}}}", text)
    return found


class Mirror(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_it(self, name, text, *options):
        path = os.path.join(self.folder, name)
        pathlib.Path(path).write_text(text, encoding="utf-8")
        return subprocess.run([ROUTH, "linearize", path, "--json", "-q", "--threads", "1", *options], capture_output=True, text=True, check=False)

    def linear(self, name, text, *options):
        done = self.run_it(name, text, *options)
        self.assertEqual(done.returncode, 0, done.stderr + text)
        return json.loads(done.stdout)

    def transfer(self, d, s):
        A, B, C, D = (numpy.array(d[k], dtype=float) for k in "ABCD")
        n = len(d["states"])
        return D + (C @ numpy.linalg.solve(s * numpy.eye(n) - A.reshape(n, n), B) if n else 0)

    def assert_same(self, one, two, what):
        self.assertEqual(len(one["states"]), len(two["states"]), what)
        self.assertEqual(one["inputs"], [n.removeprefix("part.") for n in two["inputs"]], what)
        self.assertEqual(one["outputs"], [n.removeprefix("part.") for n in two["outputs"]], what)
        values, mirrored = (numpy.array(d["output_values"]) for d in (one, two))
        names = numpy.array(one["outputs"])
        self.assertEqual(list(names[numpy.abs(values - mirrored) > 1e-8 * (1 + numpy.abs(values))]), [], what)
        for s in (2 + 3j, 0.4 - 8j, 30 + 1j):
            g, h = self.transfer(one, s), self.transfer(two, s)
            size = numpy.abs(g).max(axis=1) + 1e-6
            self.assertEqual(list(names[numpy.abs(g - h).max(axis=1) > 1e-7 * size]), [], what)

    def write(self, name, text):
        pathlib.Path(self.folder, name).write_text(text, encoding="utf-8")

    def test_every_class_is_the_same_in_a_mirror(self):
        samples = with_measures_together(class_samples.samples())
        self.assertGreater(len(samples), 40)
        for k, name in enumerate(sorted(samples)):
            if k % 3 and not FULL and name != "all measures":
                continue
            model = text_of(name, samples[name])
            plain = self.linear("plain.yaml", model)
            self.write("part.yaml", model)
            for mirror in "xyz" if FULL else "xyz"[k // 3 % 3]:
                place = PLACE.split(", or")[0] if "measures" in name else PLACE
                if (mirror, name) in REFUSED:
                    continue
                with self.subTest(name=name, mirror=mirror):
                    used = f"parts: {{part: {{file: part.yaml, mirror: {mirror}, {place}}}}}\n"
                    self.assert_same(plain, self.linear("used.yaml", used), f"{name} mirrored across {mirror}")

    def test_beams_are_the_same_in_a_mirror_and_anywhere(self):
        """Sections with offsets, twist and coupling along an axis with a corner; in equilibrium, so that any place will do."""
        rows = [[900, 5, 7, 3, 2, 1], [5, 400, 2, 1, 4, 2], [7, 2, 300, 2, 1, 3], [3, 1, 2, 50, 2, 1], [2, 4, 1, 2, 40, 3],
                [1, 2, 3, 1, 3, 60]]
        beams = {
            "sections": "{type: sections, from: [0.1, 0.2, 0.3], to: [1.2, 0.7, -0.1], elements: 3, side: [0.2, 1, 0.4], "
                        "mass_per_length: 2, inertia_y: 0.02, inertia_z: 0.03, EA: 900, GAy: 500, GAz: 400, GJ: 30, EIy: 40, EIz: 60, "
                        "twist: [0.1, 0.5], stations: [0, 1], mass_y: 0.02, mass_z: 0.03, tension_y: -0.01, tension_z: 0.02, "
                        "shear_y: 0.015, shear_z: -0.02, damping_ratio: 0.01}",
            "matrix": f"{{type: sections, points: [[0, 0, 0], [0.5, 0.3, 0], [0.9, 0.2, 0.4]], elements: 2, mass_per_length: 2, "
                      f"inertia_y: 0.02, inertia_z: 0.03, stiffness: {rows}, twist: 0.3}}",
            "material": "{type: material, from: [0, 0, 0], to: [1, 0.2, 0.5], elements: 3, density: 10, youngs_modulus: 1e5, "
                        "shear_modulus: 4e4, area: 0.1, iyy: 0.001, izz: 0.002, torsion_constant: 0.002, twist: 0.2}"}
        for k, (name, beam) in enumerate(beams.items()):
            model = (f"beams: {{b: {beam}}}\njoints: {{clamp: {{type: revolute, between: [b.first, ground], axis: [0.2, 1, 0.3]}}}}\n"
                     "markers: {ground2: {body: ground, position: [0.3, 0.1, 0], orientation: {rpy: [0.3, 0.2, 0.1]}}}\n"
                     "inputs: {u: 0, v: 0}\nloads: {hold: {type: bushing, between: [b.last, ground2], translation: {stiffness: "
                     "[3, 4, 5]}, rotation: {stiffness: [2, 3, 4]}}, act: {type: force, on: b.last, components: [u, v, \"u - v\"], "
                     'resolved_in: b.last}}\noutputs: {x: "DX(b.last, b.first, b.first)", y: "WY(b.last, b.first, b.last)", '
                     'z: "DZ(b.2)"}\noperating_point: {type: static}\n').replace("between: [b.first, ground]", "between: [b.first, foot]")
            model = model.replace("markers: {", "markers: {foot: {body: ground, position: [0.1, 0.2, 0.3], orientation: {rpy: [0.1, 0.6, "
                                  "-0.3]}}, " if name == "sections" else "markers: {foot: {body: ground}, ")
            plain = self.linear("plain.yaml", model)
            self.write("part.yaml", model)
            for place in (f"mirror: {'yz'[k % 2]}", "mirror: y, at: [1, 2, 3], orientation: {axis: [0.3, -1, 0.6], angle: 1.1}"):
                used = f"parts: {{part: {{file: part.yaml, {place}}}}}\noperating_point: {{type: static}}\n"
                self.assert_same(plain, self.linear("used.yaml", used), f"{name}, {place}")
            done = self.run_it("used.yaml", "parts: {part: {file: part.yaml, mirror: x}}\n")
            self.assertIn("beam 'part.b': a beam cannot be in a part that is mirrored across x", done.stderr)

    def test_what_cannot_be_mirrored_is_refused(self):
        samples = class_samples.samples()
        for (mirror, name), word in REFUSED.items():
            self.write("part.yaml", text_of(name, samples[name]))
            done = self.run_it("used.yaml", f"parts: {{part: {{file: part.yaml, mirror: {mirror}}}}}\n")
            self.assertNotEqual(done.returncode, 0, name)
            self.assertIn(f"{word} cannot be in a part that is mirrored across {mirror}", done.stderr.replace("with a plane ", ""))
            self.assertRegex(done.stderr, "part.yaml:[0-9]+:[0-9]+: (joint|load) 'part.x'")


if __name__ == "__main__":
    unittest.main()
