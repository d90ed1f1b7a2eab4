"""The reference of the Python package, from its docstrings, where the package can be imported."""
import importlib
import pathlib
import pkgutil
import sys


def find(root):
    """The installed package as a module, or None with the reason."""
    for folder in sorted(root.glob("build/python/venv/lib/python3*/site-packages")):
        sys.path.append(str(folder))
    try:
        return importlib.import_module("routh"), None
    except ImportError as error:
        return None, str(error)


def public(name):
    return not any(part.startswith("_") for part in name.split("."))


def modules(package):
    return [name for _, name, _ in sorted(pkgutil.walk_packages(package.__path__, "routh."), key=lambda m: m[1]) if public(name)]


def page(package):
    """All public names of the package; those that `routh` itself gives first."""
    names = [n for n in package.__all__ if n.isidentifier() and not n.startswith("_")]
    out = ["Python interface\n================\n\n", ".. automodule:: routh\n   :no-members:\n\n"]
    for name in names:
        thing = getattr(package, name)
        kind = "autoclass" if isinstance(thing, type) else "autofunction" if callable(thing) else "autodata"
        if isinstance(thing, type) and issubclass(thing, BaseException):
            kind = "autoexception"
        if kind == "autodata":  # autodoc would show the words of its type
            out.append(f".. py:data:: routh.{name}\n   :value: {thing!r}\n\n")
            continue
        members = "   :members:\n" if kind == "autoclass" else ""
        out.append(f".. {kind}:: routh.{name}\n{members}\n")
    for name in modules(package):
        module = importlib.import_module(name)
        rest = [n for n, v in sorted(vars(module).items()) if not n.startswith("_") and n not in names
                and getattr(v, "__module__", None) == name and getattr(v, "__doc__", None)]
        if rest:
            out.append(f"{name}\n{'-' * len(name)}\n\n.. automodule:: {name}\n   :members: {', '.join(rest)}\n\n")
    return "".join(out)
