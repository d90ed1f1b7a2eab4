"""Types of joints, loads, measures and controllers differ by the members of their classes (src/model/*_class.h): nothing
compares types or switches over them, and switches over what a member may be name every value."""
import pathlib
import re
import unittest

import house

ROOT = pathlib.Path(house.ROOT)

# What members of classes may be (rt_joint_row_kind, rt_measure_takes, ...).
MEMBERS = re.compile(r"\bcase RT_(JOINT_ROW|KEEPS|STEP|RUBS|CLOSED|PICTURE|TAKES|ARGUMENT)_")
# Where a type of load may stand beside its own class: a flexible rod makes loads of one.
MAKERS = {"src/model/rod_expand.c": {"RT_LOAD_ROD", "RT_LOAD_SPECTRAL_ROD"}}


def types():
    return re.findall(r"\bLOAD\(([A-Z_]+), ", (ROOT / "src/model/load_types.h").read_text().split("#define")[2])


def switches(text):
    return re.findall(r"\bcase (RT_LOAD_[A-Z_]+):", text)


def named(text, all_types):
    """Types of loads that a text names other than as its own kind: `.kind = {"spring", RT_LOAD_SPRING`."""
    without = re.sub(r"\.kind =\s*\{\s*\"[a-z_]+\",\s*RT_LOAD_[A-Z_]+", "", text)
    return {word for word in re.findall(r"\bRT_LOAD_[A-Z_]+\b", without) if word[len("RT_LOAD_"):] in all_types}


def bodies_of_switches(text):
    for found in re.finditer(r"\bswitch \(", text):
        depth, start = 0, text.index("{", found.end())
        for at in range(start, len(text)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if not depth:
                yield text[start:at]
                break


def open_switches(text):
    """Switches over members of classes with a `default:`, which would hide a new value from the compiler."""
    return sum(bool(MEMBERS.search(body)) and "default:" in body for body in bodies_of_switches(text))


def sources():
    return {str(f.relative_to(ROOT)): f.read_text() for f in sorted((ROOT / "src").rglob("*.[ch]"))}


class Classes(unittest.TestCase):
    def test_nothing_switches_over_types_of_loads(self):
        self.assertGreater(len(types()), 10)
        found = {name: switches(text) for name, text in sources().items()}
        self.assertEqual({f: found[f] for f in found if found[f]}, {})

    def test_a_type_of_load_is_named_by_its_class_alone(self):
        found = {name: named(text, types()) - MAKERS.get(name, set()) for name, text in sources().items()
                 if name != "src/model/load_types.h"}
        self.assertEqual({name: words for name, words in found.items() if words}, {})

    def test_a_comparison_of_types_is_seen(self):
        self.assertEqual(named("if (load->type == RT_LOAD_SPRING)", types()), {"RT_LOAD_SPRING"})
        self.assertEqual(named('.kind = {"spring", RT_LOAD_SPRING, X', types()), set())
        self.assertEqual(named("RT_LOAD_FUNCTIONS", types()), set())

    def test_a_class_is_named_by_its_list_or_as_an_alias_alone(self):
        for folder, prefix in (("joints", "joint_class"), ("controllers", "controller_class"), ("measures", "measure_family")):
            for name, text in sources().items():
                words = set(re.findall(rf"&rt_{prefix}_(\w+)", text))
                self.assertTrue(name.startswith(f"src/model/{folder}/") or not words, (name, words))

    def test_each_controller_is_in_the_guide_and_compared_with_equations_written_by_hand(self):
        text = (ROOT / "src/model/controllers/list.h").read_text()
        for name in re.findall(r"^RT_CONTROLLER_CLASS\((\w+)\)", text, re.MULTILINE):
            for page in ("docs/guide/controllers.md", "tests/closed_form/test_controllers.c"):
                found = re.search(rf"type: {name}\b", (ROOT / page).read_text())
                self.assertTrue(found, f"{page} has no controller of type {name}")

    def test_each_joint_and_load_is_in_the_guide(self):
        guide = "".join(page.read_text() for page in sorted((ROOT / "docs/guide").glob("*.md")))
        names = re.findall(r"\bLOAD\([A-Z_]+, ([a-z_]+),", (ROOT / "src/model/load_types.h").read_text())
        names += re.findall(r"^RT_JOINT_CLASS\((\w+)\)", (ROOT / "src/model/joints/list.h").read_text(), re.MULTILINE)
        self.assertGreater(len(names), 30)
        self.assertEqual([name for name in names if not re.search(rf"`{name}`|type: {name}\b", guide)], [])

    def test_each_example_is_listed(self):
        page = (ROOT / "examples/README.md").read_text()
        models = [path.relative_to(ROOT / "examples") for path in sorted((ROOT / "examples").rglob("*.yaml"))]
        self.assertGreater(len(models), 40)
        self.assertEqual([str(name) for name in models if f"({name})" not in page], [])

    def test_switches_over_members_name_every_value(self):
        self.assertEqual({name: n for name, text in sources().items() if (n := open_switches(text))}, {})

    def test_an_open_switch_is_seen(self):
        closed = "switch (k) { case RT_JOINT_ROW_SUM: { break; } }"
        self.assertEqual(open_switches(closed + "switch (x) { case 1: break; default: break; }"), 0)
        self.assertEqual(open_switches("switch (k) { case RT_JOINT_ROW_SUM: break; default: break; }"), 1)

    def test_a_switch_is_seen(self):
        self.assertEqual(switches("switch (t) { case RT_LOAD_SPRING: return; }"), ["RT_LOAD_SPRING"])

    def test_the_guide_or_the_reference_names_each(self):
        reference = (ROOT / "docs/reference/model-file.md").read_text()
        classes = re.findall(r"\bLOAD\([A-Z_]+, ([a-z_]+),", (ROOT / "src/model/load_types.h").read_text())
        self.assertEqual([name for name in classes if f"### load `{name}`" not in reference], [])
        for kind in ("joint", "controller"):
            text = (ROOT / f"src/model/{kind}s/list.h").read_text()
            names = re.findall(rf"^RT_{kind.upper()}_CLASS\((\w+)\)", text, re.MULTILINE)
            self.assertGreater(len(names), 6)
            self.assertEqual([name for name in names if f"### {kind} `{name}`" not in reference], [])


if __name__ == "__main__":
    unittest.main()
