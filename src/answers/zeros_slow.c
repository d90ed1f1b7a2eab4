/* Null vectors of A to rounding that are slow modes: by Rayleigh's quotients with the stiffness and
 * the mass themselves, whose rounding is not that of M^-1 K. */
#include <float.h>
#include <math.h>

#include "answers/zeros.h"
#include "base/lapack.h"

/* Slow modes are told from zero down to this fraction of the highest frequency, */
static const double SLOWEST = 1e-8;
/* and where s'K s is no less than this times what rounding of its terms can be. */
static const double ABOVE_ROUNDING = 100;

/* s'K t and |s|'|K||t| */
static void zeros_slow_product(const double *K, const double *s, const double *t, int z,
                               double *value, double *size)
{
    long double sum = 0;
    *size = 0;
    for (int i = 0; i < z; i++) {
        if (s[i] == 0) continue;
        for (int j = 0; j < z; j++) {
            const double a = K[(size_t)i * (size_t)z + (size_t)j];
            if (a == 0) continue;
            sum += (long double)s[i] * a * t[j];
            *size += fabs(s[i] * a * t[j]);
        }
    }
    *value = (double)sum;
}

/* S'K S and S'M S, k x k; *noise: the largest |s|'|K||s| / s'M s */
static void zeros_slow_project(const routh_linear *l, int k, const double *S, double *K, double *M,
                               double *noise)
{
    const int z = l->n_position;
    *noise = 0;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            const double *s = S + (size_t)z * (size_t)a, *t = S + (size_t)z * (size_t)b;
            double of_K, of_M;
            zeros_slow_product(l->stiffness, s, t, z, &K[a + k * b], &of_K);
            zeros_slow_product(l->mass, s, t, z, &M[a + k * b], &of_M);
            if (a == b && M[a + k * a] > 0) *noise = fmax(*noise, of_K / M[a + k * a]);
        }
}

/* The smallest |w^2| of (K, M), or less; 0 where nothing is known: M is not definite, or K is
 * neither symmetric nor definite. Where K + K' is definite, x^H (K + K') x / 2 <= |x^H K x| bounds
 * w^2 from below, however far K is from symmetry. */
static routh_status least_square(int k, double *K, double *M, double *least, rt_analyses *analyses,
                                 routh_error *error)
{
    double values[RT_MOST_SLOW], largest = 0, asymmetry = 0;
    *least = 0;
    for (int a = 0; a < k; a++)
        for (int b = 0; b <= a; b++) {
            const double sum = K[a + k * b] + K[b + k * a];
            largest = fmax(largest, fabs(sum) / 2);
            asymmetry = fmax(asymmetry, fabs(K[a + k * b] - K[b + k * a]));
            K[a + k * b] = K[b + k * a] = sum / 2;
        }
    const routh_status status =
        rt_symmetric_generalized_eigen_kept(k, K, M, values, analyses, error);
    if (status == ROUTH_SINGULAR) return ROUTH_OK;
    if (status || (asymmetry > 1e-6 * largest && values[0] < 0)) return status;
    *least = INFINITY;
    for (int a = 0; a < k; a++) *least = fmin(*least, fabs(values[a]));
    return ROUTH_OK;
}

routh_status rt_zeros_are_slow(const routh_linear *l, double norm, int k, const double *S,
                               bool *slow, rt_arena *arena, routh_error *error)
{
    *slow = false;
    if (!l->mass || !l->stiffness || l->n_control || l->n_position != l->n_velocity ||
        (l->error_estimate != 0 && !l->n_bounds) || k > RT_MOST_SLOW)
        return ROUTH_OK;
    double *K = RT_TAKE(arena, double, 2 * (size_t)k * (size_t)k), noise, least;
    if (!K) return rt_fail_memory(error);
    double *M = K + (size_t)k * (size_t)k;
    zeros_slow_project(l, k, S, K, M, &noise);
    const routh_status status = least_square(k, K, M, &least, arena->kept, error);
    const double slowest = SLOWEST * norm;
    *slow = !status && least > slowest * slowest && least > ABOVE_ROUNDING * DBL_EPSILON * noise;
    return status;
}
