/* Judging numbers of the benchmark. */
#ifndef RT_BENCHMARK_JUDGE_H
#define RT_BENCHMARK_JUDGE_H

#include "routh/benchmark.h"

/* Fills digits and verdict from what is published, right and computed. */
void rt_benchmark_judge(routh_benchmark_value *value);

#endif
