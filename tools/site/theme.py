"""Debian's furo is made for a server of pages: its style is partly asked for at the server's root, and its script is a module
that imports another, which browsers refuse to load from disk. Here both become files of their own. The script also fails on pages
without headings to follow, and is told of them. And what a browser wants that prefers dark pages has been lost from the style.
"""
import pathlib
import re

NORMALIZE = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css")
IMPORTED_STYLE = re.compile(r'@import url\("?/javascript/normalize\.css/normalize\.css"?\);')
IMPORTED_SCRIPT = re.compile(r'^import Gumshoe from "\./(gumshoe-patched\.js)";$', re.MULTILINE)
DARK = re.compile(r'body\[data-theme="dark"\] \{([^{}]*--color-background-primary[^{}]*)\}')
FOLLOWED = "if (tocScroll === null || document.querySelector('.toc-tree ul ul a') === null) {"


def mend(html):
    """html: the folder of the pages. A furo that has neither fault stays as it is."""
    style = html / "_static" / "styles" / "furo.css"
    text = style.read_text()
    normal = NORMALIZE.read_text() if NORMALIZE.exists() else ""
    text = IMPORTED_STYLE.sub(lambda _: normal, text)
    dark = DARK.search(text)
    if dark and "prefers-color-scheme" not in text:
        text += ('\n@media not print { @media (prefers-color-scheme: dark) {\n  body:not([data-theme="light"]) {'
                 + dark.group(1) + "}\n} }\n")
    style.write_text(text)
    script = html / "_static" / "scripts" / "furo.js"
    text = script.read_text()
    imported = IMPORTED_SCRIPT.search(text)
    if imported:
        text = IMPORTED_SCRIPT.sub("", text).replace("if (tocScroll === null) {", FOLLOWED)
        script.write_text((script.parent / imported.group(1)).read_text() + text)
