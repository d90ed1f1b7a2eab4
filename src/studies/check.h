/* The parts of routh check. */
#ifndef RT_STUDIES_CHECK_H
#define RT_STUDIES_CHECK_H

#include "base/arena.h"
#include "operating/operating.h"
#include "routh/check.h"

typedef struct rt_check_holder {
    routh_check check; /* first: the public pointer is this one's address */
    rt_arena arena;
    const routh_model *model;
    routh_check_options options;
    rt_progress progress;       /* a piece is a cell */
    routh_mechanism *mechanism; /* in absolute coordinates */
    const char **states;        /* those of the reference, ends with NULL */
} rt_check_holder;

/* Formatted text in the arena; NULL when out of memory. */
char *rt_check_text(rt_check_holder *holder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds an answer; the text is made as printf makes it. */
routh_status rt_check_find(rt_check_holder *holder, const char *name, routh_verdict verdict,
                           double margin, routh_error *error, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Counts of rows and freedoms, rank, distance from singularity; their answers. */
routh_status rt_check_structure(rt_check_holder *holder, routh_error *error);

/* Digits of the eigenvalues and motions that nothing holds, from the reference's modes. */
routh_status rt_check_modes(rt_check_holder *holder, routh_error *error);

/* The reference and all cells. */
routh_status rt_check_cells(rt_check_holder *holder, routh_error *error);

/* The parts of check_cells.c that the closed form needs. A cell that is refused or failed, and why;
 * only memory that is missing is an error of the check. */
routh_status rt_check_tell(rt_check_holder *holder, routh_check_cell *cell, routh_cell_state state,
                           const routh_error *why, routh_error *error);
/* The spectrum (and, but of the closed form, the signals) held against the reference's. apart: what
 * rt_check_apart says of the place it belongs to. */
routh_status rt_check_judge(rt_check_holder *holder, routh_check_cell *cell, double apart,
                            const routh_linear *linear, const routh_modes *modes,
                            routh_error *error);
/* How far bodies stand or move from where they do in the reference's operating point, as a fraction
 * of the length or of the speed. */
double rt_check_apart(const rt_check_holder *holder, const routh_body_state *bodies);
double rt_check_seconds(void); /* of a clock that only goes forward */

/* The last cell: the linear model in closed form, its numbers those of the file. */
#define RT_CLOSED_FORM_COORDINATES "natural"
#define RT_CLOSED_FORM_METHOD "symbolic"
bool rt_check_is_closed_form(const routh_check_cell *cell);
routh_status rt_check_closed_form(rt_check_holder *holder, routh_error *error);

/* The answers that follow from the operating point, the modes and the cells. */
routh_status rt_check_answers(rt_check_holder *holder, routh_error *error);

/* Constraints are held to 1e-12; near a singular configuration that leaves the configuration
 * itself open to the square root of it, as a fraction of the typical length. */
#define RT_NEAR 1e-6

/* ---- two spectra held against each other ----------------------------------------------------- */

/* Why a comparison cannot tell. */
typedef enum rt_check_doubt {
    RT_NO_DOUBT,
    RT_ILL_CONDITIONED, /* rounding alone moves the eigenvalue by more than the tolerance */
    RT_LOOSE_BOUND      /* the method's own bound is too wide to say anything */
} rt_check_doubt;

typedef struct rt_agreement {
    routh_verdict verdict;
    double difference, margin, stated_error, mac, shape_margin;
    int worst; /* mode of the reference with the largest margin */
    rt_check_doubt doubt;
} rt_agreement;

/* Eigenvalues, matched so that the sum of their distances is smallest, and shapes. length: what a
 * radian counts; rate: of what the forces and velocities at the operating point could do, 1/s,
 * which tells rounding from a frequency where all frequencies are zero. NO where
 * the numbers of eigenvalues differ. */
routh_status rt_compare_spectra(const routh_linear *reference, const routh_modes *expected,
                                const routh_linear *linear, const routh_modes *found,
                                double tolerance, double length, double rate,
                                rt_agreement *agreement, routh_error *error);

/* Of two models in the same states: the largest difference of an entry of B, C, D or those of the
 * rates of inputs, over the largest of its matrix, in units in which these are near 1 (so that a
 * matrix of rounding errors agrees with one of zeros). INFINITY where signals differ in number. */
routh_status rt_compare_signals(const routh_linear *reference, const routh_linear *linear,
                                double *difference, routh_error *error);

#endif
