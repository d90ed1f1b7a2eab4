"""Shapes of rigid bodies: mass and inertia against integrals over their slices, exact derivatives, and what is refused."""
import json
import math
import os
import pathlib
import random
import re
import sys
import unittest

import numpy
from scipy.integrate import quad
from scipy.spatial.transform import Rotation

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))


def turned(radius, low, high, hole=0.0, centre=0.0, breaks=()):
    """Volume and second moments of a solid of rotation of density 1, slice by slice: a ring of radii R, r at height z has the area
    pi (R^2 - r^2), pi/2 (R^4 - r^4) about its axis and half of it about a diameter."""
    def total(f):
        edges = [low, *breaks, high]
        return sum(quad(f, a, b, epsabs=0, epsrel=1e-13)[0] for a, b in zip(edges, edges[1:]))
    area = lambda z: math.pi * (radius(z) ** 2 - hole ** 2)  # noqa: E731
    polar = lambda z: math.pi / 2 * (radius(z) ** 4 - hole ** 4)  # noqa: E731
    across = total(lambda z: polar(z) / 2 + area(z) * (z - centre) ** 2)
    return total(area), numpy.diag([across, across, total(polar)])


def box(a, b, c):
    """By integrals of x^2 over the box."""
    second = [quad(lambda x: x * x, -s / 2, s / 2)[0] * a * b * c / s for s in (a, b, c)]
    return a * b * c, numpy.diag([second[1] + second[2], second[0] + second[2], second[0] + second[1]])


def shape_of(kind, r):
    """(text, volume, second moments) of a random shape."""
    a, b, c = (r.uniform(0.1, 2) for _ in range(3))
    if kind == "box":
        return f"{{box: {{size: [{a!r}, {b!r}, {c!r}]}}", *box(a, b, c)
    if kind == "sphere":
        return f"{{sphere: {{radius: {a!r}}}", *turned(lambda z: math.sqrt(max(a * a - z * z, 0)), -a, a)
    if kind == "tube":
        return (f"{{tube: {{radius: {a!r}, inner_radius: {0.7 * a!r}, length: {b!r}}}",
                *turned(lambda z: a, -b / 2, b / 2, hole=0.7 * a))
    if kind == "cone":
        return f"{{cone: {{radius: {a!r}, length: {b!r}}}", *turned(lambda z: a * (1 - z / b), 0, b, centre=b / 4)
    if kind == "capsule":
        def radius(z):
            beyond = max(abs(z) - b / 2, 0)
            return math.sqrt(max(a * a - beyond * beyond, 0))
        return f"{{capsule: {{radius: {a!r}, length: {b!r}}}", *turned(radius, -b / 2 - a, b / 2 + a, breaks=(-b / 2, b / 2))
    size = "width" if kind == "wheel" else "length"
    return f"{{{kind}: {{radius: {a!r}, {size}: {b!r}}}", *turned(lambda z: a, -b / 2, b / 2)


class Shapes(ModelCase):
    KINDS = ("box", "cylinder", "tube", "sphere", "capsule", "cone", "wheel")

    def mass_matrix(self, body, *options):
        data = self.run_it("linearize", f"gravity: [0, 0, 0]\nparameters: {{s: 0.3}}\nbodies: {{b: {{{body}}}}}\n", *options)
        self.assertEqual([s for s in data["states"]][:6], [f"b.{c}" for c in ("x", "y", "z", "rx", "ry", "rz")])
        return numpy.array(data["mass"])

    def agree(self, found, mass, inertia):
        wanted = numpy.zeros((6, 6))
        wanted[:3, :3], wanted[3:, 3:] = mass * numpy.eye(3), inertia
        self.assertLess(abs(found - wanted).max(), 1e-11 * abs(wanted).max())

    def test_mass_and_inertia_are_those_of_the_slices(self):
        r = random.Random(5)
        for kind in self.KINDS:
            for _ in range(math.ceil(2 * EFFORT)):
                text, volume, second = shape_of(kind, r)
                axis, angle = [r.uniform(-1, 1) for _ in range(3)], r.uniform(-3, 3)
                R = Rotation.from_rotvec(angle * numpy.array(axis) / numpy.linalg.norm(axis)).as_matrix()
                inertia = R @ second @ R.T
                placed = f"{text}, orientation: {{axis: {axis}, angle: {angle!r}}}}}"
                with self.subTest(kind=kind, placed=placed):
                    self.agree(self.mass_matrix(f"shape: {placed}, density: 1234.5"), 1234.5 * volume, 1234.5 * inertia)
                    self.agree(self.mass_matrix(f"shape: {placed}, mass: 7.5"), 7.5, 7.5 / volume * inertia)
                    self.agree(self.mass_matrix(f"shape: {placed}, density: steel"), 7850 * volume, 7850 * inertia)

    def test_round_shapes_stand_about_their_axis(self):
        along = numpy.array([1.0, -2, 2]) / 3
        volume, second = turned(lambda z: 0.3, -1, 1)
        inertia = second[0, 0] * numpy.eye(3) + (second[2, 2] - second[0, 0]) * numpy.outer(along, along)
        self.agree(self.mass_matrix("shape: {cylinder: {radius: 0.3, length: 2}, axis: [1, -2, 2]}, density: 10"), 10 * volume, 10 * inertia)
        _, second = turned(lambda z: 0.3, -1, 1)
        self.agree(self.mass_matrix("shape: {cylinder: {radius: 0.3, length: 2}, axis: -y}, density: 10"), 10 * volume,
                   10 * numpy.diag([second[0, 0], second[2, 2], second[0, 0]]))

    def test_sizes_can_depend_on_parameters(self):
        """d(eigenvalue)/ds of a sphere on a spring: omega^2 = k/(rho 4/3 pi s^3), d omega/ds = -3/2 omega/s."""
        text = ("gravity: [0, 0, 0]\nparameters: {s: 0.3}\nbodies: {b: {shape: {sphere: {radius: s}}, density: aluminium}}\n"
                "joints: {r: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}\n"
                "loads: {k: {type: force, on: b, components: [\"-200*DX(b)\", 0, 0]}}\n")
        data = self.run_it("sensitivity", text)
        omega = math.sqrt(200 / (2700 * 4 / 3 * math.pi * 0.3 ** 3))
        found = [by["eigenvalue"] for mode in data["modes"] for by in mode["by"]]
        self.assertTrue(any(abs(f[1] + 1.5 * omega / 0.3) < 1e-10 * omega / 0.3 for f in found), found)

    def test_written_values_are_compared_with_the_filled_shape(self):
        shape = "shape: {box: {size: [1, 2, 3]}}, density: 10"  # 60 kg; 65, 50, 25 kg m^2
        self.agree(self.mass_matrix(f"mass: 60.5, inertia: [65, 50, 25], {shape}"), 60.5, numpy.diag([65, 50, 25]))
        self.refused(f"mass: 61, {shape}", "mass is 61 kg, but the shape of this density has 60 kg")
        self.refused(f"inertia: [65, 50, 26], {shape}", "inertia: Izz is 26 kg m^2, but that of the shape is 25")
        self.refused(f"inertia: [65, 50, 25, 1, 0, 0], {shape}", "inertia: Ixy is 1 kg m^2, but that of the shape is")

    def refused(self, body, words):
        done = self.try_it("modes", f"parameters: {{s: 1}}\nbodies:\n  b: {{{body}}}\n")
        self.assertEqual(done.returncode, 1, body)
        self.assertIn(words, done.stderr)
        self.assertRegex(done.stderr, r"model\.yaml:3:\d+: body 'b'")

    def test_what_cannot_be_is_refused_by_name(self):
        for body, words in (
                ("mass: 1", "inertia is missing: give it, or shape, from which it follows"),
                ("inertia: [1, 1, 1]", "mass is missing: give it, or density, from which it follows"),
                ("mass: 1, density: steel, inertia: [1, 1, 1]", "density is given without shape"),
                ("shape: {sphere: {radius: 1}}", "mass is missing: give it, or density"),
                ("mass: 1, shape: {color: red}", "one of these must be given: box, cylinder, tube, sphere, capsule, cone, wheel"),
                ("mass: 1, shape: {sphere: {radius: 1}, box: {size: [1, 1, 1]}}", "box and sphere are both given"),
                ("mass: 1, shape: {box: {size: [1, -1, 1]}}", "a side of the box is -1; it must be positive"),
                ("mass: 1, shape: {box: {size: [1, 0*s, 1]}}", "a side of the box is 0; it must be positive"),
                ("mass: 1, shape: {cylinder: {radius: 0, length: 1}}", "radius is 0; it must be positive"),
                ("mass: 1, shape: {cylinder: {radius: 1}}", "length is missing"),
                ("mass: 1, shape: {tube: {radius: 1, inner_radius: 1, length: 1}}", "inner_radius 1 is not below its radius 1"),
                ("mass: 1, shape: {sphere: {radius: 1, length: 1}}", "'length' is not a field of sphere"),
                ("mass: 1, shape: {ball: {radius: 1}}", "'ball' is not a field of shape"),
                ("density: 1, shape: {sphere: {radius: 1}, position: [0, 0, 0.1]}", "position moves it from the body's centre of mass"),
                ("density: stel, shape: {sphere: {radius: 1}}", "'stel' is no parameter and no word that has a value here; did you mean 'steel'?"),
                ("mass: 1, shape: {sphere: {radius: 1}, color: reddish}", "color: 'reddish' is not a colour"),
                ("mass: 1, shape: {sphere: {radius: 1}, color: \"#12345\"}", "color: '#12345' is not a colour"),
                ("mass: 1, shape: {sphere: {radius: 3 kg}}", "radius: '3 kg' is a mass; a value in m is needed"),
                ("mass: 1, shape: {cone: {radius: 1, length: 1}, axis: x, orientation: {axis: [0, 0, 1], angle: 1}}", "axis and orientation are both"),
        ):
            with self.subTest(body=body):
                self.refused(body, words)

    def test_a_parameter_goes_before_a_material(self):
        text = "gravity: [0, 0, 0]\nparameters: {steel: 5}\nbodies: {b: {shape: {box: {size: [1, 1, 1]}}, density: steel}}\n"
        self.assertEqual(self.run_it("linearize", text)["mass"][0][0], 5)

    def test_the_page_has_the_shapes(self):
        text = ("parameters: {s: 0.3}\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], shape: {tube: {radius: s, inner_radius: 0.2, length: 1}, "
                "axis: y, position: [0, 0, s], color: \"#3f7fbf\"}}\n  b: {mass: 1, inertia: [1, 1, 1]}\n")
        done = self.try_it("report", text, "--output", self.path("page.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        page = pathlib.Path(self.path("page.html")).read_text("utf-8")
        found = re.search(r'"shape": ?(\{.*?\})', page)
        self.assertEqual(json.loads(found.group(1)), {
            "kind": "tube", "size": [0.3, 0.2, 1], "position": [0, 0, 0.3], "orientation": [0, 1, 0, 0, 0, 1, 1, 0, 0], "color": "#3f7fbf"})
        self.assertEqual(page.count('"shape":'), 1)


if __name__ == "__main__":
    unittest.main()
