# Arrays that grow: the owner keeps a pointer and its capacity, and frees the pointer.

from libc.stdlib cimport realloc


cdef inline int grow(void** items, size_t wanted, size_t* capacity, size_t item_size) except -1:
    """Make room for `wanted` items; at least twice the old capacity, so that filling an array takes linear time."""
    cdef size_t larger
    cdef void* moved
    if wanted <= capacity[0]:
        return 0
    larger = max(wanted, 2 * capacity[0])
    moved = realloc(items[0], larger * item_size)
    if moved == NULL:
        raise MemoryError
    items[0] = moved
    capacity[0] = larger
    return 0
