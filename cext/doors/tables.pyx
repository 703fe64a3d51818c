"""Solving classes of R-Mobility tables, and looking positions up in them. A door to Python: layer 5."""

import threading
from struct import pack as pack_run

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from posix.time cimport CLOCK_THREAD_CPUTIME_ID, clock_gettime, timespec

from ..base.bits cimport popcount
from ..base.board cimport Board, Record
from ..base.types cimport *
from ..chess.board cimport ChessBoard
from ..chess.position cimport Position, occupied_of
from ..tables.layout cimport MOST_MEN, Layout, prepare_layout, squares_of
from ..tables.library cimport (BLOCK_BITS, PACKED, READY, Library, Plane, Run, Table, add_table, look_up,
                               look_up_fresh, table_of, unpack_block)
from ..tables.slice cimport (NO_MEMORY, NO_TABLE, TOO_FAR, SETTLED, PawnLinks, Slice, close_slice, node_number,
                             open_slice)
from ..tables.solver cimport solve_slice
from ..tables.verify cimport faults, find_longest, list_positions, set_up
from ..tables.stairs cimport BOTH, Stairs, Step, add_stairs, close_stairs, code_of, open_stairs
from ..value.oracle cimport Forecast, Oracle

cdef enum:
    NO_CHAIN = 0xFFFFFFFF             # of a number that is no position, or whose position ends the game


cdef int fill_layout(Layout* layout, men) except -1:
    """men: (colour, man) in the order of the layout."""
    cdef int i
    memset(layout, 0, sizeof(Layout))
    if not 2 <= len(men) <= MOST_MEN:
        raise ValueError(f"expected 2 to {MOST_MEN} men, found {len(men)}")
    layout.n_men = len(men)
    for i in range(layout.n_men):
        layout.colour[i], layout.man[i] = men[i]
    if not prepare_layout(layout):
        raise ValueError("expected at most two pawns")
    return 0


cdef void free_plane(Plane* plane) noexcept:
    if plane.states != NULL:          # otherwise the symbols belong to a Python object
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
    """For each entry and owner: the number of runs in a byte, then for each run a byte and a signed 16-bit number."""
    cdef Py_ssize_t at = 0
    cdef uint32_t i, place = 0
    cdef int n
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
    """Solved classes at hand; shared by all that look positions up."""

    cdef Library library
    cdef list owners                  # of the memory that the tables point to

    def __cinit__(self):
        self.owners = []

    def __dealloc__(self):
        cdef int i
        for i in range(self.library.n_tables):
            free_table(self.library.tables[i])

    def add(self, men, values, plies=None):
        """Add a class. values, plies: planes, as `ClassSolver.planes` gives them or from a file.

        A plane is (symbols, bytes a symbol, entries, dictionary) or, packed, (blocks one behind the other, bytes a
        symbol, entries, dictionary, sizes of the blocks, their CRC-32). Raises ValueError if that does not fit.
        """
        cdef Table* table = <Table*> calloc(1, sizeof(Table))
        if table == NULL:
            raise MemoryError
        try:
            fill_layout(&table.layout, men)
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
        """Unpack everything that is not unpacked yet; the number of blocks that are not as they were written."""
        cdef int i, corrupt = 0
        for i in range(self.library.n_tables):
            with nogil:
                corrupt += unpack_all(&self.library.tables[i].values) + unpack_all(&self.library.tables[i].plies)
        return corrupt

    def faults(self, material, int64_t first, int64_t last, int64_t step=1, bint whole_game=False):
        """(faults, states tested, number of the first faulty position or None) of a class; see cext/tables/verify.pxd.

        first, last, step: which numbers of positions. last may be beyond the end.
        """
        cdef Layout layout
        cdef Table* table
        cdef bint turned
        cdef int64_t states = 0, bad = -1, wrong
        fill_layout(&layout, material)
        table = table_of(&self.library, layout.material_key, &turned)
        if table == NULL or turned:
            raise LookupError("no such class")
        if step < 1 or first < 0:
            raise ValueError("expected positive numbers")
        with nogil:
            wrong = faults(&self.library, table, first, min(last, table.layout.size), step, whole_game, &states, &bad)
        return wrong, states, bad if bad >= 0 else None

    cdef Table* table_named(self, Layout* layout, material) except NULL:
        """The table of a class, and its layout."""
        cdef bint turned
        cdef Table* table
        fill_layout(layout, material)
        table = table_of(&self.library, layout.material_key, &turned)
        if table == NULL or turned:
            raise LookupError("no such class")
        return table

    def positions(self, material, int64_t first, int64_t last):
        """Positions of a class among these numbers as packed rows, None if the numbers begin beyond the end.

        A row has a byte for the side to move, the squares of the men, goal code, signed outcome right after a reset,
        and two bytes of plies: see cext/tables/verify.pxd.
        """
        cdef Layout layout
        cdef Table* table = self.table_named(&layout, material)
        cdef int64_t size
        cdef uint8_t[::1] out
        last = min(last, table.layout.size)
        if first < 0 or first >= last:
            return None
        rows = bytearray((last - first) * (layout.n_men + 5))
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
                    found.append((stm, value - 128, plies[stm][value], [squares[i] for i in range(layout.n_men)]))
        return found

    def random_look_ups(self, material, int64_t n, uint64_t seed=1):
        """Look up n random numbers of a class as the search does: (sum of outcomes, seconds of the processor).

        For measuring: placements that are no positions are looked up like others.
        """
        cdef Layout layout
        cdef Table* table
        cdef bint turned
        cdef int64_t total = 0
        cdef double seconds
        fill_layout(&layout, material)
        table = table_of(&self.library, layout.material_key, &turned)
        if table == NULL or turned:
            raise LookupError("no such class")
        with nogil:
            seconds = time_look_ups(&self.library, table, n, seed, &total)
        return total, seconds

    def look_up(self, ChessBoard board not None, record=None):
        """(outcome, plies) of the position, White's view, None if no table has it.

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


cdef double thread_seconds() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t)
    return t.tv_sec + t.tv_nsec * 1e-9


cdef double time_look_ups(Library* library, Table* table, int64_t n, uint64_t seed, int64_t* total) noexcept nogil:
    """Positions are made first, a few thousand at a time, so that only looking up is measured."""
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
            if popcount(occupied_of(&positions[i])) < table.layout.n_men:
                positions[i] = positions[(i + 4095) & 4095]
        start = thread_seconds()
        for i in range(4096):
            total[0] += look_up(library, &positions[i], 2 + (i & 15), i >> 4 & 1, NULL)
        seconds += thread_seconds() - start
        n -= 4096
    return seconds


cdef class ClassSolver:
    """Solves a class slice by slice; slices that do not depend on each other may be solved in threads."""

    cdef Layout layout
    cdef TableLibrary library
    cdef bint whole_game
    cdef Stairs stairs
    cdef uint32_t** chains            # [slice][node]
    cdef uint32_t** fresh
    cdef object lock
    cdef readonly int64_t positions
    cdef readonly uint64_t evaluations
    cdef readonly list slices         # squares of the pawns of each
    cdef readonly dict counts         # (side to move, outcome): positions on the whole board, longest way in plies

    def __cinit__(self, men, TableLibrary library not None, bint whole_game=False):
        cdef int i
        fill_layout(&self.layout, men)
        self.library = library
        self.whole_game = whole_game
        self.lock = threading.Lock()
        self.counts = {}
        self.chains = <uint32_t**> calloc(self.layout.n_slices, sizeof(void*))
        self.fresh = <uint32_t**> calloc(self.layout.n_slices, sizeof(void*))
        if self.chains == NULL or self.fresh == NULL or not open_stairs(&self.stairs):
            raise MemoryError
        n = self.layout.n_men - self.layout.n_free
        self.slices = [tuple(self.layout.pawns[i][:n]) for i in range(self.layout.n_slices)]

    def __dealloc__(self):
        cdef int i
        for i in range(self.layout.n_slices):
            if self.chains != NULL:
                free(self.chains[i])
            if self.fresh != NULL:
                free(self.fresh[i])
        free(self.chains)
        free(self.fresh)
        close_stairs(&self.stairs)

    def solve(self, int index):
        """Solve a slice. All slices with pawns further on must be solved.

        Raises MemoryError; LookupError if a class that moves lead to is missing; ArithmeticError.
        """
        cdef Slice s
        cdef PawnLinks links
        cdef bint opened
        links.fresh = self.fresh
        links.chains = self.chains
        links.stairs = &self.stairs
        with nogil:
            opened = open_slice(&s, &self.layout, &self.library.library, &links, index, self.whole_game)
            if opened:
                solve_slice(&s)
        if not opened:
            raise MemoryError
        try:
            if s.trouble == NO_MEMORY:
                raise MemoryError
            if s.trouble == NO_TABLE:
                raise LookupError("a class that captures or promotions lead to is not at hand")
            if s.trouble == TOO_FAR:
                raise ArithmeticError("an outcome is more plies away than there is room for")
            if s.trouble:
                raise ArithmeticError("contradicting results")
            with self.lock:
                self.keep(&s)
        finally:
            close_slice(&s)

    cdef int keep(self, Slice* s) except -1:
        cdef uint32_t n = 2 * s.half, i
        cdef uint32_t* chains = <uint32_t*> malloc(n * sizeof(uint32_t))
        cdef uint32_t* fresh = <uint32_t*> malloc(n * sizeof(uint32_t))
        cdef uint32_t* numbers = <uint32_t*> malloc(s.stairs.n * sizeof(uint32_t))
        cdef bint done = chains != NULL and fresh != NULL and numbers != NULL
        with nogil:
            if done:
                done = add_stairs(&self.stairs, &s.stairs, numbers)
            if done:
                for i in range(n):
                    chains[i] = numbers[s.nodes[i].chain]
                    if s.nodes[i].state != SETTLED or s.nodes[i].code <= 1:
                        chains[i] = NO_CHAIN
                    fresh[i] = s.nodes[i].best
        free(numbers)
        if not done:
            free(chains)
            free(fresh)
            raise MemoryError
        self.chains[s.index] = chains
        self.fresh[s.index] = fresh
        self.positions += s.positions
        self.evaluations += s.evaluations
        self.add_counts(s)
        return 0

    cdef int add_counts(self, Slice* s) except -1:
        cdef int stm, value, i, n_pawns = self.layout.n_men - self.layout.n_free
        # Each number stands for itself and its mirror images; equal men have been placed in both orders.
        weight = 4 if n_pawns == 0 else 2
        own = sorted(s.pawns[i] for i in range(n_pawns))
        if n_pawns == 2 and self.layout.like[self.layout.n_free + 1] and sorted(sq ^ 7 for sq in own) == own:
            weight = 1
        couples = sum(self.layout.like[i] for i in range(self.layout.n_free))
        for stm in range(2):
            for value in range(256):
                if s.counts[stm][value]:
                    n, longest = self.counts.get((stm, value - 128), (0, 0))
                    n += weight * s.counts[stm][value] // 2 ** couples
                    self.counts[stm, value - 128] = n, max(longest, s.longest[stm][value])
        return 0

    cdef object runs_of(self, uint32_t chain):
        """((runs of values, runs of plies) for White's record, the same for Black's); a run is (from code, number)."""
        cdef Step step
        steps, result = [], []
        while chain:
            step = self.stairs.steps[chain]
            steps.append((step.code, step.owner, step.value, step.plies))
            chain = step.before
        for owner in range(2):
            values, plies, following = [], [], 0
            for code, whose, value, distance in reversed(steps):
                if whose not in (owner, BOTH):
                    continue
                if values and code != following:
                    values.append((following, 0))
                    plies.append((following, 0))
                values.append((code, value))
                plies.append((code, distance))
                following = -1 if whose == BOTH else code + 1
            if following > 0:
                values.append((following, 0))
                plies.append((following, 0))
            result.append((joined(values), joined(plies)))
        return result

    def planes(self):
        """The planes of values and of plies, each (symbols, bytes a symbol, entries of the dictionary, dictionary).

        Symbols are kept in blocks: first the lowest bytes of all its symbols, then the next. The most frequent entry of
        the dictionary comes first; docs/table-format.md describes it.
        """
        cdef uint32_t chain, n = self.stairs.n
        cdef int64_t* uses = <int64_t*> calloc(n, sizeof(int64_t))
        cdef int64_t* links = <int64_t*> malloc(self.layout.size * sizeof(int64_t))
        try:
            if uses == NULL or links == NULL:
                raise MemoryError
            with nogil:
                self.gather(links, uses)
            values, plies = {}, {}
            own_values, own_plies = {}, {}
            for chain in range(n):
                if uses[chain]:
                    white, black = self.runs_of(chain)
                    own_values[chain] = white[0], black[0]
                    own_plies[chain] = white[1], black[1]
                    values[own_values[chain]] = values.get(own_values[chain], 0) + uses[chain]
                    plies[own_plies[chain]] = plies.get(own_plies[chain], 0) + uses[chain]
            return self.plane(links, own_values, values), self.plane(links, own_plies, plies)
        finally:
            free(uses)
            free(links)

    cdef void gather(self, int64_t* links, int64_t* uses) noexcept nogil:
        """The chain of every number of the class. A number without one takes that before it: this packs best."""
        cdef Layout* layout = &self.layout
        cdef uint8_t[MOST_MEN] squares
        cdef int64_t number, half = layout.size // 2, last = -1
        cdef uint32_t chain
        cdef int stm, slice
        for number in range(layout.size):
            stm = number >= half
            slice = <int> ((number - stm * half) // layout.slice_size)
            squares_of(layout, number - stm * half, squares)
            chain = self.chains[slice][node_number(layout, stm, squares)]
            if chain != NO_CHAIN:
                last = chain
                uses[chain] += 1
            links[number] = last

    cdef object plane(self, const int64_t* links, owned, uses):
        cdef uint32_t n = self.stairs.n
        cdef int64_t size = self.layout.size
        cdef uint32_t* entries = <uint32_t*> calloc(n, sizeof(uint32_t))
        cdef int width
        if entries == NULL:
            raise MemoryError
        try:
            order = sorted(uses, key=lambda runs: (-uses[runs], runs)) or [((), ())]
            places = {runs: place for place, runs in enumerate(order)}
            for chain, runs in owned.items():
                entries[<uint32_t> chain] = places[runs]
            width = 1 if len(order) <= 1 << 8 else 2 if len(order) <= 1 << 16 else 3
            symbols = bytearray(size * width)
            fill_symbols(symbols, width, links, entries, size)
        finally:
            free(entries)
        dictionary = bytearray()
        for pair in order:
            for runs in pair:
                dictionary.append(len(runs))
                for code, value in runs:
                    dictionary += pack_run("<Bh", code, value)
        return bytes(symbols), width, len(order), bytes(dictionary)


cdef int fill_symbols(uint8_t[::1] symbols, int width, const int64_t* links, const uint32_t* entries,
                      int64_t size) except -1:
    cdef int64_t number, start, length
    cdef uint32_t entry
    cdef int i
    with nogil:
        for number in range(size):
            entry = entries[links[number]] if links[number] >= 0 else 0
            start = number >> BLOCK_BITS << BLOCK_BITS
            length = min(<int64_t> 1 << BLOCK_BITS, size - start)
            for i in range(width):
                symbols[start * width + i * length + number - start] = <uint8_t> (entry >> 8 * i)
    return 0


cdef object joined(runs):
    """Runs without those that only say again what holds already."""
    result, number = [], 0
    for code, new in runs:
        if new != number:
            result.append((code, new))
        number = new
    return tuple(result)
