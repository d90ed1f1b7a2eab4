"""The tutorials: notebooks as pages with what their cells give, run by the package that ./dev python installed.

Where they cannot be run the pages show the code alone and say why. What a notebook gave is kept while neither it nor the
package changes.
"""
import base64
import hashlib
import importlib.util
import json
import os
import pathlib
import posixpath
import subprocess
import sys

import stage as staging

FOLDER = "docs/tutorials"
LIMIT = 600  # seconds for one cell; what hangs is stopped, and fails
FIRST = "import matplotlib_inline.backend_inline as b; b.set_matplotlib_formats('svg')"
NEEDED = ("nbclient", "nbformat", "ipykernel", "matplotlib", "matplotlib_inline", "scipy")
NO_PAGE = "page of the report was not built"  # where there is no npm: the one thing that may be refused
PICTURES = {"image/svg+xml": "svg", "image/png": "png"}


class Tutorial:
    def __init__(self, root, path):
        self.name = f"{FOLDER}/{path.stem}.md"
        self.path, self.stem = path, path.stem
        self.cells = json.loads(path.read_text())["cells"]
        self.pictures = {}
        text = "".join(self.cells[0]["source"])
        self.title, _, rest = text.partition("\n")
        self.title, self.about = self.title.lstrip("# "), rest.strip().split("\n\n")[0]


def missing(package, python):
    """Why notebooks cannot be run, or None."""
    if not package:
        return "the Python package is not installed (./dev python installs it)"
    for name in NEEDED:
        if subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode:
            return f"{name} is not installed"
    for name in ("nbclient", "nbformat"):  # which run here, not in the kernel
        if importlib.util.find_spec(name) is None:
            return f"{name} is not installed for {sys.executable}"
    return None


def state_of(package):
    """A digest of all that is installed of the package."""
    digest = hashlib.sha256()
    for path in sorted(pathlib.Path(package.__file__).parent.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def run(tutorial, python, folder):
    """Cells with their outputs. Raises where a cell fails or warns."""
    import nbclient
    import nbformat

    spec = folder / "jupyter" / "kernels" / "python3"
    spec.mkdir(parents=True, exist_ok=True)
    command = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "Python 3", "language": "python"}))
    os.environ.update(JUPYTER_PATH=str(folder / "jupyter"), PYDEVD_DISABLE_FILE_VALIDATION="1")  # which warns of no fault
    notebook = nbformat.read(tutorial.path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(FIRST))
    place = {"metadata": {"path": str(tutorial.path.parent)}}
    nbclient.NotebookClient(notebook, timeout=LIMIT, startup_timeout=LIMIT, kernel_name="python3", resources=place,
                            allow_error_names=["NotSupportedError"]).execute()
    cells = json.loads(nbformat.writes(notebook))["cells"][1:]
    for cell in cells:
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                raise RuntimeError(f"{tutorial.path.name} warns: {''.join(output['text'])}")
            if output["output_type"] == "error" and NO_PAGE not in output["evalue"]:
                raise RuntimeError(f"{tutorial.path.name}: {output['evalue']}")
    return cells


def kept(tutorial, python, folder, state):
    """As run, from the last time where nothing has changed."""
    key = hashlib.sha256(tutorial.path.read_bytes() + pathlib.Path(__file__).read_bytes() + state.encode()).hexdigest()[:16]
    file = folder / f"{tutorial.stem}-{key}.json"
    if not file.exists():
        cells = run(tutorial, python, folder)
        for old in folder.glob(f"{tutorial.stem}-*.json"):
            old.unlink()
        file.write_text(json.dumps(cells))
    return json.loads(file.read_text())


# ---- cells as Markdown ----------------------------------------------------------------------------------------------


def text_of(value):
    return value if isinstance(value, str) else "".join(value)


def fenced(kind, text):
    marks = "`" * 3
    while marks in text:
        marks += "`"
    return f"{marks}{kind}\n{text.rstrip()}\n{marks}\n"


def shown(tutorial, output):
    """One output: a picture, HTML, or text."""
    if output["output_type"] == "stream":
        return fenced("text", text_of(output["text"]))
    if output["output_type"] == "error":
        return fenced("text", output["evalue"])
    data = output["data"]
    for kind, end in PICTURES.items():
        if kind in data:
            name = f"{tutorial.stem}-{len(tutorial.pictures) + 1}.{end}"
            content = text_of(data[kind])
            tutorial.pictures[name] = content.encode() if end == "svg" else base64.b64decode(content)
            return f"![Plot of the code above]({name})\n"
    if "text/html" in data:
        return fenced("{raw} html", f'<div class="output">{text_of(data["text/html"])}</div>')
    return fenced("text", text_of(data.get("text/plain", "")))


def page(tutorial, cells, known, why):
    """The page; its formulas are TeX between dollars, which other pages do not have."""
    out = ["---\nmyst:\n  enable_extensions: [dollarmath]\n---\n"]
    for cell in cells:
        source = text_of(cell["source"])
        if cell["cell_type"] == "markdown":
            out.append(staging.with_links(tutorial.name, source, known) + "\n")
            if len(out) == 2:
                head, _, rest = out[1].partition("\n")
                note = f" Here it is without results: {why}." if why else ""
                out[1] = f"{head}\n\nA notebook to run and change: {{download}}`{tutorial.path.name}`.{note}\n{rest}"
        else:
            out.append(fenced("python", source))
            out += [shown(tutorial, output) for output in cell.get("outputs", [])]
    return "\n".join(out)


def index(tutorials):
    rows = "\n".join(f"{k}. [{t.title}]({t.stem}.md): {t.about}" for k, t in enumerate(tutorials, 1))
    return ("---\nmyst:\n  enable_extensions: [dollarmath]\n---\n\n# Tutorials\n\nNotebooks in Python, with what they give. "
            f"Tests run each from top to bottom, and its own asserts hold what it claims.\n\n{rows}\n"
            + staging.tree([t.name for t in tutorials], FOLDER))


def write(stage, root, known, package, folder):
    """Writes the pages; gives their names."""
    tutorials = [Tutorial(root, path) for path in sorted((root / FOLDER).glob("*.ipynb"))]
    python = next(iter(sorted((root / "build/python/venv/bin").glob("python"))), sys.executable)
    why = missing(package, python)
    if why:
        print(f"the tutorials have no results: {why}")
    folder.mkdir(parents=True, exist_ok=True)
    state = "" if why else state_of(package)
    known = set(known) | {tutorial.name for tutorial in tutorials}
    for tutorial in tutorials:
        cells = tutorial.cells if why else kept(tutorial, python, folder, state)
        stage.write(tutorial.name, page(tutorial, cells, known, why))
        stage.write(f"{FOLDER}/{tutorial.path.name}", tutorial.path.read_bytes())
        for name, content in tutorial.pictures.items():
            stage.write(posixpath.join(FOLDER, name), content)
    stage.write(f"{FOLDER}/index.md", index(tutorials))
    return [tutorial.name for tutorial in tutorials] + [f"{FOLDER}/index.md"]
