"""Parts 1e4 to 1e14 times as stiff as others: no slow mode is taken for a rigid-body mode and no zero for a mode, slow modes keep their
digits, and what cannot be decided is said. Against beams in closed form and chains of springs with 60 digits."""
import json
import subprocess
import sys
import pathlib
import unittest

import mpmath as mp

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ROUTH, ModelCase  # noqa: E402

MODEL = """
operating_point: {{type: {at}}}
{more}
bodies: {{hub: {{mass: 1, inertia: [1, 1, 1]}}}}
beams:
  b: {{type: sections, from: {start}, to: {end}, side: {side}, elements: 2, order: {order}, mass_per_length: 1, inertia_y: 1e-6, inertia_z: 1e-6,
      EA: {stiff}, GAy: {stiff}, GAz: {stiff}, GJ: 1, EIy: 1, EIz: 1}}
joints:
  root: {{type: fixed, between: [b.first, hub], at: {start}}}
"""
HINGE = "  hub: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
FIXED = "  hub: {type: fixed, between: [hub, ground], at: [0, 0, 0]}\n"
SPRING = HINGE + "loads:\n  k: {type: torsion_spring, between: [hub, ground], at: [0, 0, 0], axis: z, stiffness: 2.5}\n"
DOUBT = "number of zero eigenvalues.*is in doubt"

# Rounding to doubles of what is printed, and of the numbers of the model.
DIGITS = 1e-12


def beam(stiff, hub=HINGE, start="[0.5, 0, 0]", end="[1.5, 0, 0]", side="[0, 1, 0]", at="static", more="", order=4):
    return MODEL.format(stiff=stiff, start=start, end=end, side=side, at=at, more=more, order=order) + hub


def chain(stiff, soft, n=6):
    """Masses on rails that springs join, one by one stiff and soft."""
    text = "operating_point: {type: given}\nbodies:\n"
    text += "".join(f"  m{i}: {{mass: {1 + 0.25 * i}, inertia: [1, 1, 1], position: [{i}, 0, 0]}}\n" for i in range(n))
    text += "joints:\n"
    text += "".join(f"  j{i}: {{type: translational, between: [m{i}, ground], at: [{i}, 0, 0], axis: x}}\n" for i in range(n))
    text += "loads:\n"
    for i in range(n - 1):
        k = soft if i % 2 else stiff
        text += f"  s{i}: {{type: bushing, between: [m{i}, m{i + 1}], at: [{i}, 0, 0], translation: {{stiffness: [{k}, 0, 0]}}}}\n"
    return text


def chain_frequencies(stiff, soft, n=6):
    with mp.workdps(60):
        mass = [mp.mpf(1 + 0.25 * i) for i in range(n)]
        K = mp.zeros(n)
        for i in range(n - 1):
            k = mp.mpf(soft if i % 2 else stiff)
            for a, b, sign in ((i, i, 1), (i + 1, i + 1, 1), (i, i + 1, -1), (i + 1, i, -1)):
                K[a, b] += sign * k / mp.sqrt(mass[a] * mass[b])
        return [mp.sqrt(v) for v in sorted(mp.eigsy(K, eigvals_only=True))[1:]]


def cantilever(stiff, near):
    """The frequency near that of a clamped beam of Timoshenko, from the transfer matrix of v, phi, M, Q along its length of 1."""
    with mp.workdps(30):
        def free_end(w):
            A = mp.matrix([[0, 1, 0, 1 / mp.mpf(stiff)], [0, 0, 1, 0], [0, -mp.mpf(1e-6) * w ** 2, 0, -1], [-w ** 2, 0, 0, 0]])
            T = mp.expm(A)
            return T[2, 2] * T[3, 3] - T[2, 3] * T[3, 2]
        return mp.findroot(free_end, (near, near * 1.001), tol=1e-20)


class DoubtfulZeros(ModelCase):
    def frequencies(self, found):
        """Above zero, ascending, with their bounds."""
        return sorted((m["eigenvalue"][1], m["error_bound"]) for m in found["modes"] if m["eigenvalue"][1] > 0)

    def doubts(self, found):
        return [w for w in found["warnings"] if "in doubt" in w]

    def assert_near(self, value, expected, bound, what):
        self.assertLess(abs(value - expected) / expected, DIGITS, what)
        self.assertLess(bound / expected, DIGITS, what)

    def test_slow_modes_of_a_beam_keep_their_digits(self):
        """Across the hinge it is a clamped beam, whose modes doubles lose from 1e8 on; the hub has two zeros."""
        for stiff in ("1e4", "1e9", "1e12"):
            found = self.run_it("modes", beam(stiff, order=8))
            self.assertEqual(found["zero_eigenvalues"], 2, stiff)
            self.assertEqual(self.doubts(found), [], stiff)
            value, bound = self.frequencies(found)[0]
            self.assert_near(value, cantilever(stiff, 3.516), bound, stiff)

    def test_pairs_of_a_fixed_beam(self):
        """Every mode is there twice, which costs no digits."""
        for stiff in ("1e10",):
            found = self.run_it("modes", beam(stiff, FIXED, order=8))
            self.assertEqual(found["zero_eigenvalues"], 0)
            for value, bound in self.frequencies(found)[:2]:
                self.assert_near(value, cantilever(stiff, 3.516), bound, stiff)

    def test_counts(self):
        """Free flight, a hinge askew, in gravity, with a spring, and with a section askew."""
        askew = {"start": "[0.3, 0.4, 0]", "end": "[0.9, 1.2, 0]"}
        stiff = "1e10"
        for name, zeros, options in (("free", 12, {"hub": ""}), ("askew", 2, askew), ("sprung", 0, {"hub": SPRING}),
                                     ("side", 2, {"side": "[0, 0.3, 1]"}), ("given", 2, {"at": "given"}),
                                     ("gravity", 2, {"more": "gravity: [0, 0, -1]"})):
            found = self.run_it("modes", beam(stiff, **options))
            self.assertEqual(found["zero_eigenvalues"], zeros, name)
            self.assertEqual(self.doubts(found), [], name)
            for value, bound in self.frequencies(found)[:4]:
                self.assertLess(bound / value, DIGITS, name)
            self.assertLess(max(m["eigenvalue"][0] for m in found["modes"]), 1e-9, name)

    def test_chains_of_springs(self):
        for stiff in (1e4, 1e8, 1e10, 1e12, 1e14):
            found = self.run_it("modes", chain(stiff, 1.5))
            self.assertEqual(found["zero_eigenvalues"], 2, stiff)
            self.assertEqual(self.doubts(found), [], stiff)
            expected = chain_frequencies(stiff, 1.5)
            self.assertEqual(len(self.frequencies(found)), len(expected))
            for (value, bound), exact in zip(self.frequencies(found), expected):
                self.assert_near(value, exact, bound, stiff)

    def test_a_sweep_keeps_slow_modes(self):
        """Sweeps compute in doubles as long as these tell."""
        done = self.run_it("sweep", "parameters: {ea: 1e6}\n" + beam("ea", order=8), "--over", "ea=1e4, 1e10", "--solve", "none")
        for stiff, point in zip(("1e4", "1e10"), done["lines"][0]["points"]):
            values = [e["eigenvalue"] for e in point["eigenvalues"]]
            self.assertEqual(sum(1 for e in point["eigenvalues"] if e["rigid"]), 2, stiff)
            value = min(im for _, im in values if im > 0)
            self.assertLess(abs(value - cantilever(stiff, 3.516)) / value, 1e-9, stiff)

    def test_said_where_slow_modes_are_taken_for_zero(self):
        """Matrices in doubles alone, of a file: the doubt is said from 1e8 on, and only there."""
        for stiff, doubt in (("1e4", False), ("1e9", True)):
            saved = self.path("saved.json")
            self.assertEqual(self.try_it("linearize", beam(stiff, order=8), "-o", saved).returncode, 0)
            with open(saved, encoding="utf-8") as file:
                linear = json.load(file)
            del linear["A_rest"], linear["A_error"]
            with open(saved, "w", encoding="utf-8") as file:
                json.dump(linear, file)
            done = subprocess.run([ROUTH, "modes", saved, "--json"], capture_output=True, text=True, check=True)
            found = json.loads(done.stdout)
            if doubt:
                self.assertRegex("\n".join(found["warnings"]), DOUBT)
            else:
                self.assertEqual(self.doubts(found), [])
                self.assertEqual(found["zero_eigenvalues"], 2)

    def test_said_where_forces_are_out_of_balance(self):
        """1e14 times as stiff, from a straight beam that the search in doubles bends: right, or said."""
        found = self.run_it("modes", beam("1e14", order=8))
        if found["zero_eigenvalues"] != 2:
            self.assertRegex("\n".join(found["warnings"]), DOUBT)


if __name__ == "__main__":
    unittest.main()
