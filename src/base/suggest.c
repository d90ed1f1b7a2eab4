#include "base/suggest.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "base/renamed.h"

/* Words longer than this are not compared. An edit costs COST, a change of letter case 1. */
enum { LONGEST = 63, COST = 64 };

static int suggest_lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c; }

static int replace_cost(char a, char b)
{
    if (a == b) return 0;
    return suggest_lower(a) == suggest_lower(b) ? 1 : COST;
}

static int suggest_least(int a, int b) { return a < b ? a : b; }

/* Optimal string alignment distance (Damerau 1964), three rows of the table at a time. */
static int suggest_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    int rows[3][LONGEST + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n_b; j++) last[j] = (int)j * COST;
    for (size_t i = 1; i <= n_a; i++) {
        row[0] = (int)i * COST;
        for (size_t j = 1; j <= n_b; j++) {
            row[j] = suggest_least(last[j], row[j - 1]) + COST;
            row[j] = suggest_least(row[j], last[j - 1] + replace_cost(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && suggest_lower(a[i - 1]) == suggest_lower(b[j - 2]) &&
                suggest_lower(a[i - 2]) == suggest_lower(b[j - 1]))
                row[j] = suggest_least(row[j], before[j - 2] + COST);
        }
        int *free_row = before;
        before = last, last = row, row = free_row;
    }
    return last[n_b];
}

static int limit(size_t a, size_t b)
{
    const size_t longer = a > b ? a : b;
    return (longer < 6 ? 1 : (int)(longer / 3)) * COST + (COST - 1);
}

const char *rt_suggest(const char *word, const char *const *candidates)
{
    if (!word || !candidates) return NULL;
    const size_t n = strlen(word);
    const char *nearest = NULL;
    int best = INT_MAX;
    if (n == 0 || n > LONGEST) return NULL;
    for (const char *const *same = candidates; *same; same++)
        if (strcmp(word, *same) == 0) return *same;
    const char *now = rt_new_name(word, candidates);
    if (now) return now;
    for (; *candidates; candidates++) {
        const size_t m = strlen(*candidates);
        if (m == 0 || m > LONGEST) continue;
        /* a one-letter word is near to every other: only its letter case may differ */
        const int most = n == 1 || m == 1 ? COST - 1 : limit(n, m);
        const int d = suggest_distance(word, n, *candidates, m);
        if (d <= most && d < best) best = d, nearest = *candidates;
    }
    return nearest;
}
