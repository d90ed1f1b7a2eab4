#include "routh/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "model/document.h"

enum { LONGEST_KEY = 1000 }; /* what a YAML text takes as a key in one line is 1024 */

/* A file that places are in. */
typedef struct place_file place_file;
struct place_file {
    const char *name;
    const place_file *next;
};

struct routh_document {
    rt_arena arena;
    rt_tree tree; /* fails into error */
    const char *name;
    const place_file *files;
    rt_place place;
    routh_error error; /* the first failure */
};

routh_status routh_document_create(routh_document **document, const char *name, routh_error *error)
{
    if (!document) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the place for the document is NULL");
    if (!name) name = "model";
    routh_document *d = *document = calloc(1, sizeof *d);
    if (!d) return rt_fail_memory(error);
    d->name = rt_arena_text(&d->arena, name, strlen(name));
    if (!d->name) {
        routh_document_free(d);
        *document = NULL;
        return rt_fail_memory(error);
    }
    d->tree.file = d->name;
    d->tree.arena = &d->arena;
    d->tree.error = &d->error;
    return ROUTH_OK;
}

void routh_document_free(routh_document *document)
{
    if (!document) return;
    rt_arena_free(&document->arena);
    free(document);
}

static routh_status document_refuse(routh_document *d, routh_status status, const char *message)
{
    return rt_fail_at(&d->error, status, d->name, d->place, NULL, "%s", message);
}

/* The file's name in the document's arena; each is there once. NULL when out of memory. */
static const char *keep_file(routh_document *d, const char *name)
{
    for (const place_file *file = d->files; file; file = file->next)
        if (!strcmp(file->name, name)) return file->name;
    place_file *file = RT_TAKE(&d->arena, place_file, 1);
    if (!file) return NULL;
    file->name = rt_arena_text(&d->arena, name, strlen(name));
    file->next = d->files;
    if (file->name) d->files = file;
    return file->name;
}

routh_status routh_document_at(routh_document *d, const char *file, int line, int column)
{
    if (!d) return ROUTH_BAD_ARGUMENT;
    if (d->error.status) return d->error.status;
    if (line < 0 || column < 0)
        return document_refuse(d, ROUTH_BAD_ARGUMENT, "a place is below zero");
    d->place = rt_place_at(line, column);
    if (!file || !strcmp(file, d->name)) return ROUTH_OK;
    d->place.file = keep_file(d, file);
    return d->place.file ? ROUTH_OK : rt_fail_memory(&d->error);
}

static routh_status check_text(routh_document *d, const char *text)
{
    size_t n;
    if (!text) return document_refuse(d, ROUTH_BAD_ARGUMENT, "a text of the document is NULL");
    if (!rt_utf8_count(text, &n))
        return document_refuse(d, ROUTH_SYNTAX_ERROR, "the text is not UTF-8; give it as UTF-8");
    return ROUTH_OK;
}

/* Whether a value may come now. */
static routh_status check_turn(routh_document *d)
{
    if (d->error.status) return d->error.status;
    if (rt_tree_waits_for_key(&d->tree))
        return document_refuse(d, ROUTH_BAD_ARGUMENT, "a value of a mapping comes without its key");
    if (d->tree.root && !d->tree.depth)
        return document_refuse(d, ROUTH_BAD_ARGUMENT,
                               "the document is complete; it takes no more values");
    return ROUTH_OK;
}

routh_status routh_document_key(routh_document *d, const char *key)
{
    if (!d) return ROUTH_BAD_ARGUMENT;
    if (d->error.status || check_text(d, key)) return d->error.status;
    if (!rt_tree_waits_for_key(&d->tree))
        return document_refuse(
            d, ROUTH_BAD_ARGUMENT,
            "a key comes where no mapping is open or the last key has no value yet");
    const size_t length = strlen(key);
    if (length > LONGEST_KEY)
        return document_refuse(d, ROUTH_LIMIT_EXCEEDED, "a key is longer than 1000 bytes");
    return rt_tree_key(&d->tree, d->place, key, length);
}

static routh_status document_scalar(routh_document *d, const char *text, bool quoted)
{
    if (check_turn(d) || check_text(d, text)) return d->error.status;
    return rt_tree_scalar(&d->tree, d->place, text, strlen(text), quoted);
}

routh_status routh_document_word(routh_document *d, const char *word)
{
    if (!d) return ROUTH_BAD_ARGUMENT;
    return document_scalar(d, word, false);
}

routh_status routh_document_text(routh_document *d, const char *text)
{
    if (!d) return ROUTH_BAD_ARGUMENT;
    return document_scalar(d, text, true);
}

routh_status routh_document_number(routh_document *d, double number)
{
    char text[RT_NUMBER_SIZE];
    double back = 0;
    if (!d) return ROUTH_BAD_ARGUMENT;
    if (isnan(number)) return routh_document_word(d, ".nan");
    if (isinf(number)) return routh_document_word(d, number > 0 ? ".inf" : "-.inf");
    for (int digits = 15; digits <= RT_NUMBER_EXACT; digits++) { /* as few as read back exactly */
        const int n = rt_number_text(text, number, digits);
        if (rt_number_read(text, (size_t)n, &back) && back == number) break;
    }
    return routh_document_word(d, text);
}

routh_status routh_document_numbers(routh_document *d, const double *numbers, size_t n)
{
    if (!d) return ROUTH_BAD_ARGUMENT;
    if (d->error.status) return d->error.status;
    if (!numbers && n) return document_refuse(d, ROUTH_BAD_ARGUMENT, "the numbers are NULL");
    routh_document_list(d);
    for (size_t k = 0; k < n && !d->error.status; k++) routh_document_number(d, numbers[k]);
    return routh_document_end(d);
}

routh_status routh_document_mapping(routh_document *d)
{
    if (!d) return ROUTH_BAD_ARGUMENT;
    return check_turn(d) ? d->error.status : rt_tree_begin(&d->tree, d->place, RT_YAML_MAPPING);
}

routh_status routh_document_list(routh_document *d)
{
    if (!d) return ROUTH_BAD_ARGUMENT;
    return check_turn(d) ? d->error.status : rt_tree_begin(&d->tree, d->place, RT_YAML_LIST);
}

routh_status routh_document_end(routh_document *d)
{
    if (!d) return ROUTH_BAD_ARGUMENT;
    const rt_tree *t = &d->tree;
    if (d->error.status) return d->error.status;
    if (!t->depth)
        return document_refuse(d, ROUTH_BAD_ARGUMENT, "no list or mapping is open to be ended");
    if (t->open[t->depth - 1].pending)
        return document_refuse(d, ROUTH_BAD_ARGUMENT,
                               "a mapping ends with a key that has no value");
    return rt_tree_end(&d->tree);
}

routh_status routh_document_parse(routh_document **document, const char *text, size_t length,
                                  const char *name, routh_error *error)
{
    routh_status status = routh_document_create(document, name, error);
    if (status) return status;
    routh_document *d = *document;
    if (!text && length)
        status = rt_fail(error, ROUTH_BAD_ARGUMENT, "the text of the document is NULL");
    else
        status = rt_yaml_parse(&d->tree.root, text ? text : "", length, d->name, &d->arena, error);
    if (!status) return ROUTH_OK;
    routh_document_free(d);
    *document = NULL;
    return status;
}

routh_status rt_document_root(const routh_document *d, const rt_yaml **root, routh_error *error)
{
    rt_tree tree = d->tree;
    *root = NULL;
    tree.error = error;
    if (d->error.status) {
        if (error) *error = d->error;
        return d->error.status;
    }
    if (tree.depth)
        return rt_fail_at(error, ROUTH_BAD_ARGUMENT, d->name, d->place, NULL,
                          "%d of the lists and mappings of the document are not ended", tree.depth);
    *root = tree.root;
    return rt_tree_check_not_empty(&tree);
}

const char *rt_document_name(const routh_document *d) { return d->name; }

routh_status routh_document_write(const routh_document *d, routh_text *text, routh_error *error)
{
    const rt_yaml *root = NULL;
    rt_text out = {0};
    if (!d || !text) return rt_fail(error, ROUTH_BAD_ARGUMENT, "document or text is NULL");
    *text = (routh_text){0};
    const routh_status status = rt_document_root(d, &root, error);
    if (status) return status;
    rt_tree_write(root, &out);
    text->length = out.length;
    text->bytes = rt_text_take(&out);
    if (text->bytes) return ROUTH_OK;
    *text = (routh_text){0};
    return rt_fail_memory(error);
}
