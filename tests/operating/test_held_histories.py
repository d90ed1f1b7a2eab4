"""In a static equilibrium inputs with histories stand still: what the history does there is no part of the linear model."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]

MODEL = """gravity: [0, 0, -9.81]
inputs: {turn: {value: 0.1, unit: rad}}
simulate: {end: 1, inputs: {turn: "HISTORY"}}
bodies:
  crank: {mass: 1, inertia: [1, 1, 1], position: [0.3, 0, 0]}
  bob: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.6, 0, -0.5]}
joints:
  pin: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}
  drive: {type: motion, joint: pin, function: turn}
  hinge: {type: revolute, between: [bob, crank], at: [0.6, 0, 0], axis: y}
operating_point: {type: static}
"""


class Held(unittest.TestCase):
    def test_a_pendulum_on_a_crank_at_rest_swings_without_damping(self):
        """I w^2 = m g l, whatever the crank is about to do."""
        frequency = math.sqrt(2 * 9.81 * 0.5 / (0.1 + 2 * 0.5**2))
        for history in ("0.1 + 0.3*time", "0.1 + 3*time + time^2", "0.1 + time^2"):
            for coordinates in ("absolute", "relative", "natural"):
                with tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder) / "model.yaml"
                    path.write_text(MODEL.replace("HISTORY", history))
                    done = subprocess.run([ROUTH, "modes", str(path), "--coordinates", coordinates, "--json"], capture_output=True,
                                          text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                for s in json.loads(done.stdout)["eigenvalues"]:
                    self.assertAlmostEqual(s[0], 0, places=12)
                    self.assertAlmostEqual(abs(s[1]), frequency, places=12)


if __name__ == "__main__":
    unittest.main()
