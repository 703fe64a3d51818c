"""Training positions from games by definition, stored as inputs of their networks. Python bindings.

docs/training-data.md describes games and samples.
"""

from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from ..base.board cimport Board
from ..base.buffers cimport grown
from ..base.types cimport *
from ..fairy.fairy_board cimport FairyBoard
from ..fairy.position cimport FairyPosition
from ..network.fairy_inputs cimport FairyInputs
from ..value.evaluator cimport Evaluator
from .sample cimport MOST_INPUTS, NO_SCORE, REASON_SHIFT, FairyPly, FairySample, GameHead
from .samples cimport OPENING, PLIES, GameReader, GameRecord

FAIRY_SAMPLE_BYTES = sizeof(FairySample)

cdef enum:
    SPARE_INPUTS = 6                  # inputs for pieces to gate and check counters


cdef class FairySampleReader(GameReader):
    """Collects samples of games by definition.

    board: any board of the game, which is modified. evaluator: the hand-crafted evaluation, whose score is also stored.
    Raises ValueError for a game with more pieces than a sample holds.
    """

    cdef FairyBoard board
    cdef FairyInputs inputs
    cdef Evaluator evaluator
    cdef FairySample* samples
    cdef size_t room

    def __init__(self, FairyBoard board not None, Evaluator evaluator not None, int skip=0, int most_cp=2500,
                 bint quiet=True, bint with_keys=False):
        GameReader.__init__(self, skip, most_cp, quiet, with_keys)
        if not evaluator.fits(board):
            raise TypeError("the evaluator belongs to another board")
        self.board = board
        self.inputs = FairyInputs(board.rules)
        self.evaluator = evaluator
        board.__init__(board.rules)
        if board.rules.most_men > MOST_INPUTS - SPARE_INPUTS:
            raise ValueError(
                f"expected a game of at most {MOST_INPUTS - SPARE_INPUTS} pieces, found {board.rules.most_men}")

    def __dealloc__(self):
        free(self.samples)

    @property
    def input_count(self) -> int:
        """Number of inputs of one perspective of the game's networks."""
        return self.inputs.count

    def samples_bytes(self) -> bytes:
        """All samples collected so far, FAIRY_SAMPLE_BYTES each."""
        return (<char*> self.samples)[:self.n * sizeof(FairySample)] if self.n else b""

    cdef int read_game(self, const uint8_t* text, size_t size, size_t* at, uint32_t number) except? -2:
        cdef GameHead head
        cdef size_t start
        cdef int result
        if size - at[0] < sizeof(GameHead):
            return -1
        memcpy(&head, text + at[0], sizeof(GameHead))
        start = at[0] + sizeof(GameHead)
        if size - start < length_of(&head):
            return -1
        at[0] = start + length_of(&head)
        self.make_key_room(head.plies)
        self.samples = <FairySample*> grown(self.samples, self.n + head.plies, &self.room, sizeof(FairySample))
        self.board.__init__(self.board.rules)
        self.board.reserve(head.plies + 2)
        with nogil:
            result = self.replay(&head, text + start, number)
        self.count_game(&head)
        return result

    cdef int replay(self, const GameHead* head, const uint8_t* text, uint32_t number) noexcept nogil:
        """Play the moves and keep the wanted positions; returns 0, or the ply of an illegal move."""
        cdef FairyPly ply
        cdef int i
        for i in range(head.plies):
            memcpy(&ply, text, sizeof(FairyPly) if i >= head.opening else sizeof(ply.move))
            text += sizeof(FairyPly) if i >= head.opening else sizeof(ply.move)
            if not self.board.is_legal(ply.move):
                return i + 1
            self.tally[PLIES] += 1
            if i < head.opening:
                self.tally[OPENING] += 1
            else:
                self.consider(ply.move, ply.cp, i, head, number)
            self.board.make(ply.move)
        return 0

    cdef void consider(self, Move move, int cp, int ply, const GameHead* head, uint32_t number) noexcept nogil:
        """Keep the position on the board, or count the reason for leaving it out."""
        cdef const FairyPosition* p = self.board.now()
        cdef FairySample* sample = &self.samples[self.n]
        cdef int result = head.flags & 3, k
        if cp != NO_SCORE:
            self.note_key(p.key)
        if not self.passes(cp, self.board.head[self.board.top].in_check, self.board.is_noisy(move), ply):
            return
        memset(sample, 0, sizeof(FairySample))
        sample.cp = <int16_t> cp
        sample.result = <uint8_t> (result if p.stm == WHITE else 2 - result)
        sample.ply = <uint8_t> (ply & 255)
        sample.game = number
        sample.static_cp = <int16_t> self.evaluator.evaluate(self.board)
        sample.bucket = <uint8_t> self.inputs.bucket(p)
        for k in range(2):
            sample.n = <uint8_t> self.inputs.all_of(p, p.stm ^ k, sample.inputs[k], MOST_INPUTS)
        self.count_kept(self.board.head[self.board.top].pieces)


cdef size_t length_of(const GameHead* head) noexcept nogil:
    """Bytes of a game after its header."""
    return 4 * head.plies + 2 * max(0, head.plies - head.opening)


def decode_fairy(bytes data not None, size_t at, FairyBoard start not None) -> tuple[GameRecord, int]:
    """The game that begins at this offset of a block, and the offset of the next one. Raises ValueError.

    start: a board with the start position, which the result keeps.
    """
    cdef const uint8_t* text = data
    cdef GameRecord game = GameRecord()
    cdef GameHead head
    cdef FairyPly ply
    cdef Board board
    cdef int i
    if <size_t> len(data) < at + sizeof(GameHead):
        raise ValueError("a game ends too early")
    memcpy(&head, text + at, sizeof(GameHead))
    at += sizeof(GameHead)
    if <size_t> len(data) - at < length_of(&head):
        raise ValueError("a game ends too early")
    game.board = start
    board = start.copy()
    game.moves, game.scores = [], []
    for i in range(head.plies):
        memcpy(&ply, text + at, sizeof(FairyPly) if i >= head.opening else sizeof(ply.move))
        at += sizeof(FairyPly) if i >= head.opening else sizeof(ply.move)
        if not board.is_legal(ply.move):
            raise ValueError(f"a game has an illegal move at ply {i + 1}")
        game.moves.append(ply.move)
        game.scores.append(ply.cp if i >= head.opening and ply.cp != NO_SCORE else None)
        board.push(ply.move)
    game.opening, game.result, game.reason = head.opening, min(2, head.flags & 3), head.flags >> REASON_SHIFT
    return game, at
