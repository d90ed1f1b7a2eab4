/* What functions depend on: each quantity has one slot, and is an input of the graph. */
#include "model/reader.h"

#include <stdlib.h>

static bool same_vector(const rt_vector *a, const rt_vector *b)
{
    return a->kind == b->kind && a->i == b->i && a->j == b->j && a->l == b->l &&
           a->local[0] == b->local[0] && a->local[1] == b->local[1] && a->local[2] == b->local[2];
}

static bool same_quantity(const rt_quantity *p, const rt_quantity *q)
{
    return p->kind == q->kind && p->index == q->index && p->of_load == q->of_load &&
           p->torque == q->torque && same_vector(&p->a, &q->a) && same_vector(&p->b, &q->b);
}

static void numbers_of_vector(const rt_vector *v, double numbers[7])
{
    const double all[] = {v->kind, v->i, v->j, v->l, v->local[0], v->local[1], v->local[2]};
    for (int k = 0; k < 7; k++) numbers[k] = all[k] + 0.0; /* -0 and 0 are one */
}

static size_t hash_quantity(const rt_quantity *q)
{
    double numbers[18] = {q->kind, q->index, q->of_load, q->torque};
    numbers_of_vector(&q->a, numbers + 4);
    numbers_of_vector(&q->b, numbers + 11);
    return rt_hash_bytes(numbers, sizeof numbers);
}

/* The place of q in the table, or the free place where it belongs. */
static size_t table_place(const rt_reader *r, const rt_quantity *q)
{
    const size_t mask = (size_t)r->table_room - 1;
    size_t k = hash_quantity(q) & mask;
    while (r->quantity_table[k] && !same_quantity(&r->quantities[r->quantity_table[k] - 1], q))
        k = (k + 1) & mask;
    return k;
}

static bool grow_quantities(rt_reader *r)
{
    const int room = r->quantity_room ? 2 * r->quantity_room : 64;
    if (room > 1 << 28) return false;
    rt_quantity *quantities = realloc(r->quantities, (size_t)room * sizeof *quantities);
    if (!quantities) return false;
    r->quantities = quantities;
    int *table = calloc((size_t)room * 2, sizeof *table);
    if (!table) return false;
    free(r->quantity_table);
    r->quantity_table = table;
    r->table_room = room * 2;
    r->quantity_room = room;
    for (int k = 0; k < r->n_quantities; k++) table[table_place(r, &r->quantities[k])] = k + 1;
    return true;
}

int rt_quantity_slot(rt_reader *r, const rt_quantity *quantity)
{
    if (r->n_quantities == r->quantity_room && !grow_quantities(r)) return -1;
    const size_t k = table_place(r, quantity);
    if (!r->quantity_table[k]) {
        r->quantities[r->n_quantities] = *quantity;
        r->quantity_table[k] = ++r->n_quantities;
    }
    return r->quantity_table[k] - 1;
}

rt_expr rt_quantity_expr(rt_reader *r, const rt_quantity *quantity)
{
    const int slot = rt_quantity_slot(r, quantity);
    return slot < 0 ? RT_NO_EXPR : rt_input(r->model->graph, slot);
}

/* a . b, the same quantity whichever comes first. */
rt_expr rt_measure_dot(rt_reader *r, const rt_vector *a, const rt_vector *b)
{
    const rt_quantity quantity = {.kind = RT_QUANTITY_DOT, .a = *a, .b = *b};
    return rt_quantity_expr(r, &quantity);
}

rt_expr rt_time_expr(rt_reader *r)
{
    const rt_quantity quantity = {.kind = RT_QUANTITY_TIME};
    return rt_quantity_expr(r, &quantity);
}

rt_expr rt_signal_expr(rt_reader *r, rt_quantity_kind kind, int index)
{
    const rt_quantity quantity = {.kind = kind, .index = index};
    return rt_quantity_expr(r, &quantity);
}

routh_status rt_keep_quantities(rt_reader *r)
{
    routh_model *m = r->model;
    m->n_quantities = r->n_quantities;
    m->quantities = RT_TAKE(&m->arena, rt_quantity, r->n_quantities);
    if (!m->quantities || r->calculator.failed) return rt_fail_memory(r->error);
    if (r->n_quantities)
        memcpy(m->quantities, r->quantities, (size_t)r->n_quantities * sizeof *r->quantities);
    return ROUTH_OK;
}
