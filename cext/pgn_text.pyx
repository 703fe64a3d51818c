"""Portable Game Notation as bytes: splitting a stream into games, a game into tags and tokens."""

from libc.stdint cimport int32_t
from libc.stddef cimport size_t
from libc.string cimport memchr, memcmp, strlen

from .types cimport uint8_t

cdef enum:                            # classes of bytes
    BLANK = 1
    NEWLINE = 2
    BREAK = 4                         # ends a word: { } ( ) ; [ ] and the above
    DIGIT = 8
    NAME = 16                         # of a tag

cdef uint8_t CLASS[256]


cdef void fill_classes() noexcept nogil:
    cdef int c
    for c in range(256):
        CLASS[c] = BLANK | BREAK if c <= 32 else 0
        if c == c'\n' or c == c'\r':
            CLASS[c] |= NEWLINE
        if c'0' <= c <= c'9':
            CLASS[c] |= DIGIT | NAME
        if c'a' <= (c | 32) <= c'z' or c == c'_':
            CLASS[c] |= NAME
        if c == c'{' or c == c'}' or c == c'(' or c == c')' or c == c';' or c == c'[' or c == c']':
            CLASS[c] |= BREAK


fill_classes()


cdef inline size_t line_end(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Behind the line end that follows, or the end of the text."""
    cdef const void* found = memchr(text + at, c'\n', size - at)
    cdef size_t end = size if found == NULL else <size_t> (<const uint8_t*> found - text) + 1
    cdef size_t stop
    found = memchr(text + at, c'\r', end - at)
    if found == NULL:
        return end
    stop = <size_t> (<const uint8_t*> found - text) + 1
    return end if stop == size or text[stop] == c'\n' else stop


cdef inline bint is_tag(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Does a tag begin here: [Name "?"""
    cdef size_t name
    if text[at] != c'[':
        return False
    at += 1
    while at < size and CLASS[text[at]] & BLANK and not CLASS[text[at]] & NEWLINE:
        at += 1
    name = at
    while at < size and CLASS[text[at]] & NAME:
        at += 1
    if at == name:
        return False
    while at < size and CLASS[text[at]] & BLANK and not CLASS[text[at]] & NEWLINE:
        at += 1
    return at < size and text[at] == c'"'


cdef inline int result_size(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Length of the result that begins here, 0 if none does."""
    cdef int length
    if text[at] == c'*':
        length = 1
    elif text[at] == c'1' and at + 7 <= size and memcmp(text + at, b"1/2-1/2", 7) == 0:
        length = 7
    elif at + 3 <= size and (memcmp(text + at, b"1-0", 3) == 0 or memcmp(text + at, b"0-1", 3) == 0):
        length = 3
    else:
        return 0
    return length if at + length == size or CLASS[text[at + length]] & BREAK else 0


cdef size_t comment_end(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Behind the brace that closes a comment; 0 if there is none.

    A comment that nobody has closed would swallow all games behind it: a line that begins with [Event " after an
    empty one ends it.
    """
    cdef const void* found = memchr(text + at, c'}', size - at)
    cdef size_t end = size if found == NULL else <size_t> (<const uint8_t*> found - text) + 1
    cdef size_t line = at, before
    while True:
        found = memchr(text + line, c'\n', end - line)
        if found == NULL:
            break
        line = <size_t> (<const uint8_t*> found - text) + 1
        if line + 8 <= end and text[line] == c'[' and memcmp(text + line, b'[Event "', 8) == 0:
            before = line - 1
            if before > at and text[before - 1] == c'\r':
                before -= 1
            if before > at and text[before - 1] == c'\n':
                return line
    return end if end <= size and end > at and text[end - 1] == c'}' else 0


cdef ssize_t find_end(const uint8_t* text, size_t size, size_t start, bint last) noexcept nogil:
    cdef size_t at = start, line = start, stop
    cdef bint line_start = True, tags = False, blank = False, body = False, over = False
    cdef int depth = 0, length
    cdef uint8_t c
    if size - at >= 3 and memcmp(text + at, b"\xef\xbb\xbf", 3) == 0:
        at += 3
    while at < size:
        c = text[at]
        # A carriage return alone ends a line as well; at the end of the text nobody knows whether it is alone.
        if c == c'\n' or (c == c'\r' and at + 1 < size and text[at + 1] != c'\n'):
            blank = line_start
            line_start = True
            at += 1
            line = at
        elif CLASS[c] & BLANK:
            at += 1
        elif line_start and c == c'[' and is_tag(text, size, at):
            if body or over or (tags and blank):
                return <ssize_t> line
            tags = True
            blank = False
            depth = 0
            at = line_end(text, size, at)
            line = at
        elif c == c'{':
            stop = comment_end(text, size, at)
            if stop == 0:
                break
            if text[stop - 1] != c'}':
                return <ssize_t> stop
            at = stop
            line_start = False
        elif c == c';' or (c == c'%' and at == line):
            at = line_end(text, size, at)
            line_start = True
            blank = False
            line = at
        elif c == c'(' or c == c')':
            depth += 1 if c == c'(' else -1 if depth else 0
            line_start = False
            at += 1
        else:
            if over and not last and size - at < 8:
                return INCOMPLETE     # it takes as much to tell another result from a move number
            length = result_size(text, size, at)
            if over and length == 0 and CLASS[c] & NAME:
                return <ssize_t> (line if line_start else at)
            line_start = False
            body = True
            if length and depth == 0:
                over = True
            at += 1
            while at < size and not CLASS[text[at]] & BREAK:
                at += 1
    return <ssize_t> size if last else INCOMPLETE


cdef bint next_tag(const uint8_t* text, int32_t size, int32_t at, Tag* tag) noexcept nogil:
    if at == 0 and size >= 3 and memcmp(text, b"\xef\xbb\xbf", 3) == 0:
        at = 3
    cdef int32_t line = at
    while at < size:
        if text[at] == c'\n':
            at += 1
            line = at
        elif CLASS[text[at]] & BLANK:
            at += 1
        elif text[at] == c';' or (text[at] == c'%' and at == line):
            at = <int32_t> line_end(text, size, at)
            line = at
        else:
            break
    if at >= size or not is_tag(text, size, at):
        return False
    tag.start = at
    at += 1
    while CLASS[text[at]] & BLANK:
        at += 1
    tag.name.start = at
    while CLASS[text[at]] & NAME:
        at += 1
    tag.name.size = at - tag.name.start
    while text[at] != c'"':
        at += 1
    at += 1
    tag.value.start = at
    while at < size and text[at] != c'"' and not CLASS[text[at]] & NEWLINE:
        at += 2 if text[at] == c'\\' and at + 1 < size and not CLASS[text[at + 1]] & NEWLINE else 1
    tag.value.size = at - tag.value.start
    while at < size and text[at] != c']' and not CLASS[text[at]] & NEWLINE:
        at += 1
    tag.end = at + 1 if at < size and text[at] == c']' else at
    return True


cdef int32_t variation_end(const uint8_t* text, int32_t size, int32_t at) noexcept nogil:
    """Behind the parenthesis that closes the one at `at`, whatever lies between; 0 if there is none."""
    cdef int depth = 0
    cdef size_t stop
    while at < size:
        if text[at] == c'{':
            stop = comment_end(text, size, at)
            if stop == 0:
                return 0
            at = <int32_t> stop
            continue
        if text[at] == c';':
            at = <int32_t> line_end(text, size, at)
            continue
        if text[at] == c'(':
            depth += 1
        elif text[at] == c')':
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return 0


cdef inline bint is_remark(const uint8_t* word, int32_t size) noexcept nogil:
    """What people write among the moves: =, +-, -/+ and the like, or e.p. Two hyphens are a pass."""
    if word[0] >= 128 or word[0] == c'=' or word[0] == c'+' or word[0] == c'/':
        return True
    if word[0] == c'-':
        return size == 1 or word[1] != c'-'
    return word[0] == c'e' and size >= 4 and memcmp(word, b"e.p.", 4) == 0


cdef Token next_token(Cursor* cursor) noexcept nogil:
    cdef const uint8_t* text = cursor.text
    cdef int32_t size = cursor.size, at = cursor.at, start
    cdef size_t stop
    cdef int length
    cdef Token found = TOKEN_WORD
    while True:
        while at < size and CLASS[text[at]] & BLANK:
            at += 1
        if at >= size:
            cursor.token.start = cursor.at = size
            cursor.token.size = 0
            return TOKEN_END
        start = at
        if CLASS[text[at]] & DIGIT:
            length = result_size(text, size, at)
            if length:
                at += length
                found = TOKEN_RESULT
                break
            while at < size and CLASS[text[at]] & DIGIT:
                at += 1
            if at < size and text[at] == c'-' and text[start] == c'0':
                at = start            # castling with noughts, or a pass
            elif at == size or text[at] == c'.' or CLASS[text[at]] & BLANK:
                while at < size and text[at] == c'.':
                    at += 1
                if at - start == 4 and memcmp(text + start, b"0000", 4) == 0:
                    break
                continue              # a move number, perhaps with the move right behind it
            else:
                at = start
        elif text[at] == c'.':
            at += 1
            continue
        if text[at] == c'{':
            stop = comment_end(text, size, at)
            at = <int32_t> stop if stop else size
            found = TOKEN_COMMENT if stop else TOKEN_UNCLOSED
        elif text[at] == c'(':
            at = variation_end(text, size, at)
            found = TOKEN_OTHER if at else TOKEN_UNCLOSED
            at = at if at else size
        elif text[at] == c';' or (text[at] == c'%' and (at == 0 or text[at - 1] == c'\n')):
            at = <int32_t> line_end(text, size, at)
            found = TOKEN_OTHER
        elif text[at] == c'*' and result_size(text, size, at):
            at += 1
            found = TOKEN_RESULT
        elif text[at] == c'$':
            at += 1
            while at < size and CLASS[text[at]] & DIGIT:
                at += 1
            found = TOKEN_NAG
        elif text[at] == c'!' or text[at] == c'?':
            while at < size and (text[at] == c'!' or text[at] == c'?'):
                at += 1
            found = TOKEN_NAG
        else:
            at += 1
            while at < size and not CLASS[text[at]] & BREAK and text[at] != c'$':
                at += 1
            if is_remark(text + start, at - start):
                found = TOKEN_NAG
        break
    cursor.token.start = start
    cursor.token.size = at - start
    cursor.at = at
    return found


cdef bint span_is(const uint8_t* text, Span span, const char* word) noexcept nogil:
    return span.size == <int32_t> strlen(word) and memcmp(text + span.start, word, span.size) == 0
