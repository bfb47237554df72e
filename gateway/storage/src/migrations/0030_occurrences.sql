-- A notice goes to one operator, and names which occurrence of a wait it tells.
ALTER TABLE refunds ADD COLUMN waits BIGINT NOT NULL DEFAULT 0; -- how often it came to wait for something else, or for nothing
ALTER TABLE withdrawals ADD COLUMN waits BIGINT NOT NULL DEFAULT 0; -- how often its approval became another
ALTER TABLE payouts ADD COLUMN why_since BIGINT; -- NULL: a version before it stored why

-- What operators were told of as one thing, however many payouts it is of, and is not over.
CREATE TABLE lasting (
    thing TEXT NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL
);

-- They have no recipient: each is told again to each operator.
DELETE FROM mails WHERE notice IS NOT NULL AND state = 'PENDING';
