-- Simulated chains, the rates that were set by hand, and what the console keeps.

CREATE TABLE sim_chains (
    network TEXT NOT NULL PRIMARY KEY,
    height  BIGINT NOT NULL
);

-- `revision` grows with every change of a row, over all networks: the watcher's cursor.
CREATE TABLE sim_transfers (
    network        TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    output_index   BIGINT NOT NULL DEFAULT 0,
    currency       TEXT NOT NULL,
    address        TEXT NOT NULL,
    tag            TEXT,
    amount         TEXT NOT NULL,
    from_address   TEXT NOT NULL,
    from_tag       TEXT,
    fee            TEXT NOT NULL,
    seen_at        BIGINT NOT NULL,
    height         BIGINT, -- NULL while pending
    dropped        INTEGER NOT NULL,
    replaceable    INTEGER NOT NULL DEFAULT 0,
    revision       BIGINT NOT NULL UNIQUE,
    sender         TEXT, -- the kind of sender, if a refund to it would not reach the payer
    reverted       INTEGER NOT NULL DEFAULT 0, -- the transaction is in its block and moved nothing
    PRIMARY KEY (transaction_id, output_index)
);

CREATE INDEX sim_transfers_news ON sim_transfers (network, revision);
CREATE INDEX sim_transfers_height ON sim_transfers (network, height);

CREATE TABLE sim_rates (
    from_asset TEXT NOT NULL,
    to_asset   TEXT NOT NULL,
    rate       TEXT NOT NULL,
    PRIMARY KEY (from_asset, to_asset)
);

-- Senders that are flagged.
CREATE TABLE sim_flags (
    network TEXT NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (network, address)
);

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
CREATE TABLE console_events (
    id       TEXT NOT NULL PRIMARY KEY, -- UUID version 7
    at       BIGINT NOT NULL,
    what     TEXT NOT NULL,
    network  TEXT, -- NULL when it concerns all
    quantity BIGINT NOT NULL, -- blocks, seconds
    subject  TEXT -- a transaction, a rate
);

CREATE INDEX console_events_by_time ON console_events (at, id);

-- The current fee of a transaction, in the network's coin. Without a row: the fixed fee of the pair.
CREATE TABLE sim_fees (
    network TEXT NOT NULL PRIMARY KEY,
    fee     TEXT NOT NULL
);
