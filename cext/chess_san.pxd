# Standard algebraic notation, from bytes to a legal move. Layer 2.

from .chess_position cimport Position
from .chess_scan cimport Scan
from .types cimport Move, uint8_t

cdef enum SanFault:                   # why there is no move
    SAN_FINE = 0
    SAN_UNREADABLE = 1                # no move in form
    SAN_ILLEGAL = 2                   # nothing like it can be played
    SAN_AMBIGUOUS = 3                 # it could be two moves

# The move that `size` bytes name, 0 with `fault` set if none. Check and mate signs and annotations (+#!?) are not
# verified; more disambiguation than needed, a missing x or =, a hyphen and 0-0 are read too.
cdef Move read_san(const Position* p, const Scan* s, const uint8_t* text, int size, SanFault* fault) noexcept nogil
