"""Training positions from games: decoding, filtering, feature indices. Python bindings.

docs/training-data.md describes games and samples.
"""

from libc.stdlib cimport free, qsort
from libc.string cimport memcpy, memset

from ..base.buffers cimport grown
from ..base.bits cimport bit, lsb, pop_lsb, popcount, rank_mask
from ..chess.chess_board cimport ChessBoard
from ..chess.movegen cimport generate, is_legal, scan_position
from ..chess.packed cimport MOST_PIECES, PackedPosition, pack_position, unpack16
from ..chess.position cimport Position, make_move, occupied_of, pieces, refresh_keys
from ..chess.legal_count cimport Scan
from ..value.evaluator cimport Evaluator
from ..base.types cimport *
from .sample cimport (FEATURES, HAS_START, KING_GROUPS, NO_SCORE, REASON_SHIFT, GameHead, Ply, Sample, bucket_of,
                      features_of)

SAMPLE_BYTES = sizeof(Sample)
COUNTED = ("games", "plies", "opening", "unscored", "check", "noisy", "decided", "skipped", "kept")


cdef void own_view(const Position* p, Sample* s) noexcept nogil:
    """The pieces as the side to move sees them: its own are White's, and it moves up the board."""
    cdef uint64_t occupied = occupied_of(p)
    cdef int sq, piece, n = 0, turn = 56 if p.stm == BLACK else 0
    cdef uint64_t left
    s.occupied = 0
    memset(s.pieces, 0, sizeof(s.pieces))
    left = occupied
    while left:
        s.occupied |= bit(pop_lsb(&left) ^ turn)
    left = s.occupied
    while left and n < MOST_PIECES:
        sq = pop_lsb(&left)
        piece = p.mailbox[sq ^ turn] ^ (8 if p.stm == BLACK else 0)
        s.pieces[n >> 1] |= <uint8_t> (piece << 4 * (n & 1))
        n += 1


cdef int position_of(const Sample* s, Position* p) except -1:
    """The position of a sample, White to move, without castling and en passant. Raises ValueError for damage."""
    cdef uint64_t left = s.occupied
    cdef int sq, piece, n = 0
    memset(p, 0, sizeof(Position))
    p.ep_sq = NO_SQUARE
    if popcount(left) > MOST_PIECES:
        raise ValueError("a sample has too many pieces")
    while left:
        sq = pop_lsb(&left)
        piece = s.pieces[n >> 1] >> 4 * (n & 1) & 15
        n += 1
        if piece & 7 == 0 or piece & 7 == 7:
            raise ValueError("a sample has a piece that does not exist")
        p.mailbox[sq] = <uint8_t> piece
        p.by_type[piece_type_of(piece)] |= bit(sq)
        p.by_colour[colour_of(piece)] |= bit(sq)
    for n in range(2):
        if popcount(pieces(p, n, KING)) != 1:
            raise ValueError("a sample has a side without exactly one king")
    refresh_keys(p)
    return 0


cdef inline uint64_t chance(uint64_t* state) noexcept nogil:
    """The next number of a stream (xorshift*, Vigna 2016); the state is not 0."""
    state[0] ^= state[0] >> 12
    state[0] ^= state[0] << 25
    state[0] ^= state[0] >> 27
    return state[0] * <uint64_t> 0x2545f4914f6cdd1d


cdef class GameReader:
    """Reads games block by block and keeps statistics.

    A subclass decodes games and collects samples of them. skip: number of plies left out at the beginning of each game.
    most_cp: positions whose score is at least this large are left out. quiet: positions in check, or whose best move
    is a capture or a promotion, are left out.
    """

    def __init__(self, int skip=0, int most_cp=2500, bint quiet=True, bint with_keys=False):
        self.filter = Filter(skip=skip, most_cp=most_cp, quiet=quiet)
        self.with_keys = with_keys

    def __dealloc__(self):
        free(self.keys)

    def __len__(self):
        return self.n

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of games and plies, then the numbers of plies left out for each reason."""
        return {name: self.tally[i] for i, name in enumerate(COUNTED)}

    @property
    def piece_counts(self) -> list[int]:
        """Kept positions by the number of pieces."""
        return list(self.by_pieces)

    @property
    def result_counts(self) -> tuple[int, int, int]:
        """Games that White lost, drew and won."""
        return self.results[0], self.results[1], self.results[2]

    @property
    def reason_counts(self) -> list[int]:
        """Games by the reason of their end."""
        return list(self.reasons)

    def read(self, bytes data not None, int games, uint32_t first) -> int:
        """Read the games of a block; samples of its first game get the number ``first``.

        Returns the total number of samples. Raises ValueError, naming the game, for bytes that do not encode games.
        """
        cdef const uint8_t* text = data
        cdef size_t size = len(data), at = 0
        cdef int i, ply
        for i in range(games):
            ply = self.read_game(text, size, &at, first + i)
            if ply < 0:
                raise ValueError(f"game {i + 1} of the block ends too early")
            if ply > 0:
                raise ValueError(f"game {i + 1} of the block has an illegal move at ply {ply}")
        if at != size:
            raise ValueError(f"expected {size} bytes of games in the block, found {at}")
        return self.n

    def different(self) -> int:
        """Number of different positions with a score. Keys include castling and en passant but not move counters.
        """
        cdef size_t i, found = 0
        with nogil:
            if self.n_keys:  # qsort needs an array, which is allocated for the first key
                qsort(self.keys, self.n_keys, sizeof(uint64_t), compare_keys)
            for i in range(self.n_keys):
                found += i == 0 or self.keys[i] != self.keys[i - 1]
        return found

    cdef int make_key_room(self, size_t more) except -1:
        """Make room for that many more keys."""
        if self.with_keys:
            self.keys = <uint64_t*> grown(self.keys, self.n_keys + more, &self.key_room, sizeof(uint64_t))
        return 0

    cdef int read_game(self, const uint8_t* text, size_t size, size_t* at, uint32_t number) except? -2:
        """Returns 0, the ply of an illegal move, or -1 if the game exceeds the data."""
        raise NotImplementedError

    cdef void count_game(self, const GameHead* head) noexcept nogil:
        self.tally[GAMES] += 1
        self.results[min(2, head.flags & 3)] += 1
        self.reasons[head.flags >> REASON_SHIFT] += 1

    cdef void note_key(self, uint64_t key) noexcept nogil:
        if self.with_keys:
            self.keys[self.n_keys] = key
            self.n_keys += 1

    cdef bint passes(self, int cp, bint in_check, bint noisy, int ply) noexcept nogil:
        """Return whether the position is wanted; if not, count the reason."""
        if cp == NO_SCORE:
            self.tally[UNSCORED] += 1
        elif self.filter.quiet and in_check:
            self.tally[CHECKS] += 1
        elif self.filter.quiet and noisy:
            self.tally[NOISY_BEST] += 1
        elif self.filter.most_cp and abs(cp) >= self.filter.most_cp:
            self.tally[DECIDED] += 1
        elif ply < self.filter.skip:
            self.tally[SKIPPED] += 1
        else:
            return True
        return False

    cdef void count_kept(self, int n_pieces) noexcept nogil:
        self.n += 1
        self.tally[KEPT] += 1
        self.by_pieces[n_pieces] += 1


cdef class SampleReader(GameReader):
    """Collects samples of games of chess.

    strays: each position is replaced by this many positions, each after a random move; they have no score.
    """

    def __init__(self, int skip=0, int most_cp=2500, bint quiet=True, int strays=0, bint with_keys=False):
        GameReader.__init__(self, skip, most_cp, quiet, with_keys)
        self.strays = strays
        self.state = 0x9e3779b97f4a7c15

    def __dealloc__(self):
        free(self.samples)

    def samples_bytes(self) -> bytes:
        """All samples collected so far, SAMPLE_BYTES each."""
        return (<char*> self.samples)[:self.n * sizeof(Sample)] if self.n else b""

    cdef int read_game(self, const uint8_t* text, size_t size, size_t* at, uint32_t number) except? -2:
        cdef GameHead head
        cdef Position[2] p
        cdef size_t start
        cdef int result
        if size - at[0] < sizeof(GameHead):
            return -1
        memcpy(&head, text + at[0], sizeof(GameHead))
        start = at[0] + sizeof(GameHead)
        if size - start < length_of(&head):
            return -1
        at[0] = start + length_of(&head)
        memcpy(&p[0], first_board(&head, text + start).now(), sizeof(Position))
        self.make_key_room(head.plies)
        self.samples = <Sample*> grown(self.samples, self.n + head.plies * max(1, self.strays), &self.room,
                                       sizeof(Sample))
        if head.flags & HAS_START:
            start += sizeof(PackedPosition)
        with nogil:
            result = self.replay(p, &head, text + start, number)
        self.count_game(&head)
        return result

    cdef int replay(self, Position* p, const GameHead* head, const uint8_t* text, uint32_t number) noexcept nogil:
        cdef Scan s
        cdef uint16_t packed
        cdef int16_t cp = 0
        cdef int ply, now = 0
        cdef Move move
        for ply in range(head.plies):
            memcpy(&packed, text, 2)
            text += 2
            if ply >= head.opening:
                memcpy(&cp, text, 2)
                text += 2
            scan_position(&p[now], &s)
            move = unpack16(&p[now], packed)
            if not is_legal(&p[now], &s, move):
                return ply + 1
            self.tally[PLIES] += 1
            if ply < head.opening:
                self.tally[OPENING] += 1
            else:
                self.consider(&p[now], &s, move, cp, ply, head, number)
            make_move(&p[now], &p[now ^ 1], move)
            now ^= 1
        return 0

    cdef void consider(self, const Position* p, const Scan* s, Move move, int cp, int ply, const GameHead* head,
                       uint32_t number) noexcept nogil:
        cdef int result = head.flags & 3, kind = move_kind(move)
        cdef bint noisy = (kind == PROMOTION or kind == EN_PASSANT
                           or (kind != CASTLING and p.mailbox[move_to(move)] != 0))
        if cp != NO_SCORE:
            self.note_key(p.key)
        if self.strays and cp != NO_SCORE:
            self.stray(p, s, number)
        elif self.passes(cp, s.checkers != 0, noisy, ply):
            self.keep(p, cp, result if p.stm == WHITE else 2 - result, ply, number)

    cdef void keep(self, const Position* p, int cp, int result, int ply, uint32_t number) noexcept nogil:
        cdef Sample* sample = &self.samples[self.n]
        own_view(p, sample)
        sample.cp = <int16_t> cp
        sample.result = <uint8_t> result
        sample.ply = <uint8_t> (ply & 255)
        sample.game = number
        self.count_kept(popcount(sample.occupied))

    cdef void stray(self, const Position* p, const Scan* s, uint32_t number) noexcept nogil:
        """Keep positions after random moves, except those in check."""
        cdef Move[CHESS_MAX_MOVES + 16] moves
        cdef Position child
        cdef Scan scan
        cdef int n = generate(p, s, ALL_MOVES, moves), _
        for _ in range(self.strays):
            make_move(p, &child, moves[<int> ((chance(&self.state) >> 32) * <uint64_t> n >> 32)])
            scan_position(&child, &scan)
            if scan.checkers:
                self.tally[CHECKS] += 1
            else:
                self.keep(&child, 0, 1, 0, number)


cdef int compare_keys(const void* a, const void* b) noexcept nogil:
    cdef uint64_t left = (<const uint64_t*> a)[0], right = (<const uint64_t*> b)[0]
    return (left > right) - (left < right)


cdef ChessBoard first_board(const GameHead* head, const uint8_t* text):
    """The board before the first move. Raises ValueError for a position that the core cannot play."""
    cdef PackedPosition start
    cdef ChessBoard board = ChessBoard()
    cdef uint8_t[64] squares
    cdef uint64_t left
    cdef int n = 0
    if not head.flags & HAS_START:
        return board
    memcpy(&start, text, sizeof(PackedPosition))
    if popcount(start.occupied) > MOST_PIECES or start.stm > 1:
        raise ValueError("the start position of a game is invalid")
    memset(squares, 0, 64)
    left = start.occupied
    while left:
        squares[pop_lsb(&left)] = start.pieces[n >> 1] >> 4 * (n & 1) & 15
        n += 1
    board.set_up(squares[:64], start.stm, start.castling, None if start.ep_sq == NO_SQUARE else start.ep_sq,
                 start.clock, start.fullmove)
    return board


cdef size_t length_of(const GameHead* head) noexcept nogil:
    """Bytes of a game after its header."""
    return ((sizeof(PackedPosition) if head.flags & HAS_START else 0) + 2 * head.plies
            + 2 * max(0, head.plies - head.opening))


def inputs(const uint8_t[::1] samples not None, const uint32_t[::1] order not None, int32_t[:, ::1] own not None,
           int32_t[:, ::1] other not None, int32_t[::1] buckets not None, bint by_king=False):
    """Write the inputs of the samples whose numbers ``order`` lists: a row of 32 for each perspective.

    by_king: inputs also depend on the square of the perspective's king. Unused places hold the total number of inputs,
    768 or 12288. Raises ValueError for arrays of the wrong size and numbers that are too high.
    """
    cdef const Sample* first = <const Sample*> &samples[0]
    cdef uint16_t[MOST_PIECES] a
    cdef uint16_t[MOST_PIECES] b
    cdef Py_ssize_t count = order.shape[0], total = samples.shape[0] // <Py_ssize_t> sizeof(Sample), i
    cdef int k, n, none = FEATURES * (KING_GROUPS if by_king else 1)
    if (own.shape[0] < count or own.shape[1] != MOST_PIECES or other.shape[0] < count or other.shape[1] != MOST_PIECES
            or buckets.shape[0] < count):
        raise ValueError("the arrays of inputs do not fit the samples")
    for i in range(count):
        if order[i] >= total:
            raise ValueError(f"expected samples 0 to {total - 1}, found {order[i]}")
    with nogil:
        for i in range(count):
            n = features_of(&first[order[i]], a, b, by_king)
            for k in range(MOST_PIECES):
                own[i, k] = a[k] if k < n else none
                other[i, k] = b[k] if k < n else none
            buckets[i] = bucket_of(n)


def evaluate(const uint8_t[::1] samples not None, Evaluator evaluator not None, int16_t[::1] out not None):
    """The static evaluation of each sample, in centipawns from the side to move; samples have no castling rights.

    Raises ValueError for damaged samples and for more samples than ``out`` has places.
    """
    cdef const Sample* first = <const Sample*> &samples[0]
    cdef ChessBoard board = ChessBoard()
    cdef Py_ssize_t total = samples.shape[0] // <Py_ssize_t> sizeof(Sample), i
    if out.shape[0] < total:
        raise ValueError(f"expected {total} places, found {out.shape[0]}")
    if not evaluator.fits(board):
        raise TypeError("the evaluator belongs to another board")
    for i in range(total):
        position_of(&first[i], board.now())
        with nogil:
            board.enter_position(0)
            out[i] = <int16_t> evaluator.evaluate(board)


def sample_boards(const uint8_t[::1] samples not None) -> list[ChessBoard]:
    """The positions of samples, White to move, for display. Raises ValueError for damaged samples."""
    cdef const Sample* first = <const Sample*> &samples[0]
    cdef Py_ssize_t i
    cdef ChessBoard board
    boards = []
    for i in range(samples.shape[0] // <Py_ssize_t> sizeof(Sample)):
        board = ChessBoard()
        position_of(&first[i], board.now())
        board.enter_position(0)
        boards.append(board)
    return boards


cdef class GameRecord:
    """A game of a file: ``board`` before its first move, moves of the core, scores and how it ended.

    scores: centipawns from the side to move, None for the plies of the opening and for those without a score. result:
    0 White lost, 1 drawn, 2 White won. reason: an index of ``selfplay.REASONS``.
    """


def decode(bytes data not None, size_t at) -> tuple[GameRecord, int]:
    """The game that begins at this offset of a block, and the offset of the next one. Raises ValueError."""
    cdef const uint8_t* text = data
    cdef GameRecord game = GameRecord()
    cdef GameHead head
    cdef ChessBoard board
    cdef Ply ply
    cdef Move move
    cdef int i
    if <size_t> len(data) < at + sizeof(GameHead):
        raise ValueError("a game ends too early")
    memcpy(&head, text + at, sizeof(GameHead))
    at += sizeof(GameHead)
    if <size_t> len(data) - at < length_of(&head):
        raise ValueError("a game ends too early")
    game.board = first_board(&head, text + at)
    at += sizeof(PackedPosition) if head.flags & HAS_START else 0
    board = game.board.copy()
    game.moves, game.scores = [], []
    for i in range(head.plies):
        memcpy(&ply, text + at, sizeof(Ply) if i >= head.opening else 2)
        at += sizeof(Ply) if i >= head.opening else 2
        move = unpack16(board.now(), ply.move)
        if not board.is_legal(move):
            raise ValueError(f"a game has an illegal move at ply {i + 1}")
        game.moves.append(move)
        game.scores.append(ply.cp if i >= head.opening and ply.cp != NO_SCORE else None)
        board.push(move)
    game.opening, game.result, game.reason = head.opening, min(2, head.flags & 3), head.flags >> REASON_SHIFT
    return game, at


def encode(ChessBoard start not None, bint usual, list moves not None, int opening, list scores not None,
           int result) -> bytes:
    """Encode a game from another format, with the reason of its end unknown.

    usual: whether ``start`` is the standard start position. moves: from, to and promotion as in files; castling may
    also be written as the king's move over two files. scores: centipawns of the plies from ``opening`` on, or None.
    Raises ValueError for an illegal move, naming the ply, and for numbers out of range.
    """
    cdef ChessBoard board = start.copy()
    cdef GameHead head
    cdef PackedPosition packed
    cdef Ply ply
    cdef Move move
    cdef bytearray data = bytearray()
    cdef int i
    if len(moves) > 65535 or not 0 <= opening <= min(255, len(moves)) or len(scores) != len(moves) - opening:
        raise ValueError("a game with numbers that no game has")
    head = GameHead(plies=len(moves), opening=opening, flags=result | (0 if usual else HAS_START))
    data += (<char*> &head)[:sizeof(GameHead)]
    if not usual:
        pack_position(board.now(), board.fullmove, &packed)
        data += (<char*> &packed)[:sizeof(PackedPosition)]
    for i in range(len(moves)):
        ply.move = as_king_takes_rook(board.now(), moves[i])
        move = unpack16(board.now(), ply.move)
        if not board.is_legal(move):
            raise ValueError(f"an illegal move at ply {i + 1}")
        if i < opening:
            data += (<char*> &ply)[:2]
        else:
            score = scores[i - opening]
            ply.cp = <int16_t> (NO_SCORE if score is None else max(-MATE_CP, min(MATE_CP, score)))
            data += (<char*> &ply)[:sizeof(Ply)]
        board.push(move)
    return bytes(data)


cdef uint16_t as_king_takes_rook(const Position* p, uint16_t packed) noexcept nogil:
    """Convert a king's move over two files to castling (king takes rook), if that castling is legal."""
    cdef int from_sq = packed & 63, to_sq = packed >> 6 & 63
    cdef uint64_t rooks
    if (p.mailbox[from_sq] != piece_of(p.stm, KING) or from_sq >> 3 != to_sq >> 3 or abs(from_sq - to_sq) != 2
            or p.mailbox[to_sq]):
        return packed
    rooks = p.castling & rank_mask(from_sq >> 3)
    rooks &= ~((<uint64_t> 2 << from_sq) - 1) if to_sq > from_sq else (<uint64_t> 1 << from_sq) - 1
    return <uint16_t> (from_sq | lsb(rooks) << 6) if rooks else packed
