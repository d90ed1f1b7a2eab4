/* The classes of joints together: one section of model files. */
#include "model/joint_class.h"

#define RT_JOINT_CLASS(name) &rt_joint_class_##name.kind,
static const rt_kind *const joint_kinds[RT_JOINT_CLASSES] = {
#include "model/joints/list.h"
};
#undef RT_JOINT_CLASS

const rt_section rt_joint_section = {
    .name = "joints",
    .element = "joint",
    .list = joint_kinds,
    .n_kinds = RT_JOINT_CLASSES,
    .doc = "Joints, motions and constraints, each under its name.",
};

/* The kind is the class's first member. */
static const rt_joint_class *named_class(const rt_kind *kind)
{
    return (const rt_joint_class *)(const void *)kind;
}

const rt_joint_class *rt_joint_class_at(int k) { return named_class(joint_kinds[k]); }

const rt_joint_class *rt_joint_class_of(const rt_kind *kind)
{
    const rt_joint_class *found = named_class(kind);
    return found->alias ? found->alias : found;
}

const char *rt_joint_type_name(const rt_joint *joint) { return joint->class->kind.name; }

int rt_joint_class_count_rows(const rt_joint_class *joint_class)
{
    int n = 0;
    while (n < RT_JOINT_ROWS && joint_class->rows[n].kind != RT_JOINT_ROW_END) n++;
    return n;
}

bool rt_joint_class_has(const rt_joint_class *joint_class, rt_joint_row_kind kind, int p, int q)
{
    for (int k = 0; k < rt_joint_class_count_rows(joint_class); k++) {
        const rt_joint_row *row = &joint_class->rows[k];
        if (row->kind == kind && row->p == p && row->q == q && row->keeps == RT_KEEPS_ZERO)
            return true;
    }
    return false;
}
