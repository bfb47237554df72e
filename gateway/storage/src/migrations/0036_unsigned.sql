CREATE INDEX payouts_unsigned ON payouts (business) WHERE state IN ('UNADDRESSED', 'WAITING');
