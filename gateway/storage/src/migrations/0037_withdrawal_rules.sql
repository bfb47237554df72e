-- Limits of a business's withdrawals. A business without a row has none.
CREATE TABLE withdrawal_rules (
    business       TEXT NOT NULL PRIMARY KEY REFERENCES businesses (id),
    daily_limit    TEXT, -- EUR in 24 hours
    approval_above TEXT, -- EUR
    whitelist_only INTEGER NOT NULL DEFAULT 0
);

-- WAITING, APPROVED or REJECTED; NULL: needs no approval.
ALTER TABLE withdrawals ADD COLUMN approval TEXT;
