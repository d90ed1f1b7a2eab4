/* Results of several operating points or models put together into one text. */
#include <string.h>

#include "base/csv.h"
#include "output/results.h"
#include "output/table.h"

static routh_status join_tables(const char *what, const routh_text *texts,
                                const char *const *labels, int n, routh_text *text,
                                routh_error *error)
{
    rt_text out = {0};
    *text = (routh_text){0};
    for (int k = 0; k < n; k++) {
        rt_text_append(&out, "%s==== %s %d of %d: ", k ? "\n" : "", what, k + 1, n);
        rt_text_plain(&out, labels[k]);
        rt_text_append(&out, "\n\n");
        rt_text_bytes(&out, texts[k].bytes, texts[k].length);
    }
    return rt_results_hand_over(&out, text, error);
}

routh_status routh_operating_points_table(const routh_text *texts, const char *const *labels, int n,
                                          routh_text *text, routh_error *error)
{
    return join_tables("operating point", texts, labels, n, text, error);
}

routh_status routh_linear_models_table(const routh_text *texts, const char *const *labels, int n,
                                       routh_text *text, routh_error *error)
{
    return join_tables("model", texts, labels, n, text, error);
}

/* Each line of a document, set in; strings have no line feeds. */
static void set_in(rt_text *out, const routh_text *document)
{
    const char *at = document->bytes;
    while (*at) {
        const size_t length = strcspn(at, "\n");
        if (length) rt_text_append(out, "    ");
        rt_text_bytes(out, at, length);
        at += length + (at[length] == '\n');
        if (*at) rt_text_bytes(out, "\n", 1);
    }
}

static routh_status join_json(const char *name, const routh_text *texts, int n, routh_text *text,
                              routh_error *error)
{
    rt_text out = {0};
    *text = (routh_text){0};
    rt_text_append(&out, "{\n  \"%s\": [\n", name);
    for (int k = 0; k < n; k++) {
        set_in(&out, &texts[k]);
        rt_text_append(&out, "%s\n", k + 1 < n ? "," : "");
    }
    rt_text_append(&out, "  ]\n}\n");
    return rt_results_hand_over(&out, text, error);
}

routh_status routh_operating_points_json(const routh_text *texts, int n, routh_text *text,
                                         routh_error *error)
{
    return join_json("points", texts, n, text, error);
}

routh_status routh_linear_models_json(const routh_text *texts, int n, routh_text *text,
                                      routh_error *error)
{
    return join_json("models", texts, n, text, error);
}

/* The length of the record at `at` with its line feed; those within quotes do not end it. */
static size_t record_length(const char *at)
{
    bool quoted = false;
    const char *end = at;
    for (; *end && (quoted || *end != '\n'); end++)
        if (*end == '"') quoted = !quoted;
    return (size_t)(end - at) + (*end == '\n');
}

/* A first field before the record. */
static void points_add_record(rt_csv *csv, const char *field, const char *record, size_t length)
{
    rt_csv_text(csv, field);
    rt_text_bytes(&csv->text, ",", 1);
    rt_text_bytes(&csv->text, record, length);
    csv->inside = false;
}

/* One table with a first column `column`; otherwise: what to do where columns differ. */
static routh_status join_csv(const char *column, const char *otherwise, const routh_text *texts,
                             const char *const *labels, int n, routh_text *text, routh_error *error)
{
    rt_csv csv = {0};
    *text = (routh_text){0};
    const size_t heads = n > 0 ? record_length(texts[0].bytes) : 0;
    for (int k = 1; k < n; k++)
        if (strncmp(texts[k].bytes, texts[0].bytes, heads) != 0)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the columns at %s are others than at %s (other states were chosen), so "
                           "one table in CSV cannot hold both; %s",
                           labels[k], labels[0], otherwise);
    for (int k = 0; k < n; k++) {
        const char *at = texts[k].bytes;
        for (bool head = true; *at; head = false) {
            const size_t length = record_length(at);
            if (!head || k == 0) points_add_record(&csv, head ? column : labels[k], at, length);
            at += length;
        }
    }
    const routh_status status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}

routh_status routh_operating_points_csv(const routh_text *texts, const char *const *labels, int n,
                                        routh_text *text, routh_error *error)
{
    return join_csv("at", "name the states in the model (linearize: states), or write JSON", texts,
                    labels, n, text, error);
}

routh_status routh_linear_models_csv(const routh_text *texts, const char *const *labels, int n,
                                     routh_text *text, routh_error *error)
{
    return join_csv("model", "write JSON", texts, labels, n, text, error);
}
