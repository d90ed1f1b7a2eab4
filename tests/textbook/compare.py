"""What the program says of a case against what the reference says."""
import numpy as np

import library

STENCIL = 1e-3
SETS = ["absolute", "absolute", "euler-parameters", "euler-angles", "relative", "natural"]
METHODS = ["augmented", "augmented", "minimal", "minimal:qr", "redundant"]


def ways(seed):
    """The coordinate set and the method of a case."""
    number = seed[1]
    return SETS[number % len(SETS)], METHODS[number % len(METHODS)]


class Found:
    """Numbers of one case, program's and reference's, by what they are."""

    def __init__(self, case, coordinates="absolute", method="augmented"):
        self.case = case
        program = library.Linear(case.text(), coordinates, method, case.state())
        self.program = program
        solution = case.scene.solve()
        self.solution = solution
        n, m, z = program.n_position, program.n_velocity, program.n_control
        linear = solution.linear(program.states, n, m)
        sides = {"values": {}, "first": {}}
        unit = lambda name: case.length if name.rstrip("'").split(".")[-1] in ("x", "y", "z") and name.rsplit(".", 1)[0] in case.scene.bodies else 1.0
        units = np.array([unit(name) for name in program.states] + [1.0] * (3 * len(case.scene.inputs)))
        side = lambda a, rows: a * units[:a.shape[1]] / rows[:, None]
        outputs = list(case.scene.outputs)
        if outputs:
            sides["values"]["outputs"] = (program.values, np.array([solution.value(k) for k in outputs]))
            nin = len(case.scene.inputs)
            C = np.hstack((program.C, program.D, program.D1, program.D2)) if nin else program.C
            sides["first"]["outputs"] = (C * units[:C.shape[1]], linear["outputs"] * units[:C.shape[1]])
        arm = np.array([1.0] * 3 + [case.length] * 3)
        names = [name for name in solution.wrenches]
        sides["values"]["wrenches"] = (np.array([program.wrenches[name] / arm for name in names]),
                                       np.array([solution.wrenches[name][:, 0].real / arm for name in names]))
        if m:
            A = np.hstack((program.A, program.B, program.B1, program.B2)) if program.B.size else program.A
            sides["first"]["accelerations"] = (side(A[n:n + m], units[n:n + m]), side(linear["rows"], units[n:n + m]))
            sides["first"]["velocities"] = (side(A[:n], units[:n]), side(linear["first"], units[:n]))
        if z:
            A = np.hstack((program.A, program.B, program.B1, program.B2)) if program.B.size else program.A
            names = list(case.scene.control)
            order = [n + m + program.states[n + m:].index(k) for k in names]
            shuffle = list(range(n + m)) + order + list(range(n + m + z, A.shape[1]))
            for key in ("accelerations", "velocities", "outputs"):
                if key in sides["first"]:
                    a, b = sides["first"][key]
                    sides["first"][key] = a[:, shuffle], b
            sides["first"]["controllers"] = (A[order][:, shuffle], linear["control"])
            sides["values"]["rates"] = (np.array([program.rates[k] for k in names]),
                                        np.array([solution.rates[k][0].real for k in names]))
        self.sides = sides
        self.terms = max((getattr(load, "terms", 0.0) for load in case.scene.loads), default=0.0)


ASKED = 1e-12  # of values, as tools/textbook.py


def difference(pair, scale=0.0):
    a, b = (np.asarray(x, float) for x in pair)
    if a.shape != b.shape:
        raise AssertionError(f"shapes {a.shape} and {b.shape}")
    if a.size == 0:
        return 0.0
    largest = max(np.abs(b).max(), scale)
    miss = np.abs(a - b).max()
    if not np.isfinite(miss):
        return np.inf
    return 0.0 if miss == 0 else miss / max(largest, 1e-300)


def errors(build, seed, second=True):
    """The largest relative differences (value, first derivative, second derivative) and what they are of; None of a
    case that the element does not allow."""
    from draw import Case

    if getattr(build, "scalar", False):
        return scalar_errors(build, seed)

    def made(p):
        case = Case(seed, p)
        build(case)
        if not p and not getattr(case, "legal", True):
            return None
        coordinates, method = ways(seed)
        return (case.finder or Found)(case, coordinates, case.method or method)

    here = made(0.0)
    if here is None:
        return None, None
    # what is next to nothing is no more exact than rounding of 1, in the case's lengths and masses and in seconds
    floor = lambda level, what: {"rates": 1.0, "outputs": here.case.scale, "wrenches": here.terms}.get(
        what, 0.0) if level == "values" else 1.0
    # a solution in doubles is known to eps times the condition of its matrix (Wilkinson): where that is more than what is
    # asked of values, errors are counted in it
    known = max(1.0, np.finfo(float).eps * here.case.condition / ASKED)
    worst = {}
    for level, unit in (("values", known), ("first", 1.0)):
        worst[level] = max(((difference(pair, floor(level, what)) / unit, what) for what, pair in here.sides[level].items()),
                           default=(0.0, ""))
    if second:
        there = made(STENCIL)
        worst["second"] = (0.0, "")
        if there.program.states == here.program.states:
            for what, pair in here.sides["first"].items():
                two = [(t - h) / STENCIL for t, h in zip(there.sides["first"][what], pair)]
                size = np.abs(np.asarray(pair[1])).max(initial=1.0)
                worst["second"] = max(worst["second"], (difference(two, size), what))
    return worst, here


def scalar_errors(build, seed):
    """Of a function: value and derivatives against their truth in many digits."""
    from draw import Case

    case = Case(seed)
    build(case)
    program = library.Linear(case.text())
    names = list(case.model["outputs"])
    worst = {"values": (0.0, ""), "first": (0.0, ""), "second": (0.0, "")}
    for level, (name, truth) in case.truth.items():
        level = "values" if level == "direct" else level
        miss = abs(program.values[names.index(name)] - truth)
        size = max(abs(truth), case.slack[level], 1e-12)
        worst[level] = max(worst[level], (float(miss / size), name))
    return worst, program
