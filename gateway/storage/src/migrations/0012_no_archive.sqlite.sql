-- Archived payments return to the tables of the others. Columns without a value are missing in their records, and so are columns
-- that are younger than a record.

INSERT INTO payments (
    id, business, client_payment_id, request_hash, kind, rate_type, locale, display_currency, display_currency_given,
    price_display, price_crypto, requested_currency, requested_network, expiration_minutes, redirect_url, overpayment_policy,
    refund_follow_ups, initiated_at, estimate, session_nonce, status, window_end, settled_at, version, underpayment_tolerance,
    first_display_currency, currency, network, cancelled_at, description, metadata, accepted_at, accepted_seq, accepted_deposits
) SELECT
    value ->> 'id', value ->> 'business', value ->> 'client_payment_id', value ->> 'request_hash', value ->> 'kind',
    value ->> 'rate_type', value ->> 'locale', value ->> 'display_currency', value ->> 'display_currency_given',
    value ->> 'price_display', value ->> 'price_crypto', value ->> 'requested_currency', value ->> 'requested_network',
    value ->> 'expiration_minutes', value ->> 'redirect_url', value ->> 'overpayment_policy', value ->> 'refund_follow_ups',
    value ->> 'initiated_at', value ->> 'estimate', value ->> 'session_nonce', value ->> 'status', value ->> 'window_end',
    value ->> 'settled_at', COALESCE(value ->> 'version', 1), value ->> 'underpayment_tolerance',
    value ->> 'first_display_currency', value ->> 'currency', value ->> 'network', value ->> 'cancelled_at',
    value ->> 'description', value ->> 'metadata', value ->> 'accepted_at', value ->> 'accepted_seq',
    value ->> 'accepted_deposits'
FROM archived_payments, json_each(record, '$.payments');

INSERT INTO sessions (
    token_hash, payment, created_at, ends_at, kept_until
) SELECT
    value ->> 'token_hash', value ->> 'payment', value ->> 'created_at', value ->> 'ends_at', value ->> 'kept_until'
FROM archived_payments, json_each(record, '$.sessions');

INSERT INTO addresses (
    network, address, tag, payment, created_at
) SELECT
    value ->> 'network', value ->> 'address', value ->> 'tag', value ->> 'payment', value ->> 'created_at'
FROM archived_payments, json_each(record, '$.addresses');

INSERT INTO quotes (
    payment, place, currency, network, address, tag, display_currency, expected, rate, uniform_rate, display, uniform,
    requested_at
) SELECT
    value ->> 'payment', value ->> 'place', value ->> 'currency', value ->> 'network', value ->> 'address', value ->> 'tag',
    value ->> 'display_currency', value ->> 'expected', value ->> 'rate', value ->> 'uniform_rate', value ->> 'display',
    value ->> 'uniform', value ->> 'requested_at'
FROM archived_payments, json_each(record, '$.quotes');

INSERT INTO dust (
    payment, network, currency, transfers, amount, last_seen_at
) SELECT
    value ->> 'payment', value ->> 'network', value ->> 'currency', value ->> 'transfers', value ->> 'amount',
    value ->> 'last_seen_at'
FROM archived_payments, json_each(record, '$.dust');

INSERT INTO deposits (
    id, payment, business, network, transaction_id, output_index, currency, amount, to_address, tag, from_address, fee, seen_at,
    state, rate, uniform_rate, rate_type, display_amount, uniform_amount, seen_seq, confirmed_seq, instant, screening, owner_name,
    owner_category, quote, from_tag, hold, confirmations, other_senders, claimed_at, claimed_address, claimed_tag, price_rate,
    claimed_gross
) SELECT
    value ->> 'id', value ->> 'payment', value ->> 'business', value ->> 'network', value ->> 'transaction_id',
    value ->> 'output_index', value ->> 'currency', value ->> 'amount', value ->> 'to_address', value ->> 'tag',
    value ->> 'from_address', value ->> 'fee', value ->> 'seen_at', value ->> 'state', value ->> 'rate', value ->> 'uniform_rate',
    value ->> 'rate_type', value ->> 'display_amount', value ->> 'uniform_amount', value ->> 'seen_seq',
    value ->> 'confirmed_seq', COALESCE(value ->> 'instant', 1), COALESCE(value ->> 'screening', 'PASSED'),
    value ->> 'owner_name', value ->> 'owner_category', value ->> 'quote', value ->> 'from_tag', value ->> 'hold',
    COALESCE(value ->> 'confirmations', 0), value ->> 'other_senders', value ->> 'claimed_at', value ->> 'claimed_address',
    value ->> 'claimed_tag', value ->> 'price_rate', value ->> 'claimed_gross'
FROM archived_payments, json_each(record, '$.deposits');

INSERT INTO settlements (
    deposit, ratio, crypto, fee, deposit_price, crypto_price, generation, kept, returned, asked_at_height
) SELECT
    value ->> 'deposit', value ->> 'ratio', value ->> 'crypto', value ->> 'fee', value ->> 'deposit_price',
    value ->> 'crypto_price', value ->> 'generation', value ->> 'kept', value ->> 'returned', value ->> 'asked_at_height'
FROM archived_payments, json_each(record, '$.settlements');

INSERT INTO refunds (
    deposit, payment, business, currency, network, kind, reason, gross, fee, payout, waits_for, waits_reason, status,
    asked_address, asked_tag, asked_at, asked_refusal
) SELECT
    value ->> 'deposit', value ->> 'payment', value ->> 'business', value ->> 'currency', value ->> 'network', value ->> 'kind',
    value ->> 'reason', value ->> 'gross', value ->> 'fee', value ->> 'payout', value ->> 'waits_for', value ->> 'waits_reason',
    COALESCE(value ->> 'status', 'PENDING'), value ->> 'asked_address', value ->> 'asked_tag', value ->> 'asked_at',
    value ->> 'asked_refusal'
FROM archived_payments, json_each(record, '$.refunds');

INSERT INTO callbacks (
    id, business, kind, subject, sequence, body, created_at, state, attempts, failures, due_at, set_at
) SELECT
    value ->> 'id', value ->> 'business', value ->> 'kind', value ->> 'subject', value ->> 'sequence', value ->> 'body',
    value ->> 'created_at', value ->> 'state', value ->> 'attempts', value ->> 'failures', value ->> 'due_at',
    COALESCE(value ->> 'set_at', 0)
FROM archived_payments, json_each(record, '$.callbacks');

INSERT INTO callback_attempts (
    callback, number, started_at, url, millis, status, reason
) SELECT
    value ->> 'callback', value ->> 'number', value ->> 'started_at', value ->> 'url', value ->> 'millis', value ->> 'status',
    value ->> 'reason'
FROM archived_payments, json_each(record, '$.callback_attempts');

DROP TABLE archived_addresses;
DROP TABLE archived_refunds;
DROP TABLE archived_deposits;
DROP TABLE archived_payments;
