"""Where npm fails, the message begins with what to do without it, and then says npm's own reason line by line."""
import shutil
import subprocess
import unittest

import house

NPM = """#!/bin/sh
echo 'npm ERR! code ENOTFOUND' >&2
echo >&2
echo 'npm ERR! request to the registry failed; reason: no such host' >&2
exit 1
"""


class PageBuild(unittest.TestCase):
    @unittest.skipUnless(shutil.which("cmake"), "cmake is not installed")
    def test_the_reason_of_npm_is_told(self):
        with house.Tree({"npm": NPM, "viewer/package-lock.json": "{}"}) as root:
            (root / "npm").chmod(0o755)
            done = subprocess.run(["cmake", f"-DNPM={root / 'npm'}", f"-DVIEWER={root / 'viewer'}",
                                   "-P", house.ROOT / "cmake/build_page.cmake"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        lines = done.stderr.splitlines()
        self.assertTrue(any("npm ci failed in viewer/ (status 1)" in line for line in lines[:4]), done.stderr)
        self.assertIn("-DROUTH_VIEWER=OFF", " ".join(lines[:6]))
        at = [index for index, line in enumerate(lines) if "npm ERR! code ENOTFOUND" in line]
        self.assertTrue(at and at[0] < 10, done.stderr)
        self.assertIn("npm ERR! request to the registry failed; reason: no such host", lines[at[0] + 1])


if __name__ == "__main__":
    unittest.main()
