"""Routh: exact linear models of constrained multibody systems.

>>> import routh
>>> model = routh.Model.read("rotor.yaml", spin=120)  # doctest: +SKIP
>>> linear = model.linearize()  # doctest: +SKIP
>>> print(linear.modes().table())  # doctest: +SKIP

What the library refuses is raised as a :class:`routh.Error`; what the program prints as a warning is a
:class:`routh.Warning`. Every long call lets other Python
threads run; models, mechanisms, operating points, linear models and modes are immutable and may be
shared between threads.
"""

from __future__ import annotations

from routh import _api, measures
from routh._build import BuildInfo, Component, build_info, features
from routh._routh import lib
from routh._warnings import (
    CommentsWarning,
    DynamicsWarning,
    InterruptedWarning,
    LinearWarning,
    ModesWarning,
    NotSteadyWarning,
    OperatingPointWarning,
    SensitivityWarning,
    Warning,
)
from routh.answers import Branches, Check, Verification
from routh.attribution import Attribution, Realization
from routh.bodies import Reduced, reduce
from routh.builder import Expression, Parameter
from routh.comparison import Comparison
from routh.descriptor import Descriptor, Linearizer
from routh.dynamics import Dynamics
from routh.errors import (
    ArgumentTypeError,
    BadArgumentError,
    Error,
    FileError,
    MissingFileError,
    LimitExceededError,
    MissingAttributeError,
    MissingPackageError,
    ModelError,
    ModelSyntaxError,
    NoEquilibriumError,
    NotAssembledError,
    NotSupportedError,
    NumericError,
    OutOfMemoryError,
    OutOfRangeError,
    SingularError,
    StoppedError,
    UnknownNameError,
)
from routh.functions import Function
from routh.linear import Linear, load
from routh.mechanism import COORDINATES, METHODS, Mechanism
from routh.model import Model, format_text, template, template_names, template_text
from routh.modes import Mode, Modes
from routh.operating import OperatingPoint
from routh.parametric import Parametric

__version__ = _api.text(lib.routh_version())

__all__ = [
    "COORDINATES",
    "METHODS",
    "ArgumentTypeError",
    "Attribution",
    "BadArgumentError",
    "Branches",
    "BuildInfo",
    "Check",
    "Comparison",
    "Component",
    "Verification",
    "Descriptor",
    "Dynamics",
    "DynamicsWarning",
    "Error",
    "Expression",
    "FileError",
    "Function",
    "MissingFileError",
    "CommentsWarning",
    "InterruptedWarning",
    "LimitExceededError",
    "Linear",
    "LinearWarning",
    "Linearizer",
    "Mechanism",
    "MissingAttributeError",
    "MissingPackageError",
    "Mode",
    "Model",
    "ModelError",
    "ModelSyntaxError",
    "Modes",
    "ModesWarning",
    "NoEquilibriumError",
    "NotAssembledError",
    "NotSteadyWarning",
    "NotSupportedError",
    "NumericError",
    "OperatingPoint",
    "OperatingPointWarning",
    "OutOfMemoryError",
    "OutOfRangeError",
    "Parameter",
    "Parametric",
    "Realization",
    "Reduced",
    "SensitivityWarning",
    "SingularError",
    "StoppedError",
    "UnknownNameError",
    "Warning",
    "__version__",
    "build_info",
    "features",
    "format_text",
    "load",
    "reduce",
    "template",
    "template_names",
    "template_text",
]
