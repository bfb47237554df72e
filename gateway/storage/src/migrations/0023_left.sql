-- When the transaction of a payout was signed, and what it was worth in EUR then: what left of a business in an hour has a limit.
ALTER TABLE payouts ADD COLUMN signed_at BIGINT;
ALTER TABLE payouts ADD COLUMN worth TEXT;

CREATE INDEX payouts_signed ON payouts (business, signed_at) WHERE signed_at IS NOT NULL;
