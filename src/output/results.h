/* What the formats share: checks of what was handed in, words for the operating point, warnings,
 * energy shares. */
#ifndef RT_OUTPUT_RESULTS_H
#define RT_OUTPUT_RESULTS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "base/json.h"
#include "routh/output.h"

typedef enum rt_results_need {
    RT_NEED_POINT = 1,
    RT_NEED_LINEAR = 2,
    RT_NEED_MODES = 4,
    RT_NEED_MODEL = 8,
    RT_NEED_CHECK = 16,
    RT_NEED_CONFIRMATION = 32,
    RT_NEED_RESPONSE = 64,
    RT_NEED_FLOQUET = 1024,
    RT_NEED_SENSITIVITIES = 2048,
    RT_NEED_RESPONSE_SENSITIVITIES = 4096,
} rt_results_need;

/* BAD_ARGUMENT when one of the needed parts (rt_results_need, or-ed) is NULL. */
routh_status rt_results_check(const routh_results *results, int needed, routh_error *error);

/* Hands a finished buffer over. */
routh_status rt_results_hand_over(rt_text *from, routh_text *to, routh_error *error);

/* ---- words --------------------------------------------------------------------------------- */

const char *rt_results_title(const routh_results *results);    /* "untitled" where there is none */
const char *rt_results_file(const routh_results *results);     /* "" where there is none */
const char *rt_operating_type_name(routh_operating_point_type type); /* "given", "static", "state",
                                                                   "steady" */
const char *rt_signal_kind_name(routh_signal_kind kind);       /* "state", "variable", .. */

/* No body moves and the forces are in balance (as routh_linear.at_rest says it; without a linear
 * model from the operating point alone). */
bool rt_results_at_rest(const routh_results *results);
double rt_results_residual(const routh_results *results);

/* Of the operating point; where that is not there, of what the linear model keeps of it. */
double rt_results_time(const routh_results *results);
const char *rt_results_point_type(const routh_results *results); /* the same */

/* "at rest", "steady motion", "not in equilibrium" (no body moves, and the forces are out of
 * balance), "neither at rest nor in steady motion"; without a linear model "in motion" */
const char *rt_results_state(const routh_results *results);

/* What the eigenvalues describe where the motion is not steady; needs the linear model. */
const char *rt_results_meaning(const routh_results *results);

/* Part 0 (real) or 1 (imaginary) of an eigenvalue as it is shown: parts below the error bound
 * cannot be told from zero. */
double rt_eigenvalue_part(const routh_mode *mode, int part);

/* The damping ratio as it is shown: 0 where the real part is. */
double rt_mode_damping(const routh_mode *mode);

/* The share of controllers' states in each mode says something: all modes of a model with
 * controllers were computed. */
bool rt_shows_control(const routh_results *results);

/* ---- warnings ------------------------------------------------------------------------------ */

enum { RT_WARNING_SIZE = 512 };

/* Calls tell(context, warning) for each warning: of the operating point, of the linear model (one
 * said before is not repeated), then those that only the results together show. */
void rt_results_warnings(const routh_results *results,
                         void (*tell)(void *context, const char *warning), void *context);

/* ---- members of JSON objects --------------------------------------------------------------- */

/* "program", "title", "file" */
void rt_json_origin(rt_json *json, const routh_results *results);
/* "coordinates", "method", "reference", "degrees_of_freedom" */
void rt_json_method(rt_json *json, const routh_results *results);
/* "warnings": what rt_results_warnings tells and, when not NULL, one more */
void rt_json_warnings(rt_json *json, const routh_results *results, const char *more);
/* "redundant": [{"joint", "row"}] */
void rt_json_redundant(rt_json *json, const routh_operating_point *point);
/* "bodies" and reactions as members of the open object; reactions of joints and loads apart */
void rt_json_body_states(rt_json *json, const char *key, const routh_operating_point *point);
void rt_json_reactions(rt_json *json, const char *key, const routh_operating_point *point,
                       bool of_loads);
/* "signals": [{"name", "kind", "unit", "value"}], of states also "rate" and "placed" */
void rt_json_signals(rt_json *json, const routh_operating_point *point);
/* "states": [{"name", "unit", "frame"}] */
void rt_json_states(rt_json *json, const routh_linear *linear);

/* ---- steady motion -------------------------------------------------------------------------- */

/* As lines of the table of the operating point */
void rt_steady_table(rt_text *text, const routh_steady *steady);

/* ---- branches of motion --------------------------------------------------------------------- */

/* results->branches as lines of the table of modes, and as the member "branches" */
void rt_branches_table(rt_text *text, const routh_results *results);
void rt_json_branches(rt_json *json, const routh_results *results);

/* ---- minimal realization --------------------------------------------------------------------- */

/* results->realization as a table of its own, and as the member "realization" of mode number
 * `mode`; nothing where it is NULL */
void rt_realization_table(rt_text *text, const routh_results *results);
void rt_json_realization(rt_json *json, const routh_results *results, int mode);

/* ---- attribution ---------------------------------------------------------------------------- */

/* results->attribution as a table of its own, and as the member "attribution" of mode number
 * `mode`; nothing where it is NULL */
routh_status rt_attribution_table(rt_text *text, const routh_results *results, routh_error *error);
void rt_json_attribution(rt_json *json, const routh_results *results, int mode);

/* ---- check ----------------------------------------------------------------------------------- */

/* "verdict", counts, "answers" and "cells" as members of the open object. */
void rt_json_check(rt_json *json, const routh_check *check);

/* ---- verification ------------------------------------------------------------------------- */

/* Members of the open object; the spectrum with at most so many lines, 0: all. */
void rt_json_confirmation(rt_json *json, const routh_verification *verification, int most_lines);

/* ---- periodic motions, and two models -------------------------------------------------------- */

/* For the report's page, as members of the open object: numbers without the shapes and matrices. */
void rt_json_report_floquet(rt_json *json, const routh_floquet *floquet);

/* results->comparison likewise, of each change the largest parts. order: room for as many as there
 * are terms or parameters. */
void rt_json_report_comparison(rt_json *json, const routh_results *results, int *order);

/* ---- frequency response ------------------------------------------------------------------- */

/* Members of the open object. */
void rt_json_response(rt_json *json, const routh_results *results);

/* ---- sweeps --------------------------------------------------------------------------------- */

/* One event as an object in the open array. */
void rt_json_sweep_event(rt_json *json, const routh_sweep_event *event);

/* "boundary" and "boundaries" as members of the open object. */
void rt_json_sweep_boundaries(rt_json *json, const routh_sweep *sweep);

/* results->sweep for the report's page, as members of the open object: of each pair one branch, and
 * which of the report's modes it is at the value that the model has. */
void rt_json_report_sweep(rt_json *json, const routh_results *results);

/* ---- energy shares ------------------------------------------------------------------------- */

#define RT_SHARE_LEAST 1e-6 /* a smaller fraction is not listed */

extern const char
    *const rt_energy_names[3]; /* by routh_energy_kind: "kinetic", "strain", "dissipation" */

/* Its size to the digits that rounding leaves, in 1e-9: which of equal ones is larger would depend
 * on the processor. */
double rt_share_size(double fraction);

/* The shares of one mode, of one kind, largest first, of equal ones the first first; those below
 * RT_SHARE_LEAST left out. */
typedef struct rt_shares {
    routh_energy_forms *forms;
    double *fractions; /* n_shares of the linear model */
    int *order;        /* indices into linear->shares */
    int n;
} rt_shares;

routh_status rt_shares_create(rt_shares *shares, const routh_linear *linear, routh_error *error);
void rt_shares_of(rt_shares *shares, const routh_linear *linear, const routh_mode *mode,
                  routh_energy_kind kind);
void rt_shares_free(rt_shares *shares);

#endif
