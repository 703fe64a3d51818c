# Games in a stream of PGN bytes: where one ends, its tags, its tokens. It knows no chess.
#
# All texts are bytes with a size, and places in them are offsets. Nothing is copied, nothing is decoded.

from libc.stdint cimport int32_t
from libc.stddef cimport size_t

from ..base.types cimport uint8_t

cdef enum:
    INCOMPLETE = -1                   # find_end: the game may go on after the text

cdef enum Token:                      # what next_token has found
    TOKEN_END = 0                     # of the text
    TOKEN_WORD = 1                    # a move, or what stands where one should be; outside of variations
    TOKEN_COMMENT = 2                 # with its braces
    TOKEN_NAG = 3                     # $n, or an annotation such as !? that stands alone
    TOKEN_RESULT = 4                  # 1-0, 0-1, 1/2-1/2 or *
    TOKEN_OTHER = 5                   # variation or the rest of a line behind ; or %
    TOKEN_UNCLOSED = 6                # a comment or variation that goes on to the end of the text

cdef struct Span:                     # part of a text; size 0 if it is not there
    int32_t start
    int32_t size

cdef struct Tag:
    Span name
    Span value                        # without the quotes, escapes as written
    int32_t start                     # its opening bracket
    int32_t end                       # behind its closing bracket, or the end of its line if there is none

cdef struct Cursor:                   # reading the movetext of one game
    const uint8_t* text
    int32_t size
    int32_t at                        # offset of the next token
    Span token                        # the token that next_token has found

# End of the game that begins at `start`: where the next one begins, or `size`. INCOMPLETE if it runs to the end of the
# text and more text may follow (`last` false). A game is tags and movetext, either of which may be missing.
cdef ssize_t find_end(const uint8_t* text, size_t size, size_t start, bint last) noexcept nogil

# Behind the comments in braces that follow at `at` in the same line; they may have lines.
cdef int32_t comments_end(const uint8_t* text, int32_t size, int32_t at) noexcept nogil

# The tag at or behind `at`, blank lines and comments skipped. False if there is none before the movetext.
cdef bint next_tag(const uint8_t* text, int32_t size, int32_t at, Tag* tag) noexcept nogil

# The next token of the movetext; `cursor.token` is where.
cdef Token next_token(Cursor* cursor) noexcept nogil

# Does the span of the text hold exactly these bytes?
cdef bint span_is(const uint8_t* text, Span span, const char* word) noexcept nogil
