-- From this UNIX second on a token is refused. NULL for one that nobody ended.
ALTER TABLE credentials ADD COLUMN ends_at BIGINT;
ALTER TABLE sessions ADD COLUMN ends_at BIGINT;

CREATE INDEX credentials_of_business ON credentials (business);
CREATE INDEX sessions_of_payment ON sessions (payment);
