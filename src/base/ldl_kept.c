/* Symmetric factorizations that are not in use, for who factors the same patterns again and again:
 * ordering and tree follow from the pattern alone. */
#include <string.h>

#include "base/analyses.h"
#include "base/ldl_parts.h"

static bool is_ldl_of(const rt_ldl *l, const rt_pattern *p)
{
    const size_t n = (size_t)p->n_columns;
    return l->own.n_columns == p->n_columns &&
           memcmp(l->own.start, p->start, (n + 1) * sizeof *p->start) == 0 &&
           memcmp(l->own.row, p->row, (size_t)p->start[n] * sizeof *p->row) == 0;
}

rt_ldl *rt_ldl_take_kept(rt_analyses *a, const rt_pattern *pattern)
{
    rt_ldl *found = NULL;
    if (!rt_analyses_begin(a)) return NULL;
    for (int k = 0; k < a->n_ldl && !found; k++) {
        if (!is_ldl_of(a->ldl[k], pattern)) continue;
        found = a->ldl[k];
        a->n_ldl--;
        memmove(a->ldl + k, a->ldl + k + 1, (size_t)(a->n_ldl - k) * sizeof *a->ldl);
    }
    rt_analyses_end(a);
    if (found) found->pattern = pattern;
    return found;
}

bool rt_ldl_give_kept(rt_ldl *l)
{
    rt_analyses *a = l->analyses;
    rt_ldl *oldest = NULL;
    if (!rt_analyses_begin(a)) return false;
    if (a->n_ldl == RT_MOST_LDL) {
        oldest = a->ldl[0];
        a->n_ldl--;
        memmove(a->ldl, a->ldl + 1, (size_t)a->n_ldl * sizeof *a->ldl);
    }
    a->ldl[a->n_ldl++] = l;
    rt_analyses_end(a);
    if (oldest) rt_ldl_release(oldest);
    return true;
}
