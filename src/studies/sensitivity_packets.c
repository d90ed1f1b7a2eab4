/* See sensitivity_packets.h. */
#include "studies/sensitivity_packets.h"

#include <string.h>

/* ---- packets -------------------------------------------------------------------------------- */

bool rt_packets_take(rt_packets *k, int n_bodies, int most, rt_arena *arena)
{
    *k = (rt_packets){.room = most,
                      .n_bodies = n_bodies,
                      .packet = RT_TAKE(arena, rt_packet, most),
                      .touched = RT_TAKE(arena, bool, n_bodies)};
    for (int p = 0; k->packet && p < most; p++) {
        k->packet[p].parameter = RT_TAKE(arena, int, most);
        k->packet[p].owner = RT_TAKE(arena, int, n_bodies);
        if (!k->packet[p].parameter || !k->packet[p].owner) return false;
    }
    return k->packet && k->touched;
}

static bool sensitivity_packets_has_room(const rt_packets *k, const rt_packet *packet)
{
    for (int b = 0; b < k->n_bodies; b++)
        if (k->touched[b] && packet->owner[b] >= 0) return false;
    return true;
}

/* The first packet that has room for what is touched; a new one where none has. */
static rt_packet *find_packet(rt_packets *k)
{
    for (int p = 0; p < k->n; p++)
        if (sensitivity_packets_has_room(k, &k->packet[p])) return &k->packet[p];
    rt_packet *fresh = &k->packet[k->n++];
    fresh->n = 0;
    for (int b = 0; b < k->n_bodies; b++) fresh->owner[b] = -1;
    return fresh;
}

routh_status rt_packets_find(rt_packets *k, rt_variation *variation, int observer,
                             const int *parameter, int n, routh_error *error)
{
    const rt_varied_state none = {0};
    k->n = 0;
    for (int i = 0; i < n; i++) {
        routh_status status = rt_variation_along(variation, parameter[i], NULL, NULL, error);
        if (!status) status = rt_variation_move(variation, &none, error);
        if (status) return status;
        memset(k->touched, 0, (size_t)k->n_bodies * sizeof *k->touched);
        rt_variation_touched(variation, observer, k->touched);
        rt_packet *to = find_packet(k);
        to->parameter[to->n++] = parameter[i];
        for (int b = 0; b < k->n_bodies; b++)
            if (k->touched[b]) to->owner[b] = i;
    }
    return ROUTH_OK;
}

/* ---- whose column a number is in ------------------------------------------------------------ */

static void own_columns(const rt_levels_pencil *p, rt_varied_array array, const rt_pattern *pattern,
                        int *body)
{
    const int at = p->array[array];
    for (int c = 0; c < pattern->n_columns && at >= 0; c++)
        for (int e = pattern->start[c]; e < pattern->start[c + 1]; e++) body[at + e] = c / 6;
}

static void sensitivity_packets_own_row(const rt_state_row *row, int *body)
{
    for (int k = 0; k < 4 * row->n; k++) body[k] = row->columns[k % row->n] / 6;
}

int *rt_bodies_of_numbers(const rt_levels_pencil *p, rt_arena *arena)
{
    const routh_mechanism *m = p->s->m;
    int *body = RT_TAKE(arena, int, p->n_varied);
    if (!body) return NULL;
    own_columns(p, RT_VARIED_M, &m->pattern_M, body);
    own_columns(p, RT_VARIED_K, &m->pattern_K, body);
    own_columns(p, RT_VARIED_D, &m->pattern_K, body);
    for (int a = RT_VARIED_G; a <= RT_VARIED_AX; a++)
        own_columns(p, (rt_varied_array)a, &m->pattern_G, body);
    for (int k = 0; k < p->z; k++)
        sensitivity_packets_own_row(&p->states[k], body + p->state_at[k]);
    for (int k = 0; k < p->z1; k++) sensitivity_packets_own_row(&p->rates[k], body + p->rate_at[k]);
    return body;
}
