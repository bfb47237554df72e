-- The tag that a refund goes back with.
ALTER TABLE deposits ADD COLUMN from_tag TEXT;
