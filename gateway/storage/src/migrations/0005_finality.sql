-- A payout in a block is looked after until it is final.

DROP INDEX payouts_open;
CREATE INDEX payouts_open ON payouts (id) WHERE state IN ('WAITING', 'SIGNED', 'SENT', 'CONFIRMED');
