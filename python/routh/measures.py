"""The measures of expressions: functions of a model's state; written by python/write_elements.py from the
table that the library reads them by.

Each gives an expression, for loads, joints, controllers, outputs and wherever a model file has one.
What is left out between others is the ground.

Examples
--------
>>> from routh.measures import DX, VX
>>> str(30 - 4 * DX("cart") - VX("cart", k="rail"))
'30 - 4*DX(cart) - VX(cart, ground, rail)'
"""

from __future__ import annotations

from routh.builder import Element, Point, State, measure
from routh.expressions import Expression

__all__ = [
    "ACCM",
    "ACCX",
    "ACCY",
    "ACCZ",
    "AX",
    "AY",
    "AZ",
    "DM",
    "DX",
    "DY",
    "DZ",
    "FM",
    "FX",
    "FY",
    "FZ",
    "RATE",
    "TM",
    "TX",
    "TY",
    "TZ",
    "VM",
    "VR",
    "VX",
    "VY",
    "VZ",
    "WDTM",
    "WDTX",
    "WDTY",
    "WDTZ",
    "WM",
    "WX",
    "WY",
    "WZ",
]


def DM(i: Point, j: Point | None = None) -> Expression:
    """Distance of i from j [m].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    """
    return measure("DM", i, j)


def DX(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Displacement of i from j along the x axis of k [m].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("DX", i, j, k)


def DY(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Displacement of i from j along the y axis of k [m].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("DY", i, j, k)


def DZ(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Displacement of i from j along the z axis of k [m].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("DZ", i, j, k)


def AX(i: Point, j: Point | None = None) -> Expression:
    """Rotation of i relative to j about the x axis of j, for rotation about that axis alone;
    continuous over any number of revolutions [rad].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    """
    return measure("AX", i, j)


def AY(i: Point, j: Point | None = None) -> Expression:
    """Rotation of i relative to j about the y axis of j, for rotation about that axis alone;
    continuous over any number of revolutions [rad].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    """
    return measure("AY", i, j)


def AZ(i: Point, j: Point | None = None) -> Expression:
    """Rotation of i relative to j about the z axis of j, for rotation about that axis alone;
    continuous over any number of revolutions [rad].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    """
    return measure("AZ", i, j)


def VM(i: Point, j: Point | None = None, l: Point | None = None) -> Expression:
    """Speed of i relative to j, seen from l [m/s].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    l : Point
        The marker that the motion is seen from; left out: the ground.
    """
    return measure("VM", i, j, l)


def VX(i: Point, j: Point | None = None, k: Point | None = None, l: Point | None = None) -> Expression:
    """Velocity of i relative to j, seen from l, along the x axis of k [m/s].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    l : Point
        The marker that the motion is seen from; left out: the ground.
    """
    return measure("VX", i, j, k, l)


def VY(i: Point, j: Point | None = None, k: Point | None = None, l: Point | None = None) -> Expression:
    """Velocity of i relative to j, seen from l, along the y axis of k [m/s].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    l : Point
        The marker that the motion is seen from; left out: the ground.
    """
    return measure("VY", i, j, k, l)


def VZ(i: Point, j: Point | None = None, k: Point | None = None, l: Point | None = None) -> Expression:
    """Velocity of i relative to j, seen from l, along the z axis of k [m/s].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    l : Point
        The marker that the motion is seen from; left out: the ground.
    """
    return measure("VZ", i, j, k, l)


def VR(i: Point, j: Point | None = None) -> Expression:
    """Rate of the distance of i from j [m/s].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    """
    return measure("VR", i, j)


def WM(i: Point, j: Point | None = None) -> Expression:
    """Angular speed of i relative to j [rad/s].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    """
    return measure("WM", i, j)


def WX(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Angular velocity of i relative to j along the x axis of k [rad/s].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("WX", i, j, k)


def WY(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Angular velocity of i relative to j along the y axis of k [rad/s].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("WY", i, j, k)


def WZ(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Angular velocity of i relative to j along the z axis of k [rad/s].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("WZ", i, j, k)


def ACCM(i: Point, j: Point | None = None) -> Expression:
    """Magnitude of the acceleration of i less that of j, both seen from ground [m/s^2].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    """
    return measure("ACCM", i, j)


def ACCX(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Acceleration of i less that of j, both seen from ground, along the x axis of k [m/s^2].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("ACCX", i, j, k)


def ACCY(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Acceleration of i less that of j, both seen from ground, along the y axis of k [m/s^2].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("ACCY", i, j, k)


def ACCZ(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Acceleration of i less that of j, both seen from ground, along the z axis of k [m/s^2].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("ACCZ", i, j, k)


def WDTM(i: Point, j: Point | None = None) -> Expression:
    """Magnitude of the angular acceleration of i less that of j, both seen from ground [rad/s^2].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    """
    return measure("WDTM", i, j)


def WDTX(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Angular acceleration of i less that of j, both seen from ground, along the x axis of k
    [rad/s^2].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("WDTX", i, j, k)


def WDTY(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Angular acceleration of i less that of j, both seen from ground, along the y axis of k
    [rad/s^2].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("WDTY", i, j, k)


def WDTZ(i: Point, j: Point | None = None, k: Point | None = None) -> Expression:
    """Angular acceleration of i less that of j, both seen from ground, along the z axis of k
    [rad/s^2].

    Parameters
    ----------
    i : Point
        The marker that is measured.
    j : Point
        The marker it is measured from; left out: the ground.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("WDTZ", i, j, k)


def FM(element: Element | str) -> Expression:
    """Magnitude of the force of a joint or load on its first marker [N].

    Parameters
    ----------
    element : Element | str
        A joint or load.
    """
    return measure("FM", element)


def FX(element: Element | str, k: Point | None = None) -> Expression:
    """Force of a joint or load on its first marker, along the x axis of k [N].

    Parameters
    ----------
    element : Element | str
        A joint or load.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("FX", element, k)


def FY(element: Element | str, k: Point | None = None) -> Expression:
    """Force of a joint or load on its first marker, along the y axis of k [N].

    Parameters
    ----------
    element : Element | str
        A joint or load.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("FY", element, k)


def FZ(element: Element | str, k: Point | None = None) -> Expression:
    """Force of a joint or load on its first marker, along the z axis of k [N].

    Parameters
    ----------
    element : Element | str
        A joint or load.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("FZ", element, k)


def TM(element: Element | str) -> Expression:
    """Magnitude of the torque of a joint or load on its first marker [N m].

    Parameters
    ----------
    element : Element | str
        A joint or load.
    """
    return measure("TM", element)


def TX(element: Element | str, k: Point | None = None) -> Expression:
    """Torque of a joint or load on its first marker, along the x axis of k [N m].

    Parameters
    ----------
    element : Element | str
        A joint or load.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("TX", element, k)


def TY(element: Element | str, k: Point | None = None) -> Expression:
    """Torque of a joint or load on its first marker, along the y axis of k [N m].

    Parameters
    ----------
    element : Element | str
        A joint or load.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("TY", element, k)


def TZ(element: Element | str, k: Point | None = None) -> Expression:
    """Torque of a joint or load on its first marker, along the z axis of k [N m].

    Parameters
    ----------
    element : Element | str
        A joint or load.
    k : Point
        The marker along whose axes it is counted; left out: the ground.
    """
    return measure("TZ", element, k)


def RATE(state: State) -> Expression:
    """Rate of a controller's state [that of the state, over s].

    Parameters
    ----------
    state : State
        A state of a controller.
    """
    return measure("RATE", state)
