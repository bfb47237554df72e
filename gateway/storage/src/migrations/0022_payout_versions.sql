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

-- Since when the newest transaction waits for a block; NULL: since the payout was created.
ALTER TABLE payouts ADD COLUMN pending_since BIGINT;
-- Since when its fee is at the configured maximum.
ALTER TABLE payouts ADD COLUMN capped_at BIGINT;
