"""Compiles the moves of pieces: rays become lists of steps, and links between squares."""

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from .squares cimport has, put
from ..base.types cimport *

cdef enum:
    TAKES = 1
    MOVES = 2
    LEAPS = 4
    HOPS = 8
    NO_EP = 4                         # toggle bits of an initial move
    JUMPS = 8
    CYLINDER = 1
    MULTI_PATH = 2
    STRAIGHT_FIRST = 4                # with MULTI_PATH: only the path on which straight steps come first
    BEFORE_PLATFORM = 4
    FRIENDLY_PLATFORM = 8
    DELAY_SHIFT = 2
    FROM_THIRD_RANK = 3               # both delay bits on an initial move
    LONGEST_PATH = 64
    MOST_LINES = 0xfffe


# ---- from rays to a list of steps ----

cdef bint is_in_list(StepTables tables, bint initial) noexcept nogil:
    """Return whether the ray being compiled belongs to the list being built, of initial moves or of other moves."""
    cdef const Ray* ray = tables.ray
    if ray.mode != LEAPS:
        return not initial
    if tables.way_now > BLACK_PAWN:
        return initial and ray.toggle != TAKES | MOVES           # otherwise it is castling
    return initial or (ray.extra >> DELAY_SHIFT == FROM_THIRD_RANK and tables.own_rank(tables.origin) == 2)


cdef inline bint takes_over_one(const Ray* ray) noexcept nogil:
    """Return whether the ray takes only beyond one piece of either side, at any distance, on a straight line."""
    cdef int then = ray.mode ^ ray.toggle
    return (ray.mode & HOPS and not ray.mode & (TAKES | LEAPS) and then & TAKES and not then & (HOPS | LEAPS)
            and ray.extra == 0 and ray.second_right == ray.right and ray.second_up == ray.up)


cdef int compile_ray(StepTables tables, bint initial, bint is_first) except -1:
    """Append the steps of the ray that is being compiled. is_first: it is the first ray of its piece."""
    cdef const Ray* ray = tables.ray
    cdef int delay = ray.extra >> DELAY_SHIFT
    memset(tables.path, 0, sizeof(tables.path))
    tables.depth = 0
    tables.over_one_now = takes_over_one(ray)
    tables.hidden_now = (not tables.over_one_now
                         and (ray.mode & HOPS != 0 or ray.mode == LEAPS or ray.extra & MULTI_PATH != 0))
    if ray.extra & MULTI_PATH:
        tables.compile_multi_path(tables.origin)
    elif ray.mode == LEAPS:
        if delay == FROM_THIRD_RANK:
            delay = 1 if initial else 0
        tables.compile_initial(tables.origin, delay, delay == 1 and is_first and tables.height == 10)
    else:
        tables.compile_leg(tables.origin, False, ray.mode, -1 if ray.toggle & HOPS else delay)
    return 0


cdef void redirect(Step* steps, int count, int old, int new) noexcept nogil:
    """Redirect steps from one index of their list to another."""
    cdef int i
    for i in range(count):
        steps[i].empty = <uint16_t> new if steps[i].empty == old else steps[i].empty
        steps[i].enemy = <uint16_t> new if steps[i].enemy == old else steps[i].enemy
        steps[i].friendly = <uint16_t> new if steps[i].friendly == old else steps[i].friendly


cdef bint is_same(const Line* line, const Line* other) noexcept nogil:
    """Return whether two lines between the same two squares are equal."""
    cdef bint equal = (line.hidden == other.hidden and line.over_one == other.over_one
                       and line.no_exchange == other.no_exchange and line.chooses == other.chooses)
    cdef int i
    for i in range(WORDS):
        equal &= line.mask[i] == other.mask[i]
    return equal


cdef class StepTables:
    """The compiled rays of a game's pieces on its board."""

    def __cinit__(self):
        self.step_room = 1 << 12
        self.steps = <Step*> calloc(self.step_room, sizeof(Step))
        self.line_room = 1 << 10
        self.lines = <Line*> calloc(self.line_room, sizeof(Line))
        if self.steps == NULL or self.lines == NULL:
            raise MemoryError
        self.n_lines = 2              # 0 and 1 are NO_LINK and DIRECT
        self.n_steps = 1              # index 0 means no list
        self.areas = {}
        memset(self.zones, 0xff, sizeof(self.zones))
        memset(self.inside, 0xff, sizeof(self.inside))

    def __dealloc__(self):
        free(self.steps)
        free(self.lines)
        free(self.links)
        free(self.line_heads)

    cdef void shape(self, int width, int height) noexcept nogil:
        """Set the size of the board."""
        cdef int sq
        self.width = width
        self.height = height
        self.squares = width * height
        self.words = (self.squares + 63) >> 6
        for sq in range(self.squares):
            self.file_of[sq] = <uint8_t> (sq % width)
            self.rank_of[sq] = <uint8_t> (sq // width)

    # ---- rays to steps ----

    cdef int compile_types(self, list rays, dict mirrored) except -1:
        """Compile the steps of every type, and the links between squares that follow from them.

        mirrored: by type, the rays of Black's pieces where they differ from White's.
        """
        cdef int type, i
        self.types = <int> len(rays)
        self.links = <uint16_t*> calloc(self.squares * WAYS * self.squares, sizeof(uint16_t))
        self.line_heads = <int32_t*> calloc(self.squares * self.squares, sizeof(int32_t))
        if self.links == NULL or self.line_heads == NULL:
            raise MemoryError
        for i in range(self.squares * self.squares):
            self.line_heads[i] = -1
        for type in range(1, self.types + 1):
            self.compile_type(type, rays[type - 1])
            self.way[type] = self.way[16 + type] = <uint8_t> type
            if type in mirrored:
                self.compile_type(16 + type, mirrored[type])
                self.way[16 + type] = <uint8_t> (16 + type)
        free(self.line_heads)
        self.line_heads = NULL
        return 0

    cdef int grow_steps(self) except -1:
        if self.n_steps + 2 < self.step_room:
            return 0
        steps = <Step*> realloc(self.steps, 2 * self.step_room * sizeof(Step))
        if steps == NULL:
            raise MemoryError
        self.steps = steps
        self.step_room *= 2
        return 0

    cdef int add_step(self, int to, int flags) except -1:
        """Append a step; returns its index in the list."""
        cdef Step* step
        self.grow_steps()
        if not has(self.zones[self.way_now], to):
            flags = 0                 # the piece may pass this square, but not stand on it
        step = &self.steps[self.n_steps]
        step.to = <uint8_t> to
        step.flags = <uint8_t> flags
        step.empty = step.enemy = step.friendly = NEXT_RAY
        self.n_steps += 1
        if self.n_steps - self.list_start >= NEXT_RAY:
            raise ValueError("a piece has too many paths")
        return self.n_steps - 1 - self.list_start

    cdef int add_gate(self, int to, int after) except -1:
        """Append the step between the platform on ``to`` and the steps beyond it; returns its index in the list."""
        cdef int index = self.add_step(to, 0)
        cdef Step* step = &self.steps[self.list_start + index]
        step.flags = STEP_GATE
        step.enemy = step.friendly = <uint16_t> after
        self.choosy[self.way_now & 15] = True
        return index

    cdef int shifted(self, int sq, int right, int up) noexcept nogil:
        """The square that a step leads to, or -1."""
        cdef int file = self.file_of[sq] + right, rank = self.rank_of[sq] + up
        if rank < 0 or rank >= self.height:
            return -1
        if file < 0 or file >= self.width:
            if not self.ray.extra & CYLINDER:
                return -1
            file += self.width if file < 0 else -self.width
            if file < 0 or file >= self.width:
                return -1
        return rank * self.width + file if has(self.inside, rank * self.width + file) else -1

    cdef int compile_type(self, int way, list rays) except -1:
        cdef const Step* steps
        cdef int sq, i, type = way & 15
        for row in rays:
            right, up, second_right, _, mode, toggle, _ = row
            if mode != LEAPS:
                continue
            if type > BLACK_PAWN and toggle == TAKES | MOVES:
                # The first step of castling is sideways; other steps with this code have no meaning.
                if up == 0 and abs(right) == 1:
                    self.add_castle(type, right, right + second_right)
            else:
                self.has_first[type] = True
        for sq in range(self.squares):
            self.compile_list(way, sq, rays, False)
            if self.has_first[type]:
                self.compile_list(way, sq, rays, True)
                steps = &self.steps[self.first[way][sq]]
                for i in range(1, steps.empty + 1):
                    self.first_takes[type] |= steps[i].flags & STEP_TAKES
        self.mark_overlaps(type)
        self.choosy[type] |= self.immune[type] != 0
        self.overlaps[type] |= self.choosy[type]     # its moves must be walked
        return 0

    cdef void add_castle(self, int type, int side, int stride) noexcept nogil:
        cdef int i
        for i in range(self.n_castles[type]):
            if self.castles[type][i].side == side and self.castles[type][i].stride == stride:
                return
        if self.n_castles[type] < MOST_CASTLES:
            self.castles[type][self.n_castles[type]].side = <int16_t> side
            self.castles[type][self.n_castles[type]].stride = <int16_t> stride
            self.n_castles[type] += 1

    cdef int compile_list(self, int way, int sq, list rays, bint initial) except -1:
        """Compile the list of a way of moving from a square. Its place 0 holds the number of steps in ``empty``."""
        cdef Ray ray
        cdef int end
        self.way_now = way
        self.origin = sq
        self.ray = &ray
        self.grow_steps()
        self.list_start = self.n_steps
        self.n_steps += 1
        for number, row in enumerate(rays):
            self.compile_row(row, initial, number == 0)
        if not initial:
            self.compile_areas()
            self.add_flights()
        end = self.n_steps - self.list_start
        redirect(&self.steps[self.list_start + 1], end - 1, end, 0)      # no ray follows the last one
        self.steps[self.list_start].empty = <uint16_t> (end - 1)
        if initial:
            self.first[way][sq] = self.list_start
        else:
            self.start[way][sq] = self.list_start
        return 0

    cdef int compile_row(self, tuple row, bint initial, bint is_first) except -1:
        """Append the steps of one ray if it belongs to the list."""
        cdef Ray* ray = self.ray
        cdef int begin = self.n_steps
        ray.right, ray.up, ray.second_right, ray.second_up, ray.mode, ray.toggle, ray.extra = row
        if is_in_list(self, initial):
            compile_ray(self, initial, is_first)
            redirect(&self.steps[begin], self.n_steps - begin, NEXT_RAY, self.n_steps - self.list_start)
        return 0

    cdef int compile_areas(self) except -1:
        """Append the rays that the piece has only within an area; no step of them may leave the area."""
        cdef int word
        for bits, rays in self.areas.get(self.way_now, ()):
            if not bits >> self.origin & 1:
                continue
            for word in range(WORDS):
                self.inside[word] = bits >> (64 * word) & 0xffffffffffffffff
            for row in rays:
                self.compile_row(row, False, False)
        memset(self.inside, 0xff, sizeof(self.inside))
        return 0

    cdef int add_flights(self) except -1:
        """Link a royal to the squares of its file on which an enemy royal may stand, if royals attack each other there.
        """
        cdef int way, sq, type
        cdef bint meets
        if not self.flying >> self.way_now & 1:
            return 0
        self.over_one_now = False
        for way in range(-self.width, self.width + 1, 2 * self.width):
            memset(self.path, 0, sizeof(self.path))
            sq = self.origin + way
            while 0 <= sq < self.squares:
                meets = False
                for type in range(TYPES):
                    meets |= self.flying >> type & 1 and has(self.zones[type], sq)
                # Royals that can move along files are linked already.
                if meets and self.links[(sq * WAYS + self.way_now) * self.squares + self.origin] == NO_LINK:
                    self.connect(sq, False, True)
                put(self.path, sq)
                sq += way
        return 0

    cdef int compile_leg(self, int at, bint second, int mode, int count) except -1:
        """Index of the step that continues from ``at``, compiled with all that follow it; else NEXT_RAY."""
        cdef int to, index, after = NEXT_RAY, hop_from, gate, next_mode = mode, next_count = count
        cdef uint64_t path[WORDS]
        cdef bint next_second = second
        cdef Ray* ray = self.ray
        if second:
            to = self.shifted(at, ray.second_right, ray.second_up)
        else:
            to = self.shifted(at, ray.right, ray.up)
        if to < 0 or self.depth >= LONGEST_PATH:
            return NEXT_RAY
        index = self.add_step(to, mode & (TAKES | MOVES))
        if mode & TAKES and to != self.origin:
            self.add_link(to, self.hidden_now)
        if to == self.origin:         # the ray has gone round the cylinder to the square of the piece itself
            return index
        self.depth += 1
        memcpy(path, self.path, sizeof(path))
        put(self.path, to)
        if not mode & LEAPS:
            if not ray.toggle & HOPS:
                if count == 0:
                    next_second = True
                    next_mode = mode ^ ray.toggle
                next_count = count - 1
            after = self.compile_leg(to, next_second, next_mode, next_count)
            self.steps[self.list_start + index].empty = <uint16_t> after
        if mode & HOPS:
            hop_from = at if ray.extra & BEFORE_PLATFORM else to
            gate = self.add_gate(to, NEXT_RAY) if self.barriers else 0
            after = self.compile_leg(hop_from, True, mode ^ ray.toggle, -1)
            if gate:
                self.steps[self.list_start + gate].enemy = <uint16_t> after
                self.steps[self.list_start + gate].friendly = <uint16_t> after
                after = gate
            if not ray.extra & FRIENDLY_PLATFORM:
                self.steps[self.list_start + index].enemy = <uint16_t> after
            if not mode & TAKES:
                self.steps[self.list_start + index].friendly = <uint16_t> after
        memcpy(self.path, path, sizeof(path))
        self.depth -= 1
        return index

    cdef int own_rank(self, int sq) noexcept nogil:
        """Rank of a piece of the type that is being compiled, from its own side."""
        return self.rank_of[sq] if self.way_now != BLACK_PAWN else self.height - 1 - self.rank_of[sq]

    cdef int compile_initial(self, int at, int delay, bint both) except -1:
        """Append steps that only pass, then one that moves or takes; returns the index of the first."""
        cdef Ray* ray = self.ray
        cdef int to, index, flags
        if delay < 0:
            to = self.shifted(at, ray.second_right, ray.second_up)
            if to < 0:
                return NEXT_RAY
            flags = ray.toggle & (TAKES | MOVES)
            if (self.way_now <= BLACK_PAWN and flags == MOVES and not ray.toggle & NO_EP
                    and self.last_home in (-1, self.own_rank(self.origin))):
                flags |= STEP_DOUBLE | (STEP_BOTH if both else 0)
            index = self.add_step(to, flags)
            if flags & TAKES:
                self.add_link(to, True)
            return index
        to = self.shifted(at, ray.right, ray.up)
        if to < 0:
            return NEXT_RAY
        index = self.add_step(to, 0)
        put(self.path, to)
        self.steps[self.list_start + index].empty = <uint16_t> self.compile_initial(to, delay - 1, both)
        if ray.toggle & JUMPS:
            self.steps[self.list_start + index].enemy = self.steps[self.list_start + index].empty
            self.steps[self.list_start + index].friendly = self.steps[self.list_start + index].empty
        return index

    cdef int compile_multi_path(self, int at) except -1:
        """Compile three steps in any order, two of them equal; one order with a free way is enough. Or compile only the
        order in which the straight steps come first.
        """
        cdef Ray* ray = self.ray
        cdef int order, leg, sq, index, previous, last = -1
        cdef int[3] firsts
        cdef int orders = 0
        cdef int twice_right = ray.second_right, twice_up = ray.second_up
        cdef int once_right = ray.right - 2 * twice_right, once_up = ray.up - 2 * twice_up
        cdef bint single, only = ray.extra & STRAIGHT_FIRST != 0
        cdef int wanted = 0 if once_right and once_up else 2
        memset(self.path, 0, sizeof(self.path))
        for order in range(3):        # the order of the steps: the single step comes last, second or first
            if only and order != wanted:
                continue
            sq = at
            previous = -1
            firsts[orders] = self.n_steps - self.list_start
            for leg in range(3):
                single = leg == 2 - order
                sq = self.shifted(sq, once_right if single else twice_right, once_up if single else twice_up)
                if sq < 0:
                    break
                index = self.add_step(sq, ray.mode & (TAKES | MOVES) if leg == 2 else 0)
                if previous >= 0:
                    self.steps[self.list_start + previous].empty = <uint16_t> index
                previous = index
                if leg < 2:
                    put(self.path, sq)
            if sq < 0:
                self.n_steps = self.list_start + firsts[orders]
                continue
            last = sq
            orders += 1
        # If one order is blocked, the piece tries the next order.
        for order in range(orders - 1):
            for leg in range(2):
                index = self.list_start + firsts[order] + leg
                self.steps[index].enemy = self.steps[index].friendly = <uint16_t> firsts[order + 1]
        if last >= 0 and ray.mode & TAKES:
            self.add_link(last, not only)
        return 0

    # ---- links ----

    cdef int add_link(self, int to, bint hidden) except -1:
        """Record that the type being compiled attacks ``to`` along ``self.path``, if it may stand there."""
        return self.connect(to, hidden, hidden) if has(self.zones[self.way_now], to) else 0

    cdef int connect(self, int to, bint hidden, bint no_exchange) except -1:
        """Record an attack along ``self.path``. no_exchange: exchanges on ``to`` do not follow it."""
        cdef uint16_t* link = &self.links[(to * WAYS + self.way_now) * self.squares + self.origin]
        cdef Line line
        cdef uint64_t any_square = 0
        cdef int i
        memcpy(line.mask, self.path, sizeof(line.mask))
        line.hidden = hidden
        line.no_exchange = no_exchange
        line.over_one = self.over_one_now and not hidden
        line.chooses = line.over_one and self.barriers != 0
        self.has_hoppers |= hidden or line.over_one
        for i in range(WORDS):
            any_square |= line.mask[i]
        put(self.reach[to], self.origin)
        if link[0] == DIRECT:
            return 0
        if any_square == 0 and not hidden:
            link[0] = DIRECT
            return 0
        if link[0] != NO_LINK and not (line.over_one and is_same(&line, &self.lines[link[0]])):
            for i in range(WORDS):
                line.mask[i] |= self.lines[link[0]].mask[i]
            line.hidden = line.no_exchange = True     # a second path makes the link hidden
            line.over_one = line.chooses = False
            self.has_hoppers = True
        link[0] = <uint16_t> self.find_line(self.origin, to, &line)
        return 0

    cdef int find_line(self, int sq, int to, const Line* line) except -1:
        """Index of this line, which is added if it is new; types that move alike share lines."""
        cdef int32_t* head = &self.line_heads[sq * self.squares + to]
        cdef int at = head[0]
        while at >= 0:
            if is_same(line, &self.lines[at]):
                return at
            at = self.lines[at].next
        if self.n_lines == MOST_LINES:
            raise ValueError("the pieces attack in too many ways")
        if self.n_lines == self.line_room:
            lines = <Line*> realloc(self.lines, 2 * self.line_room * sizeof(Line))
            if lines == NULL:
                raise MemoryError
            self.lines = lines
            self.line_room *= 2
        self.lines[self.n_lines] = line[0]
        self.lines[self.n_lines].next = head[0]
        head[0] = self.n_lines
        self.n_lines += 1
        return self.n_lines - 1

    cdef void mark_overlaps(self, int type) noexcept nogil:
        cdef uint64_t taken[WORDS]
        cdef uint64_t moved[WORDS]
        cdef int sq, which, i, begin, to
        for sq in range(self.squares):
            memset(taken, 0, sizeof(taken))
            memset(moved, 0, sizeof(moved))
            for which in range(2 if self.has_first[type] else 1):
                begin = self.first[type][sq] if which else self.start[type][sq]
                for i in range(1, self.steps[begin].empty + 1):
                    to = self.steps[begin + i].to
                    if self.steps[begin + i].flags & STEP_TAKES:
                        self.overlaps[type] |= has(taken, to)
                        put(taken, to)
                    if self.steps[begin + i].flags & STEP_MOVES:
                        self.overlaps[type] |= has(moved, to)
                        put(moved, to)
