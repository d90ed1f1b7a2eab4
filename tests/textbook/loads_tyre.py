"""Tyres from their definitions (Pacejka 2006; Bakker, Pacejka and Lidner 1989; Radt and Milliken 1983), and the
geometrically exact rod (Reissner 1973, Simo 1985, Crisfield and Jelenic 1999)."""
import numpy as np

import jets
from jets import _atan, cross, dot, jet, norm, sqrt, times
from joints import RX, RZ, settle, stand
from loads import Load, inverse_tangent, symmetric, below_half_turn
from measures import displacement
from registry import element


class Tyre(Load):
    def __init__(self, name, i, j, own):
        super().__init__(name, i, j)
        self.own = own

    def kinematics(self, f):
        own = self.own
        n, e = f[self.j].axis(2), f[self.i].axis(2)
        s = norm(cross(e, n))
        h = dot(displacement(f, self.i, self.j), n)
        x = cross(e, n) * (1 / s)
        y = (e - n * dot(e, n)) * (1 / s)
        m = (n - e * dot(e, n)) * (1 / s)
        q = (h - own["tube"]) * (1 / s)
        f_radial = own["K"] * (own["R"] - q.c[0]) - own["C"] * q.c[1]
        N = f_radial / s.c[0]
        if own["no_tension"]:
            N = np.where(N.real > 0, N, 0)
        d = -q.c[0] * m.c[0] - own["tube"] * n.c[0]
        D = displacement(f, self.i, self.j)
        v = D.c[1] - cross(f[self.j].w, D.c[0])
        w = f[self.i].w - f[self.j].w
        b = v + cross(w, d)
        along = lambda a, c: (a * c).sum(0)
        vx = along(v, x.c[0])
        bx, by = along(b, x.c[0]), along(b, y.c[0])
        if own["re"]:
            bx = vx - own["re"] * along(e.c[0], w)
        V0 = own["V0"]
        V = np.where(np.abs(vx.real) >= V0, np.where(vx.real < 0, -vx, vx), (V0 + vx * vx / V0) / 2)
        camber = -_atan(dot(e, n).c[0] / s.c[0])
        return dict(n=n.c[0], x=x.c[0], y=y.c[0], d=d, N=N, vx=vx, bx=bx, by=by, V=V, gamma=camber)

    def slips(self, f, k):
        out = []
        for key, b in (("longitudinal", k["bx"]), ("lateral", k["by"])):
            name = f"{self.name}.{key}_slip"
            out.append(f.z[name] if name in f.z else -b / k["V"])
        return out

    def rate(self, key, length):
        """l z' + V z = -b"""
        def of(solution):
            k = self.kinematics(solution.frames)
            b = k["bx"] if key == "longitudinal" else k["by"]
            return (-b - k["V"] * solution.frames.z[f"{self.name}.{key}_slip"]) / length
        return of

    def wrench(self, f, solution):
        k = self.kinematics(f)
        kappa, tan = self.slips(f, k)
        Fx, Fy, trail = self.own["forces"](k["N"], kappa, tan, k["gamma"])
        if self.own["drive"] is not None:
            Fx = self.own["drive"] + 0 * Fy
        Mz = -trail * k["vx"] / k["V"] * Fy
        force = Fx * k["x"] + Fy * k["y"] + k["N"] * k["n"]
        return self.mutual(f, force, cross(k["d"], force) + Mz * k["n"])


def linear_law(case, leaves):
    Ca, ca, Cg, cg, Ck, ck = (case.choose(0.0, case.size(1, 100)) for _ in range(6))
    if leaves:  # a tyre that may leave the road has forces that go with the normal one
        Ca = Cg = Ck = 0.0
    t = case.choose(0.0, case.uniform(-0.1, 0.2))
    fields = {"cornering_stiffness": Ca, "cornering_coefficient": ca, "camber_stiffness": Cg, "camber_coefficient": cg,
              "slip_stiffness": Ck, "slip_coefficient": ck, "trail": t}
    fields = {key: value for key, value in fields.items() if value}

    def forces(N, kappa, tan, gamma):
        return (Ck + ck * N) * kappa, (Ca + ca * N) * tan + (Cg + cg * N) * gamma, t

    return fields, forces, Ck or ck, Ca or ca


def curve(case, N0):
    k, peak = case.size(2, 30), case.choose(None, N0 * case.size(0.5, 20))
    d0, d1, C = case.size(0.3, 1.5), case.choose(0.0, case.uniform(-0.1, 0.1) / N0), case.uniform(0.9, 1.8)
    e0, e1 = case.uniform(-2, 0.9), case.choose(0.0, case.uniform(-0.1, 0.1) / N0)
    fields = {"stiffness_coefficient": k, "friction": d0, "friction_slope": d1, "shape": C, "curvature": e0,
              "curvature_slope": e1}
    if peak:
        fields["peak_load"] = peak

    def parts(N, x):
        D, E = (d0 + d1 * N) * N, e0 + e1 * N
        BCD = k * N / (1 + (N / peak) ** 2) if peak else k * N
        return D, BCD / D * x, lambda q: np.sin(C * _atan(q / C - E * (q / C - _atan(q / C))))

    return fields, parts


def magic_law(case, N0):
    lateral, of_y = curve(case, N0)
    shift = case.choose(0.0, case.uniform(-0.3, 0.3))
    t0, Ct, Bt = case.choose(0.0, case.uniform(-0.1, 0.2)), case.choose(0.0, case.uniform(0.5, 1.5)), case.size(0.5, 10)
    lateral.update({"camber_shift": shift, "trail": t0, "trail_shape": Ct, "trail_stiffness": Bt})
    both = case.chance(0.6)
    fields = {"lateral": lateral}
    if both:
        fields["longitudinal"], of_x = curve(case, N0)

    def forces(N, kappa, tan, gamma):
        Dy, qy, fy = of_y(N, tan + shift * gamma)
        trail = t0 * np.cos(Ct * _atan(Bt * tan))
        if not both:
            return 0 * N, Dy * fy(qy), trail
        Dx, qx, fx = of_x(N, kappa)
        rho = np.sqrt(qx * qx + qy * qy)
        return Dx * fx(rho) * qx / rho, Dy * fy(rho) * qy / rho, trail

    return fields, forces, both, True


def tyre_case(case, kind):
    i, j = case.pair()
    R, tube = case.size(0.2, 2) * case.length, case.choose(0.0, case.size(0.01, 0.3)) * case.length
    lean = case.choose(1, -1) * case.uniform(0.5, np.pi - 0.5)
    K = case.size(50, 2000)
    press = case.uniform(0.02, 0.3) * R
    s = abs(np.sin(lean))
    height = (R - press) * s + tube
    N0 = K * press / s
    C = case.choose(0.0, case.uniform(0.001, 0.01) * K)
    stand(case, i, j, np.append(case.along(1, 2) * case.length, height) + case.p * np.array([0, 0, 0.3]) * case.length,
          RZ(case.along_one(3)) @ RX(lean) @ RZ(case.along_one(3)), np.eye(3))
    settle(case)
    own = {"tube": tube, "K": K, "R": R, "C": C, "re": case.choose(None, R * case.uniform(0.9, 1.1)),
           "V0": case.choose(0.1, case.size(0.5, 5)), "no_tension": case.chance()}
    law, own["forces"], long_slip, lat_slip = linear_law(case, own["no_tension"]) if kind == "tyre" else magic_law(case, N0)
    fields = {"type": kind, "between": [i, j], "radius": R, "tube_radius": tube, "stiffness": K, "damping": C,
              "low_speed": own["V0"], "no_tension": own["no_tension"], **law}
    own["drive"] = None
    if not long_slip and case.chance():
        own["drive"] = case.uniform(-20, 20)
        fields["drive_force"] = repr(own["drive"])
    if own["re"]:
        if long_slip:
            fields["effective_radius"] = own["re"]
        else:
            own["re"] = None
    tyre = Tyre("s", i, j, own)
    case.scene.rates = {}
    for key, has, field in (("lateral", lat_slip, "relaxation_length"),
                            ("longitudinal", long_slip, "longitudinal_relaxation_length")):
        if has and case.chance(0.4):
            length = case.size(0.1, 2)
            fields[field] = length
            name = f"s.{key}_slip"
            case.placed[name] = tyre, key
            case.scene.control[name] = 0.0
            case.scene.rates[name] = tyre.rate(key, length)
    case.load(fields, tyre)
    # away from the edges where the law has no derivative
    at = tyre.kinematics(case.scene.at_rest_with_rates())
    case.legal = at["N"].real[0] > 1e-3 * N0 and abs(abs(at["vx"].real[0]) / own["V0"] - 1) > 0.02
    if case.placed:
        case.departed = True  # with slips of any size
        for name in case.placed:
            case.scene.control[name] = case.along_one(0.3)


@element("load", "tyre")
def tyre(case):
    tyre_case(case, "tyre")


@element("load", "magic_formula_tyre")
def magic_formula_tyre(case):
    tyre_case(case, "magic_formula_tyre")


class Rod(Load):
    """V = e'K e/2, e = (R'(r_b - r_a), theta) - e_0 with theta = log(A_a'A_b), R = A_a exp(theta/2), A the axes of the
    element at its ends: those of the markers times constant B, so that both are the section's at first. The wrench is found
    by what work it does: Q'e' = F_b.(v_b - v_a) + T_a.w_a + T_b.w_b + ... for all velocities of the ends."""

    def __init__(self, name, i, j, K, C, e0, ends=(np.eye(3), np.eye(3))):
        super().__init__(name, i, j)
        self.K, self.C, self.e0, self.ends = K, C, e0, ends

    def strain(self, f, v=None):
        Aa, Ab = (jets.matrix(f[m].R, jets.Jet(B[:, :, None], 0 * B[:, :, None], 0 * B[:, :, None]))
                  for m, B in zip((self.i, self.j), self.ends))
        theta = jets.rotation_vector(jets.matrix_back(Aa, Ab))
        half = theta * 0.5
        u = norm(half)
        a = half * (1 / u)
        # exp(theta/2)' Aa' d = turned back by half the angle about a
        d = jets.back(Aa, displacement(f, self.j, self.i))
        c, s = jets.cos(u), jets.sin(u)
        e = d * c - jets.cross(a, d) * s + a * (dot(a, d) * (1 - c))
        return e, theta

    def wrench(self, f, solution):
        e, theta = self.strain(f)
        strain = np.concatenate((e.c[0], theta.c[0])) - self.e0[:, None]
        rate = np.concatenate((e.c[1], theta.c[1]))
        Q = -np.einsum("ij,jn->in", self.K, strain) - np.einsum("ij,jn->in", self.C, rate)
        # e' is linear in the velocities: one at a time
        names = [self.i, self.j]
        wrench = {m: [] for m in names}
        for m in names:
            for k in range(6):
                e1 = self.unit(f, m, k)
                wrench[m].append((Q * e1).sum(0))
        return [(m, np.stack(wrench[m][:3]), np.stack(wrench[m][3:])) for m in names]

    def unit(self, f, marker, k):
        """e' where one marker has a unit velocity, the other none"""
        from scene import Frame
        frames = {}
        for m in (self.i, self.j):
            r, A = f[m].position, f[m].axes
            v, w = np.zeros_like(r), np.zeros_like(r)
            if m == marker:
                (v if k < 3 else w)[k % 3] = 1
            frames[m] = Frame(jets.Jet(r, v, 0 * v), jets.Jet(A, np.einsum("ijn,jkn->ikn", jets.skew(w), A), 0 * A), w, 0 * w)
        e, theta = self.strain(frames)
        return np.concatenate((e.c[1], theta.c[1]))


def two_logarithms(case, i, j):
    frames = case.scene.at_rest()
    return [(frames[m].position.real[:, 0], frames[m].axes.real[:, :, 0]) for m in (i, j)]


def element_of_flexibility(S, C, length):
    """as element_of, by the flexibility of the section, which may have no shear"""
    flexibility, damping = np.zeros((6, 6)), np.zeros((6, 6))
    for x in (-length / np.sqrt(12), length / np.sqrt(12)):
        G = np.eye(6)
        G[3:, :3] = -x * jets.skew(np.array([1.0, 0, 0]))
        flexibility += G.T @ S @ G * length / 2
        damping += G.T @ S @ C @ S @ G * length / 2
    K = np.linalg.inv(flexibility)
    return K, K @ damping @ K


def element_of(K, C, length):
    """From a section to an element: M(x) = M - x e_1 x N from the middle, K^-1 = int G'S G dx with S = K_s^-1, and
    damping of the strains that the forces make, D = K int G'S C_s S G dx K; Gauss' two points are exact."""
    return element_of_flexibility(np.linalg.inv(K), C, length)


@element("load", "flexible_rod")
def flexible_rod(case):
    """free of load in the reference configuration, and then moved from there"""
    i, j = case.pair()
    K, C = symmetric(case, 30), symmetric(case, 1)
    (ri, Ai), (rj, Aj) = two_logarithms(case, i, j)
    length = np.linalg.norm(rj - ri)
    x = (rj - ri) / length
    side = case.vector() if case.chance() else None
    y = Ai[:, 1] + Aj[:, 1] if side is None else side
    y = y - x * (x @ y)
    y = y / np.linalg.norm(y)
    T = np.stack((x, y, np.cross(x, y)), axis=1)
    Ke, Ce = element_of(K, C, length)
    load = Rod("s", i, j, Ke, Ce, np.array([length, 0, 0, 0, 0, 0]), (Ai.T @ T, Aj.T @ T))
    fields = {"type": "flexible_rod", "between": [i, j], "stiffness": K.tolist(), "damping": C.tolist()}
    if side is not None:
        fields["side"] = side.tolist()
    case.load(fields, load)
    case.depart()
    case.legal = below_half_turn(case, i, j, load.ends)
