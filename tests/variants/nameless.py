"""Games without Betza notation, for which XBoard gets computed piece lines.

python -m tests.variants.nameless > five.ini     # the file that our engine, XBoard and Fairy-Max play from
"""

from __future__ import annotations

from tests.variants.files import END, block, text_of

SHORT_PAWNS = {"white_pawn": "p:100 -16,6 -15,5 -17,5", "black_pawn": "p:100 16,6 15,5 17,5"}
BARE_KING = "k:-1 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7"
HORSE = "n:270 16,1070 16,1F070 1,10070 1,FFFF0070 -16,1070 -16,1F070 -1,10070 -1,FFFF0070"
GAMES = {
    "hoppers": block(
        "Game: hoppers",
        "C:400 1,BA 16,BA -1,BA -16,BA",
        "G:200 1,F8 16,F8 -1,F8 -16,F8 15,F8 17,F8 -15,F8 -17,F8",
        array="6 4 8 7 3 8 4 6",
        black="6 4 9 7 3 9 4 6",
        knight=HORSE,
    ),
    "early": block(
        "Game: early",
        "S:293 15,7 17,7 -15,7 -17,7 -16,7",
        "T:293 15,7 17,7 -15,7 -17,7 16,7",
        board="8x8=3",
        array="6 4 8 7 3 8 4 6",
        black="6 4 9 7 3 9 4 6",
        king=BARE_KING,
        queen="m:180 15,7 17,7 -15,7 -17,7",
        **SHORT_PAWNS,
    ),
    "bent": block(
        "Game: bent",
        "Y:800 17,3,16 17,3,1 15,3,16 15,3,-1 -15,3,-16 -15,3,1 -17,3,-16 -17,3,-1",
        "L:450 1,43 16,43 -1,43 -16,43 2,7 -2,7",
        board="10x8",
        array="6 4 5 8 7 3 9 5 4 6",
        king="k:-1 1,34,2 -1,34,-2 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7",
    ),
    "armies": block(
        "Game: armies",
        "d:300 2,7 32,7 -2,7 -32,7 15,7 17,7 -15,7 -17,7",
        "u:400 31,7 33,7 14,7 18,7 1,7 -1,7 -16,7 -15,7 -17,7",
        "Z:500 1,443 16,443 -1,443 -16,443 15,7 17,7 -15,7 -17,7",
        black="10 8 9 7 3 9 8 10",
        black_pawn="h:90 15,E4 17,E4 16,5 15,6 17,6",
    ),
    "halves": block(
        "Game: halves",
        "A:300 -16,70,-17 -16,70,-15 16,7 1,7 -1,7",
        "S:300 1,70,-15 1,70,17 -1,70,-17 -1,70,15 16,7 -16,7",
        "F:300 1,70,-15 -1,70,-17 16,7",
        "V:300 -16,50,-17 -16,50,-15 16,50,17 16,50,15 1,7 -1,7 -16,7 16,7",
        array="6 8 9 7 3 10 11 6",
        knight=HORSE,
    ),
    "small": block(
        "Game: small", "v:250 14,7 18,7 -14,7 -18,7 1,7 -1,7", board="6x8=-2", array="6 8 7 3 8 6", king=BARE_KING,
        **SHORT_PAWNS,
    ),
}  # fmt: skip


if __name__ == "__main__":
    print(text_of(*GAMES.values(), END), end="")
