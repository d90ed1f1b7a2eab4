#include "system/arrays.h"

const rt_scalar *rt_array_of(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                             rt_varied_array which, int *n)
{
    const int n_K = m->pattern_K.start[m->n_u], n_G = m->pattern_G.start[m->n_u];
    switch (which) {
    case RT_VARIED_RESIDUAL: *n = m->n_u; return w->residual;
    case RT_VARIED_PHI:
    case RT_VARIED_PHI1:
    case RT_VARIED_PHI2: *n = m->n_rows; return w->phi[which - RT_VARIED_PHI];
    case RT_VARIED_M: *n = m->pattern_M.start[m->n_u]; return w->M;
    case RT_VARIED_K: *n = n_K; return w->K;
    case RT_VARIED_D: *n = n_K; return w->D;
    case RT_VARIED_G: *n = n_G; return w->G;
    case RT_VARIED_VX: *n = n_G; return w->Vx;
    case RT_VARIED_AU: *n = n_G; return w->Au;
    case RT_VARIED_AX: *n = n_G; return w->Ax;
    case RT_VARIED_L: *n = rt_count_L(m); return w->L;
    case RT_VARIED_DRIVE: *n = 3 * m->n_driven; return w->drive;
    case RT_VARIED_SIGNAL: *n = m->n_signals; return state->signal;
    case RT_VARIED_ARRAYS: break;
    }
    *n = 0;
    return NULL;
}
