"""The reference of the C interface: one page for each public header, in Sphinx's C domain."""
import re

import headers as public

SPAN = re.compile(r"`([^`\n]+)`|\b(routh/\w+\.h)\b|\b(docs/[\w/-]+)\.md\b|\b(routh_\w+(?:\.\w+)?)|\b(ROUTH_\w+)|\b([A-Z]+_[A-Z_]+)\b")
STATUS = "ROUTH_STATUS_LIST"


def escape(text):
    return re.sub(r"([\\*`|_])", r"\\\1", text)


class Names:
    """What a name in a comment refers to."""

    def __init__(self, headers, pages):
        self.pages = pages
        self.role, self.members = {}, set()
        for header in headers:
            for item in header.items:
                role = {"function": "func", "macro": "macro", "constant": "enumerator"}.get(item.kind, item.kind)
                self.role.update(dict.fromkeys(item.names, role))
                for member in item.members:
                    names = member.names
                    if item.kind == "enum":
                        self.role.update(dict.fromkeys(names, "enumerator"))
                    self.members.update(f"{item.names[0]}.{name}" for name in names)

    def link(self, name, shown=None):
        if name in self.members:
            return f":c:member:`{name}`"
        base, dot, rest = name.partition(".")
        if base in self.role:
            target = f"{shown} <{base}>" if shown else base
            return f":c:{self.role[base]}:`{target}`" + (r"\ " + escape(dot + rest) if dot else "")
        return None


def inline(text, names):
    """A comment's prose as reStructuredText, names of the interface as links."""
    out, end = [], 0
    for match in SPAN.finditer(text):
        code, header, page, name, upper, status = match.groups()
        if code:
            new = names.link(code) or f"``{code}``"
        elif header:
            new = f":doc:`{header} <{header[6:-2]}>`"
        elif page:
            new = f":doc:`/{page}`" if page in names.pages else None
        elif status:
            new = names.link("ROUTH_" + status, status)
        else:
            new = names.link(name or upper)
        out += [escape(text[end:match.start()]), rf"\ {new}\ " if new else escape(match.group(0))]
        end = match.end()
    return "".join(out + [escape(text[end:])])


def prose(text, names):
    """Lines of a comment: paragraphs, and what is indented as it stands."""
    blocks = []
    for line in text.split("\n"):
        kind = "end" if not line.strip() else "literal" if line.startswith("  ") else "text"
        if kind == "end" or (blocks and blocks[-1][0] == kind):
            (blocks.append(("end", [])) if kind == "end" else blocks[-1][1].append(line))
        else:
            blocks.append((kind, [line]))
    out = []
    for kind, lines in blocks:
        if kind == "text":
            out += [inline("\n".join(lines), names), ""]
        elif kind == "literal":
            out += [".. code-block:: equation", "", *("   " + line for line in lines), ""]
    return "\n".join(out)


def indent(text, depth=3):
    return "\n".join(" " * depth + line if line.strip() else "" for line in text.split("\n"))


def directive(name, signatures, content):
    first, *rest = signatures
    head = f".. {name}:: {first}\n" + "".join(" " * (len(name) + 6) + line + "\n" for line in rest)
    return f"{head}\n{indent(content)}\n" if content.strip() else head + "\n"


def declarations(text):
    """'double *a, b[2]' as one signature each."""
    if "(" in text or "," not in text:
        return [text]
    kind = re.match(r"((?:const |struct |unsigned |long )*\w+) ", text).group(1)
    return [f"{kind} {part.strip()}" for part in text[len(kind):].split(",")]


def member(item, one, names):
    out = f"**{inline(one.section, names)}**\n\n" if one.section else ""
    if item.kind == "enum":
        return out + directive("c:enumerator", [one.text], prose(one.comment, names))
    return out + directive("c:member", declarations(one.text), prose(one.comment, names))


def entry(item, names):
    """One declaration, or several that share a comment."""
    where = f"`{item.header}, line {item.line} <listing:include/{item.header}#L{item.line}>`__"
    content = prose(item.comment, names)
    for argument, note in item.notes:
        content += f":param {argument}: {inline(' '.join(note.split()), names)}\n"
    if item.kind in ("struct", "enum"):
        content += "".join("\n" + member(item, one, names) for one in item.members)
        if item.kind == "struct" and not item.members:
            content += "\nOpaque: its members are not part of the interface.\n"
    content += f"\n.. rst-class:: declared\n\n{where}\n"
    kind = {"constant": "enumerator"}.get(item.kind, item.kind)
    signatures = item.names if kind in ("struct", "enum", "type") else item.texts
    return directive(f"c:{kind}", signatures, content)


def heading(text, mark):
    return f"{text}\n{mark * max(len(text), 3)}\n\n"


def page(header, names):
    out = [f".. _{header.name}:\n\n", heading(header.name, "="), prose(header.about, names), "\n",
           f"Declared in `include/{header.name} <listing:include/{header.name}>`__.\n\n"]
    for item in header.items:
        if item.section:
            title = item.section[0].upper() + item.section[1:]
            out.append(heading(inline(title, names), "-"))
        out.append(entry(item, names))
    return "".join(out)


def index(headers):
    rows = "".join(f"   * - :doc:`{h.name} <{h.name[6:-2]}>`\n     - {escape(' '.join(h.about.split()).split('. ')[0].rstrip('.'))}\n"
                   f"     - {sum(len(i.names) for i in h.items if i.kind == 'function')}\n" for h in headers)
    tree = "".join(f"   {h.name[6:-2]}\n" for h in headers)
    return (heading("C interface", "=") +
            "Made from the comments of the public headers. ``#include <routh/routh.h>`` declares all of it; "
            "``pkg-config --cflags --libs routh`` says how to compile and link. What holds everywhere:\n\n"
            "- A call that can fail returns a :c:enum:`routh_status` and takes a :c:struct:`routh_error`, which may be "
            "``NULL``. On failure results are ``NULL``, and the error says where and what.\n"
            "- What a call gives belongs to the caller, who frees it by the function of that name with ``_free``, which "
            "allows ``NULL``. Names in results point into the model unless the page says otherwise.\n"
            "- SI units and radians. Matrices are row-major unless they are sparse.\n"
            "- The library keeps no global state: different objects may be used by different threads, and what is called "
            "immutable may be shared.\n\n"
            "All names are in the :ref:`index <genindex>`.\n\n"
            ".. list-table::\n   :header-rows: 1\n   :widths: 25 65 10\n\n"
            "   * - header\n     - what it is about\n     - functions\n" + rows +
            "\n.. toctree::\n   :hidden:\n\n" + tree)


def write(include, pages):
    """{file name: text} of the pages, from the headers in the folder `include`."""
    headers = public.read(include)
    names = Names(headers, pages)
    found = {f"{header.name[6:-2]}.rst": page(header, names) for header in headers}
    found["index.rst"] = index(headers)
    return found
