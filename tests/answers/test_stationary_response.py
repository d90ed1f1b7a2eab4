"""Mean squares under white noise of random stable systems against the equation of Lyapunov, and refusals of systems whose
response to random inputs is not stationary: unstable, undamped, hidden from the input or from the output, drifting. The
message names the mode, as tables count."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
    from scipy.linalg import block_diag, solve_continuous_lyapunov
except ImportError:
    print("numpy or scipy is missing")
    sys.exit(77)

ROUTH = os.environ["ROUTH"]
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))


def stable(r):
    """Second order and general, with a filter before it or without; poles between 0.1 and 100 rad/s or so."""
    n = int(r.integers(1, 5))
    M = r.standard_normal((n, n))
    M = M @ M.T + n * np.eye(n)
    K = 30 * r.standard_normal((n, n))
    K = K @ K.T + 20 * np.eye(n)
    G = r.standard_normal((n, n))
    C = r.standard_normal((n, n))
    C = C @ C.T + 0.3 * np.eye(n) + 3 * (G - G.T)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    B = np.vstack([np.zeros((n, 2)), np.linalg.solve(M, r.standard_normal((n, 2)))])
    Cy = r.standard_normal((2, 2 * n))
    if r.random() < 0.5:  # a lag whose state drives the mechanism
        A = np.block([[A, B[:, :1]], [np.zeros((1, 2 * n)), -np.full((1, 1), r.uniform(0.5, 20))]])
        B = np.vstack([np.column_stack([np.zeros(2 * n), B[:, 1]]), [[3, 0]]])
        Cy = np.hstack([Cy, r.standard_normal((2, 1))])
    return A, B, Cy


def other(r, block, kind):
    """A stable system and a part that is not, in states that are turned; hidden from the inputs or from the outputs."""
    A, B, C = stable(r)
    b = np.zeros((len(block), 2)) if kind in ("undriven", "neither") else r.standard_normal((len(block), 2))
    c = np.zeros((2, len(block))) if kind in ("unseen", "neither") else r.standard_normal((2, len(block)))
    A, B, C = block_diag(A, block), np.vstack([B, b]), np.hstack([C, c])
    order = r.permutation(len(A))
    return A[np.ix_(order, order)], B[order], C[:, order]


class Stationary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "linear.json")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def respond(self, A, B, C, *words):
        n = len(A)
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump({"schema": "routh-linear/1", "degrees_of_freedom": {"position": 0, "velocity": 0, "control": n},
                       "states": [f"x{k}" for k in range(n)], "units": [""] * n, "inputs": ["u", "v"],
                       "outputs": ["y", "z"], "A": A.tolist(), "B": B.tolist(), "C": C.tolist(),
                       "D": [[0, 0], [0, 0]]}, file)
        return subprocess.run([ROUTH, "response", self.path, *words], capture_output=True, text=True)

    def test_narrow_bands_on_any_grid(self):
        """A band much narrower than the steps of the grid, and a table inside a single step, by Gauss' rule."""
        A, B, C = np.array([[0, 1], [-4000, -3.3]]), np.array([[0, 0], [1, 0]]), np.array([[1, 0], [0, 1]])
        node, weight = np.polynomial.legendre.leggauss(400)

        def exact(low, high, density):
            f = (low + high) / 2 + (high - low) / 2 * node
            s = 2j * np.pi * f
            return np.sqrt(np.sum(weight * np.abs(1 / (s * s + 3.3 * s + 4000)) ** 2 * density(f)) * (high - low) / 2)

        table = os.path.join(self.folder.name, "band.csv")
        with open(table, "w", encoding="utf-8") as file:
            file.write("hz,u\n9.9,0.1\n10.4,3\n")
        of_table = exact(9.9, 10.4, lambda f: 0.1 * (f / 9.9) ** (np.log(30) / np.log(10.4 / 9.9)))
        for over in ((), ("--over", "0.1:100"), ("--over", "0.1:100:2"), ("--over", "0.1:100:200")):
            if over:
                done = self.respond(A, B, C, "--json", *over, "--psd", table)
                self.assertLess(abs(json.loads(done.stdout)["random"]["outputs"][0]["rms"] / of_table - 1), 1e-9)
            for width in (0.5, 0.05, 0.005, 0.0005):
                done = self.respond(A, B, C, "--json", *over, "--psd", f"u=exp(-((f-33.37)/{width})^2)")
                self.assertEqual(done.returncode, 0, done.stderr)
                answer = json.loads(done.stdout)
                low, high = max(33.37 - 12 * width, answer["hz"][0]), min(33.37 + 12 * width, answer["hz"][-1])
                wanted = exact(low, high, lambda f: np.exp(-((f - 33.37) / width) ** 2))
                self.assertLess(abs(answer["random"]["outputs"][0]["rms"] / wanted - 1), 1e-9, (over, width))

    def test_a_spectrum_that_is_negative_between_two_frequencies(self):
        A, B, C = np.array([[0, 1], [-4000, -3.3]]), np.array([[0, 0], [1, 0]]), np.array([[1, 0], [0, 1]])
        for over in (("--over", "0.1:100:2"), ()):
            done = self.respond(A, B, C, *over, "--psd", "u=(f-10)^2-1")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("negative power", done.stderr)

    def test_white_noise_against_lyapunov(self):
        worst = 0
        for seed in range(int(24 * EFFORT)):
            r = np.random.default_rng(seed)
            A, B, C = stable(r)
            G = r.uniform(0.5, 3, 2)
            # a one-sided density G per Hz is G / 2 on both sides; what is beyond 1e13 Hz is below 1e-12
            P = solve_continuous_lyapunov(A, -B @ np.diag(G) @ B.T / 2)
            done = self.respond(A, B, C, "--json", "--over", "1e-14:1e14", "--psd", f"u={G[0]!r};v={G[1]!r}".replace(
                "np.float64(", "").replace(")", ""))
            self.assertEqual(done.returncode, 0, done.stderr)
            for k, output in enumerate(json.loads(done.stdout)["random"]["outputs"]):
                exact = C[k] @ P @ C[k]
                worst = max(worst, abs(output["mean_square"] / exact - 1))
                self.assertLessEqual(abs(output["mean_square"] / exact - 1), 1e-10, seed)
        print(f"largest difference {worst:.1e}")

    def test_what_is_not_stationary_is_refused(self):
        """The mode that does not decay is named by its number and eigenvalue; nothing is printed as a result."""
        for seed in range(int(24 * EFFORT)):
            r = np.random.default_rng(100 + seed)
            w, kind = r.uniform(1, 60), ["seen", "undriven", "unseen", "neither"][seed % 4]
            a = [0.0, r.uniform(1e-3, 1)][seed // 4 % 2]
            block = np.array([[a, w], [-w, a]]) if seed % 3 else np.array([[r.uniform(0.01, 2)]])
            if seed % 3 == 0:
                a, w = block[0, 0], 0.0
            A, B, C = other(r, block, kind)
            done = self.respond(A, B, C, "--over", "0.01:100", "--psd", "u=1;v=0.3")
            self.assertEqual((done.returncode, done.stdout), (1, ""), seed)
            found = re.search(r"not stationary: mode (\d+) \(eigenvalue (\S+)(?: \+- (\S+)i)? 1/s\) (grows|does not decay)",
                              done.stderr)
            self.assertTrue(found, f"{seed}: {done.stderr}")
            self.assertLessEqual(abs(float(found.group(2)) - a), 1e-5 * abs(a) + 1e-12)
            self.assertLessEqual(abs(float(found.group(3) or 0) - w), 1e-5 * w)
            self.assertEqual(found.group(4), "grows" if a else "does not decay")
            self.assertEqual("although no random input drives it" in done.stderr, kind in ("undriven", "neither"), seed)
            self.assertEqual("no output observes it" in done.stderr, kind in ("unseen", "neither"), seed)
            # the number is that of the row in the table of modes
            table = subprocess.run([ROUTH, "modes", self.path], capture_output=True, text=True, check=True).stdout
            row = re.search(rf"(?m)^ *{found.group(1)} +(\S+)(.*)$", table.split("1/s", 1)[1])
            self.assertLessEqual(abs(float(row.group(1)) - a), 1e-5 * abs(a) + 1e-12, table)

    def test_a_drift_is_refused_where_it_is_driven_and_observed(self):
        for seed in range(int(12 * EFFORT)):
            r = np.random.default_rng(300 + seed)
            kind = ["seen", "undriven", "unseen"][seed % 3]
            A, B, C = other(r, np.array([[0.0, 1.0], [0.0, 0.0]]), kind)
            done = self.respond(A, B, C, "--over", "0.01:100", "--psd", "u=1")
            if kind == "seen":
                self.assertEqual(done.returncode, 1, seed)
                self.assertRegex(done.stderr, "not stationary: u drives a rigid-body motion that [yz] observes")
            else:
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_mechanism_without_damping(self):
        model = os.path.join(self.folder.name, "undamped.yaml")
        with open(model, "w", encoding="utf-8") as file:
            file.write("bodies: {m: {mass: 1, inertia: [1, 1, 1]}}\n"
                       "joints: {g: {type: translational, between: [m, ground], at: [0, 0, 0], axis: x}}\n"
                       "loads: {s: {type: bushing, between: [m, ground], translation: {stiffness: [1, 0, 0]}}}\n")
        done = subprocess.run([ROUTH, "response", model, "--input", "m.x", "--of", "m.x", "--over", "0.01:10", "--psd",
                               "m.x=1"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("mode 1 (eigenvalue 0 +- 1i 1/s) does not decay", done.stderr)
        self.assertIn("damp it", done.stderr)

    def test_a_range_that_ends_on_an_undamped_mode(self):
        """sqrt(k/m) is 2 pi to the last digit: the response is infinite at 1 Hz, not 1e11."""
        model = os.path.join(self.folder.name, "end.yaml")
        with open(model, "w", encoding="utf-8") as file:
            file.write(f"parameters: {{k: {(2 * np.pi)**2!r}}}\n".replace("np.float64(", "").replace(")", "")
                       + "bodies: {m: {mass: 1, inertia: [1, 1, 1]}}\n"
                       "joints: {g: {type: translational, between: [m, ground], at: [0, 0, 0], axis: x}}\n"
                       "loads: {s: {type: bushing, between: [m, ground], translation: {stiffness: [k, 0, 0]}}}\n")
        for ends in ("1:2:2", "0.5:1:2", "1:3", "0.2:1"):
            channel = json.loads(subprocess.run([ROUTH, "response", model, "--input", "m.x", "--of", "m.x", "--over", ends,
                                                 "--json"], capture_output=True, text=True, check=True).stdout)["channels"][0]
            self.assertIsNone(channel["largest"], ends)
            self.assertAlmostEqual(channel["largest_hz"], 1, 9)


if __name__ == "__main__":
    unittest.main()
