"""The gallery: every example with its picture, its table of modes and what its file says of it."""
import hashlib
import html
import os
import pathlib
import re
import shutil
import subprocess

LIMIT = 120  # seconds for one example
# Words of a model file, and the pages of theory about them.
THEORY = ((r"type: (rolling|knife|.*wheel)", "nonholonomic"), (r"type: contact|friction", "contact-and-friction"),
          (r"type: tyre", "tyres"), (r"type: (steady)", "steady-motion"), (r"^controllers:", "controllers"),
          (r"type: (flexible|modal)|\bmodal\b", "flexible-bodies"), (r"type: exact-beam|geometrically exact", "exact-beams"),
          (r"type: static", "operating-point"), (r"redundant", "constraints"), (r"period", "floquet"))


def examples(root):
    """Model files: those of examples/ and its folders that hold bodies, without parts of others."""
    found = sorted((root / "examples").glob("*.yaml")) + sorted((root / "examples").glob("*/*.yaml"))
    return [path for path in found if re.search(r"^bodies:", path.read_text(), re.MULTILINE)
            and not re.search(r"^connections:", path.read_text(), re.MULTILINE)]


def about(text):
    """(title, [paragraph]) of a model file: its title, and the comment it begins with."""
    comment = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        comment.append(line[1:].strip())
    title = re.search(r"^title: *(.*)$", text, re.MULTILINE)
    return title.group(1).strip("\"' ") if title else "", "\n".join(comment).split("\n\n")


def call(program, root, command):
    environment = dict(os.environ, LC_ALL="C", OPENBLAS_NUM_THREADS="1")
    return subprocess.run([program, *command], cwd=root, env=environment, capture_output=True, text=True, timeout=LIMIT)


def pictures(root, program, found, folder):
    """{example: picture}; those whose report is as it was are not taken again."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted, taken = [], {}
    for path in found:
        name = str(path.relative_to(root))
        page = folder / (path.stem + ".html")
        done = call(program, root, ["report", name, "--output", str(page), "--quiet"])
        if done.returncode:
            raise RuntimeError(f"{name}: {done.stderr.strip()}")
        picture = folder / f"{path.stem}-{hashlib.sha256(page.read_bytes()).hexdigest()[:16]}.png"
        taken[name] = picture
        if not picture.exists():
            for old in folder.glob(f"{path.stem}-{'[0-9a-f]' * 16}.png"):
                old.unlink()
            wanted += [page, picture]
    if wanted:
        subprocess.run(["node", pathlib.Path(__file__).with_name("pictures.mjs"), *wanted], check=True)
    return taken


def entry(root, program, path, picture):
    """The page of one example, and its first line."""
    name, text = str(path.relative_to(root)), path.read_text()
    title, says = about(text)
    done = call(program, root, ["modes", name])
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr.strip()}")
    links = [f"[{page}](../docs/theory/{page}.md)" for words, page in THEORY if re.search(words, text, re.MULTILINE)
             and (root / f"docs/theory/{page}.md").exists()]
    out = [f"# {title or path.stem}", "", f"Model: [{name}](listing:{name})", ""]
    out += ["```text", *"\n\n".join(says).splitlines(), "```", ""] if any(says) else []
    out += [f"![The first mode of {path.stem} that moves]({picture})", ""] if picture else []
    out += ["```console", f"$ build/routh modes {name}", *done.stdout.rstrip().splitlines(), "```", ""]
    out += ["Theory: " + ", ".join(links), ""] if links else []
    return "\n".join(out), title or path.stem


def write(stage, root, program, folder, with_pictures):
    """Writes the pages; gives their names. Pictures need a browser and node."""
    found = examples(root)
    taken = {}
    if with_pictures and shutil.which("node") and shutil.which(os.environ.get("CHROMIUM", "chromium")):
        taken = pictures(root, program, found, folder)
    else:
        print("the gallery has no pictures: " + ("node or Chromium is not installed" if with_pictures else "as asked for"))
    cards, names = [], []
    for path in found:
        name = f"{path.stem}.md"
        picture = taken.get(str(path.relative_to(root)))
        if picture:
            stage.write(f"gallery/{path.stem}.png", picture.read_bytes())
        text, title = entry(root, program, path, f"{path.stem}.png" if picture else None)
        stage.write(f"gallery/{name}", text)
        names.append(f"gallery/{name}")
        image = f'<img src="../_images/{path.stem}.png" alt="" loading="lazy">' if picture else ""
        cards.append(f'<a href="{path.stem}.html">{image}<strong>{html.escape(title)}</strong>'
                     f"<span>{html.escape(path.stem)}</span></a>")
    tree = "\n".join(pathlib.PurePath(name).stem for name in names)
    stage.write("gallery/index.md", "# Gallery\n\nEvery example, as the program shows it now. Pictures are of the first "
                "mode that moves, from the page of `routh report`.\n\n"
                f'<div class="gallery">\n{"".join(cards)}\n</div>\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n')
    return names + ["gallery/index.md"]
