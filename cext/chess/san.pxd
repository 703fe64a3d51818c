# Standard algebraic notation, from bytes to a legal move.

from .position cimport Position
from .legal_count cimport Scan
from ..base.types cimport Move, uint8_t

cdef enum SanFault:                   # the reason why a text does not name a legal move
    SAN_FINE = 0
    SAN_UNREADABLE = 1                # not in the form of a move
    SAN_ILLEGAL = 2                   # no legal move matches
    SAN_AMBIGUOUS = 3                 # several legal moves match

# The move named by `size` bytes; 0, with `fault` set, if they name no legal move. Check and mate signs and annotations
# (+#!?) are ignored; needless disambiguation, a missing x or =, a hyphen and 0-0 are accepted.
cdef Move read_san(const Position* p, const Scan* s, const uint8_t* text, int size, SanFault* fault) noexcept nogil
