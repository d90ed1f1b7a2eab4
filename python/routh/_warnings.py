"""Warnings: what the program prints as such, as Python warnings of classes that can be filtered. The classes are public.

Each text is issued where the result that it belongs to is made, and stays in the result's ``warnings``::

    warnings.simplefilter("error", routh.NotSteadyWarning)   # an exception in place of frozen eigenvalues
    warnings.simplefilter("ignore", routh.Warning)           # silence
"""

from __future__ import annotations

import builtins
import os
import sys
import warnings
from collections.abc import Iterable
from types import FrameType

__all__ = [
    "CommentsWarning",
    "DynamicsWarning",
    "InterruptedWarning",
    "LinearWarning",
    "ModesWarning",
    "NotSteadyWarning",
    "OperatingPointWarning",
    "SensitivityWarning",
    "Warning",
]


class Warning(builtins.UserWarning):  # noqa: A001 (public as routh.Warning)
    """Whatever Routh warns of."""


class OperatingPointWarning(Warning):
    """Of an operating point: what was found otherwise than asked for, or is doubtful."""


class LinearWarning(Warning):
    """Of a linear model: wanted states that were dropped, and such."""


class NotSteadyWarning(LinearWarning):
    """The operating point is neither in equilibrium nor in steady motion, so eigenvalues do not describe stability."""


class ModesWarning(Warning):
    """Of eigenvalues: one is defective."""


class SensitivityWarning(Warning):
    """Of derivatives: parameters and modes that are left out, and why."""


class CommentsWarning(Warning):
    """A model that was read from a file and changed is written with a comment lost or its place in doubt, or without any."""


class DynamicsWarning(Warning):
    """Of the equations of motion as a function: what of the model is not in them."""


class InterruptedWarning(Warning, RuntimeWarning):
    """A call was interrupted; what was done until then is kept."""


_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


def tell(texts: Iterable[str], kind: type[Warning], known: Iterable[str] = ()) -> None:
    """Warns of each text but those that are known, at the line outside this package that led here."""
    fresh = [text for text in texts if text not in known]
    if not fresh:
        return
    level = 2
    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_back and frame.f_code.co_filename.startswith(_OWN):
        frame, level = frame.f_back, level + 1
    for text in fresh:
        warnings.warn(text, kind, stacklevel=level)
