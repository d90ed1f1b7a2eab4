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


if __name__ == "__main__":
    unittest.main()
