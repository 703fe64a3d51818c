from mmap import mmap
from typing import final

@final
class Weights:
    """Raises ValueError for numbers that could overflow; the message begins with what was expected."""

    inputs: int
    width: int
    scale: int
    name: str
    def __new__(
        cls, data: mmap, name: str, width: int, scale: int, places: tuple[int, int, int, int], inputs: int = 768
    ) -> Weights:
        """places: offsets of the arrays in ``data``, in the order of the file. ``data`` must not change."""
