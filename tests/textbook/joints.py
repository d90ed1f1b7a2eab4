"""Joints from their definitions: what is zero, in any independent set of rows.

The linear model, the accelerations and the force on the first marker do not depend on which rows say it. Joint axes are
those of a marker turned so that z is the joint's axis.
"""
import numpy as np

import jets
from jets import atan2, cos, dot, jet, norm, sin, stack
from loads import column, cyclic, Spring
from measures import angle, displacement
from registry import element
from scene import Scene


class Joint:
    def __init__(self, name, first, count, rows):
        self.name, self.first, self.count, self.rows = name, first, count, rows


# ---- sets of rows ----------------------------------------------------------------------------------------------------


def points(f, i, j):
    d = displacement(f, i, j)
    return [d[0], d[1], d[2]]


def along(f, i, j, letters):
    """displacement along axes of the second marker"""
    d = displacement(f, i, j)
    return [dot(d, f[j].axis("xyz".index(c))) for c in letters]


def parallel(f, i, j):
    return [dot(f[i].axis(2), f[j].axis(0)), dot(f[i].axis(2), f[j].axis(1))]


def same_axes(f, i, j):
    return [dot(f[i].axis(0), f[j].axis(1)), dot(f[i].axis(1), f[j].axis(2)), dot(f[i].axis(2), f[j].axis(0))]


def full_angle(f, i, j, k, about=0.0):
    """the angle about axis k, as near to `about` as whole revolutions let it be"""
    phi = angle(f, i, j, k)
    return phi + 2 * np.pi * np.round((about - jets.real(phi)) / (2 * np.pi))


PLAIN = {
    "fixed": (6, lambda f, i, j: points(f, i, j) + same_axes(f, i, j)),
    "revolute": (5, lambda f, i, j: points(f, i, j) + parallel(f, i, j)),
    "translational": (5, lambda f, i, j: along(f, i, j, "xy") + same_axes(f, i, j)),
    "cylindrical": (4, lambda f, i, j: along(f, i, j, "xy") + parallel(f, i, j)),
    "universal": (4, lambda f, i, j: points(f, i, j) + [dot(f[i].axis(0), f[j].axis(1))]),
    "constant_velocity": (4, lambda f, i, j: points(f, i, j) + [
        dot(f[i].axis(0), f[j].axis(1)) - dot(f[i].axis(1), f[j].axis(0))]),
    "spherical": (3, points),
    "planar": (3, lambda f, i, j: along(f, i, j, "z") + parallel(f, i, j)),
    "inline": (2, lambda f, i, j: along(f, i, j, "xy")),
    "inplane": (1, lambda f, i, j: along(f, i, j, "z")),
    "parallel_axes": (2, parallel),
    "perpendicular_axes": (1, lambda f, i, j: [dot(f[i].axis(2), f[j].axis(2))]),
    "orientation": (3, same_axes),
}

RX, RY, RZ = (lambda a, k=k: jets.rodrigues(np.eye(3)[k], a) for k in range(3))
NO_AXIS = {"fixed", "spherical", "orientation"}


def standing(case, kind):
    """a displacement and a rotation of the first marker's joint axes against the second's that the joint allows"""
    d, phi = case.along(1) * case.length, case.along_one(4)
    if kind in ("fixed", "revolute", "universal", "constant_velocity", "spherical"):
        d = np.zeros(3)
    elif kind in ("translational", "cylindrical", "inline"):
        d = d * [0, 0, 1]
    elif kind in ("planar", "inplane"):
        d = d * [1, 1, 0]
    psi, bend = case.along_one(3), case.uniform(-1.4, 1.4)
    Q = {"revolute": RZ(phi), "cylindrical": RZ(phi), "planar": RZ(phi), "parallel_axes": RZ(phi),
         "fixed": np.eye(3), "translational": np.eye(3), "orientation": np.eye(3),
         "universal": RY(bend) @ RX(phi),
         "constant_velocity": jets.rodrigues([np.cos(psi), np.sin(psi), 0], 1.5 * bend),
         "perpendicular_axes": RZ(psi) @ RX(np.pi / 2) @ RZ(phi)}.get(kind)
    return d, (case.turned() if Q is None else Q)


# ---- mechanisms ------------------------------------------------------------------------------------------------------


def stand(case, i, j, d, Q, turn):
    """Places the body of one of the markers so that r_i - r_j = F_j d, F_i = F_j Q in joint axes F = A turn."""
    scene = case.scene
    (bi, si, ai), (bj, sj, aj) = scene.markers[i], scene.markers[j]

    def frame(b, s, a):
        body = scene.bodies.get(b)
        return (s, a) if body is None else (body.r + body.R @ s, body.R @ a)

    if bi != "ground":
        r, A = frame(bj, sj, aj)
        body, s, a = scene.bodies[bi], si, ai
        A_new, r_new = A @ turn @ Q @ turn.T, r + A @ turn @ d
    else:
        r, A = frame(bi, si, ai)
        body, s, a = scene.bodies[bj], sj, aj
        A_new = A @ turn @ Q.T @ turn.T
        r_new = r - A_new @ turn @ d
    body.R = A_new @ a.T
    body.r = r_new - body.R @ s


def gather(case, G, residual):
    """the smallest step, lengths in units of the case's, rows by their size"""
    units = np.tile([case.length] * 3 + [1.0] * 3, len(case.scene.bodies))
    scaled = G * units
    rows = np.linalg.norm(scaled, axis=1)
    return units * (np.linalg.pinv(scaled / rows[:, None], rcond=1e-10) @ (residual / rows))


def settle(case, positions=True):
    """Moves the bodies to where every row is zero, by the rows' own gradients, then the velocities; writes the model."""
    scene = case.scene
    for turn in range(8):
        s = scene.solve_rows()
        G, phi, phi1 = s
        n = len(phi)
        if positions and n and turn < 7:
            step = -gather(case, G[:n], phi)
            for k, name in enumerate(scene.bodies):
                body, move = scene.bodies[name], step[6 * k:6 * k + 6]
                body.r = body.r + move[:3]
                size = np.linalg.norm(move[3:])
                if size:
                    body.R = jets.rodrigues(move[3:], size) @ body.R
            if (np.abs(phi) / np.linalg.norm(G[:n] * np.tile([case.length] * 3 + [1] * 3, len(scene.bodies)), axis=1)).max() > 1e-14:
                continue
        for _ in range(2 if len(phi1) else 0):
            G, _, phi1 = scene.solve_rows()
            step = -gather(case, G, phi1)
            for k, name in enumerate(scene.bodies):
                body, move = scene.bodies[name], step[6 * k:6 * k + 6]
                body.v, body.w = body.v + move[:3], body.w + move[3:]
        break
    for name, body in scene.bodies.items():
        u, _, v = np.linalg.svd(body.R)
        body.R = u @ v
        if case.departed and case.kept:
            continue  # the model is the reference configuration
        case.model["bodies"][name].update({
            "position": body.r.tolist(), "orientation": {"matrix": body.R.tolist()}, "velocity": body.v.tolist(),
            "angular_velocity": body.w.tolist()})


def turned_markers(case, i, j, turn):
    for m in (i, j):
        body, place, axes = case.scene.markers[m]
        case.scene.markers[m + "'"] = (body, place, axes @ turn)
    return i + "'", j + "'"


def measured(case, name="x"):
    """The force and torque of the joint along the axes of a marker, as outputs."""
    k = case.marker("k", case.choose("a", "ground"))
    for c, letter in enumerate("XYZ"):
        case.output("f" + letter, f"F{letter}({name}, {k})", lambda s, c=c: (s.wrenches[name][:3] * s.frames[k].axes[:, c]).sum(0))
        case.output("t" + letter, f"T{letter}({name}, {k})", lambda s, c=c: (s.wrenches[name][3:] * s.frames[k].axes[:, c]).sum(0))
    return k


def pulled(case):
    """A spring from the body a to ground or b, off all markers, so that there is a force to carry."""
    other = case.choose(*[b for b in ("b", "ground") if b == "ground" or b in case.scene.bodies])
    i, j = case.marker("s1", "a"), case.marker("s2", other)
    k, c, free = case.size(1, 50), case.size(0.1, 5), case.uniform(0.2, 2) * case.length
    case.load({"type": "spring", "between": [i, j], "stiffness": k, "damping": c, "free_length": free},
              Spring("pull", i, j, k, c, free, 0.0))


def drawn_axis(case, kind):
    if kind in NO_AXIS:
        return {}, np.eye(3)
    letter = case.choose("x", "y", "z")
    return {"axis": letter}, cyclic(letter)


def joined(case, kind, name="x", markers=("i", "j"), pair=None):
    """A joint of a plain kind, standing as it allows; its turned markers."""
    i, j = pair or case.pair(markers)
    axis, turn = drawn_axis(case, kind)
    d, Q = standing(case, kind)
    stand(case, i, j, d, Q, turn)
    ti, tj = turned_markers(case, i, j, turn)
    count, rows = PLAIN[kind]
    case.joint({"type": kind, "between": [i, j], **axis}, Joint(name, i, count, lambda f: rows(f, ti, tj)))
    return i, j, ti, tj


def _plain(kind):
    def build(case):
        joined(case, kind)
        pulled(case)
        settle(case)
        measured(case)
    build.__name__ = kind
    return build


for _kind in PLAIN:
    element("joint", _kind)(_plain(_kind))


# ---- made at a point of the world ------------------------------------------------------------------------------------


def world_axis(case):
    """an axis in the world: its text, and the axes whose z it is as the reference says"""
    letter = case.choose("x", "y", "z")
    sign = case.choose(1, -1)
    if case.chance():
        z = sign * np.eye(3)["xyz".index(letter)]
        return ("-" if sign < 0 else "") + letter, letter, z
    z = case.vector()
    z = z / np.linalg.norm(z)
    return z.tolist(), None, z


def cross_of(letter, z):
    """x follows from the axis: along z or -z it is x, along x or -x y, along y or -y z; of another direction it is the
    part across it of the axis farthest from it; y completes the right-handed three"""
    x = np.eye(3)[("xyz".index(letter) + 1) % 3 if letter else int(np.argmin(np.abs(z)))]
    x = x - z * (z @ x)
    x = x / np.linalg.norm(x)
    return np.stack((x, np.cross(z, x), z), axis=1)


def made_at(case, two):
    """Markers at a point of the world on both bodies, with the axes of the world: the reference configuration."""
    P = case.vector() * case.length
    for m, name in zip(("i", "j"), two):
        b = case.scene.bodies.get(name)
        case.scene.markers[m] = (name, P, np.eye(3)) if b is None else (name, b.R.T @ (P - b.r), b.R.T)
    return P


def _placed(kind):
    def build(case):
        two = case.choose(("a", "b"), ("b", "a"), ("a", "ground"), ("ground", "a"))
        for name in sorted(set(two) - {"ground"}):
            case.body(name)
        P = made_at(case, two)
        written, letter, z = world_axis(case)
        turn = np.eye(3) if kind in NO_AXIS else cross_of(letter, z)
        fields = {"type": kind, "between": list(two), "at": P.tolist()}
        if kind not in NO_AXIS:
            fields["axis"] = written
        count, rows = PLAIN[kind]
        ti, tj = turned_markers(case, "i", "j", turn)
        case.joint(fields, Joint("x", "i", count, lambda f: rows(f, ti, tj)))
        case.departed = case.kept = True
        if kind != "fixed" or "ground" not in two:
            base = case.scene.bodies[two[1] if two[1] != "ground" else "a"]
            base.r, base.R = case.along() * case.length, case.turned()
        for body in case.scene.bodies.values():
            body.v, body.w = case.along(2) * case.length, case.along(2)
        d, Q = standing(case, kind)
        stand(case, "i", "j", d, Q, turn)
        pulled(case)
        settle(case)
        measured(case)
    build.__name__ = kind + "_at"
    return build


for _kind in PLAIN:
    if _kind != "perpendicular_axes":
        element("joint", _kind)(_placed(_kind))


@element("joint", "constant_angle")
def constant_angle(case):
    i, j = case.pair()
    axis, turn = drawn_axis(case, "constant_angle")
    ti, tj = turned_markers(case, i, j, turn)
    a = case.uniform(0.15, 3.0)
    stand(case, i, j, case.along() * case.length, RZ(case.along_one(3)) @ RX(a) @ RZ(case.along_one(3)), turn)
    case.joint({"type": "constant_angle", "between": [i, j], "angle": a, **axis},
               Joint("x", i, 1, lambda f: [dot(f[ti].axis(2), f[tj].axis(2)) - np.cos(a)]))
    pulled(case)
    settle(case)
    measured(case)


@element("joint", "rod")
def rod(case):
    i, j = case.pair()
    d = case.along()
    length = case.size(0.2, 5) * case.length
    stand(case, i, j, d / np.linalg.norm(d) * length, case.turned(), np.eye(3))
    case.joint({"type": "rod", "between": [i, j], "length": length},
               Joint("x", i, 1, lambda f: [norm(displacement(f, i, j)) - length]))
    pulled(case)
    settle(case)
    measured(case)


@element("joint", "screw")
def screw(case):
    i, j = case.pair()
    axis, turn = drawn_axis(case, "screw")
    ti, tj = turned_markers(case, i, j, turn)
    pitch = case.choose(1, -1) * case.size(0.01, 2) * case.length
    phi = case.uniform(-3, 3) + case.p
    stand(case, i, j, np.array([0, 0, pitch * phi / (2 * np.pi)]), RZ(phi), turn)
    case.joint({"type": "screw", "between": [i, j], "pitch": pitch, **axis}, Joint(
        "x", i, 5, lambda f: along(f, ti, tj, "xy") + parallel(f, ti, tj) + [
            along(f, ti, tj, "z")[0] - pitch / (2 * np.pi) * angle(f, ti, tj, 2)]))
    pulled(case)
    settle(case)
    measured(case)


def placed(case):
    """Two bodies, or one and ground, and markers at a point of the world on both; then they are moved from there."""
    two = case.choose(("a", "b"), ("b", "a"), ("a", "ground"), ("ground", "a"))
    for name in sorted(set(two) - {"ground"}):
        case.body(name)
    P = made_at(case, two)
    case.departed = case.kept = True
    return {"between": list(two), "at": P.tolist()}, two


def moved(case, two):
    for name in set(two) - {"ground"}:
        body = case.scene.bodies[name]
        body.r, body.R = case.along() * case.length, case.turned()
        body.v, body.w = case.along(2) * case.length, case.along(2)


@element("joint", "screw")
def screw_at(case):
    """several revolutions from where it was written, which the state counts"""
    where, two = placed(case)
    written, letter, z = world_axis(case)
    turn = cross_of(letter, z)
    ti, tj = turned_markers(case, "i", "j", turn)
    pitch = case.choose(1, -1) * case.size(0.01, 2) * case.length
    turns = int(case.rng.integers(-9, 10))
    phi = case.uniform(-3, 3) + case.p
    case.joint({"type": "screw", "pitch": pitch, "axis": written, **where}, Joint(
        "x", "i", 5, lambda f: along(f, ti, tj, "xy") + parallel(f, ti, tj) + [
            along(f, ti, tj, "z")[0] - pitch / (2 * np.pi) * (angle(f, ti, tj, 2) + 2 * np.pi * turns)]))
    moved(case, two)
    stand(case, "i", "j", np.array([0, 0, pitch * (phi / (2 * np.pi) + turns)]), RZ(phi), turn)
    case.angles["x.rz"] = phi + 2 * np.pi * turns
    pulled(case)
    settle(case)
    measured(case)


@element("load", "torsion_spring")
def torsion_spring_at(case):
    from loads import TorsionSpring
    where, two = placed(case)
    written, letter, z = world_axis(case)
    k, c, preload = case.vector(100, 1)[0], case.vector(10, 1)[0], case.vector(30, 1)[0]
    case.load({"type": "torsion_spring", "axis": written, "stiffness": k, "damping": c, "preload": preload, **where},
              TorsionSpring("s", "i", "j", cross_of(letter, z), k, c, 0.0, preload))
    moved(case, two)


@element("load", "bushing")
def bushing_at(case):
    from loads import Bushing, below_half_turn
    where, two = placed(case)
    k, c = np.abs(case.vector(100, 2)), np.abs(case.vector(10, 2))
    K, C = (np.diag([v[0]] * 3 + [v[1]] * 3) for v in (k, c))
    case.load({"type": "bushing", **where, "translation": {"stiffness": k[0], "damping": c[0]},
               "rotation": {"stiffness": k[1], "damping": c[1]}}, Bushing("s", "i", "j", K, C, np.zeros(6)))
    moved(case, two)
    case.legal = below_half_turn(case, "i", "j")


@element("load", "spring")
def spring_of_its_own_length(case):
    """free at the length that it has in the reference configuration"""
    from loads import reference_length
    i, j = case.pair()
    k, c = case.vector(100, 1)[0], case.vector(10, 1)[0]
    case.load({"type": "spring", "between": [i, j], "stiffness": k, "damping": c},
              Spring("s", i, j, k, c, reference_length(case, i, j), 0.0))
    case.depart()


@element("joint", "constant_angle")
def constant_angle_of_its_own(case):
    """the angle that it has in the reference configuration"""
    i, j = case.pair()
    axis, turn = drawn_axis(case, "constant_angle")
    ti, tj = turned_markers(case, i, j, turn)
    f = case.scene.at_rest()
    a = float(np.arccos((f[ti].axes[:, 2] * f[tj].axes[:, 2]).sum(0).real[0]))
    case.joint({"type": "constant_angle", "between": [i, j], **axis},
               Joint("x", i, 1, lambda f: [dot(f[ti].axis(2), f[tj].axis(2)) - np.cos(a)]))
    case.depart()
    case.kept = True
    stand(case, i, j, case.along() * case.length, RZ(case.along_one(3)) @ RX(a) @ RZ(case.along_one(3)), turn)
    case.legal = 0.1 < a < 3.0
    pulled(case)
    settle(case)
    measured(case)


# ---- joints of joints ------------------------------------------------------------------------------------------------


class Mate:
    """A joint with a coordinate, between bodies of a small tree."""

    def __init__(self, case, name, kind, bodies):
        i, j = (case.marker(f"{name}{c}", b) for c, b in zip("ij", bodies))
        self.name, self.kind = name, kind
        self.i, self.j, self.ti, self.tj = joined(case, kind, name, pair=(i, j))

    turns = {}

    def clear(self, f, along_what):
        """Whether the angle is far from where the axis that it follows points along the other one."""
        if len(along_what) == 1:
            return True
        k = "xyz".index(along_what[1])
        arrow, about = f[self.ti].axes[:, (k + 1) % 3], f[self.tj].axes[:, k]
        return 1 - (arrow * about).sum(0).real[0] ** 2 > 0.1

    def coordinate(self, f, along_what):
        if along_what in ("x", "y", "z"):
            return along(f, self.ti, self.tj, along_what)[0]
        return 2 * np.pi * self.turns.get(along_what, 0) + angle(f, self.ti, self.tj, "xyz".index(along_what[1]))

    def rate(self, f, along_what):
        """of velocities: displacement's rate, or the angular velocity about the axis of the second marker"""
        if along_what in ("x", "y", "z"):
            x = along(f, self.ti, self.tj, along_what)[0]
            return jets.Jet(x.c[1], x.c[2])
        a, b = f[self.ti], f[self.tj]
        w = jets.Jet(a.w - b.w, a.al - b.al)
        return dot(w, jets.Jet(*b.axis("xyz".index(along_what[1])).c[:2]))


FREE = {"revolute": ["rz"], "translational": ["z"], "cylindrical": ["z", "rz"], "planar": ["x", "y", "rz"],
        "universal": ["rx", "ry"], "spherical": ["rx", "ry", "rz"]}


def tree(case, kinds):
    """Bodies a, b, .. each on ground or on one before it by a joint of the kinds."""
    mates = []
    for n, kind in enumerate(kinds):
        name = "abc"[n]
        case.body(name)
        base = case.choose("ground", *"abc"[:n])
        ends = [name, base]
        if base == "ground" and case.chance():
            ends.reverse()
        mates.append(Mate(case, f"m{n}", kind, ends))
    return mates


def wind(case, mates, which):
    """Revolutions that a state counts."""
    case.departed = True
    for mate, c in zip(mates, which):
        if len(c) == 2:
            mate.turns = {c: int(case.rng.integers(-9, 10))}
            phi = complex(np.ravel(jet(mate.coordinate(case.scene.at_rest(), c)).c[0])[0]).real
            case.angles[f"{mate.name}.{c}"] = phi + case.uniform(-0.4, 0.4)


def ratio_rows(mates, ratios, which, offset):
    return lambda f: [sum((r * m.coordinate(f, c) for r, m, c in zip(ratios, mates, which)), jet(0.0)) - offset]


def no_wrench(case, name):
    """A joint of joints has a force on no marker of its own: what it does is seen in the joints' forces."""
    case.scene.unmarked.add(name)


def _coupler(kind):
    def build(case):
        count = case.choose(2, 3)
        mates = tree(case, [case.choose(*FREE) if kind == "coupler" else case.choose("revolute", "cylindrical")
                            for _ in range(count)])
        which = [case.choose(*FREE[m.kind]) for m in mates]
        if kind == "gear":
            which = ["rz"] * count
        ratios = [case.choose(1, -1) * case.size(0.1, 10) for _ in range(count)]
        names = [m.name for m in mates]
        wound = case.chance()
        if wound:
            wind(case, mates, which)
        s = case.scene.at_rest()
        case.legal = all(m.clear(s, c) for m, c in zip(mates, which))
        offset = sum(r * complex(np.ravel(jet(m.coordinate(s, c)).c[0])[0]).real for r, m, c in zip(ratios, mates, which))
        more = {"offset": offset} if wound else {}
        case.joint({"type": kind, "joints": names, "ratios": ratios, "coordinates": which, **more},
                   Joint("x", mates[0].i, 1, ratio_rows(mates, ratios, which, offset)))
        no_wrench(case, "x")
        pulled(case)
        settle(case)
    build.__name__ = kind
    return build


element("joint", "coupler")(_coupler("coupler"))
element("joint", "gear")(_coupler("gear"))


@element("joint", "rack_and_pinion")
def rack_and_pinion(case):
    mates = tree(case, ["translational", "revolute"])
    radius = case.choose(1, -1) * case.size(0.05, 2) * case.length
    if case.chance():
        wind(case, mates[1:], ["rz"])
    s = case.scene.at_rest()
    offset = sum(r * complex(np.ravel(jet(m.coordinate(s, c)).c[0])[0]).real
                 for r, m, c in zip((1, -radius), mates, ("z", "rz")))
    case.joint({"type": "rack_and_pinion", "joints": [m.name for m in mates], "radius": radius, "offset": offset},
               Joint("x", mates[0].i, 1, ratio_rows(mates, (1, -radius), ("z", "rz"), offset)))
    no_wrench(case, "x")
    pulled(case)
    settle(case)


@element("joint", "velocity_coupler")
def velocity_coupler(case):
    count = case.choose(2, 3)
    mates = tree(case, [case.choose(*FREE) for _ in range(count)])
    which = [case.choose(*FREE[m.kind]) for m in mates]
    ratios = [case.choose(1, -1) * case.size(0.1, 10) for _ in range(count)]
    case.joint({"type": "velocity_coupler", "joints": [m.name for m in mates], "ratios": ratios, "coordinates": which},
               Joint("x", mates[0].i, 1, lambda f: [sum((r * m.rate(f, c) for r, m, c in zip(ratios, mates, which)),
                                                       jet(0.0))]), velocities=True)
    no_wrench(case, "x")
    pulled(case)
    settle(case)


# ---- motions ---------------------------------------------------------------------------------------------------------


def history(case, value):
    """A function of time and an input that has the value at the case's time: text, and jet of frames."""
    a, b, w = case.vector(1, 1)[0], case.vector(1, 1)[0], case.uniform(0.5, 3)
    t0 = case.uniform(-3, 3)
    case.scene.time = t0
    case.model["operating_point"] = {"type": "given", "time": t0}
    u, g = case.uniform(-1, 1), case.uniform(-1, 1)
    case.input("u", u)
    zero = a * np.sin(w * t0) + b * t0 * t0 + g * u * u
    c = value - zero
    text = f"{a!r}*sin({w!r}*time) + {b!r}*time^2 + {g!r}*u^2 + {c!r}"
    return text, lambda f: a * sin(w * f.time) + b * f.time * f.time + g * f.inputs["u"] * f.inputs["u"] + c


@element("joint", "motion")
def motion_of_joint(case):
    mates = tree(case, [case.choose(*FREE)])
    which = case.choose(*FREE[mates[0].kind])
    if case.chance():
        wind(case, mates, [which])
    s = case.scene.at_rest()
    case.legal = mates[0].clear(s, which)
    value = complex(np.ravel(jet(mates[0].coordinate(s, which)).c[0])[0]).real
    text, function = history(case, value)
    case.joint({"type": "motion", "joint": mates[0].name, "along": which, "function": text},
               Joint("x", mates[0].i, 1, lambda f: [mates[0].coordinate(f, which) - function(f)]))
    pulled(case)
    settle(case)
    measured(case)


@element("joint", "motion")
def motion_between(case):
    i, j = case.pair()
    which = case.choose("x", "y", "z", "rx", "ry", "rz")

    def coordinate(f):
        return along(f, i, j, which)[0] if len(which) == 1 else angle(f, i, j, "xyz".index(which[1]))

    value = complex(np.ravel(jet(coordinate(case.scene.at_rest())).c[0])[0]).real
    text, function = history(case, value)
    case.joint({"type": "motion", "between": [i, j], "along": which, "function": text},
               Joint("x", i, 1, lambda f: [coordinate(f) - function(f)]))
    pulled(case)
    settle(case)
    measured(case)


@element("joint", "expression")
def expression(case):
    i, j = case.pair()
    a, b, c = case.vector(1)
    k = case.marker("m", case.choose("a", "ground"))

    def value(f):
        d = displacement(f, i, j)
        return a * norm(d) * norm(d) + b * sin(dot(d, f[k].axis(0))) + c * angle(f, i, j, 2)

    at = complex(np.ravel(jet(value(case.scene.at_rest())).c[0])[0]).real
    t0, w = case.uniform(-2, 2), case.uniform(0.3, 2)
    case.scene.time = t0
    case.model["operating_point"] = {"type": "given", "time": t0}
    h = at - np.sin(w * t0)
    text = f"{a!r}*DM({i}, {j})^2 + {b!r}*sin(DX({i}, {j}, {k})) + {c!r}*AZ({i}, {j}) - sin({w!r}*time) - ({h!r})"
    case.joint({"type": "expression", "expression": text}, Joint("x", i, 1, lambda f: [value(f) - sin(w * f.time) - h]))
    no_wrench(case, "x")
    pulled(case)
    settle(case)


# ---- joints of velocities --------------------------------------------------------------------------------------------


def velocity_jet(f, i, j, place=None):
    """velocity of i against j as seen from j, a jet of two terms: d' - w x d"""
    d = displacement(f, i, j)
    w = jets.Jet(f[j].w, f[j].al)
    return jets.Jet(d.c[1], d.c[2]) - jets.cross(w, jets.Jet(d.c[0], d.c[1]))


def short(x):
    return jets.Jet(*x.c[:2])


@element("joint", "knife_edge")
def knife_edge(case):
    i, j = case.pair()
    case.joint({"type": "knife_edge", "between": [i, j]},
               Joint("x", i, 1, lambda f: [dot(velocity_jet(f, i, j), short(f[i].axis(1)))]), velocities=True)
    pulled(case)
    settle(case)
    measured(case)


@element("joint", "nonholonomic")
def nonholonomic(case):
    i, j = case.pair()
    a, b, c, e, g = case.vector(1, 5)
    t0 = case.uniform(-2, 2)
    case.scene.time = t0
    case.model["operating_point"] = {"type": "given", "time": t0}

    def first(f):
        return a * dot(velocity_jet(f, i, j), short(f[j].axis(0))) + b * dot(
            jets.Jet(f[i].w - f[j].w, f[i].al - f[j].al), short(f[i].axis(2))) * short(sin(norm(displacement(f, i, j))))

    def second(f):
        l = norm(displacement(f, i, j))
        return c * jets.Jet(l.c[1], l.c[2]) + e * dot(velocity_jet(f, i, j), short(f[i].axis(1))) - g * short(cos(f.time))

    texts = [f"{a!r}*VX({i}, {j}, {j}, {j}) + {b!r}*WZ({i}, {j}, {i})*sin(DM({i}, {j}))",
             f"{c!r}*VR({i}, {j}) + {e!r}*VY({i}, {j}, {i}, {j}) - ({g!r})*cos(time)"]
    count = case.choose(1, 2)
    case.joint({"type": "nonholonomic", "expressions": texts[:count], "between": [i, j]},
               Joint("x", i, count, lambda f: [first(f), second(f)][:count]), velocities=True)
    pulled(case)
    settle(case)
    measured(case)


class Rolling:
    """A torus (rho, tube tau) on the plane z of j: the lowest point of its middle circle is -rho m, m the steepest
    direction in its own plane, m = (n - (n.e) e)/|..|; the surface is tau below that along n."""

    def __init__(self, i, j, rho, tau):
        self.i, self.j, self.rho, self.tau = i, j, rho, tau

    def arm(self, f):
        """from the centre to where it touches"""
        n, e = f[self.j].axis(2), f[self.i].axis(2)
        if self.rho == 0:
            return n * (-self.tau)
        across = n - e * dot(n, e)
        m = across * (1 / norm(across))
        return m * (-self.rho) + n * (-self.tau)

    def height(self, f):
        return [dot(displacement(f, self.i, self.j) + self.arm(f), f[self.j].axis(2))]

    def slip(self, f):
        """the material of the wheel where it touches, against the plane's"""
        d, c = displacement(f, self.i, self.j), short(self.arm(f))
        wi, wj = jets.Jet(f[self.i].w, f[self.i].al), jets.Jet(f[self.j].w, f[self.j].al)
        v = jets.Jet(d.c[1], d.c[2]) + jets.cross(wi, c) - jets.cross(wj, short(d) + c)
        return [dot(v, short(f[self.j].axis(k))) for k in (0, 1)]


@element("joint", "rolling")
def rolling(case):
    i, j = case.pair()
    rho, tau = (case.length * x for x in case.choose((case.size(0.1, 2), 0.0), (case.size(0.1, 2), case.size(0.01, 0.5)), (0.0, case.size(0.1, 1))))
    lean = case.uniform(0.4, np.pi - 0.4)
    Q = RZ(case.along_one(3)) @ RX(lean) @ RZ(case.along_one(3))
    height = rho * np.sin(lean) + tau
    d = np.append(case.along(1, 2) * case.length, height)
    stand(case, i, j, d, Q, np.eye(3))
    r = Rolling(i, j, rho, tau)
    case.scene.split["x"] = True
    fields = {"type": "rolling", "between": [i, j], "radius": rho, "tube_radius": tau}
    case.model["joints"]["x"] = fields
    case.scene.holonomic.append(Joint("x", i, 1, r.height))
    case.scene.velocity_rows.append(Joint("x", i, 2, r.slip))
    pulled(case)
    settle(case)
    measured(case)
