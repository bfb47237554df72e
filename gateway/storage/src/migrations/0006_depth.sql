-- When the chain of a booked deposit is asked whether it is final. Deposits of before count as final.
ALTER TABLE settlements ADD COLUMN depth_asked_at BIGINT; -- NULL: it is final, or not booked

CREATE INDEX settlements_pending ON settlements (depth_asked_at) WHERE depth_asked_at IS NOT NULL;
