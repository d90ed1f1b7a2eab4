"""Point masses and massless bodies against closed forms, in every coordinate set by every method: pendulums, springs in
series, Maxwell elements, massless nodes with geometric stiffness, four-bars of massless links.
"""
import itertools
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.environ["ROUTH_SOURCE"], "tests", "support"))
from model_case import COORDINATES, ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
G = 9.81
EXACT = ["augmented", "minimal:sparse", "minimal:partition", "minimal:qr", "minimal:svd", "minimal:zero-eigenvalue",
         "minimal:gram-schmidt", "redundant"]
FEW = ["augmented", "minimal:qr", "redundant"]

HINGED = """gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, inertia: [0, 0, 0], position: [0, 0, -0.5]}
joints:
  hinge: {type: JOINT, between: [bob, ground], at: [0, 0, 0]AXIS}
operating_point: {type: static}
"""

# A point mass at the end of a massless rod, and another on a massless link with balls at its ends
DOUBLE = """gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 0, inertia: [0, 0, 0], position: [0, 0, -0.2]}
  upper: {mass: 2, inertia: [0, 0, 0], position: [0, 0, -0.5]}
  lower: {mass: 2, inertia: [0, 0, 0], position: [0, 0, -1]}
joints:
  pin: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}
  end: {type: fixed, between: [upper, rod], at: [0, 0, -0.5]}
  link: {type: rod, between: [lower, upper], length: 0.5}
  plane: {type: inplane, between: [lower, ground], at: [0, 0, -1], axis: y}
operating_point: {type: static}
"""

RAIL = """bodies:
  m: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
  n: {mass: 0, inertia: [0, 0, 0], position: [0.5, 0, 0]}
joints:
  rail: {type: translational, between: [m, ground], axis: x}
  node: {type: translational, between: [n, ground], axis: x}
loads:
  a: {type: spring, between: [n, ground], A}
  b: {type: spring, between: [m, n], B}
  c: {type: spring, between: [m, ground], C}
operating_point: {type: static}
"""

# A taut string of two springs, tension 12 N; a massless node in its middle carries a mass by a spring of 50 N/m that hangs
# on it. Nothing holds the node's rotation, which moves nothing.
STRING = """bodies:
  node: {mass: 0, inertia: [0, 0, 0]}
  m: {mass: 3, inertia: [0.1, 0.2, 0.3], position: [0, 0, -1]}
joints:
  rail: {type: translational, between: [m, ground], axis: z}
markers:
  left: {body: ground, position: [-0.8, 0, 0]}
  right: {body: ground, position: [0.8, 0, 0]}
loads:
  l: {type: spring, between: [left, node], stiffness: 400, free_length: 0.77}
  r: {type: spring, between: [right, node], stiffness: 400, free_length: 0.77}
  k: {type: spring, between: [m, node], stiffness: 50, free_length: 1}
  side: {type: bushing, between: [node, ground], at: [0, 0, 0], translation: {stiffness: [0, 7, 0]}}
operating_point: {type: static}
"""

# A parallelogram of massless links, 0.6 m long; its coupler carries a point mass. It swings as a pendulum.
PARALLELOGRAM = """gravity: [0, 0, -9.81]
bodies:
  one: {mass: 0, inertia: [0, 0, 0], position: [0, 0, -0.3]}
  two: {mass: 0, inertia: [0, 0, 0], position: [1, 0, -0.3]}
  coupler: {mass: 0, inertia: [0, 0, 0], position: [0.5, 0, -0.6]}
  bob: {mass: 4, inertia: [0, 0, 0], position: [0.3, 0, -0.7]}
joints:
  a: {type: revolute, between: [one, ground], at: [0, 0, 0], axis: y}
  b: {type: revolute, between: [coupler, one], at: [0, 0, -0.6], axis: y}
  c: {type: revolute, between: [two, coupler], at: [1, 0, -0.6], axis: y}
  d: {type: revolute, between: [two, ground], at: [1, 0, 0], axis: y}
  e: {type: BOB, between: [bob, coupler], at: [0.3, 0, -0.7]}
loads:
  k: {type: torsion_spring, between: [one, ground], at: [0, 0, 0], axis: y, stiffness: 5, damping: 0.7}
operating_point: {type: static}
"""

# Massless all of it: a slider-crank whose only load is a spring and a damper on the slider
NOTHING = """bodies:
  n: {mass: 0, inertia: [0, 0, 0]}
joints:
  rail: {type: translational, between: [n, ground], axis: x}
loads:
  k: {type: bushing, between: [n, ground], at: [0, 0, 0], translation: {stiffness: [K, 0, 0], damping: [C, 0, 0]}}
operating_point: {type: static}
"""


class Massless(ModelCase):
    def eigenvalues(self, text, coordinates, method, *options):
        found = self.run_it("modes", text, "--coordinates", coordinates, "--method", method, *options)["eigenvalues"]
        return np.array([complex(*z) for z in found])

    def closest(self, found, expected, limit, what):
        """Eigenvalue by eigenvalue, in any order."""
        self.assertEqual(len(found), len(expected), f"{what}: {found}")
        left, size = list(found), max([abs(z) for z in expected] + [1e-300])
        for z in expected:
            k = int(np.argmin([abs(w - z) for w in left]))
            self.assertLessEqual(abs(left.pop(k) - z), limit * size, f"{what}: {z} among {found}")

    def everywhere(self, text, expected, limit=1e-11):
        for coordinates, method in itertools.product(COORDINATES, EXACT):
            if EFFORT <= 1 and coordinates != "absolute" and method not in FEW[:2 if coordinates == "natural" else 1]:
                continue
            found = self.eigenvalues(text, coordinates, method)
            self.closest(found, expected, limit, f"{coordinates} {method}")
        found = self.eigenvalues(text, "absolute", "difference")
        self.closest(found, expected, 1e-7, "difference")

    def test_a_point_mass_on_a_hinge_is_a_pendulum(self):
        w = (G / 0.5) ** 0.5
        self.everywhere(HINGED.replace("JOINT", "revolute").replace("AXIS", ", axis: y"), [1j * w, -1j * w])

    def test_a_point_mass_on_a_ball_is_a_pendulum_both_ways(self):
        w = (G / 0.5) ** 0.5
        self.everywhere(HINGED.replace("JOINT", "spherical").replace("AXIS", ""), [1j * w, -1j * w] * 2)

    def test_point_masses_on_massless_rods_are_a_double_pendulum(self):
        w = [(G / 0.5 * (2 + s * 2 ** 0.5)) ** 0.5 for s in (1, -1)]
        self.everywhere(DOUBLE, [s * 1j * x for x in w for s in (1, -1)])

    def test_springs_in_series_give_way_together(self):
        text = RAIL.replace("A}", "stiffness: 30}").replace("B}", "stiffness: 60}").replace("C}", "stiffness: 0}")
        w = (1 / (1 / 30 + 1 / 60) / 2) ** 0.5
        self.everywhere(text, [1j * w, -1j * w])

    def test_a_spring_and_a_damper_in_series_have_a_state_of_first_order(self):
        # m x'' + k1 x + k (x - n) = 0,  c n' = k (x - n):  (m s^2 + k1) (k + c s) + k c s = 0
        m, k1, k, c = 2, 11, 60, 7
        text = RAIL.replace("A}", f"damping: {c}, stiffness: 0}}").replace("B}", f"stiffness: {k}}}")
        text = text.replace("C}", f"stiffness: {k1}}}")
        self.everywhere(text, np.roots([m * c, m * k, k1 * c + k * c, k1 * k]))

    def test_damped_springs_in_series(self):
        # (m s^2 + k1) ((k2 + c2 s) + (k3 + c3 s)) + (k2 + c2 s)(k3 + c3 s) = 0
        m, k1, k2, c2, k3, c3 = 2, 11, 30, 4, 60, 1.5
        text = RAIL.replace("A}", f"stiffness: {k2}, damping: {c2}}}").replace("B}", f"stiffness: {k3}, damping: {c3}}}")
        text = text.replace("C}", f"stiffness: {k1}}}")
        two, three = np.poly1d([c2, k2]), np.poly1d([c3, k3])
        self.everywhere(text, (np.poly1d([m, 0, k1]) * (two + three) + two * three).r)

    def test_a_taut_string_holds_a_node_by_its_tension(self):
        k, lateral = 50, 2 * 12 / 0.8
        w = (1 / (1 / k + 1 / lateral) / 3) ** 0.5
        self.everywhere(STRING, [1j * w, -1j * w])

    def test_a_four_bar_of_massless_links_swings_as_a_pendulum(self):
        m, l, k, c = 4, 0.6, 5, 0.7
        for bob in ("fixed", "spherical"):
            self.everywhere(PARALLELOGRAM.replace("BOB", bob), np.roots([m * l * l, c, m * G * l + k]))

    def test_without_any_mass_a_damper_and_a_spring_relax(self):
        self.everywhere(NOTHING.replace("K", "30").replace("C", "4"), [-30 / 4])
        for coordinates, method in itertools.product(COORDINATES, FEW):
            found = self.eigenvalues(NOTHING.replace("K", "0").replace("C", "4"), coordinates, method)
            self.assertEqual(len(found), 1)
            self.assertLessEqual(abs(found[0]), 1e-14)

    def test_the_certified_eigenvalues_are_the_same(self):
        # exact arithmetic on formulas, from the determinant of the pencil
        series = RAIL.replace("A}", "damping: 7, stiffness: 0}").replace("B}", "stiffness: 60}").replace("C}", "stiffness: 3}")
        for text in (series, HINGED.replace("JOINT", "revolute").replace("AXIS", ", axis: y"),
                     NOTHING.replace("K", "30").replace("C", "4")):
            exact = self.run_it("symbolic", text, "--certify")["eigenvalues"]
            exact = [complex(*(float(z[k].strip("[]").split()[0]) for k in ("real", "imaginary"))) for z in exact]
            self.closest(self.eigenvalues(text, "absolute", "augmented"), exact, 1e-11, text)

    def test_formulas_say_where_the_determinant_vanishes(self):
        text = HINGED.replace("JOINT", "spherical").replace("AXIS", "")
        self.assertIn("0: some motion has neither inertia", self.try_it("symbolic", text).stdout)
        done = self.try_it("symbolic", text, "--certify")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("zero for every s", done.stderr)


if __name__ == "__main__":
    unittest.main()
