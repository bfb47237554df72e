-- Payouts that are compared with their chain after a restore, before they are signed.
CREATE TABLE payout_holds (
    payout         TEXT NOT NULL PRIMARY KEY REFERENCES payouts (id),
    reason         TEXT, -- why an operator has to decide; NULL until the chain was asked
    decision       TEXT, -- RELEASE or SENT
    transaction_id TEXT -- what sent it
);

-- Payments that ended long ago: `record` has their rows of all tables, as JSON.
CREATE TABLE archived_payments (
    id                TEXT NOT NULL PRIMARY KEY,
    business          TEXT NOT NULL REFERENCES businesses (id),
    client_payment_id TEXT NOT NULL,
    request_hash      TEXT NOT NULL,
    version           BIGINT NOT NULL,
    window_end        BIGINT,
    record            TEXT NOT NULL,
    UNIQUE (business, client_payment_id)
);

-- Their addresses stay watched.
CREATE TABLE archived_addresses (
    network    TEXT NOT NULL,
    address    TEXT NOT NULL,
    tag        TEXT NOT NULL,
    payment    TEXT NOT NULL REFERENCES archived_payments (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (address, tag, network)
);
