/* Units of numbers: mm, kN/m, kg m^2. */
#ifndef RT_EXPRESSION_UNIT_H
#define RT_EXPRESSION_UNIT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* A symbol, or a product of powers of symbols: mantissa 10^decimal m^powers[0] kg^powers[1]
 * s^powers[2]. Angles have no dimension. */
typedef struct rt_unit {
    double mantissa;
    double decimal;
    double powers[3];
} rt_unit;

extern const char *const rt_unit_names[]; /* of all symbols, ends with NULL */

/* The unit of a name as it stands in a text: a symbol ("mm"), with raised digits behind it or
 * dots between several ("mm²", "N·m"). False where it is none. */
bool rt_unit_find(const char *name, rt_unit *out);

/* to = to * by^power. */
void rt_unit_times(rt_unit *to, const rt_unit *by, double power);

/* number times the unit's factor to SI; shorter numbers are exact to rounding: 3 mm^2 is the
 * double nearest to 3e-6. */
double rt_unit_value(const rt_unit *unit, double number);

/* A system of units: those of length, mass and time, and of all else what they make: mm, t and s
 * make N and MPa. */
typedef struct rt_unit_system {
    rt_unit base[3];
} rt_unit_system;

/* The system's unit of what the unit is of. */
rt_unit rt_unit_consistent(const rt_unit_system *system, const rt_unit *of);

/* What text alone says a field is in, of the system: its unit, such as "N m/rad", "1/s", "1" or ""
 * for no unit. *one is false where it is words, one of two units ("m or rad"), whoever knows which
 * taking it, or of a list of units that differ in it. OUT_OF_MEMORY. */
routh_status rt_unit_of_field_in(const rt_unit_system *system, const char *text, rt_unit *unit,
                                 bool *one);

/* What a text of numbers with units is known to be: 5 mm is a length. It is not known of a plain
 * number, which may have any unit, nor of its products. */
typedef struct rt_dimension {
    bool known;
    bool measured; /* by what a measure is of: what does not agree with it is warned of */
    rt_unit unit; /* its powers count */
} rt_dimension;

/* Of a product: known where both are. */
rt_dimension rt_dimension_times(rt_dimension a, rt_dimension b, double power_of_b);

/* "a value in kg m s^-2", "a length", "an angle or a ratio". Returns text. */
enum { RT_DIMENSION_SIZE = 96 };
const char *rt_dimension_describe(const rt_unit *unit, char text[RT_DIMENSION_SIZE]);

/* One of a list's units, which may be "1/s" or "1"; is_unit: false where it is none.
 * OUT_OF_MEMORY. */
routh_status rt_unit_listed(const char *text, rt_unit *unit, bool *is_unit);

/* Is what a unit says among what a list of units, such as "N, N m" or "m or rad", stands for? Also
 * where one of them is no unit but words. OUT_OF_MEMORY. */
routh_status rt_unit_among(const char *units, const rt_unit *unit, bool *among);

/* a / b. */
rt_unit rt_unit_over(const rt_unit *a, const rt_unit *b);

bool rt_unit_same_dimension(const rt_unit *a, const rt_unit *b);

/* "kg m^2 s^-2" of the unit's dimension; "no dimension" where it has none. Returns text. */
const char *rt_unit_dimension(const rt_unit *unit, char text[64]);

/* A unit in a text:
 *     unit    = product [ / factor | / "(" product [ / factor ] ")" ]
 *     product = factor { [*] factor }
 *     factor  = symbol [ ^ number ]
 * `start` is where the number before it begins, for the
 * messages; the unit begins at `at`, with a name. *end: the offset after it. Where `taken` knows a
 * symbol as the name of something else the text has two readings and is refused, as where a solidus
 * comes twice or is followed by a product. */
typedef struct rt_unit_text {
    const char *text;
    int start;
    bool (*taken)(void *context, const char *name);
    void *context;
    rt_arena *names;
} rt_unit_text;

routh_status rt_unit_read(const rt_unit_text *from, int at, rt_unit *out, int *end,
                          routh_error *error);

/* The unit of a text that is nothing else ("N m/rad"); *is_unit is false where it is none.
 * OUT_OF_MEMORY. */
routh_status rt_unit_of(const char *text, rt_unit *out, bool *is_unit);

#endif
