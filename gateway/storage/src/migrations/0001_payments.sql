-- Portable to PostgreSQL: ids and amounts are text, times are UNIX seconds, flags are 0 or 1.
-- Crypto amounts are atomic units; fiat amounts and rates are decimals.

CREATE TABLE settings (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE businesses (
    id                  TEXT NOT NULL PRIMARY KEY,
    name                TEXT NOT NULL,
    created_at          BIGINT NOT NULL,
    deposit_callback    TEXT,
    withdrawal_callback TEXT,
    callback_secret     TEXT NOT NULL,
    settlement_crypto   TEXT NOT NULL,
    settlement_ratio    TEXT NOT NULL,
    deposit_currencies  TEXT NOT NULL, -- codes, separated by commas
    display_currencies  TEXT NOT NULL,
    overpayment_policy  TEXT NOT NULL,
    refund_follow_ups   INTEGER NOT NULL,
    theme               TEXT NOT NULL,
    allowed_origins     TEXT NOT NULL -- separated by blanks
);

-- Organisation keys (business is NULL) and business tokens, by SHA-256.
CREATE TABLE credentials (
    token_hash TEXT NOT NULL PRIMARY KEY,
    business   TEXT REFERENCES businesses (id),
    created_at BIGINT NOT NULL
);

CREATE TABLE payments (
    id                     TEXT NOT NULL PRIMARY KEY,
    business               TEXT NOT NULL REFERENCES businesses (id),
    client_payment_id      TEXT NOT NULL,
    request_hash           TEXT NOT NULL,
    kind                   TEXT NOT NULL,
    rate_type              TEXT NOT NULL,
    locale                 TEXT NOT NULL,
    display_currency       TEXT NOT NULL,
    display_currency_given INTEGER NOT NULL,
    price_display          TEXT,
    price_crypto           TEXT,
    requested_currency     TEXT,
    requested_network      TEXT,
    expiration_minutes     BIGINT NOT NULL,
    redirect_url           TEXT,
    overpayment_policy     TEXT NOT NULL,
    refund_follow_ups      INTEGER NOT NULL,
    initiated_at           BIGINT NOT NULL,
    estimate               TEXT,
    session_nonce          TEXT NOT NULL,
    status                 TEXT NOT NULL,
    window_end             BIGINT,
    settled_at             BIGINT,
    quote_currency         TEXT,
    quote_network          TEXT,
    quote_address          TEXT,
    quote_tag              TEXT,
    quote_expected         TEXT,
    quote_rate             TEXT,
    quote_uniform_rate     TEXT,
    quote_display          TEXT,
    quote_uniform          TEXT,
    quote_requested_at     BIGINT,
    CHECK ((price_display IS NULL) <> (price_crypto IS NULL)),
    UNIQUE (business, client_payment_id)
);

CREATE INDEX payments_open ON payments (window_end) WHERE status IN ('NEW', 'PENDING', 'AWAITING');

-- Session tokens of payers, by SHA-256.
CREATE TABLE sessions (
    token_hash TEXT NOT NULL PRIMARY KEY,
    payment    TEXT NOT NULL REFERENCES payments (id),
    created_at BIGINT NOT NULL
);

-- Every address that was ever given out stays watched for its payment. No tag is the empty text.
CREATE TABLE addresses (
    network    TEXT NOT NULL,
    address    TEXT NOT NULL,
    tag        TEXT NOT NULL,
    payment    TEXT NOT NULL REFERENCES payments (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (address, tag, network),
    UNIQUE (payment, network)
);

CREATE TABLE address_indexes (
    network TEXT NOT NULL PRIMARY KEY,
    next    BIGINT NOT NULL
);

-- One on-chain output is one deposit, for ever.
CREATE TABLE deposits (
    id             TEXT NOT NULL PRIMARY KEY,
    payment        TEXT NOT NULL REFERENCES payments (id),
    network        TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    output_index   BIGINT NOT NULL,
    currency       TEXT NOT NULL,
    amount         TEXT NOT NULL,
    to_address     TEXT NOT NULL,
    tag            TEXT,
    from_address   TEXT NOT NULL,
    fee            TEXT NOT NULL,
    seen_at        BIGINT NOT NULL,
    state          TEXT NOT NULL,
    rate           TEXT NOT NULL,
    uniform_rate   TEXT NOT NULL,
    rate_type      TEXT NOT NULL,
    display_amount TEXT NOT NULL,
    uniform_amount TEXT NOT NULL,
    seen_seq       BIGINT NOT NULL,
    confirmed_seq  BIGINT,
    UNIQUE (network, transaction_id, output_index)
);

CREATE INDEX deposits_of_payment ON deposits (payment);

-- How far each chain was read; moves in the transaction that stores what was read.
CREATE TABLE chain_cursors (
    network TEXT NOT NULL PRIMARY KEY,
    cursor  TEXT NOT NULL
);
