-- Transfers that are too small to be deposits: a row for each payment, network and currency.
CREATE TABLE dust (
    payment      TEXT NOT NULL REFERENCES payments (id),
    network      TEXT NOT NULL,
    currency     TEXT NOT NULL,
    transfers    BIGINT NOT NULL,
    amount       TEXT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (payment, network, currency)
);
