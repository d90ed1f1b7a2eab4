"""A model file of Routh rewritten in mm, t and s, from what each field is. Nothing here is the program's: dimensions are
powers of length and mass written by hand, from the meaning of each field.

Parameters and signals stay the numbers that they are in SI. So an expression is made one of SI numbers, with measures
divided by what one of them is in mm, t and s, and the whole is multiplied by the factor of the field."""
import copy
import re
from decimal import Decimal

LENGTH, MASS = Decimal(1000), Decimal("0.001")  # how many mm a metre has, how many t a kilogram

NONE, L, V, A = (0, 0), (1, 0), (1, 0), (1, 0)  # rates have the powers of what they are rates of
M, FORCE, TORQUE, INERTIA = (0, 1), (1, 1), (2, 1), (2, 1)
N_M, PRESSURE, DENSITY, AREA, M4 = (0, 1), (-1, 1), (-3, 1), (2, 0), (4, 0)

# of measures, by how their names begin
MEASURES = [(r"D[MXYZ]|V[MXYZR]|ACC[MXYZ]", L), (r"F[MXYZ]", FORCE), (r"T[MXYZ]", TORQUE), (r"A[XYZ]|W[MXYZ]|WDT[MXYZ]", NONE)]

UNITS = {"kN s/m": Decimal(1000), "kN/m": Decimal(1000), "N/m": Decimal(1), "kN": Decimal(1000), "mm": Decimal("0.001"),
         "ms": Decimal("0.001"), "Hz": Decimal(1), "deg": "(pi/180)", "rpm": "(pi/30)"}
A_UNIT = re.compile(r"(?<![\w.])((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?) *(" + "|".join(UNITS) + r")(?![\w]| *[/ ] *[a-zA-Z])")

BODY_SHARED = {"position": L, "velocity": V, "angular_velocity": NONE, "orientation": NONE,
               "moved": {"about": L, "displacement": L, "orientation": NONE}, "spin": {"rate": NONE, "about": L}}
SIZES = {"radius": L, "inner_radius": L, "outer_radius": L, "length": L, "width": L, "height": L, "size": L}
BODIES = {
    "rigid": {**BODY_SHARED, "mass": M, "inertia": INERTIA, "density": DENSITY,
              "shape": {"position": L, "orientation": NONE, "box": SIZES, "cylinder": SIZES, "tube": SIZES, "sphere": SIZES,
                        "cone": SIZES, "capsule": SIZES, "torus": SIZES, "gear": SIZES, "disc": SIZES, "wheel": SIZES,
                        "plate": SIZES, "hemisphere": SIZES, "rod": SIZES}},
    "beam": {**BODY_SHARED, "from": L, "to": L, "side": NONE, "density": DENSITY, "youngs_modulus": PRESSURE,
             "shear_modulus": PRESSURE, "poissons_ratio": NONE,
             "area": AREA, "iyy": M4, "izz": M4, "torsion_constant": M4,
             "section": {"area": AREA, "iyy": M4, "izz": M4, "torsion_constant": M4, "circle": SIZES, "tube": SIZES,
                         "rectangle": SIZES},
             "damping": {"mass": NONE, "stiffness": NONE}},
    "modal": {**BODY_SHARED, "cut": NONE, "frequencies_below": NONE, "accuracy": NONE, "damping_ratio": NONE},
}
ROD = {"from": L, "to": L, "points": L, "stations": L, "side": NONE, "twist": NONE, "damping_ratio": NONE, "velocity": V,
       "angular_velocity": NONE, "about": L,
       "density": DENSITY, "youngs_modulus": PRESSURE, "shear_modulus": PRESSURE, "area": AREA, "iyy": M4, "izz": M4,
       "torsion_constant": M4, "shear_factor_y": NONE, "shear_factor_z": NONE,
       "mass_per_length": (-1, 1), "inertia_y": (1, 1), "inertia_z": (1, 1), "EA": FORCE, "GAy": FORCE, "GAz": FORCE,
       "GJ": (3, 1), "EIy": (3, 1), "EIz": (3, 1), "stiffness": ("six", FORCE), "damping": ("six", FORCE),
       "mass_y": L, "mass_z": L, "tension_y": L, "tension_z": L, "shear_y": L, "shear_z": L}
JOINT = {"at": L, "angle": NONE, "rate": NONE, "displacement": L, "velocity": V, "angle_y": NONE, "angle_x": NONE,
         "rate_y": NONE, "rate_x": NONE, "angular_velocity": NONE, "orientation": NONE, "x": L, "y": L, "z": L, "vx": V,
         "vy": V, "vz": V, "pitch": L, "radius": L, "tube_radius": L, "length": L, "axis": NONE,
         "expression": NONE, "expressions": NONE}
TYRE = {"radius": L, "preload": FORCE, "tube_radius": L, "stiffness": N_M, "damping": N_M, "effective_radius": L,
        "low_speed": V, "relaxation_length": L, "longitudinal_relaxation_length": L, "drive_force": FORCE}
CURVE = {"stiffness_coefficient": NONE, "peak_load": FORCE, "friction": NONE, "friction_slope": (-1, -1), "shape": NONE,
         "curvature": NONE, "curvature_slope": (-1, -1), "camber_shift": NONE, "trail": L, "trail_shape": NONE,
         "trail_stiffness": NONE}
LOADS = {
    "spring": {"stiffness": N_M, "damping": N_M, "free_length": L, "preload": FORCE, "force": FORCE, "table": ("pairs", L, FORCE)},
    "torsion_spring": {"at": L, "stiffness": TORQUE, "damping": TORQUE, "free_angle": NONE, "preload": TORQUE, "torque": TORQUE,
                       "table": ("pairs", NONE, TORQUE)},
    "bushing": {"at": L, "stiffness": ("six", N_M), "damping": ("six", N_M), "preload": ("two", FORCE, TORQUE),
                "translation": {"stiffness": N_M, "damping": N_M}, "rotation": {"stiffness": TORQUE, "damping": TORQUE}},
    "beam": {"length": L, "youngs_modulus": PRESSURE, "shear_modulus": PRESSURE, "area": AREA, "iyy": M4, "izz": M4,
             "torsion_constant": M4, "shear_factor_y": NONE, "shear_factor_z": NONE, "damping_ratio": NONE},
    "flexible_rod": {"side": NONE, "stiffness": ("six", FORCE), "damping": ("six", FORCE)},
    "spectral_rod": {"side": NONE, "stiffness": ("six", FORCE), "damping": ("six", FORCE)},
    "force": {"components": FORCE},
    "torque": {"components": TORQUE},
    "tyre": {**TYRE, "cornering_stiffness": FORCE, "cornering_coefficient": NONE, "camber_stiffness": FORCE,
             "camber_coefficient": NONE, "slip_stiffness": FORCE, "slip_coefficient": NONE, "trail": L},
    "magic_formula_tyre": {**TYRE, "lateral": CURVE, "longitudinal": CURVE},
    "contact": {"radius": L, "other_radius": L, "exponent": NONE, "damping": (-1, 0), "static_coefficient": NONE,
                "dynamic_coefficient": NONE, "stiction_velocity": V, "dynamic_velocity": V},
    "friction": {"static_coefficient": NONE, "dynamic_coefficient": NONE, "radius": L, "length": L, "thrust_radius": L,
                 "preload": FORCE, "smoothing": FORCE},
    "limit": {"exponent": NONE},
    "drag": {"coefficient": (-1, 1)},
}
PART = {"at": L, "orientation": NONE, "step": L, "axis": NONE, "about": L, "angle": NONE, "spin": {"rate": NONE, "about": L},
        "set": NONE, "inputs": NONE}
# what says no number
WORDS = {"type", "body", "between", "joint", "joints", "on", "frame", "coordinates", "coordinate", "along", "file", "mirror", "node",
         "connect", "first", "index", "count", "color", "colour", "interpolation", "elements", "order", "curved", "inextensible", "modes", "axis", "resolved_in",
         "reaction_on", "marker", "planar", "stiffening", "rotary_inertia", "normal_modes", "stiffness_matrix", "mass_matrix",
         "nodes", "dofs", "interface", "shapes", "length_unit", "mass_unit", "time_unit", "relative_to", "reaction", "no_tension",
         "cut", "coordinates", "keeps", "load", "body_fixed", "velocity_of", "relaxation", "slides"}


def factor(dimension):
    return LENGTH ** dimension[0] * MASS ** dimension[1]


def number_of(text):
    return Decimal(str(text)) if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", str(text).strip()) else None


def in_si(text):
    """The expression with numbers in SI in place of numbers with units, and measures in SI."""
    def with_unit(match):
        unit = UNITS[match[2]]
        return f"({match[1]}*{unit})" if isinstance(unit, str) else f"{Decimal(match[1]) * unit}"

    text = A_UNIT.sub(with_unit, str(text))
    if re.search(r"(?<![\w.])\d+\.?\d*(?:[eE][-+]?\d+)? *(?![eE][-+]?\d)[a-zA-Z]", text):
        raise ValueError(f"what is the unit in {text}?")
    for name, dimension in MEASURES:
        by = factor(dimension)
        if by != 1:
            text = re.sub(rf"\b((?:{name})\([^()]*\))", rf"(\1/{by})", text)
    return text


def value(x, dimension):
    if isinstance(x, list):
        return [value(each, dimension) for each in x]
    if isinstance(x, dict):  # an orientation
        return {key: value(each, NONE) for key, each in x.items()}
    by = factor(dimension)
    number = number_of(x)
    if number is not None:
        return f"{number * by}"
    text = in_si(x)
    if by == 1 or re.fullmatch(r"-?[xyz]", text):
        return text
    return f"({text})*{by}" if by >= 1 else f"({text})/{1 / by}"


def of_field(x, kind):
    """A field's value; kind: its dimension, or how it goes through a list."""
    if kind[0] == "six":  # forces and torques by displacements and rotations
        by = [kind[1], (kind[1][0] + 1, kind[1][1]), (kind[1][0] + 2, kind[1][1])]
        return [[value(e, by[i // 3 + k // 3]) for k, e in enumerate(row)] for i, row in enumerate(x)]
    if kind[0] == "two":
        return [value(e, kind[1 + k // 3]) for k, e in enumerate(x)]
    if kind[0] == "pairs":
        return [[value(e, kind[1 + k]) for k, e in enumerate(pair)] for pair in x]
    return value(x, kind)


def of_mapping(entry, kinds, where):
    out = {}
    for key, x in entry.items():
        kind = kinds.get(key)
        if isinstance(kind, dict):
            out[key] = of_mapping(x, kind, f"{where}.{key}")
        elif kind is not None:
            out[key] = of_field(x, kind)
        elif key in WORDS:
            out[key] = plain(x)
        else:
            raise KeyError(f"{where}: what is the field {key}?")
    return out


def slides(joint, which=None):
    """The coordinate of a joint is a displacement."""
    return which in ("x", "y", "z") if which else joint["type"] == "translational"


def of_joint(joint, joints, where):
    kinds = dict(JOINT)
    if joint["type"] == "motion":
        kinds["function"] = L if slides(joints.get(joint.get("joint"), {"type": ""}), joint.get("along")) else NONE
    if joint["type"] == "rack_and_pinion":
        kinds["offset"] = L
    if joint["type"] in ("coupler", "gear", "velocity_coupler"):
        which = joint.get("coordinates") or [None] * len(joint["joints"])
        per = [LENGTH if slides(joints[name], w) else 1 for name, w in zip(joint["joints"], which)]
        # any factor will do for the whole: that of the last coordinate
        ratios = [f"({in_si(x)})*{per[-1]}/{c}" for x, c in zip(joint["ratios"], per)]
        kinds["offset"] = L if per[-1] == LENGTH else NONE
        return {**of_mapping({k: x for k, x in joint.items() if k != "ratios"}, kinds, where), "ratios": ratios}
    return of_mapping(joint, kinds, where)


def of_load(load, joints, where):
    kinds = dict(LOADS[load["type"]])
    out = dict(load)
    if load["type"] in ("contact", "limit"):
        turns = load["type"] == "limit" and not slides(joints[load["joint"]], load.get("coordinate"))
        out.pop("stiffness")
        kinds.update({"lower": NONE, "upper": NONE, "damping": NONE} if turns else {"lower": L, "upper": L, "damping": (-1, 0)})
        e = in_si(load.get("exponent", "1.5" if load["type"] == "contact" else "1"))
        k = in_si(load["stiffness"])
        stiffness = f"({k})*1000" if turns else f"({k})*1000^(-({e}))"
        return {**of_mapping(out, kinds, where), "stiffness": stiffness}
    if load["type"] == "friction":
        turns = "static_level" in load and joints[load["joint"]]["type"] != "translational"
        kinds.update({"static_level": TORQUE, "dynamic_level": TORQUE, "stiction_velocity": NONE, "dynamic_velocity": NONE,
                      "viscous": TORQUE} if turns else
                     {"static_level": FORCE, "dynamic_level": FORCE, "stiction_velocity": V, "dynamic_velocity": V, "viscous": N_M})
    return of_mapping(out, kinds, where)


def plain(x):
    """Words that YAML reads as truth."""
    return x == "true" if x in ("true", "false") else x


def raw(x):
    """What is of signals: expressions of SI numbers."""
    if isinstance(x, dict):
        return {key: e if key in ("type", "unit", "direction", "action", "input") and not (key == "input" and "(" in str(e))
                else raw(e) for key, e in x.items()}
    if isinstance(x, list):
        return [raw(e) for e in x]
    return plain(in_si(x))


def in_mm_t_s(model):
    """The model, as read from YAML with every scalar a text, in mm, t and s."""
    model = copy.deepcopy(model)
    joints = model.get("joints") or {}
    for section, entries in model.items():
        if section == "gravity":
            model[section] = value(entries, A)
        elif section == "bodies":
            for name, b in entries.items():
                entries[name] = of_mapping(b, BODIES[b.get("type", "rigid")], name)
                if "stiffness_matrix" in b:  # its files stay as they are, in SI where nothing else is written
                    entries[name] = {"length_unit": "m", "mass_unit": "kg", **entries[name]}
        elif section == "beams":
            for name, b in entries.items():
                entries[name] = of_mapping(b, ROD, name)
        elif section == "markers":
            for name, m in entries.items():
                entries[name] = of_mapping(m, {"position": L, "at": L, "orientation": NONE}, name)
        elif section == "joints":
            for name, j in list(entries.items()):
                model[section] = {**model[section], name: of_joint(j, joints, name)}
        elif section == "loads":
            for name, load in entries.items():
                entries[name] = of_load(load, joints, name)
        elif section == "parts":
            for name, p in entries.items():
                entries[name] = of_mapping({k: raw(x) if k in ("set", "inputs") else x for k, x in p.items()}, PART, name)
        elif section in ("parameters", "variables", "outputs", "inputs", "controllers", "events", "steady", "linearize", "simulate"):
            model[section] = raw(entries)
        elif section == "operating_point":
            model[section] = {key: plain(x) for key, x in entries.items()}
        elif section not in ("title", "description", "connections", "exports"):
            raise KeyError(section)
    return {"units": ["mm", "t", "s"], **model}
