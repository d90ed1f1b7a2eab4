/* Strains of a beam that constraints keep zero: one joint for each element, with rows at its points
 * of Gauss (elements/strain_row.h). */
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "model/joint_class.h"
#include "model/rod.h"

static const char *const rod_strains_words[RT_ROD_KEPT] = {"no stretch", "no shear along y",
                                                           "no shear along z"};

/* No entry of `joints`: it is in no list. */
static const rt_joint_class rod_strains_class = {
    .kind = {"beam", 0, .doc = "The strains of an element of a beam that are kept zero."},
    .rows = {{.kind = RT_JOINT_ROW_STRAINS, .label = "strains of the beam are zero"}},
    .picture = "plain",
};

/* What each row keeps: the strain, and where in an element of several points. */
static const char *rod_strains_label(rt_reader *r, int order, int point, int strain)
{
    char text[80];
    if (order == 1) return rod_strains_words[strain];
    const int n = snprintf(text, sizeof text, "%s at point %d of %d", rod_strains_words[strain],
                           point + 1, order);
    return rt_arena_text(&r->model->arena, text, (size_t)n);
}

static routh_status rod_strains_fill_labels(rt_reader *r, const rt_rod_plan *plan, rt_joint *joint)
{
    const char **labels = RT_TAKE(&r->model->arena, const char *, joint->n_strains);
    bool good = labels;
    int n = 0;
    for (int g = 0; g < plan->order && good; g++)
        for (int k = 0; k < RT_ROD_KEPT && good; k++) {
            if (!plan->kept[k]) continue;
            labels[n] = rod_strains_label(r, plan->order, g, k);
            good = labels[n++];
        }
    joint->strain_labels = labels;
    return good ? ROUTH_OK : rt_fail_memory(r->error);
}

routh_status rt_rod_keep_strains(rt_reader *r, const rt_rod *rod, const rt_number *made,
                                 const int *markers, rt_joint *joint)
{
    const rt_rod_plan *plan = &rod->plan;
    const int n = plan->order + 1, rows = rt_rod_count_kept(plan), n_axes = 9 * n;
    int *nodes = RT_TAKE(&r->model->arena, int, n);
    *joint = (rt_joint){.class = &rod_strains_class,
                        .markers = {markers[0], markers[plan->order]},
                        .n_strains = rows,
                        .n_nodes = n,
                        .nodes = nodes,
                        .n_list = n_axes + RT_ROD_ROW_NUMBERS * rows};
    joint->list = RT_TAKE(&r->model->arena, rt_number, joint->n_list);
    if (!nodes || !joint->list) return rt_fail_memory(r->error);
    rt_m3_identity(joint->triad);
    joint->function.expr = RT_NO_EXPR;
    for (int k = 0; k < RT_JOINT_NUMBERS; k++) joint->number[k] = rt_plain(0);
    for (int k = 0; k < RT_MOST_ROW_FUNCTIONS; k++) joint->functions[k].expr = RT_NO_EXPR;
    for (int k = 0; k < 3; k++) joint->ratio[k] = rt_plain(0);
    memcpy(nodes, markers, (size_t)n * sizeof *nodes);
    /* the axes as its load has them */
    memcpy(joint->list, made + (plan->order > 1 ? 0 : RT_ROD_ENDS_AT),
           (size_t)n_axes * sizeof *made);
    memcpy(joint->list + n_axes, made + rt_rod_load_numbers(plan),
           (size_t)(RT_ROD_ROW_NUMBERS * rows) * sizeof *made);
    return rod_strains_fill_labels(r, plan, joint);
}
