"""Flexible bodies in mirrored parts against bodies mirrored here: of finite elements with matrices T K T and T M T of their own
files, T = (S, det(S) S) at every node; beams between reflected points. All else stands reflected in the world, by numpy."""
import os
import pathlib
import random
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
AXES = {"x": 0, "y": 1, "z": 2}


def listed(values):
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def rows(A):
    return "[" + ", ".join(listed(row) for row in A) + "]"


def turned(r):
    Q, R = numpy.linalg.qr(numpy.array([[r.gauss(0, 1) for _ in range(3)] for _ in range(3)]))
    Q = Q @ numpy.diag(numpy.sign(numpy.diag(R)))
    return Q * numpy.linalg.det(Q)


def reflection(axis):
    S = numpy.eye(3)
    S[AXES[axis], AXES[axis]] = -1
    return S


def transfer(d, s):
    A, B, C, D = (numpy.array(d[k], dtype=float) for k in "ABCD")
    return D + C @ numpy.linalg.solve(s * numpy.eye(len(d["states"])) - A, B)


def write_matrix(path, X):
    entries = [(i + 1, j + 1, X[i, j]) for i in range(len(X)) for j in range(i + 1) if X[i, j]]
    path.write_text(f"%%MatrixMarket matrix coordinate real symmetric\n{len(X)} {len(X)} {len(entries)}\n"
                    + "".join(f"{i} {j} {float(x)!r}\n" for i, j, x in entries))


def cross(v):
    return numpy.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def mesh(r, n=5):
    """Nodes with masses, tied by six-by-six springs without any symmetry."""
    X = numpy.array([[0.3 * k + 0.1 * r.uniform(-1, 1), 0.2 * r.uniform(-1, 1), 0.2 * r.uniform(-1, 1)] for k in range(n)])
    K, M = numpy.zeros((6 * n, 6 * n)), numpy.zeros((6 * n, 6 * n))
    for k in range(n):
        B = numpy.array([[r.uniform(-1, 1) for _ in range(3)] for _ in range(3)])
        second = 1e-3 * (B @ B.T + 0.5 * numpy.eye(3))
        M[6 * k:6 * k + 3, 6 * k:6 * k + 3] = r.uniform(0.2, 0.5) * numpy.eye(3)
        M[6 * k + 3:6 * k + 6, 6 * k + 3:6 * k + 6] = numpy.trace(second) * numpy.eye(3) - second
    for a, b in [(k, k + 1) for k in range(n - 1)] + [(0, n - 1)]:
        C = numpy.array([[r.uniform(-1, 1) for _ in range(6)] for _ in range(6)])
        C = numpy.diag([30, 30, 30, 3, 3, 3]) @ (C @ C.T + 0.5 * numpy.eye(6)) @ numpy.diag([30, 30, 30, 3, 3, 3])
        E = numpy.zeros((6, 6 * n))  # motion of b against a's, at b
        E[:, 6 * b:6 * b + 6] = numpy.eye(6)
        E[:3, 6 * a:6 * a + 3], E[3:, 6 * a + 3:6 * a + 6] = -numpy.eye(3), -numpy.eye(3)
        E[:3, 6 * a + 3:6 * a + 6] = cross(X[b] - X[a])
        K += E.T @ C @ E
    return X, K, M


class Mirrored(PartsCase):
    def setUp(self):
        super().setUp()
        self.folder_path = pathlib.Path(self.folder.name)

    def rest(self, r):
        """What is beside the flexible body: a bob at the tip, held by springs without symmetry."""
        C = numpy.array([[r.uniform(-1, 1) for _ in range(6)] for _ in range(6)])
        return {"hold": 300 * (C @ C.T + numpy.eye(6)), "root": turned(r), "tip": turned(r), "arm": 0.1 * turned(r)[0],
                "spin": r.choice([0, 1]) * numpy.array([r.uniform(-3, 3) for _ in range(3)])}

    def text(self, parts, S, prefix, body, place, tip, root_axes, tip_axes, arm, spin):
        """Bodies, markers, joints and loads; S: reflected by hand."""
        det = round(numpy.linalg.det(S))
        W = numpy.zeros((6, 6))
        W[:3, :3], W[3:, 3:] = S, det * S
        K = W @ parts["hold"] @ W
        bob = S @ tip
        p = prefix
        on = "hub" if prefix else "base"
        return (f"bodies:\n  {p}flex: {{{body}, {place}, angular_velocity: {listed(det * S @ spin)}}}\n"
                f"  {p}bob: {{mass: 0.7, inertia: [0.1, 0.12, 0.15], position: {listed(bob)}, "
                f"velocity: {listed(det * numpy.cross(S @ spin, bob))}}}\n",
                f"markers:\n  {p}root: {{body: {p}flex, node: 1, orientation: {{matrix: {rows(root_axes)}}}}}\n"
                f"  {p}tip: {{body: {p}flex, node: 5, position: {listed(arm)}, orientation: {{matrix: {rows(tip_axes)}}}}}\n"
                f"joints:\n  {p}root: {{type: spherical, between: [{p}root, {on}]}}\n"
                f"  {p}tip: {{type: spherical, between: [{p}tip, {p}bob]}}\n"
                f"loads:\n  {p}hold: {{type: bushing, between: [{p}bob, ground], at: {listed(bob)}, stiffness: {rows(K)}}}\n")

    OUTSIDE = ("inputs: {u: 0, v: 0, w: 0}\n"
               'outputs: {dx: "DX(B.bob)", dy: "DY(B.bob)", dz: "DZ(B.bob)", tx: "WX(B.tip)", ty: "WY(B.tip)", '
               'tz: "WZ(B.tip, ground, B.tip)", rz: "WZ(B.root, ground, B.root)", '
               + ", ".join(f'{n.lower()}: "{n}(B.tip)"' for n in ("ACCX", "ACCY", "ACCZ", "WDTX", "WDTY", "WDTZ")) + "}\n"
               "operating_point: {type: given}\n")
    PUSH = "  push: {type: force, on: B.bob, components: [u, v, w]}\n"
    GROUNDED = "  hub_ground: {type: bushing, between: [hub, ground], translation: {stiffness: 900}, rotation: {stiffness: 400}}\n"

    def compare(self, used, flat, what):
        """Linear models at rest; at any velocity accelerations and forces, which know of no states."""
        one, two = self.run_it("linearize", flat, "-q"), self.run_it("linearize", used, "-q")
        self.assertEqual(one["outputs"], two["outputs"])
        self.assertEqual(len(one["states"]), len(two["states"]))
        self.assert_near(two["output_values"], one["output_values"], 1e-9, what)
        if not one["at_rest"]:
            return
        for s in (1 + 2j, 3 - 30j, 20 + 100j):
            g, h = transfer(one, s), transfer(two, s)
            self.assertLess(numpy.abs(g - h).max(), 1e-7 * numpy.abs(g).max(), what)

    def both(self, axis, r, body_of, nodes, frame_axes):
        """body_of(S): the fields of the body; nodes: of root and tip; frame_axes(S): of the nodes in the body's frame."""
        parts, S = self.rest(r), reflection(axis)
        A0, A1 = frame_axes(numpy.eye(3)), frame_axes(S)
        arm = parts["arm"]
        tip = nodes[1] - nodes[0] + A0 @ arm
        place = lambda S, w: f"position: {listed(-S @ nodes[0])}, velocity: {listed(numpy.cross(w, -S @ nodes[0]))}"  # noqa: E731
        spin, det = parts["spin"], round(numpy.linalg.det(S))
        head, tail = self.text(parts, numpy.eye(3), "", body_of(None), place(numpy.eye(3), spin), tip, parts["root"], parts["tip"], arm, parts["spin"])
        self.file("part.yaml", "connections: [base]\nexports: [flex, bob, tip, root]\n" + head + tail)
        hub = "  hub: {mass: 3, inertia: [1, 1.1, 1.2]}\n"
        used = ("bodies:\n" + hub + f"parts: {{B: {{file: part.yaml, mirror: {axis}, connect: {{base: hub}}}}}}\n"
                + "loads:\n" + self.GROUNDED + self.PUSH + self.OUTSIDE)
        # by hand: axes of markers in the world B become S B S, points S x. Frames of nodes are reflected but for signs of their
        # axes: without rounding, as that of a point that two bodies share, times stiffness over mass, is an acceleration
        signs = numpy.round(A1.T @ S @ A0)
        self.assertLess(abs(A1.T @ S @ A0 - signs).max(), 1e-14)
        local = lambda B: signs @ B @ S  # noqa: E731
        head, tail = self.text(parts, S, "B_", body_of(S), place(S, det * S @ spin), tip, local(parts["root"]),
                               local(parts["tip"]), signs @ arm, parts["spin"])
        flat = head + hub + tail + self.GROUNDED + self.PUSH.replace("B.", "B_") + self.OUTSIDE.replace("B.", "B_")
        self.compare(used, flat, axis)

    def rotating(self, axis, body_of, nodes, rate):
        """On a hub that turns: bent by the rotation, eigenvalues have all terms of motion and deformation."""
        S = reflection(axis)
        x = listed(-nodes[0])
        part = ("connections: [base]\nexports: [flex]\n"
                f"bodies: {{flex: {{{body_of(None)}, position: {x}}}}}\n"
                "markers: {root: {body: flex, node: 1}}\njoints: {root: {type: fixed, between: [root, base]}}\n")
        self.file("part.yaml", part)
        hub = ("joints:\n  axle: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
               f"operating_point: {{type: steady}}\nsteady: {{axis: z, turn_rate: {rate!r}}}\n")
        own = f"bodies:\n  hub: {{mass: 3, inertia: [1, 1.1, 1.2], angular_velocity: [0, 0, {rate!r}]}}\n"
        used = own + f"parts: {{B: {{file: part.yaml, mirror: {axis}, connect: {{base: hub}}}}}}\n" + hub
        flat = (own + f"  flex: {{{body_of(S)}, position: {listed(-S @ nodes[0])}}}\n"
                + "markers: {root: {body: flex, node: 1}}\n" + hub.replace("joints:\n", "joints:\n  root: {type: fixed, between: [root, hub]}\n"))
        one, two = (numpy.array([complex(*z) for z in self.run_it("modes", t, "-q")["eigenvalues"]]) for t in (flat, used))
        self.assertEqual(len(one), len(two))
        for z in one:
            self.assertLess(abs(two - z).min(), 1e-7 * max(1, abs(z)), axis)

    def finite_elements(self, seed, axis):
        r = random.Random(seed)
        X, K, M = mesh(r)
        for name, S in (("", numpy.eye(3)), ("hand", reflection(axis))):
            det = round(numpy.linalg.det(S))
            T = numpy.kron(numpy.eye(len(X)), numpy.block([[S, numpy.zeros((3, 3))], [numpy.zeros((3, 3)), det * S]]))
            write_matrix(self.folder_path / f"{name}k.mtx", T @ K @ T)
            write_matrix(self.folder_path / f"{name}m.mtx", T @ M @ T)
            (self.folder_path / f"{name}nodes.txt").write_text(
                "".join(f"{k + 1} {' '.join(repr(float(c)) for c in S @ x)}\n" for k, x in enumerate(X)))
        modes = r.choice(["modes: 6", "modes: 4, normal_modes: free"])

        def body(S):
            name = "" if S is None else "hand"
            return (f"type: modal, stiffness_matrix: {name}k.mtx, mass_matrix: {name}m.mtx, nodes: {name}nodes.txt, "
                    f"interface: [1, 5], {modes}, damping_ratio: 0.02")
        if seed % 2:
            self.rotating(axis, body, (X[0], X[-1]), 4.0)
        self.both(axis, r, body, (X[0], X[-1]), lambda S: numpy.eye(3))

    def test_bodies_of_finite_elements(self):
        every = [(seed, axis) for seed in range(100) for axis in "xyz"]
        for seed, axis in every if EFFORT > 1 else ((0, "x"), (1, "y"), (3, "z")):
            self.finite_elements(seed, axis)

    def beam(self, seed, axis):
        r = random.Random(seed)
        start, along, side = 0.2 * turned(r)[0], turned(r)[0], turned(r)[0]
        given, frame = r.choice([True, False]), r.choice(["tangent", "mean-axis"])

        def section(S):
            x = S @ along
            usual = numpy.cross([0, 0, 1], along)
            y = S @ (side if given else usual)
            y = y - (y @ x) * x
            y /= numpy.linalg.norm(y)
            return numpy.array([x, y, numpy.cross(x, y)]).T

        def body(S):
            S = numpy.eye(3) if S is None else S
            own = f", side: {listed(S @ (side if given else numpy.cross([0, 0, 1], along)))}"
            if not given and numpy.allclose(S, numpy.eye(3)):
                own = ""
            return (f"type: beam, from: {listed(S @ start)}, to: {listed(S @ (start + 0.8 * along))}, elements: 4, density: 2700, "
                    f"area: 4e-4, iyy: 3e-9, izz: 1e-8, torsion_constant: 2e-9, youngs_modulus: 7e9, poissons_ratio: 0.3, "
                    f"frame: {frame}, damping: {{stiffness: 1e-5}}{own}")
        if seed % 2 and frame == "tangent":
            self.rotating(axis, body, (start, start + 0.8 * along), 4.0)
        self.both(axis, r, body, (start, start + 0.8 * along), section)

    def test_beams(self):
        every = [(seed, axis) for seed in range(100) for axis in "yz"]
        for seed, axis in every if EFFORT > 1 else ((2, "y"), (1, "z"), (5, "y")):
            self.beam(seed, axis)

    def test_states_of_nodes_are_about_their_own_axes(self):
        """The velocities and angular velocities of the tip in its own axes are the rates of its states."""
        self.file("part.yaml", "connections: [wall]\nexports: [tip]\nbodies:\n  b: {type: beam, from: [0, 0, 0], to: [1, 0.3, 0.2], elements: 2, "
                  "frame: tangent, density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3, section: {circle: {radius: 0.02}}}\n"
                  "markers: {tip: {body: b, node: last}, root: {body: b, node: first}}\njoints: {c: {type: fixed, between: [root, wall]}}\n")
        names = [f"{kind}{axis}" for kind in "VW" for axis in "XYZ"]
        outputs = ", ".join(f'{name}: "{name}(p.tip, ground, p.tip)"' for name in names)
        for axis in "yz":
            data = self.run_it("linearize", f"parts: {{p: {{file: part.yaml, mirror: {axis}, connect: {{wall: ground}}}}}}\noutputs: {{{outputs}}}\n")
            states = [state["name"] if isinstance(state, dict) else state for state in data["states"]]
            places = [states.index(f"p.b.3.{c}'") for c in ("x", "y", "z", "rx", "ry", "rz")]
            C = numpy.array(data["C"])
            self.assertLess(abs(C[:, places] - numpy.eye(6)).max(), 1e-12, axis)

    def test_a_beam_is_refused_across_x(self):
        self.file("part.yaml", "bodies: {b: {type: beam, to: [1, 0, 0], density: 1, area: 1, izz: 1, youngs_modulus: 1, planar: true}}\n")
        self.refused("parts: {p: {file: part.yaml, mirror: x}}\n", "across x", "run along it", "part.yaml:1:")


if __name__ == "__main__":
    unittest.main()
