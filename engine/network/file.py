"""Reads, checks and writes network files (docs/network-format.md), without numpy."""

from __future__ import annotations

import array
import sys
import zlib
from struct import Struct
from typing import Any, NamedTuple

from ..common.errors import NetworkError
from ..common.text import shown, shown_path

Buffer = bytes | bytearray | memoryview

MAGIC = b"STILLNN\n"
VERSION = 1
ARCHITECTURE = 1  # (768, mirrored -> width) x 2 -> squared and clipped -> 1 of 8 outputs
GAME_ARCHITECTURE = 2  # like ARCHITECTURE, but with the inputs of a variant
KING_ARCHITECTURE = 4  # like ARCHITECTURE, but with separate inputs for each group of squares of the perspective's king
RECORD_ARCHITECTURE = 5  # the inputs of chess; the output predicts the holder of the final record
# Magic, version, architecture, width, outputs, scale, inputs (0 for chess), bytes of the text, bytes of the file.
HEADER = Struct("<8sHHHHHHIQ")
HEADER_BYTES = 64  # the bytes behind the last field are 0
ALIGNMENT = 64
CHECK = Struct("<I")

FEATURES = 768  # inputs of chess
KING_GROUPS = 16
# The number of inputs of each architecture for chess.
INPUTS = {ARCHITECTURE: FEATURES, KING_ARCHITECTURE: KING_GROUPS * FEATURES, RECORD_ARCHITECTURE: FEATURES}
MOST_INPUTS = 1 << 14
BUCKETS = 8
WIDTH_STEP = 32
MOST_WIDTH = 1024
MOST_SCALE = 4096
MOST_TEXT = 1 << 16
MOST_BYTES = 16 << 20
ACTIVE = 255  # 1.0 in the hidden layer
OUTPUT_ONE = 64  # 1.0 in the weights of the output layer
MOST_OUTPUT_WEIGHT = 127  # the product with ACTIVE fits into 16 bits
# The largest number of active features in a position. The sum of their weights and the bias fits into 16 bits.
MOST_MEN = 32
MOST_FEATURE_WEIGHT = 991
MOST_FEATURE_BIAS = 32767 - MOST_MEN * MOST_FEATURE_WEIGHT
# The largest sum of an output's positive weights, and of its negative weights. Multiplied by ACTIVE squared, it fits
# into 32 bits.
MOST_OUTPUT_SUM = (2**31 - 1) // ACTIVE**2
WORDS = ("name", "licence", "origin")  # keys of the texts in every network
FORESEES, RECORDS = "foresees", "records"  # the key and value that mark networks for records
GAME_WORDS = ("game", "rules")  # keys of further texts in networks of variants: the variant's name and fingerprint


class Frame:
    """The header of a file, and the offsets of its arrays in bytes."""

    __slots__ = (
        "about",
        "feature_biases",
        "feature_weights",
        "inputs",
        "output_biases",
        "output_weights",
        "scale",
        "width",
    )

    def __init__(self, inputs: int, width: int, scale: int, text_bytes: int, about: dict[str, Any]):
        self.inputs = inputs
        self.width = width
        self.scale = scale
        self.about = about
        self.feature_weights = _aligned(HEADER_BYTES + text_bytes)
        self.feature_biases = _aligned(self.feature_weights + 2 * inputs * width)
        self.output_weights = _aligned(self.feature_biases + 2 * width)
        self.output_biases = _aligned(self.output_weights + 2 * BUCKETS * 2 * width)

    @property
    def check(self) -> int:
        """Offset of the checksum, the last four bytes of the file."""
        return self.output_biases + 4 * BUCKETS


class Network(NamedTuple):
    """A whole network as plain arrays of integers, in the order of the file.

    about: texts under the keys ``name``, ``licence`` and ``origin``, and for a variant also ``game`` and ``rules``;
    further keys are allowed.
    feature_weights: one row of ``width`` numbers for each input; chess has 768 or 12288 inputs. feature_biases:
    ``width`` numbers. Both have 16 bits, with 255 for 1.0. output_weights: 8 rows of 2 * ``width`` numbers of 16 bits,
    with 64 for 1.0. output_biases: 8 numbers of 32 bits, with 255 * 64 for 1.0.
    """

    width: int
    scale: int
    about: dict[str, Any]
    feature_weights: array.array[int]
    feature_biases: array.array[int]
    output_weights: array.array[int]
    output_biases: array.array[int]

    @property
    def inputs(self) -> int:
        """The number of inputs of one perspective."""
        return len(self.feature_weights) // self.width

    @property
    def architecture(self) -> int:
        """The architecture number of the header. Raises ValueError if the number of inputs fits no architecture."""
        if GAME_WORDS[0] in self.about:
            return GAME_ARCHITECTURE
        foresees_records = self.about.get(FORESEES) == RECORDS
        found = (kind for kind in INPUTS if foresees_records == (kind == RECORD_ARCHITECTURE))
        inputs = {INPUTS[kind]: kind for kind in found}
        if self.inputs not in inputs:
            raise ValueError(f"expected {' or '.join(map(str, inputs))} inputs, found {self.inputs}")
        return inputs[self.inputs]


def write_network(path: str, network: Network) -> None:
    """Write the file. An error leaves an existing file unchanged.

    Raises ValueError for a network that the format cannot hold, and OSError if the file cannot be written.
    """
    from ..common.atomic_files import write_whole  # imported only for writing

    write_whole(path, packed(network))


def read_network(path: str) -> Network:
    """Read a whole network file. Raises NetworkError for an invalid file, and OSError if it cannot be read."""
    from ..common.regular_files import open_regular

    with open_regular(path) as file:
        return unpacked(file.read(), path)


def packed(network: Network) -> bytes:
    """Encode a network as the bytes of a file. Raises ValueError for a network that the format cannot hold."""
    import json

    text = json.dumps(network.about, ensure_ascii=False, sort_keys=True).encode()
    kind, inputs = network.architecture, network.inputs
    wrong = _wrong_shape(inputs, network.width, network.scale, len(text))
    wrong = wrong or _wrong_about(network.about, kind) or _wrong_values(network, inputs)
    if wrong:
        raise ValueError(wrong)
    frame = Frame(inputs, network.width, network.scale, len(text), network.about)
    data = bytearray(frame.check)
    size = frame.check + CHECK.size
    header_inputs = 0 if kind in INPUTS else inputs
    HEADER.pack_into(
        data, 0, MAGIC, VERSION, kind, network.width, BUCKETS, network.scale, header_inputs, len(text), size
    )
    data[HEADER_BYTES : HEADER_BYTES + len(text)] = text
    for place, values in _arrays(network, frame):
        raw = _little(values).tobytes()
        data[place : place + len(raw)] = raw
    return bytes(data) + CHECK.pack(zlib.crc32(data))


def unpacked(data: Buffer, path: str) -> Network:
    """Decode the bytes of a network file. Messages name the file ``path``. Raises NetworkError."""
    frame = read_frame(data, path)
    view = memoryview(data)
    network = Network(
        frame.width,
        frame.scale,
        frame.about,
        _array("h", view[frame.feature_weights :], frame.inputs * frame.width),
        _array("h", view[frame.feature_biases :], frame.width),
        _array("h", view[frame.output_weights :], BUCKETS * 2 * frame.width),
        _array("i", view[frame.output_biases :], BUCKETS),
    )
    wrong = _wrong_values(network, frame.inputs)
    if wrong:
        raise NetworkError(f"{shown_path(path)}: {wrong}")
    return network


def read_frame(data: Buffer, path: str) -> Frame:
    """Return the header of a file after verifying the checksum, without checking the weights. Raises NetworkError."""
    wrong = f"{shown_path(path)}: "
    if len(data) < HEADER_BYTES or bytes(data[: len(MAGIC)]) != MAGIC:
        raise NetworkError(wrong + f"not a network of this engine: it does not begin with {shown(MAGIC.decode())}")
    _, version, architecture, width, buckets, scale, inputs, text_bytes, size = HEADER.unpack_from(data)
    if version != VERSION:
        raise NetworkError(wrong + f"version {version} of the format, but this engine reads version {VERSION}")
    if architecture not in (*INPUTS, GAME_ARCHITECTURE):
        *others, last = map(str, sorted((*INPUTS, GAME_ARCHITECTURE)))
        known = f"{', '.join(others)} and {last}"
        raise NetworkError(wrong + f"architecture {architecture}, but this engine knows only {known}")
    if size != len(data):
        raise NetworkError(wrong + f"damaged: the header says {size} bytes, the file has {len(data)}")
    (check,) = CHECK.unpack_from(data, len(data) - CHECK.size)
    if check != zlib.crc32(memoryview(data)[: -CHECK.size]):
        raise NetworkError(wrong + "damaged: the checksum is wrong")
    shape = None
    if architecture in INPUTS:
        shape = f"expected no number of inputs for chess, found {inputs}" if inputs else None
        inputs = INPUTS[architecture]
    shape = shape or _wrong_shape(inputs, width, scale, text_bytes)
    if shape is None and buckets != BUCKETS:
        shape = f"expected {BUCKETS} outputs, found {buckets}"
    if shape is None and Frame(inputs, width, scale, text_bytes, {}).check + CHECK.size != size:
        shape = f"{size} bytes long, which does not fit {inputs} inputs, width {width} and a text of {text_bytes} bytes"
    if shape is not None:
        raise NetworkError(wrong + shape)
    about = _about(bytes(data[HEADER_BYTES : HEADER_BYTES + text_bytes]), architecture, path)
    return Frame(inputs, width, scale, text_bytes, about)


def _about(text: bytes, architecture: int, path: str) -> dict[str, Any]:
    import json

    try:
        about = json.loads(text)
    except (ValueError, RecursionError):
        raise NetworkError(f"{shown_path(path)}: its text is not JSON") from None
    wrong = _wrong_about(about, architecture)
    if wrong:
        raise NetworkError(f"{shown_path(path)}: {wrong}")
    return dict(about)


def _wrong_shape(inputs: int, width: int, scale: int, text_bytes: int) -> str | None:
    """Return a message about the first invalid header field, or None."""
    if not 1 <= inputs <= MOST_INPUTS:
        return f"expected 1 to {MOST_INPUTS} inputs, found {inputs}"
    if width % WIDTH_STEP or not WIDTH_STEP <= width <= MOST_WIDTH:
        return f"expected a width up to {MOST_WIDTH} and a multiple of {WIDTH_STEP}, found {width}"
    if not 1 <= scale <= MOST_SCALE:
        return f"expected a scale of 1 to {MOST_SCALE}, found {scale}"
    if text_bytes > MOST_TEXT:
        return f"expected a text of at most {MOST_TEXT} bytes, found {text_bytes}"
    return None


def _wrong_about(about: object, architecture: int) -> str | None:
    """Return a message about the first error in the JSON text, or None."""
    if not isinstance(about, dict):
        return "its text is not a JSON object"
    for word in WORDS + (GAME_WORDS if architecture == GAME_ARCHITECTURE else ()):
        if not isinstance(about.get(word), str) or not about[word].strip():
            return f'expected a text "{word}" in the JSON object, found {shown(repr(about.get(word)))}'
    if architecture in INPUTS and GAME_WORDS[0] in about:
        return f'expected no text "{GAME_WORDS[0]}" in the JSON object of a network of chess'
    if (architecture == RECORD_ARCHITECTURE) != (about.get(FORESEES) == RECORDS):
        return f'expected "{FORESEES}": "{RECORDS}" in the JSON object of networks of records, and of no other'
    return None


def _wrong_values(network: Network, inputs: int) -> str | None:
    """Return a message about the first array of the wrong length or with sums that could overflow, or None."""
    frame = Frame(inputs, network.width, network.scale, 0, {})
    sizes = (inputs * network.width, network.width, BUCKETS * 2 * network.width, BUCKETS)
    names = ("feature weights", "feature biases", "output weights", "output biases")
    bounds = (MOST_FEATURE_WEIGHT, MOST_FEATURE_BIAS, MOST_OUTPUT_WEIGHT, 2**31 - 1)
    for (_, values), size, name, bound in zip(_arrays(network, frame), sizes, names, bounds, strict=True):
        if len(values) != size:
            return f"expected {size} {name}, found {len(values)}"
        largest = max(values, key=abs)
        if abs(largest) > bound:
            return f"expected {name} of at most {bound} in size, found {largest}"
    row = 2 * network.width
    for bucket in range(BUCKETS):
        weights = network.output_weights[bucket * row : (bucket + 1) * row]
        for sign in (1, -1):
            total = sum(weight for weight in weights if weight * sign > 0)
            if abs(total) > MOST_OUTPUT_SUM:
                kind = "positive" if sign > 0 else "negative"
                wanted = f"expected {kind} weights of output {bucket} that add up to at most {MOST_OUTPUT_SUM} in size"
                return f"{wanted}, found {total}"
    return None


def _arrays(network: Network, frame: Frame) -> tuple[tuple[int, array.array[int]], ...]:
    """Return the arrays, each with its offset in the file."""
    return (
        (frame.feature_weights, network.feature_weights),
        (frame.feature_biases, network.feature_biases),
        (frame.output_weights, network.output_weights),
        (frame.output_biases, network.output_biases),
    )


def _array(code: str, data: memoryview, count: int) -> array.array[int]:
    values = array.array(code)
    values.frombytes(data[: count * values.itemsize])
    return _little(values)


def _little(values: array.array[int]) -> array.array[int]:
    """Convert the array between the machine's byte order and the file's, which is little-endian."""
    if sys.byteorder == "little":
        return values
    turned = values[:]
    turned.byteswap()
    return turned


def _aligned(place: int) -> int:
    return (place + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
