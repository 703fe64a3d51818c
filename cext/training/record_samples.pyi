from typing import final

from .samples import SampleReader

@final
class RecordReader(SampleReader):
    """Collects samples of drawn games of chess with the owner of the last record; see record_samples.pyx."""

    def __init__(self, most_pieces: int) -> None: ...
