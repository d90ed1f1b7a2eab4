"""`routh format`: nothing that is read changes, comments stay, and a second time changes nothing. PyYAML is the other reader."""
import glob
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

import yaml

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])
EFFORT = int(os.environ.get("ROUTH_TEST_EFFORT", "1"))
EXAMPLES = sorted(glob.glob(str(SOURCE / "examples/**/*.yaml"), recursive=True))


def formatted(text, *words):
    return subprocess.run([ROUTH, "format", "-", *words], input=text.encode(errors="surrogateescape"), capture_output=True, check=False)


def load(text):
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def comments(text):
    """All of them, without blanks at their ends; strings of examples hold no '#' but those of colours."""
    return [c.rstrip() for c in re.findall(r"(?m)(?:^|(?<=\s))#.*$", text)]


def snippets():
    for page in sorted((SOURCE / "docs").rglob("*.md")):
        for text in re.findall(r"(?ms)^```yaml\n(.*?)^```", page.read_text(encoding="utf-8")):
            yield page.name, text


class Format(unittest.TestCase):
    def keeps(self, text, *words):
        done = formatted(text, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        out = done.stdout.decode()
        self.assertEqual(repr(load(out)), repr(load(text)))
        self.assertEqual(comments(out), comments(text))
        self.assertEqual(formatted(out, *words).stdout.decode(), out)
        self.assertNotRegex(out, r"(?m)[ \t]+$")
        return out

    def gives(self, text, wanted, *words):
        self.assertEqual(self.keeps(text, *words), wanted)

    # ---- what there is ----

    def test_examples_parts_templates_and_snippets_stay_what_they_are(self):
        texts = [(path, pathlib.Path(path).read_text(encoding="utf-8")) for path in EXAMPLES]
        names = subprocess.run([ROUTH, "template"], capture_output=True, text=True, check=True).stdout
        for line in names.splitlines():
            made = subprocess.run([ROUTH, "template", line.split()[0]], capture_output=True, text=True, check=True)
            texts.append((line, made.stdout))
        few = texts if EFFORT > 1 else texts[::8] + texts[-2:]
        for name, text in few:
            for words in ((), ("--width", "40"), ("--width", "132")) if EFFORT > 1 else ((),):
                with self.subTest((name, words)):
                    self.keeps(text, *words)
        read = 0
        for name, text in snippets():
            done = formatted(text)
            if done.returncode == 0:  # some show a piece of a file that is none by itself
                read += 1
                with self.subTest((name, text)):
                    self.keeps(text)
            if read > 12*EFFORT:
                break
        self.assertGreater(read, 10)

    def test_what_is_computed_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("rotor-stator.yaml", "spatial-four-bar.yaml"):
                text = (SOURCE / "examples" / name).read_text(encoding="utf-8")
                here = os.path.join(folder, name)
                said = []
                for content in (text, formatted(text, "--width", "30").stdout.decode()):
                    with open(here, "w", encoding="utf-8") as to:
                        to.write(content)
                    said.append(subprocess.run([ROUTH, "modes", here, "--json", "--shapes"], capture_output=True, check=True).stdout)
                self.assertEqual(*said)

    # ---- how it is laid out ----

    def test_spaces_and_indentation(self):
        self.gives("a:   1\nb: [1,2 ,  3,]\nc: {x : 1,y:  {z: 2 } }\nd:\n      e:\n           f: 1\n", "a: 1\nb: [1, 2, 3]\nc: {x: 1, y: {z: 2}}\n"
                   "d:\n  e:\n    f: 1\n")
        self.gives("list:\n- x\n-   y: 1\n    z: 2\n- - p\n  - q\n", "list:\n  - x\n  - y: 1\n    z: 2\n  - - p\n    - q\n")
        self.gives("a: {b: , c: }\n", "a: {b: , c: }\n")
        self.gives('{"a":1,"b":[\n1,\n2\n]}', "{a: 1, b: [\n  1,\n  2\n]}\n")

    def test_values_and_comments_in_columns_stay_in_columns(self):
        self.gives("m:\n  hub:    {b: 1}\n  seat2:  {b: 2}\n", "m:\n  hub:   {b: 1}\n  seat2: {b: 2}\n")
        self.gives("m:\n  hub:    {b: 1}\n  seat2: {b: 2}\n", "m:\n  hub: {b: 1}\n  seat2: {b: 2}\n")
        self.gives("a: 1     # one\nbb: 2    # two\n         # and more\nc: 3\n", "a: 1   # one\nbb: 2  # two\n       # and more\nc: 3\n")
        self.gives("a: 1 # one\nbb: 2   # two\n", "a: 1  # one\nbb: 2  # two\n")

    def test_quotes_that_are_not_needed(self):
        for value, plain in (("m*L^2/12", True), ("AY(rod, cart)", True), ("-2*k", True), ("3*x", True), ("N m", True)):
            self.gives(f'k: "{value}"\n', f"k: {value}\n" if plain else f'k: "{value}"\n')
        text = []
        for value in ("12", "1e3", "0x1f", "1_000", ".5", ".inf", "-1", "2001-01-01", "12:30", "yes", "No", "null", "~", "", "on", "#fff", "a: b", "a #b",
                      " a", "a ", "*a", "&a", "[a", "{a", "!a", "%a", "@a", "-", "- a", "a:", "(a", "a)", "1.5.", "=", "<<", "\u00e9"):
            text.append(f'- "{value}"\n- [\'{value}\', {{\'{value}\': 1}}]\n')
        self.keeps("k:\n" + "".join(text))
        self.gives('k: ["AY(rod, cart)", "2*u"]\n', 'k: ["AY(rod, cart)", 2*u]\n')

    def test_lines_that_are_too_long(self):
        text = "long: {" + ", ".join(f"name{k}: [1, 2, {k}]" for k in range(12)) + "}  # c\n"
        out = self.keeps(text)
        self.assertTrue(all(len(line) <= 100 + len("  # c") for line in out.splitlines()))
        self.assertTrue(out.splitlines()[1].startswith("       name"))
        self.assertGreater(len(self.keeps(text, "--width", "40").splitlines()), 8)

    def test_comments_and_blank_lines(self):
        text = "# head\n\na:  # of a\n  # of b\n  b: 1\n\n\n  # after b\n# before c\nc: [1, # one\n    # own\n    2]\n# end\n"
        self.gives(text, "# head\n\na:  # of a\n  # of b\n  b: 1\n\n\n  # after b\n# before c\nc: [1,  # one\n    # own\n    2]\n# end\n")
        self.keeps("a: 1\n# no line break at the end")

    def test_comments_in_front_of_a_bracket_are_of_what_is_in_it(self):
        self.gives("{a: 1,\n # b: 2\n }\n", "{a: 1\n # b: 2\n}\n")
        self.gives("bodies: {\n  a: {mass: 1},\n    # b: {mass: 2}\n}\n", "bodies: {\n  a: {mass: 1}\n  # b: {mass: 2}\n}\n")
        self.gives("c: [\n  1  # one\n  # two\n  , ]\n", "c: [\n  1  # one\n  # two\n]\n")
        self.gives("a: [1\n  , # one\n  ]\n", "a: [1\n    # one\n   ]\n")

    def test_texts_of_several_lines(self):
        self.gives("a:\n    t: |\n       x\n         y\n\n       z\n    u: 1\n", "a:\n  t: |\n    x\n      y\n\n    z\n  u: 1\n")
        for head in ("|", "|-", "|+", ">", ">-", "|2", "|2-", ">+  # why"):
            for tail in ("", "\n", "\n\n", "\nb: 1\n", "\n\n\nb: 1\n"):
                text = f"k:\n    a: {head}\n      x\n       y\n\n      z{tail.replace('b', '    b')}"
                with self.subTest(text):
                    done = formatted(text)
                    if done.returncode == 0:
                        self.assertEqual(load(done.stdout.decode()), load(text))
                    else:  # a last line without an end has no canonical layout
                        self.assertFalse(text.endswith("\n"))
                        self.assertIn(b"left as it is", done.stderr)
        self.gives("p: one\n     two\n\n     three\nq: 'a\n       b'\n", "p: one\n  two\n\n  three\nq: 'a\n  b'\n")

    def test_other_systems(self):
        done = formatted("\ufeffa:  1\r\nb:\t2\t# tab\r\n")
        self.assertEqual(done.stdout.decode(), "a: 1\nb: 2  # tab\n")
        self.assertEqual(formatted("a:  1\rb: 2\r").stdout.decode(), "a: 1\nb: 2\n")

    def test_commas_within_parentheses(self):
        self.assertEqual(formatted("k: [max(a,b), 0]\nm: {mass: max(a,  b), x: 1}\n").stdout.decode(),
                         "k: [max(a, b), 0]\nm: {mass: max(a, b), x: 1}\n")

    # ---- what is refused ----

    def test_what_is_no_model_file(self):
        for text, place, words in (("a: [1\n", "2:1", "YAML"), ("a:\n\t- b: 1\n", "2:1", "tab"), ("a: &x 1\n", "1:4", "anchor"),
                                   ("a: *x\n", "1:4", "alias"), ("a: !t 1\n", "1:4", "tag"), ("a: 1\n---\nb: 2\n", "2:1", "second document"),
                                   ("? a\n: b\n", "1:1", "name: value"), ("a: 1\na: 2\n", "2:1", "twice"), ("a: 1\u2028b: 2\n", "1:5", "line"),
                                   ("", "1:1", "empty"),
                                   ("\udcff\udcfea\0:\0 \0", "1:1", "UTF-16")):
            with self.subTest(text):
                done = formatted(text)
                self.assertEqual((done.returncode, done.stdout), (1, b""))
                self.assertIn(f"standard input:{place}:", done.stderr.decode())
                self.assertIn(words, done.stderr.decode())

    def test_anything_else(self):
        """Files with something put in at random places: laid out or refused, and never another text."""
        chance = random.Random(28)
        few = [pathlib.Path(path).read_text(encoding="utf-8") for path in EXAMPLES if os.path.getsize(path) < 2500]
        for _ in range(15*EFFORT):
            text = chance.choice(few)
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(text))
                text = text[:at] + chance.choice([" ", "\n", "\n\n", "# c\n", "\n  # x\n", ",", "]", "- ", ": ", "'", "(", "\n   ", "|\n  a\n", "\t"]) + text[at:]
            done = formatted(text)
            if done.returncode:
                self.assertNotIn(b"left as it is", done.stderr, text)
                continue
            try:
                before = load(text)
            except yaml.YAMLError:
                continue
            self.assertEqual(repr(load(done.stdout.decode())), repr(before), text)
            self.assertEqual(formatted(done.stdout.decode()).stdout, done.stdout, text)

    # ---- the command ----

    def test_check_write_and_output(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two = os.path.join(folder, "one.yaml"), os.path.join(folder, "two.yaml")
            for path, text in ((one, "a:  1\n"), (two, "a: 1\n")):
                with open(path, "w", encoding="utf-8") as to:
                    to.write(text)

            def run(*words):
                return subprocess.run([ROUTH, "format", *words], capture_output=True, text=True, check=False)
            done = run("--check", one, two)
            self.assertEqual(done.returncode, 1)
            self.assertIn("one.yaml", done.stderr)
            self.assertNotIn("two.yaml", done.stderr)
            self.assertEqual(run("--check", two).returncode, 0)
            self.assertEqual(run(one).stdout, "a: 1\n")
            self.assertEqual(run(one, two).returncode, 2)
            self.assertEqual(run("-", "--write").returncode, 2)
            self.assertEqual(run(one, "--write", "--check").returncode, 2)
            before = os.stat(two)
            self.assertEqual(run("--write", one, two).returncode, 0)
            self.assertEqual(os.stat(two).st_mtime_ns, before.st_mtime_ns)
            with open(one, encoding="utf-8") as made:
                self.assertEqual(made.read(), "a: 1\n")
            out = os.path.join(folder, "out.yaml")
            self.assertEqual(run(one, "-o", out).returncode, 0)
            self.assertTrue(os.path.exists(out))
            self.assertEqual(run(os.path.join(folder, "none.yaml")).returncode, 1)


if __name__ == "__main__":
    unittest.main()
