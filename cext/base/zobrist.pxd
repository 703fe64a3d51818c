# Zobrist keys of the parts of a position.
#
# Filled at import from SplitMix64 with a fixed seed, so that keys are the same in every build.

from .types cimport uint64_t

cdef uint64_t PIECE_KEYS[16][64]      # [piece][square]; row 0 (no piece) stays zero
cdef uint64_t CASTLING_KEYS[64]       # [square of a rook that may castle]
cdef uint64_t EP_KEYS[64]             # [square behind the pawn that has just stepped twice]
cdef uint64_t STM_KEY[1]              # part of the key if Black is to move
cdef uint64_t RECORD_KEYS[1024]       # [owner * CODES + goal code], folded into the node key by the objective

cdef uint64_t splitmix64(uint64_t* state) noexcept nogil
