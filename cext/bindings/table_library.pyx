"""Loaded R-Mobility tables, and probing them. Python bindings."""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..base.bits cimport popcount
from ..base.board cimport Board, Record
from ..base.clocks cimport thread_seconds
from ..base.types cimport *
from ..chess.chess_board cimport ChessBoard
from ..chess.position cimport Position, occupied_of
from ..tablebases.layout cimport MOST_MEN, Layout, prepare_layout, squares_of
from ..tablebases.library cimport (BLOCK_BITS, PACKED, READY, Library, Plane, Run, Table, add_table, look_up,
                                   look_up_fresh, table_of, unpack_block)
from ..tablebases.verify cimport faults, find_longest, list_positions, set_up
from ..tablebases.stairs cimport code_of
from ..value.oracle cimport Forecast, Oracle

cdef int fill_layout(Layout* layout, pieces) except -1:
    """pieces: (colour, type) in the order of the layout."""
    cdef int i
    memset(layout, 0, sizeof(Layout))
    if not 2 <= len(pieces) <= MOST_MEN:
        raise ValueError(f"expected 2 to {MOST_MEN} men, found {len(pieces)}")
    layout.n_pieces = len(pieces)
    for i in range(layout.n_pieces):
        layout.colour[i], layout.type[i] = pieces[i]
    if not prepare_layout(layout):
        raise ValueError("expected at most three pawns")
    return 0


cdef void free_plane(Plane* plane) noexcept:
    if plane.states != NULL:          # else a Python object owns the symbols
        free(plane.symbols)
    free(plane.states)
    free(plane.offsets)
    free(plane.sums)
    free(plane.starts)
    free(plane.runs)


cdef void free_table(Table* table) noexcept:
    free_plane(&table.values)
    free_plane(&table.plies)
    free(table)


cdef int read_dictionary(Plane* plane, uint32_t n_entries, const uint8_t[::1] text) except -1:
    """Read the runs of each entry and owner: their number (a byte), then a byte and a signed 16-bit number for each."""
    cdef Py_ssize_t at = 0
    cdef uint32_t i, place = 0
    cdef int n
    if n_entries > text.shape[0] // 2:
        raise ValueError("the dictionary is cut short")
    plane.n_entries = n_entries
    plane.starts = <uint32_t*> malloc((2 * <size_t> n_entries + 1) * sizeof(uint32_t))
    plane.runs = <Run*> malloc((text.shape[0] // 3 + 1) * sizeof(Run))
    if plane.starts == NULL or plane.runs == NULL:
        raise MemoryError
    for i in range(2 * n_entries):
        plane.starts[i] = place
        n = text[at] if at < text.shape[0] else 0
        if at + 1 + 3 * n > text.shape[0]:
            raise ValueError("the dictionary is cut short")
        at += 1
        while n:
            plane.runs[place].code = text[at]
            plane.runs[place].number = <int16_t> (text[at + 1] | text[at + 2] << 8)
            place += 1
            at += 3
            n -= 1
    plane.starts[2 * n_entries] = place
    if at != text.shape[0]:
        raise ValueError("the dictionary is too long")
    return 0


cdef int unpack_all(Plane* plane) noexcept nogil:
    cdef int64_t block
    cdef int corrupt = 0
    if plane.states == NULL:
        return 0
    for block in range((plane.size + (1 << BLOCK_BITS) - 1) >> BLOCK_BITS):
        if plane.states[block] == PACKED:
            unpack_block(plane, block)
        corrupt += plane.states[block] != READY
    return corrupt


cdef class TableLibrary(Oracle):
    """Loaded classes, shared by all threads that probe them."""

    def __cinit__(self):
        self.owners = []

    def __dealloc__(self):
        cdef int i
        for i in range(self.library.n_tables):
            free_table(self.library.tables[i])

    def add(self, pieces, values, plies=None):
        """Add a class. values, plies: planes from a `ClassSolver` or from a file.

        A plane is (symbols, bytes per symbol, entries, dictionary). A packed plane is (concatenated blocks, bytes per
        symbol, entries, dictionary, sizes of the blocks, their CRC-32, positions). Raises ValueError for inconsistent
        planes.
        """
        cdef Table* table = <Table*> calloc(1, sizeof(Table))
        if table == NULL:
            raise MemoryError
        try:
            fill_layout(&table.layout, pieces)
            self.fill_plane(&table.values, table.layout.size, values)
            if plies is not None:
                self.fill_plane(&table.plies, table.layout.size, plies)
                table.has_plies = True
            if not add_table(&self.library, table):
                raise ValueError("too many tables")
        except BaseException:
            free_table(table)
            raise

    cdef int fill_plane(self, Plane* plane, int64_t size, source) except -1:
        cdef const uint8_t[::1] data = source[0]
        plane.width = source[1]
        plane.size = size
        if not 1 <= plane.width <= 3:
            raise ValueError(f"expected symbols of one to three bytes, found {plane.width}")
        self.owners.append(source[0])
        if len(source) > 4:
            if source[6] != size:
                raise ValueError(f"expected {size} positions, found {source[6]}")
            self.fill_blocks(plane, data, source[4], source[5])
        else:
            if data.shape[0] != size * plane.width:
                raise ValueError(f"expected {size * plane.width} bytes of symbols, found {data.shape[0]}")
            plane.symbols = <uint8_t*> &data[0]
        read_dictionary(plane, source[2], source[3])
        return 0

    cdef int fill_blocks(self, Plane* plane, const uint8_t[::1] data, sizes, sums) except -1:
        cdef int64_t n = (plane.size + (1 << BLOCK_BITS) - 1) >> BLOCK_BITS, i
        cdef uint64_t offset = 0
        if len(sizes) != n or len(sums) != n or sum(sizes) != data.shape[0]:
            raise ValueError(f"expected {n} blocks of {data.shape[0]} bytes together")
        plane.states = <uint8_t*> calloc(n, 1)
        plane.symbols = <uint8_t*> calloc(plane.size, plane.width)
        plane.offsets = <uint64_t*> malloc((n + 1) * sizeof(uint64_t))
        plane.sums = <uint32_t*> malloc(n * sizeof(uint32_t))
        if plane.states == NULL or plane.symbols == NULL or plane.offsets == NULL or plane.sums == NULL:
            raise MemoryError
        for i in range(n):
            plane.offsets[i] = offset
            plane.sums[i] = sums[i]
            offset += <uint64_t> sizes[i]
        plane.offsets[n] = offset
        plane.packed = &data[0]
        return 0

    cdef bint knows(self, Board board):
        return isinstance(board, ChessBoard)

    cdef bint ask(self, Board board, const Record* record, Forecast* found) noexcept nogil:
        cdef Position* p = (<ChessBoard> board).now()
        cdef bint turned
        cdef const Table* table
        cdef int value
        if p.castling or p.ep_sq != NO_SQUARE or record.code <= 1:
            return False
        table = table_of(&self.library, p.material_key, &turned)
        if table == NULL or not table.has_plies:
            return False
        value = look_up(&self.library, p, record.code, record.owner, &found.plies)
        if value == 0:
            return False
        found.code = code_of(value)
        found.owner = WHITE if value > 0 else BLACK
        found.stands = found.code == record.code and found.owner == record.owner
        return True

    def corrupt_blocks(self) -> int:
        """Unpack all remaining blocks; returns the number of corrupt ones."""
        cdef int i, corrupt = 0
        for i in range(self.library.n_tables):
            with nogil:
                corrupt += unpack_all(&self.library.tables[i].values) + unpack_all(&self.library.tables[i].plies)
        return corrupt

    cdef Table* table_named(self, Layout* layout, material) except NULL:
        """The table of a class, and its layout. Raises LookupError if it is not loaded, ValueError for an impossible
        class.
        """
        cdef bint turned
        cdef Table* table
        fill_layout(layout, material)
        table = table_of(&self.library, layout.material_key, &turned)
        if table == NULL or turned:
            raise LookupError("no such class")
        return table

    def faults(self, material, int64_t first, int64_t last, int64_t step=1, bint whole_game=False):
        """Test a class; return (faults, states tested, number of the first faulty position or None). See verify.pxd.

        first, last, step: the range of positions to test; last may be beyond the end.
        """
        cdef Layout layout
        cdef Table* table = self.table_named(&layout, material)
        cdef int64_t states = 0, bad = -1, wrong
        if step < 1 or first < 0:
            raise ValueError("expected positive numbers")
        with nogil:
            wrong = faults(&self.library, table, first, min(last, table.layout.size), step, whole_game, &states, &bad)
        return wrong, states, bad if bad >= 0 else None

    def positions(self, material, int64_t first, int64_t last):
        """Positions of a class in this range of numbers as packed rows; None if the range begins beyond the end.

        A row holds the side to move, the squares of the men, the goal code and the signed outcome right after a reset,
        a byte each, and the plies in two bytes: see cext/tablebases/verify.pxd.
        """
        cdef Layout layout
        cdef Table* table = self.table_named(&layout, material)
        cdef int64_t size
        cdef uint8_t[::1] out
        last = min(last, table.layout.size)
        if first < 0 or first >= last:
            return None
        rows = bytearray((last - first) * (layout.n_pieces + 5))
        out = rows
        with nogil:
            size = list_positions(&self.library, table, first, last, &out[0])
        return bytes(rows[:size])

    def longest(self, material) -> list:
        """(side to move, outcome, plies, squares) of a position with the most plies, for each outcome after a reset."""
        cdef Layout layout
        cdef Table* table = self.table_named(&layout, material)
        cdef int[2][256] plies
        cdef int64_t[2][256] numbers
        cdef uint8_t[MOST_MEN] squares
        cdef int stm, value
        with nogil:
            find_longest(&self.library, table, plies, numbers)
        found = []
        for stm in range(2):
            for value in range(255, -1, -1):
                if plies[stm][value] >= 0:
                    squares_of(&layout, numbers[stm][value] % (layout.size // 2), squares)
                    found.append((stm, value - 128, plies[stm][value], [squares[i] for i in range(layout.n_pieces)]))
        return found

    def random_look_ups(self, material, int64_t n, uint64_t seed=1):
        """Probe n random positions of a class as the search does: (sum of outcomes, CPU seconds).

        This measures speed, so illegal placements are probed as well.
        """
        cdef Layout layout
        cdef Table* table = self.table_named(&layout, material)
        cdef int64_t total = 0
        cdef double seconds
        with nogil:
            seconds = time_look_ups(&self.library, table, n, seed, &total)
        return total, seconds

    def look_up(self, ChessBoard board not None, record=None):
        """(outcome, plies) of the position, White's view; None if no table covers it.

        record: (code, owner), not weaker than the position's own goal; None for the position's own.
        """
        cdef int plies, value
        cdef Position* p = board.now()
        if p.castling or p.ep_sq != NO_SQUARE:
            return None
        if record is None:
            value = look_up_fresh(&self.library, p, &plies)
        else:
            value = look_up(&self.library, p, record[0], record[1], &plies)
        return (value, plies) if value else None


cdef double time_look_ups(Library* library, Table* table, int64_t n, uint64_t seed, int64_t* total) noexcept nogil:
    """Return the CPU seconds of the probes alone: positions are set up beforehand, a few thousand at a time."""
    cdef Position[4096] positions
    cdef uint8_t[MOST_MEN] squares
    cdef int64_t half = table.layout.size // 2, number
    cdef double seconds = 0, start
    cdef int i
    while n > 0:
        for i in range(4096):
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL
            number = <int64_t> ((seed >> 20) % <uint64_t> table.layout.size)
            squares_of(&table.layout, number % half, squares)
            set_up(&table.layout, number >= half, squares, &positions[i])
            if popcount(occupied_of(&positions[i])) < table.layout.n_pieces:
                positions[i] = positions[(i + 4095) & 4095]
        start = thread_seconds()
        for i in range(4096):
            total[0] += look_up(library, &positions[i], 2 + (i & 15), i >> 4 & 1, NULL)
        seconds += thread_seconds() - start
        n -= 4096
    return seconds
