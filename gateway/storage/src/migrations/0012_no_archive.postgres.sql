-- Archived payments return to the tables of the others. Columns without a value are missing in their records, and so are columns
-- that are younger than a record.

INSERT INTO payments SELECT found.* FROM archived_payments, jsonb_array_elements(record::jsonb -> 'payments') AS old,
    jsonb_populate_record(NULL::payments, '{"version": 1}' || old) AS found;
INSERT INTO sessions SELECT found.* FROM archived_payments, jsonb_populate_recordset(NULL::sessions, record::jsonb -> 'sessions') AS found;
INSERT INTO addresses SELECT found.* FROM archived_payments, jsonb_populate_recordset(NULL::addresses, record::jsonb -> 'addresses') AS found;
INSERT INTO quotes SELECT found.* FROM archived_payments, jsonb_populate_recordset(NULL::quotes, record::jsonb -> 'quotes') AS found;
INSERT INTO dust SELECT found.* FROM archived_payments, jsonb_populate_recordset(NULL::dust, record::jsonb -> 'dust') AS found;
INSERT INTO deposits SELECT found.* FROM archived_payments, jsonb_array_elements(record::jsonb -> 'deposits') AS old,
    jsonb_populate_record(NULL::deposits, '{"instant": 1, "screening": "PASSED", "confirmations": 0}' || old) AS found;
INSERT INTO settlements SELECT found.* FROM archived_payments, jsonb_populate_recordset(NULL::settlements, record::jsonb -> 'settlements') AS found;
INSERT INTO refunds SELECT found.* FROM archived_payments, jsonb_array_elements(record::jsonb -> 'refunds') AS old,
    jsonb_populate_record(NULL::refunds, '{"status": "PENDING"}' || old) AS found;
INSERT INTO callbacks SELECT found.* FROM archived_payments, jsonb_array_elements(record::jsonb -> 'callbacks') AS old,
    jsonb_populate_record(NULL::callbacks, '{"set_at": 0}' || old) AS found;
INSERT INTO callback_attempts SELECT found.* FROM archived_payments,
    jsonb_populate_recordset(NULL::callback_attempts, record::jsonb -> 'callback_attempts') AS found;

DROP TABLE archived_addresses;
DROP TABLE archived_refunds;
DROP TABLE archived_deposits;
DROP TABLE archived_payments;
