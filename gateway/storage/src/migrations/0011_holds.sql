-- Why a deposit is held although its sender is cleared: CURRENCY or AMOUNT.
ALTER TABLE deposits ADD COLUMN hold TEXT;

-- The display currency that the answer to POST named; display_currency can be set later.
ALTER TABLE payments ADD COLUMN first_display_currency TEXT;

UPDATE payments SET first_display_currency = display_currency;
