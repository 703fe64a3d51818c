"""The rules of one game, compiled from its definition."""

from libc.stdlib cimport calloc, free

from .plans cimport MAY_CHANGE, PLAN_WORDS, planned
from .squares cimport WORDS, has, put, side_of, type_of
from .steps cimport BLACK_PAWN, WHITE_PAWN, MOST_CASTLES, NO_LINK, STEP_GATE, STEP_MOVES, STEP_TAKES, TYPES, WAYS, Step
from .steps cimport link_of
from ..endings.material cimport Traits
from ..base.types cimport *

cdef extern from *:
    const double CROWD "(1.0 / 3)"                    # share of the squares that are occupied
    const double MOBILITY_CP "65.0"
    const double MOBILITY_SQUARE_CP "2.0"

cdef enum:
    SLOTS = 2048                      # most history slots; continuation history takes the square of this


cdef class FairyRules(PlanTables):
    """The tables of one game: never changed after construction, shared by all boards."""

    def __init__(self, int width, int height, list rays, list values, list traits, bytes start,
                 list promotions, int promotion_rank, bint has_hill=False, bint stalemate_loses=False,
                 bint has_baring=False, tuple gates=(), dict laws=None):
        """width, height: up to 16 each. Piece types count from 1; ``rays[type - 1]`` is a list of tuples (right, up,
        second_right, second_up, mode, toggle, extra), the digits as in a definition file. values: centipawns, negative
        for royals, -1 for absolute ones, 0 to value by mobility. traits: (pair bonus, mates, tough, no mating pair,
        colour-bound, centralises) for each type. start: the array, a1 first, 16 more for Black.
        promotions[colour][file]: types, the default first. promotion_rank: in the side's own view, from 0. has_baring:
        whether a bare side loses unless it bares the other one at once. gates: up to two types that wait in hand. laws:
        the rules that lines beyond Fairy-Max's format state (``apply_laws``).

        Raises ValueError if a number is out of range.
        """
        if not (2 <= width <= 16 and 4 <= height <= 16 and 3 <= len(rays) <= 15 and len(values) == len(rays)):
            raise ValueError("expected a board of up to 16x16 and 3 to 15 piece types")
        if len(start) != width * height:
            raise ValueError(f"expected an array of {width * height} squares, found {len(start)}")
        self.shape(width, height)
        self.has_hill = has_hill
        self.stalemate_loses = stalemate_loses
        self.apply_gates(gates, laws or {})
        self.baring = BARED_REPLIES if has_baring else (laws or {}).get("bare", NO_BARING)
        self.apply_laws(laws or {})
        self.compile_types(rays, (laws or {}).get("mirrored", {}))
        self.plan_moves()
        self._mark_plans_of_forms()
        self._value_types(values, traits)
        self._mark_promotions(promotions, promotion_rank, bool(laws and laws.get("may_promote")))
        self._mark_start(start)
        if has_hill:
            self._mark_hill()
        if self.explodes:
            self._mark_lone_mates()
        self._size_up()

    cdef int apply_laws(self, dict laws) except -1:
        """Fill in rules by name.

        homes: the first and last rank, from 0 in the side's own view, where a pawn counts as unmoved. partners: for
        castling to the left, then to the right, a list of the partner's square for each square, or that square itself.
        limits: for each colour, a number for every type, from 0. goals: White's and Black's rank, from 0. extinct,
        facing and counted: sets of types. hands: the arguments of ``apply_hands``. explosion: the types that survive an
        explosion beside them. zones: for a type, bits of the squares on which it may stand. areas: for a type, pairs of
        such bits and rays that must not leave these squares. mirrored: for a type, Black's rays. forms: the arguments
        of ``apply_forms``. flying: the set of royal types that attack each other along an open file. may_promote: pawns
        may promote on the promotion rank and behind it, and must on the last rank. Others set attributes of their name.
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
        for colour in range(2 if limits else 0):
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
        if "hands" in laws:
            self.apply_hands(laws["hands"])
        self.apply_forms(laws, laws.get("forms", {}))
        if "explosion" in laws:
            self.apply_explosions(laws["explosion"])
        self.apply_zones(laws, laws.get("zones", {}))
        self.facing = 0
        for kinds in laws.get("facing", ()):
            self.facing |= <uint32_t> kinds
        self.counting = laws.get("counting", NO_COUNTING)
        for i, kinds in enumerate(laws.get("counted", ())[:3]):
            self.counted[i] = kinds
        self.sum_up_laws()
        return 0

    cdef int apply_gates(self, tuple gates, dict laws) except -1:
        """Fill in the pieces in hand that may be put on vacated squares. black_gates: Black's types, if they differ.
        gate_squares: bits of these squares; all by default.
        """
        cdef int i, word
        if len(gates) > 2:
            raise ValueError(f"expected at most 2 pieces in hand, found {len(gates)}")
        self.has_gating = len(gates) > 0
        self.gate_mask = (1 << len(gates)) - 1
        for i in range(<int> len(gates)):
            self.gate_type[WHITE][i] = gates[i]
            self.gate_type[BLACK][i] = laws.get("black_gates", gates)[i]
        squares = laws.get("gate_squares", -1)
        for word in range(WORDS):
            self.gates[word] = squares >> (64 * word) & 0xffffffffffffffff
        return 0

    cdef void sum_up_laws(self) noexcept nogil:
        """Set the flags that stand for several rules."""
        self.is_special = (self.has_hill or self.has_goal or self.checks or self.n_extinct or self.mate_wins
                           or self.stalemate != STALEMATE_DRAWS or self.has_points or self.baring != NO_BARING)
        self.only_explodes = self.explodes and not self.is_special
        self.is_special |= self.explodes
        self.ends_by_rule = self.is_special or self.has_passes
        self.adds_moves = self.has_hands or self.has_passes
        self.tries_moves = self.no_checks or self.explodes
        self.hinders = self.tries_moves or self.has_gating
        self.changes_captures = self.has_hands or self.explodes
        self.forbids_exchanges = self.must_capture or self.explodes

    cdef int apply_hands(self, dict hands) except -1:
        """Fill in the rules of hands. held_as: for each colour, the type in hand for every type that it takes.
        squares: for each colour and type, bits of the squares where it may be dropped. single, double, no_mate: sets
        of types.
        forms: for each colour, the form in which a type may be dropped as well, on the squares of this form.
        """
        cdef int colour, type, sq
        self.has_hands = True
        self.single_drops, self.double_drops = hands["single"], hands["double"]
        self.no_mate_drops = hands["no_mate"]
        for colour in range(2):
            for type in range(TYPES):
                self.held_as[colour][type] = hands["held_as"][colour][type]
            for type in range(TYPES - 1, 0, -1):
                squares = hands["squares"][colour][type]
                for sq in range(self.squares):
                    if squares >> sq & 1:
                        put(self.drops[colour][type], sq)
                if squares and type not in hands["forms"][colour].values():
                    self.drop_types[colour][self.n_drop_types[colour]] = <uint8_t> type
                    self.n_drop_types[colour] += 1
                    self.held_type[colour][type] = <uint8_t> type
            for type, form in hands["forms"][colour].items():
                self.held_form[colour][type] = <uint8_t> form
                self.held_type[colour][form] = <uint8_t> type
                self.drops_forms = True
        return 0

    cdef int apply_forms(self, dict laws, dict forms) except -1:
        """Fill in the promoted forms of pieces, and when recurring positions end the game. forms: pairs of a type and
        its form. zones: for each colour, bits of the squares on which a move that begins or ends there may promote.
        must: whether it must promote. back: whether forms turn back in the same way. takes: whether only captures
        promote.
        """
        cdef int colour, word, piece, form
        self.recurrences = laws.get("recurrences", 0)
        self.recurrence_wins = laws.get("recurrence_wins", NO_SIDE)
        self.endless = laws.get("endless", False)
        self.has_forms = len(forms) > 0
        self.must_change, self.turns_back = forms.get("must", False), forms.get("back", False)
        self.takes_to_change = forms.get("takes", False)
        self.promotable[WHITE_PAWN] = self.promotable[BLACK_PAWN] = True
        for piece, form in forms.get("forms", ()):
            self.form_of[piece] = <uint8_t> form
            self.promotable[type_of(piece)] = True
        for colour in range(2 if forms else 0):
            for word in range(WORDS):
                self.form_zone[colour][word] = forms["zones"][colour] >> (64 * word) & 0xffffffffffffffff
        return 0

    cdef int apply_zones(self, dict laws, dict zones) except -1:
        """Fill in the zones of types, which are given as bits of squares, and the rules that belong to them."""
        cdef int type, word
        self.areas = laws.get("areas", {})
        self.flying = laws.get("flying", 0)
        self.perpetual = laws.get("perpetual", False)
        for type in zones:
            for word in range(WORDS):
                self.zones[type][word] = zones[type] >> (64 * word) & 0xffffffffffffffff
        return self.apply_passes(laws)

    cdef int apply_passes(self, dict laws) except -1:
        """Fill in which sides may pass, and how games without a winner are decided. passes: for each colour, whether it
        may pass. points: half points by type. second_points: Black's compensation. barriers, immune: as in
        ``StepTables``.
        """
        cdef int type
        passes, points, immune = laws.get("passes", (False, False)), laws.get("points"), laws.get("immune", {})
        self.may_pass[WHITE], self.may_pass[BLACK] = passes
        self.has_passes = any(passes)
        self.bikjang = laws.get("bikjang", False)
        self.barriers = laws.get("barriers", 0)
        self.has_points = points is not None
        self.second_points = laws.get("second_points", 0)
        for type in range(TYPES):
            self.points[type] = points.get(type, 0) if points else 0
            self.immune[type] = immune.get(type, 0)
        return 0

    cdef int apply_explosions(self, uint32_t spared) except -1:
        """Fill in the rule of explosions. spared: the types, as bits, that survive an explosion beside them."""
        cdef int sq, file, rank
        self.explodes = True
        self.spared = spared
        for sq in range(self.squares):
            for rank in range(max(self.rank_of[sq] - 1, 0), min(self.rank_of[sq] + 2, self.height)):
                for file in range(max(self.file_of[sq] - 1, 0), min(self.file_of[sq] + 2, self.width)):
                    if rank * self.width + file != sq:
                        put(self.around[sq], rank * self.width + file)
        return 0

    def _value_types(self, list values, list traits):
        """Set the traits, victim classes and values of the types; values that are not given follow from mobility."""
        cdef int type, i
        cdef Traits* traits_of
        for type in range(1, self.types + 1):
            self.royal[type] = values[type - 1] < 0
            self.absolute[type] = values[type - 1] == -1
            self.value[type] = <int16_t> (ROYAL_CP if self.absolute[type] else min(abs(values[type - 1]), ROYAL_CP))
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

    def _mark_plans_of_forms(self):
        """Mark the plans of pieces with a promoted form, whose moves near the promotion zone must be walked."""
        cdef int way, sq
        for way in range(WAYS if self.has_forms else 0):
            for sq in range(self.squares if self.promotable[type_of(way)] else 0):
                self.plans[way * self.squares + sq].plain *= MAY_CHANGE

    def _mark_hill(self):
        """The four squares in the middle of the board, by the rules of King of the Hill."""
        for file in (self.width // 2 - 1, self.width // 2):
            for rank in (self.height - 4, self.height - 5):
                put(self.hill, rank * self.width + file)

    def _mark_lone_mates(self):
        """Mark the types that can mate alone where captures explode: from some square a piece of the type attacks a
        royal and each square to which that royal can move. The royal cannot take it. The royal of the piece's
        own side cannot help: beside it the attacked royal would be safe.
        """
        cdef int type, royal, sq, from_sq
        for type in range(BLACK_PAWN + 1, self.types + 1):
            for royal in range(BLACK_PAWN + 1, self.types + 1):
                if self.royal[type] or not self.royal[royal]:
                    continue
                for sq in range(self.squares):
                    for from_sq in range(self.squares):
                        self.mates_alone[type] |= from_sq != sq and self.confines(type, from_sq, royal, sq)

    cdef bint confines(self, int type, int from_sq, int royal, int sq) noexcept nogil:
        """Return whether a piece attacks a royal and every square to which it can move on an empty board."""
        cdef int to
        for to in range(self.squares):
            if to == from_sq or (to != sq and link_of(self, to, royal, sq) == NO_LINK):
                continue
            if link_of(self, to, type, from_sq) == NO_LINK:
                return False
        return True

    # ---- what follows from the array ----

    def _mark_start(self, bytes start):
        """Store the pieces of the array, and mark those that lose rights by moving."""
        cdef int sq, type, i, corner
        cdef bint castler
        for sq in range(self.squares):
            self.start_piece[sq] = start[sq]
        self.lacks_royal[0] = self.lacks_royal[1] = True
        for sq in range(self.squares):
            type = type_of(self.start_piece[sq])
            if type == 0:
                continue
            self.lacks_royal[side_of(self.start_piece[sq])] &= not self.royal[type]
            if self.has_first[type] or (self.has_gating and type > BLACK_PAWN and has(self.gates, sq)):
                put(self.virgin_start, sq)
            for i in range(self.n_castles[type]):
                corner = self.partner[self.castles[type][i].side > 0][sq]
                castler = self.start_piece[corner] and (self.start_piece[corner] ^ self.start_piece[sq]) < 16
                if castler and corner != sq:
                    put(self.virgin_start, sq)
                    put(self.virgin_start, corner)

    def _size_up(self):
        """Set the limits by which boards and workers allocate memory. Raises ValueError for a piece beyond them."""
        cdef int type, sq, i, colour, most = 0, here
        cdef int[2] pieces
        pieces[0] = pieces[1] = 0
        for sq in range(self.squares):
            if self.start_piece[sq]:
                pieces[side_of(self.start_piece[sq])] += 1
        self.piece_limit = max(2 * self.width, pieces[0], pieces[1]) + (2 if self.has_gating else 0)
        self.most_men = pieces[0] + pieces[1]
        if self.has_hands:
            self.piece_limit = self.most_men
        for type in range(1, self.types + 1):
            for sq in range(self.squares):
                here = self._length_of(self.start[type][sq]) + self._length_of(self.first[type][sq])
                if here > MOST_TARGETS:
                    raise ValueError(f"expected at most {MOST_TARGETS} paths of a piece from a square, found {here}")
                if type <= BLACK_PAWN:
                    # Where promotion is optional, a pawn may also stay a pawn.
                    here *= 1 + max([self.n_promotions[colour][i] for colour in range(2) for i in range(self.width)])
                most = max(most, 2 * here if self.has_forms and self.promotable[type] else here)
        most += MOST_CASTLES
        if self.has_gating:
            most *= 3
        self.max_moves = self.piece_limit * most
        if self.has_hands:
            self.max_moves += max(self.n_drop_types[0], self.n_drop_types[1]) * self.squares * (1 + self.drops_forms)
        self.max_moves += self.has_passes
        self.slot_classes = min(self.types, SLOTS // (2 * self.squares))
        for piece in range(32):
            self.first_slot[piece] = self.squares * (
                side_of(piece) * self.slot_classes + type_of(piece) % self.slot_classes)

    def gains_by_areas(self, int type) -> bool:
        """Return whether the piece has at least half as many moves more within its areas than on its other squares."""
        cdef int sq
        inside, outside = [], []
        for sq in range(self.squares):
            if has(self.zones[type], sq):
                is_inside = any([bits >> sq & 1 for bits, _ in self.areas.get(type, ())])
                (inside if is_inside else outside).append(self.mobility(type, sq))
        return bool(inside and outside) and 2 * sum(inside) / len(inside) >= 3 * sum(outside) / len(outside)

    def prospects(self, int type) -> list[float]:
        """The worth on each square of a piece with extra moves within areas, as a multiple of its worth in the array.

        Half of it comes from the moves on that square, half from the best square that the piece can go to.
        """
        cdef int sq, i, _turn
        cdef double best
        cdef const Step* list
        here = [self.mobility(type, sq) for sq in range(self.squares)]
        worth = here
        for _turn in range(self.width + self.height):
            after = []
            for sq in range(self.squares):
                best = 0
                list = &self.steps[self.start[type][sq]]
                for i in range(1, list.empty + 1):
                    if list[i].flags & STEP_MOVES:
                        best = max(best, <double> worth[list[i].to])
                after.append((here[sq] + best) / 2)
            worth = after
        homes = [worth[sq] for sq in range(self.squares) if type_of(self.start_piece[sq]) == type]
        usual = sum(homes) / len(homes) if homes else 0
        return [number / usual if usual else 1.0 for number in worth]

    def _length_of(self, int begin) -> int:
        """Number of steps of a list that can be moves."""
        cdef int i, n = 0
        if begin == 0:
            return 0
        for i in range(1, self.steps[begin].empty + 1):
            n += self.steps[begin + i].flags & (STEP_TAKES | STEP_MOVES) != 0
        return n

    # ---- values of pieces without one in the definition ----

    cdef double mobility(self, int way, int sq) noexcept nogil:
        """Expected number of moves from a square if pieces stand on a third of all squares, half of them enemies."""
        cdef const Step* list = &self.steps[self.start[way][sq]]
        cdef double total = 0.0
        cdef double* chance
        cdef int i, n = list.empty
        chance = <double*> calloc(n + 2, sizeof(double))
        if chance == NULL:
            return 0.0
        if n:
            chance[1] = 1.0
        for i in range(1, n + 1):         # steps only lead to later ones
            total += chance[i] * (CROWD / 2 * (list[i].flags & STEP_TAKES != 0)
                                  + (1 - CROWD) * (list[i].flags & STEP_MOVES != 0))
            if list[i].flags & STEP_GATE:
                chance[list[i].enemy] += chance[i]
                continue
            chance[list[i].empty] += chance[i] * (1 - CROWD)
            chance[list[i].enemy] += chance[i] * CROWD / 2
            chance[list[i].friendly] += chance[i] * CROWD / 2
        free(chance)
        return total

    cdef double mean_mobility(self, int type) noexcept nogil:
        """The mean for the squares on which the piece may stand."""
        cdef double total = 0.0
        cdef int sq, n = 0
        for sq in range(self.squares):
            if has(self.zones[type], sq):
                total += self.mobility(type, sq)
                n += 1
        return total / max(n, 1)

    def mobility_cp(self, int type) -> int:
        """Centipawns by mean mobility, calibrated so that orthodox pieces get about their usual values."""
        mean = self.mean_mobility(type)
        return max(10, min(2000, round(MOBILITY_CP * mean + MOBILITY_SQUARE_CP * mean * mean)))

    # ---- for display and tests ----

    def paths(self, int piece, int sq, bint initial=False) -> list[tuple[int, int, int, int, int]]:
        """The compiled list: (square, rights, next if empty, if enemy, if friend), counted from 1.

        piece: its type, 16 more for Black's, which matters only if its moves are mirrored.
        """
        cdef int i, begin
        if not (0 <= piece < WAYS and 0 < type_of(piece) <= self.types and 0 <= sq < self.squares):
            raise IndexError("no such piece or square")
        begin = self.first[self.way[piece]][sq] if initial else self.start[self.way[piece]][sq]
        if initial and not self.has_first[type_of(piece)]:
            return []
        rows = []
        for i in range(begin + 1, begin + 1 + self.steps[begin].empty):
            step = self.steps[i]
            rows.append((step.to, step.flags, step.empty, step.enemy, step.friendly))
        return rows

    def planned(self, int type, int sq, occupied) -> tuple[int, int] | None:
        """Bits of the squares that a piece may take on and move to if `occupied` are; None without a plain plan."""
        cdef uint64_t[WORDS] pieces
        cdef uint64_t[PLAN_WORDS] takes
        cdef uint64_t[PLAN_WORDS] goes
        cdef int word
        if not (0 < type <= self.types and 0 <= sq < self.squares):
            raise IndexError("no such piece or square")
        if not self.plans[type * self.squares + sq].plain:
            return None
        for word in range(WORDS):
            pieces[word] = occupied >> (64 * word) & 0xffffffffffffffff
        planned(self, &self.plans[type * self.squares + sq], pieces, takes, goes, PLAN_WORDS)
        return int(takes[0]) | int(takes[1]) << 64, int(goes[0]) | int(goes[1]) << 64
