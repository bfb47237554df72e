-- What the network asks while that is more than the fee that was charged: the payout waits. NULL: it does not.
ALTER TABLE withdrawals ADD COLUMN asked_fee TEXT;

CREATE INDEX withdrawals_above_fee ON withdrawals (business, id) WHERE asked_fee IS NOT NULL;

-- EUR: the largest fee of a network that the business pays; NULL: none is too large
ALTER TABLE withdrawal_rules ADD COLUMN maximum_network_fee TEXT;
