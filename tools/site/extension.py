"""What the site needs of Sphinx beside its own: the look of equations, formulas as MathML, and pages that show files of the
sources.

Links to files that are no pages are written listing:PATH#Lnn by stage.py. Each such file gets a page with its text.
"""
import html
import pathlib
import posixpath

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from pygments import highlight, lexers
from pygments.formatters import HtmlFormatter
from pygments.lexer import RegexLexer
from pygments.token import Text
from sphinx.highlighting import lexers as sphinx_lexers

SCHEME = "listing:"
MOST_COLOURED = 100_000  # characters; longer files stay plain
MOST_SHOWN = 400_000


class Equation(RegexLexer):
    """Equations are written in plain text, and stay as they are."""

    name = "equation"
    tokens = {"root": [(r".+\n?", Text), (r"\n", Text)]}


def inline_formula(writer, node):
    """Formulas of the tutorials: what browsers show by themselves."""
    writer.body.append(tex2mathml(node.astext(), inline=True))
    raise nodes.SkipNode


def formula(writer, node):
    writer.body.append(tex2mathml(node.astext(), inline=False))
    raise nodes.SkipNode


def page_of(path):
    return "_listing/" + path.rstrip("/")


def links_of(doctree):
    return [node for node in doctree.findall(nodes.reference) if node.get("refuri", "").startswith(SCHEME)]


def gather(app, doctree):
    """Notes which files a page refers to."""
    app.env.routh_listings[app.env.docname] = {node["refuri"][len(SCHEME):].partition("#")[0] for node in links_of(doctree)}


def resolve(app, doctree, docname):
    """listing: links become links to the pages of files."""
    for node in links_of(doctree):
        path, _, anchor = node["refuri"][len(SCHEME):].partition("#")
        node["refuri"] = app.builder.get_relative_uri(docname, page_of(path)) + (f"#{anchor}" if anchor else "")
        node["internal"] = True


def lexer_for(path, text):
    try:
        return lexers.get_lexer_for_filename(path) if len(text) <= MOST_COLOURED else lexers.get_lexer_by_name("text")
    except lexers.ClassNotFound:
        return lexers.get_lexer_by_name("text")


def file_body(path, text):
    if len(text) > MOST_SHOWN:
        text = text[:MOST_SHOWN] + "\n... (the rest of this large file is left out)\n"
    formatter = HtmlFormatter(linenos="inline", lineanchors="L", anchorlinenos=True)
    code = highlight(text, lexer_for(path, text), formatter).replace('id="L-', 'id="L').replace('href="#L-', 'href="#L')
    code = code.replace('name="L-', 'name="L')
    return f"<h1>{html.escape(path)}</h1>\n{code}"


def folder_body(app, path, folder, wanted):
    """What is in a folder, with links to those of its files that some page refers to."""
    here, items = page_of(path), []
    for child in sorted(folder.iterdir()):
        at, name = posixpath.join(path.rstrip("/"), child.name), html.escape(child.name + "/" * child.is_dir())
        if child.name.startswith((".", "__")):
            continue
        if at in wanted:
            name = f'<a href="{html.escape(app.builder.get_relative_uri(here, page_of(at)))}">{name}</a>'
        items.append(f"<li>{name}</li>")
    return f"<h1>{html.escape(path)}</h1>\n<ul>{''.join(items)}</ul>"


def collect(app):
    """The pages of files and folders that something refers to."""
    root = pathlib.Path(app.config.routh_root)
    wanted = set().union(*app.env.routh_listings.values())
    for path in sorted(wanted):
        file = root / path
        body = folder_body(app, path, file, wanted) if file.is_dir() else file_body(path, file.read_text(errors="replace"))
        yield page_of(path), {"title": path, "body": body}, "page.html"


def begin(app, env, docnames):
    env.routh_listings = getattr(env, "routh_listings", {})


def purge(app, env, docname):
    getattr(env, "routh_listings", {}).pop(docname, None)


def merge(app, env, docnames, other):
    env.routh_listings.update({name: other.routh_listings[name] for name in docnames if name in other.routh_listings})


def setup(app):
    sphinx_lexers["equation"] = Equation(stripnl=False)
    app.add_lexer("equation", Equation)
    app.add_html_math_renderer("mathml", (inline_formula, None), (formula, None))
    app.add_config_value("routh_root", "", "env")
    app.connect("env-before-read-docs", begin)
    app.connect("env-purge-doc", purge)
    app.connect("env-merge-info", merge)
    app.connect("doctree-read", gather)
    app.connect("doctree-resolved", resolve)
    app.connect("html-collect-pages", collect)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
