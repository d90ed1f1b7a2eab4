"""States without an initial value, at a given motion: they are placed where their rates are zero, wherever the model stands."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

# Far from a balance: the sideways force is nearly saturated, and the wheel not held at all.
WHEEL = """gravity: [0.5, -1.1, -9.7]
bodies:
  w: {mass: 10, inertia: [0.4, 0.8, 0.4], position: [%r, %r, %r], orientation: {rpy: [0.15, 0.05, 0.2]}, velocity: [5, 0.6, 0.1],
      angular_velocity: [1, 18, 0.5]}
markers:
  hub: {body: w, orientation: {axis: [1, 0, 0], angle: 85 deg}}
  road: {body: ground, position: [%r, %r, %r]}
loads:
  t: {type: magic_formula_tyre, between: [hub, road], radius: 0.3, stiffness: 20000%s,
      lateral: {stiffness_coefficient: 25, peak_load: 500, friction: 1.1, shape: 1.3, curvature: -1, camber_shift: 0.3, trail: 0.03,
                trail_shape: 1.1, trail_stiffness: 8}}
outputs: {x: FX(t), y: FY(t), mx: TX(t), my: TY(t)}
"""


class InitialStates(ModelCase):
    def test_slip_of_a_tyre_is_that_without_relaxation_wherever_the_car_stands(self):
        def run(wheel, road, relaxation):
            done = self.run_it("equilibrium", WHEEL % (*wheel, *road, relaxation))
            return {s["name"]: s for s in done["signals"]}
        wheel, road = (1.6, 1.45, -0.21), (1.5, 1.25, -0.5)
        at_once = run(wheel, road, "")
        for move in ((0, 0, 0), (3.4, 0, 0), (1000, 0, 0), (-40, 70, 0), (0, 1e4, 0)):
            for moved in (road, tuple(a + b for a, b in zip(road, move))):
                with self.subTest((move, moved)):
                    s = run(tuple(a + b for a, b in zip(wheel, move)), moved, ", relaxation_length: 0.3")
                    self.assertLessEqual(abs(s["t.lateral_slip"]["rate"]), 1e-9)
                    self.assertAlmostEqual(s["t.lateral_slip"]["value"], 0.18241, 5)
                    for name in ("x", "y", "mx", "my"):
                        self.assertAlmostEqual(s[name]["value"], at_once[name]["value"], 6)

    def test_what_is_not_found_is_told(self):
        """x' = x^2 + x + 1 has no real root, and its slope at 0 is not zero; x' = (x - 2) (x^2 + 1) has one."""
        model = ("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {type: translational, between: [b, ground], axis: x}}\n"
                 "loads: {f: {type: force, on: b, components: [c, 0, 0]}}\n"
                 "controllers: {c: {type: differential, rate: %s}}\n")
        done = self.run_it("equilibrium", model % '"c^2 + c + 1"')
        state = next(s for s in done["signals"] if s["name"] == "c")
        self.assertEqual((state["value"], state["rate"]), (0, 1))
        told = [w for w in done["warnings"] if "the state c has no initial value" in w and "did not converge" in w]
        self.assertEqual(len(told), 1, done["warnings"])
        done = self.run_it("equilibrium", model % '"(c - 2)*(c^2 + 1)"')
        state = next(s for s in done["signals"] if s["name"] == "c")
        self.assertAlmostEqual(state["value"], 2, 9)
        self.assertFalse([w for w in done["warnings"] if "c" in w])


if __name__ == "__main__":
    unittest.main()
