//! A row of each table, with every column that it ever had. A version gets the columns that it has.

use self::Cell::{Int, Null, Text};

#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    Text(&'static str),
    Int(i64),
    Null,
}

impl Cell {
    pub(super) fn sql(self) -> String {
        match self {
            Text(text) => format!("'{text}'"),
            Int(number) => number.to_string(),
            Null => "NULL".to_owned(),
        }
    }
}

pub(super) const BUSINESS: &str = "01890000-0000-7000-8000-000000000001";
pub(super) const PAYMENT: &str = "01890000-0000-7000-8000-000000000002";
pub(super) const DEPOSIT: &str = "01890000-0000-7000-8000-000000000003";
pub(super) const REFUND: &str = "01890000-0000-7000-8000-000000000004";
pub(super) const WITHDRAWAL: &str = "01890000-0000-7000-8000-000000000005";
const ENTRY: &str = "01890000-0000-7000-8000-000000000009";
const CALLBACK: &str = "01890000-0000-7000-8000-000000000006";
const WHITELISTED: &str = "01890000-0000-7000-8000-000000000007";

const COUNTER: &str = "01890000-0000-7000-8000-00000000000e";
const SALE_LINK: &str = "01890000-0000-7000-8000-00000000000d";
const WALLET_RECORD: &str = "01890000-0000-7000-8000-00000000000b";
const MAIL: &str = "01890000-0000-7000-8000-00000000000c";
const OPERATOR: &str = "01890000-0000-7000-8000-000000000009";
const AUDITED: &str = "01890000-0000-7000-8000-00000000000a";

/// The tables in an order in which rows that others refer to come first.
pub(super) const ORDER: [&str; 47] = [
    "settings",
    "wallet_records",
    "businesses",
    "credentials",
    "payments",
    "sessions",
    "addresses",
    "address_indexes",
    "quotes",
    "deposits",
    "chain_cursors",
    "whitelisted_addresses",
    "ledger_balances",
    "ledger_entries",
    "ledger_lines",
    "settlements",
    "payouts",
    "refunds",
    "withdrawals",
    "callbacks",
    "callback_attempts",
    "retired_secrets",
    "dust",
    "payout_holds",
    "payment_texts",
    "archived_payments",
    "archived_addresses",
    "archived_deposits",
    "archived_refunds",
    "logos",
    "payout_versions",
    "withdrawal_rules",
    "looser_limits",
    "deposit_sums",
    "operators",
    "desk_sessions",
    "audit_log",
    "untagged_transfers",
    "untagged_reports",
    "set_aside",
    "valuations",
    "mails",
    "lasting",
    "sale_links",
    "sales",
    "counters",
    "counter_sales",
];

/// Columns that are missing here must be nullable or have a default.
#[rustfmt::skip]
pub(super) const ROWS: [(&str, &[(&str, Cell)]); 47] = [
    ("settings", &[
        ("key", Text("kind")), ("value", Text("production")),
    ]),
    ("businesses", &[
        ("id", Text(BUSINESS)), ("name", Text("Kettle & Co")), ("created_at", Int(1)), ("disabled", Int(0)),
        ("deposit_callback", Text("https://shop.example/deposits")), ("withdrawal_callback", Null),
        ("callback_secret", Text("whsec_c2VjcmV0")), ("settlement_crypto", Text("BTC")),
        ("settlement_ratio", Text("0")), ("deposit_currencies", Text("BTC,ETH")),
        ("display_currencies", Text("EUR,USD")), ("overpayment_policy", Text("EXCESS_REFUND")),
        ("refund_follow_ups", Int(0)), ("theme", Text("LIGHT")), ("allowed_origins", Text("https://shop.example")),
        ("underpayment_tolerance", Text("0.01")), ("support_url", Text("https://shop.example/help")),
        ("instant_deposit_limit", Text("100")), ("brand_color", Text("#0b6e4f")), ("logo", Text("logo.png")),
        ("event_url", Text("https://shop.example/events")), ("events", Text("payment.status,deposit.*")),
        ("greenfield", Text("{\"webhooks\":[]}")),
    ]),
    ("credentials", &[
        ("token_hash", Text("token-of-the-business")), ("business", Text(BUSINESS)), ("created_at", Int(1)),
        ("ends_at", Null),
    ]),
    ("payments", &[
        ("id", Text(PAYMENT)), ("business", Text(BUSINESS)), ("client_payment_id", Text("order-1")),
        ("request_hash", Text("hash")), ("kind", Text("ONE_TIME")), ("rate_type", Text("FIXED")),
        ("locale", Text("en-US")), ("display_currency", Text("EUR")), ("first_display_currency", Text("EUR")),
        ("display_currency_given", Int(1)), ("price_display", Text("100.00")), ("price_crypto", Null),
        ("requested_currency", Null), ("requested_network", Null), ("expiration_minutes", Int(30)),
        ("redirect_url", Null), ("overpayment_policy", Text("EXCESS_REFUND")), ("refund_follow_ups", Int(0)),
        ("initiated_at", Int(1_700_000_000)), ("estimate", Null),
        ("session_nonce", Text("0b2f1c5e-8a4d-4c39-9a57-2f0f6f1f7a11")), ("status", Text("DEPOSITED")),
        ("window_end", Int(1_700_001_800)), ("settled_at", Int(1_700_000_100)), ("quote_currency", Text("BTC")),
        ("quote_network", Text("BTC")), ("quote_address", Text("bc1-address")), ("quote_tag", Null),
        ("quote_expected", Text("166667")), ("quote_rate", Text("60000")), ("quote_uniform_rate", Text("60000")),
        ("quote_display", Text("100.00")), ("quote_uniform", Text("100.00")),
        ("quote_requested_at", Int(1_700_000_000)), ("underpayment_tolerance", Null), ("version", Int(1)),
        ("accepted_at", Int(1_700_000_100)), ("accepted_seq", Int(2)),
        ("accepted_deposits", Text(DEPOSIT)),
    ]),
    ("sessions", &[
        ("token_hash", Text("token-of-the-session")), ("payment", Text(PAYMENT)), ("created_at", Int(1)),
        ("ends_at", Null), ("kept_until", Null),
    ]),
    ("addresses", &[
        ("network", Text("BTC")), ("address", Text("bc1-address")), ("tag", Text("")), ("payment", Text(PAYMENT)),
        ("created_at", Int(1)),
    ]),
    ("address_indexes", &[
        ("network", Text("BTC")), ("next", Int(1)),
    ]),
    ("quotes", &[
        ("payment", Text(PAYMENT)), ("place", Int(0)), ("currency", Text("BTC")), ("network", Text("BTC")),
        ("address", Text("bc1-address")), ("tag", Null), ("display_currency", Text("EUR")),
        ("expected", Text("166667")), ("rate", Text("60000")), ("uniform_rate", Text("60000")),
        ("display", Text("100.00")), ("uniform", Text("100.00")), ("requested_at", Int(1_700_000_000)),
    ]),
    ("deposits", &[
        ("id", Text(DEPOSIT)), ("payment", Text(PAYMENT)), ("business", Text(BUSINESS)), ("network", Text("BTC")), ("transaction_id", Text("tx-1")),
        ("output_index", Int(0)), ("currency", Text("BTC")), ("amount", Text("166667")),
        ("to_address", Text("bc1-address")), ("tag", Null), ("from_address", Text("bc1-sender")),
        ("fee", Text("0.00001")), ("seen_at", Int(1_700_000_050)), ("state", Text("CONFIRMED")),
        ("rate", Text("60000")), ("uniform_rate", Text("60000")), ("rate_type", Text("FIXED")),
        ("display_amount", Text("100.00")), ("uniform_amount", Text("100.00")), ("seen_seq", Int(1)),
        ("confirmed_seq", Int(2)), ("instant", Int(0)), ("screening", Text("PASSED")), ("owner_name", Null),
        ("owner_category", Null), ("quote", Int(0)), ("from_tag", Null), ("hold", Null), ("confirmations", Int(1)),
        ("recorded_at", Int(1_700_000_055)),
    ]),
    ("chain_cursors", &[
        ("network", Text("BTC")), ("cursor", Text("cursor")),
    ]),
    ("whitelisted_addresses", &[
        ("id", Text(WHITELISTED)), ("business", Text(BUSINESS)), ("client_address_id", Text("a-1")),
        ("request_hash", Text("hash")), ("currency", Text("BTC")), ("network", Text("BTC")),
        ("address", Text("bc1-recipient")), ("tag", Null), ("label", Null), ("created_at", Int(1)),
    ]),
    ("ledger_balances", &[
        ("business", Text(BUSINESS)), ("asset", Text("EUR")), ("account", Text("FIAT")), ("balance", Text("1000")),
    ]),
    ("ledger_entries", &[
        ("cause", Text("deposit/1")), ("business", Text(BUSINESS)), ("id", Text(ENTRY)), ("payment", Text(PAYMENT)),
    ]),
    ("ledger_lines", &[
        ("cause", Text("deposit/1")), ("asset", Text("EUR")), ("account", Text("FIAT")), ("units", Text("1000")),
        ("price", Text("1")),
    ]),
    ("settlements", &[
        ("deposit", Text(DEPOSIT)), ("ratio", Text("0")), ("crypto", Text("BTC")), ("fee", Text("0.005")),
        ("deposit_price", Text("60000")), ("crypto_price", Text("60000")), ("generation", Int(1)),
        ("kept", Text("166667")), ("returned", Text("0")), ("asked_at_height", Int(9)), ("business", Text(BUSINESS)),
        ("network", Text("BTC")),
    ]),
    ("wallet_records", &[
        ("id", Text(WALLET_RECORD)), ("asset", Text("XRP")), ("units", Text("-5000000")), ("recorded_by", Text("Ada")),
        ("why", Text("to the cold wallet")), ("recorded_at", Int(1)),
    ]),
    ("payouts", &[
        ("id", Text(REFUND)), ("business", Text(BUSINESS)), ("kind", Text("REFUND")), ("currency", Text("BTC")),
        ("network", Text("BTC")), ("amount", Text("100")), ("to_address", Text("bc1-sender")), ("tag", Null),
        ("state", Text("SENT")), ("bytes", Text("00")), ("transaction_id", Text("payout-1")), ("created_at", Int(1)),
        ("confirmed_at", Null), ("account", Text("bc1-hot")), ("sequence", Int(7)), ("pending_since", Null),
        ("capped_at", Null),
    ]),
    ("refunds", &[
        ("id", Text(DEPOSIT)), ("source", Text("EXCESS")), ("status", Text("PENDING")),
        ("deposit", Text(DEPOSIT)), ("payment", Text(PAYMENT)), ("business", Text(BUSINESS)), ("currency", Text("BTC")),
        ("network", Text("BTC")), ("kind", Text("PARTIAL")), ("reason", Text("OVERPAYMENT")),
        ("gross", Text("110")), ("fee", Text("10")), ("payout", Text(REFUND)),
    ]),
    ("withdrawals", &[
        ("id", Text(WITHDRAWAL)), ("business", Text(BUSINESS)), ("currency", Text("BTC")), ("network", Text("BTC")),
        ("client_withdrawal_id", Text("w-1")),
        ("request_hash", Text("hash")), ("recipient", Text("bc1-recipient")), ("policy", Text("CRYPTO")),
        ("account", Text("FIAT")), ("initiated_by", Text("API")), ("status", Text("NEW")), ("fee", Text("10")),
        ("display_currency", Text("EUR")), ("display_amount", Text("1.00")), ("display_fee", Text("0.01")),
        ("display_service_fee", Text("0.01")), ("settlement_asset", Text("EUR")), ("deducted", Text("100")),
        ("service_fee", Text("1")), ("uniform_amount", Text("1.00")), ("uniform_service_fee", Text("0.01")),
        ("owner_name", Null), ("owner_category", Null), ("of_unpaid", Int(0)), ("claimed_at", Null), ("claim_of", Null),
        ("claim_refusal", Null), ("counts_from", Null), ("after_seq", Int(1)),
    ]),
    ("callbacks", &[
        ("id", Text(CALLBACK)), ("business", Text(BUSINESS)), ("kind", Text("DEPOSIT")), ("subject", Text(DEPOSIT)),
        ("sequence", Int(0)), ("body", Text("{}")), ("created_at", Int(1)), ("state", Text("PENDING")), ("tries", Int(3)),
        ("attempts", Int(3)), ("failures", Int(3)), ("due_at", Int(2)), ("set_at", Int(1)),
    ]),
    ("callback_attempts", &[
        ("callback", Text(CALLBACK)), ("number", Int(1)), ("started_at", Int(1)),
        ("url", Text("https://shop.example/deposits")), ("millis", Int(5)), ("status", Int(500)), ("reason", Null),
    ]),
    ("retired_secrets", &[
        ("business", Text(BUSINESS)), ("secret", Text("whsec_b2xk")), ("ends_at", Int(2)),
    ]),
    ("dust", &[
        ("payment", Text(PAYMENT)), ("network", Text("BTC")), ("currency", Text("BTC")), ("transfers", Int(2)),
        ("amount", Text("2")), ("last_seen_at", Int(1)),
    ]),
    ("payout_holds", &[
        ("payout", Text(WITHDRAWAL)), ("reason", Null), ("decision", Null), ("transaction_id", Null),
    ]),
    ("payment_texts", &[
        ("payment", Text(PAYMENT)), ("business", Text(BUSINESS)), ("name", Text("customer")), ("value", Text("c-17")),
    ]),
    ("archived_payments", &[
        ("id", Text(PAYMENT)), ("business", Text(BUSINESS)), ("client_payment_id", Text("order-1")),
        ("request_hash", Text("hash")), ("version", Int(1)), ("window_end", Null),
        ("status", Text("DEPOSITED")), ("currency", Text("BTC")), ("network", Text("BTC")),
    ]),
    ("archived_addresses", &[
        ("network", Text("BTC")), ("address", Text("bc1-address")), ("tag", Text("")), ("payment", Text(PAYMENT)),
        ("created_at", Int(1)),
    ]),
    ("archived_deposits", &[
        ("id", Text(DEPOSIT)), ("payment", Text(PAYMENT)), ("business", Text(BUSINESS)), ("network", Text("BTC")),
        ("transaction_id", Text("tx-1")), ("currency", Text("BTC")), ("state", Text("CONFIRMED")),
    ]),
    ("archived_refunds", &[
        ("id", Text(DEPOSIT)), ("payment", Text(PAYMENT)), ("business", Text(BUSINESS)),
        ("currency", Text("BTC")), ("network", Text("BTC")), ("status", Text("CONFIRMED")),
    ]),
    ("logos", &[
        ("business", Text(BUSINESS)), ("file", Text("logo.png")), ("image", Text("aW1hZ2U=")),
    ]),
    ("payout_versions", &[
        ("payout", Text(REFUND)), ("number", Int(1)), ("transaction_id", Text("payout-1")), ("bytes", Text("00")),
    ]),
    ("withdrawal_rules", &[
        ("business", Text(BUSINESS)), ("daily_limit", Text("5000")), ("approval_above", Text("2000")), ("claim_limit", Null),
        ("whitelist_only", Int(1)),
    ]),
    ("looser_limits", &[
        ("business", Text(BUSINESS)), ("name", Text("DAILY")), ("value", Null), ("asked_by", Text("command-line")),
        ("asked_at", Int(1)),
    ]),
    ("deposit_sums", &[
        ("payment", Text(PAYMENT)), ("quotes", Int(1)), ("sums", Text("{}")),
    ]),
    ("operators", &[
        ("id", Text(OPERATOR)), ("name", Text("anna")), ("role", Text("support")), ("business", Text(BUSINESS)),
        ("disabled", Int(0)), ("created_at", Int(1)), ("password", Text("$argon2id$")), ("totp", Text("MZXW6")),
        ("used_step", Int(1)),
    ]),
    ("desk_sessions", &[
        ("token_hash", Text("c3")), ("operator", Text(OPERATOR)), ("created_at", Int(1)), ("seen_at", Int(1)),
    ]),
    ("audit_log", &[
        ("id", Text(AUDITED)), ("at", Int(1)), ("operator", Text("anna")), ("client", Text("127.0.0.1")),
        ("action", Text("SIGN_IN")), ("target", Text("anna")), ("detail", Text("")), ("outcome", Text("OK")),
    ]),
    ("untagged_transfers", &[
        ("network", Text("XRP")), ("transaction_id", Text("tx-2")), ("output_index", Int(0)), ("currency", Text("XRP")),
        ("amount", Text("12500000")), ("to_address", Text("account")), ("tag", Null), ("from_address", Text("sender")),
        ("seen_at", Int(1)), ("reported_at", Int(2)), ("state", Text("OPEN")), ("payment", Null), ("failure", Null),
        ("decided_at", Null),
    ]),
    ("untagged_reports", &[
        ("network", Text("XRP")), ("transaction_id", Text("tx-2")), ("output_index", Int(0)), ("payment", Text(PAYMENT)),
        ("reported_at", Int(2)),
    ]),
    ("set_aside", &[
        ("network", Text("ETH")), ("transaction_id", Text("tx-3")), ("part", Text("log 7")), ("height", Int(9)),
        ("block", Text("0x01")), ("why", Text("it has no receipt")), ("state", Text("OPEN")), ("seen_at", Int(1)),
        ("tries", Int(2)), ("next_try_at", Int(3)), ("settled_at", Null),
        ("asset", Null), ("amount", Null), ("to_address", Null), ("payment", Null),
    ]),
    ("valuations", &[
        ("deposit", Text(DEPOSIT)), ("rate", Text("65000")), ("uniform_rate", Text("60000")), ("given_at", Int(1)),
    ]),
    ("mails", &[
        ("id", Text(MAIL)), ("cause", Text("receipt/1")), ("payment", Text(PAYMENT)), ("recipient", Text("anna@shop.example")),
        ("locale", Text("de-DE")), ("notice", Null), ("state", Text("PENDING")), ("failures", Int(1)), ("due_at", Int(2)),
        ("words", Text("421 busy")), ("created_at", Int(1)),
    ]),
    ("lasting", &[
        ("thing", Text("wallet/BTC")), ("since", Int(1)), ("until", Int(2)),
    ]),
    ("sale_links", &[
        ("id", Text(SALE_LINK)), ("business", Text(BUSINESS)), ("client_link_id", Text("l-1")), ("request_hash", Text("hash")),
        ("slug", Text("green-tea")), ("title", Text("Green tea")), ("currency", Text("EUR")), ("amount", Text("12.50")),
        ("min_amount", Null), ("max_amount", Null), ("kind", Text("REUSABLE")), ("stock", Int(5)), ("ends_at", Null),
        ("redirect_url", Null), ("created_at", Int(1)), ("withdrawn_at", Null),
    ]),
    ("sales", &[
        ("payment", Text(PAYMENT)), ("link", Text(SALE_LINK)),
    ]),
    ("counters", &[
        ("id", Text(COUNTER)), ("business", Text(BUSINESS)), ("title", Text("Market stall")), ("currency", Text("EUR")),
        ("max_amount", Text("500.00")), ("secret_hash", Text("hash")), ("created_at", Int(1)), ("withdrawn_at", Null),
    ]),
    ("counter_sales", &[
        ("payment", Text(PAYMENT)), ("counter", Text(COUNTER)),
    ]),
];
