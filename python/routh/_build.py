"""What the library was built with."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

from routh import _api
from routh._routh import ffi, lib
from routh.errors import unknown_name


@dataclass(frozen=True)
class Component:
    """A library below this one.

    Attributes
    ----------
    name, version
        Its version is that of the loaded library, or of its headers; ``""`` where it is not known.
    present
        Whether it is built in.
    licence
        Its own, as an SPDX expression.
    purpose
        What it is for.
    without
        What is refused where it is not built in; ``""``: it is always built in.
    package
        The Debian package that a build needs.
    """

    name: str
    version: str
    present: bool
    licence: str
    purpose: str
    without: str
    package: str


@dataclass(frozen=True)
class BuildInfo:
    """The build of the library that is loaded; printed, it is the table of ``routh version``.

    Attributes
    ----------
    version, type, compiler
        Of Routh, as ``"0.1.0"``, ``"Release"`` and ``"gcc 12.2.0"``.
    licence, licence_why
        That the library is under with all that the process has loaded, as an SPDX expression, and a
        sentence that says why.
    kernels, kernels_advice
        Which processor's kernels OpenBLAS has chosen, as ``"Haswell"``, and a sentence where the processor has
        faster ones, or None.
    components
        The libraries below it, also those that are not built in.
    """

    version: str
    type: str
    compiler: str
    licence: str
    licence_why: str
    kernels: str
    kernels_advice: str | None
    components: tuple[Component, ...]

    def __getitem__(self, name: str) -> Component:
        """The component of that name."""
        for component in self.components:
            if component.name == name:
                return component
        raise unknown_name("library", name, [c.name for c in self.components])

    def __str__(self) -> str:
        return _api.written(lib.routh_build_table, ffi.NULL, 0)


_PACKAGES = ("control", "h5py", "matplotlib", "pandas", "scipy", "sympy", "xarray")


def features() -> dict[str, bool]:
    """What there is: each library below this one that may be left out (``"NLopt"``, ``"SUNDIALS"``), and each
    Python package that some methods need (``"scipy"``). :func:`build_info` says what is refused without a library.
    """
    libraries = {c.name: c.present for c in _components() if c.without or not c.present}
    return {**libraries, **{name: importlib.util.find_spec(name) is not None for name in _PACKAGES}}


def _components() -> tuple[Component, ...]:
    found: list[Component] = []
    c = ffi.new("routh_component *")
    while lib.routh_build_component(len(found), c):
        found.append(
            Component(
                name=_api.text(c.name),
                version=_api.text(c.version),
                present=bool(c.present),
                licence=_api.text(c.licence),
                purpose=_api.text(c.purpose),
                without=_api.text(c.without),
                package=_api.text(c.package),
            )
        )
    return tuple(found)


def build_info() -> BuildInfo:
    """What this library was built with: compiler, libraries with their versions, licence.

    Returns
    -------
    BuildInfo
    """
    build = lib.routh_build_info()
    return BuildInfo(
        version=_api.text(build.version),
        type=_api.text(build.type),
        compiler=_api.text(build.compiler),
        licence=_api.text(build.licence),
        licence_why=_api.text(build.licence_why),
        kernels=_api.text(build.kernels),
        kernels_advice=_api.text(build.kernels_advice) or None,
        components=_components(),
    )
