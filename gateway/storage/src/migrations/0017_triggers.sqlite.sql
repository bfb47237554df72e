
-- The states by which refunds are listed are written with what they follow.
DROP TRIGGER refund_status_inserted;
DROP TRIGGER refund_status_updated;
DROP TRIGGER refund_status_of_payout;
DROP TRIGGER merchant_refund_status_inserted;
DROP TRIGGER merchant_refund_status_updated;
DROP TRIGGER merchant_refund_status_of_payout;
DROP VIEW refund_states;
DROP VIEW merchant_refund_states;
