/* The assignment problem: who goes with whom at the smallest cost. */
#ifndef RT_BASE_ASSIGNMENT_H
#define RT_BASE_ASSIGNMENT_H

/* partner[i] = j minimises the sum of cost[i * n + j], finite numbers. work: 3 (n + 1) doubles,
 * places: 3 (n + 1) ints. */
void rt_assign(int n, const double *cost, int *partner, double *work, int *places);

#endif
