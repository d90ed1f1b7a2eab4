/* The radial spring of a tyre without no_tension pulls a wheel that is off the road back to it. A
 * search from a rough start may end where a vehicle is held down so, its springs turned over: an
 * equilibrium of the model, and of no vehicle. */
#include "operating/pulling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/vec3.h"
#include "model/load_class.h"

/* Less than this part of the force on the wheel is rounding. */
static const double ROUNDING = 1e-9;

/* What pushes only where `no_tension` is given. */
static bool is_tyre(const rt_load *load)
{
    const char *field = rt_load_class_of(load->type)->kink_field;
    return field && strcmp(field, "no_tension") == 0;
}

/* The force on the wheel along the road's normal, z of the second marker. */
static double pulling_normal_force(const rt_search *s, const rt_load *load, const routh_reaction *r)
{
    static const double z[3] = {0, 0, 1};
    double normal[3];
    if (load->resolved_in < 0)
        rt_v3_copy(normal, z);
    else
        rt_m3_mul_v(normal, s->w->markers[load->resolved_in].A, z);
    return rt_v3_dot(normal, r->force);
}

bool rt_pulling_words(const rt_search *s, const routh_operating_point *p, char *text, size_t size)
{
    const routh_mechanism *m = s->m;
    const char *worst = NULL;
    double most = 0;
    int n = 0;
    for (int k = 0; k < m->n_loads && p->type != ROUTH_OPERATING_GIVEN; k++) {
        const rt_load *load = &m->model->loads[k];
        const routh_reaction *r = &p->reactions[m->n_constraints + k];
        if (!is_tyre(load)) continue;
        const double pull = -pulling_normal_force(s, load, r);
        if (!(pull > ROUNDING * rt_v3_norm(r->force))) continue;
        n++;
        if (pull > most) most = pull, worst = load->name;
    }
    if (!worst) return false;
    char number[RT_NUMBER_SIZE], others[40] = "";
    rt_number_text(number, most, 3);
    if (n > 1) snprintf(others, sizeof others, ", %d other%s less", n - 1, n > 2 ? "s" : "");
    snprintf(text, size,
             "tyre %s pulls on the road with %s N%s: a tyre without `no_tension: true` pulls where "
             "its wheel is off the road. Begin nearer to the configuration that is meant, or give "
             "the tyres `no_tension: true`",
             worst, number, others);
    return true;
}
