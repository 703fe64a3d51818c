from .chess_board import ChessBoard

TERMS: tuple[tuple[str, int], ...]

class ChessEvaluator:
    discount: bool  # divide by mating potential?
    def __init__(self, discount: bool = True) -> None: ...
    def evaluate_cp(self, board: ChessBoard) -> int:
        """Centipawns, side to move's view."""
    def forecast_code(self, board: ChessBoard) -> int: ...
    def confinement_cp(self, board: ChessBoard) -> int:
        """Who will reach the lower goal in a drawn ending: centipawns, side to move's view."""
    def trace(self, board: ChessBoard) -> list[tuple[str, int, int, int]]:
        """(term, White's minus Black's middlegame, endgame, tapered), centipawns, White's view; last the total."""
    def potential(self, board: ChessBoard) -> int:
        """Divisor by mating potential: 1, 2, 4 or 8."""
    def coefficients(self, board: ChessBoard) -> tuple[bytes, bytes, int, int]:
        """Counts by weight, units of attack on either king (int16 both), phase of 24, scale of 64; for tuning."""
    def nanoseconds(self, boards: list[ChessBoard], repeat: int = 1) -> float:
        """Time of an evaluation, over all positions one move after the boards."""
    def copy(self) -> ChessEvaluator:
        """An evaluator for another worker."""
