"""Sphinx's settings for the site; build.py gives the version and the folder of the sources."""
import os
import pathlib
import sys

HERE = pathlib.Path(os.environ["ROUTH_SITE"])
sys.path.insert(0, str(HERE))

project = "Routh"
copyright = "the authors of Routh"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "extension"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"
exclude_patterns = []
highlight_language = "none"
html_math_renderer = "mathml"  # extension.py
smartquotes = False  # S' is a derivative
nitpicky = True
# types of C and of the system, and structures that only the library sees
nitpick_ignore = [("c:identifier", name) for name in ("size_t", "int64_t", "routh_state")]
nitpick_ignore_regex = [("py:.*", ".*")]  # types of NumPy and others, which are not here
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
sys.path += [str(path) for path in HERE.parents[1].glob("build/python/venv/lib/python3*/site-packages")]

c_extra_keywords = []  # "imaginary" is the name of a member

myst_heading_anchors = 6
myst_url_schemes = ["http", "https", "mailto", "listing"]
suppress_warnings = ["myst.header"]

html_theme = "furo"  # Debian's, from disk: no fonts or scripts of other sites
html_static_path = [str(HERE / "static")]
html_css_files = ["routh.css"]
html_copy_source = False
html_show_sphinx = False
html_title = f"Routh {os.environ.get('ROUTH_VERSION', '')}".strip()
pygments_style = "default"
pygments_dark_style = "monokai"
html_theme_options = {"navigation_with_keys": True}
