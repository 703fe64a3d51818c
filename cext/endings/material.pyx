"""Mating potential by decision rules, which docs/evaluation.md explains."""

from ..base.types cimport *

cdef void fill_chess_traits() noexcept nogil:
    """Set the traits. The piece values are those in the rules' examples, not those of the evaluation."""
    CHESS_TRAITS[KNIGHT].value = 325
    CHESS_TRAITS[KNIGHT].no_pair = True
    CHESS_TRAITS[BISHOP].value = 325
    CHESS_TRAITS[BISHOP].bound = True
    CHESS_TRAITS[BISHOP].bonus = 40
    CHESS_TRAITS[ROOK].value = 500
    CHESS_TRAITS[QUEEN].value = 950


fill_chess_traits()


cdef inline int count_all(const uint8_t* army) noexcept nogil:
    cdef int type, n = 0
    for type in range(MOST_TYPES):
        n += army[type]
    return n


cdef inline int sum_all(const Traits* traits, const uint8_t* army) noexcept nogil:
    cdef int type, cp = 0
    for type in range(MOST_TYPES):
        cp += army[type] * traits[type].value
    return cp


cdef bint cannot_mate(const Traits* traits, const uint8_t* ours, int n_ours, const uint8_t* theirs, int n_theirs,
                      int advantage) noexcept nogil:
    """Return whether the leader lacks mating potential. Covers one or two pieces against at most one."""
    cdef int type
    cdef bint mates = False
    if n_ours == 0:
        return True
    if n_ours > 2 or n_theirs > 1:
        return False
    for type in range(MOST_TYPES):
        if ours[type] == 0:
            continue
        if n_ours == 1 and traits[type].bound:
            return True
        if ours[type] == 2 and traits[type].no_pair:
            return True
        mates |= traits[type].mates
    if n_ours == 1 and n_theirs == 1:
        for type in range(MOST_TYPES):
            if theirs[type] and traits[type].tough:
                return True
    return not mates and advantage < ADVANTAGE_CP


cdef bint can_be_spoilt(const Traits* traits, const uint8_t* ours, int n_ours, const uint8_t* theirs, int n_theirs,
                        int advantage) noexcept nogil:
    """Return whether the defender can give its least valuable piece (either of two equal ones) for the last pawn."""
    cdef uint8_t left[MOST_TYPES]
    cdef int type, least = 30000
    for type in range(MOST_TYPES):
        left[type] = theirs[type]
        if theirs[type] and traits[type].value < least:
            least = traits[type].value
    for type in range(MOST_TYPES):
        if theirs[type] == 0 or traits[type].value != least:
            continue
        left[type] -= 1
        if cannot_mate(traits, ours, n_ours, left, n_theirs - 1, advantage + least):
            return True
        left[type] += 1
    return False


cdef int divisor(const Traits* traits, const uint8_t* ours, const uint8_t* theirs, int pawns) noexcept nogil:
    cdef int n_ours, n_theirs, advantage
    if pawns > 1:
        return 1
    n_ours = count_all(ours)
    n_theirs = count_all(theirs)
    if pawns == 1 and (n_ours == 0 or n_ours > 2 or n_theirs == 0 or n_theirs > 2):
        return 1
    advantage = sum_all(traits, ours) - sum_all(traits, theirs)
    if pawns == 1:
        return 4 if can_be_spoilt(traits, ours, n_ours, theirs, n_theirs, advantage) else 1
    if cannot_mate(traits, ours, n_ours, theirs, n_theirs, advantage):
        return 8
    return 2 if n_theirs else 1


cdef int one_coloured_divisor(const uint8_t* theirs, int pawns) noexcept nogil:
    if pawns == 0:
        return 8
    return 4 if pawns == 1 and 1 <= count_all(theirs) <= 2 else 1


cdef bint is_harmless(const Traits* traits, const uint8_t* ours) noexcept nogil:
    cdef uint8_t no_pieces[MOST_TYPES]
    cdef int type
    for type in range(MOST_TYPES):
        no_pieces[type] = 0
    return cannot_mate(traits, ours, count_all(ours), no_pieces, 0, sum_all(traits, ours))
