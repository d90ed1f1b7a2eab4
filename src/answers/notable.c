/* Which modes readers want to see first, where not all can be shown. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "routh/answers.h"

/* Of a pair, the mode that stands for both: that with a positive imaginary part. */
static bool mode_stands(const routh_modes *modes, int i)
{
    return modes->modes[i].eigenvalue[1] >= 0 || modes->modes[i].conjugate == i;
}

/* Does it grow, by more than rounding may make of its real part? */
static bool mode_grows(const routh_mode *mode)
{
    const double *e = mode->eigenvalue;
    const double doubt = fmax(3 * mode->error_bound, 1e-10 * hypot(e[0], e[1]));
    return !mode->rigid && e[0] > doubt;
}

typedef struct notable_item {
    int mode;
    double key; /* the least comes first */
} notable_item;

static int notable_compare(const void *first, const void *second)
{
    const notable_item *a = first, *b = second;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->mode - b->mode; /* the lower one */
}

/* Of a mode that does not grow; one that is undamped but for rounding counts as undamped. */
static double notable_damping(const routh_mode *mode)
{
    if (mode->rigid) return INFINITY; /* its ratio says nothing */
    return fabs(mode->eigenvalue[0]) <= mode->error_bound ? 0 : mode->damping_ratio;
}

typedef struct notable_list {
    bool *taken;
    int *order, n;
} notable_list;

static void notable_take(notable_list *l, int mode)
{
    if (l->taken[mode]) return;
    l->taken[mode] = true;
    l->order[l->n++] = mode;
}

static void take_chosen(notable_list *l, const routh_modes *modes, const int *chosen, int n)
{
    for (int k = 0; k < n; k++) {
        const int i = chosen[k];
        if (i >= 0 && i < modes->n)
            notable_take(l, mode_stands(modes, i) ? i : modes->modes[i].conjugate);
    }
}

static void take_growing(notable_list *l, const routh_modes *modes, notable_item *items)
{
    int n = 0;
    for (int i = 0; i < modes->n; i++)
        if (mode_stands(modes, i) && mode_grows(&modes->modes[i]))
            items[n++] = (notable_item){i, -modes->modes[i].eigenvalue[0]};
    qsort(items, (size_t)n, sizeof *items, notable_compare);
    for (int k = 0; k < n; k++) notable_take(l, items[k].mode);
}

/* Modes are in the order of their frequencies. */
static void take_by_turns(notable_list *l, const routh_modes *modes, notable_item *items)
{
    int n = 0;
    for (int i = 0; i < modes->n; i++)
        if (mode_stands(modes, i) && !l->taken[i])
            items[n++] = (notable_item){i, notable_damping(&modes->modes[i])};
    qsort(items, (size_t)n, sizeof *items, notable_compare);
    for (int low = 0, k = 0; k < n || low < modes->n;) {
        while (low < modes->n && (!mode_stands(modes, low) || l->taken[low])) low++;
        if (low < modes->n) notable_take(l, low);
        while (k < n && l->taken[items[k].mode]) k++;
        if (k < n) notable_take(l, items[k].mode);
    }
}

routh_status routh_modes_notable(const routh_modes *modes, const int *chosen, int n_chosen,
                                 int *order, int *n, routh_error *error)
{
    const size_t room = (size_t)modes->n + 1;
    notable_list l = {.taken = calloc(room, sizeof *l.taken), .order = order};
    notable_item *items = calloc(room, sizeof *items);
    const bool enough = l.taken && items;
    if (enough) {
        take_chosen(&l, modes, chosen, n_chosen);
        take_growing(&l, modes, items);
        take_by_turns(&l, modes, items);
    }
    free(items);
    free(l.taken);
    *n = l.n;
    return enough ? ROUTH_OK : rt_fail_memory(error);
}
