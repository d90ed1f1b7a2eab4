"""What is done with a model after it is linearized: sweeps, responses, sensitivities, simulations and so on.

Each function is a method too: ``routh.Model.sweep`` is :func:`sweep`, whose first argument is the model.
"""

from routh.studies.certificate import Certificate, Enclosure, certify
from routh.studies.floquet import Floquet, FloquetBoundary, floquet, floquet_boundary
from routh.studies.norms import Norms, NormSensitivity, norms
from routh.studies.optimise import Goal, Optimum, Variable, optimise
from routh.studies.report import Page, View, report, view, view_modes
from routh.studies.response import Channel, Peak, RandomOutput, Response, model_response, response
from routh.studies.response_sensitivity import Band, PeakSensitivity, ResponseSensitivity
from routh.studies.sensitivity import Sensitivity, sensitivity
from routh.studies.shapes import ShapeSensitivity, shape_sensitivity
from routh.studies.simulate import History, Statistics, simulate
from routh.studies.sweep import Sweep, SweepBoundary, SweepEvent, SweepLine, sweep
from routh.studies.symbolic import Symbolic, symbolic

__all__ = [
    "Band",
    "Certificate",
    "Channel",
    "Enclosure",
    "Floquet",
    "FloquetBoundary",
    "Goal",
    "History",
    "NormSensitivity",
    "Norms",
    "Optimum",
    "Page",
    "Peak",
    "PeakSensitivity",
    "RandomOutput",
    "Response",
    "ResponseSensitivity",
    "Sensitivity",
    "ShapeSensitivity",
    "Statistics",
    "Sweep",
    "SweepBoundary",
    "SweepEvent",
    "SweepLine",
    "Symbolic",
    "Variable",
    "View",
    "certify",
    "floquet",
    "floquet_boundary",
    "model_response",
    "norms",
    "optimise",
    "report",
    "response",
    "sensitivity",
    "shape_sensitivity",
    "simulate",
    "sweep",
    "symbolic",
    "view",
    "view_modes",
]
