/* The modes of a reduced body in the making; for flexible/modes*.c alone. */
#ifndef RT_FLEXIBLE_MODES_PARTS_H
#define RT_FLEXIBLE_MODES_PARTS_H

#include "flexible/body.h"

typedef struct rt_modes_work {
    const rt_body_fe *b;
    const rt_reduction *how;
    rt_arena *arena;
    routh_error *error;
    rt_reduction_report *report;
    rt_body_solver *solver; /* of K + s M */
    double *shifted;        /* K + s M */
    double s;
    double *y; /* n */
    rt_body_rows rows;
    double *Z, *G; /* n x rows, rows x rows */
    int n_left;    /* rigid motions that interfaces leave */
    double *left;  /* n x n_left */
    int n_bent;    /* motions of the interfaces that are not rigid ones */
    double *bent;  /* rows x n_bent */
    int n_basis;
    double *basis;  /* n x n_basis: static shapes, the user's, normal modes */
    int n_normal;   /* normal modes, at the end of the basis */
    double *lambda; /* n_normal, of those, and of the next; 0: not known */
    double next;
} rt_modes_work;

static inline size_t rt_modes_column(const rt_modes_work *w, int k)
{
    return (size_t)w->b->n * (size_t)k;
}

/* B'A B of the basis, n_basis x n_basis */
void rt_modes_project(const rt_modes_work *w, const double *A, double *out);

/* Columns that the others make up, such as the six rigid motions of interfaces, are taken out: of
 * S = B'(K + s M) B, the leading m x m of order n, T (m x rank) with T'S T = 1. T has room for
 * m x m, work for 2 m. */
routh_status rt_modes_independent(int m, int n, const double *S, double *T, double *work, int *rank,
                                  routh_error *error);

/* The basis: static shapes, the user's, so many normal modes or all below the cut (of lambda);
 * cleaned of rigid motion. */
routh_status rt_modes_basis(rt_modes_work *w, int n_modes, double cut);

/* Normal modes, free or held at the interfaces: the lowest, or all below the cut (of lambda), into
 * n_normal, lambda, next and *vectors (n x n_normal, unit mass). */
routh_status rt_modes_normal(rt_modes_work *w, bool held, int wanted, double cut, double **vectors);

/* Elastic modes of the whole model below how->below, counted: lambda in report->whole. */
routh_status rt_modes_count(rt_modes_work *w);

/* A basis of as few normal modes as it takes for these to be right to how->accuracy. */
routh_status rt_modes_enough(rt_modes_work *w);

#endif
