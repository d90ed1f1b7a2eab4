/* The angles of a model that count their turns (rt_counted_angle). */
#ifndef RT_MODEL_ANGLES_H
#define RT_MODEL_ANGLES_H

#include "model/model.h"

struct rt_reader;

/* Of marker i relative to j about axis k of a triad (columns) in both. load -1: nobody's own. */
rt_counted_angle rt_angle_about(int i, int j, const double triad[9], int k, int load);

/* The place of such an angle among the model's, -1: it has none. */
int rt_find_angle(const routh_model *model, const rt_counted_angle *angle);

/* The angle as an expression; the model has it from now on. felt as in rt_counted_angle. */
rt_expr rt_angle_expr(struct rt_reader *r, const rt_counted_angle *angle);

/* Adds those of joints and torsion springs, names all, and gives them to the model. */
routh_status rt_finish_angles(struct rt_reader *r);

#endif
