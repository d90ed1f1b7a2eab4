/* A model's answers in every coordinate set by every method, and what they are held against:
 * values of tests/reference, computed without this library, and what the papers print. */
#ifndef PAPERS_ANSWERS_H
#define PAPERS_ANSWERS_H

#include <jansson.h>

#include "support/mechanisms.h"
#include "support/record.h"

enum { MOST_PAIRS = 16 };

/* What the exact answers may differ by, relative to |s|. The references have 14 digits; the
 * constraints of twenty loops have a condition of 1e2 to 1e3, which one basis of the minimal method
 * squares: 1e6 times rounding, 1e-10. */
extern const double exact_tolerance;

typedef struct answer {
    const char *coordinates, *method;
    bool exact; /* else by penalties, with bounds */
    const routh_mechanism *mechanism;
    const routh_operating_point *point;
    const routh_linear *linear;
    int n_zero;                 /* eigenvalues that are zero; of exact answers */
    int n_pairs;                /* oscillations, one of each conjugate pair */
    double pair[MOST_PAIRS][2]; /* real part, imaginary part > 0 */
    double bound[MOST_PAIRS];   /* how far off it says that it may be, 1/s; 0 of exact answers */
} answer;

typedef void see_answer(answer *a, void *context);

/* Shows the answers one after another. observer NULL: the model's; parameters: name, value, ...,
 * NULL, or NULL. */
void every_answer(const char *yaml, const char *const *parameters, const char *observer,
                  see_answer *see, void *context);

/* The template's text with more at its end; settings as mechanism_make_template. Free it. */
char *template_text(const char *name, const char *const *settings, const char *more);

/* Puts the pairs in the order of the expected, each of which is found once, within the tolerance
 * or the bound, and there are no others. */
void sort_pairs(answer *a, double (*expected)[2], int n);

/* Entries of mass, damping or stiffness against a list of lists; exact answers only. */
void check_matrix(const answer *a, const json_t *expected, const double *found, const char *what);
void check_number(const answer *a, double found, double expected, const char *what);

/* Printed digits are right to half a unit of the last. */
bool printed_right(const char *printed, double x);

/* ---- reference files ------------------------------------------------------------------------- */

json_t *reference_file(const char *name); /* of tests/reference; decref it */
double number_of(const json_t *object, const char *key);
int pairs_of(const json_t *list, double (*pairs)[2]); /* [[re, im], ...]; how many */

#endif
