-- Where payers get help: an https or mailto link.
ALTER TABLE businesses ADD COLUMN support_url TEXT;
