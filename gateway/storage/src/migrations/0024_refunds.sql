-- A payment owns its refunds: what was decided about an automatic one, or asked for by the payer, stood in its deposit while nothing was
-- planned, or always.
CREATE TABLE carried AS SELECT deposits.id, deposits.payment, deposits.business,
    CASE reason WHEN 'FOLLOW_UP_DEPOSIT' THEN 'FOLLOW_UP' ELSE 'EXCESS' END AS source, COALESCE(kind, 'FULL') AS kind,
    deposits.currency, deposits.network, COALESCE(gross, '0') AS gross, COALESCE(refunds.fee, '0') AS fee, payout, status,
    waits_for, waits_reason, COALESCE(asked_address, kept_address) AS asked_address, COALESCE(asked_tag, kept_tag) AS asked_tag,
    COALESCE(asked_at, kept_at) AS asked_at, COALESCE(asked_refusal, kept_refusal) AS asked_refusal,
    claimed_address, claimed_tag, claimed_at, claimed_gross
FROM deposits LEFT JOIN refunds ON refunds.deposit = deposits.id
WHERE refunds.deposit IS NOT NULL OR claimed_at IS NOT NULL OR kept_at IS NOT NULL;

DROP TABLE refunds;

CREATE TABLE refunds (
    id              TEXT NOT NULL PRIMARY KEY REFERENCES deposits (id),
    payment         TEXT NOT NULL REFERENCES payments (id),
    business        TEXT NOT NULL REFERENCES businesses (id),
    source          TEXT NOT NULL, -- EXCESS or FOLLOW_UP
    kind            TEXT NOT NULL,
    currency        TEXT NOT NULL,
    network         TEXT NOT NULL,
    gross           TEXT NOT NULL, -- atoms, the fee included
    fee             TEXT NOT NULL,
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
    decided_gross   TEXT -- that was approved; NULL: an address alone was named
);

INSERT INTO refunds SELECT * FROM carried;
DROP TABLE carried;

CREATE INDEX refunds_by_status ON refunds (business, status, id);
CREATE INDEX refunds_by_wait ON refunds (business, waits_for, id) WHERE waits_for IS NOT NULL;
CREATE INDEX refunds_by_payout ON refunds (payout);
CREATE INDEX refunds_by_currency ON refunds (business, currency, id);
CREATE INDEX refunds_by_network ON refunds (business, network, id);
CREATE INDEX refunds_of_business ON refunds (business, id);
CREATE INDEX refunds_of_payment ON refunds (payment, id);
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
