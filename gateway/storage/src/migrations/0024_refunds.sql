-- A payment owns its refunds. What was decided about an automatic one, or asked for by the payer, stood in its deposit while nothing was
-- planned, or always; what became of the others stood in what they charge.
CREATE TABLE carried AS SELECT deposits.id, deposits.payment, deposits.business,
    CASE reason WHEN 'FOLLOW_UP_DEPOSIT' THEN 'FOLLOW_UP' ELSE 'EXCESS' END AS source, COALESCE(kind, 'FULL') AS kind,
    deposits.currency, deposits.network, COALESCE(gross, '0') AS gross, COALESCE(refunds.fee, '0') AS fee, payout, status,
    waits_for, waits_reason,
    CASE WHEN asked_at IS NULL THEN kept_address ELSE asked_address END AS asked_address,
    CASE WHEN asked_at IS NULL THEN kept_tag ELSE asked_tag END AS asked_tag,
    COALESCE(asked_at, kept_at) AS asked_at,
    CASE WHEN asked_at IS NULL THEN kept_refusal ELSE asked_refusal END AS asked_refusal,
    claimed_address, claimed_tag, claimed_at, claimed_gross
FROM deposits LEFT JOIN refunds ON refunds.deposit = deposits.id
WHERE refunds.deposit IS NOT NULL OR claimed_at IS NOT NULL OR kept_at IS NOT NULL;

DROP TABLE refunds;

CREATE TABLE refunds (
    id              TEXT NOT NULL PRIMARY KEY, -- of its deposit if it is automatic; otherwise of its payout and of what is charged
    payment         TEXT NOT NULL REFERENCES payments (id),
    business        TEXT NOT NULL REFERENCES businesses (id),
    source          TEXT NOT NULL, -- EXCESS and FOLLOW_UP are automatic; MERCHANT and PAYER charge a balance
    kind            TEXT, -- of an automatic one: FULL or PARTIAL
    currency        TEXT NOT NULL,
    network         TEXT NOT NULL,
    gross           TEXT, -- of an automatic one, in atoms, the fee included
    fee             TEXT,
    payout          TEXT REFERENCES payouts (id), -- NULL: no transaction is made
    status          TEXT, -- as it is listed; NULL: nothing goes back now, and it is not listed
    waits_for       TEXT, -- ADDRESS or APPROVAL
    waits_reason    TEXT,
    asked_address   TEXT, -- by the payer
    asked_tag       TEXT,
    asked_at        BIGINT,
    asked_refusal   TEXT, -- why the merchant refused it
    decided_address TEXT, -- by an operator; NULL: to the sender
    decided_tag     TEXT,
    decided_at      BIGINT,
    decided_gross   TEXT, -- that was approved; NULL: an address alone was named
    deposit         TEXT REFERENCES deposits (id), -- whose money goes back; NULL: of the merchant's
    client_id       TEXT,
    of_unpaid       INTEGER NOT NULL DEFAULT 0, -- the payment was not paid
    after_seq       BIGINT -- the sequence number at which the last deposit before it was first seen; NULL: a version before it stored it
);

INSERT INTO refunds SELECT carried.*, id, NULL, 0, NULL FROM carried;
DROP TABLE carried;

INSERT INTO refunds SELECT withdrawals.id, payment, withdrawals.business, CASE WHEN claim_of IS NULL THEN 'MERCHANT' ELSE 'PAYER' END,
    NULL, withdrawals.currency, withdrawals.network, NULL, NULL, withdrawals.id, refund_status, refund_waits,
    CASE WHEN refund_waits = 'ADDRESS' THEN 'NOT_GIVEN' WHEN refund_waits IS NULL THEN NULL WHEN claimed_at IS NULL THEN 'LIMIT' ELSE 'CLAIM' END,
    CASE WHEN claimed_at IS NOT NULL THEN to_address END, CASE WHEN claimed_at IS NOT NULL THEN tag END, claimed_at, claim_refusal,
    NULL, NULL, NULL, NULL, claim_of, client_withdrawal_id, of_unpaid, after_seq
FROM withdrawals JOIN payouts ON payouts.id = withdrawals.id WHERE payment IS NOT NULL;

CREATE INDEX refunds_by_status ON refunds (business, status, id);
CREATE INDEX refunds_by_wait ON refunds (business, waits_for, id) WHERE waits_for IS NOT NULL;
CREATE INDEX refunds_by_payout ON refunds (payout);
CREATE INDEX refunds_by_currency ON refunds (business, currency, id);
CREATE INDEX refunds_by_network ON refunds (business, network, id);
CREATE INDEX refunds_of_business ON refunds (business, id);
CREATE INDEX refunds_of_payment ON refunds (payment, id);
CREATE UNIQUE INDEX refunds_by_client_id ON refunds (business, client_id);
CREATE UNIQUE INDEX refunds_by_claim ON refunds (deposit) WHERE source = 'PAYER'; -- a deposit is asked back once
CREATE INDEX refunds_waiting ON refunds (id) WHERE waits_for IS NOT NULL;
CREATE INDEX refunds_decided ON refunds (business, decided_at) WHERE decided_at IS NOT NULL;

DROP INDEX deposits_claimed;
ALTER TABLE deposits DROP COLUMN claimed_at;
ALTER TABLE deposits DROP COLUMN claimed_address;
ALTER TABLE deposits DROP COLUMN claimed_tag;
ALTER TABLE deposits DROP COLUMN claimed_gross;
ALTER TABLE deposits DROP COLUMN kept_address;
ALTER TABLE deposits DROP COLUMN kept_tag;
ALTER TABLE deposits DROP COLUMN kept_at;
ALTER TABLE deposits DROP COLUMN kept_refusal;

DROP INDEX merchant_refunds_by_status;
DROP INDEX merchant_refunds_by_wait;
DROP INDEX merchant_refunds_by_currency;
DROP INDEX merchant_refunds_by_network;
DROP INDEX merchant_refunds_of_business;
DROP INDEX merchant_refunds_of_payment;
DROP INDEX withdrawals_by_claim;
ALTER TABLE withdrawals DROP COLUMN of_unpaid;
ALTER TABLE withdrawals DROP COLUMN refund_status;
ALTER TABLE withdrawals DROP COLUMN refund_waits;
ALTER TABLE withdrawals DROP COLUMN claimed_at;
ALTER TABLE withdrawals DROP COLUMN claim_of;
ALTER TABLE withdrawals DROP COLUMN claim_refusal;
ALTER TABLE withdrawals DROP COLUMN after_seq;
