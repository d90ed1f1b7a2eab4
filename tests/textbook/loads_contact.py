"""Contact, limits and friction from their definitions (Hunt and Crossley 1975; Stribeck's curve)."""
import numpy as np

import jets
from jets import cross, dot, exp, jet, norm, sqrt
from joints import Mate, PLAIN, RX, RY, RZ, along, wind, pulled, settle, stand, tree
from loads import Load
from measures import angle, displacement
from registry import element


def compression(p, rate, k, e, c):
    """k p^e max(0, 1 + 3/2 c p'), zero above the surface"""
    factor = 1 + 1.5 * c * rate
    inside = (p.real > 0) & (factor.real > 0)
    return np.where(inside, k * np.where(inside, p, 1.0) ** e * factor, 0.0)


def stribeck(s2, mu_s, mu_d, v_s, v_d):
    """phi of the square of the slip: friction is -phi N s"""
    return (mu_d + (mu_s - mu_d) * np.exp(-s2 / v_d ** 2)) / (v_s * (1 + (s2 / v_s ** 2) ** 2) ** 0.25)


class Contact(Load):
    def __init__(self, name, i, j, R, other, k, e, c, rub):
        super().__init__(name, i, j)
        self.R, self.other, self.k, self.e, self.c, self.rub = R, other, k, e, c, rub

    def wrench(self, f, solution):
        d = displacement(f, self.i, self.j)
        if self.other:
            gap = norm(d)
            n = d.c[0] / gap.c[0]
            p = self.R + self.other - gap
            arm = -n * gap.c[0] * self.R / (self.R + self.other)
        else:
            gap = dot(d, f[self.j].axis(2))
            n = f[self.j].axes[:, 2]
            p = self.R - gap
            arm = -gap.c[0] * n
        F = compression(p.c[0], p.c[1], self.k, self.e, self.c)
        force = F * n
        if self.rub:
            point = d.c[0] + arm  # from j
            s = d.c[1] + cross(f[self.i].w, arm) - cross(f[self.j].w, point)
            s = s - (s * n).sum(0) * n
            force = force - stribeck((s * s).sum(0), *self.rub) * F * s
        return self.mutual(f, force, cross(arm, force))


def rubbing(case):
    mu_s = case.uniform(0.05, 1)
    mu_d = mu_s * case.uniform(0.4, 1)
    v_s = case.size(0.01, 2)
    v_d = v_s * case.size(1, 20)
    return (mu_s, mu_d, v_s, v_d), {"static_coefficient": mu_s, "dynamic_coefficient": mu_d, "stiction_velocity": v_s,
                                    "dynamic_velocity": v_d}


@element("load", "contact")
def contact(case):
    i, j = case.pair()
    R, other = case.size(0.1, 2) * case.length, case.choose(None, case.size(0.1, 2) * case.length)
    k, e, c = case.size(10, 1e4), case.choose(1.0, 1.5, case.uniform(1, 3)), case.choose(0.0, case.size(0.01, 1))
    press = case.uniform(-0.2, 0.9) * R
    up = case.vector()
    d = up / np.linalg.norm(up) * (R + other - press) if other else np.append(case.vector(1, 2) * case.length, R - press)
    stand(case, i, j, d + case.p * case.vector(0.3) * case.length, case.turned(), np.eye(3))
    rub, more = rubbing(case) if case.chance(0.7) else (None, {})
    fields = {"type": "contact", "between": [i, j], "radius": R, "stiffness": k, "exponent": e, "damping": c, **more}
    if other:
        fields["other_radius"] = other
    case.load(fields, Contact("s", i, j, R, other, k, e, c, rub))
    settle(case)
    # away from the surface and from the end of pulling, where the law has no derivative
    frames = case.scene.at_rest()
    case.legal = abs(press) > 0.01 * R


class Limit(Load):
    def __init__(self, name, mate, which, lower, upper, k, e, c):
        super().__init__(name, mate.i, mate.j)
        self.mate, self.which = mate, which
        self.lower, self.upper, self.k, self.e, self.c = lower, upper, k, e, c

    def wrench(self, f, solution):
        q = self.mate.coordinate(f, self.which)
        push = 0.0
        if self.lower is not None:
            push = push + compression(self.lower - q.c[0], -q.c[1], self.k, self.e, self.c)
        if self.upper is not None:
            push = push - compression(q.c[0] - self.upper, q.c[1], self.k, self.e, self.c)
        axis = f[self.mate.tj].axes[:, 2] * push
        none = np.zeros_like(axis)
        return self.mutual(f, axis, none) if self.which == "z" else self.mutual(f, none, axis)


@element("load", "limit")
def limit(case):
    mate, = tree(case, [case.choose("revolute", "translational", "cylindrical")])
    which = {"revolute": "rz", "translational": "z"}.get(mate.kind) or case.choose("z", "rz")
    if case.chance() and which == "rz":
        wind(case, [mate], [which])
    q = complex(np.ravel(jet(mate.coordinate(case.scene.at_rest(), which)).c[0])[0]).real
    one, two = case.size(0.05, 1), case.size(0.05, 1)
    q -= 0.0
    lower, upper = case.choose((q + one, None), (None, q - two), (q - one, q + two))
    k, e, c = case.size(10, 1e4), case.choose(1.0, 1.5, case.uniform(1, 3)), case.choose(0.0, case.size(0.01, 0.2))
    fields = {"type": "limit", "joint": mate.name, "stiffness": k, "exponent": e, "damping": c}
    fields.update({n: v for n, v in (("lower", lower), ("upper", upper)) if v is not None})
    if mate.kind == "cylindrical":
        fields["coordinate"] = which
    case.load(fields, Limit("s", mate, which, lower, upper, k, e, c))
    pulled(case)
    settle(case)
    case.legal = min(abs(q - v) for v in (lower, upper) if v is not None) > 0.02


class Friction(Load):
    """of a joint; acts on its first marker"""

    def __init__(self, name, mate, law):
        super().__init__(name, mate.i, mate.j)
        self.mate, self.law = mate, law
        self.feels_joints = law["presses"]

    def wrench(self, f, solution):
        return self.mutual(f, *self.law["wrench"](self, f, solution))

    def reaction(self, f, solution):
        """force and moment of the joint on its first marker, about it, in joint axes of the second"""
        if not solution.wrenches or self.mate.name not in solution.wrenches:
            return np.zeros((3, f.time.c[0].size)), np.zeros((3, f.time.c[0].size))
        w = solution.wrenches[self.mate.name]
        A = f[self.mate.tj].axes
        return jets.back(A, w[:3]), jets.back(A, w[3:])


def slips(mate, f):
    a, b = f[mate.ti], f[mate.tj]
    w = a.w - b.w
    d = displacement(f, mate.ti, mate.tj)
    v = d.c[1] - cross(b.w, d.c[0])
    return v, w


@element("load", "friction")
def friction_by_level(case):
    kind = case.choose("revolute", "translational", "spherical", "universal")
    mate, = tree(case, [kind])
    level_s = case.size(0.1, 20)
    level_d = level_s * case.uniform(0.4, 1)
    v_s = case.size(0.01, 2)
    v_d = v_s * case.size(1, 20)
    c = case.choose(0.0, case.size(0.01, 2))
    fields = {"type": "friction", "joint": mate.name, "static_level": level_s, "dynamic_level": level_d,
              "stiction_velocity": v_s, "dynamic_velocity": v_d, "viscous": c}

    def wrench(load, f, solution):
        v, w = slips(mate, f)
        z = f[mate.tj].axes[:, 2]
        none = np.zeros_like(v)
        phi = lambda s2: stribeck(s2, level_s, level_d, v_s, v_d) + c
        if kind == "revolute":
            s = (w * z).sum(0)
            return none, -phi(s * s) * s * z
        if kind == "translational":
            s = (v * z).sum(0)
            return -phi(s * s) * s * z, none
        if kind == "spherical":
            return none, -phi((w * w).sum(0)) * w
        legs = legs_of(mate, f, w)
        return none, -sum(phi(s * s) * s * leg for s, leg in legs)

    case.load(fields, Friction("s", mate, {"wrench": wrench, "presses": False}))
    pulled(case)
    settle(case)


def legs_of(mate, f, w):
    """the speed about each leg of the cross: w = s1 x_i + s2 y_j, both legs perpendicular"""
    x, y = f[mate.ti].axes[:, 0], f[mate.tj].axes[:, 1]
    return [((w * x).sum(0), x), ((w * y).sum(0), y)]


@element("load", "friction")
def friction_by_coefficient(case):
    kind = case.choose("revolute", "translational", "cylindrical", "spherical", "universal")
    mate, = tree(case, [kind])
    (mu_s, mu_d, v_s, v_d), fields = rubbing(case)
    mu_s, mu_d = 0.2 * mu_s, 0.2 * mu_d
    fields.update({"static_coefficient": mu_s, "dynamic_coefficient": mu_d})
    c = case.choose(0.0, case.size(0.01, 2))
    r, preload, smooth = case.size(0.05, 0.5), case.choose(0.0, case.size(0.1, 20)), case.size(1e-3, 2)
    length, thrust = case.choose(None, case.size(0.3, 2)), case.choose(None, case.size(0.05, 0.5))
    fields.update({"type": "friction", "joint": mate.name, "viscous": c, "radius": r, "preload": preload,
                   "smoothing": smooth})
    felt = case.chance(0.7)
    if not felt:
        fields["reaction"] = False
        fields["preload"] = preload = preload or 3.0
    if kind in ("spherical", "universal") or not felt:
        length = None
    if kind != "revolute" or not felt:
        thrust = None
    if length:
        fields["length"] = length
    if thrust:
        fields["thrust_radius"] = thrust
    arm = kind != "translational" or case.chance()
    if not arm:
        del fields["radius"]
    smoothed = lambda s2: np.sqrt(s2 + smooth ** 2)

    def wrench(load, f, solution):
        v, w = slips(mate, f)
        z = f[mate.tj].axes[:, 2]
        none = np.zeros_like(v)
        phi = lambda s2: stribeck(s2, mu_s, mu_d, v_s, v_d)
        F, M = load.reaction(f, solution)

        def radial():
            if not felt:
                return preload
            if length is None:
                return preload + smoothed(F[0] ** 2 + F[1] ** 2)
            ends = [(F[0] / 2 + s * M[1] / length) ** 2 + (F[1] / 2 - s * M[0] / length) ** 2 for s in (1, -1)]
            return preload + sum(smoothed(e) for e in ends)

        if kind == "revolute":
            s = (w * z).sum(0)
            t = -(phi((r * s) ** 2) * radial() + c) * r * r * s
            if thrust:
                t = t - phi((thrust * s) ** 2) * smoothed(F[2] ** 2) * thrust ** 2 * s
            return none, t * z
        if kind == "translational":
            s = (v * z).sum(0)
            N = radial() + (smoothed((M[2] / r) ** 2) if arm and felt else 0)
            return -(phi(s * s) * N + c) * s * z, none
        if kind == "cylindrical":
            a, b = (v * z).sum(0), (w * z).sum(0)
            k = phi(a * a + (r * b) ** 2) * radial() + c
            return -k * a * z, -k * r * r * b * z
        if kind == "spherical":
            N = preload + smoothed((F * F).sum(0)) if felt else preload
            return none, -(phi(r * r * (w * w).sum(0)) * N + c) * r * r * w
        world = jets.times(f[mate.tj].axes, F)
        t = none
        for s, leg in legs_of(mate, f, w):
            across = (F * F).sum(0) - (world * leg).sum(0) ** 2
            N = preload + smoothed(across) if felt else preload
            t = t - (phi((r * s) ** 2) * N + c) * r * r * s * leg
        return none, t

    case.load(fields, Friction("s", mate, {"wrench": wrench, "presses": felt}))
    case.method = "augmented"  # the minimal methods refuse forces of joints
    pulled(case)
    settle(case)
