"""A cantilever 1e9 times as stiff along its axis as it is to bending: what the eigenvalues of A in doubles cannot tell from zero is said."""
import sys
import pathlib
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

MODEL = """
operating_point: {{type: static}}
bodies: {{hub: {{mass: 1, inertia: [1, 1, 1]}}}}
beams:
  b: {{type: sections, from: [0.5, 0, 0], to: [1.5, 0, 0], elements: 2, order: 8, mass_per_length: 1, inertia_y: 1e-6, inertia_z: 1e-6,
      EA: {stiff}, GAy: {stiff}, GAz: {stiff}, GJ: 1, EIy: 1, EIz: 1}}
joints:
  hub: {{type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}}
  root: {{type: fixed, between: [b.first, hub], at: [0.5, 0, 0]}}
"""
DOUBT = "number of zero eigenvalues.*is in doubt"


class DoubtfulZeros(ModelCase):
    def slowest(self, found):
        return sorted(m["eigenvalue"][1] for m in found["modes"] if m["eigenvalue"][1] > 1e-2)[0]

    def test_said_where_slow_modes_are_taken_for_zero(self):
        """The first frequency is 1.8751^2 = 3.516; two eigenvalues are zero, of the free hub."""
        plain = self.run_it("modes", MODEL.format(stiff="1e6"))
        self.assertEqual(plain["zero_eigenvalues"], 2)
        self.assertAlmostEqual(self.slowest(plain), 3.516, delta=1e-3)
        self.assertFalse([w for w in plain["warnings"] if "in doubt" in w])
        stiff = self.run_it("modes", MODEL.format(stiff="1e9"))
        self.assertRegex("\n".join(stiff["warnings"]), DOUBT)


if __name__ == "__main__":
    unittest.main()
