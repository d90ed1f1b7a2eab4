/* 3 x 3 blocks of the curvature H of an element (row-major, 6 n x 6 n over the n frames it lists),
 * inline. */
#ifndef RT_ELEMENTS_FRAME_CURVATURE_H
#define RT_ELEMENTS_FRAME_CURVATURE_H

typedef struct rt_block_target {
    rt_scalar *H;
    int width;
} rt_block_target;

/* Where the frame is in list[n]; -1 where it is not, as the ground. */
static inline int rt_local_of(const int *list, int n, int frame)
{
    for (int k = 0; k < n; k++)
        if (list[k] == frame) return k;
    return -1;
}

/* The row or column of part (0 displacement, 3 rotation) of a listed frame; -1 of the ground. */
static inline int rt_part_of(const int *list, int n, int frame, int part)
{
    const int local = rt_local_of(list, n, frame);
    return local < 0 ? -1 : 6 * local + part;
}

/* H[3 rows at row][3 columns at column] += scale * B; none of the ground's */
static inline void rt_add_block(rt_block_target t, int row, int column, rt_scalar scale,
                                const rt_scalar B[9])
{
    if (row < 0 || column < 0) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) t.H[(row + i) * t.width + column + j] += scale * B[3 * i + j];
}

#endif
