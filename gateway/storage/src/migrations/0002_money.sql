-- Money beyond payments: whitelisted addresses, the ledger, refunds, withdrawals.

CREATE TABLE whitelisted_addresses (
    id                TEXT NOT NULL PRIMARY KEY, -- UUID version 7: by id is by age
    business          TEXT NOT NULL REFERENCES businesses (id),
    client_address_id TEXT NOT NULL,
    request_hash      TEXT NOT NULL,
    currency          TEXT NOT NULL,
    network           TEXT NOT NULL,
    address           TEXT NOT NULL,
    tag               TEXT,
    label             TEXT,
    created_at        BIGINT NOT NULL,
    UNIQUE (business, client_address_id)
);

CREATE INDEX whitelisted_addresses_of_business ON whitelisted_addresses (business, id);

-- What every account of a business holds, in signed units of its asset; all accounts of one asset add up to zero.
CREATE TABLE ledger_balances (
    business TEXT NOT NULL REFERENCES businesses (id),
    asset    TEXT NOT NULL,
    account  TEXT NOT NULL,
    balance  TEXT NOT NULL,
    PRIMARY KEY (business, asset, account)
);

-- Nothing happens twice: the cause is the key.
CREATE TABLE ledger_entries (
    cause    TEXT NOT NULL PRIMARY KEY,
    business TEXT NOT NULL REFERENCES businesses (id)
);

CREATE TABLE ledger_lines (
    cause   TEXT NOT NULL REFERENCES ledger_entries (cause),
    asset   TEXT NOT NULL,
    account TEXT NOT NULL,
    units   TEXT NOT NULL,
    PRIMARY KEY (cause, asset, account)
);

-- The terms a deposit is settled by, fixed at first sight, and what of it is in the ledger now.
CREATE TABLE settlements (
    deposit       TEXT NOT NULL PRIMARY KEY REFERENCES deposits (id),
    ratio         TEXT NOT NULL,
    crypto        TEXT NOT NULL,
    fee           TEXT NOT NULL,
    deposit_price TEXT NOT NULL, -- EUR per whole coin
    crypto_price  TEXT NOT NULL,
    generation    BIGINT NOT NULL, -- of the last entry
    kept          TEXT, -- atoms that are settled; NULL while nothing is booked
    returned      TEXT NOT NULL -- atoms that go back
);

-- Transactions of ours. Only bytes that are stored here are ever broadcast.
CREATE TABLE payouts (
    id             TEXT NOT NULL PRIMARY KEY,
    business       TEXT NOT NULL REFERENCES businesses (id),
    kind           TEXT NOT NULL, -- REFUND or WITHDRAWAL
    currency       TEXT NOT NULL,
    network        TEXT NOT NULL,
    amount         TEXT NOT NULL,
    to_address     TEXT NOT NULL,
    tag            TEXT,
    state          TEXT NOT NULL, -- WAITING, SIGNED, SENT, CONFIRMED; CANCELLED, FAILED
    bytes          TEXT, -- the signed transaction, in hexadecimal
    transaction_id TEXT,
    created_at     BIGINT NOT NULL,
    confirmed_at   BIGINT
);

CREATE INDEX payouts_open ON payouts (id) WHERE state IN ('WAITING', 'SIGNED', 'SENT');

-- At most one refund a deposit.
CREATE TABLE refunds (
    deposit TEXT NOT NULL PRIMARY KEY REFERENCES deposits (id),
    kind    TEXT NOT NULL,
    reason  TEXT NOT NULL,
    gross   TEXT NOT NULL, -- atoms, the fee included
    fee     TEXT NOT NULL,
    payout  TEXT REFERENCES payouts (id) -- NULL when it cannot be refunded
);

CREATE INDEX refunds_by_payout ON refunds (payout);

CREATE TABLE withdrawals (
    id                   TEXT NOT NULL PRIMARY KEY REFERENCES payouts (id),
    business             TEXT NOT NULL REFERENCES businesses (id),
    client_withdrawal_id TEXT NOT NULL,
    request_hash         TEXT NOT NULL,
    recipient            TEXT NOT NULL,
    policy               TEXT NOT NULL,
    account              TEXT NOT NULL,
    initiated_by         TEXT NOT NULL,
    status               TEXT NOT NULL,
    fee                  TEXT NOT NULL,
    display_currency     TEXT NOT NULL,
    display_amount       TEXT NOT NULL,
    display_fee          TEXT NOT NULL,
    display_service_fee  TEXT NOT NULL,
    settlement_asset     TEXT NOT NULL,
    deducted             TEXT NOT NULL,
    service_fee          TEXT NOT NULL,
    uniform_amount       TEXT NOT NULL,
    uniform_service_fee  TEXT NOT NULL,
    owner_name           TEXT,
    owner_category       TEXT,
    UNIQUE (business, client_withdrawal_id)
);
