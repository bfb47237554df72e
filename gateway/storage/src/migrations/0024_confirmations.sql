-- Of a deposit that is not confirmed yet; written with each block while its network needs more than one.
ALTER TABLE deposits ADD COLUMN confirmations BIGINT NOT NULL DEFAULT 0;
