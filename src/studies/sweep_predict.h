/* What the derivatives of eigenvalues say of a step that vectors leave in doubt. */
#ifndef RT_STUDIES_SWEEP_PREDICT_H
#define RT_STUDIES_SWEEP_PREDICT_H

#include "studies/sweep_path.h"

enum { RT_SLOPES_KEPT = 8 };

/* The derivatives found last. */
typedef struct rt_predictor {
    const rt_sweep_task *task;
    double finest[2]; /* steps of what meets, and of what may cross */
    struct {
        double value;
        int n;
        double _Complex *by;
    } kept[RT_SLOPES_KEPT];
    int next;
} rt_predictor;

void rt_predictor_release(rt_predictor *predictor);

/* The derivatives by the first parameter of the eigenvalues of a solution, found once while it is
 * near. held: of another one that is in use, and stays; NULL: none. */
routh_status rt_predictor_slopes(rt_predictor *predictor, const rt_solution *s,
                                 const double _Complex *held, const double _Complex **by,
                                 routh_error *error);

/* Settles what can be settled of the match from a to b. *more: a value is to be put in between, at
 * *value, to tell modes apart. Derivatives are found only where two are in doubt, and where the
 * task has some. */
routh_status rt_predictor_judge(rt_predictor *predictor, const rt_solution *a, const rt_solution *b,
                                rt_match *match, bool *more, double *value, routh_error *error);

#endif
