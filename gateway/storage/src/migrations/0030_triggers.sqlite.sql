
CREATE TRIGGER refund_waits AFTER UPDATE OF waits_for, waits_reason ON refunds
    WHEN NEW.waits_for IS NOT OLD.waits_for OR NEW.waits_reason IS NOT OLD.waits_reason BEGIN
    UPDATE refunds SET waits = waits + 1 WHERE id = NEW.id;
END;

CREATE TRIGGER withdrawal_waits AFTER UPDATE OF approval ON withdrawals WHEN NEW.approval IS NOT OLD.approval BEGIN
    UPDATE withdrawals SET waits = waits + 1 WHERE id = NEW.id;
END;
