-- A payout that failed gives its number back: its transaction never gets on the chain.
DROP INDEX payouts_sequence;
CREATE UNIQUE INDEX payouts_sequence ON payouts (network, account, sequence) WHERE sequence IS NOT NULL AND state <> 'FAILED';
