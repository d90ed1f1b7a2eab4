/* Bars of a flexible body (rt_bar): force, damping and their partials by the strain
 *     e = c_a q_a + 1/2 g_ab q_a q_b,   e_a = c_a + g_ab q_b,   e_t = e_a q_a' */
#include "elements/flexible_body.h"

/* e = c_a q_a + 1/2 g_ab q_a q_b,   e_a = c_a + g_ab q_b */
static inline rt_scalar bar_slope(const rt_bar *bar, const rt_bar *by, int a, const rt_scalar *q)
{
    rt_scalar slope = RT_SHAPE_NUMBER(bar, by, c, a);
    for (int j = 0; j < bar->n; j++)
        slope += RT_SHAPE_NUMBER(bar, by, g, bar->n * a + j) * q[bar->column[j]];
    return slope;
}

static rt_scalar bar_strain(const rt_bar *bar, const rt_bar *by, const rt_scalar *q)
{
    rt_scalar e = 0;
    for (int a = 0; a < bar->n; a++)
        e += 0.5 * (RT_SHAPE_NUMBER(bar, by, c, a) + bar_slope(bar, by, a, q)) * q[bar->column[a]];
    return e;
}

/* e_t = e_a q_a' */
static rt_scalar bar_rate(const rt_bar *bar, const rt_bar *by, const rt_elastic_state *s)
{
    rt_scalar rate = 0;
    for (int a = 0; a < bar->n; a++) rate += bar_slope(bar, by, a, s->q) * s->u[bar->column[a]];
    return rate;
}

/* g_ab q_b' */
static rt_scalar bar_slope_rate(const rt_bar *bar, const rt_bar *by, int a, const rt_scalar *u)
{
    rt_scalar rate = 0;
    for (int j = 0; j < bar->n; j++)
        rate += RT_SHAPE_NUMBER(bar, by, g, bar->n * a + j) * u[bar->column[j]];
    return rate;
}

/* Of a bar its strain's stiffness and damping, and their force. */
typedef struct bar_force {
    rt_scalar stiffness, damping, force;
} bar_force;

/* d r_a / d q_b += s e_a e_b + d e_a g_bc q_c' + (s e + d e_t) g_ab,
 * d r_a / d q_b' += d e_a e_b */
static void add_bar_partials(const rt_flexible_body *b, const rt_bar *bar, const rt_bar *by,
                             const bar_force *f, rt_flexible_result *out)
{
    for (int j = 0; j < bar->n; j++) {
        const rt_scalar own = bar_slope(bar, by, j, b->state->q);
        const rt_scalar change =
            f->stiffness * own + f->damping * bar_slope_rate(bar, by, j, b->state->u);
        for (int i = 0; i < bar->n; i++) {
            const int at = bar->position[bar->n * i + j];
            const rt_scalar slope = bar_slope(bar, by, i, b->state->q);
            if (out->inner[0])
                out->inner[0][at] +=
                    slope * change + f->force * RT_SHAPE_NUMBER(bar, by, g, bar->n * i + j);
            if (out->inner[1]) out->inner[1][at] += f->damping * slope * own;
        }
    }
}

/* r_a += (s e + d e_t) e_a,   s the stiffness, d the damping */
void rt_flexible_add_bar(const rt_flexible_body *b, int k, bool partials, rt_flexible_result *out)
{
    const rt_bar *bar = &b->flexible->bars[k], *by = b->slope ? &b->slope->bars[k] : NULL;
    bar_force f = {.stiffness = rt_shape_number(&bar->stiffness, by ? &by->stiffness : NULL, 0),
                   .damping = rt_shape_number(&bar->damping, by ? &by->damping : NULL, 0)};
    f.force = f.stiffness * bar_strain(bar, by, b->state->q);
    if (b->moves) f.force += f.damping * bar_rate(bar, by, b->state);
    for (int i = 0; i < bar->n; i++)
        rt_flexible_contribute(out, bar->column[i], f.force * bar_slope(bar, by, i, b->state->q));
    if (partials) add_bar_partials(b, bar, by, &f, out);
}
