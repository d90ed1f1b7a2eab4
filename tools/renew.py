#!/usr/bin/env python3
"""Writes all files that follow from the tables of the library: renew.py [--check] [PROGRAM], default build/routh.

- schema/routh-model.schema.json and docs/reference/model-file.md: what a model file may hold (src/model/fields.c)
- schema/routh-<command>.schema.json and docs/reference/results.md: what commands write (the tables in src/output)
- python/routh/_elements.py, python/routh/measures.py: the methods of Python's models, and the measures of their expressions
- python/routh/_literals.py: the words that calls of Python take, where the shared library stands beside PROGRAM
- python/routh/_studies.py: studies as methods of Python's models and linear models, from python/routh/studies
- python/routh/_results.py: the attributes of Python's results
- src/entry/names.h, src/entry/inner.h: names of what does the work of public functions
- include/routh/version.h: the version of the project in CMakeLists.txt
- viewer/src/results.ts: the types and columns of the report's page; their numbers in viewer/data.schema.json

--check writes nothing and names the files that are not up to date; exit status 1 then.
"""
import importlib.util
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCHEMA = "schema/routh-{}.schema.json"


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def version_header(lists):
    major, minor, patch = map(int, re.search(r"^project\(routh VERSION (\d+)\.(\d+)\.(\d+)", lists, re.MULTILINE).groups())
    return f"""/* The version: of these headers, made by tools/renew.py of the project's, and of the library. */
#ifndef ROUTH_VERSION_H
#define ROUTH_VERSION_H

#include "routh/status.h"

#define ROUTH_VERSION_MAJOR {major}
#define ROUTH_VERSION_MINOR {minor}
#define ROUTH_VERSION_PATCH {patch}

/* 10000 major + 100 minor + patch, for #if ROUTH_VERSION_NUMBER >= 200 */
#define ROUTH_VERSION_NUMBER {10000 * major + 100 * minor + patch}

#ifdef __cplusplus
extern "C" {{
#endif

/* "{major}.{minor}.{patch}", of the library that is loaded. */
ROUTH_API const char *routh_version(void);

#ifdef __cplusplus
}}
#endif
#endif
"""


def files(program):
    """{path in the tree: text} of all that is generated."""
    entry = load(ROOT / "tools/write_entry.py")
    elements = load(ROOT / "python/write_elements.py")
    results = load(ROOT / "tools/write_results.py")
    literals, studies = load(ROOT / "python/write_literals.py"), load(ROOT / "python/write_studies.py")
    library = program.parent / "librouth.so"
    model, page = printed(program, "schema"), printed(program, "reference", "results")
    names = re.findall(r"^## routh (\S+) --json$", page, re.MULTILINE)
    schemas = {name: printed(program, "schema", name) for name in names}
    parsed = [json.loads(text) for text in schemas.values()]
    made = {SCHEMA.format(name): text for name, text in schemas.items()}
    made[SCHEMA.format("model")] = model
    made["docs/reference/model-file.md"] = printed(program, "reference")
    made["docs/reference/results.md"] = page
    made["python/routh/_elements.py"] = elements.text_of(json.loads(model))
    made["python/routh/measures.py"] = elements.measures_of(json.loads(model))
    if library.exists():
        made["python/routh/_literals.py"] = literals.text_of(library, json.loads(model))
    made["python/routh/_studies.py"] = studies.text_of(ROOT / "python/routh")
    made["python/routh/_results.py"] = results.python_of(parsed)
    made["viewer/src/results.ts"] = results.typescript_of(parsed)
    made["viewer/data.schema.json"] = results.page_schema_of(parsed, (ROOT / "viewer/data.schema.json").read_text("utf-8"))
    made.update(entry.files(ROOT))
    made["include/routh/version.h"] = version_header((ROOT / "CMakeLists.txt").read_text("utf-8"))
    return made


def stale(root, made):
    """The files that differ from what they should be."""
    return [name for name, text in sorted(made.items())
            if not (root / name).exists() or (root / name).read_text("utf-8") != text]


def main(arguments):
    names = [word for word in arguments if word != "--check"]
    made = files(pathlib.Path(names[0] if names else ROOT / "build/routh").resolve())
    found = stale(ROOT, made)
    if "--check" in arguments:
        for name in found:
            print(f"{name} is not up to date; tools/renew.py writes it")
        return 1 if found else 0
    for name in found:
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(made[name], "utf-8")
        print(f"{name} is renewed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
