-- When a payout left, and what it was worth in EUR then: what leaves of a business in an hour has a limit. A payout that is signed and
-- not sent can leave at any time: until then it was the time when it was signed.
ALTER TABLE payouts ADD COLUMN left_at BIGINT;
ALTER TABLE payouts ADD COLUMN worth TEXT; -- NULL: there was no rate

CREATE INDEX payouts_left ON payouts (business, left_at) WHERE left_at IS NOT NULL;
