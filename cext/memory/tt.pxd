# The transposition table (CPW: Transposition Table, Shared Hash Table).
#
# Racy on purpose: threads read and write entries without a lock. The check word is xored with the rest of the entry,
# so an entry torn between two writers does not match its key (CPW: Shared Hash Table, lock-less). A key collision
# (about one in 10^9 probes) can give a wrong score but no illegal move: every table move passes Board.is_legal.

from ..base.types cimport Move, Score, int16_t, uint8_t, uint32_t, uint64_t

cdef struct Entry:                    # 16 bytes, four per cache line
    uint32_t check                    # low half of the key, xored with the three words below
    Move move
    Score score
    int16_t raw_eval                  # centipawns, records ignored; or NO_EVAL
    uint8_t depth                     # plies + 1: 0 is an empty entry
    uint8_t flags                     # bound 2 bits, PV node 1, age 5

cdef struct Probe:                    # result of a probe
    bint hit
    bint pv
    Move move
    Score score                       # relative to the node; see Objective.from_table
    int raw_eval
    int depth
    int bound

cdef enum:
    NO_EVAL = -32768
    CLUSTER = 4

cdef class Table:
    cdef Entry* entries
    cdef uint64_t clusters
    cdef size_t size                  # in bytes
    cdef int age
    cdef readonly int mb
    cdef bint used                    # whether there has been a search since the table was empty
    cdef bint committed               # whether the system has committed its memory

    # `cluster_key` chooses the cluster, `key` the entry in it. They differ where all records of a position share one
    # cluster.
    cdef void probe(self, uint64_t cluster_key, uint64_t key, Probe* found) noexcept nogil
    cdef void store(self, uint64_t cluster_key, uint64_t key, Move move, Score score, int raw_eval, int depth,
                    int bound, bint pv) noexcept nogil
    cdef void prefetch(self, uint64_t cluster_key) noexcept nogil
    cdef void clear(self, int part, int parts) noexcept nogil
    cdef void commit(self, int part, int parts) noexcept nogil
    cdef void new_search(self) noexcept nogil
    cdef int hashfull(self) noexcept nogil
