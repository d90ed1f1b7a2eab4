"""Two hundred numbers with a unit and what they are in SI, and two hundred that are refused. Values are written by hand from the
SI brochure, 9th edition, tables 4, 5 and 8, and NIST SP 811, appendix B (1 in = 0.0254 m, 1 lb = 0.45359237 kg,
1 lbf = 4.4482216152605 N)."""
import math
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
PI = math.pi
LB, LBF = 0.45359237, 4.4482216152605

RIGHT = {
    # lengths
    "3 mm": 3e-3, "12 cm": 0.12, "4 dm": 0.4, "7 m": 7, "2.5 km": 2500, "25 um": 25e-6, "25 µm": 25e-6, "12 in": 0.3048,
    "1 in": 0.0254, "3 ft": 0.9144, "0.1 mm": 1e-4, "1e3 mm": 1, "-40 mm": -0.04, "+2 cm": 0.02, ".5 m": 0.5, "5. mm": 5e-3,
    "250mm": 0.25, "1.5E-1 m": 0.15,
    # masses
    "2 t": 2000, "750 kg": 750, "500 g": 0.5, "35 mg": 35e-6, "10 lb": 10 * LB, "0.25 t": 250, "1 lb": LB, "12.5 kg": 12.5,
    # times
    "3 s": 3, "20 ms": 0.02, "15 us": 15e-6, "15 µs": 15e-6, "2 min": 120, "1.5 h": 5400, "100ms": 0.1,
    # angles
    "30 deg": PI / 6, "180 deg": PI, "90 °": PI / 2, "2 rad": 2, "4 mrad": 4e-3, "1 rev": 2 * PI, "-45 deg": -PI / 4, "0.5 rev": PI,
    # rates and frequencies
    "1200 rpm": 40 * PI, "60 rpm": 2 * PI, "5 Hz": 5, "2 kHz": 2000, "10 deg/s": PI / 18, "3 rad/s": 3, "4 rev/s": 8 * PI,
    "7 s^-1": 7, "2*pi*10 Hz": 20 * PI, "360 deg/min": 2 * PI / 60,
    # velocities
    "60 km/h": 60 / 3.6, "36 km/h": 10, "3 m/s": 3, "250 mm/s": 0.25, "90 m/min": 1.5, "12 ft/s": 3.6576, "2 m s^-1": 2,
    "10 in/s": 0.254, "5 um/ms": 5e-3,
    # accelerations
    "9.81 m/s^2": 9.81, "9810 mm/s^2": 9.81, "9.81 m s^-2": 9.81, "32 ft/s^2": 9.7536, "1 km/h/(1 s)": 1 / 3.6, "3 m/s²": 3,
    "2 rad/s^2": 2, "360 deg/s^2": 2 * PI,
    # forces
    "28 kN": 28e3, "5 N": 5, "3 mN": 3e-3, "1.2 MN": 1.2e6, "100 lbf": 100 * LBF, "4 kg m/s^2": 4, "4 kg*m/s^2": 4,
    "4 kg·m/s²": 4, "2 t mm/s^2": 2, "6 t m/s^2": 6000,
    # stiffness
    "28 kN/m": 28e3, "28 N/mm": 28e3, "28 N mm^-1": 28e3, "40 lbf/in": 40 * LBF / 0.0254, "160 lbf/in": 160 * LBF / 0.0254,
    "1 MN/m": 1e6, "5 kN/mm": 5e6, "3 N/um": 3e6, "12 N/cm": 1200, "2 lbf/ft": 2 * LBF / 0.3048, "10 kg/s^2": 10, "0.5 kN/cm": 5e4,
    # damping
    "5 N s/m": 5, "5 N/(m/s)": 5, "3 kN s/m": 3e3, "2 N s/mm": 2e3, "4 N ms/mm": 4, "1.5 kN/(m/s)": 1500, "7 kg/s": 7,
    "1 lbf s/in": LBF / 0.0254, "20 N·s/m": 20,
    # moments, energies, powers
    "3 N m": 3, "3 N*m": 3, "3 Nm": 3, "2 kNm": 2000, "5 kN m": 5000, "40 Nmm": 0.04, "40 N mm": 0.04, "12 lbf in": 12 * LBF * 0.0254,
    "8 lbf ft": 8 * LBF * 0.3048, "10 J": 10, "2 kJ": 2000, "60 W": 60, "1.1 kW": 1100, "3 N·m": 3, "6 W s": 6, "9 kW h": 32.4e6,
    # of angles
    "3 N m/rad": 3, "2 kNm/rad": 2000, "3 N mm/rad": 3e-3, "5 N m/deg": 5 * 180 / PI, "4 N m s/rad": 4, "1 Nm/rev": 1 / (2 * PI),
    "80 kN/rad": 80e3, "2 kN/deg": 2e3 * 180 / PI, "4 Nmm/mrad": 4, "6 N m/rpm": 6 * 30 / PI,
    # pressures
    "5 MPa": 5e6, "210 GPa": 210e9, "101.325 kPa": 101325, "1 bar": 1e5, "2.2 bar": 2.2e5, "30 psi": 30 * LBF / 0.0254**2, "7 Pa": 7,
    "210e3 N/mm^2": 210e9, "10 kN/cm^2": 1e8, "1 lbf/in^2": LBF / 0.0254**2, "4 N/m^2": 4, "2 kN/m²": 2000,
    # areas, volumes, second moments
    "100 mm^2": 1e-4, "100 mm²": 1e-4, "3 cm^2": 3e-4, "2 m^2": 2, "1 in^2": 0.0254**2, "5 cm^3": 5e-6, "4 mm^3": 4e-9, "1 dm^3": 1e-3,
    "8.3e4 mm^4": 8.3e-8, "12 cm^4": 12e-8, "8.3e4 mm⁴": 8.3e-8, "2 in^4": 2 * 0.0254**4, "1 m^3": 1, "6 ft^2": 6 * 0.3048**2,
    # densities and inertias
    "7850 kg/m^3": 7850, "7.85 g/cm^3": 7850, "7.85e-9 t/mm^3": 7850, "2.7 kg/dm^3": 2700, "0.1 lb/in^3": 0.1 * LB / 0.0254**3,
    "3 kg m^2": 3, "3 kg*m^2": 3, "5 g mm^2": 5e-9, "2 t mm^2": 2e-3, "4 kg cm^2": 4e-4, "1 lb in^2": LB * 0.0254**2, "3 kg m²": 3,
    "2 kg/m": 2, "40 g/mm": 40, "6 N s^2/m": 6, "5 N s^2/m^2": 5, "7 kN mm^2": 7e-3, "1 kg/m^2": 1, "4 g/m^2": 4e-3,
    # powers of numbers, products and sums
    "10^3 mm": 1, "(2 mm)^2": 4e-6, "(1 + 2) mm": 3e-3, "-3 mm": -3e-3, "2^-1 m": 0.5, "1 m + 5 mm": 1.005, "2 km - 500 m": 1500,
    "3 mm * 4 mm": 12e-6, "6 kN/(2 m)": 3000, "(1 N)/(2 mm)": 500, "1 h + 30 min": 5400, "2*3 kg": 6, "sqrt(4 mm^2)": 2e-3,
    "max(3 mm, 1 cm)": 0.01, "abs(-2 kN)": 2000, "sin(30 deg)": 0.5, "cos(60 deg)": 0.5, "5 N / (2 N)": 2.5, "min(1 t, 900 kg)": 900,
    "hypot(3 mm, 4 mm)": 5e-3, "atan2(1 mm, 1 mm)": PI / 4, "(3 m)^2/(1 m)": 9, "1 kN*2 m": 2000, "8 m/(4 s)": 2, "(60 km/h)^2": (60 / 3.6)**2,
    "tan(45 deg)": 1, "mod(7 mm, 4 mm)": 3e-3, "pow(2, 3) mm": 8e-3, "exp(0) kg": 1, "2*(3 mm + 1 cm)": 0.026,
}

# field, a model with @ in its place, and what does not go there
BODY = "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
MARKER = "markers: {p: {body: ground, at: [1, 0, 0]}}\n"
SPRING = BODY + MARKER + "loads: {f: {type: spring, between: [b, p], "
TORSION = BODY + "joints: {j: {type: revolute, between: [b, ground], at: [0, 0, 0], axis: z}}\n" \
    "loads: {f: {type: torsion_spring, between: [b, ground], axis: z, "
WRONG = [
    ("bodies: {b: {mass: @, inertia: [1, 1, 1]}}",
     "5 mm; 3 N; 2 s; 4 m/s; 30 deg; 1 kg m; 7 kN/m; 2 kg/m; 5 MPa; 9.81 m/s^2; 1 lbf; 2 J; 6 kg^2; 3 Hz"),
    ("bodies: {b: {mass: 1, inertia: [1, 1, @]}}",
     "5 kg; 3 m^2; 2 kg m; 4 N m; 30 deg; 1 mm^4; 7 kg/m^2; 2 J; 5 Pa; 1 kg mm; 8 N m s; 3 t; 2 kg m^3"),
    ("bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0, @, 0]}}",
     "3 deg; 2 kg; 5 s; 4 m/s; 1 m^2; 7 N; 2 N/m; 60 km/h; 3 Hz; 5 rad; 9 mm^-1; 1 N m; 2 mm/s^2; 4 J"),
    ("bodies: {b: {mass: 1, inertia: [1, 1, 1], velocity: [@, 0, 0]}}",
     "3 m; 2 rad/s; 1200 rpm; 5 m/s^2; 7 N s/m; 1 kg m/s; 30 deg; 4 Hz; 2 mm; 9 km h; 6 s/m; 3 m^2/s"),
    ("bodies: {b: {mass: 1, inertia: [1, 1, 1], angular_velocity: [@, 0, 0]}}",
     "3 m/s; 30 deg; 2 rad; 5 rad/s^2; 4 s; 1 rev; 7 N m s; 60 km/h; 2 rpm s; 8 mm; 6 min; 3 m"),
    ("gravity: [0, 0, @]\n" + BODY, "9.81 m/s; 9.81 N; 9.81 m; 3 rad/s^2; 1 kg m/s^2; 2 N/m; 5 s^-2; 4 m^2/s^2; 7 m/s^3; 30 deg; 9.81 kg; 2 Pa"),
    (SPRING + "stiffness: @, free_length: 1}}", "28 kN; 3 N m; 5 N s/m; 2 N m/rad; 4 MPa; 7 kg; 1 N mm; 12 lbf; 6 J; 3 N/s; 9 kN/m^2; 2 m/N"),
    (SPRING + "stiffness: 1, free_length: 1, damping: @}}",
     "28 kN/m; 3 N s; 5 N m s; 2 N m s/rad; 4 kN; 7 s; 1 kg; 12 lbf/in; 6 N/(m/s^2); 3 Pa; 9 kg m/s; 2 N/s"),
    (SPRING + "stiffness: 1, free_length: @}}", "3 N; 2 deg; 5 kg; 7 mm^2; 4 s; 1 m/s; 6 N/m; 8 rad; 2 Hz; 3 m^-1; 9 t; 5 MPa"),
    (SPRING + "stiffness: 1, free_length: 1, preload: @}}", "3 N m; 2 kg; 5 N/m; 7 MPa; 4 m/s^2; 1 J; 6 W; 8 mm; 2 t; 3 N s; 9 kg m; 5 kg m/s"),
    (TORSION + "stiffness: @}}", "28 kN/m; 3 N; 5 N m s/rad; 2 N/rad; 4 MPa; 7 kg m; 1 mm; 12 lbf/in; 6 W; 3 N m^2; 9 deg; 2 s"),
    (TORSION + "stiffness: 1, damping: @}}", "28 N m/rad; 3 N s/m; 5 N m; 2 N m s^2; 4 W; 7 kg; 1 s; 12 N; 6 kg m; 3 Pa; 9 rpm; 2 N m/s"),
    (BODY + "joints: {j: {type: revolute, between: [b, ground], at: [0, 0, 0], axis: z, angle: @}}",
     "3 m; 2 rpm; 5 deg/s; 7 N m; 4 s; 1 mm; 6 Hz; 8 kg; 2 m/s; 3 rad s; 9 N; 5 deg m"),
    (BODY + "joints: {j: {type: translational, between: [b, ground], axis: z, displacement: @}}",
     "3 deg; 2 m/s; 5 rad; 7 N; 4 s; 1 mm^2; 6 Hz; 8 kg; 2 rpm; 3 m s; 9 N/m; 5 m^-1"),
    (BODY + "loads: {f: {type: force, on: b, components: [@, 0, 0]}}",
     "3 N m; 2 kg; 5 N/m; 7 MPa; 4 m; 1 J; 6 W; 8 mm; 30 deg; 3 N s; 9 kg m; 60 km/h; abs(-2 m); max(2, 3 N m); sqrt(4 m^2); "
     "hypot(3 kg, 4 kg); STEP(time, 0, 0, 1, 5 m); table(time, 0, 0, 1, 3 m); pow(2 m, 2); min(1 kg, 2); SHF(time, 0, 2 mm, 3)"),
    (BODY + "loads: {f: {type: torque, on: b, components: [0, @, 0]}}",
     "3 N; 2 kN; 5 N/m; 7 MPa; 4 m; 1 W; 6 kg m; 8 lbf; 30 deg; 3 N m s; 9 N m^2; 5 kg"),
    (BODY + "outputs: {o: @}", "3 mm + 2 kg; 1 s - 4 m; sin(3 mm); exp(2 kg); max(1 m, 2 s); 2^(3 mm); hypot(3 mm, 4 N); 5 N + 2 N m; "
     "atan2(1 m, 1 s); mod(5 mm, 2 s); cos(1 kN); log(3 kg)"),
]


class Uses(ModelCase):
    def test_right(self):
        self.assertGreaterEqual(len(RIGHT), 200)
        names = [f"v{k}" for k in range(len(RIGHT))]
        text = BODY + "operating_point: {type: given}\nparameters:\n" + "".join(f"  {n}: '{x}'\n" for n, x in zip(names, RIGHT))
        text += "outputs:\n" + "".join(f"  o_{n}: {n}\n" for n in names)
        found = {s["name"]: s["value"] for s in self.run_it("equilibrium", text)["signals"]}
        for name, (written, value) in zip(names, RIGHT.items()):
            with self.subTest(written):
                self.assertAlmostEqual(found["o_" + name], value, delta=4e-16 * abs(value) + 1e-300)

    def test_wrong(self):
        cases = [(model, text) for model, texts in WRONG for text in texts.split("; ")]
        self.assertGreaterEqual(len(cases), 200)
        for model, text in cases[:: 1 if EFFORT > 1 else 5]:
            with self.subTest(text=text, model=model):
                run = self.try_it("modes", model.replace("@", f'"{text}"') + "\noperating_point: {type: given}\n")
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertRegex(run.stderr, "is needed|check the units|of one dimension|is no unit")

    # What measures are of: warned of where it is certain.
    def warnings(self, expression):
        model = ("parameters: {k: 5 N/m, far: 20 cm, n: 3}\n" + BODY.replace("}}", ", position: [1, 0, 0], velocity: [1, 0, 0]}}") +
                 "joints: {g: {type: translational, between: [b, ground], axis: x}}\n"
                 f"outputs: {{o: \"{expression}\"}}\noperating_point: {{type: given}}\n")
        return [w for w in self.run_it("equilibrium", model)["warnings"] if w.startswith("output o: expression: ")]

    def test_measures(self):
        for text, words in {
                "DX(b) + FX(g)": "a length, after it a force: they cannot be added", "DX(b) - VX(b)": "cannot be subtracted",
                "DX(b)^2 + far": "an area, after it a length", "sin(DX(b))": "argument 1 is a length",
                "k*DX(b) + far": "a force, after it a length", "min(DX(b), VX(b))": "of one dimension",
                "STEP(DX(b), 0 s, 0, 1 s, 1)": "of one dimension", "2^DX(b)": "the exponent behind this is a length",
                "exp(VX(b)/DX(b))": "a rate or frequency", "time + DX(b)": "a time, after it a length",
                "AX(b) + DX(b)": "an angle or a ratio, after it a length", "TX(g) - FX(g)": "after it a force",
                "abs(DX(b)) + FX(g)": "a length, after it a force", "sqrt(DX(b)^2 + DY(b)^2) + FX(g)": "a length, after it a force",
                "max(0, DX(b)) - VX(b)": "cannot be subtracted", "min(3, 2*(DX(b) + VX(b)))": "cannot be added",
                "STEP(time, 0, 0 m, 1, 1 m)*DX(b) + FX(g)": "an area, after it a force", "pow(DX(b), 2) + DX(b)": "an area, after it",
                "table(DX(b), 0, 0, 1, 2 m) + FX(g)": "a length, after it a force", "hypot(DX(b), DY(b)) + AX(b)": "a length, after it",
                "3*n + (WX(b) + ACCX(b))": "after it an acceleration"}.items():
            with self.subTest(text):
                found = self.warnings(text)
                self.assertEqual(len(found), 1, found)
                self.assertIn(words, found[0])

    def test_measures_without_a_warning(self):
        for text in ("DX(b) + 3", "n*DX(b) + VX(b)", "k*DX(b) + FX(g)", "sqrt(DX(b)^2 + DY(b)^2) - far", "sin(time)", "exp(-time)",
                     "sin(AX(b))", "STEP(time, 0, 0, 1, 5)", "DX(b)/far + 1", "sin(DX(b)/far)", "atan2(DX(b), DY(b))", "VX(b)*time + DX(b)",
                     "max(0, DX(b))", "DX(b)^n + far", "max(0, DX(b))*k + FX(g)", "abs(VX(b))*VX(b) + VX(b)^2", "sqrt(DX(b)^2) + far",
                     "sign(VX(b))*k*far + FX(g)", "STEP(time, 0, 0, 1, 5)*FX(g) + FX(g)", "table(DX(b), 0, 0, 1, 2) + FX(g)",
                     "pow(DX(b), n) + far", "max(1, DX(b)/far) + sin(AX(b))", "mod(AX(b), 2*pi)", "sqrt(k/(1 kg))*1 s + AX(b)", "WX(b)*DX(b) - VX(b)", "FX(g)*far + TX(g)", "2*time - 3"):
            with self.subTest(text):
                self.assertEqual(self.warnings(text), [])

    # Units that are named for signals: nothing is converted.
    def of_labels(self, units, expression, label):
        """Of an output, of a variable and of a quantity of steady motion that have this unit."""
        scale = {"": (1, 1), "units: [mm, t, s]\n": (1e3, 1e-3), "units: [cm, g, ms]\n": (1e2, 1e3)}[units]
        text = f"{{expression: \"{expression}\", unit: {label}}}"
        model = (f"{units}parameters: {{k: 5 N/m, far: 20 cm}}\n"
                 f"bodies: {{b: {{mass: {2 * scale[1]}, inertia: [1, 1, 1], position: [{scale[0]}, 0, 0]}}}}\n"
                 "joints: {g: {type: translational, between: [b, ground], axis: x}}\n"
                 f"outputs: {{o: {text}}}\nvariables: {{v: {text}}}\noperating_point: {{type: given}}\n")
        found = [w for w in self.run_it("equilibrium", model)["warnings"] if "unit" in w]
        self.assertEqual(len(found) % 2, 0, found)
        return found

    def test_units_of_signals(self):
        mm, cm = "units: [mm, t, s]\n", "units: [cm, g, ms]\n"
        for units, expression, label, words in (
                ("", "DX(b)", "mm", r"\[m, kg, s\].*not in its unit, mm.*divide by 0.001$"), (mm, "DX(b)", "m", r"\[mm, t, s\].*divide by 1000$"),
                (mm, "far - DX(b)", "cm", "divide by 10$"), ("", "AX(b)", "deg", "divide by 0.0174533$"), ("", "WX(b)", "rpm", "divide by 0.10472$"),
                (cm, "VX(b)", "m/s", "divide by 0.1$"), (cm, "FX(g)", "N", "divide by 0.1$"), (mm, "k*DX(b)", "kN", "divide by 1000$"),
                ("", "DX(b)", "N", "it is a length, and a force by its unit, N"), (mm, "time", "mm", "it is a time, and a length by its unit"),
                (mm, "far", "m", "divide by 1000$")):
            with self.subTest(expression, units=units, label=label):
                found = self.of_labels(units, expression, label)
                self.assertEqual([w.split(":")[0] for w in found], ["variable v", "output o"])
                self.assertRegex(found[0], words)
                self.assertRegex(found[1], words)

    def test_units_of_signals_that_are_right_or_not_known(self):
        mm = "units: [mm, t, s]\n"
        for units, expression, label in (("", "DX(b)", "m"), (mm, "DX(b)", "mm"), (mm, "FX(g)", "N"), (mm, "TX(g)", "N mm"), (mm, "k", "N/mm"),
                                         (mm, "DX(b)/1000", "m"), ("", "AX(b)*180/pi", "deg"), ("", "AX(b)", "rad"), ("", "3*DX(b)", "N"),
                                         ("", "DX(b)", "divisions"), ("units: [cm, g, ms]\n", "VX(b)", "cm/ms")):
            with self.subTest(expression, units=units, label=label):
                self.assertEqual(self.of_labels(units, expression, label), [])


if __name__ == "__main__":
    unittest.main()
