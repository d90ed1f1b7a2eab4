"""routh COMMAND --units: every number of every table against that of the table in SI, and those of the JSON, times a factor
written by hand; the units of all heads; what is refused and what is said.

ROUTH_TEST_EFFORT above 1 runs all commands with all units, else the quick ones with one of the lists each."""
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get("ROUTH", "build/routh"))
SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).parents[2])
ROTOR, CAR, TURN, FOUR_BAR = (SOURCE / "examples" / f"{name}.yaml" for name in
                              ("rotor-stator", "quarter-car-active", "steady-turn", "four-bar"))
PENDULUM = """
parameters: {l: 0.5, spin: 3}
gravity: [0, 0, -9.81]
inputs: {push: {value: 1.5, unit: N}}
outputs: {height: {expression: DZ(bob), unit: m}, rate: {expression: "WY(bob)", unit: rad/s}}
bodies: {bob: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, -l]}}
joints: {pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: y, rate: spin}}
loads:
  push: {type: force, on: bob, components: [push, 0, 0]}
  damper: {type: torsion_spring, between: [bob, ground], at: [0, 0, 0], axis: y, stiffness: 3, damping: 0.2}
"""
DEG = 180 / math.pi
RPM = 30 / math.pi

# what stands in for what, and the factor; what is not here stays as it is
CHOSEN = {
    "mm,kN,rpm,deg,km/h": {"m": ("mm", 1e3), "rad": ("deg", DEG), "N": ("kN", 1e-3), "N m": ("kN mm", 1),
                           "m/s": ("km/h", 3.6), "m/s^2": ("mm/s^2", 1e3), "rad/s": ("rpm", RPM), "Hz": ("rpm", 60)},
    "in,lbf,kHz,rad,ms": {"m": ("in", 1 / 0.0254), "deg": ("rad", 1 / DEG), "N": ("lbf", 1 / 4.4482216152605),
                          "N m": ("lbf in", 1 / 4.4482216152605 / 0.0254), "m/s": ("in/ms", 1e-3 / 0.0254),
                          "m/s^2": ("in/ms^2", 1e-6 / 0.0254), "rad/s": ("rad/ms", 1e-3), "1/s": ("1/ms", 1e-3),
                          "Hz": ("kHz", 1e-3), "ms": ("ms", 1)},
}
SLOW = {"floquet", "verify", "optimise", "check", "sweep", "compare"}
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
SWEPT = {"spin", "from", "to"}  # heads without a unit of what --speed says to be a speed
TURNS = {"wx", "wy", "wz"} | SWEPT  # heads of rad/s that are rotations; all others are imaginary parts
NUMBER = re.compile(r"(\+-|\+)?(-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$")
COMMANDS = [
    ("modes", ROTOR), ("modes", CAR, "--realization"), ("equilibrium", ROTOR), ("equilibrium", CAR), ("equilibrium", TURN),
    ("equilibrium", FOUR_BAR), ("equilibrium", CAR, "--sensitivity", "k,body_mass"), ("linearize", CAR),
    ("linearize", CAR, "--sensitivity", "k"), ("sensitivity", ROTOR), ("floquet", ROTOR, "--period", "1"),
    ("compare", ROTOR, "--set", "k=900", "--versus", "k=1000"), ("check", "PENDULUM"), ("verify", "PENDULUM", "--at", "static"),
    ("sweep", ROTOR, "--over", "spin=0:20:5", "--speed", "spin"), ("sweep", CAR, "--over", "sky=-4000:0:5"),
    ("optimise", CAR, "--study", SOURCE / "examples/studies/quarter-car.yaml"),
]


def routh(*args):
    return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=120)


def cells(line):
    """[(begin, end, text)]: cells are two blanks or more apart."""
    return [(m.start(), m.end(), m.group()) for m in re.finditer(r"\S+(?: \S+)*", line)]


def digits(number):
    return len(re.sub(r"e.*|[-.]", "", number).lstrip("0"))


class Column:
    """A column as a table's head shows it."""

    def __init__(self, begin, end, head, unit):
        self.begin, self.end, self.head, self.unit = begin, end, head, unit


def columns_of(head, units):
    """Numbers stand to the right: they end where the head and the unit end."""
    ends = {}
    for begin, end, text in cells(head):
        ends[end] = Column(begin, end, text, "")
    for begin, end, text in cells(units):
        if end in ends:
            ends[end].unit = text
        else:
            ends[end] = Column(begin, end, "", text)
    return ends


class Units(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.pendulum = pathlib.Path(cls.folder.name, "pendulum.yaml")
        cls.pendulum.write_text(PENDULUM, encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_with(self, command, *more):
        done = routh(*(self.pendulum if word == "PENDULUM" else word for word in command), *more)
        self.assertEqual(done.returncode, 0, (command, more, done.stderr))
        return done

    def json_of(self, *command):
        return json.loads(self.run_with(command, "--json").stdout)

    def is_times(self, old, new, factor, where):
        """Both round what they show to as many digits."""
        shown = max(digits(old), digits(new))
        allowed = 1.01 * 10 ** (1 - shown) * abs(float(new)) + 1e-300
        self.assertLessEqual(abs(float(new) - factor * float(old)), allowed, (where, old, new, factor))

    def factor_of(self, column, chosen):
        if column.unit == "rad/s" and column.head not in TURNS and "rpm" in chosen.get("rad/s", ("",))[0]:
            return 1
        return chosen.get(column.unit, (None, 1))[1]

    def unit_is(self, column, shown, chosen, where):
        expected = column.unit if self.factor_of(column, chosen) == 1 and column.unit == "rad/s" else \
            chosen.get(column.unit, (column.unit,))[0]
        self.assertEqual(shown, expected, where)

    def table_is(self, old, new, chosen, where):
        """One table, a list of lines each: the first is the head."""
        self.assertEqual(len(old), len(new), where)
        # the second line is of units where all of it stands below the ends of heads, and none is a number
        has_units = len(old) > 1 and not any(NUMBER.match(text) for _, _, text in cells(old[1]))
        before, after = (columns_of(lines[0], lines[1] if has_units else "") for lines in (old, new))
        self.assertEqual([c.head for _, c in sorted(before.items())], [c.head for _, c in sorted(after.items())], where)
        for (_, a), (_, b) in zip(sorted(before.items()), sorted(after.items())):
            if "--speed" in where and a.head in SWEPT:
                a.unit = "rad/s"
            if a.unit or has_units and b.unit:
                self.unit_is(a, b.unit, chosen, (where, a.head))
        n = 0
        for line, shown in zip(old[1 + has_units:], new[1 + has_units:]):
            a, b = cells(line), cells(shown)
            self.assertEqual(len(a), len(b), (where, line, shown))
            by_row = self.unit_of_row(old[0], a, new[0], b, chosen, (where, line))
            last = 1
            for x, y in zip(a, b):
                n += self.cell_is(x, y, before.get(x[1]), by_row, last, chosen, (where, line, shown))
                column = before.get(x[1])
                last = by_row if by_row is not None else self.factor_of(column, chosen) if column and column.unit else 1
        return n

    def unit_of_row(self, head, a, new_head, b, chosen, where):
        """Of a table with a column of units the factor of the row; None: it has none."""
        at = [(begin, text) for begin, _, text in cells(head) if text == "unit"]
        if not at:
            return None
        new_at = [begin for begin, _, text in cells(new_head) if text == "unit"]
        unit = next((text for begin, _, text in a if begin == at[0][0]), "")
        shown = next((text for begin, _, text in b if begin == new_at[0]), "")
        expected, factor = chosen.get(unit, (unit, 1))
        self.assertEqual(shown, expected, where)
        return factor

    def cell_is(self, x, y, column, by_row, last, chosen, where):
        old, new = NUMBER.match(x[2]), NUMBER.match(y[2])
        if not old:
            if x[2] not in chosen:
                self.assertEqual(x[2], y[2], where)
            return 0
        self.assertIsNotNone(new, where)
        self.assertEqual(old[1], new[1], where)
        if old[1] == "+-" and not column:  # a bar beside a number
            factor = last
        elif column and column.head == "time":  # of the clock
            return 0
        elif column and column.head in ("no.", "mode", "branch", "node", "harmonic"):
            factor = 1
        elif by_row is not None:
            factor = 1 / by_row if column and column.head == "dJ/dbound" else by_row
        else:
            factor = self.factor_of(column, chosen) if column else 1
        self.is_times(old[2], new[2], factor, where)
        return 1


def tables_of(text):
    """Lists of lines that begin with two blanks and a name, each table's head first; matrices are left out."""
    found, lines = [], []
    for line in [*text.split("\nThe matrices are")[0].split("\nMass M")[0].split("\n"), ""]:
        if line.startswith("  ") and line.strip():
            lines.append(line)
        else:
            found.append(lines)
            lines = []
    return [t for t in found if len(t) > 1 and not t[0].lstrip().startswith(("--set", "at rest"))]


class EveryTable(Units):
    def test_all_numbers_of_all_tables_are_those_in_si_times_a_factor(self):
        for k, command in enumerate(COMMANDS):
            if EFFORT <= 1 and command[0] in SLOW:
                continue
            plain = self.run_with(command).stdout
            for units, chosen in list(CHOSEN.items())[slice(None) if EFFORT > 1 else slice(k % 2, k % 2 + 1)]:
                with self.subTest(command=command, units=units):
                    shown = self.run_with(command, "--units", units).stdout
                    old, new = tables_of(plain), tables_of(shown)
                    self.assertEqual(len(old), len(new))
                    self.assertGreater(sum(self.table_is(a, b, chosen, command) for a, b in zip(old, new)), 2)


class Numbers(Units):
    """Against the JSON, which is in SI."""

    def first_table(self, text, title, heads=2):
        """The cells of the lines below the heads of the table that follows this title."""
        lines = text.split(title, 1)[1].split("\n\n")[0].split("\n")[1:]
        return [[text for _, _, text in cells(line)] for line in lines[heads:] if line]

    def numbers_are(self, shown, si, factors):
        self.assertEqual(len(shown), len(si))
        for text, x, factor in zip(shown, si, factors):
            self.assertLessEqual(abs(float(text) - factor * x), 5.1e-6 * abs(factor * x) + 1e-12, (shown, si))

    def test_the_operating_point_in_other_units(self):
        point = self.json_of("equilibrium", TURN)
        text = self.run_with(("equilibrium", TURN), "--units", "mm,kN,rpm,km/h").stdout
        car = point["bodies"][0]
        self.assertEqual(self.first_table(text, "\nBodies")[0][0], car["name"])
        self.numbers_are(self.first_table(text, "\nBodies")[0][1:4], car["position"], [1e3] * 3)
        moving = self.first_table(text, "\nVelocities")[0][1:]
        self.numbers_are(moving, car["velocity"] + car["angular_velocity"], [3.6] * 3 + [RPM] * 3)
        forces = {row[0]: row[2:] for row in self.first_table(text, "\nForce and torque")}
        for force in point["loads"]:
            self.numbers_are(forces[force["name"]], force["force"] + force["torque"], [1e-3] * 3 + [1] * 3)
        signals = {row[0]: row for row in self.first_table(text, "\nStates of controllers", 1)}
        value = {s["name"]: s["value"] for s in point["signals"]}
        self.assertEqual(signals["drive"][2], "kN")
        self.numbers_are([signals["drive"][3]], [value["drive"]], [1e-3])

    def test_frequencies_in_cycles_per_minute(self):
        modes = [m for m in self.json_of("modes", ROTOR)["modes"] if m["eigenvalue"][1] > 0]
        text = self.run_with(("modes", ROTOR), "--units", "rpm").stdout
        rows = [[cell for _, _, cell in cells(line)] for line in text.split("\n") if " period " in line]
        self.assertEqual(len(rows), len(modes))
        for row, mode in zip(rows, modes):
            shown = [row[1], row[2][2:], row[3], row[4]]
            self.numbers_are(shown, [*mode["eigenvalue"], mode["undamped_frequency_hz"], mode["damped_frequency_hz"]],
                             [1, 1, 60, 60])

    def test_digits_end_at_the_bound_in_the_unit_that_is_shown(self):
        """The last digit is no smaller than the bound of the error: in rpm some modes have one digit fewer than in Hz."""
        command = ("modes", ROTOR, "--method", "penalty", "--penalty", "alpha=3e5")
        modes = [m for m in self.json_of(*command)["modes"] if m["eigenvalue"][1] > 0]
        text = self.run_with(command, "--units", "rpm").stdout
        rows = [[cell for _, _, cell in cells(line)] for line in text.split("\n") if " period " in line]
        fewer = 0
        for row, mode in zip(rows, modes):
            x, bound = mode["undamped_frequency_hz"], mode["error_bound"] / (2 * math.pi)
            in_hz, in_rpm = (min(8, math.floor(math.log10(f * x)) + 1 - math.ceil(math.log10(f * bound))) for f in (1, 60))
            self.assertEqual(row[3], f"{60 * x:.{in_rpm}g}")
            fewer += in_rpm < in_hz
        self.assertEqual(fewer, 3)

    def test_the_response_in_other_units(self):
        response = self.json_of("response", CAR)
        text = self.run_with(("response", CAR), "--units", "mm,kN,rad/s").stdout
        per = {"acceleration": 1e3, "travel": 1e3, "grip": 1e-3, "road": 1e3, "load": 1e-3}
        unit = {"acceleration": "mm/s^2", "travel": "mm", "grip": "kN", "road": "mm", "load": "kN"}
        n = 0
        for channel in response["channels"]:
            out, into = response["outputs"][channel["output"]]["name"], response["inputs"][channel["input"]]["name"]
            block = text.split(f"\n{out} / {into}, ")[1].split("\n\n")[0].split("\n")
            scale = per[out] / per[into]
            self.assertEqual(block[0], f"{unit[out]}/{unit[into]}")
            at_rest, largest, hz = re.match(r"  at rest (\S+); largest (\S+) at (\S+) rad/s$", block[1]).groups()
            self.numbers_are([at_rest, largest, hz], [channel["static_gain"], channel["largest"], channel["largest_hz"]],
                             [scale, scale, 2 * math.pi])
            rows = [[text for _, _, text in cells(line)] for line in block if line.startswith(("  peak", "  antires"))]
            self.assertEqual(len(rows), len(channel["peaks"]))
            for row, peak in zip(rows, channel["peaks"]):
                self.numbers_are(row[1:3], [peak["hz"], peak["magnitude"]], [2 * math.pi, scale])
                self.assertAlmostEqual(float(row[3]), DEG * peak["phase"], delta=0.006)
                n += 1
        self.assertGreater(n, 6)

    def test_random_responses_in_other_units(self):
        psd = ("response", CAR, "--psd", "road=1e-4/f^2")
        outputs = self.json_of(*psd)["random"]["outputs"]
        rows = [[text for _, _, text in cells(line)]
                for line in self.run_with(psd, "--units", "mm,kN").stdout.split("random response")[1].split("\n")[1:4]]
        for row, output, factor, unit in zip(rows, outputs, (1e3, 1e3, 1e-3), ("mm/s^2", "mm", "kN")):
            self.numbers_are(row[1:2], [output["rms"]], [factor])
            self.assertEqual(row[3], unit)

    def test_derivatives_of_the_response_in_other_units(self):
        command = ("sensitivity", CAR, "--response", "--of", "travel", "--input", "load", "--parameters", "k")
        peaks = self.json_of(*command)["peaks"]
        blocks = self.run_with(command, "--units", "mm,kN,rpm").stdout.split("\n\n")[1:]
        self.assertEqual(len(blocks), len(peaks))
        for block, peak in zip(blocks, peaks):
            head, magnitude = re.search(r" at (\S+) rpm, \|H\| = (\S+) mm/kN\n", block).groups()
            self.numbers_are([head, magnitude], [peak["hz"], peak["magnitude"]], [60, 1e6])
            row = [text for _, _, text in cells(block.split("\n")[3])]
            found = [peak[key]["k"] if isinstance(peak[key], dict) else peak[key][0] for key in ("magnitude_by", "hz_by")]
            self.numbers_are(row[4:6], found, [1e6, 60])

    def test_a_speed_that_is_swept_in_revolutions_per_minute(self):
        sweep = self.json_of("sweep", ROTOR, "--over", "spin=0:20:5", "--speed", "spin")
        text = self.run_with(("sweep", ROTOR, "--over", "spin=0:20:5", "--speed", "spin"), "--units", "rpm").stdout
        rows = self.first_table(text, "\nSolved for")
        events = sweep["lines"][0]["events"]
        self.assertEqual(len(rows), len(events))
        for row, event in zip(rows, events):
            self.numbers_are([row[0]], [event["value"]], [RPM])
        self.assertIn("  branch  from  frequency", text)
        self.assertIn("190.986", text)
        self.assertEqual(text.count("  rpm"), 5)


class Speeds(Units):
    MODEL = """
units: [m, kg, UNIT]
parameters: {spin: 0.01, k: 1e-4}
gravity: [0, 0, 0]
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {guide: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}
loads: {spring: {type: force, on: b, components: ["-k*DX(b) + 0*spin", 0, 0]}}
"""

    def test_a_speed_that_is_not_in_radians_per_second_is_refused(self):
        """A sweep compared rad/ms with eigenvalues in 1/s and found no critical speed."""
        for unit, told in (("s", 0), ("ms", 2)):
            model = pathlib.Path(self.folder.name, f"{unit}.yaml")
            model.write_text(self.MODEL.replace("UNIT", unit), encoding="utf-8")
            done = routh("sweep", model, "--over", "spin=0.001:0.021:5", "--speed", "spin")
            self.assertEqual(done.returncode, told, done.stderr)
            self.assertEqual("critical speed" in done.stdout, unit == "s")
            self.assertEqual("the speed 'spin' is in rad by the model's unit of time" in done.stderr, unit == "ms")
            self.assertEqual(routh("sweep", model, "--over", "spin=0.001:0.021:5").returncode, 0)


class Words(Units):
    def refused(self, units, *words):
        done = routh("modes", ROTOR, "--units", units)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        for word in words:
            self.assertIn(word, done.stderr)

    def test_what_is_no_unit_or_one_too_many_is_refused(self):
        self.refused("mm,hz", "option --units: 'hz' is no unit (did you mean Hz?)")
        self.refused("mm,in", "mm and in are units of one kind")
        self.refused("N/mm,mm,kN/m", "N/mm and kN/m are units of one kind")
        self.refused("mm,", "a unit is missing in 'mm,'")
        self.refused("", "a unit is missing")
        done = routh("modes", ROTOR, "--units", "mm", "--units", "Hz")
        self.assertEqual((done.returncode, "given twice" in done.stderr), (2, True))
        for command in ("simulate", "symbolic", "report"):
            self.assertIn(f"command {command} has no option --units", routh(command, ROTOR, "--units", "mm").stderr)

    def test_units_that_nothing_can_be_shown_in_are_named(self):
        said = "No number here can be shown in "
        self.assertTrue(self.run_with(("modes", ROTOR), "--units", "mm,Hz,deg").stdout.endswith(f"\n{said}mm or deg.\n"))
        self.assertNotIn(said, self.run_with(("equilibrium", ROTOR), "--units", "mm,deg,rpm").stdout)

    def test_titles_of_tables_are_in_the_units_of_their_tables(self):
        text = self.run_with(("sensitivity", ROTOR), "--units", "rpm").stdout
        for mode, shown in zip((m for m in self.json_of("modes", ROTOR)["modes"] if m["eigenvalue"][1] > 0),
                               re.findall(r"undamped frequency (\S+) rpm, damping", text)):
            self.assertEqual(shown, f"{60 * mode['undamped_frequency_hz']:.8g}")
        self.assertEqual(text.count(" rpm, damping"), 6)
        compared = ("compare", ROTOR, "--set", "k=900", "--versus", "k=1000")
        plain, asked = (re.findall(r": (\S+) -> (\S+) (\S+) \(", self.run_with(compared, *more).stdout)
                        for more in ((), ("--units", "rpm")))
        self.assertEqual(len(asked), len(plain))
        for old, new in zip(plain, asked):
            self.assertEqual((old[2], new[2]), ("Hz", "rpm"))
            for x, y in zip(old[:2], new[:2]):
                self.assertAlmostEqual(float(y), 60 * float(x), delta=1e-6 * float(y))

    def test_a_decay_rate_is_no_frequency(self):
        self.assertEqual(self.run_with(("modes", ROTOR), "--units", "Hz").stdout, self.run_with(("modes", ROTOR)).stdout)

    def test_json_and_csv_stay_in_si_and_that_is_said(self):
        for command in (("modes", ROTOR), ("equilibrium", CAR)):
            for form in ("--json", "--csv"):
                plain, asked = self.run_with(command, form), self.run_with(command, form, "--units", "mm,kN,rpm")
                self.assertEqual(plain.stdout, asked.stdout)
                self.assertIn(f"option --units changes tables alone; {form[2:].upper()} is in SI units", asked.stderr)
                self.assertNotIn("--units", self.run_with(command, form, "--units", "mm", "--quiet").stderr)
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_with(("linearize", CAR, "--output", f"{folder}/car.json"), "--units", "mm")
            self.assertIn("saved linear models are in SI units", done.stderr)

    def test_matrices_say_that_they_are_in_si(self):
        text = self.run_with(("linearize", CAR), "--units", "mm,kN").stdout
        self.assertIn("\nThe matrices are in SI units: m, rad, kg, s and what these make.\n", text)
        plain = self.run_with(("linearize", CAR)).stdout
        self.assertEqual(text.split("\nMass M")[1], plain.split("\nMass M")[1])
        self.assertNotIn("SI units", plain)

    def test_warnings_and_verdicts_stay(self):
        for command in (("modes", CAR), ("equilibrium", FOUR_BAR)):
            plain, asked = (self.run_with(command, *more).stdout.split("\n\n")[0] for more in ((), ("--units", "mm,rpm,kN")))
            self.assertEqual(plain, asked)


if __name__ == "__main__":
    unittest.main()
