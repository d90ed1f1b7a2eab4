"""routh sensitivity against differences of sixth order of the whole way from the file to the eigenvalues, each model
read anew with --set: every parameter of examples and templates, every eigenvalue that is not zero.

ROUTH_TEST_EFFORT above 1 takes all examples, else a few of each kind."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get("ROUTH", "build/routh"))
SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).parents[2])
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
WEIGHTS = {1: 45 / 60, 2: -9 / 60, 3: 1 / 60}
FOURTH = {1: 8 / 12, 2: -1 / 12, 3: 0}
STEPS = (1e-2, 1e-3, 1e-4)
ALLOWED = 1e-7
KINKS = {("helicopter-blade", "span")}  # alone it moves the last station off the end of the beam, one way or the other


def routh(*args):
    return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=300)


def eigenvalues(model, at, name, value):
    done = routh("modes", model, *at, "--json", "--set", f"{name}={value!r}")
    if done.returncode:
        return None
    return [complex(*m["eigenvalue"]) for m in json.loads(done.stdout)["modes"]]


def nearest(values, to):
    """The value nearest to where the derivative leads, and whether it is no matter of taste which that is."""
    first, second = sorted(values, key=lambda x: abs(x - to))[:2] if len(values) > 1 else (values[0], math.inf)
    return first, abs(second - to) >= 4 * abs(first - to)


def difference(sides, value, slope, h):
    """d(eigenvalue)/dp by the eigenvalues at p + k h nearest to where the derivative leads, and how far the formula of
    fourth order is from that of sixth; infinite where another eigenvalue is about as near."""
    found = {k: nearest(values, value + k * h * slope) for k, values in sides.items()}
    sixth, fourth = (sum(w[k] * (found[k][0] - found[-k][0]) for k in (1, 2, 3)) / h for w in (WEIGHTS, FOURTH))
    return sixth, abs(sixth - fourth) if all(sure for _, sure in found.values()) else math.inf


def best_difference(by_step, value, slope):
    """Of several steps the one whose two formulas agree best, and how far the nearest of another step is from it: at a kink
    each step has a mean of its own."""
    all_of_them = sorted((difference(sides, value, slope, h) for h, sides in by_step), key=lambda pair: pair[1])
    found, doubt = all_of_them[0]
    return found, max(doubt, min((abs(other - found) for other, _ in all_of_them[1:]), default=math.inf))


def worst_of(model, at=(), only=None):
    """Largest relative error over all modes and parameters of a model, where, and the share of derivatives that the two
    formulas agree on, which alone are compared: next to an eigenvalue that is closer than a step they say nothing; all
    where the file has no parameters. None where the model has no derivatives, and why."""
    done = routh("sensitivity", model, *at, "--json")
    if done.returncode:
        return None, done.stderr.strip(), 0
    out = json.loads(done.stdout)
    worst, where, compared, all_of_them = 0, "", 0, 0
    parameters = {by["parameter"]: by["value"] for mode in out["modes"] for by in mode["by"]}
    if not re.search(r"^parameters:", pathlib.Path(model).read_text("utf-8"), re.MULTILINE):
        return (0, "", 1) if not parameters else (math.inf, "parameters that the file does not have", 0)
    for name, value in list(parameters.items())[:only]:
        if (pathlib.Path(model).stem, name) in KINKS:
            continue
        by_step = []
        for step in STEPS:
            h = step * (abs(value) or 1)
            sides = {k: eigenvalues(model, at, name, value + k * h) for k in (-3, -2, -1, 1, 2, 3)}
            if None not in sides.values():
                by_step.append((h, sides))
        for mode in out["modes"]:
            if mode["multiplicity"] > 1 or not by_step:
                continue
            exact = next(complex(*by["eigenvalue"]) for by in mode["by"] if by["parameter"] == name)
            eigen = complex(*mode["eigenvalue"])
            found, doubt = best_difference(by_step, eigen, exact)
            size = max(abs(exact), 1e-2 * abs(eigen) / (abs(value) or 1))
            error = abs(found - exact) / size
            all_of_them += 1
            if doubt > ALLOWED * size:
                continue
            compared += 1
            if error > worst:
                worst, where = error, f"{name}, mode {mode['number']}: {exact} and {found}"
    return worst, where, compared / max(all_of_them, 1)


class Differences(unittest.TestCase):
    FEW = ["slider-pendulum", "four-bar", "quarter-car-active"]

    def test_examples(self):
        for model in sorted((SOURCE / "examples").glob("*.yaml")):
            if EFFORT <= 1 and model.stem not in self.FEW:
                continue
            with self.subTest(model=model.name):
                worst, where, share = worst_of(model, only=2 if EFFORT <= 1 else None)
                self.assertIsNotNone(worst, where)
                self.assertLess(worst, ALLOWED, where)
                self.assertGreater(share, 0.5)


class Table(unittest.TestCase):
    def test_an_undamped_mode_has_the_damping_ratio_0_and_no_sign(self):
        table = routh("sensitivity", SOURCE / "examples/slider-pendulum.yaml").stdout
        self.assertEqual(len(re.findall(r"damping ratio 0$", table, re.MULTILINE)), 2, table)


class LeftOut(unittest.TestCase):
    """A shaft that is driven about a tilted axis under gravity has no steady motion: there is no derivative by its tilt, and those
    by other parameters are given all the same."""
    MODEL = """parameters: {tilt: 0, g: 9.81, W: 4}
gravity: [0, 0, -g]
bodies:
  hub: {mass: 1, inertia: [1, 1, 1]}
  bob: {mass: 1, inertia: [0, 0, 0], position: [0.6, 0, -0.8]}
joints:
  spin: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: [tilt, 0, 1]}
  drive: {type: motion, joint: spin, function: W*time}
  hinge: {type: revolute, between: [bob, hub], at: [0, 0, 0], axis: y}
inputs: {push: 0}
outputs: {height: DZ(bob)}
loads: {push: {type: force, on: bob, components: [0, 0, push]}}
operating_point: {type: steady}
"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.model = pathlib.Path(folder.name) / "m.yaml"
        self.model.write_text(self.MODEL)

    def test_one_parameter_does_not_take_the_others_along(self):
        """cos a = g/(l W^2), (omega/W)^2 = sin^2 a: d omega/dg = -cos a/(l W tan a cos a) .. = -g/(l^2 W^2 omega) with l = 1."""
        for command, *options in (["sensitivity"], ["sensitivity", "--response", "--frequencies", "1"], ["linearize", "--sensitivity", "all"],
                                  ["equilibrium", "--sensitivity", "all"]):
            with self.subTest(command=command, options=options):
                done = routh(command, self.model, *options)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout.count("the parameter tilt was left out: the steady motion has no derivative"), 1, done.stdout)
        data = json.loads(routh("sensitivity", self.model, "--json").stdout)
        mode, = data["modes"]
        omega = math.sqrt(4**2 - (9.81 / 4) ** 2)
        self.assertAlmostEqual(mode["eigenvalue"][1], omega, delta=1e-12 * omega)
        by = {b["parameter"]: b["eigenvalue"][1] for b in mode["by"]}
        self.assertEqual(sorted(by), ["W", "g"])
        self.assertAlmostEqual(by["g"], -9.81 / 4**2 / omega, delta=1e-11)
        self.assertAlmostEqual(by["W"], (4 + 9.81**2 / 4**3) / omega, delta=1e-11)

    def test_what_is_asked_for_is_refused_by_name(self):
        for command, *options in (["sensitivity", "--parameters", "tilt"], ["sensitivity", "--response", "--parameters", "g,tilt", "--frequencies", "1"],
                                  ["linearize", "--sensitivity", "tilt"], ["equilibrium", "--sensitivity", "g,tilt"]):
            with self.subTest(command=command, options=options):
                done = routh(command, self.model, *options)
                self.assertEqual(done.returncode, 1)
                self.assertIn("error: the parameter tilt: the steady motion has no derivative", done.stderr)


class FrequencyResponse(unittest.TestCase):
    """routh sensitivity --response of examples against differences of routh response, in several coordinates."""

    CASES = [("gantry-crane", ()), ("half-car-active", ("--coordinates", "natural")), ("cart-pendulum-lqr", ("--coordinates", "relative")),
             ("elastic-link", ("--base", "z", "--of", "link.rx"))]

    @staticmethod
    def response(model, more, *settings):
        out = json.loads(routh("response", model, "--json", "-q", "--over", "0.7:3:3", *more, *settings).stdout)
        return out["hz"], [complex(re, im) for c in out["channels"] for re, im in zip(c["re"], c["im"])]

    def test_examples(self):
        for name, more in self.CASES:
            model = SOURCE / f"examples/{name}.yaml"
            if routh("response", model, "--json", "-q", "--over", "0.7:3:3", *more).returncode:
                self.fail(routh("response", model, "--json", "-q", "--over", "0.7:3:3", *more).stderr)
            hz, base = self.response(model, more)
            done = routh("sensitivity", model, "--response", "--json", "-q", "--frequencies", ",".join(map(repr, hz)), *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            out = json.loads(done.stdout)
            for p, parameter in list(enumerate(out["parameters"]))[:2]:
                h = 1e-3 * (abs(parameter["value"]) or 1)
                sides = {k: self.response(model, more, "--set", f"{parameter['parameter']}={parameter['value'] + k * h!r}")[1]
                         for k in (-3, -2, -1, 1, 2, 3)}
                exact = [complex(*at["by"][p]["response"]) for c in out["channels"] for at in c["at"]]
                self.assertEqual(len(exact), len(base))
                for i, (found, value) in enumerate(zip(exact, base)):
                    wanted = sum(w * (sides[k][i] - sides[-k][i]) for k, w in WEIGHTS.items()) / h
                    self.assertLessEqual(abs(found - wanted), 1e-6 * max(abs(wanted), 1e-2 * abs(value) / (abs(parameter["value"]) or 1)),
                                    f"{name}, {parameter['parameter']}, number {i}: {found} and {wanted}")


class Numbers(unittest.TestCase):
    def test_modes_have_the_numbers_of_routh_modes(self):
        """With rigid-body modes, real ones and pairs before them."""
        checked = 0
        for name in ("bicycle-whipple", "quarter-car-active", "spinning-top", "jeffcott-rotor", "gantry-crane"):
            model = SOURCE / "examples" / f"{name}.yaml"
            rows = dict(re.findall(r"(?m)^ +(\d+) +(.*)$", routh("modes", model).stdout))
            for number, hz in re.findall(r"(?m)^mode (\d+): undamped frequency (\S+) Hz", routh("sensitivity", model).stdout):
                self.assertTrue(any(math.isclose(float(x), float(hz), rel_tol=1e-4) for x in
                                    re.findall(r"(?<!\S)\d[\d.e-]*", rows[number])), (name, number, hz, rows[number]))
                checked += 1
        self.assertGreater(checked, 8)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--table":
        for name in sys.argv[2:]:
            worst, where, _ = worst_of(name)
            print(f"{pathlib.Path(name).name:40s} {worst if worst is None else format(worst, '.1e')} {where}", flush=True)
    else:
        unittest.main()
