#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "studies/optimise_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- evaluations ----------------------------------------------------------------------------- */

static routh_status optimise_problem_add_record(rt_problem *p, rt_evaluation *r, routh_error *error)
{
    if (p->n_records == p->room) {
        const int room = p->room ? 2 * p->room : 64;
        rt_evaluation *more = realloc(p->records, (size_t)room * sizeof *more);
        if (!more) return rt_fail_memory(error);
        p->records = more;
        p->room = room;
    }
    p->records[p->n_records++] = *r;
    *r = (rt_evaluation){0};
    return ROUTH_OK;
}

/* The iterate that a run is at after the evaluations of a log: found anew from the start. */
static routh_status catch_up(rt_problem *p, routh_error *error)
{
    if (p->last.found || p->last_good < 0) return ROUTH_OK;
    const rt_evaluation *r = &p->records[p->last_good];
    rt_iterate_free(&p->last);
    routh_status status = rt_iterate_find(&p->last, &p->task, r->x, &p->begin, error);
    if (!status) status = rt_iterate_recognise(&p->last, r->eigenvalues, error);
    if (status) p->last.found = false;
    return status;
}

static void note_eigenvalues(rt_evaluation *r, const rt_iterate *it)
{
    for (int b = 0; b < it->modes->n; b++)
        memcpy(&r->eigenvalues[2 * b], it->modes->modes[it->place[b]].eigenvalue,
               2 * sizeof(double));
}

/* Solves at r->x from the last iterate, which it becomes where all goes well. */
static routh_status optimise_problem_solve(rt_problem *p, rt_evaluation *r, routh_error *error)
{
    rt_iterate next = {0};
    bool uncertain = false;
    routh_status status = catch_up(p, error);
    const rt_iterate *from = p->last.found ? &p->last : &p->begin;
    if (!status)
        status =
            rt_iterate_follow(&next, &p->task, r->x, from, p->members.watched, &uncertain, error);
    if (!status)
        status = rt_members_evaluate(&p->members, &p->task, &next, r->value, r->by, r->hz, error);
    if (status) {
        rt_iterate_free(&next);
        return status;
    }
    note_eigenvalues(r, &next);
    r->uncertain = uncertain;
    rt_iterate_free(&p->last);
    p->last = next;
    return ROUTH_OK;
}

static routh_status optimise_problem_tell(rt_problem *p, const rt_evaluation *r, int number,
                                          routh_error *error)
{
    const routh_optimum_options *o = p->task.options;
    const double merit = rt_problem_merit(p, r), violation = rt_problem_violation(p, r);
    const routh_status status =
        rt_log_write(&p->log, &p->members, r, number, merit, violation, error);
    if (!status && o->on_evaluation && o->on_evaluation(o->data, number, merit, violation))
        p->stop = true, p->end = ROUTH_OPTIMISE_INTERRUPTED;
    return status;
}

static routh_status optimise_problem_compute(rt_problem *p, const double *x, routh_error *error)
{
    rt_evaluation r = {0};
    routh_error problem = {0};
    char text[1400];
    routh_status status = rt_evaluation_make(&r, &p->members, error);
    if (!status) {
        memcpy(r.x, x, (size_t)p->n_x * sizeof *x);
        status = optimise_problem_solve(p, &r, &problem);
        if (status && status != ROUTH_OUT_OF_MEMORY) {
            routh_error_text(&problem, text, sizeof text);
            r.message = malloc(strlen(text) + 1);
            status = r.message ? ROUTH_OK : ROUTH_OUT_OF_MEMORY;
            if (r.message) strcpy(r.message, text);
        }
        if (status) rt_fail_memory(error);
    }
    if (!status) status = optimise_problem_add_record(p, &r, error);
    if (!status)
        status = optimise_problem_tell(p, &p->records[p->n_records - 1], p->n_records, error);
    rt_evaluation_free(&r);
    return status;
}

static routh_status next_of_log(const rt_problem *p, const double *x, routh_error *error)
{
    const rt_evaluation *r = &p->records[p->n_given];
    if (memcmp(r->x, x, (size_t)p->n_x * sizeof *x) == 0) return ROUTH_OK;
    return rt_fail_at(error, ROUTH_BAD_ARGUMENT, p->log.path, rt_place_at(p->n_given + 2, 1), NULL,
                      "evaluation %d of the log differs from this run, because the log belongs to "
                      "another study, model or version; start again with a new log",
                      p->n_given + 1);
}

static bool may_go_on(rt_problem *p)
{
    if (p->n_given >= p->most)
        p->stop = true, p->end = ROUTH_OPTIMISE_EVALUATIONS;
    else if (p->n_given >= p->n_replayed && now() > p->until)
        p->stop = true, p->end = ROUTH_OPTIMISE_TIME;
    return !p->stop;
}

static bool give(rt_problem *p, const double *x)
{
    const bool logged = p->n_given < p->n_replayed;
    if (!may_go_on(p)) return false;
    p->status = logged ? next_of_log(p, x, &p->error) : optimise_problem_compute(p, x, &p->error);
    if (p->status) p->stop = true;
    if (p->status) return false;
    p->current = p->n_given++;
    if (!p->records[p->current].message) p->last_good = p->current;
    return true;
}

const rt_evaluation *rt_problem_at(rt_problem *p, const double *X)
{
    const rt_study *s = p->task.study;
    double *x = p->asked;
    for (int k = 0; k < p->n_x; k++) x[k] = rt_variable_value(&s->variables[k], X[k], NULL);
    const rt_evaluation *r = p->current >= 0 ? &p->records[p->current] : NULL;
    if (r && memcmp(r->x, x, (size_t)p->n_x * sizeof *x) == 0) return r;
    return !p->stop && give(p, x) ? &p->records[p->current] : NULL;
}

const rt_evaluation *rt_problem_stand_in(const rt_problem *p, const rt_evaluation *r)
{
    return r->message ? &p->records[p->last_good] : r;
}

int rt_problem_best(const rt_problem *p)
{
    int best = -1;
    double least = INFINITY, missed = INFINITY;
    for (int k = 0; k < p->n_given; k++) {
        const rt_evaluation *r = &p->records[k];
        if (r->message) continue;
        const double merit = rt_problem_merit(p, r);
        const double miss = fmax(rt_problem_violation(p, r), RT_OPTIMISE_MISS);
        if (miss > missed || (miss == missed && !(merit < least))) continue;
        best = k, least = merit, missed = miss;
    }
    return best;
}

/* ---- making it ------------------------------------------------------------------------------- */

static double size_of_start(const rt_problem *p, int g)
{
    double size = 0;
    for (int k = p->members.first[g]; k < p->members.first[g + 1]; k++)
        size = fmax(size, fabs(p->records[0].value[k]));
    return size > 0 && isfinite(size) ? size : 1;
}

static void add_conditions(rt_problem *p, rt_constraint_side side, int g)
{
    const rt_study_goal *goal = &p->task.study->goals[g];
    const double bound = side == RT_SIDE_LOW ? goal->low : goal->high, size = size_of_start(p, g);
    const double sign = side == RT_SIDE_EPIGRAPH ? (goal->wish == ROUTH_WISH_MAXIMISE ? -1 : 1)
                                                 : (side == RT_SIDE_LOW ? -1 : 1);
    for (int k = p->members.first[g]; k < p->members.first[g + 1]; k++)
        p->conditions[p->n_conditions++] =
            (rt_condition){.side = side,
                           .goal = g,
                           .member = k,
                           .t = p->t_of_goal[g],
                           .sign = sign,
                           .scale = side != RT_SIDE_EPIGRAPH && bound != 0 ? fabs(bound) : size};
}

static bool asks_for(const rt_study_goal *g, rt_constraint_side side)
{
    const bool at = g->low == g->high;
    switch (side) {
    case RT_SIDE_AT: return at;
    case RT_SIDE_LOW: return !at && isfinite(g->low);
    case RT_SIDE_HIGH: return !at && isfinite(g->high);
    default: return g->wish == ROUTH_WISH_MINIMISE || g->wish == ROUTH_WISH_MAXIMISE;
    }
}

static routh_status make_conditions(rt_problem *p, routh_error *error)
{
    const rt_study *s = p->task.study;
    p->least_change = true;
    p->conditions = RT_TAKE(&p->arena, rt_condition, 3 * p->members.n + 1);
    p->t_of_goal = RT_TAKE(&p->arena, int, s->n_goals);
    p->size = RT_TAKE(&p->arena, double, s->n_goals);
    if (!p->conditions || !p->t_of_goal || !p->size) return rt_fail_memory(error);
    for (int g = 0; g < s->n_goals; g++) {
        const rt_study_goal *goal = &s->goals[g];
        const bool many = p->members.first[g + 1] - p->members.first[g] > 1;
        if (goal->wish) p->least_change = false;
        p->t_of_goal[g] = many && asks_for(goal, RT_SIDE_EPIGRAPH) ? p->n_t++ : -1;
        p->size[g] = goal->wish == ROUTH_WISH_NEAR && goal->target != 0 ? fabs(goal->target)
                                                                        : size_of_start(p, g);
    }
    p->n = p->n_x + p->n_t;
    for (int side = RT_SIDE_AT; side <= RT_SIDE_EPIGRAPH; side++) {
        for (int g = 0; g < s->n_goals; g++)
            if (asks_for(&s->goals[g], (rt_constraint_side)side) &&
                (side != RT_SIDE_EPIGRAPH || p->t_of_goal[g] >= 0))
                add_conditions(p, (rt_constraint_side)side, g);
        if (side == RT_SIDE_AT) p->n_at = p->n_conditions;
    }
    return ROUTH_OK;
}

/* The start is solved in any case: what is counted and scaled by it must be that of this model. */
static routh_status evaluate_start(rt_problem *p, const double *x, rt_evaluation *r,
                                   routh_error *error)
{
    routh_status status = rt_iterate_find(&p->begin, &p->task, x, NULL, error);
    if (!status) status = rt_members_make(&p->members, &p->task, &p->begin, error);
    if (!status) status = rt_evaluation_make(r, &p->members, error);
    if (!status)
        status =
            rt_members_evaluate(&p->members, &p->task, &p->begin, r->value, r->by, r->hz, error);
    if (status) return status;
    memcpy(r->x, x, (size_t)p->n_x * sizeof *x);
    note_eigenvalues(r, &p->begin);
    return ROUTH_OK;
}

/* The log's start must be this one, but for rounding. */
static routh_status compare_starts(const rt_problem *p, const rt_evaluation *now,
                                   routh_error *error)
{
    const rt_evaluation *then = &p->records[0];
    bool same = !then->message && memcmp(then->x, now->x, (size_t)p->n_x * sizeof *now->x) == 0;
    for (int k = 0; k < p->members.n && same; k++)
        same = fabs(then->value[k] - now->value[k]) <= 1e-6 * fabs(now->value[k]) + 1e-9;
    return same ? ROUTH_OK
                : rt_fail_at(error, ROUTH_BAD_ARGUMENT, p->log.path, rt_place_at(2, 1), NULL,
                             "the log begins with other values than the model has, because it "
                             "belongs to another study or model; start again with a new log");
}

static routh_status take_log(rt_problem *p, rt_evaluation *start, routh_error *error)
{
    const routh_optimum_options *o = p->task.options;
    const char *algorithm = o->algorithm ? o->algorithm : p->task.study->algorithm;
    routh_status status = ROUTH_OK;
    if (o->log && o->resume)
        status = rt_log_resume(&p->log, o->log, &p->task, algorithm, &p->members, &p->records,
                               &p->n_records, error);
    else if (o->log)
        status = rt_log_begin(&p->log, o->log, &p->task, algorithm, error);
    p->n_replayed = p->room = p->n_records;
    if (!status && p->n_records) return compare_starts(p, start, error);
    return status ? status : optimise_problem_add_record(p, start, error);
}

static void set_limits(rt_problem *p)
{
    const routh_optimum_options *o = p->task.options;
    p->most = o->evaluations > 0 ? o->evaluations : p->task.study->evaluations;
    p->until = now() + (o->seconds > 0 ? o->seconds : p->task.study->seconds);
}

routh_status rt_problem_make(rt_problem *p, const rt_optimise_task *task, routh_error *error)
{
    const rt_study *s = task->study;
    rt_evaluation start = {0};
    *p = (rt_problem){.task = *task, .n_x = s->n_variables, .current = -1, .last_good = -1};
    p->start = RT_TAKE(&p->arena, double, s->n_variables);
    double *x = p->asked = RT_TAKE(&p->arena, double, s->n_variables);
    if (!p->start || !x) return rt_fail_memory(error);
    for (int k = 0; k < p->n_x; k++) {
        p->start[k] = rt_variable_part(&s->variables[k], s->variables[k].start);
        x[k] = rt_variable_value(&s->variables[k], p->start[k], NULL);
    }
    set_limits(p);
    routh_status status = evaluate_start(p, x, &start, error);
    if (!status) status = take_log(p, &start, error);
    if (!status) status = make_conditions(p, error);
    if (!status && p->n_replayed == 0) status = optimise_problem_tell(p, &p->records[0], 1, error);
    rt_evaluation_free(&start);
    p->current = p->last_good = 0;
    p->n_given = 1;
    return status;
}

void rt_problem_free(rt_problem *p)
{
    for (int k = 0; k < p->n_records; k++) rt_evaluation_free(&p->records[k]);
    free(p->records);
    rt_iterate_free(&p->begin);
    rt_iterate_free(&p->last);
    rt_members_free(&p->members);
    rt_log_end(&p->log);
    rt_arena_free(&p->arena);
    *p = (rt_problem){0};
}
