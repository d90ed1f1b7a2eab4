"""Expressions of a C file that can be mutated, found by libclang: find(path, arguments) lists them.

A candidate is an extent of bytes with what may stand in its place. Nothing is taken from constant expressions, initialisers of
static data, sizes of arrays, labels of cases, sizeof, expansions of macros, or functions and calls that places.py excludes.
"""
import dataclasses
import re

import places

MATHEMATICS = re.compile(r"^(rt_)?(re|im|sqrt|c?fabs|cabs|creal|cimag|conj|sin|cos|tan|asin|acos|atan|atan2|atan_of|sinh|cosh|"
                         r"tanh|exp|log|log10|pow|hypot|floor|ceil|fmin|fmax|isfinite|finite|abs)$|^rt_v3_(dot|norm)$")
TOLERANCE = re.compile(r"toleran|epsilon|EPSILON|\b(?!RT_|M_PI|HUGE_VAL|DBL_|I\b)[A-Z][A-Z_]{3,}\b|\b\d*\.?\d*e-\d")
SYMMETRIC = ("fmax", "fmin", "hypot", "rt_v3_dot")
BOOKKEEPING = re.compile(r"status|ROUTH_|NULL|error|watch|stop|cancel|capacity|room|bytes|size")
OPPOSITE = {"+": "-", "-": "+"}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}


@dataclasses.dataclass(frozen=True)
class Candidate:
    file: str
    begin: int  # bytes of the file
    end: int
    line: int
    kind: str  # sign, term, factor, index, comparison, arguments, statement
    before: str
    after: str
    pure: bool  # whether both may be evaluated side by side
    function: str
    shown: tuple = ()  # before and after as the table shows them, where they are more than that


class Unreadable(Exception):
    pass


def load_clang():
    """clang.cindex, or None where it is missing."""
    try:
        from clang import cindex
    except ImportError:
        return None
    return cindex


class Finder:
    def __init__(self, cindex, path, shown, arguments):
        self.k = cindex.CursorKind
        self.static = cindex.StorageClass.STATIC
        self.t = cindex.TypeKind
        self.path, self.shown = path, shown
        with open(path, "rb") as stream:
            self.source = stream.read()
        options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        self.unit = cindex.Index.create().parse(path, args=["-x", "c"] + arguments, options=options)
        errors = [d for d in self.unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if errors:
            raise Unreadable(f"{path}: {errors[0].spelling}")
        self.macros = self.find_macros()
        self.found = []
        self.function, self.body = "", ""
        self.threads = False  # inside a directive of OpenMP, whose loops must keep their form
        self.floats = {self.t.FLOAT, self.t.DOUBLE, self.t.LONGDOUBLE, self.t.COMPLEX}
        self.integers = {self.t.INT, self.t.UINT, self.t.LONG, self.t.ULONG, self.t.LONGLONG, self.t.ULONGLONG, self.t.SHORT,
                         self.t.USHORT, self.t.UCHAR, self.t.SCHAR, self.t.CHAR_S}

    # ---- what libclang says -----------------------------------------------------------------------------------

    def in_file(self, cursor):
        return cursor.location.file is not None and cursor.location.file.name == self.path

    def find_macros(self):
        return sorted((c.extent.start.offset, c.extent.end.offset) for c in self.unit.cursor.get_children()
                      if c.kind == self.k.MACRO_INSTANTIATION and self.in_file(c))

    def extent(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def touches_macro(self, begin, end):
        """Whether an end of the extent stands in an expansion: what libclang says of it is then not to be trusted."""
        return any(a <= begin < b or a < end <= b for a, b in self.macros)

    def text(self, cursor):
        begin, end = self.extent(cursor)
        return self.source[begin:end].decode()

    def bare(self, cursor):
        """Without implicit conversions and parentheses."""
        while cursor.kind in (self.k.UNEXPOSED_EXPR, self.k.PAREN_EXPR):
            inner = list(cursor.get_children())
            if len(inner) != 1:
                break
            cursor = inner[0]
        return cursor

    def is_float(self, cursor):
        return cursor.type.get_canonical().kind in self.floats

    def is_integer(self, cursor):
        return cursor.type.get_canonical().kind in self.integers

    def operator(self, left, right):
        return self.source[left.extent.end.offset:right.extent.start.offset].decode().strip()

    def is_pure(self, cursor):
        for c in cursor.walk_preorder():
            if c.kind == self.k.CALL_EXPR and not MATHEMATICS.match(c.spelling or ""):
                return False
            if c.kind == self.k.COMPOUND_ASSIGNMENT_OPERATOR or c.kind == self.k.StmtExpr:
                return False
            if c.kind == self.k.UNARY_OPERATOR and re.search(r"\+\+|--", self.text(c)):
                return False
        return True

    # ---- what becomes a candidate ------------------------------------------------------------------------------

    def add(self, cursor, kind, after, pure=None, shown=()):
        begin, end = self.extent(cursor)
        if begin >= end or self.touches_macro(begin, end) or not self.in_file(cursor):
            return
        before = self.text(cursor)
        if kind != "index" and before.strip("()") in ("0", "0.0"):
            return
        if "//" in before or "/*" in before or "#" in before:
            return
        if kind not in ("index", "statement", "arguments") and TOLERANCE.search(before):
            return
        self.found.append(Candidate(self.shown, begin, end, cursor.extent.start.line, kind, " ".join(before.split()),
                                    " ".join(after.split()), self.is_pure(cursor) if pure is None else pure, self.function,
                                    tuple(" ".join(text.split()) for text in shown)))

    def binary(self, cursor, loop):
        left, right = cursor.get_children()
        sign = self.operator(left, right)
        a, b = self.text(left), self.text(right)
        if not a or not b:
            return
        if sign in OPPOSITE and self.is_float(cursor):
            self.add(cursor, "sign", f"{a} {OPPOSITE[sign]} {b}")
            self.add(cursor, "term", a)
            self.add(cursor, "term", b if sign == "+" else f"-({b})")
        elif sign in ("*", "/") and self.is_float(cursor):
            literals = (self.k.INTEGER_LITERAL, self.k.FLOATING_LITERAL)
            numbers = [c for c in (left, right) if self.bare(c).kind in literals]
            for number in numbers:
                self.literal(number)
            if not numbers:
                self.add(cursor, "factor", f"2 * ({self.text(cursor)})")
                self.add(cursor, "factor", a)
        elif sign in NEGATED:
            self.comparison(cursor, left, right, sign, loop)
        elif sign in ("&&", "||") and not loop and not BOOKKEEPING.search(self.text(cursor)):
            if not any(self.bare(c).type.get_canonical().kind == self.t.POINTER for c in (left, right)):
                self.add(cursor, "comparison", f"({a}) {'||' if sign == '&&' else '&&'} ({b})", pure=False)

    def literal(self, number):
        value = self.text(number)
        after = {"2": "1", "2.0": "1.0", "0.5": "1.0", "1": "2", "1.0": "2.0"}.get(value, f"2 * {value}")
        if value.rstrip("0.") not in ("", "-"):
            self.add(number, "factor", after)

    def comparison(self, cursor, left, right, sign, loop):
        a, b = self.text(left), self.text(right)
        if BOOKKEEPING.search(a + b) or self.threads:
            return
        if self.is_float(left) or self.is_float(right):
            zero = "0" in (a, b) or "0.0" in (a, b)
            self.add(cursor, "comparison", f"{a} {(SHIFTED if zero else NEGATED)[sign]} {b}")
        elif self.is_integer(left) and self.is_integer(right):
            if not loop:
                self.add(cursor, "comparison", f"{a} {SHIFTED[sign]} {b}")
            elif sign == "<":  # one round less: what a round more would reach is not there
                self.add(cursor, "comparison", f"{a} + 1 < {b}")

    def assignment(self, cursor):
        left, right = cursor.get_children()
        sign = self.operator(left, right)
        if not self.is_float(left) or not self.is_float(right):
            return
        if sign in ("+=", "-="):
            self.add(right, "sign", f"-({self.text(right)})")
            self.add(right, "term", "0")
        elif sign in ("*=", "/="):
            self.add(right, "factor", "1")

    def subscript(self, cursor):
        array, index = cursor.get_children()
        element = cursor.type.get_canonical().kind
        if element not in self.floats | self.integers or not self.is_integer(index):
            return
        value = self.text(index)
        if not value.isdigit():
            if self.bare(index).kind != self.k.CHARACTER_LITERAL and self.is_pure(index):
                self.add(index, "index", f"({value}) > 0 ? ({value}) - 1 : ({value})",
                         shown=(self.text(cursor), f"{self.text(array)}[{value} - 1]"))
            return
        size = self.bare(array).type.get_canonical().element_count if (
            self.bare(array).type.get_canonical().kind == self.t.CONSTANTARRAY) else self.literal_indices(array)
        if size > 1:
            other = (int(value) + 1) % size
            self.add(index, "index", str(other), shown=(self.text(cursor), f"{self.text(array)}[{other}]"))

    def literal_indices(self, array):
        """How many elements a pointer has, by the constant indices in the function."""
        name = re.escape(self.text(array)) + r"\[(\d+)\]"
        return 1 + max((int(n) for n in re.findall(name, self.body)), default=0)

    def call(self, cursor, statement):
        if places.is_left_alone(cursor.spelling):
            return
        arguments = list(cursor.get_arguments())
        void = cursor.type.get_canonical().kind == self.t.VOID
        if statement and void:
            self.add(cursor, "statement", "(void)0", pure=False)
        if cursor.spelling in SYMMETRIC or '"' in self.text(cursor):
            return
        for one, two in zip(arguments, arguments[1:]):
            if self.exchangeable(one, two):
                begin = self.extent(cursor)[0]
                (a, b), (c, d) = self.extent(one), self.extent(two)
                text = self.source
                swapped = text[begin:a] + text[c:d] + text[b:c] + text[a:b] + text[d:self.extent(cursor)[1]]
                self.add(cursor, "arguments", swapped.decode(), pure=False)

    def exchangeable(self, one, two):
        """Of one type: numbers, or numbers that are only read."""
        kinds = [c.type.get_canonical() for c in (one, two)]
        if kinds[0].spelling != kinds[1].spelling or self.text(one) == self.text(two):
            return False
        if "NULL" in (self.text(one), self.text(two)):
            return False
        if kinds[0].kind in self.floats:
            return True
        pointee = kinds[0].get_pointee()
        return kinds[0].kind == self.t.POINTER and pointee.is_const_qualified() and pointee.get_canonical().kind in self.floats

    # ---- the walk ----------------------------------------------------------------------------------------------

    def visit(self, cursor, loop=False, statement=False):
        k = cursor.kind
        if k in (self.k.CXX_UNARY_EXPR, self.k.ENUM_DECL, self.k.STRUCT_DECL, self.k.TYPEDEF_DECL, self.k.TYPE_REF):
            return  # sizeof and types
        children = list(cursor.get_children())
        if k == self.k.VAR_DECL:
            if cursor.storage_class == self.static:
                return
            if cursor.type.get_canonical().kind in (self.t.CONSTANTARRAY, self.t.VARIABLEARRAY):
                children = [c for c in children if c.kind == self.k.INIT_LIST_EXPR]
        elif k == self.k.CASE_STMT:
            children = children[1:]
        elif k == self.k.CALL_EXPR:
            if places.is_left_alone(cursor.spelling):
                return
            self.call(cursor, statement)
        elif k == self.k.BINARY_OPERATOR and len(children) == 2:
            self.binary(cursor, loop)
        elif k == self.k.COMPOUND_ASSIGNMENT_OPERATOR and len(children) == 2:
            self.assignment(cursor)
        elif k == self.k.ARRAY_SUBSCRIPT_EXPR and len(children) == 2:
            self.subscript(cursor)
        elif k == self.k.UNARY_OPERATOR and self.is_float(cursor) and self.text(cursor).startswith("-"):
            self.add(cursor, "sign", self.text(cursor)[1:])
        elif k == self.k.IF_STMT and self.leaves_by_failure(children):
            children = children[1:]
        elif k.name.startswith("OMP"):
            self.threads = True
        repeats = k in (self.k.FOR_STMT, self.k.WHILE_STMT, self.k.DO_STMT)
        block = k == self.k.COMPOUND_STMT
        for child in children:
            in_loop = (loop or repeats) and child.kind in (self.k.BINARY_OPERATOR, self.k.UNEXPOSED_EXPR, self.k.PAREN_EXPR)
            self.visit(child, in_loop, block or (repeats and child is children[-1]))
        if k.name.startswith("OMP"):
            self.threads = False

    def leaves_by_failure(self, parts):
        """Whether the condition of an if is one of failure: what follows reports or frees."""
        return len(parts) > 1 and re.search(r"rt_fail|goto|free\(|NULL|ROUTH_[A-Z]+_?ERROR|return -1|return status",
                                            self.text(parts[1])) is not None

    def run(self):
        for cursor in self.unit.cursor.get_children():
            if cursor.kind != self.k.FUNCTION_DECL or not cursor.is_definition() or not self.in_file(cursor):
                continue
            if places.FUNCTIONS.search(cursor.spelling):
                continue
            self.function = cursor.spelling
            for child in cursor.get_children():
                if child.kind == self.k.COMPOUND_STMT:
                    self.body = self.text(child)
                    self.visit(child)
        return self.found


def find(path, shown, arguments):
    """The candidates of one file, which reports call `shown`, compiled with these arguments."""
    return Finder(load_clang(), str(path), shown, arguments).run()
