"""routh modes --blades: rotors in multi-blade coordinates against equations of motion that are made here, by positions of point
masses as power series in the coordinates and in time; against the modes that the rotating hub sees; and what is refused."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
SETS = ["absolute", "euler-parameters", "euler-angles", "relative", "natural"]


# ---- power series: to second order in n coordinates, to second order in time ---------------------------------------------------


class Series:
    """c[k] of t^k: value, gradient, Hessian."""

    def __init__(self, v, g, h):
        self.v, self.g, self.h = v, g, h

    @staticmethod
    def number(x, n):
        v = np.zeros(3)
        v[0] = x
        return Series(v, np.zeros((3, n)), np.zeros((3, n, n)))

    @staticmethod
    def coordinate(i, x, n):
        s = Series.number(x, n)
        s.g[0, i] = 1
        return s

    def __add__(self, o):
        if not isinstance(o, Series):
            o = Series.number(o, self.g.shape[1])
        return Series(self.v + o.v, self.g + o.g, self.h + o.h)

    __radd__ = __add__

    def __mul__(self, o):
        if not isinstance(o, Series):
            return Series(self.v * o, self.g * o, self.h * o)
        n = self.g.shape[1]
        r = Series(np.zeros(3), np.zeros((3, n)), np.zeros((3, n, n)))
        for i in range(3):
            for j in range(3 - i):
                r.v[i + j] += self.v[i] * o.v[j]
                r.g[i + j] += self.v[i] * o.g[j] + self.g[i] * o.v[j]
                cross = np.outer(self.g[i], o.g[j])
                r.h[i + j] += self.v[i] * o.h[j] + self.h[i] * o.v[j] + cross + cross.T
        return r

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1.0

    def sine(self, phase=0.0):
        """sin(self + phase); powers of what is beside the value end with the fourth."""
        a = self.v[0] + phase
        d = self + -self.v[0]
        terms, power, result = [math.sin(a), math.cos(a), -math.sin(a) / 2, -math.cos(a) / 6, math.sin(a) / 24], None, None
        for k, c in enumerate(terms):
            power = Series.number(1.0, self.g.shape[1]) if k == 0 else power * d
            result = power * c if result is None else result + power * c
        return result


def times(A, b):
    """A b of 3 x 3 lists and vectors of series and numbers."""
    return [A[i][0] * b[0] + A[i][1] * b[1] + A[i][2] * b[2] for i in range(3)]


def product(A, B):
    columns = [times(A, [B[0][j], B[1][j], B[2][j]]) for j in range(3)]
    return [[columns[j][i] for j in range(3)] for i in range(3)]


def about_x(a, one):
    c, s = a.sine(math.pi / 2), a.sine()
    return [[one, one * 0.0, one * 0.0], [one * 0.0, c, -s], [one * 0.0, s, c]]


def about_y(a, one):
    c, s = a.sine(math.pi / 2), a.sine()
    return [[c, one * 0.0, s], [one * 0.0, one, one * 0.0], [-s, one * 0.0, c]]


# ---- the turbine -----------------------------------------------------------------------------------------------------------------


class Turbine:
    """A nacelle on a mount of six springs, a rotor on a tilted shaft, blades that flap and lag about hinges with springs. Drawn
    with the cone at which the springs are at rest."""

    speed, cone, tilt, phase = 7.0, 0.1, 0.1, 0.3
    nacelle, nacelle_inertia = 60.0, (30.0, 20.0, 25.0)
    hub, hub_inertia, overhang = 5.0, (2.0, 1.3, 1.3), 0.8
    hinge, root, root_inertia = 0.25, 0.5, (0.02, 0.02, 0.02)
    blade, inertia, arm = 4.0, (1.7, 1.6, 0.1), 2.0  # about x across the plane, y of flapping, z outwards
    flap, lag, flap_damping, lag_damping = 900.0, 2500.0, 3.0, 5.0
    mount, mount_damping = (3e4, 2e4, 5e4, 9e4, 6e4, 4e4), (40.0, 30.0, 60.0, 50.0, 40.0, 30.0)

    def __init__(self, blades, speed=7.0):
        self.N, self.speed = blades, speed

    def flapped(self):
        """Where flap (b - cone) + W^2 (e m r sin b + (S_zz - S_xx) sin b cos b) = 0, S the second moments about the hinge."""
        jx, jy, jz = self.inertia
        s = (jx + jy - jz) / 2 + self.blade * self.arm ** 2 - (jy + jz - jx) / 2
        b, W2, em = self.cone, self.speed ** 2, self.hinge * self.blade * self.arm
        for _ in range(60):
            f = self.flap * (b - self.cone) + W2 * (em * math.sin(b) + s * math.sin(b) * math.cos(b))
            b -= f / (self.flap + W2 * (em * math.cos(b) + s * math.cos(2 * b)))
        return b

    @staticmethod
    def points(mass, inertia):
        """Six masses of this inertia, on three axes."""
        half = sum(inertia) / 2
        for i in range(3):
            for sign in (1, -1):
                p = [0.0, 0.0, 0.0]
                p[i] = sign * math.sqrt(3 * (half - inertia[i]) / mass)
                yield mass / 6, p

    def masses(self, q, one):
        """[(mass, position)], positions as series."""
        N, zero = self.N, one * 0.0
        out = []

        def add(mass, inertia, centre, A):
            for m, p in self.points(mass, inertia):
                out.append((m, [centre[i] + x for i, x in enumerate(times(A, [one * c for c in p]))]))

        x, y, z = q[3:6]
        cross = [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
        square = product(cross, cross)
        R = [[cross[i][j] + square[i][j] * 0.5 + (1.0 if i == j else 0.0) for j in range(3)] for i in range(3)]
        add(self.nacelle, self.nacelle_inertia, q[:3], R)
        turn = one * self.phase
        turn.v[1] = self.speed
        F = product(R, about_y(one * self.tilt, one))
        centre = [q[i] + c for i, c in enumerate(times(F, [one * self.overhang, zero, zero]))]
        add(self.hub, self.hub_inertia, centre, product(F, about_x(turn, one)))
        for k in range(N):
            B = product(F, about_x(turn + 2 * math.pi * k / N, one))
            hinge = [centre[i] + c for i, c in enumerate(times(B, [zero, zero, one * self.hinge]))]
            B = product(B, about_y(q[6 + k], one))
            add(self.root, self.root_inertia, hinge, B)
            B = product(B, about_x(q[6 + N + k], one))
            end = [hinge[i] + c for i, c in enumerate(times(B, [zero, zero, one * self.arm]))]
            add(self.blade, self.inertia, end, B)
        return out

    def reference(self):
        """Eigenvalues of the constant equations: of M q'' + C q' + K q = 0 at the azimuth `phase`, M = sum m J' J,
        C = sum 2 m J' J', K = sum m (J' J'' + H r''), with springs, in multi-blade coordinates."""
        N, n = self.N, 6 + 2 * self.N
        b = self.flapped()
        start = [0.0] * 6 + [b] * N + [0.0] * N
        one = Series.number(1.0, n)
        M, C, K, f = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n)), np.zeros(n)
        for mass, r in self.masses([Series.coordinate(i, x, n) for i, x in enumerate(start)], one):
            for s in r:
                J, dJ, ddJ, acceleration = s.g[0], s.g[1], 2 * s.g[2], 2 * s.v[2]
                M += mass * np.outer(J, J)
                C += 2 * mass * np.outer(J, dJ)
                K += mass * (np.outer(J, ddJ) + acceleration * s.h[0])
                f += mass * acceleration * J
        K += np.diag(self.mount + (self.flap,) * N + (self.lag,) * N)
        C += np.diag(self.mount_damping + (self.flap_damping,) * N + (self.lag_damping,) * N)
        f[6:6 + N] += self.flap * (b - self.cone)
        assert abs(f).max() < 1e-9 * self.flap, f
        T = [self.transformation(d) for d in range(3)]
        Z = np.zeros((n, n))
        A = np.block([[Z, np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
        both = np.block([[T[0], Z], [T[1], T[0]]])
        return np.linalg.eigvals(np.linalg.solve(both, A @ both - np.block([[T[1], Z], [T[2], T[1]]])))

    def transformation(self, d):
        """The d-th time derivative of what makes angles of blades of multi-blade coordinates."""
        N, n = self.N, 6 + 2 * self.N
        T = np.eye(n) if d == 0 else np.zeros((n, n))
        for first in (6, 6 + N):
            for k in range(N):
                row = [1.0 if d == 0 else 0.0]
                for h in range(1, (N - 1) // 2 + 1):
                    angle = h * (self.phase + 2 * math.pi * k / N)
                    row += [(h * self.speed) ** d * math.cos(angle + d * math.pi / 2),
                            (h * self.speed) ** d * math.sin(angle + d * math.pi / 2)]
                if N % 2 == 0:
                    row.append((-1.0) ** k if d == 0 else 0.0)
                T[first + k, first:first + N] = row
        return T

    def text(self, Q, origin, names):
        """The model file, turned by Q and moved to `origin`."""
        def rx(a):
            return np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])

        def ry(a):
            return np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])

        def row(v):
            return "[" + ", ".join(f"{float(x):.17g}" for x in v) + "]"

        def six(numbers):
            a, b, zero = Q @ np.diag(numbers[:3]) @ Q.T, Q @ np.diag(numbers[3:]) @ Q.T, np.zeros((3, 3))
            return "[" + ", ".join(row(r) for r in np.block([[a, zero], [zero, b]])) + "]"

        F = Q @ ry(self.tilt)
        H = F @ rx(self.phase)
        centre, w = origin + F[:, 0] * self.overhang, F[:, 0] * self.speed
        bodies, joints, loads = ["bodies:"], ["joints:"], ["loads:"]

        def body(name, mass, inertia, r, A, turns=True):
            moves = f", angular_velocity: {row(w)}, velocity: {row(np.cross(w, r - centre))}" if turns else ""
            bodies.append(f"  {name}: {{mass: {mass}, inertia: {row(inertia)}, position: {row(r)}, orientation: "
                          f"{{x: {row(A[:, 0])}, z: {row(A[:, 2])}}}{moves}}}")

        def hinge(name, between, at, axis, stiffness, damping):
            joints.append(f"  {name}: {{type: revolute, between: {between}, at: {row(at)}, axis: {row(axis)}}}")
            loads.append(f"  of_{name}: {{type: torsion_spring, between: {between}, at: {row(at)}, axis: {row(axis)}, "
                         f"stiffness: {stiffness}, damping: {damping}}}")

        body("nacelle", self.nacelle, self.nacelle_inertia, origin, Q, False)
        body("hub", self.hub, self.hub_inertia, centre, H)
        joints.append(f"  bearing: {{type: revolute, between: [hub, nacelle], at: {row(centre)}, axis: {row(F[:, 0])}}}")
        joints.append(f"  drive: {{type: motion, joint: bearing, function: \"{self.speed}*time\"}}")
        loads.append(f"  mount: {{type: bushing, between: [nacelle, ground], at: {row(origin)}, stiffness: {six(self.mount)}, "
                     f"damping: {six(self.mount_damping)}}}")
        for k, name in enumerate(names):
            B = H @ rx(2 * math.pi * k / self.N)
            A, at = B @ ry(self.cone), centre + self.hinge * B[:, 2]
            body(f"{name}_root", self.root, self.root_inertia, at, A)
            body(name, self.blade, self.inertia, at + self.arm * A[:, 2], A)
            hinge(f"flap{k}", f"[{name}_root, hub]", at, B[:, 1], self.flap, self.flap_damping)
            hinge(f"lag{k}", f"[{name}, {name}_root]", at, A[:, 0], self.lag, self.lag_damping)
        return "\n".join(["gravity: [0, 0, 0]", *bodies, *joints, *loads, "operating_point: {type: given}", ""])


# ---- runs ------------------------------------------------------------------------------------------------------------------------


def run(model, *arguments):
    return subprocess.run([ROUTH, *map(str, arguments[:1]), str(model), *map(str, arguments[1:])], capture_output=True, text=True,
                          check=False)


def eigenvalues(done):
    if done.returncode:
        raise AssertionError(done.stderr)
    return [complex(*x) for x in json.loads(done.stdout)["eigenvalues"]]


def difference(found, expected):
    """The largest distance of pairs, over the eigenvalue where that is above 1."""
    rest, worst = list(found), 0.0
    for x in expected:
        k = min(range(len(rest)), key=lambda i: abs(rest[i] - x))
        worst = max(worst, abs(rest.pop(k) - x) / max(1, abs(x)))
    return worst


def turned(seed):
    random = np.random.default_rng(seed)
    Q = np.linalg.qr(random.normal(size=(3, 3)))[0]
    return Q * np.sign(np.linalg.det(Q)), random.normal(size=3)


class Hinged(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "model.yaml"

    def modes(self, turbine, Q, origin, names, order, coordinates):
        self.path.write_text(turbine.text(Q, origin, names))
        return eigenvalues(run(self.path, "modes", "--blades", ",".join(order), "--json", "--coordinates", coordinates))

    def test_rotors_have_the_modes_of_their_equations(self):
        for N in (3, 4, 5, 6) if EFFORT > 1 else (3, 4):
            turbine = Turbine(N)
            expected = turbine.reference()
            names = [f"arm{k}" for k in range(N)]
            Q, away = turned(N)
            places = [(np.eye(3), np.zeros(3), names, SETS if N == 3 or EFFORT > 1 else SETS[3:4]),
                      (Q, away, names[::-1], SETS[:1]), (Q, 1000 * away, names[1:] + names[:1], SETS[3:4])]
            for Q, origin, order, sets in places:
                for coordinates in sets:
                    found = self.modes(turbine, Q, origin, names, order, coordinates)
                    self.assertEqual(len(found), 2 * (6 + 2 * N))
                    self.assertLess(difference(found, expected), 1e-9, (N, coordinates, order))

    def test_the_other_sense_of_rotation_has_its_own_modes(self):
        turbine = Turbine(3, speed=-5.5)
        names = ["a", "b", "c"]
        found = self.modes(turbine, np.eye(3), np.zeros(3), names, names, "relative")
        self.assertLess(difference(found, turbine.reference()), 1e-9)


# ---- flexible blades ---------------------------------------------------------------------------------------------------------------


BLADES = """gravity: [0, 0, 0]
steady: {axis: x}
parameters: {rate: 9, c: cos(120 deg), s: sin(120 deg)}
bodies:
  hub: {mass: 3, inertia: [2, 1, 1], angular_velocity: [rate, 0, 0]}
%s
joints:
  bearing: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: x}
  drive: {type: motion, joint: bearing, function: rate*time}
%s
"""
BEAM = ("  {0}: {{type: beam, position: [{1}], orientation: {{x: [{2}], z: [1, 0, 0]}}, angular_velocity: [rate, 0, 0], "
        "velocity: [{3}], from: [0, 0, 0], to: [3, 0, 0], elements: 2, density: 900, youngs_modulus: 4e9, poissons_ratio: 0.3, "
        "section: {{rectangle: {{width: 0.05, height: 0.2}}}}, damping: {{stiffness: 1e-4}}}}")


class Flexible(unittest.TestCase):
    def test_modes_of_blades_on_a_rigid_shaft_are_those_of_the_hub_shifted_by_the_speed(self):
        where = [("0, 0, 0.4", "0, 0, 1", "0, -0.4*rate, 0"), ("0, -0.4*s, 0.4*c", "0, -s, c", "0, -0.4*rate*c, -0.4*rate*s"),
                 ("0, 0.4*s, 0.4*c", "0, s, c", "0, -0.4*rate*c, 0.4*rate*s")]
        at = ["[0, 0, 0.4]", "[0, -0.4*s, 0.4*c]", "[0, 0.4*s, 0.4*c]"]
        bodies = "\n".join(BEAM.format(f"blade{k + 1}", *w) for k, w in enumerate(where))
        joints = "\n".join(f"  root{k + 1}: {{type: fixed, between: [blade{k + 1}, hub], at: {a}}}" for k, a in enumerate(at))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            path.write_text(BLADES % (bodies, joints))
            seen = eigenvalues(run(path, "modes", "--at", "steady", "--reference", "hub", "--json"))
            done = run(path, "modes", "--at", "given", "--blades", "blade1,blade2,blade3", "--json")
            found = eigenvalues(done)
        apart = sorted(seen, key=lambda x: (round(x.imag, 5), x.real))[::3]  # of each blade, three alike
        expected = [x + 9j * n for x in apart for n in (-1, 0, 1)]
        self.assertLess(difference(found, expected), 1e-8)
        modes = json.loads(done.stdout)["modes"]
        for mode in modes:
            n, s = mode["blade_order"], complex(*mode["eigenvalue"])
            nearest = min(abs(s + 9j * n - x) for x in apart)
            self.assertLess(nearest, 1e-7 * max(1, abs(s)))
            self.assertGreater(mode["blade_share"], 0.999)
            self.assertAlmostEqual(mode["rotating_frequency_hz"], abs(s.imag + 9 * n) / (2 * math.pi), places=9)
            self.assertEqual(mode["blades"], "cyclic" if n else "collective")
            if n and abs(s.imag) > 1e-6:
                self.assertAlmostEqual(mode["whirl"], -math.copysign(1, s.imag * n), places=3)

    def test_a_parked_turbine_has_the_modes_it_has_without(self):
        model = SOURCE / "examples/three-bladed-rotor.yaml"
        plain = eigenvalues(run(model, "modes", "--set", "rate=0", "--json"))
        found = eigenvalues(run(model, "modes", "--set", "rate=0", "--blades", "blade1,blade2,blade3", "--json"))
        self.assertLess(difference(found, plain), 1e-11)


# ---- the command -------------------------------------------------------------------------------------------------------------------


class Command(unittest.TestCase):
    model = SOURCE / "examples/three-bladed-rotor.yaml"

    def refused(self, words, *arguments, command="modes", model=None):
        done = run(model or self.model, command, *arguments)
        self.assertNotEqual(done.returncode, 0)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_what_is_no_rotor_of_equal_blades_is_refused_by_name(self):
        self.refused(["two blades", "floquet"], "--blades", "blade1,blade2")
        self.refused(["no body is called wing"], "--blades", "blade1,blade2,wing")
        self.refused(["share bodies"], "--blades", "blade1,blade2,blade2")
        self.refused(["equal angles", "blade1"], "--blades", "blade1,blade2,nacelle")
        self.refused(["changes with the azimuth", "blades.tangential", "floquet"], "--blades", "blade1,blade2,blade3", "--set",
                     "k_lag1=301")
        self.refused(["--blades", "--wanted"], "--blades", "blade1,blade2,blade3", "--wanted", "3")
        self.refused(["--blades", "--energies"], "--blades", "blade1,blade2,blade3", "--energies")

    def test_gravity_across_the_axis_is_refused(self):
        text = self.model.read_text().replace("gravity: [0, 0, 0]", "gravity: [0, -9.81, 0]")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            path.write_text(text)
            self.refused(["gravity across the axis", "floquet"], "--blades", "blade1,blade2,blade3", model=path)

    def test_a_sweep_has_the_modes_of_its_values(self):
        done = run(self.model, "sweep", "--over", "rate=15:40:6", "--blades", "blade1,blade2,blade3", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        line = json.loads(done.stdout)["lines"][0]
        for point in (line["points"][0], line["points"][-1]):
            there = run(self.model, "modes", "--blades", "blade1,blade2,blade3", "--json", "--set", f"rate={point['value']}")
            found = [complex(*x["eigenvalue"]) for x in point["eigenvalues"]]
            self.assertLess(difference(found, eigenvalues(there)), 1e-9)
        flutter = [e["value"] for e in line["events"] if e["kind"] == "flutter"]
        self.assertEqual(len(flutter), 2)  # ground resonance begins and ends


if __name__ == "__main__":
    unittest.main()
