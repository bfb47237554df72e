-- `#rrggbb`.
ALTER TABLE businesses ADD COLUMN brand_color TEXT;
-- The file name of the logo.
ALTER TABLE businesses ADD COLUMN logo TEXT;

-- The images, in base64. Businesses with the same logo have a row each.
CREATE TABLE logos (
    business TEXT PRIMARY KEY REFERENCES businesses (id),
    file TEXT NOT NULL,
    image TEXT NOT NULL
);
CREATE INDEX logos_by_file ON logos (file);
