"""Reads R-Mobility tables with nothing but the standard library: docs/table-format.md in Python.

    python3 table_reader.py DIR "8/8/8/4KBk1/8/8/8/8 b" CODE OWNER

prints the outcome and the plies under the record with this goal code, owner 0 for White. The goal of the position
itself has to be known: the reader knows no rules of chess.
"""

import struct
import sys
import zlib
from itertools import combinations, product
from math import comb
from pathlib import Path

HEADER = struct.Struct("<8sHBBBBH16sQIIIIIIIIII")
ORDER = "KQRBNP"


def open_table(path):
    data = Path(path).read_bytes()
    fields = HEADER.unpack_from(data)
    if fields[0] != b"RMOBTAB\n" or fields[1] != 1 or zlib.crc32(data[:80]) != int.from_bytes(data[80:84], "little"):
        raise ValueError(f"{path}: no table that this program can read")
    n_blocks, _, packed, _, statistics = fields[10:15]
    dictionary = zlib.decompress(data[84 : 84 + packed], -15)
    listed = 84 + packed + statistics
    sizes = struct.unpack_from(f"<{2 * n_blocks}I", data, listed)
    return {"data": data, "width": fields[5], "size": fields[8], "start": listed + 8 * n_blocks,
            "sizes": sizes[::2], "sums": sizes[1::2], "entries": entries(dictionary)}  # fmt: skip


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


def read(table, number, code, owner):
    block, place = divmod(number, 1 << 15)
    start = table["start"] + sum(table["sizes"][:block])
    packed = table["data"][start : start + table["sizes"][block]]
    if zlib.crc32(packed) != table["sums"][block]:
        raise ValueError("a block is damaged")
    symbols = zlib.decompress(packed, -15)
    length = len(symbols) // table["width"]
    entry = sum(symbols[place + i * length] << 8 * i for i in range(table["width"]))
    held = [number for first, number in table["entries"][entry][owner] if first <= code]
    return held[-1] if held else 0


def king_pairs():
    near = [[max(abs(a % 8 - b % 8), abs(a // 8 - b // 8)) < 2 for b in range(64)] for a in range(64)]
    triangle = [sq for sq in range(64) if sq % 8 < 4 and sq // 8 <= sq % 8]
    pairs = [(w, b) for w in triangle for b in range(64)
             if not near[w][b] and not (w // 8 == w % 8 and b // 8 > b % 8)]  # fmt: skip
    return {pair: number for number, pair in enumerate(sorted(pairs))}


def slices(pawns):
    """Placements of pawns, given as colours, in their order. Of one and its mirror image the first counts."""
    white = pawns.count(0)

    def image(own):
        other = [sq ^ 7 for sq in own]
        return (*sorted(other[:white]), *sorted(other[white:]))

    sides = [combinations(range(8, 56), white), combinations(range(8, 56), len(pawns) - white)]
    places = (own + other for own, other in product(*map(list, sides)) if not set(own) & set(other))
    return [own for own in places if own <= image(own)]


def in_class(man):
    colour, letter, square = man
    return letter != "K", letter == "P", colour, ORDER.index(letter), square


def number_of(men, stm):
    """men: (colour, letter, square), sorted as the page says."""
    pawns = [man for man in men if man[1] == "P"]
    squares = [man[2] for man in men]
    wk = squares[0]
    places = slices([man[0] for man in pawns])
    if pawns:
        own = tuple(squares[-len(pawns) :])
        if own not in places:
            turned = [(colour, letter, sq ^ 7) for colour, letter, sq in men]
            return number_of(sorted(turned, key=in_class), stm)
    else:
        own = ()
        mirror = (7 if wk % 8 > 3 else 0) ^ (56 if wk // 8 > 3 else 0)
        squares = [sq ^ mirror for sq in squares]
        if (squares[0] // 8, squares[1] // 8) > (squares[0] % 8, squares[1] % 8) and (
            squares[0] // 8 > squares[0] % 8 or (squares[0] // 8 == squares[0] % 8)
        ):
            squares = [sq // 8 + sq % 8 * 8 for sq in squares]
    size = 4096 if pawns else 462
    number = 64 * squares[0] + squares[1] if pawns else king_pairs()[squares[0], squares[1]]
    kinds = [man[:2] for man in men[: len(men) - len(pawns)]]
    i = 2
    while i < len(kinds):
        like = kinds[i:].count(kinds[i])
        group = sorted(squares[i : i + like])
        number = comb(64, like) * number + sum(comb(sq, at) for at, sq in enumerate(group, 1))
        size, i = comb(64, like) * size, i + like
    return (stm * len(places) + places.index(own)) * size + number


def men_of(fen):
    rows, stm = fen.split()[:2]
    men = []
    for row, text in enumerate(rows.split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                men.append((int(letter.islower()), letter.upper(), (7 - row) * 8 + file))
                file += 1
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
    men.sort(key=in_class)
    number = number_of(men, stm)
    path = Path(folder, "v".join(sides))
    value = read(open_table(f"{path}.rmv"), number, code, owner)
    plies = read(open_table(f"{path}.rmd"), number, code, owner) if value else 0
    value = value or (127 - code if owner == 0 else code - 127)
    return (-value if turned else value), plies


if __name__ == "__main__":
    print(*probe(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
