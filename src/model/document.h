/* What the reader needs of a document that a program has built. */
#ifndef RT_MODEL_DOCUMENT_H
#define RT_MODEL_DOCUMENT_H

#include "model/tree.h"
#include "routh/document.h"

/* The tree, which stays the document's; fails as the document did, or where it is not complete. */
routh_status rt_document_root(const routh_document *document, const rt_yaml **root,
                              routh_error *error);

const char *rt_document_name(const routh_document *document);

#endif
