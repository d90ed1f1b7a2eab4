"""routh sweep as a user meets it: its forms, its refusals, Ctrl-C."""
import csv
import io
import json
import math
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from working import has_worked

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])
ROTOR = SOURCE / "examples/jeffcott-rotor.yaml"


def routh(*arguments, status=0):
    done = subprocess.run([ROUTH, "sweep", *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (arguments, done.stderr)
    return done.stdout if status == 0 else done.stderr


class Sweep(unittest.TestCase):
    def test_the_forms_agree(self):
        arguments = [ROTOR, "--over", "spin=1:39:14", "--speed", "spin"]
        data = json.loads(routh(*arguments, "--json"))
        line = data["lines"][0]
        flutter = [e for e in line["events"] if e["kind"] == "flutter"]
        self.assertEqual(len(flutter), 1)
        self.assertAlmostEqual(flutter[0]["value"], 30, delta=1e-10)
        self.assertIn("30  +-", routh(*arguments).replace("29.99999999999", "30").replace("30.00000000000", "30"))
        rows = list(csv.DictReader(io.StringIO(routh(*arguments, "--csv"))))
        self.assertEqual(len(rows), sum(len(p["eigenvalues"]) for p in line["points"]))
        e = line["points"][3]["eigenvalues"][2]
        match = [r for r in rows if float(r["spin"]) == line["points"][3]["value"]
                 and r["branch"] == line["names"][e["branch"]]]
        self.assertEqual([float(match[0]["real"]), float(match[0]["imaginary"])], e["eigenvalue"])
        self.assertEqual(float(match[0]["damping_ratio"]), 0 - e["eigenvalue"][0] / math.hypot(*e["eigenvalue"]))

    def test_values_are_those_of_modes(self):
        rows = list(csv.DictReader(io.StringIO(routh(ROTOR, "--over", "k=500, 800", "--set", "spin=12", "--csv"))))
        modes = subprocess.run([ROUTH, "modes", ROTOR, "--set", "spin=12", "--csv"], capture_output=True, text=True,
                               check=True).stdout
        want = sorted(float(r["real"]) for r in csv.DictReader(io.StringIO(modes)))
        have = sorted(float(r["real"]) for r in rows if float(r["k"]) == 800)
        for x, y in zip(want, have, strict=True):
            self.assertAlmostEqual(x, y, delta=1e-12)

    def test_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            for more in ([], ["--over", "inner=1:5:3"]):
                path = pathlib.Path(folder) / "sweep.svg"
                routh(ROTOR, "--over", "spin=0:40:21", *more, "--speed", "spin", "--svg", path, "-o", os.devnull)
                root = xml.etree.ElementTree.fromstring(path.read_text())
                text = "".join(root.itertext())
                self.assertIn("largest real part" if more else "damping ratio", text)
                self.assertIn("flutter", text)

    def test_a_boundary_over_two_parameters(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = [ROTOR, "--over", "spin=1:59:7", "--boundary", "inner=1:6"]
            path = pathlib.Path(folder) / "sweep.svg"
            data = json.loads(routh(*arguments, "--json", "--svg", path))
            self.assertEqual(len(data["boundaries"]), 1)
            points = data["boundaries"][0]["points"]
            for p in points:
                self.assertAlmostEqual(p["value"], 20 * (1 + 2 / p["second"]), delta=1e-9)
            self.assertIn("flutter", "".join(xml.etree.ElementTree.fromstring(path.read_text()).itertext()))
            table = routh(*arguments).split("Boundary: flutter")[1]
            self.assertEqual(table.count("border"), 2)
            self.assertIn("28.06401626", table)
            page = pathlib.Path(folder) / "page.html"
            subprocess.run([ROUTH, "report", ROTOR, "--sweep", "spin=1:59:7", "--boundary", "inner=1:6", "-o", page], check=True,
                           capture_output=True)
            shown = json.loads(page.read_text().split('id="routh-data">')[1].split("</script>")[0])["sweep"]
            self.assertEqual(shown["boundaries"], data["boundaries"])
        for text, word in (("inner", "inner=1:6"), ("inner=6:1", "inner=1:6"), ("inner=5:6", "a range (--boundary)"), ("rate=0:1", "rate"),
                           ("spin=0:20", "a second parameter")):
            self.assertIn(word, routh(ROTOR, "--over", "spin=1:59:7", "--boundary", text, status=2))

    def test_a_map_has_its_boundary_on_every_line(self):
        data = json.loads(routh(ROTOR, "--over", "spin=1:64:10", "--over", "inner=2:6:5", "--json"))
        for line in data["lines"]:
            flutter = [e["value"] for e in line["events"] if e["kind"] == "flutter"]
            self.assertEqual(len(flutter), 1)
            self.assertAlmostEqual(flutter[0], 20 * (1 + 2 / line["second"]), delta=1e-9)

    def test_what_is_wrong_is_refused(self):
        for arguments, word in ([[ROTOR], "--over"], [[ROTOR, "--over", "spin"], "spin=0:2*pi:41"],
                                [[ROTOR, "--over", "spin=1:2:3", "--orders", "1"], "--speed"],
                                [[ROTOR, "--over", "spin=1:2:3", "--speed", "spin", "--orders", "x"], "--orders"],
                                [[ROTOR, "--over", "spin=1:2:3", "--penalty", "xi=2"], "--penalty"],
                                [[ROTOR, "--over", "spin=1:2:3", "--set", "spin=1"], "swept"],
                                [[ROTOR, "--over", "rate=1:2:3"], "no parameter 'rate'"]):
            self.assertIn(word, routh(*arguments, status=2))

    def test_the_section_of_the_report(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.html"

            def report(*arguments, status=0):
                done = subprocess.run([ROUTH, "report", *map(str, arguments), "-o", page], capture_output=True, text=True,
                                      check=False)
                self.assertEqual(done.returncode, status, done.stderr)
                return done.stderr

            # the speed that is set is the report's own, and one of the sweep's
            report(ROTOR, "--set", "spin=12.5", "--sweep", "spin=0:40:21", "--speed", "spin")
            text = page.read_text().split('id="routh-data">')[1].split("</script>")[0]
            data = json.loads(text)
            line = data["sweep"]["lines"][0]
            self.assertEqual(line["values"][line["own"]], 12.5)
            for branch in line["branches"]:
                re, im = data["modes"][branch["mode"]]["eigenvalue"]
                self.assertAlmostEqual(branch["re"][line["own"]], re, delta=1e-8)
                self.assertAlmostEqual(branch["im"][line["own"]], im, delta=1e-8)
            self.assertEqual(len({b["mode"] for b in line["branches"]}), 2)
            # outside the values there is nothing to hold the modes against
            report(ROTOR, "--set", "spin=50", "--sweep", "spin=0:40:5")
            text = page.read_text().split('id="routh-data">')[1].split("</script>")[0]
            self.assertNotIn("own", json.loads(text)["sweep"]["lines"][0])
            for arguments, word in ([["--speed", "spin"], "needs --sweep"], [["--orders", "1"], "needs --sweep"],
                                    [["--boundary", "inner=1:6"], "needs --sweep"],
                                    [["--sweep", "spin"], "spin=0:2*pi:41"], [3 * ["--sweep=spin=1:2:3"], "given 3 times"],
                                    [["--sweep", "rate=1:2:3"], "no parameter 'rate'"]):
                self.assertIn(word, report(ROTOR, *arguments, status=2))
            self.assertIn("not standard input", report("-", "--sweep", "spin=1:2:3", status=2))

    def test_what_asks_the_program_to_end_keeps_what_is_done(self):
        for request in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            run = subprocess.Popen([ROUTH, "sweep", ROTOR, "--over", "spin=0:40:400000", "--json", "--threads", "2"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            has_worked(run, 1.5)
            run.send_signal(request)
            out, said = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 128 + request, said)
            self.assertIn("interrupted", said)
            data = json.loads(out)
            self.assertTrue(data["interrupted"])
            # the starts of pieces alone were found by then
            values = [p["value"] for p in data["lines"][0]["points"]]
            self.assertGreater(len(values), 2)
            self.assertTrue(all(x < y for x, y in zip(values, values[1:])))
            self.assertTrue(all(len(p["eigenvalues"]) == 4 for p in data["lines"][0]["points"]))


if __name__ == "__main__":
    unittest.main()
