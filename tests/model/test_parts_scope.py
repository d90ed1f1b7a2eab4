"""Parts: names mean what is in the part wherever they stand, and a connection what it was given."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402

SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])

# A box on a spring: mass 0.006 m^3 times the density.
BOX = """parameters: {%s: %g}
bodies: {b: {shape: {box: {size: [0.1, 0.2, 0.3]}}, density: %s}}
joints: {j: {type: translational, between: [b, ground], axis: z}}
markers: {top: {body: ground, position: [0, 0, 1]}}
loads: {s: {type: spring, between: [b, top], stiffness: 1000, free_length: 1}}
"""


class Densities(PartsCase):
    def omega2(self, text):
        return max(abs(z[1]) for z in self.run_it("modes", text)["eigenvalues"])**2

    def test_a_parameter_of_the_part_goes_before_a_material(self):
        self.file("box.yaml", BOX % ("steel", 1000, "steel"))
        self.file("rho.yaml", BOX % ("rho", 2700, "rho"))
        self.file("other.yaml", BOX % ("other", 1, "steel"))
        for text, density in (
                (BOX % ("steel", 1000, "steel"), 1000),
                ("parts: {p: {file: box.yaml}}\n", 1000),
                ("parts: {p: {file: box.yaml, set: {steel: 500}}}\n", 500),
                ("parameters: {steel: 3000}\nparts: {p: {file: box.yaml}}\n", 1000),
                ("parameters: {steel: 3000}\nparts: {p: {file: box.yaml, set: {steel: steel}}}\n", 3000),
                ("parts: {p: {file: rho.yaml}}\n", 2700),
                ("parameters: {rho: 7850}\nparts: {p: {file: rho.yaml}}\n", 2700),
                # what is called so outside is not what the part means
                ("parts: {p: {file: other.yaml}}\n", 7850),
                ("parameters: {steel: 3000}\nparts: {p: {file: other.yaml}}\n", 7850)):
            with self.subTest(text):
                self.assertAlmostEqual(self.omega2(text), 1000 / (0.006 * density), 7)

    def test_a_name_of_the_model_around_it_is_no_density(self):
        self.file("box.yaml", BOX % ("other", 1, "rho"))
        self.refused("parameters: {rho: 7850}\nparts: {p: {file: box.yaml}}\n", "box.yaml:2:", "'rho' is no parameter")

    def test_a_beam_with_parameters_is_a_part(self):
        file = SOURCE / "examples" / "flexible-double-pendulum.yaml"
        whole = file.read_text(encoding="utf-8").replace("elements: 10", "elements: 3")
        self.file("pendulum.yaml", whole)
        used = "gravity: [0, -9.81, 0]\nparts: {p: {file: pendulum.yaml}}\noperating_point: {type: static}\n"
        one, two = (sorted(abs(z[1]) for z in self.run_it("modes", text)["eigenvalues"]) for text in (whole, used))
        self.assert_near(two, one, 1e-9)


# ---- connections to the ground ---------------------------------------------------------------------------------------------

MASS = """connections: [w]
exports: [b]
bodies: {b: {mass: 1, inertia: [1, 1.2, 1.4], position: [0.1, 0.2, 0.3]}}
markers: {foot: {body: w, %s}}
loads:
  s: {type: bushing, between: [b, foot], translation: {stiffness: [100, 200, 300]}, rotation: {stiffness: [10, 20, 30]}}
outputs: {x: "DX(foot, w, w)", y: "DY(foot, w, w)", z: "DZ(foot, w, w)", d: "DM(foot, w)", a: "AZ(foot, w)", g: "DX(foot)"}
"""
FOOTS = ["position: [0, 0, 0]", "position: [0.1, 0.2, 0.3], orientation: {axis: [1, 2, 3], angle: 0.4}",
         "at: [0.1, 0.2, 0.3], orientation: {axis: [1, 2, 3], angle: 0.4}"]
BASE = ("bodies: {base: {mass: 1, inertia: [1, 1, 1]}}\njoints: {weld: {type: fixed, between: [base, ground], at: [0, 0, 0]}}\n"
        "operating_point: {type: given}\n")
PLACED = "at: [1, 0.5, -0.3], orientation: {axis: %s, angle: 80 deg}"
AXES = {"": "[0.1, -0.3, 1]", "x": "[1, 0, 0]", "y": "[0, 1, 0]", "z": "[0, 0, 1]"}  # rotations about them are their own image


class Grounds(PartsCase):
    """A connection to the ground is one to a body that is fixed there."""

    def compare(self, one, two):
        self.assert_near(one["output_values"], two["output_values"], 1e-14)
        self.assert_near(one["stiffness"], two["stiffness"], 1e-12)

    def mirrored(self, mirror):
        return f", mirror: {mirror}" if mirror else ""

    def test_of_the_model(self):
        for foot in FOOTS:
            self.file("mass.yaml", MASS % foot)
            for mirror, axis in AXES.items():
                with self.subTest(foot + mirror):
                    used = "parts: {a: {file: mass.yaml, connect: {w: %s}, " + PLACED % axis + self.mirrored(mirror) + "}}\n"
                    values = [self.run_it("linearize", BASE + used % w) for w in ("ground", "base")]
                    self.compare(*values)

    def test_of_a_part(self):
        """The ground of the part around it, which is its frame."""
        for foot in FOOTS:
            self.file("mass.yaml", MASS % foot)
            for mirror, axis in AXES.items():
                inner = f"parts: {{a: {{file: mass.yaml, connect: {{w: %s}}, at: [0.2, 0.1, 0], orientation: {{axis: {axis}, angle: 0.3}}" + \
                        self.mirrored(mirror) + "}}\n"
                values = []
                for w in ("ground", "base"):
                    self.file("middle.yaml", BASE + inner % w)
                    values.append(self.run_it("linearize", "parts: {m: {file: middle.yaml, " + PLACED % AXES[""] + ", mirror: y}}\n"))
                with self.subTest(foot + mirror):
                    self.compare(*values)

    def test_axes_of_the_ground_without_a_mirror_image(self):
        self.file("mass.yaml", MASS % FOOTS[1])
        for w in ("ground", "base"):
            self.refused(BASE + f"parts: {{a: {{file: mass.yaml, connect: {{w: {w}}}, mirror: y, {PLACED % AXES['z']}}}}}\n",
                         "marker 'a.foot'", f"the connection 'w' of the mirrored part is {w}", "connect a marker on it")

    def test_outputs_are_not_for_expressions(self):
        """Said by name, in the model and of a part that exports one."""
        flat = "bodies: {m: {mass: 1, inertia: [1, 1, 1]}}\noutputs: {y: \"DX(m)\", s: \"2*y\"}\n"
        self.refused(flat, "output 's'", "'y' is an output, which expressions cannot use; write it under `variables`")
        self.file("output.yaml", "exports: [y]\nbodies: {m: {mass: 1, inertia: [1, 1, 1]}}\noutputs: {y: \"DX(m)\"}\n")
        self.refused("parts: {a: {file: output.yaml}}\noutputs: {s: \"2*a.y\"}\n", "output 's'",
                     "'a.y' is an output, which expressions cannot use")


if __name__ == "__main__":
    unittest.main()
