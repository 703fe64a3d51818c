# Players for games of the core against itself.

from ..base.board cimport Board
from ..search.worker cimport Shared, Worker
from ..value.evaluator cimport Evaluator
from ..value.objective cimport Objective
from ..base.types cimport Move, int16_t, uint64_t
from .sample cimport GameHead

cdef enum:
    MOST_PLIES = 1000                 # limit of a game; the 50-move rule, adjudication or `longest` end it earlier

    LOST = 0                          # results, White's view
    DRAWN = 1
    WON = 2

cdef enum Reason:                     # docs/training-data.md
    GOING_ON = 0
    MATED = 1
    STALEMATED = 2
    REPEATED = 3
    FIFTY = 4
    DEAD = 5
    ADJUDGED_WIN = 6
    ADJUDGED_DRAW = 7
    TOO_LONG = 8
    BY_RULE = 9

cdef struct Played:
    Move move
    int16_t cp                        # side to move's view; mates are MATE_CP less the plies to it


cdef struct Rules:                    # as in rules of docs/training-data.md; scores in centipawns
    uint64_t nodes                    # soft limit
    uint64_t most_nodes               # hard limit
    int opening_cp
    int won_cp
    int won_plies
    int drawn_cp
    int drawn_plies
    int drawn_from
    int longest


cdef class Player(Worker):            # a search that ends after the iteration that exceeds the node limit
    cdef uint64_t soft_nodes


cdef void empty(Player player) noexcept nogil


cdef class Searcher:
    cdef Board board
    cdef Player worker
    cdef Objective objective
    cdef Shared shared
    cdef Rules rules
    cdef uint64_t seed
    cdef readonly uint64_t nodes      # number of all nodes searched
    cdef int given_up
    cdef Move best                    # the best move of the last search

    cdef int equip(self, Board board, Evaluator evaluator, Objective objective, int hash_mb, uint64_t seed,
                   dict rules) except -1
    cdef void forget(self) noexcept nogil
    cdef int think(self) noexcept nogil
    cdef int search(self, Player player) noexcept nogil


cdef class GamePlayer(Searcher):
    cdef readonly int rejected_openings  # number of rejected openings
    cdef Played[MOST_PLIES] plies
    cdef int n_plies, opening
    cdef int least_random, most_random  # limits of the random plies of an opening
    cdef int decided, level           # consecutive plies beyond `won_cp`, negative for Black, and within `drawn_cp`
    cdef int ruled                    # the result, if a rule of the game has ended it
    cdef Move* moves                  # room for the moves of one position

    cdef bint set_up(self, uint64_t* state) except -1
    cdef bint make_opening(self, uint64_t* state) except -1
    cdef void make(self, Move move, int cp) noexcept nogil
    cdef int play_on(self) noexcept nogil
    cdef int ended(self) noexcept nogil
    cdef void count_adjudged(self, int cp) noexcept nogil
    cdef int adjudged(self) noexcept nogil
    cdef int result_of(self, int reason) noexcept nogil
    cdef GameHead head_of(self, int flags) noexcept nogil
    cdef bytes packed(self, int flags)


cdef class ChessPlayer(GamePlayer):
    cdef list starts                  # positions to begin from; empty: the arrays of chess and Chess960

    cdef int set_up_arrays(self, int white, int black) except -1


cdef class FairyPlayer(GamePlayer):
    pass


cdef class Rescorer(Searcher):
    cdef int every                    # one in this many positions is searched


cdef inline uint64_t chance(uint64_t* state) noexcept nogil:
    """The next number of a stream (splitmix64, Steele, Lea and Flood 2014)."""
    cdef uint64_t z
    state[0] += <uint64_t> 0x9e3779b97f4a7c15
    z = state[0]
    z = (z ^ z >> 30) * <uint64_t> 0xbf58476d1ce4e5b9
    z = (z ^ z >> 27) * <uint64_t> 0x94d049bb133111eb
    return z ^ z >> 31
