"""Polynomials with fractions for coefficients, lowest power first: division, common divisors, roots of any multiplicity with
mpmath; and characteristic polynomials, determinants and discriminants that are exact."""
from fractions import Fraction

import mpmath


def divide(p, q):
    p, quotient = list(p), [Fraction(0)] * max(len(p) - len(q) + 1, 0)
    while len(p) >= len(q):
        f = p[-1] / q[-1]
        quotient[len(p) - len(q)] = f
        for k, x in enumerate(q):
            p[len(p) - len(q) + k] -= f * x
        p.pop()
    while p and p[-1] == 0:
        p.pop()
    return quotient, p


def common_divisor(p, q):
    while q:
        p, q = q, divide(p, q)[1]
        if q:
            q = [x / q[-1] for x in q]
    return [x / p[-1] for x in p]


def derivative(p):
    return [k * x for k, x in enumerate(p)][1:]


def roots(p):
    """All roots of an exact polynomial, multiple ones repeated, to 60 digits (Yun's algorithm)."""
    found = []
    if len(p) < 2:
        return found
    g = common_divisor(p, derivative(p))
    w, y = divide(p, g)[0], divide(derivative(p), g)[0]
    times = 1
    while len(w) > 1:
        dw = derivative(w)
        size = max(len(y), len(dw))
        z = [(y[k] if k < len(y) else 0) - (dw[k] if k < len(dw) else 0) for k in range(size)]
        while z and z[-1] == 0:
            z.pop()
        factor = common_divisor(w, z) if z else [x / w[-1] for x in w]
        found += times * simple_roots(factor)
        w = divide(w, factor)[0]
        y = divide(z, factor)[0] if z else []
        times += 1
    return found


def simple_roots(p):
    if len(p) < 2:
        return []
    with mpmath.workdps(80):
        coefficients = [mpmath.mpf(x.numerator) / x.denominator for x in reversed(p)]
    for digits in (60, 200, 800):
        try:
            with mpmath.workdps(digits):
                if digits > 60:
                    coefficients = [mpmath.mpf(x.numerator) / x.denominator for x in reversed(p)]
                return list(mpmath.polyroots(coefficients, maxsteps=400, extraprec=12 * digits))
        except mpmath.NoConvergence:
            continue
    raise AssertionError("mpmath finds no roots")


def distinct_roots(p):
    """Roots of an exact polynomial, each once; none of the polynomial 0."""
    while p and p[-1] == 0:
        p = p[:-1]
    if len(p) < 2:
        return []
    return simple_roots(divide(p, common_divisor(p, derivative(p)))[0])


def characteristic(A):
    """det(s I - A) of a matrix of fractions (Faddeev and Leverrier)."""
    n = len(A)
    p, N = [Fraction(0)] * n + [Fraction(1)], [[Fraction(0)] * n for _ in range(n)]
    for k in range(1, n + 1):
        N = product(A, N)
        for i in range(n):
            N[i][i] += p[n - k + 1]
        p[n - k] = -sum(A[i][j] * N[j][i] for i in range(n) for j in range(n)) / k
    return p


def product(A, B):
    columns = list(zip(*B))
    return [[sum(x * y for x, y in zip(row, column) if x and y) + Fraction(0) for column in columns] for row in A]


def determinant(A):
    """By Gauss, of fractions."""
    A, n, value = [list(row) for row in A], len(A), Fraction(1)
    for k in range(n):
        pivot = next((i for i in range(k, n) if A[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            A[k], A[pivot], value = A[pivot], A[k], -value
        value *= A[k][k]
        for i in range(k + 1, n):
            if A[i][k]:
                f = A[i][k] / A[k][k]
                A[i] = [x - f * y for x, y in zip(A[i], A[k])]
    return value


def discriminant(p):
    """Of a monic polynomial, but for its sign: the resultant with its derivative (Sylvester's determinant)."""
    q, n = derivative(p), len(p) - 1
    rows = [[Fraction(0)] * i + p[::-1] + [Fraction(0)] * (n - 2 - i) for i in range(n - 1)]
    rows += [[Fraction(0)] * i + q[::-1] + [Fraction(0)] * (n - 1 - i) for i in range(n)]
    return determinant(rows)


def hurwitz(p):
    """Hurwitz' determinant of order n - 1, which is 0 where two roots have the sum 0 (Orlando)."""
    n, b = len(p) - 1, p[::-1]
    return determinant([[b[2 * j - i + 1] if 0 <= 2 * j - i + 1 <= n else Fraction(0) for j in range(n - 1)]
                        for i in range(n - 1)])


def interpolate(points, values):
    """The polynomial of least degree with these values (Newton's divided differences)."""
    differences = list(values)
    for k in range(1, len(points)):
        for i in range(len(points) - 1, k - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / (points[i] - points[i - k])
    p = []
    for x, d in zip(reversed(points), reversed(differences)):
        p = [d] + p if not p else [d - x * p[0]] + [p[i - 1] - x * (p[i] if i < len(p) else 0) for i in range(1, len(p) + 1)]
    return p
