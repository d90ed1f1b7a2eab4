"""docs/licences.md names what the library loads, no more and no less, with the licence that Debian records; the program loads no
other, and holds those that it does not load."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import house

PAGE = house.ROOT / "docs/licences.md"
PROGRAM = os.environ.get("ROUTH", str(house.ROOT / "build/routh"))
LIBRARY = str(pathlib.Path(PROGRAM).parent / "librouth.so")
# A word of each licence that stands in Debian's copyright file of a package.
WORDS = {
    "Apache-2.0": r"Apache",
    "BSD-2-Clause": r"Redistribution\s+and\s+use",
    "BSD-3-Clause": r"Redistribution\s+and\s+use|BSD",
    "BSD-4-Clause": r"BSD-4-clause",
    "GPL-2.0-only": r"General\s+Public\s+License|GPL-2",
    "GPL-2.0-or-later": r"GPL-2\+|GNU\s+General\s+Public\s+License",
    "GPL-3.0-or-later": r"GPL-3|GNU\s+General\s+Public\s+License",
    "GCC-exception-3.1": r"GCC\s+(Runtime\s+Library\s+)?Exception|Runtime\s+Library\s+Exception",
    "LGPL-2.0-or-later": r"LGPL-2\+",
    "LGPL-2.1-or-later": r"LGPL|Lesser\s+General\s+Public",
    "LGPL-3.0-or-later": r"LGPL|Lesser\s+General\s+Public",
    "MIT": r"Permission\s+is\s+hereby\s+granted|Permission\s+to\s+use|MIT",
    "OLDAP-2.8": r"OpenLDAP",
    "Zlib": r"provided 'as-is'|zlib",
    "bzip2-1.0.6": r"Julian R? ?Seward",
    "curl": r"curl",
    "no restrictions": r"No licensing restrictions",
}


def rows(text):
    """library -> (package, licence, with, linked by Routh) of the page's two tables."""
    found = {}
    for part in re.split(r"(?m)^### ", text)[1:]:
        for cells in re.findall(r"(?m)^\| (lib\S+) \| (\S+) \| ([^|]+) \| (\S+) \|", part):
            if cells[0] in found:
                raise ValueError(f"{cells[0]} is named twice")
            found[cells[0]] = (*cells[1:], part.startswith("Linked by Routh"))
    return found


def plain(licence):
    return re.sub(r" \(\d\)", "", licence).replace("*", "")


def loaded(program):
    """name -> path of each library that ldd sees, the loader and the kernel's part left out."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^\s*(lib\S+) => (\S+)", said, re.MULTILINE))


def needed(program):
    said = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"NEEDED.*\[(lib[^\]]+)\]", said))


def built_in(program):
    told = json.loads(subprocess.run([program, "version", "--json"], capture_output=True, check=True).stdout)
    return told, {part["name"] for part in told["components"] if part["present"]}


def differences(table, libraries, components):
    """What the page says too much and too little."""
    static = "SUNDIALS" in components and not any("sundials" in name for name in libraries)
    wanted = {name for name, (_, _, condition, _) in table.items()
              if (condition == "always" or condition in components) and not (static and condition == "SUNDIALS")}
    return sorted(set(libraries) - wanted), sorted(wanted - set(libraries))


def debian_12():
    release = pathlib.Path("/etc/os-release")
    return release.exists() and 'VERSION_ID="12"' in release.read_text() and shutil.which("dpkg-query")


class Page(unittest.TestCase):
    def setUp(self):
        self.table = rows(PAGE.read_text())

    def test_its_licences_are_known_ones(self):
        self.assertGreater(len(self.table), 60)
        for name, (_, licence, _, _) in self.table.items():
            for word in re.split(r" (?:AND|OR|WITH) ", plain(licence)):
                self.assertIn(word, WORDS, name)

    def test_only_flint_brings_a_part_under_the_gpl(self):
        """A licence that leaves the choice, or has the exception of compilers' libraries, is none."""
        gpl = {name: condition for name, (_, licence, condition, _) in self.table.items()
               if re.match(r"GPL[^ ]*$", plain(licence))}
        self.assertEqual(gpl, {"libgf2x.so.3": "FLINT"})

    def test_what_the_page_of_reports_embeds_is_named(self):
        package = json.loads((house.ROOT / "viewer/package.json").read_text())
        locked = json.loads((house.ROOT / "viewer/package-lock.json").read_text())["packages"]
        section = re.search(r"(?ms)^## What is embedded\n(.*?)^## ", PAGE.read_text()).group(1)
        for name in package["dependencies"]:
            self.assertRegex(section, rf"{name}(\.js)? \({locked['node_modules/' + name]['license']}\)")

    def test_a_library_more_or_less_would_be_seen(self):
        table = {"liba.so.1": ("a", "MIT", "always", True), "libb.so.1": ("b", "MIT", "FLINT", True)}
        self.assertEqual(differences(table, {"liba.so.1": "", "libb.so.1": ""}, {"FLINT"}), ([], []))
        self.assertEqual(differences(table, {"liba.so.1": ""}, set()), ([], []))
        self.assertEqual(differences(table, {"liba.so.1": "", "libc.so.1": ""}, {"FLINT"}), (["libc.so.1"], ["libb.so.1"]))


@unittest.skipUnless(debian_12() and shutil.which("ldd") and shutil.which("readelf"),
                     "the page is about Debian 12, and this is another system")
class OnDebian(unittest.TestCase):
    def setUp(self):
        self.table = rows(PAGE.read_text())
        self.libraries = loaded(LIBRARY)
        self.told, self.components = built_in(PROGRAM)

    def test_the_page_names_what_the_library_loads(self):
        missing, idle = differences(self.table, self.libraries, self.components)
        self.assertEqual((missing, idle), ([], []), "not on the page; on the page and not loaded")

    def test_what_routh_links_stands_in_the_first_table(self):
        wanted = {name for name in self.libraries if self.table[name][3]}
        if "FLINT" not in self.components:
            wanted.remove("libgmp.so.10") # which libgnutls loads too
        self.assertEqual(needed(LIBRARY), wanted)

    def test_the_program_loads_nothing_more(self):
        self.assertLessEqual(set(loaded(PROGRAM)), set(self.libraries))

    def test_packages_and_licences_are_those_of_debian(self):
        for name, path in self.libraries.items():
            package, licence, _, _ = self.table[name]
            with self.subTest(name):
                held = subprocess.run(["dpkg-query", "-L", package], capture_output=True, text=True, check=True).stdout
                files = {os.path.realpath(line) for line in held.splitlines() if ".so" in line}
                self.assertIn(os.path.realpath(path), files)
                record = pathlib.Path("/usr/share/doc", package, "copyright").read_text(errors="replace")
                for word in re.split(r" (?:AND|OR|WITH) ", plain(licence)):
                    self.assertRegex(record, WORDS[word])

    def test_the_program_tells_the_licence_that_the_page_gives_the_whole(self):
        gpl = any(re.match(r"GPL[^ ]*$", plain(self.table[name][1])) for name in self.libraries)
        self.assertEqual(self.told["licence"], "GPL-3.0-or-later" if gpl else "BSD-3-Clause")


if __name__ == "__main__":
    unittest.main()
