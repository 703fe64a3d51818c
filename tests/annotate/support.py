"""Games to annotate, and functions that read annotated games."""

from __future__ import annotations

import io
from collections.abc import Iterator

import chess.pgn

TCEC = """[Event "TCEC"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]

{WhiteEngineOptions: Threads=8;}
1. d4 {book, mb=+0+0+0+0+0,} d5 {book,} 2. c4 {d=30, pv=c4 e6, wv=0.15, R50=50,} e6 {d=31, pv=e6, wv=0.40,}
3. Nc3 {d=30, wv=0.36,} Nf6 {d=30, wv=0.05,} 4. Bg5 {d=30, wv=M12,} Be7 {d=3, wv=-M7,} 1/2-1/2

"""
LICHESS = """[Event "Server"]
[Result "0-1"]

1. f3 { [%eval -0.60] [%clk 0:05:00] } 1... e5 { [%eval -0.55] } 2. g4?? { [%eval #-1] } 2... Qh4# 0-1

"""
MATCH = """[Event "Match"]
[Variant "fischerandom"]
[SetUp "1"]
[FEN "1k6/pp6/8/8/8/8/8/5KR1 b G - 2 9"]
[Result "*"]

9... a5 {+0.34/12 1.2s} 10. O-O {-0.10/11, 0.9s} b5 {+M5/30 0.1s} *

"""
MATES = """[Event "One"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Two"]
[Result "0-1"]

1. e4 e5 2. Nf3 {a comment} Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 (4... Qe7) 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1

"""


def games(text: str) -> Iterator[chess.pgn.Game]:
    source = io.StringIO(text)
    while (game := chess.pgn.read_game(source)) is not None:
        assert not game.errors
        yield game


def nags(text: str) -> list[list[set[int]]]:
    return [[node.nags for node in game.mainline()] for game in games(text)]


SCID_COPIES = """
sc_base create [lindex $argv 0]
set base [sc_base current]
puts [sc_base import $base [lindex $argv 1]]
set out [open [lindex $argv 2] w]
for {set game 1} {$game <= [sc_base numGames $base]} {incr game} {
    sc_game load $game
    puts $out "[sc_game pgn -comments 1 -variations 1 -symbols 0]\\n"
}
close $out
sc_base close $base
"""


def nodes(game: chess.pgn.Game) -> Iterator[tuple]:
    """Everything in a game except its tags."""
    waiting: list[chess.pgn.GameNode] = [game]
    while waiting:
        node = waiting.pop()
        yield node.ply(), node.nags, node.comment.split(), [child.san() for child in node.variations]
        waiting += node.variations
