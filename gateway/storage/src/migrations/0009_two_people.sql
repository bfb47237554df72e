-- Who asked for it: one credential or one operator. NULL: the payer, or a version before this one.
ALTER TABLE withdrawals ADD COLUMN initiator TEXT;
