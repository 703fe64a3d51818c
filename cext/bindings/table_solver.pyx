"""Solving classes of R-Mobility tables slice by slice. Python bindings.

A solved slice is a run of bytes (slice_bytes) that is used in place, so a class need not fit in memory.
"""

from struct import pack as pack_run

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from ..base.types cimport *
from ..tablebases.layout cimport MOST_MEN, Layout, squares_of
from ..tablebases.slice cimport (ENTER, NO_MEMORY, NO_TABLE, SETTLE, TOO_FAR, TOO_WEAK, Exit, Indices, Node, PawnLinks,
                                 Slice, bound_memory, close_slice, node_number, open_slice, scratch_bytes)
from ..tablebases.solver cimport end_slice, is_solved, push, resume, work_on
from ..tablebases.stairs cimport BOTH, Stairs, Step, add_stairs, close_stairs, open_stairs
from .slice_bytes cimport (NO_CHAIN, Chunks, SliceHead, Statistics, check_in_work, check_solved, sound_numbers,
                           sound_steps)
from .table_library cimport TableLibrary, fill_layout

cdef enum:
    BLOCK_BITS = 15
    CHUNK = 1 << 20                   # nodes restored at a time


cdef class ClassSolver:
    """Solves a class slice by slice; independent slices may be solved in threads or in other processes."""

    cdef Layout layout
    cdef TableLibrary library
    cdef bint whole_game
    cdef const uint32_t** chains      # [slice][node]: the number of its staircase in the slice
    cdef const uint32_t** fresh
    cdef Stairs* stairs               # [slice]: its staircases (steps only), stored within its bytes
    cdef uint32_t** joint             # [slice][staircase]: its number in the class
    cdef Stairs all                   # the staircases of the whole class
    cdef uint32_t* entries[2]         # [values, plies][staircase of the class]: entry of the dictionary
    cdef int widths[2]                # bytes of a symbol
    cdef uint32_t last                # staircase of the last number that encodes a position
    cdef list held                    # the bytes of the slices
    cdef readonly int64_t size        # how many numbers the class has
    cdef readonly int64_t positions
    cdef readonly uint64_t evaluations
    cdef readonly list slices         # for each slice, the squares of its pawns
    cdef readonly dict counts         # (side to move, outcome): (number of positions, most plies to it)

    def __cinit__(self, pieces, TableLibrary library not None, bint whole_game=False):
        cdef int i
        fill_layout(&self.layout, pieces)
        self.library = library
        self.whole_game = whole_game
        self.counts = {}
        self.held = []
        self.size = self.layout.size
        self.chains = <const uint32_t**> calloc(self.layout.n_slices, sizeof(void*))
        self.fresh = <const uint32_t**> calloc(self.layout.n_slices, sizeof(void*))
        self.stairs = <Stairs*> calloc(self.layout.n_slices, sizeof(Stairs))
        self.joint = <uint32_t**> calloc(self.layout.n_slices, sizeof(void*))
        if (self.chains == NULL or self.fresh == NULL or self.stairs == NULL or self.joint == NULL
                or not open_stairs(&self.all)):
            raise MemoryError
        n = self.layout.n_pieces - self.layout.n_free
        self.slices = [tuple(self.layout.placements.pawns[i][:n]) if n else () for i in range(self.layout.n_slices)]

    def __dealloc__(self):
        cdef int i
        for i in range(self.layout.n_slices):
            if self.joint != NULL:
                free(self.joint[i])
        free(<void*> self.chains)
        free(<void*> self.fresh)
        free(self.stairs)
        free(self.joint)
        free(self.entries[0])
        free(self.entries[1])
        close_stairs(&self.all)

    @property
    def slice_numbers(self):
        """How many numbers the solver uses for a slice, with both sides to move."""
        return 2 * <int64_t> self.layout.nodes

    @property
    def scratch_bytes(self):
        """Bytes of mapped memory needed to solve a slice on disk; most of them are never touched."""
        return scratch_bytes(&self.layout)

    def solve(self, int index, sink, keeper=None, scratch=None, size_t resident=0, watch=None):
        """Solve a slice and pass its bytes to ``sink`` in chunks. All slices with further advanced pawns must be
        loaded.

        keeper: every few seconds at most, ``due()`` returns whether to save the work; ``write(chunks)`` saves it, and
        ``read()`` returns the saved work or None. scratch: mapped memory to work in. resident: how many of its bytes
        may stay in memory. watch: called as often with the code of the record (0 while positions are entered) and the
        fraction of the positions that are entered or decided.

        Raises MemoryError; ArithmeticError; LookupError if a class that captures or promotions lead to is missing;
        ValueError if the saved progress belongs to another slice.
        """
        cdef Slice s
        cdef PawnLinks links
        cdef bint opened
        cdef uint8_t[::1] mapped
        cdef uint8_t* memory = NULL
        cdef Chunks chunks = Chunks()
        if scratch is not None:
            mapped = scratch
            if <size_t> mapped.shape[0] < scratch_bytes(&self.layout):
                raise ValueError("expected more scratch memory")
            memory = &mapped[0]
        links.fresh = self.fresh
        links.chains = self.chains
        links.stairs = self.stairs
        with nogil:
            opened = open_slice(&s, &self.layout, &self.library.library, &links, index, self.whole_game, memory,
                                resident)
        if not opened:
            raise MemoryError
        chunks.s = &s
        try:
            self.run(&s, chunks, keeper, watch)
            for chunk in chunks.solved():
                sink(chunk)
        finally:
            chunks.s = NULL
            close_slice(&s)

    cdef int run(self, Slice* s, Chunks chunks, keeper, watch) except -1:
        kept = keeper.read() if keeper is not None else None
        if kept is not None:
            self.restore(s, kept)
            kept = None
        while not is_solved(s):
            with nogil:
                work_on(s)
            if watch is not None:
                if s.place.phase == ENTER:
                    watch(0, s.place.at / (2. * s.half))
                else:
                    waiting = (s.done.n - (s.place.at if s.place.phase == SETTLE else 0)) // 2
                    watch(max(s.place.code, 1), (s.settled + waiting) / <double> max(s.positions, 1))
            if keeper is not None and not is_solved(s) and keeper.due():
                keeper.write(chunks.in_work())
        if s.trouble == NO_MEMORY:
            raise MemoryError
        if s.trouble == NO_TABLE:
            raise LookupError("a class that captures or promotions lead to is missing")
        if s.trouble == TOO_FAR:
            raise ArithmeticError("an outcome is more plies away than the format can hold")
        if s.trouble == TOO_WEAK:
            raise ArithmeticError("a record of more than 62 moves lasts")
        if s.trouble:
            raise ArithmeticError("contradicting results")
        with nogil:
            end_slice(s)
        return 0

    cdef int restore(self, Slice* s, data) except -1:
        """Resume from saved work."""
        cdef const uint8_t[::1] view = data
        cdef const SliceHead* head
        cdef const uint8_t* at
        cdef uint32_t* numbers
        cdef Stairs kept
        cdef bint done
        check_in_work(view, s)
        head = <const SliceHead*> &view[0]
        at = &view[0] + sizeof(SliceHead)
        if view.shape[0] != <Py_ssize_t> (sizeof(SliceHead) + head.steps * sizeof(Step) + head.exits * sizeof(Exit)
                                          + (head.done + head.fresh) * sizeof(uint32_t)
                                          + 2 * <size_t> s.half * sizeof(Node) + 4):
            raise ValueError(f"slice {s.index} is cut short")
        kept.steps = <Step*> at
        kept.n = head.steps
        if not sound_steps(kept.steps, kept.n):
            raise ValueError(f"the staircases of slice {s.index} are damaged")
        numbers = <uint32_t*> malloc(head.steps * sizeof(uint32_t))
        done = numbers != NULL and add_stairs(&s.stairs, &kept, numbers)      # they keep their numbers
        free(numbers)
        at += head.steps * sizeof(Step)
        s.exits = <Exit*> malloc(max(head.exits, <int64_t> 1) * sizeof(Exit))
        if not done or s.exits == NULL:
            raise MemoryError
        memcpy(s.exits, at, head.exits * sizeof(Exit))
        s.n_exits = s.exit_room = head.exits
        at += head.exits * sizeof(Exit)
        s.place = head.place
        s.positions = head.positions
        s.evaluations = head.evaluations
        with nogil:
            at = restore_list(s, &s.done, at, head.done)
            at = restore_list(s, &s.fresh, at, head.fresh)
            restore_nodes(s, at)
            resume(s)
        return 0

    def take(self, int index, data):
        """Validate and load a solved slice. data: its bytes, which must not change from now on.

        Raises ValueError if they belong to another slice, are damaged or contradict themselves.
        """
        cdef const uint8_t[::1] view = data
        cdef const SliceHead* head
        cdef const Statistics* statistics
        cdef const Step* steps
        cdef const uint32_t* chains
        cdef const uint32_t* fresh
        cdef int64_t n = 2 * <int64_t> self.layout.nodes
        cdef Slice s
        cdef bint good
        s.layout = &self.layout
        s.index = index
        s.whole_game = self.whole_game
        s.half = self.layout.nodes
        check_solved(view, &s)
        head = <const SliceHead*> &view[0]
        if view.shape[0] != <Py_ssize_t> (sizeof(SliceHead) + sizeof(Statistics) + head.steps * sizeof(Step)
                                          + 8 * n + 4):
            raise ValueError(f"slice {index} is cut short")
        statistics = <const Statistics*> (&view[0] + sizeof(SliceHead))
        steps = <const Step*> (statistics + 1)
        chains = <const uint32_t*> (steps + head.steps)
        fresh = chains + n
        with nogil:
            good = (sound_steps(steps, head.steps)
                    and sound_numbers(chains, fresh, self.layout.nodes, head.steps, statistics))
        if not good:
            raise ValueError(f"slice {index} contradicts itself")
        self.held.append(data)
        self.stairs[index].steps = <Step*> steps
        self.stairs[index].n = head.steps
        self.chains[index] = chains
        self.fresh[index] = fresh
        self.positions += head.positions
        self.evaluations += head.evaluations
        self.add_counts(index, statistics)

    cdef int add_counts(self, int index, const Statistics* found) except -1:
        cdef int stm, value, n_pawns = self.layout.n_pieces - self.layout.n_free
        # Each number counts once for its own position and once for each mirror image.
        weight = 4 if n_pawns == 0 else 2
        own = sorted(self.slices[index])
        if n_pawns == 2 and self.layout.like[self.layout.n_free + 1] and sorted(sq ^ 7 for sq in own) == own:
            weight = 1
        for stm in range(2):
            for value in range(256):
                if found.counts[stm][value]:
                    n, longest = self.counts.get((stm, value - 128), (0, 0))
                    n += weight * found.counts[stm][value]
                    self.counts[stm, value - 128] = n, max(longest, found.longest[stm][value])
        return 0

    # ---- the class as planes ----

    cdef object runs_of(self, uint32_t chain):
        """((runs of values, runs of plies) for White's record, the same for Black's); a run is (from code, number)."""
        cdef Step step
        steps, result = [], []
        while chain:
            step = self.all.steps[chain]
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

    cdef int join_stairs(self) except -1:
        """Assign consecutive numbers to the staircases of all slices."""
        cdef int i
        for i in range(self.layout.n_slices):
            if self.chains[i] == NULL:
                raise LookupError(f"slice {i} has not been solved")
            if self.joint[i] == NULL:
                self.joint[i] = <uint32_t*> malloc(self.stairs[i].n * sizeof(uint32_t))
                if self.joint[i] == NULL or not add_stairs(&self.all, &self.stairs[i], self.joint[i]):
                    raise MemoryError
        return 0

    def dictionaries(self):
        """(bytes of a symbol, entries, dictionary) of the values, then of the plies. All slices must be loaded.

        The most frequent entry comes first; docs/table-format.md describes a dictionary.
        """
        cdef int64_t* uses
        cdef uint32_t chain
        self.join_stairs()
        uses = <int64_t*> calloc(self.all.n, sizeof(int64_t))
        if uses == NULL:
            raise MemoryError
        try:
            with nogil:
                self.count_uses(uses)
            owned, totals = ({}, {}), ({}, {})
            for chain in range(self.all.n):
                if uses[chain]:
                    white, black = self.runs_of(chain)
                    for kind in range(2):
                        runs = white[kind], black[kind]
                        owned[kind][chain] = runs
                        totals[kind][runs] = totals[kind].get(runs, 0) + uses[chain]
        finally:
            free(uses)
        return tuple([self.dictionary(kind, owned[kind], totals[kind]) for kind in range(2)])

    cdef object dictionary(self, int kind, owned, uses):
        cdef uint32_t* entries = <uint32_t*> calloc(self.all.n, sizeof(uint32_t))
        if entries == NULL:
            raise MemoryError
        free(self.entries[kind])
        self.entries[kind] = entries
        order = sorted(uses, key=lambda runs: (-uses[runs], runs)) or [((), ())]
        places = {runs: place for place, runs in enumerate(order)}
        for chain, runs in owned.items():
            entries[<uint32_t> chain] = places[runs]
        self.widths[kind] = 1 if len(order) <= 1 << 8 else 2 if len(order) <= 1 << 16 else 3
        text = bytearray()
        for pair in order:
            for runs in pair:
                text.append(len(runs))
                for code, value in runs:
                    text += pack_run("<Bh", code, value)
        return self.widths[kind], len(order), bytes(text)

    cdef uint32_t chain_of(self, int64_t number) noexcept nogil:
        """The staircase of the position with this number, or NO_CHAIN."""
        cdef Layout* layout = &self.layout
        cdef uint8_t[MOST_MEN] squares
        cdef int64_t half = layout.size // 2
        cdef int stm = number >= half, slice
        cdef uint32_t chain
        slice = <int> ((number - stm * half) // layout.slice_size)
        squares_of(layout, number - stm * half, squares)
        chain = self.chains[slice][node_number(layout, stm, squares)]
        return chain if chain == NO_CHAIN else self.joint[slice][chain]

    cdef void count_uses(self, int64_t* uses) noexcept nogil:
        cdef int64_t number
        cdef uint32_t chain
        for number in range(self.layout.size):
            chain = self.chain_of(number)
            if chain != NO_CHAIN:
                uses[chain] += 1

    def symbols(self, int64_t first, int64_t last):
        """The symbols of one block: (values, plies). The caller must request the blocks in order, from 0 on.

        The lowest bytes of all symbols come first, then the next higher ones. A number without a position repeats the
        preceding symbol, which compresses best.
        """
        cdef int64_t n = min(last, self.size) - first
        if self.entries[0] == NULL or not 0 < n <= 1 << BLOCK_BITS:
            raise ValueError("expected a block of numbers, after the dictionaries")
        if first == 0:
            self.last = NO_CHAIN
        values, plies = bytearray(n * self.widths[0]), bytearray(n * self.widths[1])
        cdef uint8_t[::1] of_values = values
        cdef uint8_t[::1] of_plies = plies
        with nogil:
            self.fill(first, n, &of_values[0], &of_plies[0])
        return bytes(values), bytes(plies)

    cdef void fill(self, int64_t first, int64_t n, uint8_t* values, uint8_t* plies) noexcept nogil:
        cdef int64_t i
        cdef int k
        cdef uint32_t chain
        for i in range(n):
            chain = self.chain_of(first + i)
            if chain != NO_CHAIN:
                self.last = chain
            if self.last == NO_CHAIN:
                continue              # no position so far: the symbol stays 0, the first entry
            for k in range(self.widths[0]):
                values[k * n + i] = <uint8_t> (self.entries[0][self.last] >> 8 * k)
            for k in range(self.widths[1]):
                plies[k * n + i] = <uint8_t> (self.entries[1][self.last] >> 8 * k)


cdef const uint8_t* restore_list(Slice* s, Indices* list, const uint8_t* at, int64_t n) noexcept nogil:
    """Read a list of n numbers; returns the address after it."""
    cdef int64_t i
    cdef uint32_t item
    for i in range(n):
        memcpy(&item, at + i * sizeof(uint32_t), sizeof(uint32_t))
        push(s, list, item)
        if i & (CHUNK - 1) == 0:
            bound_memory(s)
    return at + n * sizeof(uint32_t)


cdef void restore_nodes(Slice* s, const uint8_t* at) noexcept nogil:
    cdef int64_t first = 0, n, total = 2 * <int64_t> s.half
    while first < total:
        n = min(<int64_t> CHUNK, total - first)
        memcpy(&s.nodes[first], at + first * sizeof(Node), n * sizeof(Node))
        bound_memory(s)
        first += n


cdef object joined(runs):
    """The runs, without those that repeat the number of the run before them."""
    result, number = [], 0
    for code, new in runs:
        if new != number:
            result.append((code, new))
        number = new
    return tuple(result)
