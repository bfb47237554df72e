-- What paid a payment, and by which version of the rules. NULL: the merchant accepted it.
ALTER TABLE payments ADD COLUMN accepted_by BIGINT;
