"""The program in a shell: manual page, completion, colour, and what it tells of itself."""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import unittest

from test_cli import PROGRAM, SOURCE, Case, routh

SHELLS = ["bash", "zsh", "fish"]
ESCAPE = "\033["


def commands():
    """name -> words of its options, as the help lists them."""
    names = re.findall(r"^  (?!routh )([a-z]+)\b", routh("help").stdout, re.MULTILINE)
    return {name: sorted(set(re.findall(r"^  (?:-\w, )?--([\w-]+)", routh("help", name).stdout, re.MULTILINE)))
            for name in names}


def on_terminal(*args, environment=None, stderr_only=False):
    """What the program writes to a terminal; with stderr_only its standard output is a pipe nobody looks at."""
    ours, theirs = pty.openpty()
    whole = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    whole.update({"TERM": "xterm"} if environment is None else environment)
    process = subprocess.Popen([PROGRAM, *map(str, args)], stdin=subprocess.DEVNULL, stderr=theirs,
                               stdout=subprocess.DEVNULL if stderr_only else theirs, env=whole)
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError: # the last writer has gone
            break
        if not piece:
            break
        text += piece
    os.close(ours)
    process.wait()
    return text.decode().replace("\r\n", "\n")


class Version(Case):
    def test_the_short_form_is_the_first_line_of_the_long_one(self):
        self.assertRegex(self.good("--version"), r"\Arouth \d+\.\d+\.\d+\n\Z")
        self.assertEqual(self.good("--version"), self.good("-V"))
        self.assertEqual(self.good("version").splitlines()[0] + "\n", self.good("--version"))

    def test_what_is_built_in_has_a_version_and_what_is_not_says_what_is_refused(self):
        told = json.loads(self.good("version", "--json"))
        table = self.good("version")
        self.assertEqual(f"routh {told['version']}", told["program"])
        self.assertIn(told["compiler"], table)
        self.assertGreater(len(told["components"]), 15)
        for part in told["components"]:
            with self.subTest(part["name"]):
                self.assertIn(part["name"], table)
                if not part["present"]:
                    self.assertTrue(part["without"] and part["package"])
                    self.assertIsNone(part["version"])
                    self.assertIn(part["without"], table)
                elif part["name"] not in ("report page", "ARPACK"):
                    self.assertRegex(part["version"], r"^\d+\.\d+")

    def test_what_is_built_in_works_and_what_is_not_is_refused(self):
        """The list is held against what the commands do."""
        there = {part["name"]: part["present"] for part in json.loads(self.good("version", "--json"))["components"]}
        example = SOURCE / "examples/slider-pendulum.yaml"
        for name, line in (("FLINT", ["symbolic", self.model]),
                           ("SUNDIALS", ["simulate", self.model, "--end", "0.01", "--integrator", "bdf",
                                         "--output", self.folder / "run.csv"]),
                           ("SLEPc, PETSc, MUMPS", ["modes", example, "--wanted", "2", "--distributed"]),
                           ("report page", ["report", self.model, "--output", self.folder / "page.html"])):
            with self.subTest(name):
                done = routh(*line)
                self.assertEqual(done.returncode == 0, there[name], done.stderr)

    def test_the_licence_of_the_whole_follows_what_is_loaded(self):
        told = json.loads(self.good("version", "--json"))
        if not shutil.which("ldd"):
            self.skipTest("ldd is not installed")
        loaded = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
        gpl = "libgf2x.so" in loaded or "libfftw3.so" in loaded
        self.assertEqual(told["licence"], "GPL-3.0-or-later" if gpl else "BSD-3-Clause")


class ManualPage(unittest.TestCase):
    def test_every_command_and_option_is_in_it(self):
        page = routh("man").stdout.replace("\\-", "-")
        for name, options in commands().items():
            part = re.search(rf'(?ms)^\.SS "routh {name}\b.*?(?=^\.S[SH])', page)
            self.assertIsNotNone(part, name)
            common = re.search(r"(?ms)^\.SH OPTIONS OF ALL COMMANDS\n.*?(?=^\.SH)", page).group()
            for option in options:
                with self.subTest(f"{name} --{option}"):
                    self.assertTrue(f"--{option}\\fR" in part.group() + common)

    def test_it_is_rendered_without_a_warning(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-rLL=100n"], input=routh("man").stdout,
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        plain = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)
        for words in ("routh - exact linear models", "--set NAME=VALUE", "EXIT STATUS", "NO_COLOR"):
            self.assertIn(words, plain)


class Completion(unittest.TestCase):
    def scripts(self):
        return {shell: routh("completion", shell).stdout for shell in SHELLS}

    def bash(self, *words):
        """What bash offers for the last word."""
        line = " ".join(f"'{word}'" for word in words)
        code = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _routh; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-u", "-c", routh("completion", "bash").stdout + code], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_every_command_and_option_is_in_each(self):
        scripts = self.scripts()
        for name, options in commands().items():
            for shell, form in (("bash", "--{}"), ("zsh", "--{}"), ("fish", "-l {}")):
                with self.subTest(shell=shell, command=name):
                    lines = [line for line in scripts[shell].splitlines() if shell != "fish" or f" {name}'" in line]
                    text = "\n".join(lines)
                    part = text if shell == "fish" else re.search(rf"(?ms)^        {name}\)$.*?^            ;;", text).group()
                    for option in options:
                        self.assertRegex(part, re.escape(form.format(option)) + r"(?![\w-])")

    def test_bash_completes(self):
        everything = commands()
        self.assertEqual(set(self.bash("routh", "")), set(everything) | {"--help", "--version"})
        self.assertEqual(self.bash("routh", "simu"), ["simulate"])
        self.assertEqual(set(self.bash("routh", "modes", "--")), {f"--{name}" for name in everything["modes"]})
        self.assertEqual(self.bash("routh", "simulate", "m.yaml", "--integrator", "b"), ["bdf"])
        self.assertEqual(self.bash("routh", "simulate", "m.yaml", "--integrator", "=", "b"), ["bdf"])
        self.assertEqual(self.bash("routh", "help", "lin"), ["linearize"])
        self.assertEqual(self.bash("routh", "template", "four"), ["four-bar"])
        self.assertEqual(self.bash("routh", "completion", ""), SHELLS)
        # left to bash, which completes the names of files
        self.assertEqual(self.bash("routh", "modes", "exam"), [])
        self.assertEqual(self.bash("routh", "modes", "--output", "--"), [])

    def test_bash_takes_it_in_a_real_session(self):
        """Typed with the tab key, as at a prompt."""
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "routh.bash")
            routh("completion", "bash", "--output", script)
            ours, theirs = pty.openpty()
            shell = subprocess.Popen(["bash", "--norc", "--noprofile", "-i"], stdin=theirs, stdout=theirs, stderr=theirs,
                                     start_new_session=True, env=dict(os.environ, TERM="dumb", PS1="> ", INPUTRC="/dev/null"))
            os.close(theirs)
            # the shell is made to print the line that the tab key made, and to end
            os.write(ours, f"source {script}; routh() {{ echo \"got:$*:\"; }}\nrouth simu\t--integ\tad\t\nexit\n".encode())
            text = b""
            while select.select([ours], [], [], 60)[0]:
                try:
                    piece = os.read(ours, 4096)
                except OSError:
                    break
                text += piece
            os.close(ours)
            shell.wait()
        self.assertIn("got:simulate --integrator adams:", text.decode())

    def test_zsh_takes_it(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        code = "autoload -U compinit; compinit -u -D\n" + self.scripts()["zsh"] + "\nprint -r -- $_comps[routh]\n"
        done = subprocess.run(["zsh", "-f", "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.stderr), ("_routh\n", ""))

    def test_fish_completes(self):
        if not shutil.which("fish"):
            self.skipTest("fish is not installed")
        with tempfile.TemporaryDirectory() as home:
            def offers(line):
                code = self.scripts()["fish"] + f"\ncomplete -C '{line}'\n"
                done = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True, check=False,
                                      env=dict(os.environ, HOME=home))
                self.assertEqual(done.stderr, "")
                return [offer.split("\t")[0] for offer in done.stdout.splitlines()]
            self.assertEqual(offers("routh simu"), ["simulate"])
            self.assertEqual(offers("routh simulate m.yaml --integrator b"), ["bdf"])
            self.assertIn("--wanted", offers("routh modes --wan"))

    def test_another_shell_is_refused(self):
        done = routh("completion", "tcsh")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, 'error: routh completion knows bash, zsh and fish, not "tcsh"\n')


class Colour(Case):
    def test_a_pipe_gets_the_same_bytes_as_ever(self):
        plain = self.good("modes", self.model)
        self.assertNotIn(ESCAPE, plain)
        self.assertEqual(plain, self.good("modes", self.model, "--color", "auto"))
        self.assertEqual(plain, self.good("modes", self.model, env=dict(os.environ, TERM="xterm", FORCE_COLOR="1")))

    def test_a_terminal_gets_the_same_text_with_bold_titles(self):
        shown = on_terminal("modes", self.model)
        self.assertTrue(shown.startswith("\033[1mSlider and pendulum"), shown[:80])
        self.assertEqual(re.sub(r"\033\[[0-9;]*m", "", shown), self.good("modes", self.model))

    def test_where_it_is_not_wanted_there_is_none(self):
        for environment in ({"TERM": "dumb"}, {}, {"TERM": "xterm", "NO_COLOR": "1"}):
            with self.subTest(environment):
                self.assertNotIn(ESCAPE, on_terminal("modes", self.model, environment=environment))
        self.assertNotIn(ESCAPE, on_terminal("modes", self.model, "--color=never"))
        self.assertIn(ESCAPE, on_terminal("modes", self.model, environment={"TERM": "xterm", "NO_COLOR": ""}))

    def test_always_is_always(self):
        self.assertIn(ESCAPE, self.good("modes", self.model, "--color", "always", env=dict(os.environ, NO_COLOR="1")))
        self.assertNotIn(ESCAPE, self.good("modes", self.model, "--color", "always", "--json"))
        self.good("modes", self.model, "--color", "always", "--output", self.folder / "modes.txt")
        self.assertNotIn(ESCAPE, (self.folder / "modes.txt").read_text())

    def test_errors_are_red_where_standard_error_is_the_terminal(self):
        shown = on_terminal("modes", self.folder / "none.yaml", stderr_only=True)
        self.assertTrue(shown.startswith("\033[1;31merror:\033[0m "), shown)
        self.assertNotIn(ESCAPE, routh("modes", self.folder / "none.yaml").stderr)

    def test_an_unstable_mode_is_yellow(self):
        model = self.folder / "up.yaml"
        model.write_text("gravity: [0, 0, -9.81]\nbodies:\n  rod: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}\n"
                         "joints:\n  hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}\n")
        lines = self.good("modes", model, "--color", "always").splitlines()
        yellow = [line for line in lines if line.startswith("\033[33m")]
        self.assertTrue(any("UNSTABLE" in line for line in yellow), lines)
        self.assertTrue(all("UNSTABLE" in line or "unstable" in line for line in yellow), yellow)

    def test_another_word_is_refused(self):
        self.refused(2, "modes", self.model, "--color", "sometimes")


if __name__ == "__main__":
    unittest.main()
