/* A plug-in: functions that a model file names and that Routh loads where it is allowed to. It is
 * compiled by
 *     cc -shared -fPIC tyre.c -o libtyre.so -lm
 * from the header routh/plugin.h alone, and used by car.yaml:
 *     routh modes car.yaml --allow-plugins
 */
#include <math.h>
#include <routh/plugin.h>

/* The lateral force of a tyre by the magic formula, F = D sin(C atan(B a)): of the slip angle a and
 * the vertical load N, with D = mu N. */
static const double B = 10, C = 1.3, mu = 0.9;

static int force(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = mu * x[1] * sin(C * atan(B * x[0]));
    return 0;
}

static int gradient(void *user, const double *x, double *out)
{
    const double q = 1 + B * B * x[0] * x[0], angle = C * atan(B * x[0]);
    (void)user;
    out[0] = mu * x[1] * cos(angle) * C * B / q;
    out[1] = mu * sin(angle);
    return 0;
}

/* The reserve of grip that is left, 1 - |F| / (mu N); its derivatives are left to Routh. */
static int reserve(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = 1 - fabs(sin(C * atan(B * x[0])));
    return 0;
}

static const routh_function functions[] = {
    {.name = "tyre_force", .n_arguments = 2, .value = force, .gradient = gradient},
    {.name = "grip_reserve", .n_arguments = 1, .value = reserve},
};

const routh_plugin routh_plugin_functions = {ROUTH_PLUGIN_VERSION, 2, functions};
