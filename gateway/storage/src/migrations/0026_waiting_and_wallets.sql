-- Why a payout that waits did not leave when that was tried last. NULL: it was not tried, it left, or its approval says it.
ALTER TABLE payouts ADD COLUMN why TEXT;

-- What an operator put into a wallet or took out of it, and what the wallets held beyond the books before they were compared.
CREATE TABLE wallet_records (
    id          TEXT PRIMARY KEY,
    asset       TEXT NOT NULL,
    units       TEXT NOT NULL, -- negative: taken out
    recorded_by TEXT NOT NULL,
    why         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
