-- When the recipient was screened last. NULL: never, or it is to be screened again.
ALTER TABLE withdrawals ADD COLUMN screened_at BIGINT;
