-- Ids are in the order of time only within one process, and not after its clock was set back.
-- When a deposit was recorded. NULL: a version before this column recorded it, and its id tells.
ALTER TABLE deposits ADD COLUMN recorded_at BIGINT;
-- Of a refund: the sequence number at which the last deposit before it was first seen. NULL: a version before this column stored it.
ALTER TABLE withdrawals ADD COLUMN after_seq BIGINT;
