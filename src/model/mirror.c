/* The signs with which numbers of a mirrored part follow.
 *
 * A point x of the part's frame is at p + R D x in the world, D diagonal of 1 and -1, R a rotation.
 * With D the part is reflected, and axes that were A, right-handed, would become D A, which may be
 * left-handed. They become D A D instead: local components of a polar vector v are then D v, those
 * of an axial one det(D) D w. */
#include "model/scope.h"

static const int not_mirrored[3] = {1, 1, 1};

static const int *scope_mirror(const rt_reader *r) { return r->scope ? r->scope->D : not_mirrored; }

int rt_polar_sign(const rt_reader *r, int k) { return scope_mirror(r)[k]; }

int rt_mirror_sign(const rt_reader *r)
{
    const int *D = scope_mirror(r);
    return D[0] * D[1] * D[2];
}

int rt_axial_sign(const rt_reader *r, int k) { return rt_mirror_sign(r) * scope_mirror(r)[k]; }

rt_number rt_signed(rt_reader *r, int sign, rt_number x)
{
    if (sign > 0) return x;
    if (x.expr < 0) return rt_plain(x.value == 0 ? 0 : -x.value);
    return rt_minus(&r->calculator, rt_plain(0), x);
}

rt_expr rt_signed_expr(rt_reader *r, int sign, rt_expr e)
{
    return sign > 0 || e < 0 ? e : rt_negate(r->model->graph, e);
}

/* ---- what is refused ------------------------------------------------------------------------- */

routh_status rt_refuse_mirror(rt_reader *r, rt_place place, int k, const char *what,
                              const char *why)
{
    static const char names[] = "xyz";
    if (!r->scope || !r->scope->mirrored || (k >= 0 && rt_polar_sign(r, k) > 0)) return ROUTH_OK;
    if (k < 0)
        return rt_reader_fail(r, place, "%s cannot be in a part that is mirrored: %s", what, why);
    return rt_reader_fail(r, place,
                          "%s cannot be in a part that is mirrored across %c: %s; mirror it across "
                          "another axis and rotate it with `orientation`",
                          what, names[k], why);
}
