"""Flexible bodies from finite-element programs."""

from __future__ import annotations

import os
import pathlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, Union

import numpy as np
import numpy.typing as npt

from routh import _api
from routh._api import Array, Path
from routh._carry import Held
from routh._routh import ffi, lib
from routh.errors import ArgumentTypeError, BadArgumentError

__all__ = ["Reduced", "reduce"]

Interface = Union[int, Sequence[int], str, None]


class Sparse(Protocol):
    """A sparse matrix or array of SciPy."""

    def tocoo(self) -> Any: ...


Matrix = Union[Sparse, npt.ArrayLike]


class Reduced(Held):
    """A body that was read from matrices and reduced to interfaces and modes, SI units. Made by
    :func:`routh.reduce`; :meth:`save` writes the file that ``{type: modal, file: ...}`` of a model
    reads."""

    def __init__(self, pointer: Any) -> None:
        self._c = pointer

    @property
    def title(self) -> str:
        return _api.text(self._c.title)

    @property
    def n_nodes(self) -> int:
        """Of the finite-element model."""
        return int(self._c.n_nodes)

    @property
    def n_dofs(self) -> int:
        """Of the finite-element model."""
        return int(self._c.n_dofs)

    @property
    def mass(self) -> float:
        """kg"""
        return float(self._c.mass)

    @cached_property
    def centre(self) -> Array:
        """Centre of mass, shape (3,), m."""
        return _api.view(self._c, self._c.centre, 3)

    @cached_property
    def inertia(self) -> Array:
        """About the centre of mass, axes of the model, shape (3, 3), kg m^2."""
        return _api.view(self._c, self._c.inertia, 3, 3)

    @cached_property
    def frequencies(self) -> Array:
        """Of the reduced body free in space, shape (n,), Hz."""
        return _api.view(self._c, self._c.frequency, self._c.n)

    @cached_property
    def whole(self) -> Array:
        """With `frequencies_below`: elastic frequencies of the whole model below it, counted,
        shape (n_whole,), Hz; the first of `frequencies` are the reduced ones."""
        return _api.view(self._c, self._c.whole, self._c.n_whole)

    @property
    def n_normal(self) -> int:
        """Normal modes that are kept."""
        return int(self._c.n_normal)

    @property
    def first_left_out(self) -> float:
        """The lowest normal mode that is not kept, Hz; 0: not known."""
        return float(self._c.first_left_out)

    def table(self) -> str:
        """What ``routh reduce`` prints: is the body in order?"""
        return _api.written(lib.routh_reduction_table, self._c)

    def text(self) -> str:
        """The body as the text of a file; numbers exact."""
        return _api.written(lib.routh_reduction_json, self._c)

    def save(self, path: Path) -> None:
        """Writes the file; it is whole or as it was.

        Raises
        ------
        FileError
        """
        _api.save_text(self.text(), path)

    def __repr__(self) -> str:
        return f"<routh.Reduced {self.title!r}: {self._c.n} modes of {self.n_dofs} degrees>"


def _matrix_file(matrix: Any, path: pathlib.Path, what: str) -> pathlib.Path:
    """A matrix of SciPy or NumPy as a file, to the last bit; zeros are left out."""
    if not hasattr(matrix, "tocoo"):
        dense = _api.reals(matrix, f"the {what} matrix")
        if dense.ndim != 2:
            raise ArgumentTypeError(f"the {what} is a file, a sparse matrix or an array of two dimensions, not {matrix!r}")
        rows, columns = np.nonzero(dense)
        values, shape = dense[rows, columns], dense.shape
    else:
        coo = matrix.tocoo()
        coo.sum_duplicates()
        rows, columns, values, shape = coo.row, coo.col, _api.reals(coo.data, f"the {what} matrix"), coo.shape
    if shape[0] != shape[1]:
        raise BadArgumentError(f"the {what} matrix has the shape {shape}, but must be square")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n{shape[0]} {shape[1]} {len(values)}\n")
        file.writelines(f"{r + 1} {c + 1} {v!r}\n" for r, c, v in zip(rows.tolist(), columns.tolist(), values.tolist()))
    return path


def _table_file(table: Any, path: pathlib.Path, widths: tuple[int, ...], what: str) -> pathlib.Path:
    """Rows of numbers as a file; without the first column rows are numbered from 1."""
    rows = _api.reals(table, what)
    for column in range(rows.shape[1] if rows.ndim == 2 else 0):
        if (column == 0 and rows.shape[1] == max(widths)) or what == "dofs":
            for number in rows[:, column]:
                _api.whole(number, f"{what}: numbers of nodes" if column == 0 else f"{what}: directions")
    if rows.ndim != 2 or rows.shape[1] not in widths:
        raise ArgumentTypeError(f"{what} have {' or '.join(map(str, widths))} columns, not the shape {rows.shape}")
    if rows.shape[1] < max(widths):
        rows = np.column_stack([np.arange(1, len(rows) + 1), rows])
    with open(path, "w", encoding="ascii") as file:
        for first, *rest in rows.tolist():
            file.write(" ".join([f"{first:.0f}", *(f"{v:.0f}" if v == int(v) else repr(v) for v in rest)]) + "\n")
    return path


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, bytes, os.PathLike))


def reduce(
    stiffness: Path | Matrix,
    mass: Path | Matrix,
    *,
    nodes: Path | npt.ArrayLike | None = None,
    dofs: Path | npt.ArrayLike | None = None,
    interfaces: Iterable[int] | Mapping[int, Interface] = (),
    modes: int = 0,
    cut: float = 0.0,
    frequencies_below: float = 0.0,
    accuracy: float = 0.0,
    free_modes: bool = False,
    shapes: Path | None = None,
    damping_ratio: float = 0.0,
    length_unit: float = 1.0,
    mass_unit: float = 1.0,
    time_unit: float = 1.0,
    stiffness_name: str | None = None,
    mass_name: str | None = None,
    draw: int = 0,
    title: str | None = None,
) -> Reduced:
    """Reads mass and stiffness matrices of a body, checks and reduces them (Craig and Bampton 1968).
    Not interruptible: the call of C has no way to be stopped.

    Parameters
    ----------
    stiffness, mass : str or path-like, or matrix
        Sparse matrices of SciPy or arrays, symmetric; or files: Matrix Market or Abaqus (.mtx), CalculiX (.sti, .mas), Nastran's DMIG (.pch) or OUTPUT4
        (.op4) as text.
    nodes : str or path-like, or array_like, optional
        Shape (n, 3), x y z of nodes 1, 2, ..; (n, 4) with their numbers first. Or a file: .inp, .frd, .bdf, .dat, or ``number x y z`` a line; the file of the stiffness where left out.
    dofs : str or path-like, or array_like, optional
        Node and direction (1 to 6) of every row of the matrices, shape (n, 2); or a file of these. Where left out three or
        six rows a node.
    interfaces : iterable of int or mapping, optional
        Nodes where the body will be joined to others. Of a mapping the key is the interface's
        number, the value None (that node), nodes whose mean motion it is, or the name of an
        ``*NSET``.
    modes : int, optional
        Normal modes kept.
    cut : float, optional
        Or all below this frequency, Hz.
    frequencies_below, accuracy : float, optional
        Or as many as it takes for the frequencies of the free body below this, Hz, to be those of
        the whole model, which are counted; accuracy 1e-3, relative.
    free_modes : bool, optional
        Normal modes are those of the free body, with interfaces too.
    shapes : str or path-like, optional
        File of shapes that are kept besides.
    damping_ratio : float, optional
        Of every mode of the free body.
    length_unit, mass_unit, time_unit : float, optional
        Of the files, in m, kg and s.
    stiffness_name, mass_name : str, optional
        In DMIG and OUTPUT4.
    draw : int, optional
        Most nodes kept for drawing; 0: 500, -1: none.
    title : str, optional

    Raises
    ------
    FileError, ModelSyntaxError
        A file cannot be read, with its line.
    ModelError
        Files do not fit together or the body is not in order.
    BadArgumentError, NumericError
    """
    matrices: list[Any] = [matrix for matrix in (stiffness, mass) if not _is_path(matrix)]
    shapes_given = [matrix.shape if hasattr(matrix, "tocoo") else np.shape(matrix) for matrix in matrices]
    if len(shapes_given) == 2 and all(len(shape) == 2 for shape in shapes_given) and shapes_given[0] != shapes_given[1]:
        raise BadArgumentError(f"the stiffness matrix has the shape {shapes_given[0]}, but the mass matrix {shapes_given[1]}")
    with tempfile.TemporaryDirectory(prefix="routh-") as folder:
        place = pathlib.Path(folder)
        if not _is_path(stiffness):
            stiffness = _matrix_file(stiffness, place / "stiffness.mtx", "stiffness")
            if nodes is None:
                raise BadArgumentError("matrices need nodes; give their places as nodes=")
        if not _is_path(mass):
            mass = _matrix_file(mass, place / "mass.mtx", "mass")
        if nodes is not None and not _is_path(nodes):
            nodes = _table_file(nodes, place / "nodes.txt", (3, 4), "nodes")
        if dofs is not None and not _is_path(dofs):
            dofs = _table_file(dofs, place / "dofs.txt", (2,), "dofs")
        return _reduced(
            {"stiffness": stiffness, "mass": mass, "nodes": nodes, "dofs": dofs, "shapes": shapes},
            {"stiffness_name": stiffness_name, "mass_name": mass_name, "title": title},
            {"length_unit": length_unit, "mass_unit": mass_unit, "time_unit": time_unit, "modes": modes, "cut": cut,
             "frequencies_below": frequencies_below, "accuracy": accuracy, "free_modes": free_modes,
             "damping_ratio": damping_ratio, "draw": draw},
            interfaces,
        )


def _interfaces(interfaces: Iterable[int] | Mapping[int, Interface]) -> dict[int, Interface]:
    """By number, each once."""
    if isinstance(interfaces, (str, bytes)) or not isinstance(interfaces, Iterable):
        raise ArgumentTypeError(f"interfaces are a list of node numbers or a mapping, not {interfaces!r}")
    given: dict[int, Interface] = {}
    for key in interfaces:
        number = _api.whole(key, "interfaces: numbers of nodes")
        if number in given:
            raise BadArgumentError(f"the interface {number} is given twice")
        given[number] = interfaces[key] if isinstance(interfaces, Mapping) else None
    return given


def _reduced(
    files: dict[str, Any],
    texts: dict[str, str | None],
    numbers: dict[str, Any],
    interfaces: Iterable[int] | Mapping[int, Interface],
) -> Reduced:
    held = _api.Arguments()
    options = _api.filled("routh_reduction_options *")
    for name, path in files.items():
        setattr(options, name, held.text(None if path is None else _api.encoded_path(path)))
    for name, text in texts.items():
        setattr(options, name, held.text(text))
    for name, number in numbers.items():
        setattr(options, name, number)
    given = _interfaces(interfaces)
    if given:
        options.n_interfaces = len(given)
        options.interfaces = held.hold(ffi.new("routh_interface[]", len(given)))
        for interface, (number, of) in zip(options.interfaces[0 : len(given)], given.items()):
            interface.number = number
            if isinstance(of, str):
                interface.set = held.text(of)
            elif of is not None:
                what = f"interface {number}"
                members: list[Any] = list(of) if isinstance(of, Iterable) else [of]
                if not members:
                    raise BadArgumentError(f"{what} has no nodes; leave it out, or give None for the node of that number")
                interface.n_nodes = len(members)
                interface.nodes = held.integers(members, what)
    return Reduced(
        _api.made(lib.routh_reduction_compute, lib.routh_reduction_free, "routh_reduction", options)
    )
