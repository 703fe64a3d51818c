"""Reads R-Mobility tables with nothing but the standard library: docs/table-format.md in Python.

    python3 table_reader.py DIR "8/8/8/4KBk1/8/8/8/8 b" CODE OWNER

prints the outcome and the plies under the record with this goal code, owner 0 for White. The goal of the position
itself has to be known: the reader knows no rules of chess.
"""

import struct
import sys
import zlib
from itertools import combinations, groupby, product
from math import comb
from pathlib import Path

HEADER = struct.Struct("<8sHBBBBH16sQIIIIIIIIII")
ORDER = "KQRBNP"


def entries(text):
    """For each entry, for White's record and Black's: a list of (code, number)."""
    result, at = [], 0
    while at < len(text):
        pair = []
        for _ in range(2):
            n, at = text[at], at + 1
            pair.append([struct.unpack_from("<Bh", text, at + 3 * i) for i in range(n)])
            at += 3 * n
        result.append(pair)
    return result


def read(path, number, code, owner):
    """What the file says of the position with this number: 0 where the record stands."""
    data = Path(path).read_bytes()
    magic, version, _, _, _, width, *_, n_blocks, _, packed, _, statistics = HEADER.unpack_from(data)[:15]
    if magic != b"RMOBTAB\n" or version != 1 or zlib.crc32(data[:80]) != int.from_bytes(data[80:84], "little"):
        raise ValueError(f"{path}: no table that this program can read")
    listed = 84 + packed + statistics
    listing = struct.unpack_from(f"<{2 * n_blocks}I", data, listed)  # size and check sum of each block
    block, place = divmod(number, 1 << 15)
    start = listed + 8 * n_blocks + sum(listing[: 2 * block : 2])
    content = data[start : start + listing[2 * block]]
    if zlib.crc32(content) != listing[2 * block + 1]:
        raise ValueError(f"{path}: a block is damaged")
    symbols = zlib.decompress(content, -15)
    length = len(symbols) // width
    entry = sum(symbols[place + i * length] << 8 * i for i in range(width))
    staircase = entries(zlib.decompress(data[84 : 84 + packed], -15))[entry][owner]
    return next((held for first, held in reversed(staircase) if first <= code), 0)


def king_pairs():
    """Squares of the kings without pawns: White's on a1-d1-d4, Black's not above the diagonal if White's is on it."""
    return [(w, b) for w, b in product(range(64), repeat=2)
            if w // 8 <= w % 8 < 4 and max(abs(w % 8 - b % 8), abs(w // 8 - b // 8)) > 1
            and (w // 8 < w % 8 or b // 8 <= b % 8)]  # fmt: skip


def placements(white, black):
    """Squares of so many pawns; of a placement and its mirror image the first counts."""
    sides = product(*(combinations(range(8, 56), n) for n in (white, black)))
    images = ((own, other, *(tuple(sorted(sq ^ 7 for sq in side)) for side in (own, other))) for own, other in sides)
    return [own + other for own, other, *image in images if not {*own} & {*other} and [own, other] <= image]


def in_class(man):
    colour, letter, square = man
    return letter != "K", letter == "P", colour, ORDER.index(letter), square


def number_of(men, stm):
    """men: (colour, letter, square)."""
    pawns = [man[0] for man in men if man[1] == "P"]
    places = placements(pawns.count(0), pawns.count(1))
    pairs = list(product(range(64), repeat=2)) if pawns else king_pairs()
    for mask, swap in product((0, 7) if pawns else (0, 7, 56, 63), (False,) if pawns else (False, True)):
        turned = ((colour, letter, square ^ mask) for colour, letter, square in men)
        image = sorted(((c, m, sq % 8 * 8 + sq // 8 if swap else sq) for c, m, sq in turned), key=in_class)
        squares = tuple(man[2] for man in image)
        kings, own = squares[:2], squares[len(men) - len(pawns) :]
        if kings in pairs and own in places:
            break
    number, size = pairs.index(kings), len(pairs)
    for _, group in groupby(image[2 : len(men) - len(pawns)], key=lambda man: man[:2]):
        like = [man[2] for man in group]
        number = comb(64, len(like)) * number + sum(comb(sq, at) for at, sq in enumerate(like, 1))
        size *= comb(64, len(like))
    return (stm * len(places) + places.index(own)) * size + number


def men_of(fen):
    rows, stm = fen.split()[:2]
    squares = "".join("1" * int(letter) if letter.isdigit() else letter for letter in rows.replace("/", ""))
    men = [(int(letter.islower()), letter.upper(), at ^ 56) for at, letter in enumerate(squares) if letter != "1"]
    return men, int(stm == "b")


def probe(folder, fen, code, owner):
    """(outcome, plies) under a record that is not weaker than the position's own goal; the outcome is White's view."""
    men, stm = men_of(fen)
    sides = ["".join(sorted((m[1] for m in men if m[0] == colour), key=ORDER.index)) for colour in (0, 1)]
    strength = [(-len(side), [ORDER.index(letter) for letter in side]) for side in sides]
    turned = strength[1] < strength[0]
    if turned:
        men = [(1 - colour, letter, sq ^ 56) for colour, letter, sq in men]
        sides.reverse()
        stm, owner = 1 - stm, 1 - owner
    number = number_of(men, stm)
    path = Path(folder, "v".join(sides))
    value = read(f"{path}.rmv", number, code, owner)
    plies = read(f"{path}.rmd", number, code, owner) if value else 0
    value = value or (127 - code if owner == 0 else code - 127)
    return (-value if turned else value), plies


if __name__ == "__main__":
    print(*probe(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
