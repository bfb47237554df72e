-- The owners of a transaction's other inputs, as a JSON array; NULL if there are none.
ALTER TABLE deposits ADD COLUMN other_senders TEXT;
