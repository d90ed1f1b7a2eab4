/* How flexible bodies move in a mode, and where they hold strain energy. */
#include <string.h>

#include "routh/answers.h"

void routh_mode_elastic(const routh_linear *linear, const routh_mode *mode, int body, double *q)
{
    const routh_flexible_body *flexible = &linear->flexible[body];
    const int n = linear->n_states;
    for (int k = 0; k < flexible->n; k++) {
        const double *row = flexible->elastic + (size_t)k * (size_t)n;
        double re = 0, im = 0;
        for (int j = 0; j < n; j++)
            re += row[j] * mode->shape[j], im += row[j] * mode->shape[n + j];
        q[k] = re, q[flexible->n + k] = im;
    }
}

/* d = d_frame + th_frame x (r - r_frame) + sum of the node's own */
void routh_mode_node(const routh_linear *linear, int body, const double frame[12], const double *q,
                     int node, double motion[12])
{
    const routh_flexible_body *flexible = &linear->flexible[body];
    const routh_flexible_node *at = &flexible->nodes[node];
    const double *origin = linear->markers[flexible->marker].position;
    const double arm[3] = {at->position[0] - origin[0], at->position[1] - origin[1],
                           at->position[2] - origin[2]};
    memcpy(motion, frame, 12 * sizeof *motion);
    for (int part = 0; part < 2; part++) {
        const double *turn = frame + 6 * part + 3, *own = q + part * flexible->n;
        double *d = motion + 6 * part;
        d[0] += turn[1] * arm[2] - turn[2] * arm[1];
        d[1] += turn[2] * arm[0] - turn[0] * arm[2];
        d[2] += turn[0] * arm[1] - turn[1] * arm[0];
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < at->n; k++) d[i] += at->motion[i * at->n + k] * own[at->column[k]];
    }
}

double routh_mode_part_energy(const routh_linear *linear, int body, const double *q, int part)
{
    const routh_flexible_body *flexible = &linear->flexible[body];
    const routh_flexible_part *at = &flexible->parts[part];
    const double *im = q + flexible->n;
    double sum = 0;
    for (int k = 0; k < at->n; k++)
        for (int l = 0; l < at->n; l++) {
            const int a = at->column[k], b = at->column[l];
            sum += at->stiffness[k * at->n + l] * (q[a] * q[b] + im[a] * im[b]);
        }
    return sum / 4;
}
