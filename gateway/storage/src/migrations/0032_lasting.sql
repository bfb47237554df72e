-- What lasted begins again only from what was read after it was over.
ALTER TABLE lasting ADD COLUMN until BIGINT; -- NULL: it lasts
