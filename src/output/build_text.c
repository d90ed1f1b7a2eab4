/* The build as a table and as JSON. */
#include "base/json.h"
#include "output/heading.h"
#include "output/results.h"
#include "output/table.h"
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

static void built_in(rt_text *out, const routh_component *more, int n_more)
{
    static const char *const heads[] = {"library", "version", "licence", "for"};
    rt_table table = {.align = "llll"};
    routh_component c;
    rt_text_append(out, "\n");
    rt_table_heads(&table, heads);
    for (int k = 0; component(k, more, n_more, &c); k++) {
        if (!c.present) continue;
        rt_table_cell(&table, c.name);
        rt_table_cell(&table, c.version);
        rt_table_cell(&table, c.licence);
        rt_table_cell(&table, c.purpose);
    }
    rt_table_write(&table, out);
}

static void build_left_out(rt_text *out, const routh_component *more, int n_more)
{
    static const char *const heads[] = {"not built in", "Debian package", "without it"};
    rt_table table = {.align = "lll"};
    routh_component c;
    int n = 0;
    for (int k = 0; component(k, more, n_more, &c); k++) {
        if (c.present) continue;
        if (!n++) {
            rt_text_append(out, "\n");
            rt_table_heads(&table, heads);
        }
        rt_table_cell(&table, c.name);
        rt_table_cell(&table, c.package);
        rt_table_cell(&table, c.without);
    }
    rt_table_write(&table, out);
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
    built_in(&out, more, n_more);
    build_left_out(&out, more, n_more);
    return rt_results_hand_over(&out, text, error);
}

static void component_json(rt_json *json, const routh_component *c)
{
    rt_json_object(json, NULL);
    rt_json_string(json, "name", c->name);
    rt_json_bool(json, "present", c->present);
    rt_json_string(json, "version", c->version[0] ? c->version : NULL);
    rt_json_string(json, "licence", c->licence);
    rt_json_string(json, "purpose", c->purpose);
    rt_json_string(json, "without", c->without);
    rt_json_string(json, "package", c->package);
    rt_json_end(json);
}

routh_status routh_build_json(const routh_component *more, int n_more, routh_text *text,
                              routh_error *error)
{
    const routh_build build = routh_build_info();
    rt_json json = {0};
    routh_component c;
    *text = (routh_text){0};
    rt_json_object(&json, NULL);
    rt_json_string(&json, "program", "routh " ROUTH_VERSION);
    rt_json_string(&json, "version", build.version);
    rt_json_string(&json, "build_type", build.type);
    rt_json_string(&json, "compiler", build.compiler);
    rt_json_string(&json, "licence", build.licence);
    rt_json_string(&json, "licence_why", build.licence_why);
    rt_json_array(&json, "components");
    for (int k = 0; component(k, more, n_more, &c); k++) component_json(&json, &c);
    rt_json_end(&json);
    rt_json_end(&json);
    const routh_status status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
