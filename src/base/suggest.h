/* "Did you mean": the known word nearest to one that is not known. */
#ifndef RT_BASE_SUGGEST_H
#define RT_BASE_SUGGEST_H

/* The candidate nearest to word in edit distance (insert, delete, replace, swap of neighbours;
 * letter case counts almost nothing), or NULL when none is near enough to be worth naming: at most
 * one edit for each three letters of the longer word, one at least. candidates ends with NULL; it
 * may be NULL, and so may word. The result is one of the candidates. A name that was another before
 * the first release suggests the new one. */
const char *rt_suggest(const char *word, const char *const *candidates);

#endif
