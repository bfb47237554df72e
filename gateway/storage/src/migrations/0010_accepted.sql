-- The merchant accepted what had arrived as the price. NULL: never.
ALTER TABLE payments ADD COLUMN accepted_at BIGINT;
ALTER TABLE payments ADD COLUMN accepted_seq BIGINT;
ALTER TABLE payments ADD COLUMN accepted_deposits TEXT; -- their ids: it holds as long as all of them stand
