-- Transfers to the account of all payments without the tag of a payment, which payers looked up.
CREATE TABLE untagged_transfers (
    network        TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    output_index   BIGINT NOT NULL,
    currency       TEXT NOT NULL,
    amount         TEXT NOT NULL,
    to_address     TEXT NOT NULL,
    tag            TEXT,
    from_address   TEXT NOT NULL,
    seen_at        BIGINT NOT NULL,
    reported_at    BIGINT NOT NULL, -- first
    state          TEXT NOT NULL, -- OPEN, CREDITING, CREDITED or REFUSED
    payment        TEXT, -- that it is credited to, in the archive or not
    failure        TEXT, -- why it was not credited
    decided_at     BIGINT, -- NULL: never
    PRIMARY KEY (transaction_id, network, output_index)
);

CREATE INDEX untagged_transfers_by_state ON untagged_transfers (state, reported_at);
CREATE INDEX untagged_transfers_by_age ON untagged_transfers (reported_at);
CREATE INDEX untagged_transfers_of_payment ON untagged_transfers (payment) WHERE payment IS NOT NULL;

-- The payments on whose pages they were looked up. Rows are only added.
CREATE TABLE untagged_reports (
    network        TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    output_index   BIGINT NOT NULL,
    payment        TEXT NOT NULL, -- in the archive or not
    reported_at    BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, network, output_index, payment),
    FOREIGN KEY (transaction_id, network, output_index)
        REFERENCES untagged_transfers (transaction_id, network, output_index)
);

CREATE INDEX untagged_reports_of_payment ON untagged_reports (payment);
