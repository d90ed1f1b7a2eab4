#include "symbolic/symbol_names.h"

#include <ctype.h>
#include <string.h>

/* ---- code ------------------------------------------------------------------------------------ */

/* Words of C and C++, macros of <math.h> and of compilers, words of Python, of MATLAB and Octave,
 * of Modelica, and what the functions written use. */
static bool is_reserved(const char *name)
{
    static const char *const words[] = {
        /* C and C++ */
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
        "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await",
        "co_return", "co_yield", "compl", "complex", "concept", "const", "const_cast", "consteval",
        "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
        "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "far", "float",
        "for", "friend", "goto", "if", "imaginary", "inline", "int", "long", "main", "mutable",
        "namespace", "near", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
        "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires",
        "restrict", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
        "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
        "typeid", "typename", "typeof", "typeof_unqual", "union", "unsigned", "using", "virtual",
        "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
        /* macros */
        "DOMAIN", "I", "INFINITY", "MAXFLOAT", "NAN", "NULL", "OVERFLOW", "PLOSS", "SING", "SNAN",
        "SNANF", "SNANL", "TLOSS", "UNDERFLOW", "X_TLOSS", "errno", "i386", "linux",
        "math_errhandling", "signgam", "unix",
        /* Python */
        "False", "None", "True", "as", "assert", "async", "await", "def", "del", "elif", "except",
        "finally", "from", "global", "import", "in", "is", "lambda", "match", "nonlocal", "pass",
        "raise", "type", "with", "yield",
        /* MATLAB and Octave */
        "arguments", "classdef", "elseif", "end", "end_try_catch", "end_unwind_protect",
        "endarguments", "endclassdef", "endenumeration", "endevents", "endfor", "endfunction",
        "endif", "endmethods", "endparfor", "endproperties", "endspmd", "endswitch", "endwhile",
        "enumeration", "events", "function", "methods", "otherwise", "parfor", "persistent",
        "properties", "spmd", "until", "unwind_protect", "unwind_protect_cleanup",
        /* Modelica, with its types and functions */
        "Boolean", "Clock", "Integer", "Real", "String", "abs", "acos", "algorithm", "annotation",
        "asin", "atan", "atan2", "block", "cardinality", "ceil", "change", "connect", "connector",
        "constant", "constrainedby", "cosh", "cross", "delay", "der", "diagonal", "discrete", "div",
        "each", "edge", "elsewhen", "encapsulated", "equation", "exp", "expandable", "extends",
        "external", "fill", "final", "floor", "flow", "homotopy", "identity", "impure", "initial",
        "inner", "input", "inStream", "integer", "linspace", "log", "log10", "loop", "matrix",
        "max", "min", "mod", "model", "ndims", "noEvent", "ones", "outer", "output", "outerProduct",
        "package", "parameter", "partial", "pre", "previous", "product", "pure", "record",
        "redeclare", "reinit", "rem", "replaceable", "sample", "scalar", "semiLinear", "sign",
        "sinh", "size", "skew", "smooth", "spatialDistribution", "stream", "sum", "symmetric",
        "tan", "tanh", "terminal", "terminate", "then", "time", "transpose", "vector", "when",
        "within",
        /* the functions written */
        "A", "C", "C_", "K", "K_", "M", "M_", "cos", "linear_model", "math", "np", "parameters",
        "pi", "sin", "sqrt", "zeros", NULL};
    for (int k = 0; words[k]; k++)
        if (strcmp(words[k], name) == 0) return true;
    return name[strlen(name) - 1] == '_';
}

/* MATLAB cuts names longer than 63 letters, of which cos_ and an underscore take five. */
enum { LONGEST = 58 };

/* MATLAB knows no name that begins with an underscore; families of macros and our own names have
 * heads. */
static bool is_impossible(const char *name)
{
    static const char *const heads[] = {"_",          "root_", "cos_",  "sin_",  "shared_",
                                        "parameter_", "M_",    "FP_",   "MATH_", "HUGE",
                                        "DBL_",       "FLT_",  "LDBL_", NULL};
    for (int k = 0; heads[k]; k++)
        if (strncmp(heads[k], name, strlen(heads[k])) == 0) return true;
    return false;
}

/* 1 for the first parameter among the symbols: its place in the heading of a function. */
static int place(const rt_exact_field *field, const rt_symbol *parameter)
{
    const rt_symbol *symbols;
    rt_exact_field_symbols(field, &symbols);
    int at = 1;
    for (const rt_symbol *s = symbols; s < parameter; s++) at += s->kind == RT_SYMBOL_PARAMETER;
    return at;
}

/* Names of parts have dots, front_left.k, where code has underscores. */
static bool same_in_code(const char *a, const char *b)
{
    while (*a && (*a == *b || (*a == '.' && *b == '_') || (*a == '_' && *b == '.'))) a++, b++;
    return !*a && !*b;
}

/* A name with a dot gives way to every other parameter that would be called the same. */
static bool code_name_is_taken(const rt_exact_field *field, const rt_symbol *parameter)
{
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(field, &symbols);
    if (!strchr(parameter->name, '.')) return false;
    for (int k = 0; k < n; k++)
        if (symbols[k].kind == RT_SYMBOL_PARAMETER && symbols + k != parameter &&
            same_in_code(symbols[k].name, parameter->name))
            return true;
    return false;
}

void rt_code_name(const rt_exact_field *field, const rt_symbol *parameter, rt_text *text)
{
    char name[LONGEST + 1];
    const bool fits = strlen(parameter->name) <= LONGEST;
    if (fits) strcpy(name, parameter->name);
    for (char *dot = name; fits && (dot = strchr(dot, '.')) != NULL;) *dot = '_';
    if (!fits || is_impossible(name) || code_name_is_taken(field, parameter))
        rt_text_append(text, "parameter_%d", place(field, parameter));
    else
        rt_text_append(text, is_reserved(name) ? "%s_" : "%s", name);
}

/* ---- LaTeX ----------------------------------------------------------------------------------- */

/* How many letters stand on the line; the rest is the index. */
static size_t length_of_head(const char *name)
{
    const size_t head = strcspn(name, "_");
    size_t letters = 0;
    while (letters < head && isalpha((unsigned char)name[letters])) letters++;
    size_t k = letters;
    while (k < head && isdigit((unsigned char)name[k])) k++;
    return letters && k == head ? letters : head;
}

static bool is_greek(const char *name, size_t length)
{
    static const char *const greek[] = {
        "alpha", "beta",   "gamma", "delta", "epsilon", "zeta",  "eta",   "theta",
        "kappa", "lambda", "mu",    "nu",    "xi",      "rho",   "sigma", "tau",
        "phi",   "chi",    "psi",   "omega", "Gamma",   "Delta", "Theta", "Lambda",
        "Xi",    "Pi",     "Sigma", "Phi",   "Psi",     "Omega", NULL};
    for (int k = 0; greek[k]; k++)
        if (strlen(greek[k]) == length && strncmp(greek[k], name, length) == 0) return true;
    return false;
}

static const char *index_of(const char *name)
{
    const char *rest = name + length_of_head(name);
    return *rest == '_' ? rest + 1 : rest;
}

static bool looks_alike(const char *a, const char *b)
{
    const size_t head = length_of_head(a);
    return head == length_of_head(b) && strncmp(a, b, head) == 0 &&
           strcmp(index_of(a), index_of(b)) == 0;
}

/* The page's own letters: M z'' + C z' + K z, y' = A y, s. A dot would read as a product. */
static bool is_ambiguous(const rt_exact_field *field, const rt_symbol *parameter)
{
    static const char *const page[] = {"A", "C", "K", "M", "s", "z", "y"};
    const char *name = parameter->name;
    if (name[0] == '_' || name[strlen(name) - 1] == '_' || strstr(name, "__") || strchr(name, '.'))
        return true;
    for (size_t k = 0; k < sizeof page / sizeof *page; k++)
        if (looks_alike(page[k], name)) return true;
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(field, &symbols);
    for (int k = 0; k < n; k++)
        if (symbols[k].kind == RT_SYMBOL_PARAMETER && symbols + k != parameter &&
            looks_alike(symbols[k].name, name))
            return true;
    return false;
}

static void append_letters(const char *name, rt_text *text)
{
    rt_text_append(text, "\\mathtt{");
    for (; *name; name++) rt_text_append(text, *name == '_' ? "\\_" : "%c", *name);
    rt_text_append(text, "}");
}

void rt_latex_name(const rt_exact_field *field, const rt_symbol *parameter, rt_text *text)
{
    const char *name = parameter->name;
    if (is_ambiguous(field, parameter)) {
        append_letters(name, text);
        return;
    }
    const size_t head = length_of_head(name);
    rt_text_append(text,
                   is_greek(name, head) ? "\\%.*s"
                   : head == 1          ? "%.*s"
                                        : "\\mathrm{%.*s}",
                   (int)head, name);
    const char *rest = index_of(name);
    if (!*rest) return;
    rt_text_append(text, "_{");
    for (; *rest; rest++) rt_text_append(text, *rest == '_' ? "," : "%c", *rest);
    rt_text_append(text, "}");
}
