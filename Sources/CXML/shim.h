#pragma once
// libxml2's headers drag in ICU, whose names clash with Foundation's: leave it out before anything else is read.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlreader.h>

// A variable that holds a function does not import as one: one inline function.

/// xmlFree, for what libxml2 hands out.
static inline void etl_xml_free(xmlChar *p) {
    xmlFree(p);
}
