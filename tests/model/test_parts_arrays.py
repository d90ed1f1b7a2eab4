"""Arrays of parts against parts written one by one: helices, mirrored, within one another. And energies of parts that spin and
are damped, with an element between two of them."""
import pathlib
import sys
import unittest

import numpy
from scipy.spatial.transform import Rotation

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402

LEAF = """
connections: [root]
exports: [m]
parameters: {k: 90}
inputs: {u: 0}
bodies: {m: {mass: 1.1, inertia: [1, 1.2, 1.4, 0.1, 0.05, -0.1], position: [1, 0.2, 0.3], orientation: {rpy: [0.1, 0.2, 0.3]}}}
markers: {tip: {body: m, position: [0.1, 0.3, 0.2], orientation: {rpy: [0.5, -0.2, 0.1]}}}
joints: {j: {type: screw, between: [m, root], at: [0.2, 0, 0], axis: [0.2, 0.3, 1], pitch: 0.3}}
loads:
  s: {type: bushing, between: [m, root], at: [0.5, 0.2, 0.1], stiffness: [[k, 3, 1, 2, 1, 0], [3, 80, 2, 1, 0, 1],
      [1, 2, 70, 1, 1, 1], [2, 1, 1, 50, 3, 2], [1, 0, 1, 3, 40, 1], [0, 1, 1, 2, 1, 30]]}
  f: {type: force, on: tip, components: [0, u, 2*u], resolved_in: tip}
outputs: {y: "AZ(m) + DX(tip)", z: "FY(j, m)"}
"""
TRUNK = """
gravity: [0, 0, 0]
bodies: {trunk: {mass: 5, inertia: [1, 1, 2]}}
loads: {g: {type: bushing, between: [trunk, ground], at: [0, 0, 0], translation: {stiffness: 300, damping: 2}, rotation: {stiffness: 200}}}
operating_point: {type: static}
"""
ROTOR = """
connections: [base]
exports: [disc]
bodies:
  disc: {mass: 2, inertia: [0.1, 0.05, 0.05], position: [0.3, 0, 0], angular_velocity: [200, 0, 0]}
  hub: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.3, 0, 0]}
joints: {r: {type: revolute, between: [disc, hub], at: [0.3, 0, 0], axis: x}}
loads: {s: {type: bushing, between: [hub, base], at: [0, 0, 0], translation: {stiffness: [1e4, 2e3, 3e3], damping: 5},
        rotation: {stiffness: [90, 100, 120], damping: 0.2}}}
"""
ROTORS = """
gravity: [0, 0, 0]
bodies: {frame: {mass: 9, inertia: [1, 1, 1]}}
parts:
  a: {file: rotor.yaml, connect: {base: frame}}
  b: {file: rotor.yaml, mirror: y, at: [0, 1, 0], connect: {base: frame}}
loads: {tie: {type: bushing, between: [a.disc, b.disc], at: [0.3, 0.5, 0], translation: {stiffness: 500, damping: 3}, rotation: {stiffness: 10}}}
"""


def listed(values):
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def matrix(A):
    return "{matrix: [" + ", ".join(listed(row) for row in A) + "]}"


def transfer(d, s):
    A, B, C, D = (numpy.array(d[k], dtype=float) for k in "ABCD")
    return D + C @ numpy.linalg.solve(s * numpy.eye(len(A)) - A, B)


class Arrays(PartsCase):
    def same(self, one, two):
        one, two = (self.run_it("linearize", TRUNK + text) for text in (one, two))
        self.assertEqual(len(one["states"]), len(two["states"]))
        for s in (1 + 2j, 3 - 30j, 20 + 100j):
            g, h = transfer(one, s), transfer(two, s)
            self.assertLess(abs(g - h).max(), 1e-12 * abs(g).max())

    def test_with_a_step_and_a_rotation_the_parts_lie_on_a_helix(self):
        """Part i + 1 is at a + R^i (p - a) + i s, with the axes R^i A."""
        self.file("leaf.yaml", LEAF)
        A, p = Rotation.from_rotvec([0.3, 0.2, -0.4]).as_matrix(), numpy.array([0.4, -0.3, 0.2])
        axis, about, step = numpy.array([1, 2, 3.0]), numpy.array([0.2, 0.1, -0.5]), numpy.array([0.1, 0.05, 0.2])
        for mirror in ("", "mirror: y, ", "mirror: x, "):
            array = (f"parts: {{a: {{file: leaf.yaml, {mirror}at: {listed(p)}, orientation: {matrix(A)}, count: 3, step: {listed(step)}, "
                     f"axis: {listed(axis)}, angle: 0.7, about: {listed(about)}, index: i, set: {{k: 90 + 10*i}}, connect: {{root: trunk}}}}}}\n")
            single = "parts:\n"
            for i in range(3):
                R = Rotation.from_rotvec(0.7 * i * axis / numpy.linalg.norm(axis)).as_matrix()
                single += (f"  a{i}: {{file: leaf.yaml, {mirror}at: {listed(about + R @ (p - about) + i * step)}, "
                           f"orientation: {matrix(R @ A)}, set: {{k: {100 + 10 * i}}}, connect: {{root: trunk}}}}\n")
            self.same(array, single)

    def test_mirrored_arrays_in_mirrored_arrays(self):
        """x to Rx^i Sy (Ry^j (Sz x + a)): no reflection is left."""
        self.file("leaf.yaml", LEAF)
        self.file("mid.yaml", "connections: [root]\nparts: {b: {file: leaf.yaml, mirror: z, count: 2, axis: [0, 1, 0], angle: 0.5, "
                  "at: [0.3, 0, 0], connect: {root: root}}}\n")
        single, S = "parts:\n", [numpy.diag(d) for d in ([1.0, -1, 1], [1.0, 1, -1])]
        for i in range(2):
            for j in range(2):
                Q = Rotation.from_rotvec([0.9 * i, 0, 0]).as_matrix() @ S[0] @ Rotation.from_rotvec([0, 0.5 * j, 0]).as_matrix()
                single += (f"  a{i}{j}: {{file: leaf.yaml, at: {listed(Q @ [0.3, 0, 0])}, orientation: {matrix(Q @ S[1])}, "
                           "connect: {root: trunk}}\n")
        self.same("parts: {a: {file: mid.yaml, mirror: y, count: 2, axis: [1, 0, 0], angle: 0.9, connect: {root: trunk}}}\n", single)

    def test_a_parameter_of_each_of_an_array(self):
        self.file("leaf.yaml", LEAF)
        self.file("mid.yaml", "connections: [root]\nparts: {b: {file: leaf.yaml, count: 2, step: [1, 0, 0], connect: {root: root}}}\n")
        array = TRUNK + "parts: {a: {file: mid.yaml, count: 2, step: [0, 3, 0], connect: {root: trunk}}}\n"
        self.refused(array, "'a.2.b.k' is a parameter of each part of an array", "such as a.2.b.1.k", options=("--set", "a.2.b.k=3"))
        self.refused(array, "the model has no parameter 'a.k' to set", options=("--set", "a.k=3"))

    def test_energies_of_parts_that_spin(self):
        """Complex modes: the parts, and what is in none, have all of the energy; the tie between two parts is in none."""
        self.file("rotor.yaml", ROTOR)
        modes = self.run_it("modes", ROTORS)["modes"]
        oscillating = [m for m in modes if m["eigenvalue"][0] < -1e-6 and abs(m["eigenvalue"][1]) > 1]
        self.assertGreater(len(oscillating), 10)
        for mode in oscillating:
            found = {p["part"]: p for p in mode["part_energies"]}
            for kind, outside in (("kinetic", "body frame"), ("strain", "load tie"), ("dissipation", "load tie")):
                parts = sum(p[kind] for p in found.values())
                self.assertAlmostEqual(parts + mode["energies"][kind].get(outside, 0), 1, delta=1e-5)
                for name, part in found.items():
                    own = [x for share, x in mode["energies"][kind].items() if share.split(" ")[1].startswith(name + ".")]
                    self.assertAlmostEqual(sum(own), part[kind], delta=1e-5)


if __name__ == "__main__":
    unittest.main()
