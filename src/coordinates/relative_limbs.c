#include "coordinates/relative_limbs.h"

#include "base/pi.h"

static const rt_pose here = {.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static const rt_chain *chain_of(const routh_model *model, int joint)
{
    return joint < 0 ? &rt_chain_floating : rt_chain_of(&model->joints[joint]);
}

static void read_pose(rt_pose *pose, const rt_number r[3], const rt_number A[9])
{
    for (int k = 0; k < 3; k++) pose->r[k] = r[k].value;
    for (int k = 0; k < 9; k++) pose->A[k] = A[k].value;
}

static int relative_limbs_body_of(const routh_model *model, int marker)
{
    return marker < 0 ? RT_GROUND : model->markers[marker].body;
}

/* The joint's marker with the joint's axes, in its body. */
static void joint_pose(rt_pose *pose, const routh_model *model, const rt_joint *joint, int end)
{
    rt_pose marker = here, axes = here;
    const int k = joint->markers[end];
    if (k >= 0) read_pose(&marker, model->markers[k].position, model->markers[k].orientation);
    memcpy(axes.A, joint->triad, sizeof axes.A);
    rt_pose_join(pose, &marker, &axes);
}

/* T, the joint's first marker relative to its second, in the reference configuration. */
static void written_pose(rt_pose *T, const routh_model *model, const rt_joint *joint,
                         const rt_limb *limb)
{
    rt_pose end[2], inverse;
    for (int k = 0; k < 2; k++) {
        rt_pose body = here;
        const int b = relative_limbs_body_of(model, joint->markers[k]);
        const rt_body *of = b >= 0 ? &model->bodies[b] : NULL;
        const rt_number *from = of ? of->reference : NULL;
        if (of) read_pose(&body, from ? from : of->position, from ? from + 3 : of->orientation);
        rt_pose_join(&end[k], &body, &limb->marker[k]);
    }
    rt_pose_invert(&inverse, &end[1]);
    rt_pose_join(T, &inverse, &end[0]);
}

/* A screw counts displacement and angle from where they are written, the angle as the joint's own
 * row takes it: atan2(x_1 . y_2, x_1 . x_2). */
static void set_joint(rt_limb *limb, const routh_model *model)
{
    const rt_joint *joint = &model->joints[limb->joint];
    rt_pose T;
    limb->from_first = relative_limbs_body_of(model, joint->markers[0]) == limb->parent;
    for (int end = 0; end < 2; end++) joint_pose(&limb->marker[end], model, joint, end);
    written_pose(&T, model, joint, limb);
    rt_chain_branch(&joint->class->chain, T.A, limb->branch);
    const rt_chain_step *step = joint->class->chain.step;
    if (joint->class->chain.n > 0 && step->kind == RT_STEP_SCREW)
        limb->start =
            T.r[2] - rt_joint_number(joint, RT_NUMBER_1).value / RT_TWO_PI * atan2(T.A[3], T.A[0]);
}

static void relative_limbs_set_limb(rt_limb *limb, const routh_model *model)
{
    limb->marker[0] = limb->marker[1] = here;
    memcpy(limb->branch, here.A, sizeof limb->branch);
    limb->from_first = false;
    limb->start = 0;
    if (limb->joint >= 0) set_joint(limb, model);
}

/* What stands between the parent's frame and the first step, and between the last step and the
 * body. With M_1, M_2 the markers, z the way along the screw's axis and T = z steps C,
 *     M_2 z steps C M_1^-1      or, from the first marker,      M_1 C^-1 (-z) steps^-1 M_2^-1. */
static void set_ends(const rt_limb *limb, rt_pose *before, rt_pose *after)
{
    rt_pose along = here, branch = here, end;
    memcpy(branch.A, limb->branch, sizeof branch.A);
    along.r[2] = limb->from_first ? -limb->start : limb->start;
    rt_pose_invert(&end, &limb->marker[limb->from_first ? 1 : 0]);
    if (limb->from_first) {
        rt_pose_join(after, &limb->marker[0], &branch); /* C is its own inverse */
        rt_pose_join(before, after, &along);
        *after = end;
    } else {
        rt_pose_join(before, &limb->marker[1], &along);
        rt_pose_join(after, &branch, &end);
    }
}

static bool is_here(const rt_pose *pose) { return memcmp(pose, &here, sizeof here) == 0; }

static void add_step(rt_limbs *t, const rt_chain_step *what, const rt_limb *limb, double pitch,
                     const rt_pose *before)
{
    const bool ball = what->kind == RT_STEP_BALL;
    t->step[t->n_steps++] =
        (rt_joint_step){.what = *what,
                        .sign = limb->from_first && !ball ? -1 : 1,
                        .advance = what->kind == RT_STEP_SCREW ? pitch / RT_TWO_PI : 0,
                        .previous = limb->link,
                        .q = t->n_q,
                        .column = t->n_u,
                        .placed = !is_here(before),
                        .before = *before};
    t->n_q += rt_step_numbers(what->kind);
    t->n_u += rt_step_columns(what->kind);
}

/* The steps from the pose `first` in the link that the parent stands in, and the body after
 * them. */
static void add_steps(rt_limbs *t, rt_limb *limb, const routh_model *model, const rt_pose *first,
                      const rt_pose *after)
{
    const rt_chain *chain = chain_of(model, limb->joint);
    const double pitch =
        limb->joint < 0 ? 0 : rt_joint_number(&model->joints[limb->joint], RT_NUMBER_1).value;
    limb->step = t->n_steps;
    limb->n_steps = chain->n;
    for (int k = 0; k < chain->n; k++) {
        const int at = limb->from_first ? chain->n - 1 - k : k;
        add_step(t, &chain->step[at], limb, pitch, k ? &here : first);
        limb->link = t->n_steps - 1;
    }
    limb->pose = *after;
    if (!chain->n) rt_pose_join(&limb->pose, first, after);
}

static void add_limb(rt_limbs *t, const routh_model *model, const rt_joint_tree *tree, int body)
{
    const int parent = tree->parent[body];
    const rt_limb *below = parent < 0 ? NULL : &t->limb[t->of_body[parent]];
    rt_limb *limb = &t->limb[t->n_limbs];
    rt_pose before, after, first;
    t->of_body[body] = t->n_limbs++;
    limb->body = body;
    limb->parent = parent;
    limb->joint = tree->joint[body];
    limb->link = below ? below->link : -1;
    relative_limbs_set_limb(limb, model);
    set_ends(limb, &before, &after);
    rt_pose_join(&first, below ? &below->pose : &t->ground, &before);
    add_steps(t, limb, model, &first, &after);
}

routh_status rt_limbs_compile(rt_limbs *t, const routh_model *model, const rt_joint_tree *tree,
                              const double origin[3], rt_arena *arena, routh_error *error)
{
    int n_steps = 0;
    for (int b = 0; b < model->n_bodies; b++) n_steps += chain_of(model, tree->joint[b])->n;
    *t = (rt_limbs){.ground = here};
    rt_v3_scale(t->ground.r, -1, origin);
    t->limb = RT_TAKE(arena, rt_limb, model->n_bodies);
    t->of_body = RT_TAKE(arena, int, model->n_bodies);
    t->step = RT_TAKE(arena, rt_joint_step, n_steps);
    if (!t->limb || !t->of_body || !t->step) return rt_fail_memory(error);
    for (int k = 0; k < model->n_bodies; k++) add_limb(t, model, tree, tree->order[k]);
    return ROUTH_OK;
}
