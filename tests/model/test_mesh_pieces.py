"""Meshes of several pieces, scenes that place them otherwise than by transforms, and sections far from their origin: mass and
inertia against boxes in closed form, and refusals by name where they are not what the file shows."""
import base64
import json
import math
import pathlib
import sys
import unittest

import numpy
from scipy.spatial.transform import Rotation

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


class Box:
    """A box of triangles, its sides turned by R, that faces outward or inward."""

    def __init__(self, size, centre=(0, 0, 0), R=numpy.eye(3), inward=False):
        self.size, self.centre, self.R = numpy.array(size, float), numpy.array(centre, float), R
        corners = numpy.array([[x, y, z] for x in (-.5, .5) for y in (-.5, .5) for z in (-.5, .5)]) * self.size
        triangles = [t for a, b, c, d in SIDES for t in ((a, b, c), (a, c, d))]
        self.triangles = [t if (numpy.linalg.det(corners[list(t)]) > 0) != inward else t[::-1] for t in triangles]
        self.points = corners @ R.T + self.centre

    def moments(self):
        """Volume, int x and int x x'."""
        V, c = self.size.prod(), self.centre
        return V, V * c, V * (self.R @ numpy.diag(self.size ** 2 / 12) @ self.R.T + numpy.outer(c, c))


def joined(*boxes):
    points, triangles, n = [], [], 0
    for box in boxes:
        points.extend(box.points)
        triangles += [[i + n for i in t] for t in box.triangles]
        n += len(box.points)
    return numpy.array(points), triangles


def inertia_of(signed):
    """Volume, and inertia about the centre of mass, of boxes with signs."""
    V, first, second = (sum(s * box.moments()[k] for s, box in signed) for k in range(3))
    S = second - numpy.outer(first, first) / V
    return V, numpy.trace(S) * numpy.eye(3) - S


def obj(points, triangles):
    return ("".join("v " + " ".join(repr(float(x)) for x in p) + "\n" for p in points)
            + "".join("f " + " ".join(str(i + 1) for i in t) + "\n" for t in triangles))


def stl(points, triangles, name):
    facets = ("facet normal 0 0 1\nouter loop\n" + "".join("vertex {!r} {!r} {!r}\n".format(*map(float, points[i])) for i in t)
              + "endloop\nendfacet\n" for t in triangles)
    return f"solid {name}\n" + "".join(facets) + f"endsolid {name}\n"


def scene(box):
    data = box.points.astype("<f4").tobytes() + numpy.array(box.triangles, "<u2").tobytes()
    n = 12 * len(box.points)
    return {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(box.points), "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": n}, {"buffer": 0, "byteOffset": n, "byteLength": len(data) - n}],
            "buffers": [{"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}]}


class Pieces(ModelCase):
    def keep(self, name, text):
        pathlib.Path(self.path(name)).write_text(text, encoding="utf-8")
        return name

    def has(self, shape, volume, inertia, tolerance=1e-12):
        data = self.run_it("linearize", f"gravity: [0, 0, 0]\nbodies: {{b: {{density: 2, shape: {{{shape}}}}}}}\n")
        found, wanted = numpy.array(data["mass"]), numpy.zeros((6, 6))
        wanted[:3, :3], wanted[3:, 3:] = 2 * volume * numpy.eye(3), 2 * inertia
        self.assertLess(abs(found - wanted)[:3].max(), tolerance * 2 * volume)
        self.assertLess(abs(found - wanted).max(), tolerance * 2 * abs(inertia).max() + tolerance * 2 * volume)

    def is_refused(self, shape, *words):
        done = self.try_it("linearize", f"bodies: {{b: {{density: 2, shape: {{{shape}}}}}}}\n")
        self.assertEqual(done.returncode, 1, done.stdout[:200])
        for word in ("body 'b'", *words):
            self.assertIn(word, done.stderr)

    def is_mesh(self, boxes, signed):
        self.keep("m.obj", obj(*joined(*boxes)))
        self.has("mesh: {file: m.obj}", *inertia_of(signed))

    def test_solids_beside_one_another_and_hollows(self):
        R = Rotation.from_rotvec([0.3, -0.5, 0.8]).as_matrix()
        out = lambda a, c=(0, 0, 0), **k: Box([a, 2 * a, 3 * a], R @ numpy.array(c), R, **k)  # noqa: E731
        for turned in (False, True):  # a whole that faces inward is as good
            one, two = out(1, inward=turned), out(0.3, (5, 0, 0), inward=turned)
            hole, core = out(0.7, (0.05, 0, 0), inward=not turned), out(0.3, inward=turned)
            self.is_mesh([one, two], [(1, one), (1, two)])
            self.is_mesh([hole, one], [(-1, hole), (1, one)])
            self.is_mesh([core, hole, two, one], [(1, core), (-1, hole), (1, two), (1, one)])
        stacked = [Box([1, 1, 1], (0, 0, 1)), Box([3, 3, 1], (0.2, 0, 0))]  # a face of one on one of the other
        self.is_mesh(stacked, [(1, b) for b in stacked])

    def test_pieces_that_share_space_or_face_the_wrong_way_are_refused(self):
        big = Box([1, 1, 1])
        for other, words in ((Box([0.5, 0.5, 0.5]), "it encloses the same space twice"),
                             (Box([1, 1, 1], (0.5, 0.1, 0.2)), "it encloses the same space twice"),
                             (Box([0.9, 0.9, 0.9], (2, 0, 0), inward=True), "faces inward that is not a hollow of another")):
            for boxes in ((big, other), (other, big)):
                self.keep("m.obj", obj(*joined(*boxes)))
                self.is_refused("mesh: {file: m.obj}", words, "place it by the origin of its file")
        hollow = Box([0.5, 0.5, 0.5], inward=True)
        self.keep("m.obj", obj(*joined(big, hollow, Box([0.4, 0.4, 0.4], (0.01, 0, 0), inward=True))))
        self.is_refused("mesh: {file: m.obj}", "faces inward that is not a hollow of another")

    def test_a_piece_that_passes_through_itself_is_refused(self):
        """A prism on a pentagram, which goes around its middle twice, and one on a star with the same corners in order."""
        for order, refused in ((2, True), (1, False)):
            rim = [[math.cos(0.4 * math.pi * order * k + 0.1), math.sin(0.4 * math.pi * order * k + 0.1)] for k in range(5)]
            points = numpy.array([[*p, z] for z in (0, 1) for p in [*rim, [0, 0]]])
            triangles = []
            for k in range(5):
                j = (k + 1) % 5
                triangles += [[5, j, k], [11, 6 + k, 6 + j], [k, j, 6 + j], [k, 6 + j, 6 + k]]
            self.keep("m.obj", obj(points, triangles))
            if refused:
                self.is_refused("mesh: {file: m.obj}", "it encloses the same space twice")
            else:
                area = 2.5 * math.sin(0.4 * math.pi)
                data = self.run_it("linearize", "bodies: {b: {density: 2, shape: {mesh: {file: m.obj}}}}\n")
                self.assertAlmostEqual(data["mass"][0][0], 2 * area, delta=1e-12)

    def test_a_sheet_beside_a_solid_has_no_mass(self):
        box = Box([1, 1, 1])
        points = numpy.array([*box.points, [2, 0, 0], [3, 0, 0.3], [2, 1, 0]])
        self.keep("m.obj", obj(points, [*box.triangles, [8, 9, 10], [10, 9, 8]]))
        self.has("mesh: {file: m.obj}", *inertia_of([(1, box)]))

    def test_narrow_triangles_on_a_side_are_no_fault(self):
        """A corner in the middle of a side, as triangles without area close it."""
        box = Box([1, 1, 1])
        a, b, c = box.triangles[0]
        points = numpy.array([*box.points, (box.points[a] + box.points[b]) / 2])
        triangles = [[a, 8, c], [8, b, c], [a, b, 8], *box.triangles[1:]]
        self.keep("m.obj", obj(points, triangles))
        self.has("mesh: {file: m.obj}", *inertia_of([(1, box)]))

    def test_many_pieces_are_looked_at_fast(self):
        n = 3000
        boxes = [Box([0.8, 0.8, 0.8], (k % 15, k // 15 % 15, k // 225)) for k in range(n)]
        self.is_mesh(boxes, [(1, box) for box in boxes])

    def test_the_origin_of_a_file_may_be_its_centre_up_to_rounding(self):
        box = Box([1, 2, 3], R=Rotation.from_rotvec([0.7, 0.2, 0.1]).as_matrix())
        self.keep("m.obj", obj(box.points, box.triangles))
        self.has("mesh: {file: m.obj, origin: file}", *inertia_of([(1, box)]))
        self.keep("m.obj", obj(box.points + [1e-5, 0, 0], box.triangles))
        self.is_refused("mesh: {file: m.obj, origin: file}", "not in the body's")

    def test_names_of_text_files_are_no_keywords(self):
        box = Box([1, 2, 3])
        text = stl(box.points, box.triangles, "a vertex of the endfacet")
        for name, content in (("a.stl", text), ("b.stl", "\n \t" + text), ("c.stl", text.upper()), ("d.stl", text.replace("\n", "\r\n"))):
            self.keep(name, content)
            self.has(f"mesh: {{file: {name}}}", *inertia_of([(1, box)]))

    def test_rotations_are_of_length_one(self):
        """With four digits, as writers round them; else refused, as all that is not written as glTF has it."""
        box = Box([1, 2, 3])
        tree = scene(box)
        tree["nodes"][0]["rotation"] = [0, 0, 0.7071, 0.7071]
        self.keep("m.gltf", json.dumps(tree))
        self.has("mesh: {file: m.gltf}", *inertia_of([(1, Box([2, 1, 3]))]), 1e-12)

    def test_what_a_scene_says_otherwise_is_refused(self):
        for change, words in (
                ({"rotation": [0, 0, 1, 1]}, "rotation of a node is a quaternion of length 1.414; it must be 1"),
                ({"rotation": [0, 0, 1]}, "rotation of a node must be 4 numbers"), ({"scale": [2, 2]}, "scale of a node must be 3 numbers"),
                ({"scale": [1, 1, "2"]}, "scale of a node must be 3 numbers"), ({"translation": 3}, "translation of a node must be 3 numbers"),
                ({"matrix": [1.0] * 9}, "matrix of a node must be 16 numbers"),
                ({"matrix": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}, "must end with the row 0, 0, 0, 1"),
                ({"skin": 0}, "nodes[0] has a skin"), ({"weights": [0, 0.5]}, "nodes[0] has weights of morph targets"),
                ({"extensions": {"EXT_mesh_gpu_instancing": {}}}, "nodes[0] has instances"),
                ({"children": 0}, "children must be a list"), ({"mesh": 7}, "nodes[0] names a mesh that is missing")):
            tree = scene(Box([1, 2, 3]))
            tree["nodes"][0].update(change)
            with self.subTest(change=change):
                self.keep("m.gltf", json.dumps(tree))
                self.is_refused("mesh: {file: m.gltf}", "m.gltf", words)
        for change, words in (
                (lambda t: t.update(extensionsRequired=["KHR_draco_mesh_compression"]), "requires the extension KHR_draco_mesh_compression"),
                (lambda t: t["meshes"][0].update(weights=[1]), "weights of morph targets"),
                (lambda t: t["accessors"][1].update(count=35), "has 35 corners, no multiple of 3"),
                (lambda t: t["meshes"][0]["primitives"][0].update(mode=7), "no mode that glTF has")):
            tree = scene(Box([1, 2, 3]))
            change(tree)
            self.keep("m.gltf", json.dumps(tree))
            self.is_refused("mesh: {file: m.gltf}", "m.gltf", words)
        tree = scene(Box([1, 2, 3]))
        tree["extensionsRequired"] = ["KHR_materials_unlit", "KHR_texture_transform"]
        self.keep("m.gltf", json.dumps(tree))
        self.has("mesh: {file: m.gltf}", *inertia_of([(1, Box([1, 2, 3]))]))

    def test_sections_far_away(self):
        """An L of two rectangles; its corners are rounded to eps 1e6 there, 1e-9 of its sides."""
        corners = numpy.array([[0, 0], [0.2, 0], [0.2, 0.1], [0.1, 0.1], [0.1, 0.3], [0, 0.3]])
        wanted = inertia_of([(1, Box([0.2, 0.1, 1], (0.1, 0.05, 0))), (1, Box([0.1, 0.2, 1], (0.05, 0.2, 0)))])
        for away in (0, 1e3, 1e6):
            outline = (corners + [away, -1.3 * away]).tolist()
            self.has(f"extrusion: {{outline: {outline}, length: 1}}", *wanted, tolerance=1e-12 + 1e-14 * away)

    def test_corners_on_a_line_are_told(self):
        for corners in ("[0.1, 0.2], [0.7, 0.4], [1.3, 0.6]", "[0, 0], [0.1, 0.3], [0.2, 0.6]",
                        "[1000.1, 2000.2], [1000.7, 2000.4], [1001.3, 2000.6]"):
            self.is_refused(f"extrusion: {{outline: [{corners}], length: 1}}", "outline: its ")


if __name__ == "__main__":
    unittest.main()
