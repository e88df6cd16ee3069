#pragma once
#include <stdint.h>

/// Normalizes UTF-16 text to a form of Unicode: 0 is C, 1 is KC, 2 is KD, 3 is D. Returns the length of the result in code units,
/// also if it exceeds the capacity (then the output is unusable), or -1 if ICU cannot load its data.
int32_t etl_normalize(int form, const uint16_t *text, int32_t length, uint16_t *out, int32_t capacity);
