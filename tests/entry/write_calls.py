#!/usr/bin/env python3
"""Writes the table of all public functions and of all options that tests/entry/test_arguments.c works through:
write_calls.py ROOT OUTPUT. Everything is read from the public headers."""
import importlib.util
import pathlib
import re
import sys

STRUCT = re.compile(r"typedef struct (routh_\w+) \{(.*?)\} \1;", re.DOTALL)
ENUM = re.compile(r"typedef enum (routh_\w+) \{(.*?)\} \1;", re.DOTALL)


def entry_of(root):
    spec = importlib.util.spec_from_file_location("write_entry", root / "tools/write_entry.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def types(root, comment):
    """({enum: how many values}, {struct: [declarations]})"""
    enums, structs = {}, {}
    for header in sorted((root / "include/routh").glob("*.h")):
        text = comment.sub("", header.read_text("utf-8"))
        for name, body in ENUM.findall(text):
            listed = re.search(r"(\w+_LIST)\((\w+)\)", body)
            if listed:
                macro = re.search(r"#define " + listed.group(1) + r"\(X\)((?:[^\n\\]|\\\n|\\.)*)", text).group(1)
                enums[name] = len(re.findall(r"\bX\(", macro))
            else:
                enums[name] = len([word for word in body.split(",") if word.strip()])
        for name, body in STRUCT.findall(text):
            structs[name] = [" ".join(part.split()) for part in body.split(";") if part.strip()]
    return enums, structs


def kind_of(kind, name, tail, enums):
    """Of a parameter: what the test may do to it."""
    base = kind.replace("const", "").replace("*", "").strip()
    stars = kind.count("*") + (1 if tail else 0)
    constant = kind.startswith("const")
    if name == "error" and base == "routh_error":
        return "CALL_ERROR" if not constant else "CALL_OBJECT"
    if stars == 2 and not constant:
        return "CALL_PLACE"
    if base == "char":
        return "CALL_STRING" if stars == 1 and constant else "CALL_WORDS" if constant else "CALL_OUT"
    if stars and base in ("double", "int"):
        return ("CALL_NUMBERS" if base == "double" else "CALL_INTEGERS") if constant else "CALL_OUT"
    if base == "routh_text" and not constant:
        return "CALL_TEXT"
    if stars and constant and re.search(r"_(options|request)$", base):
        return "CALL_OPTIONS"
    if stars:
        return "CALL_OBJECT"
    if base in enums:
        return "CALL_CHOICE"
    return {"double": "CALL_REAL", "size_t": "CALL_SIZE", "int": "CALL_WHOLE"}[base]


def argument(place, kind, tail):
    if "*" in kind or tail:
        star = kind if "*" in kind and not tail else kind + " *"
        return f"({star})(v[{place}].p)"
    if kind == "double":
        return f"v[{place}].d"
    return f"({kind})v[{place}].i"


def thunk(returned, name, parameters):
    call = f"{name}({', '.join(argument(k, t, tail) for k, (t, n, tail) in enumerate(parameters))})"
    if returned == "void":
        done = f"{call};"
    elif "*" in returned:
        done = f"r.p = (void *)(uintptr_t){call};"
    elif returned == "double":
        done = f"r.d = {call};"
    else:
        done = f"r.i = (long long){call};"
    return f"static call_value run_{name}(const call_value *v)\n{{\n    call_value r = {{0}};\n    {done}\n    return r;\n}}\n"


def result_of(returned):
    if returned == "routh_status":
        return "CALL_STATUS"
    if returned == "void":
        return "CALL_NOTHING"
    return "CALL_POINTER" if "*" in returned else "CALL_REAL" if returned == "double" else "CALL_WHOLE"


def members(struct, structs, enums, prefix=""):
    """[(path, kind, values)] of the numbers of a struct, those within other structs too."""
    found = []
    for declaration in structs[struct]:
        match = re.match(r"(?:const )?(double|int|unsigned|size_t|routh_\w+) ([^*(]*)$", declaration)
        if not match:
            continue
        for name in match.group(2).split(","):
            name = re.sub(r"\[.*", "", name.strip())
            kind = match.group(1)
            if kind == "double":
                found.append((prefix + name, "CALL_REAL", 0))
            elif kind == "int":
                found.append((prefix + name, "CALL_WHOLE", 0))
            elif kind in enums:
                found.append((prefix + name, "CALL_CHOICE", enums[kind]))
            elif kind in structs:
                found += members(kind, structs, enums, prefix + name + ".")
    return found


def text_of(root):
    entry = entry_of(root)
    enums, structs = types(root, entry.COMMENT)
    functions = entry.declared(root)
    names = {name for _, _, name, _ in functions}
    out = ['/* Made by tests/entry/write_calls.py. */', '#include "entry/calls.h"', "#include <stdint.h>", '#include "routh/routh.h"', ""]
    rows, frees = [], []
    for header, returned, name, parameters in functions:
        if not parameters:
            continue
        if name.endswith("_free"):
            frees.append(name)
        out.append(thunk(returned, name, parameters))
        made = []
        for t, n, tail in parameters:
            kind, base = kind_of(t, n, tail, enums), t.replace("const", "").replace("*", "").strip()
            free = f"run_{base}_free" if kind == "CALL_PLACE" and f"{base}_free" in names else "NULL"
            made.append(f'{{"{n}", "{base}", {kind}, {enums.get(base, 0)}, {free}}}')
        rows.append((f'{{"{name}", "{header}", {result_of(returned)}, {len(parameters)}, run_{name},\n     {{' + ",\n      ".join(made) + "}},\n"))
    out = out[:5] + [f"static call_value run_{name}(const call_value *v);" for name in sorted(frees)] + [""] + out[5:]
    out.append("const public_call public_calls[] = {\n    " + "    ".join(rows) + "    {NULL, NULL, CALL_NOTHING, 0, NULL, {{NULL, NULL, CALL_OUT, 0, NULL}}},\n};\n")
    out.append("const option_member option_members[] = {")
    for name in sorted(structs):
        if re.search(r"_(options|request)$", name):
            out += [f'    {{"{name}", "{path}", {kind}, {values}, offsetof({name}, {path}), sizeof({name})}},'
                    for path, kind, values in members(name, structs, enums)]
    out.append("    {NULL, NULL, CALL_OUT, 0, 0, 0},\n};")
    return "\n".join(out) + "\n"


def main():
    root, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    text = text_of(root)
    if not output.exists() or output.read_text("utf-8") != text:
        output.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
