"""Network files: the format of docs/network-format.md, and what is refused."""

from __future__ import annotations

import json
import os
import struct
import zlib
from pathlib import Path

import pytest

from standstill.engine.common.errors import NetworkError
from standstill.engine.network.file import Network, packed, read_network, unpacked, write_network
from tests.network.nets import ABOUT, random_network

ARRAYS = ("feature_weights", "feature_biases", "output_weights", "output_biases")


def by_the_page(data: bytes) -> dict[str, object]:
    """A second reader, written from the page alone."""
    magic, version, architecture, width, outputs, scale, zero, text, size = struct.unpack("<8sHHHHHHIQ", data[:32])
    assert (magic, version, outputs, zero) == (b"STILLNN\n", 1, 8, 0)
    inputs = {1: 768, 4: 12288}[architecture]
    assert size == len(data)
    assert data[32:64] == bytes(32)
    found: dict[str, object] = {"width": width, "scale": scale, "about": json.loads(data[64 : 64 + text])}
    place = 64 + text
    for name, code, count in zip(ARRAYS, "hhhi", (inputs * width, width, 16 * width, 8), strict=True):
        start = -(-place // 64) * 64
        assert not any(data[place:start])
        place = start + struct.calcsize(f"<{count}{code}")
        found[name] = struct.unpack(f"<{count}{code}", data[start:place])
    assert struct.unpack("<I", data[place:]) == (zlib.crc32(data[:place]),)
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("width", "inputs"), [(32, 768), (96, 768), (1024, 768), (32, 12288), (64, 12288)])
def test_file_is_what_the_page_says(width: int, inputs: int) -> None:
    network = random_network(width, largest=20, seed=width, inputs=inputs)
    found = by_the_page(packed(network)) if width < 1024 else by_the_page(packed(quiet(network)))
    assert (found["width"], found["scale"], found["about"]) == (width, 400, ABOUT)
    for name in ARRAYS:
        assert found[name] == tuple(getattr(network, name))


def quiet(network: Network) -> Network:
    """The network with output weights reduced so that their sum stays within the limit."""
    for place, weight in enumerate(network.output_weights):
        network.output_weights[place] = weight // 8
    return network


def test_what_is_written_is_read(tmp_path: Path) -> None:
    about = {**ABOUT, "name": "Größe ♟", "training": {"games": 3, "steps": [1, 2.5, None]}}
    network = random_network(64)._replace(about=about)
    path = str(tmp_path / "net.nn")
    write_network(path, network)
    again = read_network(path)
    for name in (*ARRAYS, "width", "scale", "about"):
        assert getattr(again, name) == getattr(network, name)
    assert packed(again) == packed(network)
    assert os.listdir(tmp_path) == ["net.nn"]


def test_every_damaged_byte_is_refused() -> None:
    data = packed(random_network(32))
    places = {*range(200), *range(200, len(data), 97), *range(len(data) - 200, len(data))}
    for place in places:
        for change in (1, 0x80, 0xFF):
            damaged = bytearray(data)
            damaged[place] ^= change
            with pytest.raises(NetworkError, match=r"^'net': ."):
                unpacked(bytes(damaged), "net")


@pytest.mark.parametrize("length", [0, 1, 7, 8, 31, 63, 64, 100, 2000, -4, -1])
def test_cut_file_is_refused(length: int) -> None:
    with pytest.raises(NetworkError):
        unpacked(packed(random_network(32))[:length], "net")


def test_longer_file_is_refused() -> None:
    with pytest.raises(NetworkError, match="damaged: "):
        unpacked(packed(random_network(32)) + b"\0", "net")


def resealed(change: dict[int, bytes]) -> bytes:
    """A file with other bytes at these places, and a matching checksum."""
    data = bytearray(packed(random_network(32))[:-4])
    for place, new in change.items():
        data[place : place + len(new)] = new
    return bytes(data) + struct.pack("<I", zlib.crc32(data))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("place", "new", "words"),
    [
        (0, b"\x7fELF", "it does not begin with"),
        (8, b"\x02\x00", "version 2 of the format"),
        (10, b"\x07\x00", "architecture 7"),
        (10, b"\x04\x00", "does not fit 12288 inputs, width 32"),
        (12, b"\x21\x00", "found 33"),
        (12, b"\x00\x00", "found 0"),
        (12, b"\x40\x00", "does not fit 768 inputs, width 64"),
        (14, b"\x04\x00", "expected 8 outputs, found 4"),
        (16, b"\x00\x00", "expected a scale of 1 to 4096, found 0"),
        (18, b"\x01\x00", "expected no number of inputs for chess, found 1"),
        (20, b"\xff\xff\xff\xff", "expected a text of at most 65536 bytes"),
        (20, b"\x00\x00\x00\x00", "does not fit|no JSON"),
        (64, b"[", "not JSON"),
        (64, b"\xff", "not JSON"),
    ],
)
def test_wrong_field_is_named(place: int, new: bytes, words: str) -> None:
    with pytest.raises(NetworkError, match=words):
        unpacked(resealed({place: new}), "net")


@pytest.mark.parametrize(
    ("name", "place", "value", "words"),
    [
        ("feature_weights", 7, 992, "expected feature weights of at most 991 in size, found 992"),
        ("feature_weights", 768 * 32 - 1, -992, "found -992"),
        ("feature_biases", 0, 1056, "expected feature biases of at most 1055 in size, found 1056"),
        ("output_weights", 0, -128, "expected output weights of at most 127 in size, found -128"),
    ],
)
def test_number_that_could_overflow_is_refused(name: str, place: int, value: int, words: str) -> None:
    network = random_network(32)
    getattr(network, name)[place] = value
    with pytest.raises(ValueError, match=words):
        packed(network)


@pytest.mark.parametrize("sign", [1, -1])
def test_output_whose_sum_could_overflow_is_refused(sign: int) -> None:
    network = random_network(256, largest=20)
    for place in range(512 * 3, 512 * 4):
        network.output_weights[place] = 65 * sign
    with pytest.raises(ValueError, match=f"weights of output 3 .* found {65 * sign * 512}"):
        packed(network)


@pytest.mark.parametrize("about", [{}, {**ABOUT, "name": " "}, {**ABOUT, "licence": 3}, {"name": "x", "origin": "y"}])
def test_network_without_name_licence_or_origin_is_refused(about: dict[str, object]) -> None:
    network = random_network(32)._replace(about=about)
    with pytest.raises(ValueError, match='expected a text "'):
        packed(network)


def test_wrong_number_of_weights_is_refused() -> None:
    network = random_network(32)
    network.feature_biases.append(1)
    with pytest.raises(ValueError, match="expected 32 feature biases, found 33"):
        packed(network)


@pytest.mark.parametrize("inputs", [767, 1536, 3073])
def test_wrong_number_of_inputs_is_refused(inputs: int) -> None:
    with pytest.raises(ValueError, match=f"expected 768 or 12288 inputs, found {inputs}"):
        packed(random_network(32, inputs=inputs))


def test_folder_and_pipe_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "nothing"):
        with pytest.raises(OSError, match=r"folder|not a regular|No such"):
            read_network(str(path))


def test_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "net.nn"
    write_network(str(path), random_network(32))
    before = path.read_bytes()
    network = random_network(32)
    network.output_weights[0] = 1000
    with pytest.raises(ValueError, match="found 1000"):
        write_network(str(path), network)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["net.nn"]
