/* Models built by a program: the events of a YAML text are given to a document one by one, and the
 * model, its messages and the text that is written of it are those of the file. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <yaml.h>

#include "model/document.h"
#include "model_text.h"
#include "routh/routh.h"

/* ---- a text's events, given to a document ---------------------------------------------------- */

enum { DEEPEST = 200 };

/* What is open: 'l' a list, 'k' a mapping that waits for a key, 'v' one that waits for a value. */
typedef struct feeder {
    routh_document *document;
    int depth;
    char open[DEEPEST];
} feeder;

/* A value or a key has come. */
static void go_on(feeder *f)
{
    char *top = f->depth ? &f->open[f->depth - 1] : NULL;
    if (top && *top != 'l') *top = *top == 'k' ? 'v' : 'k';
}

static void give_scalar(feeder *f, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    if (f->depth && f->open[f->depth - 1] == 'k')
        routh_document_key(f->document, text);
    else if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        routh_document_word(f->document, text);
    else
        routh_document_text(f->document, text);
    go_on(f);
}

static void give_event(feeder *f, const yaml_event_t *event)
{
    const bool list = event->type == YAML_SEQUENCE_START_EVENT;
    routh_document_at(f->document, NULL, (int)event->start_mark.line + 1,
                      (int)event->start_mark.column + 1);
    switch (event->type) {
    case YAML_SCALAR_EVENT: give_scalar(f, event); break;
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        go_on(f);
        if (list)
            routh_document_list(f->document);
        else
            routh_document_mapping(f->document);
        assert_true(f->depth < DEEPEST);
        f->open[f->depth++] = list ? 'l' : 'k';
        break;
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        routh_document_end(f->document);
        f->depth--;
        break;
    default: break;
    }
}

/* The document of a text; NULL for what is no sequence of values: not YAML, tags, aliases, a list
 * as a key, a zero byte, a second document. */
static routh_document *document_of(const char *text, size_t length, const char *name)
{
    feeder f = {0};
    yaml_parser_t parser;
    bool good = true;
    int n_documents = 0;
    assert_int_equal(routh_document_create(&f.document, name, NULL), ROUTH_OK);
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    for (bool done = false; !done && good;) {
        yaml_event_t e;
        good = yaml_parser_parse(&parser, &e);
        if (!good) break;
        const bool value = e.type == YAML_MAPPING_START_EVENT || e.type == YAML_SCALAR_EVENT ||
                           e.type == YAML_SEQUENCE_START_EVENT;
        n_documents += e.type == YAML_DOCUMENT_START_EVENT;
        good = e.type != YAML_ALIAS_EVENT && n_documents < 2 &&
               !(e.type == YAML_SCALAR_EVENT &&
                 (e.data.scalar.tag || memchr(e.data.scalar.value, 0, e.data.scalar.length))) &&
               !(e.type == YAML_MAPPING_START_EVENT && e.data.mapping_start.tag) &&
               !(e.type == YAML_SEQUENCE_START_EVENT && e.data.sequence_start.tag) &&
               !(value && e.type != YAML_SCALAR_EVENT && f.depth && f.open[f.depth - 1] == 'k');
        if (good) give_event(&f, &e);
        done = e.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&e);
    }
    yaml_parser_delete(&parser);
    if (good) return f.document;
    routh_document_free(f.document);
    return NULL;
}

/* Calls with each file of a folder of the project; returns how many there were. */
static int each_file(const char *folder, const char *ending, void (*call)(const char *path))
{
    char path[1024];
    int n = 0;
    const char *root = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", folder);
    DIR *files = opendir(path);
    assert_non_null(files);
    for (const struct dirent *entry; (entry = readdir(files));) {
        const size_t length = strlen(entry->d_name);
        if (length < strlen(ending) || strcmp(entry->d_name + length - strlen(ending), ending) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        call(path);
        n++;
    }
    closedir(files);
    return n;
}

/* ---- every example --------------------------------------------------------------------------- */

/* All that is known of the linear model, every number with 17 digits; NULL where there is none, and
 * then the message. */
static char *linear_text(routh_model *model, routh_error *error)
{
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_text text = {0};
    routh_status status = routh_mechanism_compile(&mechanism, model, NULL, error);
    if (!status) status = routh_operating_point_find(&point, mechanism, NULL, error);
    if (!status) status = routh_linear_compute(&linear, mechanism, point, NULL, error);
    const routh_results results = {.model = model, .linear = linear};
    if (!status) status = routh_linear_json(&results, &text, error);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return text.bytes;
}

/* Frees what it compares. */
static void assert_same(const char *path, char *found, const routh_error *why, char *expected,
                        const routh_error *why_expected)
{
    if (!expected != !found)
        fail_msg("%s: '%s' and '%s'", path, why_expected->message, why->message);
    if (expected)
        assert_string_equal(found, expected);
    else
        assert_string_equal(why->message, why_expected->message);
    free(found);
    free(expected);
}

static int n_linear;

static void check_example(const char *path)
{
    size_t length;
    routh_error why[3] = {{0}};
    routh_model *model[3] = {NULL};
    routh_text again = {0};
    char name[1024];
    const char *root = getenv("ROUTH_SOURCE");
    snprintf(name, sizeof name, "%s/%s", root ? root : ".", path); /* flexible bodies lie there */
    char *text = read_source(path, &length);
    routh_document *d = document_of(text, length, name);
    assert_non_null(d);
    if (routh_model_parse(&model[0], text, length, name, NULL, 0, &why[0]) ||
        routh_model_build(&model[1], d, NULL, 0, &why[1]) ||
        routh_document_write(d, &again, &why[1]) ||
        routh_model_parse(&model[2], again.bytes, again.length, name, NULL, 0, &why[2]))
        fail_msg("%s: %s%s%s", path, why[0].message, why[1].message, why[2].message);
    routh_document_free(d);
    char *linear[3];
    for (int k = 0; k < 3; k++) linear[k] = linear_text(model[k], &why[k]);
    n_linear += linear[0] != NULL;
    char *copy = linear[0] ? strdup(linear[0]) : NULL;
    assert_same(path, linear[1], &why[1], copy, &why[0]);
    assert_same(path, linear[2], &why[2], linear[0], &why[0]);
    routh_text_free(&again);
    free(text);
}

static void examples_are_the_same_from_file_document_and_text(void **state)
{
    (void)state;
    n_linear = 0;
    assert_true(each_file("examples", ".yaml", check_example) >= 50);
    assert_true(n_linear >= 50);
}

/* ---- every broken model ---------------------------------------------------------------------- */

static int n_values;

static void check_broken(const char *path)
{
    size_t length;
    routh_error expected = {0}, found = {0};
    routh_model *model = NULL;
    char *text = read_source(path, &length);
    routh_document *d = document_of(text, length, path);
    assert_int_not_equal(routh_model_parse(&model, text, length, path, NULL, 0, &expected),
                         ROUTH_OK);
    free(text);
    if (!d) return;
    assert_int_equal(routh_model_build(&model, d, NULL, 0, &found), expected.status);
    assert_null(model);
    if (strcmp(found.message, expected.message) != 0)
        fail_msg("%s: '%s' is not '%s'", path, found.message, expected.message);
    assert_string_equal(found.element, expected.element);
    assert_string_equal(found.file, expected.file);
    assert_int_equal(found.line, expected.line);
    assert_int_equal(found.column, expected.column);
    routh_document_free(d);
    n_values++;
}

static void broken_models_give_the_message_of_the_file(void **state)
{
    (void)state;
    n_values = 0;
    const int n = each_file("tests/model/broken", "", check_broken);
    assert_true(n >= 300 && n_values > n - 20); /* the others are no values: tags, tabs, .. */
}

/* ---- trees of any texts, written and read ---------------------------------------------------- */

static unsigned random_state = 1;

static int draw(int n)
{
    random_state = random_state * 1664525U + 1013904223U;
    return (int)((random_state >> 8) % (unsigned)n);
}

/* Pieces that mean something to YAML, and characters that it cannot hold as they are. */
static const char *draw_text(char text[200])
{
    static const char *const pieces[] = {"a",
                                         "B2",
                                         " ",
                                         "  ",
                                         "\n",
                                         "\t",
                                         ":",
                                         ": ",
                                         "#",
                                         " #",
                                         "-",
                                         "- ",
                                         "?",
                                         "? ",
                                         ",",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         "&",
                                         "*",
                                         "!",
                                         "|",
                                         ">",
                                         "'",
                                         "\"",
                                         "%",
                                         "@",
                                         "`",
                                         "~",
                                         "=",
                                         "null",
                                         "yes",
                                         "1.5",
                                         ".inf",
                                         "true",
                                         "---",
                                         "...",
                                         "\\",
                                         "\r",
                                         "\x01",
                                         "\x7f",
                                         "\xc2\x85",
                                         "\xc3\xa4",
                                         "\xe2\x80\xa8",
                                         "\xef\xbb\xbf",
                                         "\xf0\x9f\x98\x80",
                                         "\xef\xbf\xbe",
                                         "k*(a + b)"};
    const int n = draw(6);
    text[0] = '\0';
    for (int k = 0; k < n; k++) strcat(text, pieces[draw((int)(sizeof pieces / sizeof *pieces))]);
    return text;
}

static void draw_value(routh_document *d, int depth)
{
    char text[200];
    const int what = draw(depth ? 5 : 2), n = draw(5);
    if (what >= 2) {
        if (draw(3))
            routh_document_word(d, draw_text(text));
        else
            routh_document_text(d, draw_text(text));
    } else if (what && depth) {
        routh_document_list(d);
        for (int k = 0; k < n && depth < 7; k++) draw_value(d, depth + 1);
        routh_document_end(d);
    } else {
        routh_document_mapping(d);
        for (int k = 0; k < n && depth < 7; k++) {
            char key[220];
            snprintf(key, sizeof key, "%s%d", draw_text(text), k); /* no two are the same */
            routh_document_key(d, draw(2) ? key : key + strlen(key) - 1);
            draw_value(d, depth + 1);
        }
        routh_document_end(d);
    }
}

static bool is_truth(const rt_yaml *node)
{
    return !node->quoted && (!strcmp(node->text, "true") || !strcmp(node->text, "false"));
}

static void assert_same_tree(const rt_yaml *found, const rt_yaml *expected, const char *text)
{
    if (found->kind != expected->kind || found->count != expected->count ||
        !found->key != !expected->key || (found->key && strcmp(found->key, expected->key) != 0))
        fail_msg("another tree was read from:\n%s", text);
    if (found->kind == RT_YAML_SCALAR) {
        if (rt_yaml_is_null(found) != rt_yaml_is_null(expected) ||
            is_truth(found) != is_truth(expected) ||
            (!rt_yaml_is_null(found) && strcmp(found->text, expected->text) != 0))
            fail_msg("'%s' was read instead of '%s' from:\n%s", found->text, expected->text, text);
        return;
    }
    const rt_yaml *a = found->first, *b = expected->first;
    for (; a && b; a = a->next, b = b->next) assert_same_tree(a, b, text);
    assert_true(!a && !b);
}

static void texts_are_read_as_they_were_written(void **state)
{
    (void)state;
    int n = 0;
    for (int k = 0; k < 3000; k++) {
        routh_error error = {0};
        routh_document *d = NULL;
        routh_text text = {0};
        rt_arena arena = {0};
        const rt_yaml *written, *read;
        routh_document_create(&d, NULL, NULL);
        draw_value(d, 0);
        const routh_status status = routh_document_write(d, &text, &error);
        if (status == ROUTH_MODEL_ERROR) { /* a key twice */
            assert_non_null(strstr(error.message, "is given twice"));
        } else {
            assert_int_equal(status, ROUTH_OK);
            assert_int_equal(rt_document_root(d, &written, &error), ROUTH_OK);
            assert_int_equal(strlen(text.bytes), text.length);
            if (rt_yaml_parse(&read, text.bytes, text.length, "text", &arena, &error))
                fail_msg("%d: %s:\n%s", error.line, error.message, text.bytes);
            assert_same_tree(read, written, text.bytes);
            n++;
        }
        rt_arena_free(&arena);
        routh_text_free(&text);
        routh_document_free(d);
    }
    assert_true(n > 2000);
}

/* In the first column these are marks of YAML: the end and the begin of a document, a directive. */
static void marks_of_yaml_are_written_as_texts(void **state)
{
    (void)state;
    static const char *const marks[] = {"...", "... a", "..", "---", "--- a", "--",  "%YAML 1.2",
                                        "#",   "- a",   "?",  "-",   ".",     "-..."};
    for (size_t k = 0; k < 3 * (sizeof marks / sizeof *marks); k++) {
        routh_error error = {0};
        routh_document *d = NULL;
        routh_text text = {0};
        rt_arena arena = {0};
        const rt_yaml *written, *read;
        routh_document_create(&d, NULL, NULL);
        if (k % 3 == 1) routh_document_list(d);
        if (k % 3 == 2) routh_document_mapping(d);
        if (k % 3 == 2) routh_document_key(d, marks[k / 3]);
        routh_document_word(d, marks[k / 3]);
        if (k % 3) routh_document_end(d);
        assert_int_equal(rt_document_root(d, &written, &error), ROUTH_OK);
        assert_int_equal(routh_document_write(d, &text, &error), ROUTH_OK);
        if (rt_yaml_parse(&read, text.bytes, text.length, "text", &arena, &error))
            fail_msg("%d: %s:\n%s", error.line, error.message, text.bytes);
        assert_same_tree(read, written, text.bytes);
        rt_arena_free(&arena);
        routh_text_free(&text);
        routh_document_free(d);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static routh_document *with_parameters(const double *x, int n)
{
    routh_document *d = NULL;
    char name[20];
    routh_document_create(&d, "program", NULL);
    routh_document_mapping(d);
    routh_document_key(d, "parameters");
    routh_document_mapping(d);
    for (int k = 0; k < n; k++) {
        snprintf(name, sizeof name, "p%d", k);
        routh_document_key(d, name);
        routh_document_number(d, x[k]);
    }
    routh_document_end(d);
    return d;
}

static void add_body(routh_document *d)
{
    const double one[3] = {1, 1, 1};
    routh_document_key(d, "bodies");
    routh_document_mapping(d);
    routh_document_key(d, "block");
    routh_document_mapping(d);
    routh_document_key(d, "mass");
    routh_document_word(d, "2*p0");
    routh_document_key(d, "inertia");
    routh_document_numbers(d, one, 3);
    routh_document_end(d);
    routh_document_end(d);
}

static void numbers_are_exact(void **state)
{
    (void)state;
    const double x[] = {0.1, 1.0 / 3, 9.81, 1e300 / 3, DBL_MIN, 5e-324, DBL_MAX, 4503599627370497.5,
                        1,   -0.1,    100};
    const int n = sizeof x / sizeof *x;
    routh_error error = {0};
    routh_model *model = NULL;
    routh_document *d = with_parameters(x, n);
    routh_text text = {0};
    add_body(d);
    routh_document_end(d);
    if (routh_model_build(&model, d, NULL, 0, &error)) fail_msg("%s", error.message);
    for (int k = 0; k < n; k++)
        assert_memory_equal(&model->parameters[k].number.value, &x[k], sizeof *x);
    assert_true(model->bodies[0].mass.value == 2 * 0.1);
    assert_int_equal(routh_document_write(d, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\n  p0: 0.1\n")); /* the shortest that is exact */
    assert_non_null(strstr(text.bytes, "\n  p8: 1\n"));
    routh_text_free(&text);
    routh_model_free(model);
    routh_document_free(d);

    const double bad[] = {NAN};
    d = with_parameters(bad, 1);
    routh_document_end(d);
    assert_int_equal(routh_model_build(&model, d, NULL, 0, &error), ROUTH_MODEL_ERROR);
    assert_string_equal(error.element, "parameter p0");
    routh_document_free(d);
}

/* ---- places ---------------------------------------------------------------------------------- */

static void assert_error(const routh_error *error, const char *expected)
{
    char text[2000];
    routh_error_text(error, text, sizeof text);
    assert_string_equal(text, expected);
}

static void places_are_in_the_program_s_files(void **state)
{
    (void)state;
    const double x[] = {0.5};
    routh_error error = {0};
    routh_model *model = NULL, *again = NULL;
    routh_document *d = with_parameters(x, 1);
    routh_document_at(d, "parts.py", 12, 0);
    add_body(d);
    routh_document_at(d, "main.py", 7, 0);
    routh_document_key(d, "joints");
    routh_document_mapping(d);
    routh_document_end(d);
    routh_document_end(d);

    const routh_setting negative = {"p0", "-1"};
    assert_int_equal(routh_model_build(&model, d, &negative, 1, &error), ROUTH_MODEL_ERROR);
    assert_error(&error, "parts.py:12: body 'block': mass is -2; it must not be negative");

    /* the model keeps its places when the document is gone, and is made again from them */
    if (routh_model_build(&model, d, NULL, 0, &error)) fail_msg("%s", error.message);
    routh_document_free(d);
    assert_string_equal(model->bodies[0].place.file, "parts.py");
    assert_int_equal(rt_model_again(&again, model, &negative, 1, &error), ROUTH_MODEL_ERROR);
    assert_error(&error, "parts.py:12: body 'block': mass is -2; it must not be negative");
    const routh_setting two = {"p0", "2"};
    assert_int_equal(rt_model_again(&again, model, &two, 1, &error), ROUTH_OK);
    assert_true(again->bodies[0].mass.value == 4);
    assert_string_equal(again->file, "program");
    routh_model_free(again);
    routh_model_free(model);
}

static void a_name_given_twice_tells_the_other_file(void **state)
{
    (void)state;
    routh_error error = {0};
    routh_model *model = NULL;
    routh_document *d = NULL;
    routh_document_create(&d, "main.py", NULL);
    routh_document_mapping(d);
    for (int k = 0; k < 2; k++) {
        routh_document_at(d, k ? NULL : "parts.py", 3 + k, 0);
        routh_document_key(d, "title");
        routh_document_text(d, "both");
    }
    assert_int_equal(routh_document_end(d), ROUTH_MODEL_ERROR);
    assert_int_equal(routh_model_build(&model, d, NULL, 0, &error), ROUTH_MODEL_ERROR);
    assert_error(&error, "main.py:4: the name 'title' is given twice, first in line 3 of parts.py; "
                         "keep one of them");
    routh_document_free(d);
}

/* ---- calls in the wrong order ---------------------------------------------------------------- */

/* Letters are calls: m map, l list, e end, k key, w word, b a word that is not UTF-8, n NULL. */
static void assert_refused(const char *calls, routh_status status, const char *words)
{
    routh_error error = {0};
    routh_model *model = NULL;
    routh_text text = {0};
    routh_document *d = NULL;
    routh_document_create(&d, "program", NULL);
    for (const char *c = calls; *c; c++) {
        if (*c == 'm') routh_document_mapping(d);
        if (*c == 'l') routh_document_list(d);
        if (*c == 'e') routh_document_end(d);
        if (*c == 'k') routh_document_key(d, "key");
        if (*c == 'w') routh_document_word(d, "word");
        if (*c == 'b') routh_document_word(d, "a\xffz");
        if (*c == 'n') routh_document_text(d, NULL);
    }
    assert_int_equal(routh_model_build(&model, d, NULL, 0, &error), status);
    if (!strstr(error.message, words)) fail_msg("%s: %s", calls, error.message);
    assert_int_equal(routh_document_write(d, &text, &error), status);
    assert_null(model);
    assert_null(text.bytes);
    routh_document_free(d);
}

/* Parts given to another document one by one: the same text. */
static const routh_document_part *give_part(routh_document *d, const routh_document_part *part)
{
    const routh_document_part *p = part++;
    routh_document_at(d, p->file, p->line, p->column);
    if (p->key) routh_document_key(d, p->key);
    if (p->kind == ROUTH_DOCUMENT_WORD) routh_document_word(d, p->text);
    if (p->kind == ROUTH_DOCUMENT_TEXT) routh_document_text(d, p->text);
    if (p->kind == ROUTH_DOCUMENT_LIST) routh_document_list(d);
    if (p->kind == ROUTH_DOCUMENT_MAPPING) routh_document_mapping(d);
    for (int k = 0; k < p->n; k++) part = give_part(d, part);
    if (p->kind == ROUTH_DOCUMENT_LIST || p->kind == ROUTH_DOCUMENT_MAPPING) routh_document_end(d);
    return part;
}

static void the_parts_of_a_text_are_the_text(void **state)
{
    (void)state;
    static const char text[] = "title: \"two: parts\"\nparameters:\n  k: 2*pi\nbodies:\n  rod:\n"
                               "    mass: 1\n    inertia: [1, 'x', []]\n    empty: {}\n";
    routh_document *parsed = NULL, *given = NULL;
    routh_document_parts *parts = NULL;
    routh_text a = {0}, b = {0};
    assert_int_equal(routh_document_parse(&parsed, text, sizeof text - 1, "x", NULL), ROUTH_OK);
    assert_int_equal(routh_document_parts_find(&parts, parsed, NULL), ROUTH_OK);
    assert_int_equal(parts->n, 12);
    const routh_document_part *p = parts->parts;
    assert_string_equal(p[3].key, "k");
    assert_string_equal(p[3].text, "2*pi");
    assert_int_equal(p[3].line, 3);
    assert_int_equal(p[3].column, 3);
    assert_int_equal(p[1].kind, ROUTH_DOCUMENT_TEXT);
    routh_document_create(&given, "x", NULL);
    assert_ptr_equal(give_part(given, p), p + parts->n);
    assert_int_equal(routh_document_write(parsed, &a, NULL), ROUTH_OK);
    assert_int_equal(routh_document_write(given, &b, NULL), ROUTH_OK);
    assert_string_equal(a.bytes, b.bytes);
    routh_text_free(&a);
    routh_text_free(&b);
    routh_document_parts_free(parts);
    routh_document_free(parsed);
    routh_document_free(given);
}

static void a_text_that_is_none_is_no_document(void **state)
{
    (void)state;
    routh_error error = {0};
    routh_document *d = NULL;
    routh_document_parts *parts = NULL;
    assert_int_equal(routh_document_parse(&d, "a: [1,", 6, "x", &error), ROUTH_SYNTAX_ERROR);
    assert_null(d);
    assert_string_equal(error.file, "x");
    assert_int_equal(routh_document_parse(&d, "", 0, "x", &error), ROUTH_MODEL_ERROR);
    assert_int_equal(routh_document_parse(&d, NULL, 3, "x", &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_document_parse(NULL, "a", 1, "x", &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_document_parts_find(&parts, NULL, &error), ROUTH_BAD_ARGUMENT);
    routh_document_create(&d, "x", NULL);
    routh_document_mapping(d);
    assert_int_equal(routh_document_parts_find(&parts, d, &error), ROUTH_BAD_ARGUMENT);
    assert_null(parts);
    routh_document_free(d);
    routh_document_parts_free(NULL);
}

static void calls_in_the_wrong_order_are_refused(void **state)
{
    (void)state;
    assert_refused("", ROUTH_MODEL_ERROR, "the file is empty");
    assert_refused("mw", ROUTH_BAD_ARGUMENT, "without its key");
    assert_refused("mm", ROUTH_BAD_ARGUMENT, "without its key");
    assert_refused("k", ROUTH_BAD_ARGUMENT, "no mapping is open");
    assert_refused("lk", ROUTH_BAD_ARGUMENT, "no mapping is open");
    assert_refused("mkk", ROUTH_BAD_ARGUMENT, "the last key has no value");
    assert_refused("mke", ROUTH_BAD_ARGUMENT, "a key that has no value");
    assert_refused("e", ROUTH_BAD_ARGUMENT, "no list or mapping is open");
    assert_refused("mem", ROUTH_BAD_ARGUMENT, "the document is complete");
    assert_refused("mkmkl", ROUTH_BAD_ARGUMENT, "3 of the lists and mappings");
    assert_refused("mkb", ROUTH_SYNTAX_ERROR, "not UTF-8");
    assert_refused("mkn", ROUTH_BAD_ARGUMENT, "NULL");
    assert_refused("mwkwke", ROUTH_BAD_ARGUMENT, "without its key"); /* the first failure stays */
    char deep[70];
    memset(deep, 'l', 65);
    deep[65] = '\0';
    assert_refused(deep, ROUTH_LIMIT_EXCEEDED, "nested more than 64 deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_the_same_from_file_document_and_text),
        cmocka_unit_test(broken_models_give_the_message_of_the_file),
        cmocka_unit_test(texts_are_read_as_they_were_written),
        cmocka_unit_test(marks_of_yaml_are_written_as_texts),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(places_are_in_the_program_s_files),
        cmocka_unit_test(a_name_given_twice_tells_the_other_file),
        cmocka_unit_test(the_parts_of_a_text_are_the_text),
        cmocka_unit_test(a_text_that_is_none_is_no_document),
        cmocka_unit_test(calls_in_the_wrong_order_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
