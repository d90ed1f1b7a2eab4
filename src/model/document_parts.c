/* A document as a list of its parts. */
#include <stdlib.h>

#include "model/document.h"

static size_t count_parts_below(const rt_yaml *node)
{
    size_t n = 1;
    for (const rt_yaml *entry = node->first; entry; entry = entry->next)
        n += count_parts_below(entry);
    return n;
}

static routh_document_kind part_kind(const rt_yaml *node)
{
    if (node->kind == RT_YAML_LIST) return ROUTH_DOCUMENT_LIST;
    if (node->kind == RT_YAML_MAPPING) return ROUTH_DOCUMENT_MAPPING;
    return node->quoted ? ROUTH_DOCUMENT_TEXT : ROUTH_DOCUMENT_WORD;
}

/* The node and all below it, at most 64 deep; gives the place after them. */
static routh_document_part *list_parts_below(const rt_yaml *node, routh_document_part *part)
{
    const rt_place place = node->key ? node->key_place : node->place;
    *part++ = (routh_document_part){
        .kind = part_kind(node),
        .key = node->key,
        .text = node->kind == RT_YAML_SCALAR ? node->text : NULL,
        .file = place.file,
        .line = place.line,
        .column = place.column,
        .n = node->count,
    };
    for (const rt_yaml *entry = node->first; entry; entry = entry->next)
        part = list_parts_below(entry, part);
    return part;
}

routh_status routh_document_parts_find(routh_document_parts **parts, const routh_document *document,
                                       routh_error *error)
{
    const rt_yaml *root = NULL;
    if (!document || !parts)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the document or the place for its parts is NULL");
    *parts = NULL;
    const routh_status status = rt_document_root(document, &root, error);
    if (status) return status;
    routh_document_parts *p = calloc(1, sizeof *p);
    if (!p) return rt_fail_memory(error);
    p->n = count_parts_below(root);
    p->parts = calloc(p->n, sizeof *p->parts);
    if (!p->parts) {
        free(p);
        return rt_fail_memory(error);
    }
    list_parts_below(root, p->parts);
    *parts = p;
    return ROUTH_OK;
}

void routh_document_parts_free(routh_document_parts *parts)
{
    if (!parts) return;
    free(parts->parts);
    free(parts);
}
