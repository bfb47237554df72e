-- When `due_at` was set, so that a clock that goes back moves it.
ALTER TABLE callbacks ADD COLUMN set_at BIGINT NOT NULL DEFAULT 0;
