#include "output/report_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/joint_class.h"
#include "model/load_class.h"
#include "model/shape.h"
#include "output/report_flexible.h"
#include "output/report_modes.h"
#include "output/report_paths.h"
#include "output/sensitivity_parts.h"

enum { MOST_LINES = 2000, MESH_DIGITS = 6 };

/* ---- the model ----------------------------------------------------------------------------- */

static void reals_of(rt_json *json, const char *key, const rt_number *numbers, int n)
{
    double values[9];
    for (int k = 0; k < n; k++) values[k] = numbers[k].value;
    rt_json_reals(json, key, values, n);
}

static void parameters(rt_json *json, const routh_model *model)
{
    rt_json_array(json, "parameters");
    for (int i = 0; i < model->n_parameters; i++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", model->parameters[i].name);
        rt_json_real(json, "value", model->parameters[i].number.value);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* "outline": x and y of each corner, by turns. */
static void report_data_outline(rt_json *json, const rt_shape *shape)
{
    rt_json_flat_array(json, "outline");
    for (int k = 0; k < 2 * shape->n_outline; k++)
        rt_json_real(json, NULL, shape->outline[k].value);
    rt_json_end(json);
}

/* "shape": its kind, sizes in m, place and axes in those of the body. */
static void report_data_shape(rt_json *json, const rt_shape *shape)
{
    rt_json_flat_object(json, "shape");
    rt_json_string(json, "kind", rt_shape_name(shape->kind));
    reals_of(json, "size", shape->size, rt_shape_sizes(shape->kind));
    reals_of(json, "position", shape->position, 3);
    reals_of(json, "orientation", shape->orientation, 9);
    if (shape->outline) report_data_outline(json, shape);
    if (shape->mesh) {
        rt_json_int(json, "mesh", shape->mesh->number);
        rt_json_reals(json, "origin", shape->origin, 3);
    }
    if (shape->color) rt_json_string(json, "color", shape->color);
    rt_json_end(json);
}

/* "meshes": points in m, and the three points of each triangle; by their numbers. */
static void report_data_meshes(rt_json *json, const routh_model *model)
{
    if (!model->meshes) return;
    rt_json_array(json, "meshes");
    for (int k = 0; k <= model->meshes->number; k++) {
        const rt_mesh *mesh = model->meshes;
        while (mesh->number != k) mesh = mesh->next;
        rt_json_flat_object(json, NULL);
        rt_json_reals_short(json, "points", mesh->points, 3 * mesh->n_points, MESH_DIGITS);
        rt_json_flat_array(json, "triangles");
        for (int i = 0; i < 3 * mesh->n_triangles; i++)
            rt_json_int(json, NULL, mesh->triangles[i]);
        rt_json_end(json);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void report_data_bodies(rt_json *json, const routh_model *model)
{
    rt_json_array(json, "bodies");
    rt_json_flat_object(json, NULL);
    rt_json_string(json, "name", "ground");
    rt_json_end(json);
    for (int i = 0; i < model->n_bodies; i++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", model->bodies[i].name);
        const rt_flexible *flexible = model->bodies[i].flexible;
        rt_json_real(json, "mass", flexible ? flexible->mass : model->bodies[i].mass.value);
        if (!flexible) reals_of(json, "inertia", model->bodies[i].inertia, 9);
        if (model->bodies[i].shape) report_data_shape(json, model->bodies[i].shape);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* The model's marker that the linear model's marker k is, or NULL: mostly the one at the same place
 * in the list. */
static const rt_marker *marker_of(const routh_results *results, int k)
{
    const routh_model *model = results->model;
    const char *name = results->linear->markers[k].name;
    for (int i = k - 1; i <= k + 1; i++)
        if (i >= 0 && i < model->n_markers && strcmp(model->markers[i].name, name) == 0)
            return &model->markers[i];
    const int i = rt_model_find_marker(model, name);
    return i >= 0 ? &model->markers[i] : NULL;
}

static void markers(rt_json *json, const routh_results *results)
{
    rt_json_array(json, "markers");
    for (int k = 0; k < results->linear->n_markers; k++) {
        const routh_marker_motion *motion = &results->linear->markers[k];
        const rt_marker *marker = marker_of(results, k);
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", motion->name);
        rt_json_string(json, "body", motion->body);
        rt_json_reals(json, "position", motion->position, 3);
        rt_json_reals(json, "orientation", motion->orientation, 9);
        rt_json_bool(json, "implicit", marker && marker->implicit);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- connections --------------------------------------------------------------------------- */

static const char *marker_name(const routh_model *model, int marker)
{
    if (marker == RT_GROUND) return "ground";
    return marker >= 0 && marker < model->n_markers ? model->markers[marker].name : NULL;
}

/* Column k of the triad of a joint or load, in world components at the operating point. */
static void axis(rt_json *json, const routh_results *results, int marker, const double triad[9],
                 int k)
{
    const routh_model *model = results->model;
    double world[3], local[3], in_body[3], A[9];
    rt_m3_column(local, triad, k);
    if (marker >= 0 && marker < model->n_markers) {
        const rt_marker *on = &model->markers[marker];
        for (int i = 0; i < 9; i++) A[i] = on->orientation[i].value;
        rt_m3_mul_v(in_body, A, local);
        if (on->body >= 0 && on->body < results->point->n_bodies)
            rt_m3_mul_v(world, results->point->bodies[on->body].orientation, in_body);
        else
            rt_v3_copy(world, in_body);
    } else {
        rt_v3_copy(world, local);
    }
    rt_json_reals(json, "axis", world, 3);
}

static void connection(rt_json *json, const routh_results *results, const char *kind,
                       const char *type, const char *name, const int *markers, int n)
{
    rt_json_flat_object(json, NULL);
    rt_json_string(json, "kind", kind);
    rt_json_string(json, "type", type);
    rt_json_string(json, "name", name);
    rt_json_flat_array(json, "markers");
    for (int k = 0; k < n; k++) rt_json_string(json, NULL, marker_name(results->model, markers[k]));
    rt_json_end(json);
}

/* The axis that is drawn: of a motion the one that is driven, else the joint's z. */
static int drawn_axis(const rt_joint *joint)
{
    return joint->class->drives ? (int)joint->coordinate[0] % 3 : 2;
}

/* The type's name as the operating point gives it: reactions are those of the joints, then of the
 * loads. */
static const char *report_data_type_of(const routh_operating_point *point, int index)
{
    return index < point->n_reactions && point->reactions[index].type ? point->reactions[index].type
                                                                      : "";
}

static const char *const report_data_pictures[] = {[RT_PICTURE_PLAIN] = "plain",
                                       [RT_PICTURE_COIL] = "coil",
                                       [RT_PICTURE_RING] = "ring",
                                       [RT_PICTURE_RUBBER] = "rubber",
                                       [RT_PICTURE_ARROW] = "arrow"};

static void connections(rt_json *json, const routh_results *results)
{
    const routh_model *model = results->model;
    rt_json_array(json, "connections");
    for (int i = 0; i < model->n_joints; i++) {
        const rt_joint *joint = &model->joints[i];
        connection(json, results, "joint", report_data_type_of(results->point, i), joint->name,
                   joint->markers, 2);
        rt_json_string(json, "picture", joint->class->picture);
        if (joint->markers[0] >= RT_GROUND)
            axis(json, results, joint->markers[0], joint->triad, drawn_axis(joint));
        rt_json_end(json);
    }
    for (int i = 0; i < model->n_loads; i++) {
        const rt_load *load = &model->loads[i];
        const int *on, n_on = rt_markers_of_load(load, &on);
        connection(json, results, "load", report_data_type_of(results->point, model->n_joints + i),
                   load->name, on, n_on);
        const rt_load_class *class = rt_load_class_of(load->type);
        rt_json_string(json, "picture", report_data_pictures[class->picture]);
        if (class->about_axis)
            axis(json, results, load->markers[0], load->triad, 2);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void report_data_operating_point(rt_json *json, const routh_results *results)
{
    const routh_operating_point *point = results->point;
    rt_json_object(json, "operating_point");
    rt_json_string(json, "type", rt_operating_type_name(point->type));
    rt_json_real(json, "time", point->time);
    rt_json_real(json, "residual", results->linear->residual);
    rt_json_bool(json, "at_rest", results->linear->at_rest);
    rt_json_bool(json, "steady", results->linear->steady);
    rt_json_body_states(json, "bodies", point);
    rt_json_reactions(json, "joints", point, false);
    rt_json_redundant(json, point);
    if (point->n_signals > 0) rt_json_signals(json, point);
    rt_json_end(json);
}

static void warnings(rt_json *json, const routh_results *results, const rt_report_modes *modes)
{
    char more[RT_WARNING_SIZE];
    snprintf(more, sizeof more,
             "the model is large: the motion of %d of the %d modes is stored here, of the unstable, "
             "the least damped and the lowest; report --animate stores that of others; all "
             "eigenvalues are listed",
             modes->n_animated, modes->n_drawn);
    rt_json_warnings(json, results, modes->n_animated < modes->n_drawn ? more : NULL);
}

/* order: room for the parameters of the sensitivities, and for the terms of the comparison; csv:
 * the modes, for the page to save. */
static void report_data_write(rt_json *json, const routh_results *results, rt_report_modes *modes,
                              int *order, const routh_text *csv)
{
    const routh_model *model = results->model;
    rt_json_object(json, NULL);
    rt_json_origin(json, results);
    rt_json_string(json, "description", model->description ? model->description : "");
    rt_json_method(json, results);
    reals_of(json, "gravity", model->gravity, 3);
    report_data_operating_point(json, results);
    warnings(json, results, modes);
    parameters(json, model);
    rt_json_states(json, results->linear);
    report_data_bodies(json, model);
    report_data_meshes(json, model);
    markers(json, results);
    connections(json, results);
    if (results->linear->n_flexible) rt_json_flexible(json, modes->drawing);
    rt_json_report_modes(json, modes);
    rt_json_string(json, "modes_csv", csv->bytes);
    if (results->response) {
        rt_json_object(json, "response");
        rt_json_response(json, results);
        rt_json_end(json);
    }
    if (results->sweep) {
        rt_json_object(json, "sweep");
        rt_json_report_sweep(json, results);
        rt_json_end(json);
    }
    if (results->floquet) {
        rt_json_object(json, "floquet");
        rt_json_report_floquet(json, results->floquet);
        rt_json_end(json);
    }
    if (results->comparison && results->second) {
        rt_json_object(json, "comparison");
        rt_json_report_comparison(json, results, order);
        rt_json_end(json);
    }
    if (results->sensitivities) {
        rt_json_object(json, "sensitivity");
        rt_json_sensitivities(json, results->sensitivities, order);
        rt_json_end(json);
    }
    if (results->verification) {
        rt_json_object(json, "verification");
        rt_json_confirmation(json, results->verification, MOST_LINES);
        rt_json_end(json);
    }
    if (results->check) {
        rt_json_object(json, "check");
        rt_json_check(json, results->check);
        rt_json_end(json);
    }
    if (results->animation) rt_json_report_paths(json, modes);
    rt_json_end(json);
}

routh_status rt_report_data(const routh_results *results, rt_json *json, routh_error *error)
{
    rt_report_modes modes;
    const routh_comparison *c = results->comparison;
    const int n = (results->sensitivities ? results->sensitivities->n_parameters : 0) +
                  (c ? c->n_terms + c->n_parameters : 0);
    int *order = calloc((size_t)n + 1, sizeof *order);
    if (!order) return rt_fail_memory(error);
    routh_text csv = {0};
    routh_status status = rt_report_modes_create(&modes, results, error);
    if (!status) status = routh_modes_csv(results, &csv, error);
    if (!status) report_data_write(json, results, &modes, order, &csv);
    rt_report_modes_free(&modes);
    routh_text_free(&csv);
    free(order);
    return status ? status : rt_json_finish(json, error);
}
