"""What is wrong with controllers, inputs, states and nonholonomic joints is said once, with the elements' names."""
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get("ROUTH", "build/routh"))

CART = """
bodies:
  cart: {mass: 2, inertia: [1, 1, 1]}
joints:
  rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}
loads:
  motor: {type: force, on: cart, components: [drive, 0, 0]}
"""


class BadInput(unittest.TestCase):
    def run_model(self, text):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "model.yaml"
            model.write_text(text)
            return subprocess.run([PROGRAM, "linearize", str(model)], capture_output=True, text=True, timeout=60)

    def refused(self, text, line, *words):
        """One message of one line, about that line of the text, with these words."""
        done = self.run_model(text)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, rf"\Aerror: [^\n]*model\.yaml:{line}:\d+: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stderr)

    def warned(self, text, *words):
        """One warning, with these words."""
        done = self.run_model(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        warnings = [x for x in (done.stdout + done.stderr).splitlines() if x.startswith("warning") and words[0] in x]
        self.assertEqual(len(warnings), 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, warnings[0])

    def test_an_algebraic_loop_without_solution(self):
        self.refused(CART + """\
variables:
  drive: gain + 1
  gain: drive + DX(cart) + 2
""", 9, "variable 'drive'", "loop", "drive", "gain", "lag")

    def test_a_loop_that_has_no_real_value(self):
        self.refused(CART + """\
variables:
  drive: drive^2 + 1
""", 9, "variable 'drive'", "drive depends on itself")

    def test_a_loop_through_an_acceleration(self):
        """A force of -2 kg times the acceleration of 2 kg takes all its mass away."""
        self.refused(CART + """\
variables:
  drive: 1 + 2*felt
  felt: ACCX(cart)
""", 9, "drive", "felt", "accelerations")

    def test_an_improper_transfer_function(self):
        self.refused(CART + """\
controllers:
  drive: {type: transfer_function, input: DX(cart), numerator: [1, 0, 2], denominator: [1, 3]}
""", 9, "controller 'drive'", "numerator", "degree 2", "degree 1", "filter")

    def test_an_input_that_reaches_nothing(self):
        self.warned(CART + """\
inputs: {push: 0, wish: 1}
variables: {drive: push - DX(cart)}
outputs: {place: DX(cart)}
""", "wish", "input")

    def test_a_state_that_is_constant(self):
        self.warned(CART + """\
variables: {drive: -DX(cart)}
linearize: {coordinates: {across: DY(cart)}, states: [across, cart.x]}
""", "across", "constant")

    def test_a_state_of_no_position(self):
        self.refused(CART + """\
variables: {drive: -DX(cart)}
linearize: {coordinates: {three: 3}, states: [three]}
""", 9, "coordinate 'three'", "no position")

    def test_a_row_of_velocities_against_a_motion(self):
        self.refused("""\
bodies:
  wheel: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 0.3]}
joints:
  rail: {type: translational, between: [wheel, ground], at: [0, 0, 0.3], axis: x}
  drive: {type: motion, joint: rail, function: 2*time}
  roll: {type: nonholonomic, expressions: ["VX(wheel) - 3"]}
""", 6, "joint 'roll'", "joint drive", "contradict")

    def test_a_knife_edge_across_a_rail(self):
        self.refused("""\
bodies:
  blade: {mass: 2, inertia: [1, 1, 1]}
joints:
  rail: {type: translational, between: [blade, ground], at: [0, 0, 0], axis: y}
  drive: {type: motion, joint: rail, function: 2*time}
  edge: {type: knife_edge, between: [blade, ground]}
""", 6, "joint 'edge'", "joint drive", "no slip along y")


if __name__ == "__main__":
    unittest.main()
