-- `payments.version` rises with every change of what a payment shows: its own row, its deposits, its refunds, and the
-- payouts of these. A poll compares it instead of reading the payment.

CREATE FUNCTION payment_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END $$;

CREATE TRIGGER payment_updated BEFORE UPDATE ON payments FOR EACH ROW
    EXECUTE FUNCTION payment_updated();

CREATE FUNCTION deposit_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE payments SET version = version + 1 WHERE id IN (OLD.payment, NEW.payment);
    RETURN NULL;
END $$;

CREATE TRIGGER deposit_changed AFTER INSERT OR UPDATE OR DELETE ON deposits FOR EACH ROW
    EXECUTE FUNCTION deposit_changed();

CREATE FUNCTION refund_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE payments SET version = version + 1 WHERE id IN (OLD.payment, NEW.payment);
    RETURN NULL;
END $$;

CREATE TRIGGER refund_changed AFTER INSERT OR UPDATE OR DELETE ON refunds FOR EACH ROW
    EXECUTE FUNCTION refund_changed();

CREATE FUNCTION payout_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE payments SET version = version + 1 WHERE id = (SELECT payment FROM refunds WHERE payout = NEW.id);
    RETURN NULL;
END $$;

CREATE TRIGGER payout_updated AFTER UPDATE ON payouts FOR EACH ROW WHEN (NEW.kind = 'REFUND')
    EXECUTE FUNCTION payout_updated();

CREATE FUNCTION merchant_refund_payout_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE payments SET version = version + 1 WHERE id = (SELECT payment FROM withdrawals WHERE id = NEW.id);
    RETURN NULL;
END $$;

CREATE TRIGGER merchant_refund_payout_updated AFTER UPDATE ON payouts FOR EACH ROW WHEN (NEW.kind = 'MERCHANT_REFUND')
    EXECUTE FUNCTION merchant_refund_payout_updated();

CREATE FUNCTION merchant_refund_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM deposit_sums WHERE payment = NEW.payment;
    UPDATE payments SET version = version + 1 WHERE id = NEW.payment;
    RETURN NULL;
END $$;

CREATE TRIGGER merchant_refund_changed AFTER INSERT OR UPDATE ON withdrawals FOR EACH ROW WHEN (NEW.payment IS NOT NULL)
    EXECUTE FUNCTION merchant_refund_changed();

-- The states by which refunds are listed follow their payouts.

CREATE FUNCTION refund_status_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE refunds SET status = now.status FROM refund_states AS now
    WHERE refunds.deposit = NEW.deposit AND now.deposit = NEW.deposit AND refunds.status <> now.status;
    RETURN NULL;
END $$;

CREATE TRIGGER refund_status_changed AFTER INSERT OR UPDATE OF payout, waits_for ON refunds FOR EACH ROW
    EXECUTE FUNCTION refund_status_changed();

CREATE FUNCTION refund_status_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE refunds SET status = now.status FROM refund_states AS now
    WHERE refunds.payout = NEW.id AND now.deposit = refunds.deposit AND refunds.status <> now.status;
    RETURN NULL;
END $$;

CREATE TRIGGER refund_status_of_payout AFTER UPDATE OF state ON payouts FOR EACH ROW WHEN (NEW.kind = 'REFUND')
    EXECUTE FUNCTION refund_status_of_payout();

CREATE FUNCTION merchant_refund_status_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE withdrawals SET refund_status = now.status, refund_waits = now.waits FROM merchant_refund_states AS now
    WHERE withdrawals.id = NEW.id AND now.id = NEW.id;
    RETURN NULL;
END $$;

CREATE TRIGGER merchant_refund_status_inserted AFTER INSERT ON withdrawals FOR EACH ROW WHEN (NEW.payment IS NOT NULL)
    EXECUTE FUNCTION merchant_refund_status_changed();
CREATE TRIGGER merchant_refund_status_updated AFTER UPDATE OF status, approval ON withdrawals FOR EACH ROW WHEN (NEW.payment IS NOT NULL)
    EXECUTE FUNCTION merchant_refund_status_changed();
CREATE TRIGGER merchant_refund_status_of_payout AFTER UPDATE OF state ON payouts FOR EACH ROW WHEN (NEW.kind = 'MERCHANT_REFUND')
    EXECUTE FUNCTION merchant_refund_status_changed();

-- A change of a deposit removes the sums of its payment.

CREATE FUNCTION deposit_sums_outdated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM deposit_sums WHERE payment IN (OLD.payment, NEW.payment);
    RETURN NULL;
END $$;

CREATE TRIGGER sums_of_changed_deposit
    AFTER INSERT OR DELETE OR UPDATE OF payment, state, confirmed_seq, screening, hold, amount ON deposits FOR EACH ROW
    EXECUTE FUNCTION deposit_sums_outdated();

-- The audit log is append-only.

CREATE FUNCTION audit_log_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;

CREATE TRIGGER audit_log_changed BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW
    EXECUTE FUNCTION audit_log_changed();

CREATE TRIGGER audit_log_emptied BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT
    EXECUTE FUNCTION audit_log_changed();
