"""Looking positions up."""

from libc.stdint cimport int64_t
from ..base.types cimport *
from ..chess.movegen cimport count
from .layout cimport MOST_MEN, number_of, squares_in
from .stairs cimport outcome_of


cdef inline int first_slot(uint64_t key) noexcept nogil:
    return <int> ((key * 0x9E3779B97F4A7C15ULL) >> 55)


cdef uint64_t turned_key(uint64_t key) noexcept nogil:
    """The material with colours exchanged: pieces 1 to 6 are White's, 9 to 14 Black's, four bits each."""
    return key >> 32 | key << 32


cdef void add_place(Library* library, uint64_t key, int place) noexcept nogil:
    cdef int slot = first_slot(key)
    while library.keys[slot]:
        slot = (slot + 1) & (TABLE_SLOTS - 1)
    library.keys[slot] = key
    library.places[slot] = <uint8_t> place


cdef bint add_table(Library* library, Table* table) noexcept nogil:
    cdef uint64_t key = table.layout.material_key
    if library.n_tables == MOST_TABLES:
        return False
    library.tables[library.n_tables] = table
    add_place(library, key, 2 * library.n_tables)
    if turned_key(key) != key:
        add_place(library, turned_key(key), 2 * library.n_tables + 1)
    library.n_tables += 1
    library.most_men = max(library.most_men, table.layout.n_men)
    return True


cdef Table* table_of(const Library* library, uint64_t material_key, bint* turned) noexcept nogil:
    cdef int slot = first_slot(material_key)
    while library.keys[slot] != material_key:
        if library.keys[slot] == 0:
            return NULL
        slot = (slot + 1) & (TABLE_SLOTS - 1)
    turned[0] = library.places[slot] & 1
    return library.tables[library.places[slot] >> 1]


cdef inline int read_plane(const Plane* plane, int64_t number, int code, int owner) noexcept nogil:
    cdef const uint8_t* place = plane.symbols + number * plane.width
    cdef uint32_t entry = place[0], first, last
    if plane.width > 1:
        entry |= <uint32_t> place[1] << 8
        if plane.width > 2:
            entry |= <uint32_t> place[2] << 16
    first = plane.starts[2 * entry + owner]
    last = plane.starts[2 * entry + owner + 1]
    while last > first:
        last -= 1
        if plane.runs[last].code <= code:
            return plane.runs[last].number
    return 0


cdef int look_up(const Library* library, const Position* p, int code, int owner, int* plies) noexcept nogil:
    cdef uint8_t[MOST_MEN] squares
    cdef bint turned
    cdef Table* table
    cdef int64_t number
    cdef int value
    if code <= 1:
        if plies != NULL:
            plies[0] = 0
        return outcome_of(code, owner)
    table = table_of(library, p.material_key, &turned)
    if table == NULL:
        return 0
    squares_in(&table.layout, p, turned, squares)
    number = number_of(&table.layout, p.stm ^ turned, squares)
    value = read_plane(&table.values, number, code, owner ^ turned)
    if plies != NULL:
        plies[0] = read_plane(&table.plies, number, code, owner ^ turned) if value and table.has_plies else 0
    if value == 0:
        return outcome_of(code, owner)
    return -value if turned else value


cdef int look_up_fresh(const Library* library, const Position* p, int* plies) noexcept nogil:
    cdef uint64_t checkers
    cdef int code = 2 * count(p, &checkers)
    return look_up(library, p, code + (checkers == 0), p.stm ^ 1, plies)
