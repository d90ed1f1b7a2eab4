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

static FILE *open_record(const char *folder, const char *file)
{
    static bool begun = false;
    char path[1024];
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    snprintf(path, sizeof path, "%s/%.*s.jsonl", folder, (int)strcspn(name, "."), name);
    FILE *out = fopen(path, begun ? "a" : "w");
    if (!out) fail_msg("cannot write %s", path);
    begun = true;
    return out;
}

static json_t *number_or_null(double x) { return isfinite(x) ? json_real(x) : json_null(); }

void record_value_of(const char *file, const char *paper, const char *table, const char *quantity,
                     const char *published, double reference, double computed)
{
    const char *folder = getenv("ROUTH_RECORD");
    if (!folder || !*folder) return;
    json_t *line = json_object();
    json_object_set_new(line, "paper", json_string(paper));
    json_object_set_new(line, "table", json_string(table));
    json_object_set_new(line, "quantity", json_string(quantity));
    json_object_set_new(line, "published", published ? json_string(published) : json_null());
    json_object_set_new(line, "reference", number_or_null(reference));
    json_object_set_new(line, "computed", number_or_null(computed));
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17));
    assert_non_null(text);
    FILE *out = open_record(folder, file);
    fprintf(out, "%s\n", text);
    fclose(out);
    free(text);
    json_decref(line);
}
