/* Parameters that are varied together: no two of one packet touch the same body, so that each
 * number that changes belongs to one of them, that which touches the body of its column (Curtis,
 * Powell and Reid 1974). At an equilibrium that is held fixed, as sensitivity_moves.h has it. */
#ifndef RT_STUDIES_SENSITIVITY_PACKETS_H
#define RT_STUDIES_SENSITIVITY_PACKETS_H

#include "studies/sensitivity_pencil.h"

typedef struct rt_packet {
    int n;
    int *parameter; /* of the model, n */
    int *owner;     /* n_bodies: which of those that were given touches the body; -1: none */
} rt_packet;

typedef struct rt_packets {
    int n, room, n_bodies;
    rt_packet *packet;
    bool *touched; /* n_bodies */
} rt_packets;

/* For `most` parameters at a time. */
bool rt_packets_take(rt_packets *packets, int n_bodies, int most, rt_arena *arena);

/* Of n parameters of the model; observer: the marker along whose axes states are. The variation
 * stands at the equilibrium; its direction is lost. */
routh_status rt_packets_find(rt_packets *packets, rt_variation *variation, int observer,
                             const int *parameter, int n, routh_error *error);

/* Whose column each of the pencil's numbers is in, of rigid bodies without controllers; NULL: out
 * of memory. */
int *rt_bodies_of_numbers(const rt_levels_pencil *pencil, rt_arena *arena);

#endif
