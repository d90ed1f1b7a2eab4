"""The text of a model file with some of its values changed, and all else as it stands: comments, order, spaces.

What differs between two contents is put into the text piece by piece: values in the place of values, new entries behind
the last of their mapping, entries taken out with their comments. Whoever calls looks at whether the text then holds what
it is to hold.

A comment belongs to the entry that it stands beside or in, with the lines that go on below it, further in than the
entry's key; above an entry, to this one, where the next entry does not follow at once: else it may be a heading of both.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Any, NamedTuple

from routh.errors import NotSupportedError

# A value with the place of its key, or its own in a list: (line, column), both from 1; dict, list or str.
Node = tuple[tuple[int, int], Any]
IsText = Callable[[Any], bool]


class Doubt(NamedTuple):
    """A line, from 1, and what about its comment could not be decided, or not be kept."""

    line: int
    why: str


def edited(text: str, old: Node, new: Any, is_text: IsText, order: list[str]) -> tuple[str, list[Doubt]]:
    """`text`, whose content is `old`, with the content `new`: mappings, lists and texts, without places.

    `is_text` distinguishes texts that have quotes from words; `order` is that of the sections, for new ones.
    """
    editor = _Editor(text, old, is_text, order)
    if text[editor.root.start : editor.root.start + 1] == "{":
        editor.flow_mapping(editor.root, new, True)
    else:
        editor.block_mapping(editor.root, new, True)
    return editor.done(), editor.doubts


_SPACES = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
# In a flow mapping commas part entries; what is read as no value, as a comment or as another thing needs quotes everywhere.
_NEEDS_QUOTES = re.compile(r"^$|^[\s\"'\[\]{}*&!%@`|>?,#~-](?![\d.(\w])|[\n\t]|: |:$| #|\s$")
_NUMBER = re.compile(r"[-+\d.]")


class _Part:
    """A value in the text, and its key: where they begin, and where the value ends."""

    def __init__(self, key: int, colon: int, start: int) -> None:
        self.key = key  # of a list's entry: start
        self.colon = colon  # behind it
        self.start = start
        self.end = start
        self.content: Any = ""  # dict and list of parts, or str


class _Editor:
    def __init__(self, text: str, old: Node, is_text: IsText, order: list[str]) -> None:
        self.text = text
        self.is_text = is_text
        self.order = order
        self.lines = [0] + [match.end() for match in re.finditer("\n", text)]
        self.changes: list[tuple[int, int, str]] = []
        self.cuts: list[tuple[int, int]] = []
        self.doubts: list[Doubt] = []
        self.opaque: list[tuple[int, int]] = []  # what is no comment, whatever stands in it
        first = min((self.at(place) for place, _ in old[1].values()), default=0)
        self.root = _Part(first, first, self.brace_before(first) if old[1] else self.skip(0))
        self.read(self.root, old[1], False)
        self.comments = self.find_comments()

    def done(self) -> str:
        text = self.text
        merged: list[tuple[int, int]] = []
        for start, end in sorted(self.cuts):
            if merged and start <= merged[-1][1]:
                start, end = merged[-1][0], max(end, merged.pop()[1])
            merged.append((start, end))
        changes = self.changes + [(start, end, "") for start, end in merged]
        # at one place what is taken out goes first, and of several insertions the first stays in front
        for _, (start, end, piece) in sorted(enumerate(changes), key=lambda c: (-c[1][0], c[1][1] == c[1][0], -c[0])):
            text = text[:start] + piece + text[end:]
        ends = self.text.count("\r\n")
        return re.sub("\r?\n", "\r\n", text) if ends and ends == self.text.count("\n") else text

    # ---- places ----

    def at(self, place: tuple[int, int]) -> int:
        line, column = place
        if not 0 < line <= len(self.lines) or column < 1:
            raise NotSupportedError("a place is not known")
        return self.lines[line - 1] + column - 1

    def skip(self, start: int) -> int:
        """Behind spaces, line breaks and comments."""
        match = _SPACES.match(self.text, start)
        return match.end() if match else start

    def line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def column(self, at: int) -> int:
        return at - self.line_start(at)

    def begins_line(self, at: int) -> bool:
        return not self.text[self.line_start(at) : at].strip()

    def brace_before(self, first: int) -> int:
        """Where a mapping begins whose first key is there: its brace, or that key."""
        at = first
        while at > 0:
            start = self.line_start(at)
            before = re.sub(r"(^|\s|\{)#.*", r"\1", self.text[start:at]).rstrip()
            if before:
                return start + len(before) - 1 if before.endswith("{") else first
            at = start - 1
        return first

    # ---- the text as it is ----

    def read(self, part: _Part, content: Any, flow: bool) -> None:
        """Where the value of a part ends, and where the parts in it are."""
        bracket = self.text[part.start : part.start + 1]
        if isinstance(content, str):
            part.content, part.end = content, self.scalar_end(part, content, flow)
            return
        inner = flow or bracket in ("[", "{")
        if isinstance(content, dict):
            part.content = {name: self.entry(name, each, inner) for name, each in content.items()}
            last = list(part.content.values())[-1:]
        else:
            part.content = [self.item(each, inner) for each in content]
            last = part.content[-1:]
        part.end = last[0].end if last else part.start
        if bracket in ("[", "{"):
            part.end = self.bracket_end(last[0].end if last else part.start + 1, "]" if bracket == "[" else "}")

    def entry(self, name: str, node: Node, flow: bool) -> _Part:
        key = self.at(node[0])
        if self.text[key : key + 1] in ("'", '"'):
            end = self.quoted_end(key)
        elif self.text.startswith(name, key):
            end = key + len(name)
        else:
            raise NotSupportedError(f"the key '{name}' is written in another way")
        self.opaque.append((key, end))
        colon = re.compile(r"\s*:").match(self.text, end)
        if not colon:
            raise NotSupportedError(f"the value of '{name}' is not found")
        start = self.skip(colon.end())
        nothing = isinstance(node[1], str) and not node[1] and self.text[start : start + 1] not in ("'", '"', "|", ">")
        part = _Part(key, colon.end(), colon.end() if nothing else start)
        if not nothing:
            self.read(part, node[1], flow)
        return part

    def item(self, node: Node, flow: bool) -> _Part:
        start = self.at(node[0])
        if isinstance(node[1], dict) and node[1]:  # the brace, or the first key
            start = self.brace_before(min(self.at(place) for place, _ in node[1].values()))
        part = _Part(start, start, start)
        self.read(part, node[1], flow)
        return part

    def bracket_end(self, start: int, bracket: str) -> int:
        at = self.skip(start)
        if self.text[at : at + 1] == ",":
            at = self.skip(at + 1)
        if self.text[at : at + 1] != bracket:
            raise NotSupportedError("the end of a bracket is not found")
        return at + 1

    def scalar_end(self, part: _Part, value: str, flow: bool) -> int:
        first = self.text[part.start : part.start + 1]
        if first in ("'", '"'):
            end = self.quoted_end(part.start)
        elif first in ("|", ">") and not flow:
            end = self.lines_end(part)
            self.opaque.append((min(self.line_end(part.start), end), end))
            return end
        else:
            end = self.plain_end(part.start, value, flow)
        self.opaque.append((part.start, end))
        return end

    def quoted_end(self, start: int) -> int:
        quote = self.text[start]
        inner = r'"(?:[^"\\]|\\.)*"' if quote == '"' else r"'(?:[^']|'')*'"
        match = re.compile(inner, re.DOTALL).match(self.text, start)
        if not match:
            raise NotSupportedError("a quote is not closed")
        return match.end()

    def plain_end(self, start: int, value: str, flow: bool) -> int:
        """Over several lines too, and where blanks behind commas of an expression differ."""
        signs = re.findall(r",|\s+|[^,\s]+", re.sub(r",\s+", ",", value))
        spaced = "".join(r",\s*" if sign == "," else r"\s+" if sign.isspace() else re.escape(sign) for sign in signs)
        match = re.compile(spaced).match(self.text, start)
        end = start + len(match.group().rstrip()) if match else -1
        rest = self.text[end : self.line_end(end)] if match else ""
        if not match or not re.fullmatch(r"\s*([,}\]].*|#.*)?" if flow else r"\s*(\s#.*)?", rest):
            raise NotSupportedError(f"the value '{value}' is written in another way")
        return end

    def lines_end(self, part: _Part) -> int:
        """Of the lines below | or >."""
        indent, last, at = None, self.line_end(part.start), self.line_end(part.start) + 1
        outer = self.column(part.key) if part.key != part.start else self.column(self.text.rfind("-", 0, part.start))
        while at < len(self.text):
            end = self.line_end(at)
            line = self.text[at:end]
            if line.strip():
                own = len(line) - len(line.lstrip(" "))
                indent = own if indent is None else indent
                if own <= outer or own < indent:
                    break
                last = end
            at = end + 1
        return last

    def find_comments(self) -> list[tuple[int, int]]:
        hidden = list(self.text)
        for start, end in self.opaque:
            hidden[start:end] = ["\n" if c == "\n" else "x" for c in hidden[start:end]]
        return [match.span() for match in re.finditer("#[^\n]*", "".join(hidden))]

    # ---- comments ----

    def comments_in(self, start: int, end: int) -> list[int]:
        return [at for at, _ in self.comments[bisect_left(self.comments, (start, 0)) : bisect_left(self.comments, (end, 0))]]

    def comment_of_line(self, at: int) -> int | None:
        """Where the comment begins that ends a line."""
        found = self.comments_in(self.line_start(at), self.line_end(at))
        return found[0] if found else None

    def whole_comment(self, at: int) -> int | None:
        """The same, where nothing else stands on the line."""
        comment = self.comment_of_line(at)
        return comment if comment is not None and self.begins_line(comment) else None

    def doubt(self, comment: int, why: str) -> None:
        text = self.text[comment : self.line_end(comment)].strip()
        self.doubts.append(Doubt(bisect_left(self.lines, comment + 1), f"the comment '{text}' {why}"))

    def lost(self, start: int, end: int) -> None:
        for comment in self.comments_in(start, end):
            self.doubt(comment, "is taken out: what it stands in is another one now")

    def own_end(self, part: _Part) -> int:
        """The end of the last line that belongs to an entry: comments further in than its key follow."""
        last = end = self.line_end(part.end)
        column = self.column(part.key)
        while end < len(self.text):
            line = end + 1
            end = self.line_end(line)
            comment = self.whole_comment(line)
            if comment is not None and self.column(comment) > column:
                last = end
            elif self.text[line:end].strip() or line > len(self.text) - 1:
                break
        return last

    def own_start(self, part: _Part, above: int) -> int:
        """The first line of the comments directly above an entry, below `above`."""
        start = self.line_start(part.key)
        while start - 1 > above and self.whole_comment(start - 1) is not None:
            start = self.line_start(start - 1)
        return start

    def is_head(self, start: int) -> bool:
        """Whether comments that begin there begin the file: they may be about the whole of it."""
        return not self.text[:start].strip()

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
            return list(old) == list(new) and all(self.same(old[k].content, new[k]) for k in old)
        if isinstance(old, list) and isinstance(new, list):
            return len(old) == len(new) and all(self.same(a.content, b) for a, b in zip(old, new))
        return isinstance(old, str) and isinstance(new, str) and old == new and self.is_text(old) == self.is_text(new)

    def value(self, part: _Part, new: Any, flow: bool) -> None:
        old = part.content
        if self.same(old, new):
            return
        bracket = self.text[part.start : part.start + 1]
        if isinstance(old, dict) and isinstance(new, dict) and new and old:
            if bracket == "{":
                self.flow_mapping(part, new)
            else:
                self.block_mapping(part, new, False)
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            self.items(part, new, flow or bracket == "[")
        else:
            self.replace(part, self.inline(new, flow))

    def items(self, part: _Part, new: list[Any], flow: bool) -> None:
        """One by one. Numbers of a vector have their meaning by their place, and their comments too; others may have moved."""
        for k, (each, now) in enumerate(zip(part.content, new)):
            others = part.content[:k] + part.content[k + 1 :]
            moved = not (isinstance(now, str) and _NUMBER.match(now)) and any(self.same(other.content, now) for other in others)
            comment = self.comment_of_line(each.end)
            if moved and not self.same(each.content, now) and comment is not None and part.start < comment < part.end:
                self.doubt(comment, f"stays where it was, and '{self.inline(now, False)}' stands there now")
            self.value(each, now, flow)

    def replace(self, part: _Part, piece: str) -> None:
        self.lost(part.start, part.end)
        if part.key == part.start or self.line_start(part.start) <= part.colon:
            self.changes.append((part.start, part.end, piece if part.start > part.colon or part.key == part.start else f" {piece}"))
            return
        # below its key: beside it
        self.changes.append((part.colon, part.colon, f" {piece}"))
        self.cuts.append((self.line_start(part.start) - 1, part.end))

    def sorted_out(self, old: dict[str, _Part], new: dict[str, Any], whole: bool) -> tuple[list[str], list[str]]:
        """The names of what stays and of what is put behind it, in this order; the order of sections does not count."""
        if whole:
            return [name for name in old if name in new], [name for name in new if name not in old]
        kept: list[str] = []
        places = {name: k for k, name in enumerate(old)}
        for name in new:
            if name in old and (not kept or places[name] > places[kept[-1]]):
                kept.append(name)
        added = [name for name in new if name not in kept]
        if list(new) != kept + added:
            raise NotSupportedError("what is added stands in front of others")
        return kept, added

    # ---- entries in block style ----

    def block_mapping(self, part: _Part, new: dict[str, Any], whole: bool) -> None:
        old: dict[str, _Part] = part.content
        if not old:
            raise NotSupportedError("a mapping is empty")
        if len({self.column(each.key) for each in old.values()}) != 1:
            raise NotSupportedError("entries do not begin their lines")
        kept, added = self.sorted_out(old, new, whole)
        names, above = list(old), part.colon if part.colon < part.start else 0
        indent = " " * self.column(old[names[0]].key)
        if not kept:
            start = self.own_start(old[names[0]], above)
            start = self.line_start(old[names[0]].key) if self.is_head(start) else start
            self.cuts.append((start, self.own_end(old[names[-1]])))
            self.changes.append((start, start, "\n".join(self.entry_lines(name, indent, new[name], whole) for name in added)))
            return
        for k, name in enumerate(names):
            if name in kept:
                self.value(old[name], new[name], False)
            else:
                self.take_lines(old, names[k:], kept, above)
            above = self.own_end(old[name])
        for name in added:
            self.put_lines(old, kept, name, indent, new[name], whole)

    def follows_at_once(self, part: _Part, other: _Part) -> bool:
        return self.line_start(other.key) == self.own_end(part) + 1

    def take_lines(self, old: dict[str, _Part], names: list[str], kept: list[str], above: int) -> None:
        """The entry of the first of these names, with its comments."""
        part = old[names[0]]
        if not self.begins_line(part.key):
            raise NotSupportedError("entries do not begin their lines")
        start, line = self.own_start(part, above), self.line_start(part.key)
        heads = names[0] if self.is_head(start) else None
        for one, other in zip(names, names[1:]):
            if heads or not self.follows_at_once(old[one], old[other]):
                break
            heads = other if other in kept else None
        if heads:
            for comment in self.comments_in(start, line):
                self.doubt(comment, f"stays, though '{names[0]}' below it is taken out")
            start = line
        self.cuts.append((start, min(self.own_end(part) + 1, len(self.text))))

    def entry_lines(self, name: str, indent: str, value: Any, whole: bool) -> str:
        if whole and isinstance(value, dict) and value and all(isinstance(v, (dict, str)) for v in value.values()):
            return "\n".join([f"{self.key(name)}:"] + [f"  {self.key(k)}: {self.inline(v, False)}" for k, v in value.items()])
        return f"{indent}{self.key(name)}: {self.inline(value, False)}"

    def put_lines(self, old: dict[str, _Part], kept: list[str], name: str, indent: str, value: Any, whole: bool) -> None:
        """Behind the last entry; a section of the whole behind those that come before it."""
        lines = self.entry_lines(name, indent, value, whole)
        before = [old[other] for other in kept if not whole or self.rank(other) < self.rank(name)]
        if not before:
            first = min(old.values(), key=lambda part: part.key)
            if not self.begins_line(first.key):
                raise NotSupportedError("entries do not begin their lines")
            start, line = self.own_start(first, 0), self.line_start(first.key)
            if self.is_head(start):
                for comment in self.comments_in(start, line):
                    self.doubt(comment, f"stands above '{name}' now")
                start = line
            self.changes.append((start, start, lines + "\n"))
            return
        at = self.own_end(max(before, key=lambda part: part.key))
        apart = "\n" if whole and re.match("\n\r?\n", self.text[at:]) else ""
        self.changes.append((at, at, apart + "\n" + lines))

    def rank(self, section: str) -> int:
        return self.order.index(section) if section in self.order else len(self.order)

    # ---- entries in flow style ----

    def comma(self, part: _Part) -> int | None:
        """Where the comma behind an entry stands."""
        at = self.skip(part.end)
        return at if self.text[at : at + 1] == "," else None

    def stop(self, part: _Part) -> int:
        """Behind an entry and its comma."""
        comma = self.comma(part)
        return part.end if comma is None else comma + 1

    def flow_mapping(self, part: _Part, new: dict[str, Any], whole: bool = False) -> None:
        old: dict[str, _Part] = part.content
        kept, added = self.sorted_out(old, new, whole)
        entries = ", ".join(f"{self.key(name)}: {self.flow(new[name])}" for name in added)
        if not kept:
            self.lost(part.start, part.end)
            self.changes.append((part.start + 1, part.end - 1, entries))
            return
        above = part.start
        for name, each in old.items():
            if name in kept:
                self.value(each, new[name], True)
            else:
                self.take_entry(part, name, kept, above)
            above = self.stop(each)
        last, ends = old[kept[-1]], list(old)[-1] == kept[-1]
        comma = self.comma(last)
        if added:
            self.put_entries(part, last, entries + ("," if ends and comma is not None else ""))
        elif not ends and comma is not None and self.comma(list(old.values())[-1]) is None:
            self.changes.append((comma, comma + 1, " " if self.text[comma + 1 : comma + 2] == "#" else ""))

    def take_entry(self, part: _Part, name: str, kept: list[str], above: int) -> None:
        entry = part.content[name]
        stop = self.stop(entry)
        rest = self.text[stop : self.line_end(stop)].strip()
        behind = self.comment_of_line(stop) if not rest or stop <= (self.comment_of_line(stop) or -1) else None
        ends_line = not rest or (behind is not None and not self.text[stop:behind].strip())
        line = top = self.line_start(entry.key)
        while self.begins_line(entry.key) and self.line_start(top - 1) > above and self.whole_comment(top - 1) is not None:
            top = self.line_start(top - 1)
        if ends_line and self.begins_line(entry.key):
            self.cuts.append((top, min(self.below(entry, stop) + 1, len(self.text))))
            return
        if not ends_line and not rest.startswith("}"):
            self.cuts.append((entry.key, stop + len(self.text[stop:]) - len(self.text[stop:].lstrip(" \t"))))
            for comment in self.comments_in(top, line):
                self.doubt(comment, f"stays, though '{name}' below it is taken out")
            return
        self.cuts.append((top, line))
        start = len(self.text[: entry.key].rstrip(" \t\r\n")) if not self.comments_in(above, entry.key) else entry.key
        self.cuts.append((start, stop))
        if behind is None or not ends_line:
            return
        inside = range(self.line_start(stop), self.line_end(stop))
        beside = [other for other in kept if part.content[other].key in inside or self.stop(part.content[other]) - 1 in inside]
        if beside:
            self.doubt(behind, f"stays beside '{beside[-1]}', as '{name}' is taken out")
        else:
            self.cuts.append((len(self.text[:behind].rstrip(" \t")), self.below(entry, stop)))

    def below(self, entry: _Part, stop: int) -> int:
        """The end of the last line of comments that go on below an entry of flow style."""
        last = end = self.line_end(stop)
        comment = self.comment_of_line(stop)
        while comment is not None and end < len(self.text):
            other = self.whole_comment(end + 1)
            end = self.line_end(end + 1)
            if other is None or self.column(other) <= self.column(entry.key):
                break
            last = end
        return last

    def put_entries(self, part: _Part, last: _Part, entries: str) -> None:
        """Behind the last one that stays: on a line of their own where that has a comment."""
        stop, comma = self.stop(last), self.comma(last)
        comment = self.comment_of_line(stop)
        if comment is None or comment < stop or self.text[stop:comment].strip():
            self.changes.append((stop, stop, f" {entries}" if comma is not None else f", {entries}"))
            return
        if comma is None:
            self.changes.append((last.end, last.end, ","))
        own = [each.key for each in part.content.values() if self.begins_line(each.key)]
        column = self.column(own[-1] if own else part.start + 1)
        at = self.below(last, stop)
        self.changes.append((at, at, "\n" + " " * column + entries))
