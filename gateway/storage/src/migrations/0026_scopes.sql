-- Words of `domain/access/scope.rs` with commas between them. NULL: everything.
ALTER TABLE credentials ADD COLUMN scopes TEXT;
