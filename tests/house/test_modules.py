"""Each module of src has a README, which says what it may use and names only files that exist."""
import re
import unittest

import house

FILE = re.compile(r"`([\w./*-]+\.[ch])`|`(tests/[\w./*-]+)`")
EDGES = "tools/allowed_edges.txt"


def edges(root):
    """What each module may use: modules and public headers."""
    lines = [line.split(":") for line in (root / EDGES).read_text().splitlines() if line and line[0] != "#"]
    return {name.strip(): set(uses.split()) for name, uses in lines}


def used(text):
    """What the section May use lists, in the words of the list of edges."""
    section = re.search(r"^## May use\n(.*?)^## ", text, re.S | re.M)
    if not section:
        return set()
    found = set(re.findall(r"\.\./([a-z]+)/README\.md", section.group(1))) | set(re.findall(r"`(routh/[\w.]+)`", section.group(1)))
    return found | ({"routh"} if "all public headers" in section.group(1) else set())


def check(root):
    found = []
    for folder in sorted(p for p in (root / "src").iterdir() if p.is_dir()):
        page = folder / "README.md"
        if not page.is_file():
            found.append(f"src/{folder.name} has no README.md; describe the module there")
            continue
        text = page.read_text()
        for heading in ("Contents", "May use", "Where to begin", "Tests"):
            if f"\n## {heading}\n" not in text:
                found.append(f"src/{folder.name}/README.md has no section {heading}")
        if len(text.splitlines()) > 60:
            found.append(f"src/{folder.name}/README.md has more than 60 lines; one page is enough")
        for inside, test in FILE.findall(text):
            pattern = inside or test
            places = [root / "include"] if pattern.startswith("routh/") else [folder, root]
            if not any(any(place.glob(pattern)) for place in places):
                found.append(f"src/{folder.name}/README.md names {pattern}, which does not exist")
        if used(text) != edges(root).get(folder.name):
            found.append(f"src/{folder.name}/README.md does not list what {EDGES} lets the module use")
    return found


PAGE = "# a\n\n## Contents\n\n`a.h`, `b_*.c`\n\n## May use\n\n[base](../base/README.md); all public headers.\n\n## Where to begin\n\n## Tests\n\n`tests/a`\n"
TREE = {EDGES: "# list\na: base routh\n", "src/a/a.h": "", "src/a/b_1.c": "", "tests/a/test_a.c": ""}


def complaints(page):
    with house.Tree({**TREE, **({"src/a/README.md": page} if page else {})}) as root:
        return check(root)


class Modules(unittest.TestCase):
    def test_every_module_is_described_truly(self):
        self.assertEqual(check(house.ROOT), [])

    def test_a_good_page_passes(self):
        self.assertEqual(complaints(PAGE), [])

    def test_each_fault_is_found(self):
        self.assertIn("has no README.md", complaints(None)[0])
        for old, new, why in (("`a.h`", "`c.h`", "names c.h"), ("b_*", "c_*", "names c_*.c"), ("`tests/a`", "`tests/c`", "names tests/c"),
                              ("## Tests", "## Proofs", "no section Tests"), ("; all public headers", "", "does not list"),
                              ("[base](../base/README.md)", "[base](../base/README.md), [model](../model/README.md)", "does not list"),
                              ("# a\n", "# a\n" + 60 * "\n", "more than 60 lines")):
            found = complaints(PAGE.replace(old, new, 1))
            self.assertEqual(len(found), 1, found)
            self.assertIn(why, found[0])


if __name__ == "__main__":
    unittest.main()
