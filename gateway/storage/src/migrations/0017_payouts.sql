-- What is known of a payout of a restored database stands in its own row. NULL: nothing keeps it from being signed; UNASKED: the chain
-- was not asked yet; HELD: an operator has to decide; CLEARED: the chain does not show it; RELEASED and SENT_BY: an operator decided.
ALTER TABLE payouts ADD COLUMN hold TEXT;
ALTER TABLE payouts ADD COLUMN hold_reason TEXT;
ALTER TABLE payouts ADD COLUMN hold_transaction TEXT; -- what sent it, as the operator says

-- How often it was changed.
ALTER TABLE payouts ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;

UPDATE payouts SET (hold, hold_reason, hold_transaction) = (
    SELECT CASE WHEN decision = 'SENT' THEN 'SENT_BY'
            WHEN decision = 'RELEASE' AND reason IS NULL THEN 'CLEARED'
            WHEN decision = 'RELEASE' THEN 'RELEASED'
            WHEN reason IS NULL THEN 'UNASKED'
            ELSE 'HELD' END,
        reason, transaction_id
    FROM payout_holds WHERE payout = payouts.id
) WHERE id IN (SELECT payout FROM payout_holds);

DROP TABLE payout_holds;

CREATE INDEX payouts_held ON payouts (id) WHERE hold IS NOT NULL;
