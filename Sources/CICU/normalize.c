// Compiled rather than imported: ICU's headers and those of Foundation's own ICU declare the same types differently, and
// no module may see both.
#include "normalize.h"
#include <unicode/unorm2.h>

int32_t etl_normalize(int form, const uint16_t *text, int32_t length, uint16_t *out, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *normalizer = form == 0   ? unorm2_getNFCInstance(&status)
                                     : form == 1 ? unorm2_getNFKCInstance(&status)
                                     : form == 2 ? unorm2_getNFKDInstance(&status)
                                                 : unorm2_getNFDInstance(&status);
    if (U_FAILURE(status)) return -1;
    int32_t needed = unorm2_normalize(normalizer, (const UChar *)text, length, (UChar *)out, capacity, &status);
    return U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR ? -1 : needed;
}
