/* The lanes and rows of simd.h, which includes this file, by the instructions of every ARM64. */
#ifndef STANDSTILL_NEON_H
#define STANDSTILL_NEON_H

#include <arm_neon.h>

/* Lanes 0 and 1, 2 and 3 go up the board, their opposites 4 and 5, 6 and 7 down. */
typedef struct { uint64x2_t up, up2, down, down2; } lanes;

static inline lanes lanes_make(uint64x2_t up, uint64x2_t up2, uint64x2_t down, uint64x2_t down2)
{
    lanes r = {up, up2, down, down2};
    return r;
}
static inline uint64x2_t two_boards(uint64_t a, uint64_t b) { return vcombine_u64(vcreate_u64(a), vcreate_u64(b)); }
static inline int64x2_t two_shifts(int64_t a, int64_t b)
{
    return vcombine_s64(vcreate_s64((uint64_t)a), vcreate_s64((uint64_t)b));
}
static inline lanes lanes_all(uint64_t b)
{
    uint64x2_t v = vdupq_n_u64(b);
    return lanes_make(v, v, v, v);
}
static inline lanes lanes_pair(uint64_t straight, uint64_t diagonal)
{
    uint64x2_t s = vdupq_n_u64(straight), d = vdupq_n_u64(diagonal);
    return lanes_make(s, d, s, d);
}
static inline lanes lanes_and(lanes a, lanes b)
{
    return lanes_make(vandq_u64(a.up, b.up), vandq_u64(a.up2, b.up2), vandq_u64(a.down, b.down),
                      vandq_u64(a.down2, b.down2));
}
static inline lanes lanes_or(lanes a, lanes b)
{
    return lanes_make(vorrq_u64(a.up, b.up), vorrq_u64(a.up2, b.up2), vorrq_u64(a.down, b.down),
                      vorrq_u64(a.down2, b.down2));
}
static inline lanes lanes_without(lanes a, lanes b)
{
    return lanes_make(vbicq_u64(a.up, b.up), vbicq_u64(a.up2, b.up2), vbicq_u64(a.down, b.down),
                      vbicq_u64(a.down2, b.down2));
}
static inline lanes lanes_or_and(lanes a, lanes b, lanes c) { return lanes_or(a, lanes_and(b, c)); }
static inline lanes lanes_opposite(lanes a) { return lanes_make(a.down, a.down2, a.up, a.up2); }
static inline lanes lanes_reachable(void)
{
    return lanes_make(two_boards(ALL_SQUARES, NOT_FILE_A), two_boards(NOT_FILE_A, NOT_FILE_H),
                      two_boards(ALL_SQUARES, NOT_FILE_H), two_boards(NOT_FILE_H, NOT_FILE_A));
}
static inline lanes lanes_rotate(lanes a, int times) /* a shift, by a negative number to the right */
{
    return lanes_make(vshlq_u64(a.up, two_shifts(8 * times, times)), vshlq_u64(a.up2, two_shifts(9 * times, 7 * times)),
                      vshlq_u64(a.down, two_shifts(-8 * times, -times)),
                      vshlq_u64(a.down2, two_shifts(-9 * times, -7 * times)));
}
static inline lanes lanes_knight(uint64_t knights)
{
    uint64x2_t v = vdupq_n_u64(knights);
    return lanes_make(vandq_u64(vshlq_u64(v, two_shifts(17, 15)), two_boards(NOT_FILE_A, NOT_FILE_H)),
                      vandq_u64(vshlq_u64(v, two_shifts(10, 6)), two_boards(NOT_FILES_AB, NOT_FILES_GH)),
                      vandq_u64(vshlq_u64(v, two_shifts(-17, -15)), two_boards(NOT_FILE_H, NOT_FILE_A)),
                      vandq_u64(vshlq_u64(v, two_shifts(-10, -6)), two_boards(NOT_FILES_GH, NOT_FILES_AB)));
}
static inline uint64_t lanes_union(lanes a)
{
    uint64x2_t v = vorrq_u64(vorrq_u64(a.up, a.up2), vorrq_u64(a.down, a.down2));
    return vgetq_lane_u64(v, 0) | vgetq_lane_u64(v, 1);
}
static inline lanes lanes_where(lanes test, lanes a)
{
    return lanes_make(vandq_u64(vtstq_u64(test.up, test.up), a.up), vandq_u64(vtstq_u64(test.up2, test.up2), a.up2),
                      vandq_u64(vtstq_u64(test.down, test.down), a.down),
                      vandq_u64(vtstq_u64(test.down2, test.down2), a.down2));
}
static inline int lanes_any(lanes a) { return lanes_union(a) != 0; }
static inline uint8x16_t byte_counts(uint64x2_t a, uint64x2_t b) /* bits per byte, of both together */
{
    return vaddq_u8(vcntq_u8(vreinterpretq_u8_u64(a)), vcntq_u8(vreinterpretq_u8_u64(b)));
}
static inline int lanes_count(lanes a, lanes b) /* a byte holds at most 8 * 8 */
{
    uint8x16_t up = vaddq_u8(byte_counts(a.up, a.up2), byte_counts(b.up, b.up2));
    uint8x16_t down = vaddq_u8(byte_counts(a.down, a.down2), byte_counts(b.down, b.down2));
    return (int)vaddlvq_u8(vaddq_u8(up, down));
}
static inline void lanes_store_lines(uint64_t *out, lanes a)
{
    vst1q_u64(out, a.up);
    vst1q_u64(out + 2, a.up2);
}
static inline lanes lanes_load_lines(const uint64_t *lines)
{
    uint64x2_t v = vld1q_u64(lines), w = vld1q_u64(lines + 2);
    return lanes_make(v, w, v, w);
}

/* Two registers. SDOT would not help: it multiplies bytes, and these factors have 16 bits. */
typedef int16x8x2_t row;
#define ROW_NUMBERS 16
static inline row row_make(int16x8_t low, int16x8_t high)
{
    row r = {{low, high}};
    return r;
}
static inline row row_load(const int16_t *p) { return row_make(vld1q_s16(p), vld1q_s16(p + 8)); }
static inline void row_store(int16_t *p, row a)
{
    vst1q_s16(p, a.val[0]);
    vst1q_s16(p + 8, a.val[1]);
}
static inline row row_add(row a, row b)
{
    return row_make(vaddq_s16(a.val[0], b.val[0]), vaddq_s16(a.val[1], b.val[1]));
}
static inline row row_sub(row a, row b)
{
    return row_make(vsubq_s16(a.val[0], b.val[0]), vsubq_s16(a.val[1], b.val[1]));
}
static inline row row_zero(void) { return row_make(vdupq_n_s16(0), vdupq_n_s16(0)); }
static inline int16x8_t eight_squares(int16x8_t sum, int16x8_t a, int16x8_t w)
{
    int16x8_t x = vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), vdupq_n_s16(255));
    int16x8_t product = vmulq_s16(x, w);
    int32x4_t low = vmlal_s16(vreinterpretq_s32_s16(sum), vget_low_s16(product), vget_low_s16(x));
    return vreinterpretq_s16_s32(vmlal_high_s16(low, product, x));
}
static inline row row_squares(row sum, row a, row w)
{
    return row_make(eight_squares(sum.val[0], a.val[0], w.val[0]), eight_squares(sum.val[1], a.val[1], w.val[1]));
}
static inline int16x8_t add_sums(int16x8_t a, int16x8_t b)
{
    return vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)));
}
static inline row row_add_sums(row a, row b)
{
    return row_make(add_sums(a.val[0], b.val[0]), add_sums(a.val[1], b.val[1]));
}
static inline int32_t row_total(row sum) { return vaddvq_s32(vreinterpretq_s32_s16(add_sums(sum.val[0], sum.val[1]))); }

#endif
