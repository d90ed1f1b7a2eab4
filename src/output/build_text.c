/* The build: the table of its fields, and by it the terminal and JSON. */
#include "output/descriptor.h"
#include "output/heading.h"
#include "routh/build.h"

/* Component number k of the library, then of those that the caller has. */
static int component(int k, const routh_component *more, int n_more, routh_component *c)
{
    if (routh_build_component(k, c)) return 1;
    int own = 0;
    while (routh_build_component(own, c)) own++;
    if (k - own >= n_more) return 0;
    *c = more[k - own];
    return 1;
}

static const routh_component *component_at(const rt_result_row *row) { return row->of; }

static const char *component_version(const rt_result_row *row)
{
    return component_at(row)->version[0] ? component_at(row)->version : NULL;
}

static const rt_result_field component_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_component, name),
     .meaning = "of the library", .head = "library", .align = 'l'},
    {.key = "present", .type = RT_RESULT_TRUTH, RT_AT(routh_component, present),
     .meaning = "true: it is built in"},
    {.key = "version", .type = RT_RESULT_TEXT, .text = component_version, .nullable = true,
     .meaning = "of the loaded library, or of its headers; `null` where it is not built in or not "
                "known",
     .head = "version", .align = 'l'},
    {.key = "licence", .type = RT_RESULT_TEXT, RT_AT(routh_component, licence),
     .meaning = "its own, as an SPDX expression", .head = "licence", .align = 'l'},
    {.key = "purpose", .type = RT_RESULT_TEXT, RT_AT(routh_component, purpose),
     .meaning = "what it is for", .head = "for", .align = 'l'},
    {.key = "without", .type = RT_RESULT_TEXT, RT_AT(routh_component, without), .nullable = true,
     .meaning = "what is refused without it; `null` where there is no build without it"},
    {.key = "package", .type = RT_RESULT_TEXT, RT_AT(routh_component, package),
     .meaning = "the Debian package that a build needs"},
};
static const rt_result_table component_table = {"component", "Component of the program", "",
                                                RT_FIELDS(component_fields)};

static const rt_result_field absent_fields[] = {
    {.type = RT_RESULT_TEXT, RT_AT(routh_component, name), .meaning = "of the library",
     .head = "not built in", .align = 'l'},
    {.type = RT_RESULT_TEXT, RT_AT(routh_component, package), .meaning = "that a build needs",
     .head = "Debian package", .align = 'l'},
    {.type = RT_RESULT_TEXT, RT_AT(routh_component, without), .meaning = "what is refused",
     .head = "without it", .align = 'l'},
};
static const rt_result_table absent_table = {"absent", "", "", RT_FIELDS(absent_fields)};

/* Those that are built in, or those that are not; nothing where there are none. */
static void components(rt_text *out, const rt_result_table *table, bool present,
                       const routh_component *more, int n_more)
{
    rt_result_lines lines;
    routh_component c;
    int n = 0;
    rt_result_begin(&lines, out, table, &(rt_result_row){.of = NULL});
    for (int k = 0; component(k, more, n_more, &c); k++) {
        if ((c.present != 0) != present) continue;
        if (!n++) rt_text_append(out, "\n");
        rt_result_line(&lines, &(rt_result_row){.of = &c});
    }
    if (n)
        rt_result_end(&lines);
    else
        rt_result_drop(&lines);
}

routh_status routh_build_table(const routh_component *more, int n_more, routh_text *text,
                               routh_error *error)
{
    const routh_build build = routh_build_info();
    rt_text out = {0};
    *text = (routh_text){0};
    rt_text_append(&out, "routh %s\n", build.version);
    rt_heading_line(&out, "build", "%s, %s", build.type, build.compiler);
    rt_heading_line(&out, "licence as a whole", "%s: %s", build.licence, build.licence_why);
    rt_heading_line(&out, "dense kernels", "%s%s%s", build.kernels,
                    build.kernels_advice ? "; " : "",
                    build.kernels_advice ? build.kernels_advice : "");
    components(&out, &component_table, true, more, n_more);
    components(&out, &absent_table, false, more, n_more);
    return rt_results_hand_over(&out, text, error);
}

/* ---- JSON: of a build_whole ------------------------------------------------------------------ */

typedef struct build_whole {
    routh_build build;
    const routh_component *more;
    int n_more;
} build_whole;

static const void *whole_build(const rt_result_row *row)
{
    return &((const build_whole *)row->of)->build;
}

static void whole_write_components(rt_json *json, const char *key, const rt_result_row *row)
{
    const build_whole *whole = row->of;
    routh_component c;
    rt_json_array(json, key);
    for (int k = 0; component(k, whole->more, whole->n_more, &c); k++) {
        rt_json_object(json, NULL);
        rt_result_json(json, &component_table, &(rt_result_row){.of = &c});
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field build_fields[] = {
    {.key = "program", .type = RT_RESULT_TEXT, .write = rt_result_write_program,
     .meaning = "name and version"},
    {.key = "version", .type = RT_RESULT_TEXT, RT_AT(routh_build, version),
     .meaning = "the version alone"},
    {.key = "build_type", .type = RT_RESULT_TEXT, RT_AT(routh_build, type),
     .meaning = "as `Release`"},
    {.key = "compiler", .type = RT_RESULT_TEXT, RT_AT(routh_build, compiler),
     .meaning = "name and version of the compiler"},
    {.key = "licence", .type = RT_RESULT_TEXT, RT_AT(routh_build, licence),
     .meaning = "that the program is under with all it has loaded, as an SPDX expression"},
    {.key = "licence_why", .type = RT_RESULT_TEXT, RT_AT(routh_build, licence_why),
     .meaning = "a sentence"},
    {.key = "kernels", .type = RT_RESULT_TEXT, RT_AT(routh_build, kernels),
     .meaning = "which processor's kernels OpenBLAS has chosen, as `Haswell`"},
    {.key = "kernels_advice", .type = RT_RESULT_TEXT, RT_AT(routh_build, kernels_advice),
     .nullable = true, .meaning = "a sentence where the processor has faster ones"},
};
static const rt_result_table build_table = {"build", "", "", RT_FIELDS(build_fields)};

static const rt_result_field version_fields[] = {
    {.type = RT_RESULT_PART, .items = &build_table, .part = whole_build},
    {.key = "components", .type = RT_RESULT_LIST, .items = &component_table,
     .write = whole_write_components, .meaning = "the libraries that it uses"},
};
const rt_result_table rt_version_document = {"version", "routh version --json", "",
                                             RT_FIELDS(version_fields)};

routh_status routh_build_json(const routh_component *more, int n_more, routh_text *text,
                              routh_error *error)
{
    const build_whole whole = {routh_build_info(), more, n_more};
    return rt_result_document_json(&rt_version_document, &(rt_result_row){.of = &whole}, text,
                                   error);
}
