-- What paid a payment, and by which version of the rules. NULL: the merchant accepted it.
ALTER TABLE payments ADD COLUMN accepted_by BIGINT;

-- What one deposit paid stays paid by it.
UPDATE payments SET accepted_by = 0, accepted_at = settled_at,
    accepted_seq = (SELECT MIN(confirmed_seq) FROM deposits WHERE payment = payments.id),
    accepted_deposits = (SELECT MIN(id) FROM deposits WHERE payment = payments.id AND confirmed_seq IS NOT NULL)
WHERE kind = 'ONE_TIME' AND status IN ('DEPOSITED', 'OVERPAID') AND settled_at IS NOT NULL AND accepted_at IS NULL
    AND (SELECT COUNT(*) FROM deposits WHERE payment = payments.id AND confirmed_seq IS NOT NULL) = 1;
