"""Games of two settings of the search against each other, in one process: for tuning. Python bindings.

A setting is everything that determines the search besides position and limits. The sides install theirs in turn, so no
other search may run in the process during that time.
"""

from ..search.parameters cimport Numbers, Setting, TUNED, Techniques, USE, fill_tables, keep_setting, take_setting
from ..memory.tt cimport Table
from ..value.evaluator cimport Evaluator
from ..value.objective cimport Objective
from ..base.types cimport *
from .selfplay cimport GOING_ON, ChessPlayer, Player, chance, empty

cdef enum:
    ANY_CP = 32000                    # a limit of the opening's score that accepts every opening


def numbers() -> dict[str, int]:
    """The tunable numbers of the search, with their current values."""
    cdef dict values = TUNED
    return values


def switches() -> dict[str, bool]:
    """The techniques of the search, and whether each is switched on."""
    cdef dict values = USE
    return values


cdef int make_setting(dict changes, Setting* setting) except -1:
    """The current setting with these changes of numbers and switches. Raises KeyError for other names."""
    cdef dict values = TUNED, switches = USE
    cdef Setting before
    cdef Numbers tuned
    cdef Techniques use
    for name, value in changes.items():
        if name in values:
            values[name] = value
        elif name in switches:
            switches[name] = bool(value)
        else:
            raise KeyError(name)
    tuned = values
    use = switches
    keep_setting(&before)
    setting[0] = before               # also copies the places that fill_tables does not write
    setting.tuned = tuned
    setting.use = use
    take_setting(setting)
    fill_tables()
    keep_setting(setting)
    take_setting(&before)
    return 0


def change(changes: dict[str, int]) -> None:
    """Change the current setting for all later searches of the process.

    Raises KeyError for a name that is neither a number nor a technique.
    """
    cdef Setting setting
    make_setting(changes, &setting)
    take_setting(&setting)


cdef class Duel(ChessPlayer):
    """Pairs of games from one opening with both colours.

    first, second: evaluators of the sides. The other arguments are those of ChessPlayer.
    """

    cdef Player one
    cdef Player other
    cdef Setting[2] settings          # the settings of the two sides
    cdef int white                    # index of the setting that plays White
    cdef int opening_cp
    cdef uint64_t kept                # state of the random stream before the opening

    def __init__(self, Evaluator first not None, Evaluator second not None, Objective objective not None, int hash_mb,
                 uint64_t seed, dict rules not None):
        ChessPlayer.__init__(self, first, objective, hash_mb, seed, rules)
        if not second.fits(self.board):
            raise TypeError("the evaluator belongs to another board")
        self.opening_cp = self.rules.opening_cp
        self.one = self.worker
        self.one.whole_pv = False         # as in games
        self.other = Player(self.board)
        self.other.board = self.board
        self.other.table = Table(hash_mb)
        self.other.shared = &self.shared
        self.other.evaluator = second.clone()
        self.other.objective = objective
        self.other.oracle_pieces = 0
        self.other.soft_nodes = self.rules.nodes

    def play_pair(self, uint64_t number, dict first not None, dict second not None) -> tuple[int, int]:
        """Play two games between settings given by their changes. Returns the results of the first: 0 lost, 1 drawn, 2
        won.

        The first setting plays White in the first game. Raises KeyError for a name that is neither a number nor a
        technique.
        """
        cdef Setting before
        cdef int result
        make_setting(first, &self.settings[0])
        make_setting(second, &self.settings[1])
        keep_setting(&before)
        try:
            result = self.play_one(number)
            return result, 2 - self.play_again()
        finally:
            take_setting(&before)

    cdef int play_one(self, uint64_t number) except -1:
        cdef uint64_t state = self.seed
        cdef int reason = GOING_ON
        state = chance(&state) ^ number
        self.white = 0
        self.rules.opening_cp = self.opening_cp
        while reason == GOING_ON:
            self.kept = state
            self.set_up(&state)
            if self.make_opening(&state):
                self.forget()
                reason = self.play_on()
        return self.result_of(reason)

    cdef int play_again(self) except -1:
        """Play the second game: the same opening with colours exchanged."""
        cdef uint64_t state = self.kept
        self.white = 1
        self.rules.opening_cp = ANY_CP
        self.set_up(&state)
        self.make_opening(&state)
        self.forget()
        return self.result_of(self.play_on())

    cdef void forget(self) noexcept nogil:
        empty(self.one)
        empty(self.other)

    cdef int think(self) noexcept nogil:
        cdef int side = self.white ^ self.board.head[self.board.top].stm
        take_setting(&self.settings[side])
        return self.search(self.other) if side else self.search(self.one)
