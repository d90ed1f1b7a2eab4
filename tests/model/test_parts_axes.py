"""Parts on bodies and markers with axes of their own: mirror images, and markers for bodies."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from model_case import ROUTH  # noqa: E402
from parts_case import PartsCase  # noqa: E402

CAR = """bodies: {chassis: {mass: 800, inertia: [500, 600, 700], position: [0, 0, 0.5], orientation: {axis: %s, angle: 90 deg}}}
joints: {hold: {type: fixed, between: [chassis, ground], at: [0, 0, 0.5]}}
markers: {image: {body: chassis, orientation: {matrix: [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]}}}
parts:
  right: {file: corner.yaml, connect: {chassis: chassis}}
  left:  {file: corner.yaml, mirror: y, connect: {chassis: %s}}
"""
CORNER = """connections: [chassis]
exports: [wheel]
bodies: {wheel: {mass: 40, inertia: [1, 1, 1], position: [0, -0.7, 0.3]}}
joints: {guide: {type: translational, between: [wheel, chassis], at: [0, -0.7, 0.3], axis: z}}
"""
SPRING = CORNER + "loads: {s: {type: spring, between: [wheel, %s], stiffness: 2e4}}\n"
BUSHING = ("bushing, between: [wheel, %s], translation: {stiffness: [1e3, 2e3, 2e4]}, "
           "rotation: {stiffness: [1, 2, 3]}")

# what uses the axes of the connection, and what only points on it
WITH_AXES = [
    (SPRING % "tower" + "markers: {tower: {body: chassis, position: [-0.5, 0.2, 0.5]}}\n", "marker 'left.tower': position"),
    (SPRING % "tower" + "markers: {tower: {body: chassis, at: [0, 0, 1], orientation: {axis: [0, 1, 0], angle: 1}}}\n",
     "marker 'left.tower': orientation"),
    (CORNER + "loads: {s: {type: " + BUSHING % "chassis" + "}}\n", "load 'left.s': a load of type bushing"),
    (CORNER + "markers: {m: {body: chassis, at: [0, -0.7, 0.3]}}\nloads: {s: {type: " + BUSHING % "m" + "}}\n", "load 'left.s'"),
    (CORNER + "loads: {s: {type: force, on: wheel, resolved_in: chassis, components: [0, 0, -1]}}\n", "load 'left.s': resolved_in"),
    (SPRING % "chassis" + 'outputs: {o: "DX(wheel, chassis, chassis)"}\n', "output 'left.o'"),
    (SPRING % "chassis" + 'outputs: {o: "AZ(wheel, chassis)"}\n', "output 'left.o'"),
    (CORNER.replace("at: [0, -0.7, 0.3], axis: z", "axis: z").replace("position: [0,", "position: [0.1,") + "loads: {s: {type: spring, between: [wheel, chassis], stiffness: 1}}\n",
     "joint 'left.guide'"),
    (CORNER + "parts: {q: {file: inner.yaml, connect: {c: chassis, w: wheel}}}\n", "marker 'left.q.m'"),
]
POINTS_ALONE = [
    SPRING % "chassis",
    SPRING % "tower" + "markers: {tower: {body: chassis, at: [0.1, -0.5, 1]}}\n",
    CORNER + "loads: {s: {type: bushing, between: [wheel, chassis], at: [0, -0.7, 0.3], translation: {stiffness: [1, 1, 1]}, "
             "rotation: {stiffness: [1, 2, 3]}}}\n",
    SPRING % "chassis" + 'outputs: {o: "DX(wheel, chassis)", d: "DM(wheel, chassis)", v: "WZ(wheel, chassis)"}\n',
    CORNER + "loads: {s: {type: force, on: wheel, components: [0, 0, -1]}}\n",
]


class Axes(PartsCase):
    def test_axes_without_a_mirror_image_are_refused(self):
        self.file("inner.yaml", "connections: [c, w]\nmarkers: {m: {body: c, position: [0, 0, 1]}}\n"
                                "loads: {s: {type: spring, between: [w, m], stiffness: 2e4}}\n")
        for corner, words in WITH_AXES:
            with self.subTest(words):
                self.file("corner.yaml", corner)
                told = self.refused(CAR % ("[0, 0, 1]", "chassis"), words)
                self.assertIn("is chassis, whose axes are not their own mirror image", told)
                for axis in ("[0, 1, 0]", "[0, -1, 0]"):  # S A S = A
                    self.run_it("modes", CAR % (axis, "chassis"))
                self.run_it("modes", CAR % ("[0, 0, 1]", "image"))

    def test_points_will_do(self):
        for corner in POINTS_ALONE:
            with self.subTest(corner):
                self.file("corner.yaml", corner)
                self.run_it("modes", CAR % ("[0, 0, 1]", "chassis"))

    def test_the_remedy_makes_the_sides_equal(self):
        """Each side: sqrt(k cos^2/m), with the spring between the wheel and the tower, 0.2 m behind, 0.2 m inside and 0.7 m up."""
        self.file("corner.yaml", WITH_AXES[0][0])
        found = sorted(abs(z[1]) for z in self.run_it("modes", CAR % ("[0, 0, 1]", "image"))["eigenvalues"])
        cosine2 = 0.7**2 / (0.7**2 + 0.2**2 + 0.2**2)
        self.assert_near(found[-4:], [(2e4 * cosine2 / 40)**0.5] * 4, 1e-9)

    def test_the_remedy_is_the_one_that_is_told(self):
        self.file("corner.yaml", WITH_AXES[0][0])
        told = self.refused(CAR % ("[0, 0, 1]", "chassis"))
        self.assertIn("{body: chassis, orientation: {matrix: [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]}}", told)


# ---- markers for bodies ----------------------------------------------------------------------------------------------------

PART = """connections: [w]
bodies: {b: {mass: 1, inertia: [1, 1.2, 1.4], position: [0.1, 0.2, 0.3]}}
markers: {foot: {body: w, %s}}
joints: {j: {type: spherical, between: [b, w], at: [0.3, 0, 0]}}
loads:
  s: {type: bushing, between: [b, foot], translation: {stiffness: [100, 200, 300]}, rotation: {stiffness: [10, 20, 30]}}
outputs: {x: "DX(foot, w, w)", y: "DY(foot, w, w)", z: "DZ(foot, w, w)", a: "WX(foot, w, w)", g: "DX(foot)"}
"""
POSE = "orientation: {rpy: [0.3, -0.5, 1.2]}"
MARKERS = f"markers: {{hook: {{body: base, position: [0.3, 0.4, -0.1], {POSE}}}, fixed: {{body: ground, position: [0.3, 0.4, -0.1], {POSE}}}}}\n"
BODIES = ("bodies: {base: {mass: 1, inertia: [1, 1, 1]}, hung: {mass: 1, inertia: [1, 1, 1], position: [0.3, 0.4, -0.1], %s}}\n"
          "joints: {weld: {type: fixed, between: [base, ground], at: [0, 0, 0]}, "
          "also: {type: fixed, between: [hung, ground], at: [0, 0, 0]}}\noperating_point: {type: given}\n" % POSE)


class MarkersForBodies(PartsCase):
    """A connection to a marker is one to a body that stands there with the marker's axes."""

    def test_as_a_body_with_its_axes(self):
        for foot in ("position: [0, 0, 0]", "position: [0.1, 0.2, 0.3], orientation: {axis: [1, 2, 3], angle: 0.4}",
                     "at: [0.1, 0.2, 0.3], orientation: {axis: [1, 2, 3], angle: 0.4}"):
            self.file("part.yaml", PART % foot)
            for placed in ("", ", at: [0.5, 0.2, 0.1], orientation: {axis: [1, 0, 0], angle: 0.3}"):
                use = "parts: {p: {file: part.yaml, connect: {w: %s}" + placed + "}}\n"
                wanted = self.run_it("linearize", BODIES + MARKERS + use % "hung")
                for name in ("hook", "fixed"):
                    with self.subTest((foot, placed, name)):
                        found = self.run_it("linearize", BODIES + MARKERS + use % name)
                        self.assert_near(found["output_values"], wanted["output_values"], 1e-14)
                        self.assert_near(found["stiffness"], wanted["stiffness"], 1e-12)

    def test_of_a_part_that_is_read_later(self):
        """Bodies on one another by markers of parts, in either order."""
        link = ("connections: [root]\nexports: [tip]\nbodies: {rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}}\n"
                "markers: {tip: {body: rod, position: [0.5, 0, 0]}, foot: {body: root, position: [0.1, 0, 0]}}\n"
                "joints: {hinge: {type: revolute, between: [rod, root], at: [0, 0, 0], axis: y}}\n"
                "loads: {k: {type: bushing, between: [rod, foot], translation: {stiffness: [1, 2, 3]}, "
                "rotation: {stiffness: [1, 1, 1]}}}\noutputs: {o: DX(foot)}\n")
        self.file("link.yaml", link)
        entries = ["a: {file: link.yaml, connect: {root: ground}}", "b: {file: link.yaml, at: [1, 0, 0], connect: {root: a.tip}}",
                   "c: {file: link.yaml, at: [2, 0, 0], connect: {root: b.tip}}"]
        found = []
        for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
            done = self.run_it("linearize", "parts: {" + ", ".join(entries[k] for k in order) + "}\n")
            found.append(sorted(done["output_values"]))
            self.assert_near(found[-1], [0.1, 0.1, 0.1], 1e-13)  # each in its part's frame
        self.refused("parts: {a: {file: link.yaml, connect: {root: hub}}}\n", "part 'a'", "which is not defined here")

    def test_of_a_node(self):
        """At a beam's end: as a marker on that node."""
        beam = ("bodies: {beam: {type: beam, to: [1, 0, 0], density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3, elements: 3, "
                "section: {rectangle: {height: 0.02, width: 0.03}}}%s}\n"
                "joints: {c: {type: fixed, between: [beam, ground], at: [0, 0, 0]}}\n%s")
        tip = ("markers: {tip: {body: beam, node: last, position: [0, 0.1, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}%s}\n")
        part = ("bodies: {b: {mass: 1, inertia: [1, 1.2, 1.4], position: [1, 0, 0.3]}}\n"
                "loads: {s: {type: bushing, between: [b, foot], translation: {stiffness: [100, 200, 300]}, "
                "rotation: {stiffness: [10, 20, 30]}}}\n")
        self.file("part.yaml", "connections: [w]\n" + part + "markers: {foot: {body: w, position: [0.1, 0, 0.2]}}\n")
        one = self.run_it("modes", beam % ("", tip % "" + "parts: {p: {file: part.yaml, connect: {w: tip}}}\n"))["eigenvalues"]
        flat = part.replace("bodies: {", "").replace("}}\nloads", "}\nloads").split("\nloads")
        foot = ", foot: {body: beam, node: last, position: [0, 0.2, 0.2], orientation: {axis: [0, 0, 1], angle: 90 deg}}"
        two = self.run_it("modes", beam % (", " + flat[0], tip % foot + "loads" + flat[1]))["eigenvalues"]
        self.assert_near(sorted(abs(z[1]) for z in one), sorted(abs(z[1]) for z in two), 1e-9)


class Cones(PartsCase):
    def test_the_tip_is_drawn_on_the_side_where_it_is(self):
        """The tip is along the shape's z: the third column of what the page has; it is reflected as every point."""
        shapes = ["axis: [0.6, 0, 0.8]", "orientation: {axis: [0, 1, 0], angle: 90 deg}", "orientation: {rpy: [0.3, -0.5, 1.2]}", ""]
        bodies = ", ".join(f"b{k}: {{mass: 1, inertia: [1, 1, 1], position: [{k}, 0, 0], shape: {{cone: {{radius: 0.1, length: 0.8}}"
                           + (f", {shape}" if shape else "") + "}}" for k, shape in enumerate(shapes))
        text = self.file("cones.yaml", f"bodies: {{{bodies}}}\n")

        def tips(model):
            page = self.path("page.html")
            subprocess.run([ROUTH, "report", model, "--output", page, "-q"], check=True, capture_output=True)
            found = re.findall(r'"kind": "cone".*?"orientation": (\[[^]]*\])', pathlib.Path(page).read_text(encoding="utf-8"))
            self.assertEqual(len(found), len(shapes))
            return numpy.array([json.loads(A) for A in found]).reshape(-1, 3, 3)[:, :, 2]
        wanted = tips(text)
        self.assert_near(wanted[:2], [[0.6, 0, 0.8], [1, 0, 0]], 1e-14)
        for k, axis in enumerate("xyz"):
            S = numpy.eye(3)
            S[k, k] = -1
            with self.subTest(axis):
                self.assert_near(tips(self.write(f"parts: {{p: {{file: cones.yaml, mirror: {axis}}}}}\n")), wanted @ S, 1e-14)


if __name__ == "__main__":
    unittest.main()
