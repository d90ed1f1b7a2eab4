"""Variants of a part: under names, in its entry or its file; a file that sets parameters of another, a file of the same name in
another library, a number that chooses."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402

ROUTH = os.environ["ROUTH"]
EFFORT = int(os.environ.get("ROUTH_TEST_EFFORT") or 1)
STRUT = """connections: [root]
exports: [m, k]
parameters: {k: 100, sport: 0, rate: "k*(1 + 3*sport)"}
bodies: {m: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: translational, between: [m, root], at: [0, 0, 0], axis: x}}
loads: {s: {type: bushing, between: [m, root], at: [0, 0, 0], translation: {stiffness: rate}}}
"""
SPORT = "connections: [root]\nexports: [strut.m]\nparts: {strut: {file: strut.yaml, set: {k: 900}, connect: {root: root}}}\n"
ONE = "parts: {p: {file: FILE, connect: {root: ground}}}\n"


class Variants(PartsCase):
    def stiffness(self, text, *options):
        return self.run_it("linearize", text, *options)["stiffness"][0][0]

    def test_a_file_that_sets_parameters_of_another(self):
        self.file("strut.yaml", STRUT)
        self.file("sport.yaml", SPORT)
        self.assertEqual(self.stiffness(ONE.replace("FILE", "strut.yaml")), 100)
        self.assertEqual(self.stiffness(ONE.replace("FILE", "sport.yaml")), 900)

    def test_a_library_with_a_file_of_the_same_name(self):
        for name, k in (("comfort", 100), ("sport", 700)):
            self.file(f"{name}/strut.yaml", STRUT.replace("k: 100", f"k: {k}"))
        model = self.file("car/model.yaml", ONE.replace("FILE", "strut.yaml"))
        for name, frequency in (("comfort", 10), ("sport", 700**0.5)):
            done = subprocess.run([ROUTH, "modes", str(model), "--library", self.path(name), "--csv"], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            head, *lines = [line.split(",") for line in done.stdout.strip().splitlines()]
            self.assertAlmostEqual(abs(float(lines[0][head.index("imaginary")])), frequency, 9)

    def test_a_number_that_chooses(self):
        self.file("strut.yaml", STRUT)
        one = ONE.replace("FILE", "strut.yaml")
        self.assertEqual(self.stiffness(one, "--set", "p.sport=1"), 400)
        model = "parameters: {sport: 0}\n" + one.replace("connect", "set: {sport: sport}, connect")
        self.assertEqual(self.stiffness(model), 100)
        self.assertEqual(self.stiffness(model, "--set", "sport=1"), 400)


# ---- variants under names ----------------------------------------------------------------------------------------------------

TYRE = """connections: [hub]
exports: [k, mass]
parameters: {k: 200, c: 1, m: 2, soft: 1}
variants:
  wet: {set: {k: 150, c: 3}}
  rain: {set: {soft: 0.5, k: "m*60"}}
bodies: {mass: {mass: m, inertia: [0.2, 0.25, 0.3, 0.01, 0.02, 0.03], position: [0.1, 0.2, 0.3]}}
joints: {hold: {type: translational, between: [mass, hub], at: [0.1, 0.2, 0.3], axis: [1, 2, 3]}}
loads:
  tread: {type: bushing, between: [mass, hub], at: [0.1, 0.2, 0.3], translation: {stiffness: [k*soft, 2*k, 3*k], damping: c}}
outputs: {y: DY(mass)}
"""
STUDDED = (TYRE.replace("k: 200, c: 1, m: 2, soft: 1", "k: 77, m: 3, c: 2, soft: 1, studs: 4").replace("3*k]", "3*k + studs]")
           .replace("  wet: {set: {k: 150, c: 3}}\n  rain: {set: {soft: 0.5, k: \"m*60\"}}\n", "  worn: {set: {studs: 1}}\n"))
CORNER = """connections: [car]
exports: [hub, k, tyre]
parameters: {k: 900, pressure: 1}
variants:
  summer: {}
  winter: {set: {pressure: 0.8}, parts: {tyre: winter}}
bodies: {hub: {mass: 4, inertia: [1, 1.1, 1.2], position: [0, 0.7, 0]}}
joints: {slide: {type: translational, between: [hub, car], at: [0, 0.7, 0], axis: [0.1, 0.2, 1]}}
loads: {spring: {type: bushing, between: [hub, car], at: [0, 0.7, 0], translation: {stiffness: [k, 2*k, 3*k]}}}
parts:
  tyre:
    {file: tyre.yaml, at: [0, 0.7, 0], connect: {hub: hub}, set: {k: 210*pressure, m: 2.5}, variant: summer,
     variants: {summer: {}, winter: {file: studded.yaml, set: {k: 90*pressure, studs: 7}}, wet: {variant: wet, set: {c: 9}},
                old: {file: studded.yaml, variant: worn, at: [0, 0.6, 0.1], mirror: x}}}
"""
CAR = """%s
bodies: {body: {mass: 50, inertia: [10, 11, 12]}}
loads: {hold: {type: bushing, between: [body, ground], at: [0, 0, 0], translation: {stiffness: 90}, rotation: {stiffness: 70}}}
parts:
  fr: {file: corner.yaml, at: [1, 0, 0], connect: {car: body}%s}
  fl: {file: corner.yaml, at: [1, 0, 0], mirror: y, connect: {car: body}%s}
  rr: {file: corner.yaml, at: [-1, 0, 0], connect: {car: body}%s}
  rl: {file: corner.yaml, at: [-1, 0, 0], mirror: y, connect: {car: body}%s}
"""
CARS = """variants:
  summer: {parts: {fr: summer, fl: summer, rr: summer, rl: summer}}
  winter: {parts: {fr: winter, fl: winter, rr: winter, rl: winter}}
"""


class Named(PartsCase):
    def setUp(self):
        super().setUp()
        for name, text in (("tyre", TYRE), ("studded", STUDDED), ("corner", CORNER)):
            self.file(f"{name}.yaml", text)

    def tyre(self, name, **changes):
        """The text of a tyre by hand: no variants, other values in its parameters."""
        lines = (TYRE if name == "tyre" else STUDDED).split("\n")
        lines = [line for line in lines if not line.startswith(("variants", "  wet", "  rain", "  worn"))]
        text = "\n".join(lines)
        for parameter, value in changes.items():
            head, found, rest = text.partition(f"{parameter}: ")
            self.assertTrue(found)
            end = min(k for k in (rest.find(","), rest.find("}")) if k >= 0)
            text = head + found + str(value) + rest[end:]
        return text

    def corner(self, name, tyre, entry, pressure=1):
        """The same of a corner, with a file for its tyre and what its entry says of that."""
        self.file(f"{name}_tyre.yaml", tyre)
        text = "\n".join(line for line in CORNER.split("\n") if not line.startswith(("variants", "  summer", "  winter")))
        text = text[:text.index("parts:")].replace("pressure: 1", f"pressure: {pressure}")
        self.file(f"{name}_corner.yaml", text + f"parts: {{tyre: {{file: {name}_tyre.yaml, {entry}, connect: {{hub: hub}}}}}}\n")
        return f"{name}_corner.yaml"

    def by_hand(self, files):
        text = CAR % ("", "", "", "", "")
        for name, file in zip(("fr", "fl", "rr", "rl"), files):
            text = text.replace(f"{name}: {{file: corner.yaml", f"{name}: {{file: {file}")
        return text

    def assert_same(self, one, two, *options):
        a, b = self.run_it("linearize", one, *options), self.run_it("linearize", two)
        for key in ("mass", "damping", "stiffness", "A", "output_values"):
            self.assert_near(a[key], b[key], 1e-13, key)

    def kinds(self):
        """How the tyre of a corner is chosen -> the corner by hand."""
        at = "at: [0, 0.7, 0]"
        return {
            "summer": self.corner("summer", self.tyre("tyre", k="210*1", m=2.5), at),
            "winter": self.corner("winter", self.tyre("studded", k="90*1", m=2.5, studs=7), at),
            "wet": self.corner("wet", self.tyre("tyre", k="210*1", m=2.5, c=9), at),
            "old": self.corner("old", self.tyre("studded", k="210*1", m=2.5, studs=1), "at: [0, 0.6, 0.1], mirror: x"),
        }

    def test_each_variant_is_the_model_written_by_hand(self):
        kinds = self.kinds()
        for tyre, file in kinds.items():
            given = [word for corner in ("fr", "fl", "rr", "rl") for word in ("--variant", f"{corner}.tyre={tyre}")]
            self.assert_same(CAR % ("", "", "", "", ""), self.by_hand([file] * 4), *given)
        mixed = ["summer", "winter", "wet", "old"]
        given = [word for corner, tyre in zip(("fr", "fl", "rr", "rl"), mixed) for word in ("--variant", f"{corner}.tyre={tyre}")]
        self.assert_same(CAR % ("", "", "", "", ""), self.by_hand([kinds[kind] for kind in mixed]), *given)

    def test_a_file_chooses_for_its_parts(self):
        kinds = self.kinds()
        winter = self.corner("cold", self.tyre("studded", k="90*0.8", m=2.5, studs=7), "at: [0, 0.7, 0]", 0.8)
        summer = self.by_hand([kinds["summer"]] * 4)
        self.assert_same(CAR % (CARS, "", "", "", ""), summer)
        self.assert_same(CAR % (CARS, "", "", "", ""), summer, "--variant", "summer")
        self.assert_same(CAR % (CARS, "", "", "", ""), self.by_hand([winter] * 4), "--variant", "winter")
        self.assert_same(CAR % ("variant: winter\n" + CARS, "", "", "", ""), self.by_hand([winter] * 4))
        self.assert_same(CAR % ("variant: winter\n" + CARS, "", "", "", ""), summer, "--variant", "summer")
        self.assert_same(CAR % ("", *([", variant: winter"] * 4)), self.by_hand([winter] * 4))
        # the variant of the file goes before the entry, what the caller says before both
        chosen = CAR % ("variant: summer\n" + CARS, *([", variant: winter"] * 4))
        self.assert_same(chosen, summer)
        files = [winter, kinds["summer"], kinds["summer"], kinds["summer"]]
        self.assert_same(chosen, self.by_hand(files), "--variant", "fr=winter")
        # `set` of an entry goes before that of the file's variant, --set before all
        pressed = CAR % ("", *([", variant: winter, set: {pressure: 1}"] * 4))
        self.assert_same(pressed, self.by_hand([kinds["winter"]] * 4))
        pressed = [word for corner in ("fr", "fl", "rr", "rl") for word in ("--set", f"{corner}.pressure=0.8")]
        self.assert_same(CAR % (CARS, *([", set: {pressure: 3}"] * 4)), self.by_hand([winter] * 4), "--variant", "winter", *pressed)

    def test_a_model_has_variants_of_its_own(self):
        text = ("%sparameters: {k: 100, double: 2*k}\nbodies: {m: {mass: 1, inertia: [1, 1, 1]}}\n"
                "joints: {j: {type: translational, between: [m, ground], at: [0, 0, 0], axis: x}}\n"
                "loads: {s: {type: bushing, between: [m, ground], at: [0, 0, 0], translation: {stiffness: double}}}\n")
        variants = "variants: {stiff: {set: {k: 400}}, square: {set: {double: k^2}}, plain: {}}\n"
        stiffness = lambda text, *options: self.run_it("linearize", text, *options)["stiffness"][0][0]  # noqa: E731
        for name, wanted in (("stiff", 800), ("square", 1e4), ("plain", 200)):
            self.assertEqual(stiffness(text % variants, "--variant", name), wanted)
            self.assertEqual(stiffness(text % (variants + f"variant: {name}\n")), wanted)
            self.assertEqual(stiffness(text % (variants + "variant: square\n"), "--variant", name), wanted)
        self.assertEqual(stiffness(text % variants), 200)
        self.assertEqual(stiffness(text % variants, "--variant", "square", "--set", "k=3"), 9)
        self.assertEqual(stiffness(text % variants, "--variant", "stiff", "--set", "k=3"), 6)
        done = self.run_it("sensitivity", text % variants, "--variant", "stiff")
        slopes = {row["parameter"]: row["value"] for row in done["modes"][0]["by"]}
        self.assertEqual(slopes["k"], 400)

    def test_one_blade_of_an_array(self):
        self.file("blade.yaml", "connections: [root]\nexports: [b]\nparameters: {k: 100}\nvariants: {cracked: {set: {k: 90}}}\n"
                  "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                  "joints: {j: {type: translational, between: [b, root], at: [0, 0, 0], axis: z}}\n"
                  "loads: {s: {type: bushing, between: [b, root], at: [0, 0, 0], translation: {stiffness: k}}}\n")
        array = "parts: {blade: {file: blade.yaml, count: 4, step: [1, 0, 0], connect: {root: ground}%s}}\n"
        diagonal = lambda text, *options: [row[k] for k, row in enumerate(self.run_it("linearize", text, *options)["stiffness"])]  # noqa: E731
        self.assertEqual(diagonal(array % ""), [100] * 4)
        self.assertEqual(diagonal(array % "", "--variant", "blade=cracked"), [90] * 4)
        self.assertEqual(diagonal(array % "", "--variant", "blade.3=cracked"), [100, 100, 90, 100])
        offered = "variants: {one: {parts: {blade.2: cracked}}, all: {parts: {blade: cracked}}}\n"
        self.assertEqual(diagonal(offered + array % "", "--variant", "one"), [100, 90, 100, 100])
        self.assertEqual(diagonal(offered + array % "", "--variant", "all"), [90] * 4)
        own = array % ", index: i, variant: a, variants: {a: {set: {k: 100 + i}}, b: {set: {k: 200 + i}}, c: {at: [0, 5, 0]}}"
        self.assertEqual(diagonal(own), [101, 102, 103, 104])
        self.assertEqual(diagonal(own, "--variant", "blade.4=b", "--variant", "blade.1=c"), [100, 102, 103, 204])
        placed = own + 'outputs: {y: DY(blade.1.b), x: DX(blade.2.b), z: DY(blade.2.b), w: DX(blade.1.b)}\n'
        self.assertEqual(self.run_it("linearize", placed, "--variant", "blade.1=c")["output_values"], [5, 1, 0, 0])
        self.assertEqual(self.run_it("linearize", placed, "--variant", "blade=c")["output_values"], [5, 1, 5, 0])

    def test_files_of_variants_in_other_units(self):
        """Every number is in the units of the file that it stands in, or of the parameter that it is for where it has one."""
        plain = "connections: [hub]\nparameters: {k: 2 N/mm, n: 4 kg}\n%sbodies: {b: {mass: n, inertia: [1, 1, 1]}}\n" \
                "joints: {j: {type: translational, between: [b, hub], at: [0, 0, 0], axis: x}}\n" \
                "loads: {s: {type: bushing, between: [b, hub], at: [0, 0, 0], translation: {stiffness: k}}}\n"
        self.file("si.yaml", plain % "variants: {a: {set: {k: 5000}}, b: {set: {k: 6 N/mm}}}\n")
        self.file("mm.yaml", "units: [mm, t, s]\n" + plain % "variants: {a: {set: {k: 5}}, b: {set: {k: 6000 N/m}}}\n")
        entry = ("%sparts: {p: {file: si.yaml, connect: {hub: ground}, variants: {si: {}, mm: {file: mm.yaml}, si_a: {variant: a}, "
                 "si_b: {variant: b}, mm_a: {file: mm.yaml, variant: a}, mm_b: {file: mm.yaml, variant: b}, "
                 "si_set: {set: {k: %s}}, mm_set: {file: mm.yaml, set: {k: %s}}, mm_word: {file: mm.yaml, set: {k: 9000 N/m}}}}}\n")
        wanted = {"si": 2000, "mm": 2000, "si_a": 5000, "mm_a": 5000, "si_b": 6000, "mm_b": 6000, "si_set": 7000, "mm_set": 7000,
                  "mm_word": 9000}
        for model in (entry % ("", "7000", "7000"), entry % ("units: [mm, t, s]\n", "7", "7")):
            for name, k in wanted.items():
                with self.subTest((name, model[:8])):
                    self.assert_near(self.run_it("linearize", model, "--variant", f"p={name}")["stiffness"], [[k]], 1e-13)
        for name, value in (("si", "3000"), ("mm", "3")):  # from outside in the units of its own file
            self.assert_near(self.run_it("linearize", entry % ("", 1, 1), "--variant", f"p={name}", "--set", f"p.k={value}")["stiffness"],
                             [[3000]], 1e-13)

    def test_files_of_variants_that_are_not_chosen_are_not_read(self):
        text = ("parts: {p: {file: tyre.yaml, connect: {hub: ground}, variants: {gone: {file: not_there.yaml}, "
                "out: {file: /etc/passwd}, self: {file: model.yaml}}}}\n")
        self.run_it("linearize", text)
        self.refused(text, "model.yaml:1:", "part 'p'", "'not_there.yaml' is not found", options=["--variant", "p=gone"])
        self.refused(text, "part 'p'", "leads out of the model's folder", options=["--variant", "p=out"])

    def test_a_circle_through_a_variant(self):
        self.file("a.yaml", "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nparts: {q: {file: tyre.yaml, connect: {hub: b}, "
                            "variants: {loop: {file: b.yaml}}}}\n")
        self.file("b.yaml", "connections: [hub]\nparts: {r: {file: a.yaml}}\n")
        text = "parts: {p: {file: a.yaml}}\n"
        self.run_it("linearize", text)
        self.refused(text, "b.yaml:2:", "part 'p.q.r'", "a.yaml is a part of itself, through part 'p'", options=["--variant", "p.q=loop"])

    def test_a_variant_with_other_connections_exports_and_inputs(self):
        self.file("driven.yaml", TYRE.replace("[hub]", "[hub, rod]").replace("[k, mass]", "[k, mass, f]") +
                  "inputs: {f: 0}\n".replace("outputs", "") +
                  "markers: {end: {body: mass}}\n")
        text = ("bodies: {c: {mass: 1, inertia: [1, 1, 1]}}\nloads: {h: {type: bushing, between: [c, ground], at: [0, 0, 0], "
                "translation: {stiffness: 3}, rotation: {stiffness: 4}}}\ninputs: {u: 1}\n"
                "parts: {p: {file: tyre.yaml, connect: {hub: c}, "
                "variants: {driven: {file: driven.yaml, connect: {rod: c}, inputs: {f: 2*u}}}}}\n%s")
        self.run_it("linearize", text % "")
        done = self.run_it("linearize", text % "outputs: {f: p.f}\n", "--variant", "p=driven")
        self.assertEqual(done["output_values"][0], 2)
        self.refused(text % "outputs: {f: p.f}\n", "output 'f'", "part 'p' has no 'f'")


USE = "parts: {p: {file: tyre.yaml, connect: {hub: ground}%s}}\n"
OFFER = USE % ", variants: {a: {set: {k: 3}}, b: {}}%s"
OWN = "variants: %s\n" + USE % ""
# (model, tyre.yaml or None, options, words of the message)
BROKEN = [
    (OFFER % ", variant: c", None, [], ["model.yaml:1:", "part 'p'", "has no variant 'c'", "its variants are a, b"]),
    (USE % ", variants: {winter: {}}, variant: wintr", None, [], ["part 'p'", "has no variant 'wintr'; did you mean 'winter'?"]),
    (USE % ", variant: wett", None, [], ["model.yaml:1:", "part 'p'", "tyre.yaml has no variant 'wett'; did you mean 'wet'?"]),
    (USE % ", variant: dry", None, [], ["part 'p'", "tyre.yaml has no variant 'dry'; its variants are wet, rain"]),
    (USE % ", variant: a", "plain", [], ["model.yaml:1:", "part 'p'", "'a' is asked for, and neither the part nor", "tyre.yaml has"]),
    (USE % ", variant: [a]", None, [], ["part 'p'", "variant must be a name"]),
    (USE % ", variant: ~", None, [], ["part 'p'", "variant has no value"]),
    (USE % ", variants: {}", None, [], ["model.yaml:1:", "part 'p'", "variants has none"]),
    (USE % ", variants: [a]", None, [], ["part 'p'", "variants must be a mapping"]),
    (USE % ", variants: 3", None, [], ["part 'p'", "variants must be a mapping"]),
    (USE % ", variants: {a: 3}", None, [], ["part 'p'", "the variant 'a' must be a mapping", "one that changes nothing is {}"]),
    (USE % ", variants: {a: }", None, [], ["part 'p'", "the variant 'a' must be a mapping"]),
    (USE % ", variants: {2x: {}}", None, [], ["part 'p'", "'2x' is not allowed"]),
    (USE % ", variants: {a: {count: 3}}", None, [], ["part 'p'", "'count' is not a field of a variant of a part"]),
    (USE % ", variants: {a: {sett: {k: 3}}}", None, [], ["part 'p'", "'sett' is not a field", "did you mean 'set'?"]),
    (USE % ", variants: {a: {variants: {}}}", None, [], ["part 'p'", "'variants' is not a field of a variant", "did you mean 'variant'?"]),
    (USE % ", variants: {a: {set: 3}}", None, [], ["part 'p'", "set must be a mapping"]),
    (USE % ", variants: {a: {set: {k: [1]}}}", None, [], ["part 'p'", "'k' must be a number or an expression, not a list"]),
    (USE % ", variants: {a: {set: {k: }}}", None, [], ["part 'p'", "'k' must be a number or an expression"]),
    (USE % ", variants: {a: {connect: {hub: [b]}}}", None, [], ["part 'p'", "hub must be a name"]),
    (USE % ", variants: {a: {file: ''}}", None, [], ["part 'p'", "file must be a name"]),
    (USE % ", set: 3, variants: {a: {set: {k: 3}}}, variant: a", None, [], ["part 'p'", "set must be a mapping"]),
    (USE % ", variants: {a: {set: {kk: 3}}}, variant: a", None, [], ["model.yaml:1:", "part 'p'", "tyre.yaml has no parameter 'kk'"]),
    (USE % ", variants: {a: {set: {k: 2*q}}}, variant: a", None, [], ["model.yaml:1:", "'p.k'", "the name 'q' is not known"]),
    (USE % ", variants: {a: {connect: {hubb: ground}}}, variant: a", None, [], ["part 'p'", "has no connection 'hubb'; did you mean 'hub'?"]),
    (USE % ", variants: {a: {connect: {hub: bdy}}}, variant: a", None, [], ["part 'p'", "is made to 'bdy', which is not defined here"]),
    (USE % ", variants: {a: {first: {hub: ground}}}, variant: a", None, [], ["part 'p'", "first is given without count"]),
    (USE % ", variants: {a: {mirror: w}}, variant: a", None, [], ["part 'p'", "mirror", "x, y, z"]),
    (USE % ", variants: {a: {at: [1, 2]}}, variant: a", None, [], ["part 'p'", "at must be a list of 3 numbers"]),
    (USE % ", variants: {a: {variant: weet}}, variant: a", None, [], ["part 'p'", "tyre.yaml has no variant 'weet'; did you mean 'wet'?"]),
    ("parts: {p: {connect: {hub: ground}, variants: {a: {file: tyre.yaml}, b: {}}}}\n", None, [],
     ["model.yaml:1:", "part 'p'", "file is missing", "none of its variants is chosen", "one of a, b"]),
    ("parts: {p: {connect: {hub: ground}, variants: {a: {file: tyre.yaml}, b: {}}, variant: b}}\n", None, [],
     ["part 'p'", "file is missing: the variant 'b' has none"]),
    ("parts: {p: {connect: {hub: ground}, variant: b}}\n", None, [], ["part 'p'", "file is missing"]),
    (OFFER % "", None, ["--variant", "p=c"], ["model.yaml: part 'p'", "has no variant 'c'", "a, b"]),
    (OFFER % "", None, ["--set", "p="], ["part 'p'", "has no variant ''"]),
    (OFFER % "", None, ["--variant", "q=a"], ["the model has no parameter 'q' to set", "variants of parts"]),
    (OFFER % "", None, ["--variant", "p.q=a"], ["the model has no parameter 'p.q' to set"]),
    (OFFER.replace("p:", "front:") % "", None, ["--variant", "frnt=a"], ["no parameter 'frnt' to set; did you mean 'front'?"]),
    (OFFER % "", None, ["--variant", "a"], ["the model has no `variants` of which one could be chosen"]),
    (OWN % "{a: {parts: {p: wet}}}", None, ["--variant", "b"], ["model.yaml has no variant 'b'; its variants are a"]),
    (OWN % "{a: {parts: {q: wet}}}", None, [], ["model.yaml:1:", "model.yaml has no part 'q'"]),
    (OWN % "{a: {parts: {p: [wet]}}}", None, [], ["model.yaml:1:", "p must be a name"]),
    (OWN % "{a: {parts: {p.1: wet}}}", None, [], ["model.yaml:1:", "has no part 'p.1'"]),
    (OWN % "{a: {parts: {p: wett}}}", None, ["--variant", "a"], ["model.yaml:1:", "part 'p'", "tyre.yaml has no variant 'wett'"]),
    (OWN % "{a: {set: {k: 3}}}", None, [], ["model.yaml:1:", "model.yaml has no parameter 'k'"]),
    (OWN % "{a: {file: x.yaml}}", None, [], ["model.yaml:1:", "'file' is not a field of a variant of a model file"]),
    (OWN % "{}", None, [], ["model.yaml:1:", "variants has none"]),
    (OWN % "{a: {}}\nvariant: b", None, [], ["model.yaml:2:", "model.yaml has no variant 'b'"]),
    ("variant: b\n" + USE % "", None, [], ["model.yaml:1:", "variant is given without variants"]),
    (OWN % "{a: {}}\nparameters: {variant: 3}", None, [], ["model.yaml:2:", "'variant' under `parameters`", "choose another"]),
    ("variants: {a: {parts: {p: c}}}\n" + OFFER % "", None, [], ["model.yaml:1:", "the part 'p' has no variant 'c'"]),
    (USE % "", TYRE.replace("k: 150", "kk: 150"), [], ["tyre.yaml:5:", "part 'p'", "tyre.yaml has no parameter 'kk'"]),
    (USE % "", TYRE.replace("{soft: 0.5", "{soft: [1]"), [], ["tyre.yaml:6:", "part 'p'", "'soft' must be a number"]),
    (USE % "", TYRE + "variant: dry\n", [], ["tyre.yaml:", "part 'p'", "tyre.yaml has no variant 'dry'"]),
    (USE % "", "variant: dry\n" + TYRE.replace("variants:", "x:").replace("x:\n  wet: {set: {k: 150, c: 3}}\n", "title: t\n").replace(
        "  rain: {set: {soft: 0.5, k: \"m*60\"}}\n", ""), [], ["tyre.yaml:1:", "part 'p'", "variant is given without variants"]),
    (USE % ", variant: wet", TYRE.replace("m: 2", "m: 2 kg").replace("c: 3", "m: 3 N"), [],
     ["tyre.yaml:5:", "parameter 'p.m'", "'p.m' is a mass in its own file, and what it is set to is a force"]),
    (USE % ", variants: {a: {set: {m: 3 N}}}, variant: a", TYRE.replace("m: 2", "m: 2 kg"), [],
     ["model.yaml:1:", "parameter 'p.m'", "is a mass in its own file, and what it is set to is a force"]),
    ("parameters: {q: 3 kg}\n" + OWN % "{a: {set: {q: 3 N}}}\nvariant: a", None, [],
     ["model.yaml:2:", "parameter 'q'", "is a mass in its own file, and what it is set to is a force"]),
    (USE % ", variant: rain", TYRE.replace("m*60", "q*60"), [], ["tyre.yaml:6:", "'p.k'", "the name 'q' is not known"]),
    (USE % ", variant: rain", TYRE.replace("m*60", "soft*k"), [], ["'p.k'", "need each other in a circle"]),
    ("parts: {p: {file: tyre.yaml, connect: {hub: ground}, count: 2}}\nvariants: {a: {parts: {p.3: wet}}}\n", None, ["--variant", "a"],
     ["model.yaml:2:", "the array has no part 'p.3'; it has 2"]),
    ("parts: {p: {file: tyre.yaml, connect: {hub: ground}, count: 2}}\n", None, ["--variant", "p.3=wet"], ["no parameter 'p.3' to set"]),
]


class BrokenVariants(PartsCase):
    def test_what_is_no_name_is_no_variant(self):
        """A parameter called `variant` is not set by --variant 12."""
        text = "parameters: {variant: 3}\nbodies: {b: {mass: variant, inertia: [1, 1, 1]}}\n"
        for given in ("12", "", "p=", "=p", "p=2*x", "p=1", "a b"):
            done = subprocess.run([ROUTH, "modes", self.write(text), "--variant", given], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("option --variant takes [PART=]NAME, not", done.stderr)

    def test_each_has_one_message_that_names_file_and_part(self):
        self.assertGreaterEqual(len(BROKEN), 50)
        for model, tyre, options, words in BROKEN:
            with self.subTest(words):
                plain = "connections: [hub]\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                self.file("tyre.yaml", plain if tyre == "plain" else tyre or TYRE)
                self.refused(model, *words, options=options)


# ---- random machines against files without variants --------------------------------------------------------------------------

class Machine:
    """Files three deep with variants everywhere, and the same resolved by rules written down here once more."""
    NAMES = ("a", "b", "c")

    def __init__(self, rng):
        self.rng = rng
        self.files = {f"leaf{k}.yaml": self.leaf() for k in range(3)}
        self.files |= {f"middle{k}.yaml": self.middle() for k in range(2)}
        self.files["model.yaml"] = {"bodies": {"root": {"mass": "7 kg", "inertia": ["3 kg m^2", "4 kg m^2", "5 kg m^2"]}},
                                    "loads": {"hold": bushing("root", "ground", "90 N/m", "80 N m/rad")},
                                    "parameters": self.parameters(), **self.inner("middle", 2, "root")}
        self.files["model.yaml"]["parts"].pop("array", None)
        self.files["model.yaml"]["parts"]["array"] = {**self.entry("leaf", 3, "root"), "count": "3", "step": ["0.1 m", "0.2 m", "0"]}
        self.offer(self.files["model.yaml"])
        self.settings = {}

    def some(self, *values):
        return values[self.rng.integers(len(values))]

    def number(self, unit):
        return f"{self.rng.integers(1, 50)/4!r}{' ' + unit if unit else ''}"

    def parameters(self):
        return {"base": self.number("N/m"), "k": self.number("N/m"), "bulk": self.number("kg"), "w": self.number("N m/rad")}

    def values(self):
        """Numbers with units, or expressions of parameters of the file that they stand in."""
        of = {"k": (self.number("N/m"), "2*k", "k/3 + base", "base + k"), "bulk": (self.number("kg"), "3*bulk"), "w": (self.number("N m/rad"), "w/2")}
        return {name: self.some(*of[name]) for name in of if self.rng.random() < 0.5}

    def own_values(self):
        """The same without the names that are set: there is no circle."""
        of = {"k": (self.number("N/m"), "base + base"), "bulk": (self.number("kg"),), "w": (self.number("N m/rad"),)}
        return {name: self.some(*of[name]) for name in of if self.rng.random() < 0.5}

    def place(self):
        out = {}
        if self.rng.random() < 0.5:
            out["at"] = [self.number("mm"), self.number("m"), self.number("mm")]
        if self.rng.random() < 0.4:
            out["orientation"] = {"axis": ["1", "2", "3"], "angle": self.number("deg")}
        if self.rng.random() < 0.6:
            out["mirror"] = self.some("x", "y", "z")
        return out

    def units(self):
        return self.some({}, {}, {"units": ["mm", "t", "s"]}, {"units": ["m", "kg", "ms"]})

    def leaf(self):
        file = {**self.units(), "connections": ["hub"], "exports": ["b"], "parameters": self.parameters()}
        p = [self.number("mm"), self.number("mm"), self.number("mm")]
        file["bodies"] = {"b": {"mass": "bulk", "inertia": ["2 kg m^2", "2.5 kg m^2", "3 kg m^2", "0.1 kg m^2", "0.2 kg m^2", "0.3 kg m^2"],
                                "position": p}}
        file["loads"] = {"s": bushing("b", "hub", "k", "w", p)}
        file["joints"] = {"j": {"type": "cylindrical", "between": ["b", "hub"], "at": p, "axis": ["1", "-2", "0.5"]}}
        file["outputs"] = {"y": "DY(b, hub)", "x": "DX(b)"}
        self.offer(file)
        return file

    def middle(self):
        file = {**self.units(), "connections": ["hub"], "exports": ["b"], "parameters": self.parameters()}
        file["bodies"] = {"b": {"mass": "bulk", "inertia": ["2 kg m^2", "2.5 kg m^2", "3 kg m^2"], "position": ["10 mm", "20 mm", "30 mm"]}}
        file["loads"] = {"s": bushing("b", "hub", "k", "w")}
        file |= self.inner("leaf", 3, "b")
        self.offer(file)
        return file

    def entry(self, kind, n, hub):
        entry = {"file": f"{kind}{self.rng.integers(n)}.yaml", "connect": {"hub": hub}, "set": self.values(), **self.place()}
        if self.rng.random() < 0.7:
            entry["variants"] = {}
            for name in self.NAMES[:self.rng.integers(1, 4)]:
                v = entry["variants"][name] = {"set": self.values(), **self.place()}
                if self.rng.random() < 0.5:
                    v["file"] = f"{kind}{self.rng.integers(n)}.yaml"
                if self.rng.random() < 0.5:
                    v["variant"] = self.some(*self.NAMES)
        if self.rng.random() < 0.6:
            entry["variant"] = self.some(*entry.get("variants", self.NAMES))
        return entry

    def inner(self, kind, n, hub):
        return {"parts": {name: self.entry(kind, n, hub) for name in ("p", "q")[:self.rng.integers(1, 3)]}}

    def offer(self, file):
        file["variants"] = {}
        for name in self.NAMES:
            v = file["variants"][name] = {"set": self.own_values()}
            chosen = {}
            for part, entry in file.get("parts", {}).items():
                if self.rng.random() < 0.4:
                    chosen[part] = self.some(*entry.get("variants", self.NAMES))
                if "count" in entry and self.rng.random() < 0.5:
                    chosen[f"{part}.2"] = self.some(*entry.get("variants", self.NAMES))
            if chosen:
                v["parts"] = chosen
        if self.rng.random() < 0.4:
            file["variant"] = self.some(*self.NAMES)

    # ---- resolved ----

    def choose_some(self):
        """Settings of the caller, of parts that are there."""
        if self.rng.random() < 0.6:
            self.settings["variant"] = self.some(*self.NAMES)
        model = self.files["model.yaml"]
        for part, entry in model["parts"].items():
            if self.rng.random() < 0.3:
                self.settings[part] = self.some(*entry.get("variants", self.NAMES))
            if "count" in entry and self.rng.random() < 0.5:
                self.settings[f"{part}.3"] = self.some(*entry.get("variants", self.NAMES))

    def plain(self):
        """{file: content} without a variant: of each part a file of its own."""
        self.out = {}
        self.resolve("model.yaml", "model.yaml", "", self.settings.get("variant"))
        return self.out

    def resolve(self, source, target, prefix, variant):
        file = copy.deepcopy(self.files[source])
        variants, own = file.pop("variants"), file.pop("variant", None)
        chosen = variants[variant or own] if variant or own else {}
        file["parameters"] |= chosen.get("set", {})
        parts = file.pop("parts", {})
        flat = file["parts"] = {}
        for name, entry in parts.items():
            count, step = int(entry.pop("count", 0)), entry.pop("step", None)
            for k in range(1, max(count, 1) + 1):
                full = f"{name}.{k}" if count else name
                of = [self.settings.get(prefix + full), self.settings.get(prefix + name), chosen.get("parts", {}).get(full),
                      chosen.get("parts", {}).get(name), entry.get("variant")]
                choice = next((c for c in of if c is not None), None)
                one = {key: value for key, value in copy.deepcopy(entry).items() if not key.startswith("variant")}
                inner = choice
                if "variants" in entry:
                    over = entry["variants"].get(choice, {})
                    inner = over.get("variant")
                    one |= {key: value for key, value in over.items() if key not in ("variant", "set")}
                    one["set"] = {**one["set"], **over.get("set", {})}
                if count:  # the parts of an array one by one
                    at = one.get("at", ["0 m", "0 m", "0 m"])
                    one["at"] = [f"({x}) + {k - 1}*({d})" if d != "0" else x for x, d in zip(at, step)]
                new = f"{prefix}{full}.yaml".replace(".", "_").replace("_yaml", ".yaml")
                self.resolve(one["file"], new, f"{prefix}{full}.", inner)
                one["file"] = new
                flat[full.replace(".", "_")] = one
        if not flat:
            file.pop("parts")
        self.out[target] = file


def bushing(body, other, k, w, at=("0", "0", "0")):
    return {"type": "bushing", "between": [body, other], "at": list(at), "translation": {"stiffness": [k, f"2*{k}" if k == "k" else k, k]},
            "rotation": {"stiffness": w}}


class Random(PartsCase):
    def test_random_machines_are_those_without_variants(self):
        for seed in range(4 * EFFORT):
            machine = Machine(numpy.random.default_rng(seed))
            machine.choose_some()
            given = [word for name, value in machine.settings.items()
                     for word in ("--variant", value if name == "variant" else f"{name}={value}")]
            with self.subTest(seed=seed, given=given):
                answers = []
                for folder, files, options in (("one", machine.files, given), ("two", machine.plain(), [])):
                    for name, content in files.items():
                        self.file(f"{folder}/{name}", yaml.safe_dump(json.loads(json.dumps(content)), sort_keys=False))
                    done = subprocess.run([ROUTH, "linearize", self.path(f"{folder}/model.yaml"), "--json", "-q", *options],
                                          capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 0, f"{folder}: {done.stderr}")
                    answers.append(json.loads(done.stdout))
                for key in ("mass", "stiffness", "A", "output_values"):
                    self.assert_near(answers[0][key], answers[1][key], 1e-13, key)


if __name__ == "__main__":
    unittest.main()
