"""The text of a model file with some of its values changed, and all else as it stands: comments, order, spaces.

What differs between two contents is put into the text piece by piece: values in the place of values, new entries behind
the last of their mapping, lines taken out. Whoever calls looks at whether the text then holds what it is to hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from routh.errors import NotSupportedError

# A value with the place of its key, or its own in a list: (line, column), both from 1; dict, list or str.
Node = tuple[tuple[int, int], Any]
IsText = Callable[[Any], bool]


def edited(text: str, old: Node, new: Any, is_text: IsText, order: list[str]) -> str:
    """`text`, whose content is `old`, with the content `new`: mappings, lists and texts, without places.

    `is_text` distinguishes texts that have quotes from words; `order` is that of the sections, for new ones.
    """
    editor = _Editor(text, is_text, order)
    start = editor.first_of(text)
    if text[start : start + 1] == "{":
        editor.flow_mapping(start, old[1], new)
    else:
        editor.block_mapping(old[1], new, True)
    return editor.done()


_SPACES = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
# In a flow mapping commas part entries; what is read as no value, as a comment or as another thing needs quotes everywhere.
_NEEDS_QUOTES = re.compile(r"^$|^[\s\"'\[\]{}*&!%@`|>?,#~-](?![\d.(\w])|[\n\t]|: |:$| #|\s$")


class _Editor:
    def __init__(self, text: str, is_text: IsText, order: list[str]) -> None:
        self.text = text
        self.is_text = is_text
        self.order = order
        self.lines = [0]
        for match in re.finditer("\n", text):
            self.lines.append(match.end())
        self.changes: list[tuple[int, int, str]] = []

    def done(self) -> str:
        text = self.text
        # at one place what is taken out goes first, and of several insertions the first stays in front
        last_first = sorted(enumerate(self.changes), key=lambda c: (-c[1][0], c[1][1] == c[1][0], -c[0]))
        for _, (start, end, piece) in last_first:
            text = text[:start] + piece + text[end:]
        return text

    # ---- places ----

    def at(self, place: tuple[int, int]) -> int:
        line, column = place
        if not 0 < line <= len(self.lines) or column < 1:
            raise NotSupportedError("a place is not known")
        return self.lines[line - 1] + column - 1

    def first_of(self, text: str, start: int = 0) -> int:
        match = _SPACES.match(text, start)
        return match.end() if match else start

    def line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def value_start(self, key: int, name: str) -> int:
        """Behind the colon of a key and its spaces, and comments where the value is below."""
        text = self.text
        if text[key : key + 1] in ("'", '"'):
            end = self.quoted_end(key)
        elif text.startswith(name, key):
            end = key + len(name)
        else:
            raise NotSupportedError(f"the key '{name}' is written in another way")
        colon = re.compile(r"\s*:").match(text, end)
        if not colon:
            raise NotSupportedError(f"the value of '{name}' is not found")
        return self.first_of(text, colon.end())

    def quoted_end(self, start: int) -> int:
        quote = self.text[start]
        inner = r'"(?:[^"\\]|\\.)*"' if quote == '"' else r"'(?:[^']|'')*'"
        match = re.compile(inner, re.DOTALL).match(self.text, start)
        if not match:
            raise NotSupportedError("a quote is not closed")
        return match.end()

    def value_end(self, start: int, value: Any, key: int, flow: bool) -> int:
        """Behind a value; key: where its key, or that of the list's entry, begins."""
        text = self.text
        if text[start : start + 1] in ("[", "{"):
            return self.bracket_end(start)
        if text[start : start + 1] in ("'", '"'):
            return self.quoted_end(start)
        if isinstance(value, str) and text[start : start + 1] not in ("|", ">"):
            return self.plain_end(start, value, flow)
        if flow:
            raise NotSupportedError("a value is written in a form that is not known")
        return self.block_end(key)

    def bracket_end(self, start: int) -> int:
        text, at, depth = self.text, start, 0
        while at < len(text):
            c = text[at]
            if c in "[{":
                depth += 1
            elif c in "]}":
                depth -= 1
                if not depth:
                    return at + 1
            elif c in "\"'" and text[at - 1] in " [{,:\n\t":
                at = self.quoted_end(at)
                continue
            elif c == "#" and text[at - 1] in " \t\n":
                at = self.line_end(at)
                continue
            at += 1
        raise NotSupportedError("a bracket is not closed")

    def plain_end(self, start: int, value: str, flow: bool) -> int:
        end = start + len(value)
        if self.text[start:end] != value:
            raise NotSupportedError(f"the value '{value}' is written in another way, or over several lines")
        rest = self.text[end : self.line_end(end)]
        if not re.fullmatch(r"\s*([,}\]].*|#.*)?" if flow else r"\s*(\s#.*)?", rest):
            raise NotSupportedError(f"what stands behind the value '{value}' is not known")
        return end

    def block_end(self, key: int) -> int:
        """The end of the last line of what is indented below a key."""
        indent = key - self.line_start(key)
        last = self.line_end(key)
        at = last + 1
        while at < len(self.text):
            end = self.line_end(at)
            line = self.text[at:end]
            own = len(line) - len(line.lstrip(" "))
            if line.strip() and not line.lstrip().startswith("#"):
                if own < indent or (own == indent and not line.lstrip().startswith("- ")):
                    break
                last = end
            at = end + 1
        return last

    # ---- values as text ----

    def flow(self, value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.key(k)}: {self.flow(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(self.flow(v) for v in value) + "]"
        return self.scalar(value, True)

    def scalar(self, value: str, flow: bool) -> str:
        plain = re.sub(r"\([^()]*\)", "", value) if flow else value
        if self.is_text(value) or _NEEDS_QUOTES.search(value) or (flow and re.search(r"[,\[\]{}]", plain + value)):
            return json.dumps(str(value), ensure_ascii=False)
        return str(value)

    def key(self, name: str) -> str:
        return name if _NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)

    def inline(self, value: Any, flow: bool) -> str:
        return self.scalar(value, flow) if isinstance(value, str) else self.flow(value)

    # ---- changes ----

    def same(self, old: Any, new: Any) -> bool:
        if isinstance(old, dict) and isinstance(new, dict):
            return list(old) == list(new) and all(self.same(old[k][1], new[k]) for k in old)
        if isinstance(old, list) and isinstance(new, list):
            return len(old) == len(new) and all(self.same(a[1], b) for a, b in zip(old, new))
        return isinstance(old, str) and isinstance(new, str) and old == new and self.is_text(old) == self.is_text(new)

    def value(self, key: int, start: int, old: Any, new: Any, flow: bool) -> None:
        if self.same(old, new):
            return
        bracket = self.text[start : start + 1]
        if isinstance(old, dict) and isinstance(new, dict) and new:
            if bracket == "{":
                self.flow_mapping(start, old, new)
            else:
                self.block_mapping(old, new, False)
            return
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            for (place, was), now in zip(old, new):
                self.value(self.at(place), self.at(place), was, now, flow or bracket == "[")
            return
        end = self.value_end(start, old, key, flow)
        if re.search(r"(^|\s)#", self.text[start:end]):
            raise NotSupportedError("what is replaced has comments in it")
        self.changes.append((start, end, self.inline(new, flow)))

    def spans(self, old: dict[str, Node], flow: bool) -> dict[str, tuple[int, int, int]]:
        """Of the entries of a mapping: where the key begins, the value, and where that ends."""
        found = {}
        for name, (place, value) in old.items():
            key = self.at(place)
            start = self.value_start(key, name)
            found[name] = (key, start, self.value_end(start, value, key, flow))
        return found

    def flow_mapping(self, brace: int, old: dict[str, Node], new: dict[str, Any]) -> None:
        spans = self.spans(old, True)
        kept = [name for name in old if name in new]
        names = list(old)
        for k, name in enumerate(names):
            if name in new:
                self.value(*spans[name][:2], old[name][1], new[name], True)
                continue
            start = spans[names[k - 1]][2] if k else spans[name][0]
            end = spans[name][2] if k or len(names) == 1 else spans[names[1]][0]
            self.cut(start, end)
        added = [f"{self.key(name)}: {self.flow(new[name])}" for name in new if name not in old]
        if added and kept:
            self.changes.append((spans[kept[-1]][2],) * 2 + ("".join(f", {piece}" for piece in added),))
        elif added and not old:
            self.changes.append((brace + 1,) * 2 + (", ".join(added),))
        elif added:
            self.changes.append((spans[names[0]][0],) * 2 + (", ".join(added),))

    def cut(self, start: int, end: int) -> None:
        if re.search(r"\s#", self.text[start:end]):
            raise NotSupportedError("what is taken out has comments in it")
        self.changes.append((start, end, ""))

    def block_mapping(self, old: dict[str, Node], new: dict[str, Any], whole: bool) -> None:
        spans = self.spans(old, False)
        if not spans:
            raise NotSupportedError("a mapping is empty")
        indents = {key - self.line_start(key) for key, _, _ in spans.values()}
        if len(indents) != 1 or any(self.text[self.line_start(key) : key].strip() for key, _, _ in spans.values()):
            raise NotSupportedError("entries do not begin their lines")
        for name, (key, start, end) in spans.items():
            if name in new:
                self.value(key, start, old[name][1], new[name], False)
            else:
                self.take_lines(key, start, end, old[name][1])
        indent = " " * indents.pop()
        for name in new:
            if name not in old:
                kept = {other: span for other, span in spans.items() if other in new}
                self.put_lines(kept or spans, name, indent, new[name], whole, bool(kept))

    def take_lines(self, key: int, start: int, end: int, value: Any) -> None:
        inner = self.text[start:end] if isinstance(value, str) else self.text[key:end]
        if not isinstance(value, str) and re.search(r"(^|\s)#", inner):
            raise NotSupportedError("what is taken out has comments in it")
        last = self.line_end(end)
        self.changes.append((self.line_start(key), min(last + 1, len(self.text)), ""))

    def put_lines(
        self, spans: dict[str, tuple[int, int, int]], name: str, indent: str, value: Any, whole: bool, behind: bool
    ) -> None:
        """Behind the last entry; a section of the whole behind those that come before it."""
        lines = [f"{indent}{self.key(name)}: {self.inline(value, False)}"]
        if whole and isinstance(value, dict) and value and all(isinstance(v, (dict, str)) for v in value.values()):
            lines = [f"{self.key(name)}:"] + [f"  {self.key(k)}: {self.inline(v, False)}" for k, v in value.items()]
        before = [other for other in spans if behind and (not whole or self.rank(other) < self.rank(name))]
        if not before:
            first = self.line_start(min(key for key, _, _ in spans.values()))
            self.changes.append((first, first, "\n".join(lines) + "\n"))
            return
        key, start, end = spans[max(before, key=lambda other: spans[other][0])]
        at = self.line_end(end)
        apart = "\n" if whole and self.text[at : at + 2] == "\n\n" else ""
        self.changes.append((at, at, apart + "\n" + "\n".join(lines)))

    def rank(self, section: str) -> int:
        return self.order.index(section) if section in self.order else len(self.order)
