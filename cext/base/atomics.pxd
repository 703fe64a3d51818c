# Atomic access to words that several threads read and write. Header only.
#
# Relaxed order suffices everywhere: a flag is only a request, counters are only displayed, and the transposition table
# verifies the entries that it reads.

from .types cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    static inline int load_flag(const int *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    static inline void store_flag(int *p, int v) { __atomic_store_n(p, v, __ATOMIC_RELAXED); }
    static inline uint64_t load_count(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    static inline void store_count(uint64_t *p, uint64_t v) { __atomic_store_n(p, v, __ATOMIC_RELAXED); }
    static inline void add_count(uint64_t *p, uint64_t v) { __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
    """
    int load_flag(const int* p) noexcept nogil
    void store_flag(int* p, int v) noexcept nogil
    uint64_t load_count(const uint64_t* p) noexcept nogil
    void store_count(uint64_t* p, uint64_t v) noexcept nogil
    void add_count(uint64_t* p, uint64_t v) noexcept nogil
