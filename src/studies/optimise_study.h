/* What a study file asks for, checked against the model. */
#ifndef RT_STUDIES_OPTIMISE_STUDY_H
#define RT_STUDIES_OPTIMISE_STUDY_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/model.h"
#include "routh/optimise.h"
#include "routh/response.h"

typedef struct rt_study_variable {
    const char *name;
    rt_place place;
    int parameter; /* of the model */
    double low, high, start;
    bool logarithmic;
} rt_study_variable;

typedef enum rt_goal_kind {
    RT_GOAL_FREQUENCY,
    RT_GOAL_DAMPING,
    RT_GOAL_REAL_PART,
    RT_GOAL_PEAK,
    RT_GOAL_EXPRESSION
} rt_goal_kind;

typedef struct rt_study_goal {
    const char *name;
    rt_place place;
    rt_goal_kind kind;
    int n_modes;      /* 0: all */
    int *modes;       /* counted from 1 as tables do */
    const char *text; /* expression, or output */
    rt_place text_place;
    const char *input;
    routh_base_axis base;
    routh_motion_reference reference;
    double band[2]; /* Hz */
    int pieces;
    double low, high; /* equal: placed there */
    routh_wish wish;
    double target, weight;
} rt_study_goal;

typedef struct rt_study {
    rt_arena arena;
    const char *file, *title;
    int n_variables, n_goals;
    rt_study_variable *variables;
    rt_study_goal *goals;
    const char *algorithm; /* one of those there are */
    double tolerance, seconds;
    int evaluations;
} rt_study;

/* Numbers are expressions of the model's parameters. The study is to be freed in any case. */
/* parse: of a text; name stands for the file in messages. */
routh_status rt_study_parse(rt_study *study, const char *text, size_t length, const char *name,
                            const routh_model *model, routh_error *error);
routh_status rt_study_read(rt_study *study, const char *path, const routh_model *model,
                           routh_error *error);
void rt_study_free(rt_study *study);

#endif
