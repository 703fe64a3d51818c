# Pawn structure and the kings' pawn shelter, kept by pawn key (pawns and kings). CPW: Pawn Hash Table.

from ..chess.position cimport Position
from .chess_weights cimport Trace
from ..base.types cimport WHITE, int32_t, uint64_t

cdef enum:
    PAWN_ENTRIES = 8192               # half a megabyte for each evaluator, which mostly stays in the second-level cache

cdef struct PawnEntry:                # 64 bytes, one cache line
    uint64_t key
    uint64_t passed                   # passed pawns of both colours
    uint64_t attacks[2]               # squares that pawns attack
    uint64_t spans[2]                 # squares that pawns attack now or after stepping forward
    int32_t score                     # packed, White's view
    int32_t reserved[3]


# Score of the pawn structure of `p`; with a trace, its terms are recorded, too.
cdef void fill_pawns(PawnEntry* entry, const Position* p) noexcept nogil
cdef void trace_pawns(PawnEntry* entry, const Position* p, Trace* trace) noexcept nogil


cdef inline PawnEntry* probe_pawns(PawnEntry* table, const Position* p) noexcept nogil:
    cdef PawnEntry* entry = &table[p.pawn_key & (PAWN_ENTRIES - 1)]
    if entry.key != p.pawn_key:
        fill_pawns(entry, p)
    return entry


cdef inline uint64_t shift_forward(uint64_t b, int us) noexcept nogil:
    return b << 8 if us == WHITE else b >> 8


cdef inline uint64_t fill_forward(uint64_t b, int us) noexcept nogil:
    """These squares and all squares in front of them (CPW: Fill Algorithms)."""
    if us == WHITE:
        b |= b << 8
        b |= b << 16
        return b | b << 32
    b |= b >> 8
    b |= b >> 16
    return b | b >> 32


cdef inline int relative_rank(int sq, int us) noexcept nogil:
    return sq >> 3 if us == WHITE else 7 - (sq >> 3)
