"""Derivatives of the operating point of examples (`routh equilibrium --sensitivity all`) against central differences of
`routh equilibrium --set`: of fourth order, with two steps, and extrapolated to sixth. At a steady motion, which is the
same at any place along itself, what does not depend on the place is compared.

ROUTH_TEST_EFFORT of 10 and above takes all examples, below a handful."""
import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

ROUTH = os.environ["ROUTH"]
EXAMPLES = pathlib.Path(os.environ["ROUTH_SOURCE"]) / "examples"
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
FEW = ("conical-pendulum", "crank-slider", "double-pendulum", "four-bar", "mcpherson", "spatial-four-bar")
GOOD = 1e-8  # of the largest derivative of the kind
LEAST = 1e-14  # absolute, over the parameter: rounding of what is zero
NOISE = 1e-9  # of the largest value of the kind over the parameter: the point is found to 1e-12


def run(path, *arguments):
    done = subprocess.run([ROUTH, "equilibrium", str(path), "--json", "--quiet", *arguments], capture_output=True,
                          text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def size(a):
    return math.sqrt(dot(a, a))


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def along_size(a, da):
    """d|a|; at 0 not differentiable."""
    return dot(a, da) / size(a) if size(a) > 1e-9 else None


def centres(point):
    found = {b["name"]: b["position"] for b in point["bodies"]}
    found.update({b["body"]: b["centre_of_mass"] for b in point["flexible"]})
    return found


def numbers(point):
    """{(kind, name, index): value} of all that is compared; orientations entry by entry."""
    out = {}

    def put(kind, name, values):
        for i, value in enumerate(values):
            out[kind, name, i] = value

    where = centres(point)
    for b in point["bodies"]:
        put("position", b["name"], where[b["name"]])
        put("orientation", b["name"], b["orientation"])
        put("velocity", b["name"], b["velocity"])
        put("angular_velocity", b["name"], b["angular_velocity"])
    for r in point["joints"] + point["loads"]:
        put("force", r["name"], r["force"])
        put("torque", r["name"], r["torque"])
    for s in point.get("signals", []):
        put("signal " + s["name"], s["name"], [s["value"]])
    if "steady" in point:
        put("turn_rate", "", [point["steady"]["turn_rate"]])
    return out


def derivatives(point, by):
    """The same by the exact derivatives of one parameter; None: not determined."""
    out = {}

    def put(kind, name, values):
        for i, value in enumerate(values):
            out[kind, name, i] = value

    for b, d in zip(point["bodies"], by["bodies"]):
        A, t = b["orientation"], d["rotation"]
        put("position", b["name"], d["position"])
        turned = [None] * 9
        if None not in t:
            for c in range(3):
                x, y, z = A[c], A[3 + c], A[6 + c]
                turned[c], turned[3 + c], turned[6 + c] = (t[1] * z - t[2] * y, t[2] * x - t[0] * z,
                                                           t[0] * y - t[1] * x)
        put("orientation", b["name"], turned)
        put("velocity", b["name"], d["velocity"])
        put("angular_velocity", b["name"], d["angular_velocity"])
    for r in by["joints"] + by["loads"]:
        put("force", r["name"], r["force"])
        put("torque", r["name"], r["torque"])
    for s in by.get("signals", []):
        put("signal " + s["name"], s["name"], [s["value"]])
    if "steady" in point:
        put("turn_rate", "", [by["turn_rate"]])
    return out


def invariants(x, dx, axis):
    """Of numbers x, and derivatives dx with them (or None): what is the same at any place along a steady motion."""
    out = {}
    vectors = {}
    for (kind, name, i), value in x.items():
        if kind in ("position", "velocity", "angular_velocity", "force", "torque"):
            vectors.setdefault((kind, name), []).append((value, dx[kind, name, i]))
        elif kind != "orientation":
            out[kind, name, i] = value if dx is x else dx[kind, name, i]
    first = None
    for (kind, name), pairs in vectors.items():
        a, da = [p[0] for p in pairs], [p[1] for p in pairs]
        if None in da:
            continue
        if kind == "position":
            if first is None:
                first = (a, da)
            a, da = minus(a, first[0]), minus(da, first[1])
        out[kind, name, 0] = dot(axis, a if dx is x else da)
        out[kind, name, 1] = size(a) if dx is x else along_size(a, da)
    return out


def difference(samples, step, key):
    """(extrapolated, its doubt). Where a second derivative jumps, as at the points of a table, both steps are off by
    about as much as they differ."""
    def fourth(k):
        one, two = ((samples[k][key] - samples[-k][key]) / (2 * k * step),
                    (samples[2 * k][key] - samples[-2 * k][key]) / (4 * k * step))
        return (4 * one - two) / 3
    coarse, fine = fourth(2), fourth(1)
    return (16 * fine - coarse) / 15, abs(fine - coarse)


class Table:
    """What was compared of one example."""

    def __init__(self):
        self.compared = self.doubtful = 0
        self.worst = 0.0
        self.wrong = []


def compare(path, only=None):
    table = Table()
    point = run(path, "--sensitivity", ",".join(only) if only else "all")
    steady = "steady" in point
    axis = point["steady"]["axis"] if steady else None
    for by in point["derivatives"]["parameters"]:
        p, name = by["value"], by["parameter"]
        step = 0.004 * abs(p) if p else 0.004
        samples = {}
        for k in (-4, -2, -1, 1, 2, 4):
            other = run(path, "--set", f"{name}={p + k * step!r}")
            if other is None:
                break
            samples[k] = numbers(other)
        if len(samples) < 6:
            table.doubtful += 1
            continue
        here, exact = numbers(point), derivatives(point, by)
        if steady:
            exact = invariants(here, exact, axis)
            here = invariants(here, here, axis)
            samples = {k: invariants(x, x, axis) for k, x in samples.items()}
        largest, value = {}, {}
        for key, x in exact.items():
            largest[key[0]] = max(largest.get(key[0], 0), abs(x or 0))
            value[key[0]] = max(value.get(key[0], 0), abs(here[key]))
        rounding = dict(value)  # a torque is of forces, and a signal of anything
        length = max([1] + [abs(x) for c in centres(point).values() for x in c])
        rounding["torque"] = max(value.get("torque", 0), length * value.get("force", 0))
        for kind in value:
            if kind.startswith("signal"):
                rounding[kind] = max([value[kind], value.get("force", 0)])
        for key, x in exact.items():
            if x is None or any(key not in s for s in samples.values()):
                continue
            if any(s[key] is None for s in samples.values()):
                continue
            found, doubt = difference(samples, step, key)
            allowed = GOOD * largest[key[0]] + (NOISE * rounding[key[0]] + LEAST) / (abs(p) or 1)
            if doubt > allowed:
                table.doubtful += 1
                continue
            table.compared += 1
            error = abs(found - x)
            table.worst = max(table.worst, error * GOOD / allowed)
            if error > allowed:
                table.wrong.append(f"d({key})/d({name}): {x!r}, by differences {found!r} +- {doubt:.1g}")
    return table


class Examples(unittest.TestCase):
    def test_examples(self):
        names = sorted(p.stem for p in EXAMPLES.glob("*.yaml")) if EFFORT >= 10 else FEW
        for name in names:
            with self.subTest(example=name):
                table = compare(EXAMPLES / (name + ".yaml"))
                print(f"{name}: {table.compared} compared, {table.doubtful} in doubt, worst {table.worst:.2g}",
                      file=sys.stderr)
                self.assertEqual(table.wrong[:20], [])
                self.assertLess(table.doubtful, 1 + table.compared / 4)


if __name__ == "__main__":
    unittest.main()
