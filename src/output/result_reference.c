/* The reference page of results in Markdown, from their tables. */
#include <string.h>

#include "output/descriptor.h"

enum { MOST_TABLES = 256 };

typedef struct reference_writer {
    rt_text text;
    const rt_result_table *tables[MOST_TABLES]; /* that are described already */
    int n_tables;
} reference_writer;

static const char head[] =
    "# Results\n\n"
    "<!-- Written by the program from its tables; change src/output/*_fields.c and the like, not "
    "this page. -->\n\n"
    "What commands write with `--json`, and the columns that they write with `--csv`, from the "
    "tables by which they\nare written. `routh schema COMMAND` writes the JSON Schema of each.\n";

static const char *reference_type_words(const rt_result_field *field)
{
    switch (field->type) {
    case RT_RESULT_REAL: return "number";
    case RT_RESULT_COUNT: return "whole number";
    case RT_RESULT_TRUTH: return "true or false";
    case RT_RESULT_TEXT: return "text";
    case RT_RESULT_COMPLEX: return "[re, im]";
    case RT_RESULT_REALS:
    case RT_RESULT_VALUES:
    case RT_RESULT_LIST: return "list";
    case RT_RESULT_MATRIX: return "list of rows";
    case RT_RESULT_MAP: return "number by name";
    case RT_RESULT_OBJECT:
    case RT_RESULT_PART: return "object";
    }
    return "";
}

static void reference_type(rt_text *text, const rt_result_field *field)
{
    if (field->words) {
        for (int k = 0; field->words[k]; k++)
            rt_text_append(text, "%s`%s`", k ? ", " : "", field->words[k]);
        if (field->nullable) rt_text_append(text, ", `null`");
        return;
    }
    rt_text_append(text, "%s", reference_type_words(field));
    if (field->type == RT_RESULT_REALS && field->length)
        rt_text_append(text, " of %d numbers", field->length);
}

/* Within a table a stroke has to be written otherwise. */
static void reference_meaning(rt_text *text, const char *meaning)
{
    for (; *meaning; meaning++) rt_text_append(text, *meaning == '|' ? "\\|" : "%c", *meaning);
}

static void reference_members(rt_text *text, const rt_result_table *table)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (field->type == RT_RESULT_PART) reference_members(text, field->items);
        if (!field->key) continue;
        rt_text_append(text, "| `%s` | ", field->key);
        reference_type(text, field);
        rt_text_append(text, " | %s | ", field->unit ? field->unit : "");
        reference_meaning(text, field->meaning);
        if (field->items) rt_text_append(text, "; see *%s*", field->items->title);
        rt_text_append(text, " |\n");
    }
}

/* The columns of one pass, as they stand in a line of the CSV. */
static int reference_pass(rt_text *text, const rt_result_table *table, int pass, int n)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (field->type == RT_RESULT_PART) n = reference_pass(text, field->items, pass, n);
        if (!field->csv || rt_result_csv_pass(field) != pass) continue;
        rt_text_append(text, "%s`%s`", n++ ? ", " : "\nColumns of the CSV: ", field->csv);
        if (!field->key) rt_text_append(text, " (%s)", field->meaning);
        if (field->there && !field->sparse) rt_text_append(text, " (where the JSON has it)");
    }
    return n;
}

static void reference_columns(rt_text *text, const rt_result_table *table)
{
    int n = 0;
    for (int pass = 0; pass < 2 * RT_RESULT_RANKS; pass++) n = reference_pass(text, table, pass, n);
    if (n) rt_text_append(text, ".\n");
}

static void reference_inside(reference_writer *w, const rt_result_table *table);

/* What the document of several is, below the table of one. */
static void reference_several(reference_writer *w, const rt_result_document *document)
{
    static const char points[] = "With several operating points (`--at` repeated, `--at time=0,1`) "
                                 "the document is `{\"points\": [..]}`:\nfor each, in the order "
                                 "of `--at`, the object that it has alone.",
                      models[] = "With several models it is `{\"models\": [..]}` in the same "
                                 "manner.",
                      alone[] = "With several models the document is `{\"models\": [..]}`: for "
                                "each, in the order of the command,\nthe object that it has alone.";
    if (document->points) rt_text_append(&w->text, "\n%s\n", points);
    if (document->models) rt_text_append(&w->text, "\n%s\n", document->points ? models : alone);
}

/* document: that the table is the first form of, or NULL. */
static void reference_table(reference_writer *w, const rt_result_table *table, const char *level,
                            const rt_result_document *document)
{
    for (int k = 0; k < w->n_tables; k++)
        if (w->tables[k] == table) return;
    if (w->n_tables == MOST_TABLES) return;
    w->tables[w->n_tables++] = table;
    rt_text_append(&w->text, "\n%s %s\n\n", level, table->title);
    if (*table->meaning) rt_text_append(&w->text, "%s\n\n", table->meaning);
    rt_text_append(&w->text, "| key | value | unit | meaning |\n|---|---|---|---|\n");
    reference_members(&w->text, table);
    reference_columns(&w->text, table);
    if (document && document->lines) reference_columns(&w->text, document->lines);
    if (document) reference_several(w, document);
    reference_inside(w, table);
}

static void reference_inside(reference_writer *w, const rt_result_table *table)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (field->type == RT_RESULT_PART)
            reference_inside(w, field->items);
        else if (field->items)
            reference_table(w, field->items, "###", NULL);
    }
}

static void reference_document(reference_writer *w, const rt_result_document *document)
{
    for (int k = 0; document->forms[k]; k++)
        reference_table(w, document->forms[k], "##", k == 0 ? document : NULL);
}

routh_status routh_results_reference(routh_text *text, routh_error *error)
{
    reference_writer w = {0};
    const rt_result_document *document;
    *text = (routh_text){0};
    rt_text_append(&w.text, "%s", head);
    for (int k = 0; (document = rt_result_document_at(k)); k++) reference_document(&w, document);
    return rt_results_hand_over(&w.text, text, error);
}
