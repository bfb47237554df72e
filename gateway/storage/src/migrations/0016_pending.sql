-- Whose deposit it is, and on which network: what is not final is read by either.
ALTER TABLE settlements ADD COLUMN business TEXT NOT NULL DEFAULT '';
ALTER TABLE settlements ADD COLUMN network TEXT NOT NULL DEFAULT '';

UPDATE settlements SET business = deposits.business, network = deposits.network
FROM deposits WHERE deposits.id = settlements.deposit;

DROP INDEX settlements_pending;
CREATE INDEX settlements_pending_on ON settlements (network, asked_at_height) WHERE asked_at_height IS NOT NULL;
CREATE INDEX settlements_pending_of ON settlements (business) WHERE asked_at_height IS NOT NULL;
