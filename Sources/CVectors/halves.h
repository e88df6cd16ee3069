// Numbers of 16 bits: IEEE binary16 ("half") and bfloat16, converted without help of the processor.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline float vectors_float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t vectors_bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The value of a half. Without branches, so that the compiler can do several at a time.
static inline float vectors_float_of_half(uint16_t half) {
    const uint32_t wide = (uint32_t)half << 16, doubled = wide + wide;
    // Shifts the exponent by the difference of the biases, 112; subnormal halves are handled by subtraction.
    const float normal = vectors_float_of_bits((doubled >> 4) + (0xE0u << 23)) * 0x1.0p-112f;
    const float subnormal = vectors_float_of_bits((doubled >> 17) | (126u << 23)) - 0.5f;
    const uint32_t bits = vectors_bits_of_float(doubled < (1u << 27) ? subnormal : normal);
    return vectors_float_of_bits((wide & 0x80000000u) | bits);
}

// The half nearest to a value; of two that are as near, the even one.
static inline uint16_t vectors_half_of_float(float value) {
    const uint32_t bits = vectors_bits_of_float(value), doubled = bits + bits;
    const float magnitude = vectors_float_of_bits(bits & 0x7FFFFFFFu);
    // Too large values become infinite in the first product, and the second undoes it for the others.
    const float scaled = (magnitude * 0x1.0p+112f) * 0x1.0p-110f;
    uint32_t bias = doubled & 0xFF000000u;
    if (bias < 0x71000000u) bias = 0x71000000u;
    const uint32_t rounded = vectors_bits_of_float(vectors_float_of_bits((bias >> 1) + 0x07800000u) + scaled);
    const uint32_t unsigned_half = ((rounded >> 13) & 0x7C00u) + (rounded & 0x0FFFu);
    return (uint16_t)((bits >> 16 & 0x8000u) | (doubled > 0xFF000000u ? 0x7E00u : unsigned_half));
}
