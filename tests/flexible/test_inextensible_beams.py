#!/usr/bin/env python3
"""Beams whose stretch, and shear where no stiffness against it is given, constraints keep zero: rotating beams against a power
series, the elastica by elliptic integrals, the limit of large stiffnesses, all coordinate sets, runs, units.

A rotating beam of Euler and Bernoulli, E I = m = L = 1, its root at the radius R, clamped or hinged, the tip free:
    w'''' - (T w')' - s^2 w = 0,    T = int_x^1 W^2 (R + x) dx = W^2 (R (1 - x) + (1 - x^2)/2)
out of the plane of rotation, and in it the same with s^2 = lag^2 + W^2: in powers of x, with fifty digits."""
import csv
import os
import pathlib
import re
import sys
import unittest

import mpmath
from mpmath import mpf

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import COORDINATES, ModelCase  # noqa: E402

FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
TERMS = 120
mpmath.mp.dps = 50  # the terms cancel by up to 1e20 at the highest speed


class RotatingBeam:
    def __init__(self, speed, radius, hinged):
        square, radius = mpf(speed)**2, mpf(radius)
        self.T = [square * (radius + mpf(1) / 2), -square * radius, -square / 2]
        self.starts = [[0, 1, 0, 0] if hinged else [0, 0, 1, 0], [0, 0, 0, 1]]

    def at_tip(self, s, start):
        """w'' and w''' at the tip of the solution that begins so"""
        a = [mpf(c) for c in start]
        for k in range(TERMS):
            pull = sum(t * (k + 2 - i) * a[k + 2 - i] for i, t in enumerate(self.T) if k + 2 - i > 0)
            a.append(((k + 1) * pull + s**2 * a[k]) / ((k + 1) * (k + 2) * (k + 3) * (k + 4)))
        return [sum(mpmath.ff(k, d) * a[k] for k in range(d, len(a))) for d in (2, 3)]

    def determinant(self, s):
        (a, b), (c, d) = (self.at_tip(s, start) for start in self.starts)
        return a * d - b * c

    def flap(self, n=3):
        """the lowest n above zero: signs on a grid, then secants"""
        found, s, step = [], mpf("0.02"), mpf("0.5")
        before = self.determinant(s)
        while len(found) < n:
            now = self.determinant(s + step)
            if before * now < 0:
                found.append(mpmath.findroot(self.determinant, (s, s + step), solver="anderson", tol=mpf(10)**-40, verify=False))
            s, before = s + step, now
        return found


ROOTS = {"clamped": "fixed", "flap hinge": "revolute, axis: y", "lag hinge": "revolute, axis: z"}
INERTIA = 1e-10  # of the sections: its frequencies are lower by some tens of it


def rotating(speed, radius, root, n, order):
    return f"""beams:
  b: {{type: sections, from: [{radius}, 0, 0], to: [{radius + 1}, 0, 0], elements: {n}, order: {order}, inextensible: true,
       mass_per_length: 1, inertia_y: {INERTIA}, inertia_z: {INERTIA}, GJ: 1, EIy: 1, EIz: 1, angular_velocity: [0, 0, {speed}]}}
bodies: {{hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, {speed}]}}}}
joints:
  shaft: {{type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}}
  drive: {{type: motion, joint: shaft, function: {speed}*time}}
  root: {{type: {ROOTS[root]}, between: [b.first, hub], at: [{radius}, 0, 0]}}
markers: {{seen: {{body: hub}}}}
linearize: {{reference: seen}}
"""


# speed, radius, root, elements, their order, how many modes of each plane
CASES = [(2, 1, "clamped", 2, 6, 2)]
if FULL:
    CASES += [(W, R, root, 3, 8, 3) for W, R in ((0, 0), (2, 1), (6, 0), (6, 3), (10, 0), (10, 3)) for root in ROOTS]
    CASES += [(10, 3, "clamped", 6, 6, 3)]

CANTILEVER = """beams:
  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: ELEMENTS, order: ORDER, SECTION
      mass_per_length: 1, inertia_y: 1e-3, inertia_z: 1e-3, GJ: 10, EIy: 10, EIz: 1}
joints: {c: {type: fixed, between: [b.first, ground]}}
loads: {l: {type: force, on: b.last, components: [0, LOAD, 0]}}
outputs: {x: DX(b.last), y: DY(b.last), z: DZ(b.last), pull: FX(b.c1), push: FY(b.c1)}
operating_point: {type: static}
"""


def cantilever(elements, order, load, section="inextensible: true,"):
    text = CANTILEVER.replace("ELEMENTS", str(elements)).replace("ORDER", str(order))
    return text.replace("LOAD", repr(float(load))).replace("SECTION", section)


def elastica(slope):
    """Load, tip across and along the beam, by the slope at the tip (Bisshopp and Drucker 1945)."""
    square = (1 + mpmath.sin(slope)) / 2
    k = mpmath.sqrt(square)
    phi = mpmath.asin(1 / (k * mpmath.sqrt(2)))
    root = mpmath.ellipk(square) - mpmath.ellipf(phi, square)
    return root**2, 1 - 2 * (mpmath.ellipe(square) - mpmath.ellipe(phi, square)) / root, 2 * k * mpmath.cos(phi) / root


def elastica_under(load):
    with mpmath.workdps(30):
        slope = mpmath.findroot(lambda s: elastica(s)[0] - load, (mpf("0.2"), mpf("1.5")), solver="illinois")
        return [float(v) for v in elastica(slope)[1:]]


# Two beams, one with a corner and shear, twisted and tapered, with offsets, one curved; a body at the tip; all of it rotating.
BOTH = """gravity: [0, -3, -1]
parameters: {h: 0.15, t: 0.3, e: 0.02, s: 0.01}
beams:
  a: {type: sections, points: [[0, 0, 0], [0.4, 0, 0], [0.4, 0.3, 0.4]], elements: 1, order: 2, inextensible: true, side: [0, 0, 1],
      stations: [0, 0.4, 0.9], mass_per_length: [1, 0.8, 0.5], inertia_y: 1e-3, inertia_z: 2e-3, GAy: 50, GAz: 40, GJ: [1, 0.9, 0.5],
      EIy: [1, 0.8, 0.6], EIz: 2, mass_y: 0.01, tension_y: e, tension_z: -0.01, shear_y: s, twist: [0, t, 0.5],
      damping_ratio: 0.01, angular_velocity: [0, 0, 2]}
  c: {type: sections, points: [[0.4, 0.3, 0.4], [0.8, 0.4, h], [1.0, 1.0, 0.4]], elements: 1, order: 2, curved: true,
      inextensible: true, side: [0, 0, 1], mass_per_length: 0.5, inertia_y: 1e-3, inertia_z: 1e-3, GJ: 1, EIy: 1, EIz: 1.5,
      shear_z: 0.02, angular_velocity: [0, 0, 2]}
bodies:
  tip: {mass: 0.3, inertia: [0.01, 0.02, 0.02], position: [1.02, 1.0, 0.45], angular_velocity: [0, 0, 2], velocity: [-2, 2.04, 0]}
joints:
  root: {type: revolute, between: [a.first, ground], at: [0, 0, 0], axis: z}
  joined: {type: fixed, between: [c.first, a.last], at: [0.4, 0.3, 0.4]}
  end: {type: fixed, between: [tip, c.last], at: [1, 1, 0.4]}
"""


class Inextensible(ModelCase):
    def frequencies(self, text, *options):
        return sorted({abs(z[1]) for z in self.run_it("modes", text, *options)["eigenvalues"]})

    def value(self, found, name):
        return next(s["value"] for s in found["signals"] if s["name"] == name)

    # ---- rotating beams ----------------------------------------------------------------------------------------------

    def test_rotating_beams(self):
        """Flap and lag to 1e-8 of the power series, and lag^2 = flap^2 - speed^2."""
        for W, R, root, n, order, modes in CASES:
            what = f"W = {W}, R = {R}, {root}, {n} of order {order}"
            found = self.frequencies(rotating(W, R, root, n, order))
            flap = RotatingBeam(W, R, root == "flap hinge").flap(modes)
            lag = [s**2 - W**2 for s in RotatingBeam(W, R, root == "lag hinge").flap(modes)]
            for exact in [s**2 for s in flap] + lag:
                near = min(found, key=lambda s: abs(s**2 - exact))
                self.assertLess(abs(near**2 - exact), 1e-8 * max(2 * exact, W**2), f"{what}: {near} for {mpmath.sqrt(exact)}")

    def test_lag_follows_from_flap(self):
        """Of the program's own frequencies; no stretch couples them."""
        W = 3
        found = self.frequencies(rotating(W, 0.5, "clamped", 2, 4))
        for flap in found[1:6:2]:
            lag = min(found, key=lambda s: abs(s**2 + W**2 - flap**2))
            self.assertLess(abs(lag**2 + W**2 - flap**2), 1e-8 * flap**2)

    # ---- large deflection --------------------------------------------------------------------------------------------

    def test_elastica(self):
        """0.3017 and 0.6033 of the length across, and far beyond; the force in the section is that at the tip."""
        self.assertAlmostEqual(elastica_under(1)[0], 0.30172, delta=1e-5)
        self.assertAlmostEqual(elastica_under(3)[0], 0.60325, delta=1e-5)
        for load, elements, order, most in ((1, 4, 6, 1e-14), (3, 4, 6, 1e-12), (10, 3, 8, 5e-12), (3, 32, 1, 2e-4)):
            found = self.run_it("equilibrium", cantilever(elements, order, load))
            across, along = elastica_under(load)
            self.assertLess(abs(self.value(found, "y") / across - 1), most)
            self.assertLess(abs(self.value(found, "x") / along - 1), most)
            if order > 1:
                self.assertLess(abs(self.value(found, "pull")) + abs(self.value(found, "push") - load), 1e-9)

    def test_a_strip_that_has_buckled(self):
        """Between pins, under 1.05 of Euler's load: the ends come together by 2 (1 - E/K) L, P = 4 K^2 E I/L^2."""
        load = 1.05 * mpmath.pi**2
        k = mpmath.findroot(lambda k: 4 * mpmath.ellipk(k**2)**2 - load, 0.3)
        exact = 2 * (1 - mpmath.ellipe(k**2) / mpmath.ellipk(k**2))
        text = cantilever(4, 6, 0).replace("DX(b.last), y", "DX(b.last), way: DX(b.last) - 1, y")
        text = text.replace("c: {type: fixed, between: [b.first, ground]}", "c: {type: revolute, between: [b.first, ground], axis: z}, "
                            "d: {type: inline, between: [b.last, ground], at: [1, 0, 0], axis: x}")
        text = text.replace("[0, 0.0, 0]", f"[{-float(load)!r}, 0, 0]") + "gravity: [0, -1e-8, 0]\n"
        found = self.run_it("equilibrium", text)
        self.assertLess(abs(self.value(found, "way") / exact + 1), 1e-6)

    def test_limit_of_large_stiffness(self):
        """Modes of the bent beam with EA and GA, extrapolated: what is left falls with the square of 1/EA."""
        kept = self.frequencies(cantilever(2, 4, 3))[:6]
        soft, stiff = (self.frequencies(cantilever(2, 4, 3, f"EA: {k}, GAy: {k}, GAz: {k},").replace("b.c1", "b.e1"))[:6]
                       for k in ("1e6", "1e7"))
        for exact, one, other in zip(kept, soft, stiff):
            self.assertLess(abs((10 * other - one) / 9 / exact - 1), 1e-7)
            self.assertGreater(abs(other / exact - 1), 1e-8)
        # and of the stretch alone, in elements of order 1 and 3
        for order in (1, 3) if FULL else (1,):
            sections = "GAy: 50, GAz: 50,"
            kept = self.frequencies(cantilever(3, order, 2, "inextensible: true, " + sections))[:4]
            soft, stiff = (self.frequencies(cantilever(3, order, 2, f"EA: {k}, {sections}").replace("b.c1", "b.e1"))[:4]
                           for k in ("1e5", "1e6"))
            for exact, one, other in zip(kept, soft, stiff):
                self.assertLess(abs((10 * other - one) / 9 / exact - 1), 1e-7)

    # ---- no locking, no motion without a force ----------------------------------------------------------------------------

    def test_convergence_with_the_power_2p(self):
        """Second bending of a cantilever: neither does it lock, nor is a motion left over."""
        exact = mpf("4.694091132974175")**2
        for order, first, most in ((2, 4, 2e-4), (3, 4, 2e-7), (4, 2, 2e-7)) if FULL else ((2, 4, 2e-4),):
            error = []
            for n in (first, 2 * first):
                found = self.frequencies(cantilever(n, order, 0).replace("1e-3", "1e-10").replace("EIy: 10", "EIy: 1"))
                error.append(float(min(found, key=lambda s: abs(s - exact)) / exact - 1))
                self.assertGreater(found[0], 3.4)  # none lower than the first
            self.assertLess(abs(error[1]), most, error)
            self.assertGreater(abs(error[0] / error[1]), 2**(2 * order - 1), error)

    def test_count_of_freedoms(self):
        """Of n elements of order p, clamped: n p nodes that rotate as they like; their places follow."""
        for order in (1, 2, 5) if FULL else (1, 2):
            found = self.run_it("check", cantilever(2, order, 0))
            self.assertEqual((found["degrees_of_freedom"], found["redundant"]), (3 * 2 * order if order > 1 else 10, []))
            self.assertGreater(found["smallest_pivot"], 0.1)

    def test_clamped_at_both_ends(self):
        """Straight, with the ends in place: one row follows from the others, and the pull is undetermined."""
        text = cantilever(2, 3, 0).replace("joints: {", "joints: {d: {type: fixed, between: [b.last, ground], at: [1, 0, 0]}, ")
        done = self.try_it("modes", text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"1 constraint equation, removed:\n.*b\.c[12]: no stretch at point [123] of 3")
        self.assertRegex(re.sub(r"\s+", " ", done.stdout), "this configuration is singular .* not determined here")
        free = text.replace("d: {type: fixed", "d: {type: translational, axis: x")
        self.assertEqual(self.run_it("check", free)["redundant"], [])

    # ---- everything at once --------------------------------------------------------------------------------------------

    def test_corners_curves_offsets_and_a_tip_body(self):
        """In motion, damped, in all coordinate sets by all methods; among them differences of the nonlinear equations."""
        found = self.run_it("check", BOTH)
        self.assertEqual(found["redundant"], [])
        for cell in found["cells"]:
            if cell["method"] != "symbolic" and cell["state"] != "reference":
                self.assertEqual((cell["state"], cell.get("verdict")), ("compared", "yes"), cell)

    def test_statics_in_all_coordinate_sets(self):
        text = BOTH.replace("angular_velocity: [0, 0, 2]", "velocity: [0, 0, 0]").replace(", velocity: [-2, 2.04, 0]", "")
        text = text.replace("revolute", "fixed").replace(", axis: z", "") + "outputs: {y: DY(c.last), z: DZ(c.last), f: FZ(a.c1)}\n"
        text += "operating_point: {type: static}\n"
        first = None
        for coordinates in COORDINATES:
            found = self.run_it("equilibrium", text, "--coordinates", coordinates)
            values = [self.value(found, name) for name in "yzf"]
            first = first or values
            for one, other in zip(first, values):
                self.assertLess(abs(one - other), 1e-9)

    def test_a_stiff_wire_under_its_weight_alone(self):
        """Away from the origin, where rounding of places makes forces beside which weight is little: the first frequency is
        3.5160 (E I / m)^(1/2) / L^2 but for rotary inertia and the sag."""
        text = """
gravity: [0, 0, -9.81]
operating_point: {type: static}
beams:
  b: {type: material, from: [3.1, 2.3, 0.5], to: [3.12, 2.3, 0.5], elements: 2, order: 6, inextensible: true, density: 7800,
      youngs_modulus: 2.1e11, shear_modulus: 8e10, area: 1.2566e-5, iyy: 1.2566e-11, izz: 1.2566e-11, torsion_constant: 2.5e-11}
joints:
  l: {type: fixed, between: [b.first, ground], at: [3.1, 2.3, 0.5]}
"""
        wanted = 3.5160153 * (2.1e11 * 1.2566e-11 / (7800 * 1.2566e-5))**0.5 / 0.02**2
        for name in COORDINATES:
            self.run_it("equilibrium", text, "--coordinates", name)
        for name in ("absolute", "relative"):
            self.assertLess(abs(self.frequencies(text, "--coordinates", name)[0] - wanted), 0.01 * wanted, name)

    def test_derivatives_by_parameters(self):
        """Through the numbers of the rows: places of points, twist, centres; against differences."""
        text = BOTH.replace("angular_velocity: [0, 0, 2]", "velocity: [0, 0, 0]").replace(", velocity: [-2, 2.04, 0]", "")
        text = text.replace("revolute", "fixed").replace(", axis: z", "") + "operating_point: {type: static}\n"
        found = self.run_it("sensitivity", text)["modes"]
        step, by = 1e-5, {"h": 0.15, "t": 0.3, "e": 0.02, "s": 0.01}
        for name in by if FULL else ("h", "e"):
            ends = [self.run_it("modes", text, "--set", f"{name}={by[name] + k * step!r}")["eigenvalues"] for k in (-1, 1)]
            compared = 0
            for mode in found:
                s = complex(*mode["eigenvalue"])
                slope = next(complex(*one["eigenvalue"]) for one in mode["by"] if one["parameter"] == name)
                if not 0.1 < s.imag < 200:
                    continue
                low, high = (min((complex(*z) for z in end), key=lambda z: abs(z - s)) for end in ends)
                self.assertLess(abs((high - low) / (2 * step) - slope), 1e-5 * (abs(s) + abs(slope)), (name, s, slope))
                compared += 1
            self.assertGreater(compared, 5)

    # ---- runs ----------------------------------------------------------------------------------------------------------

    def test_a_run_keeps_energy_and_lengths(self):
        """A few swings of a soft beam that falls; within an element of order 1 the chord's component along the middle frame."""
        for order, elements in ((2, 2), (1, 3)) if FULL else ((2, 1),):
            text = cantilever(elements, order, 0).replace("EIy: 10", "EIy: 1").replace("GJ: 10", "GJ: 1")
            text = "gravity: [0, -3, -1]\n" + text.replace("operating_point: {type: static}", "")
            done = self.try_it("simulate", text, "--end", "0.5", "--integrator", "explicit-runge-kutta", "--tolerance", "1e-11",
                               "--output", self.path("motion.csv"))
            self.assertEqual(done.returncode, 0, done.stderr)
            drift = float(re.search(r"constraints within ([-+.e0-9]+) m", done.stderr + done.stdout).group(1))
            self.assertLess(drift, 1e-10)
            with open(self.path("motion.csv"), encoding="utf-8") as file:
                rows = list(csv.reader(file))
            total, elastic = ([float(row[rows[0].index(f"energy/{what} [J]")]) for row in rows[1:]] for what in ("total", "elastic"))
            self.assertGreater(max(elastic), 0.05)
            self.assertLess(max(abs(e - total[0]) for e in total), 1e-10)

    # ---- the rest --------------------------------------------------------------------------------------------------------

    def test_units(self):
        """The same beam in mm, t and s, forces in N."""
        here = self.run_it("equilibrium", cantilever(2, 2, 3))
        text = "units: [mm, t, s]\n" + cantilever(2, 2, 3).replace("to: [1,", "to: [1000,").replace("mass_per_length: 1,", "mass_per_length: 1e-6,")
        text = text.replace("inertia_y: 1e-3, inertia_z: 1e-3", "inertia_y: 1, inertia_z: 1")
        text = text.replace("GJ: 10, EIy: 10, EIz: 1", "GJ: 1e7, EIy: 1e7, EIz: 1e6")
        there = self.run_it("equilibrium", text)
        for name, unit in (("y", 1e-3), ("push", 1)):
            self.assertLess(abs(unit * self.value(there, name) - self.value(here, name)), 1e-9, name)

    def test_what_cannot_be(self):
        done = self.try_it("symbolic", cantilever(1, 2, 0))
        self.assertIn("not supported in formulas", done.stderr)


if __name__ == "__main__":
    unittest.main()
