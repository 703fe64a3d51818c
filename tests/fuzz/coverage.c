/* Coverage of the compiled core for libFuzzer: gcc calls the function below at every basic block, and libFuzzer reads
   arrays of counters. Two blocks may share a counter. */
#include <stdint.h>

#define COUNTERS (1 << 16)

uint8_t standstill_counters[COUNTERS];

void __sanitizer_cov_trace_pc(void)
{
    uint64_t block = (uint64_t)(uintptr_t)__builtin_return_address(0);
    standstill_counters[block * 0x9e3779b97f4a7c15ULL >> 48]++;
}
