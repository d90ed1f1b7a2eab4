/* A transform of our own: by halves where the length is a power of two (Cooley and Tukey 1965),
 * else as a convolution of such a length (Bluestein 1970),
 *
 *     j k = (j^2 + k^2 - (k - j)^2) / 2
 *     X_k = b*_k sum_j (x_j b*_j) b_{k-j},      b_j = exp(pi i j^2 / n)
 */
#include "base/pi.h"
#include "answers/identify_transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct identify_transform_own_plan {
    int n, size;     /* size: the power of two that is worked with */
    double *wave;    /* size: cos and sin of 2 pi k/size, k < size/2 */
    double *re, *im; /* size each */
    double *chirp;   /* 2 n: b; NULL where n is a power of two */
    double *kernel;  /* 2 size: the transform of b */
} identify_transform_own_plan;

static void identify_transform_own_release(void *at)
{
    identify_transform_own_plan *p = at;
    if (!p) return;
    free(p->wave);
    free(p);
}

static void identify_transform_own_swap(double *a, double *b)
{
    const double x = *a;
    *a = *b;
    *b = x;
}

static void reverse_bits(int n, double *re, double *im)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j ^= bit;
        if (i < j) {
            identify_transform_own_swap(&re[i], &re[j]);
            identify_transform_own_swap(&im[i], &im[j]);
        }
    }
}

/* In place, of p->size complex numbers. */
static void halves(const identify_transform_own_plan *p, double *re, double *im)
{
    const int n = p->size;
    reverse_bits(n, re, im);
    for (int half = 1; half < n; half *= 2) {
        const int stride = n / (2 * half);
        for (int k = 0; k < half; k++) {
            const double c = p->wave[2 * k * stride], s = -p->wave[2 * k * stride + 1];
            for (int i = k; i < n; i += 2 * half) {
                const int j = i + half;
                const double x = c * re[j] - s * im[j], y = c * im[j] + s * re[j];
                re[j] = re[i] - x, im[j] = im[i] - y;
                re[i] += x, im[i] += y;
            }
        }
    }
}

/* b and its transform, wrapped around so that b_{-j} = b_j. */
static void fill_chirp(identify_transform_own_plan *p)
{
    const int n = p->n;
    memset(p->re, 0, (size_t)p->size * sizeof *p->re);
    memset(p->im, 0, (size_t)p->size * sizeof *p->im);
    for (int j = 0; j < n; j++) {
        const long long square = (long long)j * j % (2LL * n);
        const double angle = RT_PI * (double)square / n;
        const int back = (p->size - j) % p->size;
        p->re[j] = p->re[back] = p->chirp[2 * j] = cos(angle);
        p->im[j] = p->im[back] = p->chirp[2 * j + 1] = sin(angle);
    }
    halves(p, p->re, p->im);
    for (int k = 0; k < p->size; k++) p->kernel[2 * k] = p->re[k], p->kernel[2 * k + 1] = p->im[k];
}

static routh_status identify_transform_own_create(void **at, int n, routh_error *error)
{
    *at = NULL;
    if (n < 1 || n > 1 << 26)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a record to be transformed must have between 1 "
                       "and 67108864 samples");
    identify_transform_own_plan *p = calloc(1, sizeof *p);
    if (!p) return rt_fail_memory(error);
    const int chirped = (n & (n - 1)) != 0;
    p->n = n;
    for (p->size = 1; p->size < (chirped ? 2 * n - 1 : n);) p->size *= 2;
    const size_t size = (size_t)p->size;
    p->wave = calloc((chirped ? 5 * size + 2 * (size_t)n : 3 * size) + 2, sizeof *p->wave);
    if (!p->wave) {
        identify_transform_own_release(p);
        return rt_fail_memory(error);
    }
    p->re = p->wave + size + 2;
    p->im = p->re + size;
    for (int k = 0; k < p->size / 2 + 1; k++) {
        p->wave[2 * k] = cos(2 * RT_PI * k / p->size);
        p->wave[2 * k + 1] = sin(2 * RT_PI * k / p->size);
    }
    if (chirped) {
        p->kernel = p->im + size;
        p->chirp = p->kernel + 2 * size;
        fill_chirp(p);
    }
    *at = p;
    return ROUTH_OK;
}

static void identify_transform_own_run(void *at, const double *x, double *re, double *im)
{
    identify_transform_own_plan *p = at;
    const int n = p->n, size = p->size;
    const double *b = p->chirp, *B = p->kernel;
    memset(p->re, 0, (size_t)size * sizeof *p->re);
    memset(p->im, 0, (size_t)size * sizeof *p->im);
    for (int j = 0; j < n; j++) {
        p->re[j] = b ? x[j] * b[2 * j] : x[j];
        p->im[j] = b ? -x[j] * b[2 * j + 1] : 0;
    }
    halves(p, p->re, p->im);
    if (!b) {
        memcpy(re, p->re, (size_t)(n / 2 + 1) * sizeof *re);
        memcpy(im, p->im, (size_t)(n / 2 + 1) * sizeof *im);
        return;
    }
    /* the product, conjugated: transforming it once more goes back, conjugated */
    for (int k = 0; k < size; k++) {
        const double u = p->re[k], v = p->im[k];
        p->re[k] = u * B[2 * k] - v * B[2 * k + 1];
        p->im[k] = -(u * B[2 * k + 1] + v * B[2 * k]);
    }
    halves(p, p->re, p->im);
    for (int k = 0; k <= n / 2; k++) {
        const double u = p->re[k] / size, v = -p->im[k] / size;
        re[k] = u * b[2 * k] + v * b[2 * k + 1];
        im[k] = v * b[2 * k] - u * b[2 * k + 1];
    }
}

const rt_transform rt_transform_own = {"own", identify_transform_own_create,
                                       identify_transform_own_run, identify_transform_own_release};
