-- `payments.version` rises with every change of what a payment shows: its own row, its deposits, its refunds, and the
-- payouts of these. A poll compares it instead of reading the payment.

CREATE TRIGGER payment_updated AFTER UPDATE ON payments WHEN NEW.version = OLD.version BEGIN
    UPDATE payments SET version = OLD.version + 1 WHERE id = NEW.id;
END;

CREATE TRIGGER deposit_inserted AFTER INSERT ON deposits BEGIN
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
END;

CREATE TRIGGER deposit_updated AFTER UPDATE ON deposits BEGIN
    UPDATE payments SET version = version + 1 WHERE id IN (OLD.payment, NEW.payment);
END;

CREATE TRIGGER deposit_deleted AFTER DELETE ON deposits BEGIN
    UPDATE payments SET version = version + 1 WHERE id = OLD.payment;
END;

CREATE TRIGGER refund_inserted AFTER INSERT ON refunds BEGIN
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
END;

CREATE TRIGGER refund_updated AFTER UPDATE ON refunds BEGIN
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
END;

CREATE TRIGGER refund_deleted AFTER DELETE ON refunds BEGIN
    UPDATE payments SET version = version + 1 WHERE id = OLD.payment;
END;

CREATE TRIGGER payout_updated AFTER UPDATE ON payouts WHEN NEW.kind = 'REFUND' BEGIN
    UPDATE payments SET version = version + 1 WHERE id = (SELECT payment FROM refunds WHERE payout = NEW.id);
END;

CREATE TRIGGER merchant_refund_payout_updated AFTER UPDATE ON payouts WHEN NEW.kind = 'MERCHANT_REFUND' BEGIN
    UPDATE payments SET version = version + 1 WHERE id = (SELECT payment FROM withdrawals WHERE id = NEW.id);
END;

CREATE TRIGGER merchant_refund_inserted AFTER INSERT ON withdrawals WHEN NEW.payment IS NOT NULL BEGIN
    DELETE FROM deposit_sums WHERE payment = NEW.payment;
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
END;

CREATE TRIGGER merchant_refund_updated AFTER UPDATE ON withdrawals WHEN NEW.payment IS NOT NULL BEGIN
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
END;

-- The states by which refunds are listed follow their payouts.

CREATE TRIGGER refund_status_inserted AFTER INSERT ON refunds BEGIN
    UPDATE refunds SET status = (SELECT status FROM refund_states WHERE deposit = NEW.deposit) WHERE deposit = NEW.deposit;
END;

CREATE TRIGGER refund_status_updated AFTER UPDATE OF payout, waits_for ON refunds BEGIN
    UPDATE refunds SET status = (SELECT status FROM refund_states WHERE deposit = NEW.deposit) WHERE deposit = NEW.deposit;
END;

CREATE TRIGGER refund_status_of_payout AFTER UPDATE OF state ON payouts WHEN NEW.kind = 'REFUND' BEGIN
    UPDATE refunds SET status = (SELECT status FROM refund_states AS now WHERE now.deposit = refunds.deposit)
    WHERE payout = NEW.id AND status <> (SELECT status FROM refund_states AS now WHERE now.deposit = refunds.deposit);
END;

CREATE TRIGGER merchant_refund_status_inserted AFTER INSERT ON withdrawals WHEN NEW.payment IS NOT NULL BEGIN
    UPDATE withdrawals SET (refund_status, refund_waits) = (SELECT status, waits FROM merchant_refund_states WHERE id = NEW.id)
    WHERE id = NEW.id;
END;

CREATE TRIGGER merchant_refund_status_updated AFTER UPDATE OF status, approval ON withdrawals WHEN NEW.payment IS NOT NULL BEGIN
    UPDATE withdrawals SET (refund_status, refund_waits) = (SELECT status, waits FROM merchant_refund_states WHERE id = NEW.id)
    WHERE id = NEW.id;
END;

CREATE TRIGGER merchant_refund_status_of_payout AFTER UPDATE OF state ON payouts WHEN NEW.kind = 'MERCHANT_REFUND' BEGIN
    UPDATE withdrawals SET (refund_status, refund_waits) = (SELECT status, waits FROM merchant_refund_states WHERE id = NEW.id)
    WHERE id = NEW.id;
END;

-- A change of a deposit removes the sums of its payment.

CREATE TRIGGER sums_of_inserted_deposit AFTER INSERT ON deposits BEGIN
    DELETE FROM deposit_sums WHERE payment = NEW.payment;
END;

CREATE TRIGGER sums_of_updated_deposit AFTER UPDATE OF payment, state, confirmed_seq, screening, hold, amount ON deposits BEGIN
    DELETE FROM deposit_sums WHERE payment IN (OLD.payment, NEW.payment);
END;

CREATE TRIGGER sums_of_deleted_deposit AFTER DELETE ON deposits BEGIN
    DELETE FROM deposit_sums WHERE payment = OLD.payment;
END;

-- The audit log is append-only.

CREATE TRIGGER audit_log_updated BEFORE UPDATE ON audit_log BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_log_deleted BEFORE DELETE ON audit_log BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_log_replaced BEFORE INSERT ON audit_log WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id) BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
