/* Results as tables, JSON, CSV and the HTML report. Texts are made in memory; routh_text_save
 * writes one to a file beside and renames it, so that no half-written file is ever left. */
#ifndef ROUTH_OUTPUT_H
#define ROUTH_OUTPUT_H

#include "routh/animation.h"
#include "routh/answers.h"
#include "routh/attribution.h"
#include "routh/benchmark.h"
#include "routh/check.h"
#include "routh/compare.h"
#include "routh/confirm.h"
#include "routh/matrices.h"
#include "routh/mechanism.h"
#include "routh/optimise.h"
#include "routh/response.h"
#include "routh/sweep.h"
#include "routh/periodic.h"
#include "routh/sensitivity.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Units that tables show numbers in. */
typedef struct routh_units routh_units;

/* Of a list such as "mm,Hz,deg" or "kN,N/mm,rpm": commas between units, each a symbol or a product
 * of powers of symbols, at most 32. A unit stands in for that of a whole column where the two
 * measure the same, "N/mm" for N/m; a symbol also for its kind within others: "mm" makes mm/s of
 * m/s and N/mm of N/m. Frequencies (Hz) and rates (rad/s, 1/s) differ: "rad/s" and "rpm" show
 * frequencies too where the list has no unit of them, but "Hz" never shows a rate. BAD_ARGUMENT
 * names what is no unit, and two units of one kind. */
ROUTH_API routh_status routh_units_read(routh_units **units, const char *list, routh_error *error);
ROUTH_API void routh_units_free(routh_units *units);

/* Everything an output may show. Parts may be NULL where a format does not need them. */
typedef struct routh_results {
    const routh_model *model; /* every table needs some of these four, and says which are missing */
    const routh_operating_point *point;   /* where the linear model was taken */
    const routh_linear *linear;           /* at this point */
    const routh_modes *modes;             /* of this linear model */
    const routh_branches *branches;       /* routh_modes_table and routh_modes_json add them */
    const routh_realization *realization; /* likewise */
    const routh_attribution *attribution; /* likewise */
    const routh_check *check; /* routh_check_table and so on show it, and the report does
                                        where it is there */
    const routh_verification
        *verification;              /* routh_verification_table and so on show it, and the report
                                               does where it is there */
    const routh_response *response; /* routh_response_table and so on show it, and the report does
                                       where it is there */
    const routh_floquet *floquet;   /* routh_floquet_table and so on show it, and the report does
                                       where it is there */
    const routh_sensitivity *sensitivities; /* routh_sensitivity_table and so on show them and the
                                                 report does where they are there */
    /* routh_response_sensitivity_table and so on show them */
    const routh_response_sensitivity *response_sensitivities;
    /* routh_operating_point_table and so on add them */
    const routh_point_sensitivity *point_sensitivities;
    /* routh_linear_table and so on add them */
    const routh_matrix_sensitivity *matrix_sensitivities;
    const routh_animation *animation; /* the report moves modes along it where it is there */
    const routh_sweep *sweep;         /* the report shows it where it is there */
    /* What moved these modes to those of `second`, whose model is there: the report shows both. */
    const routh_comparison *comparison;
    const struct routh_results *second;
    /* Places among the modes whose motion the report stores before others; as many as there are. */
    const int *animated;
    int n_animated;
    int shapes; /* 1: routh_modes_json also writes the motion of every marker. Default 0 */
    int parts;  /* so many levels of parts by which routh_modes_table sums energies. Default 0 */
    /* What tables show their numbers in; NULL: SI. JSON, CSV, pictures and the report stay in SI */
    const routh_units *units;
} routh_results;

/* The warnings that the tables of these results print: of the operating point, of the linear model
 * and those that only the results together show, one a line, none twice. The text is empty where
 * there is none. Needs the point or the linear model. */
ROUTH_API routh_status routh_results_warnings(const routh_results *results, routh_text *text,
                                              routh_error *error);

/* The modes (which, but as CSV, need the linear model too), the linear model and the operating
 * point: as a table, as JSON and as CSV. BAD_ARGUMENT names what results lack. The text is the
 * caller's, to be freed with routh_text_free; so it is of all that follow. */
ROUTH_API routh_status routh_modes_table(const routh_results *results, routh_text *text,
                                         routh_error *error);
ROUTH_API routh_status routh_modes_json(const routh_results *results, routh_text *text,
                                        routh_error *error);
ROUTH_API routh_status routh_modes_csv(const routh_results *results, routh_text *text,
                                       routh_error *error);
ROUTH_API routh_status routh_linear_table(const routh_results *results, routh_text *text,
                                          routh_error *error);
ROUTH_API routh_status routh_linear_json(const routh_results *results, routh_text *text,
                                         routh_error *error);
ROUTH_API routh_status routh_linear_csv(const routh_results *results, routh_text *text,
                                        routh_error *error);
ROUTH_API routh_status routh_operating_point_table(const routh_results *results, routh_text *text,
                                                   routh_error *error);
ROUTH_API routh_status routh_operating_point_json(const routh_results *results, routh_text *text,
                                                  routh_error *error);
ROUTH_API routh_status routh_operating_point_csv(const routh_results *results, routh_text *text,
                                                 routh_error *error);

/* Attribution of the change of the modes from those of a to those of b, whose model, linear and
 * modes are there. */
ROUTH_API routh_status routh_comparison_table(const routh_comparison *comparison,
                                              const routh_results *a, const routh_results *b,
                                              routh_text *text, routh_error *error);
ROUTH_API routh_status routh_comparison_json(const routh_comparison *comparison,
                                             const routh_results *a, const routh_results *b,
                                             routh_text *text, routh_error *error);

/* Modes of matrices; names: the files of mass, stiffness and damping, NULL where there is none;
 * units: as in routh_results, may be NULL. */
ROUTH_API routh_status routh_matrix_modes_table(const routh_matrix_modes *modes,
                                                const char *const names[3],
                                                const routh_units *units, routh_text *text,
                                                routh_error *error);
ROUTH_API routh_status routh_matrix_modes_json(const routh_matrix_modes *modes,
                                               const char *const names[3], routh_text *text,
                                               routh_error *error);
ROUTH_API routh_status routh_matrix_modes_csv(const routh_matrix_modes *modes,
                                              const char *const names[3], routh_text *text,
                                              routh_error *error);

/* What one of these writers gave at each of several operating points, as one text: tables one below
 * the other, each under a line with its label; JSON as {"points": [..]}, an object for each; CSV as
 * one table whose first column `at` has the label: BAD_ARGUMENT where columns differ, as of linear
 * models in other states. n at least 1. */
ROUTH_API routh_status routh_operating_points_table(const routh_text *texts,
                                                    const char *const *labels, int n,
                                                    routh_text *text, routh_error *error);
ROUTH_API routh_status routh_operating_points_json(const routh_text *texts, int n, routh_text *text,
                                                   routh_error *error);
ROUTH_API routh_status routh_operating_points_csv(const routh_text *texts,
                                                  const char *const *labels, int n,
                                                  routh_text *text, routh_error *error);

/* The same of several models; JSON as {"models": [..]}, CSV with a column `model`. n may be 0. */
ROUTH_API routh_status routh_linear_models_table(const routh_text *texts, const char *const *labels,
                                                 int n, routh_text *text, routh_error *error);
ROUTH_API routh_status routh_linear_models_json(const routh_text *texts, int n, routh_text *text,
                                                routh_error *error);
ROUTH_API routh_status routh_linear_models_csv(const routh_text *texts, const char *const *labels,
                                               int n, routh_text *text, routh_error *error);

/* These need results->check alone; the model gives title and file. */
ROUTH_API routh_status routh_check_table(const routh_results *results, routh_text *text,
                                         routh_error *error);
ROUTH_API routh_status routh_check_json(const routh_results *results, routh_text *text,
                                        routh_error *error);

/* These need the verification, the linear model and the modes. */
ROUTH_API routh_status routh_verification_table(const routh_results *results, routh_text *text,
                                                routh_error *error);
ROUTH_API routh_status routh_verification_json(const routh_results *results, routh_text *text,
                                               routh_error *error);
ROUTH_API routh_status routh_verification_csv(const routh_results *results, routh_text *text,
                                              routh_error *error);

/* These need the response and the linear model. The picture holds Bode and Nyquist diagrams of the
 * first eight channels. */
ROUTH_API routh_status routh_response_table(const routh_results *results, routh_text *text,
                                            routh_error *error);
ROUTH_API routh_status routh_response_json(const routh_results *results, routh_text *text,
                                           routh_error *error);
ROUTH_API routh_status routh_response_csv(const routh_results *results, routh_text *text,
                                          routh_error *error);
ROUTH_API routh_status routh_response_svg(const routh_results *results, routh_text *text,
                                          routh_error *error);

/* A sweep: what happens at which values and how the branches begin and end; all points and events;
 * a line for each branch at each point. units: as in routh_results, may be NULL. */
ROUTH_API routh_status routh_sweep_table(const routh_sweep *sweep, const routh_units *units,
                                         routh_text *text, routh_error *error);
ROUTH_API routh_status routh_sweep_json(const routh_sweep *sweep, routh_text *text,
                                        routh_error *error);
ROUTH_API routh_status routh_sweep_csv(const routh_sweep *sweep, routh_text *text,
                                       routh_error *error);

/* Pictures (SVG) of a sweep: frequencies and damping ratios against the parameter (with the lines
 * of the orders where a speed was given: a Campbell diagram), and the eigenvalues in the complex
 * plane (root locus); of two parameters a map of the largest real part with the boundaries. */
ROUTH_API routh_status routh_sweep_svg(const routh_sweep *sweep, routh_text *text,
                                       routh_error *error);
/* An optimisation: variables and goals before and after, bounds that are active; all of it. units:
 * likewise. */
ROUTH_API routh_status routh_optimum_table(const routh_optimum *optimum, const routh_units *units,
                                           routh_text *text, routh_error *error);
ROUTH_API routh_status routh_optimum_json(const routh_optimum *optimum, routh_text *text,
                                          routh_error *error);

/* These need results->floquet, table and JSON the operating point too. */
ROUTH_API routh_status routh_floquet_table(const routh_results *results, routh_text *text,
                                           routh_error *error);
ROUTH_API routh_status routh_floquet_json(const routh_results *results, routh_text *text,
                                          routh_error *error);
ROUTH_API routh_status routh_floquet_csv(const routh_results *results, routh_text *text,
                                         routh_error *error);

/* Of routh_boundary_find, with the options that it had. */
ROUTH_API routh_status routh_boundary_table(const routh_boundary *boundary,
                                            const routh_boundary_options *options, routh_text *text,
                                            routh_error *error);
ROUTH_API routh_status routh_boundary_json(const routh_boundary *boundary,
                                           const routh_boundary_options *options, routh_text *text,
                                           routh_error *error);

/* These need the sensitivities and the modes they belong to. The table and the CSV have one of each
 * pair and the real ones, for each the parameters by falling effect; rigid modes are left out. */
ROUTH_API routh_status routh_sensitivity_table(const routh_results *results, routh_text *text,
                                               routh_error *error);
ROUTH_API routh_status routh_sensitivity_json(const routh_results *results, routh_text *text,
                                              routh_error *error);
ROUTH_API routh_status routh_sensitivity_csv(const routh_results *results, routh_text *text,
                                             routh_error *error);

/* These need the response_sensitivities and the point. The table has every peak and every
 * frequency, for each the parameters by falling effect; the CSV only the frequencies. */
ROUTH_API routh_status routh_response_sensitivity_table(const routh_results *results,
                                                        routh_text *text, routh_error *error);
ROUTH_API routh_status routh_response_sensitivity_json(const routh_results *results,
                                                       routh_text *text, routh_error *error);
ROUTH_API routh_status routh_response_sensitivity_csv(const routh_results *results,
                                                      routh_text *text, routh_error *error);

/* The benchmark: a line for each number, as table, JSON and CSV; the list of its problems, for the
 * terminal. */
ROUTH_API routh_status routh_benchmark_table(const routh_benchmark *benchmark, routh_text *text,
                                             routh_error *error);
ROUTH_API routh_status routh_benchmark_json(const routh_benchmark *benchmark, routh_text *text,
                                            routh_error *error);
ROUTH_API routh_status routh_benchmark_csv(const routh_benchmark *benchmark, routh_text *text,
                                           routh_error *error);
ROUTH_API routh_status routh_benchmark_list(const routh_benchmark *benchmark, routh_text *text,
                                            routh_error *error);

/* A picture (SVG) with a panel for each pattern, its size and its number of entries. Entries of
 * large matrices are gathered in dots, so that the file stays small. */
ROUTH_API routh_status routh_sparsity_svg(const routh_sparsity *sparsity, routh_text *text,
                                          routh_error *error);

/* The JSON Schema of what the command `name` writes with --json, and the reference page of all of
 * them in Markdown, both made from the tables by which they are written; the names, one after
 * another until NULL. BAD_ARGUMENT where there is no schema of that name yet. */
ROUTH_API routh_status routh_results_schema(const char *name, routh_text *text, routh_error *error);
ROUTH_API routh_status routh_results_reference(routh_text *text, routh_error *error);
ROUTH_API const char *routh_results_name(int index);

/* A number of every mode by its name in the JSON ("undamped_frequency_hz"): values, modes->n of
 * them, NAN where there is none. BAD_ARGUMENT where modes have no such number. */
ROUTH_API routh_status routh_modes_values(const routh_modes *modes, const char *name,
                                          double *values, routh_error *error);

/* One self-contained HTML page. NOT_SUPPORTED when the page was not built into this library. */
ROUTH_API routh_status routh_report_html(const routh_results *results, routh_text *text,
                                         routh_error *error);

/* Writes text to path: a temporary file in the same folder, flushed, then renamed. On failure
 * nothing is left. */
ROUTH_API routh_status routh_text_save(const routh_text *text, const char *path,
                                       routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
