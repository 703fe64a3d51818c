-- Accounts on servers, with the events that each serves, and the account that lists a game.

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    user TEXT NOT NULL,
    events TEXT NOT NULL DEFAULT '*',             -- patterns of the names of its events, each in a line
    control TEXT,                                 -- clock of new games, where the server gives none
    UNIQUE (url, user)
);

ALTER TABLE games ADD COLUMN server_user TEXT;    -- the user to whom the server lists the game; NULL: not known
