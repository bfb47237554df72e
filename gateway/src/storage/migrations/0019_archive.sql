-- Payouts that are compared with their chain after a restore, before they are signed.
CREATE TABLE payout_holds (
    payout         TEXT NOT NULL PRIMARY KEY REFERENCES payouts (id),
    reason         TEXT, -- why an operator has to decide; NULL until the chain was asked
    decision       TEXT, -- RELEASE or SENT
    transaction_id TEXT -- what sent it
);
