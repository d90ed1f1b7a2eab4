/* Energy that loads store. The linear parts only: a user's function has none that is known. */
#include "motion/history_channels.h"

/* 1/2 k (x - x0)^2 - P (x - x0) */
static double of_spring(const rt_load *load, double deflection)
{
    return (load->stiffness.value / 2 * deflection - load->preload.value) * deflection;
}

/* 1/2 e'K e - P'e (loads.h) */
static double of_bushing(const rt_load_block *block, const double e[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        double Ke = 0;
        for (int j = 0; j < 6; j++) Ke += block->stiffness6[6 * i + j] * e[j];
        sum += (Ke / 2 - block->preload6[i]) * e[i];
    }
    return sum;
}

static double of_load(const routh_mechanism *m, const rt_workspace *w, int k)
{
    const rt_load_block *block = &m->loads[k];
    const rt_load *load = &m->model->loads[block->load];
    const rt_frame *i = rt_frame_of(w->markers, load->markers[0]);
    const rt_frame *j = rt_frame_of(w->markers, load->markers[1]);
    double x, rate, e[6], rates[6];
    switch (load->type) {
    case RT_LOAD_SPRING:
        rt_spring_measure(i, j, &x, &rate);
        return of_spring(load, x - block->free_length);
    case RT_LOAD_TORSION_SPRING:
        rt_torsion_measure(i, j, load->triad, &x, &rate);
        return of_spring(load, x - block->free_length);
    case RT_LOAD_BUSHING:
    case RT_LOAD_BEAM:
        rt_bushing_deflection(i, j, block->offset6, e, rates);
        return of_bushing(block, e);
    case RT_LOAD_ROD:
        rt_rod_deflection(i, j, block->offset6, e, rates);
        return of_bushing(block, e);
    default: return 0;
    }
}

double rt_elastic_energy(const routh_mechanism *m, const rt_workspace *w)
{
    double sum = 0;
    for (int k = 0; k < m->n_loads; k++) sum += of_load(m, w, k);
    return sum;
}
