"""routh optimise as a user meets it: its forms, its refusals, Ctrl-C, going on, the model written."""
import json
import math
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])
CAR = SOURCE / "examples/quarter-car-active.yaml"
STUDY = SOURCE / "examples/studies/quarter-car.yaml"


def run(*arguments):
    return subprocess.run([ROUTH, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60)


def optimise(*arguments, status=0):
    done = run("optimise", *arguments)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


def have_nlopt():
    return "libnlopt-dev" not in run("optimise", CAR, "--study", STUDY, "--evaluations", "1").stderr


def values(model, *names):
    out = run("response", model, "--input", "road", "--of", "acceleration", "--as", "velocity", "--over", "0.3:6",
              *[a for name in names for a in ("--set", name)], "--json")
    return json.loads(out.stdout)["channels"][0]["largest"]


class WithoutNLopt(unittest.TestCase):
    @unittest.skipIf(have_nlopt(), "NLopt is there")
    def test_it_is_refused_by_name(self):
        self.assertIn("needs NLopt", optimise(CAR, "--study", STUDY, status=2))


@unittest.skipUnless(have_nlopt(), "NLopt is not there")
class Optimise(unittest.TestCase):
    def test_the_worked_example(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "car.yaml"
            data = json.loads(optimise(CAR, "--study", STUDY, "--json", "--write-model", model))
            ride = data["goals"][0]
            self.assertEqual(data["end"], "converged")
            self.assertLess(ride["after"], 0.88 * ride["before"])
            self.assertLess(data["optimality"], 1e-5)
            self.assertTrue(data["goals"][2]["active"])
            # another command finds the same in the model that was written, and by --set
            self.assertAlmostEqual(values(model), ride["after"], delta=1e-6 * ride["after"])
            settings = [f"{v['name']}={v['after']!r}" for v in data["variables"]]
            self.assertAlmostEqual(values(CAR, *settings), values(model), delta=1e-12)
            self.assertIn("# suspension spring, N/m", model.read_text())
            table = optimise(CAR, "--study", STUDY)
            self.assertIn("travel", table)
            self.assertIn(f"--set {settings[0][:12]}", table)

    def test_ctrl_c_and_going_on(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            study = pathlib.Path(folder) / "study.yaml"
            study.write_text(STUDY.read_text().replace("over: [0.3, 25]", "over: [0.3, 25], subbands: 600"))
            command = [ROUTH, "optimise", CAR, "--study", study, "--log", log, "--json"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                while process.poll() is None and not (log.exists() and log.read_text().count("\n") > 2):
                    time.sleep(0.005)
                process.send_signal(signal.SIGINT)
                out, said = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, said)
            self.assertIn("interrupted; the best values so far are written", said)
            part = json.loads(out)
            self.assertEqual(part["end"], "interrupted")
            lines = log.read_text().splitlines()
            self.assertEqual(len(lines), 1 + part["evaluations"])
            self.assertEqual([json.loads(line)["evaluation"] for line in lines[1:]],
                             list(range(1, part["evaluations"] + 1)))
            rest = json.loads(optimise(CAR, "--study", study, "--resume", log, "--json"))
            self.assertEqual(rest["taken_from_log"], part["evaluations"])
            whole = json.loads(optimise(CAR, "--study", study, "--json"))
            self.assertAlmostEqual(rest["objective"], whole["objective"], delta=1e-8)

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("--study FILE", optimise(CAR, status=2))
            log = pathlib.Path(folder) / "log"
            log.write_text("mine\n")
            self.assertIn("the log file exists already", optimise(CAR, "--study", STUDY, "--log", log, status=1))
            self.assertEqual(log.read_text(), "mine\n")
            optimise(CAR, "--study", STUDY, "--resume", log, status=1)
            self.assertEqual(log.read_text(), "mine\n")
            self.assertIn("would overwrite the input file", optimise(CAR, "--study", STUDY, "--write-model", CAR, status=2))
            self.assertIn("would overwrite the input file", optimise(CAR, "--study", STUDY, "-o", STUDY, status=2))
            self.assertIn("slsqp, mma or ccsa", optimise(CAR, "--study", STUDY, "--algorithm", "newton", status=2))
            self.assertIn("is a variable of the study", optimise(CAR, "--study", STUDY, "--set", "k=20e3", status=2))
            self.assertIn("limit of evaluations", optimise(CAR, "--study", STUDY, "--evaluations", "2", status=1))
            self.assertIn("study.yaml:2:", self.broken(folder, "variables: {k: {between: [1, 9e9]}}\ngoals: {f: {}}\n"))

    def test_frequencies_in_other_units(self):
        """k = m (2 pi f)^2; 20 rad/s is not 20 Hz."""
        oscillator = ("bodies: {b: {mass: 2 kg, inertia: [1, 1, 1]}}\nparameters: {k: 4 kN/m, ratio: 2 rad, pier: 1 rad}\ninputs: {push: 0}\n"
                      "joints: {j: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}\noutputs: {x: DX(b)}\n"
                      "loads:\n  s: {type: bushing, between: [b, ground], at: [0, 0, 0], translation: {stiffness: [k, 0, 0]}}\n"
                      "  f: {type: force, on: b, components: [push, 0, 0]}\n")
        with tempfile.TemporaryDirectory() as folder:
            model, study = pathlib.Path(folder) / "model.yaml", pathlib.Path(folder) / "study.yaml"

            def of(goal, status=0):
                study.write_text(f"variables: {{k: {{between: [1 kN/m, 50 kN/m]}}}}\ngoals: {{f: {goal}}}\n")
                return optimise(model, "--study", study, "--json", status=status)

            for units in ("", "units: [mm, t, ms]\n"):
                model.write_text(units + oscillator)
                for text, hz in (("7", 7), ("7 Hz", 7), ("44 rad/s", 22 / math.pi), ("0.044 rad / ms", 22 / math.pi), ("420rpm", 7),
                                 ("2500 deg/s", 2500 / 360), ("420 rev/min", 7), ("ratio*210 rpm/(2*pi)", 7), ("7*sin(90 deg)", 7)):
                    with self.subTest(text, units=units):
                        k = json.loads(of(f"{{frequency: 1, at: {text}}}"))["variables"][0]["after"]
                        self.assertAlmostEqual(k * (1e9 if units else 1) / (2 * (2 * math.pi * hz) ** 2), 1, delta=1e-6)
                for text in ("ratio*210 rpm", "pier*420 rpm", "(44 rad/s)", "40 rad/s + 4"):
                    self.assertIn(f"'{text}' is an angular velocity, and a frequency in Hz is needed", of(f"{{frequency: 1, at: {text}}}", 1))
            of("{peak: x, input: push, over: [60 rpm, 2 Hz], minimise: yes}")
            self.assertIn("peak of x by push, 1 to 2 Hz", optimise(model, "--study", study))

    def broken(self, folder, text):
        study = pathlib.Path(folder) / "study.yaml"
        study.write_text(text)
        return optimise(CAR, "--study", study, status=1)


if __name__ == "__main__":
    unittest.main()
