/* clang-format off */
/* Made by tools/write_entry.py. What does the work of public functions. */
#ifndef RT_ENTRY_INNER_H
#define RT_ENTRY_INNER_H

#include "routh/routh.h"

/* not seen outside the library */
#pragma GCC visibility push(hidden)

/* animation.h */
routh_status ri_animation_compute(routh_animation **animation, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_linear *linear, const routh_modes *modes,
    const routh_animation_options *options, routh_error *error);

/* answers.h */
routh_status ri_modes_compute(routh_modes **modes, const routh_linear *linear, routh_error *error);
routh_status ri_modes_search(routh_modes **modes, const routh_descriptor *descriptor,
    const routh_selection_request *request, routh_error *error);
routh_status ri_modes_select(routh_modes **modes, const routh_descriptor *descriptor, int count,
    double near, routh_error *error);
routh_status ri_modes_select_by(routh_modes **modes, const routh_descriptor *descriptor, int count,
    double near, const routh_eigensolver *solver, routh_error *error);
void ri_mode_marker(const routh_linear *linear, const routh_mode *mode, int marker,
    double motion[12]);
void ri_mode_blades(const routh_linear *linear, const routh_mode *mode, routh_blade_motion *motion);
void ri_mode_elastic(const routh_linear *linear, const routh_mode *mode, int body, double *q);
void ri_mode_node(const routh_linear *linear, int body, const double frame[12], const double *q,
    int node, double motion[12]);
double ri_mode_part_energy(const routh_linear *linear, int body, const double *q, int part);
void ri_mode_energy_fractions(const routh_linear *linear, const routh_mode *mode,
    routh_energy_kind kind, double *fractions);
routh_status ri_energy_forms_create(routh_energy_forms **forms, const routh_linear *linear,
    routh_error *error);
void ri_energy_forms_fractions(routh_energy_forms *forms, const routh_mode *mode,
    routh_energy_kind kind, double *fractions);
routh_status ri_realization_compute(routh_realization **realization, const routh_linear *linear,
    const routh_modes *modes, routh_error *error);
routh_status ri_modes_notable(const routh_modes *modes, const int *chosen, int n_chosen, int *order,
    int *n, routh_error *error);

/* attribution.h */
routh_status ri_attribution_compute(routh_attribution **attribution,
    const routh_mechanism *mechanism, const routh_operating_point *point,
    const routh_linear *linear, const routh_modes *modes, routh_error *error);

/* benchmark.h */
routh_status ri_benchmark_run(routh_benchmark **benchmark, const routh_benchmark_options *options,
    routh_error *error);
routh_status ri_benchmark_model(const char *name, routh_text *text, routh_error *error);

/* build.h */
int ri_build_component(int k, routh_component *component);
routh_status ri_build_table(const routh_component *more, int n_more, routh_text *text,
    routh_error *error);
routh_status ri_build_json(const routh_component *more, int n_more, routh_text *text,
    routh_error *error);

/* check.h */
routh_status ri_check_run(routh_check **check, const routh_model *model,
    const routh_check_options *options, routh_error *error);

/* compare.h */
routh_status ri_comparison_compute(routh_comparison **comparison, const routh_compared *a,
    const routh_compared *b, routh_error *error);
routh_status ri_comparison_by_parameters(routh_comparison *comparison, const routh_compared *a,
    const routh_compared *b, const routh_compare_path *path, const char *const *parameters,
    int n_nodes, routh_error *error);

/* confirm.h */
routh_status ri_verification_run(routh_verification **verification,
    const routh_mechanism *mechanism, const routh_operating_point *point,
    const routh_linear *linear, const routh_modes *modes, const routh_verification_options *options,
    routh_error *error);

/* document.h */
routh_status ri_document_create(routh_document **document, const char *name, routh_error *error);
routh_status ri_document_write(const routh_document *document, routh_text *text,
    routh_error *error);
routh_status ri_document_parse(routh_document **document, const char *text, size_t length,
    const char *name, routh_error *error);
routh_status ri_document_parts_find(routh_document_parts **parts, const routh_document *document,
    routh_error *error);
routh_status ri_model_build(routh_model **model, const routh_document *document,
    const routh_setting *settings, size_t n_settings, routh_error *error);

/* dynamics.h */
routh_status ri_dynamics_create(routh_dynamics **dynamics, const routh_mechanism *mechanism,
    const routh_operating_point *point, routh_error *error);
int ri_dynamics_n_states(const routh_dynamics *dynamics);
int ri_dynamics_n_coordinates(const routh_dynamics *dynamics);
const routh_dynamics_state *ri_dynamics_get_state(const routh_dynamics *dynamics, int k);
void ri_dynamics_start(const routh_dynamics *dynamics, double *t, double *x, double *u);
routh_status ri_dynamics_evaluate(routh_dynamics *dynamics, double t, const double *x,
    const double *u, double *rate, routh_error *error);
routh_status ri_dynamics_point(routh_dynamics *dynamics, double t, const double *x, const double *u,
    routh_operating_point **point, routh_error *error);
routh_status ri_dynamics_inputs(routh_dynamics *dynamics, double t, double *u, routh_error *error);
routh_status ri_dynamics_choose_inputs(routh_dynamics *dynamics, const int *given,
    routh_error *error);

/* exchange.h */
const char *ri_exchange_format_of_name(const char *path);
const char *ri_exchange_format_of_file(const char *path);
routh_status ri_linear_save(const routh_linear *linear, const char *path, const char *format,
    routh_error *error);
routh_status ri_linear_save_by(const routh_linear *linear, const char *path, const char *format,
    routh_derivatives derivatives, routh_error *error);
int ri_linear_improper(const routh_linear *linear, int *output, int *input);
routh_status ri_linear_load(routh_linear **linear, const char *path, const char *format,
    routh_error *error);

/* function.h */
routh_status ri_model_read_with(routh_model **model, const char *path,
    const routh_model_options *options, routh_error *error);
routh_status ri_model_parse_with(routh_model **model, const char *text, size_t length,
    const char *name, const routh_model_options *options, routh_error *error);
routh_status ri_model_build_with(routh_model **model, const routh_document *document,
    const routh_model_options *options, routh_error *error);

/* history.h */
routh_status ri_channels_create(routh_channels **channels, const routh_mechanism *mechanism,
    const char *groups, routh_error *error);
int ri_channels_count(const routh_channels *channels);
const routh_channel *ri_channels_get(const routh_channels *channels, int k);
int ri_channels_width(const routh_channels *channels);
routh_status ri_channels_read(routh_channels *channels, const routh_simulation *simulation,
    double *record, routh_error *error);
routh_status ri_history_run(const routh_mechanism *mechanism, const routh_operating_point *point,
    const routh_history_options *options, routh_history_summary *summary, routh_error *error);

/* matrices.h */
routh_status ri_matrices_load(routh_matrices **matrices, const char *mass, const char *stiffness,
    const char *damping, routh_error *error);
routh_status ri_matrix_modes_compute(routh_matrix_modes **modes, const routh_matrices *matrices,
    const routh_matrix_request *request, routh_error *error);
routh_status ri_matrix_modes_compute_by(routh_matrix_modes **modes, const routh_matrices *matrices,
    const routh_matrix_request *request, const routh_factors *factors, routh_error *error);

/* mechanism.h */
routh_status ri_mechanism_compile(routh_mechanism **mechanism, const routh_model *model,
    const char *coordinates, routh_error *error);
routh_status ri_operating_point_find(routh_operating_point **point,
    const routh_mechanism *mechanism, const routh_operating_point_options *options,
    routh_error *error);
routh_status ri_operating_point_find_from(routh_operating_point **point,
    const routh_mechanism *mechanism, const routh_operating_point *start,
    const routh_operating_point_options *options, routh_error *error);
routh_status ri_operating_point_of_state(routh_operating_point **point,
    const routh_mechanism *mechanism, const routh_initial_state *state,
    const routh_initial_state_options *options, routh_error *error);
routh_status ri_operating_point_find_near(routh_operating_point **point,
    const routh_mechanism *mechanism, const routh_initial_state *state,
    const routh_initial_state_options *state_options, const routh_operating_point_options *options,
    routh_error *error);
routh_status ri_initial_state_of_point(routh_initial_state **state,
    const routh_mechanism *mechanism, const routh_operating_point *point, routh_error *error);
routh_status ri_rotor_point_find(routh_operating_point **point, const routh_mechanism *mechanism,
    const routh_operating_point *from, const char *const *blades, routh_error *error);
routh_status ri_branches_find(routh_branches **branches, const routh_mechanism *mechanism,
    const routh_operating_point *point, routh_error *error);
routh_status ri_linear_compute(routh_linear **linear, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_linear_options *options, routh_error *error);
routh_status ri_descriptor_compute(routh_descriptor **descriptor, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_linear_options *options, routh_error *error);
routh_status ri_linearizer_create(routh_linearizer **linearizer, const routh_mechanism *mechanism,
    const routh_operating_point *point, const char *reference, const char *const *states,
    routh_error *error);
routh_status ri_linearizer_run(routh_linearizer *linearizer, const routh_operating_point *point,
    routh_error *error);
const routh_linear *ri_linearizer_linear(const routh_linearizer *linearizer);
routh_status ri_joint_space_create(routh_joint_space **space, const routh_mechanism *mechanism,
    routh_error *error);
int ri_joint_space_n_q(const routh_joint_space *space);
int ri_joint_space_n_u(const routh_joint_space *space);
const char *ri_joint_space_body(const routh_joint_space *space, int column);
int ri_joint_space_is_angle(const routh_joint_space *space, int column);
void ri_joint_space_start(const routh_joint_space *space, const routh_operating_point *point,
    double *q, double *u, double *udot);
routh_status ri_joint_space_accelerations(routh_joint_space *space, double time, const double *q,
    const double *u, const double *tau, double *udot, routh_error *error);
routh_status ri_joint_space_evaluate(routh_joint_space *space, double time, const double *q,
    const double *u, const double *udot, double *A, double *B, routh_error *error);
routh_status ri_sparsity_find(routh_sparsity **sparsity, const routh_mechanism *mechanism,
    const routh_operating_point *point, routh_error *error);

/* model.h */
routh_status ri_model_read(routh_model **model, const char *path, const routh_setting *settings,
    size_t n_settings, routh_error *error);
routh_status ri_model_parse(routh_model **model, const char *text, size_t length, const char *name,
    const routh_setting *settings, size_t n_settings, routh_error *error);
const char *ri_model_title(const routh_model *model);
const char *ri_model_description(const routh_model *model);
double ri_model_time_unit(const routh_model *model);
routh_status ri_model_evaluate(const routh_model *model, const char *expression, double *value,
    routh_error *error);
routh_status ri_model_evaluate_si(const routh_model *model, const char *expression,
    const char *unit, double *value, routh_error *error);
routh_status ri_model_evaluate_for(const routh_model *model, const char *parameter,
    const char *expression, double *value, routh_error *error);
routh_status ri_model_rewrite(const char *path, const char *to, const routh_setting *settings,
    size_t n_settings, routh_text *text, routh_error *error);
routh_status ri_model_move(const char *content, size_t length, const char *path, const char *to,
    routh_text *text, routh_error *error);
routh_status ri_model_format(const char *content, size_t length, const char *name, int width,
    routh_text *text, routh_error *error);
routh_status ri_template_write(const char *name, const routh_setting *settings, size_t n_settings,
    routh_text *text, routh_error *error);
routh_status ri_model_schema(routh_text *text, routh_error *error);
routh_status ri_model_reference(routh_text *text, routh_error *error);

/* motion.h */
routh_status ri_simulation_create(routh_simulation **simulation, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_simulation_options *options,
    routh_error *error);
routh_status ri_simulation_advance(routh_simulation *simulation, double time, routh_error *error);
double ri_simulation_time(const routh_simulation *simulation);
int ri_simulation_stopped(const routh_simulation *simulation);
routh_status ri_simulation_point(const routh_simulation *simulation, routh_operating_point **point,
    routh_error *error);
void ri_simulation_statistics(const routh_simulation *simulation, routh_statistics *statistics);
size_t ri_simulation_memory(const routh_simulation *simulation);
routh_status ri_simulation_keep(routh_simulation *simulation, double *numbers, routh_error *error);
routh_status ri_simulation_resume(routh_simulation *simulation, const double *numbers,
    routh_error *error);

/* optimise.h */
routh_status ri_optimum_find(routh_optimum **optimum, const char *path, const char *study,
    const routh_optimum_options *options, routh_error *error);
routh_status ri_optimum_find_of_model(routh_optimum **optimum, const routh_model *model,
    const char *study, const char *text, const routh_optimum_options *options, routh_error *error);

/* output.h */
routh_status ri_units_read(routh_units **units, const char *list, routh_error *error);
routh_status ri_results_warnings(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_modes_table(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_modes_json(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_modes_csv(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_linear_table(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_linear_json(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_linear_csv(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_operating_point_table(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_operating_point_json(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_operating_point_csv(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_comparison_table(const routh_comparison *comparison, const routh_results *a,
    const routh_results *b, routh_text *text, routh_error *error);
routh_status ri_comparison_json(const routh_comparison *comparison, const routh_results *a,
    const routh_results *b, routh_text *text, routh_error *error);
routh_status ri_matrix_modes_table(const routh_matrix_modes *modes, const char *const names[3],
    const routh_units *units, routh_text *text, routh_error *error);
routh_status ri_matrix_modes_json(const routh_matrix_modes *modes, const char *const names[3],
    routh_text *text, routh_error *error);
routh_status ri_matrix_modes_csv(const routh_matrix_modes *modes, const char *const names[3],
    routh_text *text, routh_error *error);
routh_status ri_operating_points_table(const routh_text *texts, const char *const *labels, int n,
    routh_text *text, routh_error *error);
routh_status ri_operating_points_json(const routh_text *texts, int n, routh_text *text,
    routh_error *error);
routh_status ri_operating_points_csv(const routh_text *texts, const char *const *labels, int n,
    routh_text *text, routh_error *error);
routh_status ri_linear_models_table(const routh_text *texts, const char *const *labels, int n,
    routh_text *text, routh_error *error);
routh_status ri_linear_models_json(const routh_text *texts, int n, routh_text *text,
    routh_error *error);
routh_status ri_linear_models_csv(const routh_text *texts, const char *const *labels, int n,
    routh_text *text, routh_error *error);
routh_status ri_check_table(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_check_json(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_verification_table(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_verification_json(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_verification_csv(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_response_table(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_response_json(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_response_csv(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_response_svg(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_sweep_table(const routh_sweep *sweep, const routh_units *units, routh_text *text,
    routh_error *error);
routh_status ri_sweep_json(const routh_sweep *sweep, routh_text *text, routh_error *error);
routh_status ri_sweep_csv(const routh_sweep *sweep, routh_text *text, routh_error *error);
routh_status ri_sweep_svg(const routh_sweep *sweep, routh_text *text, routh_error *error);
routh_status ri_optimum_table(const routh_optimum *optimum, const routh_units *units,
    routh_text *text, routh_error *error);
routh_status ri_optimum_json(const routh_optimum *optimum, routh_text *text, routh_error *error);
routh_status ri_floquet_table(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_floquet_json(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_floquet_csv(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_boundary_table(const routh_boundary *boundary,
    const routh_boundary_options *options, routh_text *text, routh_error *error);
routh_status ri_boundary_json(const routh_boundary *boundary, const routh_boundary_options *options,
    routh_text *text, routh_error *error);
routh_status ri_sensitivity_table(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_sensitivity_json(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_sensitivity_csv(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_response_sensitivity_table(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_response_sensitivity_json(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_response_sensitivity_csv(const routh_results *results, routh_text *text,
    routh_error *error);
routh_status ri_benchmark_table(const routh_benchmark *benchmark, routh_text *text,
    routh_error *error);
routh_status ri_benchmark_json(const routh_benchmark *benchmark, routh_text *text,
    routh_error *error);
routh_status ri_benchmark_csv(const routh_benchmark *benchmark, routh_text *text,
    routh_error *error);
routh_status ri_benchmark_list(const routh_benchmark *benchmark, routh_text *text,
    routh_error *error);
routh_status ri_sparsity_svg(const routh_sparsity *sparsity, routh_text *text, routh_error *error);
routh_status ri_results_schema(const char *name, routh_text *text, routh_error *error);
routh_status ri_results_reference(routh_text *text, routh_error *error);
routh_status ri_modes_values(const routh_modes *modes, const char *name, double *values,
    routh_error *error);
routh_status ri_report_html(const routh_results *results, routh_text *text, routh_error *error);
routh_status ri_text_save(const routh_text *text, const char *path, routh_error *error);

/* parametric.h */
routh_status ri_parametric_create(routh_parametric **parametric, const routh_model *model,
    const char *const *parameters, const char *coordinates,
    const routh_operating_point_options *point_options, const routh_linear_options *linear_options,
    routh_error *error);
routh_status ri_parametric_set(routh_parametric *parametric, int index, double value,
    routh_error *error);
routh_status ri_parametric_model(routh_parametric *parametric, const routh_model **model,
    routh_error *error);
routh_status ri_parametric_mechanism(routh_parametric *parametric,
    const routh_mechanism **mechanism, routh_error *error);
routh_status ri_parametric_point(routh_parametric *parametric, const routh_operating_point **point,
    routh_error *error);
routh_status ri_parametric_linear(routh_parametric *parametric, const routh_linear **linear,
    routh_error *error);
routh_status ri_parametric_modes(routh_parametric *parametric, const routh_modes **modes,
    routh_error *error);

/* periodic.h */
routh_status ri_floquet_compute(routh_floquet **floquet, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_floquet_options *options, routh_error *error);
routh_status ri_boundary_find(routh_boundary *boundary, const char *path,
    const routh_setting *settings, size_t n_settings, const routh_boundary_options *options,
    routh_error *error);
routh_status ri_boundary_find_of_model(routh_boundary *boundary, const routh_model *model,
    const routh_boundary_options *options, routh_error *error);

/* reduce.h */
routh_status ri_reduction_compute(routh_reduction **reduced, const routh_reduction_options *options,
    routh_error *error);
routh_status ri_reduction_json(const routh_reduction *reduced, routh_text *text,
    routh_error *error);
routh_status ri_reduction_table(const routh_reduction *reduced, routh_text *text,
    routh_error *error);

/* response.h */
routh_status ri_spectrum_read(routh_spectrum **spectrum, const char *path, routh_error *error);
routh_status ri_spectrum_parse(routh_spectrum **spectrum, const char *text, routh_error *error);
routh_status ri_response_compute(routh_response **response, const routh_linear *linear,
    const routh_modes *modes, const routh_response_options *options, routh_error *error);
routh_status ri_response_compute_sparse(routh_response **response,
    const routh_descriptor *descriptor, const routh_modes *modes,
    const routh_response_options *options, routh_error *error);
routh_status ri_response_save(const routh_response *response, const routh_linear *linear,
    const char *path, const char *format, routh_error *error);

/* routh.h */
const char *ri_suggest(const char *word, const char *const *candidates);

/* sensitivity.h */
routh_status ri_sensitivity_compute(routh_sensitivity **sensitivities,
    const routh_mechanism *mechanism, const routh_operating_point *point, const routh_modes *modes,
    const routh_sensitivity_options *options, routh_error *error);
routh_status ri_point_sensitivity_compute(routh_point_sensitivity **sensitivities,
    const routh_mechanism *mechanism, const routh_operating_point *point,
    const routh_sensitivity_options *options, routh_error *error);
routh_status ri_matrix_sensitivity_compute(routh_matrix_sensitivity **sensitivities,
    const routh_mechanism *mechanism, const routh_operating_point *point,
    const routh_linear *linear, const routh_sensitivity_options *options, routh_error *error);
routh_status ri_shape_sensitivity_compute(routh_shape_sensitivity **sensitivities,
    const routh_mechanism *mechanism, const routh_operating_point *point,
    const routh_linear *linear, const routh_modes *modes, const routh_sensitivity_options *options,
    routh_error *error);
routh_status ri_response_sensitivity_compute(routh_response_sensitivity **sensitivities,
    const routh_mechanism *mechanism, const routh_operating_point *point,
    const routh_linear *linear, const routh_response *response,
    const routh_response_options *response_options,
    const routh_response_sensitivity_options *options, routh_error *error);

/* state.h */
routh_status ri_initial_state_json(const routh_initial_state *state, routh_text *text,
    routh_error *error);
routh_status ri_initial_state_read(routh_initial_state **state, const char *path,
    routh_error *error);
routh_status ri_initial_state_parse(routh_initial_state **state, const char *text, size_t length,
    const char *name, routh_error *error);

/* status.h */
int ri_error_text(const routh_error *error, char *text, size_t size);

/* sweep.h */
routh_status ri_sweep_axis_parse(routh_sweep_axis *axis, const char *text, const routh_model *model,
    routh_error *error);
routh_status ri_sweep_run(routh_sweep **sweep, const char *path, const routh_sweep_axis *axes,
    int n_axes, const routh_sweep_options *options, routh_error *error);
routh_status ri_sweep_run_of_model(routh_sweep **sweep, const routh_model *model,
    const routh_sweep_axis *axes, int n_axes, const routh_sweep_options *options,
    routh_error *error);

/* symbolic.h */
routh_status ri_symbolic_compute(routh_symbolic **symbolic, const routh_model *model,
    const routh_symbolic_options *options, routh_error *error);
int ri_symbolic_size(const routh_symbolic *symbolic);
const char *ri_symbolic_coordinate(const routh_symbolic *symbolic, int k);
routh_status ri_symbolic_evaluate(const routh_symbolic *symbolic, const char *const *names,
    const double *values, int n, double *M, double *C, double *K, routh_error *error);
routh_status ri_symbolic_write(const routh_symbolic *symbolic, routh_notation notation,
    routh_text *text, routh_error *error);
routh_status ri_symbolic_write_state_space(const routh_symbolic *symbolic, routh_notation notation,
    routh_text *text, routh_error *error);
routh_status ri_stability_chart_find(routh_stability_chart **chart, const routh_symbolic *symbolic,
    const routh_chart_axis axes[2], int n, routh_error *error);
routh_status ri_stability_chart_svg(const routh_stability_chart *chart, routh_text *text,
    routh_error *error);
routh_status ri_certificate_compute(routh_certificate **certificate, const routh_model *model,
    const char *const *unknowns, int digits, routh_error *error);
routh_status ri_certificate_table(const routh_certificate *certificate, routh_text *text,
    routh_error *error);
routh_status ri_certificate_json(const routh_certificate *certificate, routh_text *text,
    routh_error *error);

#pragma GCC visibility pop
#endif
