-- Entries of chains that could not be read, so that everything else was; and coins that arrived and are not credited, as
-- payers' look-ups found them: of these the last four columns are set.
CREATE TABLE set_aside (
    network        TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    part           TEXT NOT NULL, -- of the transaction; '' for the whole
    height         BIGINT NOT NULL,
    block          TEXT NOT NULL, -- its hash, or ''
    why            TEXT NOT NULL,
    state          TEXT NOT NULL, -- OPEN, READ or DISMISSED
    seen_at        BIGINT NOT NULL,
    tries          BIGINT NOT NULL,
    next_try_at    BIGINT, -- NULL: not by itself
    settled_at     BIGINT,
    asset          TEXT, -- the code of a coin, or a contract
    amount         TEXT,
    to_address     TEXT,
    payment        TEXT, -- in the archive or not
    PRIMARY KEY (transaction_id, network, part)
);

CREATE INDEX set_aside_of_payment ON set_aside (payment) WHERE payment IS NOT NULL;
CREATE INDEX set_aside_open ON set_aside (network, next_try_at) WHERE state = 'OPEN';
