/* Energy that loads store. The linear parts only: a user's function has none that is known. */
#include "motion/history_channels.h"

double rt_elastic_energy(const routh_mechanism *m, const rt_workspace *w)
{
    double sum = 0;
    for (int k = 0; k < m->n_loads; k++) sum += rt_load_energy(m, w, &m->loads[k]);
    return sum;
}
