"""Games of the core against itself, for training: one thread plays one game at a time. Python bindings.

docs/training-data.md describes the games: openings, limits, ends and bytes.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ..base.atomics cimport load_flag, store_count, store_flag
from ..base.bits cimport MOVE_ROOM, bit
from ..base.board cimport Board
from ..chess.chess_board cimport ChessBoard
from ..chess.packed cimport PackedPosition, pack16, pack_position
from ..fairy.fairy_board cimport FairyBoard
from ..search.root cimport iterative_deepening
from ..memory.tt cimport Table
from ..search.worker cimport Limits, Worker
from ..value.evaluator cimport Evaluator
from ..value.objective cimport Objective
from ..base.types cimport *
from .sample cimport HAS_START, REASON_SHIFT, FairyPly, GameHead, Ply

cdef enum:
    SEARCH_ROOM = MAX_PLY + 8         # places that a search needs on the stack
    SHORTEST_OPENING = 8              # random plies
    LONGEST_OPENING = 10
    MOST_FROM_START = 3               # random plies of games that begin from given positions
    MOST_OPENINGS = 2000              # openings tried for one game
    ARRAYS = 960
    MATE_DISTANCES = 500              # a score can express a mate of at most this many plies

REASONS = ("unknown", "mate", "stalemate", "repetition", "50-move rule", "dead material", "adjudged won",
           "adjudged drawn", "length", "rule of the game")


cdef int[6] REASON_OF = [GOING_ON, MATED, STALEMATED, REPEATED, FIFTY, DEAD]  # reason for each Ending

cdef inline int below(uint64_t* state, int n) noexcept nogil:
    return <int> ((chance(state) >> 32) * <uint64_t> n >> 32)


cdef void array_of(int number, uint8_t* pieces) noexcept nogil:
    """Write the pieces on the files a to h of the Chess960 array with this Scharnagl number, 0 to 959."""
    cdef int[3] rest = [ROOK, KING, ROOK]
    cdef int i, k = 0, left, first, second
    memset(pieces, 255, 8)
    pieces[2 * (number & 3) + 1] = BISHOP
    number >>= 2
    pieces[2 * (number & 3)] = BISHOP
    number >>= 2
    put_free(pieces, number % 6, QUEEN)
    left = number // 6
    # The pairs of free files in order: 01 02 03 04 12 13 14 23 24 34.
    for first in range(4):
        for second in range(first + 1, 5):
            if left == 0:
                put_free(pieces, second, KNIGHT)
                put_free(pieces, first, KNIGHT)
            left -= 1
    for i in range(8):
        if pieces[i] == 255:
            pieces[i] = <uint8_t> rest[k]
            k += 1


cdef inline void put_free(uint8_t* pieces, int place, int type) noexcept nogil:
    """Put the piece on the free file of that number."""
    cdef int i
    for i in range(8):
        if pieces[i] == 255:
            if place == 0:
                pieces[i] = <uint8_t> type
                return
            place -= 1


def chess960_array(int number) -> bytes:
    """Piece types (0 pawn to 5 king) on the files a to h of a Chess960 array. Raises ValueError."""
    cdef uint8_t[8] pieces
    if not 0 <= number < ARRAYS:
        raise ValueError(f"expected an array 0 to {ARRAYS - 1}, found {number}")
    array_of(number, pieces)
    return pieces[:8]


cdef int whole_cp(Score score) noexcept nogil:
    """A score in whole centipawns; a mate is MATE_CP less the plies to it."""
    cdef int size = score if score >= 0 else -score
    if size >= SCORE_MATE - CP:
        size = MATE_CP - min(SCORE_MATE - size, MATE_DISTANCES)
    else:
        size = (size + CP // 2) >> 16
    return size if score >= 0 else -size


cdef void sort_moves(Move* moves, int n) noexcept nogil:
    cdef int i, k
    cdef Move move
    for i in range(1, n):
        move = moves[i]
        k = i
        while k > 0 and moves[k - 1] > move:
            moves[k] = moves[k - 1]
            k -= 1
        moves[k] = move


cdef void empty(Player player) noexcept nogil:
    """Clear the memory of earlier searches."""
    if player.table.used:
        player.table.clear(0, 1)
        player.table.age = 0
    player.history.clear()


cdef class Player(Worker):
    """A search that ends after the iteration that exceeds the node limit."""

    cdef void run(self) noexcept nogil:
        iterative_deepening(self)

    cdef void on_iteration(self, bint final) noexcept nogil:
        if self.nodes >= self.soft_nodes:
            self.limits.depth = self.completed


cdef class Searcher:
    """Searches positions on one thread, for the number of nodes in the rules.

    board: the board to search on. evaluator, objective: those of the search. seed: selects the random streams, one for
    each game number. rules: the fields of ``Rules``. Raises MemoryError for a table that is too large, KeyError,
    ValueError or TypeError for other rules.
    """

    cdef int equip(self, Board board, Evaluator evaluator, Objective objective, int hash_mb, uint64_t seed,
                   dict rules) except -1:
        self.rules = rules
        if not evaluator.fits(board):
            raise TypeError("the evaluator belongs to another board")
        self.board = board
        self.worker = Player(board)
        self.worker.board = board
        self.objective = objective
        self.worker.table = Table(hash_mb)
        self.worker.shared = &self.shared
        self.worker.evaluator = evaluator.clone()
        self.worker.objective = objective
        self.worker.oracle_pieces = 0
        self.worker.soft_nodes = self.rules.nodes
        self.worker.whole_pv = True
        self.seed = seed
        return 0

    def stop(self):
        """Abort the search. Called from another thread."""
        store_flag(&self.given_up, True)
        store_flag(&self.shared.stop, True)

    cdef void forget(self) noexcept nogil:
        empty(self.worker)

    cdef int think(self) noexcept nogil:
        """Find the best move. Returns its score in centipawns, side to move's view."""
        return self.search(self.worker)

    cdef int search(self, Player player) noexcept nogil:
        memset(&player.limits, 0, sizeof(Limits))
        player.limits.multipv = 1
        player.limits.nodes = self.rules.most_nodes
        store_count(&self.shared.nodes, 0)
        store_flag(&self.shared.stop, False)    # a hard limit sets it
        if load_flag(&self.given_up):
            return 0
        player.table.new_search()
        self.objective.prepare(self.board)
        self.objective.enter(self.board)
        player.prepare_all()
        player.run()
        self.nodes += player.nodes
        self.best = player.root_moves[0].move
        return whole_cp(player.root_moves[0].score)


cdef class GamePlayer(Searcher):
    """Plays games one after the other, each from an empty table, so that a game depends only on its number.

    A subclass defines where games begin and how they are encoded.
    """

    def __dealloc__(self):
        free(self.moves)

    cdef int equip(self, Board board, Evaluator evaluator, Objective objective, int hash_mb, uint64_t seed,
                   dict rules) except -1:
        Searcher.equip(self, board, evaluator, objective, hash_mb, seed, rules)
        if not LONGEST_OPENING < self.rules.longest <= MOST_PLIES:
            raise ValueError(
                f"expected games of {LONGEST_OPENING + 1} to {MOST_PLIES} plies, found {self.rules.longest}")
        self.moves = <Move*> malloc((board.max_moves + MOVE_ROOM) * sizeof(Move))
        if self.moves == NULL:
            raise MemoryError
        self.least_random, self.most_random = SHORTEST_OPENING, LONGEST_OPENING
        return 0

    def play(self, uint64_t number) -> bytes | None:
        """Play the game of that number; return its bytes, or None if it was stopped.

        Raises ValueError if no opening is level, because all start positions are won or the game ends too soon.
        """
        cdef uint64_t state = self.seed
        cdef int reason, from_array, tries = 0
        state = chance(&state) ^ number
        chance(&state)
        while not load_flag(&self.given_up):
            if tries == MOST_OPENINGS:
                raise ValueError(f"expected openings within {self.rules.opening_cp} centipawns, found {tries:,} others")
            tries += 1
            from_array = self.set_up(&state)
            if not self.make_opening(&state):
                continue
            # Release the GIL for a whole game: waiting for it after each short search takes longer than the search.
            with nogil:
                self.forget()
                reason = self.play_on()
            if reason != GOING_ON:
                return self.packed(self.result_of(reason) | reason << REASON_SHIFT | (HAS_START if from_array else 0))
            self.rejected_openings += 1
        return None

    cdef bint set_up(self, uint64_t* state) except -1:
        """Set up the board; false for the standard start position."""
        raise NotImplementedError

    cdef bint make_opening(self, uint64_t* state) except -1:
        """Play the random plies; False if that has ended the game."""
        cdef int n, _
        self.board.reserve(MOST_PLIES + SEARCH_ROOM)
        self.n_plies = 0
        self.decided = self.level = 0
        self.opening = self.least_random + below(state, self.most_random - self.least_random + 1)
        for _ in range(self.opening):
            n = self.board.generate(ALL_MOVES, self.moves)
            if n == 0:
                return False
            sort_moves(self.moves, n)  # the generator's order differs between builds
            self.make(self.moves[below(state, n)], 0)
        return self.ended() == GOING_ON

    cdef void make(self, Move move, int cp) noexcept nogil:
        self.plies[self.n_plies].move = move
        self.plies[self.n_plies].cp = <int16_t> cp
        self.n_plies += 1
        self.board.make(move)
        self.board.root = self.board.top

    cdef int play_on(self) noexcept nogil:
        """Play the game to its end and return the reason; GOING_ON if the opening was rejected or the game stopped."""
        cdef int reason = GOING_ON, cp
        while reason == GOING_ON:
            cp = self.think()
            if load_flag(&self.given_up) or (self.n_plies == self.opening and abs(cp) > self.rules.opening_cp):
                return GOING_ON
            self.count_adjudged(cp)
            self.make(self.best, cp)
            reason = self.ended()
            if reason == GOING_ON:
                reason = self.adjudged()
        return reason

    cdef int ended(self) noexcept nogil:
        """The reason if a rule ends the game here."""
        cdef Ending ending
        if self.board.generate(ALL_MOVES, self.moves) == 0:
            ending = self.board.no_moves()
        elif self.board.head[self.board.top].dead and self.board.material_ends:
            return DEAD
        else:
            ending = self.board.ending()
        if ending == RULE_WIN or ending == RULE_LOSS or ending == RULE_DRAW:
            self.ruled = DRAWN
            if ending != RULE_DRAW:
                self.ruled = WON if (ending == RULE_WIN) == (self.board.head[self.board.top].stm == WHITE) else LOST
            return BY_RULE
        return REASON_OF[<int> ending]

    cdef void count_adjudged(self, int cp) noexcept nogil:
        """Count the consecutive plies towards adjudication."""
        cdef int white_cp = -cp if self.board.head[self.board.top].stm else cp
        if white_cp >= self.rules.won_cp:
            self.decided = max(self.decided, 0) + 1
        elif white_cp <= -self.rules.won_cp:
            self.decided = min(self.decided, 0) - 1
        else:
            self.decided = 0
        if abs(cp) <= self.rules.drawn_cp and self.board.top >= self.rules.drawn_from:
            self.level += 1
        else:
            self.level = 0

    cdef int adjudged(self) noexcept nogil:
        """The reason if the game must be adjudicated here, or GOING_ON."""
        if abs(self.decided) >= self.rules.won_plies:
            return ADJUDGED_WIN
        if self.level >= self.rules.drawn_plies:
            return ADJUDGED_DRAW
        return TOO_LONG if self.n_plies >= self.rules.longest else GOING_ON

    cdef int result_of(self, int reason) noexcept nogil:
        """White's result."""
        if reason == MATED:
            return WON if self.board.head[self.board.top].stm == BLACK else LOST
        if reason == ADJUDGED_WIN:
            return WON if self.decided > 0 else LOST
        return self.ruled if reason == BY_RULE else DRAWN

    cdef GameHead head_of(self, int flags) noexcept nogil:
        return GameHead(plies=<uint16_t> self.n_plies, opening=<uint8_t> self.opening, flags=<uint8_t> flags)

    cdef bytes packed(self, int flags):
        """Encode the played game."""
        raise NotImplementedError


cdef class ChessPlayer(GamePlayer):
    """Plays chess, also from arrays of Chess960 or from given positions.

    starts: positions, the first four arguments of ``ChessBoard.set_up``; None: the arrays. material_ends: whether dead
    material ends a game.
    """

    def __init__(self, Evaluator evaluator not None, Objective objective not None, int hash_mb, uint64_t seed,
                 dict rules not None, list starts=None, bint material_ends=True):
        self.equip(ChessBoard(), evaluator, objective, hash_mb, seed, rules)
        self.board.material_ends = material_ends
        self.starts = starts or []
        if self.starts:
            self.least_random, self.most_random = 0, MOST_FROM_START

    cdef bint set_up(self, uint64_t* state) except -1:
        cdef int kind, white, black
        if self.starts:
            (<ChessBoard> self.board).set_up(*self.starts[below(state, <int> len(self.starts))], 0, 1)
            return True
        kind, white, black = below(state, 10), below(state, ARRAYS), below(state, ARRAYS)
        if kind > 1:
            self.board.__init__()
            return False
        self.set_up_arrays(white, white if kind else black)
        return True

    cdef int set_up_arrays(self, int white, int black) except -1:
        cdef uint8_t[64] squares
        cdef uint64_t castling = 0
        cdef int i
        memset(squares, 0, 64)
        array_of(white, squares)
        array_of(black, &squares[56])
        for i in range(8):
            if squares[i] == ROOK:
                castling |= bit(i)
            if squares[56 + i] == ROOK:
                castling |= bit(56 + i)
            squares[i] = <uint8_t> piece_of(WHITE, squares[i])
            squares[8 + i] = <uint8_t> piece_of(WHITE, PAWN)
            squares[48 + i] = <uint8_t> piece_of(BLACK, PAWN)
            squares[56 + i] = <uint8_t> piece_of(BLACK, squares[56 + i])
        (<ChessBoard> self.board).set_up(squares[:64], WHITE, castling, None, 0, 1)
        return 0

    cdef bytes packed(self, int flags):
        cdef GameHead head = self.head_of(flags)
        cdef PackedPosition start
        cdef Ply ply
        cdef bytearray data = bytearray()
        cdef int i
        data += (<char*> &head)[:sizeof(GameHead)]
        if flags & HAS_START:
            pack_position(&(<ChessBoard> self.board).positions[0], 1, &start)
            data += (<char*> &start)[:sizeof(PackedPosition)]
        for i in range(self.n_plies):
            ply.move = pack16(self.plies[i].move)
            ply.cp = self.plies[i].cp
            data += (<char*> &ply)[:sizeof(Ply) if i >= self.opening else sizeof(ply.move)]
        return bytes(data)


cdef class FairyPlayer(GamePlayer):
    """Plays a game by definition, from its array."""

    def __init__(self, FairyBoard board not None, Evaluator evaluator not None, Objective objective not None,
                 int hash_mb, uint64_t seed, dict rules not None):
        """board: any board of the game, which is modified."""
        self.equip(board, evaluator, objective, hash_mb, seed, rules)

    cdef bint set_up(self, uint64_t* state) except -1:
        self.board.__init__((<FairyBoard> self.board).rules)
        return False

    cdef bytes packed(self, int flags):
        cdef GameHead head = self.head_of(flags)
        cdef FairyPly ply
        cdef bytearray data = bytearray()
        cdef int i
        data += (<char*> &head)[:sizeof(GameHead)]
        for i in range(self.n_plies):
            ply.move = self.plies[i].move
            ply.cp = self.plies[i].cp
            data += (<char*> &ply)[:sizeof(FairyPly) if i >= self.opening else sizeof(ply.move)]
        return bytes(data)


cdef class Rescorer(Searcher):
    """Searches positions of existing games again."""

    def __init__(self, Board board not None, Evaluator evaluator not None, Objective objective not None, int hash_mb,
                 uint64_t seed, dict rules not None, int every):
        if every < 1:
            raise ValueError(f"expected one position of 1 or more, found of {every}")
        self.equip(board, evaluator, objective, hash_mb, seed, rules)
        self.every = every

    def scores(self, Board start not None, list moves not None, list known not None, uint64_t number):
        """Centipawns of each ply for the side to move, None for plies left out. Returns None if stopped."""
        cdef uint64_t state = self.seed
        cdef int i, cp
        cdef Move move
        cdef bint fit
        state = chance(&state) ^ number
        chance(&state)
        self.board = start.clone()
        self.board.reserve(len(moves) + SEARCH_ROOM)
        self.worker.board = self.board
        self.forget()
        found = []
        for i in range(len(moves)):
            move = moves[i]
            fit = (known[i] is not None and below(&state, self.every) == 0
                   and not self.board.head[self.board.top].in_check and not self.board.is_noisy(move))
            if fit:
                with nogil:
                    cp = self.think()
                if load_flag(&self.given_up):
                    return None
                fit = not self.board.is_noisy(self.best)
            found.append(cp if fit else None)
            self.board.make(move)
            self.board.root = self.board.top
        return found
