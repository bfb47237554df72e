-- What the sender of a transfer is, if a refund to it would not reach the payer.
ALTER TABLE sim_transfers ADD COLUMN sender TEXT;
-- The transaction is in its block and moved nothing.
ALTER TABLE sim_transfers ADD COLUMN reverted INTEGER NOT NULL DEFAULT 0;

-- What a network asks for a transaction, in its coin. Without a row: the fixed fee of the pair.
CREATE TABLE sim_fees (
    network TEXT NOT NULL PRIMARY KEY,
    fee     TEXT NOT NULL
);
