"""A value of another dimension than its field's is refused, whatever units it is written in; powers, products, sums and
parameters included. The dimensions here are those of the SI brochure, written by hand: powers of m, kg, s."""
import itertools
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

# symbol: (m, kg, s)
UNITS = {"mm": (1, 0, 0), "cm": (1, 0, 0), "km": (1, 0, 0), "in": (1, 0, 0), "ft": (1, 0, 0), "g": (0, 1, 0), "kg": (0, 1, 0),
         "t": (0, 1, 0), "lb": (0, 1, 0), "ms": (0, 0, 1), "s": (0, 0, 1), "min": (0, 0, 1), "N": (1, 1, -2), "kN": (1, 1, -2),
         "lbf": (1, 1, -2), "Pa": (-1, 1, -2), "MPa": (-1, 1, -2), "deg": (0, 0, 0), "rad": (0, 0, 0), "rpm": (0, 0, -1),
         "Hz": (0, 0, -1)}
# field, its place in the model, dimension
FIELDS = [("mass", "bodies: {b: {mass: @, inertia: [1, 1, 1]}}", (0, 1, 0)),
          ("position", "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0, @, 0]}}", (1, 0, 0)),
          ("velocity", "bodies: {b: {mass: 1, inertia: [1, 1, 1], velocity: [0, 0, @]}}", (1, 0, -1)),
          ("angular_velocity", "bodies: {b: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, @]}}", (0, 0, -1)),
          ("inertia", "bodies: {b: {mass: 1, inertia: [@, @, @]}}", (2, 1, 0)),
          ("stiffness", "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
           "loads: {f: {type: spring, between: [b, p], stiffness: @, free_length: 1}}\nmarkers: {p: {body: ground, at: [1, 0, 0]}}",
           (0, 1, -2)),
          ("free_length", "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
           "loads: {f: {type: spring, between: [b, p], stiffness: 1, free_length: @}}\nmarkers: {p: {body: ground, at: [1, 0, 0]}}",
           (1, 0, 0)),
          ("damping", "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
           "loads: {f: {type: spring, between: [b, p], stiffness: 1, free_length: 1, damping: @}}\n"
           "markers: {p: {body: ground, at: [1, 0, 0]}}", (0, 1, -1)),
          ("gravity", "gravity: [0, 0, @]\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}", (1, 0, -2)),
          ("axis", "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
           "joints: {j: {type: revolute, between: [b, ground], at: [@, 0, 0], axis: z}}", (1, 0, 0))]


def add(a, b, power=1):
    return tuple(x + power * y for x, y in zip(a, b))


def candidates(rng):
    """Texts of products of one to three units, with their dimension."""
    parts = [(name, power) for name in UNITS for power in (1, 2, 3, 4)]
    while True:
        above = rng.sample(parts, rng.choice([1, 1, 1, 2, 2]))
        below = rng.sample(parts, rng.choice([0, 0, 1, 1]))
        dimension = (0, 0, 0)
        for name, power in above:
            dimension = add(dimension, UNITS[name], power)
        for name, power in below:
            dimension = add(dimension, UNITS[name], -power)
        text = " ".join(name + (f"^{power}" if power > 1 else "") for name, power in above)
        text += "".join("/" + name + (f"^{power}" if power > 1 else "") for name, power in below)
        yield text, dimension


class Dimensions(ModelCase):
    def states(self, text):
        return self.try_it("equilibrium", text + "\noperating_point: {type: given}\n")

    def assert_read(self, text):
        run = self.states(text)
        self.assertEqual(run.returncode, 0, (text, run.stderr))

    def assert_refused(self, text, words="is needed"):
        run = self.states(text)
        self.assertEqual(run.returncode, 1, (text, run.stderr))
        self.assertIn(words, run.stderr, text)

    def test_every_field(self):
        rng = random.Random(1)
        made = candidates(rng)
        for field, model, dimension in FIELDS:
            right = list(itertools.islice((t for t, d in made if d == dimension), 8))
            wrong = list(itertools.islice((t for t, d in made if d != dimension), 8))
            for text in right:
                with self.subTest(field=field, text=text):
                    self.assert_read(model.replace("@", f"{rng.randint(1, 9)} {text}"))
            for text in wrong:
                with self.subTest(field=field, text=text):
                    self.assert_refused(model.replace("@", f"{rng.randint(1, 9)} {text}"))

    def test_what_is_not_known_is_read(self):
        """A plain number is SI, and may have any dimension in a product."""
        mass = FIELDS[0][1]
        for text in ("3", "2*3 kg", "0.5 m*3", "2*k", "sqrt(4)", "abs(k)", "max(1, k)", "STEP(k, 0, 1, 3, 2)", "sign(3 m)", "k*3 s", "3 kg + 2", "3 - 1*k"):
            with self.subTest(text=text):
                self.assert_read("parameters: {k: 2}\n" + mass.replace("@", text))

    def test_products_powers_sums_and_parameters(self):
        length, mass = FIELDS[1][1], FIELDS[0][1]
        for text in ("(3 m/s)*(2 s)", "(3 m/s)*v*(1 s^2/m)", "(4 m^2)^0.5", "a/(2 m)", "(2 m)^3/a", "2 mm + v*(1 s)", "-(3 mm)",
                     "+3 in", "v^2/(9.81 m/s^2)"):
            with self.subTest(text=text):
                self.assert_read("parameters: {v: 60 km/h, a: 3 m^2}\n" + length.replace("@", text))
        for text in ("v", "a", "-v", "v*(2 m)", "(3 m/s)*(2 s)", "a^0.5", "2 mm + 3", "(3 m)^1"):
            with self.subTest(text=text):
                self.assert_refused("parameters: {v: 60 km/h, a: 3 m^2}\n" + mass.replace("@", text))

    def test_sums_of_two_dimensions(self):
        for text in ("3 mm + 2 kg", "1 kg - 3 deg", "2*(3 mm + 1 s)", "1 kg + d", "sqrt(3 kg + 2 kg^2)", "abs(3 N + 2 Pa)"):
            with self.subTest(text=text):
                self.assert_refused("parameters: {d: 3 mm}\n" + FIELDS[0][1].replace("@", text), "they cannot be")
        force = ("parameters: {d: 3 mm}\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "loads: {f: {type: force, on: b, components: [\"-(3 N/m)*DX(b) + @\", 0, 0]}}")
        self.assert_read(force.replace("@", "d*(1 N/m)"))
        self.assert_refused(force.replace("@", "(d + 3 kg)*2"), "they cannot be")

    def test_functions(self):
        """What is known of a whole function: of plain numbers and measures nothing is."""
        force = ("parameters: {d: 3 mm}\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "loads: {f: {type: KIND, on: b, components: [\"@\", 0, 0]}}")
        motion = ("parameters: {d: 3 mm}\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                  "joints: {r: {type: translational, between: [b, ground], axis: x}, m: {type: motion, joint: r, function: \"@\"}}")
        for model, right, wrong in (
                (force.replace("KIND", "force"), ("5 N", "5 kN", "d*(2 N/m)", "3*d", "DX(b)*d", "2"), ("5 mm", "d", "(2 kg)*d", "3 deg")),
                (force.replace("KIND", "torque"), ("5 N m", "d*(2 N)", "(3 kJ)/(1)"), ("5 N", "d", "2 rpm")),
                (motion, ("d", "3 mm*sin(time)", "3 in"), ("5 N", "d^2", "3 m/s", "3 deg"))):
            for text in right:
                with self.subTest(model=model, text=text):
                    self.assertNotIn("is needed", self.states(model.replace("@", text)).stderr)
            for text in wrong:
                with self.subTest(model=model, text=text):
                    self.assert_refused(model.replace("@", text))

    def test_arguments_and_exponents(self):
        """Of functions the arguments, as far as they are known; a parameter with a unit is known, a plain number and a measure not."""
        number = "parameters: {d: 3 mm, t: 2 s, k: 2}\nbodies: {b: {mass: \"@\", inertia: [1, 1, 1]}}"
        force = ("parameters: {d: 3 mm, t: 2 s, k: 2}\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "loads: {f: {type: force, on: b, components: [\"@\", 0, 0]}}")
        plain = "a plain number is needed"
        for text, words in (("sin(3 m)", plain), ("cos(d)", plain), ("exp(2 kg)", plain), ("log10(t)", plain), ("tanh(-(3 m))", plain),
                            ("2^(3 m)", plain), ("2^d", plain), ("pow(2, 3 s)", plain), ("SHF(1, 0, 1, 1, 2 m)", plain),
                            ("max(2 m, 3 s)", "of one dimension"), ("min(1, 2 m, 3, d, t)", "of one dimension"),
                            ("atan2(1 m, 2 kg)", "of one dimension"), ("hypot(d, t)", "of one dimension"),
                            ("step(2 m, 0, 0, 3 s, 1)", "of one dimension"), ("STEP5(1, 0, 2 m, 1, 3 s)", "of one dimension"),
                            ("table(1, 0, 1 kg, 1 m, 2 kg, 2 m, 3 m)", "of one dimension"),
                            ("table_linear(2 s, 0, 1, 1 m, 2)", "of one dimension"), ("mod(3 m, 2 s)", "of one dimension"),
                            ("ramp(3 m, 1 s)", "of one dimension"), ("POLY(2 m, 1 s, 1, 2)", "of one dimension")):
            for model in (number, force):
                with self.subTest(text=text, model=model):
                    self.assert_refused(model.replace("@", text), words)
        for text in ("2 + sin(30 deg)", "2 + cos(d/(3 m))", "exp(2)", "exp(-t/(3 s))", "2^(6 m/(3 m))", "max(2 m, d)", "max(1, 3 s)",
                     "atan2(1 m, d)", "hypot(3 mm, 4 m)", "step(2 m, 0, 1, 3 m, 2)", "STEP(t, 0, 1 kg, 1 s, 2 kg)", "sqrt(d/(1 m))",
                     "table(1 m, 0, 1 kg, 1 m, 2 kg, 2 m, 3 kg)", "mod(7 m, 3 m)", "2 + sin(k)", "abs(d)", "POLY(1 s, 0, 1 m, 1 m/s)",
                     "SHF(2 s, 1 s, 1 m, 2 rad/s, 30 deg, 3 m)"):
            for model in ("parameters: {d: 3 mm, t: 2 s, k: 2, p: \"@\"}\n" + number.split("\n")[1].replace("@", "1"),
                          force.replace("@", "1") + "\noutputs: {o: \"@\"}"):
                with self.subTest(text=text, model=model):
                    self.assert_read(model.replace("@", text))
        for text in ("sin(3*time)", "exp(-DX(b)/d)", "STEP(time, 0, 0, 1 s, 5 N)", "max(DX(b), d)", "2^DX(b)"):
            with self.subTest(text=text):
                self.assert_read(force.replace("@", text))

    def test_values_of_functions(self):
        """Of the dimension of arguments, where one of these is known: a length, in a field of length and in one of mass."""
        length, mass = ("parameters: {d: 3 mm, t: 2 s, k: 2}\n" + FIELDS[k][1] for k in (1, 0))
        for text in ("max(2 m, d)", "max(1, d)", "min(k, 3, d)", "hypot(3 mm, 4 m)", "STEP(t, 0, 1 m, 1 s, 2 m)", "STEP(t, 0, 0, 1, d)",
                     "sqrt(4 m^2)", "sqrt(d*(1 mm))", "table(1 s, 0, 1 m, 1 s, 2 m, 2 s, 3 m)", "mod(7 m, 3 m)", "abs(d)", "-abs(d) + d",
                     "SHF(2 s, 1 s, 1 m, 2 rad/s, 30 deg, 3 m)", "pow(4 m^2, 0.5)", "pow(d, 1)", "ramp(d, 1 m)", "smooth_abs(d, 1)",
                     "ceil(d)", "HAVSIN(t, 0, 1, 1, d)", "2 m + max(d, 1 mm)"):
            with self.subTest(text=text):
                self.assert_read(length.replace("@", f'"{text}"'))
                self.assert_refused(mass.replace("@", f'"{text}"'))

    def test_what_needs_more_than_one_unit(self):
        """Orientations, directions, tables, and fields whose unit depends on a joint or an exponent: one text that is right and
        those that are wrong, in the place of @."""
        body = "bodies: {b: {mass: 1, inertia: [1, 1, 1]%s}}\n"
        hinge = body % "" + "joints: {j: {type: revolute, between: [b, ground], at: [0, 0, 0], axis: z}%s}\n"
        slide = hinge.replace("revolute", "translational")
        rubs = "loads: {f: {type: friction, joint: j, %s}}\n"
        stop = "loads: {l: {type: limit, joint: j, upper: 2, stiffness: 10, %s}}\n"
        spring = body % "" + "markers: {p: {body: ground, at: [1, 0, 0]}}\nloads: {s: {type: spring, between: [b, p], %s}}\n"
        tyre = ("bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.29]}}\nmarkers: {hub: {body: b, orientation: {axis: [1, 0, 0], "
                "angle: 90 deg}}}\nloads: {t: {type: tyre, between: [hub, ground], radius: 0.3, stiffness: 1e5, %s}}\n")
        cases = [
            (body % ", orientation: {axis: [0, 0, 1], angle: @}", ["90 deg", "2", "0.1 rad", "1 m/(2 m)"], ["90 mm", "2 s", "1 rpm"]),
            (body % ", orientation: {rpy: [0, @, 0]}", ["90 deg", "2"], ["90 mm"]),
            (body % ", orientation: {euler: [@, 0, 0]}", ["90 deg", "2"], ["3 kg"]),
            (body % ", orientation: {matrix: [[@, 0, 0], [0, 1, 0], [0, 0, 1]]}", ["1", "1 m/(1 m)"], ["1 m", "1 kg"]),
            (body % ", orientation: {axis: [1 m, @, 1], angle: 1}", ["1", "2 mm"], ["1 s"]),
            (body % ", orientation: {z: [1 m, @, 1], x: [0, 0, 1]}", ["1", "2 mm"], ["1 s"]),
            (body % ", orientation: {z: [0, 0, 1], x: [1 kg, @, 1]}", ["1", "2 kg"], ["1 m"]),
            (hinge.replace("axis: z", "axis: [1 m, @, 1]") % "", ["1", "3 m"], ["1 s"]),
            (hinge % ", m: {type: motion, joint: j, function: @}", ["3 deg", "2", "0.3*sin(time)"], ["3 mm", "3 N"]),
            (slide % ", m: {type: motion, joint: j, function: @}", ["3 mm", "2"], ["3 deg", "3 N"]),
            (body % "" + "joints: {m: {type: motion, between: [b, ground], along: rx, function: @}}", ["3 deg"], ["3 mm"]),
            (hinge % "" + stop % "lower: @", ["-3 deg", "-1"], ["-1 m"]),
            (slide % "" + stop % "lower: @", ["-3 mm", "-1"], ["-3 deg", "-1 kg"]),
            (hinge % "" + stop.replace("2, ", "@, ") % "lower: -1", ["3 deg"], ["1 m"]),
            (hinge % "" + stop.replace("10", "@") % "exponent: 2", ["3 N m", "3 N m/rad"], ["5 kg", "3 N/m"]),
            (slide % "" + stop.replace("10", "@") % "exponent: 1.5", ["3 N/m^1.5", "3"], ["5 kg", "3 N/m", "3 N/m^2"]),
            (slide % "" + stop % "exponent: @", ["2"], ["2 m", "1 s"]),
            (hinge % "" + stop % "damping: @", ["2 s", "1 s/rad"], ["2 s/m"]),
            (hinge % "" + rubs % "static_level: @, stiction_velocity: 0.1", ["3 N m", "1"], ["3 N", "2 kg"]),
            (slide % "" + rubs % "static_level: @, stiction_velocity: 0.1", ["3 N", "1"], ["3 N m"]),
            (hinge % "" + rubs % "static_level: 1, stiction_velocity: @", ["1 rpm", "0.1 rad/s"], ["0.1 m/s"]),
            (hinge % "" + rubs % "static_coefficient: 0.3, radius: 10 mm, preload: 3 N, stiction_velocity: @", ["0.1 m/s"], ["1 rpm"]),
            (hinge % "" + rubs % "static_coefficient: @, radius: 10 mm, preload: 3 N, stiction_velocity: 1", ["0.3"], ["0.3 N"]),
            (hinge % ", k: {type: translational, between: [ground, b], axis: x}, g: {type: coupler, joints: [j, k], ratios: [@, 2]}",
             ["1", "3 mm", "2 m^-1"], ["1 kg", "1 N"]),
            (spring % "table: [[0, 0], [@, 1]]", ["1 mm", "1"], ["1 s", "1 N"]),
            (spring % "table: [[@, 0], [1, 1]]", ["-1 mm", "-1"], ["-1 kg"]),
            (spring % "table: [[0, 0], [1, @]]", ["1 kN"], ["1 mm", "1 N/m"]),
            (body % "" + "loads: {s: {type: torsion_spring, between: [b, ground], at: [0, 0, 0], axis: z, table: [[0, 0], [@, 1]]}}",
             ["3 deg"], ["3 mm"]),
            (body % "" + "loads: {s: {type: torsion_spring, between: [b, ground], at: [0, 0, 0], axis: z, table: [[0, 0], [1, @]]}}",
             ["3 N m"], ["3 N"]),
            (body % "" + "loads: {s: {type: bushing, between: [b, ground], at: [0, 0, 0], preload: [0, 0, 0, @, 0, 0]}}", ["1 N m"],
             ["1 N", "1 m"]),
            (body % "" + "loads: {s: {type: bushing, between: [b, ground], at: [0, 0, 0], preload: [0, @, 0, 0, 0, 0]}}", ["1 N"],
             ["1 N m"]),
            (body % "" + "loads: {s: {type: bushing, between: [b, ground], at: [0, 0, 0], stiffness: [[1, 0, 0, 0, 0, 0], "
             "[0, 1, 0, 0, 0, 0], [0, 0, 1, @, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]}}", ["1 N"],
             ["1 N/m", "1 N m"]),
            (tyre % "cornering_stiffness: 1, slip_coefficient: @", ["2"], ["2 N", "2 m"]),
            ("inputs: {u: 0}\n" + body % "" + "simulate: {end: 1, inputs: {u: {table: [[0, 0], [@, 1]]}}}\n", ["1 s", "1"], ["1 m"]),
        ]
        for model, right, wrong in cases:
            for text in right:
                with self.subTest(model=model, text=text):
                    run = self.states(model.replace("@", text))
                    self.assertNotIn("is needed", run.stderr)
                    self.assertNotIn("one dimension", run.stderr)
                    self.assertEqual(run.returncode, 0, run.stderr)
            for text in wrong:
                with self.subTest(model=model, text=text):
                    run = self.states(model.replace("@", text))
                    self.assertEqual(run.returncode, 1)
                    self.assertRegex(run.stderr, "is needed|are of one dimension")

    def test_a_value_that_is_set(self):
        """The text that is set has its own dimension."""
        model = "parameters: {m: 3 kg}\nbodies: {b: {mass: m, inertia: [1, 1, 1]}}\noperating_point: {type: given}\n"
        for text, code in (("2", 0), ("5 t", 0), ("5 mm", 1)):
            run = self.try_it("modes", model, "--set", f"m={text}")
            self.assertEqual(run.returncode, code, (text, run.stderr))


if __name__ == "__main__":
    unittest.main()
