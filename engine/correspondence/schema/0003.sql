-- What is not known is marked as not known; what the server has; games that calendars know.

ALTER TABLE games ADD COLUMN white_known INTEGER NOT NULL DEFAULT 3;  -- 1: the clock, 2: the bank, 3: both
ALTER TABLE games ADD COLUMN black_known INTEGER NOT NULL DEFAULT 3;
ALTER TABLE games ADD COLUMN server_ply INTEGER;                      -- half-moves that the server has; NULL: unknown
ALTER TABLE games ADD COLUMN uid TEXT NOT NULL DEFAULT '';            -- of its calendar event, for good

-- The UID that calendars have of a game from before.
UPDATE games SET uid = name || '@games.standstill.invalid';

CREATE TABLE forgotten (
    uid TEXT PRIMARY KEY,                         -- of a game that was removed: calendars have to cancel it
    name TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) WITHOUT ROWID;
