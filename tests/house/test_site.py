"""The pages of the documentation site: one leads to each, without building it."""
import sys
import unittest

import house

sys.path.insert(0, str(house.ROOT / "tools/site"))
try:
    import build
    import stage
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


class Site(unittest.TestCase):
    def test_a_page_leads_to_every_page(self):
        self.assertEqual(build.out_of_reach(stage.pages(house.ROOT)), [], "name them in tools/site/build.py")

    def test_a_page_that_none_leads_to_is_named(self):
        names = [*stage.pages(house.ROOT), "docs/forgotten.md"]
        self.assertEqual(build.out_of_reach(names), ["docs/forgotten.md"])


if __name__ == "__main__":
    unittest.main()
