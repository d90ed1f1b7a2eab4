#!/usr/bin/python3
"""What commands write with --json keeps to the schemas that the program writes of it: no member more, none less, for every
example. Every member that a schema names is there at least once, so that it describes nothing that is not written."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: there is no Python package jsonschema")
    sys.exit(77)

SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
PROGRAM = os.environ.get("ROUTH") or str(SOURCE / "build/routh")
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
LARGE = {"humanoid", "flexible-blade", "flexible-double-pendulum", "helicopter-blade", "pendulum-chain"}
EXAMPLES = [path for path in sorted((SOURCE / "examples").glob("*.yaml")) if EFFORT > 1 or path.stem not in LARGE]

# Of each command: what is given to it beside every example (None: it is not tried with each), and runs that show what no
# example does by itself.
RUNS = {
    "modes": ([], [
        ["--energies", "--realization", "--shapes", "quarter-car-active"],
        ["--branches", "--set", "k=0", "--set", "down=0", "--set", "phi=0", "four-bar"],
        ["--shapes", "elastic-link"], ["--wanted", "2", "four-bar"], ["--between", "0,100", "four-bar"],
        ["--method", "auto", "four-bar"], ["--branches", "slider-pendulum"],
    ]),
    "equilibrium": ([], [["elastic-link"], ["--at", "time=0.1", "steady-turn"]]),
    "response": (None, [
        ["--method", "auto", "--over", "0.1:60", "quarter-car-active"],
        ["--over", "0.1:60", "quarter-car-active"], ["--psd", "road=1e-6/f^2", "--over", "0.1:60", "quarter-car-active"],
    ]),
    "sweep": (None, [
        ["--over", "spin=0:40:5", "--speed", "spin", "jeffcott-rotor"],
        ["--over", "spin=0:40:5", "--boundary", "outer=0:2", "jeffcott-rotor"],
    ]),
    "floquet": (None, [
        ["--period-of", "rate", "mathieu-pendulum"], ["--period-near", "6", "van-der-pol"],
        ["--period-of", "rate", "--blades", "blade1,blade2,blade3", "--coordinates", "relative", "three-bladed-rotor"],
    ]),
    "sensitivity": (None, [["quarter-car-active"], ["four-bar"]]),
}

# What no run shows.
RARE = {"response": {("channel", "poles_at_rest")}, "floquet": {("switch", key) for key in ("element", "what", "times", "time")}}


def printed(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def example(name):
    return str(SOURCE / "examples" / f"{name}.yaml")


def members(schema, value, found, name="document"):
    """Adds (definition, key) of all that is there to `found`."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        schema = members.root["$defs"][name]
    for option in schema.get("anyOf", ()):
        members(option, value, found, name)
    if isinstance(value, dict) and "properties" in schema:
        for key, inner in value.items():
            found.add((name, key))
            members(schema["properties"][key], inner, found, name)
    if isinstance(value, list) and "items" in schema:
        for inner in value:
            members(schema["items"], inner, found, name)


def named(schema):
    """(definition, key) of all that a schema names."""
    tables = {"document": schema, **schema["$defs"]}
    return {(name, key) for name, table in tables.items() for key in table.get("properties", ())}


class Schemas(unittest.TestCase):
    def check(self, command):
        schema = printed("schema", command)
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        always, special = RUNS[command]
        special = [[*words[:-1], example(words[-1])] for words in special]
        runs = [*special, *([*always, str(path)] for path in EXAMPLES if always is not None)]
        found, good = set(), 0
        members.root = schema
        for words in runs:
            value = printed(command, "--json", *words)
            if isinstance(value, str):
                self.assertNotIn(words, special, value)
                continue
            good += 1
            for error in validator.iter_errors(value):
                self.fail(f"routh {command} --json {' '.join(words)}: {error.json_path}: {error.message[:300]}")
            members(schema, value, found)
        self.assertGreater(good, 0.8 * len(runs))
        self.assertEqual(named(schema) - found - RARE.get(command, set()), set())

    def test_every_schema_is_tried(self):
        page = subprocess.run([PROGRAM, "reference", "results"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(sorted(line.split()[2] for line in page.splitlines() if line.startswith("## routh ")), sorted(RUNS))


def test_of(command):
    return lambda self: self.check(command)


for name in RUNS:
    setattr(Schemas, f"test_{name}", test_of(name))

if __name__ == "__main__":
    unittest.main()
