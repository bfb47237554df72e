-- They are made again, in the JSON of today, which has the number of quotes.
DELETE FROM deposit_sums;
ALTER TABLE deposit_sums DROP COLUMN quotes;
