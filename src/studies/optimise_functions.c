/* Objective and conditions of an evaluation, with gradients (optimise_problem.h has the formulas).
 * */
#include <math.h>
#include <string.h>

#include "studies/optimise_problem.h"

double rt_variable_value(const rt_study_variable *v, double part, double *slope)
{
    const double ratio = v->logarithmic ? log(v->high / v->low) : 0;
    double x = v->logarithmic ? v->low * exp(part * ratio) : v->low + part * (v->high - v->low);
    x = fmin(fmax(x, v->low), v->high);
    if (slope) *slope = v->logarithmic ? x * ratio : v->high - v->low;
    return x;
}

double rt_variable_part(const rt_study_variable *v, double value)
{
    return v->logarithmic ? log(value / v->low) / log(v->high / v->low)
                          : (value - v->low) / (v->high - v->low);
}

/* gradient += factor dq/dX of a member */
static void optimise_functions_add_gradient(const rt_problem *p, const rt_evaluation *r, int member,
                                            double factor, double *gradient)
{
    const rt_study *s = p->task.study;
    for (int k = 0; gradient && k < p->n_x; k++) {
        double slope;
        rt_variable_value(&s->variables[k], rt_variable_part(&s->variables[k], r->x[k]), &slope);
        gradient[k] += factor * slope * r->by[(size_t)member * (size_t)p->n_x + (size_t)k];
    }
}

static double least_change(const rt_problem *p, const double *X, double *gradient)
{
    double sum = 0;
    for (int k = 0; k < p->n_x; k++) {
        sum += (X[k] - p->start[k]) * (X[k] - p->start[k]);
        if (gradient) gradient[k] += 2 * (X[k] - p->start[k]);
    }
    return sum;
}

static double objective_of_goal(const rt_problem *p, int g, const rt_evaluation *r, const double *X,
                                double *gradient)
{
    const rt_study_goal *goal = &p->task.study->goals[g];
    const int first = p->members.first[g], t = p->t_of_goal[g];
    const double w = goal->weight, size = p->size[g];
    if (goal->wish == ROUTH_WISH_NEAR) {
        double sum = 0;
        for (int k = first; k < p->members.first[g + 1]; k++) {
            const double miss = (r->value[k] - goal->target) / size;
            sum += w * miss * miss;
            optimise_functions_add_gradient(p, r, k, 2 * w * miss / size, gradient);
        }
        return sum;
    }
    if (goal->wish == ROUTH_WISH_NONE) return 0;
    if (t >= 0) {
        if (gradient) gradient[p->n_x + t] += w;
        return w * X[p->n_x + t];
    }
    const double factor = (goal->wish == ROUTH_WISH_MAXIMISE ? -w : w) / size;
    optimise_functions_add_gradient(p, r, first, factor, gradient);
    return factor * r->value[first];
}

double rt_problem_objective(const rt_problem *p, const rt_evaluation *r, const double *X,
                            double *gradient)
{
    double sum = 0;
    if (gradient) memset(gradient, 0, (size_t)p->n * sizeof *gradient);
    if (p->least_change) return least_change(p, X, gradient);
    for (int g = 0; g < p->task.study->n_goals; g++) sum += objective_of_goal(p, g, r, X, gradient);
    return sum;
}

double rt_problem_condition(const rt_problem *p, int k, const rt_evaluation *r, const double *X,
                            double *gradient)
{
    const rt_condition *c = &p->conditions[k];
    const rt_study_goal *goal = &p->task.study->goals[c->goal];
    const double q = r->value[c->member], factor = c->sign / c->scale;
    if (gradient) memset(gradient, 0, (size_t)p->n * sizeof *gradient);
    optimise_functions_add_gradient(p, r, c->member, factor, gradient);
    if (c->side != RT_SIDE_EPIGRAPH)
        return factor * (q - (c->side == RT_SIDE_LOW ? goal->low : goal->high));
    if (gradient) gradient[p->n_x + c->t] = -1;
    return factor * q - X[p->n_x + c->t];
}

void rt_problem_point(const rt_problem *p, const rt_evaluation *r, double *X)
{
    const rt_study *s = p->task.study;
    for (int k = 0; k < p->n_x; k++) X[k] = rt_variable_part(&s->variables[k], r->x[k]);
    for (int k = p->n_x; k < p->n; k++) X[k] = -INFINITY;
    for (int k = 0; k < p->n_conditions; k++) {
        const rt_condition *c = &p->conditions[k];
        if (c->side != RT_SIDE_EPIGRAPH) continue;
        double *t = &X[p->n_x + c->t];
        *t = fmax(*t, c->sign / c->scale * r->value[c->member]);
    }
}

double rt_problem_merit(const rt_problem *p, const rt_evaluation *r)
{
    const rt_study *s = p->task.study;
    double sum = 0;
    if (r->message) return NAN;
    for (int k = 0; k < p->n_x && p->least_change; k++) {
        const double way = rt_variable_part(&s->variables[k], r->x[k]) - p->start[k];
        sum += way * way;
    }
    for (int g = 0; g < s->n_goals && !p->least_change; g++) {
        const rt_study_goal *goal = &s->goals[g];
        const double sign = goal->wish == ROUTH_WISH_MAXIMISE ? -1 : 1;
        double most = -INFINITY;
        if (p->t_of_goal[g] < 0) {
            sum += objective_of_goal(p, g, r, NULL, NULL);
            continue;
        }
        for (int k = p->members.first[g]; k < p->members.first[g + 1]; k++)
            most = fmax(most, sign * r->value[k] / p->size[g]);
        sum += goal->weight * most;
    }
    return sum;
}

double rt_problem_violation(const rt_problem *p, const rt_evaluation *r)
{
    double most = 0;
    if (r->message) return NAN;
    for (int k = 0; k < p->n_conditions; k++) {
        if (p->conditions[k].side == RT_SIDE_EPIGRAPH) continue;
        const double c = rt_problem_condition(p, k, r, NULL, NULL);
        most = fmax(most, k < p->n_at ? fabs(c) : c);
    }
    return most;
}
