-- Rate of a price in a cryptocurrency when a deposit in another one was received.
ALTER TABLE deposits ADD COLUMN price_rate TEXT;
