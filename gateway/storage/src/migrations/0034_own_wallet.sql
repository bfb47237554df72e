-- The payer said that the sender is their own wallet. Versions before this one took every request for the sender's address for that.
-- Of a refund that is not planned now it is not known: it waits for an approval.
ALTER TABLE refunds ADD COLUMN asked_own_wallet INTEGER NOT NULL DEFAULT 0;

UPDATE refunds SET asked_own_wallet = 1 FROM deposits
WHERE deposits.id = refunds.id AND asked_at IS NOT NULL AND asked_refusal IS NULL AND waits_for IS NULL AND refunds.status IS NOT NULL
    AND asked_address = deposits.from_address AND COALESCE(asked_tag, '') = COALESCE(deposits.from_tag, '');
