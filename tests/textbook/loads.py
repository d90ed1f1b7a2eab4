"""Loads from their definitions: the force on a marker and the torque about its origin, in world axes.

A load gives [(marker, force, torque), ..], its first marker first. Where two bodies push each other at one point, the
force on the second is -F at the place of the first.
"""
import numpy as np

import jets
from jets import atan, atan2, back, cos, cross, dot, exp, matrix_back, norm, rotation_vector, sin, sqrt, times, where
from measures import angle, displacement
from registry import element


def column(numbers):
    """constant numbers beside columns of perturbations"""
    return np.asarray(numbers, float)[..., None]


class Load:
    def __init__(self, name, i, j):
        self.name, self.i, self.j = name, i, j

    def mutual(self, f, force, torque):
        """force and torque about the first marker, and the opposite at the same point on the second"""
        d = displacement(f, self.i, self.j).c[0]
        return [(self.i, force, torque), (self.j, -force, -torque - cross(d, force))]

    def wrench(self, f, solution):
        return self.mutual(f, *self.on_first(f, solution))


def terms(*parts):
    """The size of what is added up: a sum near zero is no more exact than these."""
    return max(float(np.abs(np.ravel(part)[0])) for part in parts)


# ---- along a line and about an axis ----------------------------------------------------------------------------------


class Spring(Load):
    """F = -(k (l - l0) + c l') + preload + f, along the line, positive pushes apart"""

    def __init__(self, name, i, j, k, c, free, preload, further=lambda f, s: 0.0, pull=lambda x: 0.0):
        super().__init__(name, i, j)
        self.k, self.c, self.free, self.preload, self.further, self.pull = k, c, free, preload, further, pull

    def on_first(self, f, solution):
        d = displacement(f, self.i, self.j)
        length = norm(d)
        push = -self.k * (length.c[0] - self.free) - self.c * length.c[1] + self.preload
        self.terms = terms(self.k * (length.c[0] - self.free), self.c * length.c[1], self.preload)
        push = push + self.further(f, solution) - self.pull(length.c[0] - self.free)
        return push * d.c[0] / length.c[0], np.zeros_like(d.c[0])


def reference_length(case, i, j):
    place = lambda m: _place(case, m)[0]
    return float(np.linalg.norm(place(i) - place(j)))


def _place(case, m):
    body, at, axes = case.scene.markers[m]
    if body == "ground":
        return at, axes
    b = case.scene.bodies[body]
    return b.r + b.R @ at, b.R @ axes


@element("load", "spring")
def spring(case):
    i, j = case.pair()
    k, c, preload = case.vector(100, 1)[0], case.vector(10, 1)[0], case.vector(30, 1)[0]
    fields = {"type": "spring", "between": [i, j], "stiffness": k, "damping": c, "preload": preload}
    free = case.uniform(0, 3)
    if case.chance(0.8) or case.p:
        fields["free_length"] = free
    else:
        free = reference_length(case, i, j)
        if case.p == 0:
            fields["free_length"] = free  # the default is tested by spring_at_its_length
    case.load(fields, Spring("s", i, j, k, c, free, preload))


@element("load", "spring")
def spring_with_force(case):
    i, j = case.pair()
    case.input("u", case.uniform(-2, 2))
    a, b, c = case.vector(10)
    fields = {"type": "spring", "between": [i, j], "force": f"{a!r}*VR({i}, {j})^3 + {b!r}*sin(DM({i}, {j})) + {c!r}*u"}

    def further(f, solution):
        d = norm(displacement(f, i, j))
        return a * d.c[1] ** 3 + b * np.sin(d.c[0]) + c * f.inputs["u"].c[0]

    case.load(fields, Spring("s", i, j, 0.0, 0.0, 0.0, 0.0, further))


class TorsionSpring(Load):
    """T = -(k (phi - phi0) + c w) + preload about the axis of the second marker; phi by the measure AZ in axes whose z
    is the axis, as near to phi0 as whole revolutions let it be"""

    def __init__(self, name, i, j, turn, k, c, free, preload, further=lambda f, s: 0.0,
                 about=None, back=lambda x: 0.0):
        super().__init__(name, i, j)
        self.back = back
        self.about = about
        self.turn, self.k, self.c, self.free, self.preload, self.further = turn, k, c, free, preload, further

    def on_first(self, f, solution):
        Ri = jets.matrix(f[self.i].R, self.turn[:, :, None])
        Rj = jets.matrix(f[self.j].R, self.turn[:, :, None])
        y, x = dot(Ri[:, 0], Rj[:, 1]), dot(Ri[:, 0], Rj[:, 0])
        phi = atan2(y, x)
        about = self.free if self.about is None else self.about
        count = np.round((about - phi.c[0].real) / (2 * np.pi))
        angle = phi.c[0] + 2 * np.pi * count
        size = -self.k * (angle - self.free) - self.c * phi.c[1] + self.preload + self.further(f, solution)
        self.turned = angle - self.free
        size = size - self.back(self.turned)
        self.terms = terms(self.k * (angle - self.free), self.c * phi.c[1], self.preload)
        axis = Rj.c[0][:, 2]
        # the gradient of the angle by the rotation of the first marker, times the torque
        gradient = angle_gradient(Ri.c[0], Rj.c[0])
        return np.zeros_like(axis), size * gradient


def angle_gradient(Ri, Rj):
    """d phi = g . dtheta of i against j: phi = atan2(s, c), s = x_i.y_j, c = x_i.x_j,
    ds = dtheta.(x_i x y_j), dc = dtheta.(x_i x x_j)"""
    x, s, c = Ri[:, 0], (Ri[:, 0] * Rj[:, 1]).sum(0), (Ri[:, 0] * Rj[:, 0]).sum(0)
    return (c * cross(x, Rj[:, 1]) - s * cross(x, Rj[:, 0])) / (s * s + c * c)


def cyclic(letter):
    """axes whose z is that letter's: x y z turned in a circle"""
    k = "xyz".index(letter)
    return np.eye(3)[:, [(k + 1) % 3, (k + 2) % 3, k]]


@element("load", "torsion_spring")
def torsion_spring(case):
    i, j = case.pair()
    letter = case.choose("x", "y", "z")
    k, c, preload = case.vector(100, 1)[0], case.vector(10, 1)[0], case.vector(30, 1)[0]
    free = case.uniform(-20, 20)
    fields = {"type": "torsion_spring", "between": [i, j], "axis": letter, "stiffness": k, "damping": c,
              "free_angle": free, "preload": preload}
    case.load(fields, TorsionSpring("s", i, j, cyclic(letter), k, c, free, preload))


# ---- bushings and beams ----------------------------------------------------------------------------------------------


def _cotangents(n=14):
    """of (1 - (u/2) cot(u/2))/u^2 in powers of u^2: |B_2k|/(2k)!"""
    import mpmath
    return [float(abs(mpmath.bernoulli(2 * k)) / mpmath.factorial(2 * k)) for k in range(1, n + 1)]


COTANGENTS = _cotangents()


def inverse_tangent(theta):
    """Jl^-1 of a rotation vector: theta' = Jl^-1 w with R = exp(theta), w in the axes it is relative to;
    1 - theta~/2 + (1 - (u/2) cot(u/2))/u^2 theta~^2"""
    u2 = (theta * theta).sum(0)
    t = jets.skew(theta)
    if u2.real.max() < 0.5:
        k = jets.series(u2, COTANGENTS)
    else:
        u = np.sqrt(u2)
        k = (1 - u / 2 / np.tan(u / 2)) / u2
    return np.eye(3)[:, :, None] - t / 2 + k * np.einsum("ijn,jkn->ikn", t, t)


class Bushing(Load):
    """V = e'K e/2 with e = (A_j'(r_i - r_j), log(A_j'A_i)) - e0; the generalized force -K e - C e' + preload does the work
    of the wrench: F' v + T' w = Q' e'"""

    def __init__(self, name, i, j, K, C, preload, e0=np.zeros(6)):
        super().__init__(name, i, j)
        self.K, self.C, self.preload, self.e0 = K, C, preload, e0

    def on_first(self, f, solution):
        A = f[self.j].R
        x = back(A, displacement(f, self.i, self.j))
        theta = rotation_vector(matrix_back(A, f[self.i].R))
        e = np.concatenate((x.c[0], theta.c[0])) - self.e0[:, None]
        e1 = np.concatenate((x.c[1], theta.c[1]))
        Q = self.preload[:, None] - np.einsum("ij,jn->in", self.K, e) - np.einsum("ij,jn->in", self.C, e1)
        axes = A.c[0]
        torque = back(inverse_tangent(theta.c[0]), Q[3:])
        return times(axes, Q[:3]), times(axes, torque)


def symmetric(case, scale):
    a = case.rng.normal(size=(6, 6))
    return (a @ a.T + np.eye(6)) * scale


def bushing_load(case, name, i, j):
    preload = case.vector(20, 6)
    if case.chance():
        K, C = symmetric(case, 30), symmetric(case, 2)
        fields = {"stiffness": K.tolist(), "damping": C.tolist()}
    else:
        k, c = np.abs(case.vector(100, 6)), np.abs(case.vector(10, 6))
        K, C = np.diag(k), np.diag(c)
        fields = {"translation": {"stiffness": k[:3].tolist(), "damping": c[:3].tolist()},
                  "rotation": {"stiffness": k[3:].tolist(), "damping": c[3:].tolist()}}
    fields.update({"type": "bushing", "between": [i, j], "preload": preload.tolist()})
    case.load(fields, Bushing(name, i, j, K, C, preload))


def below_half_turn(case, i, j, ends=(np.eye(3), np.eye(3))):
    """Whether the two markers, or axes fixed in them, are far enough from half a revolution for its logarithm."""
    R = (_place(case, j)[1] @ ends[1]).T @ _place(case, i)[1] @ ends[0]
    return (np.trace(R) - 1) / 2 > -0.95


@element("load", "bushing")
def bushing(case):
    i, j = case.pair()
    bushing_load(case, "s", i, j)
    case.legal = below_half_turn(case, i, j)


def beam_load(case, i, j):
    L, E, G, A = case.size(0.3, 3) * case.length, case.size(10, 1000), case.size(10, 1000), case.size(0.1, 10)
    Iy, Iz, J = (case.size(0.01, 1) for _ in range(3))
    sy, sz, ratio = case.choose(0.0, 1.2), case.choose(0.0, 10 / 9), case.uniform(0, 0.2)
    K = np.zeros((6, 6))
    K[0, 0], K[3, 3] = E * A / L, G * J / L
    # Przemieniecki (1968), 5.6: a cantilever's tip with shear, Phi = 12 E I s/(G A L^2)
    for d, r, I, s, sign in ((1, 5, Iz, sy, -1), (2, 4, Iy, sz, 1)):
        phi = 12 * E * I * s / (G * A * L * L)
        k = E * I / (1 + phi)
        K[d, d], K[r, r] = 12 * k / L ** 3, (4 + phi) * k / L
        K[d, r] = K[r, d] = sign * 6 * k / L ** 2
    fields = {"type": "beam", "between": [i, j], "length": L, "youngs_modulus": E, "shear_modulus": G, "area": A,
              "iyy": Iy, "izz": Iz, "torsion_constant": J, "shear_factor_y": sy, "shear_factor_z": sz,
              "damping_ratio": ratio}
    case.load(fields, Bushing("s", i, j, K, ratio * K, np.zeros(6), np.array([L, 0, 0, 0, 0, 0])))


@element("load", "beam")
def beam(case):
    i, j = case.pair()
    beam_load(case, i, j)
    case.legal = below_half_turn(case, i, j)


# ---- force and torque ------------------------------------------------------------------------------------------------


class Vector(Load):
    def __init__(self, name, on, reaction, resolved, components, torque):
        super().__init__(name, on, reaction)
        self.resolved, self.components, self.torque = resolved, components, torque

    def wrench(self, f, solution):
        v = times(f[self.resolved].axes, np.stack([c(f, solution) for c in self.components]))
        nothing = np.zeros_like(v)
        force, torque = (nothing, v) if self.torque else (v, nothing)
        return self.mutual(f, force, torque) if self.j else [(self.i, force, torque)]


def vector_case(case, torque):
    i, j = case.pair()
    k = case.marker("k", case.choose("a", "ground"))
    case.input("u", case.uniform(-2, 2))
    a, b, c, d = case.vector(10, 4)
    texts = [f"{a!r} + {b!r}*DX({i}, {j}, {k})^2", f"{c!r}*VY({i}, {j}, {k}, {j}) + {d!r}*u",
             f"{a!r}*WZ({i}, {j}, {i})*AZ({i}, {j})"]

    def first(f, s):
        return a + b * (displacement(f, i, j).c[0] * f[k].axes[:, 0]).sum(0) ** 2

    def second(f, s):
        from measures import velocity
        return c * (velocity(f, i, j, j) * f[k].axes[:, 1]).sum(0) + d * f.inputs["u"].c[0]

    def third(f, s):
        return a * ((f[i].w - f[j].w) * f[i].axes[:, 2]).sum(0) * angle(f, i, j, 2).c[0]

    fields = {"type": "torque" if torque else "force", "on": i, "components": texts, "resolved_in": k}
    reaction = case.chance()
    if reaction:
        fields["reaction_on"] = j
    case.load(fields, Vector("s", i, j if reaction else None, k, (first, second, third), torque))


@element("load", "force")
def force(case):
    vector_case(case, False)


@element("load", "torque")
def torque(case):
    vector_case(case, True)


class Drag(Load):
    """-c |v| v against the material of the second body at the place of the first marker"""

    def __init__(self, name, i, j, c):
        super().__init__(name, i, j)
        self.c = c

    def on_first(self, f, solution):
        d = displacement(f, self.i, self.j)
        v = d.c[1] - cross(f[self.j].w, d.c[0])
        return -self.c * norm(v) * v, np.zeros_like(v)


@element("load", "drag")
def drag(case):
    i, j = case.pair()
    c = case.size(0.01, 100)
    case.load({"type": "drag", "between": [i, j], "coefficient": c}, Drag("s", i, j, c))


# ---- near and at what is special -------------------------------------------------------------------------------------


def brought(case, i, j, d, Q):
    """The first marker at d and rotated by Q against the second."""
    from joints import settle, stand
    stand(case, i, j, d, Q, np.eye(3))
    settle(case)


def tiny(case):
    return case.choose(0.0, 1e-14, 1e-9, 1e-6, 1e-3, 0.1)


@element("load", "bushing")
def bushing_close(case):
    i, j = case.pair()
    angle = case.choose(tiny(case), np.pi - case.size(1e-4, 0.3))
    brought(case, i, j, (case.vector(tiny(case)) + case.p * case.vector()) * case.length, jets.rodrigues(case.vector(), angle + 0.3 * case.p * (angle < 1)))
    bushing_load(case, "s", i, j)


@element("load", "beam")
def beam_straight(case):
    i, j = case.pair()
    beam_load(case, i, j)
    angle = tiny(case)
    brought(case, i, j, np.array([case.model["loads"]["s"]["length"], 0, 0]) + (case.vector(tiny(case)) + case.p * case.vector()) * case.length,
            jets.rodrigues(case.vector(), angle + 0.3 * case.p))


@element("load", "spring")
def spring_short(case):
    i, j = case.pair()
    k, c, preload = case.vector(100, 1)[0], case.vector(10, 1)[0], case.vector(30, 1)[0]
    free = case.choose(0.0, case.uniform(0, 1))
    d = case.vector()
    brought(case, i, j, d / np.linalg.norm(d) * case.size(3e-2, 1) * (1 + case.p) * case.length, case.skewed())
    case.load({"type": "spring", "between": [i, j], "stiffness": k, "damping": c, "preload": preload, "free_length": free},
              Spring("s", i, j, k, c, free, preload))


@element("load", "torsion_spring")
def torsion_spring_wound(case):
    """wound up by revolutions that the state counts"""
    i, j = case.pair()
    letter = case.choose("x", "y", "z")
    k, c, preload = case.vector(100, 1)[0], case.vector(10, 1)[0], case.vector(30, 1)[0]
    free, wound = case.uniform(-3, 3), case.uniform(-60, 60)
    case.depart()
    case.angles["s"] = wound
    fields = {"type": "torsion_spring", "between": [i, j], "axis": letter, "stiffness": k, "damping": c,
              "free_angle": free, "preload": preload}
    load = TorsionSpring("s", i, j, cyclic(letter), k, c, free, preload, about=wound)
    case.load(fields, load)
    f = case.scene.at_rest()
    turn = cyclic(letter)
    a, b = f[i].axes[:, :, 0].real @ turn, f[j].axes[:, :, 0].real @ turn
    phi = np.arctan2(a[:, 0] @ b[:, 1], a[:, 0] @ b[:, 0])
    case.legal = abs((wound - phi) / (2 * np.pi) % 1 - 0.5) > 0.01
