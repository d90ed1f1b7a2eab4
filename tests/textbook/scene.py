"""Newton's and Euler's equations of a few rigid bodies with constraints and loads, and their exact linear model.

    m v' = F + sum J_v' lambda,   I w' + w x I w = T + sum J_w' lambda,   J u' + gamma = 0

with u = (v, w) in world axes. A constraint is a function of frames that are jets along the motion: its second time
derivative is linear in u', which gives J and gamma without differentiating by hand. A perturbation of the motion is
(x, theta) of each body, in world axes:

    r + x,  exp(theta~) R,  v + x',  w + theta' + theta x w,  w' + theta'' + theta' x w + theta x w'

It is carried in imaginary parts, so that everything that is computed is differentiated to rounding.
"""
import numpy as np

import jets
from jets import Jet, cross, times

STEP = 1e-40


class Frame:
    """A marker in motion: origin r and axes R as jets, angular velocity w and acceleration al."""

    def __init__(self, r, R, w, al):
        self.r, self.R, self.w, self.al = r, R, w, al

    def axis(self, k):
        return self.R[:, k]

    @property
    def position(self):
        return self.r.c[0]

    @property
    def axes(self):
        return self.R.c[0]

    @property
    def velocity(self):
        return self.r.c[1]

    @property
    def acceleration(self):
        return self.r.c[2]


class Body:
    def __init__(self, mass, inertia, position, rotation, velocity, spin):
        self.mass, self.inertia = mass, np.asarray(inertia, float)
        self.r, self.R = np.asarray(position, float), np.asarray(rotation, float)
        self.v, self.w = np.asarray(velocity, float), np.asarray(spin, float)


def tight(whole, right):
    """Least squares of rows that agree, refined once."""
    answer = np.linalg.lstsq(whole, right, rcond=1e-13)[0]
    return answer + np.linalg.lstsq(whole, right - whole @ answer, rcond=1e-13)[0]


class Scene:
    """Bodies by name; ground is one that never moves. Markers: name -> (body, place, axes)."""

    def __init__(self, gravity=(0, 0, 0)):
        self.gravity = np.asarray(gravity, float)
        self.bodies, self.markers = {}, {"ground": ("ground", np.zeros(3), np.eye(3))}
        self.holonomic, self.velocity_rows, self.loads = [], [], []
        self.inputs, self.control, self.time = {}, {}, 0.0
        self.outputs = {}
        self.unmarked, self.split = set(), {}
        self.length, self.mass = 1.0, 1.0

    def add_body(self, name, body):
        self.bodies[name] = body
        self.markers[name] = (name, np.zeros(3), np.eye(3))

    def solve(self):
        return Solution(self)

    def solve_rows(self):
        """The rows of constraints alone: gradients by velocities, residuals of positions and of velocities."""
        solution = Solution(self, alone=True)
        return solution.G[:, :6 * len(self.bodies), 0].real, solution.phi[:, 0].real, solution.phi1[:, 0].real

    def at_rest_with_rates(self):
        """The frames as they stand and move, without accelerations."""
        state = State(self, [])
        u = {b: np.concatenate((state.v[b], state.w[b])) for b in self.bodies}
        u["ground"] = np.zeros((6, 1), complex)
        return state.frames(u, {b: np.zeros((6, 1), complex) for b in u})

    def at_rest(self):
        """The frames as they stand."""
        state = State(self, [])
        none = {b: np.zeros((6, 1), complex) for b in [*self.bodies, "ground"]}
        return state.frames(none, none)


class State:
    """All frames, inputs and states of controllers, with every perturbation in a column of its own."""

    def __init__(self, scene, columns):
        """columns: list of ("x", body, component), ("u", ..), ("z", name), ("in0".."in2", name), ("t",)"""
        self.scene, self.n = scene, len(columns) + 1
        self.r, self.R, self.v, self.w = {}, {}, {}, {}
        self.du = {name: np.zeros((6, self.n), complex) for name in scene.bodies}
        self.x = {name: np.zeros((6, self.n)) for name in scene.bodies}
        self.rate = {name: np.zeros((6, self.n)) for name in scene.bodies}
        self.z = {name: np.full(self.n, value, complex) for name, value in scene.control.items()}
        inputs = {name: np.tile(np.asarray(value, complex)[:, None], self.n) for name, value in scene.inputs.items()}
        for k, column in enumerate(columns, 1):
            if column[0] == "x":
                self.x[column[1]][column[2], k] = 1
            elif column[0] == "u":
                self.rate[column[1]][column[2], k] = 1
            elif column[0] == "z":
                self.z[column[1]][k] += 1j * STEP
            else:
                inputs[column[1]][int(column[0][2]), k] += 1j * STEP
        self.inputs = {name: Jet(*value) for name, value in inputs.items()}
        self.time = Jet(np.full(self.n, scene.time, complex), np.ones(self.n), np.zeros(self.n))
        for name, body in scene.bodies.items():
            x, rate = self.x[name], self.rate[name]
            w = np.tile(body.w[:, None], self.n)
            theta = x[3:]
            self.r[name] = body.r[:, None] + 1j * STEP * x[:3]
            tilt = np.eye(3)[:, :, None] + 1j * STEP * jets.skew(theta)
            self.R[name] = np.einsum("ijn,jk->ikn", tilt, body.R)
            self.v[name] = body.v[:, None] + 1j * STEP * rate[:3]
            self.w[name] = w + 1j * STEP * (rate[3:] + cross(theta, w))
        self.r["ground"] = np.zeros((3, self.n), complex)
        self.R["ground"] = np.tile(np.eye(3)[:, :, None] + 0j, self.n)

    def repeated(self, count):
        """The same with all columns so many times side by side."""
        many = object.__new__(State)
        many.scene, many.n = self.scene, self.n * count
        for name in ("r", "R", "z"):
            setattr(many, name, {k: np.tile(v, count) for k, v in getattr(self, name).items()})
        many.inputs = {k: Jet(*(np.tile(c, count) for c in v.c)) for k, v in self.inputs.items()}
        many.time = Jet(*(np.tile(c, count) for c in self.time.c))
        return many

    def frames(self, u, du):
        """Access to markers with the velocities u and accelerations du, (6, n) of each body."""
        return Frames(self, u, du)


class Frames:
    def __init__(self, state, u, du):
        self.state, self.u, self.du = state, u, du
        self.time, self.inputs, self.z = state.time, state.inputs, state.z
        self.made = {}

    def __getitem__(self, marker):
        if marker not in self.made:
            body, place, axes = self.state.scene.markers[marker]
            r, R = self.state.r[body], self.state.R[body]
            u, du = self.u[body], self.du[body]
            w, al = u[3:], du[3:]
            W = jets.skew(w)
            R1 = np.einsum("ijn,jkn->ikn", W, R)
            R2 = np.einsum("ijn,jkn->ikn", jets.skew(al), R) + np.einsum("ijn,jkn->ikn", W, R1)
            arm = [np.einsum("ijn,j->in", m, place) for m in (R, R1, R2)]
            turned = [np.einsum("ijn,jk->ikn", m, axes) for m in (R, R1, R2)]
            self.made[marker] = Frame(Jet(r + arm[0], u[:3] + arm[1], du[:3] + arm[2]), Jet(*turned), w, al)
        return self.made[marker]


class Solution:
    """Accelerations, multipliers, wrenches, outputs, and their derivatives by states and inputs."""

    def __init__(self, scene, alone=False):
        self.scene = scene
        self.names = list(scene.bodies)
        self.coordinates = [(b, k) for b in self.names for k in range(6)]
        columns = [("x", b, k) for b, k in self.coordinates] + [("u", b, k) for b, k in self.coordinates]
        columns += [("z", name) for name in scene.control]
        columns += [(f"in{k}", name) for k in range(3) for name in scene.inputs]
        self.columns, self.state = [] if alone else columns, State(scene, [] if alone else columns)
        self._constrain()
        if not alone:
            self._solve()

    # -- equations ---------------------------------------------------------------------------------------------------

    def _rows(self, frames):
        """Phi'' and Psi' of all rows as jets; rows of positions, then rows of velocities"""
        rows = [row for joint in self.scene.holonomic for row in joint.rows(frames)]
        return [jets.jet(r) for r in rows], [jets.jet(r) for joint in self.scene.velocity_rows for r in joint.rows(frames)]

    def _velocities(self):
        u = {b: np.concatenate((self.state.v[b], self.state.w[b])) for b in self.names}
        u["ground"] = np.zeros((6, self.state.n), complex)
        return u

    def _constrain(self):
        s, n = self.state, self.state.n
        u = self._velocities()
        none = {b: np.zeros((6, n), complex) for b in [*self.names, "ground"]}
        frames = s.frames(u, none)
        position, velocity = self._rows(frames)
        wide = lambda value: np.broadcast_to(value, (n,)).astype(complex)
        self.phi = np.array([wide(r.c[0]) for r in position]).reshape(-1, n)
        self.phi1 = np.array([wide(r.c[1]) for r in position] + [wide(r.c[0]) for r in velocity]).reshape(-1, n)
        gamma = np.array([wide(r.c[2]) for r in position] + [wide(r.c[1]) for r in velocity]).reshape(-1, n)
        m = len(gamma)
        everyone = [*self.names, "ground"]
        G = np.zeros((m, 6 * len(everyone), n), complex)
        if m:  # the rows are linear in u', at rest too: a unit acceleration gives a column; all of them side by side
            p, v = self._rows(s.frames(none, none))
            still = np.array([wide(r.c[2]) for r in p] + [wide(r.c[1]) for r in v]).reshape(-1, n)
            count = 6 * len(everyone)
            many = s.repeated(count)
            one = {b: np.zeros((6, count, n), complex) for b in everyone}
            for k in range(count):
                one[everyone[k // 6]][k % 6, k] = 1
            p, v = self._rows(many.frames({b: np.tile(w, count) for b, w in none.items()},
                                          {b: w.reshape(6, count * n) for b, w in one.items()}))
            full = [np.broadcast_to(r.c[2], (count * n,)) for r in p] + [np.broadcast_to(r.c[1], (count * n,)) for r in v]
            G = np.array(full).reshape(m, count, n) - still[:, None]
        self.G = G
        self._found = frames, none, everyone, gamma, u, wide

    def _solve(self):
        s, n = self.state, self.state.n
        frames, none, everyone, gamma, u, wide = self._found
        m = len(gamma)
        free = 6 * len(self.names)
        mass = np.zeros((free, free, n), complex)
        force = np.zeros((free, n), complex)
        for i, b in enumerate(self.names):
            body = self.scene.bodies[b]
            I = np.einsum("ijn,jk,lkn->iln", s.R[b], body.inertia, s.R[b])
            mass[6 * i:6 * i + 3, 6 * i:6 * i + 3] = body.mass * np.eye(3)[:, :, None]
            mass[6 * i + 3:6 * i + 6, 6 * i + 3:6 * i + 6] = I
            force[6 * i:6 * i + 3] = body.mass * self.scene.gravity[:, None]
            force[6 * i + 3:6 * i + 6] = -cross(s.w[b], times(I, s.w[b]))
        self._all = (everyone, mass, force, gamma, u)
        self.multipliers = np.zeros((m, n), complex)
        for _ in range(600):
            load_wrenches, applied = self._loads(frames)
            du, multipliers = self._accelerations(force + applied)
            change = np.abs(multipliers - self.multipliers).max(initial=0)
            self.multipliers = multipliers
            if not any(getattr(load, "feels_joints", False) for load in self.scene.loads) or change == 0:
                break
        self.du = {b: du[6 * i:6 * i + 6] for i, b in enumerate(self.names)}
        self.du["ground"] = none["ground"]
        self.frames = s.frames(u, self.du)
        self.wrenches = {**self._reactions(frames), **load_wrenches}
        self.outputs = {name: wide(f(self)) for name, f in self.scene.outputs.items()}
        self.rates = {name: wide(f(self)) for name, f in getattr(self.scene, "rates", {}).items()}

    def _loads(self, frames):
        applied = np.zeros((6 * len(self.names), self.state.n), complex)
        wrenches = {}
        self.frames = frames
        self.wrenches = self._reactions(frames) if len(self.multipliers) else {}
        for load in self.scene.loads:
            parts = load.wrench(frames, self)
            for marker, force, torque in parts:
                body = self.scene.markers[marker][0]
                if body != "ground":
                    i = self.names.index(body)
                    applied[6 * i:6 * i + 3] += force
                    applied[6 * i + 3:6 * i + 6] += torque + cross(frames[marker].position - self.state.r[body], force)
            wrenches[load.name] = np.concatenate((parts[0][1], parts[0][2]))
        return wrenches, applied

    def _accelerations(self, force):
        everyone, mass, _, gamma, _ = self._all
        free, m, n = 6 * len(self.names), len(gamma), self.state.n
        G = self.G[:, :free]
        whole = np.zeros((n, free + m, free + m), complex)
        whole[:, :free, :free] = np.moveaxis(mass, 2, 0)
        whole[:, :free, free:] = -np.moveaxis(G, (2, 1), (0, 1))
        whole[:, free:, :free] = np.moveaxis(G, 2, 0)
        right = np.concatenate((force, -gamma)).T[:, :, None]
        # in the case's own units, so that rows are of one size: u' = S a, lambda = T mu
        S = np.tile([self.scene.length] * 3 + [1.0] * 3, len(self.names))
        T = 1 / np.maximum(np.linalg.norm(G[:, :, 0].real * S, axis=1), 1e-300)
        M = self.scene.mass * self.scene.length ** 2
        column = np.concatenate((S, T * M))
        row = np.concatenate((S / M, T))
        whole, right = whole * column * row[:, None], right * row[:, None]
        answer = np.linalg.solve(whole, right)
        # once more with what is left, for the digits that the first elimination lost
        answer = answer + np.linalg.solve(whole, right - whole @ answer)
        answer = answer[:, :, 0].T * column[:, None]
        return answer[:free], answer[free:]

    def _reactions(self, frames):
        """What each joint does to its first marker: force, torque about the marker's origin."""
        wrenches, row = {}, 0
        everyone = self._all[0]
        for joint in self.scene.holonomic + self.scene.velocity_rows:
            count = joint.count
            body = self.scene.markers[joint.first][0]
            k = everyone.index(body)
            w = np.einsum("rkn,rn->kn", self.G[row:row + count, 6 * k:6 * k + 6], self.multipliers[row:row + count])
            row += count
            if joint.name in self.scene.unmarked:
                continue
            w = np.concatenate((w[:3], w[3:] - cross(frames[joint.first].position - self.state.r[body], w[:3])))
            wrenches[joint.name] = wrenches.get(joint.name, 0) + w
        return wrenches

    # -- the linear model --------------------------------------------------------------------------------------------

    def linear(self, states, n_position, n_velocity):
        """A (rows of velocities and controllers), B, B1, B2, C, D, D1, D2 in the states named."""
        c = len(self.coordinates)
        names = [f"{b}.{'x y z rx ry rz'.split()[k]}" for b, k in self.coordinates]
        rows = len(self.phi)
        d = lambda value: value[:, 1:].imag / STEP
        phi, phi1 = d(self.phi)[:, :2 * c], d(self.phi1)[:, :2 * c]
        pick = np.zeros((n_position + n_velocity, 2 * c))
        for i, name in enumerate(states[:n_position + n_velocity]):
            pick[i, names.index(name.rstrip("'")) + (c if name.endswith("'") else 0)] = 1
        whole = np.vstack((phi, phi1, pick))
        right = np.vstack((np.zeros((len(phi) + len(phi1), n_position + n_velocity)), np.eye(n_position + n_velocity)))
        nz, nin = len(self.scene.control), len(self.scene.inputs)
        inputs = np.zeros((2 * c, 3 * nin))
        S = np.tile([self.scene.length] * 3 + [1.0] * 3, 2 * len(self.names))
        sizes = np.linalg.norm(whole * S, axis=1)
        whole, right = whole * S / sizes[:, None], right / sizes[:, None]
        basis = S[:, None] * tight(whole, right) if right.size else np.zeros((2 * c, 0))
        if nin and len(whole) > n_position + n_velocity:
            all_inputs = slice(2 * c + nz, 2 * c + nz + 3 * nin)
            held = np.vstack((-d(self.phi)[:, all_inputs], -d(self.phi1)[:, all_inputs],
                              np.zeros((n_position + n_velocity, 3 * nin))))
            inputs = S[:, None] * tight(whole, held / sizes[:, None])
        n_mech = n_position + n_velocity
        T = np.zeros((2 * c + nz + 3 * nin, n_mech + nz + 3 * nin))
        T[:2 * c, :n_mech] = basis
        T[2 * c:, n_mech:] = np.eye(nz + 3 * nin)
        T[:2 * c, n_mech + nz:] = inputs
        second = np.zeros((c, T.shape[1]))
        for i, b in enumerate(self.names):
            part = d(self.du[b])
            w0, al0 = self.scene.bodies[b].w[:, None], self.du[b][3:, :1].real
            x, rate = self.state.x[b][3:, 1:], self.state.rate[b][3:, 1:]
            part[3:] -= np.cross(rate, w0, axis=0) + np.cross(x, al0, axis=0)
            second[6 * i:6 * i + 6] = part @ T
        answer = {"rows": np.array([second[names.index(s.rstrip("'"))] for s in states[n_position:n_mech]])}
        answer["first"] = np.array([T[names.index(s) + c] for s in states[:n_position]])
        answer["control"] = np.array([d(self.rates[z][None])[0] @ T for z in self.scene.control]).reshape(nz, T.shape[1])
        answer["outputs"] = np.array([d(value[None])[0] @ T for value in self.outputs.values()]).reshape(len(self.outputs), T.shape[1])
        answer["wrenches"] = {k: d(w) @ T for k, w in self.wrenches.items()}
        return {k: a if isinstance(a, dict) or a.size or k == "outputs" else np.zeros((0, T.shape[1])) for k, a in answer.items()}

    def value(self, name):
        return self.outputs[name][0].real
