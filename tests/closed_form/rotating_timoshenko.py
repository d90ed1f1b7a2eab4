#!/usr/bin/env python3
"""Frequencies of a rotating beam that bends, shears and stretches, with rotary inertia, by power series in forty digits.

The root is at the radius h, the beam lies along x and rotates about z with the speed W; length and mass per length are 1.
Steady, rho(s) = h + s + u:    EA rho'' + W^2 rho = 0,   rho(0) = h,  rho'(1) = 1,   N = EA (rho' - 1).
With l = rho', e^(iwt), t the rotation of the section and Q = dV/dz' the force across:
    in the plane        x = i X:   P = EA X',   Q = GA (y' - l t) + N t,   M = EI t',
                        P' = -(w^2 + W^2) X - 2 W w y,   Q' = -(w^2 + W^2) y - 2 W w X,
                        M' = (N - l GA)(y' - l t) - J w^2 t
    out of it           torsion i X:   P = GJ X',   Q = GA (z' - l t) + N t,   M = EI t',
                        P' = -2 J w^2 X + 2 J W w t,   Q' = -w^2 z,
                        M' = (N - l GA)(z' - l t) - J (W^2 + w^2) t + 2 J W w X
(second variation of Reissner's beam in the rotating frame: Coriolis' forces couple bending in the plane with stretch, and
gyroscopic moments (Jx + Jy - Jz = 2 J of a section with J about y and z) bending out of it with torsion). The root is clamped,
or hinged (M = 0); the tip is free. w is where the determinant of what must vanish at the tip is zero."""
import mpmath
from mpmath import mpf

mpmath.mp.dps = 40
TERMS = 90


class Beam:
    def __init__(self, speed, radius, EA, GA, EI, J, GJ=1):
        self.W, h, self.EA, self.GA, self.EI, self.J, self.GJ = map(mpf, (speed, radius, EA, GA, EI, J, GJ))
        # rho in powers of s, from rho(0) = h and the slope that makes rho'(1) = 1
        a = self.W / mpmath.sqrt(self.EA)
        slope = (1 + h * a * mpmath.sin(a)) / mpmath.cos(a)
        rho = [h, slope]
        while len(rho) < 30:
            k = len(rho)
            rho.append(-self.W**2 / self.EA * rho[k - 2] / (k * (k - 1)))
        self.l = [(k + 1) * rho[k + 1] for k in range(len(rho) - 1)]
        self.l = self.l[:max(k for k, c in enumerate(self.l) if abs(c) > mpf(10) ** -45) + 1]
        self.N = [self.EA * (c - (k == 0)) for k, c in enumerate(self.l)]

    def shear(self, k, t, Q):
        """coefficient k of z' - l t = (Q - N t)/GA, and of l t"""
        Nt = sum(c * t[k - i] for i, c in enumerate(self.N[:k + 1]))
        lt = sum(c * t[k - i] for i, c in enumerate(self.l[:k + 1]))
        return (Q[k] - Nt) / self.GA, lt

    def at_tip(self, w, start, in_plane):
        """the forces at the tip from (z, t, Q, M, X, P) at the root"""
        z, t, Q, M, X, P = ([mpf(v)] for v in start)
        gamma, J, W, own = [], self.J, self.W, self.EA if in_plane else self.GJ
        for k in range(TERMS):
            g, lt = self.shear(k, t, Q)
            gamma.append(g)
            turn = sum((n - self.GA * l) * gamma[k - i] for i, (n, l) in enumerate(zip(self.N[:k + 1], self.l)))
            z.append((g + lt) / (k + 1))
            t.append(M[k] / self.EI / (k + 1))
            X.append(P[k] / own / (k + 1))
            if in_plane:
                P.append((-(w**2 + W**2) * X[k] - 2 * W * w * z[k]) / (k + 1))
                Q.append((-(w**2 + W**2) * z[k] - 2 * W * w * X[k]) / (k + 1))
                M.append((turn - J * w**2 * t[k]) / (k + 1))
            else:
                P.append((-2 * J * w**2 * X[k] + 2 * J * W * w * t[k]) / (k + 1))
                Q.append(-w**2 * z[k] / (k + 1))
                M.append((turn - J * (W**2 + w**2) * t[k] + 2 * J * W * w * X[k]) / (k + 1))
        return [sum(Q), sum(M), sum(P)]

    def determinant(self, w, in_plane, hinged):
        first = (0, 1, 0, 0, 0, 0) if hinged else (0, 0, 0, 1, 0, 0)
        columns = [self.at_tip(w, s, in_plane) for s in (first, (0, 0, 1, 0, 0, 0), (0, 0, 0, 0, 0, 1))]
        return mpmath.det(mpmath.matrix(columns))

    def frequencies(self, in_plane, hinged, n=3):
        """the lowest n above zero: signs on a grid, then secants"""
        found, w, step = [], mpf("0.02"), mpf("0.5")
        with mpmath.workdps(25):
            before = self.determinant(w, in_plane, hinged)
            while len(found) < n:
                now = self.determinant(w + step, in_plane, hinged)
                if before * now < 0:
                    found.append((w, w + step))
                w, before = w + step, now
        return [mpmath.findroot(lambda x: self.determinant(x, in_plane, hinged), ends, solver="anderson", tol=mpf(10) ** -60,
                                verify=False) for ends in found]


if __name__ == "__main__":
    for EA, GA, J in ((1e4, 3e3, 1e-4), (1e7, 1e7, 1e-7)):
        for speed, radius in ((0, 0), (2, 1), (6, 0), (10, 3)):
            for hinged in (False, True):
                out = Beam(speed, radius, EA, GA, 1, J).frequencies(False, hinged)
                lag = Beam(speed, radius, EA, GA, 4, J).frequencies(True, hinged)
                print(f"({EA:g}, {GA:g}, {J:g}), {speed}, {radius}, {hinged},",
                      ", ".join(mpmath.nstr(w, 13) for w in out + lag), flush=True)
