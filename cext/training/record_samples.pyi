from typing import final

from .samples import SampleReader

@final
class RecordReader(SampleReader):
    """Collects samples of drawn games of chess that tell who held the last record; see record_samples.pyx."""

    def __init__(self, most_pieces: int) -> None: ...
