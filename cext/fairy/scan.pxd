# Checks and pins in any compiled game, and what a move does to the royals.

from .position cimport FairyPosition
from .rules cimport FairyRules
from .squares cimport WORDS
from .steps cimport Line
from ..base.types cimport Move, uint8_t, uint64_t

cdef enum:                            # knowledge of the checks that a move may discover
    NOT_LOOKED
    LOOKED
    NOT_SURE                          # decided only by making the move: several royals, hoppers

cdef struct FairyScan:                # checks and pins of the side to move
    uint64_t leave[WORDS]             # a piece that leaves one of these may expose the royal
    uint64_t enter[WORDS]             # a piece that enters one of these may expose it (a platform for a hopper)
    uint64_t parry[WORDS]             # in check: where a piece other than the royal must go
    int royal_sq                      # if there is only one
    int checkers
    uint8_t in_check                  # the royals would fall if the other side could move now
    uint8_t single                    # one royal: the masks above hold; else every move is tried
    uint8_t none                      # without royals every move is safe
    uint8_t ending                    # types.Ending by a rule of the game: moves only if ONGOING
    uint8_t forced                    # only captures are legal
    uint8_t discovers                 # what `discover` holds: NOT_LOOKED, every square that matters, or NOT_SURE
    uint64_t discover[WORDS]          # our pieces that alone stand between one of ours and the only enemy royal
    int their_royal                   # its square, once looked up

cdef void scan_position(FairyRules rules, FairyPosition* p, FairyScan* s) noexcept nogil
# True if `type` on `sq` can take on `target`, regardless of the piece there.
cdef bint reaches(FairyRules rules, const FairyPosition* p, int type, int sq, int target) noexcept nogil
cdef bint is_attacked(FairyRules rules, const FairyPosition* p, int sq, int by) noexcept nogil
# True if `us` would lose its royals if the other side could move.
cdef bint is_exposed(FairyRules rules, const FairyPosition* p, int us) noexcept nogil
# True if the royals survive this pseudo-legal move. `survives` makes it, in any game; `is_safe` is for one royal.
cdef bint survives(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil
cdef bint is_safe(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil
# Finds pieces of the side to move that uncover a check by leaving: sets `discover`, `discovers` and `their_royal`.
cdef void look_for_discoveries(FairyRules rules, const FairyPosition* p, FairyScan* s) noexcept nogil
cdef bint gives_check(FairyRules rules, const FairyPosition* p, FairyScan* s, Move move) noexcept nogil
# True if a royal of the side to move can reach a square of the hill, ignoring legality.
cdef bint is_near_hill(FairyRules rules, const FairyPosition* p) noexcept nogil
# True if the move gives check. Does not need a scan.
cdef bint checks_plainly(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil
# The types.Ending, for the side to move, by a rule of the game other than mate. The board decides whether this side may
# still reach its goal or bare the other side.
cdef int rule_ending(FairyRules rules, const FairyPosition* p) noexcept nogil


# True if the squares of a line are empty. Testing all words of the largest board avoids branches.
cdef inline bint is_clear(const Line* line, const uint64_t* occupied, int words=WORDS) noexcept nogil:
    cdef int word
    cdef uint64_t blockers = 0
    for word in range(words):
        blockers |= line.mask[word] & occupied[word]
    return blockers == 0
