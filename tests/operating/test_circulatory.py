"""Static equilibria of forces without a potential: judged by the motion about them, not by the symmetric part."""
import cmath
import json
import math
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ROUTH, ModelCase  # noqa: E402

# A column clamped at its foot, its end pushed along its own axis (Beck): E I = m = L = 1.
BECK = """
parameters: {P: 10, EA: 1e7, n: 12}
bodies:
  column: {type: beam, to: [1, 0, 0], elements: n, planar: true, density: 1, youngs_modulus: EA, area: 1, izz: 1/EA}
joints: {root: {type: fixed, between: [base, ground]}}
markers: {base: {body: column, node: first}, tip: {body: column, node: last}}
loads: {push: {type: force, on: tip, resolved_in: tip, components: [-P, 0, 0]}}
operating_point: {type: static}
"""

# A unit mass in a plane: stiffness k, a force across its displacement c, damping d, a wall of potential a.
WHIRL = """
parameters: {k: 4, c: 1, d: 0.3, a: 0, x0: 0}
bodies: {mass: {mass: 1, inertia: [1, 1, 1], position: [x0, 0, 0]}}
joints:
  plane: {type: inplane, between: [mass, ground], axis: z}
  upright: {type: orientation, between: [mass, ground]}
loads:
  force: {type: force, on: mass, components: ["-k*DX(mass) - c*DY(mass) - d*VX(mass) - a*DX(mass)^3",
                                              "c*DX(mass) - abs(k)*DY(mass) - d*VY(mass)", 0]}
operating_point: {type: static}
"""

# Two rods of length 1 and point masses m, springs k in both hinges, the second rod's end pushed along it (Ziegler).
ZIEGLER = """
parameters: {P: 1}
bodies:
  first: {mass: 2, inertia: [1e-9, 1e-9, 1e-9], position: [1, 0, 0]}
  second: {mass: 1, inertia: [1e-9, 1e-9, 1e-9], position: [2, 0, 0]}
joints:
  a: {type: revolute, between: [first, ground], at: [0, 0, 0], axis: z}
  b: {type: revolute, between: [second, first], at: [1, 0, 0], axis: z}
loads:
  ka: {type: torsion_spring, between: [first, ground], axis: z, stiffness: 1}
  kb: {type: torsion_spring, between: [second, first], axis: z, stiffness: 1}
  push: {type: force, on: second, resolved_in: second, components: [-P, 0, 0]}
operating_point: {type: static}
"""


def ziegler_is_stable(P: float) -> bool:
    """M x'' + K x = 0 with M = [[3, 1], [1, 1]], K = [[2 - P, P - 1], [-1, 1]]: mu = -s^2 real and positive."""
    # det(K - mu M) = 2 mu^2 - (trace) mu + det K
    a, b, c = 2, -(3 * 1 + (2 - P) - (P - 1) * 1 + 1), (2 - P) + (P - 1)
    roots = [(-b + sign * cmath.sqrt(b * b - 4 * a * c)) / (2 * a) for sign in (1, -1)]
    return all(abs(mu.imag) < 1e-12 and mu.real > 0 for mu in roots)


class Circulatory(ModelCase):
    def found(self, text: str, *settings: str, options: tuple = ()) -> dict:
        words = [ROUTH, "modes", self.write(text), "--json", *options]
        for setting in settings:
            words += ["--set", setting]
        run = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def unstable(self, found: dict) -> bool:
        return any("static equilibrium is unstable" in w for w in found["warnings"])

    def test_beck_below_and_above_flutter(self) -> None:
        """Flutter at 20.0509 (Beck 1952), whatever the stretch and the elements."""
        for P in (5, 10, 20, 20.1, 25):
            for elements, EA in ((12, 1e7), (24, 1e5)):
                found = self.found(BECK, f"P={P}", f"n={elements}", f"EA={EA}")
                self.assertTrue(found["at_rest"])
                self.assertEqual(self.unstable(found), P > 20.0509, (P, elements))
                if P < 20.0509:
                    self.assertLess(max(abs(z[0]) for z in found["eigenvalues"]), 1e-6)

    def test_ziegler(self) -> None:
        """Flutter between P = 3/2 + ... where the two roots meet, by the characteristic polynomial."""
        for P in (0.5, 1.4, 1.9, 2.0, 2.2, 2.5, 3.5):
            self.assertEqual(self.unstable(self.found(ZIEGLER, f"P={P}")), not ziegler_is_stable(P), P)

    def test_a_force_across_the_displacement(self) -> None:
        """mu = k + i c: it grows beyond c = d sqrt(k), though the symmetric part is positive."""
        for d in (0.1, 0.3, 1):
            for part in (0.9, 1.1, 3):
                found = self.found(WHIRL, f"d={d}", f"c={part * d * math.sqrt(4)}")
                self.assertEqual(self.unstable(found), part > 1, (d, part))

    def test_divergence_is_left(self) -> None:
        """-k x - a x^3 with k < 0: from the hill to a place beside it, where c x = |k| y."""
        k, c, a = -2, 0.4, 5
        found = json.loads(
            subprocess.run([ROUTH, "equilibrium", self.write(WHIRL), "--json", "--set", f"k={k}", "--set", f"c={c}",
                            "--set", f"a={a}", "--set", "d=3"], capture_output=True, text=True, check=True).stdout)
        x, y, _ = found["bodies"][0]["position"]
        self.assertAlmostEqual(abs(x), math.sqrt((-k - c * c / abs(k)) / a), 9)
        self.assertAlmostEqual(y, c * x / abs(k), 9)
        self.assertFalse(self.unstable(found))

    def test_an_unstable_one_on_request(self) -> None:
        """The hill itself, by the model's word and by the option; without them it is left."""
        settings = ("k=-2", "a=5", "c=0.4", "d=3")
        said = WHIRL.replace("type: static", "type: static, accept_unstable: true")
        for found in (self.found(said, *settings), self.found(WHIRL, *settings, options=("--accept-unstable",))):
            self.assertTrue(self.unstable(found))
            self.assertGreater(max(z[0] for z in found["eigenvalues"]), 0.5)
        self.assertFalse(self.unstable(self.found(WHIRL, *settings)))


if __name__ == "__main__":
    unittest.main()
