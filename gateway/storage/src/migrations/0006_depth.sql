-- The height at which the chain of a booked deposit is asked whether it is final.
ALTER TABLE settlements ADD COLUMN asked_at_height BIGINT; -- NULL: it is final, or not booked

CREATE INDEX settlements_pending ON settlements (asked_at_height) WHERE asked_at_height IS NOT NULL;

-- Chains are asked for the deposits of the last 30 days once. Older ones count as final.
UPDATE settlements SET asked_at_height = 0
WHERE kept IS NOT NULL AND deposit IN (
    SELECT id FROM deposits WHERE state = 'CONFIRMED' AND seen_at > (SELECT MAX(seen_at) - 2592000 FROM deposits)
);
