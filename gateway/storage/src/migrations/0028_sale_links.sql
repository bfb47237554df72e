-- What businesses sell by a link.
CREATE TABLE sale_links (
    id             TEXT NOT NULL PRIMARY KEY,
    business       TEXT NOT NULL REFERENCES businesses (id),
    client_link_id TEXT NOT NULL,
    request_hash   TEXT NOT NULL,
    slug           TEXT NOT NULL UNIQUE, -- also after the link was withdrawn: what is printed never sells something else
    title          TEXT NOT NULL,
    currency       TEXT NOT NULL,
    amount         TEXT, -- NULL: the payer types it, from min_amount to max_amount
    min_amount     TEXT,
    max_amount     TEXT,
    kind           TEXT NOT NULL, -- ONE_TIME or REUSABLE
    stock          BIGINT, -- NULL: no limit, or ONE_TIME
    ends_at        BIGINT,
    redirect_url   TEXT,
    created_at     BIGINT NOT NULL,
    withdrawn_at   BIGINT,
    UNIQUE (business, client_link_id)
);

CREATE INDEX sale_links_of_business ON sale_links (business, id);

-- The payments that were made by links. Rows are only added.
CREATE TABLE sales (
    payment TEXT NOT NULL PRIMARY KEY REFERENCES payments (id),
    link    TEXT NOT NULL REFERENCES sale_links (id)
);

CREATE INDEX sales_of_link ON sales (link);
