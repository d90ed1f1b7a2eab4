"""Functions of expressions from their definitions, in forty digits (mpmath), with derivatives by mpmath's differences.

A motion along x of a body is the function of time: its place, velocity and acceleration are the value and both
derivatives, exactly as the program has them. Arguments are x(t) = a + b t + c t^2, and for the second one of its own.
"""
import mpmath
import numpy as np
from mpmath import mp, mpf

from registry import element

mp.dps = 40


class Curve:
    """x(t), an increasing or bent function of time that is `value` at t0"""

    def __init__(self, case, t0, value):
        self.b, self.c = case.choose(1, -1) * case.size(0.3, 3), case.vector(1, 1)[0]
        self.t0, self.a = t0, value

    def text(self):
        return f"({self.a!r} + {self.b!r}*(time - {self.t0!r}) + {self.c!r}*(time - {self.t0!r})^2)"

    def __call__(self, t):
        d = t - mpf(self.t0)
        return mpf(self.a) + mpf(self.b) * d + mpf(self.c) * d * d


def smooth_case(name, draw, value, near=()):
    """draw(case) -> (value of the curved argument, other arguments as text and numbers)"""
    def build(case):
        t0 = case.uniform(-3, 3)
        at, before, after, more = draw(case)
        x = Curve(case, t0, float(at))
        text = ", ".join([*map(repr, before), x.text(), *map(repr, after)])
        case.body("a")
        place = case.vector(0.1)
        case.model["operating_point"] = {"type": "given", "time": t0}
        case.model["joints"]["m"] = {"type": "motion", "between": ["a", "ground"], "along": "x", "function": f"{name}({text})"}

        def f(t):
            return value(*map(mpf, before), x(t), *map(mpf, after))

        t = mpf(t0)
        y0, y1, y2 = f(t), mpmath.diff(f, t, h=mpf(10) ** -14), mpmath.diff(f, t, 2, h=mpf(10) ** -11)
        case.model["bodies"]["a"]["position"][0] = float(y0)
        case.model["bodies"]["a"]["velocity"][0] = float(y1)
        case.model["outputs"] = {"y": "DX(a)", "y1": "VX(a)", "y2": "ACCX(a)", "direct": f"{name}({text})"}
        case.truth = {"values": ("y", y0), "direct": ("direct", y0), "first": ("y1", y1), "second": ("y2", y2)}
        # how much the answer changes with a rounding of its argument
        case.slack = {"values": abs(y1) * abs(mpf(at)), "first": abs(y2) + abs(y1), "second": abs(y2) + abs(y1)}
    build.__name__ = name
    build.scalar = True
    element("function", name)(build)


def one(low, high):
    return lambda case: (case.uniform(low, high), [], [], None)


for _name, _draw, _value in (
        ("sin", one(-20, 20), mp.sin), ("cos", one(-20, 20), mp.cos), ("tan", one(-1.4, 1.4), mp.tan),
        ("asin", one(-0.97, 0.97), mp.asin), ("acos", one(-0.97, 0.97), mp.acos), ("atan", one(-20, 20), mp.atan),
        ("sinh", one(-5, 5), mp.sinh), ("cosh", one(-5, 5), mp.cosh), ("tanh", one(-5, 5), mp.tanh),
        ("exp", one(-8, 8), mp.exp), ("log", one(0.01, 20), mp.log), ("ln", one(0.01, 20), mp.log),
        ("log10", one(0.01, 20), mp.log10), ("sqrt", one(0.01, 20), mp.sqrt),
        ("abs", lambda c: (c.choose(1, -1) * c.size(1e-3, 10), [], [], None), abs),
        ("sign", lambda c: (c.choose(1, -1) * c.size(1e-3, 10), [], [], None), mp.sign),
        ("floor", lambda c: (int(c.uniform(-9, 9)) + c.uniform(0.01, 0.99), [], [], None), mp.floor),
        ("ceil", lambda c: (int(c.uniform(-9, 9)) + c.uniform(0.01, 0.99), [], [], None), mp.ceil)):
    smooth_case(_name, _draw, _value)


def apart(case, n):
    """numbers that are no nearer than 0.05"""
    while True:
        x = [case.uniform(-5, 5) for _ in range(n)]
        if min(abs(a - b) for i, a in enumerate(x) for b in x[:i]) > 0.05:
            return x


def several(case):
    x = apart(case, case.choose(2, 3, 4))
    k = int(case.rng.integers(len(x)))
    return x[k], x[:k], x[k + 1:], None


smooth_case("min", several, lambda *a: min(a))
smooth_case("max", several, lambda *a: max(a))


def first_or_second(draw):
    def of(case):
        a, b = draw(case)
        return (a, [], [b], None) if case.chance() else (b, [a], [], None)
    return of


smooth_case("atan2", first_or_second(lambda c: (c.choose(1, -1) * c.uniform(0.1, 5), c.choose(1, -1) * c.uniform(0.1, 5))), mp.atan2)
smooth_case("hypot", first_or_second(lambda c: (c.uniform(-5, 5), c.choose(1, -1) * c.uniform(0.1, 5))), mp.hypot)


def _mod(case):
    y = case.choose(1, -1) * case.size(0.3, 4)
    return (int(case.uniform(-5, 5)) + case.uniform(0.05, 0.95)) * y, [], [y], None


def rest(x, y):
    """of the sign of x"""
    q = x / y
    return x - y * mp.sign(q) * mp.floor(abs(q))


smooth_case("mod", _mod, rest)


def _pow(case):
    if case.chance():
        return case.uniform(0.1, 5), [], [case.uniform(-3, 3)], None
    if case.chance():
        return case.choose(1, -1) * case.uniform(0.1, 5), [], [float(case.choose(-3, -2, 2, 3, 4, 5))], None
    return case.uniform(-3, 3), [case.uniform(0.1, 5)], [], None


smooth_case("pow", _pow, lambda x, y: x ** (int(y) if y == int(y) else y))


# ---- steps -----------------------------------------------------------------------------------------------------------


def limits(case):
    x0 = case.uniform(-3, 3)
    x1 = x0 + case.size(0.1, 5)
    part = case.choose(case.uniform(-0.5, -0.02), case.uniform(0.02, 0.98), case.uniform(0.02, 0.98), case.uniform(1.02, 1.5))
    return x0 + part * (x1 - x0), [], [x0, case.vector(3, 1)[0], x1, case.vector(3, 1)[0]], None


def stepped(shape):
    def value(x, x0, h0, x1, h1):
        s = (x - x0) / (x1 - x0)
        return h0 + (h1 - h0) * (0 if s <= 0 else 1 if s >= 1 else shape(s))
    return value


smooth_case("STEP", limits, stepped(lambda s: s * s * (3 - 2 * s)))
smooth_case("STEP5", limits, stepped(lambda s: s ** 3 * (10 - 15 * s + 6 * s * s)))
smooth_case("HAVSIN", limits, stepped(lambda s: (1 + mp.sin(mp.pi * (s - mpf(1) / 2))) / 2))
smooth_case("POLY", lambda c: (c.uniform(-3, 3), [], [c.uniform(-2, 2), *c.vector(1, c.choose(1, 2, 4, 7)).tolist()], None),
            lambda x, x0, *a: sum((k * (x - x0) ** n for n, k in enumerate(a)), mpf(0)))
smooth_case("SHF", lambda c: (c.uniform(-3, 3), [], [float(v) for v in c.vector(2, 5)], None),
            lambda x, x0, a, w, phi, b: a * mp.sin(w * (x - x0) - phi) + b)


def smoothed(draw):
    return lambda case: (draw(case), [], [case.size(0.01, 3)], None)


def smoothed_near(widths):
    def of(case):
        w = case.size(0.01, 3)
        return case.uniform(-widths, widths) * w, [], [w], None
    return of


smooth_case("ramp", smoothed_near(20), lambda x, w: (x + mp.sqrt(x * x + w * w)) / 2)
smooth_case("smooth_abs", smoothed(lambda c: c.uniform(-3, 3)), lambda x, w: mp.sqrt(x * x + w * w))
smooth_case("smooth_sign", smoothed_near(5), lambda x, w: mp.tanh(x / w))


# ---- tables ----------------------------------------------------------------------------------------------------------


def points(case):
    n = case.choose(2, 3, 4, 7)
    x = np.cumsum([case.uniform(-3, 3), *(case.size(0.05, 3) for _ in range(n - 1))])
    y = case.vector(3, n)
    if case.chance(0.3):
        y = np.round(y)  # with equal neighbours
    while True:
        at = case.uniform(x[0] - 1, x[-1] + 1)
        if np.abs(x - at).min() > 0.005:
            break
    return at, [], [float(v) for pair in zip(x, y) for v in pair], None


def segment(x, X):
    return max(k for k in range(len(X) - 1) if k == 0 or x >= X[k])


def hermite(slopes):
    def value(x, *flat):
        X, Y = flat[::2], flat[1::2]
        m = slopes(X, Y)
        if x < X[0]:
            return Y[0] + m[0] * (x - X[0])
        if x > X[-1]:
            return Y[-1] + m[-1] * (x - X[-1])
        k = segment(x, X)
        h = X[k + 1] - X[k]
        s = (x - X[k]) / h
        return (Y[k] * (1 + 2 * s) * (1 - s) ** 2 + m[k] * h * s * (1 - s) ** 2 + Y[k + 1] * s * s * (3 - 2 * s)
                - m[k + 1] * h * s * s * (1 - s))
    return value


def pchip(X, Y):
    """Fritsch and Butland (1984): the weighted harmonic mean of neighbouring slopes, zero where they differ in sign;
    at the ends the three-point formula, 0 where its sign is the other, at most three times the segment's"""
    n = len(X)
    h = [b - a for a, b in zip(X, X[1:])]
    d = [(b - a) / c for a, b, c in zip(Y, Y[1:], h)]
    if n == 2:
        return [d[0], d[0]]

    def end(h0, h1, d0, d1):
        m = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
        if m * d0 <= 0:
            return mpf(0)
        return 3 * d0 if d0 * d1 <= 0 and abs(m) > 3 * abs(d0) else m

    m = [mpf(0)] * n
    for k in range(1, n - 1):
        if d[k - 1] * d[k] > 0:
            a, b = 2 * h[k] + h[k - 1], h[k] + 2 * h[k - 1]
            m[k] = (a + b) / (a / d[k - 1] + b / d[k])
    m[0], m[-1] = end(h[0], h[1], d[0], d[1]), end(h[-1], h[-2], d[-1], d[-2])
    return m


def natural(X, Y):
    """slopes of the spline with no curvature at its ends, from its equations for slopes"""
    n = len(X)
    M, r = mpmath.zeros(n, n), mpmath.zeros(n, 1)
    h = [b - a for a, b in zip(X, X[1:])]
    d = [(b - a) / c for a, b, c in zip(Y, Y[1:], h)]
    M[0, 0], M[0, 1], r[0] = 2, 1, 3 * d[0]
    M[n - 1, n - 1], M[n - 1, n - 2], r[n - 1] = 2, 1, 3 * d[-1]
    for k in range(1, n - 1):
        M[k, k - 1], M[k, k], M[k, k + 1] = 1 / h[k - 1], 2 / h[k - 1] + 2 / h[k], 1 / h[k]
        r[k] = 3 * (d[k - 1] / h[k - 1] + d[k] / h[k])
    return list(mpmath.lu_solve(M, r))


def straight(x, *flat):
    X, Y = flat[::2], flat[1::2]
    k = min(segment(x, X), len(X) - 2)
    return Y[k] + (Y[k + 1] - Y[k]) * (x - X[k]) / (X[k + 1] - X[k])


smooth_case("table", points, hermite(pchip))
smooth_case("table_cubic", points, hermite(natural))
smooth_case("table_linear", points, straight)


def piece(x, X, Y, how):
    """The same curve of floating-point numbers with perturbations, by the piece that the real part is in."""
    X, Y = [mpf(v) for v in X], [mpf(v) for v in Y]
    slopes = {"monotone": pchip, "cubic": natural}
    at = float(np.real(np.ravel(x)[0]))
    if how == "linear":
        k = min(segment(at, X), len(X) - 2)
        return float(Y[k]) + float((Y[k + 1] - Y[k]) / (X[k + 1] - X[k])) * (x - float(X[k]))
    m = slopes[how](X, Y)
    for end, beyond in ((0, at < X[0]), (-1, at > X[-1])):
        if beyond:
            return float(Y[end]) + float(m[end]) * (x - float(X[end]))
    k = min(segment(at, X), len(X) - 2)
    h = X[k + 1] - X[k]
    d = (Y[k + 1] - Y[k]) / h
    # Newton's form of the cubic of both ends
    c2, c3 = (3 * d - 2 * m[k] - m[k + 1]) / h, (m[k] + m[k + 1] - 2 * d) / h ** 2
    t = x - float(X[k])
    return float(Y[k]) + t * (float(m[k]) + t * (float(c2) + t * float(c3)))


def drawn_table(case, low, high):
    n = case.choose(2, 3, 5, 8)
    steps = np.cumsum([case.size(0.05, 1) for _ in range(n)])
    X = low + (high - low) * (steps - steps[0]) / (steps[-1] - steps[0])
    return [float(v) for v in X], [float(v) for v in case.vector(30, n)], case.choose("monotone", "linear", "cubic")


def tabled_spring(case):
    from joints import jet
    from loads import Spring, _place
    i, j = case.pair()
    free, c = case.uniform(0, 2) * case.length, case.size(0.1, 5)
    now = float(np.linalg.norm(_place(case, i)[0] - _place(case, j)[0])) - free
    X, Y, how = drawn_table(case, (-1.5) * case.length, 2.5 * case.length)
    case.legal = np.abs(np.array(X) - now).min() > 0.02 * case.length
    spring = Spring("s", i, j, 0.0, c, free, 0.0, pull=lambda x: piece(x, X, Y, how))
    case.load({"type": "spring", "between": [i, j], "damping": c, "free_length": free, "table": [*zip(X, Y)],
               "interpolation": how}, spring)


def tabled_torsion(case):
    from loads import TorsionSpring
    i, j = case.pair()
    free, c = case.uniform(-3, 3), case.size(0.1, 5)
    X, Y, how = drawn_table(case, -4, 4)
    load = TorsionSpring("s", i, j, np.eye(3), 0.0, c, free, 0.0, back=lambda x: piece(x, X, Y, how))
    case.load({"type": "torsion_spring", "between": [i, j], "damping": c, "free_angle": free, "table": [*zip(X, Y)],
               "interpolation": how}, load)
    load.wrench(case.scene.at_rest(), None)
    case.legal = np.abs(np.array(X) - load.turned.real[0]).min() > 0.02 and abs(abs(load.turned.real[0]) - np.pi) > 0.02


element("load", "spring")(tabled_spring)
element("load", "torsion_spring")(tabled_torsion)
