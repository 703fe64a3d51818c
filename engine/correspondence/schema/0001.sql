-- Games, their logs, and the state that each log leads to.

CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    first_white TEXT NOT NULL,                    -- before any replacement
    first_black TEXT NOT NULL,
    own_side INTEGER CHECK (own_side IN (0, 1)),  -- NULL: a game that is only watched
    control TEXT NOT NULL,                        -- as engine/clock/control.py reads it
    fen TEXT,                                     -- NULL: the start position
    opening TEXT NOT NULL DEFAULT '',             -- moves given with the start, which do not count; UCI
    tags TEXT NOT NULL DEFAULT '{}',              -- other PGN tags, JSON
    no_engines INTEGER NOT NULL DEFAULT 0 CHECK (no_engines IN (0, 1)),
    server TEXT,                                  -- where it is played, and as what
    server_id TEXT,
    created_ms INTEGER NOT NULL,
    -- What the log leads to: who plays now, the clocks, the position. Instants in ms since
    -- 1970, UTC; durations in ms.
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('waiting', 'running', 'claimed', 'over')),
    to_move INTEGER NOT NULL CHECK (to_move IN (0, 1)),
    since_ms INTEGER NOT NULL,
    stamp_ms INTEGER NOT NULL,
    deadline_ms INTEGER,                          -- NULL: no clock runs
    white_clock_ms INTEGER NOT NULL CHECK (white_clock_ms >= 0),
    white_bank_ms INTEGER NOT NULL CHECK (white_bank_ms >= 0),
    white_moves INTEGER NOT NULL CHECK (white_moves >= 0),
    white_used_ms INTEGER NOT NULL CHECK (white_used_ms >= 0),
    black_clock_ms INTEGER NOT NULL CHECK (black_clock_ms >= 0),
    black_bank_ms INTEGER NOT NULL CHECK (black_bank_ms >= 0),
    black_moves INTEGER NOT NULL CHECK (black_moves >= 0),
    black_used_ms INTEGER NOT NULL CHECK (black_used_ms >= 0),
    position TEXT NOT NULL,                       -- FEN
    position_key TEXT NOT NULL,                   -- of the engine, 16 hexadecimal digits
    last_move TEXT NOT NULL DEFAULT '',           -- '12...Nf6'
    result TEXT NOT NULL DEFAULT '*',
    UNIQUE (server, server_id)
);

CREATE INDEX games_by_deadline ON games (status, deadline_ms);

CREATE TABLE events (
    game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number INTEGER NOT NULL CHECK (number > 0),   -- without a gap from 1
    kind TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    data TEXT NOT NULL,                           -- JSON
    recorded_ms INTEGER NOT NULL,                 -- by this machine's own clock
    PRIMARY KEY (game_id, number)
) WITHOUT ROWID;
