/* Small steps from a value to another one that a long step did not lead to: whether the operating
 * point ends on the way, and where. */
#include "studies/sweep_approach.h"

#include <math.h>

#include "studies/sweep_walk.h"

bool rt_is_followed(const rt_solution *s)
{
    return s->state && s->point && s->point->type != ROUTH_OPERATING_GIVEN;
}

bool rt_may_end(const rt_solution *s)
{
    return s->status ? s->status == ROUTH_NO_EQUILIBRIUM : !s->followed;
}

/* Two steps in a row that succeed make the next one twice as long: beside an end one in two fails,
 * and elsewhere the whole way is soon done. */
static void lengthen(double *step, bool *again)
{
    if (*again) *step *= 2;
    *again = !*again;
}

static void sweep_approach_take(rt_approach *p, const rt_solution *next, double to)
{
    rt_solution_free(&p->at);
    p->at = *next;
    p->bracket[0] = next->value;
    if (fabs(to - p->bracket[0]) <= fabs(to - p->bracket[1])) p->bracket[1] = to;
}

routh_status rt_approach_find(rt_approach *p, const rt_sweep_task *task, const rt_solution *from,
                              double to, routh_error *error)
{
    enum { MOST = 1000 }; /* solutions: what is known then is said as it is */
    const double way = to - from->value, least = 1e-9 * fabs(way);
    const rt_solution *last = from;
    double step = way / 2;
    bool again = false;
    *p = (rt_approach){.bracket = {from->value, to}};
    for (int n = 0; n < MOST && !p->reached && !p->stopped && fabs(step) >= least; n++) {
        rt_solution next;
        const bool whole = fabs(step) >= fabs(to - last->value);
        const double value = whole ? to : last->value + step;
        if (value == last->value) break;
        const routh_status status = rt_solution_follow(task, value, last, &next, error);
        p->stopped = rt_sweep_tell(task, 0);
        const bool beside = !next.status && !rt_is_short_step(last, &next);
        if (status || next.status || !next.followed || beside) {
            rt_solution_free(&next);
            if (status) return status;
            p->bracket[1] = value;
            step /= 2;
            again = false;
            continue;
        }
        sweep_approach_take(p, &next, to);
        last = &p->at;
        p->reached = whole;
        lengthen(&step, &again);
    }
    return ROUTH_OK;
}

void rt_approach_release(rt_approach *p) { rt_solution_free(&p->at); }
