"""R-Mobility: the side that came nearest to stalemating the other is ahead in a drawn game (docs/rmobility.md).

The rules in Python. Any board will do that has ``stm``, ``clock`` and ``goal()`` (``goals.GameBoard``):

    goals = Goals(board)               # the record of a game, under given rules
    goals.push(board)                  # after each move
    goals.record                       # a Goal: code, owner, ply; str() gives "-G8.5"
    settle(goals.record, ...)          # the result, wins that are not on the board included
    points(goal.code)                  # exact fractions for achiever and opponent
    komi_points(goal, *parse_komi("G3.75"))

Files of games: ``engine/archive/scorer.py`` (scores) and ``tagging.py`` (writes the scores into them).
"""
