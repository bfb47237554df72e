
CREATE TRIGGER refund_inserted AFTER INSERT ON refunds BEGIN
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
END;

CREATE TRIGGER refund_updated AFTER UPDATE ON refunds BEGIN
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
END;

CREATE TRIGGER refund_deleted AFTER DELETE ON refunds BEGIN
    UPDATE payments SET version = version + 1 WHERE id = OLD.payment;
END;
