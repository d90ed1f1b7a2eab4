"""The words that the field has better ones for, and where a user would read them."""
import io
import pathlib
import re
import tokenize

# Pages that quote names of the code.
NOT_YET = ("docs/mutations.md",)

# The old names themselves, for those who still write them.
OLD_NAMES = "src/base/renamed.c"

# Names that one script gives new ones once the changes that touch the same lines are in; then this is emptied too.
LATER = r"cannot tell|confirmed|flexible_rods?|type: rod|`[\w./*-]+\.[ch]`|`routh_dealer`"

# word, what is written instead, where the word is right all the same
WORDS = [
    (r"\b(?:rooms?|necks?)\b|\bfloors? (?:of|up|below|above)\b", "module, interface, layer", r"(?:little|no|have|has) room|room enough"),
    (r"observers?\b", "reference frame", r""),
    (r"imbalances?\b", "equilibrium residual", r""),
    (r"\bsa(?:y|ys|ying) nothing new\b", "redundant", r""),
    (r"\bas (?:written|given)\b", "reference configuration, initial state", r""),
    (r"^which is\x20{2,}", "state", r""),
    (r"^meaning\x20{2,}", "a line only where the interpretation is restricted", r""),
    (r"\bmoves freely\b", "rigid-body mode", r""),
    (r"\bkinks?\b", "non-smooth point", r""),
    (r"\bways? from (?:\w+ )?inputs?\b|\bways (?:from|between)\b", "transfer path", r""),
    (r"\bshares? (?:of|in) (?:the |its |kinetic |strain )*(?:energy|energies|mode)\b|\benergy shares?\b"
     r"|\bmost (?:kinetic|strain)\b", "energy fraction", r""),
    (r"\bwanted (?:\w+ )?(?:eigenvalues?|modes?)\b", "selected eigenvalues", r""),
    (r"\bturn(?:s|ed|ing)?\b", "rotation, rotate",
     r"steady[ -]turn(?:s|ing)?|in turn\b|the turn takes|turned out|turning (?:circle|points?)|turn_rate|turn(?:s|ed)? (?:\w+ ){0,3}(?:on|off|out|into)\b"),
    (r"\bplaces? (?:of|in) (?:an? |the |every |each )?(?:error|mistake|message|file)s?\b|\b(?:its|a|the) place in the file\b"
     r"|\bwith (?:its|a|their) places?\b", "source location", r""),
    (r"\b(?:tells?|telling|told|says? so)\b", "report, distinguish, identify", r""),
    (r"\bheld against\b|\bh(?:olds?|olding) (?:[\w`,]+ ){1,8}against\b", "compare, cross-check", r""),
    (r"\bh(?:olds?|eld) of (?:itself|themselves)\b", "identically satisfied", r""),
    (r"\b(?:deals?|dealt|dealing)\b", "distribute", r""),
    (r"\bwatch(?:es|ed|ing)?\b", "progress callback", r""),
    (r"\bmade (?:numbers?|parameters?)\b|\bnumbers (?:that are )?made\b", "derived parameter", r""),
    (r"\bjoined (?:coordinates?|(?:coordinate )?sets?)\b", "global (shared) coordinates", r""),
    (r"\blean(?:s|ed|ing)?\b", "camber, inclination", r""),
    (r"\bforces? (?:along|across)\b", "longitudinal force, lateral force", r""),
    (r"confirm(?:s|ed|ing|ation|ations)?\b", "verify by simulation", r""),
    (r"\bstates? (?:was|were|is|are) (?:added|dropped)\b", "completed state set, state not independent", r""),
    (r"\b(?:go|goes|gone|going|went) on with\b", "resume", r""),
    (r"\bstays? where (?:it|they) (?:is|are) put\b", "neutrally stable", r""),
    (r"\bblam(?:e|es|ed|ing)\b", "names as cause", r""),
    (r"\bpieces\b|\bpiece of (?:a|the) (?:beam|blade)\b|\bdivided (?:beam|blade)", "elements, segments", r"pieces of (?:lines|YAML)"),
    (r"\bspeed in the frame\b", "relative spin rate", r""),
    (r"\bmoved which\b|\bwhat moved (?:the|a|each|every) modes?\b", "attribution", r""),
    (r"\bcomes twice\b", "double", r""),
    (r"\bflexible_rods?\b|\btype: rod\b|\bmassless rods?\b", "massless link, beam", r""),
]


def compiled(pattern):
    """A blank of a pattern is any blank of a text, the end of a line too."""
    return re.compile(pattern.replace(" ", r"\s+"), re.M)


COMPILED = [(compiled(word), instead, compiled("|".join(filter(None, (right, LATER))))) for word, instead, right in WORDS]


def wrong_in(text):
    """(offset, the word, what to write instead) of every word of the left column in a text."""
    text = text.lower()
    for word, instead, right in COMPILED:
        found = list(word.finditer(text))
        allowed = [m.span() for m in right.finditer(text)] if found else []
        for m in found:
            if not any(a <= m.start() and m.end() <= b for a, b in allowed):
                yield m.start(), m.group(), instead


def only(text, keep):
    """The spans to keep, between them the ends of lines alone, so that lines keep their numbers."""
    out, last = [], 0
    for a, b in keep:
        gap = "\n" * text.count("\n", last, a) or (" " if a > last else "")
        out += [gap, text[a:b]]
        last = b
    return "".join(out) + "\n" * text.count("\n", last)


C_PARTS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)


def strings_of_c(text):
    spans = [m.span() for m in C_PARTS.finditer(text) if m.group()[0] == '"']
    spans = [(a, b) for a, b in spans if "#include" not in text[text.rfind("\n", 0, a) + 1:a]]
    return only(text, [(a + 1, b - 1) for a, b in spans])


def comments_of_c(text):
    comments = only(text, [m.span() for m in C_PARTS.finditer(text) if m.group()[0] == "/"])
    return re.sub(r"^( *)\*(?=[ \n])", r"\1 ", comments, flags=re.M)


def strings_of_python(text):
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    spans = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)):
            (a, b), (c, d) = token.start, token.end
            spans.append((starts[a - 1] + b, starts[c - 1] + d))
    return only(text, spans)


CONSOLE = re.compile(r"^```console\n(.*?)^```", re.S | re.M)


def spans_of_markdown(text):
    """Spans of prose with the commands shown, and of what these print."""
    prose, printed, last = [], [], 0
    for block in CONSOLE.finditer(text):
        prose.append((last, block.start(1)))
        at = block.start(1)
        for line in block.group(1).splitlines(keepends=True):
            (prose if line.startswith("$ ") else printed).append((at, at + len(line)))
            at += len(line)
        last = block.end(1)
    return [*prose, (last, len(text))], printed


def prose_of_markdown(text):
    """All but what commands print: that is the programs' own text, and tested there."""
    return only(text, spans_of_markdown(text)[0])


def printed_in_markdown(text):
    return only(text, spans_of_markdown(text)[1])


RENAMED = re.compile(r"^### Renamed\n.*?(?=^##? |^### |\Z)", re.S | re.M)


def changelog(text):
    """All but the tables that list old names beside new ones."""
    return prose_of_markdown(RENAMED.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text))


# which files, and what of them a user reads
READ = [
    ("README.md", prose_of_markdown), ("CONTRIBUTING.md", prose_of_markdown), ("CHANGELOG.md", changelog),
    ("docs/**/*.md", prose_of_markdown), ("docs/tutorials/*.ipynb", str), ("examples/**/*.md", prose_of_markdown),
    ("examples/**/*.yaml", str), ("schema/*.json", str), ("include/routh/*.h", comments_of_c),
    ("cli/*.c", strings_of_c), ("src/**/*.c", strings_of_c), ("src/**/*.h", strings_of_c), ("src/*/README.md", prose_of_markdown),
    ("python/routh/*.py", strings_of_python), ("viewer/src/**/*.ts", strings_of_c), ("viewer/src/**/*.html", str),
]
PRINTED = ["README.md", "docs/**/*.md"]


def check(root, not_yet=NOT_YET):
    """'FILE:LINE: word; write ...' for every word of the left column that a user would read."""
    root = pathlib.Path(root)
    read = READ + ([] if "printed by a command" in not_yet else [(p, printed_in_markdown) for p in PRINTED])
    found = []
    for pattern, part in read:
        for file in sorted(root.glob(pattern)):
            name = file.relative_to(root).as_posix()
            if name.startswith(tuple(not_yet)) or name == OLD_NAMES:
                continue
            text = part(file.read_text(encoding="utf-8"))
            for at, word, instead in wrong_in(text):
                line = text.count("\n", 0, at) + 1
                found.append(f"{name}:{line}: \"{word}\"; write {instead}")
    return found
