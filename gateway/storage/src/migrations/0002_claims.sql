-- What payers ask back on the page.

-- Of an automatic refund: the address that the payer named.
ALTER TABLE refunds ADD COLUMN asked_address TEXT;
ALTER TABLE refunds ADD COLUMN asked_tag TEXT;
ALTER TABLE refunds ADD COLUMN asked_at BIGINT;
ALTER TABLE refunds ADD COLUMN asked_refusal TEXT; -- why the merchant refused it

-- Of a refund of the merchant: the payer named its address. `claim_of` is the deposit if the refund was made because the payer asked.
ALTER TABLE withdrawals ADD COLUMN claimed_at BIGINT;
ALTER TABLE withdrawals ADD COLUMN claim_of TEXT;
ALTER TABLE withdrawals ADD COLUMN claim_refusal TEXT;

-- A deposit is asked back once.
CREATE UNIQUE INDEX withdrawals_by_claim ON withdrawals (claim_of) WHERE claim_of IS NOT NULL;

-- EUR of one payment that need no approval; NULL: all needs one
ALTER TABLE withdrawal_rules ADD COLUMN claim_limit TEXT;

-- The token is accepted at least until then: there is money to ask for.
ALTER TABLE sessions ADD COLUMN kept_until BIGINT;
