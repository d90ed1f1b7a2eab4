"""Parts: what names mean in them, arrays, nesting, libraries, and what is refused."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402

ROUTH = os.environ["ROUTH"]


# ---- names, arrays, depth --------------------------------------------------------------------------------------------------

LINK = """connections: [root]
exports: [rod, tip, k, load]
parameters: {m: 1, k: 2, L: 0.5}
bodies: {rod: {mass: m, inertia: [0.001, "m*L^2/12", "m*L^2/12"], position: [L/2, 0, 0]}}
markers: {tip: {body: rod, position: [L/2, 0, 0]}}
joints: {hinge: {type: revolute, between: [rod, root], at: [0, 0, 0], axis: y}}
loads: {spring: {type: torsion_spring, between: [rod, root], at: [0, 0, 0], axis: y, stiffness: k}}
inputs: {load: 0}
variables: {push: "3*load"}
outputs: {angle: "AY(rod)"}
"""


class Names(PartsCase):
    def chain(self, n):
        """Flat: n links, one after another, the spring of the k-th k times stiffer."""
        text = "bodies:\n" + "".join(
            f"  r{k}: {{mass: 1, inertia: [0.001, 1*0.5^2/12, 1*0.5^2/12], position: [{0.5*k} + 0.5/2, 0, 0]}}\n" for k in range(n))
        ends = lambda k: f"[r{k}, {f'r{k-1}' if k else 'ground'}], at: [{0.5*k}, 0, 0], axis: y"  # noqa: E731
        text += "joints:\n" + "".join(f"  h{k}: {{type: revolute, between: {ends(k)}}}\n" for k in range(n))
        return text + "loads:\n" + "".join(
            f"  s{k}: {{type: torsion_spring, between: {ends(k)}, stiffness: {2 + 0.01*(k + 1)!r}}}\n" for k in range(n))

    def array(self, n):
        return (f"parts:\n  link: {{file: link.yaml, count: {n}, step: [0.5, 0, 0], index: i, set: {{k: 2 + 0.01*i}}, "
                "connect: {root: previous.rod}, first: {root: ground}}\n")

    def test_an_array_is_a_chain(self):
        self.file("link.yaml", LINK)
        for n in (1, 7, 20):
            one = self.run_it("linearize", self.chain(n), "--coordinates", "relative")
            two = self.run_it("linearize", self.array(n), "--coordinates", "relative")
            for key in ("mass", "stiffness", "A"):
                self.assert_near(two[key], one[key], 1e-13, key)
        self.assertIn("link.20.rod", json.dumps(two["states"]) + json.dumps(two))

    def test_a_thousand_parts(self):
        self.file("mass.yaml", "exports: [m]\nparameters: {k: 1}\nbodies: {m: {mass: 1, inertia: [1, 1, 1]}}\n"
                               "loads: {k: {type: bushing, between: [m, ground], at: [0, 0, 0], translation: {stiffness: k}, "
                               "rotation: {stiffness: 1000}}}\n")
        text = ("parts: {a: {file: mass.yaml, count: 1000, axis: [0, 0, 1], about: [1, 0, 0], angle: 360 deg/1000, index: i, "
                'set: {k: "i*1"}}}\noutputs: {y: "DX(a.251.m)", z: "DX(a.1000.m)"}\n')
        done = self.run_it("modes", text, "--wanted", "3", "--uncounted")
        found = sorted(abs(m["eigenvalue"][1]) for m in done["modes"])
        self.assertAlmostEqual(found[0], 1, 9)  # k = i, m = 1
        self.assertAlmostEqual(found[-1]**2, round(found[-1]**2), 6)
        name = self.write(text)
        done = subprocess.run([ROUTH, "equilibrium", name, "--json", "-q"], capture_output=True, text=True, check=True)
        self.assertEqual(len(re.findall(r'"a\.[0-9]+\.m"', done.stdout)) >= 1000, True)

    def test_parts_ten_deep_and_mirrored_twice_are_turned(self):
        self.file("p10.yaml", "exports: [b]\nbodies: {b: {mass: 1, inertia: [1, 2, 2.5, 0.1, 0.2, 0.3], position: [0.1, 0.2, 0.3]}}\n"
                              'outputs: {x: "DX(b)", w: "WX(b)"}\n')
        for k in range(9, 0, -1):
            self.file(f"p{k}.yaml", f"exports: [in.b]\nparts: {{in: {{file: p{k+1}.yaml, at: [1, 0, 0], mirror: {'xyzxyzxyz'[k-1]}}}}}\n"
                      .replace("in.b", "in." * (10 - k) + "b"))
        name = "p." + "in." * 9 + "b"
        done = self.run_it("linearize", 'parts: {p: {file: p1.yaml}}\noutputs: {x: "DX(%s)", y: "DY(%s)", z: "DZ(%s)"}\n' % ((name,) * 3))
        S, p = numpy.eye(3), numpy.zeros(3)
        for k in range(9):
            p = p + S @ numpy.array([1.0, 0, 0])
            S[k % 3, k % 3] *= -1
        x = p + S @ numpy.array([0.1, 0.2, 0.3])
        values = dict(zip(done["outputs"], done["output_values"]))
        self.assert_near([values[k] for k in "xyz"], x, 1e-15)
        # the part's own measure is what it is in the part: the origin of its frame is the ground's there
        self.assertAlmostEqual(values[name[:-1] + "x"], 0.1, 14)

    def test_flexible_bodies_stand_anywhere_and_find_their_files(self):
        """A beam, and a body of finite elements whose matrices are beside the part file, in another folder than the model."""
        examples = pathlib.Path(os.environ["ROUTH_SOURCE"], "examples")
        self.file("beam.yaml", "bodies: {s: {type: beam, to: [1, 0.2, 0], density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3, "
                               "section: {rectangle: {height: 0.02, width: 0.03}}, elements: 4}}\n"
                               "joints: {c: {type: revolute, between: [s, ground], at: [0, 0, 0], axis: y}}\n"
                               "loads: {k: {type: torsion_spring, between: [s, ground], at: [0, 0, 0], axis: y, stiffness: 10}}\n"
                               'markers: {tip: {body: s, at: [1, 0.2, 0]}}\noutputs: {y: "DX(tip)"}\n')
        for part, from_file in (("beam.yaml", self.path("beam.yaml")), ("elastic-link.yaml", str(examples / "elastic-link.yaml"))):
            done = subprocess.run([ROUTH, "modes", from_file, "--json", "-q"], capture_output=True, text=True, check=True)
            one = json.loads(done.stdout)["eigenvalues"]
            used = f"parts: {{p: {{file: {part}, at: [1, 2, 3], orientation: {{axis: [0.3, -1, 0.6], angle: 1.1}}}}}}\n"
            gravity = "gravity: [0, 0, 0]\n"
            env = {**os.environ, "ROUTH_LIBRARY": str(examples)}
            done = subprocess.run([ROUTH, "modes", self.write(gravity + used), "--json", "-q"], capture_output=True, text=True,
                                  check=False, env=env)
            self.assertEqual(done.returncode, 0, done.stderr)
            if part == "beam.yaml":
                self.assert_near(json.loads(done.stdout)["eigenvalues"], one, 1e-8)

    def test_inputs_are_bound_to_expressions(self):
        self.file("link.yaml", LINK)
        text = ('inputs: {u: 0.5}\nparts: {a: {file: link.yaml, connect: {root: ground}, inputs: {load: "2*u + DX(a.tip)"}},\n'
                '  b: {file: link.yaml, connect: {root: a.rod}, at: [0.5, 0, 0]}}\noutputs: {y: "a.load", z: "b.load + DX(b.tip)"}\n')
        done = self.run_it("linearize", text)
        values = dict(zip(done["outputs"], done["output_values"]))
        self.assertEqual(done["inputs"], ["u", "b.load"])
        self.assertAlmostEqual(values["y"], 1.5, 12)
        self.assertAlmostEqual(values["z"], 1, 12)

    def test_a_motion_follows_what_its_input_is_given(self):
        """z = u: by time, by an input of the model, by a number; through two parts; as the same written out."""
        self.file("drive.yaml", "exports: [b, u]\ninputs: {u: 0.1}\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                  "joints: {j: {type: translational, between: [b, ground], at: [0, 0, 0], axis: z}, "
                  "m: {type: motion, joint: j, function: 2*u}}\noutputs: {y: DZ(b), v: VZ(b), a: ACCZ(b)}\n")
        self.file("middle.yaml", "exports: [d]\ninputs: {w: 0}\nparts: {d: {file: drive.yaml, inputs: {u: w/2}}}\n")
        base = "parameters: {amp: 0.2}\noperating_point: {time: 0.3}\n"
        a = 0.2 * numpy.array([math.sin(0.9), 3*math.cos(0.9), -9*math.sin(0.9)])
        for given, wanted in (("amp*sin(3*time)", 2*a), ("0.3", [0.6, 0, 0]), ("300 mm", [0.6, 0, 0]), ("s/4", [0.25, 0, 0]),
                              ("2*s + amp", [2.4, 0, 0])):
            for part, factor in (("drive", 1), ("middle", 0.5)):
                with self.subTest((given, part)):
                    name = "u" if part == "drive" else "w"
                    done = self.run_it("linearize", base + "inputs: {s: 0.5}\n"
                                       f'parts: {{p: {{file: {part}.yaml, inputs: {{{name}: "{given}"}}}}}}\n')
                    self.assert_near(done["output_values"], factor*numpy.array(wanted), 1e-12)
        self.refused('parts: {p: {file: drive.yaml, inputs: {u: "DX(p.b)"}}}\n', "drive.yaml:4:", "joint 'p.m'", "time, parameters and inputs")
        self.refused('parts: {p: {file: drive.yaml, inputs: {u: q.u}}, q: {file: drive.yaml, inputs: {u: p.u}}}\n', "joint 'p.m'",
                     "unlike 'q.u'")

    def test_libraries(self):
        self.file("lib/links/link.yaml", LINK)
        self.file("own/model.yaml", "parts: {a: {file: links/link.yaml, connect: {root: ground}}}\n")
        model, library = self.path("own/model.yaml"), self.path("lib")
        for given in ({}, {"ROUTH_LIBRARY": self.path("nothing")}):
            done = subprocess.run([ROUTH, "modes", model], capture_output=True, text=True, check=False, env={**os.environ, **given})
            self.assertIn("'links/link.yaml' is not found", done.stderr)
        for words, given in ((["--library", library], {}), ([], {"ROUTH_LIBRARY": f"/nothing:{library}"})):
            done = subprocess.run([ROUTH, "modes", model, *words], capture_output=True, text=True, check=False,
                                  env={**os.environ, **given})
            self.assertEqual(done.returncode, 0, done.stderr)
        self.file("own/out.yaml", "parts: {a: {file: ../lib/links/link.yaml, connect: {root: ground}}}\n")
        os.symlink(library, self.path("own/inside"))
        self.file("own/link.yaml", "parts: {a: {file: inside/links/link.yaml, connect: {root: ground}}}\n")
        for name in ("own/out.yaml", "own/link.yaml"):
            done = subprocess.run([ROUTH, "modes", self.path(name)], capture_output=True, text=True, check=False)
            self.assertIn("leads out of the model's folder", done.stderr)
            done = subprocess.run([ROUTH, "modes", self.path(name), "--library", library], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)


# ---- what is refused -------------------------------------------------------------------------------------------------------

USE = "parts: {p: {file: link.yaml, connect: {root: ground}%s}}\n%s"
# (model, part file, words of the message; of these the first names the file with its line, or the part)
BROKEN = [
    (USE % (", set: {kk: 3}", ""), LINK, ["model.yaml:1:", "part 'p'", "link.yaml has no parameter 'kk'"]),
    (USE % (", set: {stiff: 3}", ""), LINK, ["model.yaml:1:", "part 'p'", "has no parameter 'stiff'"]),
    (USE % (", set: {k: 3 kg}", ""), LINK, ["'p.spring'", "link.yaml:7:", "needed"]),
    (USE % (", set: {k: 2*q}", ""), LINK, ["model.yaml:1:", "'p.k'", "the name 'q' is not known"]),
    (USE % (", set: {k: [1, 2]}", ""), LINK, ["model.yaml:1:", "'p.k'", "must be a number"]),
    (USE % (", set: 3", ""), LINK, ["model.yaml:1:", "part 'p'", "set must be a mapping"]),
    (USE % (", inputs: {lod: 1}", ""), LINK, ["part 'p'", "has no input 'lod'; did you mean 'load'?"]),
    (USE % (", inputs: {load: 2*v}", ""), LINK, ["'p.load'", "the name 'v' is not known"]),
    (USE % (", colour: red", ""), LINK, ["part 'p'", "'colour' is not a field"]),
    (USE % (", mirror: w", ""), LINK, ["part 'p'", "mirror", "x, y, z"]),
    (USE % (", count: n", ""), LINK, ["part 'p'", "count must be a whole number"]),
    (USE % (", count: 0", ""), LINK, ["part 'p'", "count is 0"]),
    (USE % (", count: -1", ""), LINK, ["part 'p'", "count is -1"]),
    (USE % (", count: 2.5", ""), LINK, ["part 'p'", "count is 2.5; it must be a whole number"]),
    (USE % (", count: 1e9", ""), LINK, ["part 'p'", "count is 1e+09; it must be a whole number of at most 1000000"]),
    (USE % (", count: 2*m", ""), LINK, ["part 'p'", "count must be a whole number written out"]),
    ("parts: {p: {file: link.yaml, connect: {root: previous.tip}}}\n", LINK, ["part 'p'", "'previous.tip'", "`previous` is for arrays"]),
    ("parts: {p: {file: link.yaml, connect: {root: p.tip}}}\n", LINK, ["link.yaml:6:", "joint 'p.hinge'", "two different bodies"]),
    ("parts: {p: {file: link.yaml, connect: {root: ground, root: ground}}}\n", LINK, ["model.yaml:1:", "'root' is given twice"]),
    ("parts: {p: {file: ''}}\n", LINK, ["part 'p'", "file must be a name"]),
    (USE % (", at: [1e400, 0, 0]", ""), LINK, ["part 'p'", "at: '1e400' is infinite"]),
    (USE % (", spin: {rate: 3}", ""), LINK, ["part 'p'", "axis is missing"]),
    (USE % (", set: {L: 0}", ""), LINK, ["link.yaml:4:", "body 'p.rod'", "inertia"]),
    (USE % (", inputs: {load: DX(p.tip, nothere)}", ""), LINK, ["model.yaml:1:", "'p.load'", "'nothere' is not defined"]),
    (USE % (", count: 2, step: [1, 0, 0]", "outputs: {y: DX(p.rod)}"), LINK, ["output 'y'", "did you mean 'p.1.rod'?"]),
    (USE % (", count: 2, step: [1, 0, 0]", "outputs: {y: DX(p.3.rod)}"), LINK, ["output 'y'", "'p.3.rod' is not defined"]),
    (USE % ("", "parameters: {p: 3}\n"), LINK, ["part 'p'", "that of a part and of one of the parameters"]),
    (USE % ("", "joints: {p: {type: fixed, between: [p.rod, ground]}}\n"), LINK, ["part 'p'", "that of a part and of one of the joints"]),
    (USE % ("", ""), LINK.replace("[root]", "[rod]"), ["part 'p'", "link.yaml has no connection 'root'"]),
    (USE % ("", ""), "\u0000", ["link.yaml:", "part 'p'", "not text in UTF-8"]),
    (USE % (", at: [1, 2]", ""), LINK, ["part 'p'", "at must be a list of 3 numbers"]),
    (USE % (", at: [1 kg, 2, 3]", ""), LINK, ["part 'p'", "at: '1 kg'"]),
    (USE % (", orientation: {angle: 3}", ""), LINK, ["part 'p'", "orientation must be one of"]),
    (USE % (", step: [1, 0, 0]", ""), LINK, ["part 'p'", "step is given without count"]),
    (USE % (", first: {root: ground}", ""), LINK, ["part 'p'", "first is given without count"]),
    (USE % (", index: i", ""), LINK, ["part 'p'", "index is given without count"]),
    (USE % (", axis: [0, 0, 1], angle: 3 deg", ""), LINK, ["model.yaml:1:", "part 'p'", "axis is given without count", "orientation"]),
    (USE % (", axis: [0, 0, 1], angle: 3 deg, about: [1, 0, 0]", ""), LINK, ["part 'p'", "axis is given without count"]),
    (USE % (", count: 2, axis: [0, 0, 1]", ""), LINK, ["part 'p'", "axis is given without angle"]),
    (USE % (", count: 2, angle: 3 deg", ""), LINK, ["part 'p'", "angle is given without axis"]),
    (USE % (", count: 2, axis: [0, 0, 0], angle: 3 deg", ""), LINK, ["part 'p", "axis has zero length"]),
    ("parts: {p: {file: link.yaml}}\n", LINK, ["model.yaml:1:", "part 'p'", "the connection 'root' of", "is not connected"]),
    ("parts: {p: {file: link.yaml, connect: {rot: ground}}}\n", LINK, ["part 'p'", "has no connection 'rot'; did you mean 'root'?"]),
    ("parts: {p: {file: link.yaml, connect: {root: hub}}}\n", LINK, ["model.yaml:1:", "part 'p'", "'hub', which is not defined here"]),
    ("parts: {p: {file: link.yaml, connect: {root: [a]}}}\n", LINK, ["part 'p'", "a connection is made to a body or marker"]),
    ("parts: {p: {file: link.yaml, count: 2, connect: {root: previous.tip}}}\n", LINK, ["part 'p'", "first part of an array"]),
    ("parts: {p: {file: link.yaml, count: 2, connect: {root: previous.tp}, first: {root: ground}}}\n", LINK,
     ["part 'p'", "part 'p.1' has no 'tp'"]),
    (USE % (", count: 2, index: pi", ""), LINK, ["model.yaml:1:", "part 'p'", "'pi' has a meaning of its own"]),
    (USE % (", count: 2, index: 2x", ""), LINK, ["part 'p'", "'2x' is not allowed"]),
    (USE % ("", ""), LINK.replace("[root]", "[root, root]"), ["link.yaml:1:", "part 'p'", "'root' is named twice"]),
    (USE % ("", ""), LINK.replace("[root]", "[time]"), ["link.yaml:1:", "part 'p'", "'time' has a meaning of its own"]),
    (USE % ("", ""), LINK.replace("[root]", "[2x]"), ["link.yaml:1:", "part 'p'", "'2x' is not allowed"]),
    ("parts: {p: {file: link.yaml, connect: {root: nothere}}}\n", "connections: [root]\n" + "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n",
     ["model.yaml:1:", "part 'p'", "the connection 'root' is made to 'nothere', which is not defined here"]),
    ("parts: {p: {file: link.yaml, connect: {root: q.tp}}, q: {file: link.yaml, connect: {root: ground}}}\n", LINK,
     ["model.yaml:1:", "part 'p'", "part 'q' has no 'tp'"]),
    ("parts: {p: {file: link.yaml, connect: {root: q.hinge}}, q: {file: link.yaml, connect: {root: ground}}}\n", LINK,
     ["model.yaml:1:", "part 'p'", "'hinge' is not among the exports of part 'q'"]),
    (USE % ("", "loads: {f: {type: friction, joint: p.hinge, static_level: 1, stiction_velocity: 1}}\n"), LINK,
     ["load 'f'", "'hinge' is not among the exports of part 'p'"]),
    (USE % ("", "joints: {m: {type: motion, joint: p.hinge, function: 0}}\n"), LINK,
     ["joint 'm'", "'hinge' is not among the exports of part 'p'"]),
    ("parts: {p: {connect: {root: ground}}}\n", LINK, ["part 'p'", "file is missing"]),
    ("parts: {p: {file: lnk.yaml}}\n", LINK, ["part 'p'", "'lnk.yaml' is not found"]),
    ("parts: {p: {file: ../link.yaml}}\n", LINK, ["part 'p'", "'../link.yaml'"]),
    ("parts: {p: {file: /etc/passwd}}\n", LINK, ["part 'p'", "leads out of the model's folder"]),
    ("parts: {p: {file: .}}\n", LINK, ["part 'p'", "'.'"]),
    ("parts: {p: 3}\n", LINK, ["'p'", "p must be a mapping"]),
    ("parts: [link.yaml]\n", LINK, ["parts must be a mapping"]),
    ("parts: {time: {file: link.yaml}}\n", LINK, ["part 'time'", "has a meaning of its own"]),
    ("parts: {a.b: {file: link.yaml}}\n", LINK, ["'a.b'", "is not allowed"]),
    ("bodies: {p: {mass: 1, inertia: [1, 1, 1]}}\n" + USE % ("", ""), LINK, ["part 'p'", "that of a part and of one of the bodies"]),
    (USE % ("", 'outputs: {y: "DX(p.hinge)"}'), LINK, ["output 'y'", "'hinge' is not among the exports of part 'p'", "link.yaml"]),
    (USE % ("", 'outputs: {y: "DX(p.rot)"}'), LINK, ["output 'y'", "part 'p' has no 'rot'"]),
    (USE % ("", "steady: {free: [p.q]}"), LINK, ["p.q"]),
    (USE % ("", ""), "exports: [hub]\n" + LINK.replace("exports: [rod, tip, k, load]\n", ""),
     ["link.yaml:1:", "part 'p'", "exports 'hub', which it does not have"]),
    (USE % ("", ""), "connections: root\nbodies: {}\n", ["link.yaml:1:", "part 'p'", "connections must be a list"]),
    (USE % ("", ""), LINK.replace("mass: m", "mass: mm2"), ["link.yaml:4:", "'p.rod'", "mass"]),
    (USE % ("", ""), LINK.replace("mass: m", "mass: 5 mm"), ["link.yaml:4:", "body 'p.rod'", "mass: '5 mm'"]),
    (USE % ("", ""), LINK.replace("hinge:", "hinge: {}\n  hinge:"), ["link.yaml:"]),
    (USE % ("", ""), "[1, 2", ["link.yaml:", "part 'p'", "not well-formed"]),
    (USE % ("", ""), "", ["link.yaml:1:1:", "part 'p'", "the file is empty"]),
    (USE % ("", ""), "- 3\n", ["link.yaml:1:", "part 'p'", "must be a mapping"]),
    (USE % ("", ""), LINK.replace("joints:", "joint:"), ["link.yaml:6:", "part 'p'", "'joint' is not a field", "joints"]),
    (USE % ("", ""), LINK + "parts: {q: {file: link.yaml, connect: {root: rod}}}\n", ["link.yaml:", "part 'p.q'", "is a part of itself"]),
    (USE % ("", ""), LINK + "parts: {rod: {file: link.yaml}}\n", ["link.yaml:", "that of a part and of one of the bodies"]),
    (USE % ("", ""), LINK + "connections: [root]\n", ["link.yaml:", "connections"]),
    (LINK, LINK, ["model.yaml:1:", "a file with connections is a part"]),
    (USE % (", mirror: z", ""), LINK + "beams: {b: {type: material, from: [0, 0, 0]}}\n", ["link.yaml:", "'p.b'"]),
]


class Broken(PartsCase):
    def test_each_broken_file_has_one_message_that_names_file_and_part(self):
        self.assertGreaterEqual(len(BROKEN), 40)
        for model, part, words in BROKEN:
            with self.subTest(words):
                self.file("link.yaml", part)
                self.refused(model, *words)

    def test_files_that_are_parts_of_each_other(self):
        self.file("a.yaml", "parts: {q: {file: b.yaml}}\n")
        self.file("b.yaml", "parts: {r: {file: a.yaml}}\n")
        self.refused("parts: {p: {file: a.yaml}}\n", "b.yaml:1:12:", "part 'p.q.r'", "a.yaml is a part of itself, through part 'p';")

    def test_parts_in_parts_have_an_end(self):
        for k in range(40):
            self.file(f"n{k}.yaml", f"parts: {{q: {{file: n{k + 1}.yaml}}}}\n")
        self.refused("parts: {p: {file: n0.yaml}}\n", "n31.yaml:1:", "part 'p.q.q", "nested more than 32 deep")

    def test_a_setting_of_a_part_that_is_not_there(self):
        self.file("link.yaml", LINK)
        self.refused(USE % ("", ""), "the model has no parameter 'p.kk' to set", options=["--set", "p.kk=3"])

    def test_every_part_on_the_way_exports_a_name(self):
        self.file("leaf.yaml", "exports: [b]\nparameters: {k: 3, kk: 20}\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n")
        self.file("middle.yaml", "exports: [leaf]\nparts: {leaf: {file: leaf.yaml}}\n")
        self.file("narrow.yaml", "exports: [leaf.b]\nparts: {leaf: {file: leaf.yaml}}\n")
        self.file("wide.yaml", "exports: [leaf.kk]\nparts: {leaf: {file: leaf.yaml}}\n")
        used = "parts: {m: {file: %s.yaml, count: 2, step: [1, 0, 0]}}\noutputs: {y: %s}\n"
        for name in ("middle", "narrow"):
            self.run_it("modes", used % (name, '"DX(m.2.leaf.b)"'))
        for name in ("middle", "wide"):
            self.refused(used % (name, "m.1.leaf.kk"), "output 'y'", "'kk' is not among the exports of part 'm.1.leaf'", "leaf.yaml")
        self.refused(used % ("narrow", "m.1.leaf.kk"), "'leaf.kk' is not among the exports of part 'm.1'", "narrow.yaml")
        self.refused(used % ("middle", "m.1.leaf.q"), "part 'm.1.leaf' has no 'q'")

    def test_an_index_goes_before_a_parameter(self):
        self.file("mass.yaml", "exports: [b]\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n")
        for at in ("i", "1*i", "1 m*i", "2 m + i - 2 m"):
            done = self.run_it("linearize", "parameters: {i: 5 kg}\nparts: {p: {file: mass.yaml, count: 2, index: i, at: ['%s', 0, 0]}}\n"
                               'outputs: {y: "DX(p.1.b)", z: "DX(p.2.b)"}\n' % at)
            self.assertEqual(done["output_values"], [1, 2])


if __name__ == "__main__":
    unittest.main()
