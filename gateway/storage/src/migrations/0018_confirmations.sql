-- A deposit needs confirmations by its network and by its amount. INCLUDED: it is in a block, and needs more.
ALTER TABLE deposits ADD COLUMN required_confirmations BIGINT NOT NULL DEFAULT 1;
ALTER TABLE deposits ADD COLUMN required_by_amount BIGINT NOT NULL DEFAULT 1;

CREATE INDEX deposits_included ON deposits (network) WHERE state = 'INCLUDED';
DROP INDEX deposits_unconfirmed;
CREATE INDEX deposits_unconfirmed ON deposits (business, id)
    WHERE state IN ('UNCONFIRMED', 'INCLUDED') OR screening NOT IN ('PASSED', 'RELEASED');
-- Of two indices that fit, SQLite takes the newer one: the held deposits are fewer.
DROP INDEX deposits_held;
CREATE INDEX deposits_held ON deposits (business, id) WHERE screening NOT IN ('PASSED', 'RELEASED');
DROP INDEX deposits_instant;
CREATE INDEX deposits_instant ON deposits (business) WHERE state IN ('UNCONFIRMED', 'INCLUDED') AND instant = 1;
