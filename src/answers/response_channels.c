/* Names of inputs and outputs to what they are. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "answers/response_transfer.h"

static char *joined(rt_arena *arena, const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    char *text = RT_TAKE(arena, char, n + m + 1);
    if (!text) return NULL;
    memcpy(text, a, n);
    memcpy(text + n, b, m + 1);
    return text;
}

static int response_channels_find_signal(const routh_signal_name *signals, int n, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(signals[k].name, name) == 0) return k;
    return -1;
}

static int response_channels_find_state(const routh_linear *linear, int n, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(linear->states[k].name, name) == 0) return k;
    return -1;
}

static routh_status response_channels_fail_name(const routh_linear *linear, bool input, bool own,
                                                const char *name, rt_arena *arena,
                                                routh_error *error)
{
    const routh_signal_name *signals = input ? linear->inputs : linear->outputs;
    const int n = own ? (input ? linear->n_inputs : linear->n_outputs) : 0;
    const int z = input ? linear->n_position : linear->n_states;
    const char **names = RT_TAKE(arena, const char *, n + z + 1);
    if (!names) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) names[k] = signals[k].name;
    for (int k = 0; k < z; k++) names[n + k] = linear->states[k].name;
    const char *nearest = rt_suggest(name, names);
    const char *what = input ? "input" : "output";
    if (nearest)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "there is no %s \"%s\"; did you mean \"%s\"?",
                       what, name, nearest);
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "there is no %s \"%s\"; give one of the model's %ss%s", what, name, what,
                   input ? ", or a position state for a force on it" : ", or a state");
}

/* A force that does work on the state: N on one in m. */
static char *force_unit(const char *unit, rt_arena *arena)
{
    if (strcmp(unit, "m") == 0) return joined(arena, "N", "");
    if (strncmp(unit, "rad", 3) == 0) return joined(arena, "N m", "");
    return joined(arena, "J", *unit ? "/unit" : "");
}

static routh_status find_one(rt_channel *c, const routh_linear *linear, bool input, bool own,
                             const char *name, rt_arena *arena, routh_error *error)
{
    const int k = !own    ? -1
                  : input ? response_channels_find_signal(linear->inputs, linear->n_inputs, name)
                          : response_channels_find_signal(linear->outputs, linear->n_outputs, name);
    if (k >= 0) {
        const char *unit = input ? linear->inputs[k].unit : linear->outputs[k].unit;
        *c = (rt_channel){RT_CHANNEL_OWN, k, joined(arena, name, ""), joined(arena, unit, "")};
    } else {
        const int s = response_channels_find_state(
            linear, input ? linear->n_position : linear->n_states, name);
        if (s < 0) return response_channels_fail_name(linear, input, own, name, arena, error);
        const char *unit = linear->states[s].unit;
        *c = (rt_channel){RT_CHANNEL_STATE, s, joined(arena, input ? "force on " : "", name),
                          input ? force_unit(unit, arena) : joined(arena, unit, "")};
    }
    return c->name && c->unit ? ROUTH_OK : rt_fail_memory(error);
}

static int count_names(const char *list)
{
    int n = 1;
    for (; *list; list++) n += *list == ',';
    return n;
}

/* names: a list with commas, or NULL: all of the model's own. */
static routh_status response_channels_find_all(rt_channel **channels, int *n,
                                               const routh_linear *linear, bool input, bool own,
                                               const char *names, rt_arena *arena,
                                               routh_error *error)
{
    const int all = input ? linear->n_inputs : linear->n_outputs;
    const int most = names ? count_names(names) : all;
    *n = 0;
    *channels = RT_TAKE(arena, rt_channel, most + 1);
    if (!*channels) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int k = 0; !names && own && k < all && !status; k++)
        status = find_one(&(*channels)[(*n)++], linear, input, own,
                          (input ? linear->inputs : linear->outputs)[k].name, arena, error);
    while (names && !status) {
        const size_t length = strcspn(names, ",");
        const char *name = rt_arena_text(arena, names, length);
        if (!name) return rt_fail_memory(error);
        status = find_one(&(*channels)[(*n)++], linear, input, own, name, arena, error);
        if (!names[length]) break;
        names += length + 1;
    }
    return status;
}

static routh_status add_base(rt_channels *c, routh_base_axis axis, rt_arena *arena,
                             routh_error *error)
{
    static const char *const names[3] = {"ground.x", "ground.y", "ground.z"};
    const int k = (int)axis - ROUTH_BASE_X;
    c->in[c->n_in] =
        (rt_channel){RT_CHANNEL_BASE, k, joined(arena, names[k], ""), joined(arena, "m", "")};
    return c->in[c->n_in].name && c->in[c->n_in++].unit ? ROUTH_OK : rt_fail_memory(error);
}

/* What a force on a state, or the ground's motion, does at once to accelerations and joint forces
 * is not in the linear model. */
static routh_status response_channels_check_felt(const rt_channels *c, const routh_linear *linear,
                                                 routh_error *error)
{
    for (int i = 0; i < c->n_out; i++)
        for (int j = 0; j < c->n_in; j++)
            if (c->out[i].kind == RT_CHANNEL_OWN && linear->outputs[c->out[i].index].felt != 0 &&
                c->in[j].kind != RT_CHANNEL_OWN)
                return rt_fail(error, ROUTH_NOT_SUPPORTED,
                               "the output %s depends on accelerations or joint forces, and the "
                               "linear model does not contain the direct effect of %s on it; "
                               "define the force, or the motion of the ground, as an input in the "
                               "model",
                               c->out[i].name, c->in[j].name);
    return ROUTH_OK;
}

routh_status rt_channels_find(rt_channels *c, const routh_linear *linear,
                              const routh_response_options *options, bool own, rt_arena *arena,
                              routh_error *error)
{
    const bool base = options->base != ROUTH_BASE_NONE;
    *c = (rt_channels){0};
    routh_status status = response_channels_find_all(&c->in, &c->n_in, linear, true,
                                                     own && !(base && !options->inputs),
                                                     options->inputs, arena, error);
    if (!status && base) status = add_base(c, options->base, arena, error);
    if (!status)
        status = response_channels_find_all(&c->out, &c->n_out, linear, false, own,
                                            options->outputs, arena, error);
    if (status) return status;
    if (c->n_in == 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the response has no input, because the model defines none; give a position "
                       "state for a force on it (--input %s), or move the ground (--base x)",
                       linear->n_position ? linear->states[0].name : "body.x");
    if (c->n_out == 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the response has no output, because the model defines none; give a state "
                       "(--of %s)",
                       linear->n_states ? linear->states[0].name : "body.x");
    return response_channels_check_felt(c, linear, error);
}
