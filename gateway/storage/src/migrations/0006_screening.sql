-- What the screening of its sender came to; deposits from before it passed.
ALTER TABLE deposits ADD COLUMN screening TEXT NOT NULL DEFAULT 'PASSED';
-- Whose address a flagged deposit came from.
ALTER TABLE deposits ADD COLUMN owner_name TEXT;
ALTER TABLE deposits ADD COLUMN owner_category TEXT;

CREATE INDEX deposits_to_screen ON deposits (id) WHERE screening IN ('PENDING', 'RELEASING', 'REFUSING');
CREATE INDEX deposits_flagged ON deposits (id) WHERE screening IN ('FLAGGED', 'RELEASING', 'RELEASED', 'REFUSING', 'REFUSED');
