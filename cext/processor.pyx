"""Detects the builds of the core that this processor can run, for packages that hold several.

This module belongs to none of the builds and runs on any processor. setup.py has the compiler flags of each level.
"""

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 12
    static int runs_v3(void)
    {
        __builtin_cpu_init();
        return __builtin_cpu_supports("x86-64-v3") != 0;
    }
    static int runs_avx512(void)
    {
        __builtin_cpu_init();
        return __builtin_cpu_supports("x86-64-v4") && __builtin_cpu_supports("avx512vbmi")
            && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vnni")
            && __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq");
    }
    #else /* older compilers do not know the names of the levels */
    static int runs_v3(void) { return 0; }
    static int runs_avx512(void) { return 0; }
    #endif
    """
    bint runs_v3()
    bint runs_avx512()


def levels():
    """Names of the levels that the processor and the system can run, the fastest first."""
    found = ["portable"]
    if runs_v3():
        found.insert(0, "x86-64-v3")
    if runs_avx512():
        found.insert(0, "avx512")
    return found
