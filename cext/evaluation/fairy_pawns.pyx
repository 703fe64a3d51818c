"""Pawn structure, passed pawns and the royals' shelter in any compiled game.

Whatever the pawn moves of the game, forward means towards the enemy side, and a pawn stops enemy pawns on its own file
and on the files beside it.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport FairyRules
from ..fairy.squares cimport fairy_lsb, has, put, side_of, type_of
from ..fairy.steps cimport BLACK_PAWN, STEP_TAKES, Step
from .fairy_weights cimport *
from ..base.types cimport *

cimport cython

cdef enum:
    WEAK_PROMOTION_CP = 250           # centipawns; if no promotion is worth more than this, a passed pawn counts little

cdef inline void survey_pawns(FairyRules rules, const FairyPosition* p, Survey* survey) noexcept nogil:
    cdef int us, word, sq, file, i
    cdef uint64_t rest
    survey.n = 0
    for us in range(2):
        for file in range(rules.width + 2):
            survey.files[us].enemy_front[file] = -1
            survey.files[us].own_front[file] = -1
            survey.files[us].own_count[file] = 0
    for word in range(rules.words):
        rest = p.occupied[0][word] | p.occupied[1][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if type_of(p.mailbox[sq]) > BLACK_PAWN:
                continue
            us = side_of(p.mailbox[sq])
            i = survey.n
            survey.n += 1
            survey.sq[i] = <uint8_t> sq
            survey.us[i] = <uint8_t> us
            survey.file[i] = <uint8_t> (rules.file_of[sq] + 1)
            survey.own_rank[i] = <uint8_t> own_rank_of(rules, us, sq)
            add_to_files(&survey.files[us], &survey.files[us ^ 1], survey.file[i], survey.own_rank[i], rules.height)


cdef inline void add_to_files(PawnFiles* ours, PawnFiles* theirs, int file, int own_rank, int height) noexcept nogil:
    ours.own_count[file] += 1
    ours.own_front[file] = max(ours.own_front[file], own_rank)
    theirs.enemy_front[file] = max(theirs.enemy_front[file], height - 1 - own_rank)


cdef inline bint is_passed(const PawnFiles* files, int file, int own_rank) noexcept nogil:
    """Return whether no pawn is ahead on this file (counted from 1), and no enemy pawn on the files beside it."""
    return not (files.enemy_front[file] > own_rank or files.enemy_front[file - 1] > own_rank
                or files.enemy_front[file + 1] > own_rank or files.own_front[file] > own_rank)


cdef inline void add_structure(const int* w, FairyPawnEntry* entry, const PawnFiles* files, int us, int sq, int file,
                               int own_rank) noexcept nogil:
    """Doubled, isolated and defended pawns (CPW: Pawn Structure); file counts from 1."""
    cdef int sign = 1 if us == WHITE else -1
    if files.own_count[file] > 1 and files.own_front[file] != own_rank:
        entry.mg[P_STRUCTURE] -= sign * w[F_DOUBLED_MG]
        entry.eg[P_STRUCTURE] -= sign * w[F_DOUBLED_EG]
    if files.own_count[file - 1] == 0 and files.own_count[file + 1] == 0:
        entry.mg[P_STRUCTURE] -= sign * w[F_ISOLATED_MG]
        entry.eg[P_STRUCTURE] -= sign * w[F_ISOLATED_EG]
    if has(entry.attacks[us], sq):
        entry.mg[P_STRUCTURE] += sign * w[F_DEFENDED_MG]
        entry.eg[P_STRUCTURE] += sign * w[F_DEFENDED_EG]


@cython.final
cdef class FairyPawns:
    """The table of one evaluator."""

    def __cinit__(self, FairyRules rules not None):
        self.rules = rules
        self.entries = <FairyPawnEntry*> calloc(FAIRY_PAWN_ENTRIES, sizeof(FairyPawnEntry))
        if self.entries == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.entries)

    cdef int fill_tables(self, const int* w) except -1:
        """w: the weights, which must outlive the table."""
        cdef FairyRules rules = self.rules
        cdef const Step* list
        cdef int us, sq, to_go, gain, part, type, i
        self.w = w
        self.way = max(rules.height - 2, 1)
        for us in range(2):
            for sq in range(rules.squares):
                to_go = self.way_to_go(us, own_rank_of(rules, us, sq))
                gain = self.promotion_gain(us, rules.file_of[sq])
                part = (self.way - to_go + 1) * (self.way - to_go + 1) * gain if to_go > 0 else 0
                self.passed_part[us][sq] = part
                self.passed_mg[us][sq] = w[F_PASSED_MG] * part // (self.way * self.way * 8)
                self.passed_eg[us][sq] = w[F_PASSED_EG] * part // (self.way * self.way * 8)
                self.passed_free[us][sq] = w[F_PASSED_FREE] * part // (self.way * self.way * 8)
        for type in range(1, rules.types + 1):
            for sq in range(rules.squares if rules.royal[type] else 0):
                list = &rules.steps[rules.start[type][sq]]
                put(self.zones[type][sq], sq)
                for i in range(1, list.empty + 1):
                    put(self.zones[type][sq], list[i].to)
        return 0

    cdef int way_to_go(self, int us, int own_rank) noexcept nogil:
        """Number of ranks to the promotion rank; 0 or less on or beyond it."""
        cdef int file = 0, rank
        for rank in range(self.rules.height):
            if self.rules.promotes[us][rank * self.rules.width + file]:
                return (rank if us == WHITE else self.rules.height - 1 - rank) - own_rank
        return 0

    cdef int promotion_gain(self, int us, int file) noexcept nogil:
        """Share of a passed pawn's bonus, in eighths, by the best promotion on this file."""
        cdef int i, best = 0
        for i in range(self.rules.n_promotions[us][file]):
            if not self.rules.royal[self.rules.promotions[us][file][i]]:
                best = max(best, self.rules.value[self.rules.promotions[us][file][i]])
        return 1 if best < WEAK_PROMOTION_CP else min(8, best // 80)

    # ---- the table ----

    cdef const FairyPawnEntry* probe(self, const FairyPosition* p) noexcept nogil:
        cdef FairyPawnEntry* entry = &self.entries[p.pawn_key & (FAIRY_PAWN_ENTRIES - 1)]
        if entry.key != p.pawn_key:
            self.compute(p, entry)
        return entry

    cdef void compute(self, const FairyPosition* p, FairyPawnEntry* entry) noexcept nogil:
        cdef Survey survey
        cdef int i, us
        cdef int[2] royal_sq
        memset(entry, 0, sizeof(FairyPawnEntry))
        entry.key = p.pawn_key
        survey_pawns(self.rules, p, &survey)
        for us in range(2):
            royal_sq[us] = lone_royal(self.rules, p, us)
            if royal_sq[us] >= 0:
                self.add_shelter(p, entry, us, royal_sq[us])
                self.add_files(entry, &survey, us, royal_sq[us])
        for i in range(survey.n):
            self.mark_attacks(p, entry, survey.us[i], survey.sq[i])
        for i in range(survey.n):
            us = survey.us[i]
            add_structure(self.w, entry, &survey.files[us], us, survey.sq[i], survey.file[i], survey.own_rank[i])
            if is_passed(&survey.files[us], survey.file[i], survey.own_rank[i]) and self.passed_part[us][survey.sq[i]]:
                self.add_passed(entry, us, survey.sq[i], royal_sq)

    cdef void mark_attacks(self, const FairyPosition* p, FairyPawnEntry* entry, int us, int sq) noexcept nogil:
        cdef const Step* list = &self.rules.steps[self.rules.start[type_of(p.mailbox[sq])][sq]]
        cdef int i
        for i in range(1, list.empty + 1):
            if list[i].flags & STEP_TAKES:
                put(entry.attacks[us], list[i].to)

    cdef void add_passed(self, FairyPawnEntry* entry, int us, int sq, const int* royal_sq) noexcept nogil:
        """Bonus of a passed pawn, by the squared number of ranks advanced and by the distances of the royals."""
        cdef int sign = 1 if us == WHITE else -1, cp, ahead
        put(entry.passed[us], sq)
        entry.mg[P_PASSED] += sign * self.passed_mg[us][sq]
        entry.eg[P_PASSED] += sign * self.passed_eg[us][sq]
        if royal_sq[0] >= 0 and royal_sq[1] >= 0:
            ahead = sq + (self.rules.width if us == WHITE else -self.rules.width)
            cp = (distance_of(self.rules, royal_sq[us ^ 1], ahead) * self.w[F_PASSED_THEIR_ROYAL]
                  - distance_of(self.rules, royal_sq[us], ahead) * self.w[F_PASSED_OUR_ROYAL])
            entry.eg[P_PASSED] += sign * (cp * self.passed_part[us][sq] // (self.way * self.way * 8))

    cdef void add_files(self, FairyPawnEntry* entry, const Survey* survey, int us, int royal_sq) noexcept nogil:
        """Files beside the only royal: penalties for a missing own pawn and for a near enemy pawn."""
        cdef int royal_rank = own_rank_of(self.rules, us, royal_sq), royal_file = self.rules.file_of[royal_sq] + 1
        cdef int i, file
        cdef int[18] ours
        cdef int cp = 0, ahead
        memset(ours, 0, sizeof(ours))
        for i in range(survey.n):
            file = survey.file[i]
            if abs(file - royal_file) > 1:
                continue
            ahead = own_rank_of(self.rules, us, survey.sq[i]) - royal_rank
            if survey.us[i] == us and ahead > 0:
                ours[file] = 1
            elif survey.us[i] != us and 0 < ahead <= 4:
                cp -= self.w[F_STORM] * (5 - ahead)
        for file in range(max(royal_file - 1, 1), min(royal_file + 1, self.rules.width) + 1):
            cp -= 0 if ours[file] else self.w[F_OPEN_FILE]
        entry.mg[P_SHELTER] += cp if us == WHITE else -cp

    cdef void add_shelter(self, const FairyPosition* p, FairyPawnEntry* entry, int us, int royal_sq) noexcept nogil:
        """Pawns beside the only royal."""
        cdef int word, sq, pawns = 0
        cdef uint64_t rest
        for word in range(self.rules.words):
            rest = p.occupied[us][word] & self.zones[type_of(p.mailbox[royal_sq])][royal_sq][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                pawns += type_of(p.mailbox[sq]) <= BLACK_PAWN
        entry.mg[P_SHELTER] += (1 if us == WHITE else -1) * self.w[F_SHELTER] * min(pawns, 3)
