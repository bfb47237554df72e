-- What merchants are told. A row is written in the transaction of the change that it tells of.

CREATE TABLE callbacks (
    id         TEXT NOT NULL PRIMARY KEY,
    business   TEXT NOT NULL REFERENCES businesses (id),
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL, -- the deposit or the withdrawal
    body       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    state      TEXT NOT NULL,
    tries      BIGINT NOT NULL,
    failures   BIGINT NOT NULL,
    due_at     BIGINT, -- while a try goes on: when it is given up for lost
    UNIQUE (kind, subject)
);

CREATE INDEX callbacks_due ON callbacks (business, due_at) WHERE state = 'PENDING';
CREATE INDEX callbacks_of_business ON callbacks (business, id);

-- A try without an end goes on, or the process died in it.
CREATE TABLE callback_attempts (
    callback   TEXT NOT NULL REFERENCES callbacks (id),
    number     BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    url        TEXT,
    millis     BIGINT,
    status     BIGINT,
    reason     TEXT, -- why there was no answer
    PRIMARY KEY (callback, number)
);

-- Signing secrets that were replaced, for as long as they sign beside the new one.
CREATE TABLE retired_secrets (
    business TEXT NOT NULL REFERENCES businesses (id),
    secret   TEXT NOT NULL,
    ends_at  BIGINT NOT NULL,
    PRIMARY KEY (business, secret)
);

-- Whether a deposit passed the double-spend check at first sight.
ALTER TABLE deposits ADD COLUMN instant INTEGER NOT NULL DEFAULT 1;
