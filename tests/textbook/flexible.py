"""A beam of finite elements in a floating frame, from virtual power over its mass (Shabana, ch. 5).

A point of the axis is at r + A (X + N q), with Euler and Bernoulli's shapes: stretch and torsion linear, bending cubic.
Its acceleration is linear in the accelerations (r'', al, q''), one at a time a unit gives what it does power with:

    sum over points  dm (dp''/du'_k) . (p'' - gravity)  +  sections' own inertia  +  K q + C q'  =  0

Integrals are Gauss' sums with four points in an element, exact for products of two cubics. Without rotary_inertia sections
have inertia about the axis of the beam, with the angular velocity w + R q'; with it about their own y and z too, and they tilt
and spin by finite rotations.
"""
import numpy as np

import jets
from jets import cross
from registry import element
from scene import STEP

GAUSS = np.polynomial.legendre.leggauss(4)


def jets_dot(matrix, x):
    return np.einsum("ij,jn->in", matrix, x)


def shapes(x, l):
    """displacement (3 x 12) and rotation (3 x 12) of the section at x by the two ends' (u, v, w, rx, ry, rz)"""
    s = x / l
    N, R = np.zeros((3, 12)), np.zeros((3, 12))
    N[0, [0, 6]] = R[0, [3, 9]] = 1 - s, s
    f = [1 - 3 * s ** 2 + 2 * s ** 3, l * s * (1 - s) ** 2, s ** 2 * (3 - 2 * s), l * s ** 2 * (s - 1)]
    d = [6 * (s * s - s) / l, 1 - 4 * s + 3 * s * s, 6 * (s - s * s) / l, 3 * s * s - 2 * s]
    N[1, [1, 5, 7, 11]], R[2, [1, 5, 7, 11]] = f, d  # v with rz = v'
    N[2, [2, 4, 8, 10]], R[1, [2, 4, 8, 10]] = np.array(f) * [1, -1, 1, -1], -np.array(d) * [1, -1, 1, -1]  # ry = -w'
    return N, R


def stiffness(E, G, A, Iy, Iz, J, l):
    K = np.zeros((12, 12))
    K[np.ix_([0, 6], [0, 6])] = E * A / l * np.array([[1, -1], [-1, 1]])
    K[np.ix_([3, 9], [3, 9])] = G * J / l * np.array([[1, -1], [-1, 1]])
    bend = np.array([[12, 6 * l, -12, 6 * l], [6 * l, 4 * l * l, -6 * l, 2 * l * l], [-12, -6 * l, 12, -6 * l],
                     [6 * l, 2 * l * l, -6 * l, 4 * l * l]]) / l ** 3
    sign = np.array([1, -1, 1, -1])
    K[np.ix_([1, 5, 7, 11], [1, 5, 7, 11])] = E * Iz * bend
    K[np.ix_([2, 4, 8, 10], [2, 4, 8, 10])] = E * Iy * bend * np.outer(sign, sign)
    return K


class Beam:
    """Points of the mass with shapes of the free coordinates, in the axes of the floating frame."""

    def __init__(self, start, T, L, n, rho, E, G, A, Iy, Iz, J, rotary, planar, alpha, beta):
        l, width = L / n, 6 * (n + 1)
        K = np.zeros((width, width))
        self.points = []  # X, N, R, mass, inertia of the section per point
        self.kept = [6 * node + c for node in range(1, n + 1) for c in ((0, 1, 5) if planar else range(6))]
        for k in range(n):
            where = slice(6 * k, 6 * k + 12)
            K[where, where] += stiffness(E, G, A, Iy, Iz, J, l)
            for g, weight in zip(*GAUSS):
                x = l * (1 + g) / 2
                N, R = np.zeros((3, width)), np.zeros((3, width))
                N[:, where], R[:, where] = shapes(x, l)
                i = rho * weight * l / 2 * np.diag([Iy + Iz, Iy if rotary else 0, Iz if rotary else 0])
                self.points.append((start + T @ [k * l + x, 0, 0], T @ N[:, self.kept], T @ R[:, self.kept],
                                    rho * A * weight * l / 2, T @ i @ T.T))
        self.K = K[np.ix_(self.kept, self.kept)]
        M = sum(m * N.T @ N + R.T @ i @ R for _, N, R, m, i in self.points)
        self.C = alpha * M + beta * self.K
        self.n, self.rotary = len(self.kept), rotary

    def section(self, S, i, w, q, q1):
        """Rows (al, q'') of the matrix and of the right side by Lagrange's equations (Boltzmann and Hamel's for w) of the
        energy of a section turned by exp(psi), psi = S q, to second order in q and q':

            2 T = omega' i omega,   omega = w + (psi' - psi x w) + (psi x (psi x w) - psi x psi')/2

        Derivatives are central differences with step 1, exact for squares."""
        def energy(w, q, q1):
            turn, rate = jets_dot(S, q), jets_dot(S, q1)
            first = rate - cross(turn, w)
            second = (cross(turn, cross(turn, w)) - cross(turn, rate)) / 2
            iw = jets_dot(i, w)
            return (w * iw).sum(0) / 2 + (first * iw).sum(0) + (first * jets_dot(i, first)).sum(0) / 2 + (second * iw).sum(0)

        def momentum(w, q, q1):
            rows = [(energy(w + e, q, q1) - energy(w - e, q, q1)) / 2 for e in np.eye(3)[:, :, None]]
            rows += [(energy(w, q, q1 + e) - energy(w, q, q1 - e)) / 2 for e in np.eye(self.n)[:, :, None]]
            return np.array(rows)

        none, still = np.zeros_like(w), np.zeros_like(q1)
        columns = [momentum(none + e, q, still) for e in np.eye(3)[:, :, None]]
        columns += [momentum(none, q, still + e) for e in np.eye(self.n)[:, :, None]]
        mass = np.zeros((3 + self.n, 6 + self.n, w.shape[-1]), complex)
        mass[:, 3:] = np.moveaxis(np.array(columns), 0, 1)
        along = (momentum(w, q + q1, q1) - momentum(w, q - q1, q1)) / 2
        force = -along
        force[:3] -= cross(w, momentum(w, q, q1)[:3])
        force[3:] += np.array([(energy(w, q + e, q1) - energy(w, q - e, q1)) / 2 for e in np.eye(self.n)[:, :, None]])
        return mass, force

    def accelerations(self, gravity, R, v, w, q, q1):
        """(r'', al, q'') in columns; r'' and al in the world"""
        count = w.shape[-1]
        wb = jets.back(R, w)
        size = 6 + self.n
        mass = np.zeros((size, size, count), complex)
        force = np.zeros((size, count), complex)
        force[6:] = -np.einsum("ij,jn->in", self.K, q) - np.einsum("ij,jn->in", self.C, q1)
        eye = np.eye(3)[:, :, None]
        for X, N, S, m, i in self.points:
            s = X[:, None] + N @ q
            s1 = N @ q1
            # p'' = r'' + A (al_b x s + w x (w x s) + 2 w x s' + N q''), al_b in body axes
            rest = cross(wb, cross(wb, s)) + 2 * cross(wb, s1)
            world = np.einsum("ijn,jn->in", R, rest) - np.asarray(gravity)[:, None]
            P = np.zeros((3, size, count), complex)
            P[:, :3] = eye
            P[:, 3:6] = -np.einsum("ijn,jkn->ikn", R, jets.skew(s))
            P[:, 6:] = np.einsum("ijn,jk->ikn", R, N)
            mass += m * np.einsum("ijn,ikn->jkn", P, P)
            force -= m * np.einsum("ijn,in->jn", P, world)
            if self.rotary:
                own, power = self.section(S, i, wb, q, q1)
                mass[3:], force[3:] = mass[3:] + own, force[3:] + power
                continue
            # twist alone: the section's momentum i (w + S q')
            Q = np.zeros((3, size))
            Q[:, 3:6], Q[:, 6:] = np.eye(3), S
            mass += (Q.T @ i @ Q)[:, :, None]
            force[3:6] -= cross(wb, i @ (wb + S @ q1))
        whole, right = np.moveaxis(mass, 2, 0), force.T[:, :, None]
        # rows of one size, and once more with what is left
        unit = 1 / np.sqrt(np.diag(whole[0].real))
        whole, right = whole * unit * unit[:, None], right * unit[:, None]
        self.condition = float(np.linalg.cond(whole[0].real))
        a = np.linalg.solve(whole, right)
        a = ((a + np.linalg.solve(whole, right - whole @ a)) * unit[:, None])[:, :, 0].T
        return a[:3], np.einsum("ijn,jn->in", R, a[3:6]), a[6:]


class FlexibleFound:
    """As compare.Found, of one flexible body."""

    def __init__(self, case, coordinates, method):
        import library
        from compare import difference  # noqa: F401

        self.case, self.terms = case, 0.0
        beam, body, q, q1 = case.beam
        program = self.program = library.Linear(case.text(), "absolute", method, case.flexible_state)
        n, size = beam.n, 6 + beam.n
        x = np.zeros((size, 2 * size + 1))
        rate = np.zeros_like(x)
        x[:, 1:size + 1], rate[:, size + 1:] = np.eye(size), np.eye(size)
        theta, w0 = x[3:6], np.tile(body["w"][:, None], 2 * size + 1)
        R = np.einsum("ijn,jk->ikn", np.eye(3)[:, :, None] + 1j * STEP * jets.skew(theta), body["R"])
        v = body["v"][:, None] + 1j * STEP * rate[:3]
        w = w0 + 1j * STEP * (rate[3:6] + cross(theta, w0))
        a, al, q2 = beam.accelerations(case.scene.gravity, R, v, w, q[:, None] + 1j * STEP * x[6:], q1[:, None] + 1j * STEP * rate[6:])
        whole = np.concatenate((a, al, q2))
        case.condition = beam.condition
        case.scale = float(np.abs(whole[:, 0].real).max())  # the frame's accelerations are sums with those of the nodes
        rows = whole[:, 1:].imag / STEP
        al0 = al[:, :1].real
        rows[3:6] -= np.cross(rate[3:6, 1:], body["w"][:, None], axis=0) + np.cross(theta[:, 1:], al0, axis=0)
        names = [f"b.{c}" for c in "x y z rx ry rz".split()] + [
            f"b.{k // 6 + 1}.{'x y z rx ry rz'.split()[k % 6]}" for k in beam.kept]
        assert sorted(program.states[:size]) == sorted(names), program.states
        order = [program.states.index(name) for name in names]
        both = order + [size + k for k in order]
        A = program.A[np.ix_([size + k for k in order], both)]
        self.sides = {"values": {"outputs": (program.values, np.concatenate((a, al))[:, 0].real)},
                      "first": {"accelerations": (A, rows)}}


@element("body", "beam")
def beam(case):
    n, planar, rotary = case.choose(1, 2), case.chance(0.3), case.chance(0.4)
    start, axis, side = case.vector(0.5), case.vector(), case.vector()
    L = case.size(1.5, 4)
    x = axis / np.linalg.norm(axis)
    y = side - x * (side @ x)
    y = y / np.linalg.norm(y)
    T = np.stack((x, y, np.cross(x, y)), axis=1)
    rho, E, G, A = case.size(0.5, 5), case.size(20, 200), case.size(20, 200), case.size(0.2, 2)
    Iy, Iz, J = (case.size(0.1, 0.5) for _ in range(3))
    alpha, beta = case.choose(0.0, case.uniform(0, 1)), case.choose(0.0, case.uniform(0, 0.1))
    flexible = Beam(start, T, L, n, rho, E, G, A, Iy, Iz, J, rotary, planar, alpha, beta)
    case.model["bodies"] = {"b": {
        "type": "beam", "from": start.tolist(), "to": (start + L * x).tolist(), "elements": n, "side": side.tolist(), "density": rho,
        "youngs_modulus": E, "shear_modulus": G, "area": A, "iyy": Iy, "izz": Iz, "torsion_constant": J, "stiffening": False,
        "rotary_inertia": rotary, "planar": planar, "damping": {"mass": alpha, "stiffness": beta}}}
    case.model["outputs"] = {f"{m}{c}": f"{m}{c}(b)" for m in ("ACC", "WDT") for c in "XYZ"}
    body = {"r": case.along(), "R": case.turned(), "v": case.along(2), "w": case.along(2)}
    q, q1 = case.along(0.2, flexible.n), case.along(0.5, flexible.n)
    case.beam = flexible, body, q, q1
    import json
    case.flexible_state = json.dumps({"schema": "routh-state/1", "time": 0, "bodies": [{
        "name": "b", "position": body["r"].tolist(), "orientation": body["R"].tolist(), "velocity": body["v"].tolist(),
        "angular_velocity": body["w"].tolist(), "elastic": q.tolist(), "elastic_rates": q1.tolist()}], "control_states": []})
    case.finder = FlexibleFound
