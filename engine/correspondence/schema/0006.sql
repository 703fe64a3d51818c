-- Analyses over nights: each sitting, and what it is doing, for pages and for the report of the morning.

CREATE TABLE sittings (
    id INTEGER PRIMARY KEY,
    started_ms INTEGER NOT NULL,
    ends_ms INTEGER NOT NULL,                     -- when its time is used up
    beat_ms INTEGER NOT NULL,                     -- the last sign of life
    engine TEXT NOT NULL,
    game TEXT NOT NULL DEFAULT '',                -- what it analyses now: a game, and a line from its position
    line TEXT NOT NULL DEFAULT '',
    depth INTEGER NOT NULL DEFAULT 0,
    score TEXT NOT NULL DEFAULT '',
    nodes INTEGER NOT NULL DEFAULT 0              -- positions analysed so far
);
