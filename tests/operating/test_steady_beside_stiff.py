"""Steady motions beside stiff elements: what is left of the balance is rounding only where a place within rounding of this one is in balance."""
import itertools
import math
import os
import pathlib
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import COORDINATES, ModelCase  # noqa: E402

FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
EPS = sys.float_info.epsilon
ANGLES = (0, 0.3, math.pi / 4, 1.2)

# stiff along (c, s), soft across it, in a plane; the disc spins in the block
ACROSS = """
operating_point: {{type: steady}}
steady: {{turn_rate: 0{spins}}}
bodies: {{a: {{mass: 1e-3, inertia: [1e-3, 1e-3, 1e-3], position: [0.7, 0.2, 0.1]}}{disc}}}
markers:
  p: {{body: a, at: [0.7, 0.2, 0.1], orientation: {{z: [0, 0, 1], x: [{c}, {s}, 0]}}}}
  g: {{body: ground, at: [0.7, 0.2, 0.1], orientation: {{z: [0, 0, 1], x: [{c}, {s}, 0]}}}}
joints:
  j: {{type: planar, between: [a, ground], at: [0.7, 0.2, 0.1], axis: z}}
  {joint}
loads:
  s: {{type: bushing, between: [p, g], translation: {{stiffness: [{stiff}, {soft}, 0]}}, rotation: {{stiffness: [0, 0, 4]}}}}
  f: {{type: force, on: a, components: [{x}, {y}, 0]}}
"""
SPINS = {"spins": ", axis: z, spins: {d: {axis: z, rate: 20}}",
         "disc": ", d: {mass: 1e-3, inertia: [1e-3, 1e-3, 2e-3], position: [0.7, 0.2, 0.1], angular_velocity: [0, 0, 20]}",
         "joint": "r: {type: revolute, between: [d, a], at: [0.7, 0.2, 0.1], axis: z}"}

# held stiffly in all but one direction, on a hub that rotates
HUB = """
operating_point: {{type: steady}}
steady: {{axis: z, turn_rate: 3}}
bodies:
  h: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 3]}}
  a: {{mass: 1e-3, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.1], angular_velocity: [0, 0, 3]}}
joints:
  b: {{type: revolute, between: [h, ground], at: [0, 0, 0], axis: z}}
  j: {{type: cylindrical, between: [a, h], at: [0, 0, 0.1], axis: z}}
loads:
  s: {{type: bushing, between: [a, h], at: [0, 0, 0.1], translation: {{stiffness: [{stiff}, {stiff}, 0]}}, rotation: {{stiffness: [0, 0, {stiff}]}}}}
  f: {{type: force, on: a, components: [0, 0, {force}]}}
"""

# two bodies that are tied stiffly and free together
TIED = """
operating_point: {{type: steady}}
steady: {{turn_rate: 0}}
bodies:
  a: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
  b: {{mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints:
  j: {{type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}
  k: {{type: translational, between: [b, ground], at: [1, 0, 0], axis: x}}
loads:
  s: {{type: bushing, between: [a, b], at: [1, 0, 0], translation: {{stiffness: [{stiff}, 0, 0]}}}}
  f: {{type: force, on: b, components: [{force}, 0, 0]}}
"""

# a rotor out of balance in a block that is held stiffly but along y
ROTOR = """
operating_point: {{type: steady}}
steady: {{axis: z, turn_rate: {w}, spins: {{block: {{axis: z, rate: {back}}}}}}}
bodies:
  block: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
  disc: {{mass: 1, inertia: [1e-2, 1e-2, 2e-2], position: [0, 0, 0.1], angular_velocity: [0, 0, {w}]}}
  bit: {{mass: 1e-3, inertia: [1e-9, 1e-9, 1e-9], position: [{e}, 0, 0.1], velocity: [0, {v}, 0], angular_velocity: [0, 0, {w}]}}
joints:
  r: {{type: revolute, between: [disc, block], at: [0, 0, 0.1], axis: z}}
  f: {{type: fixed, between: [bit, disc], at: [0, 0, 0.1]}}
loads:
  s: {{type: bushing, between: [block, ground], at: [0, 0, 0], translation: {{stiffness: [{stiff}, {soft}, {stiff}]}}, rotation: {{stiffness: [{stiff}, {stiff}, {stiff}]}}}}
"""

# weight across a disc that rotates with its seat, which is stiff in one direction
SEAT = """
operating_point: {{type: steady}}
gravity: [0, {down}, 0]
steady: {{axis: z, turn_rate: {w}}}
bodies:
  hub: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], angular_velocity: [0, 0, {w}]}}
  disc: {{mass: 1e-2, inertia: [1e-2, 1e-2, 2e-2], position: [0, 0, 0.1], angular_velocity: [0, 0, {w}]}}
joints: {{r: {{type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}}}}
loads: {{s: {{type: bushing, between: [disc, hub], at: [0, 0, 0.1], translation: {{stiffness: [{stiff}, {soft}, {stiff}]}}, rotation: {{stiffness: [{stiff}, {stiff}, {stiff}]}}}}}}
"""

BLADE = """
operating_point: {{type: steady}}
steady: {{axis: [0, 0, 1], turn_rate: {rate}}}
bodies: {{hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, {rate}]}}}}
beams:
  b: {{type: sections, from: [{hub}, 0, 0], to: [{tip}, 0, 0], elements: {elements}, order: {order}, mass_per_length: 1, inertia_y: 1e-6,
      inertia_z: 1e-6, EA: {stiff}, GAy: {stiff}, GAz: {stiff}, GJ: 1, EIy: {bending}, EIz: {bending}}}
joints:
  hub: {{type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}}
  root: {{type: fixed, between: [b.first, hub], at: [{hub}, 0, 0]}}
"""


def first_flap(bending, rate, hub):
    """EI w'''' - (T w')' = omega^2 w with T = rate^2 (hub (1 - x) + (1 - x^2)/2), by polynomials x^2 .. x^11 (Ritz)."""
    x, weight = numpy.polynomial.legendre.leggauss(30)
    x, weight = (x + 1) / 2, weight / 2
    powers = numpy.arange(2, 12)
    w = x[:, None]**powers
    slope, curvature = powers * x[:, None]**(powers - 1), powers * (powers - 1) * x[:, None]**(powers - 2)
    tension = rate**2 * (hub * (1 - x) + (1 - x**2) / 2)
    stiff = bending * curvature.T * weight @ curvature + slope.T * (weight * tension) @ slope
    return math.sqrt(min(numpy.linalg.eigvals(numpy.linalg.solve(w.T * weight @ w, stiff)).real))


class SteadyBesideStiff(ModelCase):
    def refuse(self, model, *options):
        done = self.try_it("modes", model, *options)
        self.assertNotEqual(done.returncode, 0, model)
        self.assertRegex(done.stderr, "no steady motion|balanced for an instant only|not unique")

    def across(self, angle, force, stiff, soft, spins=False):
        c, s = math.cos(angle), math.sin(angle)
        more = SPINS if spins else dict.fromkeys(SPINS, "")
        return ACROSS.format(c=c, s=s, x=-force * s, y=force * c, stiff=stiff, soft=soft, **more)

    def test_no_motion_where_nothing_balances(self):
        forces = ("1e-6", "1e-4", "1e-2") if FULL else ("1e-4",)
        stiff = ("1e8", "1e10", "1e12", "1e14") if FULL else ("1e12",)
        for force, of, coordinates in itertools.product(forces, stiff, COORDINATES):
            options = ("--coordinates", coordinates)
            for angle, spins in itertools.product(ANGLES if FULL else ANGLES[1:3], (False, True)):
                self.refuse(self.across(angle, float(force), of, 0, spins), *options)
            self.refuse(HUB.format(force=force, stiff=of), *options)
            self.refuse(TIED.format(force=force, stiff=of), *options)

    def test_motion_where_a_soft_spring_balances(self):
        """k = 1 N/m and 1 g: w^2 = 1000, 500 with the disc."""
        for angle, spins in itertools.product(ANGLES, (False, True)):
            found = self.run_it("modes", self.across(angle, 1e-4, "1e10", 1, spins))
            w = math.sqrt(500 if spins else 1000)
            slow = [m for m in found["modes"] if abs(m["eigenvalue"][1] - w) < 1e-5 * w]
            self.assertEqual(len(slow), 1, found["modes"])

    def test_soft_spring_moves_beside_a_stiff_one(self):
        """1e-4 N on 1 N/m, with rounding of 9e-4 N across it."""
        found = self.run_it("equilibrium", self.across(0, 1e-4, "1e12", 1))
        self.assertAlmostEqual(found["bodies"][0]["position"][1], 0.2001, delta=1e-9)

    def test_rotor_out_of_balance_does_not_last(self):
        """The unbalance f moves the block along y, and not along x: by f/k at least."""
        for force, stiff, soft in itertools.product((1e-3, 1e-5, 1e-7), ("1e8", "1e10", "1e12", "1e13"), (1, 1e4)) if FULL else (
                (1e-3, "1e12", 1), (1e-3, "1e13", 1), (1e-4, "1e13", 1e4)):
            w = 3
            e = force / (1e-3 * w**2)
            self.assertGreater(force / 1e4, 4 * EPS)
            self.refuse(ROTOR.format(w=w, back=-w, e=repr(e), v=repr(e * w), stiff=stiff, soft=soft))

    def test_weight_across_an_uneven_seat_does_not_last(self):
        """It moves m g/k as the seat's soft direction passes below."""
        for g, stiff, soft in itertools.product((9.81, 9.81e-3, 9.81e-5) if FULL else (9.81e-3,), ("1e8", "1e12", "1e13"), (1e3, 1e6)):
            self.assertGreater(1e-2 * g / soft, 16 * EPS)
            self.refuse(SEAT.format(down=-g, w=3, stiff=stiff, soft=soft))

    def test_stiff_blades_are_in_balance(self):
        """Shear lowers the frequency by less than 10 EI/(GA L^2), rotary inertia by 4e-6."""
        cases = list(itertools.product(("1e6", "1e7"), (1, 100), (0.5, 2), (0.5, 2), ((1, 8), (2, 4), (12, 1)))) if FULL else []
        for stiff, bending, rate, hub, (elements, order) in [*cases, ("1e7", 1, 2, 2, (2, 8)), ("1e7", 100, 0.5, 0.5, (1, 4)), ("1e8", 100, 0.5, 2, (1, 8))]:
            with self.subTest(stiff=stiff, bending=bending, rate=rate, hub=hub, order=order):
                model = BLADE.format(stiff=stiff, bending=bending, rate=rate, hub=hub, tip=hub + 1, elements=elements, order=order)
                found = self.run_it("modes", model)
                self.assertTrue(found["steady"])
                self.assertEqual(found["zero_eigenvalues"], 2)
                flap = sorted(m["eigenvalue"][1] for m in found["modes"] if m["eigenvalue"][1] > 1e-2)
                expected = first_flap(bending, rate, hub)
                error = 1e-2 if order == 1 else 1e-4  # of elements
                self.assertLess(min(abs(f - expected) for f in flap), (error + 10 * bending / float(stiff)) * expected)


if __name__ == "__main__":
    unittest.main()
