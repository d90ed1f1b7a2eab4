/* See part_shares.h. */
#include "output/part_shares.h"

#include <string.h>

#include "model/names.h"

/* "front_left.knuckle" of "body front_left.knuckle". */
static const char *part_shares_element(const char *share)
{
    const char *space = strchr(share, ' ');
    return space ? space + 1 : share;
}

static int part_shares_count_dots(const routh_linear *linear)
{
    int n = 0;
    for (int k = 0; k < linear->n_shares; k++)
        for (const char *c = linear->shares[k].name; *c; c++) n += *c == '.';
    return n;
}

/* The part called by so many letters of the name, made where there is none; -2: no memory. */
static int part_shares_find(rt_part_shares *tree, rt_names *names, const char *name, size_t length,
                            int around)
{
    char *own = rt_arena_take(&tree->arena, length + 1, 1);
    if (!own) return -2;
    memcpy(own, name, length);
    const int there = rt_names_add(names, own, tree->n);
    if (there >= 0) return there;
    const int depth = around < 0 ? 1 : tree->parts[around].depth + 1;
    tree->parts[tree->n] = (rt_part_of_shares){.name = own, .around = around, .depth = depth};
    return tree->n++;
}

static routh_status part_shares_read(rt_part_shares *tree, rt_names *names,
                                     const routh_linear *linear, routh_error *error)
{
    for (int k = 0; k < linear->n_shares; k++) {
        const char *name = part_shares_element(linear->shares[k].name);
        int part = -1;
        for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
            part = part_shares_find(tree, names, name, (size_t)(dot - name), part);
            if (part < -1) return rt_fail_memory(error);
        }
        tree->of_share[k] = part;
    }
    return ROUTH_OK;
}

routh_status rt_part_shares_create(rt_part_shares *tree, const routh_linear *linear,
                                   routh_error *error)
{
    rt_names names;
    const int most = part_shares_count_dots(linear);
    *tree = (rt_part_shares){0};
    tree->parts = RT_TAKE(&tree->arena, rt_part_of_shares, (size_t)most + 1);
    tree->of_share = RT_TAKE(&tree->arena, int, (size_t)linear->n_shares + 1);
    const routh_status status =
        tree->parts && tree->of_share && rt_names_init(&names, most + 1, &tree->arena)
            ? part_shares_read(tree, &names, linear, error)
            : rt_fail_memory(error);
    if (status) rt_part_shares_free(tree);
    return status;
}

void rt_part_shares_free(rt_part_shares *tree)
{
    rt_arena_free(&tree->arena);
    *tree = (rt_part_shares){0};
}

void rt_part_shares_sum(rt_part_shares *tree, const routh_linear *linear, const double *fractions,
                        routh_energy_kind kind)
{
    for (int p = 0; p < tree->n; p++) tree->parts[p].sum[kind] = 0;
    for (int k = 0; k < linear->n_shares; k++)
        if (tree->of_share[k] >= 0) tree->parts[tree->of_share[k]].sum[kind] += fractions[k];
    for (int p = tree->n - 1; p >= 0; p--)
        if (tree->parts[p].around >= 0)
            tree->parts[tree->parts[p].around].sum[kind] += tree->parts[p].sum[kind];
}

int rt_part_shares_at_depth(const rt_part_shares *tree, int part, int depth)
{
    while (part >= 0 && tree->parts[part].depth > depth) part = tree->parts[part].around;
    return part;
}
