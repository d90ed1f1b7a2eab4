/* Velocities that a model gives its bodies and a static equilibrium has no use for: a rotor that is
 * to spin is linearized without its gyroscopic forces there. */
#include <stdio.h>

#include "operating/operating.h"

enum { NAMED_BODIES = 4 };

static bool is_given_velocity(const rt_body *body)
{
    bool any = false;
    for (int k = 0; k < 3; k++)
        any = any || body->velocity[k].value != 0 || body->angular_velocity[k].value != 0;
    return any;
}

bool rt_dropped_velocity_words(const rt_search *s, char *text, size_t room)
{
    const routh_model *model = s->m->model;
    int n = 0;
    size_t used = (size_t)snprintf(text, room, "the model gives velocities to ");
    for (int b = 0; b < model->n_bodies; b++) {
        if (!is_given_velocity(&model->bodies[b])) continue;
        if (n < NAMED_BODIES && used < room)
            used += (size_t)snprintf(text + used, room - used, "%s%s", n ? ", " : "",
                                     model->bodies[b].name);
        n++;
    }
    if (n == 0) return false;
    if (n > NAMED_BODIES && used < room)
        used += (size_t)snprintf(text + used, room - used, " and %d more", n - NAMED_BODIES);
    if (used < room)
        snprintf(text + used, room - used,
                 ", which a static equilibrium does not have; for the motion with them use a "
                 "steady motion (--at steady) or the initial state (--at given)");
    return true;
}
