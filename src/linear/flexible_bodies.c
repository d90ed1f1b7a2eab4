/* Flexible bodies for those who draw them: how nodes stand and move, and where strain energy sits.
 * A node at X + S_k q_k, turned by psi = R_k q_k, moves in its frame by A S_k, A T(psi) R_k
 * (flexible.h, system/flexible.h). */
#include "base/rotation.h"
#include "elements/flexure.h"
#include "linear/share_forms.h"

typedef struct flexible_bodies_copier {
    rt_share_task t;
    const rt_flexible_block *block;
    const rt_frame *frame;
    const double *q;
} flexible_bodies_copier;

static routh_status flexible_bodies_copy_node(flexible_bodies_copier *c,
                                              const rt_flexible_node *from, routh_flexible_node *to,
                                              routh_error *error)
{
    rt_arena *arena = &c->t.h->arena;
    static const double none[3] = {0};
    const int n = from->n;
    double local[3], psi[3] = {0}, T[3][9], E[9], turned[9];
    to->number = from->number;
    to->n = n;
    to->column = RT_TAKE(arena, int, n);
    to->motion = RT_TAKE(arena, double, 6 * (size_t)n);
    if (!to->column || !to->motion) return rt_fail_memory(error);
    if (n) memcpy(to->column, from->column, (size_t)n * sizeof *to->column);
    rt_v3_copy(local, from->X);
    rt_m3_mul_v(to->undeformed, c->frame->A, local);
    rt_v3_add(to->undeformed, to->undeformed, c->frame->r);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) {
            local[i] += from->S[i * n + k] * c->q[from->column[k]];
            psi[i] += from->R[i * n + k] * c->q[from->column[k]];
        }
    rt_m3_mul_v(to->position, c->frame->A, local);
    rt_v3_add(to->position, to->position, c->frame->r);
    rt_rotation_exp(E, psi);
    rt_m3_mul(turned, c->frame->A, E);
    rt_m3_mul(to->orientation, turned, from->axes);
    rt_rotation_left_jet(T, psi, none, none);
    rt_m3_mul(turned, c->frame->A, T[0]);
    for (int k = 0; k < n; k++) {
        const double S[3] = {from->S[k], from->S[n + k], from->S[2 * n + k]},
                     R[3] = {from->R[k], from->R[n + k], from->R[2 * n + k]};
        double u[3], w[3];
        rt_m3_mul_v(u, c->frame->A, S);
        rt_m3_mul_v(w, turned, R);
        for (int i = 0; i < 3; i++) {
            to->motion[i * n + k] = u[i];
            to->motion[(3 + i) * n + k] = w[i];
        }
    }
    return ROUTH_OK;
}

static int flexible_bodies_find_column(const rt_flexible_part *part, int column)
{
    for (int k = 0; k < part->n; k++)
        if (part->column[k] == column) return k;
    return -1;
}

/* The stretch of the bar of the same element, where the part sees its coordinates: its energy is
 * 1/2 stiffness (de)^2,  de = (c_a + g_ab q_b) dq_a. */
static void add_stretch(const flexible_bodies_copier *c, const rt_flexible_part *part,
                        const rt_bar *bar, double *stiffness)
{
    for (int a = 0; a < bar->n; a++)
        if (flexible_bodies_find_column(part, bar->column[a]) < 0) return;
    for (int a = 0; a < bar->n; a++)
        for (int b = 0; b < bar->n; b++) {
            double e[2] = {bar->c[a], bar->c[b]};
            for (int x = 0; x < bar->n; x++) {
                e[0] += bar->g[a * bar->n + x] * c->q[bar->column[x]];
                e[1] += bar->g[b * bar->n + x] * c->q[bar->column[x]];
            }
            stiffness[flexible_bodies_find_column(part, bar->column[a]) * part->n +
                      flexible_bodies_find_column(part, bar->column[b])] +=
                bar->stiffness * e[0] * e[1];
        }
}

static routh_status copy_parts(flexible_bodies_copier *c, routh_flexible_body *to,
                               routh_error *error)
{
    const rt_flexible *shape = c->block->shape;
    rt_arena *arena = &c->t.h->arena;
    to->parts = RT_TAKE(arena, routh_flexible_part, shape->n_parts);
    if (!to->parts) return rt_fail_memory(error);
    to->n_parts = shape->n_parts;
    for (int k = 0; k < shape->n_parts; k++) {
        const rt_flexible_part *from = &shape->parts[k];
        const size_t n = (size_t)from->n;
        routh_flexible_part *part = &to->parts[k];
        part->n = from->n;
        part->n_nodes = from->n_nodes;
        part->size = from->size;
        memcpy(part->nodes, from->nodes, sizeof part->nodes);
        part->column = RT_TAKE(arena, int, n);
        part->stiffness = RT_TAKE(arena, double, n *n);
        if (!part->column || !part->stiffness) return rt_fail_memory(error);
        if (n == 0) continue;
        memcpy(part->column, from->column, n * sizeof *part->column);
        memcpy(part->stiffness, from->k, n * n * sizeof *part->stiffness);
        if (shape->n_flexures) rt_flexure_stiffness(shape, k, c->q, part->stiffness);
        if (shape->n_bars == shape->n_parts) add_stretch(c, from, &shape->bars[k], part->stiffness);
    }
    return ROUTH_OK;
}

static bool copy_indices(rt_arena *arena, int **to, const int *from, size_t n)
{
    *to = RT_TAKE(arena, int, n);
    if (*to && n) memcpy(*to, from, n * sizeof **to);
    return *to != NULL;
}

/* Of a round rod: its polar moment about its axis is 1/2 m R^2, the axis that of the first node. */
static double flexible_bodies_find_radius(const rt_flexible *shape)
{
    if (shape->n_nodes == 0) return 0;
    double x[3], y[3];
    rt_m3_column(x, shape->nodes[0].axes, 0);
    rt_m3_mul_v(y, shape->rotary, x);
    return sqrt(fmax(2 * rt_v3_dot(x, y) / shape->mass, 0));
}

static routh_status copy_body(flexible_bodies_copier *c, routh_flexible_body *to,
                              routh_error *error)
{
    const rt_flexible *shape = c->block->shape;
    rt_linear_holder *h = c->t.h;
    const size_t n_states = (size_t)h->linear.n_states;
    to->name = rt_linear_text(h, "%s", c->t.s->m->model->bodies[c->block->body].name);
    to->marker = c->block->body;
    to->n = shape->n;
    to->radius = flexible_bodies_find_radius(shape);
    to->elastic = RT_TAKE(&h->arena, double, (size_t)shape->n *n_states);
    to->nodes = RT_TAKE(&h->arena, routh_flexible_node, shape->n_nodes);
    if (!to->name || !to->elastic || !to->nodes ||
        !copy_indices(&h->arena, &to->lines, shape->lines, 2 * (size_t)shape->n_lines) ||
        !copy_indices(&h->arena, &to->triangles, shape->triangles, 3 * (size_t)shape->n_triangles))
        return rt_fail_memory(error);
    to->n_lines = shape->n_lines;
    to->n_triangles = shape->n_triangles;
    for (int k = 0; k < shape->n; k++)
        rt_share_elastic_row(&c->t, c->block->first + k, 0, to->elastic + (size_t)k * n_states);
    routh_status status = ROUTH_OK;
    for (; to->n_nodes < shape->n_nodes && !status; to->n_nodes++)
        status = flexible_bodies_copy_node(c, &shape->nodes[to->n_nodes], &to->nodes[to->n_nodes],
                                           error);
    return status ? status : copy_parts(c, to, error);
}

routh_status rt_linear_flexible(rt_linear_holder *h, const rt_search *s, const rt_sensitivity *x,
                                routh_error *error)
{
    const routh_mechanism *m = s->m;
    routh_status status = ROUTH_OK;
    h->linear.flexible = RT_TAKE(&h->arena, routh_flexible_body, m->n_flexible);
    if (!h->linear.flexible) return rt_fail_memory(error);
    for (int k = 0; k < m->n_flexible && !status; k++) {
        const rt_flexible_block *block = &m->flexible[k];
        flexible_bodies_copier c = {.t = {.scratch.kept = s->m->analyses, .h = h, .s = s, .x = x},
                                    .block = block,
                                    .frame = &s->w->bodies[block->body],
                                    .q = s->w->elastic[0] + block->first};
        status = copy_body(&c, &h->linear.flexible[k], error);
        h->linear.n_flexible = k + 1;
    }
    return status;
}
