#include "coordinates/coordinates.h"
#include "coordinates/joined.h"

/* The lists of coordinate sets: absolute first, which is the default. */
static const rt_coordinate_set *const sets[] = {&rt_absolute, &rt_euler_parameters,
                                                &rt_euler_angles};
static const rt_joined_set *const joined_sets[] = {&rt_relative, &rt_natural};

enum {
    N_SETS = sizeof sets / sizeof sets[0],
    N_JOINED_SETS = sizeof joined_sets / sizeof joined_sets[0]
};

const rt_coordinate_set *rt_coordinate_set_find(const char *name)
{
    for (int k = 0; k < N_SETS; k++)
        if (strcmp(sets[k]->name, name) == 0) return sets[k];
    return NULL;
}

const rt_joined_set *rt_joined_set_find(const char *name)
{
    for (int k = 0; k < N_JOINED_SETS; k++)
        if (strcmp(joined_sets[k]->name, name) == 0) return joined_sets[k];
    return NULL;
}

const char *rt_coordinate_set_name(int k)
{
    if (k >= 0 && k < N_SETS) return sets[k]->name;
    return k >= N_SETS && k < N_SETS + N_JOINED_SETS ? joined_sets[k - N_SETS]->name : NULL;
}
