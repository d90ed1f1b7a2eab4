"""What copies, pickle and ``==`` need of results. Not public.

Results are immutable, so a copy is the result itself. Pickle carries models as what they hold, linear models
as files, operating points as what they were found by, and makes the rest again where it is needed.
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np

from routh.errors import ArgumentTypeError

Own = TypeVar("Own", bound="Immutable")


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal, arrays entry by entry; NaN is NaN."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        if np.shape(a) != np.shape(b):
            return False
        return bool(np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind in "fc"))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b) or (a != a and b != b)


class Record:
    """A dataclass with arrays in it: equal where all of its members are."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [field.name for field in dataclasses.fields(self)]
        return all(same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        values = (getattr(self, field.name) for field in dataclasses.fields(self))
        return hash((type(self), *(v for v in values if isinstance(v, (str, int)))))


class Immutable:
    """A result that nothing changes."""

    def __copy__(self: Own) -> Own:
        return self

    def __deepcopy__(self: Own, memo: dict[int, Any]) -> Own:
        return self


class Held(Immutable):
    """A result in the memory of the library, which is not carried to another process."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        if "_c" not in vars(self):
            return super().__reduce_ex__(protocol)
        ways = [name + "()" for name in ("columns", "to_pandas", "json") if hasattr(self, name)]
        take = " or ".join(ways) or "its attributes"
        raise ArgumentTypeError(
            f"a {type(self).__name__} is memory of the library and is not pickled; pickle what is needed of it: {take}"
        )
