/* Joints, motions and constraints. */
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/vec3.h"

/* What is read in a first pass; joints that name joints are settled in a second. */
typedef struct pending_joint {
    const rt_kind *kind;
    const rt_yaml *node;
    rt_given given;
    rt_word names[3];
    int n_names;
    rt_word_list coordinates;
    int along;
} pending_joint;

static bool has_own_axis(rt_joint_type type)
{
    return type == RT_JOINT_REVOLUTE || type == RT_JOINT_TRANSLATIONAL ||
           type == RT_JOINT_CYLINDRICAL || type == RT_JOINT_SCREW || type == RT_JOINT_PLANAR ||
           type == RT_JOINT_UNIVERSAL || type == RT_JOINT_CONSTANT_VELOCITY ||
           type == RT_JOINT_SPHERICAL || type == RT_JOINT_INLINE || type == RT_JOINT_INPLANE ||
           type == RT_JOINT_PARALLEL_AXES;
}

static rt_coordinate usual_coordinate(rt_joint_type type)
{
    return type == RT_JOINT_TRANSLATIONAL || type == RT_JOINT_INLINE ? RT_COORDINATE_Z
                                                                     : RT_COORDINATE_RZ;
}

/* The spring-like joints need no check; a rod may join points of one body no more than others. */
static routh_status read_markers_of(rt_reader *r, const rt_kind *kind, rt_given given,
                                    const rt_written_joint *w, const rt_yaml *node, rt_joint *joint)
{
    joint->markers[0] = joint->markers[1] = -2;
    if (!rt_is_given(kind, given, "between")) return ROUTH_OK;
    const rt_number *at = rt_is_given(kind, given, "at") ? w->at : NULL;
    return rt_read_pair(r, node->key, w->between, at, node->key_place, joint->markers);
}

/* The points alone of a ball joint's markers matter, and of a rod's; of a line's or a plane's, the
 * first. */
static int first_with_axes(rt_joint_type type)
{
    switch (type) {
    case RT_JOINT_SPHERICAL:
    case RT_JOINT_ROD: return 2;
    case RT_JOINT_INLINE:
    case RT_JOINT_INPLANE: return 1;
    default: return 0;
    }
}

static routh_status joints_check_nodes(rt_reader *r, const rt_kind *kind, const rt_joint *joint)
{
    char what[80];
    routh_status status = ROUTH_OK;
    snprintf(what, sizeof what, "a joint of type %s", kind->name);
    for (int k = first_with_axes(joint->type); k < 2 && !status; k++)
        status = rt_check_turns(r, joint->place, joint->markers[k], what);
    return status;
}

static routh_status read_function_of(rt_reader *r, const rt_written_joint *w, rt_joint *joint)
{
    if (!w->function) return ROUTH_OK;
    const bool motion = joint->type == RT_JOINT_MOTION;
    return rt_read_function(r, w->function, motion ? "function" : "expression",
                            motion ? RT_ALLOW_TIME : RT_ALLOW_POSITIONS, &joint->function);
}

static void joints_set_defaults(rt_written_joint *w)
{
    *w = (rt_written_joint){0};
    rt_m3_identity(w->joint.triad);
    w->joint.function.expr = RT_NO_EXPR;
    w->joint.length = w->joint.pitch = w->joint.radius = w->joint.offset = rt_plain(0);
    w->tube_radius = rt_plain(0);
    for (int k = 0; k < RT_MOST_ROW_FUNCTIONS; k++) w->joint.functions[k].expr = RT_NO_EXPR;
    for (int k = 0; k < 3; k++) w->joint.ratio[k] = rt_plain(0);
}

static routh_status read_joint(rt_reader *r, const rt_yaml *node, rt_joint *joint,
                               pending_joint *later)
{
    const rt_kind *kind;
    rt_written_joint w;
    rt_given given;
    routh_status status = rt_read_type(r, &rt_joint_section, node, &kind);
    if (status) return status;
    joints_set_defaults(&w);
    status = rt_read_fields(r, kind, node, &w, &given);
    if (status) return status;
    const char *name = joint->name;
    *joint = w.joint;
    joint->name = name;
    joint->place = node->key_place;
    joint->type = (rt_joint_type)kind->type;
    joint->offset_given = rt_is_given(kind, given, "offset");
    *later = (pending_joint){.kind = kind, .node = node, .given = given, .along = w.along};
    later->n_names = w.on_joint.text ? 1 : w.joints.n;
    later->coordinates = w.coordinates;
    for (int k = 0; k < later->n_names; k++)
        later->names[k] = w.on_joint.text ? w.on_joint : w.joints.words[k];
    status = read_markers_of(r, kind, given, &w, node, joint);
    if (!status) status = joints_check_nodes(r, kind, joint);
    if (!status)
        status = rt_turn_markers(r, node->key, node->key_place, &joint->axis, joint->markers);
    if (status) return status;
    switch (joint->type) {
    case RT_JOINT_ROLLING: return rt_build_rolling(r, w.tube_radius, joint);
    case RT_JOINT_KNIFE_EDGE: return rt_build_knife_edge(r, joint);
    case RT_JOINT_NONHOLONOMIC: return rt_read_nonholonomic(r, w.functions, joint);
    default: return read_function_of(r, &w, joint);
    }
}

/* ---- joints that name joints ----------------------------------------------------------------- */

static routh_status find_joint(rt_reader *r, rt_word word, int self, int *index)
{
    char hint[128];
    *index = rt_names_find(&r->index->joints, word.text);
    if (*index < 0) {
        const char **names = RT_TAKE(&r->scratch, const char *, r->model->n_joints + 1);
        for (int k = 0; names && k < r->model->n_joints; k++) names[k] = r->model->joints[k].name;
        return rt_reader_fail(r, word.place, "there is no joint '%.60s'%s", word.text,
                              rt_did_you_mean(word.text, names, hint, sizeof hint));
    }
    if (*index == self)
        return rt_reader_fail(r, word.place, "the joint names itself; name another");
    if (!has_own_axis(r->model->joints[*index].type))
        return rt_reader_fail(r, word.place,
                              "'%.60s' has no axis and so no coordinate; name a revolute, "
                              "translational, cylindrical, screw or similar joint",
                              word.text);
    return ROUTH_OK;
}

static routh_status check_rack(rt_reader *r, const pending_joint *p, rt_joint *joint)
{
    const rt_joint_type types[2] = {r->model->joints[joint->coupled[0]].type,
                                    r->model->joints[joint->coupled[1]].type};
    if (joint->n_coupled != 2)
        return rt_reader_fail(r, p->names[2].place,
                              "joints must name two: the rack's translational joint and the "
                              "pinion's revolute joint");
    if (types[0] != RT_JOINT_TRANSLATIONAL && types[0] != RT_JOINT_CYLINDRICAL)
        return rt_reader_fail(r, p->names[0].place,
                              "the first joint must be the rack's, translational or cylindrical");
    if (types[1] != RT_JOINT_REVOLUTE && types[1] != RT_JOINT_CYLINDRICAL)
        return rt_reader_fail(r, p->names[1].place,
                              "the second joint must be the pinion's, revolute or cylindrical");
    joint->coordinate[0] = RT_COORDINATE_Z;
    joint->coordinate[1] = RT_COORDINATE_RZ;
    return ROUTH_OK;
}

static routh_status check_coupler(rt_reader *r, const pending_joint *p, rt_joint *joint)
{
    const rt_yaml *ratios = rt_yaml_find(p->node, "ratios");
    if (ratios->count != p->n_names)
        return rt_reader_fail(r, ratios->place,
                              "there are %d joints and %d ratios; give one for each", p->n_names,
                              ratios->count);
    int k = 0;
    for (const rt_yaml *entry = ratios->first; entry; entry = entry->next, k++)
        if (joint->ratio[k].value == 0)
            return rt_reader_fail(r, entry->place, "a ratio is zero; leave that joint out instead");
    for (k = 0; k < p->n_names; k++)
        for (int m = 0; m < k; m++)
            if (joint->coupled[k] == joint->coupled[m])
                return rt_reader_fail(r, p->names[k].place, "the joint '%.60s' is named twice",
                                      p->names[k].text);
    return ROUTH_OK;
}

static routh_status set_coordinates(rt_reader *r, const pending_joint *p, rt_joint *joint)
{
    const bool given = rt_is_given(p->kind, p->given, "coordinates");
    if (given && p->coordinates.n != p->n_names)
        return rt_reader_fail(r, rt_yaml_find(p->node, "coordinates")->place,
                              "there are %d joints and %d coordinates; give one for each",
                              p->n_names, p->coordinates.n);
    for (int k = 0; k < p->n_names; k++)
        joint->coordinate[k] = given ? (rt_coordinate)p->coordinates.choice[k]
                                     : usual_coordinate(r->model->joints[joint->coupled[k]].type);
    return ROUTH_OK;
}

static routh_status joints_settle(rt_reader *r, int self, const pending_joint *p)
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
    if (rt_is_given(p->kind, p->given, "along")) joint->coordinate[0] = (rt_coordinate)p->along;
    if (joint->type == RT_JOINT_RACK_AND_PINION) return check_rack(r, p, joint);
    const bool rates = joint->type == RT_JOINT_VELOCITY_COUPLER;
    status = rates || joint->type == RT_JOINT_COUPLER ? check_coupler(r, p, joint) : ROUTH_OK;
    return status || !rates ? status : rt_build_velocity_coupler(r, joint);
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
    pending_joint *pending = RT_TAKE(&r->scratch, pending_joint, n);
    if (!pending) return rt_fail_memory(r->error);
    int k = 0;
    r->function_load = -1;
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next, k++) {
        rt_reader_element(r, "joint", entry->key);
        routh_status status = check_joint_name(r, entry);
        if (!status) status = read_joint(r, entry, &r->model->joints[k], &pending[k]);
        if (status) return status;
    }
    for (k = 0; k < n; k++) {
        if (!pending[k].n_names && r->model->joints[k].type != RT_JOINT_MOTION) continue;
        rt_reader_element(r, "joint", r->model->joints[k].name);
        const routh_status status = joints_settle(r, k, &pending[k]);
        if (status) return status;
    }
    return ROUTH_OK;
}
