-- How many blocks the node is behind, and how many seconds its clock is ahead.
ALTER TABLE sim_chains ADD COLUMN lag BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sim_chains ADD COLUMN ahead BIGINT NOT NULL DEFAULT 0;

-- The node answers without the fields of this entry.
ALTER TABLE sim_transfers ADD COLUMN odd INTEGER NOT NULL DEFAULT 0;
