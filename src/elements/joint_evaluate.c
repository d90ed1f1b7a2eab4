/* Rows along a motion: value, jets of phi, curvature. */
#include "elements/joints.h"

/* ---- angles: theta = atan2(s, c) ------------------------------------------------------------ */

typedef struct angle_parts {
    rt_scalar s[3], c[3];       /* jets */
    rt_scalar by_s[3], by_c[3]; /* jets of d theta/ds = c/(s^2+c^2), d theta/dc = -s/(s^2+c^2) */
    rt_gradient phi_s, phi_c;
} angle_parts;

/* q = x / y as jets */
static void divide_jets(rt_scalar q[3], const rt_scalar x[3], const rt_scalar y[3])
{
    q[0] = x[0] / y[0];
    q[1] = (x[1] - q[0] * y[1]) / y[0];
    q[2] = (x[2] - 2 * q[1] * y[1] - q[0] * y[2]) / y[0];
}

static void square_jet(rt_scalar y[3], const rt_scalar x[3])
{
    y[0] += x[0] * x[0];
    y[1] += 2 * x[0] * x[1];
    y[2] += 2 * x[0] * x[2] + 2 * x[1] * x[1];
}

static void angle_parts_of(const rt_joint_coordinate *k, rt_frames frames, angle_parts *p)
{
    rt_scalar rho[3] = {0, 0, 0}, minus_s[3];
    rt_dot_jets(frames, &k->a, &k->b, p->s, &p->phi_s);
    rt_dot_jets(frames, &k->c, &k->d, p->c, &p->phi_c);
    square_jet(rho, p->s);
    square_jet(rho, p->c);
    for (int d = 0; d < 3; d++) minus_s[d] = -p->s[d];
    divide_jets(p->by_s, p->c, rho);
    divide_jets(p->by_c, minus_s, rho);
}

static void add_angle(const rt_joint_coordinate *k, rt_frames frames, double near,
                      rt_scalar value[3], rt_gradient *phi)
{
    angle_parts p;
    angle_parts_of(k, frames, &p);
    /* theta' = by_s s' + by_c c', theta'' by the product rule */
    const rt_scalar rate = p.by_s[0] * p.s[1] + p.by_c[0] * p.c[1];
    const rt_scalar second =
        p.by_s[1] * p.s[1] + p.by_s[0] * p.s[2] + p.by_c[1] * p.c[1] + p.by_c[0] * p.c[2];
    value[0] += k->ratio * (rt_counted(rt_atan_of(p.s[0], p.c[0]), near) - k->reference);
    value[1] += k->ratio * rate;
    value[2] += k->ratio * second;
    rt_gradient_add_product(phi, k->ratio, p.by_s, &p.phi_s);
    rt_gradient_add_product(phi, k->ratio, p.by_c, &p.phi_c);
}

static void add_displacement(const rt_joint_coordinate *k, rt_frames frames, rt_scalar value[3],
                             rt_gradient *phi)
{
    rt_gradient g;
    rt_scalar x[3];
    rt_dot_jets(frames, &k->a, &k->b, x, &g);
    value[0] += k->ratio * (x[0] - k->reference);
    value[1] += k->ratio * x[1];
    value[2] += k->ratio * x[2];
    rt_gradient_add(phi, k->ratio, &g);
}

/* theta_ss = -2sc/rho^4, theta_sc = (s^2-c^2)/rho^4, theta_cc = 2sc/rho^4 */
static void angle_curvature(const rt_joint_coordinate *k, rt_frames frames, rt_scalar scale,
                            const int *list, int n, rt_scalar *H)
{
    angle_parts p;
    angle_parts_of(k, frames, &p);
    const rt_scalar s = p.s[0], c = p.c[0], rho4 = (s * s + c * c) * (s * s + c * c);
    const rt_scalar ss = -2 * s * c / rho4 * scale, sc = (s * s - c * c) / rho4 * scale;
    rt_dot_curvature(frames, &k->a, &k->b, scale * p.by_s[0], list, n, H);
    rt_dot_curvature(frames, &k->c, &k->d, scale * p.by_c[0], list, n, H);
    rt_gradient_add_outer(H, ss, &p.phi_s, &p.phi_s, list, n);
    rt_gradient_add_outer(H, sc, &p.phi_s, &p.phi_c, list, n);
    rt_gradient_add_outer(H, sc, &p.phi_c, &p.phi_s, list, n);
    rt_gradient_add_outer(H, -ss, &p.phi_c, &p.phi_c, list, n);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void evaluate_dots(const rt_row *row, const rt_program_input *in, rt_scalar value[3],
                          rt_gradient *phi)
{
    rt_gradient g;
    rt_scalar x[3];
    rt_dot_jets(in->frames, &row->term[0].a, &row->term[0].b, value, phi);
    const rt_scalar factor = row->term[0].factor;
    if (factor != 1) {
        for (int d = 0; d < 3; d++) {
            value[d] *= factor;
            for (int k = 0; k < phi->n; k++)
                for (int i = 0; i < 6; i++) phi->p[d][k][i] *= factor;
        }
    }
    for (int t = 1; t < row->n_terms; t++) {
        rt_dot_jets(in->frames, &row->term[t].a, &row->term[t].b, x, &g);
        for (int d = 0; d < 3; d++) value[d] += row->term[t].factor * x[d];
        rt_gradient_add(phi, row->term[t].factor, &g);
    }
    value[0] += row->constant;
}

static void evaluate_coordinates(const rt_row *row, const rt_program_input *in, rt_scalar value[3],
                                 rt_gradient *phi)
{
    phi->n = 0;
    value[0] = row->constant, value[1] = value[2] = 0;
    for (int k = 0; k < row->n_coordinates; k++) {
        if (row->coordinate[k].angle)
            add_angle(&row->coordinate[k], in->frames, in->near[row->coordinate[k].number], value,
                      phi);
        else
            add_displacement(&row->coordinate[k], in->frames, value, phi);
    }
    if (!row->has_program) return;
    rt_scalar f[3];
    rt_program_time_jet(&row->program, in, f);
    for (int d = 0; d < 3; d++) value[d] -= f[d];
}

void rt_row_evaluate(const rt_row *row, const rt_program_input *in, rt_scalar value[3],
                     rt_gradient *phi)
{
    switch (row->kind) {
    case RT_ROW_DOTS: evaluate_dots(row, in, value, phi); return;
    case RT_ROW_COORDINATES: evaluate_coordinates(row, in, value, phi); return;
    case RT_ROW_EXPRESSION: rt_program_jets(&row->program, in, value, phi); return;
    case RT_ROW_RATES: rt_program_rates(&row->program, in, value, phi); return;
    case RT_ROW_STRAIN: rt_strain_evaluate(&row->strain, in->frames, value, phi); return;
    }
}

void rt_row_turn(const rt_row *row, const rt_program_input *in, rt_gradient *turn)
{
    rt_program_rates_turn(&row->program, in, turn);
}

void rt_row_curvature(const rt_row *row, const rt_program_input *in, rt_scalar scale,
                      const int *list, int n, rt_scalar *H)
{
    for (int t = 0; t < row->n_terms; t++)
        rt_dot_curvature(in->frames, &row->term[t].a, &row->term[t].b, scale * row->term[t].factor,
                         list, n, H);
    for (int k = 0; k < row->n_coordinates; k++) {
        const rt_joint_coordinate *s = &row->coordinate[k];
        if (s->angle)
            angle_curvature(s, in->frames, scale * s->ratio, list, n, H);
        else
            rt_dot_curvature(in->frames, &s->a, &s->b, scale * s->ratio, list, n, H);
    }
    if (row->kind == RT_ROW_EXPRESSION) rt_program_curvature(&row->program, in, scale, list, n, H);
    if (row->kind == RT_ROW_RATES) rt_program_rates_curvature(&row->program, in, scale, list, n, H);
    if (row->kind == RT_ROW_STRAIN)
        rt_strain_curvature(&row->strain, in->frames, scale, list, n, H);
}

size_t rt_row_work(const rt_row *row)
{
    return row->has_program ? rt_program_work(&row->program) : 0;
}

/* ---- what is kept as it is written ----------------------------------------------------------- */

static void set_reference(rt_joint_coordinate *s, const rt_program_input *in)
{
    const rt_scalar value = rt_dot_value(in->frames, &s->a, &s->b);
    s->reference = value;
    if (s->angle)
        s->reference = rt_counted(rt_atan_of(value, rt_dot_value(in->frames, &s->c, &s->d)),
                                  in->near[s->number]);
}

void rt_constraint_set_references(rt_constraint *c, const routh_model *model,
                                  const rt_program_input *in)
{
    const rt_joint *joint = &model->joints[c->joint];
    for (int r = 0; r < c->n_rows; r++) {
        rt_row *row = &c->rows[r];
        if (!row->what || row->what->keeps == RT_KEEPS_ZERO ||
            rt_joint_number_given(joint, row->what->number))
            continue;
        row->constant = 0;
        for (int t = 0; t < row->n_terms; t++)
            row->constant -= row->term[t].factor *
                             rt_dot_value(in->frames, &row->term[t].a, &row->term[t].b);
        for (int k = 0; k < row->n_coordinates; k++)
            set_reference(&row->coordinate[k], in);
    }
}
