-- Who asked for it: one credential or one operator. NULL: the payer, or a version before this one.
ALTER TABLE withdrawals ADD COLUMN initiator TEXT;

-- Limits that are to be looser than those in force.
CREATE TABLE looser_limits (
    business TEXT NOT NULL REFERENCES businesses (id),
    name     TEXT NOT NULL,
    value    TEXT, -- NULL: none
    asked_by TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    PRIMARY KEY (business, name)
);
