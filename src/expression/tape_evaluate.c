/* Tapes evaluated: values, and jets in time. Compiled twice (base/scalar.h). */
#include <string.h>

#include "expression/tape.h"

static rt_scalar tape_constant(const rt_tape *tape, const rt_instruction *at)
{
#ifdef RT_WIDE
    if (tape->graph->shaken) return (rt_scalar)at->value + at->off[tape->graph->shaken - 1];
#endif
    (void)tape;
    return at->value;
}

/* ---- values ---------------------------------------------------------------------------------- */

static rt_scalar tape_evaluate_value_of(const rt_tape *tape, const rt_instruction *at,
                                        const rt_scalar *inputs, const rt_scalar *work,
                                        rt_user_memory *memory)
{
    const int a = at->argument[0], b = at->argument[1];
    switch (at->operation) {
    case RT_OP_CONSTANT: return tape_constant(tape, at);
    case RT_OP_INPUT: return inputs[at->detail];
    case RT_OP_ADD: return work[a] + work[b];
    case RT_OP_SUBTRACT: return work[a] - work[b];
    case RT_OP_MULTIPLY: return work[a] * work[b];
    default: break;
    }
    rt_scalar x[RT_MOST_ARGUMENTS] = {0};
    for (int i = 0; i < at->n; i++) x[i] = work[at->argument[i]];
    if (at->operation == RT_OP_USER) return rt_user_value(memory, at->user, at->detail, x);
    return rt_operation_value(at->operation, at->detail, at->curve, x);
}

void rt_tape_evaluate(const rt_tape *tape, const rt_scalar *inputs, rt_scalar *outputs,
                      rt_scalar *work)
{
    rt_user_memory memory;
    memory.function = NULL;
    for (int i = 0; i < tape->n; i++)
        work[i] = tape_evaluate_value_of(tape, &tape->instructions[i], inputs, work, &memory);
    for (int i = 0; i < tape->n_outputs; i++) outputs[i] = work[tape->outputs[i]];
}

/* ---- jets: (x, x', x'') in time -------------------------------------------------------------- */

/* f x, but zero where x is: what does not move has no rate, even where the slope is infinite. */
static rt_scalar tape_evaluate_times(rt_scalar f, rt_scalar x) { return x == 0 ? 0 : f * x; }

/* u = f(x): u' = f_x x', u'' = f_xx x'^2 + f_x x'' */
static void tape_evaluate_chain(rt_scalar f, rt_scalar fx, rt_scalar fxx, const rt_scalar *x,
                                rt_scalar *u)
{
    u[0] = f;
    u[1] = tape_evaluate_times(fx, x[1]);
    u[2] = tape_evaluate_times(fxx, x[1] * x[1]) + tape_evaluate_times(fx, x[2]);
}

/* First and second derivative of a unary function whose value is f. */
static void tape_evaluate_slopes(rt_function_name name, rt_scalar x, rt_scalar f, rt_scalar *first,
                                 rt_scalar *second)
{
    const rt_scalar r = 1 - x * x, q = 1 + x * x;
    switch (name) {
    case RT_SIN: *first = rt_cos(x), *second = -f; break;
    case RT_COS: *first = -rt_sin(x), *second = -f; break;
    case RT_TAN: *first = 1 + f * f, *second = 2 * f * (1 + f * f); break;
    case RT_ASIN: *first = 1 / rt_sqrt(r), *second = x / (r * rt_sqrt(r)); break;
    case RT_ACOS: *first = -1 / rt_sqrt(r), *second = -x / (r * rt_sqrt(r)); break;
    case RT_ATAN: *first = 1 / q, *second = -2 * x / (q * q); break;
    case RT_SINH: *first = rt_cosh(x), *second = f; break;
    case RT_COSH: *first = rt_sinh(x), *second = f; break;
    case RT_TANH: *first = 1 - f * f, *second = -2 * f * (1 - f * f); break;
    case RT_EXP: *first = *second = f; break;
    case RT_LOG: *first = 1 / x, *second = -1 / (x * x); break;
    case RT_LOG10: *first = 1 / (x * log(10)), *second = -1 / (x * x * log(10)); break;
    case RT_SQRT: *first = 0.5 / f, *second = -0.25 / (f * x); break;
    case RT_ABS: *first = rt_function_value(RT_SIGN, x), *second = 0; break;
    case RT_SIGN:
    case RT_FLOOR:
    case RT_CEIL: *first = *second = 0; break;
    }
}

static void function_jet(rt_function_name name, const rt_scalar *x, rt_scalar *u)
{
    const rt_scalar f = rt_function_value(name, x[0]);
    rt_scalar first = 0, second = 0;
    tape_evaluate_slopes(name, x[0], f, &first, &second);
    tape_evaluate_chain(f, first, second, x, u);
}

static bool tape_evaluate_still(const rt_scalar *x) { return x[1] == 0 && x[2] == 0; }

/* u'' = f_aa a'^2 + 2 f_ab a' b' + f_bb b'^2 + f_a a'' + f_b b'' */
static void power_jet(int m, int k, const rt_scalar *a, const rt_scalar *b, rt_scalar *u)
{
    u[0] = rt_power_value(a[0], b[0], m, k);
    u[1] = u[2] = 0;
    if (!tape_evaluate_still(a)) {
        const rt_scalar fa = rt_power_value(a[0], b[0], m + 1, k);
        u[1] += tape_evaluate_times(fa, a[1]);
        u[2] += tape_evaluate_times(fa, a[2]) +
                tape_evaluate_times(rt_power_value(a[0], b[0], m + 2, k), a[1] * a[1]);
    }
    if (!tape_evaluate_still(b)) {
        const rt_scalar fb = rt_power_value(a[0], b[0], m, k + 1);
        u[1] += tape_evaluate_times(fb, b[1]);
        u[2] += tape_evaluate_times(fb, b[2]) +
                tape_evaluate_times(rt_power_value(a[0], b[0], m, k + 2), b[1] * b[1]);
        u[2] += tape_evaluate_times(rt_power_value(a[0], b[0], m + 1, k + 1), 2 * a[1] * b[1]);
    }
}

/* u' = (x y' - y x')/r^2, u'' = (x y'' - y x'' - 2 (x x' + y y') u')/r^2, r^2 = x^2 + y^2 */
static void angle_jet(const rt_scalar *y, const rt_scalar *x, rt_scalar *u)
{
    const rt_scalar r2 = x[0] * x[0] + y[0] * y[0];
    u[0] = rt_atan_of(y[0], x[0]);
    u[1] = u[2] = 0;
    if (tape_evaluate_still(x) && tape_evaluate_still(y)) return;
    u[1] = (x[0] * y[1] - y[0] * x[1]) / r2;
    u[2] = (x[0] * y[2] - y[0] * x[2] - 2 * (x[0] * x[1] + y[0] * y[1]) * u[1]) / r2;
}

/* u = a/b (or the ratio): u' = (a' - u b')/b, u'' = (a'' - 2 u' b' - u b'')/b */
static void quotient_jet(rt_operation operation, const rt_scalar *a, const rt_scalar *b,
                         rt_scalar *u)
{
    u[0] = rt_operation_value(operation, 0, NULL, (const rt_scalar[]){a[0], b[0]});
    u[1] = u[2] = 0;
    if (tape_evaluate_still(a) && tape_evaluate_still(b)) return;
    u[1] = (a[1] - u[0] * b[1]) / b[0];
    u[2] = (a[2] - 2 * u[1] * b[1] - u[0] * b[2]) / b[0];
}

static void product_jet(const rt_scalar *a, const rt_scalar *b, rt_scalar *u)
{
    u[0] = a[0] * b[0];
    u[1] = tape_evaluate_times(b[0], a[1]) + tape_evaluate_times(a[0], b[1]);
    u[2] = tape_evaluate_times(b[0], a[2]) + 2 * a[1] * b[1] + tape_evaluate_times(a[0], b[2]);
}

static void copy_jet(const rt_scalar *x, rt_scalar *u) { memcpy(u, x, 3 * sizeof *u); }

/* The jet of the active branch; a NaN in what decides makes all NaN. */
static void choose_jet(const rt_scalar *a, const rt_scalar *b, const rt_scalar *yes,
                       const rt_scalar *no, rt_scalar *u)
{
    copy_jet(rt_re(a[0]) <= rt_re(b[0]) ? yes : no, u);
    if (isunordered(rt_re(a[0]), rt_re(b[0]))) u[0] = u[1] = u[2] = (double)NAN;
}

static void blend_jet(int detail, const rt_scalar *x, rt_scalar *u)
{
    const rt_blend kind = (rt_blend)(detail % 4);
    const int order = detail / 4;
    tape_evaluate_chain(rt_blend_value(kind, order, x[0]), rt_blend_value(kind, order + 1, x[0]),
                        rt_blend_value(kind, order + 2, x[0]), x, u);
}

static void table_jet(const rt_curve *curve, int order, const rt_scalar *x, rt_scalar *u)
{
    tape_evaluate_chain(rt_curve_value(curve, order, x[0]), rt_curve_value(curve, order + 1, x[0]),
                        rt_curve_value(curve, order + 2, x[0]), x, u);
}

/* u'' = sum f_k x_k'' + sum f_kl x_k' x_l' */
static void user_jet(const rt_instruction *at, const rt_scalar *work, rt_user_memory *memory,
                     rt_scalar *u)
{
    rt_scalar x[RT_MOST_ARGUMENTS] = {0};
    for (int k = 0; k < at->n; k++) x[k] = work[3 * (size_t)at->argument[k]];
    u[0] = rt_user_value(memory, at->user, at->detail, x);
    u[1] = u[2] = 0;
    for (int k = 0; k < at->n; k++) {
        const rt_scalar *a = work + 3 * (size_t)at->argument[k];
        const int by_k = at->detail + rt_user_one(k);
        if (tape_evaluate_still(a)) continue;
        const rt_scalar fk = rt_user_value(memory, at->user, by_k, x);
        u[1] += tape_evaluate_times(fk, a[1]);
        u[2] += tape_evaluate_times(fk, a[2]);
        for (int l = 0; l <= k && a[1] != 0; l++) {
            const rt_scalar rates = a[1] * work[3 * (size_t)at->argument[l] + 1];
            if (rates == 0) continue;
            u[2] +=
                rt_user_value(memory, at->user, by_k + rt_user_one(l), x) * (l < k ? 2 : 1) * rates;
        }
    }
}

static void jet_of(const rt_tape *tape, const rt_instruction *at, const rt_scalar *inputs,
                   const rt_scalar *work, rt_user_memory *memory, rt_scalar *u)
{
    const rt_scalar *a = work + 3 * (size_t)at->argument[0],
                    *b = work + 3 * (size_t)at->argument[1];
    switch (at->operation) {
    case RT_OP_CONSTANT: u[0] = tape_constant(tape, at), u[1] = u[2] = 0; return;
    case RT_OP_INPUT: copy_jet(inputs + 3 * (size_t)at->detail, u); return;
    case RT_OP_ADD: u[0] = a[0] + b[0], u[1] = a[1] + b[1], u[2] = a[2] + b[2]; return;
    case RT_OP_SUBTRACT: u[0] = a[0] - b[0], u[1] = a[1] - b[1], u[2] = a[2] - b[2]; return;
    case RT_OP_MULTIPLY: product_jet(a, b, u); return;
    case RT_OP_DIVIDE:
    case RT_OP_RATIO: quotient_jet(at->operation, a, b, u); return;
    case RT_OP_NEGATE: u[0] = -a[0], u[1] = -a[1], u[2] = -a[2]; return;
    case RT_OP_POWER: power_jet(at->detail % 64, at->detail / 64, a, b, u); return;
    case RT_OP_ATAN2: angle_jet(a, b, u); return;
    case RT_OP_COUNTED:
        copy_jet(a, u);
        u[0] = rt_counted(a[0], rt_re(b[0]));
        return;
    case RT_OP_MINIMUM: choose_jet(a, b, a, b, u); return;
    case RT_OP_MAXIMUM: choose_jet(b, a, a, b, u); return;
    case RT_OP_SELECT:
        choose_jet(a, b, work + 3 * (size_t)at->argument[2], work + 3 * (size_t)at->argument[3], u);
        return;
    case RT_OP_FUNCTION: function_jet((rt_function_name)at->detail, a, u); return;
    case RT_OP_BLEND: blend_jet(at->detail, a, u); return;
    case RT_OP_TABLE: table_jet(at->curve, at->detail, a, u); return;
    case RT_OP_USER: user_jet(at, work, memory, u); return;
    }
}

void rt_tape_evaluate_jets(const rt_tape *tape, const rt_scalar *inputs, rt_scalar *outputs,
                           rt_scalar *work)
{
    rt_user_memory memory;
    memory.function = NULL;
    for (int i = 0; i < tape->n; i++)
        jet_of(tape, &tape->instructions[i], inputs, work, &memory, work + 3 * (size_t)i);
    for (int i = 0; i < tape->n_outputs; i++)
        copy_jet(work + 3 * (size_t)tape->outputs[i], outputs + 3 * (size_t)i);
}

/* ---- where a function of the caller fails ---------------------------------------------------- */

/* Are its arguments numbers, and it is none? */
static bool tape_evaluate_fails(const rt_instruction *at, const rt_scalar *work, int i, int stride)
{
    if (at->operation != RT_OP_USER) return false;
    for (int d = 0; d < stride; d++) {
        bool good = true;
        for (int k = 0; k < at->n; k++)
            for (int j = 0; j <= d; j++)
                good = good && rt_finite(work[(size_t)stride * (size_t)at->argument[k] + j]);
        if (good && !rt_finite(work[(size_t)stride * (size_t)i + d])) return true;
    }
    return false;
}

bool rt_tape_blame(const rt_tape *tape, const rt_scalar *work, int stride, char *text, size_t size)
{
    for (int i = 0; i < tape->n; i++) {
        const rt_instruction *at = &tape->instructions[i];
        double x[RT_MOST_ARGUMENTS] = {0};
        if (!tape_evaluate_fails(at, work, i, stride)) continue;
        for (int k = 0; k < at->n; k++)
            x[k] = rt_re(work[(size_t)stride * (size_t)at->argument[k]]);
        rt_user_blame(at->user, at->detail, x, text, size);
        return true;
    }
    return false;
}
