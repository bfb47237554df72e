-- The world of the sandbox: simulated chains and the rates that were set by hand. Empty without it.

CREATE TABLE sim_chains (
    network TEXT NOT NULL PRIMARY KEY,
    height  BIGINT NOT NULL
);

-- `revision` grows with every change of a row, over all networks: the watcher's cursor.
CREATE TABLE sim_transfers (
    network        TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    currency       TEXT NOT NULL,
    address        TEXT NOT NULL,
    tag            TEXT,
    amount         TEXT NOT NULL,
    from_address   TEXT NOT NULL,
    fee            TEXT NOT NULL,
    seen_at        BIGINT NOT NULL,
    height         BIGINT, -- NULL while pending
    dropped        INTEGER NOT NULL,
    revision       BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (transaction_id)
);

CREATE INDEX sim_transfers_news ON sim_transfers (network, revision);
CREATE INDEX sim_transfers_height ON sim_transfers (network, height);

CREATE TABLE sim_rates (
    from_asset TEXT NOT NULL,
    to_asset   TEXT NOT NULL,
    rate       TEXT NOT NULL,
    PRIMARY KEY (from_asset, to_asset)
);
