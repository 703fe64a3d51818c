# Memory from the operating system (system.h). Header only.

from libc.stdint cimport int64_t, uint64_t


cdef extern from "system.h" nogil:
    # Allocates memory aligned to a power of two; NULL if there is not enough. aligned_free frees it.
    void* aligned_new(size_t alignment, size_t bytes)
    void aligned_free(void* memory)
    void* pages_new(size_t bytes)
    void pages_free(void* memory, size_t bytes)
    void pages_commit(void* memory, size_t bytes)
    void pages_drop(void* memory, size_t bytes)
    int64_t page_faults()
    uint64_t system_memory()
