# Arrays that grow: the owner keeps a pointer and its capacity, and frees the pointer.

from libc.stdlib cimport realloc


cdef inline void* grown(void* items, size_t wanted, size_t* capacity, size_t item_size) except? NULL:
    """Enlarge the array to `wanted` items, at least to twice its capacity, so that filling it takes linear time."""
    cdef size_t larger
    cdef void* moved
    if wanted <= capacity[0]:
        return items
    larger = max(wanted, 2 * capacity[0])
    moved = realloc(items, larger * item_size)
    if moved == NULL:
        raise MemoryError
    capacity[0] = larger
    return moved
