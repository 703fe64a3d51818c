"""The active inputs of networks for games by definition."""

from ..base.types cimport *
from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport FairyRules
from ..fairy.squares cimport fairy_lsb, side_of, type_of
from ..fairy.steps cimport BLACK_PAWN
from .weights cimport BUCKETS

cimport cython

cdef enum:
    MOST_CHECKS_LEFT = CHECK_INPUTS // 2 - 1


@cython.final
cdef class FairyInputs:
    """The inputs of one game."""

    def __cinit__(self, FairyRules rules not None):
        cdef int us, mirrored, sq, file, rank
        self.rules = rules
        self.kinds = rules.types - 1
        self.first_held = 2 * self.kinds * rules.squares + HAND_INPUTS + CHECK_INPUTS
        self.count = self.first_held + (2 * self.kinds * MOST_COUNTED if rules.has_hands else 0)
        for sq in range(rules.squares):
            self.full += rules.start_piece[sq] != 0
            for us in range(2):
                for mirrored in range(2):
                    file, rank = rules.file_of[sq], rules.rank_of[sq]
                    rank = rules.height - 1 - rank if us == BLACK else rank
                    file = rules.width - 1 - file if mirrored else file
                    self.turned[us][mirrored][sq] = <uint8_t> (rank * rules.width + file)

    cdef int place(self, int perspective, int mirrored, int piece, int sq) noexcept nogil:
        cdef int kind = max(type_of(piece), <int> BLACK_PAWN) - BLACK_PAWN
        return ((side_of(piece) ^ perspective) * self.kinds + kind) * self.rules.squares + (
            self.turned[perspective][mirrored][sq])

    cdef bint mirrors(self, const FairyPosition* p, int perspective) noexcept nogil:
        cdef int word
        if p.n_royals[perspective] != 1:
            return False
        for word in range(self.rules.words):
            if p.royals[perspective][word]:
                return self.rules.file_of[word * 64 + fairy_lsb(p.royals[perspective][word])] < self.rules.width // 2
        return False

    cdef int beside(self, const FairyPosition* p, int perspective, uint16_t* out) noexcept nogil:
        cdef int side, gate, n = 0, first = 2 * self.kinds * self.rules.squares
        for side in range(2):
            for gate in range(2):
                if p.hand[side ^ perspective] >> gate & 1:
                    out[n] = <uint16_t> (first + 2 * side + gate)
                    n += 1
        first += HAND_INPUTS
        for side in range(2 if self.rules.checks else 0):
            out[n] = <uint16_t> (first + side * (MOST_CHECKS_LEFT + 1)
                                 + min(<int> p.checks_left[side ^ perspective], MOST_CHECKS_LEFT))
            n += 1
        return n

    cdef int held(self, int perspective, int side, int type, int n) noexcept nogil:
        cdef int kind = max(type, <int> BLACK_PAWN) - BLACK_PAWN
        return self.first_held + ((side ^ perspective) * self.kinds + kind) * MOST_COUNTED + n

    cdef int all_of(self, const FairyPosition* p, int perspective, uint16_t* out, int room) noexcept nogil:
        cdef int mirrored = self.mirrors(p, perspective), n = self.beside(p, perspective, out), word, sq, side, i, k
        cdef uint64_t rest
        for side in range(2 if self.rules.has_hands else 0):
            for i in range(self.rules.n_drop_types[side]):
                for k in range(min(<int> p.held[side][self.rules.drop_types[side][i]], <int> MOST_COUNTED)):
                    if n < room:
                        out[n] = <uint16_t> self.held(perspective, side, self.rules.drop_types[side][i], k)
                        n += 1
        for word in range(self.rules.words):
            rest = p.occupied[0][word] | p.occupied[1][word]
            while rest and n < room:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                out[n] = <uint16_t> self.place(perspective, mirrored, p.mailbox[sq], sq)
                n += 1
        return n

    cdef int bucket(self, const FairyPosition* p) noexcept nogil:
        """The output bucket, by the share of the starting pieces that are left."""
        cdef int pieces = p.pieces[WHITE] + p.pieces[BLACK]
        return max(0, min((pieces - 2) * BUCKETS // max(self.full - 1, 1), BUCKETS - 1))
