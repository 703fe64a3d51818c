"""Compiling a game: rays become lists of steps, and links between squares."""

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from ..endings.material cimport Traits
from ..base.types cimport *

cdef extern from *:
    const double CROWD "(1.0 / 3)"                    # share of the squares that are occupied
    const double MOBILITY_CP "65.0"
    const double MOBILITY_SQUARE_CP "2.0"

cdef enum:
    TAKES = 1
    MOVES = 2
    LEAPS = 4
    HOPS = 8
    NO_EP = 4                         # toggle bits of an initial move
    JUMPS = 8
    CYLINDER = 1
    MULTI_PATH = 2
    BEFORE_PLATFORM = 4
    FRIENDLY_PLATFORM = 8
    DELAY_SHIFT = 2
    FROM_THIRD_RANK = 3               # both delay bits on an initial move
    LONGEST_PATH = 64
    MOST_LINES = 0xfffe
    SLOTS = 2048                      # continuation history is the square of this


# ---- from rays to a list of steps ----

cdef bint is_in_list(FairyRules rules, bint initial) noexcept nogil:
    """Does the ray that is being compiled belong to the list of initial moves, or to that of the others?"""
    cdef const Ray* ray = rules.ray
    if ray.mode != LEAPS:
        return not initial
    if rules.type_now > BLACK_PAWN:
        return initial and ray.toggle != TAKES | MOVES           # otherwise it is castling
    return initial or (ray.extra >> DELAY_SHIFT == FROM_THIRD_RANK and rules.own_rank(rules.origin) == 2)


cdef int compile_ray(FairyRules rules, bint initial, bint is_first) except -1:
    """Append the steps of the ray that is being compiled. is_first: of its piece."""
    cdef const Ray* ray = rules.ray
    cdef int delay = ray.extra >> DELAY_SHIFT
    memset(rules.path, 0, sizeof(rules.path))
    rules.depth = 0
    rules.hidden_now = ray.mode & HOPS != 0 or ray.mode == LEAPS or ray.extra & MULTI_PATH != 0
    if ray.extra & MULTI_PATH:
        rules.compile_multi_path(rules.origin)
    elif ray.mode == LEAPS:
        if delay == FROM_THIRD_RANK:
            delay = 1 if initial else 0
        rules.compile_initial(rules.origin, delay, delay == 1 and is_first and rules.height == 10)
    else:
        rules.compile_leg(rules.origin, False, ray.mode, -1 if ray.toggle & HOPS else delay)
    return 0


cdef void redirect(Step* steps, int count, int old, int new) noexcept nogil:
    """Let steps that lead to one place of their list lead to another."""
    cdef int i
    for i in range(count):
        steps[i].empty = <uint16_t> new if steps[i].empty == old else steps[i].empty
        steps[i].enemy = <uint16_t> new if steps[i].enemy == old else steps[i].enemy
        steps[i].friendly = <uint16_t> new if steps[i].friendly == old else steps[i].friendly


# ---- what a list of steps comes to ----

cdef inline int past_ray(const Step* list, int begin) noexcept nogil:
    """The step after the ray that begins here: the farthest that the first step leads to."""
    cdef const Step* step = &list[begin]
    if step.empty == 0 or step.enemy == 0 or step.friendly == 0:
        return list.empty + 1
    return max(max(<int> step.empty, <int> step.enemy), <int> step.friendly)


cdef bint always_takes(const Step* list) noexcept nogil:
    """Is every square on which the man may take reached whatever stands on the board?"""
    cdef int begin = 1, end, i
    while begin <= list.empty:
        end = past_ray(list, begin)
        for i in range(begin + 1, end):
            if list[i].flags & STEP_TAKES:
                return False
        begin = end
    return True


cdef bint is_plain(const Step* list, int sq, int begin, int end) noexcept nogil:
    """Is this ray one leap, or a line on which the man moves and takes, until it meets a man?"""
    cdef int i, after = end if end <= list.empty else 0
    for i in range(begin, end):
        if list[i].empty != (i + 1 if i + 1 < end else after):
            return False
        if list[i].enemy != after or list[i].friendly != after:
            return False
        if end > begin + 1 and list[i].flags != STEP_TAKES | STEP_MOVES:
            return False
        if i > begin and (list[i].to > list[i - 1].to) != (list[begin].to > sq):
            return False
    return True


cdef class FairyRules:
    """The tables of one game: never changed after construction, shared by all boards."""

    def __cinit__(self):
        self.step_room = 1 << 12
        self.steps = <Step*> calloc(self.step_room, sizeof(Step))
        self.line_room = 1 << 10
        self.lines = <Line*> calloc(self.line_room, sizeof(Line))
        if self.steps == NULL or self.lines == NULL:
            raise MemoryError
        self.n_lines = 2              # 0 and 1 are NO_LINK and DIRECT
        self.n_steps = 1              # index 0 means no list

    def __dealloc__(self):
        free(self.steps)
        free(self.lines)
        free(self.links)
        free(self.line_heads)
        free(self.plans)
        free(self.plan_lines)
        free(self.reach_by)

    def __init__(self, int width, int height, list rays, list values, list traits, bytes start,
                 list promotions, int promotion_rank, bint has_hill=False, bint stalemate_loses=False,
                 bint has_baring=False, tuple gates=(), dict laws=None):
        """width, height: up to 16 each. Piece types count from 1; ``rays[type - 1]`` is a list of tuples (right, up,
        second_right, second_up, mode, toggle, extra), the digits as in a definition file. values: centipawns, negative
        for royals, -1 for absolute ones, 0 to value by mobility. traits: (pair bonus, mates, tough, no
        mating pair, colour-bound, centralises) for each type. start: the array, a1 first, 16 more for Black.
        promotions[colour][file]: types, the default first. promotion_rank: from the own side, from 0. gates: types that
        wait in hand. laws: what lines beyond Fairy-Max's format say (``apply_laws``).

        Raises ValueError if a number is out of range.
        """
        cdef int sq
        if not (2 <= width <= 16 and 4 <= height <= 16 and 3 <= len(rays) <= 15 and len(values) == len(rays)):
            raise ValueError("expected a board of up to 16x16 and 3 to 15 piece types")
        if len(start) != width * height:
            raise ValueError(f"expected an array of {width * height} squares, found {len(start)}")
        self.width = width
        self.height = height
        self.squares = width * height
        self.words = (self.squares + 63) >> 6
        for sq in range(self.squares):
            self.file_of[sq] = <uint8_t> (sq % width)
            self.rank_of[sq] = <uint8_t> (sq // width)
        self.types = <int> len(rays)
        self.has_hill = has_hill
        self.stalemate_loses = stalemate_loses
        self.has_baring = has_baring
        self.has_gating = len(gates) == 2
        if self.has_gating:
            self.gate_type[0], self.gate_type[1] = gates
        self.apply_laws(laws or {})
        self._compile_types(rays, values)
        self.plan_moves()
        self._value_types(values, traits)
        self._mark_promotions(promotions, promotion_rank, bool(laws and laws.get("may_promote")))
        self._mark_start(start)
        if has_hill:
            self._mark_hill()
        self._size_up()

    cdef int apply_laws(self, dict laws) except -1:
        """Fill in rules by name.

        homes: first and last own rank, from 0. partners: for each side, leftwards first, a square for every square,
        itself for none. limits: for each colour, a number for every type, from 0. goals: White's and Black's rank, from
        0. extinct, facing and counted: sets of types. The others are what the attributes of these names say;
        ``may_promote`` that pawns may promote on the promotion rank and behind it, and must on the last rank.
        """
        cdef int sq, side, colour, rank, i
        homes = laws.get("homes")
        self.has_homes = homes is not None
        self.last_home = homes[1] if homes else -1
        partners, limits, goals = laws.get("partners"), laws.get("limits"), laws.get("goals")
        for sq in range(self.squares):
            rank = self.rank_of[sq]
            for colour in range(2):
                i = self.height - 1 - rank if colour else rank
                self.home[colour][sq] = homes is not None and homes[0] <= i <= homes[1]
                if goals and goals[colour] == rank:
                    put(self.goal[colour], sq)
            for side in range(2):
                self.partner[side][sq] = rank * self.width + (self.width - 1 if side else 0)
                if partners:
                    self.partner[side][sq] = partners[side][sq]
        self.has_limits = limits is not None
        if limits:
            for colour in range(2):
                for i in range(TYPES):
                    self.limit[colour][i] = limits[colour][i]
        self.has_goal = goals is not None
        self.goal_reply = laws.get("goal_reply", False)
        self.checks = laws.get("checks", 0)
        self.no_checks = laws.get("no_checks", False)
        self.must_capture = laws.get("must_capture", False)
        self.free_castling = laws.get("free_castling", False)
        self.n_extinct = 0
        for kinds in laws.get("extinct", ())[:MOST_KINDS]:
            self.extinct[self.n_extinct] = kinds
            self.n_extinct += 1
        self.extinct_at = laws.get("extinct_at", 0)
        self.extinct_wins = laws.get("extinct_wins", False)
        self.stalemate = laws.get("stalemate", STALEMATE_LOSES if self.stalemate_loses else STALEMATE_DRAWS)
        self.mate_wins = laws.get("mate_wins", False)
        self.facing = 0
        for kinds in laws.get("facing", ()):
            self.facing |= <uint32_t> kinds
        self.counting = laws.get("counting", NO_COUNTING)
        for i, kinds in enumerate(laws.get("counted", ())[:3]):
            self.counted[i] = kinds
        self.is_special = (self.has_hill or self.has_goal or self.checks or self.n_extinct or self.mate_wins
                           or self.stalemate != STALEMATE_DRAWS)
        return 0

    def _compile_types(self, list rays, list values):
        """Compile the steps of every type, and the links between squares that follow from them."""
        cdef int type, i
        self.links = <uint16_t*> calloc(self.squares * TYPES * self.squares, sizeof(uint16_t))
        self.line_heads = <int32_t*> calloc(self.squares * self.squares, sizeof(int32_t))
        if self.links == NULL or self.line_heads == NULL:
            raise MemoryError
        for i in range(self.squares * self.squares):
            self.line_heads[i] = -1
        for type in range(1, self.types + 1):
            self.royal[type] = values[type - 1] < 0
            self.absolute[type] = values[type - 1] == -1
            self.value[type] = <int16_t> (ROYAL_CP if self.absolute[type] else min(abs(values[type - 1]), ROYAL_CP))
            self.compile_type(type, rays[type - 1])
        free(self.line_heads)
        self.line_heads = NULL

    def _value_types(self, list values, list traits):
        """Set values where none are given, traits, and classes of victims."""
        cdef int type, i
        cdef Traits* traits_of
        for type in range(1, self.types + 1):
            if self.value[type] == 0:
                self.value[type] = <int16_t> self.mobility_cp(type)
            traits_of = &self.traits[type]
            (traits_of.bonus, traits_of.mates, traits_of.tough, traits_of.no_pair, traits_of.bound,
             self.centralises[type]) = traits[type - 1]
            traits_of.value = self.value[type]
        for i, type in enumerate(sorted(range(1, self.types + 1), key=lambda number: abs(values[number - 1]))):
            self.victim_class[type] = <uint8_t> (1 + i * 7 // self.types)

    def _mark_promotions(self, list promotions, int promotion_rank, bint may):
        cdef int colour, file, rank, i, own
        for colour in range(2):
            for file in range(self.width):
                choices = promotions[colour][file]
                self.n_promotions[colour][file] = <int> len(choices)
                for i in range(self.n_promotions[colour][file]):
                    self.promotions[colour][file][i] = choices[i]
                for own in range(promotion_rank, self.height if may else promotion_rank + 1):
                    rank = own if colour == WHITE else self.height - 1 - own
                    self.promotes[colour][rank * self.width + file] = (
                        MAY_PROMOTE if may and own < self.height - 1 else MUST_PROMOTE)
                    put(self.promoting[colour], rank * self.width + file)

    def _mark_hill(self):
        """The four squares in the middle of the board, by the rules of King of the Hill."""
        for file in (self.width // 2 - 1, self.width // 2):
            for rank in (self.height - 4, self.height - 5):
                put(self.hill, rank * self.width + file)

    # ---- what follows from the array ----

    def _mark_start(self, bytes start):
        """Store the men of the array, and mark those that lose rights by moving."""
        cdef int sq, type, i, corner
        cdef bint castler
        for sq in range(self.squares):
            self.start_man[sq] = start[sq]
        self.lacks_royal[0] = self.lacks_royal[1] = True
        for sq in range(self.squares):
            type = type_of(self.start_man[sq])
            if type == 0:
                continue
            self.lacks_royal[side_of(self.start_man[sq])] &= not self.royal[type]
            if self.has_first[type] or (self.has_gating and type > BLACK_PAWN):
                put(self.virgin_start, sq)
            for i in range(self.n_castles[type]):
                corner = self.partner[self.castles[type][i].side > 0][sq]
                castler = self.start_man[corner] and (self.start_man[corner] ^ self.start_man[sq]) < 16
                if castler and corner != sq:
                    put(self.virgin_start, sq)
                    put(self.virgin_start, corner)

    def _size_up(self):
        """Set the limits by which boards and workers allocate memory. Raises ValueError for a piece beyond them."""
        cdef int type, sq, i, colour, most = 0, here
        cdef int[2] men
        men[0] = men[1] = 0
        for sq in range(self.squares):
            if self.start_man[sq]:
                men[side_of(self.start_man[sq])] += 1
        self.men_limit = max(2 * self.width, men[0], men[1]) + (2 if self.has_gating else 0)
        for type in range(1, self.types + 1):
            for sq in range(self.squares):
                here = self._length_of(self.start[type][sq]) + self._length_of(self.first[type][sq])
                if here > MOST_TARGETS:
                    raise ValueError(f"expected at most {MOST_TARGETS} paths of a piece from a square, found {here}")
                if type <= BLACK_PAWN:
                    # Where promotion is free a pawn may also stay what it is.
                    here *= 1 + max([self.n_promotions[colour][i] for colour in range(2) for i in range(self.width)])
                most = max(most, here)
        most += MOST_CASTLES
        if self.has_gating:
            most *= 3
        self.max_moves = self.men_limit * most
        self.slot_classes = min(self.types, SLOTS // (2 * self.squares))
        for man in range(32):
            self.first_slot[man] = (side_of(man) * self.slot_classes + type_of(man) % self.slot_classes) * self.squares

    def _length_of(self, int begin) -> int:
        """Steps of a list that can be moves."""
        cdef int i, n = 0
        if begin == 0:
            return 0
        for i in range(1, self.steps[begin].empty + 1):
            n += self.steps[begin + i].flags & (STEP_TAKES | STEP_MOVES) != 0
        return n

    # ---- values of pieces that have none in the definition ----

    cdef double mobility(self, int type, int sq) noexcept nogil:
        """Expected number of moves from a square if men stand on a third of all squares, half of them enemies."""
        cdef const Step* list = &self.steps[self.start[type][sq]]
        cdef double total = 0.0
        cdef double* chance
        cdef int i, n = list.empty
        chance = <double*> calloc(n + 2, sizeof(double))
        if chance == NULL:
            return 0.0
        if n:
            chance[1] = 1.0
        for i in range(1, n + 1):         # every step leads to later ones only
            total += chance[i] * (CROWD / 2 * (list[i].flags & STEP_TAKES != 0)
                                  + (1 - CROWD) * (list[i].flags & STEP_MOVES != 0))
            chance[list[i].empty] += chance[i] * (1 - CROWD)
            chance[list[i].enemy] += chance[i] * CROWD / 2
            chance[list[i].friendly] += chance[i] * CROWD / 2
        free(chance)
        return total

    cdef double mean_mobility(self, int type) noexcept nogil:
        cdef double total = 0.0
        cdef int sq
        for sq in range(self.squares):
            total += self.mobility(type, sq)
        return total / self.squares

    def mobility_cp(self, int type) -> int:
        """Centipawns by mean mobility, so that the orthodox pieces come out near their known values."""
        mean = self.mean_mobility(type)
        return max(10, min(2000, round(MOBILITY_CP * mean + MOBILITY_SQUARE_CP * mean * mean)))

    # ---- rays to steps ----

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
        step = &self.steps[self.n_steps]
        step.to = <uint8_t> to
        step.flags = <uint8_t> flags
        step.empty = step.enemy = step.friendly = NEXT_RAY
        self.n_steps += 1
        if self.n_steps - self.list_start >= NEXT_RAY:
            raise ValueError("a piece has too many paths")
        return self.n_steps - 1 - self.list_start

    cdef int shifted(self, int sq, int right, int up) noexcept nogil:
        """The square that a step leads to, -1 for none."""
        cdef int file = self.file_of[sq] + right, rank = self.rank_of[sq] + up
        if rank < 0 or rank >= self.height:
            return -1
        if file < 0 or file >= self.width:
            if not self.ray.extra & CYLINDER:
                return -1
            file += self.width if file < 0 else -self.width
            if file < 0 or file >= self.width:
                return -1
        return rank * self.width + file

    cdef int compile_type(self, int type, list rays) except -1:
        cdef const Step* steps
        cdef int sq, i
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
            self.compile_list(type, sq, rays, False)
            if self.has_first[type]:
                self.compile_list(type, sq, rays, True)
                steps = &self.steps[self.first[type][sq]]
                for i in range(1, steps.empty + 1):
                    self.first_takes[type] |= steps[i].flags & STEP_TAKES
        self.mark_overlaps(type)
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

    cdef int compile_list(self, int type, int sq, list rays, bint initial) except -1:
        """The list of one type and square. Its place 0 holds the number of its steps in ``empty``."""
        cdef Ray ray
        cdef int begin, end
        self.type_now = type
        self.origin = sq
        self.ray = &ray
        self.grow_steps()
        self.list_start = self.n_steps
        self.n_steps += 1
        for number, row in enumerate(rays):
            ray.right, ray.up, ray.second_right, ray.second_up, ray.mode, ray.toggle, ray.extra = row
            if is_in_list(self, initial):
                begin = self.n_steps
                compile_ray(self, initial, number == 0)
                redirect(&self.steps[begin], self.n_steps - begin, NEXT_RAY, self.n_steps - self.list_start)
        end = self.n_steps - self.list_start
        redirect(&self.steps[self.list_start + 1], end - 1, end, 0)      # behind the last ray nothing comes
        self.steps[self.list_start].empty = <uint16_t> (end - 1)
        if initial:
            self.first[type][sq] = self.list_start
        else:
            self.start[type][sq] = self.list_start
        return 0

    cdef int compile_leg(self, int at, bint second, int mode, int count) except -1:
        """Index of the step that leads on from ``at``, with all that follows it; NEXT_RAY if there is none."""
        cdef int to, index, after = NEXT_RAY, hop_from, next_mode = mode, next_count = count
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
        if to == self.origin:         # back round the cylinder: the man itself stands there
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
            after = self.compile_leg(hop_from, True, mode ^ ray.toggle, -1)
            if not ray.extra & FRIENDLY_PLATFORM:
                self.steps[self.list_start + index].enemy = <uint16_t> after
            if not mode & TAKES:
                self.steps[self.list_start + index].friendly = <uint16_t> after
        memcpy(self.path, path, sizeof(path))
        self.depth -= 1
        return index

    cdef int own_rank(self, int sq) noexcept nogil:
        """Rank of a man of the type that is being compiled, from its own side."""
        return self.rank_of[sq] if self.type_now != BLACK_PAWN else self.height - 1 - self.rank_of[sq]

    cdef int compile_initial(self, int at, int delay, bint both) except -1:
        """Steps that only pass, then one that moves or takes; returns the index of the first."""
        cdef Ray* ray = self.ray
        cdef int to, index, flags
        if delay < 0:
            to = self.shifted(at, ray.second_right, ray.second_up)
            if to < 0:
                return NEXT_RAY
            flags = ray.toggle & (TAKES | MOVES)
            if (self.type_now <= BLACK_PAWN and flags == MOVES and not ray.toggle & NO_EP
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
        """Three steps in any order, two of them equal; the target is reached if one order has a free way."""
        cdef Ray* ray = self.ray
        cdef int order, leg, sq, index, previous, last = -1
        cdef int[3] firsts
        cdef int orders = 0
        cdef int twice_right = ray.second_right, twice_up = ray.second_up
        cdef int once_right = ray.right - 2 * twice_right, once_up = ray.up - 2 * twice_up
        cdef bint single
        memset(self.path, 0, sizeof(self.path))
        for order in range(3):        # the single step comes last, second, first
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
        # Where an order is blocked, the next one is tried.
        for order in range(orders - 1):
            for leg in range(2):
                index = self.list_start + firsts[order] + leg
                self.steps[index].enemy = self.steps[index].friendly = <uint16_t> firsts[order + 1]
        if last >= 0 and ray.mode & TAKES:
            self.add_link(last, True)
        return 0

    # ---- links ----

    cdef int add_link(self, int to, bint hidden) except -1:
        """Record that the type being compiled attacks ``to`` along ``self.path``."""
        cdef uint16_t* link = &self.links[(to * TYPES + self.type_now) * self.squares + self.origin]
        cdef uint64_t mask[WORDS]
        cdef uint64_t any_square = 0
        cdef int i
        memcpy(mask, self.path, sizeof(mask))
        for i in range(WORDS):
            any_square |= mask[i]
        put(self.reach[to], self.origin)
        if link[0] == DIRECT:
            return 0
        if any_square == 0 and not hidden:
            link[0] = DIRECT
            return 0
        if link[0] != NO_LINK:        # with a second path, only the steps can tell
            for i in range(WORDS):
                mask[i] |= self.lines[link[0]].mask[i]
            hidden = True
        link[0] = <uint16_t> self.find_line(self.origin, to, mask, hidden)
        self.has_hidden |= hidden
        return 0

    cdef int find_line(self, int sq, int to, const uint64_t* mask, bint hidden) except -1:
        """Index of this line, which is added if it is new; types that move alike share lines."""
        cdef int32_t* head = &self.line_heads[sq * self.squares + to]
        cdef int at = head[0], i
        cdef bint equal
        while at >= 0:
            equal = self.lines[at].hidden == hidden
            for i in range(WORDS):
                equal &= self.lines[at].mask[i] == mask[i]
            if equal:
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
        memcpy(self.lines[self.n_lines].mask, mask, WORDS * sizeof(uint64_t))
        self.lines[self.n_lines].hidden = hidden
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

    # ---- steps to plans ----

    cdef int plan_moves(self) except -1:
        """Find the lists that are plain leaps and lines, so that their squares are found by masks."""
        cdef int type, sq, target
        cdef Plan* plan
        self.plans = <Plan*> calloc(TYPES * self.squares, sizeof(Plan))
        self.reach_by = <uint64_t*> calloc(self.squares * TYPES * PLAN_WORDS, sizeof(uint64_t))
        if self.plans == NULL or self.reach_by == NULL:
            raise MemoryError
        self.leaping_pawns = True
        for type in range(1, self.types + 1):
            for sq in range(self.squares):
                if type <= BLACK_PAWN:
                    self.leaping_pawns &= always_takes(&self.steps[self.start[type][sq]])
                plan = &self.plans[type * self.squares + sq]
                if self.words > PLAN_WORDS or self.overlaps[type]:
                    continue
                self.plan_list(&self.steps[self.start[type][sq]], sq, plan)
                for target in range(self.squares):
                    if link_of(self, target, type, sq) != NO_LINK:
                        put(&self.reach_by[(target * TYPES + type) * PLAN_WORDS], sq)
        return 0

    cdef int plan_list(self, const Step* list, int sq, Plan* plan) except -1:
        """Fill the plan of one type and square; it stays as it is, not plain, where only the steps can tell."""
        cdef int n = list.empty, begin, end, up
        cdef Plan found
        memset(&found, 0, sizeof(Plan))
        found.first = self.n_plan_lines
        for up in range(1, -1, -1):
            begin = 1
            while begin <= n:
                end = past_ray(list, begin)
                if not is_plain(list, sq, begin, end):
                    self.n_plan_lines = found.first
                    return 0
                if end == begin + 1 and up:
                    if list[begin].flags & STEP_TAKES:
                        put(found.takes, list[begin].to)
                    if list[begin].flags & STEP_MOVES:
                        put(found.moves, list[begin].to)
                elif end > begin + 1 and (list[begin].to > sq) == up:
                    self.add_plan_line(list, begin, end)
                    found.n_up += up
                    found.n_down += 1 - up
                begin = end
        found.plain = True
        plan[0] = found
        return 0

    cdef int add_plan_line(self, const Step* list, int begin, int end) except -1:
        cdef int i
        cdef PlanLine* line
        if self.n_plan_lines == self.plan_line_room:
            line = <PlanLine*> realloc(self.plan_lines, (2 * self.plan_line_room + 64) * sizeof(PlanLine))
            if line == NULL:
                raise MemoryError
            self.plan_lines = line
            self.plan_line_room = 2 * self.plan_line_room + 64
        line = &self.plan_lines[self.n_plan_lines]
        self.n_plan_lines += 1
        memset(line, 0, sizeof(PlanLine))
        for i in range(begin, end):
            put(line.mask, list[i].to)
        return 0

    # ---- for people and tests ----

    def paths(self, int type, int sq, bint initial=False) -> list[tuple[int, int, int, int, int]]:
        """The compiled list: (square, rights, next if empty, if enemy, if friend), counted from 1."""
        cdef int i, begin
        if not (0 < type <= self.types and 0 <= sq < self.squares):
            raise IndexError("no such piece or square")
        begin = self.first[type][sq] if initial else self.start[type][sq]
        if initial and not self.has_first[type]:
            return []
        rows = []
        for i in range(begin + 1, begin + 1 + self.steps[begin].empty):
            step = self.steps[i]
            rows.append((step.to, step.flags, step.empty, step.enemy, step.friendly))
        return rows

    def planned(self, int type, int sq, occupied) -> tuple[int, int] | None:
        """Bits of the squares that a man may take on and move to if these are occupied; None if only the steps tell."""
        cdef uint64_t[WORDS] men
        cdef uint64_t[PLAN_WORDS] takes
        cdef uint64_t[PLAN_WORDS] goes
        cdef int word
        if not (0 < type <= self.types and 0 <= sq < self.squares):
            raise IndexError("no such piece or square")
        if not self.plans[type * self.squares + sq].plain:
            return None
        for word in range(WORDS):
            men[word] = occupied >> (64 * word) & 0xffffffffffffffff
        planned(self, &self.plans[type * self.squares + sq], men, takes, goes, PLAN_WORDS)
        return int(takes[0]) | int(takes[1]) << 64, int(goes[0]) | int(goes[1]) << 64
