#define _POSIX_C_SOURCE 200809L
#include "model/angles.h"
#include "model/controller_class.h"
#include "model/document.h"
#include "model/placing.h"
#include "model/reader.h"
#include "model/retake.h"
#include "model/rod.h"
#include "model/scope.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/identity.h"
#include "base/suggest.h"

/* ---- the file's bytes ------------------------------------------------------------------------ */

enum { MEBIBYTE = 1024 * 1024, SIZE_LIMIT = 256 };

typedef struct bytes {
    char *data;
    size_t length, room;
} bytes;

static routh_status read_fail_file(routh_error *error, const char *path, int code)
{
    char reason[128] = "it cannot be read";
    if (code && strerror_r(code, reason, sizeof reason))
        snprintf(reason, sizeof reason, "error %d", code);
    return rt_fail_at(error, ROUTH_FILE_ERROR, path, (rt_place){0}, NULL,
                      "the model file cannot be read: %s", reason);
}

static routh_status read_stream(bytes *b, FILE *stream, const char *path, routh_error *error)
{
    const size_t limit = (size_t)SIZE_LIMIT * MEBIBYTE;
    for (;;) {
        if (b->length > limit)
            return rt_fail_at(error, ROUTH_LIMIT_EXCEEDED, path, (rt_place){0}, NULL,
                              "the file is larger than %d MiB, the most that is read",
                              (int)SIZE_LIMIT);
        if (b->length == b->room) {
            const size_t doubled = b->room ? 2 * b->room : MEBIBYTE;
            const size_t room = doubled < limit + 1 ? doubled : limit + 1;
            char *data = realloc(b->data, room);
            if (!data) return rt_fail_memory(error);
            b->data = data;
            b->room = room;
        }
        errno = 0;
        const size_t n = fread(b->data + b->length, 1, b->room - b->length, stream);
        b->length += n;
        if (n) continue;
        return ferror(stream) ? read_fail_file(error, path, errno) : ROUTH_OK;
    }
}

routh_status rt_model_read(routh_model **model, const char *path,
                           const routh_model_options *options, const rt_loop_closer *closer,
                           routh_error *error)
{
    if (!model) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the place for the model is NULL");
    *model = NULL;
    if (!path) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the path of the model file is NULL");
    const bool standard = !strcmp(path, "-");
    const char *name = standard ? "standard input" : path;
    errno = 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream) return read_fail_file(error, name, errno);
    bytes b = {0};
    routh_status status = read_stream(&b, stream, name, error);
    if (!standard) fclose(stream);
    if (!status) status = rt_model_parse(model, b.data, b.length, name, options, closer, error);
    free(b.data);
    return status;
}

/* ---- the model ------------------------------------------------------------------------------- */

void routh_model_free(routh_model *model)
{
    if (!model) return;
    rt_graph_free(model->graph);
    rt_close_plugins(model);
    rt_arena arena = model->arena;
    rt_arena_free(&arena);
    free(model);
}

static int read_count_of(const rt_yaml *section) { return section ? section->count : 0; }

/* Joints or loads that may have markers of their own. */
static int count_with_own(const rt_yaml *section)
{
    int n = 0;
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next)
        if (entry->kind == RT_YAML_MAPPING &&
            (rt_yaml_find(entry, "at") || rt_yaml_find(entry, "axis")))
            n++;
    return n;
}

static bool read_take_tables(rt_reader *r, const rt_written_model *w, const rt_rod_set *rods)
{
    routh_model *m = r->model;
    struct rt_model_index *x = r->index;
    m->n_bodies = read_count_of(w->bodies) + rods->n_nodes;
    m->n_joints = read_count_of(w->joints) + rods->n_kept;
    m->n_loads = read_count_of(w->loads) + rods->n_elements;
    r->n_user_points = m->n_markers = m->n_bodies + read_count_of(w->markers);
    r->marker_room =
        m->n_markers + rods->n_nodes + 2 * (count_with_own(w->joints) + count_with_own(w->loads));
    m->bodies = RT_TAKE(&m->arena, rt_body, m->n_bodies);
    m->markers = RT_TAKE(&m->arena, rt_marker, r->marker_room);
    m->joints = RT_TAKE(&m->arena, rt_joint, m->n_joints);
    m->loads = RT_TAKE(&m->arena, rt_load, m->n_loads);
    r->places = RT_TAKE(&r->scratch, rt_body_place, m->n_bodies);
    for (int b = 0; r->places && b < m->n_bodies; b++) r->places[b].relative_to = RT_NOT_RELATIVE;
    return r->places && m->bodies && m->markers && m->joints && m->loads &&
           rt_names_init(&x->points, r->n_user_points + 2 * rods->n, &m->arena) &&
           rt_names_init(&x->joints, m->n_joints, &m->arena) &&
           rt_names_init(&x->loads, m->n_loads, &m->arena);
}

/* The names of joints and loads are known before any of them is read, so that each may speak of
 * any. */
static routh_status read_name_elements(rt_reader *r, const rt_written_model *w)
{
    routh_model *m = r->model;
    int k = 0;
    for (const rt_yaml *entry = w->joints ? w->joints->first : NULL; entry;
         entry = entry->next, k++) {
        m->joints[k].name = rt_arena_text(&m->arena, entry->key, strlen(entry->key));
        if (!m->joints[k].name) return rt_fail_memory(r->error);
        rt_names_add(&r->index->joints, m->joints[k].name, k);
    }
    k = 0;
    for (const rt_yaml *entry = w->loads ? w->loads->first : NULL; entry;
         entry = entry->next, k++) {
        m->loads[k].name = rt_arena_text(&m->arena, entry->key, strlen(entry->key));
        if (!m->loads[k].name) return rt_fail_memory(r->error);
        rt_names_add(&r->index->loads, m->loads[k].name, k);
    }
    return ROUTH_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void read_set_defaults(rt_written_model *w)
{
    *w = (rt_written_model){0};
    w->gravity[0] = w->gravity[1] = w->gravity[2] = w->time = rt_plain(0);
    w->simulate.end = w->simulate.every = w->simulate.tolerance = rt_plain(0);
    w->simulate.step = w->simulate.largest_step = rt_plain(0);
    w->steady.turn_rate = rt_plain(NAN); /* not given */
}

/* What results are headed with where no title is written: the name of the file without its folder
 * and ending; "" where it is no model file's, as of a model that a program builds. */
static const char *title_of_file(routh_model *m)
{
    static const char *const endings[] = {".yaml", ".yml", ".json"};
    const char *slash = strrchr(m->file, '/');
    const char *name = slash ? slash + 1 : m->file;
    const size_t n = strlen(name);
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        const size_t tail = strlen(endings[k]);
        if (n > tail && strcmp(name + n - tail, endings[k]) == 0)
            return rt_arena_text(&m->arena, name, n - tail);
    }
    return "";
}

static routh_status read_finish(rt_reader *r, const rt_written_model *w)
{
    routh_model *m = r->model;
    m->written_title = w->title ? w->title : "";
    m->title = w->title ? w->title : title_of_file(m);
    if (!m->title) return rt_fail_memory(r->error);
    m->description = w->description ? w->description : "";
    memcpy(m->gravity, w->gravity, sizeof m->gravity);
    m->operating_point = (rt_operating_point)w->operating_point;
    m->accept_unstable = w->accept_unstable;
    m->reference = RT_GROUND;
    m->reference_given = w->reference.text;
    routh_status status = ROUTH_OK;
    rt_reader_element(r, "linearize", "");
    if (w->reference.text) status = rt_find_point(r, w->reference, "reference", &m->reference);
    if (!status) status = rt_read_states(r, w);
    if (!status) status = rt_read_steady(r, w);
    if (!status) status = rt_keep_signal_units(r);
    if (!status) status = rt_mark_used_inputs(r);
    if (!status) status = rt_find_kinks(r);
    if (status) return status;
    status = rt_finish_angles(r);
    if (!status) status = rt_place_start(r);
    if (!status) status = rt_keep_quantities(r);
    m->values_shape = r->places_bodies;
    return status ? status : rt_settle_numbers(m, r->error);
}

static routh_status read_sections(rt_reader *r, const rt_yaml *root, const routh_setting *settings,
                                  size_t n_settings)
{
    rt_written_model w;
    rt_control_set controls = {0};
    rt_rod_set rods;
    rt_given given;
    read_set_defaults(&w);
    r->settings = settings, r->n_settings = n_settings;
    routh_status status = rt_read_units(r, root, &r->model->units);
    if (!status) status = rt_expand_parts(r, root, &root);
    if (status) return status;
    /* parameters first: every other number may need them */
    const rt_yaml *parameters =
        root->kind == RT_YAML_MAPPING ? rt_yaml_find(root, "parameters") : NULL;
    if (parameters && parameters->kind != RT_YAML_MAPPING) parameters = NULL;
    r->joint_section = root->kind == RT_YAML_MAPPING ? rt_yaml_find(root, "joints") : NULL;
    const rt_yaml *steady = root->kind == RT_YAML_MAPPING ? rt_yaml_find(root, "steady") : NULL;
    if (steady && steady->kind == RT_YAML_MAPPING) r->free = rt_yaml_find(steady, "free");
    status = rt_read_parameters(r, parameters, settings, n_settings);
    if (!status && root->kind == RT_YAML_MAPPING)
        status = rt_read_functions(r, rt_yaml_find(root, "functions"));
    if (!status) status = rt_place_parts(r);
    rt_reader_element(r, "", "");
    if (!status) status = rt_read_fields(r, &rt_model_kind, root, &w, &given);
    if (status) return status;
    r->model->time = w.time;
    status = rt_read_rods(r, w.beams, &rods);
    if (status) return status;
    if (!read_take_tables(r, &w, &rods)) return rt_fail_memory(r->error);
    if (!w.bodies && r->model->n_bodies == 0)
        return rt_reader_fail(r, root->place,
                              "the model has no bodies: neither `beams` nor `parts` bring one; "
                              "give it at least one body");
    status = read_name_elements(r, &w);
    if (!status) status = rt_declare_signals(r, &w, &controls);
    if (!status) status = rt_read_bodies(r, w.bodies);
    if (!status)
        status = rt_expand_rods(r, &rods, read_count_of(w.bodies), read_count_of(w.joints),
                                read_count_of(w.loads));
    if (!status) status = rt_read_markers(r, w.markers);
    if (!status) status = rt_read_joints(r, w.joints);
    if (!status) status = rt_read_loads(r, w.loads);
    if (!status) status = rt_read_signals(r, &w, &controls);
    if (!status) status = rt_read_simulation(r, rt_yaml_find(root, "simulate"), &w);
    if (!status) status = rt_read_events(r, w.events);
    return status ? status : read_finish(r, &w);
}

static bool read_start(rt_reader *r, const char *name, routh_error *error)
{
    r->read_function = rt_read_function;
    r->dimension_of = rt_dimension_of_function;
    r->model = calloc(1, sizeof *r->model);
    if (!r->model) return false;
    r->model->identity = rt_identity_new(r->model);
    r->error = error;
    r->wanted = r->function_load = -1;
    r->model->graph = r->calculator.graph = rt_graph_create();
    r->model->file = r->file = rt_arena_text(&r->model->arena, name, strlen(name));
    r->model->index = r->index = RT_TAKE(&r->model->arena, struct rt_model_index, 1);
    return r->model->graph && r->file && r->index;
}

/* What a model is made of: a text, or a tree and then the text that it is written as. */
typedef struct model_source {
    const char *name;
    const char *text;
    size_t length;
    const rt_yaml *tree; /* NULL: of the text */
    const rt_loop_closer *closer;
    rt_given_functions functions;
} model_source;

static routh_status keep_source(rt_reader *r, const model_source *from)
{
    routh_model *m = r->model;
    m->text = rt_arena_text(&m->arena, from->text, from->length);
    m->text_length = from->length;
    m->closer = from->closer;
    if (from->tree) m->tree = rt_tree_copy(from->tree, &m->arena);
    return m->text && (m->tree || !from->tree) ? ROUTH_OK : rt_fail_memory(r->error);
}

static routh_status keep_settings(rt_reader *r, const routh_setting *settings, size_t n)
{
    routh_model *m = r->model;
    routh_setting *kept = RT_TAKE(&m->arena, routh_setting, n);
    if (!kept) return rt_fail_memory(r->error);
    for (size_t k = 0; k < n; k++) {
        const char *name = settings[k].name ? settings[k].name : "";
        const char *value = settings[k].value ? settings[k].value : "";
        kept[k] = (routh_setting){rt_arena_text(&m->arena, name, strlen(name)),
                                  rt_arena_text(&m->arena, value, strlen(value))};
        if (!kept[k].name || !kept[k].value) return rt_fail_memory(r->error);
    }
    m->settings = kept, m->n_settings = n;
    return ROUTH_OK;
}

static routh_status make_model(routh_model **model, const model_source *from,
                               const routh_setting *settings, size_t n_settings, routh_error *error)
{
    const rt_yaml *root = NULL;
    rt_reader *r = calloc(1, sizeof *r);
    if (!r) return rt_fail_memory(error);
    routh_status status =
        read_start(r, from->name, error) ? keep_source(r, from) : rt_fail_memory(error);
    if (!status && n_settings) status = keep_settings(r, settings, n_settings);
    if (!status && !from->tree)
        status = rt_yaml_parse(&root, from->text, from->length, r->file, &r->scratch, error);
    if (!status) status = rt_keep_functions(r, &from->functions);
    if (!status)
        status = read_sections(r, from->tree ? r->model->tree : root, settings, n_settings);
    if (status)
        routh_model_free(r->model);
    else
        *model = r->model;
    rt_arena_free(&r->scratch);
    free(r->quantities);
    free(r->angles);
    free(r->quantity_table);
    free(r->uses);
    free(r);
    return status;
}

static rt_given_functions read_given(const routh_model_options *o)
{
    return (rt_given_functions){o->functions, o->n_functions, o->allow_plugins != 0};
}

routh_status rt_model_parse(routh_model **model, const char *text, size_t length, const char *name,
                            const routh_model_options *options, const rt_loop_closer *closer,
                            routh_error *error)
{
    if (!model) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the place for the model is NULL");
    *model = NULL;
    if ((!text && length) || (!options->settings && options->n_settings))
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "text or settings is NULL");
    const model_source from = {name ? name : "model", text ? text : "", length, NULL, closer,
                               read_given(options)};
    return make_model(model, &from, options->settings, options->n_settings, error);
}

routh_status rt_model_build(routh_model **model, const routh_document *document,
                            const routh_model_options *options, const rt_loop_closer *closer,
                            routh_error *error)
{
    if (!model) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the place for the model is NULL");
    *model = NULL;
    if (!document || (!options->settings && options->n_settings))
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "document or settings is NULL");
    routh_text text = {0};
    model_source from = {
        .name = rt_document_name(document), .closer = closer, .functions = read_given(options)};
    routh_status status = rt_document_root(document, &from.tree, error);
    if (!status) status = routh_document_write(document, &text, error);
    from.text = text.bytes, from.length = text.length;
    if (!status) status = make_model(model, &from, options->settings, options->n_settings, error);
    routh_text_free(&text);
    return status;
}

routh_status rt_model_again(routh_model **model, const routh_model *of,
                            const routh_setting *settings, size_t n_settings, routh_error *error)
{
    const model_source from = {of->file, of->text,   of->text_length,
                               of->tree, of->closer, of->given};
    const size_t n_own = of->n_settings, n = n_own + n_settings;
    *model = NULL;
    routh_setting *all = calloc(n + 1, sizeof *all);
    if (!all) return rt_fail_memory(error);
    if (n_own) memcpy(all, of->settings, n_own * sizeof *all);
    if (n_settings) memcpy(all + n_own, settings, n_settings * sizeof *all);
    const routh_status status = make_model(model, &from, all, n, error);
    free(all);
    return status;
}

/* ---- names to indices, for the rooms above --------------------------------------------------- */

int rt_model_find_marker(const routh_model *model, const char *name)
{
    if (!strcmp(name, "ground")) return RT_GROUND;
    const int k = rt_names_find(&model->index->points, name);
    return k < 0 ? -2 : k;
}

int rt_model_find_joint(const routh_model *model, const char *name)
{
    const int k = rt_names_find(&model->index->joints, name);
    return k < 0 ? -2 : k;
}

int rt_model_find_load(const routh_model *model, const char *name)
{
    const int k = rt_names_find(&model->index->loads, name);
    return k < 0 ? -2 : k;
}

void routh_text_free(routh_text *text)
{
    if (!text) return;
    free(text->bytes);
    *text = (routh_text){0};
}
