"""What the tests share. They run against the installed package (./dev python), never against python/routh."""

import os
import pathlib

import pytest

import routh

SOURCE = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def examples() -> pathlib.Path:
    return SOURCE / "examples"


@pytest.fixture(scope="session")
def program() -> str:
    """The program `routh` of the same sources: the environment variable ROUTH names it."""
    path = os.environ.get("ROUTH")
    if not path or not os.access(path, os.X_OK):
        pytest.skip("ROUTH does not name the program routh")
    return path


@pytest.fixture
def rotor(examples: pathlib.Path) -> routh.Model:
    return routh.Model.read(examples / "rotor-stator.yaml")


@pytest.fixture
def chain() -> routh.Model:
    return routh.template("pendulum-chain", n=5)


def pytest_report_header() -> str:
    return f"routh {routh.__version__} from {pathlib.Path(routh.__file__).parent}"


def pytest_sessionstart() -> None:
    if SOURCE in pathlib.Path(routh.__file__).resolve().parents:
        where = pathlib.Path(routh.__file__).resolve()
        if where.parent == SOURCE / "python" / "routh":
            raise pytest.UsageError("the tests need the installed package: see ./dev python")
