-- Who made the token: an operator at the desk, or a key. NULL: the command line, or a version before this one.
ALTER TABLE credentials ADD COLUMN made_by TEXT;
