# Games in a stream of PGN bytes: their ends, tags and tokens. This module does not apply the rules of chess.
#
# All texts are bytes with a size, and positions in them are offsets. No text is copied or decoded.

from libc.stdint cimport int32_t
from libc.stddef cimport size_t

from ..base.types cimport uint8_t

cdef enum:
    INCOMPLETE = -1                   # find_end: the game may go on after the text

cdef enum Token:                      # the kind of token that next_token has read
    TOKEN_END = 0                     # the end of the text
    TOKEN_WORD = 1                    # a move, or other text in its place; not in variations
    TOKEN_COMMENT = 2                 # with its braces
    TOKEN_NAG = 3                     # $n, or an annotation such as !? that stands alone
    TOKEN_RESULT = 4                  # 1-0, 0-1, 1/2-1/2 or *
    TOKEN_OTHER = 5                   # variation, or the rest of a line after ; or %
    TOKEN_UNCLOSED = 6                # a comment or variation that continues to the end of the text

cdef struct Span:                     # part of a text; size 0 if missing
    int32_t start
    int32_t size

cdef struct Tag:
    Span name
    Span value                        # without the quotes; escapes are kept
    int32_t start                     # offset of its opening bracket
    int32_t end                       # offset after its closing bracket, or of the end of its line

cdef struct Cursor:                   # reads the movetext of one game
    const uint8_t* text
    int32_t size
    int32_t at                        # offset of the next token
    Span token                        # the token that next_token has found

# End of the game that begins at `start`: the beginning of the next one, or `size`. INCOMPLETE if the game reaches the
# end of the text and more text may follow (`last` false). A game is tags and movetext, either of which may be missing.
cdef ssize_t find_end(const uint8_t* text, size_t size, size_t start, bint last) noexcept nogil

# Offset after the brace comments that begin at `at` in the same line; they may span lines.
cdef int32_t comments_end(const uint8_t* text, int32_t size, int32_t at) noexcept nogil

# Finds the next tag from `at` on, skipping blank lines and comments. False if the movetext begins first.
cdef bint next_tag(const uint8_t* text, int32_t size, int32_t at, Tag* tag) noexcept nogil

# Reads the next token of the movetext into `cursor.token`.
cdef Token next_token(Cursor* cursor) noexcept nogil

# True if the span of the text holds exactly these bytes.
cdef bint span_is(const uint8_t* text, Span span, const char* word) noexcept nogil
