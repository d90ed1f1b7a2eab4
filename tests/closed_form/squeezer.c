#include "closed_form/squeezer.h"

#include <math.h>
#include <string.h>

typedef squeezer_number number;
typedef struct vector {
    number x, y;
} vector;

enum { N = SQUEEZER_ANGLES, L = SQUEEZER_LOOPS, BODIES = 7, MOST_LEGS = 4 };

/* ---- data: Hairer and Wanner, Solving Ordinary Differential Equations II, section VII.7 ------ */

static const long double mass[BODIES] = {.04325L, .00365L, .02373L, .00706L,
                                         .07050L, .00706L, .05498L};
static const long double inertia[BODIES] = {2.194e-6L, 4.410e-7L, 5.255e-6L, 5.667e-7L,
                                            1.169e-5L, 5.667e-7L, 1.912e-5L};
#define XA -.06934L
#define YA -.00227L
#define XB -.03635L
#define YB .03273L
#define XC .014L
#define YC .072L
#define D .028L
#define DA .0115L
#define E .02L
#define EA .01421L
#define RR .007L
#define RA .00092L
#define SS .035L
#define SA .01874L
#define SB .01043L
#define SC .018L
#define SD .02L
#define TA .02308L
#define TB .00916L
#define U .04L
#define UA .01228L
#define UB .00449L
#define ZF .02L
#define ZT .04L
#define FA .01421L
static const long double spring = 4530, free_length = .07785L, torque = .033L;

/* ---- points ---------------------------------------------------------------------------------- */

/* A leg fixed in a body: (x, y) in the body's axes. */
typedef struct leg {
    int body;
    long double x, y;
} leg;

/* A point is fixed + sum of legs: p = c + sum R(alpha_b) r, with the angles of the bodies
 *     alpha = (beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon). */
typedef struct point {
    long double x, y;
    int n;
    leg legs[MOST_LEGS];
} point;

static const int turns[BODIES][N] = {{1},
                                     {1, 1},
                                     {0, 0, 1},
                                     {0, 0, 0, 1, 1},
                                     {0, 0, 0, 0, 1},
                                     {0, 0, 0, 0, 0, 1, 1},
                                     {0, 0, 0, 0, 0, 0, 1}};

static const point centre[BODIES] = {
    {0, 0, 1, {{0, RA, 0}}},      {0, 0, 2, {{0, RR, 0}, {1, -DA, 0}}},
    {XB, YB, 1, {{2, SB, -SA}}},  {XA, YA, 2, {{4, ZT, 0}, {3, 0, EA - E}}},
    {XA, YA, 1, {{4, TA, TB}}},   {XA, YA, 2, {{6, 0, -U}, {5, ZF - FA, 0}}},
    {XA, YA, 1, {{6, -UA, -UB}}},
};

/* P on k2 less P on k3, k4, k6 */
static const point loop[3] = {
    {-XB, -YB, 3, {{0, RR, 0}, {1, -D, 0}, {2, 0, SS}}},
    {-XA, -YA, 4, {{0, RR, 0}, {1, -D, 0}, {4, -ZT, 0}, {3, 0, E}}},
    {-XA, -YA, 4, {{0, RR, 0}, {1, -D, 0}, {6, 0, U}, {5, -ZF, 0}}},
};

/* D on k3 less C */
static const point stretch = {XB - XC, YB - YC, 1, {{2, SD, -SC}}};

static number angle_of(const number q[N], int body)
{
    number sum = 0;
    for (int j = 0; j < N; j++) sum += turns[body][j] * q[j];
    return sum;
}

/* R(alpha) r */
static vector turned(const leg *r, const number q[N])
{
    const number a = angle_of(q, r->body), c = ccosl(a), s = csinl(a);
    return (vector){c * r->x - s * r->y, s * r->x + c * r->y};
}

static vector place(const point *p, const number q[N])
{
    vector sum = {p->x, p->y};
    for (int k = 0; k < p->n; k++) {
        const vector r = turned(&p->legs[k], q);
        sum.x += r.x, sum.y += r.y;
    }
    return sum;
}

/* dp/dq_j = sum of z x r over the legs that turn with q_j */
static void jacobian(const point *p, const number q[N], vector J[N])
{
    memset(J, 0, N * sizeof *J);
    for (int k = 0; k < p->n; k++) {
        const vector r = turned(&p->legs[k], q);
        for (int j = 0; j < N; j++) {
            J[j].x -= turns[p->legs[k].body][j] * r.y;
            J[j].y += turns[p->legs[k].body][j] * r.x;
        }
    }
}

/* p'' where q'' = 0:  - sum r alpha'^2 */
static vector centripetal(const point *p, const number q[N], const number v[N])
{
    vector sum = {0, 0};
    for (int k = 0; k < p->n; k++) {
        const vector r = turned(&p->legs[k], q);
        const number w = angle_of(v, p->legs[k].body);
        sum.x -= r.x * w * w, sum.y -= r.y * w * w;
    }
    return sum;
}

/* ---- equations ------------------------------------------------------------------------------- */

/* A x = b, x in place of b; pivots by size. A: n x n, overwritten. */
static void solve(int n, number *A, number *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (cabsl(A[i * n + k]) > cabsl(A[p * n + k])) p = i;
        for (int j = 0; j < n; j++) {
            const number x = A[k * n + j];
            A[k * n + j] = A[p * n + j], A[p * n + j] = x;
        }
        const number x = b[k];
        b[k] = b[p], b[p] = x;
        for (int i = k + 1; i < n; i++) {
            const number factor = A[i * n + k] / A[k * n + k];
            if (factor == 0) continue;
            for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
}

/* k (l - l0)/l of the spring; d: from C to D */
static number pull(vector d)
{
    const number l = csqrtl(d.x * d.x + d.y * d.y);
    return spring * (l - free_length) / l;
}

/* M = sum of m J'J + I t't,  f = torque - J_D' pull d - sum of m J'(p'' at q'' = 0) */
static void dynamics(const squeezer_state *s, number M[N * N], number f[N])
{
    vector J[N];
    memset(M, 0, N * N * sizeof *M);
    memset(f, 0, N * sizeof *f);
    for (int b = 0; b < BODIES; b++) {
        const vector c = centripetal(&centre[b], s->q, s->v);
        jacobian(&centre[b], s->q, J);
        for (int i = 0; i < N; i++) {
            f[i] -= mass[b] * (J[i].x * c.x + J[i].y * c.y);
            for (int j = 0; j < N; j++)
                M[i * N + j] += mass[b] * (J[i].x * J[j].x + J[i].y * J[j].y) +
                                inertia[b] * turns[b][i] * turns[b][j];
        }
    }
    const vector d = place(&stretch, s->q);
    const number force = pull(d);
    jacobian(&stretch, s->q, J);
    for (int i = 0; i < N; i++) f[i] -= force * (J[i].x * d.x + J[i].y * d.y);
    f[0] += torque;
}

static void loops(const squeezer_state *s, number g[L], number G[L * N], number gamma[L])
{
    for (int k = 0; k < 3; k++) {
        vector J[N];
        const vector p = place(&loop[k], s->q), c = centripetal(&loop[k], s->q, s->v);
        jacobian(&loop[k], s->q, J);
        g[2 * k] = p.x, g[2 * k + 1] = p.y;
        gamma[2 * k] = -c.x, gamma[2 * k + 1] = -c.y;
        for (int j = 0; j < N; j++) G[2 * k * N + j] = J[j].x, G[(2 * k + 1) * N + j] = J[j].y;
    }
}

void squeezer_accelerate(squeezer_state *s)
{
    enum { ALL = N + L };
    number M[N * N], g[L], G[L * N], A[ALL * ALL] = {0}, b[ALL];
    dynamics(s, M, b);
    loops(s, g, G, b + N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) A[i * ALL + j] = M[i * N + j];
    for (int i = 0; i < L; i++)
        for (int j = 0; j < N; j++) A[(N + i) * ALL + j] = A[j * ALL + N + i] = G[i * N + j];
    solve(ALL, A, b);
    memcpy(s->a, b, sizeof s->a);
    memcpy(s->lambda, b + N, sizeof s->lambda);
}

/* G without the column of beta */
static void dependent(const number G[L * N], number A[L * L])
{
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++) A[i * L + j] = G[i * N + j + 1];
}

void squeezer_close(squeezer_state *s)
{
    number g[L], G[L * N], gamma[L], A[L * L], b[L];
    for (int pass = 0; pass < 12; pass++) { /* quadratic: the last ones change nothing */
        loops(s, g, G, gamma);
        dependent(G, A);
        solve(L, A, g);
        for (int i = 0; i < L; i++) s->q[i + 1] -= g[i];
    }
    loops(s, g, G, gamma);
    dependent(G, A);
    for (int i = 0; i < L; i++) b[i] = -G[i * N] * s->v[0];
    solve(L, A, b);
    memcpy(s->v + 1, b, sizeof b);
}

long double squeezer_gap(const squeezer_state *s)
{
    number g[L], G[L * N], gamma[L];
    long double most = 0;
    loops(s, g, G, gamma);
    for (int i = 0; i < L; i++) most = fmaxl(most, cabsl(g[i]));
    return most;
}

long double squeezer_gap_rate(const squeezer_state *s)
{
    number g[L], G[L * N], gamma[L];
    long double most = 0;
    loops(s, g, G, gamma);
    for (int i = 0; i < L; i++) {
        number rate = 0;
        for (int j = 0; j < N; j++) rate += G[i * N + j] * s->v[j];
        most = fmaxl(most, cabsl(rate));
    }
    return most;
}

long double squeezer_kinetic_energy(const squeezer_state *s)
{
    number M[N * N], f[N], sum = 0;
    dynamics(s, M, f);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum += s->v[i] * M[i * N + j] * s->v[j] / 2;
    return creall(sum);
}

long double squeezer_energy(const squeezer_state *s)
{
    const vector d = place(&stretch, s->q);
    const number l = csqrtl(d.x * d.x + d.y * d.y) - free_length;
    return squeezer_kinetic_energy(s) + creall(spring * l * l / 2 - torque * s->q[0]);
}

/* ---- motion ---------------------------------------------------------------------------------- */

enum { Y = 2 * N, COLUMNS = 8 };

static void rate(const number y[Y], number f[Y])
{
    squeezer_state s;
    memcpy(s.q, y, sizeof s.q);
    memcpy(s.v, y + N, sizeof s.v);
    squeezer_accelerate(&s);
    memcpy(f, s.v, sizeof s.v);
    memcpy(f + N, s.a, sizeof s.a);
}

/* Gragg's midpoint rule of n steps; f0: the rate at y */
static void midpoint(const number y[Y], const number f0[Y], long double H, int n, number out[Y])
{
    const long double h = H / n;
    number before[Y], now[Y], f[Y];
    memcpy(before, y, sizeof before);
    for (int i = 0; i < Y; i++) now[i] = y[i] + h * f0[i];
    for (int k = 1; k < n; k++) {
        rate(now, f);
        for (int i = 0; i < Y; i++) {
            const number next = before[i] + 2 * h * f[i];
            before[i] = now[i], now[i] = next;
        }
    }
    rate(now, f);
    for (int i = 0; i < Y; i++) out[i] = (now[i] + before[i] + h * f[i]) / 2;
}

/* T_jk = T_j,k-1 + (T_j,k-1 - T_j-1,k-1)/((n_j/n_j-k)^2 - 1), in powers of h^2, to h = 0 */
static void step(number y[Y], long double H)
{
    number T[COLUMNS][COLUMNS][Y], f0[Y];
    rate(y, f0);
    for (int j = 0; j < COLUMNS; j++) {
        midpoint(y, f0, H, 2 * (j + 1), T[j][0]);
        for (int k = 1; k <= j; k++) {
            const long double ratio = (j + 1.0L) / (j + 1 - k);
            for (int i = 0; i < Y; i++)
                T[j][k][i] =
                    T[j][k - 1][i] + (T[j][k - 1][i] - T[j - 1][k - 1][i]) / (ratio * ratio - 1);
        }
    }
    memcpy(y, T[COLUMNS - 1][COLUMNS - 1], Y * sizeof *y);
}

void squeezer_move(squeezer_state *s, long double time, int n)
{
    number y[Y];
    memcpy(y, s->q, sizeof s->q);
    memcpy(y + N, s->v, sizeof s->v);
    for (int k = 0; k < n; k++) step(y, time / n);
    memcpy(s->q, y, sizeof s->q);
    memcpy(s->v, y + N, sizeof s->v);
    squeezer_accelerate(s);
}
