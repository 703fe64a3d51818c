# Two kings and nothing else, solved under R-Mobility when the module is loaded: 3612 positions, some milliseconds.
# docs/objective.md has the method. Layer 2.

from .types cimport int8_t, uint8_t

cdef struct BareKings:
    # What the game comes to from every record weaker than this: its goal code, negative where the side that is not to
    # move reaches it; 0 where no record ever falls.
    int8_t code
    uint8_t plies                     # until it is on the board

cdef BareKings BARE_KINGS[64][64]     # [king of the side to move][the other]
