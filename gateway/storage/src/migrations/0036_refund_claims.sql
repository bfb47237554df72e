-- Why no transaction is made for a refund: ADDRESS or APPROVAL, and the reason.
ALTER TABLE refunds ADD COLUMN waits_for TEXT;
ALTER TABLE refunds ADD COLUMN waits_reason TEXT;

CREATE INDEX refunds_waiting ON refunds (deposit) WHERE waits_for IS NOT NULL;

-- An operator's decision about the refund of a deposit: when, and to which address; NULL: to the sender.
ALTER TABLE deposits ADD COLUMN claimed_at BIGINT;
ALTER TABLE deposits ADD COLUMN claimed_address TEXT;
ALTER TABLE deposits ADD COLUMN claimed_tag TEXT;

-- A refund to an address that was given.
ALTER TABLE payouts ADD COLUMN claimed INTEGER NOT NULL DEFAULT 0;
