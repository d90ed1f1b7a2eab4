#include "support/record.h"

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
#include <jansson.h>

/* Opened at the first record, and closed by the end of the program. */
static FILE *record_file(const char *folder, const char *file)
{
    static FILE *out;
    char path[1024];
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    if (out) return out;
    snprintf(path, sizeof path, "%s/%.*s.jsonl", folder, (int)strcspn(name, "."), name);
    out = fopen(path, "w");
    if (!out) fail_msg("cannot write %s", path);
    return out;
}

static void set_text(json_t *line, const char *key, const char *text)
{
    json_object_set_new(line, key, text ? json_string(text) : json_null());
}

static void set_number(json_t *line, const char *key, double x)
{
    json_object_set_new(line, key, isfinite(x) ? json_real(x) : json_null());
}

void record_line_of(const char *file, const paper_record *record)
{
    const char *folder = getenv("ROUTH_RECORD");
    if (!folder || !*folder) return;
    json_t *line = json_object();
    set_text(line, "paper", record->paper);
    set_text(line, "table", record->table);
    set_text(line, "quantity", record->quantity);
    set_text(line, "published", record->published);
    set_number(line, "reference", record->reference);
    set_number(line, "computed", record->computed);
    set_text(line, "coordinates", record->coordinates);
    set_text(line, "method", record->method);
    set_number(line, "scale", record->scale);
    set_number(line, "bound", record->bound);
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17));
    assert_non_null(text);
    FILE *out = record_file(folder, file);
    fprintf(out, "%s\n", text);
    fflush(out);
    free(text);
    json_decref(line);
}
