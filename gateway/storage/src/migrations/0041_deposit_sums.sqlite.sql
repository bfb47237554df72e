-- What the deposits of a payment add up to, as JSON: the next deposit is added without reading the others. A payment without a
-- row is read whole, and gets one if it can have one. A change of a deposit removes the row, and the code that knows the new sums
-- stores them in the same transaction, so that no other change can leave wrong ones.
CREATE TABLE deposit_sums (
    payment TEXT NOT NULL PRIMARY KEY REFERENCES payments (id),
    quotes  BIGINT NOT NULL, -- how many the payment had; another one changes what deposits cover
    sums    TEXT NOT NULL
);

CREATE TRIGGER sums_of_inserted_deposit AFTER INSERT ON deposits BEGIN
    DELETE FROM deposit_sums WHERE payment = NEW.payment;
END;

CREATE TRIGGER sums_of_updated_deposit AFTER UPDATE OF payment, state, confirmed_seq, screening, hold, amount ON deposits BEGIN
    DELETE FROM deposit_sums WHERE payment IN (OLD.payment, NEW.payment);
END;

CREATE TRIGGER sums_of_deleted_deposit AFTER DELETE ON deposits BEGIN
    DELETE FROM deposit_sums WHERE payment = OLD.payment;
END;

-- Pages of deposits are read in this order.
CREATE INDEX deposits_in_order ON deposits (payment, seen_seq, id);
DROP INDEX deposits_of_payment;

-- What the limit of instant deposits counts.
CREATE INDEX deposits_instant ON deposits (payment) WHERE state = 'UNCONFIRMED' AND instant = 1;
