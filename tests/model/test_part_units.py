"""Parts whose files are in other units than the model around them: every example as a part of a model in other units, a car of
both, and random machines, against the same in SI alone, written without parts."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import unittest

import numpy as np
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ROUTH, ModelCase  # noqa: E402
from other_units import in_mm_t_s  # noqa: E402

EXAMPLES = pathlib.Path(os.environ.get("ROUTH_SOURCE", pathlib.Path(__file__).parents[2])) / "examples"
EFFORT = int(os.environ.get("ROUTH_TEST_EFFORT") or 1)
FAST = ["car/car.yaml", "cantilever.yaml", "door-on-stop.yaml", "lead-screw.yaml"]
OF_PARTS = {"connections", "exports"}
# what is said of a whole model has no place in a part
OF_WHOLE = {"steady", "linearize", "simulate"}


def read(path):
    """Each scalar as it is written."""
    return yaml.load(pathlib.Path(path).read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


def write(path, model):
    pathlib.Path(path).write_text(yaml.safe_dump(model, sort_keys=False, width=100000), encoding="utf-8")


def run(command, path, *options):
    done = subprocess.run([ROUTH, command, str(path), "--json", *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{path}: {done.stderr}")
    return json.loads(done.stdout)


def matrices(path):
    answer = run("linearize", path)
    return {name: np.array(answer[name], float) for name in "ABCD"}


class Examples(ModelCase):
    """Nothing passes between the files: a part is what it is by itself, whatever the units around it."""

    def test_examples(self):
        every = sorted(str(p.relative_to(EXAMPLES)) for p in EXAMPLES.rglob("*.yaml") if p.parent.name not in ("studies", "plugin"))
        folder = pathlib.Path(self.path("examples"))
        shutil.copytree(EXAMPLES, folder)
        tried = 0
        for name in every if EFFORT > 1 else FAST:
            model = read(EXAMPLES / name)
            if OF_WHOLE & set(model) or OF_PARTS & set(model):
                continue
            tried += 1
            si = matrices(EXAMPLES / name)
            whole = {key: model[key] for key in ("gravity", "operating_point", "parameters") if key in model}
            part = {"parts": {"it": {"file": pathlib.Path(name).name}}}
            wrap = (folder / name).with_name("whole-of-parts.yaml")
            # the converter has no dimensions of what is set in parts of parts
            for mm_inside in (False,) if "parts" in model else (False, True):
                with self.subTest(name, mm_inside=mm_inside):
                    if mm_inside:
                        write(folder / name, in_mm_t_s(read(folder / name)))
                    write(wrap, {**whole, **part} if mm_inside else in_mm_t_s({**whole, **part}))
                    mixed = matrices(wrap)
                    for which in "ABCD":
                        size = np.abs(si[which]).max(initial=0)
                        np.testing.assert_allclose(mixed[which], si[which], rtol=0, atol=size * 1e-12, err_msg=which)
        self.assertGreater(tried, 2)


# ---- random machines ---------------------------------------------------------------------------------------------------

# length in m, mass in kg, time in s
SYSTEMS = {"[m, kg, s]": (1.0, 1.0, 1.0), "[mm, t, s]": (1e-3, 1e3, 1.0), "[in, lb, s]": (0.0254, 0.45359237, 1.0),
           "[km, g, s]": (1e3, 1e-3, 1.0), "[ft, lb, s]": (0.3048, 0.45359237, 1.0), "[cm, g, s]": (1e-2, 1e-3, 1.0),
           "[mm, t, ms]": (1e-3, 1e3, 1e-3), "[in, lb, min]": (0.0254, 0.45359237, 60.0)}
NONE, LENGTH, MASS, INERTIA, FORCE, TORQUE = (0, 0, 0), (1, 0, 0), (0, 1, 0), (2, 1, 0), (1, 1, -2), (2, 1, -2)
STIFFNESS, DAMPING, TURNING, SPEED, RATE = (0, 1, -2), (0, 1, -1), (2, 1, -1), (1, 0, -1), (0, 0, -1)
NAMES = {MASS: "kg", STIFFNESS: "N/m", DAMPING: "N s/m", TORQUE: "N m", FORCE: "N"}
# of the parameters that each file has
PARAMETERS = {"mb": MASS, "k": STIFFNESS, "c": DAMPING, "kt": TORQUE}


def one(system, of):
    """What the system's unit of a dimension is in SI."""
    return np.prod([u ** p for u, p in zip(SYSTEMS[system], of)])


def text(x, system, of):
    return f"{x / one(system, of)!r}"


def vector(x, system, of):
    return "[" + ", ".join(text(e, system, of) for e in x) + "]"


def axis_rotation(axis, angle):
    u = np.array(axis) / np.linalg.norm(axis)
    K = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


class Part:
    """A part as numbers in SI, with what it is given and with its own parts."""

    def __init__(self, rng, name, depth):
        def draw(n, size=1.0):
            return [rng.uniform(-size, size) for _ in range(n)]

        self.name, self.system = name, rng.choice(list(SYSTEMS))
        self.own = {p: rng.uniform(1, 2) * {"mb": 3, "k": 900, "c": 6, "kt": 40}[p] for p in PARAMETERS}
        self.at, self.turn, self.angle = draw(3), draw(3), rng.uniform(-1, 1)
        self.mirror = rng.choice(["", "x", "y", "z"]) if depth else ""
        self.place, self.hinge, self.axis = draw(3, 0.5), draw(3, 0.5), draw(3)
        self.foot, self.tower, self.J = draw(3, 0.5), draw(3, 2), [rng.uniform(0.2, 0.4) for _ in range(3)]
        self.rate, self.times, self.push = rng.uniform(-1, 1), rng.uniform(0.5, 2), rng.uniform(0.1, 2)
        self.given = rng.choice(["k", "k with a unit", "number", "other"])
        self.pushed = rng.random() < 0.5
        self.parts = [Part(rng, f"p{k}", depth - 1) for k in range(rng.choice([1, 2]))] if depth else []

    def set_value(self, around):
        """k of the part, from the part around it."""
        return {"k": self.times * around["k"], "k with a unit": self.times * 700, "number": self.times * 500,
                "other": self.times * around["c"] * around["c"] / around["mb"]}[self.given]

    def set_text(self, system):
        return {"k": f"{self.times!r}*k", "k with a unit": f"{self.times * 0.7!r} kN/m", "number": text(self.times * 500, system, STIFFNESS),
                "other": f"{self.times!r}*c^2/mb"}[self.given]

    def file(self, top):
        """The file in its own units; top: it is the model itself."""
        s = self.system
        lines = [f"units: {s}"] + ([] if top else ["connections: [base]", "exports: [b, k, mb, v, w]"])
        lines += ["parameters:"] + [f"  {p}: {self.own[p]!r} {NAMES[of]}" for p, of in PARAMETERS.items()]
        lines += [f"bodies:\n  b: {{mass: mb, inertia: {vector(self.J, s, INERTIA)}, position: {vector(self.place, s, LENGTH)}}}"]
        base = "ground" if top else "base"
        lines += [f"markers:\n  foot: {{body: b, at: {vector(self.foot, s, LENGTH)}}}\n  tower: {{body: ground, at: {vector(self.tower, s, LENGTH)}}}"]
        lines += [f"joints:\n  h: {{type: revolute, between: [b, {base}], at: {vector(self.hinge, s, LENGTH)}, axis: {self.axis}}}"]
        lines += [f"inputs: {{push: {{value: {text(self.push, s, FORCE)}, unit: {self.label(s, FORCE)}}}}}"]
        lines += ["variables: {v: {expression: k*DX(b)}, w: VY(b)}"]
        lines += ["loads:", "  s: {type: spring, between: [foot, tower], stiffness: k, damping: c}",
                  f"  t: {{type: torsion_spring, between: [b, {base}], at: {vector(self.hinge, s, LENGTH)}, axis: {self.axis}, stiffness: kt, damping: {text(2, s, TURNING)}}}",
                  "  f: {type: force, on: b, resolved_in: ground, components: [push, v, 0]}"]
        outs = ["x: DX(b)", "v: v", "w: w"]
        for p in self.parts:
            outs += [f"of_{p.name}_v: {p.name}.v + DX(b)*k", f"of_{p.name}_w: {p.name}.w*c", f"of_{p.name}_k: {p.name}.k*DX({p.name}.b)/k"]
        lines += ["outputs: {" + ", ".join(outs) + "}", "parts:" if self.parts else ""]
        for p in self.parts:
            entry = (f"  {p.name}: {{file: {p.path}, at: {vector(p.at, s, LENGTH)}, orientation: {{axis: {p.turn}, angle: {p.angle!r}}}, "
                     f"connect: {{base: b}}, set: {{k: {p.set_text(s)}}}")
            entry += f", mirror: {p.mirror}" if p.mirror else ""
            lines += [entry + (", inputs: {push: k*DY(b) + c*VX(b)}" if p.pushed else "") + "}"]
        if top:
            lines += [f"gravity: {vector([0.3, -2, 9], s, (1, 0, -2))}"]
        return "\n".join(lines) + "\n"

    @staticmethod
    def label(system, of):
        names = [n for n, u in zip(system.strip("[]").split(", "), (0, 1, 2))]
        return " ".join(f"{n}^{p}" for n, p in zip(names, of) if p)

    def save(self, folder, count):
        count[0] += 1
        self.path = f"f{count[0]}.yaml"
        for p in self.parts:
            p.save(folder, count)
        (folder / self.path).write_text(self.file(count[0] == 1 or self.path == "f1.yaml"), encoding="utf-8")


class Flat:
    """The same machine in SI, its parts placed by hand."""

    def __init__(self, top):
        self.section = {name: [] for name in ("parameters", "bodies", "markers", "joints", "inputs", "variables", "loads", "outputs")}
        self.scale = {}  # of outputs and inputs: SI per unit
        self.units = {}  # of parameters
        self.add(top, "", "ground", None, np.zeros(3), np.eye(3), np.ones(3), None)

    def add(self, part, prefix, base, around, p, R, D, pushed):
        """A point x of the part is p + R D x, axes A are R D A D; around: the prefix of what is around it."""
        s, n = part.system, prefix

        def point(x):
            return [float(e) for e in p + R @ (D * np.array(x))]

        matrix = f"{{matrix: {[[float(e) for e in row] for row in R]}}}"
        # mirrored components along the part's axes change their sign by D
        sx, sy = (f"{float(D[k]):g}*" for k in (0, 1))
        for name in PARAMETERS:
            value = repr(part.own[name])
            if name == "k" and around is not None:
                value = part.set_text("[m, kg, s]") if part.given in ("k with a unit", "number") else (
                    f"{part.times!r}*{around}k" if part.given == "k" else f"{part.times!r}*{around}c^2/{around}mb")
            self.section["parameters"].append(f"{n}{name}: {value}")
            self.units[n + name] = one(s, PARAMETERS[name])
        axis = np.linalg.det(np.diag(D)) * R @ (D * np.array(part.axis))
        self.section["bodies"].append(f"{n}b: {{mass: {n}mb, inertia: {part.J}, position: {point(part.place)}, orientation: {matrix}}}")
        self.section["markers"] += [f"{n}foot: {{body: {n}b, at: {point(part.foot)}}}", f"{n}tower: {{body: ground, at: {point(part.tower)}}}",
                                    f"{n}o: {{body: ground, at: {list(map(float, p))}, orientation: {matrix}}}"]
        self.section["joints"].append(f"{n}h: {{type: revolute, between: [{n}b, {base}], at: {point(part.hinge)}, axis: {list(map(float, axis))}}}")
        measures = {m: f"{sign}{m}({n}b, {n}o, {n}o)" for m, sign in (("DX", sx), ("DY", sy), ("VX", sx), ("VY", sy))}
        if pushed:
            self.section["variables"].append(f"{n}push: {pushed}")
        else:
            self.section["inputs"].append(f"{n}push: {part.push!r}")
            self.scale[n + "push"] = one(s, FORCE)
        self.section["variables"] += [f"{n}v: {n}k*{measures['DX']}", f"{n}w: {measures['VY']}"]
        self.section["loads"] += [f"{n}s: {{type: spring, between: [{n}foot, {n}tower], stiffness: {n}k, damping: {n}c}}",
                                  f"{n}t: {{type: torsion_spring, between: [{n}b, {base}], at: {point(part.hinge)}, axis: {list(map(float, axis))}, stiffness: {n}kt, damping: 2}}",
                                  f"{n}f: {{type: force, on: {n}b, resolved_in: {n}o, components: [{sx}{n}push, {sy}{n}v, 0]}}"]
        outs = {"x": (measures["DX"], LENGTH), "v": (f"{n}v", FORCE), "w": (f"{n}w", SPEED)}
        for q in part.parts:
            m = n + q.name + "_"
            outs[f"of_{q.name}_v"] = (f"{m}v + {measures['DX']}*{n}k", FORCE)
            outs[f"of_{q.name}_w"] = (f"{m}w*{n}c", FORCE)
            outs[f"of_{q.name}_k"] = (f"{m}k*{sx}DX({m}b, {n}o, {n}o)/{n}k", LENGTH)
        for name, (expression, of) in outs.items():
            self.section["outputs"].append(f"{n}{name}: {expression}")
            self.scale[n + name] = one(s, of)
        for q in part.parts:
            own = np.array([-1.0 if q.mirror == c else 1.0 for c in "xyz"])
            # p + R D (p_2 + R_2 D_2 x) = p + R D p_2 + (R D R_2 D) (D D_2) x
            S = np.diag(D)
            self.add(q, n + q.name + "_", f"{n}b", n, p + R @ (D * np.array(q.at)), R @ S @ axis_rotation(q.turn, q.angle) @ S, D * own,
                     f"{n}k*{measures['DY']} + {n}c*{measures['VX']}" if q.pushed else None)

    def text(self):
        lines = ["gravity: [0.3, -2, 9]"]
        for section, entries in self.section.items():
            lines += [f"{section}:"] + [f"  {e}" for e in entries] if entries else []
        return "\n".join(lines) + "\n"


class Machines(ModelCase):
    def compare(self, seed):
        rng = random.Random(seed)
        top = Part(rng, "", 2)
        folder = pathlib.Path(self.path(f"m{seed}"))
        folder.mkdir()
        top.save(folder, [0])
        flat = Flat(top)
        parts = run("linearize", folder / "f1.yaml")

        def plain(names):
            return [n.replace(".", "_") for n in names]

        # the same states; of equal ones, the choice is that of rounding
        states = [".".join(n.replace(".", "_").rsplit("_", 1)) for n in parts["states"]]
        choice = f"linearize: {{states: [{', '.join(n for n in states if not n.endswith(chr(39)))}]}}\n"
        (folder / "flat.yaml").write_text(flat.text() + choice, encoding="utf-8")
        si = run("linearize", folder / "flat.yaml")
        self.assertEqual(states, si["states"])
        self.assertEqual(plain(parts["inputs"]), si["inputs"])
        self.assertEqual(plain(parts["outputs"]), si["outputs"])
        rows = np.array([flat.scale[n] for n in si["outputs"]])[:, None]
        columns = np.array([flat.scale[n] for n in si["inputs"]])[None, :]
        mixed = {name: np.array(parts[name], float).reshape(-1, len(parts["states" if name in "AC" else "inputs"])) for name in "ABCD"}
        mixed["C"], mixed["D"] = rows * mixed["C"], rows * mixed["D"] / columns
        mixed["B"] = mixed["B"] / columns
        for name in "ABCD":
            a = np.array(si[name], float).reshape(mixed[name].shape)
            np.testing.assert_allclose(mixed[name], a, rtol=0, atol=1e-12 * np.abs(a).max(initial=0), err_msg=name)
        one_point, other = (run("equilibrium", folder / name) for name in ("f1.yaml", "flat.yaml"))
        for a, b in zip(one_point["joints"], other["joints"]):
            for of in ("force", "torque"):
                np.testing.assert_allclose(a[of], b[of], rtol=0, atol=1e-12 * (1 + np.abs(b[of]).max()) * 100)
        one_slope, other = (run("sensitivity", folder / name) for name in ("f1.yaml", "flat.yaml"))
        checked = 0
        for a, b in zip(one_slope["modes"], other["modes"]):
            flat_by = {e["parameter"]: e for e in b["by"]}
            largest = max(np.hypot(*e["eigenvalue"]) * abs(e["value"]) for e in b["by"])
            for e in a["by"]:
                name = e["parameter"].replace(".", "_")
                unit = flat.units[name]
                self.assertAlmostEqual(e["value"] * unit / flat_by[name]["value"], 1, delta=1e-13)
                off = np.array(e["eigenvalue"]) / unit - np.array(flat_by[name]["eigenvalue"])
                self.assertLess(np.abs(off).max() * abs(flat_by[name]["value"]), 1e-10 * largest)
                checked += 1
        return checked

    def test_machines(self):
        for seed in range(60 if EFFORT > 1 else 4):
            with self.subTest(seed):
                self.assertGreater(self.compare(seed), 10)


# ---- what passes between files, by hand ----------------------------------------------------------------------------------

CORNER = """
units: [mm, t, s]
connections: [top]
exports: [b, k, m, n, travel, share, push, idle]
parameters: {k: 5 N/mm, m: 2 kg, far: 200, n: 3}
bodies: {b: {mass: m, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints: {g: {type: translational, between: [b, top], at: [0, 0, 0], axis: x}}
markers: {p: {body: top, at: [far, 0, 0]}}
inputs: {push: {value: 0, unit: N}, idle: 0}
variables: {travel: DX(b), share: 2*DX(b)}
loads:
  s: {type: spring, between: [b, p], stiffness: k, damping: 0.01, free_length: far}
  f: {type: force, on: b, components: [push + idle, 0, 0]}
outputs: {x: travel}
"""
CAR = """
parameters: {k2: 7 kN/m, bare: 9}
parts: {one: {file: corner.yaml, connect: {top: ground}@}}
outputs: {y: @@}
"""


class Passing(ModelCase):
    def setUp(self):
        super().setUp()
        with open(self.path("corner.yaml"), "w", encoding="utf-8") as file:
            file.write(CORNER)

    def car(self, more="", output="one.travel"):
        return CAR.replace("@@", output).replace("@", more)

    def frequency(self, *options, more=""):
        return self.run_it("modes", self.car(more), *options)["modes"][0]["undamped_frequency_hz"]

    def test_values(self):
        for more, options, k in (("", (), 5e3), (", set: {k: 2*k2}", (), 14e3), (", set: {k: 12e3}", (), 12e3),
                                 (", set: {k: 40 lbf/in}", (), 40 * 4.4482216152605 / 0.0254), (", set: {k: k2}", ("--set", "k2=3e3"), 3e3),
                                 ("", ("--set", "one.k=8"), 8e3), ("", ("--set", "one.k=8 kN/m"), 8e3),
                                 ("", ("--set", "one.k=k2/7"), 1e3), (", set: {k: k2}", ("--set", "one.k=1 + k2"), 8e3)):
            with self.subTest(more, options=options):
                self.assertAlmostEqual(self.frequency(*options, more=more) * 2 * np.pi / np.sqrt(k / 2), 1, delta=1e-14)

    def test_signals(self):
        """A variable in mm is read in m, by what its expression is of, or by its unit; an input gets N from N."""
        answer = self.run_it("linearize", self.car(", inputs: {push: 30*DX(one.b)}", "one.k*one.travel"))
        self.assertEqual([row[0] for row in answer["C"]], [5000, 1000])
        self.assertAlmostEqual(answer["A"][1][0], -(5000 - 30) / 2, delta=1e-9)

    def test_sweeps_and_slopes_are_by_its_own_unit(self):
        """w = sqrt(1000 k/m), k in N/mm: dw/dk = w/(2 k); the damping changes the undamped frequency by nothing."""
        slope = {e["parameter"]: e for e in self.run_it("sensitivity", self.car())["modes"][0]["by"]}["one.k"]
        self.assertEqual(slope["value"], 5)
        self.assertAlmostEqual(slope["undamped_frequency_hz"], np.sqrt(5e3 / 2) / (2 * np.pi) / 10, delta=1e-12)
        for over in ("one.k=2, 8", "one.k=2 kN/m, 8 N/mm", "one.k=2:8 kN/m:2"):
            rows = self.run_it("sweep", self.car(), "--over", over)
            points = rows["lines"][0]["points"]
            found = [np.hypot(*p["eigenvalues"][0]["eigenvalue"]) for p in points if p["value"] in (2, 8)]
            np.testing.assert_allclose(found, np.sqrt(np.array([2e3, 8e3]) / 2), rtol=1e-13, err_msg=over)

    def test_refused(self):
        for more, output, words in (
                (", set: {n: 2*bare}", "1", "'one.n' goes from [m, kg, s] into a file in [mm, t, s], and nothing says what it is of"),
                (", set: {k: 3 mm}", "1", "'one.k' is a value in kg s^-2 in its own file, and what it is set to is a length"),
                ("", "one.n", "the parameter 'one.n' is in units of [mm, t, s]"),
                ("", "one.share", "'one.share' passes between files in [mm, t, s] and [m, kg, s]"),
                ("", "one.idle", "'one.idle' passes between files"),
                (", inputs: {idle: 3}", "1", "'one.idle' passes between files"),
                (", inputs: {push: DX(one.b)}", "1", "'one.push' is a length by its expression, and a force by its unit")):
            with self.subTest(more, output=output):
                done = self.try_it("modes", self.car(more, output))
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(words, done.stderr)

    def test_arrays_and_mirrors(self):
        """k_i = 1000 i N/m, by the index; of mirror images the same."""
        text = """
parts:
  a: {file: corner.yaml, count: 3, index: i, step: [0, 0.2, 0], mirror: x, connect: {top: ground}, set: {k: 1000*i, m: (i + 1) kg}}
"""
        found = [m["undamped_frequency_hz"] for m in self.run_it("modes", text)["modes"][::2]]
        np.testing.assert_allclose(found, sorted(np.sqrt(1e3 * np.array([1 / 2, 2 / 3, 3 / 4])) / (2 * np.pi)), rtol=1e-13)

    def test_histories_and_events(self):
        """An input of a part in mN, as kg m/s^2 makes in the model: 4 N of a history accelerate 2 kg by 2 m/s^2 at the beginning."""
        text = self.car() + """
inputs: {u: 0}
events: {on: {when: time - 0.5, action: set, input: one.push, value: 3}}
simulate: {end: 0.01, every: 0.01, inputs: {one.push: 4 + 0*time}}
"""
        done = self.try_it("simulate", text, "-o", self.path("run.csv"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("run.csv"), encoding="utf-8") as file:
            head, *rows = [line.strip().split(",") for line in file]
        at = next(k for k, name in enumerate(head) if name.startswith("bodies/one.b/acceleration x"))
        self.assertAlmostEqual(float(rows[0][at]), 2, delta=1e-12)

    def test_tables_name_the_unit(self):
        done = subprocess.run([ROUTH, "sensitivity", self.write(self.car())], capture_output=True, text=True, check=True)
        for label in ("one.k [N/mm]", "one.m [t]", "  one.far ", "  k2 "):
            self.assertIn(label, done.stdout)

    def test_values_of_sweeps_with_a_unit(self):
        """They are in the units of the parameter's file, whichever they are written in."""
        with_unit, without, in_other = [self.run_it("sweep", self.car(), "--over", f"one.k={values}", "--solve", "none")["lines"]
                                        for values in ("2 N/mm:8 N/mm:3", "2:8:3", "2 kN/m:8 kN/m:3")]
        self.assertEqual([p["value"] for p in without[0]["points"]], [2, 5, 8])
        self.assertEqual(with_unit, without)
        for there, here in zip(in_other[0]["points"], without[0]["points"]):
            self.assertAlmostEqual(there["value"], here["value"], delta=1e-14 * here["value"])
        self.assertEqual(self.try_it("sweep", self.car(", set: {k: k2}"), "--over", "k2=2 N/mm:8 N/mm:3").returncode, 0)

    def test_what_is_written_back(self):
        """A number in the units of the part's file has no place in a file in others."""
        study = self.path("study.yaml")
        with open(study, "w", encoding="utf-8") as file:
            file.write("variables: {one.k: {between: [2, 9]}}\ngoals: {f: {frequency: 1, near: 7}}\n")
        options = ("--study", study, "--write-model", "-", "--quiet")
        done = self.try_it("optimise", self.car(", set: {k: k2}"), *options)
        self.assertIn("in the units of corner.yaml, and `set` is in those of this file", done.stderr)
        done = self.try_it("optimise", "units: [mm, t, s]\n" + self.car(", set: {k: k2}").replace("7 kN/m", "7"), *options)
        self.assertRegex(done.stdout, r"set: \{k: 3\.86")

    def test_settings_that_are_written_back(self):
        """1 + k2 is 8 N/mm as a setting and 7001 N/m where it would be written; so is every number without a unit."""
        study = self.path("study.yaml")
        with open(study, "w", encoding="utf-8") as file:
            file.write("variables: {bare: {between: [1, 9]}}\ngoals: {f: {frequency: 1, near: 7}}\n")
        options = ("--study", study, "--write-model", "-", "--quiet")
        car = self.car(", set: {k: k2, m: bare}").replace("bare: 9", "bare: 2 kg")
        for value in ("2*3.5", "(7)", "1 + k2", "7 N/mm + 1", "2*pi"):
            with self.subTest(value):
                done = self.try_it("optimise", car, "--set", f"one.k={value}", *options)
                self.assertIn(f"'one.k' is {value} in the units of corner.yaml", done.stderr)
        done = self.try_it("optimise", car, "--set", "one.k=7e3 N/m", *options)
        self.assertIn("set: {k: 7e3 N/m, m: bare}", done.stdout)

    def test_a_number_that_is_written_back_keeps_its_unit(self):
        """Else nothing says what k2 is of where it passes to a parameter without a unit; of -k2 too."""
        with open(self.path("corner.yaml"), "w", encoding="utf-8") as file:
            file.write(CORNER.replace("k: 5 N/mm", "k: 5"))
        study = self.path("study.yaml")
        with open(study, "w", encoding="utf-8") as file:
            file.write("variables: {k2: {between: [-20 kN/m, -1 kN/m]}}\ngoals: {f: {frequency: 1, near: 7}}\n")
        for units, known in (("", "2e-3 t"), ("units: [cm, g, ms]\n", "2e-3 t")):
            car = units + self.car(", set: {k: -k2, m: bare}").replace("bare: 9", f"bare: {known}").replace("k2: 7", "k2: '-7e0")
            car = car.replace("kN/m, bare", "kN/m' , bare")
            mass = "2000" if units else "2"
            written = pathlib.Path(self.path("written.yaml"))
            self.try_it("optimise", car, "--study", study, "--write-model", str(written), "--quiet", "--set", f"bare={mass}")
            text = written.read_text("utf-8")
            self.assertRegex(text, r"\{k2: '?-3\.86\d* kN/m'? , bare: 0\.002 t\}")
            self.assertAlmostEqual(self.run_it("modes", text)["modes"][0]["undamped_frequency_hz"], 7, delta=1e-6)

    def test_what_has_no_unit_may_pass_where_the_units_are_the_same(self):
        text = "units: [mm, t, s]\n" + self.car(", set: {n: 2*bare}", "one.share + one.idle + one.n")
        self.assertEqual(self.try_it("modes", text).returncode, 0)


if __name__ == "__main__":
    unittest.main()
