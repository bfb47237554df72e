-- Where businesses sell at a counter.
CREATE TABLE counters (
    id           TEXT NOT NULL PRIMARY KEY,
    business     TEXT NOT NULL REFERENCES businesses (id),
    title        TEXT NOT NULL,
    currency     TEXT NOT NULL,
    max_amount   TEXT NOT NULL, -- of one sale
    secret_hash  TEXT NOT NULL UNIQUE,
    created_at   BIGINT NOT NULL,
    withdrawn_at BIGINT
);

CREATE INDEX counters_of_business ON counters (business, id);

-- The payments that were made at counters. Rows are only added.
CREATE TABLE counter_sales (
    payment TEXT NOT NULL PRIMARY KEY REFERENCES payments (id),
    counter TEXT NOT NULL REFERENCES counters (id)
);

CREATE INDEX counter_sales_of_counter ON counter_sales (counter);
