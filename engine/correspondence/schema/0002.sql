-- Analyses: a tree of positions that grows from those of a game, and what the engine found there, day after day.

CREATE TABLE nodes (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL CHECK (ply >= 0),        -- moves of the game that lead to the root of the tree
    line TEXT NOT NULL,                           -- moves from there, UCI, '' for the root itself
    fen TEXT NOT NULL,
    record TEXT,                                  -- R-Mobility record of the position, -G8.5
    UNIQUE (game_id, ply, line)
);

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    node_id INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    started_ms INTEGER NOT NULL,
    engine TEXT NOT NULL,
    threads INTEGER NOT NULL,
    hash_mb INTEGER NOT NULL
);

CREATE INDEX runs_by_node ON runs (node_id);

CREATE TABLE findings (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    depth INTEGER NOT NULL,
    rank INTEGER NOT NULL,                        -- of several lines, from 1
    at_ms INTEGER NOT NULL,
    score INTEGER NOT NULL,                       -- the engine's fixed point, side to move's view
    nodes INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    pv TEXT NOT NULL,                             -- UCI
    symbol TEXT,                                  -- of relevance, NULL where none was computed
    PRIMARY KEY (run_id, depth, rank)
) WITHOUT ROWID;
