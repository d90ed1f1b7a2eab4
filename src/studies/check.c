/* The public check: its parts in order, and the object that is given back. */
#include "studies/check.h"

#include <stdlib.h>

routh_check_options routh_check_defaults(void)
{
    return (routh_check_options){.operating = routh_operating_point_defaults(),
                                 .tolerance = 1e-8,
                                 .most_degrees = 60,
                                 .most_columns = 400,
                                 .most_eigenvalues = 1000,
                                 .most_exact_bodies = 16};
}

void routh_check_free(routh_check *check)
{
    if (!check) return;
    rt_check_holder *h = (rt_check_holder *)(void *)check;
    routh_modes_free(check->modes);
    routh_linear_free(check->linear);
    routh_operating_point_free(check->point);
    routh_mechanism_free(h->mechanism);
    rt_arena_free(&h->arena);
    free(h);
}

static routh_status check_check_options(const routh_check_options *o, routh_error *error)
{
    if (o->tolerance > 0 && o->tolerance < 1 && o->most_degrees >= 0 && o->most_columns >= 0 &&
        o->most_eigenvalues >= 0 && o->most_exact_bodies >= 0)
        return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the tolerance of a check must be between 0 and 1, and its limits 0 or more");
}

static routh_status check_run(rt_check_holder *h, routh_error *error)
{
    routh_status status = check_check_options(&h->options, error);
    if (!status) status = routh_mechanism_compile(&h->mechanism, h->model, NULL, error);
    if (!status)
        status =
            routh_operating_point_find(&h->check.point, h->mechanism, &h->options.operating, error);
    if (!status) status = rt_progress_ask(&h->progress, 0, error);
    if (!status) status = rt_check_structure(h, error);
    if (!status) status = rt_progress_ask(&h->progress, 0, error);
    if (!status) status = rt_check_cells(h, error);
    if (!status) status = rt_progress_ask(&h->progress, 0, error);
    if (!status) status = rt_check_modes(h, error);
    return status ? status : rt_check_answers(h, error);
}

/* What is within the check asks for all of it. */
static void check_forward_progress(rt_check_holder *h)
{
    h->progress.on_progress = h->options.on_progress;
    h->progress.data = h->options.data;
    h->options.operating.on_progress = rt_progress_within;
    h->options.operating.data = &h->progress;
}

routh_status routh_check_run(routh_check **check, const routh_model *model,
                             const routh_check_options *options, routh_error *error)
{
    *check = NULL;
    rt_check_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    h->model = model;
    h->options = options ? *options : routh_check_defaults();
    check_forward_progress(h);
    const routh_status status = rt_progress_end(&h->progress, check_run(h, error), error);
    if (status) {
        routh_check_free(&h->check);
        return status;
    }
    *check = &h->check;
    return ROUTH_OK;
}
