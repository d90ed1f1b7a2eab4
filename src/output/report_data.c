#include "output/report_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/model.h"
#include "output/report_flexible.h"
#include "output/sensitivity_parts.h"

/* Motion is for drawing only: so many digits, so many modes, and so many numbers in all are enough.
 */
enum { MOTION_DIGITS = 9, MOTION_MODES = 50, MOTION_MARKERS = 100000, MOST_LINES = 2000 };

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

static void bodies(rt_json *json, const routh_model *model)
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
                       const char *type, const char *name, const int ends[2])
{
    rt_json_flat_object(json, NULL);
    rt_json_string(json, "kind", kind);
    rt_json_string(json, "type", type);
    rt_json_string(json, "name", name);
    rt_json_flat_array(json, "markers");
    for (int k = 0; k < 2; k++) rt_json_string(json, NULL, marker_name(results->model, ends[k]));
    rt_json_end(json);
}

/* The axis that is drawn: of a motion the one that is driven, else the joint's z. */
static int drawn_axis(const rt_joint *joint)
{
    return joint->type == RT_JOINT_MOTION ? (int)joint->coordinate[0] % 3 : 2;
}

/* The type's name as the operating point gives it: reactions are those of the joints, then of the
 * loads. */
static const char *type_of(const routh_operating_point *point, int index)
{
    return index < point->n_reactions && point->reactions[index].type ? point->reactions[index].type
                                                                      : "";
}

static void connections(rt_json *json, const routh_results *results)
{
    const routh_model *model = results->model;
    rt_json_array(json, "connections");
    for (int i = 0; i < model->n_joints; i++) {
        const rt_joint *joint = &model->joints[i];
        connection(json, results, "joint", type_of(results->point, i), joint->name, joint->markers);
        if (joint->markers[0] >= RT_GROUND)
            axis(json, results, joint->markers[0], joint->triad, drawn_axis(joint));
        rt_json_end(json);
    }
    for (int i = 0; i < model->n_loads; i++) {
        const rt_load *load = &model->loads[i];
        connection(json, results, "load", type_of(results->point, model->n_joints + i), load->name,
                   load->markers);
        if (load->type == RT_LOAD_TORSION_SPRING)
            axis(json, results, load->markers[0], load->triad, 2);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- modes --------------------------------------------------------------------------------- */

/* Conjugates move alike: the one with a negative imaginary part is not drawn. */
static bool is_drawn(const routh_modes *modes, int i)
{
    return modes->modes[i].eigenvalue[1] >= 0 || modes->modes[i].conjugate == i;
}

/* How many modes may carry their motion. */
static int modes_with_motion(const routh_results *results, rt_drawing *drawing)
{
    const int n_markers = results->linear->n_markers;
    const int fit = n_markers > 0 ? MOTION_MARKERS / n_markers : MOTION_MODES;
    const int most = fit < 1 ? 1 : fit < MOTION_MODES ? fit : MOTION_MODES;
    return rt_drawing_modes(drawing, results->modes, most, is_drawn);
}

static int n_drawn(const routh_modes *modes)
{
    int n = 0;
    for (int i = 0; i < modes->n; i++) n += is_drawn(modes, i);
    return n;
}

static void motion(rt_json *json, const routh_linear *linear, const routh_mode *mode)
{
    rt_json_array(json, "motion");
    for (int k = 0; k < linear->n_markers; k++) {
        double of_marker[12];
        routh_mode_marker(linear, mode, k, of_marker);
        rt_json_reals_short(json, NULL, of_marker, 12, MOTION_DIGITS);
    }
    rt_json_end(json);
}

static void energy_shares(rt_json *json, const routh_linear *linear, const routh_mode *mode,
                          rt_shares *shares)
{
    rt_json_object(json, "shares");
    for (int kind = ROUTH_ENERGY_KINETIC; kind <= ROUTH_ENERGY_DISSIPATION; kind++) {
        rt_shares_of(shares, linear, mode, (routh_energy_kind)kind);
        rt_json_flat_array(json, rt_energy_names[kind]);
        for (int i = 0; i < shares->n; i++) {
            rt_json_flat_object(json, NULL);
            rt_json_string(json, "name", linear->shares[shares->order[i]].name);
            rt_json_real(json, "fraction", shares->fractions[shares->order[i]]);
            rt_json_end(json);
        }
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void mode_numbers(rt_json *json, const routh_mode *mode)
{
    /* the imaginary part as it is: pairs are told by its sign */
    const double shown[2] = {rt_eigenvalue_part(mode, 0), mode->eigenvalue[1]};
    rt_json_reals(json, "eigenvalue", shown, 2);
    rt_json_real(json, "undamped_frequency_hz", mode->undamped_frequency_hz);
    rt_json_real(json, "damped_frequency_hz", mode->damped_frequency_hz);
    rt_json_real(json, "damping_ratio", shown[0] == 0 ? 0 : mode->damping_ratio);
    rt_json_bool(json, "rigid", mode->rigid);
    rt_json_real(json, "control", mode->control);
    rt_json_real_or_null(json, "error_bound", mode->error_bound);
    rt_json_int(json, "multiplicity", mode->multiplicity);
    rt_json_int(json, "conjugate", mode->conjugate);
}

static void modes_list(rt_json *json, const routh_results *results, rt_shares *shares,
                       rt_drawing *drawing, int left)
{
    const routh_modes *modes = results->modes;
    rt_json_array(json, "modes");
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *mode = &modes->modes[i];
        rt_json_object(json, NULL);
        mode_numbers(json, mode);
        if (is_drawn(modes, i) && left > 0) {
            left--;
            motion(json, results->linear, mode);
            if (results->linear->n_flexible) rt_json_flexible_mode(json, drawing, mode);
        }
        energy_shares(json, results->linear, mode, shares);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void operating_point(rt_json *json, const routh_results *results)
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

static void warnings(rt_json *json, const routh_results *results, int with)
{
    char more[RT_WARNING_SIZE];
    const int all = n_drawn(results->modes);
    snprintf(more, sizeof more,
             "the model is large: only the %d lowest of the %d modes are animated here; all "
             "eigenvalues are listed",
             with, all);
    rt_json_warnings(json, results, with < all ? more : NULL);
}

/* order: room for the parameters of the sensitivities. */
static void write(rt_json *json, const routh_results *results, rt_shares *shares,
                  rt_drawing *drawing, int *order)
{
    const routh_model *model = results->model;
    const int with = modes_with_motion(results, drawing);
    rt_json_object(json, NULL);
    rt_json_origin(json, results);
    rt_json_string(json, "description", model->description ? model->description : "");
    rt_json_method(json, results);
    reals_of(json, "gravity", model->gravity, 3);
    operating_point(json, results);
    warnings(json, results, with);
    parameters(json, model);
    rt_json_states(json, results->linear);
    bodies(json, model);
    markers(json, results);
    connections(json, results);
    if (results->linear->n_flexible) rt_json_flexible(json, drawing);
    modes_list(json, results, shares, drawing, with);
    if (results->response) {
        rt_json_object(json, "response");
        rt_json_response(json, results->response);
        rt_json_end(json);
    }
    if (results->sweep) {
        rt_json_object(json, "sweep");
        rt_json_report_sweep(json, results);
        rt_json_end(json);
    }
    if (results->sensitivities) {
        rt_json_object(json, "sensitivity");
        rt_json_sensitivities(json, results->sensitivities, order);
        rt_json_end(json);
    }
    if (results->confirmation) {
        rt_json_object(json, "confirmation");
        rt_json_confirmation(json, results->confirmation, MOST_LINES);
        rt_json_end(json);
    }
    rt_json_end(json);
}

routh_status rt_report_data(const routh_results *results, rt_json *json, routh_error *error)
{
    rt_shares shares;
    rt_drawing *drawing;
    const int n = results->sensitivities ? results->sensitivities->n_parameters : 0;
    int *order = calloc((size_t)n + 1, sizeof *order);
    if (!order) return rt_fail_memory(error);
    routh_status status = rt_shares_create(&shares, results->linear, error);
    if (status) {
        free(order);
        return status;
    }
    status = rt_drawing_create(&drawing, results->linear, error);
    if (!status) write(json, results, &shares, drawing, order);
    rt_drawing_free(drawing);
    rt_shares_free(&shares);
    free(order);
    return status ? status : rt_json_finish(json, error);
}
