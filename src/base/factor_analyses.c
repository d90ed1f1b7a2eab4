/* Symbolic analyses by pattern and ordering, and factors that are not in use, for who factors the
 * same patterns again and again. A factor that is taken again keeps its memory and its pivots,
 * which are then proved (factor_pivots.c). */
#include <stdlib.h>
#include <string.h>

#include "base/analyses.h"
#include "base/ldl_parts.h"

rt_analyses *rt_analyses_create(void)
{
    rt_analyses *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    atomic_flag_clear(&a->busy);
    a->memory = rt_kept_memory_create();
    if (a->memory) return a;
    free(a);
    return NULL;
}

void rt_analyses_trim(rt_analyses *a)
{
    if (a) rt_kept_memory_trim(a->memory);
}

void rt_analyses_free(rt_analyses *a)
{
    for (int k = 0; a && k < a->n; k++) {
        rt_kept_analysis *kept = &a->list[k];
        for (int i = 0; i < kept->n_idle; i++) rt_factor_release(kept->idle[i]);
        klu_free_symbolic(&kept->symbolic, &kept->common);
        free(kept->start);
    }
    for (int k = 0; a && k < a->n_patterns; k++) free(a->pattern[k].rows);
    for (int k = 0; a && k < RT_MOST_ELIMINATIONS; k++) rt_kept_free(a->elimination[k].bytes);
    for (int k = 0; a && k < a->n_ldl; k++) rt_ldl_release(a->ldl[k]);
    if (a) rt_kept_memory_close(a->memory);
    free(a);
}

static bool is_analysis_of(const rt_kept_analysis *k, const rt_pattern *p, rt_ordering ordering)
{
    const size_t n = (size_t)p->n_columns;
    return k->n == p->n_columns && k->ordering == ordering &&
           memcmp(k->start, p->start, (n + 1) * sizeof *k->start) == 0 &&
           memcmp(k->row, p->row, (size_t)p->start[n] * sizeof *k->row) == 0;
}

static int find_analysis(const rt_analyses *a, const rt_pattern *p, rt_ordering ordering)
{
    for (int k = 0; k < a->n; k++)
        if (is_analysis_of(&a->list[k], p, ordering)) return k;
    return -1;
}

/* A new one at the end of the list; -1: there is no memory for it, or the list is full. */
static int add_analysis(rt_analyses *a, const rt_factor *f)
{
    const rt_pattern *p = f->pattern;
    const size_t n = (size_t)f->n + 1, entries = (size_t)p->start[f->n];
    if (a->n == RT_MOST_ANALYSES) return -1;
    rt_kept_analysis *k = &a->list[a->n];
    *k = (rt_kept_analysis){.n = f->n, .ordering = f->ordering, .common = f->common};
    k->start = malloc((n + entries) * sizeof *k->start);
    if (!k->start) return -1;
    k->row = k->start + n;
    memcpy(k->start, p->start, n * sizeof *k->start);
    memcpy(k->row, p->row, entries * sizeof *k->row);
    k->symbolic = klu_analyze(k->n, k->start, k->row, &k->common);
    if (!k->symbolic) free(k->start);
    return k->symbolic ? a->n++ : -1;
}

void rt_analyses_join(rt_analyses *a, rt_factor *f)
{
    if (!rt_analyses_begin(a)) return;
    f->entry = find_analysis(a, f->pattern, f->ordering);
    if (f->entry < 0) f->entry = add_analysis(a, f);
    if (f->entry >= 0) {
        f->analyses = a;
        f->symbolic = a->list[f->entry].symbolic;
    }
    rt_analyses_end(a);
}

rt_factor *rt_analyses_take(rt_analyses *a, const rt_pattern *pattern, rt_ordering ordering)
{
    rt_factor *found = NULL;
    if (!a || pattern->n_columns == 0 || !rt_analyses_begin(a)) return NULL;
    const int k = find_analysis(a, pattern, ordering);
    if (k >= 0 && a->list[k].n_idle > 0) found = a->list[k].idle[--a->list[k].n_idle];
    rt_analyses_end(a);
    if (!found) return NULL;
    found->pattern = pattern;
    found->values = NULL;
    found->again = true;
    return found;
}

bool rt_analyses_give(rt_factor *f)
{
    rt_analyses *a = f->analyses;
    if (!rt_analyses_begin(a)) return false;
    rt_kept_analysis *k = &a->list[f->entry];
    const bool given = k->n_idle < RT_MOST_IDLE;
    if (given) k->idle[k->n_idle++] = f;
    rt_analyses_end(a);
    return given;
}
