ALTER TABLE callbacks RENAME COLUMN tries TO attempts;

-- They repeated the last row of `quotes`.
ALTER TABLE payments DROP COLUMN quote_currency;
ALTER TABLE payments DROP COLUMN quote_network;
ALTER TABLE payments DROP COLUMN quote_address;
ALTER TABLE payments DROP COLUMN quote_tag;
ALTER TABLE payments DROP COLUMN quote_expected;
ALTER TABLE payments DROP COLUMN quote_rate;
ALTER TABLE payments DROP COLUMN quote_uniform_rate;
ALTER TABLE payments DROP COLUMN quote_display;
ALTER TABLE payments DROP COLUMN quote_uniform;
ALTER TABLE payments DROP COLUMN quote_requested_at;
