-- Deposits without a rate are valued when there is one, and are held until then. Those of before keep what they were booked at.
ALTER TABLE deposits ADD COLUMN being_valued INTEGER NOT NULL DEFAULT 0;
CREATE INDEX deposits_being_valued ON deposits (id) WHERE being_valued = 1;

-- The rates that an operator gives for a deposit.
CREATE TABLE valuations (
    deposit      TEXT NOT NULL PRIMARY KEY REFERENCES deposits (id),
    rate         TEXT NOT NULL, -- of its payment's display currency per whole coin
    uniform_rate TEXT NOT NULL, -- EUR per whole coin
    given_at     BIGINT NOT NULL
);
