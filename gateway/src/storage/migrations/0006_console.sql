-- What the console of the sandbox keeps. Empty without it.

-- What arrived at the built-in receiver of callbacks.
CREATE TABLE console_deliveries (
    id            TEXT NOT NULL PRIMARY KEY, -- UUID version 7: by id is by age
    received_at   BIGINT NOT NULL,
    webhook_id    TEXT NOT NULL,
    headers       TEXT NOT NULL, -- JSON: pairs of name and value
    body          TEXT NOT NULL,
    verdict       TEXT NOT NULL,
    answered      BIGINT NOT NULL,
    delay_seconds BIGINT NOT NULL
);

-- What was done by hand to the simulated world.
CREATE TABLE console_deeds (
    id       TEXT NOT NULL PRIMARY KEY, -- UUID version 7
    at       BIGINT NOT NULL,
    what     TEXT NOT NULL,
    network  TEXT, -- NULL when it concerns all
    quantity BIGINT NOT NULL, -- blocks, seconds
    subject  TEXT -- a transaction, a rate
);

CREATE INDEX console_deeds_by_time ON console_deeds (at, id);
