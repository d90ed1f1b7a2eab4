#include "flexible/fem_card.h"

#include <ctype.h>
#include <string.h>

static void put_name(rt_fe_card *c, const char *at, size_t length)
{
    while (length && at[length - 1] == ' ') length--;
    if (length > 8) length = 8;
    for (size_t k = 0; k < length; k++) c->name[k] = (char)toupper((unsigned char)at[k]);
    c->name[length] = '\0';
}

static void put_field(rt_fe_card *c, const char *at, const char *end)
{
    while (at < end && *at == ' ') at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t')) end--;
    if (c->n < RT_FE_FIELDS) c->field[c->n++] = (rt_fe_field){at, (size_t)(end - at)};
}

/* NAME,1,2,.. */
static void split_free(const rt_fe_text *t, const char *comma, rt_fe_card *c)
{
    put_name(c, t->begin, (size_t)(comma - t->begin));
    for (const char *at = comma + 1; at <= t->end && c->n < 8;) {
        const char *end = memchr(at, ',', (size_t)(t->end - at));
        if (!end) end = t->end;
        put_field(c, at, end);
        at = end + 1;
    }
}

void rt_fe_split(const rt_fe_text *t, rt_fe_card *c)
{
    const size_t length = (size_t)(t->end - t->begin);
    const char *comma = memchr(t->begin, ',', length);
    c->n = 0;
    c->line = t->line;
    if (comma) {
        split_free(t, comma, c);
        return;
    }
    put_name(c, t->begin, length < 8 ? length : 8);
    const size_t width = strchr(c->name, '*') ? 16 : 8;
    for (size_t k = 8; k < length && k < 72; k += width)
        put_field(c, t->begin + k, t->begin + (k + width < length ? k + width : length));
}

bool rt_fe_continues(const rt_fe_card *c)
{
    return !c->name[0] || c->name[0] == '*' || c->name[0] == '+';
}

/* Where the fields of the next line belong. */
static void fem_card_fill_line(rt_fe_card *c, bool large)
{
    const int whole = large ? 4 : 8;
    while (c->n % whole != 0 && c->n < RT_FE_FIELDS) c->field[c->n++] = (rt_fe_field){"", 0};
}

static bool fem_card_is_remark(const rt_fe_text *t)
{
    return t->begin == t->end || *t->begin == '$';
}

bool rt_fe_next_card(rt_fe_text *t, rt_fe_card *card)
{
    rt_fe_card line;
    do
        if (!rt_fe_next(t)) return false;
    while (fem_card_is_remark(t));
    rt_fe_split(t, card);
    if (strcmp(card->name, "ENDDATA") == 0) return false;
    bool large = strchr(card->name, '*') != NULL;
    char *star = strchr(card->name, '*');
    if (star && star > card->name) *star = '\0';
    while (rt_fe_next(t)) {
        if (fem_card_is_remark(t)) continue;
        rt_fe_split(t, &line);
        if (!rt_fe_continues(&line)) {
            rt_fe_back(t);
            break;
        }
        fem_card_fill_line(card, large);
        large = line.name[0] == '*';
        for (int k = 0; k < line.n && card->n < RT_FE_FIELDS; k++)
            card->field[card->n++] = line.field[k];
    }
    return true;
}

bool rt_fe_card_blank(const rt_fe_card *c, int k) { return k >= c->n || !c->field[k].length; }

bool rt_fe_card_int(const rt_fe_card *c, int k, int *value)
{
    return k < c->n && rt_fe_int(c->field[k].at, c->field[k].length, value);
}

bool rt_fe_card_real(const rt_fe_card *c, int k, double *value)
{
    return k < c->n && rt_fe_real(c->field[k].at, c->field[k].length, value);
}
