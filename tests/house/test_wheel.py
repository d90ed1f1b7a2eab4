"""tools/wheel.py: what a wheel that is passed on may bring, and the licences that it gets."""
import base64
import contextlib
import csv
import hashlib
import io
import os
import pathlib
import shutil
import unittest
import zipfile

import house

wheel = house.load_tool("wheel")
KNOWN = {"libblas": ("libblas3", "BSD-3-Clause"), "libklu": ("libklu1", "LGPL-2.1-or-later"),
         "libgf2x": ("libgf2x3", "GPL-2.0-or-later"), "libcurl": ("libcurl4", "curl"),
         "libgomp": ("libgomp1", "GPL-3.0-or-later WITH GCC-exception-3.1"),
         "libgmp": ("libgmp10", "LGPL-3.0-or-later OR GPL-2.0-or-later")}


class Faults(unittest.TestCase):
    def faults(self, *names):
        return wheel.faults({f"routh.libs/{name}": b"" for name in names}, KNOWN)

    def test_permissive_ones_and_those_of_the_lgpl_may_come_along(self):
        self.assertEqual(self.faults("libblas-5b50307c.so.3", "libklu-83ddea99.so.1.3.8", "libgomp-f9a9ad78.so.1.0.0",
                                     "libgmp-f9a9ad78.so.10"), [])

    def test_the_gpl_networks_and_strangers_may_not(self):
        self.assertEqual(self.faults("libgf2x-e7956bc6.so.3.0.0"),
                         ["routh.libs/libgf2x-e7956bc6.so.3.0.0: libgf2x is under GPL-2.0-or-later"])
        self.assertEqual(self.faults("libcurl-02fbea31.so.4"), ["routh.libs/libcurl-02fbea31.so.4: libcurl is a network library"])
        self.assertEqual(self.faults("libnew-02fbea31.so.4"),
                         ["routh.libs/libnew-02fbea31.so.4: docs/licences.md does not name libnew"])

    def test_the_page_names_all_that_is_linked_as_an_archive(self):
        known = wheel.libraries(wheel.PAGE.read_text())
        for name in (*wheel.ARCHIVES, *wheel.NAMES.values()):
            self.assertIn(name, known)
        self.assertEqual(known["libgf2x"], ("libgf2x3", "GPL-2.0-or-later"))

    @unittest.skipUnless(shutil.which("readelf"), "readelf is not installed")
    def test_what_a_program_needs_and_the_wheel_does_not_bring_is_seen(self):
        program = pathlib.Path(os.environ.get("ROUTH", house.ROOT / "build/routh")).read_bytes()
        found = wheel.faults({"routh.scripts/routh": program}, KNOWN)
        self.assertIn("routh.scripts/routh: needs libyaml-0.so.2, which the wheel does not bring", found)
        self.assertFalse([fault for fault in found if "libc.so.6" in fault])


class Licences(unittest.TestCase):
    def test_together_they_are_an_expression(self):
        self.assertEqual(wheel.expression(["MIT", "no restrictions", "LGPL-2.1-or-later AND MIT", "A OR B", "A OR B"]),
                         "MIT AND LGPL-2.1-or-later AND (A OR B)")

    def test_files_are_added_and_the_record_holds(self):
        with house.Tree({}) as root:
            path = root / "x-1-py3-none-any.whl"
            with zipfile.ZipFile(path, "w") as archive:
                script = zipfile.ZipInfo("x.data/scripts/x")
                script.external_attr = 0o755 << 16
                archive.writestr(script, "#!python\n")
                archive.writestr("x-1.dist-info/METADATA", "Name: x\n\nbody")
                archive.writestr("x-1.dist-info/RECORD", "")
            wheel.rewrite(path, {"x-1.dist-info/METADATA": b"Name: y\n\nbody", "x-1.dist-info/licenses/a.txt": b"free"})
            with zipfile.ZipFile(path) as archive:
                self.assertEqual(archive.read("x-1.dist-info/METADATA"), b"Name: y\n\nbody")
                self.assertEqual(archive.getinfo("x.data/scripts/x").external_attr >> 16, 0o755)
                rows = list(csv.reader(io.StringIO(archive.read("x-1.dist-info/RECORD").decode())))
                self.assertEqual(sorted(row[0] for row in rows), sorted(archive.namelist()))
                for name, digest, size in rows:
                    if not name.endswith("RECORD"):
                        data = archive.read(name)
                        wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                        self.assertEqual((digest, size), ("sha256=" + wanted, str(len(data))))

    def test_wrong_usage_and_a_wheel_without_a_program_are_refused(self):
        with house.Tree({}) as root, contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(wheel.main([]), 2)
            with zipfile.ZipFile(root / "x.whl", "w") as archive:
                archive.writestr("x.py", "")
            self.assertEqual(wheel.main(["check", str(root / "x.whl")]), 1)
        self.assertIn("no program", said.getvalue())


if __name__ == "__main__":
    unittest.main()
