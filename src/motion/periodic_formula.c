/* Cooper and Verner, Some explicit Runge-Kutta methods of high order, SIAM J. Numer. Anal. 9
 * (1972), with s the square root of 21. */
#include "motion/periodic_formula.h"

#include <math.h>

typedef struct periodic_formula_number {
    double whole, root, below; /* (whole + root s) / below */
} periodic_formula_number;

static const struct {
    int i, j;
    periodic_formula_number a;
} entries[] = {
    {1, 0, {1, 0, 2}},       {2, 0, {1, 0, 4}},         {2, 1, {1, 0, 4}},
    {3, 0, {1, 0, 7}},       {3, 1, {-7, -3, 98}},      {3, 2, {21, 5, 49}},
    {4, 0, {11, 1, 84}},     {4, 2, {18, 4, 63}},       {4, 3, {21, -1, 252}},
    {5, 0, {5, 1, 48}},      {5, 2, {9, 1, 36}},        {5, 3, {-231, 14, 360}},
    {5, 4, {63, -7, 80}},    {6, 0, {10, -1, 42}},      {6, 2, {-432, 92, 315}},
    {6, 3, {633, -145, 90}}, {6, 4, {-504, 115, 70}},   {6, 5, {63, -13, 35}},
    {7, 0, {1, 0, 14}},      {7, 4, {14, -3, 126}},     {7, 5, {13, -3, 63}},
    {7, 6, {1, 0, 9}},       {8, 0, {1, 0, 32}},        {8, 4, {91, -21, 576}},
    {8, 5, {11, 0, 72}},     {8, 6, {-385, -75, 1152}}, {8, 7, {63, 13, 128}},
    {9, 0, {1, 0, 14}},      {9, 4, {1, 0, 9}},         {9, 5, {-733, -147, 2205}},
    {9, 6, {515, 111, 504}}, {9, 7, {-51, -11, 56}},    {9, 8, {132, 28, 245}},
    {10, 4, {-42, 7, 18}},   {10, 5, {-18, 28, 45}},    {10, 6, {-273, -53, 72}},
    {10, 7, {301, 53, 72}},  {10, 8, {28, -28, 45}},    {10, 9, {49, -7, 18}},
};

static const periodic_formula_number weights[RT_FORMULA_STAGES] = {
    {1, 0, 20}, {0, 0, 1},    {0, 0, 1},   {0, 0, 1},    {0, 0, 1},  {0, 0, 1},
    {0, 0, 1},  {49, 0, 180}, {16, 0, 45}, {49, 0, 180}, {1, 0, 20},
};

static double periodic_formula_value(periodic_formula_number x)
{
    return (x.whole + x.root * sqrt(21)) / x.below;
}

/* c_i = sum over j of a_ij */
void rt_formula_fill(rt_formula *f)
{
    *f = (rt_formula){.a = {{0}}};
    for (unsigned k = 0; k < sizeof entries / sizeof *entries; k++)
        f->a[entries[k].i][entries[k].j] = periodic_formula_value(entries[k].a);
    for (int i = 0; i < RT_FORMULA_STAGES; i++) {
        f->b[i] = periodic_formula_value(weights[i]);
        for (int j = 0; j < i; j++) f->c[i] += f->a[i][j];
    }
    f->c[RT_FORMULA_STAGES - 1] = 1;
}
