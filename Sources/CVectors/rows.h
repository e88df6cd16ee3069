// Sums, products and scans over rows of vectors. Each has a portable form, which compilers vectorize for the
// baseline of the processor family, and a form for AVX2, chosen at run time.
#pragma once
#include "halves.h"

// Types of the numbers in a table.
enum { VECTORS_FLOAT = 0, VECTORS_HALF = 1, VECTORS_BFLOAT = 2 };

static inline size_t vectors_size(int type) { return type == VECTORS_FLOAT ? 4 : 2; }

static inline float vectors_load(const uint8_t *from, int type) {
    uint32_t bits = 0;
    memcpy(&bits, from, vectors_size(type));
    if (type == VECTORS_HALF) return vectors_float_of_half((uint16_t)bits);
    return vectors_float_of_bits(type == VECTORS_BFLOAT ? bits << 16 : bits);
}

static inline void vectors_add_portable(float *sum, const uint8_t *row, size_t count, int type) {
    const size_t size = vectors_size(type);
    for (size_t i = 0; i < count; i++) sum[i] += vectors_load(row + i * size, type);
}

static inline float vectors_dot_portable(const float *query, const uint8_t *row, size_t count) {
    float sum = 0;
    for (size_t i = 0; i < count; i++) sum += query[i] * vectors_load(row + i * 2, VECTORS_HALF);
    return sum;
}

// Products of a query with rows of int8 numbers. `count` is a multiple of 32.
static inline void vectors_scan_portable(
    const int16_t *query, const int8_t *rows, size_t count, size_t number, int32_t *products
) {
    for (size_t row = 0; row < number; row++, rows += count) {
        int32_t sum = 0;
        for (size_t i = 0; i < count; i++) sum += (int32_t)query[i] * rows[i];
        products[row] = sum;
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define VECTORS_AVX2 __attribute__((target("avx2,fma,f16c"), noinline, unused)) static

static inline int vectors_has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

VECTORS_AVX2 void vectors_add_halves(float *sum, const uint8_t *row, size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256 values = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(row + i * 2)));
        _mm256_storeu_ps(sum + i, _mm256_add_ps(_mm256_loadu_ps(sum + i), values));
    }
    vectors_add_portable(sum + i, row + i * 2, count - i, VECTORS_HALF);
}

VECTORS_AVX2 float vectors_dot_halves(const float *query, const uint8_t *row, size_t count) {
    __m256 sum = _mm256_setzero_ps();
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256 values = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(row + i * 2)));
        sum = _mm256_fmadd_ps(values, _mm256_loadu_ps(query + i), sum);
    }
    float parts[8];
    _mm256_storeu_ps(parts, sum);
    float total = vectors_dot_portable(query + i, row + i * 2, count - i);
    for (int part = 0; part < 8; part++) total += parts[part];
    return total;
}

VECTORS_AVX2 void vectors_scan_bytes(
    const int16_t *query, const int8_t *rows, size_t count, size_t number, int32_t *products
) {
    for (size_t row = 0; row < number; row++, rows += count) {
        // Two sums, so that an addition does not wait for the one before it.
        __m256i first = _mm256_setzero_si256(), second = _mm256_setzero_si256();
        for (size_t i = 0; i < count; i += 32) {
            const __m256i low = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(rows + i)));
            const __m256i high = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(rows + i + 16)));
            const __m256i one = _mm256_loadu_si256((const __m256i *)(query + i));
            const __m256i two = _mm256_loadu_si256((const __m256i *)(query + i + 16));
            first = _mm256_add_epi32(first, _mm256_madd_epi16(low, one));
            second = _mm256_add_epi32(second, _mm256_madd_epi16(high, two));
        }
        const __m256i sum = _mm256_add_epi32(first, second);
        __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
        products[row] = _mm_cvtsi128_si32(half);
    }
}
#else
static inline int vectors_has_avx2(void) { return 0; }
static inline void vectors_add_halves(float *sum, const uint8_t *row, size_t count) {
    vectors_add_portable(sum, row, count, VECTORS_HALF);
}
static inline float vectors_dot_halves(const float *query, const uint8_t *row, size_t count) {
    return vectors_dot_portable(query, row, count);
}
static inline void vectors_scan_bytes(
    const int16_t *query, const int8_t *rows, size_t count, size_t number, int32_t *products
) {
    vectors_scan_portable(query, rows, count, number, products);
}
#endif

// Adds a row of a table to a sum.
static inline void vectors_add(float *sum, const void *row, size_t count, int type) {
    if (type == VECTORS_HALF && vectors_has_avx2()) return vectors_add_halves(sum, row, count);
    vectors_add_portable(sum, row, count, type);
}

// The product of a query and a row of halves.
static inline float vectors_dot(const float *query, const void *row, size_t count) {
    return vectors_has_avx2() ? vectors_dot_halves(query, row, count) : vectors_dot_portable(query, row, count);
}

// The products of a query with rows of int8 numbers. `count` is a multiple of 32, and no number of the query is beyond
// -127...127, so that no sum overflows below 100,000 numbers a row.
static inline void vectors_scan(
    const int16_t *query, const int8_t *rows, size_t count, size_t number, int32_t *products
) {
    if (vectors_has_avx2()) return vectors_scan_bytes(query, rows, count, number, products);
    vectors_scan_portable(query, rows, count, number, products);
}

// Whether all numbers of a table are finite: their exponents are not all ones.
static inline int vectors_finite(const void *table, size_t count, int type) {
    const uint8_t *from = table;
    uint32_t wrong = 0;
    if (type == VECTORS_FLOAT) {
        for (size_t i = 0; i < count; i++) {
            uint32_t bits;
            memcpy(&bits, from + i * 4, sizeof bits);
            wrong |= (bits & 0x7F800000u) == 0x7F800000u;
        }
    } else {
        const uint16_t exponent = type == VECTORS_HALF ? 0x7C00 : 0x7F80;
        for (size_t i = 0; i < count; i++) {
            uint16_t bits;
            memcpy(&bits, from + i * 2, sizeof bits);
            wrong |= (bits & exponent) == exponent;
        }
    }
    return !wrong;
}

// The nearest halves of some numbers.
static inline void vectors_halves(const float *numbers, size_t count, uint16_t *halves) {
    for (size_t i = 0; i < count; i++) halves[i] = vectors_half_of_float(numbers[i]);
}
