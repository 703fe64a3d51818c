"""Counts the leaves of the move tree: perft, divide, and bulk counting. Python bindings."""

from libc.stdlib cimport calloc, free

from ..base.bits cimport MOVE_ROOM
from ..base.board cimport Board
from ..base.clocks cimport thread_seconds
from ..chess.chess_board cimport ChessBoard
from ..chess.movegen cimport count, generate, scan_position
from ..chess.position cimport Position, make_move
from ..chess.legal_count cimport Scan
from ..base.system cimport aligned_free, aligned_new
from ..base.types cimport *

# A position fills three cache lines. The system's stack is aligned to 16 bytes only, so loads from positions there
# would cross cache lines and cost up to a third of the speed. The positions of all plies therefore lie in one block
# aligned to a cache line.

cdef uint64_t walk_bulk(Position* p, int depth) noexcept nogil:
    """Number of leaves. The moves of the last ply are counted, not listed. Room for ``depth - 1`` positions must follow
    p.
    """
    cdef Move[CHESS_MAX_MOVES + MOVE_ROOM] moves
    cdef Scan s
    cdef Position* child = p + 1
    cdef uint64_t checkers, leaves = 0
    cdef int n, i
    scan_position(p, &s)
    n = generate(p, &s, ALL_MOVES, moves)
    for i in range(n):
        make_move(p, child, moves[i])
        leaves += count(child, &checkers) if depth == 2 else walk_bulk(child, depth - 1)
    return leaves


cdef uint64_t walk_lists(Position* p, int depth) noexcept nogil:
    """Number of leaves. The moves of the last ply are listed as well."""
    cdef Move[CHESS_MAX_MOVES + MOVE_ROOM] moves
    cdef Scan s
    cdef Position* child = p + 1
    cdef uint64_t leaves = 0
    cdef int n, i
    scan_position(p, &s)
    n = generate(p, &s, ALL_MOVES, moves)
    if depth == 1:
        return n
    for i in range(n):
        make_move(p, child, moves[i])
        leaves += walk_lists(child, depth - 1)
    return leaves


cdef uint64_t walk(Position* p, int depth, bint bulk) noexcept nogil:
    cdef uint64_t checkers
    if depth <= 0:
        return 1
    if depth == 1 and bulk:
        return count(p, &checkers)
    return walk_bulk(p, depth) if bulk else walk_lists(p, depth)


cdef uint64_t walk_board(Board board, Move* moves, int depth, bint bulk) noexcept nogil:
    """Number of leaves, found by making moves on any board. ``moves`` has max_moves places for each ply."""
    cdef uint64_t leaves = 0
    cdef int n, i, code
    if depth <= 0:
        return 1
    if depth == 1 and bulk:
        code = board.goal_code(board.top, EVERY_MOVE)
        return 0 if code == NO_GOAL else code >> 1
    n = board.generate(ALL_MOVES, moves)
    if depth == 1:
        return n
    for i in range(n):
        board.make(moves[i])
        leaves += walk_board(board, moves + board.max_moves, depth - 1, bulk)
        board.top -= 1
    return leaves


cdef uint64_t walk_any(Board board, int depth, bint bulk) except? 0:
    """The number of leaf nodes below the current position, on any type of board."""
    cdef uint64_t leaves
    cdef Position* plies
    cdef Move* moves
    depth = max(depth, 0)
    if isinstance(board, ChessBoard):
        plies = <Position*> aligned_new(64, (depth + 1) * sizeof(Position))
        if plies == NULL:
            raise MemoryError
        plies[0] = (<ChessBoard> board).now()[0]
        with nogil:
            leaves = walk(plies, depth, bulk)
        aligned_free(plies)
        return leaves
    board.reserve(board.top + depth + 2)
    moves = <Move*> calloc((depth + 1) * <size_t> (board.max_moves + MOVE_ROOM), sizeof(Move))
    if moves == NULL:
        raise MemoryError
    with nogil:
        leaves = walk_board(board, moves, depth, bulk)
    free(moves)
    return leaves


def perft(Board board not None, int depth, bint bulk=True) -> int:
    """Number of move sequences of length ``depth`` (CPW: Perft).

    bulk: count the moves of the last ply instead of listing them. The GIL is released.
    """
    return walk_any(board, depth, bulk)


def divide(Board board not None, int depth) -> list[tuple[int, int]]:
    """(move, number of sequences beginning with it) for each legal move, ``depth`` at least 1."""
    cdef Move move
    result = []
    board.reserve(board.top + depth + 2)
    for move in board.legal_moves():
        board.make(move)
        try:
            result.append((move, walk_any(board, depth - 1, True)))
        finally:
            board.top -= 1
    return result


def checked_perft(Board board not None, int depth) -> int:
    """Perft through ``make`` on the stack, verifying every invariant, key and counter at each node.

    Raises AssertionError if an invariant is broken.
    """
    cdef int room = board.max_moves + MOVE_ROOM
    cdef Move* moves = <Move*> calloc(2 * room, sizeof(Move))
    cdef int* marks = <int*> calloc(room, sizeof(int))
    try:
        if moves == NULL or marks == NULL:
            raise MemoryError
        return checked_walk(board, depth, moves, moves + room, marks)
    finally:
        free(moves)
        free(marks)


cdef uint64_t checked_walk(Board board, int depth, Move* moves, Move* stage, int* marks) except? 0:
    cdef int n = board.generate(ALL_MOVES, moves)
    cdef int noisy = 0, i, code = board.goal_code(board.top, EVERY_MOVE)
    cdef uint64_t leaves = 0
    cdef bint check
    board.check()
    board.reserve(board.top + 4)
    # A position without moves may be decided by a rule of the game, and then its goal does not follow from the moves.
    if (n > 0 or (code > 1 and code != NO_GOAL)) and code != 2 * n + (not board.head[board.top].in_check):
        raise AssertionError("counted and listed moves disagree")
    if depth == 0:
        return 1
    board.describe(moves, n, marks)
    for i in range(n):
        if marks[i] != 2 * board.slot(moves[i]) + board.is_forcing(moves[i]):
            raise AssertionError(f"describe is wrong for {moves[i]:#x}")
    for i in range(n):
        if not board.is_legal(moves[i]):
            raise AssertionError(f"listed move {moves[i]:#x} is said to be illegal")
        noisy += board.is_noisy(moves[i])
        check = board.gives_check(moves[i])
        board.make(moves[i])
        try:
            if check != board.head[board.top].in_check:
                raise AssertionError(f"gives_check is wrong for {moves[i]:#x}")
            leaves += checked_perft(board, depth - 1)
        finally:
            board.top -= 1
    if board.generate(NOISY, stage) != noisy or board.generate(QUIET, stage) != n - noisy:
        raise AssertionError("stages do not add up to the legal moves")
    return leaves


def count_many(list boards not None, int repeat=1) -> tuple[int, float]:
    """Count the legal moves of all boards ``repeat`` times; return (total, CPU seconds of the counting alone).

    The positions are first copied next to each other, the way a tagger or a table solver stores them.
    """
    cdef int n = len(boards), i, _
    cdef Position* positions = <Position*> calloc(n, sizeof(Position))
    cdef uint64_t checkers, total = 0
    cdef double seconds
    if positions == NULL:
        raise MemoryError
    try:
        for i in range(n):
            positions[i] = (<ChessBoard?> boards[i]).now()[0]
        with nogil:
            seconds = thread_seconds()
            for _ in range(repeat):
                for i in range(n):
                    total += count(&positions[i], &checkers)
            seconds = thread_seconds() - seconds
    finally:
        free(positions)
    return total, seconds
