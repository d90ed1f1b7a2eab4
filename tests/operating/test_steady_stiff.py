"""Rotating cantilevers 1e6 and 1e7 times as stiff along their axis as to bending: what is left of the balance is rounding."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
MODEL = """
operating_point: {{type: steady}}
steady: {{axis: [0, 0, 1], turn_rate: {rate}}}
bodies: {{hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, {rate}]}}}}
beams:
  b: {{type: sections, from: [{hub}, 0, 0], to: [{tip}, 0, 0], elements: {elements}, order: {order}, mass_per_length: 1, inertia_y: 1e-6,
      inertia_z: 1e-6, EA: {stiff}, GAy: {stiff}, GAz: {stiff}, GJ: 1, EIy: 1, EIz: 1}}
joints:
  hub: {{type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}}
  root: {{type: fixed, between: [b.first, hub], at: [{hub}, 0, 0]}}
"""


class StiffBlades(ModelCase):
    def flap(self, **values):
        found = self.run_it("modes", MODEL.format(tip=values["hub"] + 1, **values))
        self.assertTrue(found["steady"])
        self.assertEqual(found["zero_eigenvalues"], 2)
        return sorted(m["eigenvalue"][1] for m in found["modes"] if m["eigenvalue"][1] > 1e-2)[0]

    def test_rounding_is_in_balance(self):
        """What the axis gives changes the first flap frequency by Omega^2/EA and by shear 1/GA, less than 1e-4."""
        for rate, hub, elements, order in ((0.5, 0.5, 2, 8), (0.5, 2, 4, 4), (2, 0.5, 2, 8), (2, 2, 4, 4))[:None if EFFORT > 1 else 2]:
            soft = self.flap(rate=rate, hub=hub, elements=elements, order=order, stiff="1e5")
            for stiff in ("1e6", "1e7")[:2 if EFFORT > 1 and (rate, order) != (2, 4) else 1]:
                with self.subTest(rate=rate, hub=hub, order=order, stiff=stiff):
                    found = self.flap(rate=rate, hub=hub, elements=elements, order=order, stiff=stiff)
                    self.assertAlmostEqual(found, soft, delta=1e-4 * soft)


if __name__ == "__main__":
    unittest.main()
