
CREATE FUNCTION waits_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.waits := OLD.waits + 1;
    RETURN NEW;
END $$;

CREATE TRIGGER refund_waits BEFORE UPDATE OF waits_for, waits_reason ON refunds FOR EACH ROW
    WHEN (NEW.waits_for IS DISTINCT FROM OLD.waits_for OR NEW.waits_reason IS DISTINCT FROM OLD.waits_reason)
    EXECUTE FUNCTION waits_again();

CREATE TRIGGER withdrawal_waits BEFORE UPDATE OF approval ON withdrawals FOR EACH ROW
    WHEN (NEW.approval IS DISTINCT FROM OLD.approval) EXECUTE FUNCTION waits_again();
