#include "elements/frame_program.h"

#include "elements/frame_rates.h"

static int count_kind(const rt_quantity *quantities, const int *slots, int n, rt_quantity_kind kind)
{
    int count = 0;
    for (int k = 0; k < n; k++) count += quantities[slots[k]].kind == kind;
    return count;
}

static int count_signals(const rt_quantity *quantities, const int *slots, int n)
{
    int count = 0;
    for (int k = 0; k < n; k++) count += rt_is_signal(&quantities[slots[k]]);
    return count;
}

static int pass_of(const rt_quantity *quantity)
{
    if (quantity->kind == RT_QUANTITY_DOT) return 0;
    if (quantity->kind == RT_QUANTITY_FORCE) return 1;
    return rt_is_signal(quantity) ? 2 : 3;
}

/* Slots sorted into dots, forces, signals, the rest. */
static void order_slots(const rt_quantity *quantities, const int *slots, int n, int *ordered)
{
    int to = 0;
    for (int pass = 0; pass < 4; pass++)
        for (int k = 0; k < n; k++)
            if (pass_of(&quantities[slots[k]]) == pass) ordered[to++] = slots[k];
}

static int first_partials(const rt_program *p) { return p->n_dots + p->n_forces + p->n_signals; }

/* f, then f_a, then f_ab; RT_NO_EXPR among them when memory ran out. */
static void frame_program_fill_outputs(const rt_program *p, rt_graph *graph, rt_expr e,
                                       const int *ordered, rt_expr *out)
{
    const int n_first = first_partials(p);
    out[0] = e;
    if (p->value_only) return;
    for (int a = 0; a < n_first; a++) out[1 + a] = rt_derivative(graph, e, ordered[a]);
    if (!p->curvature) return;
    int k = 1 + n_first;
    for (int a = 0; a < p->n_dots; a++)
        for (int b = a; b < p->n_dots; b++) out[k++] = rt_derivative(graph, out[1 + a], ordered[b]);
}

static routh_status check_frames(const rt_program *p, rt_arena *arena, routh_error *error)
{
    int n = 0;
    int *list = RT_TAKE(arena, int, RT_GRADIENT_FRAMES + 6);
    if (!list) return rt_fail_memory(error);
    for (int a = 0; a < p->n_dots; a++) {
        rt_vector_frames(&p->quantity[a]->a, list, &n);
        rt_vector_frames(&p->quantity[a]->b, list, &n);
        if (n > RT_GRADIENT_FRAMES)
            return rt_fail(
                error, ROUTH_LIMIT_EXCEEDED,
                "the expression touches more than %d markers; split it into several elements",
                RT_GRADIENT_FRAMES);
    }
    return ROUTH_OK;
}

static int count_outputs(const rt_program *p)
{
    const int n_second = p->curvature ? p->n_dots * (p->n_dots + 1) / 2 : 0;
    return p->value_only ? 1 : 1 + first_partials(p) + n_second;
}

static routh_status frame_program_compile(rt_program *program, rt_graph *graph,
                                          const routh_model *model, rt_expr e, bool curvature,
                                          bool value_only, rt_arena *arena, routh_error *error)
{
    const rt_quantity *quantities = model->quantities;
    const int n = rt_inputs_of(graph, e, NULL, 0);
    if (n < 0) return rt_fail_memory(error);
    int *slots = RT_TAKE(arena, int, n), *ordered = RT_TAKE(arena, int, n);
    const rt_quantity **quantity = RT_TAKE(arena, const rt_quantity *, n);
    if (!slots || !ordered || !quantity) return rt_fail_memory(error);
    if (rt_inputs_of(graph, e, slots, n) != n) return rt_fail_memory(error);
    order_slots(quantities, slots, n, ordered);
    for (int k = 0; k < n; k++) quantity[k] = &quantities[ordered[k]];
    rt_program p = {.n_dots = count_kind(quantities, slots, n, RT_QUANTITY_DOT),
                    .n_forces = count_kind(quantities, slots, n, RT_QUANTITY_FORCE),
                    .n_signals = count_signals(quantities, slots, n),
                    .n_inputs = n,
                    .quantity = quantity,
                    .curvature = curvature,
                    .value_only = value_only};
    p.n_outputs = count_outputs(&p);
    int *signal = RT_TAKE(arena, int, p.n_signals);
    if (!signal) return rt_fail_memory(error);
    for (int k = 0; k < p.n_signals; k++)
        signal[k] = rt_signal_place(model, quantity[p.n_dots + p.n_forces + k]);
    p.signal = signal;
    const routh_status status = check_frames(&p, arena, error);
    if (status) return status;
    rt_expr *outputs = RT_TAKE(arena, rt_expr, p.n_outputs);
    if (!outputs) return rt_fail_memory(error);
    frame_program_fill_outputs(&p, graph, e, ordered, outputs);
    for (int k = 0; k < p.n_outputs; k++)
        if (outputs[k] < 0) return rt_fail_memory(error);
    p.tape = rt_tape_compile(graph, outputs, p.n_outputs, ordered, n, arena);
    if (!p.tape) return rt_fail_memory(error);
    rt_user_use *uses;
    const int n_uses = rt_user_uses_of(graph, e, &uses, arena);
    if (n_uses > 0) p.value_tape = rt_tape_compile(graph, &e, 1, ordered, n, arena);
    if (n_uses < 0 || (n_uses > 0 && !p.value_tape)) return rt_fail_memory(error);
    *program = p;
    return ROUTH_OK;
}

routh_status rt_program_compile(rt_program *program, rt_graph *graph, const routh_model *model,
                                rt_expr e, bool curvature, rt_arena *arena, routh_error *error)
{
    return frame_program_compile(program, graph, model, e, curvature, false, arena, error);
}

routh_status rt_program_compile_value(rt_program *program, rt_graph *graph,
                                      const routh_model *model, rt_expr e, rt_arena *arena,
                                      routh_error *error)
{
    return frame_program_compile(program, graph, model, e, false, true, arena, error);
}

/* ---- work space: inputs, outputs (3 each), gradients of the dots, the tape's own ------------ */

enum { GRADIENT_DOUBLES = (sizeof(rt_gradient) + sizeof(rt_scalar) - 1) / sizeof(rt_scalar) };

size_t rt_program_work(const rt_program *p)
{
    return 3 * (size_t)p->n_inputs + 3 * (size_t)p->n_outputs +
           (size_t)p->n_dots * GRADIENT_DOUBLES + rt_tape_work(p->tape);
}

typedef struct work_space {
    rt_scalar *inputs, *outputs, *tape;
    rt_gradient *gradient;
} work_space;

static work_space frame_program_split(const rt_program *p, rt_scalar *work)
{
    work_space w;
    w.inputs = work;
    w.outputs = w.inputs + 3 * (size_t)p->n_inputs;
    w.gradient = (rt_gradient *)(void *)(w.outputs + 3 * (size_t)p->n_outputs);
    w.tape = w.outputs + 3 * (size_t)p->n_outputs + (size_t)p->n_dots * GRADIENT_DOUBLES;
    return w;
}

bool rt_program_blame(const rt_program *p, const rt_program_input *in, int stride, char text[512])
{
    return rt_tape_blame(p->tape, frame_program_split(p, in->work).tape, stride, text, 512);
}

bool rt_program_reads_time(const rt_program *p)
{
    for (int k = 0; k < p->n_inputs; k++)
        if (p->quantity[k]->kind == RT_QUANTITY_TIME) return true;
    return false;
}

void rt_program_frames(const rt_program *p, int *list, int *n)
{
    for (int a = 0; a < p->n_dots; a++) {
        rt_vector_frames(&p->quantity[a]->a, list, n);
        rt_vector_frames(&p->quantity[a]->b, list, n);
    }
}

static rt_scalar plain_input(const rt_program_input *in, const rt_quantity *quantity)
{
    if (quantity->kind == RT_QUANTITY_NEAR) return in->near[quantity->index];
    return quantity->kind == RT_QUANTITY_TIME ? in->time : in->parameters[quantity->index];
}

/* Signal k of the program, with as many time derivatives as there is room for. */
static void fill_signal(const rt_program *p, const rt_program_input *in, int k, rt_scalar *x,
                        int stride)
{
    const int place = p->signal[k];
    x[0] = in->signals[place];
    for (int d = 1; d < stride && in->rates; d++)
        x[d] = in->rates[(size_t)(d - 1) * (size_t)in->n_signals + (size_t)place];
}

/* Inputs other than dots, as values with the given stride; time's rate is 1 where there is room
 * for it. */
static void fill_rest(const rt_program *p, const rt_program_input *in, rt_scalar *inputs,
                      int stride)
{
    const int first_signal = p->n_dots + p->n_forces, first_plain = first_partials(p);
    for (int k = p->n_dots; k < p->n_inputs; k++) {
        rt_scalar *x = inputs + (size_t)k * stride;
        for (int d = 1; d < stride; d++) x[d] = 0;
        if (k < first_signal) {
            x[0] = in->forces[k - p->n_dots];
            continue;
        }
        if (k < first_plain) {
            fill_signal(p, in, k - first_signal, x, stride);
            continue;
        }
        x[0] = plain_input(in, p->quantity[k]);
        if (stride > 1 && p->quantity[k]->kind == RT_QUANTITY_TIME) x[1] = 1;
    }
}

rt_scalar rt_program_value(const rt_program *p, const rt_program_input *in)
{
    const work_space w = frame_program_split(p, in->work);
    for (int a = 0; a < p->n_dots; a++)
        w.inputs[a] = rt_dot_value(in->frames, &p->quantity[a]->a, &p->quantity[a]->b);
    fill_rest(p, in, w.inputs, 1);
    rt_tape_evaluate(p->value_tape ? p->value_tape : p->tape, w.inputs, w.outputs, w.tape);
    return w.outputs[0];
}

void rt_program_jets(const rt_program *p, const rt_program_input *in, rt_scalar value[3],
                     rt_gradient *phi)
{
    const work_space w = frame_program_split(p, in->work);
    for (int a = 0; a < p->n_dots; a++)
        rt_dot_jets(in->frames, &p->quantity[a]->a, &p->quantity[a]->b, w.inputs + 3 * (size_t)a,
                    &w.gradient[a]);
    fill_rest(p, in, w.inputs, 3);
    rt_tape_evaluate_jets(p->tape, w.inputs, w.outputs, w.tape);
    memcpy(value, w.outputs, 3 * sizeof *value);
    phi->n = 0;
    for (int a = 0; a < p->n_dots; a++)
        rt_gradient_add_product(phi, 1, w.outputs + 3 * (size_t)(1 + a), &w.gradient[a]);
}

void rt_program_time_jet(const rt_program *p, const rt_program_input *in, rt_scalar value[3])
{
    const work_space w = frame_program_split(p, in->work);
    fill_rest(p, in, w.inputs, 3);
    rt_tape_evaluate_jets(p->tape, w.inputs, w.outputs, w.tape);
    memcpy(value, w.outputs, 3 * sizeof *value);
}

void rt_program_signal_jet(const rt_program *p, const rt_program_input *in, int k,
                           rt_scalar value[3])
{
    const work_space w = frame_program_split(p, in->work);
    memcpy(value, w.outputs + 3 * (size_t)(1 + p->n_dots + p->n_forces + k), 3 * sizeof *value);
}

void rt_program_curvature(const rt_program *p, const rt_program_input *in, rt_scalar scale,
                          const int *list, int n, rt_scalar *H)
{
    const work_space w = frame_program_split(p, in->work);
    const rt_scalar *second = w.outputs + 3 * (size_t)(1 + first_partials(p));
    for (int a = 0; a < p->n_dots; a++) {
        const rt_quantity *x = p->quantity[a];
        rt_dot_curvature(in->frames, &x->a, &x->b, scale * w.outputs[3 * (size_t)(1 + a)], list, n,
                         H);
        for (int b = a; b < p->n_dots; b++, second += 3) {
            if (second[0] == 0) continue;
            rt_gradient_add_outer(H, scale * second[0], &w.gradient[a], &w.gradient[b], list, n);
            if (b > a)
                rt_gradient_add_outer(H, scale * second[0], &w.gradient[b], &w.gradient[a], list,
                                      n);
        }
    }
}

static bool frame_program_is_zero(const rt_gradient *g)
{
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < g->n; k++)
            for (int i = 0; i < 6; i++)
                if (g->p[d][k][i] != 0) return false;
    return true;
}

/* A magnitude at zero, sqrt(x) of a square x that vanishes with its gradient (VM at rest), has a
 * kink there like ABS; as for ABS its slope is taken as zero. */
void rt_program_partials(const rt_program *p, const rt_program_input *in, rt_scalar *value,
                         rt_gradient *g, rt_scalar *by_force, rt_scalar *by_signal)
{
    const work_space w = frame_program_split(p, in->work);
    for (int a = 0; a < p->n_dots; a++)
        rt_dot_partials(in->frames, &p->quantity[a]->a, &p->quantity[a]->b, &w.inputs[a],
                        &w.gradient[a]);
    fill_rest(p, in, w.inputs, 1);
    rt_tape_evaluate(p->tape, w.inputs, w.outputs, w.tape);
    *value = w.outputs[0];
    g->n = 0;
    for (int a = 0; a < p->n_dots; a++)
        if (rt_finite(w.outputs[1 + a]) || !frame_program_is_zero(&w.gradient[a]))
            rt_gradient_add(g, w.outputs[1 + a], &w.gradient[a]);
    for (int k = 0; k < p->n_forces; k++) by_force[k] = w.outputs[1 + p->n_dots + k];
    for (int k = 0; k < p->n_signals; k++)
        by_signal[k] = w.outputs[1 + p->n_dots + p->n_forces + k];
}

/* ---- expressions linear in velocities -------------------------------------------------------- */

/* phi = f g,  rho = f g1,  rho' = f' g1 + f g2 */
static void add_rates(rt_gradient *y, const rt_scalar f[3], const rt_gradient *g)
{
    for (int k = 0; k < g->n; k++) {
        const int to = rt_gradient_slot(y, g->frame[k]);
        for (int i = 0; i < 6; i++) {
            y->p[0][to][i] += f[0] * g->p[0][k][i];
            y->p[1][to][i] += f[0] * g->p[1][k][i];
            y->p[2][to][i] += f[1] * g->p[1][k][i] + f[0] * g->p[2][k][i];
        }
    }
}

void rt_program_rates(const rt_program *p, const rt_program_input *in, rt_scalar value[3],
                      rt_gradient *phi)
{
    const work_space w = frame_program_split(p, in->work);
    for (int a = 0; a < p->n_dots; a++)
        rt_dot_rates(in->frames, &p->quantity[a]->a, &p->quantity[a]->b, w.inputs + 3 * (size_t)a,
                     &w.gradient[a]);
    fill_rest(p, in, w.inputs, 3);
    rt_tape_evaluate_jets(p->tape, w.inputs, w.outputs, w.tape);
    value[0] = 0, value[1] = w.outputs[0], value[2] = w.outputs[1];
    phi->n = 0;
    for (int a = 0; a < p->n_dots; a++)
        add_rates(phi, w.outputs + 3 * (size_t)(1 + a), &w.gradient[a]);
}

/* sum f_a' phi_a + f_a phi_a' - f_a rho_a */
void rt_program_rates_turn(const rt_program *p, const rt_program_input *in, rt_gradient *turn)
{
    const work_space w = frame_program_split(p, in->work);
    turn->n = 0;
    for (int a = 0; a < p->n_dots; a++) {
        const rt_quantity *x = p->quantity[a];
        const rt_scalar *f = w.outputs + 3 * (size_t)(1 + a);
        const rt_gradient *g = &w.gradient[a];
        rt_dot_rates_turn(in->frames, &x->a, &x->b, f[0], turn);
        for (int k = 0; k < g->n; k++) {
            const int to = rt_gradient_slot(turn, g->frame[k]);
            for (int i = 0; i < 6; i++)
                turn->p[0][to][i] += f[1] * g->p[0][k][i] - f[0] * g->p[1][k][i];
        }
    }
}

void rt_program_rates_curvature(const rt_program *p, const rt_program_input *in, rt_scalar scale,
                                const int *list, int n, rt_scalar *H)
{
    const work_space w = frame_program_split(p, in->work);
    const rt_scalar *second = w.outputs + 3 * (size_t)(1 + first_partials(p));
    for (int a = 0; a < p->n_dots; a++) {
        const rt_quantity *x = p->quantity[a];
        rt_dot_rates_curvature(in->frames, &x->a, &x->b, scale * w.outputs[3 * (size_t)(1 + a)],
                               list, n, H);
        for (int b = a; b < p->n_dots; b++, second += 3) {
            if (second[0] == 0) continue;
            rt_rates_add_outer(H, scale * second[0], &w.gradient[a], &w.gradient[b], list, n);
            if (b > a)
                rt_rates_add_outer(H, scale * second[0], &w.gradient[b], &w.gradient[a], list, n);
        }
    }
}
