-- Every quote that was shown for a payment, in its order from 0. payments.quote_* repeats the last one.
CREATE TABLE quotes (
    payment          TEXT NOT NULL REFERENCES payments (id),
    place            BIGINT NOT NULL,
    currency         TEXT NOT NULL,
    network          TEXT NOT NULL,
    address          TEXT NOT NULL,
    tag              TEXT,
    display_currency TEXT NOT NULL,
    expected         TEXT NOT NULL,
    rate             TEXT NOT NULL,
    uniform_rate     TEXT NOT NULL,
    display          TEXT NOT NULL,
    uniform          TEXT NOT NULL,
    requested_at     BIGINT NOT NULL,
    PRIMARY KEY (payment, place)
);

INSERT INTO quotes (payment, place, currency, network, address, tag, expected, rate, uniform_rate, display,
    uniform, requested_at, display_currency)
SELECT id, 0, quote_currency, quote_network, quote_address, quote_tag, quote_expected, quote_rate,
    quote_uniform_rate, quote_display, quote_uniform, quote_requested_at, display_currency
FROM payments WHERE quote_currency IS NOT NULL;

-- The place of the quote that judges a deposit.
ALTER TABLE deposits ADD COLUMN quote BIGINT;

UPDATE deposits SET quote = 0 WHERE EXISTS (
    SELECT 1 FROM payments
    WHERE payments.id = deposits.payment AND quote_currency = deposits.currency AND quote_rate = deposits.rate
);

-- The share of the expected amount that may be missing; by the rate type of the payment without it.
ALTER TABLE businesses ADD COLUMN underpayment_tolerance TEXT;
ALTER TABLE payments ADD COLUMN underpayment_tolerance TEXT;
