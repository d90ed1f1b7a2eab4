"""Models in units of their own. Every example in mm, t and s, rewritten by a converter that shares nothing with the
program (tests/support/other_units.py), has the matrices that it has in SI."""
import json
import math
import os
import pathlib
import re
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
PARTS = ["car/corner.yaml", "car/wishbone.yaml", "turbine/blade.yaml"]
# without effort: what differs in what it has; seconds are those of the larger examples
FAST = ["car/car.yaml", "cantilever.yaml", "door-on-stop.yaml", "lead-screw.yaml", "steady-turn.yaml"]
# a steady motion is found by iteration, to more than the rounding of what it begins with: gravity that differs in its last
# digit changes its matrices by as much
LOOSE = {"car/driving.yaml": 1e-10}


def convert(path):
    """Each scalar is read as it is written."""
    model = in_mm_t_s(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader))
    path.write_text(yaml.safe_dump(model, sort_keys=False, width=100000), encoding="utf-8")


def matrices(path):
    done = subprocess.run([ROUTH, "linearize", str(path), "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{path}: {done.stderr}")
    answer = json.loads(done.stdout)
    return {name: np.array(answer[name], float) for name in "ABCD"}


class Examples(ModelCase):
    def test_examples(self):
        every = sorted(str(p.relative_to(EXAMPLES)) for p in EXAMPLES.rglob("*.yaml") if p.parent.name not in ("studies", "plugin"))
        folder = pathlib.Path(self.path("examples"))
        shutil.copytree(EXAMPLES, folder)
        for name in every:
            convert(folder / name)
        for name in every if EFFORT > 1 else FAST:
            if name in PARTS:
                continue
            with self.subTest(name):
                si, mm = matrices(EXAMPLES / name), matrices(folder / name)
                for which in "ABCD":
                    size = np.abs(si[which]).max(initial=0)
                    np.testing.assert_allclose(mm[which], si[which], rtol=0, atol=size * LOOSE.get(name, 1e-12), err_msg=which)


# The same machine in SI and in mm, t and s, by hand. What a coordinate is of decides what a number of it is of: of
# couplers, limits, friction and motions, a displacement here and an angle there.
MACHINE = """
parameters: {p: 1.3}
gravity: [0, @g, @0.4g]
bodies:
  a: {mass: @2kg, inertia: [@0.1kgm2, @0.2kgm2, @0.3kgm2], position: [@0.2m, 0, 0]}
  b: {mass: @3kg, inertia: [@0.1kgm2, @0.2kgm2, @0.3kgm2], position: [0, 0, @0.1m]}
  c: {mass: @1kg, inertia: [@0.1kgm2, @0.2kgm2, @0.3kgm2], position: [0, @-0.2m, 0]}
  d: {mass: @1kg, inertia: [@0.1kgm2, @0.2kgm2, @0.3kgm2], position: [@0.6m, 0, 0]}
joints:
  turn:  {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}
  slide: {type: translational, between: [b, ground], axis: z, velocity: @0.2m}
  spin:  {type: revolute, between: [c, ground], at: [0, 0, 0], axis: x}
  lift:  {type: translational, between: [d, ground], axis: x}
  both:  {type: coupler, joints: [turn, slide, spin], ratios: [1, @3perm, 0.5]}
  rates: {type: velocity_coupler, joints: [lift, turn, slide], ratios: [1, @0.2m, 0.3]}
loads:
  s1: {type: spring, between: [a, b], stiffness: @900perm, damping: @20perm, free_length: @0.1m}
  f1: {type: friction, joint: turn, static_level: @2m, stiction_velocity: 0.5, viscous: @0.3m}
  f2: {type: friction, joint: slide, static_level: 2, stiction_velocity: @0.5m, viscous: @30perm}
  l1: {type: limit, joint: turn, upper: -0.1, stiffness: @70m, exponent: 1.5, damping: 0.2}
  l2: {type: limit, joint: slide, upper: @-0.05m, stiffness: @e900, exponent: p, damping: @0.2perm}
  t1: {type: spring, between: [b, d], table: [[0, 0], [@0.2m, 30], [@0.5m, 90]]}
  m:  {type: torque, on: c, components: ["@200m*sin(2*time)*DX(a)/@0.2m", "-@2m*VZ(b)/@1m", 0]}
  u1: {type: force, on: d, components: ["u + 40*DM(a, b)/@1m + TX(spin)/@1m", 0, 0]}
inputs: {u: 0}
outputs: {x: DX(d)/@1m, f: FX(s1), t: TY(turn)/@1m, r: "FX(u1) + 2*DM(a, b)/@1m"}
operating_point: {type: given, time: 0.3}
"""
FACTORS = {"kgm2": 1e3, "kg": 1e-3, "perm": 1e-3, "m": 1e3, "g": 1e3}


def machine(mm):
    text = MACHINE.replace("@e900", "900*1000^(-p)" if mm else "900").replace("@g", "@-9.81g")
    text = re.sub(r"@([-\d.]+)(kgm2|kg|perm|m|g)\b", lambda x: repr(float(x[1]) * (FACTORS[x[2]] if mm else 1)), text)
    return ("units: [mm, t, s]\n" if mm else "") + text


SPRING = """
units: [mm, t, s]
parameters: {k: 5, mass: 2 kg, far: 20 cm}
bodies: {b: {mass: mass, inertia: [1, 1, 1]}}
joints: {g: {type: translational, between: [b, ground], axis: x}}
markers: {p: {body: ground, at: [far, 0, 0]}}
loads: {s: {type: spring, between: [b, p], stiffness: k, free_length: far}}
"""


class Units(ModelCase):
    def test_machine(self):
        si, mm = (self.run_it("linearize", machine(of)) for of in (False, True))
        for name in "ABCD":
            a, b = np.array(si[name]), np.array(mm[name])
            self.assertTrue(np.abs(a).max() > 0, name)
            np.testing.assert_allclose(b, a, rtol=0, atol=1e-12 * np.abs(a).max(), err_msg=name)

    def frequency(self, text, *options):
        return self.run_it("modes", text, *options)["modes"][0]["damped_frequency_hz"]

    def test_parameters_are_in_the_units(self):
        self.assertAlmostEqual(self.frequency(SPRING), np.sqrt(5000 / 2) / (2 * np.pi), delta=1e-12)
        for k in ("8", "8 N/mm", "8 kN/m"):
            self.assertAlmostEqual(self.frequency(SPRING, "--set", f"k={k}"), np.sqrt(8000 / 2) / (2 * np.pi), delta=1e-12)

    def swept(self, over, *options):
        """The values and frequencies of a sweep: one branch of one point a value."""
        return [(p["value"], max(e["eigenvalue"][1] for e in p["eigenvalues"]) / (2 * np.pi))
                for p in self.run_it("sweep", SPRING, "--over", over, *options)["lines"][0]["points"]]

    def test_values_of_a_sweep_become_ones_of_the_model(self):
        for over in ("k=4:10 N/mm:3", "k=4 kN/m:10 kN/m:3", "k=4, 7 kN/m, 10", "k=log:4:10 N/mm:3"):
            points = self.swept(over, "--solve", "none")
            middle = np.sqrt(40) if "log" in over else 7
            for (value, hz), wanted in zip(points, (4, middle, 10), strict=True):
                self.assertAlmostEqual(value, wanted, delta=1e-12, msg=over)
                self.assertAlmostEqual(hz, np.sqrt(1000 * wanted / 2) / (2 * np.pi), delta=1e-9, msg=over)

    def test_numbers_of_a_study_become_ones_of_the_model(self):
        """m + 1 kg is 6 kg: m = 0.005 t."""
        with open(self.path("study.yaml"), "w", encoding="utf-8") as file:
            file.write("variables: {mass: {between: [1 kg, 10 kg]}}\ngoals: {sum: {expression: mass + 1 kg, at: 6 kg}}\n")
        found = self.run_it("optimise", SPRING, "--study", self.path("study.yaml"))
        self.assertAlmostEqual(found["variables"][0]["after"], 0.005, delta=1e-9)

    def test_spectra_are_in_units_that_nobody_converts(self):
        model = SPRING.replace("stiffness: k,", "stiffness: k, damping: 0.01,") + "inputs: {u: 0}\noutputs: {x: DX(b) + u}\n"
        done = self.try_it("response", model, "--psd", "u=(2 mm)^2/(1 Hz)")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("write the number without a unit", done.stderr)
        self.assertEqual(self.try_it("response", model, "--psd", "u=4*exp(-f/(5 Hz))").returncode, 0)

    def test_matrices_say_what_they_are_in(self):
        link = os.path.relpath(EXAMPLES / "flexible" / "link", self.folder.name)
        model = (f"units: [mm, t, s]\nbodies: {{l: {{type: modal, stiffness_matrix: {link}.sti, mass_matrix: {link}.mas, "
                 f"nodes: {link}.inp, modes: 2%s}}}}\n")
        in_ms = model.replace("t, s]", "t, ms]")
        for text, given, missing in ((model, "", "length_unit"), (model, ", mass_unit: t", "length_unit"),
                                     (model, ", length_unit: mm", "mass_unit"), (in_ms, ", length_unit: mm, mass_unit: t", "time_unit")):
            done = self.try_it("modes", text % given)
            self.assertEqual(done.returncode, 1, given)
            self.assertIn(f"{missing} is missing", done.stderr)
        self.assertEqual(len(self.run_it("modes", model % ", length_unit: mm, mass_unit: t")["modes"]), 16)

    def test_messages_say_numbers_as_they_are_written(self):
        for old, new, words in (
                ("stiffness: k,", "table: [[0, 0], [200, 1], [100, 2]],", "100 follows 200;"),
                ("axis: x}", "axis: x, displacement: 30}, h: {type: translational, between: [b, ground], axis: x, displacement: 40}",
                 "as 40, but it is 30 by the others"),
                ("inertia: [1, 1, 1]", "inertia: [1, 1, 4]", "(trace 6, so none may exceed 3)"),
                ("mass: mass, inertia: [1, 1, 1]", "density: steel, shape: {tube: {radius: 20, inner_radius: 30, length: 9}}",
                 "inner_radius 30 is not below its radius 20"),
                ("loads: {", "loads: {f: {type: friction, joint: g, static_level: 5, stiction_velocity: 3, dynamic_velocity: 2}, ",
                 "dynamic_velocity is 2 and stiction_velocity is 3"),
                ("units: [mm, t, s]", "units: [mm, t, ms]\noperating_point: {type: given, time: 900}\nsimulate: {end: 400}",
                 "end is 400 and the run begins at the operating point's time, 900")):
            done = self.try_it("modes", SPRING.replace(old, new))
            self.assertEqual(done.returncode, 1, new)
            self.assertIn(words, done.stderr)
        slides = SPRING.replace("t, s]", "t, ms]").replace("loads: {", "loads: {f: {type: friction, joint: g, stiction_velocity: 1, "
                                                           "static_level: 5, dynamic_level: 7}, ")
        for text in (slides, slides.replace("translational", "revolute")):  # forces, and torques
            self.assertIn("dynamic_level is 7, above what holds at rest, 5", self.try_it("modes", text).stderr)

    def test_derivatives_are_by_parameters_as_they_are(self):
        """s = i sqrt(1000 k/m), k in N/mm and m in kg, so ds/dk = s/(2 k); the mass is a parameter in t."""
        by = {e["parameter"]: e for e in self.run_it("sensitivity", SPRING)["modes"][0]["by"]}
        self.assertEqual([by[p]["value"] for p in ("k", "mass", "far")], [5, 0.002, 200])
        self.assertAlmostEqual(by["k"]["eigenvalue"][1], 50 / (2 * 5), delta=1e-12)
        self.assertAlmostEqual(by["mass"]["eigenvalue"][1], -50 / (2 * 0.002), delta=1e-8)

    def test_refused(self):
        for units, words in (("mm", "must be a list"), ("[mm, mm]", "second unit of length"), ("[mm, ms, min]", "second unit of time"),
                             ("[mm, t, deg]", "angles of a model"), ("[]", "must be a list"), ("[mm]", "must be a list of two or three"), ("[N, t]", "'N' is not one"),
                             ("{length: mm}", "must be a list"), ("[[mm], t]", "is not one")):
            done = self.try_it("modes", SPRING.replace("[mm, t, s]", units))
            self.assertEqual(done.returncode, 1, units)
            self.assertIn(words, done.stderr, units)


# A machine with controllers, in any units: <value:powers of length, mass, time>. At a time, moving, with inputs.
CONTROLLED = """
gravity: [0, <-3:1,0,-2>, <-9:1,0,-2>]
bodies:
  a: {mass: <2:0,1,0>, inertia: [<0.1:2,1,0>, <0.2:2,1,0>, <0.3:2,1,0>], velocity: [<0.4:1,0,-1>, 0, 0]}
  b: {mass: <1:0,1,0>, inertia: [<0.1:2,1,0>, <0.2:2,1,0>, <0.3:2,1,0>], position: [<1:1,0,0>, 0, 0]}
  c: {mass: <1:0,1,0>, inertia: [<0.1:2,1,0>, <0.2:2,1,0>, <0.3:2,1,0>], position: [0, <0.1:1,0,0>, 0]}
  d: {mass: <1:0,1,0>, inertia: [<0.1:2,1,0>, <0.2:2,1,0>, <0.3:2,1,0>]}
joints:
  slide: {type: translational, between: [a, ground], axis: x}
  lift:  {type: translational, between: [b, ground], axis: x}
  turn:  {type: revolute, between: [c, ground], at: [0, 0, 0], axis: x, rate: <0.7:0,0,-1>}
  spin:  {type: revolute, between: [d, ground], at: [0, 0, 0], axis: z}
  drive: {type: motion, joint: lift, function: "<0.1:1,0,0>*sin(<2:0,0,-1>*time)"}
  rates: {type: velocity_coupler, joints: [slide, spin], ratios: [1, <0.2:1,0,0>]}
inputs: {u: <0.5:1,1,-2>}
controllers:
  p: {type: pid, input: "DX(a) - <0.01:1,0,0>", proportional: <40:0,1,-2>, integral: <25:0,1,-3>, derivative: <3:0,1,-1>, filter: <0.05:0,0,1>, initial: <0.02:1,0,1>}
  l: {type: lag, input: VX(a), time_constant: <0.2:0,0,1>, gain: <3:0,1,-1>}
  g: {type: transfer_function, input: DX(a), numerator: [<2:0,1,-1>, <7:0,1,-2>], denominator: [<0.02:0,0,2>, <0.3:0,0,1>, 1]}
  x: {type: differential, rate: "-x/<0.3:0,0,1> + VX(a)"}
  y: {type: implicit, equation: "<0.4:0,0,1>*RATE(y) + y - DX(a) + <0.1:0,0,1>*RATE(x)"}
  z: {type: state_space, inputs: [DX(a)], A: [[<-2:0,0,-1>]], B: [[<1:0,0,-1>]], C: [[1]], D: [[0]]}
loads:
  f: {type: force, on: a, components: ["u - p - l - g - <5:0,1,-1>*RATE(x) - <6:0,1,-1>*RATE(y) - <4:0,1,-2>*z.y1 + <3:1,1,-2>*sin(<4:0,0,-1>*time)", 0, 0]}
  s: {type: spring, between: [a, b], stiffness: <50:0,1,-2>, damping: <4:0,1,-1>}
  r: {type: friction, joint: slide, static_level: <2:1,1,-2>, dynamic_level: <1.5:1,1,-2>, stiction_velocity: <0.3:1,0,-1>, viscous: <1:0,1,-1>}
  q: {type: friction, joint: turn, static_level: <0.2:2,1,-2>, stiction_velocity: <0.5:0,0,-1>, viscous: <0.1:2,1,-1>}
  e: {type: limit, joint: slide, upper: <-0.01:1,0,0>, stiffness: <90:0,1,-2>, damping: <0.4:-1,0,1>}
  h: {type: torsion_spring, between: [c, ground], at: [0, 0, 0], axis: x, stiffness: <3:2,1,-2>, damping: <0.2:2,1,-1>}
outputs:
  of_x: DX(a)/<1:1,0,0>
  of_v: VX(a)/<1:1,0,-1>
  of_f: FX(s)/<1:1,1,-2>
  of_r: (RATE(x) + RATE(y))/<1:1,0,-1>
  of_w: WX(c)/<1:0,0,-1>
operating_point: {type: given, time: <0.3:0,0,1>}
"""
SYSTEMS = {"[m, kg, s]": (1, 1, 1), "[m, kg, ms]": (1, 1, 1e-3), "[mm, t, ms]": (1e-3, 1e3, 1e-3), "[in, lb, min]": (0.0254, 0.45359237, 60),
           "[mm, g, us]": (1e-3, 1e-3, 1e-6), "[m, t, s]": (1, 1e3, 1), "[km, kg, h]": (1e3, 1, 3600)}


def in_units(text, system):
    def number(match):
        powers = [int(k) for k in match[2].split(",")]
        return repr(float(match[1]) / np.prod([float(u) ** k for u, k in zip(SYSTEMS[system], powers)]))

    return f"units: {system}" + re.sub(r"<([-\d.]+):([-\d,]+)>", number, text)


class Time(ModelCase):
    """Units of time: gains of controllers, rates of states and functions of time are in them, results in s."""

    def response(self, system):
        model = self.run_it("linearize", in_units(CONTROLLED, system))
        A, B, C, D = (np.array(model[name], float) for name in "ABCD")
        force = np.prod([float(u) ** k for u, k in zip(SYSTEMS[system], (1, 1, -2))])
        return [(C @ np.linalg.solve(s * np.eye(len(A)) - A, B) + D) / force for s in (0.3, 2j, 30j + 1)], np.array(model["output_values"])

    def test_controlled_machine(self):
        si, values = self.response("[m, kg, s]")
        self.assertTrue(min(np.abs(g).min() for g in si[:2]) >= 0 and np.abs(values).max() > 0.1)
        for system in SYSTEMS:
            with self.subTest(system):
                other, others = self.response(system)
                np.testing.assert_allclose(others, values, rtol=0, atol=1e-12 * np.abs(values).max())
                for one, two in zip(si, other):
                    np.testing.assert_allclose(two, one, rtol=0, atol=1e-11 * np.abs(one).max())

    def test_times_and_rates(self):
        """A run over 20 ms of a mass on a spring, 20 of the model's units of time."""
        text = in_units("""
bodies: {b: {mass: <2:0,1,0>, inertia: [<1:2,1,0>, <1:2,1,0>, <1:2,1,0>], position: [<0.1:1,0,0>, 0, 0]}}
joints: {g: {type: translational, between: [b, ground], axis: x}}
markers: {o: {body: ground, at: [<-1:1,0,0>, 0, 0]}}
loads: {s: {type: spring, between: [b, o], stiffness: <5000:0,1,-2>, free_length: <1:1,0,0>}}
simulate: {end: 20, every: 5}
outputs: {x: DX(b), v: VX(b)}
""", "[mm, t, ms]")
        done = self.try_it("simulate", text, "-o", self.path("run.csv"), "--tolerance", "1e-12")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("run.csv"), encoding="utf-8") as file:
            head, *rows = [line.strip().split(",") for line in file if not line.startswith("#")]
        head = [name.split(" [")[0] for name in head]
        t, x, v = (np.array([float(row[head.index(name)]) for row in rows]) for name in ("time", "outputs/x", "outputs/v"))
        np.testing.assert_allclose(t, [0, 5e-3, 10e-3, 15e-3, 20e-3], atol=1e-15)
        np.testing.assert_allclose(x, 100 * np.cos(50 * t), atol=1e-6)
        np.testing.assert_allclose(v, -5 * np.sin(50 * t), atol=1e-7)

    def test_units_of_time_in_numbers(self):
        """5 Hz is 0.005/ms, 60 km/h is 16.67 mm/ms, 1200 rpm 40 pi/s."""
        text = """
units: [mm, t, ms]
parameters: {f: 5 Hz, v: 60 km/h, w: 1200 rpm, k: 5 kN/m, mass: 2 kg}
bodies: {b: {mass: mass, inertia: [1, 1, 1]}}
joints: {g: {type: translational, between: [b, ground], axis: x}}
markers: {o: {body: ground, at: [-1000, 0, 0]}}
loads: {s: {type: spring, between: [b, o], stiffness: k, free_length: 1000}}
"""
        mode = self.run_it("sensitivity", text)["modes"][0]
        by = {e["parameter"]: e for e in mode["by"]}
        self.assertAlmostEqual(by["f"]["value"], 0.005, delta=1e-17)
        self.assertAlmostEqual(by["v"]["value"], 1e3 / 60, delta=1e-13)
        self.assertAlmostEqual(by["w"]["value"], 0.04 * np.pi, delta=1e-16)
        self.assertAlmostEqual(by["k"]["value"], 5e-6, delta=1e-20)
        self.assertAlmostEqual(by["k"]["eigenvalue"][1], 50 / (2 * 5e-6), delta=1e-5)
        self.assertAlmostEqual(mode["eigenvalue"][1], 50, delta=1e-12)


MATHIEU = """
units: [m, kg, TIME]
parameters: {k: K, e: 0.3, W: RATE}
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {r: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}
loads: {f: {type: force, on: b, components: ["-k*(1 + e*cos(W*time))*DX(b)", 0, 0]}}
operating_point: {type: given}
"""


class Periods(ModelCase):
    """A period is an expression of parameters: 2 pi/W of W = 0.02 rad/ms is 314 ms."""

    def test_of_floquet(self):
        in_s = MATHIEU.replace("TIME", "s").replace("K", "100").replace("RATE", "20")
        in_ms = MATHIEU.replace("TIME", "ms").replace("K", "1e-4").replace("RATE", "0.02")
        for forms in (("--period", "2*pi/W"), ("--period-of", "W"), ("--period", "314.1592653589793 ms")):
            given = ("--period", "0.1*pi") if "ms" in forms[1] else forms
            there, here = self.run_it("floquet", in_ms, *forms), self.run_it("floquet", in_s, *given)
            self.assertAlmostEqual(there["period"], math.pi / 10, delta=1e-15)
            for x, y in zip(there["modes"], here["modes"], strict=True):
                self.assertLess(math.dist(x["multiplier"], y["multiplier"]), 1e-12)

    def test_of_a_boundary(self):
        in_s = MATHIEU.replace("TIME", "s").replace("K", "100").replace("RATE", "20")
        in_ms = MATHIEU.replace("TIME", "ms").replace("K", "1e-4").replace("RATE", "0.02")
        there, here = [self.run_it("floquet", text, "--boundary", f"k={low}:{high}", "--period-of", "W")
                       for text, low, high in ((in_ms, "1e-4", "1.3e-4"), (in_s, "100", "130"))]
        self.assertAlmostEqual(there["value"] * 1e6, here["value"], delta=1e-9 * here["value"])


if __name__ == "__main__":
    unittest.main()
