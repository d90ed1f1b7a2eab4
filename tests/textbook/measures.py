"""Measures from their definitions. Frames i, j, k, l are markers in motion; d is r_i - r_j in world axes."""
import numpy as np

from jets import Jet, atan2, back, cross, dot, jet, norm, stack
from registry import element

AXES = "XYZ"


def displacement(f, i, j="ground"):
    return f[i].r - f[j].r


def angle(f, i, j, axis):
    """AX, AY, AZ: of the axis that follows the named one, from where j's stands towards the third."""
    second, third = (axis + 1) % 3, (axis + 2) % 3
    arrow = f[i].axis(second)
    return atan2(dot(arrow, f[j].axis(third)), dot(arrow, f[j].axis(second)))


def velocity(f, i, j="ground", l="ground"):
    """seen from l: the rate of d less that of the axes of l"""
    d = displacement(f, i, j)
    return d.c[1] - cross(f[l].w, d.c[0])


def spin(f, i, j="ground"):
    return f[i].w - f[j].w


def definitions(i, j, k, l):
    """name -> (text, function of the solution), for every component"""
    made = {}

    def enter(name, text, vector):
        for c in range(3):
            made[f"{name}{AXES[c]}"] = (text.format(AXES[c]), lambda s, c=c: (vector(s.frames) * s.frames[k].axes[:, c]).sum(0))
        return made

    F = lambda s: s.frames
    enter("D", f"D{{}}({i}, {j}, {k})", lambda f: displacement(f, i, j).c[0])
    enter("V", f"V{{}}({i}, {j}, {k}, {l})", lambda f: velocity(f, i, j, l))
    enter("W", f"W{{}}({i}, {j}, {k})", lambda f: spin(f, i, j))
    enter("ACC", f"ACC{{}}({i}, {j}, {k})", lambda f: f[i].acceleration - f[j].acceleration)
    enter("WDT", f"WDT{{}}({i}, {j}, {k})", lambda f: f[i].al - f[j].al)
    made["DM"] = (f"DM({i}, {j})", lambda s: norm(displacement(F(s), i, j)).c[0])
    made["VR"] = (f"VR({i}, {j})", lambda s: norm(displacement(F(s), i, j)).c[1])
    made["VM"] = (f"VM({i}, {j}, {l})", lambda s: norm(velocity(F(s), i, j, l)))
    made["WM"] = (f"WM({i}, {j})", lambda s: norm(spin(F(s), i, j)))
    made["ACCM"] = (f"ACCM({i}, {j})", lambda s: norm(F(s)[i].acceleration - F(s)[j].acceleration))
    made["WDTM"] = (f"WDTM({i}, {j})", lambda s: norm(F(s)[i].al - F(s)[j].al))
    for c in range(3):
        made[f"A{AXES[c]}"] = (f"A{AXES[c]}({i}, {j})", lambda s, c=c: angle(F(s), i, j, c).c[0])
    return made


def pull(case, i, j):
    """A spring between two markers, so that accelerations depend on the state."""
    from loads import Spring
    k, c, free = case.size(1, 50), case.size(0.1, 5), case.uniform(0.2, 2) * case.length
    case.load({"type": "spring", "between": [i, j], "stiffness": k, "damping": c, "free_length": free},
              Spring("pull", i, j, k, c, free, 0.0))


def _case(name):
    def build(case):
        i, j = case.pair()
        k, l = case.marker("k", case.choose("a", "ground")), case.marker("l", case.choose("a", "ground"))
        pull(case, i, j)
        of = definitions(i, j, k, l)
        text, function = of[name]
        # beside it what it is measured by, as a component may be next to nothing
        if name[-1] in AXES and name[:-1] in SIZES or name == "VR":
            case.output("size", *of["VM" if name == "VR" else SIZES[name[:-1]]])
        else:
            case.scale = 1.0
        if name[0] == "A" and name[1] in AXES and case.chance():  # revolutions that the state counts
            case.depart()
            turns = int(case.rng.integers(-9, 10))
            bare, function = function, lambda s: bare(s) + 2 * np.pi * turns
            phi = complex(angle(case.scene.at_rest(), i, j, AXES.index(name[1])).c[0][0]).real
            case.angles[text] = phi + 2 * np.pi * turns + case.uniform(-1, 1)
        case.output("y", text, function)
    build.__name__ = name
    return build


SIZES = {"D": "DM", "V": "VM", "W": "WM", "ACC": "ACCM", "WDT": "WDTM"}
NAMES = ["DM", "DX", "DY", "DZ", "AX", "AY", "AZ", "VM", "VX", "VY", "VZ", "VR", "WM", "WX", "WY", "WZ", "ACCM", "ACCX", "ACCY",
         "ACCZ", "WDTM", "WDTX", "WDTY", "WDTZ"]
for _name in NAMES:
    element("measure", _name)(_case(_name))


def _wrench_case(name):
    part, torque = name[1], name[0] == "T"

    def value(s, k):
        w = s.wrenches["bush"][3:] if torque else s.wrenches["bush"][:3]
        return norm(w) if part == "M" else (w * s.frames[k].axes[:, AXES.index(part)]).sum(0)

    def build(case):
        from loads import bushing_load
        i, j = case.pair()
        k = case.marker("k", case.choose("a", "ground"))
        bushing_load(case, "bush", i, j)
        case.output("size", f"{name[0]}M(bush)", lambda s: norm(s.wrenches["bush"][3:] if torque else s.wrenches["bush"][:3]))
        case.output("y", f"{name}(bush)" if part == "M" else f"{name}(bush, {k})", lambda s: value(s, k))
    build.__name__ = name
    return build


for _name in ("FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"):
    element("measure", _name)(_wrench_case(_name))
