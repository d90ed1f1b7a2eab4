/* Every parameter of every public function is given what it must refuse: NULL, an object of another
 * mechanism, indices, counts and enums out of range, numbers that are none. Either the call says
 * BAD_ARGUMENT and names the argument, or the header says what the value means. The functions and
 * the members of options are read from the headers when the tests are built. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "entry/calls.h"
#include "entry/samples.h"
#include "routh/routh.h"

/* What a value means that is not refused: words of the header, comments as one line. */
typedef struct meaning {
    const char *function, *parameter; /* of options: type and member */
    const char *value;                /* "NULL", "NAN"; NULL: any */
    const char *header, *words;
} meaning;

static const char *const switches = "switches at 0 are off";

#include "entry/meanings.h"

/* ---- headers --------------------------------------------------------------------------------- */

/* The header without the marks of comments and with single blanks. */
static char *header_text(const char *name)
{
    char path[1000];
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/include/routh/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", path);
    char *text = calloc(200000, 1);
    size_t n = 0;
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        const bool blank = c == ' ' || c == '\n' || (c == '*' && n && text[n - 1] == ' ');
        if (!blank)
            text[n++] = (char)c;
        else if (n && text[n - 1] != ' ')
            text[n++] = ' ';
    }
    fclose(file);
    return text;
}

static bool header_says(const char *header, const char *words)
{
    char *text = header_text(header);
    const bool found = strstr(text, words);
    free(text);
    return found;
}

/* Does the header give the value a meaning? */
static bool means(const char *function, const char *parameter, const char *value)
{
    for (const meaning *m = meanings; m->function; m++)
        if (strcmp(m->function, function) == 0 && strcmp(m->parameter, parameter) == 0 &&
            (!m->value || strcmp(m->value, value) == 0))
            return true;
    return false;
}

static void every_meaning_is_in_the_header(void **state)
{
    (void)state;
    for (const meaning *m = meanings; m->function; m++) {
        bool there = false;
        for (const public_call *c = public_calls; c->name; c++)
            for (int k = 0; k < c->n; k++)
                there = there || (strcmp(c->name, m->function) == 0 &&
                                  strcmp(c->parameters[k].name, m->parameter) == 0);
        for (const option_member *o = option_members; o->type; o++)
            there =
                there || (strcmp(o->type, m->function) == 0 && strcmp(o->name, m->parameter) == 0);
        if (!there) fail_msg("%s has no %s any more", m->function, m->parameter);
        if (!header_says(m->header, m->words))
            fail_msg("%s does not say of %s of %s: %s", m->header, m->parameter, m->function,
                     m->words);
    }
}

/* ---- complaints ------------------------------------------------------------------------------ */

static int n_complaints;

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* All are told, not the first alone. */
static void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("  ", stderr);
    vfprintf(stderr, format, args);
    fputs("\n", stderr);
    va_end(args);
    n_complaints++;
}

static void no_complaints(void)
{
    const int n = n_complaints;
    n_complaints = 0;
    if (n) fail_msg("%d complaints, see above", n);
}

/* ---- one call -------------------------------------------------------------------------------- */

typedef struct one_call {
    const public_call *call;
    call_value values[CALL_MOST];
    void *made[CALL_MOST];
    routh_text text[CALL_MOST];
    routh_error error;
    call_value result;
} one_call;

static void fill(one_call *o, const public_call *call)
{
    memset(o, 0, sizeof *o);
    o->call = call;
    memset(&o->error, 7, sizeof o->error); /* as if something had failed before */
    for (int k = 0; k < call->n; k++) {
        const call_parameter *p = &call->parameters[k];
        if (p->kind == CALL_ERROR)
            o->values[k].p = &o->error;
        else if (p->kind == CALL_PLACE)
            o->made[k] = &o->error, o->values[k].p = &o->made[k]; /* what is no object of its */
        else if (p->kind == CALL_TEXT)
            o->text[k].bytes = (char *)&o->error, o->values[k].p = &o->text[k];
        else
            o->values[k] = sample_of(call, p);
    }
}

/* Runs it, and gives back what it made: objects, texts, and what fills a struct of the caller's. */
static void run(one_call *o)
{
    o->result = o->call->run(o->values);
    if (strcmp(o->call->name, "routh_sweep_axis_parse") == 0 && o->result.i == ROUTH_OK)
        routh_sweep_axis_free(o->values[0].p);
    for (int k = 0; k < o->call->n; k++) {
        const call_parameter *p = &o->call->parameters[k];
        if (p->kind == CALL_PLACE && o->made[k] == &o->error) continue; /* it was not looked at */
        if (p->kind == CALL_PLACE && o->made[k] && p->free)
            p->free((const call_value[]){{.p = o->made[k]}});
        if (p->kind == CALL_TEXT && o->text[k].bytes != (char *)&o->error && o->text[k].bytes) {
            routh_text_free(&o->text[k]);
            o->text[k].length = 1;
        }
    }
}

static bool takes_error(const public_call *call)
{
    return call->n && call->parameters[call->n - 1].kind == CALL_ERROR;
}

static bool is_free(const public_call *call)
{
    const size_t n = strlen(call->name);
    return n > 5 && strcmp(call->name + n - 5, "_free") == 0;
}

/* The argument, or the member of one, by its last name. */
static bool names_it(const char *message, const char *name)
{
    if (strrchr(name, '.')) name = strrchr(name, '.') + 1;
    const size_t n = strlen(name);
    for (const char *at = strstr(message, name); at; at = strstr(at + 1, name)) {
        const char before = at == message ? ' ' : at[-1], after = at[n];
        const bool word = !(before == '_' || (before >= 'a' && before <= 'z')) &&
                          !(after == '_' || (after >= 'a' && after <= 'z'));
        if (word) return true;
    }
    return false;
}

/* A call with one bad value, called `what`. partners: another argument may be named, as of two that
 * do not belong together. */
static void must_refuse(one_call *o, int k, const char *name, const char *what, bool partners)
{
    const public_call *call = o->call;
    run(o);
    if (call->returns != CALL_STATUS) return; /* it is alive */
    const call_parameter *p = &call->parameters[k];
    const bool options = p->kind == CALL_OPTIONS;
    if (means(call->name, p->name, what) || (options && means(p->type, name, what))) return;
    if (options && strstr(name, "options") && o->result.i != ROUTH_BAD_ARGUMENT) return; /* NULL */
    if (o->result.i != ROUTH_BAD_ARGUMENT)
        complain("%s of %s is %s: %s, and no header says what that means", name, call->name, what,
                 routh_status_name((routh_status)o->result.i));
    if (o->result.i != ROUTH_BAD_ARGUMENT) return;
    for (int j = 0; j < call->n; j++) {
        if (call->parameters[j].kind == CALL_PLACE && o->values[j].p && o->made[j])
            complain("%s of %s is %s: %s is not NULL", name, call->name, what,
                     call->parameters[j].name);
        if (call->parameters[j].kind == CALL_TEXT && o->values[j].p &&
            (o->text[j].bytes || o->text[j].length))
            complain("%s of %s is %s: %s is not empty", name, call->name, what,
                     call->parameters[j].name);
    }
    if (!takes_error(call)) return;
    assert_int_equal(o->error.status, ROUTH_BAD_ARGUMENT);
    bool named = names_it(o->error.message, name);
    for (int j = 0; partners && j < call->n; j++)
        named = named || names_it(o->error.message, call->parameters[j].name);
    if (!named)
        complain("%s of %s is %s, and is not named: %s", name, call->name, what, o->error.message);
}

/* Where it crashes, this is where. */
static void now(const public_call *call, const char *name, const char *what)
{
    if (getenv("ROUTH_TEST_CALLS")) fprintf(stderr, "%s: %s is %s\n", call->name, name, what);
}

static void with_value(const public_call *call, int k, call_value value, const char *what)
{
    one_call o;
    now(call, call->parameters[k].name, what);
    fill(&o, call);
    o.values[k] = value;
    must_refuse(&o, k, call->parameters[k].name, what, false);
    if (!takes_error(call)) return;
    fill(&o, call); /* and nobody is told */
    o.values[k] = value;
    o.values[call->n - 1].p = NULL;
    run(&o);
}

/* ---- what is tried --------------------------------------------------------------------------- */

static const call_parameter *parameter_of(const public_call *call, int k)
{
    return &call->parameters[k];
}

static void try_pointer(const public_call *call, int k)
{
    const call_parameter *p = parameter_of(call, k);
    if (p->kind == CALL_ERROR) return;
    if (strcmp(p->type, "routh_benchmark_options") == 0) return; /* all problems: benchmark.* */
    with_value(call, k, (call_value){.p = NULL}, "NULL");
    if (p->kind == CALL_NUMBERS && call->returns == CALL_STATUS) {
        static double numbers[4000];
        numbers[0] = NAN;
        with_value(call, k, (call_value){.p = numbers}, "NAN");
    }
}

static void try_number(const public_call *call, int k)
{
    static const long long below[] = {-1, INT_MIN}, above[] = {7000, INT_MAX};
    const call_parameter *p = parameter_of(call, k);
    const bool is_count = p->name[0] == 'n' || strcmp(p->name, "count") == 0 ||
                          strcmp(p->name, "digits") == 0 || strcmp(p->name, "line") == 0 ||
                          (strcmp(p->name, "column") == 0 && call->returns == CALL_STATUS);
    for (int i = 0; i < 2 && p->kind == CALL_WHOLE; i++)
        with_value(call, k, (call_value){.i = below[i]}, "below 0");
    for (int i = 0; i < 2 && p->kind == CALL_WHOLE && !is_count; i++)
        with_value(call, k, (call_value){.i = above[i]}, "too large");
    if (p->kind == CALL_SIZE && strcmp(p->name, "index") == 0)
        with_value(call, k, (call_value){.i = 7000}, "too large");
    const double none[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3 && p->kind == CALL_REAL; i++)
        with_value(call, k, (call_value){.d = none[i]}, i ? "infinite" : "NAN");
    const long long choices[] = {-1, p->values, 77};
    for (int i = 0; i < 3 && p->kind == CALL_CHOICE; i++)
        with_value(call, k, (call_value){.i = choices[i]}, "no value of the enum");
}

static bool is_of_a_mechanism(const call_parameter *p)
{
    static const char *const others[] = {"routh_linearizer", "routh_joint_space",
                                         "routh_comparison"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(p->type, others[i]) == 0) return true;
    return sample_foreign(p->type);
}

/* One object of another mechanism among those of this one. */
static void try_foreign(const public_call *call, int k)
{
    void *foreign = sample_foreign(parameter_of(call, k)->type);
    int others = 0;
    for (int j = 0; j < call->n; j++)
        others += j != k && call->parameters[j].kind == CALL_OBJECT &&
                  is_of_a_mechanism(&call->parameters[j]);
    if (!foreign || !others || parameter_of(call, k)->kind != CALL_OBJECT) return;
    one_call o;
    fill(&o, call);
    o.values[k].p = foreign;
    must_refuse(&o, k, parameter_of(call, k)->name, "of another mechanism", true);
}

/* ---- the tests ------------------------------------------------------------------------------- */

/* Else a call that refuses everything would pass. */
static void samples_are_taken(void **state)
{
    (void)state;
    int n = 0;
    for (const public_call *c = public_calls; c->name; c++) {
        if (is_free(c)) continue;
        one_call o;
        now(c, "every argument", "a sample");
        fill(&o, c);
        bool left_out = false; /* what this build has not */
        for (int k = 0; k < c->n; k++)
            left_out = left_out || (c->parameters[k].kind == CALL_OBJECT && !o.values[k].p &&
                                    !means(c->name, c->parameters[k].name, "NULL"));
        if (left_out) continue;
        run(&o);
        n++;
        if (c->returns != CALL_STATUS) continue;
        if (o.result.i == ROUTH_NOT_SUPPORTED) continue; /* by this build, or by the sample's own */
        if (strcmp(c->name, "routh_boundary_find") == 0 ||
            strcmp(c->name, "routh_boundary_find_of_model") == 0) { /* nothing changes there */
            assert_int_equal(o.result.i, ROUTH_BAD_ARGUMENT);
            assert_null(strstr(o.error.message, c->name));
            continue;
        }
        if (o.result.i != ROUTH_OK)
            complain("%s refuses its samples: %s: %s", c->name,
                     routh_status_name((routh_status)o.result.i), o.error.message);
        else if (takes_error(c)) {
            assert_int_equal(o.error.status, ROUTH_OK); /* it was not before */
            assert_string_equal(o.error.message, "");
        }
    }
    assert_true(n > 150);
    no_complaints();
}

static void what_is_freed_may_be_null(void **state)
{
    (void)state;
    for (const public_call *c = public_calls; c->name; c++)
        if (is_free(c)) c->run((const call_value[]){{.p = NULL}});
}

static void every_parameter_is_looked_at(void **state)
{
    (void)state;
    for (const public_call *c = public_calls; c->name; c++) {
        if (is_free(c)) continue;
        for (int k = 0; k < c->n; k++) {
            const call_kind kind = c->parameters[k].kind;
            if (kind == CALL_CHOICE || kind == CALL_WHOLE || kind == CALL_REAL || kind == CALL_SIZE)
                try_number(c, k);
            else
                try_pointer(c, k);
        }
    }
    no_complaints();
}

static void objects_must_belong_together(void **state)
{
    (void)state;
    for (const public_call *c = public_calls; c->name; c++)
        for (int k = 0; k < c->n && !is_free(c); k++) try_foreign(c, k);
    no_complaints();
}

/* A member at a bad value, in the first call that takes the options; others look by the same
 * function. */
static void try_member(const option_member *m, const void *value, size_t size, const char *what)
{
    for (const public_call *c = public_calls; c->name; c++)
        for (int k = 0; k < c->n; k++) {
            static max_align_t room[100];
            if (c->parameters[k].kind != CALL_OPTIONS || strcmp(c->parameters[k].type, m->type) ||
                strstr(c->name, "_table") || strstr(c->name, "_json"))
                continue;
            one_call o;
            fill(&o, c);
            memset(room, 0, sizeof room);
            if (o.values[k].p) memcpy(room, o.values[k].p, m->size);
            memcpy((char *)room + m->offset, value, size);
            o.values[k].p = room;
            must_refuse(&o, k, m->name, what, false);
        }
}

static void members_of_options_are_looked_at(void **state)
{
    (void)state;
    for (const option_member *m = option_members; m->type; m++) {
        const double nan = NAN, low = -1;
        const int below = -7, choices[] = {-1, m->values, 77};
        if (m->kind == CALL_REAL) {
            try_member(m, &nan, sizeof nan, "NAN");
            try_member(m, &low, sizeof low, "-1");
        }
        if (m->kind == CALL_WHOLE && !means(m->type, m->name, "-7"))
            try_member(m, &below, sizeof below, "-7");
        for (int i = 0; i < 3 && m->kind == CALL_CHOICE; i++)
            try_member(m, &choices[i], sizeof choices[i], "no value of the enum");
    }
    no_complaints();
}

static int set_up(void **state)
{
    (void)state;
    samples_make();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    samples_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_meaning_is_in_the_header),
        cmocka_unit_test(samples_are_taken),
        cmocka_unit_test(what_is_freed_may_be_null),
        cmocka_unit_test(every_parameter_is_looked_at),
        cmocka_unit_test(objects_must_belong_together),
        cmocka_unit_test(members_of_options_are_looked_at),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
