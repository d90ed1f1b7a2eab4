#!/usr/bin/python3
"""What commands write with --json keeps to the schemas that the program writes of it: no member more, none less, for every
example and every template. Every member that a schema names is there at least once, so that it describes nothing that is not
written."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: there is no Python package jsonschema")
    sys.exit(77)

SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
PROGRAM = os.environ.get("ROUTH") or str(SOURCE / "build/routh")
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
FULL = EFFORT > 1
LARGE = {"humanoid", "flexible-blade", "flexible-double-pendulum", "helicopter-blade", "pendulum-chain", "blade-segments"}
FOLDER = tempfile.TemporaryDirectory()  # of templates and matrices

# Symmetric matrices of eight masses in a row.
MATRICES = {"M": (1, 0), "K": (200, -100), "C": (0.2, -0.1)}

# What is given to a command, a word with a point or a capital standing for a file: of an example, of a matrix.
SLIDER, CAR, ROTOR, BAR = "slider-pendulum.yaml", "quarter-car-active.yaml", "jeffcott-rotor.yaml", "four-bar.yaml"
PENDULUM, LINK = "mathieu-pendulum.yaml", "elastic-link.yaml"

# Of each command: what is given to it with every model (None: it is not tried with each), and runs that show what no model does
# by itself.
RUNS = {
    "modes": ([], [
        ["--energies", "--realization", "--shapes", CAR], ["--shapes", LINK],
        ["--branches", "--set", "k=0", "--set", "down=0", "--set", "phi=0", BAR], ["--branches", SLIDER],
        ["--blades", "blade1,blade2,blade3", "three-bladed-rotor.yaml"],
        ["car/car.yaml"], ["--wanted", "2", BAR], ["--between", "0,100", BAR], ["--method", "auto", BAR],
        ["--at", "given", "--at", "static", SLIDER], [SLIDER, BAR], ["--at", "given", "--at", "static", SLIDER, BAR],
        ["--wanted", "3", "--mass", "M.mtx", "--stiffness", "K.mtx"],
        ["--wanted", "2", "--mass", "M.mtx", "--stiffness", "K.mtx", "--damping", "C.mtx"],
    ]),
    "linearize": ([], [
        ["--at", "given", "--at", "static", SLIDER], ["--method", "penalty", BAR], ["--method", "auto", BAR], [CAR],
        ["--sensitivity", "k,lag", CAR],
    ]),
    "equilibrium": ([], [
        [LINK], ["steady-turn.yaml"], ["--at", "time=0.1", "steady-turn.yaml"], ["--at", "given", "--at", "static", SLIDER],
        ["--sensitivity", "all", "steady-turn.yaml"], ["--sensitivity", "all", CAR], ["--sensitivity", "speed", "car/driving.yaml"],
    ]),
    "check": ([], [[SLIDER, BAR]]),
    "verify": ([], [["--method", "auto", SLIDER], ["--below", "2", "double-pendulum.yaml"]]),
    "response": (["--over", "0.1:60"], [
        ["--method", "auto", "--over", "0.1:60", CAR], ["--psd", "road=1e-6/f^2", "--over", "0.1:60", CAR],
    ]),
    "sweep": (None, [
        ["--over", "spin=0:40:5", "--speed", "spin", ROTOR], ["--over", "spin=0:40:5", "--boundary", "outer=0:2", ROTOR],
        ["--over", "spin=0:40:5", "--over", "outer=0:2:3", ROTOR],
    ]),
    "floquet": (None, [
        ["--period-of", "rate", PENDULUM], ["--period-near", "6", "van-der-pol.yaml"],
        ["--period-of", "rate", "--blades", "blade1,blade2,blade3", "--coordinates", "relative", "three-bladed-rotor.yaml"],
        ["--period-of", "rate", "--boundary", "rate=9:9.6", PENDULUM],
    ]),
    "sensitivity": ([], [["--response", CAR], ["--response", "--frequencies", "1,2", CAR]]),
    "compare": (None, [["--versus", "c=1000", CAR], [SLIDER, SLIDER], ["--method", "auto", "--versus", "spin=30", ROTOR]]),
    "optimise": (None, [["--study", "studies/quarter-car.yaml", CAR]]),
    "symbolic": ([], [["--stability", SLIDER], ["--certify", SLIDER]]),
    "benchmark": (None, [["slider", "rolling-disc"], ["--list", "bicycle"]]),
    "version": (None, [[]]),
}

# What takes long is tried with some models only, by the fast tests with none of them in case of 0; what is refused by many has
# to be done for so many of all.
SOME = {"check": 6, "verify": 0}
DONE = {"response": 0.1, "sensitivity": 0.7, "symbolic": 0.2, "verify": 0.5}

# What no run shows.
RARE = {
    "response": {("channel", "poles_at_rest"), ("channel", "zeros_why")},
    "sweep": {("event", "of")},
    "floquet": {("switch", key) for key in ("element", "what", "times", "time")},
    "verify": {("unexplained", key) for key in ("found", "bar", "size")},
}


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)


def write_matrices(n=8):
    for name, (on, beside) in MATRICES.items():
        lines = [f"{i} {i} {on * (1 + 0.01 * i)}" for i in range(1, n + 1)]
        lines += [f"{i + 1} {i} {beside}" for i in range(1, n) if beside]
        head = f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(lines)}\n"
        pathlib.Path(FOLDER.name, f"{name}.mtx").write_text(head + "\n".join(lines) + "\n", "utf-8")


def stem(path):
    return path.stem.replace("template-", "")


def all_models():
    """Files of the examples and, written at their default sizes, the templates."""
    found = sorted((SOURCE / "examples").glob("*.yaml"))
    for line in run("template").stdout.splitlines():
        name = line.split()[0]
        path = pathlib.Path(FOLDER.name, f"template-{name}.yaml")
        path.write_text(run("template", name).stdout, "utf-8")
        found.append(path)
    return [path for path in found if FULL or stem(path) not in LARGE]


def whole(word):
    if word.endswith(".mtx"):
        return str(pathlib.Path(FOLDER.name, word))
    return str(SOURCE / "examples" / word) if word.endswith(".yaml") else word


def document(command, words):
    """What a run wrote, or what it said instead. A check that answers no, and the like, writes too and ends with 1."""
    done = run(command, "--json", *words)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.stderr or done.stdout


DRAFT = jsonschema.Draft202012Validator
KINDS = {"number": {int, float}, "integer": {int}, "string": {str}, "boolean": {bool}, "null": {type(None)}, "object": {dict},
         "array": {list}}


def types_of(schema):
    """Of Python, what a schema lets values be."""
    names = schema["type"]
    return set().union(*(KINDS[name] for name in ([names] if isinstance(names, str) else names)))


def items(validator, schema, values, whole_schema):
    """Numbers and words of a list at once, where nothing but their type is asked for; other lists, and wrong ones, by jsonschema."""
    if set(schema) <= {"type", "description"} and set(map(type, values)) <= types_of(schema) - {dict, list}:
        return
    yield from DRAFT.VALIDATORS["items"](validator, schema, values, whole_schema)


Validator = jsonschema.validators.extend(DRAFT, {"items": items})


class Members:
    """Which members of a schema documents have."""

    def __init__(self, validator):
        self.validator = validator
        self.definitions = validator.schema["$defs"]
        self.found = set()

    def resolved(self, schema):
        return self.definitions[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else schema

    def can_be(self, option, value):
        """By its type and the names of its members; what cannot be is not valid."""
        schema = self.resolved(option)
        if "type" in schema and type(value) not in types_of(schema):
            return False
        return not isinstance(value, dict) or set(schema.get("required", ())) <= set(value) <= set(schema.get("properties", value))

    def options(self, schema, value):
        """Those a valid value is valid by."""
        options = [option for option in schema.get("anyOf", ()) if self.can_be(option, value)]
        if len(options) < 2:
            return options
        return [option for option in options if self.validator.evolve(schema={**option, "$defs": self.definitions}).is_valid(value)]

    def add(self, schema, value, name=None):
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[-1]
            schema = self.definitions[name]
        for option in self.options(schema, value):
            self.add(option, value, name)
        if isinstance(value, dict) and "properties" in schema:
            for key, inner in value.items():
                self.found.add((name, key))
                self.add(schema["properties"][key], inner, name)
        if isinstance(value, list) and "items" in schema:
            for inner in value:
                self.add(schema["items"], inner, name)

    def named(self):
        """(definition, key) of all that the schema names."""
        return {(name, key) for name, table in self.definitions.items() for key in table.get("properties", ())}


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        write_matrices()
        cls.models = all_models()

    def runs_of(self, command):
        always, special = RUNS[command]
        models = self.models
        if command in SOME:
            models = [path for path in models if stem(path) not in LARGE][::1 if FULL else SOME[command] or 1]
        if always is None or (SOME.get(command) == 0 and not FULL):
            models = []
        elif command not in SOME and not FULL:  # each model with every third command
            models = models[sorted(RUNS).index(command) % 3::3]
        return [list(map(whole, words)) for words in special], [[*always, str(path)] for path in models]

    def check(self, command):
        schema = json.loads(run("schema", command).stdout)
        DRAFT.check_schema(schema)
        validator = Validator(schema)
        members, good = Members(validator), 0
        special, each = self.runs_of(command)
        for words in [*special, *each]:
            value = document(command, words)
            if isinstance(value, str):
                self.assertNotIn(words, special, value)
                continue
            good += words in each
            error = jsonschema.exceptions.best_match(validator.iter_errors(value))
            if error:
                self.fail(f"routh {command} --json {' '.join(words)}: {error.json_path}: {error.message[:300]}")
            members.add(schema, value)
        self.assertGreaterEqual(good, DONE.get(command, 0.8) * len(each))
        self.assertEqual(members.named() - members.found - RARE.get(command, set()), set())

    def test_every_command_with_json_has_a_schema_that_is_tried(self):
        commands = [line.split()[0] for line in run("help").stdout.splitlines() if line.startswith("  ") and line.strip()]
        found = {command for command in commands if "\n  --json " in run("help", command).stdout}
        self.assertEqual(found, set(RUNS))
        known = run("schema", "tea").stderr
        self.assertEqual(set(known.split("there are ")[1].strip().split(", ")), set(RUNS))

    def test_what_a_schema_does_not_name_is_refused(self):
        for command in RUNS:
            schema = json.loads(run("schema", command).stdout)
            for name, table in schema["$defs"].items():
                if table.get("type") == "object":
                    self.assertIs(table.get("additionalProperties"), False, f"{command}: {name}")


def test_of(command):
    return lambda self: self.check(command)


for name in RUNS:
    setattr(Schemas, f"test_{name}", test_of(name))

if __name__ == "__main__":
    unittest.main()
