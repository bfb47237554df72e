-- The height at which the chain of a booked deposit is asked whether it is final. Deposits of before count as final.
ALTER TABLE settlements ADD COLUMN asked_at_height BIGINT; -- NULL: it is final, or not booked

CREATE INDEX settlements_pending ON settlements (asked_at_height) WHERE asked_at_height IS NOT NULL;
