-- Why a payout that waits did not leave when that was tried last. NULL: it was not tried, it left, or its approval says it.
ALTER TABLE payouts ADD COLUMN why TEXT;
