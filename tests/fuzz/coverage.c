/* Coverage for libFuzzer, loaded before all else.

   In the compiled core, gcc calls __sanitizer_cov_trace_pc at every basic block, and libFuzzer reads arrays of counters.
   Two blocks may share a counter. For Python code, atheris registers its counters by functions that the address
   sanitizer also defines, with empty bodies; these are forwarded to libFuzzer's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#define COUNTERS (1 << 16)

uint8_t standstill_counters[COUNTERS];

void __sanitizer_cov_trace_pc(void)
{
    uint64_t block = (uint64_t)(uintptr_t)__builtin_return_address(0);
    standstill_counters[block * 0x9e3779b97f4a7c15ULL >> 48]++;
}

static int open_fuzzer(struct dl_phdr_info *info, size_t size, void *handle)
{
    (void)size;
    if (!strstr(info->dlpi_name, "core_with_libfuzzer"))
        return 0;
    *(void **)handle = dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
    return 1;
}

static void *of_fuzzer(const char *name)
{
    static void *handle;
    if (!handle)
        dl_iterate_phdr(open_fuzzer, &handle);
    return handle ? dlsym(handle, name) : 0;
}

#define FORWARD(name, type)                          \
    void name(type a, type b)                        \
    {                                                \
        static void (*target)(type, type);           \
        if (!target)                                 \
            target = (void (*)(type, type))of_fuzzer(#name); \
        if (target && target != name)                \
            target(a, b);                            \
    }

FORWARD(__sanitizer_cov_8bit_counters_init, uint8_t *)
FORWARD(__sanitizer_cov_pcs_init, const uintptr_t *)
FORWARD(__sanitizer_cov_trace_cmp8, uint64_t)
FORWARD(__sanitizer_cov_trace_const_cmp8, uint64_t)
