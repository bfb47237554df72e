-- Chains that ask for each address ask for the newest first.
CREATE INDEX quotes_by_age ON quotes (network, requested_at);
