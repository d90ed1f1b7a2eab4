#!/usr/bin/env python3
"""Frequencies of a rotating cantilever, root on the axis, uniform, without shear and rotary inertia:
     w'''' - W^2 (1/2 (1 - x^2) w')' = omega^2 w,   w = w' = 0 at 0, w'' = w''' = 0 at 1,
times sqrt(E I/(m L^4)); out of the plane of rotation; in it omega^2 is less by W^2. Twice, and apart: by Rayleigh and
Ritz with shapes x^2 P_k(2 x - 1) (Legendre), and by the power series w = sum a_k x^k,
     (k+4)(k+3)(k+2)(k+1) a_(k+4) = W^2/2 ((k+2)(k+1) a_(k+2) - k (k+1) a_k) + omega^2 a_k,
of which a_2 and a_3 are free, in fifty digits: omega is where the determinant of w'' and w''' at 1 is zero. The
equation has no singular point, so that the series converges everywhere. test_rods.c holds the first three frequencies (in
the plane with four times the stiffness: twice those at W/2, less by W^2 likewise)."""
from decimal import Decimal, getcontext

import numpy as np
from numpy.polynomial import legendre, polynomial

getcontext().prec = 50
TERMS = 200


def ritz(W, n=14):
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


def at_tip(W, omega, first):
    """w'' and w''' at 1 of the series that begins with x^first."""
    a = [Decimal(0)] * (TERMS + 5)
    a[first] = Decimal(1)
    for k in range(TERMS):
        tension = W * W / 2 * ((k + 2) * (k + 1) * a[k + 2] - k * (k + 1) * a[k])
        a[k + 4] = (tension + omega * omega * a[k]) / ((k + 4) * (k + 3) * (k + 2) * (k + 1))
    return (sum(k * (k - 1) * a[k] for k in range(TERMS)),
            sum(k * (k - 1) * (k - 2) * a[k] for k in range(TERMS)))


def determinant(W, omega):
    (a, b), (c, d) = at_tip(W, omega, 2), at_tip(W, omega, 3)
    return a * d - b * c


def series(W, near):
    """Secants from a value near by."""
    x, y = near, near * (1 + Decimal("1e-6"))
    fx, fy = determinant(W, x), determinant(W, y)
    while abs(y - x) > Decimal("1e-30") * abs(y):
        x, y, fx = y, y - fy * (y - x) / (fy - fx), fy
        fy = determinant(W, y)
        if fy == fx:
            break
    return y


if __name__ == "__main__":
    for W in (0, 0.5, 1, 1.5, 2, 3, 6, 10, 12):
        for near in ritz(W, 18):
            exact = series(Decimal(W), Decimal(float(near)))
            print(W, "%.9f by Ritz, %.25f by the series" % (near, exact))
