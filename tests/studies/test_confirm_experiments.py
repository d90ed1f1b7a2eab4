"""What Trom's tables 3.6 and 4.2 do for his machines, for ours: the frequencies of the linear model beside the
peaks of a transform of the simulated motion, which tell them to within their resolution, and beside what the fit
of the same motion finds, which tells them to within its error bars."""
import json
import os
import pathlib
import subprocess
import unittest

PROGRAM = os.path.abspath(os.environ.get("ROUTH", "build/routh"))
SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).parents[2])


class Experiments(unittest.TestCase):
    def confirm(self, name):
        done = subprocess.run([PROGRAM, "verify", SOURCE / "examples" / name, "--json"], capture_output=True, text=True,
                              check=False, timeout=250)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def check(self, name, n_modes, most_damping):
        """Peaks of modes with less damping than that stand within a line of the spectrum."""
        found = self.confirm(name)
        self.assertEqual((found["confirmed"], found["not_seen"], found["contradicted"]), (n_modes, 0, 0))
        n_peaks = 0
        for mode in found["modes"]:
            if mode["found"] is None or mode["damped_frequency_hz"] == 0:
                continue
            frequency = mode["damped_frequency_hz"]
            self.assertLess(abs(mode["found_frequency_hz"] - frequency), 1e-3 * found["experiment"]["resolution_hz"])
            if mode["damping_ratio"] < most_damping and mode["peak_hz"] is not None:
                self.assertLess(abs(mode["peak_hz"] - frequency), found["experiment"]["resolution_hz"])
                n_peaks += 1
        return n_peaks

    def test_a_chain_of_seven_joint_coordinates(self):
        self.assertEqual(self.check("joint-chain.yaml", 7, 1), 7)

    def test_a_mcpherson_suspension(self):
        self.assertEqual(self.check("mcpherson.yaml", 2, 0.5), 2)

    def test_a_twist_axle(self):
        """Its two modes are a fifth apart and damped: the transform shows one peak for both, the fit tells them."""
        self.check("twist-axle.yaml", 2, 0.5)


if __name__ == "__main__":
    unittest.main()
