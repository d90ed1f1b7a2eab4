/* What is said where no steady motion was found. */
#include <stdarg.h>
#include <stdio.h>

#include "operating/steady.h"
#include "operating/twists.h"

typedef struct steady_words {
    char text[900];
} steady_words;

static void steady_words_say(steady_words *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void steady_words_say(steady_words *w, const char *format, ...)
{
    const size_t used = strlen(w->text);
    va_list args;
    va_start(args, format);
    vsnprintf(w->text + used, sizeof w->text - used, format, args);
    va_end(args);
}

/* What is told: no less than a part of the worst, which may be small itself. */
static double steady_words_least(const rt_steady_search *k)
{
    return fmin(1e-6, rt_steady_error(k) / 10);
}

/* ---- bodies out of balance ------------------------------------------------------------------ */

/* The two worst bodies or elastic coordinates, those that count; the first one's body. */
static int say_residual(const rt_steady_search *k, steady_words *w)
{
    const routh_mechanism *m = k->s->m;
    char text[160];
    int first = -1, n = 0;
    for (int pass = 0; pass < 2; pass++) {
        int at = -1, component = 0;
        double most = steady_words_least(k);
        for (int i = 0; i < m->n_bodies + m->n_elastic; i++) {
            int c;
            const double size = k->force[rt_equilibrium_residual_body(m, i)];
            const double x = i == first ? 0 : rt_equilibrium_residual(k->s, i, &c) / size;
            if (x > most) most = x, at = i, component = c;
        }
        if (at < 0) break;
        if (pass == 0) first = at;
        rt_equilibrium_residual_words(k->s, at, component, text, sizeof text);
        steady_words_say(w, "%s%s stays out of balance %s", n++ ? ", " : "body ",
                         m->model->bodies[rt_equilibrium_residual_body(m, at)].name, text);
    }
    return first < 0 ? -1 : rt_equilibrium_residual_body(m, first);
}

/* ---- prescriptions -------------------------------------------------------------------------- */

static void name_prescription(const rt_steady_search *k, int equation, char name[160])
{
    const rt_steady *asked = k->asked;
    if (equation < k->in_turn)
        snprintf(name, 160, "%s", asked->prescribed[equation - k->in_prescribed].name);
    else if (equation == k->in_turn)
        snprintf(name, 160, "the rotation rate");
    else
        snprintf(name, 160, "the spin of %s",
                 k->s->m->model->bodies[asked->spins[equation - k->in_turn - 1].body].name);
}

static bool is_prescribed(const rt_steady_search *k, int equation)
{
    if (equation < k->in_turn) return true;
    return equation == k->in_turn ? k->asked->turn_rate_given
                                  : k->asked->spins[equation - k->in_turn - 1].rate_given;
}

static double asked_of(const rt_steady_search *k, int equation)
{
    const rt_steady *asked = k->asked;
    if (equation < k->in_turn) return asked->prescribed[equation - k->in_prescribed].value.value;
    if (equation == k->in_turn) return asked->turn_rate.value;
    return asked->spins[equation - k->in_turn - 1].rate.value;
}

static void say_unmet(const rt_steady_search *k, steady_words *w)
{
    for (int i = k->in_prescribed; i < k->in_gauge; i++) {
        char name[160];
        if (fabs(k->whole.F[i]) <= steady_words_least(k) * k->whole.row_unit[i]) continue;
        name_prescription(k, i, name);
        steady_words_say(w, "%s%s is %.12g and must be %.12g", w->text[0] ? "; " : "", name,
                         asked_of(k, i) + k->whole.F[i], asked_of(k, i));
    }
}

/* Of what the unknowns do not reach, in left null vector l of J: is it zero of itself, as where a
 * joint holds what is prescribed, too? */
static bool is_met(const rt_steady_search *k, int l)
{
    double along = 0, size = 0;
    for (int i = 0; i < k->n_rows; i++) {
        const double b = k->whole.F[i] * k->row_factor[i];
        along += k->u[i + (size_t)k->n_rows * (size_t)l] * b;
        size += b * b;
    }
    return fabs(along) <= 1e-3 * sqrt(size);
}

/* Prescriptions that the unknowns do not reach: those in left null vectors of J. */
static void say_dependent(const rt_steady_search *k, steady_words *w)
{
    int n = 0;
    for (int i = k->in_prescribed; i < k->in_gauge; i++) {
        double part = 0;
        char name[160];
        for (int l = k->rank; l < k->n_rows; l++)
            if (!is_met(k, l)) part = fmax(part, fabs(k->u[i + (size_t)k->n_rows * (size_t)l]));
        if (part <= 1e-3 || !is_prescribed(k, i)) continue;
        name_prescription(k, i, name);
        steady_words_say(w, "%s%s", n++ ? ", " : "; these cannot be prescribed: ", name);
    }
}

static int count_prescribed(const rt_steady_search *k)
{
    int n = k->asked->n_prescribed + k->asked->turn_rate_given;
    for (int i = 0; i < k->asked->n_spins; i++) n += k->asked->spins[i].rate_given;
    return n;
}

static void say_counts(const rt_steady_search *k, steady_words *w)
{
    const int free = k->asked->n_free, n = count_prescribed(k);
    int spins = 0;
    for (int i = 0; i < k->asked->n_spins; i++) spins += !k->asked->spins[i].rate_given;
    steady_words_say(w, "; %d value%s prescribed; unknown are ", n, n == 1 ? " is" : "s are");
    if (!k->asked->turn_rate_given) steady_words_say(w, "the rotation rate, ");
    if (spins) steady_words_say(w, "%d spin%s, ", spins, spins == 1 ? "" : "s");
    steady_words_say(w, "%d input%s and the configuration", free, free == 1 ? "" : "s");
}

/* ---- the whole ------------------------------------------------------------------------------ */

static rt_place steady_words_place_of(const rt_steady_search *k, int body, char element[192])
{
    element[0] = 0;
    if (body < 0) return (rt_place){0};
    snprintf(element, 192, "body %s", k->s->m->model->bodies[body].name);
    return k->s->m->model->bodies[body].place;
}

static void say_signals(const rt_steady_search *k, steady_words *w)
{
    int equation;
    char name[256];
    if (!k->s->signals || rt_signals_error(k->s, &equation) <= steady_words_least(k)) return;
    rt_signals_name(k->s, &equation, 1, name, sizeof name);
    steady_words_say(w, "%sthe equation of %s stays off by %.3g", w->text[0] ? "; " : "", name,
                     k->s->signals->rows[equation].value);
}

static void say_open_joint(const rt_steady_search *k, steady_words *w)
{
    char element[192];
    const char *label;
    rt_place place;
    double most = steady_words_least(k);
    int at = -1;
    for (int i = k->in_phi; i < k->in_signals; i++) {
        const double e = fabs(k->whole.F[i]) / k->whole.row_unit[i];
        if (e > most) most = e, at = i;
    }
    if (at < 0) return;
    const bool velocity = at >= k->in_rates;
    rt_row_describe(k->s->m, at - (velocity ? k->in_rates : k->in_phi), element, &place, &label);
    steady_words_say(w, "%s%s is broken (\"%s\") by %.3g %s", w->text[0] ? "; " : "", element,
                     label, k->whole.F[at], velocity ? "per second" : "m or rad");
    if (velocity && k->asked->n_spins)
        steady_words_say(
            w, " (a body that spins rotates about its centre of mass, which must lie on its axis)");
}

/* An error of this size is rounding. */
static const double GOOD = 1e-10;

routh_status rt_steady_fail(rt_steady_search *k, double reached, routh_error *error)
{
    steady_words w = {{0}};
    char element[192], open[512];
    const rt_load *wound = rt_stopped_by_twist(k->s);
    if (wound) return rt_fail_wound(k->s, wound, ROUTH_NO_EQUILIBRIUM, error);
    const int body = say_residual(k, &w);
    const rt_place place = steady_words_place_of(k, body, element);
    say_open_joint(k, &w);
    say_signals(k, &w);
    say_unmet(k, &w);
    if (!w.text[0] && reached <= GOOD)
        steady_words_say(
            &w,
            "forces are in balance, but what they leave of a step, %.2g of lengths and "
            "rates, shows that they vanish rather than balance",
            k->last_step);
    else if (!w.text[0])
        steady_words_say(&w,
                         "what is out of balance falls to %.2g of its size and no further, as "
                         "where a motion nearly is one",
                         reached);
    say_dependent(k, &w);
    say_counts(k, &w);
    if (rt_steady_open(k, open, sizeof open) > 0) steady_words_say(&w, "; undetermined: %s", open);
    return rt_fail_at(error, ROUTH_NO_EQUILIBRIUM, k->s->m->model->file, place,
                      element[0] ? element : NULL,
                      "no steady motion was found: %s; give "
                      "velocities nearer to the motion, or change "
                      "`prescribed` and `free` under "
                      "`steady`",
                      w.text);
}

/* The body or elastic coordinate that an equation of motion is of, or -1. */
static int steady_words_item_of(const rt_steady_search *k, int equation)
{
    const int e = rt_elastic_of_column(k->s->m, equation);
    if (e >= 0) return k->s->m->n_bodies + e;
    return equation < k->in_phi ? equation / 6 : -1;
}

/* " (a, b, ..)", the bodies that spin; "" where there are none. */
static void name_spins(const rt_steady_search *k, steady_words *w)
{
    enum { MOST = 4 };
    const rt_steady *asked = k->asked;
    for (int i = 0; i < asked->n_spins && i < MOST; i++)
        steady_words_say(w, "%s%s", i ? ", " : " (",
                         k->s->m->model->bodies[asked->spins[i].body].name);
    if (asked->n_spins) steady_words_say(w, asked->n_spins > MOST ? ", ..)" : ")");
}

routh_status rt_steady_stops(rt_steady_search *k, int equation, routh_error *error)
{
    char element[192], what[320] = "", left[160];
    const char *label;
    rt_place place;
    const int item = steady_words_item_of(k, equation);
    int component;
    steady_words spins = {{0}};
    name_spins(k, &spins);
    if (item >= 0) {
        (void)rt_equilibrium_residual(k->s, item, &component);
        rt_equilibrium_residual_words(k->s, item, component, left, sizeof left);
        snprintf(what, sizeof what, "this body is out of balance %s", left);
        place = steady_words_place_of(k, rt_equilibrium_residual_body(k->s->m, item), element);
    } else if (equation < k->in_signals) {
        const bool velocity = equation >= k->in_rates;
        rt_row_describe(k->s->m, equation - (velocity ? k->in_rates : k->in_phi), element, &place,
                        &label);
        snprintf(what, sizeof what, "this joint is broken (\"%s\")", label);
    } else {
        int number;
        const rt_sensor_kind kind =
            rt_signals_kind(k->s->signals, equation - k->in_signals, &number);
        rt_sensor_describe(k->s->m, kind, number, element, &place);
        snprintf(what, sizeof what, "its equation no longer holds");
    }
    return rt_fail_at(
        error, ROUTH_NO_EQUILIBRIUM, k->s->m->model->file, place, element,
        "the motion that was found is balanced for an instant only: later, %s. %s%s%s on time, on "
        "places along the way or, in a steady turn, on directions of the world other than the "
        "axis%s",
        what, k->asked->n_spins ? "Balance each body that spins" : "", spins.text,
        k->asked->n_spins ? " about its axis, with two equal moments of inertia across it and no "
                            "forces that rotate with it; let nothing depend"
                          : "Let nothing depend",
        k->acceleration < 0 ? ""
                            : "; a motion with a constant acceleration lasts where no force feels "
                              "the velocity");
}

routh_status rt_steady_ends(const rt_steady_search *k, double way, routh_error *error)
{
    steady_words counts = {{0}};
    say_counts(k, &counts);
    return rt_fail_at(error, ROUTH_NO_EQUILIBRIUM, k->s->m->model->file, (rt_place){0}, NULL,
                      "no steady motion was found: on the way from the initial state to a "
                      "steady motion with what is prescribed, the motion ends after %.1f %% of the "
                      "way, as at a limit of what forces can hold%s; prescribe less, "
                      "or give velocities nearer to the motion",
                      100 * way, counts.text);
}
