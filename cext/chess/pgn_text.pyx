"""Portable Game Notation as bytes: splitting a stream into games, a game into tags and tokens."""

from libc.stdint cimport int32_t
from libc.stddef cimport size_t
from libc.string cimport memchr, memcmp, strchr, strlen

from ..base.types cimport uint8_t

cdef enum:                            # classes of bytes
    BLANK = 1
    NEWLINE = 2
    BREAK = 4                         # ends a word: { } ( ) ; [ ] and the above
    DIGIT = 8
    WORD = 16                         # a letter, a digit or an underscore
    SYMBOL = 32                       # may be part of a tag's name
    SIGN = 64                         # part of an annotation without letters, such as ~=, <=> or ||

    LONGEST_QUOTATION = 1 << 20       # longest comment that may quote a game, in bytes

cdef uint8_t CLASS[256]


cdef void fill_classes() noexcept nogil:
    cdef int c
    for c in range(256):
        CLASS[c] = BLANK | BREAK if c <= 32 else 0
        if c == c'\n' or c == c'\r':
            CLASS[c] |= NEWLINE
        if c'0' <= c <= c'9':
            CLASS[c] |= DIGIT | WORD
        if c'a' <= (c | 32) <= c'z' or c == c'_':
            CLASS[c] |= WORD
        if CLASS[c] & WORD or c >= 128 or c == c'+' or c == c'#' or c == c'=' or c == c':' or c == c'-':
            CLASS[c] |= SYMBOL
        if strchr("=+-/~^<>|_\\#&", c) != NULL and c:
            CLASS[c] |= SIGN
        if c == c'{' or c == c'}' or c == c'(' or c == c')' or c == c';' or c == c'[' or c == c']':
            CLASS[c] |= BREAK


fill_classes()


cdef inline size_t line_end(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Offset after the next line end, or the end of the text."""
    cdef const void* found = memchr(text + at, c'\n', size - at)
    cdef size_t end = size if found == NULL else <size_t> (<const uint8_t*> found - text) + 1
    cdef size_t stop
    found = memchr(text + at, c'\r', end - at)
    if found == NULL:
        return end
    stop = <size_t> (<const uint8_t*> found - text) + 1
    return end if stop == size or text[stop] == c'\n' else stop


cdef inline size_t blanks_end(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    while at < size and CLASS[text[at]] & BLANK and not CLASS[text[at]] & NEWLINE:
        at += 1
    return at


cdef inline size_t tag_name_end(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Offset after the name of a tag that begins at `at`; `at` itself if a name is missing.

    A name is a symbol of the standard, as in Time-Control. Letters outside ASCII, and blanks between the words of a
    name, are accepted as well, so that games with such tags can be read.
    """
    cdef size_t end = at
    while at < size and CLASS[text[at]] & SYMBOL:
        while at < size and CLASS[text[at]] & SYMBOL:
            at += 1
        end = at
        at = blanks_end(text, size, at)
    return end


cdef inline bint is_tag(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Return whether a tag begins here: a bracket, a name and a quotation mark."""
    cdef size_t name, end
    if text[at] != c'[':
        return False
    name = blanks_end(text, size, at + 1)
    end = tag_name_end(text, size, name)
    if end == name:
        return False
    at = blanks_end(text, size, end)
    return at < size and text[at] == c'"'


cdef bint begins_game(const uint8_t* text, size_t size, size_t first, size_t at) noexcept nogil:
    """Return whether the tag at `at`, behind a blank line, belongs to the next game, which has no moves before it.

    Some programs write a blank line between the tags of one game. The next game begins with Event, as the standard
    demands, or with the tag with which this game began.
    """
    cdef size_t name = blanks_end(text, size, at + 1), known = blanks_end(text, size, first + 1)
    cdef size_t length = tag_name_end(text, size, name) - name
    if length == 5 and memcmp(text + name, b"Event", 5) == 0:
        return True
    return length == tag_name_end(text, size, known) - known and memcmp(text + name, text + known, length) == 0


cdef inline bint is_mark(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Return whether a byte order mark is here. Concatenated files may have such a mark in the middle."""
    return text[at] == 0xEF and at + 3 <= size and memcmp(text + at, b"\xef\xbb\xbf", 3) == 0


cdef inline int result_size(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Length of the result that begins here, else 0."""
    cdef int length
    if text[at] == c'*':
        length = 1
    elif text[at] == c'1' and at + 7 <= size and memcmp(text + at, b"1/2-1/2", 7) == 0:
        length = 7
    elif at + 3 <= size and (memcmp(text + at, b"1-0", 3) == 0 or memcmp(text + at, b"0-1", 3) == 0):
        length = 3
    else:
        return 0
    at += length
    return length if at == size or CLASS[text[at]] & BREAK or is_mark(text, size, at) else 0


cdef inline bint is_behind_blank_line(const uint8_t* text, size_t start, size_t line) noexcept nogil:
    cdef size_t before = line - 1
    if before > start and text[before - 1] == c'\r':
        before -= 1
    return before > start and text[before - 1] == c'\n'


cdef size_t comment_end(const uint8_t* text, size_t size, size_t at, bint last) noexcept nogil:
    """Offset after the brace that closes a comment; 0 if it is unclosed or undecided without more text (`last` false).

    An unclosed comment would swallow all games after it. So a tag after an empty line ends the comment if another brace
    opens before one closes, or if no brace closes it soon; otherwise the comment quotes a game. A nonzero result does
    not change when more of the text becomes available.
    """
    cdef const void* found = memchr(text + at, c'}', size - at)
    cdef bint closed = found != NULL
    cdef size_t end = <size_t> (<const uint8_t*> found - text) + 1 if closed else size
    cdef size_t line = at
    while True:
        found = memchr(text + line, c'\n', end - line)
        if found == NULL:
            break
        line = <size_t> (<const uint8_t*> found - text) + 1
        if line < end and is_tag(text, end, line) and is_behind_blank_line(text, at, line):
            if memchr(text + line, c'{', end - line) != NULL:
                return line
            if (last and not closed) or end - line > LONGEST_QUOTATION:
                return line
            break
    return end if closed else 0


cdef inline size_t start_of_line(const uint8_t* text, size_t line) noexcept nogil:
    """Offset of the start of the line, or of a byte order mark before it, which belongs to the game."""
    return line - 3 if line >= 3 and is_mark(text, line, line - 3) else line


cdef bint closes_tag(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Return whether the quotation mark at `at` ends a tag despite the backslash before it, as in [Site "C:\\Games\\"].

    The quotation mark ends the tag if only a bracket follows, and then the end of the line or another tag.
    """
    at = blanks_end(text, size, at + 1)
    if at == size or text[at] != c']':
        return False
    at = blanks_end(text, size, at + 1)
    return at == size or CLASS[text[at]] & NEWLINE or is_tag(text, size, at)


cdef inline size_t value_end(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Offset of the quotation mark that closes the value of the tag at `at`, or of the end of its line."""
    while at < size and text[at] != c'"' and not CLASS[text[at]] & NEWLINE:
        if text[at] == c'\\' and at + 1 < size and not CLASS[text[at + 1]] & NEWLINE:
            at += 1
            if text[at] == c'"' and closes_tag(text, size, at):
                break
        at += 1
    return at


cdef inline size_t bracket_end(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Offset after the bracket that closes a tag whose value ends at `at`, or of the end of its line."""
    while at < size and text[at] != c']' and not CLASS[text[at]] & NEWLINE:
        at += 1
    return at + 1 if at < size and text[at] == c']' else at


cdef size_t tag_line_end(const uint8_t* text, size_t size, size_t at) noexcept nogil:
    """Offset of the first brace comment (which may span lines), tag or move after the tag at `at`.

    Without any of these, return the end of the tag's line: a quotation mark in a value may leave part of the value on
    that line.
    """
    cdef size_t stop = at
    while text[stop] != c'"':
        stop += 1
    stop = blanks_end(text, size, bracket_end(text, size, value_end(text, size, stop + 1)))
    if stop == size:
        return line_end(text, size, at)
    if text[stop] == c'{' or text[stop] == c'*' or CLASS[text[stop]] & DIGIT or is_tag(text, size, stop):
        return stop
    return line_end(text, size, at)


cdef int32_t comments_end(const uint8_t* text, int32_t size, int32_t at) noexcept nogil:
    cdef size_t stop = blanks_end(text, size, at)
    while <int32_t> stop < size and text[stop] == c'{':
        stop = comment_end(text, size, stop, True)
        if stop == 0 or text[stop - 1] != c'}':
            break
        at = <int32_t> stop
        stop = blanks_end(text, size, stop)
    return at


cdef ssize_t find_end(const uint8_t* text, size_t size, size_t start, bint last) noexcept nogil:
    cdef size_t at = start, line = start, stop, first = 0
    cdef bint line_start = True, tags = False, blank = False, body = False, over = False
    cdef int depth = 0, length
    cdef uint8_t c
    while at < size:
        c = text[at]
        # A lone carriage return also ends a line. At the end of the text, its line feed may not have been read yet.
        if c == c'\n' or (c == c'\r' and at + 1 < size and text[at + 1] != c'\n'):
            blank = blank or line_start
            line_start = True
            at += 1
            line = at
        elif CLASS[c] & BLANK:
            at += 1
        elif c == 0xEF and is_mark(text, size, at):
            line += 3 if at == line else 0
            at += 3
        elif c == c'[' and (line_start or over or not body) and is_tag(text, size, at):
            if over and not line_start:
                return <ssize_t> at   # files that were concatenated without a line end before this tag
            if body or over or (tags and blank and begins_game(text, size, first, at)):
                return <ssize_t> start_of_line(text, line)
            first = first if tags else at
            tags, blank = True, False
            depth = 0
            at = tag_line_end(text, size, at)
            line_start = text[at - 1] == c'\n' or text[at - 1] == c'\r'
            line = at if line_start else line
        elif c == c'{':
            stop = comment_end(text, size, at, last)
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
                return INCOMPLETE     # only more text can distinguish a result from a move number
            length = result_size(text, size, at)
            if over and length == 0 and CLASS[c] & WORD:
                return <ssize_t> (start_of_line(text, line) if line_start else at)
            line_start = False
            body = True
            if length and depth == 0:
                over = True
            at += 1
            while at < size and not CLASS[text[at]] & BREAK:
                at += 1
    return <ssize_t> size if last else INCOMPLETE


cdef bint next_tag(const uint8_t* text, int32_t size, int32_t at, Tag* tag) noexcept nogil:
    cdef int32_t line = at
    cdef size_t stop
    while at < size:
        if CLASS[text[at]] & NEWLINE:
            at += 1
            line = at
        elif text[at] == 0xEF and is_mark(text, size, at):
            line += 3 if at == line else 0
            at += 3
        elif CLASS[text[at]] & BLANK:
            at += 1
        elif text[at] == c';' or (text[at] == c'%' and at == line):
            at = <int32_t> line_end(text, size, at)
            line = at
        elif text[at] == c'{':
            stop = comment_end(text, size, at, True)
            if stop == 0 or text[stop - 1] != c'}':
                break
            at = <int32_t> stop
        else:
            break
    if at >= size or not is_tag(text, size, at):
        return False
    tag.start = at
    at += 1
    while CLASS[text[at]] & BLANK:
        at += 1
    tag.name.start = at
    at = <int32_t> tag_name_end(text, size, at)
    tag.name.size = at - tag.name.start
    while text[at] != c'"':
        at += 1
    at += 1
    tag.value.start = at
    at = <int32_t> value_end(text, size, at)
    tag.value.size = at - tag.value.start
    tag.end = <int32_t> bracket_end(text, size, at)
    return True


cdef int32_t variation_end(const uint8_t* text, int32_t size, int32_t at) noexcept nogil:
    """Offset after the parenthesis that closes the opening parenthesis at `at`; 0 if no parenthesis closes it."""
    cdef int depth = 0
    cdef size_t stop
    while at < size:
        if text[at] == c'{':
            stop = comment_end(text, size, at, True)
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


cdef bint looks_like_move(const uint8_t* word, int32_t size) noexcept nogil:
    """Return whether the word contains a square, a castling or a figurine."""
    cdef int32_t at
    for at in range(size):
        if word[at] == c'O' or (at + 3 <= size and memcmp(word + at, b"0-0", 3) == 0):
            return True
        if at + 2 <= size and c'a' <= word[at] <= c'h' and c'1' <= word[at + 1] <= c'8':
            return True
        if at + 3 <= size and word[at] == 0xE2 and word[at + 1] == 0x99 and 0x94 <= word[at + 2] <= 0x9F:
            return True
    return False


cdef inline bint is_remark(const uint8_t* word, int32_t size) noexcept nogil:
    """Return whether a word is an annotation: =, +-, -/+, ~=, <=>, e.p., or a sign such as those of the Informator.

    Two hyphens are a null move. Letters of other languages, in UTF-8, are part of moves: a move is never skipped.
    """
    cdef uint8_t first = word[0]
    cdef int32_t at
    if first < 128:
        if first == c'e':
            return size >= 4 and memcmp(word, b"e.p.", 4) == 0
        if not CLASS[first] & SIGN or (size == 2 and memcmp(word, b"--", 2) == 0):
            return False
        if first != c'=' and first != c'+' and first != c'/' and (first != c'-' or (size > 1 and word[1] == c'-')):
            for at in range(1, size):
                if not CLASS[word[at]] & SIGN:
                    return False
            return True
    elif (0xC3 <= first <= 0xEE and first != 0xE2) or (first == 0xEF and size > 1 and 0xBC <= word[1] <= 0xBD):
        return False                  # the last range holds wide letters and digits, as in East Asian texts
    return not looks_like_move(word, size)


cdef inline int32_t number_end(const uint8_t* text, int32_t size, int32_t start) noexcept nogil:
    """Offset after a move number and its dots; `start` if absent.

    Without a dot 0000 is a null move, 0 may be a part of a castling: 0 - 0, and four digits from 1 to 8, or five, are a
    move in ICCF's numeric notation.
    """
    cdef int32_t at = start
    cdef int32_t dots
    cdef bint is_zero = True, names_squares = True
    while at < size and CLASS[text[at]] & DIGIT:
        is_zero &= text[at] == c'0'
        names_squares &= c'1' <= text[at] <= c'8'
        at += 1
    if at < size and text[at] != c'.' and not CLASS[text[at]] & BLANK:
        return start
    dots = at
    while at < size and text[at] == c'.':
        at += 1
    if at == dots and (is_zero or (names_squares and 4 <= at - start <= 5)):
        return start
    return at


cdef inline int32_t token_start(const uint8_t* text, int32_t size, int32_t at) noexcept nogil:
    """Skip blanks, dots and move numbers; a move may follow its number without a blank."""
    cdef int32_t stop
    while at < size:
        if CLASS[text[at]] & BLANK or text[at] == c'.':
            at += 1
        elif text[at] == 0xEF and is_mark(text, size, at):
            at += 3
        elif CLASS[text[at]] & DIGIT:
            stop = number_end(text, size, at)
            if stop == at:
                break
            at = stop
        else:
            break
    return at


cdef inline Token read_token(const uint8_t* text, int32_t size, int32_t at, int32_t* end) noexcept nogil:
    """The kind of the token that begins at `at`; sets ``end`` to its end."""
    cdef uint8_t c = text[at]
    cdef int32_t stop
    if c == c'{' or c == c'(':
        stop = <int32_t> comment_end(text, size, at, True) if c == c'{' else variation_end(text, size, at)
        end[0] = stop if stop else size
        if stop == 0:
            return TOKEN_UNCLOSED
        return TOKEN_COMMENT if c == c'{' else TOKEN_OTHER
    if c == c';' or (c == c'%' and (at == 0 or CLASS[text[at - 1]] & NEWLINE)):
        end[0] = <int32_t> line_end(text, size, at)
        return TOKEN_OTHER
    if CLASS[c] & DIGIT or c == c'*':
        stop = result_size(text, size, at)
        if stop:
            end[0] = at + stop
            return TOKEN_RESULT
    stop = at + 1
    if c == c'$':
        while stop < size and CLASS[text[stop]] & DIGIT:
            stop += 1
    elif c == c'!' or c == c'?':
        while stop < size and (text[stop] == c'!' or text[stop] == c'?'):
            stop += 1
    else:
        while stop < size and not CLASS[text[stop]] & BREAK and text[stop] != c'$':
            stop += 1
        end[0] = stop
        return TOKEN_NAG if is_remark(text + at, stop - at) else TOKEN_WORD
    end[0] = stop
    return TOKEN_NAG


cdef Token next_token(Cursor* cursor) noexcept nogil:
    cdef int32_t start = token_start(cursor.text, cursor.size, cursor.at)
    cdef Token found = TOKEN_END
    cursor.at = start
    if start < cursor.size:
        found = read_token(cursor.text, cursor.size, start, &cursor.at)
    cursor.token.start = start
    cursor.token.size = cursor.at - start
    return found


cdef bint span_is(const uint8_t* text, Span span, const char* word) noexcept nogil:
    return span.size == <int32_t> strlen(word) and memcmp(text + span.start, word, span.size) == 0
