-- When the deposit was booked after it was not: since then its chain can have forgotten it. 0: before this migration.
ALTER TABLE settlements ADD COLUMN booked_at BIGINT NOT NULL DEFAULT 0;
