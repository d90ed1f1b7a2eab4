#!/usr/bin/env python3
"""The tip of an eighth of a circle, clamped, with a force out of its plane (the problem of Bathe and Bolourchi,
Int. J. Numer. Methods Eng. 14, 1979), as an exact beam with stretch and shear. With A the axes of the section, e its
first axis, along the beam, and n the force, which is the same everywhere,
     r' = A (e + N^-1 A'n),   A' = A [k + B^-1 A'm]~,   m' = - r' x n,   m = 0 at the tip,
solved by shooting from the root for m there. test_rods.c holds where the tip comes to."""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

R, P, E, G = 100.0, 600.0, 1e7, 0.5e7
LENGTH = R * np.pi / 4
N = np.array([E, G, G])                      # E A, G A, G A of a section of 1 by 1
B = np.array([G / 6, E / 12, E / 12])        # G J, E I, E I
BEND = np.array([0, 0, 1 / R])
FORCE = np.array([0, 0, P])


def derivative(_, y):
    A, m = y[3:12].reshape(3, 3), y[12:]
    along = A @ ([1, 0, 0] + A.T @ FORCE / N)
    a, b, c = BEND + A.T @ m / B
    turn = A @ [[0, -c, b], [c, 0, -a], [-b, a, 0]]
    return np.concatenate([along, turn.ravel(), -np.cross(along, FORCE)])


def shoot(m, tolerance):
    start = np.concatenate([np.zeros(3), np.eye(3).ravel(), m])
    return solve_ivp(derivative, (0, LENGTH), start, method="DOP853", rtol=tolerance, atol=tolerance).y[:, -1]


def tip(tolerance):
    moment = np.zeros(3)
    global P
    for part in np.linspace(0.1, 1, 10):     # the load grows, each solution the start of the next
        FORCE[2] = part * P
        found = root(lambda m: shoot(m, tolerance)[12:], moment, method="hybr", options={"xtol": 1e-13})
        moment = found.x
    return shoot(moment, tolerance)[:3], found.fun


if __name__ == "__main__":
    for tolerance in (1e-10, 1e-13):
        place, left = tip(tolerance)
        print(tolerance, "%.9f %.9f %.9f" % tuple(place), "moment left at the tip %.1e" % np.abs(left).max())
