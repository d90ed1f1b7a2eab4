/* Tests of expression/unit and unit_read: 300 texts with units, the table written by hand from the
 * SI Brochure (BIPM, 9th edition: tables 4, 5, 7 and 8, and section 5.4 on how products, quotients
 * and powers of units are written) and, for inch, foot, pound and pound-force, from NIST SP 811. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "expression/expression.h"
#include "expression/unit.h"

#define PI 3.14159265358979323846

/* The model has the parameters g, m, x and k. */
static bool some_parameter(void *graph, const char *name, rt_expr *out, char *problem)
{
    (void)problem;
    if (!strchr("gmxk", name[0]) || name[1]) return false;
    *out = rt_input(graph, name[0]);
    return true;
}

static bool no_parameter(void *graph, const char *name, rt_expr *out, char *problem)
{
    (void)graph, (void)name, (void)out, (void)problem;
    return false;
}

typedef struct unit_value {
    const char *text;
    double value;
} unit_value;

static const unit_value values[] = {
    /* lengths */
    {"1 m", 1},
    {"1m", 1},
    {"250 mm", 0.25},
    {"250mm", 0.25},
    {"1e3mm", 1},
    {"1e3 mm", 1},
    {".5 mm", 0.0005},
    {"5. mm", 0.005},
    {"12 cm", 0.12},
    {"3 dm", 0.3},
    {"3 km", 3000},
    {"7 um", 7e-6},
    {"7 µm", 7e-6},
    {"7 μm", 7e-6},
    {"12 in", 0.3048},
    {"1 in", 0.0254},
    {"3 ft", 0.9144},
    {"-3 mm", -0.003},
    {"- 3 mm", -0.003},
    {"+3 mm", 0.003},
    {"--3 mm", 0.003},
    {"0 mm", 0},
    {"3\tmm", 0.003},
    {"3\nmm", 0.003},
    /* areas, volumes, second moments of area: a unit takes its own power */
    {"100 mm^2", 1e-4},
    {"200 mm^2", 2e-4},
    {"100 mm**2", 1e-4},
    {"100 mm ^ 2", 1e-4},
    {"100 mm^+2", 1e-4},
    {"100 mm^(2)", 1e-4},
    {"100 mm²", 1e-4},
    {"5 cm^2", 5e-4},
    {"2 dm^3", 2e-3},
    {"2 dm³", 2e-3},
    {"1e-3 m^3", 1e-3},
    {"5e-4 m^2", 5e-4},
    {"1e-8 m^4", 1e-8},
    {"8.3e4 mm^4", 8.3e-8},
    {"8.3e4 mm⁴", 8.3e-8},
    {"8.3*10^4 mm^4", 8.3e-8},
    {"3 km^2", 3e6},
    {"1 in^2", 6.4516e-4},
    {"1 in^3", 1.6387064e-5},
    {"1 in^4", 4.162314256e-7},
    {"1 ft^2", 0.09290304},
    {"4 mm^0.5", 0.1264911064067351733},
    {"4 mm^(1/2)", 0.1264911064067351733},
    {"2 mm^1", 2e-3},
    {"2 mm^-1", 2000},
    {"2 mm⁻¹", 2000},
    {"2 mm^(-1)", 2000},
    /* a power of the number is one of the number alone */
    {"10^3 mm", 1},
    {"10**3 mm", 1},
    {"10^-3 m", 1e-3},
    {"10^-3 km", 1},
    {"10^3 mm^2", 1e-3},
    {"2^3 mm", 8e-3},
    {"2^3^2 mm", 0.512},
    {"-2^2 mm", -4e-3},
    {"(-2)^2 mm", 4e-3},
    {"10^(1 + 2) mm", 1},
    {"(2 + 3)^2 mm", 0.025},
    {"sqrt(9)^2 mm", 9e-3},
    {"1.5*10^3 mm", 1.5},
    {"(2 mm)^2", 4e-6},
    {"(2 mm)^-1", 500},
    {"(2 mm^2)^2", 4e-12},
    {"2^-1 m", 0.5},
    /* angles */
    {"180 deg", PI},
    {"30 deg", PI / 6},
    {"-90 deg", -PI / 2},
    {"90°", PI / 2},
    {"90 °", PI / 2},
    {"1 rad", 1},
    {"5 mrad", 0.005},
    {"1 rev", 2 * PI},
    {"2 deg^2", 2 * (PI / 180) * (PI / 180)},
    {"sin(30 deg)", 0.5},
    {"cos(60 deg)", 0.5},
    {"2*sin(90 deg) m", 2},
    /* masses */
    {"3 kg", 3},
    {"500 g", 0.5},
    {"500 mg", 5e-4},
    {"2 t", 2000},
    {"2.5t", 2500},
    {"1 lb", 0.45359237},
    {"3 kg m^2", 3},
    {"3 kg*m^2", 3},
    {"3 kg·m²", 3},
    {"3 kg m²", 3},
    {"3 g mm^2", 3e-9},
    {"3 kg mm^2", 3e-6},
    {"3 t mm^2", 3e-3},
    {"3 kg cm^2", 3e-4},
    {"7850 kg/m^3", 7850},
    {"7.85 g/cm^3", 7850},
    {"7.85e-9 t/mm^3", 7850},
    {"7.85 kg/dm^3", 7850},
    {"12 kg/m", 12},
    {"12 g/mm", 12},
    {"12 kg m^-1", 12},
    /* times, frequencies */
    {"3 s", 3},
    {"3 ms", 0.003},
    {"3 us", 3e-6},
    {"3 µs", 3e-6},
    {"3 min", 180},
    {"2 h", 7200},
    {"50 Hz", 50},
    {"2 kHz", 2000},
    {"3 s^-1", 3},
    {"3 s⁻¹", 3},
    {"3 s^2", 3},
    {"3 ms^2", 3e-6},
    {"60 rpm", 2 * PI},
    {"1200 rpm", 40 * PI},
    {"2*pi*10 Hz", 20 * PI},
    /* velocities, accelerations, rates */
    {"36 km/h", 10},
    {"60 km/h", 60 / 3.6},
    {"3 m/s", 3},
    {"3 mm/s", 0.003},
    {"3 m s^-1", 3},
    {"3 m·s⁻¹", 3},
    {"3 m*s^-1", 3},
    {"9.81 m/s^2", 9.81},
    {"9.81 m s^-2", 9.81},
    {"9.81 m/s²", 9.81},
    {"9810 mm/s^2", 9.81},
    {"9.81 m/(s^2)", 9.81},
    {"9.81 m/(s*s)", 9.81},
    {"9.81 m/(s s)", 9.81},
    {"180 deg/s", PI},
    {"60 rev/min", 2 * PI},
    {"5 rad/s", 5},
    {"5 rad/s^2", 5},
    {"5 rad s^-2", 5},
    {"30 m/min", 0.5},
    {"5 in/s", 0.127},
    {"5 Hz/s", 5},
    {"5 rpm/s", PI / 6},
    {"5 m/s^-1", 5},
    {"6 mm/ms", 6},
    {"6 km/(h s)", 6 / 3.6},
    /* forces */
    {"3 N", 3},
    {"3 kN", 3000},
    {"3 MN", 3e6},
    {"3 mN", 0.003},
    {"2 lbf", 8.896443230521},
    {"3 kg m/s^2", 3},
    {"3 kg m s^-2", 3},
    {"3 kg*m/s^2", 3},
    {"3 kg·m·s⁻²", 3},
    {"3 t mm/s^2", 3},
    {"3 N^2", 3},
    {"3 kN^2", 3e6},
    /* stiffness */
    {"28 kN/m", 28e3},
    {"28kN/m", 28e3},
    {"28 kN / m", 28e3},
    {"28 N/mm", 28e3},
    {"28 N mm^-1", 28e3},
    {"28 kN/mm", 28e6},
    {"28 MN/m", 28e6},
    {"28 N/m", 28},
    {"28 N/cm", 2800},
    {"28 N/(mm)", 28e3},
    {"160 lbf/in", 160 * 175.1268352464763780},
    {"1 lbf/ft", 14.59390293720636483},
    {"40 N/m", 40},
    {"40 kg/s^2", 40},
    {"-40 N/m", -40},
    {"2*20 N/m", 40},
    {"40 N/m*2", 80},
    {"40 N/m/2", 20},
    {"40 N/m + 2 N/m", 42},
    {"(20 + 20) N/m", 40},
    {"(40 N)/(2 m)", 20},
    {"40 N/(2 m)", 20},
    {"5 N/(1 mm)", 5000},
    {"40 N*2 m", 80},
    {"8 N/m^2", 8},
    {"8 kN/m^3", 8000},
    /* damping */
    {"5 N s/m", 5},
    {"5 N*s/m", 5},
    {"5 N·s/m", 5},
    {"5 N s m^-1", 5},
    {"5 N/(m/s)", 5},
    {"5 kg/s", 5},
    {"5 kN s/m", 5000},
    {"5 N s/mm", 5000},
    {"5 N ms/mm", 5},
    {"5 lbf s/in", 5 * 175.1268352464763780},
    {"5 N m s/rad", 5},
    {"5 N m/(rad/s)", 5},
    {"5 N m s", 5},
    {"5 N s^2/m", 5},
    /* moments, torsional stiffness */
    {"3 N m", 3},
    {"3 N*m", 3},
    {"3 N·m", 3},
    {"3 N⋅m", 3},
    {"3 Nm", 3},
    {"3 kNm", 3000},
    {"3 Nmm", 0.003},
    {"3 N mm", 0.003},
    {"3 kN m", 3000},
    {"3 kN*mm", 3},
    {"3 lbf in", 3 * 0.1129848290276166997},
    {"3 lbf ft", 3 * 1.355817948331400400},
    {"3 N m/rad", 3},
    {"3 Nm/rad", 3},
    {"3 Nm/deg", 540 / PI},
    {"3 N mm/rad", 0.003},
    {"3 N m^2", 3},
    {"3 kN m^2", 3000},
    {"3 N mm^2", 3e-6},
    {"3 kN*m/rad", 3000},
    /* pressure, energy, power */
    {"3 Pa", 3},
    {"3 kPa", 3000},
    {"5 MPa", 5e6},
    {"210 GPa", 210e9},
    {"210e3 N/mm^2", 210e9},
    {"210 kN/mm^2", 210e9},
    {"3 bar", 3e5},
    {"1 psi", 6894.757293168361337},
    {"1 lbf/in^2", 6894.757293168361337},
    {"3 J", 3},
    {"3 kJ", 3000},
    {"3 W", 3},
    {"3 kW", 3000},
    {"3 N m/s", 3},
    {"3 J/kg", 3},
    {"3 W/kg", 3},
    {"3 MPa mm^2", 3},
    {"3 Pa s", 3},
    {"3 Pa m^0.5", 3},
    {"4 mm/N^0.5", 4e-3},
    /* in expressions */
    {"2 mm + 3 mm", 5e-3},
    {"2 mm - 3 mm", -1e-3},
    {"2 mm-3 mm", -1e-3},
    {"2mm-3mm", -1e-3},
    {"2 m - 2", 0},
    {"2 mm*3 mm", 6e-6},
    {"2 mm*3", 6e-3},
    {"2 mm/2", 1e-3},
    {"(1/2) mm", 5e-4},
    {"1/(2 mm)", 500},
    {"(2 mm)/(4 mm)", 0.5},
    {"sqrt(16 mm^2)", 4e-3},
    {"max(1 mm, 2 mm)", 2e-3},
    {"step(1 mm, 0 mm, 0 N, 2 mm, 8 kN)", 4000},
    {"(1 + 2) mm^2", 3e-6},
    {"sqrt(9) mm^2", 3e-6},
    {"2*(1 + 2) mm", 6e-3},
    {"1/2*3 mm", 1.5e-3},
    {"2*3 mm/2", 3e-3},
    {"3 N*min(1, 2)", 3},
    {"6 N/min(1, 2)", 6},
    {"4 m*pi", 4 * PI},
    {"e*1 mm", 2.71828182845904523536e-3},
    {"((2)) mm", 2e-3},
};

static rt_expr unit_parse(rt_graph *graph, const char *text, bool with_parameters,
                          routh_error *error)
{
    const rt_resolver resolver = {.context = graph,
                                  .quantity = with_parameters ? some_parameter : no_parameter};
    rt_expr e;
    return rt_parse(graph, text, &resolver, &e, error) == ROUTH_OK ? e : RT_NO_EXPR;
}

static void texts_have_the_value_of_the_brochure(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        rt_graph *graph = rt_graph_create();
        routh_error error = {0};
        double value = (double)NAN;
        const rt_expr e = unit_parse(graph, values[k].text, false, &error);
        if (e < 0)
            fail_msg("'%s' is refused at %d: %s", values[k].text, error.column, error.message);
        else if (!rt_is_constant(graph, e, &value) ||
                 !(fabs(value - values[k].value) <= 1e-15 * fabs(values[k].value)))
            fail_msg("'%s' is %.17g, not %.17g", values[k].text, value, values[k].value);
        rt_graph_free(graph);
    }
}

typedef struct unit_refused {
    const char *text;
    const char *says[2]; /* both readings, or one part of the message */
    bool with_parameters;
} unit_refused;

static const unit_refused refused[] = {
    /* a unit behind a divisor */
    {"1/2 mm", {"(1/2) mm", "1/(2 mm)"}, false},
    {"1/2mm", {"(1/2) mm", "1/(2 mm)"}, false},
    {"1/ 2 mm", {"(1/2) mm", "1/(2 mm)"}, false},
    {"1/-2 mm", {"(1/-2) mm", "1/(-2 mm)"}, false},
    {"3*5/2 mm", {"(3*5/2) mm", "3*5/(2 mm)"}, false},
    {"10 N/2 mm", {"(10 N/2) mm", "10 N/(2 mm)"}, false},
    {"10 N/1 mm", {"(10 N/1) mm", "10 N/(1 mm)"}, false},
    {"1/2 N/m", {"(1/2) N/m", "1/(2 N/m)"}, false},
    {"1/10^3 mm", {"(1/10^3) mm", "1/(10^3 mm)"}, false},
    {"1/(2) mm", {"(1/(2)) mm", "1/((2) mm)"}, false},
    {"x/2 mm", {"(x/2) mm", "x/(2 mm)"}, true},
    {"2 mm/3 s", {"(2 mm/3) s", "2 mm/(3 s)"}, false},
    {"5 + 1/2 mm", {"(1/2) mm", "1/(2 mm)"}, false},
    {"sin(1/2 deg)", {"(1/2) deg", "1/(2 deg)"}, false},
    /* a solidus twice, or before a product */
    {"9.81 m/s/s", {"9.81 m/(s s)", "9.81 m s/s"}, false},
    {"5 N/m/s", {"5 N/(m s)", "5 N s/m"}, false},
    {"5 N/m s", {"5 N/(m s)", "5 N s/m"}, false},
    {"5 N/m*s", {"5 N/(m s)", "5 N s/m"}, false},
    {"5 J/kg mm", {"5 J/(kg mm)", "5 J mm/kg"}, false},
    {"5 N/m^2 s", {"5 N/(m^2 s)", "5 N s/m^2"}, false},
    {"5 N/(m s/kg s)", {"parenthesis of a unit is not closed"}, false},
    {"5 N/(m/2)", {"a unit is missing"}, false},
    {"5 N/(m s) kg", {"5 N/((m s) kg)", "5 N kg/(m s)"}, false},
    /* a unit that is a parameter too */
    {"2 g", {"the unit, or", "2*g"}, true},
    {"2g", {"the unit, or", "2*g"}, true},
    {"40 N/m", {"the unit, or", "(40 N)/m"}, true},
    {"40 N/m^2", {"the unit, or", "(40 N)/m"}, true},
    {"40 kN/m", {"the unit, or", "(40 kN)/m"}, true},
    {"3 m", {"the unit, or", "3*m"}, true},
    {"3 m^2", {"the unit, or", "3*m"}, true},
    {"3 N*m", {"the unit, or", "(3 N)*m"}, true},
    {"3 N m", {"the unit, or", "(3 N)*m"}, true},
    {"5 kg*g", {"the unit, or", "(5 kg)*g"}, true},
    {"40 N/(m)", {"the unit, or", "(40 N)/"}, true},
    {"40 N/(m s)", {"the unit, or", "(40 N)/"}, true},
    {"(1 + 2) m", {"the unit, or", "(1 + 2)*m"}, true},
    {"10^3 m", {"the unit, or", "10^3*m"}, true},
    /* a digit close behind */
    {"9.81 m s-2", {"9.81 m s^-2", "9.81 m s - 2"}, false},
    {"3 s-1", {"3 s^-1", "3 s - 1"}, false},
    {"3 m+2", {"3 m^+2", "3 m + 2"}, false},
    {"3 mm2", {"'mm2' is no unit"}, false},
    {"3 m3", {"'m3' is no unit"}, false},
    /* the power of a name */
    {"x^2 mm", {"(x^2) mm", "x^(2 mm)"}, true},
    {"x**2 mm", {"(x**2) mm", "x^(2 mm)"}, true},
    {"2^x mm", {"operator is missing"}, true},
    {"x mm", {"operator is missing"}, true},
    {"pi mm", {"operator is missing"}, false},
    /* powers that are none */
    {"2 mm^2^2", {"one power"}, false},
    {"2 mm^x", {"power of a unit is a number"}, true},
    {"2 mm^(x)", {"power of a unit is a number"}, true},
    {"2 mm^(1/0)", {"power of a unit is a number"}, false},
    {"2 mm^", {"power of a unit is a number"}, false},
    {"2 mm^99", {"at most 20"}, false},
    {"2 mm²^2", {"one power"}, false},
    {"2 mm⁰", {"is no unit"}, false},
    /* no units */
    {"3 MM", {"'MM' is no unit"}, false},
    {"3 KG", {"'KG' is no unit"}, false},
    {"3 Kg", {"did you mean"}, false},
    {"3 kgs", {"did you mean kg?"}, false},
    {"3 sec", {"'sec' is no unit"}, false},
    {"3 hz", {"did you mean Hz?"}, false},
    {"3 n", {"'n' is no unit"}, false},
    {"3 NM", {"is no unit"}, false},
    {"3 degree", {"is no unit"}, false},
    {"20 °C", {"is no unit"}, false},
    {"3 K", {"is no unit"}, false},
    {"3 A", {"is no unit"}, false},
    {"3 mol", {"is no unit"}, false},
    {"3 N.m", {"is no unit"}, false},
    {"3 Nms", {"is no unit"}, false},
    {"3 x", {"'x' is no unit"}, true},
    {"3 e", {"'e' is no unit"}, false},
    {"2e mm", {"'e' is no unit"}, false},
    {"3 pi", {"'pi' is no unit"}, false},
    {"3 m·", {"is no unit"}, false},
    {"50 %", {"'%'"}, false},
    {"5 mm x", {"operator is missing"}, true},
    {"5 mm 3", {"operator is missing"}, false},
    {"5 (mm)", {"operator is missing"}, false},
    {"1 000 mm", {"operator is missing"}, false},
    {"1,5 mm", {"comma"}, false},
    {"3 min(1, 2)", {"is no unit"}, false},
    {"mm", {"is a unit"}, false},
    {"2*mm", {"is a unit"}, false},
    {"3/s", {"is a unit"}, false},
    {"3 1/s", {"operator is missing"}, false},
    {"3 N/x m", {"operator is missing"}, true},
};

static void other_texts_are_refused_with_their_readings(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const unit_refused *r = &refused[k];
        rt_graph *graph = rt_graph_create();
        routh_error error = {0};
        if (unit_parse(graph, r->text, r->with_parameters, &error) >= 0)
            fail_msg("'%s' is accepted", r->text);
        for (int j = 0; j < 2 && r->says[j]; j++)
            if (!strstr(error.message, r->says[j]))
                fail_msg("'%s' is refused at %d: %s; without \"%s\"", r->text, error.column,
                         error.message, r->says[j]);
        rt_graph_free(graph);
    }
}

static void three_hundred_texts_are_tried(void **state)
{
    (void)state;
    assert_true((sizeof values / sizeof *values) + (sizeof refused / sizeof *refused) >= 300);
}

/* Texts that have one reading only beside a parameter of a unit's name. */
static void a_parameter_of_a_units_name_keeps_its_own_texts(void **state)
{
    static const char *const pairs[][2] = {{"2*g", "g*2"},
                                           {"(40 N)/m", "40/m"},
                                           {"40 N/(m*x)", "40/(m*x)"},
                                           {"1/m", "1/(m)"},
                                           {"5 kg*x", "5*x"},
                                           {"(5 kg)*g", "5*g"},
                                           {"40 N/'m'", "40/'m'"},
                                           {"40 N/mm*x", "40*1000*x"},
                                           {"40 N/x", "40/x"},
                                           {"3 mm*k", "0.003*k"},
                                           {"40 kN/mm/x", "40*1e6/x"},
                                           {"(x) mm", "0.001*x"},
                                           {"2 N*k", "2*k"},
                                           {"(x + 1)^2 mm", "0.001*(x + 1)^2"}};
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        rt_graph *graph = rt_graph_create();
        routh_error error = {0};
        const rt_expr a = unit_parse(graph, pairs[k][0], true, &error);
        const rt_expr b = unit_parse(graph, pairs[k][1], true, &error);
        if (a < 0 || b < 0 || a != b)
            fail_msg("'%s' is not '%s': %s", pairs[k][0], pairs[k][1], error.message);
        rt_graph_free(graph);
    }
}

static void every_name_of_the_list_is_a_unit(void **state)
{
    rt_unit unit;
    (void)state;
    for (int k = 0; rt_unit_names[k]; k++) {
        if (!rt_unit_find(rt_unit_names[k], &unit)) fail_msg("%s", rt_unit_names[k]);
        for (int j = 0; j < k; j++) assert_string_not_equal(rt_unit_names[j], rt_unit_names[k]);
    }
}

/* What the tables of fields say as a unit. */
static bool is_unit(const char *text, rt_unit *unit)
{
    bool is = false;
    assert_int_equal(rt_unit_of(text, unit, &is), ROUTH_OK);
    return is;
}

static void dimensions_are_kept(void **state)
{
    static const char *const same[][2] = {
        {"N m", "kg m^2/s^2"}, {"N/m", "kg/s^2"}, {"W", "N m/s"},       {"Pa", "N/m^2"},
        {"N s/m", "kg/s"},     {"rad/s", "Hz"},   {"rpm", "mm^0 s^-1"}, {"lbf/in", "N/m"},
        {"km/h", "in/min"},    {"J", "kNm"},      {"psi", "bar"},       {"m^0.5", "mm^(1/2)"}};
    (void)state;
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        rt_unit a, b;
        char text[64];
        assert_true(is_unit(same[k][0], &a) && is_unit(same[k][1], &b));
        if (!rt_unit_same_dimension(&a, &b))
            fail_msg("%s is no %s: %s", same[k][0], same[k][1], rt_unit_dimension(&a, text));
    }
    rt_unit newton, metre;
    char text[64];
    assert_true(is_unit("N", &newton) && is_unit("m", &metre));
    assert_false(rt_unit_same_dimension(&newton, &metre));
    assert_string_equal(rt_unit_dimension(&newton, text), "kg m s^-2");
    assert_false(is_unit("N metre", &newton));
    assert_false(is_unit("12", &newton));
    assert_false(is_unit("", &newton));
    assert_true(is_unit("deg", &metre));
    assert_string_equal(rt_unit_dimension(&metre, text), "no dimension");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_have_the_value_of_the_brochure),
        cmocka_unit_test(other_texts_are_refused_with_their_readings),
        cmocka_unit_test(three_hundred_texts_are_tried),
        cmocka_unit_test(a_parameter_of_a_units_name_keeps_its_own_texts),
        cmocka_unit_test(every_name_of_the_list_is_a_unit),
        cmocka_unit_test(dimensions_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
