"""Mechanisms whose limits are known independently: sliders that forces couple, M = 1 and

    q'' + C(p) q' + K(p) q = 0,   C = T blkdiag(C_1, C_2, ..) T^-1,   K = T blkdiag(K_1, K_2, ..) T^-1

with blocks that each do one thing as p passes a value, and a constant T that mixes their motions. Eigenvalues are those of
numpy, and of mpmath with 60 digits where numpy's do not tell.

WideFamily knows all its limits beforehand: Family's blocks, gyroscopic, circulatory and general ones, of 1 to 40 degrees of
freedom, with the number of unstable eigenvalues between any two limits in exact arithmetic and 60 digits."""
import random
from fractions import Fraction

import exact_polynomials as exact
import mpmath
import numpy


def short(x, bits=24):
    """Rounded so that products and sums of a few are exact."""
    return numpy.round(numpy.array(x, float) * 2 ** bits) / 2 ** bits


FIRM = 1e-6  # of the size of eigenvalues: numpy tells the sign beyond


class Family:
    """C(p) and K(p) as polynomials: C[d], K[d] are the matrices of p^d."""

    def __init__(self, seed, most):
        self.random = random.Random(seed)
        self.parts = []
        n = self.random.randint(1, most)
        while sum(len(c[0]) for c, k in self.parts) < n:
            self.add(n - sum(len(c[0]) for c, k in self.parts))
        self.n = sum(len(c[0]) for c, k in self.parts)
        T, back = numpy.eye(self.n), numpy.eye(self.n)
        for _ in range(self.random.choice([0, 2, self.n, 2 * self.n])):
            i, j = self.random.randrange(self.n), self.random.randrange(self.n)
            if i != j:  # a shear and its inverse, in whole numbers
                sign = self.random.choice([-1, 1])
                T[i] += sign * T[j]
                back[:, j] -= sign * back[:, i]
        whole = []
        for which in range(2):
            by = numpy.zeros((3, self.n, self.n))
            at = 0
            for part in self.parts:
                m = len(part[which][0])
                for d, matrix in enumerate(part[which]):
                    by[d, at:at + m, at:at + m] = matrix
                at += m
            whole.append(by)
        self.C, self.K = self.mixed(T, back, numpy.array(whole))

    def mixed(self, T, back, blocks):
        return T @ blocks @ back

    def limit(self):
        """Often a round number, which grids hit."""
        return self.random.choice([self.random.randint(-4, 4) / 2, short(self.random.uniform(-2, 2), 8)])

    def add(self, left):
        r = self.random
        kind = r.choice(["flutter", "divergence", "undamped divergence", "island", "still", "still", "free", "slide",
                         "coupled", "circulatory", "meeting", "undamped"])

        def one(c, k):
            self.parts.append((short(c).reshape(3, 1, 1), short(k).reshape(3, 1, 1)))
        s, p0, w = short(r.choice([-1, 1]) * r.uniform(0.2, 3), 8), self.limit(), 10 ** r.uniform(-0.5, 1)
        if kind == "flutter":
            one([-s * p0, s, 0], [w * w, 0, 0])
        elif kind == "divergence":
            one([r.uniform(0.1, 5), 0, 0], [-s * p0, s, 0])
        elif kind == "undamped divergence":
            one([0, 0, 0], [-s * p0, s, 0])
        elif kind == "island":  # negative damping or stiffness between p0 - h and p0 + h, or outside
            h, s = short(r.uniform(0.02, 0.6), 8), abs(s)
            curve = [s * (p0 * p0 - h * h), -2 * s * p0, s]
            if r.random() < 0.5:
                one(curve, [w * w, 0, 0])
            else:
                one([r.uniform(0.5, 5), 0, 0], curve)
        elif kind == "still":
            one([r.uniform(0.05, 0.5) * w, 0, 0], [w * w, 0, 0])
        elif kind == "undamped":
            one([0, 0, 0], [w * w, r.uniform(-0.1, 0.1) * w * w, 0])
        elif kind == "free":
            one([0, 0, 0], [0, 0, 0])
        elif kind == "slide":
            one([r.uniform(0.1, 2), 0, 0], [0, 0, 0])
        elif kind == "meeting":  # critical damping beside a limit
            one([-s * p0, s, 0], [r.uniform(0.05, 1), 0, 0])
        elif left >= 2:
            damped = kind == "coupled"
            c = numpy.zeros((3, 2, 2))
            k = numpy.zeros((3, 2, 2))
            k[0] = numpy.diag([r.uniform(1, 9), r.uniform(9, 20)])
            k[1] = r.uniform(1, 8) * numpy.array([[0, 1], [-1, 0]])
            if damped:
                c[0] = numpy.diag([r.uniform(0.02, 0.5), r.uniform(0.02, 0.5)])
            self.parts.append((short(c), short(k)))

    def yaml(self):
        lines = ["parameters: {p: 0}", "bodies:"]
        for i in range(self.n):
            lines.append(f"  m{i}: {{mass: 1, inertia: [1, 1, 1], position: [0, {i}, 0]}}")
        lines.append("joints:")
        for i in range(self.n):
            lines.append(f"  j{i}: {{type: translational, between: [m{i}, ground], at: [0, {i}, 0], axis: x}}")
        lines.append("loads:")
        for i in range(self.n):
            for first in range(0, self.n, 12):  # an expression touches no more than 16 markers
                terms = self.terms(i, range(first, min(first + 12, self.n)))
                name = f"f{i}_{first}" if first else f"f{i}"
                lines.append(f'  {name}: {{type: force, on: m{i}, components: ["{" ".join(terms) or "0"}", 0, 0]}}')
        return "\n".join(lines + ["operating_point: {type: given}", ""])

    def terms(self, i, columns):
        terms = []
        for by, measure in ((self.K, "DX"), (self.C, "VX")):
            for j in columns:
                a = [float(by[d, i, j]) for d in range(3)]
                if any(a):
                    terms.append(f"-({a[0]!r} + ({a[1]!r})*p + ({a[2]!r})*p*p)*{measure}(m{j})")
        return terms

    def part_matrix(self, part, p, number):
        n = len(part[0][0])
        A = [[number(0)] * (2 * n) for _ in range(2 * n)]
        for i in range(n):
            A[i][n + i] = number(1)
            for j in range(n):
                for by, at in ((part[1], j), (part[0], n + j)):
                    A[n + i][at] = -(number(float(by[0, i, j])) + number(float(by[1, i, j])) * p
                                     + number(float(by[2, i, j])) * p * p)
        return A

    def above(self, p, g):
        """How many eigenvalues have g > 0 at p; those of every block by itself."""
        count = 0
        for part in self.parts:
            e = numpy.linalg.eigvals(numpy.array(self.part_matrix(part, p, float)))
            values = [g(complex(x)) for x in e]
            size = max(1, abs(e).max())
            if all(abs(v) > FIRM * size for v in values):
                count += sum(v > 0 for v in values)
            else:
                count += self.above_exactly(p, g, [part])
        return count

    def above_exactly(self, p, g, parts=None):
        count = 0
        with mpmath.workdps(60):
            for part in parts or self.parts:
                A = mpmath.matrix(self.part_matrix(part, mpmath.mpf(p), mpmath.mpf))
                if A.rows == 2:
                    c, k = -A[1, 1], -A[1, 0]
                    root = mpmath.sqrt(c * c / 4 - k)
                    e = [-c / 2 + root, -c / 2 - root]
                else:
                    e = mpmath.eig(A, left=False, right=False)
                count += sum(g(x) > mpmath.mpf(10) ** -20 for x in e)
        return count

    def grid(self):
        """Text of --over and values: 2 to 100 values, some at limits."""
        r = self.random
        count = r.choice([2, 2, 3, 4, 5, 7, 9, 13, 17, 25, 41, 100])
        low, high = r.choice([(-3, 3), (-2, 2), (-2.5, 2.5), (-3, 1), (r.uniform(-3, -0.5), r.uniform(0.5, 3))])
        if r.random() < 0.2:
            low, high = high, low
        return f"p={low!r}:{high!r}:{count}", [low + (high - low) * k / (count - 1) for k in range(count)]


def real_part(x):
    return x.real


def damping(ratio):
    def g(x):
        return x.real + ratio * abs(x) if x.imag != 0 else x.real
    return g


def open_for(events, of, *others):
    """Events, and as not resolved those of the other kinds, too; of what is not resolved what matters to `of`."""
    kept = [e for e in events if e["kind"] != "not resolved" or e["of"] == of or others]
    return kept + [dict(e, kind="not resolved") for e in events if e["kind"] in others]


def check(family, values, events, kinds, g, dense=0):
    """What is wrong with the events of these kinds: a list of texts. `dense`: values looked at between grid values."""
    problems = []
    weight = {"flutter": 2, "divergence": 1, "damping": 2, "critical speed": 2}
    low, high = min(values), max(values)
    found = sorted((e for e in events if e["kind"] in kinds), key=lambda e: e["value"])
    open_at = [(e["value"] - e["error"], e["value"] + e["error"]) for e in events if e["kind"] == "not resolved"]
    groups = []
    for e in found:
        a, b = e["value"] - e["error"], e["value"] + e["error"]
        if groups and a <= groups[-1][1]:
            groups[-1][1] = max(groups[-1][1], b)
            groups[-1][2].append(e)
        else:
            groups.append([a, b, [e]])
    for a, b, those in groups:
        change = sum(weight[e["kind"]] * (1 if e["grows"] else -1) for e in those)
        below, above = family.above_exactly(a, g), family.above_exactly(b, g)
        if above - below != change:
            problems.append(f"at {a!r} to {b!r}: {below} to {above}, said {change}: {[e['kind'] for e in those]}")
    points = sorted(values)
    if dense:
        points = sorted(points + [points[k] + (points[k + 1] - points[k]) * (d + 1) / (dense + 1)
                                  for k in range(len(points) - 1) for d in range(dense)])
    points = [x for x in points if not any(a <= x <= b for a, b, _ in groups)]
    counts = [family.above(x, g) for x in points]
    for k in range(len(points) - 1):
        x, y = points[k], points[k + 1]
        if any(a < y and b > x for a, b in open_at):
            continue
        said = sum(weight[e["kind"]] * (1 if e["grows"] else -1) for a, b, those in groups for e in those
                   if x < e["value"] < y)
        if counts[k + 1] - counts[k] != said:
            problems.append(f"from {x!r} to {y!r}: {counts[k]} to {counts[k + 1]}, said {said}")
    return problems


class WideFamily(Family):
    """Every block comes with its limits, [(value, change of the number of unstable eigenvalues)], as mpmath's numbers."""

    def __init__(self, seed, most):
        super().__init__(seed, most)
        self.steps = sorted((step for part in self.parts for step in steps(part)), key=lambda step: step[0])

    def mixed(self, T, back, blocks):
        """Not mixed where products of 24 bits behind the point would not be exact."""
        exactly = (abs(T) @ abs(blocks) @ abs(back)).max() < 2 ** 28
        return super().mixed(T, back, blocks) if exactly else blocks

    def add(self, left):
        r = self.random
        kind = r.choice(["of the family"] * 4 + ["gyroscopic", "rotor", "general", "linear"])
        n = min(left, r.choice([2, 2, 2, 3]))
        if kind == "of the family" or n < 2:
            super().add(left)
            return
        c, k = numpy.zeros((3, n, n)), numpy.zeros((3, n, n))
        whole = numpy.array([[r.uniform(-1, 1) for _ in range(n)] for _ in range(n)])
        skew = whole - whole.T
        if kind == "gyroscopic":  # on negative stiffness: stable where p is large, undamped
            c[1] = r.uniform(1, 4) * skew
            k[0] = -numpy.diag([r.uniform(0.1, 2) for _ in range(n)])
        elif kind == "rotor":  # damping that rotates with it
            inner = r.uniform(0.05, 2)
            c[0], k[0] = (r.uniform(0.05, 1) + inner) * numpy.eye(n), numpy.diag([r.uniform(0.5, 3) for _ in range(n)])
            k[1], c[1] = inner * skew, r.choice([0, 0.3]) * skew
        else:
            c[0], k[0] = whole @ whole.T + r.choice([0, 0.2]) * numpy.eye(n), (whole + 2 * numpy.eye(n)) * r.uniform(1, 9)
            for d in (1, 2) if kind == "general" else (1,):
                c[d] = r.uniform(0, 0.6) * numpy.array([[r.uniform(-1, 1) for _ in range(n)] for _ in range(n)])
                k[d] = r.uniform(0, 6) * numpy.array([[r.uniform(-1, 1) for _ in range(n)] for _ in range(n)])
        self.parts.append((short(c, 12), short(k, 12)))

    def grid(self):
        """2 to 500 values, evenly spaced or not, often with limits among them, or beside them by less than 1e-6."""
        r = self.random
        count = r.choice([2, 2, 3, 3, 4, 5, 6, 8, 11, 17, 30, 60, 125, 250, 500])
        if r.random() < 0.5:
            ends = r.choice([(-3, 3), (-2, 2), (-2.5, 2.5), (-1, 2), (r.uniform(-3, -0.5), r.uniform(0.5, 3))])
            low, high = ends if r.random() < 0.7 else ends[::-1]
            return f"p={low!r}:{high!r}:{count}"
        values = {-3.0, 3.0} | {r.uniform(-3, 3) for _ in range(max(0, min(count, 60) - 2))}
        for value, _ in r.sample(self.steps, min(len(self.steps), r.randint(0, 4))):
            if abs(value) < 3:
                values.add(float(value) + r.choice([0, 0, 0, 1e-12, -1e-9, 1e-7]))
        values = sorted(values, reverse=r.random() < 0.3)
        return "p=" + ",".join(map(repr, values))


def coefficients_at(part, p):
    """The characteristic polynomial of q'' + C q' + K q at a fraction p, lowest power first (Faddeev and Leverrier)."""
    C, K = ([[sum(Fraction(float(by[d][i][j])) * p ** d for d in range(3)) for j in range(len(by[0]))]
             for i in range(len(by[0]))] for by in part)
    n = len(C)
    A = [[Fraction(int(j == n + i)) for j in range(2 * n)] for i in range(n)]
    A += [[-x for x in K[i] + C[i]] for i in range(n)]
    return exact.characteristic(A)


def steps(part):
    """Where the number of unstable eigenvalues of a block changes: real roots of conditions that are polynomials in p, with
    the number between any two of them from 60 digits."""
    n = 2 * len(part[0][0])
    degree = n * (n - 1)  # no condition has a higher one: coefficients are of degree 2 per degree of s, at most
    points = [Fraction(k - degree // 2, 4) for k in range(degree + 2)]
    rows = [coefficients_at(part, p) for p in points]
    zeros = next(k for k in range(n + 1) if any(row[k] for row in rows))  # eigenvalues that stay 0
    rows = [row[zeros:] for row in rows]
    conditions = [[row[0] for row in rows]]
    if len(rows[0]) > 2:
        conditions.append([exact.hurwitz(row) for row in rows])
    if not any(any(row[1::2]) for row in rows):  # undamped: a polynomial in s^2
        even = [row[0::2] for row in rows]
        conditions[1:] = [[exact.discriminant(q) for q in even]] if len(even[0]) > 2 else []
    elif len(conditions) > 1:
        assert any(conditions[1]), "a block with an undamped mode beside damped ones"
    found = set()
    for values in conditions:
        p = exact.interpolate(points, values)
        with mpmath.workdps(60):
            found |= {x.real for x in exact.distinct_roots(p) if abs(x.imag) < mpmath.mpf(10) ** -30}
    with mpmath.workdps(60):
        at = sorted(found)
        if not at:
            return []
        between = [float((x + y) / 2) for x, y in zip(at, at[1:])]
        assert all(x < p < y for x, p, y in zip(at, between, at[1:])), "limits closer together than doubles"
        counts = [count_at(part, p) for p in [float(at[0]) - 1, *between, float(at[-1]) + 1]]
    return [(x, b - a) for x, a, b in zip(at, counts, counts[1:]) if a != b]


def count_at(part, p):
    """Unstable eigenvalues of a block at p, which is no limit, of 60 digits."""
    with mpmath.workdps(60):
        a = coefficients_at(part, Fraction(p))
        return sum(root.real > mpmath.mpf(10) ** -20 for root in exact.roots(a))


def check_all(family, values, events, kinds=("flutter", "divergence")):
    """What is wrong with these events of a WideFamily, a list of texts, and how many limits are excused by what is not
    resolved."""
    weight = {"flutter": 2, "divergence": 1}
    low, high = min(values), max(values)
    intervals = [[e["value"] - e["error"], e["value"] + e["error"],
                  weight[e["kind"]] * (1 if e["grows"] else -1), e["kind"]] for e in events if e["kind"] in kinds]
    groups = []
    for a, b, change, kind in sorted(intervals):
        if groups and a <= groups[-1][1]:
            groups[-1][1] = max(groups[-1][1], b)
            groups[-1][2] += change
            groups[-1][3].append(kind)
        else:
            groups.append([a, b, change, [kind]])
    open_at = [(e["value"] - e["error"], e["value"] + e["error"]) for e in events
               if e["kind"] == "not resolved" and e["of"] == "stability"]
    problems, excused = [], 0
    taken = set()
    for a, b, change, names in groups:
        inside = [k for k, (x, _) in enumerate(family.steps) if a <= x <= b]
        taken |= set(inside)
        true = sum(family.steps[k][1] for k in inside)
        if true != change and any(x <= b and a <= y for x, y in open_at):
            excused += 1
        elif true != change:
            problems.append(f"in {a!r} to {b!r}: said {change} {names}, is {true}")
    for k, (x, change) in enumerate(family.steps):
        if k in taken or not low < x < high:
            continue
        if any(a <= x <= b for a, b in open_at):
            excused += 1
        else:
            problems.append(f"{change} at {mpmath.nstr(x, 20)} is missed")
    return problems, excused
