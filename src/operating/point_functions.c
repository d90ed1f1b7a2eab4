/* Functions of the caller at an operating point: how good derivatives by differences are, and
 * whether those that the caller gives agree with differences. */
#include "operating/point_signals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "system/sensor.h"

/* By more than this of the slopes, what differences may be off by is said, of second derivatives by
 * more than that; and what is given may differ from differences by this much more than they may be
 * off by. */
static const double FUNCTIONS_OFF = 1e-8, FUNCTIONS_BENT = 1e-6, FUNCTIONS_APART = 1e-6;
/* Of smooth functions differences are never off by so much. */
static const double FUNCTIONS_ROUGH = 0.01;

typedef struct function_look {
    routh_operating_point *p;
    const rt_function_use *use;
    rt_say say;
    double x[RT_USER_ARGUMENTS];
} function_look;

/* "(0.1, -2)" */
static const char *functions_place(const function_look *l, char text[160])
{
    size_t n = 1;
    text[0] = '(';
    for (int k = 0; k < l->use->function->n && n < 150; k++)
        n += (size_t)snprintf(text + n, 160 - n, k ? ", %.5g" : "%.5g", l->x[k]);
    if (n < 158) text[n] = ')', text[n + 1] = '\0';
    return text;
}

/* A derivative that is a difference: is it good? */
static bool functions_say_of_error(const function_look *l, int orders)
{
    const bool second = rt_user_total(orders) == 2;
    char what[128], place[160], text[768];
    rt_user_accuracy a;
    const double value = rt_user_difference(l->use->function, orders, l->x, &a);
    const double size = fmax(fabs(value), a.size);
    if (!isfinite(value) || a.error <= (second ? FUNCTIONS_BENT : FUNCTIONS_OFF) * size)
        return true;
    snprintf(text, sizeof text,
             "%s: %s is taken by differences, %.6g at %s, and may be off by %.1e: the function is "
             "not smooth there, or its values are not accurate; give its %s, or a function that is "
             "smooth there",
             l->use->element, rt_user_describe(l->use->function, orders, what, sizeof what), value,
             functions_place(l, place), a.error, second ? "Hessian" : "gradient");
    return l->say(l->p, text);
}

/* Constraints take second derivatives into the stiffness. */
static bool functions_bend(const rt_function_use *use)
{
    return strncmp(use->element, "joint ", 6) == 0;
}

/* The function switches there from one branch to another. */
static bool functions_say_of_kink(const function_look *l, int orders, double given)
{
    char what[128], place[160], text[768];
    snprintf(text, sizeof text,
             "%s is exactly at a non-smooth point of the function %.60s, %s: the linear model has "
             "%s as the caller gives it, %.9g",
             l->use->element, l->use->function->name, functions_place(l, place),
             rt_user_describe(l->use->function, orders, what, sizeof what), given);
    return l->say(l->p, text);
}

static bool functions_say_of_given(const function_look *l, int orders)
{
    char what[128], place[160], text[768];
    rt_user_accuracy a;
    const rt_user_function *f = l->use->function;
    const double given = rt_user_partial(f, orders, l->x);
    const double value = rt_user_difference(f, orders, l->x, &a);
    const double size = fmax(fmax(fabs(value), fabs(given)), a.size);
    if (!isfinite(given) || !isfinite(value)) return true;
    if (rt_user_total(orders) == 1 && a.error > FUNCTIONS_ROUGH * size)
        return functions_say_of_kink(l, orders, given);
    if (fabs(given - value) <= 10 * a.error + FUNCTIONS_APART * size) return true;
    snprintf(text, sizeof text,
             "%s: %s as the caller gives it is %.9g at %s, and by differences %.9g with an error "
             "of %.1e; check it: the linear model has what is given",
             l->use->element, rt_user_describe(f, orders, what, sizeof what), given,
             functions_place(l, place), value, a.error);
    return l->say(l->p, text);
}

/* A wrong gradient may be right where it vanishes; its slope is then wrong. By differences of it,
 * and of values alone. */
static bool functions_say_of_slope(const function_look *l, int orders)
{
    char what[128], place[160], text[768];
    rt_user_accuracy a, b;
    rt_user_function values = *l->use->function;
    values.gradient = NULL, values.complex_value = NULL;
    const double of_given = rt_user_difference(l->use->function, orders, l->x, &a);
    const double of_values = rt_user_difference(&values, orders, l->x, &b);
    const double size = fmax(fmax(fabs(of_given), fabs(of_values)), fmax(a.size, b.size));
    if (!isfinite(of_given) || !isfinite(of_values)) return true;
    if (fmax(a.error, b.error) > FUNCTIONS_ROUGH * size) return true; /* not known */
    if (fabs(of_given - of_values) <= 10 * (a.error + b.error) + FUNCTIONS_APART * size)
        return true;
    snprintf(text, sizeof text,
             "%s: %s is %.9g at %s by the gradient that the caller gives, and %.9g by the values; "
             "check the gradient: the linear model has what is given",
             l->use->element, rt_user_describe(l->use->function, orders, what, sizeof what),
             of_given, functions_place(l, place), of_values);
    return l->say(l->p, text);
}

static bool functions_look_at(const function_look *l)
{
    const rt_user_function *f = l->use->function;
    bool good = true;
    for (int k = 0; k < f->n && good; k++) {
        const int one = rt_user_one(k);
        good =
            rt_user_gives(f, one) ? functions_say_of_given(l, one) : functions_say_of_error(l, one);
        for (int i = 0; i <= k && good; i++) {
            const int two = one + rt_user_one(i);
            if (f->hessian)
                good = functions_say_of_given(l, two);
            else if (f->gradient && !functions_say_of_slope(l, two))
                good = false;
            else if (functions_bend(l->use))
                good = functions_say_of_error(l, two);
        }
    }
    return good;
}

routh_status rt_tell_of_functions(routh_operating_point *p, const rt_search *s, rt_say say,
                                  routh_error *error)
{
    const routh_model *m = s->m->model;
    for (int u = 0; u < m->n_function_uses; u++) {
        function_look look = {.p = p, .use = &m->function_uses[u], .say = say};
        bool known = true;
        for (int k = 0; k < look.use->function->n && known; k++)
            known = rt_sensor_value(s->m, s->w, s->state, RT_SENSOR_ARGUMENT, look.use->first + k,
                                    &look.x[k]) &&
                    isfinite(look.x[k]);
        if (known && !functions_look_at(&look)) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}
