"""A copy of the sources in which each mutant is a choice made at run time, and its build."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess

import candidates

HERE = pathlib.Path(__file__).resolve().parent


def git_files(root):
    out = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         check=True, capture_output=True).stdout
    return sorted(name for name in out.decode().split("\0") if name and (root / name).is_file())


# ---- how each file is compiled ------------------------------------------------------------------------------------

def configure(root, folder):
    """Writes the compile commands of the sources as they are, and the headers that are generated; nothing is compiled."""
    build = folder / "commands"
    with open(folder / "configure.log", "wb") as log:
        for command in (["cmake", "-S", str(root), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                         "-DROUTH_VIEWER=OFF"],
                        ["cmake", "--build", str(build), "--target", "routh_varied_names", "routh_wide_names"]):
            subprocess.run(command, check=True, stdout=log, stderr=subprocess.STDOUT)
    return json.loads((folder / "commands" / "compile_commands.json").read_text())


def useful_arguments(command, directory):
    """What of a compile command tells how the file is read."""
    words, kept = shlex.split(command)[1:], []
    while words:
        word = words.pop(0)
        if word in ("-I", "-D", "-include", "-isystem", "-U"):
            kept += [word, words.pop(0)]
        elif word.startswith(("-I", "-D", "-U", "-std", "-isystem", "-fopenmp")):
            kept.append(word)
    return [f"-I{os.path.join(directory, w[2:])}" if w.startswith("-I") and not w.startswith("-I/") else w for w in kept]


def ways_to_read(root, commands, path):
    """The arguments that a source is compiled with, once or twice; those of a neighbour for a header."""
    def of(file):
        return [useful_arguments(c["command"], c["directory"]) for c in commands if c["file"] == str(file)]
    ways = of(root / path)
    if ways:
        return ways
    for c in commands:
        if pathlib.Path(c["file"]).parent == (root / path).parent:
            ways += of(c["file"])
    plain = [w for w in ways if "-DRT_VARIATION" not in w][:1]
    return plain + [w for w in ways if "-DRT_VARIATION" in w][:1]


def find_candidates(root, commands, path):
    """Those that any of the compilations of the file has, each once. Not every header can be read by itself."""
    found = {}
    for arguments in ways_to_read(root, commands, path):
        try:
            for c in candidates.find(root / path, path, arguments):
                found.setdefault((c.begin, c.end, c.kind, c.after), c)
        except candidates.Unreadable:
            if not path.endswith(".h"):
                raise
    return list(found.values())


# ---- the copy -----------------------------------------------------------------------------------------------------

def mutate_text(source, mutants):
    """The bytes of a file with (number, candidate) as choices; the candidates do not overlap."""
    for number, c in sorted(mutants, key=lambda m: -m[1].begin):
        original = source[c.begin:c.end].decode()
        macro = "RT_MUTANT_VALUE" if c.pure else "RT_MUTANT_CHOICE"
        choice = f"{macro}({number}, ({original}), ({c.after}))"
        choice = " ".join(choice.split()) + "\n" * original.count("\n")  # lines keep their numbers
        source = source[:c.begin] + choice.encode() + source[c.end:]
    return source


def with_header(name, content):
    """A mutated source begins with mutant.h; the others are compiled as ever, and come from a compiler's cache where there is one."""
    header = os.path.relpath("mutant.h", os.path.dirname(name))
    quiet = "#pragma GCC system_header\n" if name.endswith(".h") else ""
    return f'{quiet}#include "{header}"\n#line 1\n'.encode() + content


def without_warnings(content, sources):
    """The main CMakeLists.txt where these sources may have warnings."""
    return content + f"set_source_files_properties({' '.join(sources)} PROPERTIES COMPILE_OPTIONS -w)\n".encode()


def write_if_other(path, content, mode=None):
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if mode is not None:
        os.chmod(path, mode)


def write_tree(root, tree, mutants):
    """Copies the sources to `tree`, mutants[0] being number 1; files that are the same stay untouched, for the build."""
    by_file = {}
    for number, c in enumerate(mutants, 1):
        by_file.setdefault(c.file, []).append((number, c))
    names = git_files(root)
    folder = next(f for f in sorted({os.path.dirname(n) for n in names if n.startswith("src/") and n.endswith(".c")}))
    for name in names:
        content = (root / name).read_bytes()
        if name in by_file:
            content = with_header(name, mutate_text(content, by_file[name]))
        elif name == "tests/support/effort.c":
            content = content.replace(b"double test_effort(void)\n{", b"double test_effort(void)\n{\n    mutant_reached(0, 3);")
            content = with_header(name, content)
        elif name == "CMakeLists.txt":
            content = without_warnings(content, [f"{folder}/mutant.c"] + sorted(n for n in by_file if n.endswith(".c")))
        write_if_other(tree / name, content, (root / name).stat().st_mode)
    write_if_other(tree / "mutant.h", (HERE / "mutant.h").read_bytes())
    write_if_other(tree / folder / "mutant.c", (HERE / "mutant.c.in").read_text().replace("@COUNT@", str(len(mutants))).encode())
    for name in set(old_files(tree)) - set(names) - {"mutant.h", f"{folder}/mutant.c"}:
        (tree / name).unlink()
    for name in (".packages", "viewer/node_modules"):  # what ./dev unpacked: without it SUNDIALS would be missing
        if (root / name).is_dir() and not (tree / name).exists():
            (tree / name).symlink_to((root / name).resolve())
    if (root / "viewer" / "dist" / "report.html").exists() and not (tree / "viewer" / "dist").exists():
        shutil.copytree(root / "viewer" / "dist", tree / "viewer" / "dist")


def old_files(tree):
    """Sources in the tree, by git's measure of what is one."""
    for folder in ("src", "tests", "include", "cli"):
        for path in (tree / folder).rglob("*.[ch]"):
            yield path.relative_to(tree).as_posix()


def build(tree, jobs):
    """Compiles the tree as a release; its output goes to build.log beside it."""
    with open(tree.parent / "build.log", "wb") as log:
        for command in (["cmake", "-S", str(tree), "-B", str(tree / "build"), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
                        ["cmake", "--build", str(tree / "build"), "-j", str(jobs)]):
            if subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode:
                return False
    return True
