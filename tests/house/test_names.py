"""Types and static functions have names of their own, public functions are named by object and verb, and the checks see each way
of breaking that."""
import re
import unittest

import house

names = house.load_tool("check_names")


def complaints(files):
    with house.Tree(files) as root:
        return names.check(root)


class Names(unittest.TestCase):
    def test_every_name_of_the_library_is_defined_once(self):
        self.assertEqual(names.check(house.ROOT), [])

    def test_many_names_are_seen(self):
        types, functions = set(), set()
        for file in (house.ROOT / "src").rglob("*.[ch]"):
            more = names.names_in(file.read_text())
            types |= more[0]
            functions |= more[1]
        self.assertGreater(len(types), 300)
        self.assertGreater(len(functions), 4000)

    def test_a_type_of_two_headers_is_refused(self):
        text = "typedef struct rt_axis {\n    int n;\n} rt_axis;\n"
        self.assertEqual(len(complaints({"src/a/a.h": text, "src/b/b.h": text})), 1)
        self.assertEqual(complaints({"src/a/a.h": text, "src/b/b.h": "typedef struct rt_axis rt_axis;\n"}), [])

    def test_a_static_function_of_two_files_is_refused(self):
        text = "static bool take(int n,\n                 int m)\n{\n    return n > m;\n}\n"
        found = complaints({"src/a/a.c": text, "src/b/b.c": text})
        self.assertEqual(found, ["the static function take is defined in src/a/a.c and src/b/b.c; give each a name of its own"])

    def test_a_declaration_a_call_and_a_comment_are_no_definition(self):
        text = "/* static int take(int n)\n{ */\nstatic const int x[] = {1};\nint f(void)\n{\n    return take(2);\n}\n"
        self.assertEqual(complaints({"src/a/a.c": text, "src/b/b.c": text}), [])


# What public functions are about where there is no structure of that name.
NOUNS = ("check", "coordinate", "exchange_format", "history", "integrator", "method", "operating_points", "report", "suggest", "template",
         "version")


def public_names(text):
    """(types, {function: its parameters}) of the public headers"""
    text = names.COMMENT.sub("", text)
    types = set(re.findall(r"^(?:typedef )?(?:struct|enum) (routh_\w+)", text, re.MULTILINE)) | set(names.ALIAS.findall(text))
    return types, dict(re.findall(r"ROUTH_API\s[^;]*?\b(routh_\w+)\(([^;]*)\);", text))


def grammar(text):
    """What is wrong with the names of public functions, as sentences."""
    types, functions = public_names(text)
    objects = types | {f"routh_{noun}" for noun in NOUNS}
    found = []
    for name, parameters in functions.items():
        if not any(name == one or name.startswith(one + "_") for one in objects):
            found.append(f"{name} begins with no type: routh_OBJECT_VERB")
        elif name.endswith("_free") and not re.match(rf"\s*{name[:-len('_free')]} \*", parameters):
            found.append(f"{name} frees another type than {name[:-len('_free')]}")
    return found


class Grammar(unittest.TestCase):
    def test_public_functions_are_named_by_object_and_verb(self):
        text = "".join(file.read_text() for file in sorted((house.ROOT / "include" / "routh").glob("*.h")))
        self.assertEqual(grammar(text), [])
        self.assertGreater(len(public_names(text)[1]), 200)

    def test_a_verb_alone_and_another_noun_are_refused(self):
        types = "typedef struct routh_modes {\n    int n;\n} routh_modes;\n"
        self.assertEqual(grammar(types + "ROUTH_API void routh_modes_free(routh_modes *modes);"), [])
        self.assertEqual(len(grammar(types + "ROUTH_API routh_status routh_linearize(routh_modes **modes);")), 1)
        self.assertEqual(len(grammar(types + "ROUTH_API void routh_modes_free(routh_mode *mode);")), 1)


if __name__ == "__main__":
    unittest.main()
