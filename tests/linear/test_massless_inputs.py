"""Massless bodies with inputs, outputs, controllers and driven joints against transfer functions written by hand; which
states stay; what is refused, by name.
"""
import itertools
import os
import subprocess
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.environ["ROUTH_SOURCE"], "tests", "support"))
from massless_models import HINGED, NOTHING, PARALLELOGRAM, RAIL  # noqa: E402
from model_case import COORDINATES, ROUTH, ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
FEW = ["augmented", "minimal:qr", "redundant"]

NODE_INPUT = """inputs: {f: {value: 0}}
bodies:
  m: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
  n: {mass: 0, inertia: [0, 0, 0], position: [0.5, 0, 0]}
joints:
  rail: {type: translational, between: [m, ground], axis: x}
  node: {type: translational, between: [n, ground], axis: x}
loads:
  a: {type: spring, between: [n, ground], stiffness: 30, damping: DAMPING}
  b: {type: spring, between: [m, n], stiffness: 60}
  f: {type: force, on: n, components: [f, 0.5*f, 0]}
outputs:
  x: DX(n)
  v: VX(n)
  a: ACCX(n)
  spring: FX(a)
  side: FY(node)
  mass: ACCX(m)
operating_point: {type: static}
"""

# A PI controller by the mass and a positive feedback by the node push the node.
CONTROLLED = """inputs: {ref: {value: 0}}
bodies:
  m: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
  n: {mass: 0, inertia: [0, 0, 0], position: [0.5, 0, 0]}
joints:
  rail: {type: translational, between: [m, ground], axis: x}
  node: {type: translational, between: [n, ground], axis: x}
loads:
  a: {type: spring, between: [n, ground], stiffness: 30}
  b: {type: spring, between: [m, n], stiffness: 60, damping: DAMPING}
  act: {type: force, on: n, components: [push, 0, 0]}
controllers:
  loop: {type: pid, input: "ref - DX(m) + 1", proportional: 4, integral: 5}
variables:
  push: {expression: "loop + 3*(DX(n) - 0.5)"}
outputs:
  n: DX(n)
  m: DX(m)
  push: push
  side: FX(a)
operating_point: {type: static}
"""

# A support of MASS that an input drives, a node, a mass
DRIVEN = """inputs: {r: {value: 0}}
bodies:
  base: {mass: MASS, inertia: [0, 0, 0], position: [0, 0, 0]}
  n: {mass: 0, inertia: [0, 0, 0], position: [0.5, 0, 0]}
  m: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  rail: {type: translational, between: [m, ground], axis: x}
  node: {type: translational, between: [n, ground], axis: x}
  guide: {type: translational, between: [base, ground], axis: x}
  move: {type: motion, joint: guide, function: r}
loads:
  a: {type: spring, between: [n, base], stiffness: 30}
  b: {type: spring, between: [m, n], stiffness: 60, damping: DAMPING}
outputs:
  n: DX(n)
  m: DX(m)
  drive: FX(move)
  base: ACCX(base)
operating_point: {type: static}
"""

# An input drives a support; a massless lever, 0.5 m, hinged on it, pushes a mass by a spring at its tip. The lever's own
# frame lies beside the hinge, so that it moves with both.
LEVER = """inputs: {r: {value: 0}}
bodies:
  base: {mass: 3, inertia: [0, 0, 0], position: [0, 0, 0]}
  lever: {mass: 0, inertia: [0, 0, 0], position: [0.1, 0, 0.3]}
  m: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0.5]}
markers:
  tip: {body: lever, at: [0, 0, 0.5]}
joints:
  rail: {type: translational, between: [m, ground], at: [1, 0, 0.5], axis: x}
  guide: {type: translational, between: [base, ground], axis: x}
  move: {type: motion, joint: guide, function: r}
  hinge: {type: revolute, between: [lever, base], at: [0, 0, 0], axis: y}
loads:
  a: {type: torsion_spring, between: [lever, base], at: [0, 0, 0], axis: y, stiffness: 20, damping: DAMPING}
  b: {type: spring, between: [tip, m], stiffness: 60}
outputs:
  tip: DX(tip)
  m: DX(m)
  drive: FX(move)
  hinge: FX(hinge)
operating_point: {type: static}
"""


class MasslessInputs(ModelCase):
    def eigenvalues(self, text, *options):
        return np.array([complex(*z) for z in self.run_it("modes", text, *options)["eigenvalues"]])

    # ---- inputs and outputs ----

    def transfer(self, text, coordinates, method):
        """Outputs by the input as a function of s, by all matrices."""
        d = self.run_it("linearize", text, "--coordinates", coordinates, "--method", method)
        A, C, r = np.array(d["A"]), np.array(d["C"]), d.get("rates") or d

        def at(s):
            B, D = (sum(np.array(r[name + p]) * s ** k for k, p in enumerate(("", "1", "2")) if name + p in r)
                    for name in "BD")
            return (C @ np.linalg.solve(np.eye(len(A)) * s - A, B) + D)[:, 0]
        return at

    def everywhere(self, text, what, expected):
        for coordinates, method in itertools.product(COORDINATES, FEW):
            if EFFORT <= 1 and coordinates not in ("absolute", "natural") and method != "augmented":
                continue
            found = self.transfer(text, coordinates, method)
            for s in (0.3 + 2j, -1 + 0.5j, 40j):
                np.testing.assert_allclose(found(s), expected(s), rtol=1e-11, atol=1e-11,
                                           err_msg=f"{what} {coordinates} {method} {s}")

    def test_a_controller_acts_on_a_massless_node(self):
        for damping in (0, 2):
            def expected(s):
                # (a - 3 + b) n - b m = c (ref - m),   -b n + (2 s^2 + b) m = 0
                a, b, c = 30, 60 + damping * s, 4 + 5 / s
                n, m = np.linalg.solve([[a - 3 + b, -b + c], [-b, 2 * s * s + b]], [c, 0])
                return [n, m, c * (1 - m) + 3 * n, -a * n]
            self.everywhere(CONTROLLED.replace("DAMPING", str(damping)), f"damping {damping}", expected)

    def test_a_driven_support_moves_a_massless_node(self):
        for damping, mass in itertools.product((0, 2), (0, 3)):
            def expected(s):
                a, b = 30, 60 + damping * s
                n, m = np.linalg.solve([[a + b, -b], [-b, 2 * s * s + b]], [a, 0])
                return [n, m, mass * s * s + a * (1 - n), s * s]
            text = DRIVEN.replace("DAMPING", str(damping)).replace("MASS", str(mass))
            self.everywhere(text, f"damping {damping}, mass {mass}", expected)

    def test_a_force_on_a_massless_node_acts_at_once(self):
        for damping in (0, 4):
            def expected(s):
                # [a + b, -b; -b, m s^2 + b] (n, x) = (f, 0)
                a, b, m = 30 + damping * s, 60, 2
                n, x = np.linalg.solve([[a + b, -b], [-b, m * s * s + b]], [1, 0])
                return [n, s * n, s * s * n, -a * n, -0.5, s * s * x]
            self.everywhere(NODE_INPUT.replace("DAMPING", str(damping)), f"damping {damping}", expected)

    def test_a_massless_lever_on_a_driven_support(self):
        for damping in (0, 3):
            def expected(s):
                # tip = r + l t,  (k + c s) t + b l (tip - m) = 0,  2 s^2 m = b (tip - m)
                k, b, l = 20 + damping * s, 60, 0.5
                t, m = np.linalg.solve([[k + b * l * l, -b * l], [-b * l, 2 * s * s + b]], [-b * l, b])
                push = b * (1 + l * t - m)
                return [1 + l * t, m, 3 * s * s + push, push]
            self.everywhere(LEVER.replace("DAMPING", str(damping)), f"damping {damping}", expected)

    def test_the_feedthrough_of_a_node_is_its_compliance(self):
        d = self.run_it("linearize", NODE_INPUT.replace("DAMPING", "0"))
        self.assertAlmostEqual(d["rates"]["D"][0][0], 1 / 90, delta=1e-14)
        self.assertAlmostEqual(d["rates"]["D1"][1][0], 1 / 90, delta=1e-14)
        self.assertAlmostEqual(d["rates"]["D2"][2][0], 1 / 90, delta=1e-14)

    def test_infinite_eigenvalues_are_counted(self):
        text = RAIL.replace("B}", "stiffness: 60}").replace("C}", "stiffness: 5}")
        for load, infinite in (("stiffness: 30}", 2), ("damping: 4, stiffness: 0}", 1)):
            d = self.run_it("modes", text.replace("A}", load))
            self.assertEqual(d["infinite_eigenvalues"], infinite)
            self.assertIn(f"{infinite} eigenvalue", " ".join(d["warnings"]))

    def test_wanted_states_stay(self):
        text = RAIL.replace("A}", "stiffness: 30}").replace("B}", "stiffness: 60}").replace("C}", "stiffness: 0}")
        d = self.run_it("linearize", "linearize: {states: [n.x]}\n" + text)
        self.assertEqual(d["states"][0], "n.x")
        found = self.eigenvalues("linearize: {states: [n.x]}\n" + text)
        np.testing.assert_allclose(sorted(found.imag), [-10 ** 0.5, 10 ** 0.5], rtol=1e-11)

    # ---- what is refused ----

    def refused(self, command, text, *options, words=()):
        done = self.try_it(command, text, *options)
        self.assertEqual(done.returncode, 1, done.stdout)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_a_motion_that_nothing_determines_is_refused_by_name(self):
        text = "bodies:\n  n: {mass: 0, inertia: [0, 0, 0]}\nloads:\n" \
               "  k: {type: bushing, between: [n, ground], at: [0, 0, 0], translation: {stiffness: [5, 0, 5]}}\n"
        for coordinates, method in itertools.product(COORDINATES, FEW):
            self.refused("modes", text, "--coordinates", coordinates, "--method", method,
                         words=("model.yaml:2:", "displacement of body n along [0, 1, 0]", "neither stiffness"))

    def test_a_rotation_that_a_knife_edge_turns_with_is_refused_by_name(self):
        text = "bodies:\n  sled: {mass: 3, inertia: [0, 0, 0]}\njoints:\n" \
               "  plane: {type: planar, between: [sled, ground], at: [0, 0, 0], axis: z}\n" \
               "  knife: {type: knife_edge, between: [sled, ground]}\n"
        self.refused("modes", text, words=("model.yaml:2:", "rotation of body sled about [0, 0, 1]"))

    def test_a_force_that_nothing_balances_is_refused_by_name(self):
        text = NODE_INPUT.replace("stiffness: 30, damping: DAMPING", "stiffness: 0")
        text = text.replace("  b: {type: spring, between: [m, n], stiffness: 60}\n", "")
        self.refused("modes", text, words=("model.yaml:1:", "input 'f'", "nothing balances"))

    def test_what_needs_accelerations_is_refused_by_name_and_ends(self):
        text = RAIL.replace("A}", "stiffness: 30}").replace("B}", "stiffness: 60}").replace("C}", "stiffness: 0}")
        path = self.write(text)
        for command in (["verify"], ["simulate", "--end", "1", "-o", self.path("o.csv")], ["sensitivity"], ["modes", "--wanted", "2"]):
            done = subprocess.run([ROUTH, command[0], path, *command[1:]], capture_output=True, text=True, timeout=60,
                                  check=False)
            self.assertEqual(done.returncode, 1, f"{command}: {done.stdout}{done.stderr}")
            self.assertIn("body n along x", done.stderr)
            self.assertIn("give the body a mass", done.stderr)

    def test_a_motion_away_from_rest_is_refused_by_name(self):
        text = RAIL.replace("A}", "stiffness: 30}").replace("B}", "stiffness: 60}").replace("C}", "stiffness: 0}")
        moving = text.replace("type: static", "type: given")
        for body, what in (("position: [1, 0, 0], velocity: [1, 0, 0]", "moves"),):
            self.refused("modes", moving.replace("position: [1, 0, 0]", body), words=("body n along x", what))
        stretched = moving.replace("stiffness: 60}", "stiffness: 60, free_length: 0.1}")
        self.refused("modes", stretched, words=("body n along x", "not in balance"))
        self.refused("modes", text, "--at", "steady", words=("a steady motion", "body n along x"))

    def test_the_penalty_method_names_others(self):
        done = self.try_it("modes", NOTHING.replace("K", "30").replace("C", "4"), "--method", "penalty")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("use --method augmented", done.stderr)

    def test_check_agrees_in_all(self):
        text = HINGED.replace("JOINT", "spherical").replace("AXIS", "")
        for model in (text, PARALLELOGRAM.replace("BOB", "spherical")):
            done = self.try_it("check", model)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("agreement       yes", done.stdout)


if __name__ == "__main__":
    unittest.main()
