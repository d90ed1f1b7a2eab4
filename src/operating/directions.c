/* Forces whose direction is chance. */
#include <math.h>
#include <stdio.h>

#include "model/load_class.h"
#include "operating/operating.h"

/* A spring whose ends are no farther apart than positions are rounded: what the difference of two
 * such numbers points along is chance, and rounding of it explains any force. */
static bool ends_meet(const rt_search *s, const rt_load *load)
{
    static const double rounding = 2e-15;
    double d[3] = {0}, size = s->m->length;
    if (rt_load_class_of(load->type)->closed_form != RT_CLOSED_LENGTH) return false;
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < 3 && load->markers[e] >= 0; k++) {
            const double r = s->w->markers[load->markers[e]].r[k];
            size = fmax(size, fabs(r));
            d[k] += e ? -r : r;
        }
    for (int k = 0; k < 3; k++)
        if (fabs(d[k]) > rounding * size) return false;
    return true;
}

/* It pulls there, by more than rounding of its length makes. */
static bool pulls(const rt_search *s, int k)
{
    double wrench[6];
    rt_load_on_first(s->m, s->w, &s->m->loads[k], s->state, wrench);
    const double rounding = 1e-12 * s->m->length * s->m->model->loads[k].stiffness.value;
    return rt_v3_norm(wrench) > rounding;
}

routh_status rt_check_directions(const rt_search *s, routh_error *error)
{
    const routh_model *model = s->m->model;
    for (int k = 0; k < model->n_loads; k++) {
        const rt_load *load = &model->loads[k];
        char element[192];
        if (!ends_meet(s, load) || !pulls(s, k)) continue;
        snprintf(element, sizeof element, "load %.180s", load->name);
        return rt_fail_at(error, ROUTH_NUMERIC_ERROR, model->file, load->place, element,
                          "at this operating point its two markers are at the same point but for "
                          "rounding, so the force has no direction; move one of them, or begin "
                          "elsewhere");
    }
    return ROUTH_OK;
}
