
-- The states by which refunds are listed are written with what they follow.
DROP TRIGGER refund_status_changed ON refunds;
DROP TRIGGER refund_status_of_payout ON payouts;
DROP TRIGGER merchant_refund_status_inserted ON withdrawals;
DROP TRIGGER merchant_refund_status_updated ON withdrawals;
DROP TRIGGER merchant_refund_status_of_payout ON payouts;
DROP FUNCTION refund_status_changed();
DROP FUNCTION refund_status_of_payout();
DROP FUNCTION merchant_refund_status_changed();
DROP VIEW refund_states;
DROP VIEW merchant_refund_states;
