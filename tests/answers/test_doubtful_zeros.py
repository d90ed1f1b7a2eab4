"""Parts 1e4 to 1e12 times as stiff as others: no slow mode is taken for a rigid-body mode and no zero for a mode, slow modes keep their
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
bodies: {{hub: {{mass: 1, inertia: [1, 1, 1], position: {origin}}}}}
beams:
  b: {{type: sections, from: {start}, to: {end}, side: {side}, elements: 1, order: {order}, mass_per_length: 1, inertia_y: 1e-6,
      inertia_z: 1e-6, EA: {stiff}, GAy: {stiff}, GAz: {stiff}, GJ: 1, EIy: 1, EIz: 1}}
joints:
  root: {{type: fixed, between: [b.first, hub], at: {start}}}
"""
DOUBT = "number of zero eigenvalues.*is in doubt"

# Rounding to doubles of what is printed, and of the numbers of the model.
DIGITS = 1e-11


def beam(stiff, along=(1, 0, 0), hub="hinge", origin=(0, 0, 0), side="[0, 1, 0]", at="static", more="", order=8):
    place = [[o + s * a for o, a in zip(origin, along)] for s in (0, 0.5, 1.5)]
    text = MODEL.format(stiff=stiff, origin=place[0], start=place[1], end=place[2], side=side, at=at, more=more, order=order)
    if hub == "hinge":
        text += f"  hub: {{type: revolute, between: [hub, ground], at: {place[0]}, axis: z}}\n"
    return text


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


# A mass on a rail, all but balanced between a spring that is compressed and a bushing: near a fold, where its stiffness changes at first
# order with place.
FOLD = """
  f: {{type: translational, between: [f, ground], at: [0, 0, 8], axis: y}}
loads:
  fs: {{type: spring, between: [f, anchor], stiffness: 8, free_length: {free!r}}}
  fb: {{type: bushing, between: [f, ground], at: [0, 0, 8], translation: {{stiffness: [0, {k!r}, 0]}}}}
  ff: {{type: force, on: f, components: [0, {force!r}, 0]}}
markers: {{anchor: {{body: ground, position: [1, 0.25, 8]}}}}
"""


def with_fold(stiffness):
    length = mp.sqrt(1 + mp.mpf(1) / 16)
    free = float(length * 1.25)
    push = 8 * (free - length)
    across = 8 * (0.25 / length) ** 2 - push / length / length ** 2
    text = beam("1e11").replace("1, 1], position: [0, 0, 0]}", "1, 1], position: [0, 0, 0]}, f: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 8]}")
    return text + FOLD.format(free=free, k=float(stiffness - across), force=float(push * 0.25 / length))


class DoubtfulZeros(ModelCase):
    def frequencies(self, found):
        """Above zero, ascending, with their bounds."""
        return sorted((m["eigenvalue"][1], m["error_bound"]) for m in found["modes"] if m["eigenvalue"][1] > 0)

    def doubts(self, found):
        return [w for w in found["warnings"] if "in doubt" in w]

    def assert_near(self, value, expected, bound, what):
        self.assertLess(abs(value - expected), bound + 1e-15 * expected, what)
        self.assertLess(bound / expected, DIGITS, what)

    def test_slow_modes_of_a_beam_keep_their_digits(self):
        """Across the hinge it is a clamped beam; the hub has two zeros."""
        for stiff in ("1e11", "1e12"):
            found = self.run_it("modes", beam(stiff))
            self.assertEqual(found["zero_eigenvalues"], 2, stiff)
            self.assertEqual(self.doubts(found), [], stiff)
            value, bound = self.frequencies(found)[0]
            self.assertLess(abs(value - cantilever(stiff, 3.516)) / value, DIGITS, stiff)
            self.assertLess(bound / value, DIGITS, stiff)

    def test_counts(self):
        """Free flight, and a hinge askew."""
        for name, zeros, options in (("free", 12, {"hub": ""}), ("askew", 2, {"along": (0.75, 0.5, 0)})):
            found = self.run_it("modes", beam("1e10", **options))
            self.assertEqual(found["zero_eigenvalues"], zeros, name)
            self.assertEqual(self.doubts(found), [], name)

    def test_far_from_the_origin(self):
        """Lengths of its elements are rounded as places are: bounds cover that."""
        near = self.frequencies(self.run_it("modes", beam("1e11")))[0][0]
        for far in (1024,):
            found = self.run_it("modes", beam("1e11", origin=(far, -far, far)))
            if self.doubts(found):
                continue
            self.assertEqual(found["zero_eigenvalues"], 2, far)
            value, bound = self.frequencies(found)[0]
            self.assertLess(abs(value - near), bound + 1e-12, far)

    def test_near_a_fold_nothing_is_called_rigid(self):
        """The beam alone has two zeros. A mode that is slow near a fold is kept, or there is doubt."""
        for stiffness in (1e-4, 1e-10):
            found = self.run_it("modes", with_fold(stiffness))
            if not self.doubts(found):
                self.assertEqual(found["zero_eigenvalues"], 2, stiffness)

    def test_chains_of_springs(self):
        for stiff in (1e4, 1e8, 1e10, 1e12, 1e13):
            found = self.run_it("modes", chain(stiff, 1.5))
            self.assertEqual(found["zero_eigenvalues"], 2, stiff)
            self.assertEqual(self.doubts(found), [], stiff)
            expected = chain_frequencies(stiff, 1.5)
            self.assertEqual(len(self.frequencies(found)), len(expected))
            for (value, bound), exact in zip(self.frequencies(found), expected):
                self.assert_near(value, exact, bound, stiff)

    def test_a_soft_hinge_beside_what_is_not_stretched(self):
        """A beam on a hub that a spring of 1e-6 N m/rad turns back: w^2 = k / J of hub and beam, no zeros."""
        text = """
operating_point: {type: static}
bodies: {hub: {mass: 1, inertia: [1, 1, 1]}}
beams:
  b: {type: sections, from: [0.5, 0, 0], to: [1.5, 0, 0], side: [0, 1, 0], elements: 2, order: 1, mass_per_length: 1,
      inertia_y: 1e-6, inertia_z: 1e-6, EA: 1e11, GAy: 1e11, GAz: 1e11, GJ: 1, EIy: 10, EIz: 1}
joints:
  root: {type: fixed, between: [b.first, hub], at: [0.5, 0, 0]}
  hub: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}
loads:
  k: {type: torsion_spring, between: [hub, ground], at: [0, 0, 0], axis: z, stiffness: 1e-6}
"""
        found = self.run_it("modes", text)
        self.assertEqual(found["zero_eigenvalues"], 0)
        slow = min(abs(m["eigenvalue"][1]) for m in found["modes"])
        lumped = 0.25 * (0.5**2 + 2 * 1**2 + 1.5**2)  # of elements of order 1
        self.assertLess(abs(slow - (1e-6 / (1 + lumped))**0.5), 0.03 * slow)

    def test_far_away_slow_modes_among_zeros_are_said(self):
        """Three bodies 1 km away, 1e9 N/m beside 1 N/m: slow modes of 1.4e-3 rad/s (with sixty digits) look like zeros."""
        text = """
operating_point: {type: static}
bodies:
  b1: {mass: 0.25, inertia: [1.375, 1.5, 1.625], position: [1023.125, -1023.25, 1023.5]}
  b2: {mass: 0.25, inertia: [1.125, 1.5, 1.75], position: [1025.75, -1024.25, 1023.25]}
  b0: {mass: 0.375, inertia: [1.75, 1.375, 1.25], position: [1024.375, -1025.375, 1.25]}
loads:
  s0: {type: bushing, between: [b1, b0], at: [1023.875, -1023, 1024.25],
       translation: {stiffness: [1, 2871000, 1e9]}, rotation: {stiffness: [1e9, 14.05, 1]}}
  s1: {type: bushing, between: [b2, b1], at: [1025.5, -1023.5, 1022.375],
       translation: {stiffness: [1e9, 1e9, 1e9]}, rotation: {stiffness: [1, 282.8, 1]}}
  s2: {type: bushing, between: [b0, ground], at: [1024.625, -1026.125, 0.875],
       translation: {stiffness: [0, 1, 1e9]}, rotation: {stiffness: [1, 15800, 1]}}
"""
        found = self.run_it("modes", text)
        self.assertTrue(found["zero_eigenvalues"] == 2 or self.doubts(found))

    def test_far_away_a_slow_mode_behind_stiff_ones_is_said(self):
        """1e9 N/m at 1 km: of 20 zeros and a mode of 0.55 rad/s (with seventy digits) 22 zeros are made, as the next is at 24000."""
        text = """
operating_point: {type: static}
bodies:
  b0: {mass: 0.625, inertia: [1.625, 1.375, 1.75], position: [1026.5, -1026.875, 1023.75]}
  b1: {mass: 0.5, inertia: [1.875, 1.25, 1.875], position: [1023.0, -1026.375, -1.125]}
  b2: {mass: 1.5, inertia: [1.375, 1.5, 1.75], position: [1024.125, -1026.375, 3.0]}
loads:
  s0: {type: bushing, between: [b1, b0], at: [1022.125, -1025.5, -0.625], translation: {stiffness: [0, 0, 1e9]},
       rotation: {stiffness: [1e9, 1.351, 1e9]}}
  s1: {type: bushing, between: [b2, b1], at: [1024.0, -1026.25, 3.25], translation: {stiffness: [0, 0, 1e9]},
       rotation: {stiffness: [1e9, 1e9, 1e9]}}
"""
        found = self.run_it("modes", text)
        self.assertTrue(found["zero_eigenvalues"] == 20 or self.doubts(found))

    def test_a_sweep_keeps_slow_modes(self):
        """Sweeps compute in doubles as long as these tell."""
        over = [1e4, 1e10, 1e13]
        done = self.run_it("sweep", "parameters: {k: 1e6}\n" + chain("k", 1.5), "--over", "k=1e4, 1e10, 1e13", "--solve", "none")
        for stiff, point in zip(over, done["lines"][0]["points"]):
            self.assertEqual(sum(1 for e in point["eigenvalues"] if e["rigid"]), 2, stiff)
            value = min(e["eigenvalue"][1] for e in point["eigenvalues"] if e["eigenvalue"][1] > 0)
            self.assertLess(abs(value - chain_frequencies(stiff, 1.5)[0]) / value, 1e-9, stiff)

    def test_said_where_slow_modes_are_taken_for_zero(self):
        """Matrices in doubles alone, of a file: the doubt is said from 1e8 on, and only there."""
        for stiff, doubt in (("1e4", False), ("1e9", True)):
            saved = self.path("saved.json")
            self.assertEqual(self.try_it("linearize", beam(stiff), "-o", saved).returncode, 0)
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


if __name__ == "__main__":
    unittest.main()
