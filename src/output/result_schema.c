/* The JSON Schemas (draft 2020-12) of what commands write with --json, from the tables of results.
 * Beside what the standard knows a member has its `unit`, and a table whose fields are columns the
 * list `columns` of those. */
#include <string.h>

#include "output/descriptor.h"

enum { MOST_TABLES = 64 };

typedef struct schema_writer {
    rt_json json;
    const rt_result_table *tables[MOST_TABLES]; /* that a document refers to */
    int n_tables;
} schema_writer;

/* ---- which tables there are ----------------------------------------------------------------- */

static void schema_gather(schema_writer *w, const rt_result_table *table);

static void schema_gather_fields(schema_writer *w, const rt_result_table *table)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (field->type == RT_RESULT_PART)
            schema_gather_fields(w, field->items);
        else if (field->items)
            schema_gather(w, field->items);
    }
}

static void schema_gather(schema_writer *w, const rt_result_table *table)
{
    for (int k = 0; k < w->n_tables; k++)
        if (w->tables[k] == table) return;
    if (w->n_tables == MOST_TABLES) return;
    w->tables[w->n_tables++] = table;
    schema_gather_fields(w, table);
}

/* ---- types ---------------------------------------------------------------------------------- */

static const char *schema_type_name(rt_result_type type)
{
    switch (type) {
    case RT_RESULT_REAL: return "number";
    case RT_RESULT_COUNT: return "integer";
    case RT_RESULT_TRUTH: return "boolean";
    case RT_RESULT_TEXT: return "string";
    case RT_RESULT_COMPLEX:
    case RT_RESULT_REALS:
    case RT_RESULT_VALUES:
    case RT_RESULT_MATRIX:
    case RT_RESULT_LIST: return "array";
    case RT_RESULT_MAP:
    case RT_RESULT_OBJECT:
    case RT_RESULT_PART: return "object";
    }
    return "";
}

static void schema_reference(rt_json *json, const rt_result_table *table)
{
    char reference[128] = "#/$defs/";
    strncat(reference, table->name, sizeof reference - strlen(reference) - 1);
    rt_json_string(json, "$ref", reference);
}

static void schema_complex(rt_json *json) { rt_json_string(json, "$ref", "#/$defs/complex"); }

static void schema_items(rt_json *json, rt_result_type each, const rt_result_table *items);

static void schema_number_or_null(rt_json *json)
{
    rt_json_object(json, "items");
    rt_json_flat_array(json, "type");
    rt_json_string(json, NULL, "number");
    rt_json_string(json, NULL, "null");
    rt_json_end(json);
    rt_json_end(json);
}

static void schema_items(rt_json *json, rt_result_type each, const rt_result_table *items)
{
    rt_json_object(json, "items");
    if (each == RT_RESULT_COMPLEX)
        schema_complex(json);
    else if (each == RT_RESULT_OBJECT)
        schema_reference(json, items);
    else {
        rt_json_string(json, "type", schema_type_name(each));
        if (each == RT_RESULT_LIST) schema_items(json, RT_RESULT_OBJECT, items);
        if (each == RT_RESULT_REALS) schema_items(json, RT_RESULT_REAL, NULL);
        if (each == RT_RESULT_VALUES) schema_items(json, RT_RESULT_TEXT, NULL);
    }
    rt_json_end(json);
}

static void schema_words(rt_json *json, const rt_result_field *field)
{
    rt_json_flat_array(json, "enum");
    for (int k = 0; field->words[k]; k++) rt_json_string(json, NULL, field->words[k]);
    if (field->nullable) rt_json_null(json, NULL);
    rt_json_end(json);
}

/* Of which the name alone is looked at. */
static const rt_result_table complex_number = {.name = "complex"};

static void schema_or_null(rt_json *json, const rt_result_table *items)
{
    rt_json_flat_array(json, "anyOf");
    rt_json_object(json, NULL);
    schema_reference(json, items);
    rt_json_end(json);
    rt_json_object(json, NULL);
    rt_json_string(json, "type", "null");
    rt_json_end(json);
    rt_json_end(json);
}

static void schema_type(rt_json *json, const rt_result_field *field)
{
    if (field->type == RT_RESULT_COMPLEX && field->whole) {
        schema_or_null(json, &complex_number);
        return;
    }
    if (field->type == RT_RESULT_COMPLEX) {
        rt_json_string(json, "$ref",
                       field->nullable ? "#/$defs/complex_or_null" : "#/$defs/complex");
        return;
    }
    if (field->type == RT_RESULT_OBJECT) {
        if (field->nullable)
            schema_or_null(json, field->items);
        else
            schema_reference(json, field->items);
        return;
    }
    if (field->nullable && field->type != RT_RESULT_REALS) {
        rt_json_flat_array(json, "type");
        rt_json_string(json, NULL, schema_type_name(field->type));
        rt_json_string(json, NULL, "null");
        rt_json_end(json);
    } else
        rt_json_string(json, "type", schema_type_name(field->type));
    if (field->words) schema_words(json, field);
    if (field->type == RT_RESULT_REALS && field->nullable)
        schema_number_or_null(json);
    else if (field->type == RT_RESULT_REALS)
        schema_items(json, RT_RESULT_REAL, NULL);
    if (field->type == RT_RESULT_REALS && field->length) {
        rt_json_int(json, "minItems", field->length);
        rt_json_int(json, "maxItems", field->length);
    }
    if (field->type == RT_RESULT_VALUES) schema_items(json, field->each, field->items);
    if (field->type == RT_RESULT_MATRIX) schema_items(json, RT_RESULT_REALS, NULL);
    if (field->type == RT_RESULT_LIST) schema_items(json, RT_RESULT_OBJECT, field->items);
    if (field->type == RT_RESULT_MAP) {
        rt_json_object(json, "additionalProperties");
        rt_json_string(json, "type", "number");
        rt_json_end(json);
    }
}

/* ---- members -------------------------------------------------------------------------------- */

static void schema_properties(rt_json *json, const rt_result_table *table)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (field->type == RT_RESULT_PART) schema_properties(json, field->items);
        if (!field->key) continue;
        rt_json_flat_object(json, field->key);
        schema_type(json, field);
        rt_json_string(json, "description", field->meaning);
        if (field->unit) rt_json_string(json, "unit", field->unit);
        rt_json_end(json);
    }
}

static void schema_required(rt_json *json, const rt_result_table *table)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (field->there) continue;
        if (field->type == RT_RESULT_PART)
            schema_required(json, field->items);
        else if (field->key)
            rt_json_string(json, NULL, field->key);
    }
}

static void schema_column(rt_json *json, const rt_result_field *field)
{
    rt_json_flat_object(json, NULL);
    rt_json_string(json, "name", field->csv);
    if (field->key || field->member)
        rt_json_string(json, "member", field->key ? field->key : field->member);
    if (field->member) rt_json_int(json, "part", field->part_of);
    if (field->there && !field->sparse) rt_json_bool(json, "optional", true);
    rt_json_string(json, "description", field->meaning);
    if (field->unit) rt_json_string(json, "unit", field->unit);
    if (field->page) {
        rt_json_string(json, "title", field->page);
        rt_json_string(json, "help", field->page_help ? field->page_help : field->page);
        rt_json_int(json, "digits", field->page_digits ? field->page_digits : 4);
        rt_json_int(json, "rank", field->page_rank);
        if (field->percent) rt_json_bool(json, "percent", true);
    }
    rt_json_end(json);
}

static int schema_count_columns(const rt_result_table *table)
{
    int n = 0;
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        n += field->csv != NULL;
        if (field->type == RT_RESULT_PART) n += schema_count_columns(field->items);
    }
    return n;
}

static void schema_each_column(rt_json *json, const rt_result_table *table)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (field->type == RT_RESULT_PART)
            schema_each_column(json, field->items);
        else if (field->csv)
            schema_column(json, field);
    }
}

static void schema_columns(rt_json *json, const rt_result_table *table)
{
    if (schema_count_columns(table) == 0) return;
    rt_json_array(json, "columns");
    schema_each_column(json, table);
    rt_json_end(json);
}

static void schema_object(rt_json *json, const rt_result_table *table)
{
    rt_json_string(json, "type", "object");
    rt_json_object(json, "properties");
    schema_properties(json, table);
    rt_json_end(json);
    rt_json_flat_array(json, "required");
    schema_required(json, table);
    rt_json_end(json);
    rt_json_bool(json, "additionalProperties", false);
    schema_columns(json, table);
}

static void schema_complex_definition(rt_json *json, const char *name, bool nullable)
{
    rt_json_flat_object(json, name);
    rt_json_string(json, "type", "array");
    rt_json_object(json, "items");
    rt_json_array(json, "type");
    rt_json_string(json, NULL, "number");
    if (nullable) rt_json_string(json, NULL, "null");
    rt_json_end(json);
    rt_json_end(json);
    rt_json_int(json, "minItems", 2);
    rt_json_int(json, "maxItems", 2);
    rt_json_string(json, "description", "[re, im]");
    rt_json_end(json);
}

/* ---- the document --------------------------------------------------------------------------- */

/* What a command writes of one model at one point. */
static void schema_forms(rt_json *json, const rt_result_document *document)
{
    for (int k = 0; document->forms[k]; k++) {
        rt_json_flat_object(json, NULL);
        schema_reference(json, document->forms[k]);
        rt_json_end(json);
    }
}

static void schema_one_of(rt_json *json, const char *const *names)
{
    for (int k = 0; names[k]; k++) {
        char reference[128] = "#/$defs/";
        strncat(reference, names[k], sizeof reference - strlen(reference) - 1);
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "$ref", reference);
        rt_json_end(json);
    }
}

/* {"points": [..]} of several: `each` are the names of what each of them may be. */
static void schema_several(rt_json *json, const char *name, const char *meaning,
                           const char *const *each)
{
    rt_json_object(json, name);
    rt_json_string(json, "type", "object");
    rt_json_object(json, "properties");
    rt_json_flat_object(json, name);
    rt_json_string(json, "type", "array");
    rt_json_object(json, "items");
    rt_json_array(json, "anyOf");
    schema_one_of(json, each);
    rt_json_end(json);
    rt_json_end(json);
    rt_json_string(json, "description", meaning);
    rt_json_end(json);
    rt_json_end(json);
    rt_json_flat_array(json, "required");
    rt_json_string(json, NULL, name);
    rt_json_end(json);
    rt_json_bool(json, "additionalProperties", false);
    rt_json_end(json);
}

static void schema_root(rt_json *json, const rt_result_document *document)
{
    const char *const several[] = {document->points ? "points" : "models",
                                   document->points && document->models ? "models" : NULL, NULL};
    rt_json_array(json, "anyOf");
    schema_forms(json, document);
    if (document->points || document->models) schema_one_of(json, several);
    rt_json_end(json);
}

static void schema_definitions(schema_writer *w, const rt_result_document *document)
{
    rt_json *json = &w->json;
    const char *form = document->forms[0]->name;
    schema_complex_definition(json, "complex", false);
    schema_complex_definition(json, "complex_or_null", true);
    if (document->points)
        schema_several(json, "points", "one for each operating point, in the order of `--at`",
                       (const char *const[]){form, NULL});
    if (document->models)
        schema_several(json, "models", "one for each model, in the order of the command",
                       (const char *const[]){form, document->points ? "points" : NULL, NULL});
    for (int k = 0; k < w->n_tables; k++) {
        rt_json_object(json, w->tables[k]->name);
        schema_object(json, w->tables[k]);
        rt_json_end(json);
    }
}

static void schema_document(schema_writer *w, const rt_result_document *document)
{
    rt_json *json = &w->json;
    char id[128] = "https://routh.invalid/", title[128] = "routh ";
    strncat(id, document->command, sizeof id - strlen(id) - 1);
    strncat(title, document->command, 64);
    strcat(title, " --json");
    for (int k = 0; document->forms[k]; k++) schema_gather(w, document->forms[k]);
    rt_json_object(json, NULL);
    rt_json_string(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    rt_json_string(json, "$id", id);
    rt_json_string(json, "title", title);
    schema_root(json, document);
    rt_json_object(json, "$defs");
    schema_definitions(w, document);
    rt_json_end(json);
    rt_json_end(json);
}

const rt_result_document *rt_result_document_at(int k)
{
    static const rt_result_document documents[] = {
        {.command = "modes",
         .forms = {&rt_modes_document, &rt_matrix_modes_document},
         .points = true,
         .models = true},
        {.command = "linearize", .forms = {&rt_linear_document}, .points = true},
        {.command = "equilibrium",
         .forms = {&rt_operating_document},
         .lines = &rt_quantity_table,
         .points = true},
        {.command = "check", .forms = {&rt_check_document}, .models = true},
        {.command = "verify", .forms = {&rt_verify_document}},
        {.command = "compare", .forms = {&rt_compare_document}},
        {.command = "optimise", .forms = {&rt_optimise_document}},
        {.command = "response", .forms = {&rt_response_document}},
        {.command = "sweep", .forms = {&rt_sweep_document}},
        {.command = "floquet", .forms = {&rt_floquet_document, &rt_boundary_document}},
        {.command = "sensitivity",
         .forms = {&rt_sensitivity_document, &rt_response_sensitivity_document}},
        {.command = "symbolic", .forms = {&rt_symbolic_document, &rt_certificate_document}},
        {.command = "benchmark", .forms = {&rt_benchmark_document}},
        {.command = "version", .forms = {&rt_version_document}},
    };
    return k < (int)(sizeof documents / sizeof *documents) ? &documents[k] : NULL;
}

const char *routh_results_name(int k)
{
    const rt_result_document *document = k < 0 ? NULL : rt_result_document_at(k);
    return document ? document->command : NULL;
}

routh_status routh_results_schema(const char *name, routh_text *text, routh_error *error)
{
    const rt_result_document *document = NULL;
    *text = (routh_text){0};
    for (int k = 0; (document = rt_result_document_at(k)); k++)
        if (strcmp(document->command, name) == 0) break;
    if (!document) {
        char names[256];
        rt_list_names(names, sizeof names, routh_results_name);
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "there is no schema of results named '%.80s'; there are %s", name, names);
    }
    schema_writer w = {0};
    schema_document(&w, document);
    const routh_status status = rt_json_finish(&w.json, error);
    return status ? status : rt_results_hand_over(&w.json.text, text, error);
}
