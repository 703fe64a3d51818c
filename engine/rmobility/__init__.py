"""R-Mobility: the side that came nearest to stalemating the other is ahead in a drawn game (docs/rmobility.md).

This package contains the rules in Python. A board needs only ``stm``, ``clock`` and ``goal()`` (``goals.GameBoard``):

    goals = Goals(board)               # keeps the record of a game, under given rules
    goals.push(board)                  # call it after each move
    goals.record                       # a Goal: code, owner, ply; str() gives "-G8.5"
    settle(goals.record, ...)          # the result, which includes wins by resignation, time or adjudication
    points(goal.code)                  # exact fractions for achiever and opponent
    komi_points(goal, *parse_komi("G3.75"))

For files of games, ``engine/archive/scorer.py`` computes the scores and ``tagging.py`` writes them into the files.
"""
