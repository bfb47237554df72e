-- The tables of the gateway, the same for SQLite and PostgreSQL: ids and amounts are text, times are UNIX seconds, flags are 0 or 1.
-- Crypto amounts are atomic units; fiat amounts and rates are decimals.

CREATE TABLE settings (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- A merchant, and the settings of its payments.
CREATE TABLE businesses (
    id                     TEXT NOT NULL PRIMARY KEY,
    name                   TEXT NOT NULL,
    created_at             BIGINT NOT NULL,
    disabled               INTEGER NOT NULL, -- creates no payments and no withdrawals
    deposit_callback       TEXT,
    withdrawal_callback    TEXT,
    event_url              TEXT,
    events                 TEXT NOT NULL, -- names and groups, separated by commas
    callback_secret        TEXT NOT NULL,
    settlement_crypto      TEXT, -- NULL: the currency of the deposit
    settlement_ratio       TEXT NOT NULL,
    deposit_currencies     TEXT NOT NULL, -- codes, separated by commas
    display_currencies     TEXT NOT NULL,
    overpayment_policy     TEXT NOT NULL,
    refund_follow_ups      INTEGER NOT NULL,
    theme                  TEXT NOT NULL,
    allowed_origins        TEXT NOT NULL, -- separated by blanks
    underpayment_tolerance TEXT, -- share of the expected amount that may be missing; NULL: by the rate type
    support_url            TEXT, -- an https or mailto link
    instant_deposit_limit  TEXT, -- EUR
    brand_color            TEXT, -- #rrggbb
    logo                   TEXT -- file name
);

-- Images in base64. Businesses with the same logo have a row each.
CREATE TABLE logos (
    business TEXT PRIMARY KEY REFERENCES businesses (id),
    file     TEXT NOT NULL,
    image    TEXT NOT NULL
);

CREATE INDEX logos_by_file ON logos (file);

-- Organisation keys (business is NULL) and business tokens, by SHA-256.
CREATE TABLE credentials (
    token_hash TEXT NOT NULL PRIMARY KEY,
    business   TEXT REFERENCES businesses (id),
    created_at BIGINT NOT NULL,
    ends_at    BIGINT, -- the token is refused from this second on; NULL: it has no end
    scopes     TEXT -- words of `access/scope.rs`, separated by commas; NULL: everything
);

CREATE INDEX credentials_of_business ON credentials (business);

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
    version                BIGINT NOT NULL DEFAULT 1, -- rises with every change of what the payment shows
    underpayment_tolerance TEXT,
    first_display_currency TEXT, -- of the answer to POST; display_currency can be set later
    currency               TEXT, -- of the last quote, or else of the request; NULL: not chosen yet
    network                TEXT,
    cancelled_at           BIGINT,
    description            TEXT,
    metadata               TEXT, -- a JSON object of texts; NULL: none
    CHECK ((price_display IS NULL) <> (price_crypto IS NULL)),
    UNIQUE (business, client_payment_id)
);

CREATE INDEX payments_of_business ON payments (business, id);
CREATE INDEX payments_by_status ON payments (business, status, id);
CREATE INDEX payments_by_currency ON payments (business, currency, id);
CREATE INDEX payments_by_network ON payments (business, network, id);
CREATE INDEX payments_open ON payments (window_end) WHERE status IN ('NEW', 'PENDING', 'AWAITING');

-- The texts by which payments are found, in the archive or not.
CREATE TABLE payment_texts (
    payment  TEXT NOT NULL,
    business TEXT NOT NULL REFERENCES businesses (id),
    name     TEXT NOT NULL, -- a key of the metadata; empty for a word of the description, a blank for an amount
    value    TEXT NOT NULL,
    PRIMARY KEY (payment, name, value)
);

CREATE INDEX payment_texts_by_value ON payment_texts (business, name, value, payment);

-- Session tokens of payers, by SHA-256.
CREATE TABLE sessions (
    token_hash TEXT NOT NULL PRIMARY KEY,
    payment    TEXT NOT NULL REFERENCES payments (id),
    created_at BIGINT NOT NULL,
    ends_at    BIGINT
);

CREATE INDEX sessions_of_payment ON sessions (payment);

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

-- Every quote that was shown for a payment, in its order from 0.
CREATE TABLE quotes (
    payment          TEXT NOT NULL REFERENCES payments (id),
    place            BIGINT NOT NULL,
    currency         TEXT NOT NULL,
    network          TEXT NOT NULL,
    address          TEXT NOT NULL,
    tag              TEXT,
    display_currency TEXT NOT NULL,
    expected         TEXT NOT NULL,
    rate             TEXT NOT NULL,
    uniform_rate     TEXT NOT NULL,
    display          TEXT NOT NULL,
    uniform          TEXT NOT NULL,
    requested_at     BIGINT NOT NULL,
    PRIMARY KEY (payment, place)
);

CREATE INDEX quotes_by_age ON quotes (network, requested_at);

-- One on-chain output is one deposit.
CREATE TABLE deposits (
    id              TEXT NOT NULL PRIMARY KEY,
    payment         TEXT NOT NULL REFERENCES payments (id),
    business        TEXT NOT NULL REFERENCES businesses (id),
    network         TEXT NOT NULL,
    transaction_id  TEXT NOT NULL,
    output_index    BIGINT NOT NULL,
    currency        TEXT NOT NULL,
    amount          TEXT NOT NULL,
    to_address      TEXT NOT NULL,
    tag             TEXT,
    from_address    TEXT NOT NULL,
    fee             TEXT NOT NULL,
    seen_at         BIGINT NOT NULL,
    state           TEXT NOT NULL,
    rate            TEXT NOT NULL,
    uniform_rate    TEXT NOT NULL,
    rate_type       TEXT NOT NULL,
    display_amount  TEXT NOT NULL,
    uniform_amount  TEXT NOT NULL,
    seen_seq        BIGINT NOT NULL,
    confirmed_seq   BIGINT,
    instant         INTEGER NOT NULL DEFAULT 1, -- passed the double-spend check at first sight
    screening       TEXT NOT NULL DEFAULT 'PASSED', -- result of the screening of its senders
    owner_name      TEXT, -- of a flagged sender
    owner_category  TEXT,
    quote           BIGINT, -- place of the quote that values it
    from_tag        TEXT, -- the tag that a refund must carry
    hold            TEXT, -- CURRENCY or AMOUNT: held although its sender is cleared
    confirmations   BIGINT NOT NULL DEFAULT 0, -- while its network needs more than one
    other_senders   TEXT, -- owners of the other inputs, a JSON array; NULL: none
    claimed_at      BIGINT, -- an operator's decision about its refund
    claimed_address TEXT, -- NULL: to the sender
    claimed_tag     TEXT,
    price_rate      TEXT, -- rate of a price in another cryptocurrency at receipt
    UNIQUE (network, transaction_id, output_index)
);

CREATE INDEX deposits_to_screen ON deposits (id) WHERE screening IN ('PENDING', 'RELEASING', 'REFUSING');
CREATE INDEX deposits_flagged ON deposits (id) WHERE screening IN ('FLAGGED', 'RELEASING', 'RELEASED', 'REFUSING', 'REFUSED');
CREATE INDEX deposits_claimed ON deposits (business, claimed_at) WHERE claimed_at IS NOT NULL;
CREATE INDEX deposits_of_business ON deposits (business, id);
CREATE INDEX deposits_by_currency ON deposits (business, currency, id);
CREATE INDEX deposits_by_network ON deposits (business, network, id);
CREATE INDEX deposits_unconfirmed ON deposits (business, id) WHERE state = 'UNCONFIRMED' OR screening NOT IN ('PASSED', 'RELEASED');
CREATE INDEX deposits_held ON deposits (business, id) WHERE screening NOT IN ('PASSED', 'RELEASED');
CREATE INDEX deposits_in_order ON deposits (payment, seen_seq, id);
CREATE INDEX deposits_instant ON deposits (payment) WHERE state = 'UNCONFIRMED' AND instant = 1;

-- The sums of a payment's deposits, as JSON: the next deposit is added without reading the others. A payment without a row is read
-- whole, and gets one if it can have one. A change of a deposit removes the row, and the code that knows the new sums stores them in the
-- same transaction, so that no other change can leave wrong ones.
CREATE TABLE deposit_sums (
    payment TEXT NOT NULL PRIMARY KEY REFERENCES payments (id),
    quotes  BIGINT NOT NULL, -- how many the payment had; another one changes what deposits cover
    sums    TEXT NOT NULL
);

-- Transfers that are too small to be deposits: a row for each payment, network and currency.
CREATE TABLE dust (
    payment      TEXT NOT NULL REFERENCES payments (id),
    network      TEXT NOT NULL,
    currency     TEXT NOT NULL,
    transfers    BIGINT NOT NULL,
    amount       TEXT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (payment, network, currency)
);

-- How far each chain was read; moves in the transaction that stores what was read.
CREATE TABLE chain_cursors (
    network TEXT NOT NULL PRIMARY KEY,
    cursor  TEXT NOT NULL
);

-- Balances of the accounts of a business, in signed units of their asset. All accounts of one asset add up to zero.
CREATE TABLE ledger_balances (
    business TEXT NOT NULL REFERENCES businesses (id),
    asset    TEXT NOT NULL,
    account  TEXT NOT NULL,
    balance  TEXT NOT NULL,
    PRIMARY KEY (business, asset, account)
);

-- An entry is made once: its cause is the key.
CREATE TABLE ledger_entries (
    cause    TEXT NOT NULL PRIMARY KEY,
    business TEXT NOT NULL REFERENCES businesses (id),
    id       TEXT NOT NULL UNIQUE, -- UUID version 7: by id is by age
    payment  TEXT -- that the money belongs to, in the archive or not; NULL: a withdrawal
);

CREATE INDEX ledger_entries_of_business ON ledger_entries (business, id);
CREATE INDEX ledger_entries_of_payment ON ledger_entries (payment) WHERE payment IS NOT NULL;

CREATE TABLE ledger_lines (
    cause   TEXT NOT NULL REFERENCES ledger_entries (cause),
    asset   TEXT NOT NULL,
    account TEXT NOT NULL,
    units   TEXT NOT NULL,
    price   TEXT, -- EUR per whole coin, by which it was booked; NULL: there was no rate
    PRIMARY KEY (cause, asset, account)
);

-- The terms by which a deposit is settled, fixed at first sight, and the part of it that is in the ledger now.
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

-- Transactions that the gateway sends. Only bytes that are stored here are broadcast.
CREATE TABLE payouts (
    id             TEXT NOT NULL PRIMARY KEY,
    business       TEXT NOT NULL REFERENCES businesses (id),
    kind           TEXT NOT NULL, -- REFUND, WITHDRAWAL or MERCHANT_REFUND
    currency       TEXT NOT NULL,
    network        TEXT NOT NULL,
    amount         TEXT NOT NULL,
    to_address     TEXT NOT NULL,
    tag            TEXT,
    state          TEXT NOT NULL, -- UNADDRESSED; WAITING, SIGNED, SENT, CONFIRMED; CANCELLED, FAILED
    bytes          TEXT, -- the signed transaction, in hexadecimal
    transaction_id TEXT,
    created_at     BIGINT NOT NULL,
    confirmed_at   BIGINT,
    account        TEXT, -- the account that sends it, on chains that number transactions
    sequence       BIGINT, -- number of the transaction
    pending_since  BIGINT, -- since when the newest transaction waits for a block; NULL: since created_at
    capped_at      BIGINT, -- since when its fee is at the configured maximum
    claimed        INTEGER NOT NULL DEFAULT 0 -- a refund to an address that was given
);

CREATE INDEX payouts_by_address ON payouts (to_address);
CREATE INDEX payouts_by_transaction ON payouts (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX payouts_open ON payouts (id) WHERE state IN ('WAITING', 'SIGNED', 'SENT', 'CONFIRMED');
CREATE UNIQUE INDEX payouts_sequence ON payouts (network, account, sequence) WHERE sequence IS NOT NULL AND state <> 'FAILED';

-- All transactions of a payout that was replaced by one with a higher fee. They spend the same coins or have the same number, so
-- the chain takes one of them at most. `payouts` has the one that the merchant was told: the first, or the one that confirmed.
CREATE TABLE payout_versions (
    payout         TEXT NOT NULL REFERENCES payouts (id),
    number         BIGINT NOT NULL, -- from 1, in the order in which they were signed
    transaction_id TEXT NOT NULL,
    bytes          TEXT NOT NULL,
    PRIMARY KEY (payout, number)
);

CREATE INDEX payout_versions_transaction ON payout_versions (transaction_id);

-- Payouts that are compared with their chain after a restore, before they are signed.
CREATE TABLE payout_holds (
    payout         TEXT NOT NULL PRIMARY KEY REFERENCES payouts (id),
    reason         TEXT, -- why an operator has to decide; NULL until the chain was asked
    decision       TEXT, -- RELEASE or SENT
    transaction_id TEXT -- what sent it
);

-- Automatic refunds: at most one for each deposit.
CREATE TABLE refunds (
    deposit      TEXT NOT NULL PRIMARY KEY REFERENCES deposits (id),
    payment      TEXT NOT NULL REFERENCES payments (id),
    business     TEXT NOT NULL REFERENCES businesses (id),
    currency     TEXT NOT NULL, -- of the deposit
    network      TEXT NOT NULL,
    kind         TEXT NOT NULL,
    reason       TEXT NOT NULL,
    gross        TEXT NOT NULL, -- atoms, the fee included
    fee          TEXT NOT NULL,
    payout       TEXT REFERENCES payouts (id), -- NULL when it cannot be refunded
    waits_for    TEXT, -- ADDRESS or APPROVAL; NULL: a transaction is made
    waits_reason TEXT,
    status       TEXT NOT NULL DEFAULT 'PENDING' -- as in refund_states, by a trigger
);

CREATE INDEX refunds_by_status ON refunds (business, status, deposit);
CREATE INDEX refunds_by_wait ON refunds (business, waits_for, deposit) WHERE waits_for IS NOT NULL;
CREATE INDEX refunds_by_payout ON refunds (payout);
CREATE INDEX refunds_by_currency ON refunds (business, currency, deposit);
CREATE INDEX refunds_by_network ON refunds (business, network, deposit);
CREATE INDEX refunds_of_business ON refunds (business, deposit);
CREATE INDEX refunds_of_payment ON refunds (payment, deposit);
CREATE INDEX refunds_waiting ON refunds (deposit) WHERE waits_for IS NOT NULL;

-- Payouts that are charged to a balance: withdrawals, and the refunds that a merchant asked for.
CREATE TABLE withdrawals (
    id                   TEXT NOT NULL PRIMARY KEY REFERENCES payouts (id),
    business             TEXT NOT NULL REFERENCES businesses (id),
    payment              TEXT, -- that is refunded, also in the archive; NULL: a withdrawal
    currency             TEXT NOT NULL, -- of the payout
    network              TEXT NOT NULL,
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
    approval             TEXT, -- WAITING, APPROVED or REJECTED; NULL: needs none
    of_unpaid            INTEGER NOT NULL DEFAULT 0, -- refunds a payment that was not paid
    refund_status        TEXT, -- as in merchant_refund_states, by a trigger; NULL: a withdrawal
    refund_waits         TEXT
);

-- The states by which refunds are listed: of automatic ones, and of the merchant's with what they wait for.
CREATE VIEW refund_states AS
    SELECT deposit, CASE WHEN payouts.state IN ('CONFIRMED', 'FINAL') THEN 'CONFIRMED'
        WHEN waits_for IS NULL AND (payout IS NULL OR payouts.state = 'FAILED') THEN 'NON_REFUNDABLE'
        ELSE 'PENDING' END AS status
    FROM refunds LEFT JOIN payouts ON payouts.id = refunds.payout;
CREATE VIEW merchant_refund_states AS
    SELECT withdrawals.id, CASE WHEN payouts.state = 'CANCELLED' THEN 'CANCELLED'
            WHEN withdrawals.status IN ('BLOCKED', 'FAILED') THEN withdrawals.status
            WHEN payouts.state IN ('CONFIRMED', 'FINAL') THEN 'CONFIRMED'
            ELSE 'PENDING' END AS status,
        CASE WHEN payouts.state = 'UNADDRESSED' THEN 'ADDRESS'
            WHEN payouts.state = 'WAITING' AND approval = 'WAITING' THEN 'APPROVAL' END AS waits
    FROM withdrawals JOIN payouts ON payouts.id = withdrawals.id WHERE withdrawals.payment IS NOT NULL;

CREATE INDEX merchant_refunds_by_status ON withdrawals (business, refund_status, id) WHERE payment IS NOT NULL;
CREATE INDEX merchant_refunds_by_wait ON withdrawals (business, refund_waits, id) WHERE refund_waits IS NOT NULL;

-- Withdrawals and refunds have ids of their own.
CREATE UNIQUE INDEX withdrawals_by_client_id ON withdrawals (business, client_withdrawal_id) WHERE payment IS NULL;
CREATE UNIQUE INDEX merchant_refunds_by_client_id ON withdrawals (business, client_withdrawal_id) WHERE payment IS NOT NULL;
CREATE INDEX merchant_refunds_by_currency ON withdrawals (business, currency, id) WHERE payment IS NOT NULL;
CREATE INDEX merchant_refunds_by_network ON withdrawals (business, network, id) WHERE payment IS NOT NULL;
CREATE INDEX merchant_refunds_of_business ON withdrawals (business, id) WHERE payment IS NOT NULL;
CREATE INDEX merchant_refunds_of_payment ON withdrawals (payment, id) WHERE payment IS NOT NULL;
CREATE INDEX withdrawals_of_business ON withdrawals (business, id);
CREATE INDEX withdrawals_by_currency ON withdrawals (business, currency, id) WHERE payment IS NULL;
CREATE INDEX withdrawals_by_network ON withdrawals (business, network, id) WHERE payment IS NULL;
CREATE INDEX withdrawals_by_status ON withdrawals (business, status, id) WHERE payment IS NULL;
CREATE INDEX withdrawals_unapproved ON withdrawals (business, id) WHERE approval = 'WAITING';

-- Limits of a business's withdrawals. A business without a row has none.
CREATE TABLE withdrawal_rules (
    business       TEXT NOT NULL PRIMARY KEY REFERENCES businesses (id),
    daily_limit    TEXT, -- EUR in 24 hours
    approval_above TEXT, -- EUR
    whitelist_only INTEGER NOT NULL DEFAULT 0
);

-- Addresses that withdrawals may go to.
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

-- Callbacks to merchants. A row is written in the transaction of the change that it reports.
CREATE TABLE callbacks (
    id         TEXT NOT NULL PRIMARY KEY,
    business   TEXT NOT NULL REFERENCES businesses (id),
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL, -- the deposit or the withdrawal; of an event the payment or the withdrawal
    sequence   BIGINT NOT NULL, -- of an event: its number among those of the subject; otherwise 0
    body       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    state      TEXT NOT NULL,
    attempts   BIGINT NOT NULL,
    failures   BIGINT NOT NULL,
    due_at     BIGINT, -- during an attempt: when it is given up for lost
    set_at     BIGINT NOT NULL DEFAULT 0, -- when due_at was set, so that a clock that goes back moves it
    UNIQUE (kind, subject, sequence)
);

CREATE INDEX callbacks_due ON callbacks (business, due_at) WHERE state = 'PENDING' AND sequence = 0;
CREATE INDEX events_due ON callbacks (business, due_at) WHERE state = 'PENDING' AND sequence > 0;
CREATE INDEX callbacks_of_business ON callbacks (business, id);
CREATE INDEX callbacks_by_state ON callbacks (business, state, id);
CREATE INDEX callbacks_by_subject ON callbacks (subject);

-- An attempt without an end is in progress, or the process died in it.
CREATE TABLE callback_attempts (
    callback   TEXT NOT NULL REFERENCES callbacks (id),
    number     BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    url        TEXT,
    millis     BIGINT,
    status     BIGINT,
    reason     TEXT, -- why there was no answer
    PRIMARY KEY (callback, number)
);

-- Signing secrets that were replaced, for as long as they sign beside the new one.
CREATE TABLE retired_secrets (
    business TEXT NOT NULL REFERENCES businesses (id),
    secret   TEXT NOT NULL,
    ends_at  BIGINT NOT NULL,
    PRIMARY KEY (business, secret)
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
    status            TEXT NOT NULL,
    currency          TEXT,
    network           TEXT,
    UNIQUE (business, client_payment_id)
);

CREATE INDEX archived_payments_of_business ON archived_payments (business, id);
CREATE INDEX archived_payments_by_status ON archived_payments (business, status, id);
CREATE INDEX archived_payments_by_currency ON archived_payments (business, currency, id);
CREATE INDEX archived_payments_by_network ON archived_payments (business, network, id);

-- What their deposits are found by.
CREATE TABLE archived_deposits (
    id             TEXT NOT NULL PRIMARY KEY,
    payment        TEXT NOT NULL REFERENCES archived_payments (id),
    business       TEXT NOT NULL REFERENCES businesses (id),
    network        TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    currency       TEXT NOT NULL,
    state          TEXT NOT NULL
);

CREATE INDEX archived_deposits_of_payment ON archived_deposits (payment);
CREATE INDEX archived_deposits_of_business ON archived_deposits (business, id);
CREATE INDEX archived_deposits_by_currency ON archived_deposits (business, currency, id);
CREATE INDEX archived_deposits_by_network ON archived_deposits (business, network, id);
CREATE INDEX archived_deposits_by_transaction ON archived_deposits (transaction_id);

-- Their automatic refunds, for the list of refunds.
CREATE TABLE archived_refunds (
    id       TEXT NOT NULL PRIMARY KEY, -- the deposit
    payment  TEXT NOT NULL REFERENCES archived_payments (id),
    business TEXT NOT NULL REFERENCES businesses (id),
    currency TEXT NOT NULL,
    network  TEXT NOT NULL,
    status   TEXT NOT NULL -- CONFIRMED or NON_REFUNDABLE
);

CREATE INDEX archived_refunds_of_business ON archived_refunds (business, id);
CREATE INDEX archived_refunds_of_payment ON archived_refunds (payment);
CREATE INDEX archived_refunds_by_currency ON archived_refunds (business, currency, id);
CREATE INDEX archived_refunds_by_network ON archived_refunds (business, network, id);
CREATE INDEX archived_refunds_by_status ON archived_refunds (business, status, id);

-- Their addresses stay watched.
CREATE TABLE archived_addresses (
    network    TEXT NOT NULL,
    address    TEXT NOT NULL,
    tag        TEXT NOT NULL,
    payment    TEXT NOT NULL REFERENCES archived_payments (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (address, tag, network)
);

-- People who use the desk.
CREATE TABLE operators (
    id         TEXT NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE, -- in lower case
    role       TEXT NOT NULL, -- viewer, support or manager
    business   TEXT REFERENCES businesses (id), -- NULL: all
    disabled   INTEGER NOT NULL,
    created_at BIGINT NOT NULL,
    password   TEXT, -- argon2id; NULL: signs in by a proxy
    totp       TEXT, -- key of the one-time codes, in base32
    used_step  BIGINT -- of the last code; earlier ones are refused
);

-- Sessions at the desk, by the SHA-256 of their token.
CREATE TABLE desk_sessions (
    token_hash TEXT NOT NULL PRIMARY KEY,
    operator   TEXT NOT NULL REFERENCES operators (id),
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);

CREATE INDEX desk_sessions_of_operator ON desk_sessions (operator);

-- What was done at the desk. Triggers refuse changes.
CREATE TABLE audit_log (
    id       TEXT NOT NULL PRIMARY KEY,
    at       BIGINT NOT NULL,
    operator TEXT NOT NULL, -- the name that was given
    client   TEXT NOT NULL,
    action   TEXT NOT NULL,
    target   TEXT NOT NULL,
    detail   TEXT NOT NULL,
    outcome  TEXT NOT NULL
);
