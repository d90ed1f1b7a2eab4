"""Beams of sections: rigid bodies at the nodes, geometrically exact elements between them (docs/theory/exact-beams.md).

The masses are those of the cubic shape functions: of an element of length l with m per length, m l/2 at either end with
the first moment m l^2/12 inwards; the sections' own inertia goes to the ends in halves.
"""
import numpy as np

import jets
from loads import Vector, column
from loads_tyre import Rod, element_of_flexibility
from registry import element
from scene import Body


def beam_case(case, kind):
    n = case.choose(1, 2)
    start, axis = case.vector(), case.vector()
    L = case.size(0.5, 3)
    x = axis / np.linalg.norm(axis)
    end = start + L * x
    side = np.array([0, 1.0, 0])
    y = side - x * (side @ x)
    y /= np.linalg.norm(y)
    twist = case.choose(0.0, case.uniform(-2, 2))
    T = np.stack((x, y, np.cross(x, y)), axis=1) @ jets.rodrigues([1, 0, 0], twist)
    ratio = case.choose(0.0, case.uniform(0, 0.1))
    case.method = "augmented"
    fields = {"type": kind, "from": start.tolist(), "to": end.tolist(), "elements": n, "twist": twist, "damping_ratio": ratio}
    if kind == "material":
        rho, E, G, A = case.size(0.5, 5), case.size(20, 500), case.size(20, 500), case.size(0.2, 2)
        Iy, Iz, J = (case.size(0.05, 1) for _ in range(3))
        sy, sz = case.choose(0.0, 1.2), case.choose(0.0, 10 / 9)
        m, jy, jz = rho * A, rho * Iy, rho * Iz
        S = np.diag([1 / (E * A), sy / (G * A), sz / (G * A), 1 / (G * J), 1 / (E * Iy), 1 / (E * Iz)])
        fields.update({"density": rho, "youngs_modulus": E, "shear_modulus": G, "area": A, "iyy": Iy, "izz": Iz,
                       "torsion_constant": J, "shear_factor_y": sy, "shear_factor_z": sz})
        offset, C = np.zeros(2), np.zeros((6, 6))
    else:
        m, jy, jz = case.size(0.5, 5), case.size(0.05, 1), case.size(0.05, 1)
        EA, GAy, GAz, GJ, EIy, EIz = (case.size(20, 500) for _ in range(6))
        S = np.diag([1 / v for v in (EA, GAy, GAz, GJ, EIy, EIz)])
        yt, zt, ys, zs = case.vector(0.1, 4) if case.chance() else np.zeros(4)
        N = np.zeros((6, 6))  # strains at the tension and shear centres
        N[0, 4], N[0, 5], N[1, 3], N[2, 3] = zt, -yt, -zs, ys
        S = (np.eye(6) - N) @ S @ (np.eye(6) - N).T
        offset = case.vector(0.1, 2) if case.chance() else np.zeros(2)
        a = case.rng.normal(size=(6, 6))
        C = a @ a.T * case.choose(0.0, 0.3)
        fields.update({"mass_per_length": m, "inertia_y": jy, "inertia_z": jz, "EA": EA, "GAy": GAy, "GAz": GAz, "GJ": GJ,
                       "EIy": EIy, "EIz": EIz, "tension_y": yt, "tension_z": zt, "shear_y": ys, "shear_z": zs,
                       "mass_y": offset[0], "mass_z": offset[1], "damping": C.tolist()})
    case.model["beams"] = {"b": fields}
    case.model["bodies"] = {}
    l = L / n
    K, D = element_of_flexibility(S, C, l)
    D = D + ratio * K
    for k in range(n + 1):
        shares = (k > 0) + (k < n)  # elements that meet here
        mass = m * l / 2 * shares
        inward = m * l * l / 12 * ((k < n) - (k > 0)) / mass
        inertia = np.diag([jy + jz, jy, jz]) * l / 2 * shares
        name = f"b.{k + 1}"
        case.scene.add_body(name, Body(mass, inertia, start, T, np.zeros(3), np.zeros(3)))
        case.scene.markers[name] = (name, -np.array([inward, *offset]), np.eye(3))
    for k in range(n):
        case.scene.loads.append(Rod(f"b.e{k + 1}", f"b.{k + 1}", f"b.{k + 2}", K, D, np.array([l, 0, 0, 0, 0, 0])))
    # anywhere, not too far from each other by rotation
    case.departed = True
    base = case.turned()
    for body in case.scene.bodies.values():
        body.r, body.R = case.along(), base @ jets.rodrigues(case.vector(), case.uniform(-1.4, 1.4) + case.p)
        body.v, body.w = case.along(2), case.along(2)


@element("beam", "material")
def material(case):
    beam_case(case, "material")


@element("beam", "sections")
def sections(case):
    beam_case(case, "sections")


@element("body", "rigid")
def rigid(case):
    """a gyroscope under a force that follows it"""
    i, j = case.pair()
    a = case.vector(10)
    case.load({"type": "force", "on": i, "components": [float(v) for v in a], "resolved_in": i},
              Vector("s", i, None, i, [lambda f, s, v=v: v + 0 * f[i].w[0] for v in a], False))
    for name in case.scene.bodies:
        for c, letter in enumerate("XYZ"):
            case.output(f"a{name}{letter}", f"ACC{letter}({name})", lambda s, n=name, c=c: s.frames[n].acceleration[c])
            case.output(f"w{name}{letter}", f"WDT{letter}({name})", lambda s, n=name, c=c: s.frames[n].al[c])
