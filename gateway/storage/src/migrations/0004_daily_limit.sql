-- Since when it counts for the daily limit: a claim since its approval; a refund of the merchant again since it has its address.
ALTER TABLE withdrawals ADD COLUMN counts_from BIGINT; -- NULL: since it was created

CREATE INDEX withdrawals_counted ON withdrawals (business, counts_from) WHERE counts_from IS NOT NULL;

-- They are made again by the rules of now: a deposit that a later quote followed counts by itself.
DELETE FROM deposit_sums;
