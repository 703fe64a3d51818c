-- Deadlines that the user was reminded of; what a person writes about a game: notes, tags, comments and lines.

CREATE TABLE reminders (
    uid TEXT NOT NULL,                            -- of the game, as calendars know it
    days INTEGER NOT NULL,                        -- before the deadline
    deadline_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (uid, days)
) WITHOUT ROWID;

CREATE TABLE remarks (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('note', 'tag', 'comment', 'line', 'plan')),
    ply INTEGER NOT NULL CHECK (ply >= 0),        -- half-moves of the game before it; 0 for the whole game
    text TEXT NOT NULL,                           -- of a line or plan: moves from there, UCI
    comment TEXT NOT NULL DEFAULT '',
    at_ms INTEGER NOT NULL
);

CREATE INDEX remarks_by_game ON remarks (game_id, ply);
