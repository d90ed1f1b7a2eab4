/* A blade that does not slip sideways. */
#include "model/joints/class.h"

static routh_status knife_edge_read(rt_reader *r, const rt_written_joint *w, rt_joint *joint)
{
    (void)w;
    const rt_vector y = rt_marker_axis(joint->markers[0], 1);
    return rt_joint_add_function(r, joint, "no slip along y",
                                 rt_relative_velocity(r, &y, joint->markers[0], joint->markers[1]));
}

static const rt_field knife_edge_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN_AS(
        "the marker that does not slip along its own y axis, and the one relative to which"),
};

const rt_joint_class rt_joint_class_knife_edge = {
    .kind = {"knife_edge", 0, FIELDS(knife_edge_fields),
             .doc = "A blade: no velocity across it, free along it, and it may rotate. Nothing "
                    "keeps it in a "
                    "plane; a planar joint does."},
    .rows = {ROW_FUNCTIONS},
    .picture = "plain",
    .read = knife_edge_read,
    .sample = "x: {type: knife_edge, between: [i, j]}",
};
