"""Sweeps beside crossings, folds and symmetric ends of branches of equilibria, against closed forms: a slider under

    f = -x (r + q x + x^2),   r = a + b p,   q = c + d p,

rests at x = 0 and at x = (-q +- sqrt(q^2 - 4 r))/2. These two meet, and end, where q^2 = 4 r; one of them crosses x = 0 where
r = 0; where q = 0 both end there. The branch that a sweep is on is kept, whatever grid, or its end is reported: with its value.
ROUTH_TEST_EFFORT above 1 takes more random ones."""
import math
import os
import random
import unittest

import sys
import pathlib
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))

SLIDER = """
gravity: [0, 0, 0]
parameters: {{p: 0, c: 0.3}}
bodies:
  b: {{mass: 1, inertia: [1, 1, 1], position: [{x}, 0, 0]}}
joints:
  s: {{type: translational, between: [b, ground], axis: x}}
loads:
  damper: {{type: force, on: b, components: [-c*VX(b), 0, 0]}}
  first: {{type: force, on: b, components: ["-({r[0]} + ({r[1]})*p)*DX(b)", 0, 0]}}
  second: {{type: force, on: b, components: ["-({q[0]} + ({q[1]})*p)*DX(b)^2", 0, 0]}}
  third: {{type: force, on: b, components: [-DX(b)^3, 0, 0]}}
operating_point: {{type: static}}
"""

# r, q, start, from, to, values: on each of these a sweep was once on another branch than before without a word, or had a limit
# where there is none
KNOWN = [((0.836, -1.136), (-0.408, -0.195), -0.87, 1.5, -1.5, 25),
         ((-0.116, -4.638), (0.387, -1.914), 0.83, 1.5, -1.5, 18),
         ((1.214, -1.944), (0.69, 0.231), 1.16, 1.5, -1.5, 9),
         ((1.206, 1.488), (-0.279, 0.33), 0.71, -1.5, 1.5, 31),
         ((-0.534, -1.876), (0.408, 0.915), -1.71, 1.5, -1.5, 3),
         ((0, -1), (1, 0), 0.5, 1, -1, 10), # crosses in the middle of a step
         ((2.078, 2.062), (0, 0), 0.54, -1.5, 1.5, 13),
         ((-0.052, 1.306), (0, 0), -2.07, -1.5, 1.5, 32),
         ((0.366, -1.74), (0, 0), -0.61, 1.5, -1.5, 38)]


# Two masses that move freely together; the spring between them is shorter by p/10.
CHAIN = """
gravity: [0, 0, 0]
parameters: {p: 0}
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  a: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}
  b: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}
loads:
  s: {type: spring, between: [a, b], stiffness: 10, preload: p}
operating_point: {type: static}
"""


# A slider on the upper one of two equilibria, x = +-sqrt(end - p), that meet; its damper vanishes at low and at high.
DAMPED = """
gravity: [0, 0, 0]
parameters: {{p: 0}}
bodies:
  b: {{mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints:
  s: {{type: translational, between: [b, ground], axis: x}}
loads:
  damper: {{type: force, on: b, components: ["-({damping})*VX(b)", 0, 0]}}
  spring: {{type: force, on: b, components: ["{end} - p - DX(b)^2", 0, 0]}}
operating_point: {{type: static}}
"""


class Branch:
    """One of the branches: sign 0 is x = 0, +-1 the roots of x^2 + q x + r."""

    def __init__(self, r, q, sign):
        self.r, self.q, self.sign = r, q, sign

    def stiffness(self, p):
        """-df/dx there; None: it is not there."""
        r, q = self.r[0] + self.r[1] * p, self.q[0] + self.q[1] * p
        if self.sign == 0:
            return r
        if q * q < 4 * r:
            return None
        root = math.sqrt(q * q - 4 * r)
        return self.sign * root * (-q + self.sign * root) / 2

    def ends(self):
        """Where q^2 = 4 r."""
        if self.sign == 0:
            return []
        a, b, c = self.q[1] ** 2, 2 * self.q[0] * self.q[1] - 4 * self.r[1], self.q[0] ** 2 - 4 * self.r[0]
        if a == 0:
            return [-c / b]
        square = b * b - 4 * a * c
        return [] if square < 0 else [(-b + s * math.sqrt(square)) / (2 * a) for s in (-1, 1)]


def stiffness_of(point):
    """k of l^2 + 0.3 l + k, of one degree of freedom."""
    l = [complex(*e["eigenvalue"]) for e in point["eigenvalues"]]
    return (l[0] * l[1]).real


class BranchEnds(ModelCase):
    def branches_at(self, r, q, point):
        k = stiffness_of(point)
        found = []
        for sign in (0, 1, -1):
            own = Branch(r, q, sign).stiffness(point["value"])
            if own is not None and abs(own - k) <= 1e-6 * (1 + abs(k)):
                found.append(Branch(r, q, sign))
        return found

    def check(self, r, q, x, begin, end, n):
        """True: the sweep knew every end, and where it was."""
        line = self.run_it("sweep", SLIDER.format(r=r, q=q, x=x), "--over", f"p={begin}:{end}:{n}")["lines"][0]
        points = [p for p in line["points"] if p["on_grid"] and p["eigenvalues"]]
        events = [e for e in line["events"] if e["kind"] in ("lost", "not resolved")]
        branch, ended = None, 0
        for i, point in enumerate(points):
            here = self.branches_at(r, q, point)
            self.assertTrue(here, point["value"])
            if branch is None:
                branch = here[0]
            kept = any(b.sign == branch.sign for b in here)
            if not kept:
                low, high = sorted((points[i - 1]["value"], point["value"]))
                said = [e for e in events if e["value"] + e["error"] >= low and e["value"] - e["error"] <= high]
                self.assertTrue(said, (r, q, low, high))
                self.check_end(branch, said, low, high)
                branch, ended = here[0], ended + 1
        return ended

    def check_end(self, branch, said, low, high):
        """A branch that ends there is lost at its end; one that goes on is at most not resolved."""
        ends = [e for e in branch.ends() if low <= e <= high]
        for event in said:
            if event["kind"] == "lost" and ends:
                off = min(abs(event["value"] - e) for e in ends)
                self.assertLessEqual(off, event["error"] + 1e-13)
                self.assertLess(event["error"], 1e-8)

    def test_limits_between_the_last_value_and_an_end(self):
        """One where the damper vanishes, or two: before the branch ends, on a grid that has no value there."""
        rng = random.Random(11)
        for _ in range(max(8, int(30 * EFFORT))):
            end, n = round(rng.uniform(0.3, 1.9), 3), rng.randint(2, 5)
            limits = sorted(round(rng.uniform(0.02, end - 0.02), 3) for _ in range(rng.randint(1, 2)))
            apart = [abs(a - b) for a in limits + [end] for b in [2 * i / (n - 1) for i in range(n)]] + [limits[-1] - limits[0] or 1]
            if min(apart) < 0.01:
                continue
            with self.subTest(end=end, limits=limits, n=n):
                text = DAMPED.format(end=end, damping="*".join(f"({x} - p)" for x in limits))
                events = self.run_it("sweep", text, "--over", f"p=0:2:{n}")["lines"][0]["events"]
                found = sorted((e for e in events if e["kind"] == "flutter"), key=lambda e: e["value"])
                self.assertEqual(len(events), len(limits) + 1)
                self.assertEqual([e["grows"] for e in found], [True, False][:len(limits)])
                for e, wanted in zip(found + [e for e in events if e["kind"] == "lost"], limits + [end]):
                    self.assertLessEqual(abs(e["value"] - wanted), e["error"] + 1e-12)
                    self.assertLess(e["error"], 1e-8)

    def test_known_ones(self):
        for case in KNOWN:
            with self.subTest(case=case):
                self.check(*case)

    def test_symmetric_branches_end_at_their_pitchfork(self):
        ended = 0
        for case in KNOWN:
            if case[1] == (0, 0):
                with self.subTest(case=case):
                    ended += self.check(*case)
        self.assertEqual(ended, 3)

    def test_a_limit_at_the_first_value_that_there_is(self):
        """Values before it are refused: no branch has begun."""
        text = SLIDER.format(r=(0, -1), q=(0, 0), x=0).replace("mass: 1", 'mass: "0.5 - p"')
        text = text.replace("type: static", "type: static, accept_unstable: true")
        line = self.run_it("sweep", text, "--over", "p=1,0,-1")["lines"][0]
        self.assertEqual([bool(p["eigenvalues"]) for p in line["points"] if p["on_grid"]], [False, True, True])

    def test_what_moves_freely_ends_no_branch(self):
        line = self.run_it("sweep", CHAIN, "--over", "p=0:3:4")["lines"][0]
        self.assertEqual(line["events"], [])
        for point in line["points"]:
            l = max((complex(*e["eigenvalue"]) for e in point["eigenvalues"]), key=abs)
            self.assertLess(abs(l * l + 15), 1e-12)

    def test_random_folds(self):
        """Of those that no branch crosses on the way."""
        rng = random.Random(5)
        ended = 0
        for _ in range(max(12, int(24 * EFFORT))):
            r, q = [tuple(round(rng.gauss(0, s), 3) for _ in range(2)) for s in (1.5, 1.5)]
            n, begin = rng.randint(3, 30), rng.choice((-1.5, 1.5))
            if abs(r[0]) < 1.6 * abs(r[1]):
                continue
            with self.subTest(r=r, q=q, n=n, begin=begin):
                ended += self.check(r, q, round(rng.gauss(0, 1.5), 2), begin, -begin, n)
        self.assertGreater(ended, 0)


if __name__ == "__main__":
    unittest.main()
