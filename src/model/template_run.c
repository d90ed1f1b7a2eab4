/* Runs a template's program: writes the text of the model. */
#include "model/template_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Loops count by whole numbers of no more than this size. */
static const double largest_count = 1e9;

typedef struct template_run {
    const rt_template_program *program;
    const rt_template_value *values; /* of the settings */
    double *numbers;                 /* of the slots */
    const char **words;
    const rt_template_row **rows; /* at which the loop of this slot is */
    double *work;
    rt_text *out;
    routh_error *error;
} template_run;

static routh_status fail_in_run(const template_run *r, const rt_template_op *op, const char *what)
{
    return rt_fail_at(r->error, ROUTH_NUMERIC_ERROR, r->program->file, rt_place_at(op->line, 0),
                      NULL, "%s", what);
}

static double value_of_tape(const template_run *r, const rt_tape *tape)
{
    double value = 0;
    if (tape) rt_tape_evaluate(tape, r->numbers, &value, r->work);
    return value;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Whole numbers are many, and quicker so. */
static void write_whole(rt_text *out, double x)
{
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%lld", llround(x));
    rt_text_bytes(out, digits, (size_t)length);
}

/* Units of the last decimal are whole: no locale's decimal comma gets in. */
static routh_status write_decimals(const template_run *r, const rt_template_op *op, double x)
{
    char digits[64];
    if (!(fabs(x) * op->unit < 1e15))
        return fail_in_run(r, op, "a number is too large for so many decimals");
    const long long unit = llround(op->unit), n = llround(fabs(x) * op->unit);
    const int length = snprintf(digits, sizeof digits, "%s%lld.%0*lld", x < 0 && n > 0 ? "-" : "",
                                n / unit, op->decimals, n % unit);
    rt_text_bytes(r->out, digits, (size_t)length);
    return ROUTH_OK;
}

static routh_status write_template_number(const template_run *r, const rt_template_op *op, double x)
{
    if (op->decimals > 0) return write_decimals(r, op, x);
    if (x == floor(x) && fabs(x) < op->unit)
        write_whole(r->out, x);
    else
        rt_text_digits(r->out, x, op->digits);
    return ROUTH_OK;
}

static bool is_plain_yaml(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
                                  "+-*/()^ ";
    const char first = text[0] == '-' ? text[1] : text[0];
    return strspn(text, allowed) == strlen(text) && first != '\0' && !strchr("+-*/()^ ", first);
}

/* `  name: value   # comment` with the user's text, quoted where YAML needs it. */
static void write_parameter(rt_text *out, const char *name, const char *value, const char *comment)
{
    const char *quote = is_plain_yaml(value) ? "" : "\"";
    const size_t start = out->length;
    rt_text_append(out, "  %s: %s%s%s", name, quote, value, quote);
    while (!out->failed && out->length < start + 24) rt_text_bytes(out, " ", 1);
    rt_text_append(out, " # %s\n", comment);
}

/* ---- means ----------------------------------------------------------------------------------- */

/* The mean from a to b of what is linear between the rows, over the column of numbers that comes
 * first: each stretch by its middle. */
static void take_means(const template_run *r, const rt_template_op *op, double a, double b)
{
    double *means = r->numbers + op->slot;
    const int n = op->table->n_numbers - 1;
    for (int k = 0; k < n; k++) means[k] = 0;
    for (const rt_template_row *p = op->table->first; p->next; p = p->next) {
        const double *y = p->numbers, *z = p->next->numbers;
        const double from = fmax(a, y[0]), to = fmin(b, z[0]);
        if (!(to > from)) continue;
        const double share = (to - from) / (b - a);
        const double t = ((from + to) / 2 - y[0]) / (z[0] - y[0]);
        for (int k = 0; k < n; k++) means[k] += share * (y[k + 1] + t * (z[k + 1] - y[k + 1]));
    }
}

static routh_status run_mean(const template_run *r, const rt_template_op *op, double a, double b)
{
    if (!(a < b && a >= op->table->first->numbers[0] && b <= op->table->last->numbers[0]))
        return fail_in_run(r, op, "a mean is taken over what the table does not span");
    take_means(r, op, a, b);
    return ROUTH_OK;
}

/* ---- jumps ----------------------------------------------------------------------------------- */

static bool compares(rt_template_comparison comparison, double a, double b)
{
    switch (comparison) {
    case RT_TEMPLATE_EQUAL: return a == b;
    case RT_TEMPLATE_NOT_EQUAL: return a != b;
    case RT_TEMPLATE_LESS: return a < b;
    case RT_TEMPLATE_LESS_EQUAL: return a <= b;
    case RT_TEMPLATE_GREATER: return a > b;
    case RT_TEMPLATE_GREATER_EQUAL: return a >= b;
    }
    return false;
}

static routh_status run_count(const template_run *r, const rt_template_op *op, double a, double b,
                              int *next)
{
    if (!(fabs(a) <= largest_count && fabs(b) <= largest_count && a == floor(a) && b == floor(b)))
        return fail_in_run(r, op, "a loop counts by whole numbers, of no more than 1e9");
    r->numbers[op->slot] = a;
    r->numbers[op->slot + 1] = b;
    if (a > b) *next = op->target;
    return ROUTH_OK;
}

static void run_next(const template_run *r, const rt_template_op *op, int *next)
{
    if (r->numbers[op->slot] >= r->numbers[op->slot + 1]) return;
    r->numbers[op->slot]++;
    *next = op->target;
}

/* The row's words and numbers into the slots of the columns; false when there is none. */
static bool enter_row(const template_run *r, const rt_template_op *op, const rt_template_row *row)
{
    const rt_template_table *t = op->table;
    r->rows[op->slot] = row;
    for (int k = 0; row && k < t->n_words; k++) r->words[op->slot + k] = row->words[k];
    for (int k = 0; row && k < t->n_numbers; k++)
        r->numbers[op->slot + t->n_words + k] = row->numbers[k];
    return row != NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

static routh_status run_op(const template_run *r, const rt_template_op *op, int *next)
{
    const double a = value_of_tape(r, op->a), b = value_of_tape(r, op->b);
    const rt_template_setting *settings = r->program->settings;
    if (!isfinite(a) || !isfinite(b)) return fail_in_run(r, op, "a value is not a finite number");
    switch (op->action) {
    case RT_TEMPLATE_TEXT: rt_text_bytes(r->out, op->text, op->length); break;
    case RT_TEMPLATE_WORD:
        rt_text_bytes(r->out, r->words[op->slot], strlen(r->words[op->slot]));
        break;
    case RT_TEMPLATE_NUMBER: return write_template_number(r, op, a);
    case RT_TEMPLATE_PARAMETER:
        write_parameter(r->out, settings[op->slot].name, r->values[op->slot].text, op->text);
        break;
    case RT_TEMPLATE_LET: r->numbers[op->slot] = a; break;
    case RT_TEMPLATE_MEAN: return run_mean(r, op, a, b);
    case RT_TEMPLATE_UNLESS:
        if (!compares(op->comparison, a, b)) *next = op->target;
        break;
    case RT_TEMPLATE_UNLESS_WORD:
        if (strcmp(r->words[op->slot], op->text) != 0) *next = op->target;
        break;
    case RT_TEMPLATE_JUMP: *next = op->target; break;
    case RT_TEMPLATE_COUNT: return run_count(r, op, a, b, next);
    case RT_TEMPLATE_ROWS:
        if (!enter_row(r, op, op->table->first)) *next = op->target;
        break;
    case RT_TEMPLATE_NEXT: run_next(r, op, next); break;
    case RT_TEMPLATE_NEXT_ROW:
        if (enter_row(r, op, r->rows[op->slot]->next)) *next = op->target;
        break;
    }
    return ROUTH_OK;
}

static routh_status run_ops(const template_run *r)
{
    const rt_template_program *p = r->program;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < p->n_settings; k++) {
        r->numbers[p->settings[k].slot] = r->values[k].number;
        r->words[p->settings[k].slot] = r->values[k].text;
    }
    for (int at = 0, next; at < p->n_ops && !status && !r->out->failed; at = next) {
        next = at + 1;
        status = run_op(r, &p->ops[at], &next);
    }
    return !status && r->out->failed ? rt_fail_memory(r->error) : status;
}

routh_status rt_template_run(const rt_template_program *program, const rt_template_value *values,
                             rt_text *out, routh_error *error)
{
    rt_arena arena = {0};
    const template_run r = {.program = program,
                            .values = values,
                            .numbers = RT_TAKE(&arena, double, program->n_slots),
                            .words = RT_TAKE(&arena, const char *, program->n_slots),
                            .rows = RT_TAKE(&arena, const rt_template_row *, program->n_slots),
                            .work = RT_TAKE(&arena, double, program->work),
                            .out = out,
                            .error = error};
    const routh_status status =
        r.numbers && r.words && r.rows && r.work ? run_ops(&r) : rt_fail_memory(error);
    rt_arena_free(&arena);
    return status;
}
