#!/usr/bin/env python3
"""Makes the frame of atv.yaml: steel tubes as straight beams (Euler-Bernoulli, consistent mass), free in space.

Writes frame.inp (nodes and beams), frame-stiffness.mtx and frame-mass.mtx, six rows a node; metres, kilograms, seconds.
"""
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
E, NU, RHO = 2.1e11, 0.3, 7850.0
LONGEST = 0.11 # of an element

# Junctions: those with y > 0 have a mirror image, numbered 100 more.
JUNCTIONS = {
    1: (0.72, 0.10, 0.22), 2: (0.50, 0.10, 0.22),  # lower arm
    3: (0.70, 0.12, 0.38), 4: (0.52, 0.12, 0.38),  # upper arm
    5: (0.58, 0.15, 0.60),                         # front shock absorber
    6: (0.76, 0.10, 0.55),                         # front rack
    7: (0.20, 0.14, 0.22), 8: (-0.12, 0.14, 0.24), # lower rail
    9: (-0.20, 0.12, 0.28),                        # swing arm
    10: (0.30, 0.13, 0.68), 11: (-0.05, 0.13, 0.66), 12: (-0.28, 0.13, 0.62), # upper rail
    13: (-0.60, 0.13, 0.60),                       # rear box
    51: (0.30, 0, 0.75), 52: (0.48, 0, 0.28),      # bearings of the handlebar and the stem
    53: (0.20, 0, 0.22), 54: (-0.12, 0, 0.24),     # engine
    55: (0, 0, 0.66), 56: (-0.25, 0, 0.62),        # seat, rear shock absorber
}
RAIL, BRACE = (0.016, 0.002), (0.0125, 0.0015) # outer radius, wall
TUBES = [
    (1, 2, RAIL), (2, 7, RAIL), (7, 8, RAIL), (8, 9, RAIL), (5, 10, RAIL), (10, 11, RAIL), (11, 12, RAIL), (12, 13, RAIL),
    (1, 3, RAIL), (3, 5, RAIL), (2, 4, RAIL), (4, 5, RAIL), (3, 4, BRACE), (3, 6, BRACE), (5, 6, BRACE),
    (7, 10, BRACE), (9, 12, RAIL), (9, 11, BRACE), (9, 13, BRACE), (4, 10, BRACE),
    (1, 101, BRACE), (3, 103, BRACE), (5, 105, BRACE), (9, 109, RAIL), (13, 113, BRACE), (6, 106, BRACE),
    (10, 51, RAIL), (2, 52, RAIL), (4, 52, BRACE), (7, 53, RAIL), (8, 54, RAIL), (11, 55, RAIL), (12, 56, RAIL),
]


def mirrored(number):
    return number + 100 if number < 50 else number


def mesh():
    """Nodes {number: point} and elements (node, node, tube)."""
    nodes = {k: np.array(p, float) for k, p in JUNCTIONS.items()}
    nodes |= {mirrored(k): p * (1, -1, 1) for k, p in list(nodes.items()) if k < 50}
    tubes = TUBES + [(mirrored(a), mirrored(b), t) for a, b, t in TUBES if b < 100]
    elements, fresh = [], 201
    for a, b, tube in tubes:
        n = int(np.ceil(np.linalg.norm(nodes[b] - nodes[a]) / LONGEST))
        chain = [a, *range(fresh, fresh + n - 1), b]
        for k in range(1, n):
            nodes[fresh] = nodes[a] + (nodes[b] - nodes[a]) * k / n
            fresh += 1
        elements += [(p, q, tube) for p, q in zip(chain, chain[1:])]
    return dict(sorted(nodes.items())), elements


def bending(first, l, sign):
    """Rows and columns of w1, theta1, w2, theta2; stiffness/EI and mass/(rho A). w' = sign theta."""
    s = np.diag([1, sign, 1, sign])
    K = np.array([[12, 6*l, -12, 6*l], [6*l, 4*l*l, -6*l, 2*l*l], [-12, -6*l, 12, -6*l], [6*l, 2*l*l, -6*l, 4*l*l]]) / l**3
    M = np.array([[156, 22*l, 54, -13*l], [22*l, 4*l*l, 13*l, -3*l*l], [54, 13*l, 156, -22*l],
                  [-13*l, -3*l*l, -22*l, 4*l*l]]) * l / 420
    where = {"y": [1, 5, 7, 11], "z": [2, 4, 8, 10]}[first]
    return np.ix_(where, where), s @ K @ s, s @ M @ s


def beam(p, q, tube):
    """Stiffness and mass, 12 x 12, in world axes."""
    R, r = tube[0], tube[0] - tube[1]
    A, I = np.pi * (R*R - r*r), np.pi * (R**4 - r**4) / 4
    l = np.linalg.norm(q - p)
    K, M = np.zeros((12, 12)), np.zeros((12, 12))
    for i, stiffness, inertia in ((0, E * A, RHO * A), (3, E / (1 + NU) * I, 2 * RHO * I)): # J = 2 I
        K[np.ix_([i, i + 6], [i, i + 6])] = stiffness / l * np.array([[1, -1], [-1, 1]])
        M[np.ix_([i, i + 6], [i, i + 6])] = inertia * l / 6 * np.array([[2, 1], [1, 2]])
    for plane, sign in (("y", 1), ("z", -1)):
        at, k, m = bending(plane, l, sign)
        K[at] += E * I * k
        M[at] += RHO * A * m
    x = (q - p) / l
    y = np.cross([0, 0, 1] if abs(x[2]) < 0.9 else [1, 0, 0], x)
    y /= np.linalg.norm(y)
    T = np.kron(np.eye(4), np.array([x, y, np.cross(x, y)]))
    return T.T @ K @ T, T.T @ M @ T


def write_matrix(name, matrix):
    rows, columns = np.nonzero(np.tril(matrix))
    with open(HERE / name, "w") as file:
        print("%%MatrixMarket matrix coordinate real symmetric", file=file)
        print(len(matrix), len(matrix), len(rows), file=file)
        for i, j in zip(rows, columns):
            print(i + 1, j + 1, f"{matrix[i, j]:.12g}", file=file)


def main():
    nodes, elements = mesh()
    start = {number: 6 * k for k, number in enumerate(nodes)}
    K, M = np.zeros((6 * len(nodes),) * 2), np.zeros((6 * len(nodes),) * 2)
    for a, b, tube in elements:
        where = [start[n] + k for n in (a, b) for k in range(6)]
        k, m = beam(nodes[a], nodes[b], tube)
        K[np.ix_(where, where)] += k
        M[np.ix_(where, where)] += m
    for matrix in (K, M):
        matrix[abs(matrix) < 1e-15 * abs(matrix).max()] = 0
    write_matrix("frame-stiffness.mtx", K)
    write_matrix("frame-mass.mtx", M)
    with open(HERE / "frame.inp", "w") as file:
        print("*NODE", file=file)
        for number, p in nodes.items():
            print(number, *(f"{x:.12g}" for x in p), sep=", ", file=file)
        print("*ELEMENT, TYPE=B31", file=file)
        for k, (a, b, _) in enumerate(elements):
            print(k + 1, a, b, sep=", ", file=file)


main()
