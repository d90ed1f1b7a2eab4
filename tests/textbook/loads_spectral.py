"""The beam element of higher order, as jets: rotations of its nodes against the reference configuration as unit
quaternions, their interpolation made a unit quaternion again, its rotation matrix R and the derivative of that by the
coordinate t from -1 to 1 (docs/theory/exact-beams.md):

    strain  R' r_t - r0_t,   curvature  axial(R' R_t),   V = sum over Gauss' points of w/(2 |r0_t|) e'C e

with C of the section in the world's axes as they are in the reference configuration."""
import numpy as np
from numpy.polynomial import legendre, polynomial

import jets
from joints import Joint
from loads import Load, symmetric
from registry import element
from scene import Body, Frame


def shapes(order):
    """Values and slopes of Lagrange's polynomials of Lobatto's points at Gauss' points, and the weights of these."""
    inner = legendre.legroots(legendre.legder([0] * order + [1])) if order > 1 else []
    lobatto = np.concatenate(([-1.0], np.sort(inner), [1.0]))
    gauss, weights = legendre.leggauss(order)
    N = np.empty((order, order + 1))
    slope = np.empty_like(N)
    for j in range(order + 1):
        p = polynomial.polyfromroots(np.delete(lobatto, j))
        p = p / polynomial.polyval(lobatto[j], p)
        N[:, j], slope[:, j] = polynomial.polyval(gauss, p), polynomial.polyval(gauss, polynomial.polyder(p))
    return N, slope, weights


def constant(matrix):
    m = np.asarray(matrix, float)[:, :, None]
    return jets.Jet(m, 0 * m, 0 * m)


def quaternion(R):
    """by its largest component (Shepperd 1978)"""
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    squares = [trace + 1] + [R[k, k] * 2 - trace + 1 for k in range(3)]
    largest = int(np.argmax([np.ravel(jets.real(s))[0] for s in squares]))
    m = jets.sqrt(squares[largest]) * 2
    odd = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    if largest == 0:
        return [m * 0.25] + [o / m for o in odd]
    i = largest - 1
    return [odd[i] / m] + [m * 0.25 if k == i else (R[i, k] + R[k, i]) / m for k in range(3)]


def product(a, b):
    return sum(x * y for x, y in zip(a, b))


def quadratic(p, q):
    """The rotation matrix's entries of quaternions, as bilinear: of p and p the matrix, of p and its derivative half of
    the matrix's."""
    def s(i, j):
        return (p[i] * q[j] + p[j] * q[i]) * 0.5
    return [[s(0, 0) + s(1, 1) - s(2, 2) - s(3, 3), (s(1, 2) - s(0, 3)) * 2, (s(1, 3) + s(0, 2)) * 2],
            [(s(1, 2) + s(0, 3)) * 2, s(0, 0) - s(1, 1) + s(2, 2) - s(3, 3), (s(2, 3) - s(0, 1)) * 2],
            [(s(1, 3) - s(0, 2)) * 2, (s(2, 3) + s(0, 1)) * 2, s(0, 0) - s(1, 1) - s(2, 2) + s(3, 3)]]


class Spectral(Load):
    def __init__(self, name, nodes, rests, section, damping):
        """rests: position and axes of every node in the reference configuration; section and damping: functions of the
        number of Gauss' point and r0_t that give 6 x 6 matrices in the world's axes"""
        super().__init__(name, nodes[0], nodes[-1])
        self.nodes, self.rests = nodes, rests
        self.N, self.slope, self.weights = shapes(len(nodes) - 1)
        self.x0 = self.slope @ np.array([r for r, _ in rests])
        scale = [w / np.linalg.norm(x) for w, x in zip(self.weights, self.x0)]
        self.C = [section(g, x) * s for g, (x, s) in enumerate(zip(self.x0, scale))]
        self.D = [damping(g, x) * s for g, (x, s) in enumerate(zip(self.x0, scale))]
        self.R = [None] * len(self.weights)

    def quaternions(self, f):
        q = [quaternion(jets.matrix(f[m].R, constant(A.T))) for m, (_, A) in zip(self.nodes, self.rests)]
        for before, after in zip(q, q[1:]):
            if np.ravel(jets.real(product(before, after)))[0] < 0:
                after[:] = [-c for c in after]
        return q

    def strains(self, f):
        q = self.quaternions(f)
        for g in range(len(self.weights)):
            r1 = sum(f[m].r * n for m, n in zip(self.nodes, self.slope[g]))
            p = [sum(c[k] * n for c, n in zip(q, self.N[g])) for k in range(4)]
            s = [sum(c[k] * n for c, n in zip(q, self.slope[g])) for k in range(4)]
            size = jets.sqrt(product(p, p))
            self.smallest = min(self.smallest, np.ravel(jets.real(size))[0])
            p = [c / size for c in p]
            along = product(p, s)
            s = [(a - along * b) / size for a, b in zip(s, p)]
            R, half = quadratic(p, p), quadratic(p, s)
            self.R[g] = np.array([[np.ravel(jets.real(entry))[0] for entry in row] for row in R])
            x = [sum(R[i][k] * r1[i] for i in range(3)) - self.x0[g][k] for k in range(3)]
            W = [[sum(R[i][a] * half[i][b] for i in range(3)) * 2 for b in range(3)] for a in range(3)]
            yield jets.stack(x), jets.stack([W[2][1], W[0][2], W[1][0]])

    def wrench(self, f, solution):
        self.smallest = np.inf
        Q = []
        for (x, k), C, D in zip(self.strains(f), self.C, self.D):
            e, rate = np.concatenate((x.c[0], k.c[0])), np.concatenate((x.c[1], k.c[1]))
            Q.append(-np.einsum("ij,jn->in", C, e) - np.einsum("ij,jn->in", D, rate))
        wrench = []
        for m in self.nodes:
            parts = [sum((a * np.concatenate((x.c[1], k.c[1]))).sum(0) for a, (x, k) in
                         zip(Q, self.strains(self.unit(f, m, c)))) for c in range(6)]
            wrench.append((m, np.stack(parts[:3]), np.stack(parts[3:])))
        return wrench

    def unit(self, f, marker, k):
        """the frames where one of them has a unit velocity, the others none"""
        frames = {}
        for m in self.nodes:
            r, A = f[m].position, f[m].axes
            v, w = np.zeros_like(r), np.zeros_like(r)
            if m == marker:
                (v if k < 3 else w)[k % 3] = 1
            frames[m] = Frame(jets.Jet(r, v, 0 * v), jets.Jet(A, np.einsum("ijn,jkn->ikn", jets.skew(w), A), 0 * A), w, 0 * w)
        return frames


def is_defined(load, frames):
    """not near half a revolution between two nodes, nor where the interpolation of all is none"""
    load.smallest = np.inf
    list(load.strains(frames))
    q = load.quaternions(frames)
    near = min(abs(np.ravel(jets.real(product(a, b)))[0]) for a, b in zip(q, q[1:]))
    return near > 0.3 and load.smallest > 0.5


@element("load", "spectral_rod")
def spectral_rod(case):
    """free of load in the reference configuration, and then moved from there"""
    i, j = case.pair()
    names = [i]
    for k in range(case.choose(1, 2, 3)):
        names.append(case.marker(f"n{k}", case.body(f"c{k}")))
    names.append(j)
    K, C = symmetric(case, 30), symmetric(case, 1)
    frames = case.scene.at_rest()
    rests = [(frames[m].position.real[:, 0], frames[m].axes.real[:, :, 0]) for m in names]
    side = case.vector() if case.chance() else None
    y = rests[0][1][:, 1] + rests[-1][1][:, 1] if side is None else side

    def turned(M):
        def of(_, x):
            e = x / np.linalg.norm(x)
            z = np.cross(e, y)
            z = z / np.linalg.norm(z)
            T = np.kron(np.eye(2), np.stack((e, np.cross(z, e), z), axis=1))
            return T @ M @ T.T
        return of

    load = Spectral("s", names, rests, turned(K), turned(C))
    fields = {"type": "spectral_rod", "between": [i, j], "through": names[1:-1], "stiffness": K.tolist(), "damping": C.tolist()}
    if side is not None:
        fields["side"] = side.tolist()
    case.load(fields, load)
    case.depart()
    case.legal = is_defined(load, case.scene.at_rest())


NAMES = "mass_per_length inertia_y inertia_z EA GAy GAz GJ EIy EIz".split()


@element("beam", "sections")
def sections_of_order(case):
    """tapered and twisted, with offsets: masses of the nodes by Lobatto's weights, sections at Gauss' points"""
    spectral_beam(case, case.choose(2, 3, 4), case.choose(1, 2), [])


@element("beam", "sections")
def strains_kept_zero(case):
    """the same without stretch, and without shear along y or z, or both"""
    order, n = case.choose(2, 3, 4), case.choose(1, 2)
    kept = [0] + [k for k in (1, 2) if case.chance()]
    for load, rows in zip(case.scene.loads, spectral_beam(case, order, n, kept)):
        keep_zero(case.scene, load, rows)


class Kept(Joint):
    """strains of an element that are zero at Gauss' points; rows: of each point those of (strain, curvature)"""

    def __init__(self, load, rows):
        super().__init__(load.name.replace("e", "c"), load.nodes[0], len(rows) * len(rows[0]), self.of_frames)
        self.load, self.factors = load, rows

    def of_frames(self, f):
        return [sum(row[i] * e[i] + row[3 + i] * k[i] for i in range(3))
                for rows, (e, k) in zip(self.factors, self.load.strains(f)) for row in rows]


def keep_zero(scene, load, rows):
    """Nodes behind the first go to where the rows are zero and stay zero; their rotations are as they were."""
    joint = Kept(load, rows)
    for level in range(2):
        f = scene.at_rest_with_rates()
        residual = np.array([np.real(phi.c[level][0]) for phi in joint.of_frames(f)]).reshape(len(rows), -1)
        at = np.array([np.real((f[m].position, f[m].velocity)[level][:, 0]) for m in load.nodes])
        along = load.slope @ at
        for g, own in enumerate(rows):
            for row, value in zip(own, residual[g]):
                along[g] -= value * load.R[g] @ row[:3]
        moved = np.linalg.solve(load.slope[:, 1:], along - np.outer(load.slope[:, 0], at[0]))
        for marker, change in zip(load.nodes[1:], moved - at[1:]):
            body = scene.bodies[scene.markers[marker][0]]
            if level:
                body.v = body.v + change
            else:
                body.r = body.r + change
    scene.holonomic.append(joint)


def spectral_beam(case, order, n, kept):
    """with strains that are to be zero left out of the stiffness; returns the rows of each element that say so"""
    start, axis = case.vector(), case.vector()
    L = case.size(0.5, 3)
    x = axis / np.linalg.norm(axis)
    y = np.array([0, 1.0, 0]) - x * x[1]
    y /= np.linalg.norm(y)
    T = np.stack((x, y, np.cross(x, y)), axis=1)
    ends = {name: np.array([case.size(0.05, 2) if k < 3 else case.size(20, 500) for _ in range(2)]) for k, name in enumerate(NAMES)}
    ends["twist"] = case.vector(1, 2)
    ratio, offset = case.choose(0.0, case.uniform(0, 0.1)), case.vector(0.1, 2)
    yt, zt, ys, zs = case.vector(0.1, 4)
    a = case.rng.normal(size=(6, 6))
    damping = a @ a.T * case.choose(0.0, 0.3)
    case.method = "augmented"
    case.model["beams"] = {"b": {
        "type": "sections", "from": start.tolist(), "to": (start + L * x).tolist(), "elements": n, "order": order,
        "stations": [0, L], **{name: v.tolist() for name, v in ends.items() if name not in [NAMES[3 + k] for k in kept]},
        **({"inextensible": True} if kept else {}), "tension_y": yt, "tension_z": zt,
        "shear_y": ys, "shear_z": zs, "mass_y": offset[0], "mass_z": offset[1], "damping": damping.tolist(),
        "damping_ratio": ratio}}
    case.model["bodies"] = {}

    def at(name, s):
        return ends[name][0] + (ends[name][1] - ends[name][0]) * s / L

    def axes(s):
        return T @ jets.rodrigues([1, 0, 0], at("twist", s))

    N = np.eye(6)  # strains at the tension and shear centres
    N[0, 4], N[0, 5], N[1, 3], N[2, 3] = zt, -yt, -zs, ys

    def turned(matrix, s):
        A = np.kron(np.eye(2), axes(s))
        return A @ matrix @ A.T

    def stiffness(s):
        return N.T @ np.diag([0 if k in kept else at(name, s) for k, name in enumerate(NAMES[3:])]) @ N

    gauss, _ = legendre.leggauss(order)
    inner = np.sort(legendre.legroots(legendre.legder([0] * order + [1])))
    lobatto = np.concatenate(([-1.0], inner, [1.0]))
    weights = 2 / (order * (order + 1) * legendre.legval(lobatto, [0] * order + [1]) ** 2)
    places, lengths, factors = [0.0], [0.0], []
    for k in range(n):
        lengths[-1] += weights[0] * L / n / 2
        places += [(k + (t + 1) / 2) * L / n for t in lobatto[1:]]
        lengths += [w * L / n / 2 for w in weights[1:]]
    for k, (s, w) in enumerate(zip(places, lengths)):
        m, jy, jz = (at(name, s) * w for name in NAMES[:3])
        case.scene.add_body(f"b.{k + 1}", Body(m, np.diag([jy + jz, jy, jz]), start, T, np.zeros(3), np.zeros(3)))
        case.scene.markers[f"b.{k + 1}"] = (f"b.{k + 1}", np.array([0, *-offset]), np.eye(3))
    for k in range(n):
        at_gauss = [(k + (t + 1) / 2) * L / n for t in gauss]
        factors.append([[np.kron(np.eye(2), axes(s)) @ N[i] for i in kept] for s in at_gauss])
        nodes = range(k * order, (k + 1) * order + 1)
        case.scene.loads.append(Spectral(
            f"b.e{k + 1}", [f"b.{j + 1}" for j in nodes], [(start + x * places[j], axes(places[j])) for j in nodes],
            lambda g, _, at=at_gauss: turned(stiffness(at[g]), at[g]),
            lambda g, _, at=at_gauss: turned(damping + ratio * stiffness(at[g]), at[g])))
    # anywhere, not too far from each other by rotation
    case.departed = True
    base = case.turned()
    for body in case.scene.bodies.values():
        body.r, body.R = case.along(), base @ jets.rodrigues(case.vector(), case.uniform(-1.4, 1.4) + case.p)
        body.v, body.w = case.along(2), case.along(2)
    case.legal = all(is_defined(load, case.scene.at_rest()) for load in case.scene.loads)
    return factors
