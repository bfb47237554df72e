-- The account that a payout's transaction comes from and the number of the transaction, on chains that number them.
ALTER TABLE payouts ADD COLUMN account TEXT;
ALTER TABLE payouts ADD COLUMN sequence BIGINT;

CREATE UNIQUE INDEX payouts_sequence ON payouts (network, account, sequence) WHERE sequence IS NOT NULL;
