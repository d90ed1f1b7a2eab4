/* Formulas as functions of programs: C, Python, MATLAB, Modelica. Sums that stand in several places
 * are computed once. */
#include "symbolic/write.h"

#include <string.h>

/* What a language calls things. */
typedef struct language {
    rt_notation notation;
    const char *line;    /* how a line of comment begins */
    const char *declare; /* before a new variable */
    const char *end;     /* of a statement */
    const char *indent, *cos, *sin, *sqrt;
    const char *open, *close; /* around an index */
    const char *assign;       /* to an entry of a matrix */
    int first;                /* index of the first entry of an array */
} language;

static const language *language_of(rt_notation notation)
{
    static const language all[] = {
        {RT_NOTATION_C, "//", "const double ", ";", "    ", "cos", "sin", "sqrt", "[", "]", "=", 0},
        {RT_NOTATION_PYTHON, "#", "", "", "    ", "math.cos", "math.sin", "math.sqrt", "[", "]",
         "=", 0},
        {RT_NOTATION_MATLAB, "%", "", ";", "    ", "cos", "sin", "sqrt", "(", ")", "=", 1},
        {RT_NOTATION_MODELICA, "//", "Real ", ";", "  ", "cos", "sin", "sqrt", "[", "]", ":=", 1},
    };
    return &all[notation - RT_NOTATION_C];
}

typedef struct coder {
    const routh_symbolic *s;
    rt_form_of_model form;
    const language *to;
    rt_shared_sums shared;
    rt_text *text;
} coder;

static bool write_code_count(coder *w, const rt_exact *x, int n)
{
    for (int k = 0; k < n; k++)
        if (!rt_shared_count(&w->shared, w->s->field, x + k)) return false;
    return true;
}

static void write_parameters(const coder *w)
{
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(w->s->field, &symbols);
    int at = w->to->first;
    for (int k = 0; k < n; k++) {
        if (symbols[k].kind != RT_SYMBOL_PARAMETER) continue;
        const int here = at++;
        if (!rt_symbolic_uses(w->s, symbols + k, w->form)) continue;
        rt_text_append(w->text, "%s%s", w->to->indent, w->to->declare);
        rt_symbol_write(w->s->field, symbols + k, w->to->notation, w->text);
        rt_text_append(w->text, " = parameters%s%d%s%s\n", w->to->open, here, w->to->close,
                       w->to->end);
    }
}

/* cos_phi and sin_phi, pi, then what roots are drawn from, in the order they were made. */
static void write_definitions(const coder *w)
{
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(w->s->field, &symbols);
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < n; k++) {
            const rt_symbol *symbol = symbols + k;
            const bool angle = symbol->kind == RT_SYMBOL_COSINE || symbol->sine;
            const bool root = symbol->kind == RT_SYMBOL_ROOT && !symbol->sine;
            const bool pi = symbol->kind == RT_SYMBOL_PI;
            if (!rt_symbolic_uses(w->s, symbol, w->form) || (round ? !root : !angle && !pi))
                continue;
            rt_text_append(w->text, "%s%s", w->to->indent, w->to->declare);
            rt_symbol_write(w->s->field, symbol, w->to->notation, w->text);
            if (pi)
                rt_text_append(w->text, " = 3.14159265358979323846%s\n", w->to->end);
            else if (angle) {
                rt_text_append(w->text, " = %s(", symbol->sine ? w->to->sin : w->to->cos);
                rt_symbol_write(w->s->field,
                                rt_exact_field_parameter(w->s->field, symbol->parameter),
                                w->to->notation, w->text);
                rt_text_append(w->text, ")%s\n", w->to->end);
            } else {
                rt_text_append(w->text, " = %s(", w->to->sqrt);
                rt_square_write(w->s->field, symbol, w->to->notation, w->text);
                rt_text_append(w->text, ")%s\n", w->to->end);
            }
        }
}

static void write_shared(const coder *w)
{
    for (int k = 0; k < w->shared.n; k++) {
        if (!w->shared.names[k]) continue;
        rt_text_append(w->text, "%s%sshared_%d = ", w->to->indent, w->to->declare,
                       w->shared.names[k]);
        rt_shared_write(&w->shared, k, w->s->field, w->to->notation, w->text);
        rt_text_append(w->text, "%s\n", w->to->end);
    }
}

static void write_code_write_matrix(const coder *w, const char *name, const rt_exact *matrix, int n)
{
    const int first = w->to->first;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const rt_exact *entry = matrix + (size_t)i * n + j;
            const bool zero = rt_exact_is_zero(w->s->field, entry);
            if (zero && w->to->notation != RT_NOTATION_C) continue; /* they start from zeros */
            rt_text_append(w->text, "%s%s", w->to->indent, name);
            if (w->to->notation == RT_NOTATION_C)
                rt_text_append(w->text, "[%d] = ", i * n + j);
            else
                rt_text_append(w->text, "%s%d, %d%s %s ", w->to->open, i + first, j + first,
                               w->to->close, w->to->assign);
            rt_exact_write(w->s->field, entry, w->to->notation, &w->shared, w->text);
            rt_text_append(w->text, "%s\n", w->to->end);
        }
}

static void write_code_write_head(const coder *w)
{
    const char *line = w->to->line;
    const rt_symbolic_reduction *r = &w->s->reduction;
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(w->s->field, &symbols);
    rt_text_append(w->text, "%s ", line);
    for (const char *c = w->s->title; *c; c++)
        rt_text_append(w->text, "%c", *c == '\n' || *c == '\r' ? ' ' : *c);
    rt_text_append(w->text, "\n%s %s, z = changes of (", line,
                   w->form == RT_STATE_SPACE ? "y' = A y, y = (z, z')" : "M z'' + C z' + K z = 0");
    for (int k = 0; k < r->n; k++) rt_text_append(w->text, "%s%s", k ? ", " : "", r->names[k]);
    rt_text_append(w->text, ")\n%s parameters: ", line);
    int shown = 0;
    for (int k = 0; k < n; k++)
        if (symbols[k].kind == RT_SYMBOL_PARAMETER)
            rt_text_append(w->text, "%s%s", shown++ ? ", " : "", symbols[k].name);
    rt_text_append(w->text, "%s\n", shown ? "" : "none");
    rt_symbolic_write_units(w->s, line, w->text);
    rt_text_append(w->text, "%s written by routh symbolic\n", line);
}

static int count_parameters(const coder *w)
{
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(w->s->field, &symbols);
    int parameters = 0;
    for (int k = 0; k < n; k++) parameters += symbols[k].kind == RT_SYMBOL_PARAMETER;
    return parameters;
}

static int matrices_of(const coder *w, const char *const **names)
{
    static const char *const second_order[] = {"M", "C", "K"}, *const state_space[] = {"A"};
    const bool states = w->form == RT_STATE_SPACE;
    *names = states ? state_space : second_order;
    return states ? 1 : 3;
}

static void write_modelica_opening(const coder *w, int n)
{
    const char *const *names;
    const int n_matrices = matrices_of(w, &names);
    rt_text_append(w->text, "function linear_model\n  input Real parameters[%d];\n",
                   count_parameters(w));
    for (int k = 0; k < n_matrices; k++)
        rt_text_append(w->text, "  output Real %s[%d, %d];\n", names[k], n, n);
    rt_text_append(w->text, "protected\n");
}

/* Where what was declared ends and what is done begins. */
static void write_algorithm(const coder *w, int n)
{
    const char *const *names;
    const int n_matrices = matrices_of(w, &names);
    if (w->to->notation != RT_NOTATION_MODELICA) return;
    rt_text_append(w->text, "algorithm\n");
    for (int k = 0; k < n_matrices; k++)
        rt_text_append(w->text, "  %s := zeros(%d, %d);\n", names[k], n, n);
}

static void write_opening(const coder *w)
{
    const bool states = w->form == RT_STATE_SPACE;
    const int n = states ? 2 * w->s->reduction.n : w->s->reduction.n;
    const char *const names = states ? "A" : "M, C, K";
    const char *const arguments = states ? "double *A" : "double *M, double *C, double *K";
    switch (w->to->notation) {
    case RT_NOTATION_C:
        rt_text_append(w->text,
                       "#include <math.h>\n\n"
                       "// %s: %d x %d, row-major\n"
                       "void linear_model(const double *parameters, %s);\n\n"
                       "void linear_model(const double *parameters, %s)\n{\n    "
                       "(void)parameters;\n",
                       names, n, n, arguments, arguments);
        return;
    case RT_NOTATION_PYTHON:
        rt_text_append(w->text,
                       "import math\n\nimport numpy as np\n\n\n"
                       "def linear_model(parameters):\n"
                       "    \"\"\"%s\"\"\"\n"
                       "    %s = np.zeros((%d, %d))",
                       names, names, n, n);
        for (int k = 1; k < 3 && !states; k++)
            rt_text_append(w->text, ", np.zeros((%d, %d))", n, n);
        rt_text_append(w->text, "\n");
        return;
    case RT_NOTATION_MODELICA: write_modelica_opening(w, n); return;
    default:
        if (states)
            rt_text_append(w->text, "function A = linear_model(parameters)\n    A = zeros(%d);\n",
                           n);
        else
            rt_text_append(w->text,
                           "function [M, C, K] = linear_model(parameters)\n"
                           "    M = zeros(%d); C = zeros(%d); K = zeros(%d);\n",
                           n, n, n);
    }
}

static void write_closing(const coder *w)
{
    const bool states = w->form == RT_STATE_SPACE;
    switch (w->to->notation) {
    case RT_NOTATION_C: rt_text_append(w->text, "}\n"); return;
    case RT_NOTATION_MATLAB: rt_text_append(w->text, "end\n"); return;
    case RT_NOTATION_MODELICA: rt_text_append(w->text, "end linear_model;\n"); return;
    default: rt_text_append(w->text, states ? "    return A\n" : "    return M, C, K\n");
    }
}

void rt_symbolic_write_code(const routh_symbolic *s, rt_form_of_model form, rt_notation notation,
                            rt_text *text)
{
    typedef struct named {
        const char *name;
        const rt_exact *matrix;
    } named;
    coder w = {.s = s, .form = form, .to = language_of(notation), .text = text};
    const rt_symbolic_reduction *r = &s->reduction;
    const bool states = form == RT_STATE_SPACE;
    const int n = states ? 2 * r->n : r->n, n_matrices = states ? 1 : 3;
    const named of_form[2][3] = {{{"M", r->M}, {"C", r->C}, {"K", r->K}}, {{"A", s->A}}};
    const named *all = of_form[states];
    bool counted = true;
    for (int k = 0; k < n_matrices; k++)
        counted = counted && write_code_count(&w, all[k].matrix, n * n);
    if (counted) {
        rt_shared_name(&w.shared);
        write_code_write_head(&w);
        write_opening(&w);
        write_parameters(&w);
        write_definitions(&w);
        write_shared(&w);
        write_algorithm(&w, n);
        for (int k = 0; k < n_matrices; k++)
            write_code_write_matrix(&w, all[k].name, all[k].matrix, n);
        write_closing(&w);
    } else
        text->failed = true;
    rt_shared_free(&w.shared, s->field);
}
