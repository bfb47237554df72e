-- A change writes a page for each index of a row. A payment without a choice is in none of these two.
DROP INDEX payments_by_currency;
CREATE INDEX payments_by_currency ON payments (business, currency, id) WHERE currency IS NOT NULL;
DROP INDEX payments_by_network;
CREATE INDEX payments_by_network ON payments (business, network, id) WHERE network IS NOT NULL;

-- What waits for a block is found by the index of what is not confirmed.
DROP INDEX deposits_instant;
