#pragma once
// libxml2's headers include ICU, whose names clash with Foundation's. Disable ICU before other headers are
// read.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlreader.h>

/// Frees memory that libxml2 returned. xmlFree is a function pointer variable, which Swift cannot call as a
/// function.
static inline void etl_xml_free(xmlChar *p) {
    xmlFree(p);
}
