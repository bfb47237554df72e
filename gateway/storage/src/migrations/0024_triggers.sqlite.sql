
CREATE TRIGGER refund_inserted AFTER INSERT ON refunds BEGIN
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
END;

CREATE TRIGGER refund_updated AFTER UPDATE ON refunds BEGIN
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
END;

CREATE TRIGGER refund_deleted AFTER DELETE ON refunds BEGIN
    UPDATE payments SET version = version + 1 WHERE id = OLD.payment;
END;

DROP TRIGGER merchant_refund_payout_updated;
DROP TRIGGER payout_updated;
CREATE TRIGGER payout_updated AFTER UPDATE ON payouts WHEN NEW.kind <> 'WITHDRAWAL' BEGIN
    UPDATE payments SET version = version + 1 WHERE id = (SELECT payment FROM refunds WHERE payout = NEW.id);
END;
