from typing import Any

from typing_extensions import disjoint_base

def parameter_count(width: int, inputs: int = 768) -> int: ...

@disjoint_base
class Trainer:
    """A network in training; arrays are float32 except samples (uint8) and orders (uint32). See trainer.pyx."""

    def __new__(
        cls,
        width: int,
        samples: Any,
        parts: int,
        scale: float,
        result_share: float,
        inputs: int = 0,
        by_king: bool = False,
        records: bool = False,
    ) -> Trainer:
        """Raises ValueError for numbers out of range and for damaged samples."""
    @property
    def count(self) -> int: ...
    @property
    def parts(self) -> int: ...
    def outputs(self, parameters: Any, order: Any, out: Any) -> float: ...
    def descend(self, parameters: Any, order: Any, part: int) -> None: ...
    def gradient(self, out: Any) -> float: ...
    def step(
        self,
        parameters: Any,
        means: Any,
        squares: Any,
        batch: int,
        number: int,
        rate: float,
        decay: float,
        most: float,
        part: int,
    ) -> None: ...
    def loss(self) -> float: ...
