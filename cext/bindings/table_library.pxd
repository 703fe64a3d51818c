# Loaded R-Mobility tables.

from libc.stdint cimport int64_t, uint8_t

from ..tablebases.layout cimport Layout
from ..tablebases.library cimport Library, Plane, Table
from ..value.oracle cimport Oracle

# Fills a layout from the (colour, type) of each piece, in the order of the layout. Raises ValueError.
cdef int fill_layout(Layout* layout, pieces) except -1


cdef class TableLibrary(Oracle):
    cdef Library library
    cdef list owners                  # objects that own the memory of the tables

    cdef int fill_plane(self, Plane* plane, int64_t size, source) except -1
    cdef int fill_blocks(self, Plane* plane, const uint8_t[::1] data, sizes, sums) except -1
    cdef Table* table_named(self, Layout* layout, material) except NULL
