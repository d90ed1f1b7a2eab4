#include "answers/zero_dynamics.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

/* A number is not zero beyond so many times its running error, and what a sample is off. */
static const double BEYOND = 4, BEYOND_SAMPLE = 8;

/* A sample's change of a number, at most: four times what rounding does. */
static const double CHANGE = 2 * DBL_EPSILON;

/* What is not known of a zero, beside the terms it is the sum of: beyond this nothing is known. */
static const double UNCLEAR = 1e-3;

/* ---- filling --------------------------------------------------------------------------------- */

routh_status rt_zero_dynamics_take(rt_zero_dynamics *z, int n, rt_arena *arena, routh_error *error)
{
    const size_t room = (size_t)n, size = room * room;
    *z = (rt_zero_dynamics){.n = n, .room = n};
    for (int k = 0; k < RT_ZERO_COPIES; k++) {
        rt_single *s = &z->copy[k];
        s->A = RT_TAKE(arena, rt_dd, size + 1);
        s->b = RT_TAKE(arena, rt_dd, room + 1), s->c = RT_TAKE(arena, rt_dd, room + 1);
        if (!s->A || !s->b || !s->c) return rt_fail_memory(error);
    }
    z->E_A = RT_TAKE(arena, double, size + 1);
    z->E_b = RT_TAKE(arena, double, room + 1), z->E_c = RT_TAKE(arena, double, room + 1);
    z->taken = RT_TAKE(arena, rt_taken, room + 1);
    return z->E_A && z->E_b && z->E_c && z->taken ? ROUTH_OK : rt_fail_memory(error);
}

/* -1 .. 1, by the place: splitmix64 (Steele, Lea and Flood, OOPSLA 2014) */
static double change_of(int sample, rt_zero_place place, int i, int j)
{
    uint64_t x = (uint64_t)sample * 4 + (uint64_t)place;
    x = (x * 65536 + (uint64_t)i) * 65536 + (uint64_t)j + 1;
    x *= 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return (double)(int64_t)x / 0x1p63;
}

static rt_dd *zero_entry(const rt_zero_dynamics *z, rt_single *s, rt_zero_place place, int i, int j)
{
    switch (place) {
    case RT_ZERO_A: return s->A + i + (size_t)z->room * (size_t)j;
    case RT_ZERO_B: return s->b + i;
    case RT_ZERO_C: return s->c + j;
    default: return &s->d;
    }
}

void rt_zero_dynamics_put(rt_zero_dynamics *z, rt_zero_place place, int i, int j, double value,
                          double rest, const double *off)
{
    const rt_dd x = rt_dd_sum_of(value, rest);
    *zero_entry(z, &z->copy[0], place, i, j) = x;
    for (int k = 0; k < ROUTH_ERROR_SAMPLES; k++) {
        const double by = off                ? off[k]
                          : fabs(value) == 1 ? 0
                                             : CHANGE * value * change_of(k, place, i, j);
        *zero_entry(z, &z->copy[k + 1], place, i, j) = rt_dd_add(x, rt_dd_of(by));
    }
}

/* ---- what is known --------------------------------------------------------------------------- */

static double farthest(const rt_zero_dynamics *z, rt_zero_place place, int i, int j)
{
    rt_zero_dynamics *of = (rt_zero_dynamics *)z;
    const rt_dd x = *zero_entry(of, &of->copy[0], place, i, j);
    double most = 0;
    for (int k = 1; k < RT_ZERO_COPIES; k++)
        most = fmax(most, fabs(rt_dd_subtract(*zero_entry(of, &of->copy[k], place, i, j), x).high));
    return most;
}

static double unknown_of_c(const rt_zero_dynamics *z, int j)
{
    return BEYOND * z->E_c[j] + BEYOND_SAMPLE * farthest(z, RT_ZERO_C, 0, j);
}

static double unknown_of_d(const rt_zero_dynamics *z)
{
    return BEYOND * z->E_d + BEYOND_SAMPLE * farthest(z, RT_ZERO_D, 0, 0);
}

/* ---- one state less -------------------------------------------------------------------------- */

/* c := c A, d := c b; E as the errors of both. next (n), of_next (n): room. */
static double differentiate(rt_zero_dynamics *z, rt_dd *next, double *of_next)
{
    const size_t n = (size_t)z->n, room = (size_t)z->room;
    const rt_single *of = &z->copy[0];
    double terms = 0, error = 0;
    for (size_t j = 0; j < n; j++) {
        double e = 0;
        for (size_t i = 0; i < n; i++) {
            const double c = fabs(of->c[i].high), a = fabs(of->A[i + room * j].high);
            e += c * z->E_A[i + room * j] + z->E_c[i] * a + (double)n * RT_DD_EPSILON * c * a;
        }
        of_next[j] = e;
        const double c = fabs(of->c[j].high), b = fabs(of->b[j].high);
        error += c * z->E_b[j] + z->E_c[j] * b + (double)n * RT_DD_EPSILON * c * b;
        terms += c * b;
    }
    z->E_d = error;
    memcpy(z->E_c, of_next, n * sizeof *of_next);
    for (int k = 0; k < RT_ZERO_COPIES; k++) {
        rt_single *s = &z->copy[k];
        s->d = rt_dd_of(0);
        for (size_t j = 0; j < n; j++) {
            next[j] = rt_dd_of(0);
            for (size_t i = 0; i < n; i++)
                next[j] = rt_dd_fma(next[j], s->c[i], s->A[i + room * j]);
            s->d = rt_dd_fma(s->d, s->c[j], s->b[j]);
        }
        memcpy(s->c, next, n * sizeof *next);
    }
    return terms;
}

/* With x_p = sum f_j x_j out of A and c; the last state takes the place p. f (n), of_f (n). */
static void take_out(rt_single *s, int n, int room, int p, const rt_dd *f)
{
    for (int j = 0; j < n; j++) {
        if (j == p) continue;
        rt_dd *column = s->A + (size_t)room * (size_t)j, *of = s->A + (size_t)room * (size_t)p;
        for (int i = 0; i < n; i++) column[i] = rt_dd_fma(column[i], of[i], f[j]);
        s->c[j] = rt_dd_fma(s->c[j], s->c[p], f[j]);
    }
    memcpy(s->A + (size_t)room * (size_t)p, s->A + (size_t)room * (size_t)(n - 1),
           (size_t)n * sizeof *s->A);
    for (int j = 0; j < n - 1; j++)
        s->A[p + (size_t)room * (size_t)j] = s->A[n - 1 + (size_t)room * (size_t)j];
    s->b[p] = s->b[n - 1];
    s->c[p] = s->c[n - 1];
}

static void take_out_errors(rt_zero_dynamics *z, int p, const rt_dd *f, const double *of_f)
{
    const int n = z->n;
    const size_t room = (size_t)z->room;
    const rt_single *s = &z->copy[0];
    for (int j = 0; j < n; j++) {
        if (j == p) continue;
        const double size = fabs(f[j].high);
        for (int i = 0; i < n; i++) {
            const double a = fabs(s->A[(size_t)i + room * (size_t)p].high);
            z->E_A[(size_t)i + room * (size_t)j] +=
                a * of_f[j] + z->E_A[(size_t)i + room * (size_t)p] * size +
                RT_DD_EPSILON * (a * size + fabs(s->A[(size_t)i + room * (size_t)j].high));
        }
        const double c = fabs(s->c[p].high);
        z->E_c[j] +=
            c * of_f[j] + z->E_c[p] * size + RT_DD_EPSILON * (c * size + fabs(s->c[j].high));
    }
    memcpy(z->E_A + room * (size_t)p, z->E_A + room * (size_t)(n - 1), (size_t)n * sizeof *z->E_A);
    for (int j = 0; j < n - 1; j++)
        z->E_A[(size_t)p + room * (size_t)j] = z->E_A[(size_t)(n - 1) + room * (size_t)j];
    z->E_b[p] = z->E_b[n - 1];
    z->E_c[p] = z->E_c[n - 1];
}

static int entries_of_row(const rt_zero_dynamics *z, int i)
{
    int n = 0;
    for (int j = 0; j < z->n; j++)
        n += z->copy[0].A[(size_t)i + (size_t)z->room * (size_t)j].high != 0;
    return n;
}

/* Which state is taken out, by an entry of c beyond what is not known of it; -1: none. By size the
 * largest; by structure the one whose rate depends on most others, as a velocity's does: what stays
 * is then as sparse as it can be (Markowitz, Management Science 3, 1957), and what is exactly zero
 * in it is no difference of large numbers. */
static int pivot_of(const rt_zero_dynamics *z, bool by_structure)
{
    int best = -1, most = 0;
    for (int j = 0; j < z->n; j++) {
        const double size = fabs(z->copy[0].c[j].high);
        if (size <= unknown_of_c(z, j)) continue;
        const int n = by_structure ? entries_of_row(z, j) : 0;
        if (best >= 0 && (n < most || (n == most && size <= fabs(z->copy[0].c[best].high))))
            continue;
        best = j, most = n;
    }
    return best;
}

/* c in units of a power of two near its largest entry, so that products of many stay in range. */
static void normalise_c(rt_zero_dynamics *z)
{
    double largest = 0;
    for (int j = 0; j < z->n; j++) largest = fmax(largest, fabs(z->copy[0].c[j].high));
    if (!(largest > 0)) return;
    const int e = ilogb(largest);
    z->exponent += e;
    for (int j = 0; j < z->n; j++) {
        z->E_c[j] = ldexp(z->E_c[j], -e);
        for (int k = 0; k < RT_ZERO_COPIES; k++) {
            rt_dd *c = z->copy[k].c + j;
            *c = (rt_dd){ldexp(c->high, -e), ldexp(c->low, -e)};
        }
    }
}

/* d is zero as far as it is known: how large it may be is kept, with the matrix, where it is no
 * exact zero. */
static routh_status keep_taken(rt_zero_dynamics *z, double unknown, rt_arena *arena,
                               routh_error *error)
{
    const double size = fabs(z->copy[0].d.high) + unknown;
    if (size == 0) return ROUTH_OK;
    rt_taken *t = &z->taken[z->n_taken++];
    const size_t n = (size_t)z->n;
    *t = (rt_taken){.n = z->n, .A = RT_TAKE(arena, double, n *n + 1)};
    t->size = ldexp(size, z->exponent);
    if (!t->A) return rt_fail_memory(error);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) t->A[i + n * j] = z->copy[0].A[i + (size_t)z->room * j].high;
    return ROUTH_OK;
}

/* Room of the reduction: f of every copy, one row of numbers, and of errors the same. */
typedef struct reduction_room {
    rt_dd *f[RT_ZERO_COPIES], *row;
    double *of_f, *of_row;
} reduction_room;

static routh_status take_room(reduction_room *r, int n, rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)n + 1;
    bool ok = true;
    for (int k = 0; k < RT_ZERO_COPIES; k++) ok = (r->f[k] = RT_TAKE(arena, rt_dd, size)) && ok;
    r->row = RT_TAKE(arena, rt_dd, size);
    r->of_f = RT_TAKE(arena, double, size), r->of_row = RT_TAKE(arena, double, size);
    return ok && r->row && r->of_f && r->of_row ? ROUTH_OK : rt_fail_memory(error);
}

/* d is zero: y = c x = 0 takes a state out, and its rate is the next output. terms: of d. */
static void less(rt_zero_dynamics *z, bool by_structure, const reduction_room *r, double *terms)
{
    const int n = z->n, p = pivot_of(z, by_structure);
    z->no_way = p < 0;
    for (int j = 0; p < 0 && j < n; j++)
        if (unknown_of_c(z, j) > UNCLEAR)
            z->why = "rounding of the model's numbers leaves it open whether the input reaches the "
                     "output";
    if (p < 0) return;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < RT_ZERO_COPIES; k++)
            r->f[k][j] = rt_dd_negative(rt_dd_divide(z->copy[k].c[j], z->copy[k].c[p]));
        const double f = fabs(r->f[0][j].high);
        r->of_f[j] = (z->E_c[j] + f * z->E_c[p]) / fabs(z->copy[0].c[p].high) + RT_DD_EPSILON * f;
    }
    *terms = differentiate(z, r->row, r->of_row);
    take_out_errors(z, p, r->f[0], r->of_f);
    for (int k = 0; k < RT_ZERO_COPIES; k++) take_out(&z->copy[k], n, z->room, p, r->f[k]);
    z->n--;
}

/* Of A - b c / d. */
static routh_status finish(rt_zero_dynamics *z, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)z->n, room = (size_t)z->room;
    z->Z = RT_TAKE(arena, double, n *n + 1), z->Z_rest = RT_TAKE(arena, double, n *n + 1);
    z->Z_off = RT_TAKE(arena, double, ROUTH_ERROR_SAMPLES *n *n + 1);
    if (!z->Z || !z->Z_rest || !z->Z_off) return rt_fail_memory(error);
    const rt_single *s = &z->copy[0];
    const double d = fabs(s->d.high);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            rt_dd x[RT_ZERO_COPIES];
            for (int k = 0; k < RT_ZERO_COPIES; k++) {
                const rt_single *of = &z->copy[k];
                const rt_dd f = rt_dd_negative(rt_dd_divide(of->c[j], of->d));
                x[k] = rt_dd_fma(of->A[i + room * j], of->b[i], f);
            }
            const double b = fabs(s->b[i].high), f = fabs(s->c[j].high) / d;
            const double own = z->E_A[i + room * j] + z->E_b[i] * f +
                               b * (z->E_c[j] + f * z->E_d) / d +
                               RT_DD_EPSILON * (3 * b * f + fabs(s->A[i + room * j].high));
            z->Z[i * n + j] = x[0].high, z->Z_rest[i * n + j] = x[0].low;
            for (size_t k = 0; k < ROUTH_ERROR_SAMPLES; k++) {
                const double off = rt_dd_subtract(x[k + 1], x[0]).high;
                z->Z_off[k * n * n + i * n + j] = off + (off < 0 ? -own : own);
            }
        }
    z->gain = ldexp(rt_dd_round(s->d), z->exponent);
    return ROUTH_OK;
}

routh_status rt_zero_dynamics_reduce(rt_zero_dynamics *z, bool by_structure, rt_arena *arena,
                                     routh_error *error)
{
    reduction_room room;
    double terms = 0;
    routh_status status = take_room(&room, z->room, arena, error);
    while (!status) {
        const double unknown = unknown_of_d(z);
        if (fabs(z->copy[0].d.high) > unknown) return finish(z, arena, error);
        if (unknown > UNCLEAR * terms)
            z->why = "rounding of the model's numbers leaves it open how many zeros are finite";
        else
            status = keep_taken(z, unknown, arena, error);
        if (status || z->why) break;
        normalise_c(z);
        less(z, by_structure, &room, &terms);
        if (z->why || z->no_way) break;
    }
    return status;
}
