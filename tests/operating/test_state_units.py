"""Saved states and units: signals are numbers in the units of their file, and a state says which. The same machine written in two
systems of units, alone and as a part: a state of one is taken by the other only where its numbers are converted."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ROUTH, ModelCase  # noqa: E402

# A slider on a force -k (x - 1000/k), with a filter, a variable and an input whose values have lengths.
MACHINE = """
units: [{length}, {mass}, s]
inputs: {{wanted: {{value: {wanted}, unit: {length}}}, push: {{value: 0, unit: N}}}}
bodies: {{block: {{mass: 2 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2], position: [60 mm, 0, 0]}}}}
joints: {{rail: {{type: translational, axis: x, between: [block, ground]}}}}
loads: {{spring: {{type: force, on: block, components: [push - {k}*(DX(block) - wanted), 0, 0]}}}}
controllers: {{lag: {{type: lag, input: DX(block), time_constant: 0.1, unit: {length}}}}}
variables: {{twice: {{expression: 2*lag, unit: {length}}}}}
outputs: {{seen: {{expression: twice, unit: {length}}}}}
"""
IN = {
    "mm": MACHINE.format(length="mm", mass="t", k=30, wanted=90),
    "m": MACHINE.format(length="m", mass="kg", k=30000, wanted=0.09),
}


class Units(ModelCase):
    def run_routh(self, *arguments):
        return subprocess.run([ROUTH, *map(str, arguments)], capture_output=True, text=True, check=False)

    def machine(self, units, as_part):
        path = pathlib.Path(self.path(f"{units}-{as_part}.yaml"))
        path.write_text(IN[units], encoding="utf-8")
        if not as_part:
            return path
        around = path.with_name(f"around-{units}.yaml")
        around.write_text(f"parts: {{p: {{file: {path.name}}}}}\n", encoding="utf-8")
        return around

    def saved(self, model):
        state = pathlib.Path(self.path("state.json"))
        done = self.run_routh("equilibrium", model, "--at", "static", "--save-state", state, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(state.read_text(encoding="utf-8"))

    def take(self, model, state):
        path = pathlib.Path(self.path("given.json"))
        path.write_text(json.dumps(state), encoding="utf-8")
        return self.run_routh("equilibrium", model, "--at", path, "--json")

    @staticmethod
    def in_other(state, factor, units):
        """The lengths converted; the force is the same in t mm/s^2 and in N."""
        state = json.loads(json.dumps(state))
        for key in ("control_states", "variables", "inputs"):
            for signal in state[key]:
                scale = 1 if signal["name"].endswith("push") else factor
                for number in ("value", "rate", "second_rate"):
                    if number in signal:
                        signal[number] *= scale
                signal["units"] = units
        return state

    def test_units_of_signals(self):
        systems = {"mm": "[mm, t, s]", "m": "[m, kg, s]"}
        for own, other, factor in (("mm", "m", 1e-3), ("m", "mm", 1e3)):
            for as_part in (False, True):
                with self.subTest(own=own, as_part=as_part):
                    state = self.saved(self.machine(own, as_part))
                    for key in ("control_states", "variables", "inputs"):
                        self.assertEqual({s["units"] for s in state[key]}, {systems[own]})
                    self.assertEqual(self.take(self.machine(own, as_part), state).returncode, 0)
                    model = self.machine(other, as_part)
                    done = self.take(model, state)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(systems[own] + ", but in the model it is in " + systems[other], done.stderr)
                    done = self.take(model, self.in_other(state, factor, systems[other]))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    value = {s["name"].split(".")[-1]: s["value"] for s in json.loads(done.stdout)["signals"]}
                    self.assertAlmostEqual(value["lag"] * (1 if other == "m" else 1e-3), 0.09, delta=1e-12)

    def test_each_kind_is_looked_at(self):
        model = self.machine("m", True)
        state = self.saved(model)
        for key in ("control_states", "variables", "inputs"):
            with self.subTest(key):
                wrong = json.loads(json.dumps(state))
                wrong[key][0]["units"] = "[mm, t, s]"
                done = self.take(model, wrong)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(wrong[key][0]["name"], done.stderr)

    def test_what_needs_no_conversion(self):
        model = self.machine("m", True)
        state = self.saved(model)
        for units in (None, "[m,kg,s]"):
            taken = json.loads(json.dumps(state))
            for key in ("control_states", "variables", "inputs"):
                for signal in taken[key]:
                    signal.pop("units")
                    if units:
                        signal["units"] = units
            self.assertEqual(self.take(model, taken).returncode, 0)
        push = next(s for s in state["inputs"] if s["name"] == "p.push")
        push["units"] = "[mm, t, s]"  # it is zero
        self.assertEqual(self.take(model, state).returncode, 0)

    def test_a_state_in_coordinates_of_joints(self):
        model = self.machine("mm", False)
        text = model.read_text(encoding="utf-8").replace("between:", "displacement: 60, between:")
        model.write_text(text, encoding="utf-8")
        state = {"schema": "routh-state/1", "joints": [{"name": "rail.displacement", "value": 0.09}],
                 "inputs": [{"name": "wanted", "value": 0.09, "units": "[m, kg, s]"}]}
        self.assertNotEqual(self.take(model, state).returncode, 0)
        state["inputs"] = [{"name": "wanted", "value": 90, "units": "[mm, t, s]"}]
        done = self.take(model, state)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_units_are_a_text(self):
        model = self.machine("m", True)
        state = self.saved(model)
        state["inputs"][0]["units"] = 3
        done = self.take(model, state)
        self.assertTrue(re.search(r"inputs\[0\]\.units: this is not a text", done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
