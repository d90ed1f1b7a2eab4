#!/usr/bin/python3
"""Reports to develop the page with, computed here from equations written by hand (needs numpy).

    make_sample.py rotor-stator > rotor-stator.json     the sample kept beside this script
    make_sample.py four-bar N > FILE                    N loops; N = 3000 shows how the page bears a large model

rotor-stator: stator on a bushing at the origin, rotor 0.75 m above on a bearing, spin 0.5 Hz; no gravity.
four-bar: parallelogram of N + 1 cranks and N couplers with N diagonal springs, standing above its ground.
"""
import json
import math
import sys

import numpy as np

EYE = [1, 0, 0, 0, 1, 0, 0, 0, 1]


def mode_entry(s, motions, shares, multiplicity=1):
    """One eigenvalue with the motion (6 complex numbers) of every marker; the largest number is made 1 and real."""
    flat = np.concatenate(motions)
    motions = [m / flat[np.argmax(np.abs(flat))] for m in motions]
    s = complex(s)
    rigid = s == 0
    size = abs(s)
    return {
        "eigenvalue": [s.real, s.imag],
        "undamped_frequency_hz": size / (2 * math.pi),
        "damped_frequency_hz": abs(s.imag) / (2 * math.pi),
        "damping_ratio": 0.0 if rigid else -s.real / size,
        "rigid": rigid,
        "error_bound": 0.0 if rigid else 4 * np.finfo(float).eps * size,
        "multiplicity": multiplicity,
        "condition": None,
        "motion": [list(m.real) + list(m.imag) for m in motions],
        "shares": shares,
    }


def with_conjugates(modes):
    """Every oscillating mode followed by its conjugate, sorted by modulus, with cross references."""
    out = []
    for mode in sorted(modes, key=lambda m: m["undamped_frequency_hz"]):
        k = len(out)
        if mode["eigenvalue"][1] == 0:
            out.append({**mode, "conjugate": k})
            continue
        re, im = mode["eigenvalue"]
        flipped = [m[:6] + [-x for x in m[6:]] for m in mode["motion"]]
        out.append({**mode, "eigenvalue": [re, -im], "motion": flipped, "conjugate": k + 1})
        out.append({**mode, "conjugate": k})
    return out


def modes_csv(modes):
    """As the program writes it."""
    names = ["undamped_frequency_hz", "damped_frequency_hz", "damping_ratio", "rigid", "multiplicity", "conjugate", "condition", "error_bound"]
    lines = [",".join(["index", "real", "imaginary", *names])]
    for k, mode in enumerate(modes):
        values = [k, *mode["eigenvalue"], *(mode[name] for name in names)]
        lines.append(",".join("" if v is None else str(int(v)) if isinstance(v, (bool, int)) else f"{v:.17g}" for v in values))
    return "\n".join(lines) + "\n"


def complete(report):
    return {**report, "modes_csv": modes_csv(report["modes"])}


def rotor_stator():
    ms, mr, h, spin = 200.0, 1300.0, 0.75, math.pi
    it, iz, jt, jz = 50.0, 10.0, 500.0, 1000.0
    # q = x, y, z, a, b, c of the stator and the rotor's angle g; velocities of both centres of mass are J q'
    stator = np.eye(6, 7)
    rotor = np.eye(6, 7)
    rotor[0, 4], rotor[1, 3], rotor[5, 6] = h, -h, 1
    inertia_s = np.diag([ms, ms, ms, it, it, iz])
    inertia_r = np.diag([mr, mr, mr, jt, jt, jz])
    M = stator.T @ inertia_s @ stator + rotor.T @ inertia_r @ rotor
    K = np.diag([1e3, 1e3, 1e3, 1e4, 1e4, 1e5, 0])
    D = np.diag([1.0, 1, 1, 10, 10, 100, 0])
    C = D.copy()
    C[3, 4], C[4, 3] = jz * spin, -jz * spin
    A = np.block([[np.zeros((7, 7)), np.eye(7)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    values, vectors = np.linalg.eig(A)

    def quotient(matrix, q):
        return float((q.conj() @ matrix @ q).real)

    modes = []
    for s, y in zip(values, vectors.T):
        if abs(s) < 1e-5 or s.imag < 0:
            continue
        q = y[:7]
        kinetic = [quotient(stator.T @ inertia_s @ stator, q), quotient(rotor.T @ inertia_r @ rotor, q)]
        total = sum(kinetic)
        modes.append(mode_entry(s, [0 * q[:6], stator @ q, rotor @ q, stator @ q, rotor @ q], {
            "kinetic": [{"name": "body stator", "fraction": kinetic[0] / total},
                        {"name": "body rotor", "fraction": kinetic[1] / total}],
            "strain": [{"name": "load mount", "fraction": 1.0}],
            "dissipation": [{"name": "load mount", "fraction": 1.0}]}))
    turn = np.eye(7, dtype=complex)[6]
    for _ in range(2):
        modes.append(mode_entry(0j, [0 * turn[:6], 0 * turn[:6], rotor @ turn, 0 * turn[:6], rotor @ turn], {
            "kinetic": [{"name": "body stator", "fraction": 0.0}, {"name": "body rotor", "fraction": 1.0}],
            "strain": [], "dissipation": []}, 2))
    names = ["x", "y", "z", "rx", "ry", "rz"]
    states = [(f"stator.{n}", "m" if k < 3 else "rad") for k, n in enumerate(names)] + [("rotor.rz", "rad")]
    states += [(f"{n}'", f"{u}/s") for n, u in states]
    return {
        "program": "routh 0.1.0", "title": "Rotor on a soft mount",
        "description": "Stator on one bushing, rotor on a bearing 0.75 m above it, spinning at 0.5 Hz.",
        "file": "rotor-stator.yaml", "coordinates": "absolute", "method": "augmented", "reference": "ground",
        "gravity": [0, 0, 0], "degrees_of_freedom": {"position": 7, "velocity": 7},
        "operating_point": {
            "type": "given", "time": 0, "residual": 0.0, "at_rest": False, "steady": True,
            "bodies": [
                {"name": "stator", "position": [0, 0, 0], "orientation": EYE, "velocity": [0, 0, 0],
                 "angular_velocity": [0, 0, 0]},
                {"name": "rotor", "position": [0, 0, h], "orientation": EYE, "velocity": [0, 0, 0],
                 "angular_velocity": [0, 0, spin]}],
            "joints": [{"name": "bearing", "type": "revolute", "force": [0, 0, 0], "torque": [0, 0, 0]}],
            "redundant": []},
        "warnings": [], "parameters": [{"name": "spin", "value": spin}],
        "states": [{"name": n, "unit": u, "frame": "ground"} for n, u in states],
        "bodies": [{"name": "ground"},
                   {"name": "stator", "mass": ms, "inertia": list(np.diag([it, it, iz]).ravel())},
                   {"name": "rotor", "mass": mr, "inertia": list(np.diag([jt, jt, jz]).ravel())}],
        "markers": [
            {"name": "ground", "body": "ground", "position": [0, 0, 0], "orientation": EYE, "implicit": False},
            {"name": "stator", "body": "stator", "position": [0, 0, 0], "orientation": EYE, "implicit": False},
            {"name": "rotor", "body": "rotor", "position": [0, 0, h], "orientation": EYE, "implicit": False},
            {"name": "seat", "body": "stator", "position": [0, 0, h], "orientation": EYE, "implicit": False},
            {"name": "hub", "body": "rotor", "position": [0, 0, h], "orientation": EYE, "implicit": False}],
        "connections": [
            {"kind": "joint", "type": "revolute", "name": "bearing", "markers": ["seat", "hub"], "picture": "pin", "axis": [0, 0, 1]},
            {"kind": "load", "type": "bushing", "name": "mount", "picture": "rubber", "markers": ["stator", "ground"]}],
        "modes": with_conjugates(modes),
    }


def four_bar(n, damping=1.0):
    k, g = 25.0, 9.81

    def slope(phi):
        stretch = 2 * math.cos(phi / 2) - math.sqrt(2)
        return ((n + 1) / 2 + n) * g * math.cos(phi) - n * k * stretch * math.sin(phi / 2)

    low, high = 1.7, 2.6
    for _ in range(200):
        mid = (low + high) / 2
        low, high = (low, mid) if slope(low) * slope(mid) <= 0 else (mid, high)
    phi = (low + high) / 2
    eps = 1e-6
    stiffness = (slope(phi + eps) - slope(phi - eps)) / (2 * eps)
    mass = (n + 1) / 3 + n
    c = n * damping * math.sin(phi / 2) ** 2
    s = np.roots([mass, c, stiffness])
    s = complex(s[s.imag > 0][0])
    up, across = np.array([math.cos(phi), math.sin(phi), 0]), np.array([-math.sin(phi), math.cos(phi), 0])
    turned = [up[0], across[0], 0, up[1], across[1], 0, 0, 0, 1]
    rod = list(np.diag([1e-4, 1 / 12, 1 / 12]).ravel())
    bodies, markers, motions, connections = [{"name": "ground"}], [], [], []

    def marker(name, body, position, orientation, shift, turn, implicit=True):
        markers.append({"name": name, "body": body, "position": [float(x) for x in position],
                        "orientation": orientation, "implicit": implicit})
        motions.append(np.array([*shift, 0, 0, turn], dtype=complex))

    zero = np.zeros(3)
    marker("ground", "ground", zero, EYE, zero, 0, False)
    for i in range(n + 1):
        base = np.array([float(i), 0, 0])
        bodies.append({"name": f"crank{i}", "mass": 1.0, "inertia": rod})
        marker(f"crank{i}", f"crank{i}", base + up / 2, turned, across / 2, 1, False)
        marker(f"A{i}", "ground", base, EYE, zero, 0)
        marker(f"crank{i}.a", f"crank{i}", base, turned, zero, 1)
        marker(f"crank{i}.b", f"crank{i}", base + up, turned, across, 1)
        connections.append({"kind": "joint", "type": "revolute", "picture": "pin", "name": f"pin{i}", "markers": [f"crank{i}.a", f"A{i}"],
                            "axis": [0, 0, 1]})
    for i in range(1, n + 1):
        base = np.array([i - 1.0, 0, 0]) + up
        bodies.append({"name": f"coupler{i}", "mass": 1.0, "inertia": rod})
        marker(f"coupler{i}", f"coupler{i}", base + [0.5, 0, 0], EYE, across, 0, False)
        marker(f"coupler{i}.a", f"coupler{i}", base, EYE, across, 0)
        marker(f"coupler{i}.b", f"coupler{i}", base + [1, 0, 0], EYE, across, 0)
        connections += [
            {"kind": "joint", "type": "revolute", "name": f"left{i}", "markers": [f"coupler{i}.a", f"crank{i - 1}.b"],
             "axis": [0, 0, 1]},
            {"kind": "joint", "type": "revolute", "name": f"right{i}", "markers": [f"coupler{i}.b", f"crank{i}.b"],
             "axis": [0, 0, 1]},
            {"kind": "load", "type": "spring", "name": f"spring{i}", "picture": "coil", "markers": [f"crank{i}.b", f"A{i - 1}"]}]
    shares = {"kinetic": [{"name": f"body {b['name']}", "fraction": (1 if "coupler" in b["name"] else 1 / 3) / mass}
                          for b in bodies[1:]],
              "strain": [{"name": f"load spring{i}", "fraction": 1 / n} for i in range(1, n + 1)],
              "dissipation": [{"name": f"load spring{i}", "fraction": 1 / n} for i in range(1, n + 1)]}
    return {
        "program": "routh 0.1.0", "title": f"Four-bar linkage of {n} loops", "description": "", "file": "four-bar.yaml",
        "coordinates": "absolute", "method": "augmented", "reference": "ground", "gravity": [0, -g, 0],
        "degrees_of_freedom": {"position": 1, "velocity": 1},
        "operating_point": {
            "type": "static", "time": 0, "residual": 1e-14, "at_rest": True, "steady": True,
            "bodies": [{"name": m["name"], "position": m["position"], "orientation": m["orientation"],
                        "velocity": [0, 0, 0], "angular_velocity": [0, 0, 0]}
                       for m in markers if m["name"] == m["body"] != "ground"],
            "joints": [],
            "redundant": [{"joint": f"right{i}", "row": "displacement along z of the joint"} for i in range(1, n + 1)]},
        "warnings": [f"{3 * n} redundant constraint rows were found and left out."],
        "parameters": [{"name": "c", "value": damping}],
        "states": [{"name": "crank0.rz", "unit": "rad", "frame": "ground"},
                   {"name": "crank0.rz'", "unit": "rad/s", "frame": "ground"}],
        "bodies": bodies, "markers": markers, "connections": connections,
        "modes": with_conjugates([mode_entry(s, motions, shares)]),
    }


def main():
    if sys.argv[1:] == ["rotor-stator"]:
        report = rotor_stator()
    elif len(sys.argv) == 3 and sys.argv[1] == "four-bar":
        report = four_bar(int(sys.argv[2]))
    else:
        sys.exit(__doc__)
    print(json.dumps(complete(report), separators=(",", ":")))


main()
