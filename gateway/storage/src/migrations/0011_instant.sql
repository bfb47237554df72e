-- The limit of instant deposits is that of the business.
DROP INDEX deposits_instant;
CREATE INDEX deposits_instant ON deposits (business) WHERE state = 'UNCONFIRMED' AND instant = 1;
