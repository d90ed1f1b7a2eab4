/* Answers that follow from what was computed. */
#include <math.h>
#include <stdio.h>

#include "studies/check.h"

/* As the library itself judges: assembly (operating/assemble.c), rest and steady motion
 * (routh/linear.h). */
static const double CLOSED = 1e-9, BALANCED = 1e-9, STEADY = 1e-5;

static routh_status answer_constraints(rt_check_holder *h, routh_error *error)
{
    const double off = h->check.point->constraint_error;
    const double margin = off / (CLOSED * h->check.length);
    return rt_check_find(h, "constraints", margin <= 1 ? ROUTH_YES : ROUTH_NO, margin, error,
                         "the constraints hold to %.2g (m or rad)", off);
}

static routh_status answer_balance(rt_check_holder *h, routh_error *error)
{
    const routh_operating_point *point = h->check.point;
    const routh_linear *linear = h->check.linear;
    const double at_rest = point->residual / BALANCED;
    const bool is_static = point->type == ROUTH_OPERATING_STATIC;
    if (is_static || !linear || linear->at_rest)
        return rt_check_find(h, "balance", at_rest <= 1 ? ROUTH_YES : ROUTH_CANNOT_TELL, at_rest,
                             error, "the forces balance to %.2g of the largest%s", point->residual,
                             linear && linear->at_rest ? ", and nothing moves" : "");
    if (linear->steady)
        return rt_check_find(h, "balance", ROUTH_YES, linear->drift / STEADY, error,
                             "the motion is steady: the linear model changes by %.2g per radian",
                             linear->drift);
    if (linear->drift <= STEADY && at_rest <= 1)
        return rt_check_find(h, "balance", ROUTH_CANNOT_TELL, at_rest, error,
                             "the forces balance to %.2g of the largest, but what moves moves on "
                             "to where they do not: no steady motion, so the eigenvalues do not "
                             "describe stability",
                             point->residual);
    if (linear->drift <= STEADY)
        return rt_check_find(h, "balance", ROUTH_CANNOT_TELL, at_rest, error,
                             "neither in equilibrium nor in steady motion (the forces are out of "
                             "balance by %.2g of the largest): the eigenvalues do not describe "
                             "stability",
                             point->residual);
    return rt_check_find(h, "balance", ROUTH_CANNOT_TELL, linear->drift / STEADY, error,
                         "neither at rest nor in steady motion (the linear model changes by %.2g "
                         "per radian): the eigenvalues do not describe stability",
                         linear->drift);
}

static double spectral_radius(const routh_modes *modes)
{
    double most = 0;
    for (int k = 0; k < modes->n; k++)
        most = fmax(most, hypot(modes->modes[k].eigenvalue[0], modes->modes[k].eigenvalue[1]));
    return most;
}

/* 0 where it is rounding */
static double check_answers_part_of(const routh_mode *mode, int part)
{
    const double x = mode->eigenvalue[part];
    return fabs(x) > mode->error_bound ? x : 0;
}

/* Of zeros the next answer tells. */
static double check_answers_bound_of(const routh_mode *mode)
{
    return mode->rigid ? 0 : mode->error_bound;
}

static routh_status answer_conditioning(rt_check_holder *h, routh_error *error)
{
    const routh_modes *modes = h->check.modes;
    const double plain = h->options.tolerance * spectral_radius(modes);
    int worst = 0;
    for (int k = 1; k < modes->n; k++)
        if (check_answers_bound_of(&modes->modes[k]) > check_answers_bound_of(&modes->modes[worst]))
            worst = k;
    if (modes->n == 0) return ROUTH_OK;
    const routh_mode *mode = &modes->modes[worst];
    const double bound = check_answers_bound_of(mode), margin = bound > 0 ? bound / plain : 0;
    return rt_check_find(
        h, "conditioning", margin <= 1 ? ROUTH_YES : ROUTH_CANNOT_TELL, margin, error,
        "rounding moves no eigenvalue by more than %.2g 1/s (that of %.6g%+.6gi, "
        "condition %.2g)",
        bound, check_answers_part_of(mode, 0), check_answers_part_of(mode, 1), mode->condition);
}

static routh_status answer_zeros(rt_check_holder *h, routh_error *error)
{
    const routh_modes *modes = h->check.modes;
    if (modes->n_zero == 0) return ROUTH_OK;
    const double margin = modes->zero_margin > 0 ? modes->zero_margin / modes->zero_margin_sure : 0;
    return rt_check_find(h, "zeros", margin <= 1 ? ROUTH_YES : ROUTH_CANNOT_TELL, margin, error,
                         "%d eigenvalue%s zero; what was taken as zero is %.2g of the smallest "
                         "that was not",
                         modes->n_zero, modes->n_zero == 1 ? " is" : "s are", modes->zero_margin);
}

/* ---- cells ----------------------------------------------------------------------------------- */

typedef struct tally {
    int of_state[ROUTH_CELL_LEFT_OUT + 1], of_verdict[ROUTH_CANNOT_TELL + 1];
    double margin;
} tally;

static tally count_cells(const routh_check *c)
{
    tally t = {0};
    for (int k = 0; k < c->n_cells; k++) {
        const routh_check_cell *cell = &c->cells[k];
        t.of_state[cell->state]++;
        if (cell->state != ROUTH_CELL_COMPARED) continue;
        t.of_verdict[cell->verdict]++;
        t.margin = fmax(t.margin, fmax(cell->margin, cell->shape_margin));
    }
    return t;
}

/* "30 ways give the same eigenvalues as the reference, 1 does not" */
static void say_tally(char *text, size_t size, const tally *t)
{
    const struct {
        int n;
        const char *words;
    } parts[] = {{t->of_verdict[ROUTH_NO], "not"},
                 {t->of_verdict[ROUTH_CANNOT_TELL], "in doubt"},
                 {t->of_state[ROUTH_CELL_FAILED], "failed"},
                 {t->of_state[ROUTH_CELL_REFUSED], "refused"},
                 {t->of_state[ROUTH_CELL_LEFT_OUT], "left out"}};
    int used = snprintf(text, size, "coordinate sets by methods that agree with the reference: %d",
                        t->of_verdict[ROUTH_YES]);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (parts[k].n > 0 && used > 0 && (size_t)used < size)
            used +=
                snprintf(text + used, size - (size_t)used, ", %s: %d", parts[k].words, parts[k].n);
}

static routh_status answer_cells(rt_check_holder *h, routh_error *error)
{
    const tally t = count_cells(&h->check);
    const int n = t.of_state[ROUTH_CELL_COMPARED], no = t.of_verdict[ROUTH_NO];
    const int failed = t.of_state[ROUTH_CELL_FAILED], doubt = t.of_verdict[ROUTH_CANNOT_TELL];
    const routh_verdict verdict = no                          ? ROUTH_NO
                                  : n == 0 || failed || doubt ? ROUTH_CANNOT_TELL
                                                              : ROUTH_YES;
    char text[256];
    say_tally(text, sizeof text, &t);
    return rt_check_find(h, "agreement", verdict, n ? t.margin : NAN, error, "%s", text);
}

static void check_answers_conclude(routh_check *c)
{
    c->verdict = ROUTH_YES;
    for (int k = 0; k < c->n_findings; k++) {
        const routh_verdict v = c->findings[k].verdict;
        if (v == ROUTH_NO) c->verdict = ROUTH_NO;
        if (v == ROUTH_CANNOT_TELL && c->verdict == ROUTH_YES) c->verdict = ROUTH_CANNOT_TELL;
    }
}

routh_status rt_check_answers(rt_check_holder *h, routh_error *error)
{
    routh_status status = answer_constraints(h, error);
    if (!status) status = answer_balance(h, error);
    if (!status && h->check.modes) status = answer_conditioning(h, error);
    if (!status && h->check.modes) status = answer_zeros(h, error);
    if (!status) status = answer_cells(h, error);
    check_answers_conclude(&h->check);
    return status;
}
