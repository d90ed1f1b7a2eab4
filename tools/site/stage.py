"""Puts the pages of the site into a folder for Sphinx: the Markdown as it is, in the places it has in the sources.

Three things are changed on the way, since Sphinx and plain viewers differ: links to files that are no pages become
listing:PATH (extension.py makes pages of them), indented blocks are named equations, and a page that is an index (README.md
of a folder) gets the tree of what it lists.
"""
import pathlib
import posixpath
import re

from markdown_it import MarkdownIt

LINK = re.compile(r"(?<!!)(\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
HIDDEN = re.compile(r"^(```|~~~).*?^\1[ \t]*$|(?<!`)(`+)(?!`).+?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL)
KEPT = re.compile(r"\x00(\d+)\x00")
SKIPPED = {"node_modules", "build", "site"}
INSTEAD = {"docs/README.md": "index.md"}  # the site has its own
FOLDERS = {"include/routh": "docs/reference/c/index.rst", "examples": "examples/README.md", "docs/tutorials": "docs/tutorials/index.md"}
NOTEBOOK = re.compile(r"\.ipynb$")


def pages(root):
    """Names of all Markdown pages of the sources."""
    found = []
    for path in sorted(root.rglob("*.md")):
        name = path.relative_to(root)
        if not any(part in SKIPPED or part.startswith((".", "build-")) for part in name.parts):
            found.append(str(name))
    return [name for name in found if name not in INSTEAD]


class Stage:
    """The folder; only what changes is written, so that Sphinx builds only that again."""

    def __init__(self, root, folder):
        self.root, self.folder, self.kept = root, folder, set()

    def write(self, name, content):
        path = self.folder / name
        self.kept.add(path)
        data = content if isinstance(content, bytes) else content.encode()
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def sweep(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path.is_file() and path not in self.kept:
                path.unlink()
            elif path.is_dir() and not any(path.iterdir()):
                path.rmdir()


# ---- one page -------------------------------------------------------------------------------------------------------


def outside_code(text, change):
    """The text with `change` done to all but blocks and spans of code."""
    hidden = []

    def hide(match):
        hidden.append(match.group(0))
        return f"\0{len(hidden) - 1}\0"

    return KEPT.sub(lambda m: hidden[int(m.group(1))], change(HIDDEN.sub(hide, text)))


def goal_of(name, target):
    path, _, anchor = target.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path)), anchor


def with_links(name, text, known):
    """Links as Sphinx wants them; known: all pages."""
    here = posixpath.dirname(name)

    def change(match):
        target = match.group(2)
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match.group(0)
        path, anchor = goal_of(name, target)
        page = INSTEAD.get(path) or FOLDERS.get(path) or next((p for p in (path, NOTEBOOK.sub(".md", path)) if p in known), None)
        if page:
            new = posixpath.relpath(page, here or ".")
        else:
            new = "listing:" + path
        return match.group(1) + new + (f"#{anchor}" if anchor else "") + match.group(3)

    return outside_code(text, lambda piece: LINK.sub(change, piece))


def with_equations(text):
    """Indented blocks as fenced ones named equation."""
    lines = text.split("\n")
    blocks = [t for t in MarkdownIt("commonmark").enable("table").parse(text) if t.type == "code_block" and t.level == 0]
    for block in reversed(blocks):
        first, last = block.map
        while not lines[last - 1].strip():
            last -= 1
        lines[first:last] = ["```equation", *(line[4:] for line in lines[first:last]), "```"]
    return "\n".join(lines)


def listed(name, text, known):
    """Pages of its own folder that an index links to, in the order in which it names them first."""
    here, found = posixpath.dirname(name), []

    def look(piece):
        for match in LINK.finditer(piece):
            path, _ = goal_of(name, match.group(2))
            if path in known and path != name and posixpath.dirname(path) == here and path not in found:
                found.append(path)
        return piece

    outside_code(text, look)
    return found


def children(name, text, known):
    """Pages below a page: what an index lists."""
    return listed(name, text, known) if name.endswith("/README.md") else []


def tree(names, here, options=":hidden:"):
    lines = "\n".join(posixpath.relpath(name, here or ".").rsplit(".", 1)[0] for name in names)
    return f"\n\n```{{toctree}}\n{options}\n\n{lines}\n```\n" if names else ""


def stage_page(stage, name, known, more):
    text = (stage.root / name).read_text()
    here = posixpath.dirname(name)
    below = children(name, text, known)
    for image in IMAGE.findall(text):
        if not re.match(r"[a-z]+:", image):
            path, _ = goal_of(name, image)
            stage.write(path, (stage.root / path).read_bytes())
    staged = with_equations(with_links(name, text, known))
    stage.write(name, staged + tree(below + more.get(name, []), here))


def stage_all(stage, generated, more):
    """All pages. generated: names of pages made elsewhere; more: {index: [pages it should have too]}."""
    names = pages(stage.root)
    known = set(names) | set(generated)
    for name in names:
        stage_page(stage, name, known, more)
    return names
