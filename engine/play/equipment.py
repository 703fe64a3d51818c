"""Keeps the parts of a search up to date with the settings: pool, evaluator, objective, book, endgame tables."""

from __future__ import annotations

import math

from standstill.cext.base.constants import WHITE

from ..common.errors import NetworkError, OtherGameError
from ..common.text import shown, shown_path
from ..network.shipped import AUTO, DEFAULT, NONE, path_for, path_of, path_of_records
from ..rmobility.modes import DECISIVE, OFF, chosen, material_ends, objective, parse_limit
from ..settings.config import find_file, table_folders
from ..settings.options import Settings
from ..variants.boards import new_evaluator, searching_evaluator
from ..variants.variant import CHESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.cext.bindings.pool import SearchPool
    from standstill.cext.network.weights import Weights
    from standstill.cext.value.objective import Objective

    from ..common.notice import Notice
    from ..settings.options import TextName
    from ..tablebases.playing import PlayedTables
    from ..variants.boards import Evaluator
    from ..variants.notation import Board
    from ..variants.variant import Variant
    from .advice import Adviser


class NetworkChoice:
    """The network that an option selects for the current game. An unusable value is reported and reset."""

    def __init__(self, settings: Settings, option: TextName, notice: Notice):
        """option: EvalFile for chess, VariantEvalFile for variants, or RMobilityEvalFile for records."""
        self._settings = settings
        self._option: TextName = option
        self._notice = notice
        self._usual = DEFAULT if option == "EvalFile" else AUTO
        self._records = option == "RMobilityEvalFile"
        self._network: Weights | None = None
        self._chosen: tuple[str, Variant] | None = None  # (value, game) of the loaded network; None before a search
        self.refused: NetworkError | None = None  # the error of the last requested value, if it is not in force
        self._sound = self._usual  # the last usable value, even while a reduced strength plays without a network
        self._examined = self._usual  # the last value whose file has been read, usable or not

    def follow(self, wanted: str, game: Variant) -> Weights | None:
        """Return the network for this game; None means the hand-crafted evaluation. wanted: a value for the option."""
        if (wanted, game) != self._chosen:
            self._take(wanted, game)
        return self._network

    def examine(self) -> None:
        """Report and reset an unusable value that ``follow`` has not seen, because another option applies."""
        wanted = self._settings[self._option]
        if wanted in (self._examined, self._sound, self._usual, NONE):
            return
        self._examined = wanted
        path = self._path(wanted, CHESS)
        try:
            if path is not None:
                from ..network.loading import load

                load(find_file(path), records=self._records)
        except OtherGameError as error:
            if self._option == "VariantEvalFile":
                return  # a network of some variant, which may be the next game
            self._refuse(wanted, error)
        except NetworkError as error:
            self._refuse(wanted, error)

    def _take(self, wanted: str, game: Variant) -> None:
        """Load the network that the option names, or keep the old one and reset the option."""
        self._examined = wanted
        path = self._path(wanted, game)
        try:
            if path is None:
                self._network = None
            else:
                from ..network.loading import load

                self._network = load(find_file(path), game, records=self._records)
                # The initial default needs no message.
                if wanted != self._usual or (self._chosen is not None and self._chosen[0] != wanted):
                    what = "records predicted" if self._records else "evaluation"
                    self._notice(f"{what} by network {shown(self._network.name)}, width {self._network.width}")
        except OtherGameError as error:
            if game is CHESS:
                self._set_back(wanted, game, error)
                return
            # One file cannot serve all games, and a game of the user may have the name of a built-in one.
            self._network = None
            if wanted != self._usual:
                self._notice(f"{self._option} {error}; using the hand-crafted evaluation", warning=True)
        except NetworkError as error:
            self._set_back(wanted, game, error)
            return
        self._chosen = wanted, game
        if wanted == self._settings[self._option]:
            self._sound = wanted

    def file(self, game: Variant) -> str | None:
        """Return the path of the network that the option names for this game, or None."""
        path = self._path(self._settings[self._option], game)
        return None if path is None else find_file(path)

    def _path(self, wanted: str, game: Variant) -> str | None:
        if self._records:
            return path_of_records(wanted)
        return path_of(wanted) if game is CHESS else path_for(game, wanted)

    def _set_back(self, wanted: str, game: Variant, error: NetworkError) -> None:
        kept = self._refuse(wanted, error)
        if self._chosen != (kept, game):
            self._take(kept, game)

    def _refuse(self, wanted: str, error: NetworkError) -> str:
        """Report the unusable value and reset the option. Return its new value."""
        kept = self._sound if wanted != self._sound else NONE
        self.refused = error
        hint = " (VariantEvalFile is for variants)" if isinstance(error, OtherGameError) and not self._records else ""
        self._notice(f"{self._option} {error}{hint}; keeping {shown_path(kept)}", warning=True)
        self._settings[self._option] = kept
        self._examined = kept
        return kept


class Equipment:
    """The parts of a search. Settings take effect in ``follow``, which is called while no search runs."""

    def __init__(self, settings: Settings, notice: Notice):
        self._settings = settings
        self._notice = notice
        self._pool: SearchPool | None = None  # created after the protocol has answered, because it loads the core
        self._objective: Objective | None = None
        self._adviser: Adviser | None = None
        self._tables: PlayedTables | None = None
        self.discount = True  # whether scores are divided by mating potential; False only to measure the effect
        self.clear_wanted = False
        self._has_hash = False
        self._mode: tuple[str | bool, ...] | None = None  # the settings from which the objective was created
        # The values from which the pool's evaluator was created: game, whether it divides, and networks.
        self._evaluates: tuple[Variant, bool, Weights | None, Weights | None] | None = None
        self._chess_network = NetworkChoice(settings, "EvalFile", notice)
        self._variant_network = NetworkChoice(settings, "VariantEvalFile", notice)
        self._record_network = NetworkChoice(settings, "RMobilityEvalFile", notice)
        self._networks: dict[TextName, NetworkChoice] = {
            "EvalFile": self._chess_network,
            "VariantEvalFile": self._variant_network,
            "RMobilityEvalFile": self._record_network,
        }

    @property
    def has_pool(self) -> bool:
        """Whether ``follow`` has been called."""
        return self._pool is not None

    @property
    def pool(self) -> SearchPool:
        """The search threads and the transposition table, available after the first ``follow``."""
        assert self._pool is not None
        return self._pool

    @property
    def objective(self) -> Objective:
        """The objective of the search, available after the first ``follow``."""
        assert self._objective is not None
        return self._objective

    @property
    def mode(self) -> tuple[object, ...] | None:
        """The settings from which the objective was created. Scores of different modes are not comparable."""
        return self._mode

    @property
    def adviser(self) -> Adviser:
        """The opening book and the Syzygy tables."""
        if self._adviser is None:
            from .advice import Adviser  # imported only after the protocol has answered

            self._adviser = Adviser(self._notice)
        return self._adviser

    def follow(self, game: Variant) -> None:
        """Prepare all parts that the settings require in this game. Unavailable parts are reported and reset."""
        for choice in self._networks.values():
            choice.refused = None
        self._follow_mode()
        evaluates = *self._evaluator_of(game), self._records_of(game)
        for choice in self._networks.values():
            choice.examine()
        is_new = self._pool is None
        if self._pool is None:
            from standstill.cext.bindings.pool import SearchPool

            self._pool = SearchPool(searching_evaluator(*evaluates), 1, 1)
        elif self._evaluates != evaluates:
            self.pool.set_evaluator(searching_evaluator(*evaluates))
        self._evaluates = evaluates
        # Reduced strengths were measured with one thread.
        threads = 1 if self._settings["UCI_LimitStrength"] else self._settings["Threads"]
        if self.pool.threads != threads:
            self._set_threads(threads)
        if self.pool.hash_mb != self._settings["Hash"]:
            self._set_hash(self._settings["Hash"])
        if self._follow_tables(game):
            self.clear_wanted = self.clear_wanted or not is_new  # results found without these tables are less accurate
        if self.clear_wanted:
            self.clear_wanted = False
            self.pool.clear()
        self.pool.prepare()
        self.adviser.follow(self._settings)

    @property
    def refused_networks(self) -> dict[TextName, NetworkError]:
        """The options whose networks the last ``follow`` could not use and has reset, each with the reason."""
        return {option: choice.refused for option, choice in self._networks.items() if choice.refused is not None}

    def new_evaluator(self, game: Variant) -> Evaluator:
        """Create an evaluator like the search's, but without the prediction of records."""
        return new_evaluator(*self._evaluator_of(game))

    def _evaluator_of(self, game: Variant) -> tuple[Variant, bool, Weights | None]:
        """Return the values that define an evaluator for this game."""
        option: TextName = "EvalFile" if game.is_chess else "VariantEvalFile"
        # Reduced strengths were measured with the hand-crafted evaluation.
        wanted = NONE if self._settings["UCI_LimitStrength"] else self._settings[option]
        choice = self._chess_network if game.is_chess else self._variant_network
        # If a goal decides the game, a side can win with material that cannot mate.
        discount = self.discount and self._settings["RMobility"] != DECISIVE
        return game, discount, choice.follow(wanted, game)

    def last_owner(self, game: Variant, board: Board) -> float | None:
        """Return White's chance to hold the final record of a drawn game; None if the search does not predict it."""
        records = self._records_of(game)
        if records is None:
            return None
        from standstill.cext.network.record_eval import RecordEvaluator
        from standstill.cext.value.objective import RMobilityObjective

        objective = self.objective
        if not isinstance(objective, RMobilityObjective) or not objective.weighs_last_owner(board):
            return None
        record = objective.record_of(board)
        evaluator = RecordEvaluator(self.new_evaluator(game), records)
        logit = 0 if record is None else evaluator.last_owner_logit(board, record[1], record[0])
        chance = 1 / (1 + math.exp(-logit / 100))
        return chance if board.stm == WHITE else 1 - chance

    def network_files(self, game: Variant) -> list[str | None]:
        """Return the paths of the evaluating and predicting networks that the options name; None without a network."""
        evaluates = self._chess_network if game.is_chess else self._variant_network
        return [evaluates.file(game), self._record_network.file(game) if game.is_chess else None]

    def _records_of(self, game: Variant) -> Weights | None:
        """Return the network that predicts the holder of the final record, if records decide the game."""
        if not game.is_chess or self._settings["RMobility"] != DECISIVE:
            return None
        wanted = NONE if self._settings["UCI_LimitStrength"] else self._settings["RMobilityEvalFile"]
        return self._record_network.follow(wanted, CHESS)

    @property
    def tables(self) -> PlayedTables | None:
        """The R-Mobility tables in force, or None."""
        return self._tables if self._tables is not None and self._tables.store is not None else None

    def _follow_tables(self, game: Variant) -> bool:
        """Open the R-Mobility tables that the settings allow. Return True if the tables in force have changed."""
        settings = self._settings
        counts = game.is_chess and settings["RMobility"] != OFF and settings["RMobilityTablePath"] != NONE
        wanted = counts and (bool(settings["RMobilityTablePath"]) or not material_ends(settings))
        if self._tables is None:
            if not wanted:
                return False
            from ..tablebases.playing import PlayedTables

            self._tables = PlayedTables(self._notice)
        from ..tablebases.material import MOST_MEN  # PlayedTables has already loaded this module

        most_men = MOST_MEN if wanted else 0
        self._tables.set_limit(parse_limit(settings["RMobilityLimit"]))
        if not self._tables.follow(table_folders(settings), settings["RMobilityScope"] == "WholeGame", most_men):
            return False
        store = self._tables.store
        self.pool.set_oracle(None if store is None else store.library, self._tables.most_men)
        return True

    def _follow_mode(self) -> None:
        mode = chosen(self._settings)
        if self._mode != mode:
            # Scores of different modes are not comparable.
            self.clear_wanted = self.clear_wanted or self._mode is not None
            self._mode = mode
            self._objective = objective(self._settings)

    def fall_back_to_one_thread(self) -> bool:
        """Continue with one thread if memory for several is short. Return False if there is only one already."""
        threads = self._settings["Threads"]
        if threads == 1:
            return False
        self._notice(f"cannot start {threads} threads, searching with one", warning=True)
        self._settings["Threads"] = 1
        self._set_threads(1)
        return True

    def _set_threads(self, wanted: int) -> None:
        try:
            self.pool.set_threads(wanted)
        except (MemoryError, RuntimeError):
            self._notice(f"cannot start {wanted} threads, keeping {self.pool.threads}", warning=True)
            self._settings["Threads"] = self.pool.threads

    def _set_hash(self, wanted_mb: int) -> None:
        # The table is not allocated before the first search.
        kept_mb = self.pool.hash_mb if self._has_hash else Settings()["Hash"]
        self._has_hash = True
        try:
            self.pool.resize_hash(wanted_mb)
        except MemoryError:
            self._notice(f"cannot allocate {wanted_mb} MB of hash, keeping {kept_mb} MB", warning=True)
            self._settings["Hash"] = kept_mb
            self.pool.resize_hash(kept_mb)
