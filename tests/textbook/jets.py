"""Numbers with their first two derivatives by time, on arrays of complex numbers.

The time derivatives are carried exactly, by Leibniz' and the chain rule. Derivatives by states are carried in the
imaginary parts (complex step): the last index of every array counts the perturbations, each 1e-40 of one state.
Nothing here takes an absolute value of a complex number or compares one: branches are chosen by real parts.
"""
import numpy as np


class Jet:
    """value, first and second time derivative"""

    __array_priority__ = 100

    def __init__(self, value, first=0.0, second=0.0):
        self.c = (np.asarray(value), np.asarray(first), np.asarray(second))

    def __add__(self, other):
        other = jet(other)
        return Jet(*(a + b for a, b in zip(self.c, other.c)))

    __radd__ = __add__

    def __neg__(self):
        return Jet(*(-a for a in self.c))

    def __sub__(self, other):
        return self + (-jet(other))

    def __rsub__(self, other):
        return jet(other) - self

    def __mul__(self, other):
        return product(np.multiply, self, other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self * power(jet(other), -1)

    def __rtruediv__(self, other):
        return jet(other) * power(self, -1)

    def __pow__(self, exponent):
        return power(self, exponent)

    def __getitem__(self, index):
        return Jet(*(a[index] if a.ndim else a for a in self.c))


def jet(x):
    return x if isinstance(x, Jet) else Jet(x)


def product(f, a, b):
    """Leibniz' rule for any bilinear f."""
    if not isinstance(a, Jet) and not isinstance(b, Jet):
        return f(a, b)
    (a0, a1, a2), (b0, b1, b2) = jet(a).c, jet(b).c

    def g(x, y):
        return f(x, y) if x.ndim and y.ndim or f is np.multiply else 0.0

    return Jet(g(a0, b0), g(a1, b0) + g(a0, b1), g(a2, b0) + 2 * g(a1, b1) + g(a0, b2))


def chain(x, f, f1, f2):
    """f of x by the chain rule; f, f1, f2 are its value and derivatives as functions."""
    if not isinstance(x, Jet):
        return f(x)
    x0, x1, x2 = x.c
    d1 = f1(x0)
    return Jet(f(x0), d1 * x1, f2(x0) * x1 * x1 + d1 * x2)


def power(x, n):
    return chain(x, lambda y: y ** n, lambda y: n * y ** (n - 1), lambda y: n * (n - 1) * y ** (n - 2))


def sqrt(x):
    return chain(x, np.sqrt, lambda y: 0.5 / np.sqrt(y), lambda y: -0.25 / (y * np.sqrt(y)))


def sin(x):
    return chain(x, np.sin, np.cos, lambda y: -np.sin(y))


def cos(x):
    return chain(x, np.cos, lambda y: -np.sin(y), lambda y: -np.cos(y))


def exp(x):
    return chain(x, np.exp, np.exp, np.exp)


def log(x):
    return chain(x, np.log, lambda y: 1 / y, lambda y: -1 / y ** 2)


def _atan(y):
    """of a complex number with an imaginary part of nothing: the first-order term is exact"""
    y = np.asarray(y)
    return np.arctan(y.real) + (1j * y.imag / (1 + y.real ** 2) if np.iscomplexobj(y) else 0)


def atan(x):
    return chain(x, _atan, lambda y: 1 / (1 + y * y), lambda y: -2 * y / (1 + y * y) ** 2)


def _atan2(y, x):
    y, x = np.asarray(y), np.asarray(x)
    step = (x.real * y.imag - y.real * x.imag) / (x.real ** 2 + y.real ** 2)
    return np.arctan2(y.real, x.real) + 1j * step


def atan2(y, x):
    """Of jets by d = (x dy - y dx)/(x^2 + y^2)."""
    if not isinstance(x, Jet) and not isinstance(y, Jet):
        return _atan2(y, x)
    y, x = jet(y), jet(x)
    size = x.c[0] ** 2 + y.c[0] ** 2
    turn = x.c[0] * y.c[1] - y.c[0] * x.c[1]
    growth = 2 * (x.c[0] * x.c[1] + y.c[0] * y.c[1])
    return Jet(_atan2(y.c[0], x.c[0]), turn / size,
               (x.c[0] * y.c[2] - y.c[0] * x.c[2]) / size - turn * growth / size ** 2)


def asin(x):
    """By d asin = dx/sqrt(1 - x^2)."""
    def value(y):
        return np.arcsin(np.asarray(y).real) + 1j * np.asarray(y).imag / np.sqrt(1 - np.asarray(y).real ** 2)
    return chain(x, value, lambda y: (1 - y * y) ** -0.5, lambda y: y * (1 - y * y) ** -1.5)


def acos(x):
    return np.pi / 2 - asin(x)


def where(condition, yes, no):
    """Componentwise choice; the condition is of real numbers."""
    if isinstance(yes, Jet) or isinstance(no, Jet):
        return Jet(*(np.where(condition, a, b) for a, b in zip(jet(yes).c, jet(no).c)))
    return np.where(condition, yes, no)


def real(x):
    return (x.c[0] if isinstance(x, Jet) else np.asarray(x)).real


# ---- vectors (3, n) and matrices (3, 3, n) ---------------------------------------------------------------------------


def dot(a, b):
    return product(lambda x, y: (x * y).sum(0), a, b)


def cross(a, b):
    def f(x, y):
        x0, x1, x2 = x
        y0, y1, y2 = y
        return np.array((x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0))

    return product(f, a, b)


def times(m, v):
    """matrix times vector"""
    return product(lambda x, y: np.einsum("ij...,j...->i...", x, y), m, v)


def back(m, v):
    """transposed matrix times vector: components of v along the columns of m"""
    return product(lambda x, y: np.einsum("ji...,j...->i...", x, y), m, v)


def matrix(a, b):
    return product(lambda x, y: np.einsum("ij...,jk...->ik...", x, y), a, b)


def matrix_back(a, b):
    return product(lambda x, y: np.einsum("ji...,jk...->ik...", x, y), a, b)


def norm(v):
    return sqrt(dot(v, v))


def stack(parts):
    """of three scalars a vector"""
    if any(isinstance(p, Jet) for p in parts):
        parts = [jet(p) for p in parts]
        shape = np.broadcast_shapes(*(q.shape for p in parts for q in p.c))
        return Jet(*(np.stack([np.broadcast_to(p.c[k], shape) for p in parts]) for k in range(3)))
    return np.stack(np.broadcast_arrays(*parts))


def skew(w):
    m = np.zeros((3, *w.shape), w.dtype)
    m[0, 1], m[1, 2], m[2, 0] = -w[2], -w[0], -w[1]
    m[1, 0], m[2, 1], m[0, 2] = w[2], w[0], w[1]
    return m


def series(x, coefficients):
    """a power series, by Horner's rule"""
    total = 0.0 * x
    for c in reversed(coefficients):
        total = total * x + c
    return total


def _arcs(n=30):
    """of asin(s)/s in powers of s^2"""
    c = [1.0]
    for k in range(1, n):
        c.append(c[-1] * (2 * k - 1) / (2 * k))
    return [a / (2 * k + 1) for k, a in enumerate(c)]


ARCS = _arcs()


def rotation_vector(m):
    """The rotation vector of a rotation matrix, below half a revolution: the axis a of sin(u) a = vee(m - m')/2,
    u = atan2(sin u, cos u). Near none, u/sin u by its series."""
    v = stack([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) * 0.5
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    s2 = dot(v, v)
    if real(s2).max() < 0.06 and real(trace).min() > 1:
        return v * series(s2, ARCS)
    if real(trace).min() > 1:
        s = sqrt(s2)
        return v * (atan2(s, (trace - 1) * 0.5) / s)
    # far from none v/s loses digits: by the largest of the four Euler parameters (Shepperd 1978)
    i = int(np.argmax([np.ravel(real(m[k, k]))[0] for k in range(3)]))
    j, k = (i + 1) % 3, (i + 2) % 3
    largest = sqrt(1 + m[i, i] - m[j, j] - m[k, k]) * 2
    parts = [None] * 3
    parts[i], parts[j], parts[k] = largest * 0.25, (m[i, j] + m[j, i]) / largest, (m[i, k] + m[k, i]) / largest
    e0, e = (m[k, j] - m[j, k]) / largest, stack(parts)
    if np.ravel(real(e0))[0] < 0:
        e0, e = -e0, -e
    s = norm(e)
    return e * (2 * atan2(s, e0) / s)


def rodrigues(axis, angle):
    """A constant rotation about a direction, as a plain real matrix."""
    a = np.asarray(axis, float)
    a = a / np.linalg.norm(a)
    k = skew(a)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)
