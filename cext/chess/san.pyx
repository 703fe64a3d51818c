"""Reads moves in standard algebraic notation without a move list: only pieces that can reach the square are tested."""

from ..base.attacks cimport (KING_ATTACKS, KNIGHT_ATTACKS, LINE, PAWN_ATTACKS, bishop_attacks, queen_attacks,
                             rook_attacks)
from ..base.bits cimport FILE_A, RANK_1, bit, file_of, lsb, pop_lsb, rank_of
from .position cimport Position, ep_is_legal, occupied_of, pieces
from .legal_count cimport Scan, castling_is_legal
from ..base.types cimport *

cdef enum:
    NO_TYPE = -1


cdef inline int type_named(uint8_t letter) noexcept nogil:
    if letter == c'N':
        return KNIGHT
    if letter == c'B':
        return BISHOP
    if letter == c'R':
        return ROOK
    if letter == c'Q':
        return QUEEN
    if letter == c'K':
        return KING
    if letter == c'P':
        return PAWN
    return NO_TYPE


cdef inline bint is_file(uint8_t letter) noexcept nogil:
    return c'a' <= letter <= c'h'


cdef inline bint is_rank(uint8_t letter) noexcept nogil:
    return c'1' <= letter <= c'8'


cdef inline Move refuse(SanFault* fault, SanFault why) noexcept nogil:
    fault[0] = why
    return 0


cdef inline bint may_go(const Position* p, const Scan* s, int from_sq, int to_sq) noexcept nogil:
    """Return whether the king is safe after another piece moves there; en passant is handled elsewhere."""
    if not bit(to_sq) & s.check_mask:
        return False
    return not bit(from_sq) & s.pinned or LINE[lsb(pieces(p, p.stm, KING))][from_sq] & bit(to_sq) != 0


cdef Move read_castling(const Position* p, const Scan* s, bint king_side, SanFault* fault) noexcept nogil:
    cdef uint64_t rooks = p.castling & p.by_colour[p.stm]
    cdef int king_sq = lsb(pieces(p, p.stm, KING)), rook_sq
    while rooks:
        rook_sq = pop_lsb(&rooks)
        if (rook_sq > king_sq) == king_side:
            if s.checkers or not castling_is_legal(p, s, king_sq, rook_sq):
                break
            return pack_move(king_sq, (king_sq & 56) + (6 if king_side else 2), rook_sq, 0, CASTLING)
    return refuse(fault, SAN_ILLEGAL)


cdef Move read_pawn(const Position* p, const Scan* s, int from_file, int from_rank, int to_sq, int promotion,
                    SanFault* fault) noexcept nogil:
    cdef int us = p.stm, forward = 8 if us == WHITE else -8
    cdef int from_sq = to_sq - forward, kind = NORMAL, via = 0
    cdef uint64_t pawns = pieces(p, us, PAWN)
    if not 0 <= from_sq < 64:
        return refuse(fault, SAN_ILLEGAL)
    if from_file >= 0 and from_file != file_of(to_sq):
        from_sq = (from_sq & 56) + from_file
        if not PAWN_ATTACKS[us][from_sq] & bit(to_sq) or not pawns & bit(from_sq):
            return refuse(fault, SAN_ILLEGAL)
        if p.mailbox[to_sq] == 0:
            kind, via = EN_PASSANT, to_sq ^ 8
            if p.ep_sq != to_sq or not ep_is_legal(p, from_sq, to_sq):
                return refuse(fault, SAN_ILLEGAL)
        elif p.by_colour[us] & bit(to_sq):
            return refuse(fault, SAN_ILLEGAL)
    elif p.mailbox[to_sq]:
        return refuse(fault, SAN_ILLEGAL)
    elif p.mailbox[from_sq] == 0 and rank_of(to_sq) == (3 if us == WHITE else 4):
        from_sq -= forward
        kind = DOUBLE_STEP
    if not pawns & bit(from_sq) or (from_rank >= 0 and from_rank != rank_of(from_sq)):
        return refuse(fault, SAN_ILLEGAL)
    if kind != EN_PASSANT and not may_go(p, s, from_sq, to_sq):
        return refuse(fault, SAN_ILLEGAL)
    if (promotion != 0) != (rank_of(to_sq) == 7 * (us ^ 1)):
        return refuse(fault, SAN_ILLEGAL)
    return pack_move(from_sq, to_sq, via, promotion, PROMOTION if promotion else kind)


cdef Move read_king(const Position* p, const Scan* s, int from_file, int from_rank, int to_sq,
                    SanFault* fault) noexcept nogil:
    cdef int king_sq = lsb(pieces(p, p.stm, KING))
    if ((from_file >= 0 and from_file != file_of(king_sq)) or (from_rank >= 0 and from_rank != rank_of(king_sq))
            or not KING_ATTACKS[king_sq] & bit(to_sq) & ~s.danger & ~p.by_colour[p.stm]):
        return refuse(fault, SAN_ILLEGAL)
    return pack_move(king_sq, to_sq, 0, 0, NORMAL)


cdef inline bint is_capture_of_file(const uint8_t* text, int size) noexcept nogil:
    """Return whether a pawn's capture without a rank begins here, as books print it: ed, exd, e:d."""
    cdef int last = 2 if size > 2 and (text[1] == c'x' or text[1] == c':') else 1
    return is_file(text[0]) and is_file(text[last]) and (text[0] - text[last]) in (1, -1) and (
        size == last + 1 or text[last + 1] == c'=' or NO_TYPE != type_named(text[last + 1] & ~<uint8_t> 32))


cdef Move read_capture_of_file(const Position* p, const Scan* s, const uint8_t* text, int size,
                               SanFault* fault) noexcept nogil:
    """The only pawn capture from the first file to the last one; a promotion may follow."""
    cdef int last = 2 if text[1] == c'x' or text[1] == c':' else 1
    cdef int to_file = text[last] - c'a', promotion = 0, from_sq, rest = size - last - 1
    cdef uint64_t pawns = pieces(p, p.stm, PAWN) & FILE_A << (text[0] - c'a')
    cdef Move found = 0, move
    if rest:
        promotion = type_named(text[size - 1] & ~<uint8_t> 32)
        if not KNIGHT <= promotion <= QUEEN or rest > 2 or (rest == 2 and text[last + 1] != c'='):
            return refuse(fault, SAN_UNREADABLE)
    while pawns:
        from_sq = pop_lsb(&pawns) + (8 if p.stm == WHITE else -8)
        move = read_pawn(p, s, text[0] - c'a', -1, (from_sq & 56) + to_file, promotion, fault)
        if move and found:
            return refuse(fault, SAN_AMBIGUOUS)
        found = move if move else found
    fault[0] = SAN_FINE if found else SAN_ILLEGAL
    return found


cdef inline int castling_size(const uint8_t* text, int size) noexcept nogil:
    """Return the number of letters of a castling move such as O-O, 0-0-0, OO or 000, 2 or 3; 0 for other text."""
    cdef int at = 1, letters = 1, step = 2 if text[1] == c'-' else 1
    if text[0] != c'O' and text[0] != c'0':
        return 0
    while at + step <= size:
        if text[at + step - 1] != text[0] or (step == 2 and text[at] != c'-'):
            return 0
        letters += 1
        at += step
    return letters if at == size and 2 <= letters <= 3 else 0


cdef inline Move read_piece(const Position* p, const Scan* s, int type, int from_file, int from_rank, int to_sq,
                            SanFault* fault) noexcept nogil:
    cdef uint64_t found = pieces(p, p.stm, type), occupied = occupied_of(p)
    cdef int from_sq
    cdef Move move = 0
    if type == KNIGHT:
        found &= KNIGHT_ATTACKS[to_sq]
    elif type == BISHOP:
        found &= bishop_attacks(to_sq, occupied)
    elif type == ROOK:
        found &= rook_attacks(to_sq, occupied)
    else:
        found &= queen_attacks(to_sq, occupied)
    if from_file >= 0:
        found &= FILE_A << from_file
    if from_rank >= 0:
        found &= RANK_1 << 8 * from_rank
    if p.by_colour[p.stm] & bit(to_sq):
        found = 0
    while found:
        from_sq = pop_lsb(&found)
        if may_go(p, s, from_sq, to_sq):
            if move:
                return refuse(fault, SAN_AMBIGUOUS)
            move = pack_move(from_sq, to_sq, 0, 0, NORMAL)
    return move if move else refuse(fault, SAN_ILLEGAL)


cdef inline bint castles_by_coordinates(const Position* p, int from_file, int from_sq, int to_sq) noexcept nogil:
    """Return whether the king takes a rook of its own, or goes two squares from its usual place."""
    if p.castling & bit(to_sq) & p.by_colour[p.stm]:
        return True
    return from_file == 4 and (to_sq == from_sq + 2 or to_sq == from_sq - 2)


cdef Move read_san(const Position* p, const Scan* s, const uint8_t* text, int size, SanFault* fault) noexcept nogil:
    cdef int type, promotion = 0, from_file = -1, from_rank = -1, to_sq, letters
    cdef bint named
    fault[0] = SAN_FINE
    while size and (text[size - 1] == c'+' or text[size - 1] == c'#' or text[size - 1] == c'!'
                    or text[size - 1] == c'?'):
        size -= 1
    if size < 2:
        return refuse(fault, SAN_UNREADABLE)
    if text[0] == c'O' or text[0] == c'0':
        letters = castling_size(text, size)
        return read_castling(p, s, letters == 2, fault) if letters else refuse(fault, SAN_UNREADABLE)
    if is_capture_of_file(text, size):
        return read_capture_of_file(p, s, text, size, fault)
    type = type_named(text[0])
    named = type != NO_TYPE
    if type == NO_TYPE:
        type = PAWN
    else:
        text += 1
        size -= 1
    if type == PAWN and size > 2 and not is_rank(text[size - 1]):
        # A lower-case letter, as in coordinate moves, is also accepted.
        promotion = type_named(text[size - 1] & ~<uint8_t> 32)
        if not KNIGHT <= promotion <= QUEEN:
            return refuse(fault, SAN_UNREADABLE)
        size -= 1
        if text[size - 1] == c'=':
            size -= 1
    if size < 2 or not is_file(text[size - 2]) or not is_rank(text[size - 1]):
        return refuse(fault, SAN_UNREADABLE)
    to_sq = (text[size - 1] - c'1') * 8 + text[size - 2] - c'a'
    size -= 2
    if size and (text[size - 1] == c'x' or text[size - 1] == c'-' or text[size - 1] == c':'):
        size -= 1
    if size and is_rank(text[size - 1]):
        from_rank = text[size - 1] - c'1'
        size -= 1
    if size and is_file(text[size - 1]):
        from_file = text[size - 1] - c'a'
        size -= 1
    if size:
        return refuse(fault, SAN_UNREADABLE)
    if type == PAWN and from_rank >= 0 and from_file >= 0 and p.mailbox[from_rank * 8 + from_file]:
        # Coordinates, as engines write them, name the piece by its square.
        type = (p.mailbox[from_rank * 8 + from_file] & 7) - 1
        if type != PAWN and (named or promotion or not p.by_colour[p.stm] & bit(from_rank * 8 + from_file)):
            return refuse(fault, SAN_ILLEGAL)
        if type == KING and (castles_by_coordinates(p, from_file, from_rank * 8 + from_file, to_sq)):
            return read_castling(p, s, file_of(to_sq) > from_file, fault)
    if type == PAWN:
        return read_pawn(p, s, from_file, from_rank, to_sq, promotion, fault)
    if type == KING:
        return read_king(p, s, from_file, from_rank, to_sq, fault)
    return read_piece(p, s, type, from_file, from_rank, to_sq, fault)
