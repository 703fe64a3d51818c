"""Indices of positions in tables: every index has its placement, whichever mirror image of the position is looked
up."""

import random

from libc.stdint cimport int64_t
from libc.string cimport memset

from standstill.cext.base.types cimport *
from standstill.cext.tablebases.layout cimport MOST_MEN, Layout, number_of, prepare_layout, squares_of
from standstill.cext.tablebases.slice cimport node_number, node_squares

cdef enum:
    SAMPLE = 400

# The pieces in the order of a layout, without kings; White's are capitals.
CLASSES = ("", "Q", "QQ", "NNN", "BBn", "RRb", "P", "QP", "NNP", "Pp", "PP", "BPp", "QPP", "PPP", "PPp")


cdef void prepare(Layout* layout, text) except *:
    cdef int i
    memset(layout, 0, sizeof(Layout))
    layout.n_pieces = 2 + len(text)
    layout.type[0] = layout.type[1] = KING
    layout.colour[1] = BLACK
    for i, letter in enumerate(text):
        layout.type[2 + i] = "PNBRQ".index(letter.upper())
        layout.colour[2 + i] = BLACK if letter.islower() else WHITE
    assert prepare_layout(layout), text


cdef void sort_like(const Layout* layout, uint8_t* squares) noexcept:
    cdef int i, j
    cdef uint8_t held
    for i in range(1, layout.n_pieces):
        j = i
        while layout.like[j] and squares[j] < squares[j - 1]:
            held = squares[j]
            squares[j] = squares[j - 1]
            squares[j - 1] = held
            j -= 1


def test_numbers_and_placements_are_inverse():
    cdef Layout layout
    cdef uint8_t[MOST_MEN] squares
    cdef uint8_t[MOST_MEN] image
    cdef int64_t number, half
    cdef int mirror, i
    for text in CLASSES:
        prepare(&layout, text)
        half = layout.size // 2
        rng = random.Random(text)
        for _ in range(SAMPLE):
            number = rng.randrange(half)
            squares_of(&layout, number, squares)
            for mirror in [0, 7] if "P" in text.upper() else [0, 7, 56, 63]:
                for i in range(layout.n_pieces):
                    image[i] = squares[i] ^ mirror
                sort_like(&layout, image)
                # If the pawns are their own mirror image, the mirrored position has an index of its own.
                if mirror == 0 or not text.endswith("PP") or text == "PPP":
                    assert number_of(&layout, 1, image) == half + number, (text, number, mirror)


def test_numbers_of_the_solver_and_placements_are_inverse():
    cdef Layout layout
    cdef uint8_t[MOST_MEN] squares
    cdef uint32_t node
    for text in CLASSES:
        prepare(&layout, text)
        rng = random.Random(text)
        for _ in range(SAMPLE):
            node = rng.randrange(2 * layout.nodes)
            assert node_squares(&layout, node, squares) == (node >= layout.nodes)
            assert node_number(&layout, node >= layout.nodes, squares) == node


def test_every_placement_of_pawns_has_one_slice():
    """Count by hand: all placements, with mirror images paired."""
    cdef Layout layout
    for text, slices in {"P": 24, "Pp": 1128, "PP": 576, "PPP": 8648, "PPp": 25944, "NNN": 1}.items():
        prepare(&layout, text)
        assert layout.n_slices == slices, (text, layout.n_slices)
