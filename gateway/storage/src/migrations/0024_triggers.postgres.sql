
CREATE TRIGGER refund_changed AFTER INSERT OR UPDATE OR DELETE ON refunds FOR EACH ROW
    EXECUTE FUNCTION refund_changed();

DROP TRIGGER merchant_refund_payout_updated ON payouts;
DROP FUNCTION merchant_refund_payout_updated();
DROP TRIGGER payout_updated ON payouts;
CREATE TRIGGER payout_updated AFTER UPDATE ON payouts FOR EACH ROW WHEN (NEW.kind <> 'WITHDRAWAL')
    EXECUTE FUNCTION payout_updated();
