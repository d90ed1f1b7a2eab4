"""Extrusions, plates and meshes of files: mass and inertia against sums over simplices with a quadrature rule of second degree,
in mirrored parts too, and what is refused."""
import base64
import json
import math
import os
import pathlib
import re
import struct
import sys
import unittest

import numpy
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
TIMES = math.ceil(2 * EFFORT)


def inertia(second):
    """Of the second moments int x x'."""
    return numpy.trace(second) * numpy.eye(3) - second


def star(rng, n):
    """Corners around a point, which all see."""
    angles = numpy.sort(rng.uniform(0, 2 * math.pi, n))
    while numpy.diff([*angles, angles[0] + 2 * math.pi]).max() > 3:
        angles = numpy.sort(rng.uniform(0, 2 * math.pi, n))
    return rng.uniform(0.2, 1, n)[:, None] * numpy.stack([numpy.cos(angles), numpy.sin(angles)], 1)


def section(corners, kernel):
    """Area, centre and second moments about it: of the triangles at a point that sees all corners, by the rule of the middles of
    their sides, which is exact to the second degree."""
    area, first, second = 0.0, numpy.zeros(2), numpy.zeros((2, 2))
    for p, q in zip(corners, numpy.roll(corners, -1, axis=0)):
        a = abs(numpy.linalg.det([p - kernel, q - kernel])) / 2
        area += a
        for x in ((p + q) / 2, (p + kernel) / 2, (q + kernel) / 2):
            first += a / 3 * x
            second += a / 3 * numpy.outer(x, x)
    centre = first / area
    return area, centre, second - area * numpy.outer(centre, centre)


def solid(points, triangles):
    """Volume, centre and second moments about it: of the tetrahedra at a point inside, by the rule with four points, which is
    exact to the second degree."""
    a, b = (5 - math.sqrt(5)) / 20, (5 + 3 * math.sqrt(5)) / 20
    inside = points.mean(axis=0)
    volume, first, second = 0.0, numpy.zeros(3), numpy.zeros((3, 3))
    for t in triangles:
        corners = numpy.array([inside, *points[list(t)]])
        v = numpy.linalg.det(corners[1:] - inside) / 6
        volume += v
        for k in range(4):
            x = a * corners.sum(axis=0) + (b - a) * corners[k]
            first += v / 4 * x
            second += v / 4 * numpy.outer(x, x)
    centre = first / volume
    return volume, centre, second - volume * numpy.outer(centre, centre)


def hull(rng, n, place):
    """A convex body with triangles that face outward."""
    points = rng.uniform(-1, 1, (n, 3)) * rng.uniform(0.2, 2, 3) + place
    points = points[ConvexHull(points).vertices]
    triangles = ConvexHull(points).simplices
    middle = points.mean(axis=0)
    outward = [numpy.linalg.det(points[t] - middle) > 0 for t in triangles]
    return points, [tuple(t) if out else tuple(t[::-1]) for t, out in zip(triangles.tolist(), outward)]


# ---- files ------------------------------------------------------------------------------------------------------------


def obj(points, triangles):
    lines = ["# a body", "mtllib none.mtl", "o body"] + ["v " + " ".join(map(repr, map(float, p))) for p in points]
    forms = ("f {0} {1} {2}", "f {0}/1 {1}/2 {2}/3", "f {0}//4 {1}//4 {2}//4", "f {0}/1/2 \\\n {1}/1/2 {2}/1/2  # a face")
    lines += [forms[k % 4].format(*(i + 1 for i in t)) for k, t in enumerate(triangles)]
    return ("\r\n".join(lines) + "\r\n").encode()


def obj_from_the_end(points, triangles):
    """Numbers that count back from the last point."""
    lines = ["v " + " ".join(map(repr, map(float, p))) for p in points]
    return "\n".join(lines + ["f " + " ".join(str(i - len(points)) for i in t) for t in triangles]).encode()


def stl_text(points, triangles):
    facets = ("facet normal 0 0 0\n outer loop\n" + "".join("  vertex {} {} {}\n".format(*map(float, points[i])) for i in t)
              + " endloop\nendfacet\n" for t in triangles)
    return ("solid body\n" + "".join(facets) + "endsolid body\n").encode()


def stl_binary(points, triangles):
    data = b"solid in name only".ljust(80) + struct.pack("<I", len(triangles))
    return data + b"".join(struct.pack("<12fH", 0, 0, 1, *points[list(t)].ravel(), 7) for t in triangles)


def scene(points, triangles, uri=True, strip=None):
    """A glTF scene: the body in a node with a rotation and a displacement, within one with a scale and one with a matrix that
    mirrors; (JSON, data, transform)."""
    data = points.astype("<f4").tobytes() + numpy.array(triangles if strip is None else strip, "<u4").tobytes()
    n = 3 * len(triangles) if strip is None else len(strip)
    R = Rotation.from_rotvec([0.3, -0.7, 0.2])
    mirror = numpy.diag([1.0, -1.0, 1.0, 1.0])
    mirror[:3, 3] = 0.5, 0, -1
    tree = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"children": [1], "scale": [2, 3, 0.5]}, {"children": [2], "matrix": mirror.T.ravel().tolist()},
                  {"mesh": 0, "rotation": R.as_quat().tolist(), "translation": [1, 2, 3]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4 if strip is None else 5},
                                   {"attributes": {"POSITION": 0}, "mode": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5125, "count": n, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 12 * len(points)},
                        {"buffer": 0, "byteOffset": 12 * len(points), "byteLength": 4 * n}],
        "buffers": [{"byteLength": len(data)}]}
    if uri:
        tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()

    def placed(p):
        p = R.apply(p) + [1, 2, 3]
        return (p @ mirror[:3, :3].T + mirror[:3, 3]) * [2, 3, 0.5]
    return tree, data, placed


def glb(tree, data):
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


class Solids(ModelCase):
    def mass_matrix(self, body, extra=""):
        data = self.run_it("linearize", f"gravity: [0, 0, 0]\n{extra}bodies: {{b: {{{body}}}}}\n")
        return numpy.array(data["mass"])

    def agree(self, found, mass, wanted, tolerance=1e-11):
        expected = numpy.zeros((6, 6))
        expected[:3, :3], expected[3:, 3:] = mass * numpy.eye(3), wanted
        self.assertLess(abs(found - expected).max(), tolerance * abs(expected).max())

    def keep(self, name, data):
        pathlib.Path(self.path(name)).write_bytes(data)
        return name

    # ---- sections and plates -------------------------------------------------------------------------------------------

    def test_extrusions(self):
        rng = numpy.random.default_rng(3)
        for k in range(2 * TIMES):
            corners = star(rng, 3 + 4 * k)
            place, length = rng.uniform(-3, 3, 2), rng.uniform(0.1, 2)
            area, _, second = section(corners + place, place)
            J = numpy.zeros((3, 3))
            J[:2, :2] = second * length
            J[2, 2] = area * length ** 3 / 12
            R = Rotation.from_rotvec(rng.uniform(-2, 2, 3))
            axis = R.as_rotvec() / R.magnitude()
            outline = (corners + place)[::1 if k % 2 else -1].tolist()
            shape = (f"{{extrusion: {{outline: {outline}, length: {length!r}}}, "
                     f"orientation: {{axis: {axis.tolist()}, angle: {R.magnitude()!r}}}}}")
            wanted = R.as_matrix() @ inertia(J) @ R.as_matrix().T
            with self.subTest(k=k):
                self.agree(self.mass_matrix(f"shape: {shape}, density: 3.5"), 3.5 * area * length, 3.5 * wanted)
                self.agree(self.mass_matrix(f"shape: {shape}, mass: 2"), 2, 2 / (area * length) * wanted)

    def test_a_plate_is_a_box(self):
        a = self.mass_matrix("shape: {plate: {length: 2, width: 3, thickness: 0.01}}, density: 7")
        self.assertEqual(a.tolist(), self.mass_matrix("shape: {box: {size: [2, 3, 0.01]}}, density: 7").tolist())

    def test_an_outline_can_depend_on_parameters(self):
        """A triangle of base b and height h: omega of its rotation about z on a spring c by b: I_z = rho l (b^3 h + b h^3)/36 for a
        right angle, d omega/db = -omega/2 (d I/db)/I."""
        text = ("gravity: [0, 0, 0]\nparameters: {b: 0.3}\nbodies: {w: {shape: {extrusion: {outline: [[5, 1], [5 + b, 1], [5, 1.4]], "
                "length: 0.2}}, density: 1000}}\njoints: {r: {type: revolute, between: [w, ground], at: [0, 0, 0], axis: z}}\n"
                "loads: {k: {type: torsion_spring, between: [w, ground], axis: z, stiffness: 20}}\n")
        b, h, rho = 0.3, 0.4, 1000 * 0.2
        size, slope = rho * (b ** 3 * h + b * h ** 3) / 36, rho * (3 * b * b * h + h ** 3) / 36
        omega = math.sqrt(20 / size)
        mode, = self.run_it("sensitivity", text)["modes"]
        self.assertAlmostEqual(mode["eigenvalue"][1], omega, delta=1e-11 * omega)
        by, = [x for x in mode["by"] if x["parameter"] == "b"]
        self.assertAlmostEqual(by["eigenvalue"][1], -omega / 2 * slope / size, delta=1e-9 * omega / b)

    # ---- meshes --------------------------------------------------------------------------------------------------------

    def test_meshes_of_every_format(self):
        rng = numpy.random.default_rng(8)
        for k in range(TIMES):
            points, triangles = hull(rng, 8 + 20 * k, rng.uniform(-5, 5, 3))
            single = points.astype("f4").astype(float)
            files = [("b.obj", obj(points, triangles), points, 1), ("c.OBJ", obj_from_the_end(points, triangles), points, 1),
                     ("t.stl", stl_text(points, triangles), points, 1), ("b.stl", stl_binary(points, triangles), single, 1),
                     ("in.stl", stl_text(points, [t[::-1] for t in triangles]), points, 1)]
            tree, data, placed = scene(single, triangles)
            files += [("g.gltf", json.dumps(tree).encode(), placed(single), -1)]
            tree, data, placed = scene(single, triangles, uri=False)
            files += [("g.glb", glb(tree, data), placed(single), -1)]
            tree["buffers"][0]["uri"] = self.keep("data.bin", data)
            files += [("f.gltf", json.dumps(tree).encode(), placed(single), -1)]
            for name, content, where, sense in files:
                volume, _, second = solid(where, [t[::sense] for t in triangles])
                self.keep(name, content)
                with self.subTest(name=name, k=k):
                    self.agree(self.mass_matrix(f"shape: {{mesh: {{file: {name}}}}}, density: 1.5"), 1.5 * volume,
                               1.5 * inertia(second), 1e-10)
                    self.agree(self.mass_matrix(f"shape: {{mesh: {{file: {name}, length_unit: mm}}}}, mass: 2"), 2,
                               2e-6 / volume * inertia(second), 1e-10)

    def test_a_model_in_other_units_says_what_its_meshes_are_in(self):
        """A tetrahedron of 100 mm, 100^3/6 mm^3; glTF is in m. Of density 6e-9 t/mm^3 it weighs 1 kg."""
        points = numpy.array([[0, 0, 0], [100, 0, 0], [0, 100, 0], [0, 0, 100]], "f4").astype(float)
        triangles = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
        self.keep("t.stl", stl_binary(points, triangles))
        tree, _, placed = scene(points / 1e6, triangles)
        self.keep("t.gltf", json.dumps(tree).encode())
        model = "units: [mm, t, s]\ngravity: [0, 0, 0]\nbodies: {b: {shape: {mesh: {file: %s}}, density: 6e-9}}\n"
        done = self.try_it("linearize", model % "t.stl")
        self.assertEqual(done.returncode, 1)
        self.assertIn("length_unit is missing", done.stderr)
        mass = self.run_it("linearize", model % "t.stl, length_unit: mm")["mass"][0][0]
        self.assertAlmostEqual(mass, 1, delta=1e-9)
        volume = abs(numpy.linalg.det(placed(points / 1e6)[1:] - placed(points / 1e6)[0])) / 6
        self.assertAlmostEqual(self.run_it("linearize", model % "t.gltf")["mass"][0][0], 6000 * volume, delta=1e-6 * 6000 * volume)

    def test_a_strip(self):
        """A tetrahedron is the strip a b c d a b."""
        points = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "f4").astype(float)
        tree, _, placed = scene(points, [None], strip=[0, 2, 1, 3, 0, 2])
        volume, _, second = solid(placed(points), [(0, 1, 2), (0, 3, 1), (1, 3, 2), (0, 2, 3)])
        self.keep("s.gltf", json.dumps(tree).encode())
        self.agree(self.mass_matrix("shape: {mesh: {file: s.gltf}}, density: 1"), abs(volume), inertia(second) * numpy.sign(volume), 1e-10)

    def test_mirrored_parts(self):
        """The mirror image of a body with the axes A has the axes S A S, and the inertia S J S in them."""
        rng = numpy.random.default_rng(4)
        points, triangles = hull(rng, 9, numpy.zeros(3))
        self.keep("m.obj", obj(points, triangles))
        corners = star(rng, 5).tolist()
        for shape in (f"{{extrusion: {{outline: {corners}, length: 0.3}}, orientation: {{axis: [1, 2, 3], angle: 1}}}}",
                      "{mesh: {file: m.obj}, orientation: {axis: [1, 2, 3], angle: 1}}"):
            self.keep("part.yaml", f"bodies: {{b: {{shape: {shape}, density: 5}}}}\n".encode())
            plain = self.mass_matrix(f"shape: {shape}, density: 5")
            for axis, name in enumerate("xyz"):
                data = self.run_it("linearize", f"gravity: [0, 0, 0]\nparts: {{p: {{file: part.yaml, mirror: {name}}}}}\n")
                S = numpy.eye(3)
                S[axis, axis] = -1
                self.agree(numpy.array(data["mass"]), plain[0, 0], S @ plain[3:, 3:] @ S, 1e-13)

    def test_what_cannot_be_is_refused_by_name(self):
        points, triangles = hull(numpy.random.default_rng(1), 6, numpy.zeros(3))
        self.keep("whole.obj", obj(points, triangles))
        self.keep("open.obj", obj(points, triangles[1:]))
        self.keep("twisted.obj", obj(points, [triangles[0][::-1], *triangles[1:]]))
        self.keep("twice.obj", obj(points, triangles + triangles))
        self.keep("flat.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n")
        self.keep("none.obj", b"v 0 0 0\n")
        self.keep("far.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 3\n")
        self.keep("word.obj", b"v 0 zero 0\n")
        self.keep("two.obj", b"v 0 0 0\nv 1 0 0\nf 1 2\n")
        self.keep("cut.stl", stl_binary(points, triangles)[:-3])
        self.keep("four.stl", b"solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n")
        self.keep("body.step", b"")
        self.keep("broken.gltf", b"{")
        tree, data, _ = scene(points, triangles)
        for name, change in (
                ("beyond", lambda t: t["accessors"][0].update(count=len(points) + 100)), ("old", lambda t: t["asset"].update(version="1.0")),
                ("loop", lambda t: t["nodes"][2].update(children=[0])), ("packed", lambda t: t["accessors"][0].pop("bufferView")),
                ("away", lambda t: t["buffers"][0].update(uri="../x.bin")), ("empty", lambda t: t["scenes"][0].update(nodes=[])),
                ("short", lambda t: t["buffers"][0].update(byteLength=10 ** 6)), ("sparse", lambda t: t["accessors"][0].update(sparse={})),
                ("huge", lambda t: t["accessors"][1].update(byteOffset=2 ** 62)), ("index", lambda t: t["accessors"][0].update(count=3))):
            changed = json.loads(json.dumps(tree))
            change(changed)
            self.keep(f"{name}.gltf", json.dumps(changed).encode())
        self.keep("cut.glb", glb(tree, data)[:-8])
        for shape, words in (
                ("mesh: {file: open.obj}", "mesh: it is not closed: the edge from"), ("mesh: {file: twisted.obj}", "it is not closed"),
                ("mesh: {file: twice.obj}", "it is not closed"), ("mesh: {file: flat.obj}", "what its triangles enclose has no volume"),
                ("mesh: {file: none.obj}", "none.obj: it has no triangle"), ("mesh: {file: far.obj}", "line 3: a face (f) names point 3, but 2 are known"),
                ("mesh: {file: word.obj}", "line 1: a point (v) has 3 numbers"), ("mesh: {file: two.obj}", "line 3: a face (f) has 2 corners"),
                ("mesh: {file: cut.stl}", "neither an STL file of text"), ("mesh: {file: four.stl}", "line 5: a facet has 2 vertices"),
                ("mesh: {file: body.step}", "ends with .stl, .obj, .gltf or .glb"), ("mesh: {file: missing.stl}", "missing.stl"),
                ("mesh: {file: broken.gltf}", "it is not JSON"), ("mesh: {file: beyond.gltf}", "reaches beyond its buffer"),
                ("mesh: {file: huge.gltf}", "reaches beyond its buffer"), ("mesh: {file: old.gltf}", "not glTF of version 2"),
                ("mesh: {file: loop.gltf}", "contain one another"), ("mesh: {file: packed.gltf}", "compressed meshes are not read"),
                ("mesh: {file: sparse.gltf}", "is sparse"), ("mesh: {file: away.gltf}", "not a file below the folder"),
                ("mesh: {file: empty.gltf}", "scene has no nodes"), ("mesh: {file: short.gltf}", "byteLength is 1000000"),
                ("mesh: {file: index.gltf}", "names a point that is not there"), ("mesh: {file: cut.glb}", "cut short"),
                ("mesh: {file: whole.obj, origin: file}", "not in the body's, so inertia cannot follow"),
                ("mesh: {file: whole.obj}, axis: x", "an axis does not say how the mesh stands about it"),
                ("mesh: {file: whole.obj}, box: {size: [1, 1, 1]}", "box and mesh are both given"),
                ("mesh: {length_unit: mm}", "file is missing"), ("mesh: {file: whole.obj, length_unit: km}", "length_unit"),
                ("extrusion: {outline: [[0, 0], [1, 0], [1, 1]], length: 1}, axis: x", "how the extrusion stands about it"),
                ("extrusion: {outline: [[0, 0], [1, 1], [1, 0], [0, 1]], length: 1}", "its sides from corners 1 and 3 meet"),
                ("extrusion: {outline: [[0, 0], [1, 0], [0, 0], [0, 1]], length: 1}", "meet"),
                ("extrusion: {outline: [[0, 0], [1, 0], [2, 0]], length: 1}", "meet"),
                ("extrusion: {outline: [[0, 0], [1, 0]], length: 1}", "outline must be a list of 3 to 1000 corners"),
                ("extrusion: {outline: [[0, 0], [1, 0], [1]], length: 1}", "outline"),
                ("extrusion: {outline: [[0, 0], [1, 0], [1, 1 kg]], length: 1}", "a value in m is needed"),
                ("extrusion: {outline: [[0, 0], [1, 0], [1, 1]], length: 0}", "length is 0; it must be positive"),
                ("extrusion: {length: 1}", "outline is missing"), ("plate: {length: 1, width: 1}", "thickness is missing")):
            with self.subTest(shape=shape):
                done = self.try_it("modes", f"bodies:\n  b: {{density: 1, shape: {{{shape}}}}}\n")
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)
                self.assertRegex(done.stderr, r"model\.yaml:2:\d+: body 'b'")

    def test_the_page_has_the_triangles(self):
        self.keep("t.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        text = ("bodies:\n  a: {density: 1, shape: {mesh: {file: t.obj}}}\n  b: {density: 1, position: [3, 0, 0], shape: {mesh: {file: t.obj}}}\n"
                "  c: {mass: 1, inertia: [1, 1, 1], position: [5, 0, 0], shape: {mesh: {file: t.obj, origin: file, length_unit: cm}}}\n"
                "  d: {density: 1, position: [7, 0, 0], shape: {extrusion: {outline: [[0, 0], [3, 0], [0, 3]], length: 1}}}\n")
        done = self.try_it("report", text, "--output", self.path("page.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        page = pathlib.Path(self.path("page.html")).read_text("utf-8")
        data = json.loads(re.search(r'<script type="application/json" id="routh-data">(.*?)</script>', page, re.S).group(1))
        self.assertEqual(data["meshes"][0], {"points": [0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1],
                                             "triangles": [0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3]})
        self.assertEqual([m["points"][4] for m in data["meshes"]], [1, 0.01])
        shapes = {b["name"]: b.get("shape") for b in data["bodies"]}
        self.assertEqual([shapes[b]["mesh"] for b in "abc"], [0, 0, 1])
        self.assertLess(abs(numpy.array(shapes["a"]["origin"]) - 0.25).max(), 1e-15)
        self.assertEqual(shapes["c"]["origin"], [0, 0, 0])
        self.assertLess(abs(numpy.array(shapes["d"]["outline"]) - [-1, -1, 2, -1, -1, 2]).max(), 1e-15)


if __name__ == "__main__":
    unittest.main()
