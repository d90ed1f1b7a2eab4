#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "entry/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "routh/routh.h"

enum { MOST_VALUES = 200, MOST_NUMBERS = 4000, LONGEST_FOLDER = 200, LONGEST_PATH = 300 };

static char folder[LONGEST_FOLDER];

/* Two pendulums that differ in a length alone: all sizes agree. */
static const char *const pendulum =
    "parameters: {l: 1, c: 0.1}\n"
    "inputs: {torque: {value: 0, unit: N m}}\n"
    "outputs: {height: {expression: DZ(bob), unit: m}}\n"
    "bodies: {bob: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, -l]}}\n"
    "joints: {pin: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}}\n"
    "loads: {damper: {type: torque, on: bob, components: [0, torque - c*WY(bob), 0]},\n"
    "        spring: {type: torsion_spring, between: [bob, ground], at: [0, 0, 0],\n"
    "                 axis: y, stiffness: 3}}\n"
    "operating_point: {type: static}\n"
    "linearize: {states: [bob.ry]}\n";

/* Linearizers take neither inputs nor outputs. */
static const char *const plain =
    "parameters: {l: 1}\n"
    "bodies: {bob: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, -l]}}\n"
    "joints: {pin: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}}\n"
    "operating_point: {type: static}\n";

typedef struct side {
    routh_model *model, *plain_model;
    routh_mechanism *mechanism, *tree, *plain;
    routh_operating_point *point, *tree_point, *plain_point;
    routh_linear *linear;
    routh_modes *modes, *selected;
    routh_descriptor *descriptor;
    routh_response *response;
    routh_simulation *simulation;
    routh_channels *channels;
    routh_linearizer *linearizer;
    routh_parametric *parametric;
    routh_joint_space *space;
    routh_dynamics *dynamics;
    routh_compared compared;
    routh_results results;
} side;

typedef struct sample {
    const char *function, *name, *type; /* NULL: any */
    call_value value;
} sample;

static struct {
    char path[12][LONGEST_PATH];
    int n_paths;
    side side[2];
    struct {
        routh_model *model;
        routh_mechanism *mechanism;
        routh_operating_point *point;
        routh_linear *linear;
        routh_modes *modes;
    } link; /* with flexible bodies */
    routh_comparison *comparison;
    routh_energy_forms *forms;
    routh_symbolic *symbolic;
    routh_stability_chart *chart;
    routh_certificate *certificate;
    routh_sweep *sweep;
    routh_benchmark *benchmark;
    routh_sparsity *sparsity;
    routh_initial_state *state;
    routh_units *units;
    routh_matrices *matrices;
    routh_matrix_modes *matrix_modes;
    routh_reduction *reduction;
    routh_optimum *optimum;
    routh_document *document;
    routh_boundary boundary;
    routh_text text;
    double numbers[MOST_NUMBERS], kept[MOST_NUMBERS], zeros[MOST_NUMBERS];
    sample values[MOST_VALUES];
    int n_values;
} all;

static void made(routh_status status, const routh_error *e)
{
    if (status) fail_msg("a sample: %s: %s", e->element, e->message);
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char *new_path(const char *name)
{
    char *path = all.path[all.n_paths++];
    snprintf(path, LONGEST_PATH, "%s/%.90s", folder, name);
    return path;
}

static const char *write_file(const char *name, const char *text)
{
    const char *path = new_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* ---- the values ------------------------------------------------------------------------------ */

static void keep(const char *function, const char *name, const char *type, call_value value)
{
    assert_true(all.n_values < MOST_VALUES);
    all.values[all.n_values++] = (sample){function, name, type, value};
}

static void keep_object(const char *function, const char *name, const char *type, const void *p)
{
    keep(function, name, type, (call_value){.p = (void *)(uintptr_t)p});
}

static void keep_whole(const char *function, const char *name, long long i)
{
    keep(function, name, NULL, (call_value){.i = i});
}

static void keep_real(const char *function, const char *name, double d)
{
    keep(function, name, NULL, (call_value){.d = d});
}

/* ---- objects --------------------------------------------------------------------------------- */

static void side_make(side *s, const char *length)
{
    const routh_setting setting = {"l", length};
    routh_error e;
    routh_selection_request nearest = {.count = 1};
    made(routh_model_parse(&s->model, pendulum, strlen(pendulum), NULL, &setting, 1, &e), &e);
    made(routh_mechanism_compile(&s->mechanism, s->model, NULL, &e), &e);
    made(routh_operating_point_find(&s->point, s->mechanism, NULL, &e), &e);
    made(routh_linear_compute(&s->linear, s->mechanism, s->point, NULL, &e), &e);
    made(routh_modes_compute(&s->modes, s->linear, &e), &e);
    made(routh_descriptor_compute(&s->descriptor, s->mechanism, s->point, NULL, &e), &e);
    made(routh_modes_search(&s->selected, s->descriptor, &nearest, &e), &e);
    made(routh_response_compute(&s->response, s->linear, s->modes, NULL, &e), &e);
    made(routh_simulation_create(&s->simulation, s->mechanism, s->point, NULL, &e), &e);
    made(routh_channels_create(&s->channels, s->mechanism, NULL, &e), &e);
    made(routh_model_parse(&s->plain_model, plain, strlen(plain), NULL, &setting, 1, &e), &e);
    made(routh_mechanism_compile(&s->plain, s->plain_model, NULL, &e), &e);
    made(routh_operating_point_find(&s->plain_point, s->plain, NULL, &e), &e);
    made(routh_linearizer_create(&s->linearizer, s->plain, s->plain_point, NULL, NULL, &e), &e);
    made(routh_parametric_create(&s->parametric, s->model, (const char *[]){"l", NULL}, NULL, NULL,
                                 NULL, &e),
         &e);
    made(routh_mechanism_compile(&s->tree, s->model, "relative", &e), &e);
    made(routh_operating_point_find(&s->tree_point, s->tree, NULL, &e), &e);
    made(routh_joint_space_create(&s->space, s->tree, &e), &e);
    made(routh_dynamics_create(&s->dynamics, s->mechanism, s->point, &e), &e);
    s->compared = (routh_compared){s->mechanism, s->point, s->linear, s->modes};
    s->results = (routh_results){
        .model = s->model, .point = s->point, .linear = s->linear, .modes = s->modes};
}

static void side_free(side *s)
{
    routh_dynamics_free(s->dynamics);
    routh_joint_space_free(s->space);
    routh_parametric_free(s->parametric);
    routh_linearizer_free(s->linearizer);
    routh_channels_free(s->channels);
    routh_simulation_free(s->simulation);
    routh_response_free(s->response);
    routh_modes_free(s->selected);
    routh_descriptor_free(s->descriptor);
    routh_modes_free(s->modes);
    routh_linear_free(s->linear);
    routh_operating_point_free(s->point);
    routh_operating_point_free(s->tree_point);
    routh_operating_point_free(s->plain_point);
    routh_mechanism_free(s->plain);
    routh_model_free(s->plain_model);
    routh_mechanism_free(s->mechanism);
    routh_mechanism_free(s->tree);
    routh_model_free(s->model);
}

/* What results may hold besides, so that each output has what it needs. */
static void results_make(side *s)
{
    routh_error e;
    routh_verification *verification;
    routh_sensitivity *sensitivity;
    routh_response_sensitivity *of_response;
    routh_point_sensitivity *of_point;
    routh_matrix_sensitivity *of_matrices;
    routh_check *check;
    routh_floquet *floquet;
    routh_floquet_options how = routh_floquet_defaults();
    how.period = 1;
    made(routh_verification_run(&verification, s->mechanism, s->point, s->linear, s->modes, NULL,
                                &e),
         &e);
    made(routh_sensitivity_compute(&sensitivity, s->mechanism, s->point, s->modes, NULL, &e), &e);
    made(routh_response_sensitivity_compute(&of_response, s->mechanism, s->point, s->linear,
                                            s->response, NULL, NULL, &e),
         &e);
    made(routh_point_sensitivity_compute(&of_point, s->mechanism, s->point, NULL, &e), &e);
    made(routh_matrix_sensitivity_compute(&of_matrices, s->mechanism, s->point, s->linear, NULL,
                                          &e),
         &e);
    made(routh_check_run(&check, s->model, NULL, &e), &e);
    made(routh_floquet_compute(&floquet, s->mechanism, s->point, &how, &e), &e);
    s->results.verification = verification;
    s->results.sensitivities = sensitivity;
    s->results.response_sensitivities = of_response;
    s->results.point_sensitivities = of_point;
    s->results.matrix_sensitivities = of_matrices;
    s->results.check = check;
    s->results.floquet = floquet;
    s->results.response = s->response;
}

static void results_free(side *s)
{
    routh_verification_free((routh_verification *)(uintptr_t)s->results.verification);
    routh_sensitivity_free((routh_sensitivity *)(uintptr_t)s->results.sensitivities);
    routh_response_sensitivity_free(
        (routh_response_sensitivity *)(uintptr_t)s->results.response_sensitivities);
    routh_point_sensitivity_free(
        (routh_point_sensitivity *)(uintptr_t)s->results.point_sensitivities);
    routh_matrix_sensitivity_free(
        (routh_matrix_sensitivity *)(uintptr_t)s->results.matrix_sensitivities);
    routh_check_free((routh_check *)(uintptr_t)s->results.check);
    routh_floquet_free((routh_floquet *)(uintptr_t)s->results.floquet);
}

static routh_status solve_nothing(void *context, routh_shift_invert *problem, routh_error *error)
{
    (void)context, (void)problem, (void)error;
    return ROUTH_NOT_SUPPORTED;
}

static routh_status compare_nowhere(void *context, double t, routh_compared *there,
                                    routh_error *error)
{
    (void)context, (void)t, (void)there, (void)error;
    return ROUTH_NOT_SUPPORTED;
}

static routh_status open_nothing(void *context, int n, const int *start, const int *row,
                                 routh_error *error)
{
    (void)context, (void)n, (void)start, (void)row, (void)error;
    return ROUTH_NOT_SUPPORTED;
}

static routh_status factor_nothing(void *context, const double *values, int *negative,
                                   int *singular, routh_error *error)
{
    (void)context, (void)values, (void)negative, (void)singular, (void)error;
    return ROUTH_NOT_SUPPORTED;
}

static routh_status solve_with_nothing(void *context, double *x, int columns, routh_error *error)
{
    (void)context, (void)x, (void)columns, (void)error;
    return ROUTH_NOT_SUPPORTED;
}

static double no_bytes(void *context)
{
    (void)context;
    return 0;
}

static void close_nothing(void *context) { (void)context; }

/* ---- what the calls have --------------------------------------------------------------------- */

static void keep_side(const side *s)
{
    keep_object(NULL, NULL, "routh_model", s->model);
    keep_object("routh_joint_space_create", NULL, "routh_mechanism", s->tree);
    keep_object("routh_linearizer_create", NULL, "routh_mechanism", s->plain);
    keep_object("routh_linearizer_create", NULL, "routh_operating_point", s->plain_point);
    keep_object("routh_linearizer_run", NULL, "routh_operating_point", s->plain_point);
    keep_object("routh_joint_space_start", NULL, "routh_operating_point", s->tree_point);
    keep_object(NULL, NULL, "routh_mechanism", s->mechanism);
    keep_object(NULL, NULL, "routh_operating_point", s->point);
    keep_object("routh_mode_elastic", NULL, "routh_linear", all.link.linear);
    keep_object("routh_mode_node", NULL, "routh_linear", all.link.linear);
    keep_object("routh_mode_part_energy", NULL, "routh_linear", all.link.linear);
    keep_object("routh_mode_elastic", NULL, "routh_mode", all.link.modes->modes);
    keep_object(NULL, NULL, "routh_linear", s->linear);
    keep_object("routh_response_compute_sparse", NULL, "routh_modes", s->selected);
    keep_object(NULL, NULL, "routh_modes", s->modes);
    keep_object(NULL, NULL, "routh_mode", s->modes->modes);
    keep_object(NULL, NULL, "routh_descriptor", s->descriptor);
    keep_object(NULL, NULL, "routh_response", s->response);
    keep_object(NULL, NULL, "routh_simulation", s->simulation);
    keep_object(NULL, NULL, "routh_channels", s->channels);
    keep_object(NULL, NULL, "routh_linearizer", s->linearizer);
    keep_object(NULL, NULL, "routh_parametric", s->parametric);
    keep_object(NULL, NULL, "routh_joint_space", s->space);
    keep_object(NULL, NULL, "routh_dynamics", s->dynamics);
    keep_object(NULL, "a", "routh_compared", &s->compared);
    keep_object(NULL, "b", "routh_compared", &all.side[1].compared);
    keep_object(NULL, "a", "routh_results", &s->results);
    keep_object(NULL, "b", "routh_results", &all.side[1].results);
    keep_object(NULL, NULL, "routh_results", &s->results);
}

static void keep_objects(void)
{
    static const char *const names[] = {"mass", "stiffness", NULL}, *const none[] = {NULL};
    static const char *const labels[] = {"one", "two"}, *const parameters[] = {"l", NULL};
    static const routh_setting setting = {"l", "1"};
    static const routh_component component = {
        .name = "x", .purpose = "y", .package = "z", .licence = "MIT"};
    static const routh_chart_axis chart[2] = {{"l", 0.5, 2}, {"c", 0.05, 1}};
    static double values[] = {1, 1.5};
    static const routh_sweep_axis axis = {
        .parameter = (char *)(uintptr_t) "c", .n = 2, .values = values};
    static const routh_eigensolver solver = {.solve = solve_nothing};
    static const routh_compare_path path = {.at = compare_nowhere};
    static const routh_factors factors = {.open = open_nothing,
                                          .factor = factor_nothing,
                                          .solve = solve_with_nothing,
                                          .bytes = no_bytes,
                                          .close = close_nothing};
    static const int chosen[] = {0};
    static routh_blade_motion blade_motion;
    static routh_error error;
    static char room[400];
    static routh_sweep_axis made_axis;
    static routh_component made_component;
    static routh_statistics statistics;
    static routh_history_summary summary;
    static routh_text texts[2];
    texts[0] = texts[1] = all.text;
    keep_object("routh_matrix_modes_table", "names", NULL, names);
    keep_object("routh_matrix_modes_json", "names", NULL, names);
    keep_object("routh_matrix_modes_csv", "names", NULL, names);
    keep_object("routh_symbolic_evaluate", "names", NULL, parameters);
    keep_object("routh_symbolic_evaluate", "values", NULL, values);
    keep_object("routh_suggest", "candidates", NULL, names);
    keep_object("routh_rotor_point_find", "blades", NULL, names);
    keep_object("routh_mode_blades", "motion", NULL, &blade_motion);
    keep_object(NULL, "unknowns", NULL, none);
    keep_object(NULL, "states", NULL, NULL);
    keep_object(NULL, "labels", NULL, labels);
    keep_object(NULL, "parameters", NULL, parameters);
    keep_object(NULL, NULL, "routh_setting", &setting);
    keep_object(NULL, "component", "routh_component", &made_component);
    keep_object(NULL, NULL, "routh_component", &component);
    keep_object(NULL, NULL, "routh_chart_axis", chart);
    keep_object(NULL, "axis", "routh_sweep_axis", &made_axis);
    keep_object(NULL, NULL, "routh_sweep_axis", &axis);
    keep_object(NULL, NULL, "routh_eigensolver", &solver);
    keep_object(NULL, NULL, "routh_compare_path", &path);
    keep_object(NULL, NULL, "routh_factors", &factors);
    keep_object(NULL, "chosen", NULL, chosen);
    keep_object(NULL, NULL, "routh_error", &error);
    keep_object("routh_error_text", "text", NULL, room);
    keep_object(NULL, NULL, "routh_statistics", &statistics);
    keep_object(NULL, NULL, "routh_history_summary", &summary);
    keep_object(NULL, NULL, "routh_comparison", all.comparison);
    keep_object(NULL, NULL, "routh_energy_forms", all.forms);
    keep_object(NULL, NULL, "routh_symbolic", all.symbolic);
    keep_object(NULL, NULL, "routh_stability_chart", all.chart);
    keep_object(NULL, NULL, "routh_certificate", all.certificate);
    keep_object(NULL, NULL, "routh_sweep", all.sweep);
    keep_object(NULL, NULL, "routh_benchmark", all.benchmark);
    keep_object(NULL, NULL, "routh_sparsity", all.sparsity);
    keep_object(NULL, NULL, "routh_initial_state", all.state);
    keep_object(NULL, NULL, "routh_units", all.units);
    keep_object(NULL, NULL, "routh_matrices", all.matrices);
    keep_object(NULL, NULL, "routh_matrix_modes", all.matrix_modes);
    keep_object(NULL, NULL, "routh_reduction", all.reduction);
    keep_object(NULL, NULL, "routh_optimum", all.optimum);
    keep_object(NULL, NULL, "routh_boundary", &all.boundary);
    keep_object(NULL, "texts", "routh_text", texts);
    keep_object(NULL, NULL, "routh_text", &all.text);
}

static void keep_options(void)
{
    static routh_boundary_options boundary = {.parameter = "l", .from = 1, .to = 2, .period = "1"};
    static routh_history_options history;
    static routh_reduction_options reduction;
    static const routh_selection_request nearest = {.count = 1};
    static const routh_matrix_request request = {.count = 1};
    static const routh_benchmark_options list = {.list = 1};
    static routh_floquet_options floquet;
    static routh_sweep_options sweep;
    static const routh_response_options sparse = {
        .inputs = "bob.ry", .outputs = "bob.ry", .low = 0.1, .high = 2, .error = 0.1};
    static char stiffness[LONGEST_PATH], mass[LONGEST_PATH], nodes[LONGEST_PATH];
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(stiffness, sizeof stiffness, "%s/examples/flexible/link.sti", source ? source : ".");
    snprintf(mass, sizeof mass, "%s/examples/flexible/link.mas", source ? source : ".");
    snprintf(nodes, sizeof nodes, "%s/examples/flexible/link.inp", source ? source : ".");
    history = routh_history_defaults();
    history.file = new_path("run.csv");
    history.end = 0.01;
    reduction = (routh_reduction_options){.stiffness = stiffness,
                                          .mass = mass,
                                          .nodes = nodes,
                                          .length_unit = 1e-3,
                                          .mass_unit = 1e3,
                                          .modes = 2};
    floquet = routh_floquet_defaults();
    floquet.period = 1;
    sweep = routh_sweep_defaults();
    keep_object(NULL, NULL, "routh_boundary_options", &boundary);
    keep_object(NULL, NULL, "routh_history_options", &history);
    keep_object(NULL, NULL, "routh_reduction_options", &reduction);
    keep_object(NULL, NULL, "routh_selection_request", &nearest);
    keep_object(NULL, NULL, "routh_matrix_request", &request);
    keep_object(NULL, NULL, "routh_benchmark_options", &list);
    keep_object(NULL, NULL, "routh_floquet_options", &floquet);
    keep_object(NULL, NULL, "routh_sweep_options", &sweep);
    keep_object("routh_response_compute_sparse", NULL, "routh_response_options", &sparse);
    routh_error e;
    made(routh_reduction_compute(&all.reduction, &reduction, &e), &e);
}

static void keep_words(const char *model, const char *mass, const char *stiffness,
                       const char *study, const char *spectrum)
{
    const char *linear = new_path("linear.json"), *state = new_path("state.json");
    routh_error e;
    made(routh_linear_save(all.side[0].linear, linear, NULL, &e), &e);
    routh_text text;
    made(routh_initial_state_json(all.state, &text, &e), &e);
    made(routh_text_save(&text, state, &e), &e);
    keep_object("routh_initial_state_parse", "text", NULL, text.bytes); /* freed with the state */
    keep_whole("routh_initial_state_parse", "length", (long long)text.length);
    all.text = text;
    keep_object("routh_linear_load", "path", NULL, linear);
    keep_object("routh_linear_save", "path", NULL, linear);
    keep_object("routh_linear_save_by", "path", NULL, linear);
    keep_object("routh_exchange_format_of_file", "path", NULL, linear);
    keep_object("routh_exchange_format_of_name", "path", NULL, linear);
    keep_object("routh_initial_state_read", "path", NULL, state);
    keep_object("routh_response_save", "path", NULL, new_path("response.mat"));
    keep_object("routh_text_save", "path", NULL, new_path("text.json"));
    keep_object("routh_spectrum_read", "path", NULL, spectrum);
    keep_object("routh_spectrum_parse", "text", NULL, "torque=1/f");
    keep_real("routh_parametric_set", "value", 1);
    static const void *found; /* what is computed is the parametric mechanism's */
    keep_object("routh_parametric_model", "model", NULL, &found);
    keep_object("routh_parametric_mechanism", "mechanism", NULL, &found);
    keep_object("routh_parametric_point", "point", NULL, &found);
    keep_object("routh_parametric_linear", "linear", NULL, &found);
    keep_object("routh_parametric_modes", "modes", NULL, &found);
    keep_object(NULL, "path", "char", model);
    keep_object(NULL, "mass", NULL, mass);
    keep_object(NULL, "stiffness", NULL, stiffness);
    keep_object(NULL, "study", NULL, study);
    keep_object("routh_model_parse", "text", NULL, pendulum);
    keep_whole("routh_model_parse", "length", (long long)strlen(pendulum));
    keep_object("routh_model_parse_with", "text", NULL, pendulum);
    keep_whole("routh_model_parse_with", "length", (long long)strlen(pendulum));
    keep_object("routh_document_parse", "text", NULL, pendulum);
    keep_whole("routh_document_parse", "length", (long long)strlen(pendulum));
    keep_object("routh_sweep_axis_parse", "text", NULL, "c=1:2:3");
    keep_object("routh_template_write", "name", NULL, "pendulum-chain");
    static const routh_setting two = {"n", "2"};
    keep_object("routh_template_write", NULL, "routh_setting", &two);
    keep_object("routh_benchmark_model", "name", NULL, "bicycle");
    keep_object("routh_units_read", "list", NULL, "mm,Hz");
    keep_object("routh_results_schema", "name", NULL, "modes");
    keep_object("routh_modes_values", "name", NULL, "undamped_frequency_hz");
    keep_object(NULL, "expression", NULL, "2*l");
    keep_object("routh_model_evaluate_si", "unit", NULL, "m");
    keep_object("routh_model_evaluate_for", "parameter", NULL, "l");
    keep_object(NULL, "word", NULL, "mas");
    keep_object(NULL, "coordinates", NULL, "absolute");
    keep_object(NULL, "reference", NULL, "ground");
    keep_object(NULL, "groups", NULL, "bodies");
    keep_object("routh_response_save", "format", NULL, "mat");
    keep_object(NULL, "format", NULL, "json");
    keep_object(NULL, "damping", NULL, NULL);
    keep_object("routh_model_format", "content", NULL, "title: x\n");
    keep_whole("routh_model_format", "length", 9);
    keep_whole("routh_model_format", "width", 80);
    keep_object("routh_model_move", "content", NULL, "title: x\n");
    keep_whole("routh_model_move", "length", 9);
    keep_object("routh_model_move", "to", NULL, new_path("moved.yaml"));
    keep_object(NULL, "to", NULL, NULL);
    keep_object("routh_document_text", "text", NULL, "title");
    keep_object("routh_optimum_find_of_model", "text", NULL, NULL);
    keep_object(NULL, "file", NULL, "file.py");
    keep_object(NULL, "key", NULL, "title");
    keep_object(NULL, "name", NULL, "name");
}

static void keep_numbers(void)
{
    routh_error e;
    const routh_simulation *simulation = all.side[0].simulation;
    assert_true(routh_simulation_memory(simulation) <= MOST_NUMBERS);
    made(routh_simulation_keep(all.side[0].simulation, all.kept, &e), &e);
    keep_object("routh_simulation_keep", "numbers", NULL, all.kept);
    keep_object("routh_simulation_resume", "numbers", NULL, all.kept);
    keep_object("routh_dynamics_choose_inputs", "given", NULL, all.zeros);
    keep_whole(NULL, "n_settings", 1);
    keep_whole(NULL, "n_chosen", 1);
    keep_whole(NULL, "n_more", 1);
    keep_whole(NULL, "n_axes", 1);
    keep_whole(NULL, "n_nodes", 1);
    keep_whole("routh_symbolic_evaluate", "n", 1);
    keep_whole("routh_document_numbers", "n", 2);
    keep_whole(NULL, "n", 2);
    keep_whole(NULL, "count", 1);
    keep_whole(NULL, "digits", 5);
    keep_whole(NULL, "line", 1);
    keep_whole(NULL, "column", 0);
    keep_whole(NULL, "marker", 0);
    keep_whole(NULL, "body", 0);
    keep_whole(NULL, "node", 0);
    keep_whole(NULL, "part", 0);
    keep_whole(NULL, "k", 0);
    keep_whole(NULL, "index", 0);
    keep_whole(NULL, "solve", 1);
    keep_whole("routh_error_text", "size", 400);
    keep_real(NULL, "time", 0);
    keep_real(NULL, "t", 0);
    keep_real("routh_modes_select", "near", -1);
    keep_real("routh_modes_select_by", "near", -1);
    keep_real(NULL, "number", 3);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void make_link(void)
{
    char path[LONGEST_PATH];
    const char *source = getenv("ROUTH_SOURCE");
    routh_error e;
    snprintf(path, sizeof path, "%s/examples/elastic-link.yaml", source ? source : ".");
    made(routh_model_read(&all.link.model, path, NULL, 0, &e), &e);
    made(routh_mechanism_compile(&all.link.mechanism, all.link.model, NULL, &e), &e);
    made(routh_operating_point_find(&all.link.point, all.link.mechanism, NULL, &e), &e);
    made(routh_linear_compute(&all.link.linear, all.link.mechanism, all.link.point, NULL, &e), &e);
    made(routh_modes_compute(&all.link.modes, all.link.linear, &e), &e);
}

static void make_others(const char *model, const char *mass, const char *stiffness,
                        const char *study)
{
    const side *s = all.side;
    routh_error e;
    static double values[] = {1, 1.5};
    const routh_sweep_axis axis = {.parameter = (char *)(uintptr_t) "c", .n = 2, .values = values};
    const routh_symbolic_options symbolic = {.stability = 1};
    const routh_benchmark_options list = {.list = 1};
    const routh_matrix_request request = {.count = 1};
    const routh_chart_axis chart[2] = {{"l", 0.5, 2}, {"c", 0.05, 1}};
    made(routh_comparison_compute(&all.comparison, &s[0].compared, &s[1].compared, &e), &e);
    made(routh_energy_forms_create(&all.forms, s->linear, &e), &e);
    made(routh_sweep_run(&all.sweep, model, &axis, 1, NULL, &e), &e);
    made(routh_benchmark_run(&all.benchmark, &list, &e), &e);
    made(routh_sparsity_find(&all.sparsity, s->mechanism, s->point, &e), &e);
    made(routh_initial_state_of_point(&all.state, s->mechanism, s->point, &e), &e);
    made(routh_units_read(&all.units, "mm,Hz", &e), &e);
    made(routh_matrices_load(&all.matrices, mass, stiffness, NULL, &e), &e);
    made(routh_matrix_modes_compute(&all.matrix_modes, all.matrices, &request, &e), &e);
    all.boundary = (routh_boundary){.value = 1.5, .period = 1, .largest = {1, 2}};
    /* Where this build has no NLopt or FLINT, there are none, and calls that need them are left
     * out. */
    routh_optimum_find(&all.optimum, model, study, NULL, &e);
    if (routh_symbolic_compute(&all.symbolic, s->model, &symbolic, &e)) return;
    made(routh_stability_chart_find(&all.chart, all.symbolic, chart, 2, &e), &e);
    made(routh_certificate_compute(&all.certificate, s->model, NULL, 5, &e), &e);
}

void samples_make(void)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/routh-entry-XXXXXX", where ? where : "/tmp");
    assert_non_null(mkdtemp(folder));
    const char *model = write_file("pendulum.yaml", pendulum);
    const char *matrix = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 3\n";
    const char *mass = write_file("mass.mtx", matrix), *stiffness = write_file("k.mtx", matrix);
    const char *study =
        write_file("study.yaml", "variables: {c: {between: [0.05, 1]}}\n"
                                 "goals: {damped: {damping_ratio: all, at_least: 0.02}}\n");
    const char *spectrum = write_file("spectrum.csv", "hz,torque\n1,1\n2,1\n");
    side_make(&all.side[0], "1");
    side_make(&all.side[1], "2");
    make_link();
    make_others(model, mass, stiffness, study);
    results_make(&all.side[0]);
    keep_words(model, mass, stiffness, study, spectrum);
    keep_side(&all.side[0]);
    keep_options();
    keep_objects();
    keep_numbers();
}

void samples_free(void)
{
    results_free(&all.side[0]);
    routh_certificate_free(all.certificate);
    routh_stability_chart_free(all.chart);
    routh_symbolic_free(all.symbolic);
    routh_optimum_free(all.optimum);
    routh_reduction_free(all.reduction);
    routh_matrix_modes_free(all.matrix_modes);
    routh_matrices_free(all.matrices);
    routh_units_free(all.units);
    routh_initial_state_free(all.state);
    routh_sparsity_free(all.sparsity);
    routh_benchmark_free(all.benchmark);
    routh_sweep_free(all.sweep);
    routh_energy_forms_free(all.forms);
    routh_comparison_free(all.comparison);
    routh_text_free(&all.text);
    routh_document_free(all.document);
    routh_modes_free(all.link.modes);
    routh_linear_free(all.link.linear);
    routh_operating_point_free(all.link.point);
    routh_mechanism_free(all.link.mechanism);
    routh_model_free(all.link.model);
    for (int k = 0; k < 2; k++) side_free(&all.side[k]);
    for (int k = 0; k < all.n_paths; k++) remove(all.path[k]);
    rmdir(folder);
}

/* A new document each time, as far as the call needs it. */
static void *new_document(const char *function)
{
    const bool whole = strstr(function, "_write") || strstr(function, "model_build") ||
                       strstr(function, "_parts_find");
    const bool empty = strstr(function, "_at");
    const bool value = !whole && !empty && !strstr(function, "_key") && !strstr(function, "_end");
    routh_document_free(all.document);
    all.document = NULL;
    routh_error e;
    made(routh_document_create(&all.document, "samples", &e), &e);
    if (empty) return all.document;
    routh_document_mapping(all.document);
    if (value || whole) routh_document_key(all.document, whole ? "parameters" : "title");
    if (!whole) return all.document;
    routh_document_mapping(all.document);
    routh_document_key(all.document, "l");
    routh_document_number(all.document, 1);
    routh_document_end(all.document);
    routh_document_key(all.document, "bodies");
    routh_document_mapping(all.document);
    routh_document_key(all.document, "stone");
    routh_document_mapping(all.document);
    routh_document_key(all.document, "mass");
    routh_document_number(all.document, 1);
    routh_document_key(all.document, "inertia");
    routh_document_numbers(all.document, (const double[]){1, 2, 2}, 3);
    routh_document_end(all.document);
    routh_document_end(all.document);
    routh_document_end(all.document);
    return all.document;
}

call_value sample_of(const public_call *call, const call_parameter *parameter)
{
    if (strcmp(parameter->type, "routh_document") == 0)
        return (call_value){.p = new_document(call->name)};
    for (int k = 0; k < all.n_values; k++) {
        const sample *s = &all.values[k];
        if (parameter->kind == CALL_OUT && !s->function) continue;
        if ((!s->function || strcmp(s->function, call->name) == 0) &&
            (!s->name || strcmp(s->name, parameter->name) == 0) &&
            (!s->type || strcmp(s->type, parameter->type) == 0))
            return s->value;
    }
    const long place = (long)(parameter - call->parameters);
    switch (parameter->kind) {
    case CALL_OUT: return (call_value){.p = all.numbers + MOST_NUMBERS / CALL_MOST * place};
    case CALL_NUMBERS: return (call_value){.p = all.zeros};
    case CALL_CHOICE: return (call_value){.i = 0};
    case CALL_OPTIONS: return (call_value){.p = NULL};
    default: break;
    }
    fail_msg("there is no sample for %s of %s: put one into tests/entry/samples.c", parameter->name,
             call->name);
    return (call_value){0};
}

void *sample_foreign(const char *type)
{
    const side *s = &all.side[1];
    const struct {
        const char *type;
        const void *object;
    } others[] = {{"routh_mechanism", s->mechanism},   {"routh_operating_point", s->point},
                  {"routh_linear", s->linear},         {"routh_modes", s->modes},
                  {"routh_descriptor", s->descriptor}, {"routh_response", s->response},
                  {"routh_simulation", s->simulation}, {"routh_channels", s->channels}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k].type, type) == 0) return (void *)(uintptr_t)others[k].object;
    return NULL;
}
