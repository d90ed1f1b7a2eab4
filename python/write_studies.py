#!/usr/bin/env python3
"""Writes python/routh/_studies.py: write_studies.py --package python/routh --output FILE

Functions of the package whose first argument is a model or a linear model are methods of it too. This file has them as
such: with the signature and the docstring of the function, for help(), completion and type checkers.
"""

import argparse
import ast
import builtins
import pathlib

# Class: (module, function, method) of each; None: of the same name.
CLASSES = {
    "ModelStudies": [
        ("studies.sweep", "sweep", None),
        ("studies.response", "model_response", "response"),
        ("studies.sensitivity", "sensitivity", None),
        ("studies.shapes", "shape_sensitivity", None),
        ("studies.simulate", "simulate", None),
        ("studies.floquet", "floquet", None),
        ("studies.floquet", "floquet_boundary", None),
        ("studies.optimise", "optimise", None),
        ("studies.symbolic", "symbolic", None),
        ("studies.certificate", "certify", None),
        ("studies.report", "report", None),
        ("studies.report", "view", None),
    ],
    "LinearStudies": [
        ("studies.response", "response", None),
        ("studies.norms", "norms", None),
        ("convert", "state_space", None),
        ("convert", "to_control", None),
        ("convert", "to_scipy", None),
        ("convert", "to_xarray", None),
        ("convert", "to_pandas", None),
    ],
    "DescriptorStudies": [("studies.response", "response", None)],
}
ABOUT = {
    "ModelStudies": "What is done with a model.",
    "LinearStudies": "What is done with a linear model, and what it gives to other packages.",
    "DescriptorStudies": "What is done with a descriptor system.",
}

HEAD = '''"""Studies as methods; written by python/write_studies.py from the functions themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
'''


class Module:
    def __init__(self, package, name):
        self.name = "routh." + name
        tree = ast.parse((package / (name.replace(".", "/") + ".py")).read_text("utf-8"))
        self.functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.origin = {}  # of each name: what imports it
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                self.origin.update({a.asname or a.name: f"from {node.module} import {a.name}" for a in node.names})
            elif isinstance(node, ast.Import):
                self.origin.update({a.asname: f"import {a.name} as {a.asname}" for a in node.names if a.asname})
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            for name_ in [t.id for t in targets if isinstance(t, ast.Name)] + [getattr(node, "name", None)]:
                if name_:
                    self.origin[name_] = f"from {self.name} import {name_}"

    def imports(self, function):
        """What the annotations need."""
        node = self.functions[function]
        annotations = [a.annotation for a in arguments(node) if a.annotation] + [node.returns]
        extra = [node.args.kwarg.annotation] if node.args.kwarg else []
        names = {n.id for a in annotations + extra for n in ast.walk(a) if isinstance(n, ast.Name)}
        return {name: self.origin[name] for name in names if not hasattr(builtins, name) and name != "Any"}


def arguments(node):
    return node.args.args[1:] + node.args.kwonlyargs


def method(module, function, name, n=4):
    node = module.functions[function]
    a = node.args
    defaults = dict(zip([x.arg for x in a.args][len(a.args) - len(a.defaults):], a.defaults))
    defaults.update({x.arg: d for x, d in zip(a.kwonlyargs, a.kw_defaults) if d is not None})
    lines = [f"    def {name}(", "        self,"]
    call = ["own"]
    for k, x in enumerate(arguments(node)):
        if k == len(a.args) - 1:
            lines.append("        *,")
        default = f" = {ast.unparse(defaults[x.arg])}" if x.arg in defaults else ""
        lines.append(f"        {x.arg}: {ast.unparse(x.annotation)}{default},".replace("'", '"'))
        call.append(x.arg if k < len(a.args) - 1 else f"{x.arg}={x.arg}")
    if a.kwarg:
        lines.append(f"        **{a.kwarg.arg}: {ast.unparse(a.kwarg.annotation)},")
        call.append(f"**{a.kwarg.arg}")
    lines.append(f"    ) -> {ast.unparse(node.returns)}:")
    doc = ast.get_docstring(node, clean=False).split("\n")
    lines.append('        """' + doc[0] + ('"""' if len(doc) == 1 else ""))
    lines += ["    " + line if line.strip() else "" for line in doc[1:-1]]
    if len(doc) > 1:
        lines.append(("    " + doc[-1]).rstrip() + ('"""' if doc[-1].strip() else '        """'))
    lines += ["        own: Any = self", f"        from {module.name} import {function}", ""]
    lines += [f"        return {function}(", *(f"            {c}," for c in call), "        )", ""]
    return "\n".join(lines)


def text_of(package):
    modules = {name: Module(package, name) for name in sorted({m for some in CLASSES.values() for m, _, _ in some})}
    origin = {}
    for some in CLASSES.values():
        for module, function, _ in some:
            for name, where in modules[module].imports(function).items():
                if origin.setdefault(name, where) != where:
                    raise SystemExit(f"{name} is {origin[name]} and {where}; rename one of them")
    made = [HEAD + "".join(f"    {where}\n" for where in sorted(set(origin.values())))]
    for name, some in CLASSES.items():
        made.append(f'\n\nclass {name}:\n    """{ABOUT[name]}"""\n\n')
        made.append("\n".join(method(modules[module], function, own or function) for module, function, own in some))
    return "".join(made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    given = parser.parse_args()
    given.output.write_text(text_of(given.package), "utf-8")


if __name__ == "__main__":
    main()
