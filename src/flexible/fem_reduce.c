/* The public calls: files in, reduced body out. */
#include "routh/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "flexible/fem.h"

typedef struct fem_reduce_holder {
    routh_reduction reduced; /* first, so that the one is the other */
    const rt_flexible *flexible;
    rt_arena arena;
} fem_reduce_holder;

static routh_status fem_reduce_take_set(rt_interface *to, const routh_interface *from,
                                        const char *path, rt_arena *arena, routh_error *error)
{
    int *nodes;
    if (!path)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the set %s of interface %d is in no file; give the file of nodes with the "
                       "sets (--nodes FILE.inp)",
                       from->set, from->number);
    const routh_status status = rt_fe_node_set(path, from->set, &nodes, &to->n, arena, error);
    if (status) return status;
    to->nodes = nodes;
    if (to->n) return ROUTH_OK;
    return rt_fail_at(error, ROUTH_MODEL_ERROR, path, (rt_place){0}, NULL,
                      "the file of nodes has no *NSET with NSET=%s, for interface %d; correct the "
                      "name of the set",
                      from->set, from->number);
}

static routh_status fem_reduce_take_interfaces(rt_reduction *how, const routh_reduction_options *o,
                                               rt_arena *arena, routh_error *error)
{
    rt_interface *list = RT_TAKE(arena, rt_interface, o->n_interfaces);
    if (!list) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int k = 0; k < o->n_interfaces && !status; k++) {
        const routh_interface *from = &o->interfaces[k];
        list[k].number = from->number;
        if (from->set)
            status = fem_reduce_take_set(&list[k], from, o->nodes, arena, error);
        else if (from->n_nodes > 0)
            list[k].n = from->n_nodes, list[k].nodes = from->nodes;
        else
            list[k].n = 1, list[k].nodes = &list[k].number;
    }
    how->n_interfaces = o->n_interfaces;
    how->interfaces = list;
    return status;
}

static routh_status fem_reduce_settings(rt_reduction *how, const routh_reduction_options *o,
                                        rt_arena *arena, routh_error *error)
{
    *how = (rt_reduction){
        .kind = o->n_interfaces > 0 ? RT_REDUCE_CRAIG_BAMPTON : RT_REDUCE_FREE,
        .n_modes = o->modes,
        .cut = o->cut,
        .below = o->frequencies_below,
        .accuracy = o->accuracy,
        .free_modes = o->free_modes != 0,
        .damping_ratio = o->damping_ratio,
        .unit = o->length_unit,
        .unit_mass = o->mass_unit,
        .unit_time = o->time_unit,
        .n_draw = o->draw,
    };
    if (o->shapes && !o->n_interfaces && !o->modes && !(o->cut > 0) && !(o->frequencies_below > 0))
        how->kind = RT_REDUCE_USER;
    return fem_reduce_take_interfaces(how, o, arena, error);
}

static void fem_reduce_tell(routh_reduction *r, const rt_flexible *f,
                            const rt_reduction_report *found)
{
    r->n_nodes = found->n_nodes;
    r->n_dofs = found->n_dofs;
    r->mass = found->mass;
    memcpy(r->centre, found->centre, sizeof r->centre);
    memcpy(r->inertia, found->inertia, sizeof r->inertia);
    memcpy(r->extent, found->extent, sizeof r->extent);
    r->asymmetry_stiffness = found->asymmetry[0];
    r->asymmetry_mass = found->asymmetry[1];
    memcpy(r->rigid, found->rigid, sizeof r->rigid);
    r->interface = found->interface;
    r->n_free = found->n_free;
    r->n_normal = found->n_normal;
    r->n_massless = found->n_massless;
    r->first_left_out = found->first_left_out;
    r->element_ratio = found->element_ratio;
    r->n = found->n;
    r->frequency = found->frequency;
    r->n_whole = found->n_whole;
    r->whole = found->whole;
    r->n_kept = f->n_nodes;
}

static routh_status fem_reduce_run(fem_reduce_holder *h, const routh_reduction_options *o,
                                   rt_arena *own, routh_error *error)
{
    const rt_fe_files files = {.stiffness = o->stiffness,
                               .mass = o->mass,
                               .nodes = o->nodes,
                               .dofs = o->dofs,
                               .stiffness_name = o->stiffness_name,
                               .mass_name = o->mass_name};
    rt_fe_model *fe;
    rt_reduction how;
    rt_reduction_report found;
    routh_status status = fem_reduce_settings(&how, o, own, error);
    if (!status) status = rt_fe_read(&fe, &files, own, error);
    if (!status && o->shapes)
        status = rt_fe_shapes(o->shapes, fe, &how.n_shapes, &how.shapes, own, error);
    if (!status) status = rt_flexible_reduce(&h->flexible, &found, fe, &how, &h->arena, error);
    if (status) return status;
    fem_reduce_tell(&h->reduced, h->flexible, &found);
    h->reduced.below = o->frequencies_below;
    h->reduced.n_shapes = how.n_shapes;
    h->reduced.free_modes = how.free_modes;
    if (o->title) h->reduced.title = rt_arena_text(&h->arena, o->title, strlen(o->title));
    return o->title && !h->reduced.title ? rt_fail_memory(error) : ROUTH_OK;
}

routh_status routh_reduction_compute(routh_reduction **reduced,
                                     const routh_reduction_options *options, routh_error *error)
{
    rt_arena own = {0};
    routh_error unread;
    if (!error) error = &unread;
    *error = (routh_error){0};
    *reduced = NULL;
    fem_reduce_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    const routh_status status = fem_reduce_run(h, options, &own, error);
    rt_arena_free(&own);
    if (status)
        routh_reduction_free(&h->reduced);
    else
        *reduced = &h->reduced;
    return status;
}

routh_status routh_reduction_json(const routh_reduction *reduced, routh_text *text,
                                  routh_error *error)
{
    const fem_reduce_holder *h = (const fem_reduce_holder *)(const void *)reduced;
    *text = (routh_text){0};
    return rt_flexible_json(h->flexible, reduced->title, &text->bytes, &text->length, error);
}

void routh_reduction_free(routh_reduction *reduced)
{
    fem_reduce_holder *h = (fem_reduce_holder *)(void *)reduced;
    if (!h) return;
    rt_arena_free(&h->arena);
    free(h);
}
