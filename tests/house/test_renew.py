"""What is generated from the library's tables is up to date, and a file that is not is named."""
import os
import pathlib
import unittest

import house

renew = house.load_tool("renew")
PROGRAM = pathlib.Path(os.environ.get("ROUTH") or house.ROOT / "build/routh")


class Renew(unittest.TestCase):
    @unittest.skipUnless(PROGRAM.exists(), "the program is not built")
    def test_everything_is_up_to_date(self):
        made = renew.files(PROGRAM)
        self.assertEqual(renew.stale(house.ROOT, made), [], "run tools/renew.py")
        for name in ("schema/routh-modes.schema.json", "docs/reference/results.md", "python/routh/_results.py",
                     "viewer/src/results.ts", "viewer/data.schema.json"):
            self.assertIn(name, made)
            self.assertIn("undamped_frequency_hz", made[name])

    def test_a_file_that_differs_or_is_missing_is_named(self):
        with house.Tree({"a.md": "old\n", "c.md": "same\n"}) as root:
            self.assertEqual(renew.stale(root, {"a.md": "new\n", "b.md": "new\n", "c.md": "same\n"}), ["a.md", "b.md"])


if __name__ == "__main__":
    unittest.main()
