#pragma once
// libxml2's headers drag in ICU, whose names clash with Foundation's: leave it out before anything else is read.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlreader.h>
