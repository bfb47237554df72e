-- Who says where an automatic refund goes.
ALTER TABLE businesses ADD COLUMN refund_address TEXT NOT NULL DEFAULT 'PAYER';
