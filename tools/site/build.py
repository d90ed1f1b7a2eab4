#!/usr/bin/env python3
"""Builds the documentation site: build.py [--no-pictures] PROGRAM OUTPUT

OUTPUT/html/index.html opens from disk. OUTPUT/source holds the pages as Sphinx gets them, OUTPUT/gallery what the program
wrote about the examples, OUTPUT/tutorials what the cells of notebooks gave. Warnings of Sphinx are errors. --no-pictures
leaves out the browser's pictures.
"""
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import c_reference  # noqa: E402
import gallery  # noqa: E402
import python_reference  # noqa: E402
import stage as staging  # noqa: E402
import theme  # noqa: E402
import tutorials  # noqa: E402

C_REFERENCE = "docs/reference/c/"
PYTHON = "docs/reference/python.rst"
TREES = (("Begin", ["README.md", "gallery/index.md", "examples/README.md"]),
         ("Use", ["docs/guide/README.md", "docs/tutorials/index.md", "docs/cookbook/README.md", "docs/reference/README.md",
                 C_REFERENCE + "index.rst", PYTHON, "python/README.md", "docs/licences.md"]),
         ("Understand", ["docs/theory/README.md", "docs/validation.md", "docs/benchmark.md", "docs/bench.md"]),
         ("Take part", ["CONTRIBUTING.md", "docs/architecture.md", "docs/mutations.md", "docs/adr/README.md", "CHANGELOG.md"]))


def version():
    return re.search(r"project\(.*?VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.DOTALL).group(1)


def below(names):
    """{page: pages to be found below it}: the modules of the library, and the tool that a page is about."""
    return {"docs/architecture.md": [n for n in names if re.fullmatch(r"src/.*/README\.md", n)],
            "docs/mutations.md": ["tools/mutate/README.md"], "docs/validation.md": ["tests/textbook/README.md"]}


def out_of_reach(names):
    """Pages of the sources that no page leads to: Sphinx refuses them."""
    more, reached, ahead = below(names), set(), [n for _, pages in TREES for n in pages]
    while ahead:
        name = ahead.pop()
        if name in reached or name not in names:
            continue
        reached.add(name)
        ahead += more.get(name, []) + staging.children(name, (ROOT / name).read_text(), names)
    return sorted(set(names) - reached)


def stage_index(stage, known):
    trees = "".join(staging.tree([n for n in names if n in known], "", f":hidden:\n:caption: {caption}")
                    for caption, names in TREES)
    text = (HERE / "index.md.in").read_text().replace("@TREES@", trees).replace("@PICTURES@", "")
    for missing in {"gallery/index.md", PYTHON} - known:
        text = re.sub(rf"^.*{missing}.*\n", "", text, flags=re.MULTILINE)
    stage.write("index.md", text)


def fill(stage, program, pictures, with_pictures):
    names = staging.pages(ROOT)
    made = {C_REFERENCE + name: text
            for name, text in c_reference.write(ROOT / "include", {n[:-3] for n in names}).items()}
    package, why = python_reference.find(ROOT)
    if package:
        made[PYTHON] = python_reference.page(package)
    else:
        print(f"the Python reference is left out: {why} (./dev python installs the package)")
    for name, text in made.items():
        stage.write(name, text)
    made.update(dict.fromkeys(tutorials.write(stage, ROOT, names, package, pictures.parent / "tutorials")))
    made.update(dict.fromkeys(gallery.write(stage, ROOT, program, pictures, with_pictures)))
    known = set(names) | set(made)
    staging.stage_all(stage, made, below(names))
    stage_index(stage, known)
    stage.sweep()


def sphinx(output):
    environment = dict(os.environ, ROUTH_SITE=str(HERE), ROUTH_VERSION=version(), PYTHONDONTWRITEBYTECODE="1")
    # anew and by one process: the C domain of Sphinx 5 loses enumerators where pages are merged
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-E", "-c", HERE,
               "-d", output / "doctrees", "-D", f"version={version()}", "-D", f"routh_root={ROOT}",
               output / "source", output / "html"]
    status = subprocess.run(command, env=environment).returncode
    theme.mend(output / "html")
    return status


def main(arguments):
    words = [word for word in arguments if not word.startswith("--")]
    if len(words) != 2:
        print(__doc__)
        return 2
    output = pathlib.Path(words[1]).resolve()
    (output / "source").mkdir(parents=True, exist_ok=True)
    fill(staging.Stage(ROOT, output / "source"), pathlib.Path(words[0]).resolve(), output / "gallery",
         "--no-pictures" not in arguments)
    return sphinx(output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
