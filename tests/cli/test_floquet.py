"""routh floquet --boundary as a user meets it: the tongues of Mathieu's equation against its characteristic values."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])
MODEL = SOURCE / "examples/mathieu-pendulum.yaml"


def floquet(*arguments):
    return subprocess.run([ROUTH, "floquet", *map(str, arguments)], capture_output=True, text=True, check=False)


def characteristic(even, n, q):
    """a_n (even) or b_n of x'' + (a - 2 q cos 2t) x = 0, n = 1 or 2, by the recurrence of the Fourier coefficients: the
    number n // 2 eigenvalue of a tridiagonal matrix, found by counting signs (Sturm)."""
    size = 30
    if n % 2:
        diagonal, beside = [(2 * k + 1) ** 2 for k in range(size)], [q] * (size - 1)
        diagonal[0] += q if even else -q
        place = n // 2
    else:
        first = 0 if even else 1
        diagonal, beside = [(2 * k) ** 2 for k in range(first, size)], [q] * (size - 1)
        beside[0] *= math.sqrt(2) if even else 1
        place = n // 2 - first
    low, high = -50.0, 200.0
    for _ in range(90):
        middle, below, pivot = (low + high) / 2, 0, 1.0
        for k, d in enumerate(diagonal):
            pivot = d - middle - (beside[k - 1] ** 2 / pivot if k else 0)
            below += pivot < 0
        low, high = (low, middle) if below > place else (middle, high)
    return (low + high) / 2


class Report(unittest.TestCase):
    def test_the_section_is_what_the_command_tells(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.html"

            def report(*arguments, status=0):
                done = subprocess.run([ROUTH, "report", MODEL, *arguments, "-o", page], capture_output=True, text=True,
                                      check=False)
                self.assertEqual(done.returncode, status, done.stderr)
                return json.loads(page.read_text().split('id="routh-data">')[1].split("</script>")[0]) if not status else done.stderr

            told = json.loads(floquet(MODEL, "--period-of", "rate", "--json").stdout)
            shown = report("--floquet", "--period-of", "rate")["floquet"]
            for name in ("period", "verdict", "largest", "steps", "error"):
                self.assertEqual(shown[name], told[name])
            for mode, other in zip(shown["modes"], told["modes"], strict=True):
                self.assertEqual(mode, {key: other[key] for key in mode})
                self.assertNotIn("harmonics", mode)
            self.assertNotIn("floquet", report())
            self.assertIn("--period-of needs --floquet", report("--period-of", "rate", status=2))
            self.assertIn("needs --period, --period-of", report("--floquet", status=2))


class Boundary(unittest.TestCase):
    def find(self, q, between, *more):
        done = floquet(MODEL, "--set", f"amplitude={0.2 * q!r}", "--period-of", "rate", "--boundary", f"rate={between}",
                       "--coordinates", "relative", "--json", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_the_characteristic_values_are_those_of_the_tables(self):
        for even, n, value in ((True, 1, 1.85818754), (False, 1, -5.79008060), (True, 2, 7.44910974)):  # Abramowitz and Stegun 20.1
            self.assertLess(abs(characteristic(even, n, 5) - value), 1e-8)

    def test_the_tongues_of_mathieu_are_found_to_the_eighth_digit(self):
        for even, n, q, crossing in ((False, 1, 0.4, "minus-one"), (True, 1, 0.4, "minus-one"), (True, 2, 1.1, "one")):
            a = characteristic(even, n, q)
            rate = math.sqrt(4 * 9.81 / 0.4 / a)
            found = self.find(q, f"{rate * 0.97!r}:{rate * 1.03!r}")
            self.assertEqual(found["crossing"], crossing)
            self.assertLess(abs(4 * 9.81 / 0.4 / found["value"] ** 2 - a), 1e-8)
            self.assertLess(found["width"], 1e-10)
            self.assertEqual({end["verdict"] for end in found["ends"]}, {"neither", "unstable"})
            self.assertLess(abs(found["period"] - 2 * math.pi / found["value"]), 1e-12)

    def test_what_makes_no_sense_is_refused(self):
        for arguments, status, words in (
                (("--boundary", "rate=9:9.6"), 2, "--boundary needs --period or --period-of"),
                (("--boundary", "rate:9", "--period-of", "rate"), 2, "takes a parameter and two values"),
                (("--boundary", "rate=9:9", "--period-of", "rate"), 2, "takes a parameter and two values"),
                (("--boundary", "rate=9:9.6", "--period-of", "rate", "--blades", "a,b"), 2, "--blades excludes --boundary"),
                (("--crossing", "one", "--period-of", "rate"), 2, "--crossing needs --boundary"),
                (("--boundary", "rate=9:9.6", "--crossing", "two", "--period-of", "rate"), 2, "--crossing takes one, minus-one"),
                (("--boundary", "rate=9:9.2", "--period-of", "rate"), 2, "no crossing was found between rate = 9 and 9.2"),
                (("--boundary", "rate=9:9.6", "--crossing", "one", "--period-of", "rate"), 2, "det(Y - I) is"),
                (("--period", "2*pi/pace"), 2, "option --period: \"2*pi/pace\": the name 'pace' is not known"),
                (("--period-of", "pace"), 2, "option --period-of: \"pace\": "),
                (("--boundary", "pace=9:9.6", "--period-of", "rate"), 1, "pace")):
            done = floquet(MODEL, *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
