"""The JSON Schema and the reader accept and refuse the same files, as far as a schema can tell.

A schema sees structure, types, unknown keys and the range of literal numbers; it cannot see whether a name is
defined. Every example must pass both. Each example is then changed in many small ways that a schema can judge, and
the two verdicts must agree. Of the broken files, the schema must refuse none that the reader accepts."""
import copy
import ctypes
import json
import os
import pathlib
import sys
import unittest

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE", pathlib.Path(__file__).parents[2]))
sys.path.insert(0, str(SOURCE / "tests/support"))
import class_samples  # noqa: E402

BUILD = pathlib.Path(os.environ.get("ROUTH_BUILD", SOURCE / "build"))
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
EXAMPLES = sorted((SOURCE / "examples").glob("*.yaml")) + sorted((SOURCE / "tests/model/whole").glob("*.yaml"))


class Loader(yaml.SafeLoader):
    """YAML 1.2 scalars: only true and false are truth values, a number may be written 1e4."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
        ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
        ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
        ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
        ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+0123456789.")):
    import re
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))
# PyYAML's own constructors take 010 for octal and 1e4 only with a point
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("line", ctypes.c_int), ("column", ctypes.c_int),
                ("file", ctypes.c_char * 256), ("element", ctypes.c_char * 192), ("message", ctypes.c_char * 1024)]


def open_library():
    path = next((p for p in sorted(BUILD.glob("librouth.so*")) if p.is_file()), None)
    if not path:
        print(f"skipped: there is no librouth.so in {BUILD.name}")
        sys.exit(77)
    try:
        library = ctypes.CDLL(str(path))
    except OSError as problem:  # a sanitizer's runtime must come first, which Python is not linked with
        print(f"skipped: {problem}")
        sys.exit(77)
    library.routh_model_parse.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p, ctypes.c_size_t,
                                          ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t,
                                          ctypes.POINTER(Error)]
    library.routh_model_free.argtypes = [ctypes.c_void_p]
    return library


LIBRARY = open_library()
VALIDATOR = jsonschema.Draft7Validator(json.loads((SOURCE / "schema/routh-model.schema.json").read_text()))


# Files that models name are found from there.
NAME = os.fsencode(SOURCE / "examples" / "test")


def reader_says(text):
    model, error, data = ctypes.c_void_p(), Error(), text.encode()
    status = LIBRARY.routh_model_parse(ctypes.byref(model), data, len(data), NAME, None, 0, ctypes.byref(error))
    LIBRARY.routh_model_free(model)
    return (True, "") if status == 0 else (False, error.message.decode(errors="replace"))


def schema_says(data):
    error = next(iter(VALIDATOR.iter_errors(data)), None)
    return (True, "") if error is None else (False, error.message)


# Sections of named elements, none of which the schema asks about another.
NAMED = {name for name, section in VALIDATOR.schema["properties"].items() if isinstance(section.get("additionalProperties"), dict)}
BODY = {"b": {"mass": 1, "inertia": [1, 1, 1]}}


def schema_says_of(data, path):
    """Of what differs at the path from a file that the schema accepts: the rest of the file need not be asked about again, as no
    section of the schema asks about another, and no element of a section."""
    if EFFORT > 1 or not path or not isinstance(data, dict):
        return schema_says(data)
    section = data.get(path[0])
    if len(path) > 1 and path[0] in NAMED and isinstance(section, dict) and path[1] in section:
        return schema_says({"bodies": BODY, path[0]: {path[1]: section[path[1]]}})
    if path[0] == "bodies":
        return schema_says(data)
    return schema_says({key: data[key] for key in (path[0], "bodies") if key in data})


def places(data, path=()):
    """All paths into nested mappings and lists."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, path + (key,))


def at(data, path):
    for key in path:
        data = data[key]
    return data


def kind_of(data, path):
    """The path with the element's type in place of its name: what the tables know it as."""
    if len(path) > 1 and path[0] in ("bodies", "joints", "loads", "controllers"):
        return (path[0], at(data, path[:2]).get("type", "rigid")) + path[2:]
    return (path[0], "") + path[2:] if len(path) > 1 else path


def changed(data, path, value):
    """A copy with the value at the path replaced, which shares the rest; ... removes it."""
    if not path:
        return value
    out = parent = copy.copy(data)
    for key in path[:-1]:
        parent[key] = copy.copy(parent[key])
        parent = parent[key]
    if value is ...:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return out


# What stands in for a value: each is of a shape that no expression of parameters could make right or wrong.
SHAPES = [None, [], {}, [1], [1, 2, 3, 4, 5, 6, 7, 8], {"unknown": 1}, True, [[1, 2], 3], ""]

# Names that the reader looks up: with these gone the schema cannot follow.
UNSEEN = ("there is no ", "is not defined", "is not known", "has no axis", "the joint must be", "rack", "are both on", "names '",
          "is a unit, and no parameter has this name", "circle", "has no coordinate", "at the same point", "is a marker",
          "one for each", "has degree", "is zero; give", "no velocity enters", "no position or angle enters",
          "does not hold RATE", "lower must be below", "lies flat", "so nothing depends on it",
          "is not above the road", "are both zero", "would go on acting", "is for wheels whose spin",
          "no friction;", "needs radius", "above what holds at rest", "must be the larger one", "must be from 1 to 10",
          "within half a turn", "is not free in", "nothing rubs", "a beam that is not planar", "beside area, a beam",
          "are those of a mean-axis frame", "is at this point: the nearest", "or the whole matrix as stiffness",
          "must be a whole number up to", "side lies along", "positive all along", "of no length", "go along the axis",
          "cannot be read", "is in a file of nodes", "does not allow it to be", "which expressions cannot use",
          "curved axis", "through the points of element", "elements of order", "lies inside element", "whole number from 1 to")

EXPRESSIONS = ("function", "expression", "force", "torque", "rate", "equation", "input")


class Agreement(unittest.TestCase):
    def test_the_schema_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(VALIDATOR.schema)

    def test_both_accept_every_example(self):
        self.assertGreater(len(EXAMPLES), 10)
        for path in EXAMPLES:
            text = path.read_text()
            self.assertEqual(reader_says(text), (True, ""), path.name)
            self.assertEqual(schema_says(yaml.load(text, Loader)), (True, ""), path.name)

    def test_both_accept_the_sample_of_every_class(self):
        kinds = [name.split()[0] for name in class_samples.samples()]
        self.assertTrue(all(kinds.count(kind) > 6 for kind in ("joint", "load", "controller", "measure")), kinds)
        for name, text in class_samples.samples().items():
            self.assertEqual(reader_says(text), (True, ""), name)
            self.assertEqual(schema_says(yaml.load(text, Loader)), (True, ""), name)

    def test_the_samples_are_those_of_all_that_the_schema_names(self):
        found = set(class_samples.samples())
        for section, kind in (("joints", "joint"), ("loads", "load"), ("controllers", "controller")):
            each = VALIDATOR.schema["properties"][section]["additionalProperties"]
            names = each["properties"]["type"]["enum"]
            self.assertEqual({f"{kind} {name}" for name in names}, {f for f in found if f.split()[0] == kind})
        measures = {entry["const"] for entry in VALIDATOR.schema["definitions"]["measure"]["anyOf"]}
        self.assertEqual({f"measure {name}" for name in measures}, {f for f in found if f.startswith("measure")})

    def compare(self, name, data, path):
        """The verdicts agree, or the reader saw something that no schema can."""
        read, why = reader_says(json.dumps(data))
        valid, problem = schema_says_of(data, path)
        if read:
            self.assertTrue(valid, f"{name}: only the schema refuses it: {problem}")
        elif valid:
            self.assertTrue(any(words in why for words in UNSEEN), f"{name}: only the reader refuses it: {why}")
        return read, valid

    def test_both_judge_changed_examples_alike(self):
        counts, seen = {True: 0, False: 0}, set()
        for example in EXAMPLES:
            data = yaml.load(example.read_text(), Loader)
            for path in places(data):
                if path[:1] == ("parameters",) and len(path) > 1:
                    continue  # a parameter's value decides about many others
                if kind_of(data, path) in seen:
                    continue
                seen.add(kind_of(data, path))
                name = f"{example.name} {'/'.join(map(str, path))}"
                # each place meets every sixth shape; all of them at full effort
                for shape in SHAPES if EFFORT > 1 else SHAPES[len(seen) % 6::6]:
                    if path and path[-1] in EXPRESSIONS and shape == "":
                        continue
                    read, _ = self.compare(f"{name} := {shape!r}", changed(data, path, shape), path)
                    counts[read] += 1
                if path:
                    read, _ = self.compare(f"{name} removed", changed(data, path, ...), path)
                    counts[read] += 1
                if isinstance(at(data, path), dict):
                    self.compare(f"{name} + field", changed(data, path, {**at(data, path), "extra": 1}), path)
        self.assertGreater(counts[True], 20)  # removing what has a default leaves a good file
        self.assertGreater(counts[False], 500)

    def test_both_judge_literal_numbers_alike(self):
        body = {"mass": 1, "inertia": [1, 1, 1]}
        spring = {"type": "spring", "between": ["b", "g"], "stiffness": 1}
        for value in (-1, 0, 1, -1.5, 2.5):
            for build in (
                    lambda v: {"bodies": {"b": {**body, "mass": v}}},
                    lambda v: {"bodies": {"b": body}, "markers": {"g": {"body": "ground", "position": [1, 0, 0]}},
                               "loads": {"s": {**spring, "free_length": v}}},
                    lambda v: {"bodies": {"b": body}, "markers": {"g": {"body": "ground", "position": [1, 0, 0]}},
                               "loads": {"s": {**spring, "stiffness": v, "damping": v}}},
                    lambda v: {"bodies": {"b": body}, "markers": {"g": {"body": "ground", "position": [1, 0, 0]}},
                               "joints": {"r": {"type": "rod", "between": ["b", "g"], "length": v}}}):
                data = build(value)
                self.assertEqual(reader_says(json.dumps(data))[0], schema_says(data)[0], (value, data))

    def test_truth_values_are_judged_alike(self):
        for value, good in ((True, True), (False, True), ("true", False), (1, False), (None, False), ([True], False)):
            data = {"bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}},
                    "joints": {"j": {"type": "revolute", "between": ["b", "ground"], "cut": value}}}
            self.assertEqual((reader_says(json.dumps(data))[0], schema_says(data)[0]), (good, good), value)

    def test_fields_beside_each_other_are_judged_alike(self):
        body = {"mass": 1, "inertia": [1, 1, 1]}
        zeros, table = [[0] * 6] * 6, [[0, 0], [1, 1]]
        pair = {"between": ["b", "g"]}
        optional = {
            "markers": {"": ({"body": "b"}, {"at": [0, 0, 1], "position": [0, 0, 1]})},
            "loads": {"spring": (pair, {"stiffness": 1, "force": "time", "table": table}),
                      "torsion_spring": (pair, {"preload": 1, "torque": "time", "table": table}),
                      "bushing": (pair, {"translation": {}, "rotation": {"damping": 1}, "stiffness": zeros,
                                         "damping": zeros, "preload": [0] * 6})},
            "joints": {"motion": ({"function": "time"}, {"between": ["b", "g"], "along": "x", "joint": "hinge"})}}
        for section, kinds in optional.items():
            for kind, (always, sometimes) in kinds.items():
                for mask in range(2 ** len(sometimes)):
                    chosen = {key: value for bit, (key, value) in enumerate(sometimes.items()) if mask >> bit & 1}
                    element = {**({"type": kind} if kind else {}), **always, **chosen}
                    data = {"bodies": {"b": body}, "markers": {"g": {"body": "ground", "position": [1, 0, 0]}},
                            "joints": {"hinge": {"type": "revolute", "between": ["b", "ground"]}}}
                    data[section] = {**data.get(section, {}), "x": element}
                    self.assertEqual(reader_says(json.dumps(data))[0], schema_says(data)[0], element)

    def test_names_are_judged_alike(self):
        body = {"mass": 1, "inertia": [1, 1, 1]}
        for name in ("a", "_a1", "A" * 100, "A" * 101, "1a", "a b", "a.b", "", "ground", "pi", "e", "time", "Time",
                     "\u00e9"):
            for build in (lambda n: {"bodies": {n: body}}, lambda n: {"bodies": {"b": body}, "parameters": {n: 1}},
                          lambda n: {"bodies": {"b": body}, "markers": {n: {"body": "b"}}} if n != "b" else None,
                          lambda n: {"bodies": {"b": body}, "inputs": {n: 0}},
                          lambda n: {"bodies": {"b": body}, "outputs": {n: "time"}},
                          lambda n: {"bodies": {"b": body}, "variables": {n: "time"}},
                          lambda n: {"bodies": {"b": body}, "controllers": {n: {"type": "gain", "input": 1}}},
                          lambda n: {"bodies": {"b": body}, "linearize": {"coordinates": {n: "DX(b)"}}},
                          lambda n: {"bodies": {"b": body},
                                     "joints": {n: {"type": "fixed", "between": ["b", "ground"]}}},
                          lambda n: {"bodies": {"b": body},
                                     "loads": {n: {"type": "force", "on": "b", "components": [0, 0, 0]}}}):
                data = build(name)
                self.assertEqual(reader_says(json.dumps(data))[0], schema_says(data)[0], data)

    def test_the_schema_refuses_most_broken_files_and_the_reader_all(self):
        refused = 0
        files = sorted((SOURCE / "tests/model/broken").glob("*.yaml"))
        for path in files:
            text = path.read_text()
            self.assertFalse(reader_says(text)[0], path.name)
            try:
                refused += not schema_says(yaml.load(text, Loader))[0]
            except (yaml.YAMLError, RecursionError, TypeError):
                refused += 1
        self.assertGreater(refused, len(files) // 3)


if __name__ == "__main__":
    unittest.main()
