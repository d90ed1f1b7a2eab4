"""Point masses and massless bodies against closed forms, in every coordinate set by every method: pendulums, springs in
series, Maxwell elements, massless nodes with geometric stiffness, four-bars of massless links.
"""
import itertools
import json
import math
import os
import sys
import unittest

import mpmath
import numpy as np

sys.path.insert(0, os.path.join(os.environ["ROUTH_SOURCE"], "tests", "support"))
from massless_models import HINGED, NOTHING, PARALLELOGRAM, RAIL  # noqa: E402
from model_case import COORDINATES, ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
G = 9.81
EXACT = ["augmented", "minimal:sparse", "minimal:partition", "minimal:qr", "minimal:svd", "minimal:zero-eigenvalue",
         "minimal:gram-schmidt", "redundant"]
FEW = ["augmented", "minimal:qr", "redundant"]

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

# A machine on a spring beside a damper, in series with another spring
WEAK = """bodies:
  machine: {mass: 2000, inertia: [1, 1, 1], position: [0, 0, 2]}
  node: {mass: 0, inertia: [0, 0, 0], position: [0, 0, 1]}
joints:
  r: {type: translational, between: [machine, ground], axis: z}
  s: {type: translational, between: [node, ground], axis: z}
loads:
  k1: {type: spring, between: [node, ground], stiffness: 3e6, damping: %r}
  k2: {type: spring, between: [machine, node], stiffness: 6e6}
operating_point: {type: static}
"""

# A small wheel on two springs in series, far from a crane
NEEDLE = """bodies:
  crane: {{mass: 5e4, inertia: [5e4, 5e4, 5e4], position: [{x}, 0, 0]}}
  wheel: {{mass: 1e-3, inertia: [1e-6, 1e-6, 1e-6]}}
  needle: {{mass: 0, inertia: [0, 0, 0]}}
joints:
  rail: {{type: translational, between: [crane, ground], axis: x}}
  p: {{type: revolute, between: [wheel, ground], at: [0, 0, 0], axis: y}}
  q: {{type: revolute, between: [needle, ground], at: [0, 0, 0], axis: y}}
loads:
  k: {{type: spring, between: [crane, ground], stiffness: {k}, damping: 1e5}}
  t: {{type: torsion_spring, between: [wheel, needle], axis: y, stiffness: {t}}}
  u: {{type: torsion_spring, between: [needle, ground], axis: y, stiffness: {t}}}
operating_point: {{type: static}}
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

# A four-bar of massless links of unlike lengths, whose coupler carries a point mass beside its line
FOUR_BAR = """gravity: [0, 0, -9.81]
bodies:
  crank: {{mass: 0, inertia: [0, 0, 0], position: [{B[0]!r}, 0, {B[1]!r}]}}
  coupler: {{mass: 0, inertia: [0, 0, 0], position: [{C[0]!r}, 0, {C[1]!r}]}}
  rocker: {{mass: 0, inertia: [0, 0, 0], position: [{D!r}, 0, 0]}}
  bob: {{mass: {m!r}, inertia: [0, 0, 0], position: [{P[0]!r}, 0, {P[1]!r}]}}
joints:
  a: {{type: revolute, between: [crank, ground], at: [0, 0, 0], axis: y}}
  b: {{type: revolute, between: [coupler, crank], at: [{B[0]!r}, 0, {B[1]!r}], axis: y}}
  c: {{type: revolute, between: [rocker, coupler], at: [{C[0]!r}, 0, {C[1]!r}], axis: y}}
  d: {{type: revolute, between: [rocker, ground], at: [{D!r}, 0, 0], axis: y}}
  e: {{type: spherical, between: [bob, coupler], at: [{P[0]!r}, 0, {P[1]!r}]}}
loads:
  k: {{type: torsion_spring, between: [crank, ground], at: [0, 0, 0], axis: y, stiffness: {k!r}, damping: {c!r}}}
operating_point: {{type: static}}
"""

# A uniform thin rod on a ball joint, hanging, its axes along [2, 1, 3] in the body
THIN_ROD = """gravity: [0, 0, -9.81]
bodies:
  rod: {{mass: 3, inertia: {inertia}, position: [0, 0, -0.4], orientation: {{from: [0, 0, 1]}}}}
joints:
  ball: {{type: spherical, between: [rod, ground], at: [0, 0, 0]}}
operating_point: {{type: static}}
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

    def test_a_four_bar_of_unlike_massless_links(self):
        a, b, c, D, m, k, damping = 0.4, 1.1, 0.7, 1.2, 2.5, 40.0, 0.9
        p, q = 0.6, 0.3 # of the bob along the coupler and across

        def points(t):
            B = (a * mpmath.cos(t), a * mpmath.sin(t))
            x, z = D - B[0], -B[1]
            r = mpmath.sqrt(x * x + z * z)
            along = (b * b - c * c + r * r) / (2 * r)
            across = mpmath.sqrt(b * b - along * along)
            C = (B[0] + (along * x - across * z) / r, B[1] + (along * z + across * x) / r)
            e = ((C[0] - B[0]) / b, (C[1] - B[1]) / b)
            return B, C, (B[0] + p * e[0] - q * e[1], B[1] + p * e[1] + q * e[0])

        with mpmath.workdps(50):
            start = mpmath.mpf(1.1)
            energy = lambda t: m * mpmath.mpf(9.81) * points(t)[2][1] + k * (t - start) ** 2 / 2
            t = mpmath.findroot(lambda t: mpmath.diff(energy, t), start)
            inertia = m * sum(mpmath.diff(lambda t, i=i: points(t)[2][i], t) ** 2 for i in (0, 1))
            roots = np.roots([float(inertia), damping, float(mpmath.diff(energy, t, 2))])
            B, C, P = (tuple(float(x) for x in at) for at in points(start))
        text = FOUR_BAR.format(B=B, C=C, D=D, P=P, m=m, k=k, c=damping)
        self.everywhere(text, roots)

    def test_a_thin_rod_on_a_ball_joint(self):
        # about the ball 4/3 m h^2, h half of its length; what it is about the rod is rounding
        u, h = np.array([2, 1, 3]) / 14 ** 0.5, 0.4
        w = (3 * G / (4 * h)) ** 0.5
        moment = 3 * h * h / 3
        J = moment * (np.eye(3) - np.outer([0, 0, 1], [0, 0, 1]))
        plain = THIN_ROD.replace(", orientation: {{from: [0, 0, 1]}}", "")
        self.everywhere(plain.format(inertia=f"[{moment}, {moment}, 0]"), [1j * w, -1j * w] * 2)
        # the same with body axes that are turned by 40 degrees about u
        s, k = np.sin(np.radians(40)), np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
        R = np.eye(3) + s * k + (1 - np.cos(np.radians(40))) * k @ k
        J = R.T @ J @ R
        turned = THIN_ROD.replace("{{from: [0, 0, 1]}}", "{{axis: [2, 1, 3], angle: 40 deg}}")
        six = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        self.everywhere(turned.format(inertia="[" + ", ".join(map(repr, map(float, six))) + "]"), [1j * w, -1j * w] * 2)

    def test_without_any_mass_a_damper_and_a_spring_relax(self):
        self.everywhere(NOTHING.replace("K", "30").replace("C", "4"), [-30 / 4])
        for coordinates, method in itertools.product(COORDINATES, FEW):
            found = self.eigenvalues(NOTHING.replace("K", "0").replace("C", "4"), coordinates, method)
            self.assertEqual(len(found), 1)
            self.assertLessEqual(abs(found[0]), 1e-14)

    def test_a_weak_damper_hides_no_slow_mode(self):
        """m c s^3 + m (k1 + k2) s^2 + k2 c s + k1 k2, whose eigenvalues are up to 1e13 apart; right within their bounds."""
        for damping in (0.03, 1e-2, 1e-4, 1e-6, 1e-8):
            with mpmath.workdps(60):
                m, k1, k2, c = (mpmath.mpf(x) for x in (2000, 3e6, 6e6, damping))
                exact = mpmath.polyroots([m * c, m * (k1 + k2), k2 * c, k1 * k2], maxsteps=500, extraprec=400)
            for coordinates, method in itertools.product(COORDINATES, ["augmented", "minimal:qr"]):
                with self.subTest(damping=damping, coordinates=coordinates, method=method):
                    modes = self.run_it("modes", WEAK % damping, "--coordinates", coordinates, "--method", method)["modes"]
                    self.assertEqual(len(modes), 3)
                    for mode in modes:
                        error = min(abs(mpmath.mpc(*mode["eigenvalue"]) - x) for x in exact)
                        self.assertLessEqual(error, max(mode["error_bound"], 1e-15 * abs(complex(*mode["eigenvalue"]))))
                    slow = [complex(*mode["eigenvalue"]) for mode in modes if mode["eigenvalue"][1] > 0]
                    self.assertAlmostEqual(slow[0].imag, math.sqrt(1000), delta=1e-6)

    def test_a_small_spring_beside_a_large_one_is_not_nothing(self):
        """Right, or refused by the body's name; never held."""
        for stiffness, place, small in itertools.product((1e4, 1e8, 1e9), (5, 50), (1e-3, 1e-4)):
            for method in ("augmented", "redundant", "difference"):
                done = self.try_it("modes", NEEDLE.format(k=stiffness, x=place, t=small), "--json", "--method", method)
                with self.subTest(stiffness=stiffness, place=place, small=small, method=method):
                    if done.returncode:
                        self.assertRegex(done.stderr, "needle|not clear")
                        continue
                    found = [complex(*mode["eigenvalue"]) for mode in json.loads(done.stdout)["modes"]]
                    wanted = 1j * math.sqrt(small / 2 / 1e-6)
                    self.assertLess(min(abs(z - wanted) for z in found), 1e-6 * abs(wanted), found)

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
