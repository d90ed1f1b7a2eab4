"""Model files around the samples of all classes, read from their sources: joints, loads, controllers, measures.

The mechanisms are those of tests/support/joint_samples.h and signal_samples.h without the niceties: a schema, a reader and a
builder of models see the same fields.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRING = r'"(?:\\.|[^"\\])*"'
BODIES = """
  a: {mass: 1.3, inertia: [0.5, 0.7, 0.9], position: [0.1, 0.2, 0.3]}
  b: {mass: 0.8, inertia: [0.6, 0.4, 0.3], position: [1.2, -0.5, 0.9]}
  c: {mass: 2.1, inertia: [0.9, 1.1, 0.7], position: [-0.9, 0.8, -0.6]}
"""
MARKERS = """
  i: {body: a, position: [0.3, -0.2, 0.4]}
  j: {body: b, position: [-0.2, 0.3, 0.25]}
  k: {body: c, position: [0.35, 0.15, -0.3]}
  l: {body: c, position: [-0.2, 0.1, 0.3]}
  g: {body: ground, position: [-0.6, -0.4, 0.5], orientation: {rpy: [0.1, -0.15, 0.2]}}
  axle: {body: a, position: [-0.1, 0.2, 0.3], orientation: {rpy: [1.3, 0.1, -0.2]}}
  far: {body: c, position: [0.15, 0.65, 0.1]}
"""


def strings(text):
    """The value of adjacent C strings."""
    return "".join(re.sub(r"\\(.)", r"\1", s[1:-1]) for s in re.findall(STRING, text))


def member(text, name):
    found = re.search(rf"\.{name}\s*=\s*((?:{STRING}\s*)+)", text)
    return strings(found.group(1)) if found else None


def classes(text):
    """(name, source) of each class in a file."""
    parts = re.split(r"^const rt_(?:joint|controller|load)_class rt_[a-z]+_class_([a-z_]+) = ", text, flags=re.MULTILINE)[1:]
    return zip(parts[::2], parts[1::2])


def model(joints="", loads="", parameters="p: 0.7, q: 1.3", signals=""):
    held = "".join(f"  hold_{b}: {{type: bushing, between: [{b}, ground], translation: {{stiffness: 90}}, "
                   f"rotation: {{stiffness: 70}}}}\n" for b in "abc")
    return (f"parameters: {{{parameters}}}\nbodies: {BODIES}markers: {MARKERS}"
            + (f"joints: {{{joints}}}\n" if joints else "") + f"loads:\n{loads}{held}{signals}")


def signals(controller, output):
    return ('inputs: {u: 0}\nvariables: {v: "0.5*DX(i, j, k) + 0.3*WZ(i, k, j)"}\n'
            f"controllers: {{x: {{{controller}}}}}\noutputs: {{y: \"{output}\"}}\n")


def samples():
    """{"load spring": text of a model file} of every class in the lists."""
    found = {}
    for path in sorted((ROOT / "src/model/joints").glob("*.c")):
        for name, part in classes(path.read_text("utf-8")):
            found[f"joint {name}"] = model(joints=member(part, "sample"))
    for path in sorted((ROOT / "src/elements").glob("*.c")):
        for name, part in classes(path.read_text("utf-8")):
            load = f"  x: {{type: {name}, {member(part, 'sample')}}}\n"
            found[f"load {name}"] = model("h: {type: cylindrical, between: [i, j]}", load, member(part, "sample_parameters"))
    for path in sorted((ROOT / "src/model/controllers").glob("*.c")):
        for name, part in classes(path.read_text("utf-8")):
            controller = signals(f"type: {name}, {member(part, 'sample')}", member(part, "output"))
            found[f"controller {name}"] = model(signals=controller)
    for path in sorted((ROOT / "src/model/measures").glob("*.c")):
        for call in re.findall(r'"([A-Z]+\([a-z, ]+\))"', path.read_text("utf-8")):
            written = signals('type: differential, rate: "u + v - p*x"', call)
            loads = "  f: {type: bushing, between: [j, k], translation: {stiffness: 3}}\n"
            found[f"measure {call.split('(')[0]}"] = model("h: {type: revolute, between: [axle, far]}", loads, signals=written)
    return found
