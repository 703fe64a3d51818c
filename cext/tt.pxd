# The transposition table (CPW: Transposition Table, Shared Hash Table). Layer 4.
#
# Racy on purpose: threads read and write entries without a lock. The check word is xored with the rest of the entry,
# so an entry torn between two writers does not match its key (CPW: Shared Hash Table, lock-less). A false match,
# one probe in some 10^9, can cost a cut-off but never an illegal move: every table move passes Board.is_legal.

from .types cimport Move, Score, int16_t, uint8_t, uint32_t, uint64_t

cdef struct Entry:                    # 16 bytes, four a cache line
    uint32_t check                    # low half of the key, xored with the three words below
    Move move
    Score score
    int16_t raw_eval                  # centipawns; knows no record. NO_EVAL: none
    uint8_t depth                     # plies + 1: 0 is an empty entry
    uint8_t flags                     # bound 2 bits, on a principal variation 1, age 5

cdef struct Probe:                    # what was found
    bint hit
    bint pv
    Move move
    Score score                       # relative to the node: Objective.from_table
    int raw_eval
    int depth
    int bound

cdef enum:
    NO_EVAL = -32768
    CLUSTER = 4

cdef class Table:
    cdef Entry* entries
    cdef uint64_t clusters
    cdef size_t size                  # bytes
    cdef int age
    cdef readonly int mb
    cdef bint touched                 # has the memory been written to since it was allotted?

    # `place` chooses the cluster, `key` is what is looked for in it: the same, or all records of a position together.
    cdef void probe(self, uint64_t place, uint64_t key, Probe* found) noexcept nogil
    cdef void store(self, uint64_t place, uint64_t key, Move move, Score score, int raw_eval, int depth, int bound,
                    bint pv) noexcept nogil
    cdef void fetch(self, uint64_t place) noexcept nogil
    cdef void wipe(self) noexcept nogil
    cdef void next_search(self) noexcept nogil
    cdef int permille(self) noexcept nogil
