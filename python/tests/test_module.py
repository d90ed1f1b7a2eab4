"""The extension module as a file."""

import re
import shutil
import subprocess

import pytest

from routh import _routh


def test_the_module_lacks_nothing_but_python() -> None:
    """What -z defs would say when it is linked, but that a module for many versions of Python may not be linked with one."""
    if not shutil.which("ldd"):
        pytest.skip("ldd is not installed")
    done = subprocess.run(["ldd", "-r", _routh.__file__], capture_output=True, text=True, check=False)
    text = done.stdout + done.stderr
    if "undefined symbol" not in text:
        pytest.skip("ldd -r lists no symbols here")
    missing = re.findall(r"undefined symbol: (\w+)", text)
    assert [name for name in missing if not re.match(r"_?Py", name)] == []
    assert "not found" not in text
