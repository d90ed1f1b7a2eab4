/* Joints, motions and constraints. */
#include "model/placing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

/* The spring-like joints need no check; a rod may join points of one body no more than others. */
static routh_status read_markers_of(rt_reader *r, const rt_kind *kind, rt_given given,
                                    const rt_written_joint *w, const rt_yaml *node, rt_joint *joint)
{
    joint->markers[0] = joint->markers[1] = -2;
    if (!rt_is_given(kind, given, "between")) return ROUTH_OK;
    const rt_number *at = rt_is_given(kind, given, "at") ? w->at : NULL;
    return rt_read_pair(r, node->key, w->between, at, node->key_place, joint->markers);
}

/* The first marker whose axes enter a row: of balls and rods none, of lines and planes the
 * second. */
static int first_with_axes(const rt_joint_class *joint_class)
{
    int first = 2;
    for (int k = 0; k < rt_joint_class_count_rows(joint_class); k++) {
        const rt_joint_row_kind kind = joint_class->rows[k].kind;
        if (kind == RT_JOINT_ROW_POINT || kind == RT_JOINT_ROW_DISTANCE) continue;
        if (kind != RT_JOINT_ROW_DOT2) return 0;
        first = 1;
    }
    return first;
}

static routh_status joints_check_nodes(rt_reader *r, const rt_kind *kind, const rt_joint *joint)
{
    char what[80];
    routh_status status = ROUTH_OK;
    snprintf(what, sizeof what, "a joint of type %s", kind->name);
    for (int k = first_with_axes(joint->class); k < 2 && !status; k++)
        status = rt_check_turns(r, joint->place, joint->markers[k], what);
    for (int k = first_with_axes(joint->class); k < 2 && !status; k++)
        status = rt_check_axes(r, joint->place, joint->markers[k], what);
    return status;
}

static void joints_set_defaults(rt_written_joint *w)
{
    *w = (rt_written_joint){0};
    rt_m3_identity(w->joint.triad);
    w->joint.function.expr = RT_NO_EXPR;
    for (int k = 0; k < RT_JOINT_NUMBERS; k++) w->joint.number[k] = rt_plain(0);
    for (int k = 0; k < RT_MOST_ROW_FUNCTIONS; k++) w->joint.functions[k].expr = RT_NO_EXPR;
    for (int k = 0; k < 3; k++) w->joint.ratio[k] = rt_plain(0);
    rt_default_begin(w);
}

/* Which of the joint's numbers were written. */
static void note_numbers(const rt_kind *kind, rt_given given, rt_joint *joint)
{
    const size_t first = offsetof(rt_written_joint, joint.number);
    for (int f = 0; f < kind->n_fields; f++) {
        const size_t offset = kind->fields[f].offset;
        if (offset < first || offset >= first + sizeof joint->number) continue;
        joint->number_given[(offset - first) / sizeof joint->number[0]] = given >> f & 1;
    }
}

static routh_status read_joint(rt_reader *r, const rt_yaml *node, rt_joint *joint,
                               rt_pending_joint *later)
{
    const rt_kind *kind;
    rt_written_joint w;
    rt_given given;
    const rt_yaml *entry = node;
    routh_status status = rt_set_joint(r, node, &node);
    if (!status) status = rt_read_type(r, &rt_joint_section, node, &kind);
    if (status) return status;
    joints_set_defaults(&w);
    status = rt_read_fields(r, kind, node, &w, &given);
    if (status) return status;
    w.start.is_set = node != entry;
    const char *name = joint->name;
    *joint = w.joint;
    joint->name = name;
    joint->place = node->key_place;
    joint->class = rt_joint_class_of(kind);
    note_numbers(kind, given, joint);
    *later = (rt_pending_joint){.kind = kind, .node = node, .given = given, .along = w.along};
    later->n_names = w.on_joint.text ? 1 : w.joints.n;
    later->coordinates = w.coordinates;
    for (int k = 0; k < later->n_names; k++)
        later->names[k] = w.on_joint.text ? w.on_joint : w.joints.words[k];
    status = read_markers_of(r, kind, given, &w, node, joint);
    if (!status) status = joints_check_nodes(r, kind, joint);
    if (!status)
        status = rt_turn_markers(r, node->key, node->key_place, &joint->axis, joint->markers);
    if (!status) status = rt_note_begin(r, kind, given, &w, joint);
    return status || !joint->class->read ? status : joint->class->read(r, &w, joint);
}

/* ---- joints that name joints ----------------------------------------------------------------- */

int rt_find_joint_name(rt_reader *r, rt_word word)
{
    return rt_names_find(&r->index->joints, rt_full_name_or_none(r, word.text));
}

static routh_status find_joint(rt_reader *r, rt_word word, int self, int *index)
{
    char hint[128], problem[256];
    *index = rt_find_joint_name(r, word);
    if (*index < 0 && !rt_full_name(r, word.text, problem))
        return rt_reader_fail(r, word.place, "%.250s", problem);
    if (*index < 0) {
        const char **names = RT_TAKE(&r->scratch, const char *, r->model->n_joints + 1);
        for (int k = 0; names && k < r->model->n_joints; k++) names[k] = r->model->joints[k].name;
        return rt_reader_fail(r, word.place, "joint '%.60s' is not defined%s", word.text,
                              rt_did_you_mean(word.text, names, hint, sizeof hint));
    }
    if (*index == self)
        return rt_reader_fail(r, word.place, "the joint names itself; name another");
    if (!r->model->joints[*index].class->has_coordinates)
        return rt_reader_fail(r, word.place,
                              "'%.60s' has no axis and so no coordinate; name a revolute, "
                              "translational, cylindrical, screw or similar joint",
                              word.text);
    return ROUTH_OK;
}

static routh_status set_coordinates(rt_reader *r, const rt_pending_joint *p, rt_joint *joint)
{
    const bool given = rt_is_given(p->kind, p->given, "coordinates");
    if (given && p->coordinates.n != p->n_names)
        return rt_reader_fail(r, rt_yaml_find(p->node, "coordinates")->place,
                              "there are %d joints and %d coordinates; give one for each",
                              p->n_names, p->coordinates.n);
    for (int k = 0; k < p->n_names; k++)
        joint->coordinate[k] = given ? (rt_coordinate)p->coordinates.choice[k]
                                     : r->model->joints[joint->coupled[k]].class->coordinate;
    return ROUTH_OK;
}

static routh_status joints_settle(rt_reader *r, int self, const rt_pending_joint *p)
{
    rt_joint *joint = &r->model->joints[self];
    routh_status status = ROUTH_OK;
    joint->n_coupled = p->n_names;
    for (int k = 0; k < p->n_names && !status; k++)
        status = find_joint(r, p->names[k], self, &joint->coupled[k]);
    if (!status) status = set_coordinates(r, p, joint);
    if (status) return status;
    if (joint->n_coupled) {
        const rt_joint *first = &r->model->joints[joint->coupled[0]];
        memcpy(joint->markers, first->markers, sizeof joint->markers);
        memcpy(joint->triad, first->triad, sizeof joint->triad);
    }
    return joint->class->settle ? joint->class->settle(r, p, joint) : ROUTH_OK;
}

/* ---- the section ----------------------------------------------------------------------------- */

static routh_status check_joint_name(rt_reader *r, const rt_yaml *entry)
{
    const routh_status status = rt_check_name(r, entry);
    if (status || strcmp(entry->key, "ground") != 0) return status;
    return rt_reader_fail(r, entry->key_place,
                          "the name 'ground' has a meaning of its own; choose another");
}

routh_status rt_read_joints(rt_reader *r, const rt_yaml *section)
{
    const int n = r->model->n_joints;
    rt_pending_joint *pending = RT_TAKE(&r->scratch, rt_pending_joint, n);
    bool *at = RT_TAKE(&r->scratch, bool, n);
    if (!pending || !at) return rt_fail_memory(r->error);
    int k = 0;
    r->function_load = -1;
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next, k++) {
        rt_reader_enter(r, "joint", entry);
        routh_status status = check_joint_name(r, entry);
        if (!status) status = read_joint(r, entry, &r->model->joints[k], &pending[k]);
        if (status) return status;
        at[k] = rt_is_given(pending[k].kind, pending[k].given, "at");
    }
    const routh_status status = rt_place_reference(r, at);
    if (status) return status;
    for (k = 0; k < n; k++) {
        if (!pending[k].n_names && !r->model->joints[k].class->settle) continue;
        rt_reader_enter(r, "joint", pending[k].node);
        const routh_status settled = joints_settle(r, k, &pending[k]);
        if (settled) return settled;
    }
    return ROUTH_OK;
}
