-- Whether the user enters every refill, so that a fetch can infer the banks.

ALTER TABLE accounts ADD COLUMN refills_entered INTEGER NOT NULL DEFAULT 0;
