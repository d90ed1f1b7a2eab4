/* Coordinates of joints at the beginning, as they are written. */
#include "model/placing.h"

#include <string.h>

void rt_default_begin(rt_written_joint *written)
{
    rt_joint_start *s = &written->start;
    for (int k = 0; k < RT_JOINT_COORDINATES; k++)
        s->value[k] = s->rate[k] = s->turn_rate[k] = rt_plain(0);
    rt_numbers_identity(s->turn);
}

/* Which of step k's the member at this offset is; -1: none's of that kind. */
static int begin_slot(size_t offset, size_t first, size_t size)
{
    return offset >= first && offset < first + size ? (int)((offset - first) / sizeof(rt_number))
                                                    : -1;
}

/* The flags of step k's coordinate and rate that a field is. */
static bool note_begin_field(size_t offset, bool value[RT_JOINT_COORDINATES],
                             bool rate[RT_JOINT_COORDINATES])
{
    const size_t size = RT_JOINT_COORDINATES * sizeof(rt_number);
    const int k = begin_slot(offset, offsetof(rt_written_joint, start.value), size);
    const int l = begin_slot(offset, offsetof(rt_written_joint, start.rate), size);
    const bool turn = offset == offsetof(rt_written_joint, start.turn);
    const bool turn_rate = offset == offsetof(rt_written_joint, start.turn_rate);
    if (k >= 0 || turn) value[turn ? 0 : k] = true;
    if (l >= 0 || turn_rate) rate[turn_rate ? 0 : l] = true;
    return k >= 0 || l >= 0 || turn || turn_rate;
}

static bool note_begin_given(const rt_reader *r, const rt_kind *kind, rt_given given,
                             const char *joint, rt_joint_start *s)
{
    bool any = false;
    for (int f = 0; f < kind->n_fields; f++) {
        const rt_field *field = &kind->fields[f];
        if (!(given >> f & 1u)) continue;
        any = note_begin_field(field->offset, s->value_given, s->rate_given) || any;
        if (rt_is_field_set(r, joint, field->name))
            note_begin_field(field->offset, s->value_set, s->rate_set);
    }
    return any;
}

/* The coordinate of a step in the joint's own axes. */
static rt_coordinate step_coordinate(const rt_chain_step *step)
{
    const int first = step->kind == RT_STEP_SLIDE ? (int)RT_COORDINATE_X : (int)RT_COORDINATE_RX;
    return (rt_coordinate)(first + step->axis);
}

static routh_status mirror_begin(rt_reader *r, const rt_joint *joint, rt_joint_start *s)
{
    const rt_chain *chain = &joint->class->chain;
    for (int k = 0; k < chain->n; k++) {
        int sign;
        if (!s->value_given[k] && !s->rate_given[k]) continue;
        if (chain->step[k].kind == RT_STEP_BALL) {
            for (int i = 0; i < 3; i++)
                s->turn_rate[i] = rt_signed(r, rt_axial_sign(r, i), s->turn_rate[i]);
            continue; /* its turn is mirrored as a local attitude */
        }
        const routh_status status =
            rt_coordinate_sign(r, joint->place, joint, step_coordinate(&chain->step[k]), &sign);
        if (status) return status;
        s->value[k] = rt_signed(r, sign, s->value[k]);
        s->rate[k] = rt_signed(r, sign, s->rate[k]);
    }
    return ROUTH_OK;
}

routh_status rt_note_begin(rt_reader *r, const rt_kind *kind, rt_given given,
                           const rt_written_joint *written, rt_joint *joint)
{
    rt_joint_start s = written->start;
    joint->start = NULL;
    if (!note_begin_given(r, kind, given, joint->name, &s)) return ROUTH_OK;
    const routh_status status = mirror_begin(r, joint, &s);
    if (status) return status;
    rt_joint_start *kept = RT_TAKE(&r->model->arena, rt_joint_start, 1);
    if (!kept) return rt_fail_memory(r->error);
    *kept = s;
    joint->start = kept;
    r->places_bodies = true;
    return ROUTH_OK;
}
