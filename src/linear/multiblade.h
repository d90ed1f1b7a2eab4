/* Multi-blade coordinates (Coleman and Feingold 1958), as numbers. A coordinate S_k of blade
 * k = 0 .. N - 1 at the azimuth psi_k = psi + 2 pi k/N is
 *     S_k = a_0 + sum over n of (a_nc cos n psi_k + a_ns sin n psi_k) [- (-1)^k a_d],
 * a_d where N is even. */
#ifndef RT_LINEAR_MULTIBLADE_H
#define RT_LINEAR_MULTIBLADE_H

/* t: the entry (blade, coordinate) of S = T a, and its first and second derivatives by psi;
 * coordinates a_0, a_1c, a_1s, a_2c, .., a_d. */
void rt_multiblade_entry(int n_blades, double psi, int blade, int coordinate, double t[3]);

/* The same of a = T^-1 S. */
void rt_multiblade_inverse(int n_blades, double psi, int blade, int coordinate, double t[3]);

/* "0", "1c", "1s", .., "d". */
enum { RT_MULTIBLADE_NAME = 16 };
const char *rt_multiblade_name(int n_blades, int coordinate, char text[RT_MULTIBLADE_NAME]);

/* What follows the blade's name in another name, from the dot or underscore on, or nothing; NULL:
 * it is another's. */
const char *rt_multiblade_rest(const char *name, const char *blade);

#endif
