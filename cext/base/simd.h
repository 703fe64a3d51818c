/* All code that depends on the instruction set: bit counts, slider indices, eight-direction lanes, move output, rows of
   a network.

   Four levels, chosen by what the compiler may use:
     AVX-512 (F, VL, BW, VBMI2, VPOPCNTDQ)   lanes in one register, moves written by compression
     AVX2 + BMI2                             lanes in two registers
     NEON (every ARM64)                      lanes in four registers
     portable                                no lanes: HAVE_LANES is 0 and callers walk piece by piece
   All levels give the same results; the tests run on each. */
#ifndef STANDSTILL_SIMD_H
#define STANDSTILL_SIMD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512VBMI2__) \
    && defined(__AVX512VPOPCNTDQ__)
#define LEVEL_AVX512 1
#define LEVEL_AVX2 0
#elif defined(__AVX2__) && defined(__BMI2__)
#define LEVEL_AVX512 0
#define LEVEL_AVX2 1
#else
#define LEVEL_AVX512 0
#define LEVEL_AVX2 0
#endif
#if defined(__aarch64__) && defined(__ARM_NEON)
#define LEVEL_NEON 1
#else
#define LEVEL_NEON 0
#endif
#define HAVE_LANES (LEVEL_AVX512 || LEVEL_AVX2 || LEVEL_NEON)

/* Zen 1 and 2 implement the instruction in microcode, which is slower than a multiplication. */
#if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__) && !defined(NO_PEXT)
#define HAVE_PEXT 1
#else
#define HAVE_PEXT 0
#endif

static inline const char *simd_level(void)
{
    return LEVEL_AVX512 ? "avx512" : LEVEL_AVX2 ? "avx2" : LEVEL_NEON ? "neon" : "portable";
}

/* ---- single bitboards ---- */

static inline int popcount(uint64_t b)
{
#if defined(__POPCNT__) || !defined(__x86_64__)
    return __builtin_popcountll(b);
#else /* without the instruction the compiler calls a table-driven library function */
    b -= b >> 1 & 0x5555555555555555ULL;
    b = (b & 0x3333333333333333ULL) + (b >> 2 & 0x3333333333333333ULL);
    b = (b + (b >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)(b * 0x0101010101010101ULL >> 56);
#endif
}

static inline int lsb(uint64_t b) { return __builtin_ctzll(b); }
static inline int msb(uint64_t b) { return 63 - __builtin_clzll(b); }
static inline uint64_t byteswap(uint64_t b) { return __builtin_bswap64(b); }
static inline void prefetch(const void *p) { __builtin_prefetch(p); }
static inline uint64_t high_product(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }

/* Place of an occupancy in a square's table of slider attacks. */
static inline size_t slider_index(uint64_t occupied, uint64_t mask, uint64_t magic, int shift)
{
#if HAVE_PEXT
    (void)magic;
    (void)shift;
    return (size_t)_pext_u64(occupied, mask);
#else
    return (size_t)((occupied & mask) * magic >> shift);
#endif
}

/* ---- lanes: one bitboard per direction ----
   0 north, 1 east, 2 north-east, 3 north-west, 4..7 their opposites. Lane i and i ^ 4 form line i & 3. */

#define NOT_FILE_A 0xfefefefefefefefeULL
#define NOT_FILE_H 0x7f7f7f7f7f7f7f7fULL
#define NOT_FILES_AB 0xfcfcfcfcfcfcfcfcULL
#define NOT_FILES_GH 0x3f3f3f3f3f3f3f3fULL
#define ALL_SQUARES 0xffffffffffffffffULL

#if LEVEL_AVX512
typedef __m512i lanes;

static inline lanes lanes_all(uint64_t b) { return _mm512_set1_epi64((long long)b); }
/* `straight` in the lanes of files and ranks, `diagonal` in the lanes of diagonals. */
static inline lanes lanes_pair(uint64_t straight, uint64_t diagonal)
{
    return _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)straight), 0xcc, (long long)diagonal);
}
static inline lanes lanes_and(lanes a, lanes b) { return _mm512_and_si512(a, b); }
static inline lanes lanes_or(lanes a, lanes b) { return _mm512_or_si512(a, b); }
/* a & ~b */
static inline lanes lanes_without(lanes a, lanes b) { return _mm512_andnot_si512(b, a); }
static inline lanes lanes_or_and(lanes a, lanes b, lanes c) { return _mm512_ternarylogic_epi64(a, b, c, 0xf8); }
static inline lanes lanes_opposite(lanes a) { return _mm512_shuffle_i64x2(a, a, 0x4e); }

/* Squares that a step in the lane's direction can reach without wrapping round the edge. */
static inline lanes lanes_reachable(void)
{
    return _mm512_set_epi64((long long)0x00fefefefefefefeULL, (long long)0x007f7f7f7f7f7f7fULL,
                            (long long)NOT_FILE_H, (long long)0x00ffffffffffffffULL,
                            (long long)0x7f7f7f7f7f7f7f00ULL, (long long)0xfefefefefefefe00ULL,
                            (long long)NOT_FILE_A, (long long)0xffffffffffffff00ULL);
}
static inline lanes lanes_rotate(lanes a, int times)
{
    const __m512i one = _mm512_set_epi64(57, 55, 63, 56, 7, 9, 1, 8);
    const __m512i two = _mm512_set_epi64(50, 46, 62, 48, 14, 18, 2, 16);
    const __m512i four = _mm512_set_epi64(36, 28, 60, 32, 28, 36, 4, 32);
    return _mm512_rolv_epi64(a, times == 1 ? one : times == 2 ? two : four);
}
static inline lanes lanes_knight(uint64_t knights)
{
    const __m512i by = _mm512_set_epi64(58, 54, 49, 47, 6, 10, 15, 17);
    const __m512i reach = _mm512_set_epi64(
        (long long)0x00fcfcfcfcfcfcfcULL, (long long)0x003f3f3f3f3f3f3fULL,
        (long long)0x0000fefefefefefeULL, (long long)0x00007f7f7f7f7f7fULL,
        (long long)0x3f3f3f3f3f3f3f00ULL, (long long)0xfcfcfcfcfcfcfc00ULL,
        (long long)0x7f7f7f7f7f7f0000ULL, (long long)0xfefefefefefe0000ULL);
    return _mm512_and_si512(_mm512_rolv_epi64(lanes_all(knights), by), reach);
}
static inline uint64_t lanes_union(lanes a) { return (uint64_t)_mm512_reduce_or_epi64(a); }
/* The lanes of `a` where `test` is not empty; the other lanes are empty. */
static inline lanes lanes_where(lanes test, lanes a)
{
    return _mm512_maskz_mov_epi64(_mm512_test_epi64_mask(test, test), a);
}
static inline int lanes_any(lanes a) { return _mm512_test_epi64_mask(a, a) != 0; }
static inline int lanes_count(lanes a, lanes b)
{
    return (int)_mm512_reduce_add_epi64(_mm512_add_epi64(_mm512_popcnt_epi64(a), _mm512_popcnt_epi64(b)));
}
static inline void lanes_store_lines(uint64_t *out, lanes a)
{
    _mm256_storeu_si256((__m256i *)out, _mm512_castsi512_si256(a));
}
static inline lanes lanes_load_lines(const uint64_t *lines)
{
    return _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)lines));
}

#elif LEVEL_AVX2
typedef struct { __m256i up, down; } lanes;

static inline lanes lanes_make(__m256i up, __m256i down) { lanes r = {up, down}; return r; }
static inline lanes lanes_all(uint64_t b)
{
    __m256i v = _mm256_set1_epi64x((long long)b);
    return lanes_make(v, v);
}
static inline lanes lanes_pair(uint64_t straight, uint64_t diagonal)
{
    __m256i v = _mm256_blend_epi32(_mm256_set1_epi64x((long long)straight), _mm256_set1_epi64x((long long)diagonal), 0xf0);
    return lanes_make(v, v);
}
static inline lanes lanes_and(lanes a, lanes b)
{
    return lanes_make(_mm256_and_si256(a.up, b.up), _mm256_and_si256(a.down, b.down));
}
static inline lanes lanes_or(lanes a, lanes b)
{
    return lanes_make(_mm256_or_si256(a.up, b.up), _mm256_or_si256(a.down, b.down));
}
static inline lanes lanes_without(lanes a, lanes b)
{
    return lanes_make(_mm256_andnot_si256(b.up, a.up), _mm256_andnot_si256(b.down, a.down));
}
static inline lanes lanes_or_and(lanes a, lanes b, lanes c) { return lanes_or(a, lanes_and(b, c)); }
static inline lanes lanes_opposite(lanes a) { return lanes_make(a.down, a.up); }
static inline lanes lanes_reachable(void)
{
    return lanes_make(_mm256_set_epi64x((long long)NOT_FILE_H, (long long)NOT_FILE_A, (long long)NOT_FILE_A, -1),
                      _mm256_set_epi64x((long long)NOT_FILE_A, (long long)NOT_FILE_H, (long long)NOT_FILE_H, -1));
}
static inline lanes lanes_rotate(lanes a, int times) /* a shift: what leaves the board is gone */
{
    const __m256i one = _mm256_set_epi64x(7, 9, 1, 8);
    const __m256i by = times == 1 ? one : times == 2 ? _mm256_slli_epi64(one, 1) : _mm256_slli_epi64(one, 2);
    return lanes_make(_mm256_sllv_epi64(a.up, by), _mm256_srlv_epi64(a.down, by));
}
static inline lanes lanes_knight(uint64_t knights)
{
    const __m256i by = _mm256_set_epi64x(6, 10, 15, 17);
    const __m256i up = _mm256_set_epi64x((long long)NOT_FILES_GH, (long long)NOT_FILES_AB, (long long)NOT_FILE_H,
                                         (long long)NOT_FILE_A);
    const __m256i down = _mm256_set_epi64x((long long)NOT_FILES_AB, (long long)NOT_FILES_GH, (long long)NOT_FILE_A,
                                           (long long)NOT_FILE_H);
    __m256i v = _mm256_set1_epi64x((long long)knights);
    return lanes_make(_mm256_and_si256(_mm256_sllv_epi64(v, by), up), _mm256_and_si256(_mm256_srlv_epi64(v, by), down));
}
static inline uint64_t union_256(__m256i v)
{
    __m128i w = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return (uint64_t)(_mm_cvtsi128_si64(w) | _mm_extract_epi64(w, 1));
}
static inline uint64_t lanes_union(lanes a) { return union_256(_mm256_or_si256(a.up, a.down)); }
static inline lanes lanes_where(lanes test, lanes a)
{
    __m256i zero = _mm256_setzero_si256();
    return lanes_make(_mm256_andnot_si256(_mm256_cmpeq_epi64(test.up, zero), a.up),
                      _mm256_andnot_si256(_mm256_cmpeq_epi64(test.down, zero), a.down));
}
static inline int lanes_any(lanes a)
{
    __m256i v = _mm256_or_si256(a.up, a.down);
    return !_mm256_testz_si256(v, v);
}
static inline __m256i byte_counts(__m256i v) /* bits per byte: two table look-ups (Mula's method) */
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(v, nibble));
    __m256i high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
    return _mm256_add_epi8(low, high);
}
static inline int lanes_count(lanes a, lanes b) /* a byte holds at most 4 * 8 */
{
    __m256i sum = _mm256_add_epi8(_mm256_add_epi8(byte_counts(a.up), byte_counts(a.down)),
                                  _mm256_add_epi8(byte_counts(b.up), byte_counts(b.down)));
    sum = _mm256_sad_epu8(sum, _mm256_setzero_si256());
    __m128i w = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    return (int)(_mm_cvtsi128_si64(w) + _mm_extract_epi64(w, 1));
}
static inline void lanes_store_lines(uint64_t *out, lanes a) { _mm256_storeu_si256((__m256i *)out, a.up); }
static inline lanes lanes_load_lines(const uint64_t *lines)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)lines);
    return lanes_make(v, v);
}

#elif LEVEL_NEON
#include "neon.h"

#else /* never called: callers test HAVE_LANES, a constant, and the compiler drops the branch */
typedef uint64_t lanes;
static inline lanes lanes_all(uint64_t b) { return b; }
static inline lanes lanes_pair(uint64_t a, uint64_t b) { return a | b; }
static inline lanes lanes_and(lanes a, lanes b) { return a & b; }
static inline lanes lanes_or(lanes a, lanes b) { return a | b; }
static inline lanes lanes_without(lanes a, lanes b) { return a & ~b; }
static inline lanes lanes_or_and(lanes a, lanes b, lanes c) { return a | (b & c); }
static inline lanes lanes_opposite(lanes a) { return a; }
static inline lanes lanes_reachable(void) { return 0; }
static inline lanes lanes_rotate(lanes a, int times) { (void)times; return a; }
static inline lanes lanes_knight(uint64_t b) { return b; }
static inline uint64_t lanes_union(lanes a) { return a; }
static inline lanes lanes_where(lanes test, lanes a) { (void)test; return a; }
static inline int lanes_any(lanes a) { return a != 0; }
static inline int lanes_count(lanes a, lanes b) { return (int)(a + b); }
static inline void lanes_store_lines(uint64_t *out, lanes a) { *out = a; }
static inline lanes lanes_load_lines(const uint64_t *lines) { return *lines; }
#endif

/* ---- move output ----
   Writes `pattern | square << 8` for each square of `targets` in ascending order and returns the new end.
   May write up to 15 words past it: buffers leave that room. */
static inline uint32_t *put_moves(uint32_t *out, uint64_t targets, uint32_t pattern)
{
#if LEVEL_AVX512
    const __m512i squares = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36,
        35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7,
        6, 5, 4, 3, 2, 1, 0);
    const __m512i base = _mm512_set1_epi32((int)pattern);
    __m512i packed = _mm512_maskz_compress_epi8(targets, squares);
    int n = popcount(targets);
    __m512i low = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed));
    _mm512_storeu_si512(out, _mm512_or_si512(_mm512_slli_epi32(low, 8), base));
    if (n > 16) {
        __m512i high = _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 1));
        _mm512_storeu_si512(out + 16, _mm512_or_si512(_mm512_slli_epi32(high, 8), base));
    }
    return out + n;
#else
    while (targets) {
        *out++ = pattern | (uint32_t)lsb(targets) << 8;
        targets &= targets - 1;
    }
    return out;
#endif
}

/* The same for pawns, which all step by one offset: from = to - delta. */
static inline uint32_t *put_pawn_moves(uint32_t *out, uint64_t targets, int delta, uint32_t pattern)
{
#if LEVEL_AVX512
    const __m512i squares = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36,
        35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7,
        6, 5, 4, 3, 2, 1, 0);
    __m512i packed = _mm512_maskz_compress_epi8(targets, squares);
    __m512i to = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed));
    __m512i from = _mm512_sub_epi32(to, _mm512_set1_epi32(delta));
    __m512i move = _mm512_or_si512(_mm512_or_si512(_mm512_slli_epi32(to, 8), from), _mm512_set1_epi32((int)pattern));
    _mm512_storeu_si512(out, move);
    return out + popcount(targets);
#else
    while (targets) {
        uint32_t to = (uint32_t)lsb(targets);
        *out++ = pattern | to << 8 | (to - (uint32_t)delta);
        targets &= targets - 1;
    }
    return out;
#endif
}

/* ---- rows: many 16-bit numbers ----
   The hidden layer of a network. Rows begin on a multiple of 64 bytes, and `width` is a multiple of 32. Sums wrap at 16
   bits in all builds. */

#if LEVEL_AVX512
typedef __m512i row;
#define ROW_NUMBERS 32
static inline row row_load(const int16_t *p) { return _mm512_load_si512(p); }
static inline void row_store(int16_t *p, row a) { _mm512_store_si512(p, a); }
static inline row row_add(row a, row b) { return _mm512_add_epi16(a, b); }
static inline row row_sub(row a, row b) { return _mm512_sub_epi16(a, b); }
static inline row row_zero(void) { return _mm512_setzero_si512(); }
/* Adds x * x * w for each x = clamp(a, 0, 255), in sixteen sums of 32 bits. */
static inline row row_squares(row sum, row a, row w)
{
    row x = _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), _mm512_set1_epi16(255));
#if defined(__AVX512VNNI__)
    return _mm512_dpwssd_epi32(sum, _mm512_mullo_epi16(x, w), x);
#else
    return _mm512_add_epi32(sum, _mm512_madd_epi16(_mm512_mullo_epi16(x, w), x));
#endif
}
static inline row row_add_sums(row a, row b) { return _mm512_add_epi32(a, b); }
static inline int32_t row_total(row sum) { return _mm512_reduce_add_epi32(sum); }

#elif LEVEL_AVX2
typedef __m256i row;
#define ROW_NUMBERS 16
static inline row row_load(const int16_t *p) { return _mm256_load_si256((const __m256i *)p); }
static inline void row_store(int16_t *p, row a) { _mm256_store_si256((__m256i *)p, a); }
static inline row row_add(row a, row b) { return _mm256_add_epi16(a, b); }
static inline row row_sub(row a, row b) { return _mm256_sub_epi16(a, b); }
static inline row row_zero(void) { return _mm256_setzero_si256(); }
static inline row row_squares(row sum, row a, row w)
{
    row x = _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), _mm256_set1_epi16(255));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_mullo_epi16(x, w), x));
}
static inline row row_add_sums(row a, row b) { return _mm256_add_epi32(a, b); }
static inline int32_t row_total(row sum)
{
    __m128i v = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4e));
    v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0xb1));
    return _mm_cvtsi128_si32(v);
}

#elif LEVEL_NEON
/* in neon.h */
#endif

#if HAVE_LANES
/* Each function handles 64 numbers at a time, and the last 32 if the width is no multiple of 64. `part` is a constant
   at each call of a helper, so the compiler turns the helper's loop into a sequence without tests. */
static inline void part_move(int16_t *out, const int16_t *start, const int16_t *on, const int16_t *off, int part)
{
    for (int i = 0; i < part; i += ROW_NUMBERS)
        row_store(out + i, row_sub(row_add(row_load(start + i), row_load(on + i)), row_load(off + i)));
}
static inline void rows_move(int16_t *out, const int16_t *start, const int16_t *on, const int16_t *off, int width)
{
    int i = 0;
    for (; i + 64 <= width; i += 64)
        part_move(out + i, start + i, on + i, off + i, 64);
    if (i < width)
        part_move(out + i, start + i, on + i, off + i, 32);
}
static inline void part_capture(int16_t *out, const int16_t *start, const int16_t *on, const int16_t *off,
                                const int16_t *off2, int part)
{
    for (int i = 0; i < part; i += ROW_NUMBERS) {
        row gone = row_add(row_load(off + i), row_load(off2 + i));
        row_store(out + i, row_sub(row_add(row_load(start + i), row_load(on + i)), gone));
    }
}
static inline void rows_capture(int16_t *out, const int16_t *start, const int16_t *on, const int16_t *off,
                                const int16_t *off2, int width)
{
    int i = 0;
    for (; i + 64 <= width; i += 64)
        part_capture(out + i, start + i, on + i, off + i, off2 + i, 64);
    if (i < width)
        part_capture(out + i, start + i, on + i, off + i, off2 + i, 32);
}
static inline void rows_castle(int16_t *out, const int16_t *start, const int16_t *on, const int16_t *on2,
                               const int16_t *off, const int16_t *off2, int width)
{
    for (int i = 0; i < width; i += ROW_NUMBERS) {
        row come = row_add(row_load(on + i), row_load(on2 + i));
        row gone = row_add(row_load(off + i), row_load(off2 + i));
        row_store(out + i, row_sub(row_add(row_load(start + i), come), gone));
    }
}
/* The sums stay in registers, so each number is read and written once, however many rows there are. */
static inline void part_many(int16_t *out, const int16_t *start, const int16_t *const *on, int n_on,
                             const int16_t *const *off, int n_off, int at, int part)
{
    row sums[64 / ROW_NUMBERS];
    for (int i = 0; i < part / ROW_NUMBERS; i++)
        sums[i] = row_load(start + at + i * ROW_NUMBERS);
    for (int k = 0; k < n_on; k++)
        for (int i = 0; i < part / ROW_NUMBERS; i++)
            sums[i] = row_add(sums[i], row_load(on[k] + at + i * ROW_NUMBERS));
    for (int k = 0; k < n_off; k++)
        for (int i = 0; i < part / ROW_NUMBERS; i++)
            sums[i] = row_sub(sums[i], row_load(off[k] + at + i * ROW_NUMBERS));
    for (int i = 0; i < part / ROW_NUMBERS; i++)
        row_store(out + at + i * ROW_NUMBERS, sums[i]);
}
static inline void rows_many(int16_t *out, const int16_t *start, const int16_t *const *on, int n_on,
                             const int16_t *const *off, int n_off, int width)
{
    int i = 0;
    for (; i + 64 <= width; i += 64)
        part_many(out, start, on, n_on, off, n_off, i, 64);
    if (i < width)
        part_many(out, start, on, n_on, off, n_off, i, 32);
}
static inline row part_squares(row sum, const int16_t *numbers, const int16_t *weights, int part)
{
    for (int i = 0; i < part; i += ROW_NUMBERS)
        sum = row_squares(sum, row_load(numbers + i), row_load(weights + i));
    return sum;
}
/* The sum of x * x * w over both halves; weights: 2 * width numbers. Several sums run independently. */
static inline int32_t rows_output(const int16_t *ours, const int16_t *theirs, const int16_t *weights, int width)
{
    row a = row_zero(), b = row_zero();
    int i = 0;
    for (; i + 64 <= width; i += 64) {
        a = part_squares(a, ours + i, weights + i, 64);
        b = part_squares(b, theirs + i, weights + width + i, 64);
    }
    if (i < width) {
        a = part_squares(a, ours + i, weights + i, 32);
        b = part_squares(b, theirs + i, weights + width + i, 32);
    }
    return row_total(row_add_sums(a, b));
}

#else /* portable: plain loops, which the compiler turns into what the processor has */
static inline int16_t wrapped(int sum) { return (int16_t)(uint16_t)sum; }
static inline void rows_move(int16_t *out, const int16_t *start, const int16_t *on, const int16_t *off, int width)
{
    for (int i = 0; i < width; i++)
        out[i] = wrapped(start[i] + on[i] - off[i]);
}
static inline void rows_capture(int16_t *out, const int16_t *start, const int16_t *on, const int16_t *off,
                                const int16_t *off2, int width)
{
    for (int i = 0; i < width; i++)
        out[i] = wrapped(start[i] + on[i] - off[i] - off2[i]);
}
static inline void rows_castle(int16_t *out, const int16_t *start, const int16_t *on, const int16_t *on2,
                               const int16_t *off, const int16_t *off2, int width)
{
    for (int i = 0; i < width; i++)
        out[i] = wrapped(start[i] + on[i] + on2[i] - off[i] - off2[i]);
}
static inline void rows_many(int16_t *out, const int16_t *start, const int16_t *const *on, int n_on,
                             const int16_t *const *off, int n_off, int width)
{
    if (out != start)
        memcpy(out, start, (size_t)width * sizeof *out);
    for (int k = 0; k < n_on; k++)
        for (int i = 0; i < width; i++)
            out[i] = wrapped(out[i] + on[k][i]);
    for (int k = 0; k < n_off; k++)
        for (int i = 0; i < width; i++)
            out[i] = wrapped(out[i] - off[k][i]);
}
static inline int32_t squares(const int16_t *numbers, const int16_t *weights, int width)
{
    int32_t sum = 0;
    for (int i = 0; i < width; i++) {
        int x = numbers[i] < 0 ? 0 : numbers[i] > 255 ? 255 : numbers[i];
        sum += x * x * weights[i];
    }
    return sum;
}
static inline int32_t rows_output(const int16_t *ours, const int16_t *theirs, const int16_t *weights, int width)
{
    return squares(ours, weights, width) + squares(theirs, weights + width, width);
}
#endif

#endif
