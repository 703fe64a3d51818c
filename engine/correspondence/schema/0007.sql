-- What the user wants of a sitting that another process runs.

ALTER TABLE sittings ADD COLUMN wish TEXT NOT NULL DEFAULT '';   -- 'pause', 'stop'; '': go on
