-- What was seen and approved: nothing else is sent. NULL: no approval.
ALTER TABLE withdrawals ADD COLUMN approved_address TEXT;
ALTER TABLE withdrawals ADD COLUMN approved_tag TEXT;
ALTER TABLE withdrawals ADD COLUMN approved_amount TEXT;

-- Of an automatic refund, before its fee; its address is claimed_address, or the sender. NULL: no amount was named.
ALTER TABLE deposits ADD COLUMN claimed_gross TEXT;

-- What was approved before is what stands there.
UPDATE withdrawals SET
    approved_address = (SELECT to_address FROM payouts WHERE payouts.id = withdrawals.id),
    approved_tag = (SELECT tag FROM payouts WHERE payouts.id = withdrawals.id),
    approved_amount = (SELECT amount FROM payouts WHERE payouts.id = withdrawals.id)
WHERE approval = 'APPROVED';
