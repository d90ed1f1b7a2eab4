"""The reference of the C interface holds every public function, each has a comment, and pages name only what there is."""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import house

sys.path.insert(0, str(house.ROOT / "tools/site"))
PARSER = importlib.util.find_spec("pycparser") is not None
if PARSER:
    import c_reference
    import headers

docs = house.load_tool("check_docs")
LIBRARY = pathlib.Path(os.environ.get("ROUTH") or house.ROOT / "build/routh").parent / "librouth.so"

HEADER = """/* About. */
#include <stddef.h>
/* A thing. */
typedef struct routh_thing { int a, b[2]; /* in m */ double (*f)(int x); } routh_thing;
%s
int routh_count(const routh_thing *thing, /* NULL: none */ size_t n);
int routh_again(void);

void routh_free(routh_thing *thing); /* NULL is allowed */
"""


def exported(library):
    printed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in printed.splitlines()} & set(re.findall(r"\brouth_\w+", printed))


def unknown_names(pages, known):
    """[(page, word)] of words routh_... in the pages that the interface has not; what was renamed is listed with its old name."""
    found = []
    for name, text in pages:
        text = re.sub(r"^### Renamed\n.*?(?=^##)", "", text, flags=re.S | re.M)
        for match in re.finditer(r"(?<![\w/.$-])(?:routh|ROUTH)_\w*", text):
            word, after = match.group(0), text[match.end():match.end() + 1]
            part = word.endswith("_") or after in ("<", "*", "{")  # routh_<what>_table
            if word.startswith("ROUTH_") and word not in known:
                continue  # settings of CMake and of the environment
            if not (word in known or (part and any(k.startswith(word) for k in known))):
                found.append((name, word))
    return found


@unittest.skipUnless(PARSER, "python3-pycparser is not installed")
class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.headers = headers.read(house.ROOT / "include")

    def read(self, comment):
        with house.Tree({"include/routh/a.h": HEADER % comment}) as root:
            return headers.read(root / "include")

    def test_every_public_function_has_a_comment(self):
        self.assertEqual(headers.without_comment(self.headers), [])

    def test_a_function_without_a_comment_is_seen(self):
        self.assertEqual(headers.without_comment(self.read("/* Counts. */")), [])
        self.assertEqual(headers.without_comment(self.read("")), ["routh/a.h:6: routh_count", "routh/a.h:7: routh_again"])

    def test_comments_go_to_what_they_stand_by(self):
        items = {item.names[0]: item for item in self.read("/* Counts. */")[0].items}
        self.assertEqual(items["routh_count"].names, ["routh_count", "routh_again"])
        self.assertEqual(items["routh_count"].notes, [("thing", "NULL: none")])
        self.assertEqual(items["routh_free"].comment, "NULL is allowed")
        members = items["routh_thing"].members
        self.assertEqual([m.names for m in members], [["a", "b"], ["f"]])
        self.assertEqual(members[0].comment, "in m")

    def test_the_pages_hold_all_names(self):
        pages = c_reference.write(house.ROOT / "include", set())
        described = set(re.findall(r"\b(?:routh|ROUTH)_\w+", "\n".join(
            line for text in pages.values() for line in re.findall(r"^ *(?:\.\. c:\w+::|   {6,}).*$", text, re.MULTILINE))))
        names = {name for name in headers.public_names(self.headers)}
        self.assertGreater(len(names), 300)
        self.assertEqual(sorted(names - described), [])

    @unittest.skipUnless(LIBRARY.exists() and shutil.which("nm"), "the shared library or nm is not there")
    def test_what_the_library_exports_is_declared(self):
        functions = {name for h in self.headers for i in h.items if i.kind == "function" for name in i.names}
        self.assertEqual(exported(LIBRARY) - functions, set())

    def test_pages_name_only_what_there_is(self):
        known = headers.public_names(self.headers)
        known |= {member for h in self.headers for i in h.items for one in i.members for member in one.names}
        pages = [(str(page.relative_to(house.ROOT)), page.read_text()) for page in docs.pages(house.ROOT)]
        self.assertEqual(unknown_names(pages, known), [])

    def test_a_name_that_is_none_is_seen(self):
        found = unknown_names([("a.md", "`routh_modes_frobnicate` routh_modes_compute routh_<what> routh_modes_*")],
                              {"routh_modes_compute"})
        self.assertEqual(found, [("a.md", "routh_modes_frobnicate")])
        self.assertEqual(unknown_names([("a.md", "### Renamed\n\n| routh_old | routh_new |\n\n### Added\n")], set()), [])
        self.assertEqual(len(unknown_names([("a.md", "### Renamed\n\n### Added\n\nrouth_old\n")], set())), 1)


if __name__ == "__main__":
    unittest.main()
