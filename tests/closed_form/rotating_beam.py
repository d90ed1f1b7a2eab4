#!/usr/bin/env python3
"""Frequencies of a rotating cantilever, root on the axis, uniform, without shear and rotary inertia:
     w'''' - W^2 (1/2 (1 - x^2) w')' = omega^2 w,   w = w' = 0 at 0, w'' = w''' = 0 at 1,
times sqrt(E I/(m L^4)), by Rayleigh and Ritz with shapes x^2 P_k(2 x - 1) (Legendre): out of the plane of
rotation; in it omega^2 is less by W^2. test_rods.c holds the first three of them (in the plane with four times the
stiffness: twice those at W/2, less by W^2 likewise). Values of Wright, Smith,
Thresher and Wang (J. Appl. Mech. 49, 1982) agree in all their digits: 3.6816 at W = 1, 13.1702 at W = 12."""
import numpy as np
from numpy.polynomial import legendre, polynomial


def frequencies(W, n=14):
    x, weight = legendre.leggauss(60)
    x, weight = (x + 1) / 2, weight / 2
    w = np.zeros((3, n, len(x)))
    for k in range(n):
        # P_k(2 x - 1) as a polynomial of x
        p = np.zeros(1)
        for c in legendre.leg2poly([0] * k + [1])[::-1]:
            p = polynomial.polyadd(polynomial.polymul(p, [-1, 2]), [c])
        shape = polynomial.polymul([0, 0, 1], p)
        for d in range(3):
            w[d, k] = polynomial.polyval(x, polynomial.polyder(shape, d))
    integral = lambda a, b, f: (a * (f * weight)) @ b.T
    K = integral(w[2], w[2], 1) + W**2 * integral(w[1], w[1], (1 - x**2) / 2)
    M = integral(w[0], w[0], 1)
    L = np.linalg.cholesky(M)
    A = np.linalg.solve(L, np.linalg.solve(L, K).T)
    return np.sqrt(np.linalg.eigvalsh((A + A.T) / 2))[:3]


for W in (0, 0.5, 1, 1.5, 3, 6, 12):
    print(W, *("%.9f %.9f" % (a, b) for a, b in zip(frequencies(W), frequencies(W, 18))))
