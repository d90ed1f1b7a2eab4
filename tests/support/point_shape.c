#include "support/point_shape.h"

#include <string.h>

enum { POINTS = 5, N = POINT_SHAPE_N };

/* One mass point: place X, shapes S (3 x N). */
static void add_point(point_shape *s, double mass, const double X[3], const double S[3 * N])
{
    s->shape.mass += mass;
    for (int i = 0; i < 3; i++) {
        s->shape.first[i] += mass * X[i];
        for (int j = 0; j < 3; j++) s->shape.second[3 * i + j] += mass * X[i] * X[j];
        for (int k = 0; k < N; k++) {
            s->a[3 * k + i] += mass * S[i * N + k];
            for (int j = 0; j < 3; j++) {
                s->B[9 * k + 3 * i + j] += mass * X[i] * S[j * N + k];
                for (int l = 0; l < N; l++) /* entry (k, l) of column l */
                    s->N[9 * (l * N + k) + 3 * i + j] += mass * S[i * N + k] * S[j * N + l];
            }
        }
    }
}

/* x x' + 1, so that it is positive */
static void draw_symmetric(random_stream *random, double size, double X[N * N])
{
    double x[N * N];
    random_reals(random, N * N, x);
    for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++) {
            X[k * N + l] = k == l ? size : 0;
            for (int i = 0; i < N; i++) X[k * N + l] += size * x[k * N + i] * x[l * N + i];
        }
}

static void draw_bar(point_shape *s, random_stream *random)
{
    random_reals(random, N, s->c);
    draw_symmetric(random, 0.3, s->g);
    for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++) s->position[k * N + l] = l * N + k;
    s->bar = (rt_bar){
        .stiffness = 7, .n = N, .column = s->column, .c = s->c, .g = s->g, .position = s->position};
}

void point_shape_draw(point_shape *s, random_stream *random)
{
    static const char *const names[N] = {"one", "two", "three"};
    memset(s, 0, sizeof *s);
    for (int p = 0; p < POINTS; p++) {
        double X[3], S[3 * N];
        random_reals(random, 3, X);
        random_reals(random, 3 * N, S);
        add_point(s, 0.4 + 0.1 * p, X, S);
    }
    draw_symmetric(random, 0.1, s->shape.rotary);
    random_reals(random, 3 * N, s->h);
    for (int k = 0; k < 3 * N; k++) s->h[k] *= 0.1;
    draw_symmetric(random, 0.2, s->M);
    draw_symmetric(random, 9, s->K);
    draw_symmetric(random, 0.5, s->D);
    for (int k = 0; k < N; k++) {
        s->coordinate[k] = (rt_elastic){.name = names[k], .kind = RT_ELASTIC_LENGTH, .size = 1};
        s->column[k] = k;
        s->start[k + 1] = N * (k + 1);
        for (int l = 0; l < N; l++) s->row[N * k + l] = l;
    }
    draw_bar(s, random);
    for (int node = 0; node < POINT_SHAPE_NODES; node++) {
        rt_flexible_node *x = &s->nodes[node];
        *x = (rt_flexible_node){.number = node + 1,
                                .n = node ? N : N - 1,
                                .column = s->column,
                                .S = s->S[node],
                                .R = s->R[node]};
        random_reals(random, 3, x->X);
        random_rotation(random, 0.3, x->axes);
        random_reals(random, 3 * N, s->S[node]);
        random_reals(random, 3 * N, s->R[node]);
        for (int k = 0; k < 3 * N; k++) s->R[node][k] *= 0.5;
    }
    s->shape.n = N, s->shape.coordinate = s->coordinate;
    s->shape.a = s->a, s->shape.B = s->B, s->shape.h = s->h;
    s->shape.pattern = (rt_pattern){N, N, s->start, s->row};
    s->shape.N = s->N, s->shape.M = s->M, s->shape.K = s->K, s->shape.D = s->D;
    s->shape.n_bars = 1, s->shape.bars = &s->bar;
    s->shape.n_nodes = POINT_SHAPE_NODES, s->shape.nodes = s->nodes;
}

void point_shape_give(const point_shape *s, routh_model *model, int body)
{
    rt_body *b = &model->bodies[body];
    b->flexible = &s->shape;
    b->mass.value = 0;
    for (int k = 0; k < 9; k++) b->inertia[k].value = 0;
    int node = 0;
    for (int k = model->n_bodies; k < model->n_markers; k++)
        if (model->markers[k].body == body) model->markers[k].node = node++ % POINT_SHAPE_NODES;
}
