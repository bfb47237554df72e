-- Mails to payers and operators: what waits to be sent, and what became of the others.
CREATE TABLE mails (
    id         TEXT PRIMARY KEY,
    cause      TEXT NOT NULL UNIQUE, -- what is sent once: a payment and what stands for an address, or what waits for a person and why
    payment    TEXT REFERENCES payments (id), -- of a receipt
    recipient  TEXT, -- of a receipt, until it is delivered or given up
    locale     TEXT, -- of a receipt
    notice     TEXT, -- what the operators are told
    state      TEXT NOT NULL,
    failures   BIGINT NOT NULL,
    due_at     BIGINT, -- during an attempt, the end of its lease
    words      TEXT, -- the last ones of the server
    created_at BIGINT NOT NULL
);
CREATE INDEX mails_due ON mails (due_at) WHERE state = 'PENDING';
CREATE INDEX mails_given_up ON mails (id) WHERE state = 'GIVEN_UP';
CREATE INDEX mails_of_payment ON mails (payment) WHERE payment IS NOT NULL;
