-- The payer's request for a refund that is not planned now: a block that left its chain can be back in a minute.
ALTER TABLE deposits ADD COLUMN kept_address TEXT;
ALTER TABLE deposits ADD COLUMN kept_tag TEXT;
ALTER TABLE deposits ADD COLUMN kept_at BIGINT;
ALTER TABLE deposits ADD COLUMN kept_refusal TEXT;
