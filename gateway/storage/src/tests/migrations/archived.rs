//! Until version 12, payments that had ended could be moved out of their tables: the rows of each were one JSON text. They come
//! back as they were.

use std::collections::BTreeMap;

use checkout_core::Network;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::Page;
use checkout_domain::payment::deposit_filter::DepositFilter;
use checkout_domain::payment::filter::PaymentFilter;
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_domain::payment::refund_said::Given;
use checkout_domain::ports::Tx;
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_domain::ports::payments::PaymentStore;
use checkout_domain::ports::refunds::RefundStore as _;
use checkout_domain::ports::transfers::TransferStore as _;
use checkout_wire::refunds::RefundState;
use serde_json::{Map, Value};

use super::rows::Cell::{self, Int, Text};
use super::rows::{BUSINESS, DEPOSIT, PAYMENT};
use super::{cells, id};
use crate::tests::stage::transfer_of;
use crate::{Database, Row, query};

/// What a record had, by table.
const TABLES: [&str; 10] = [
    "payments",
    "sessions",
    "addresses",
    "quotes",
    "dust",
    "deposits",
    "settlements",
    "refunds",
    "callbacks",
    "callback_attempts",
];

/// Keys, and those of the archived payment.
const KEYS: [(&str, &str); 6] = [
    ("01890000-0000-7000-8000-", "01890000-0000-7000-8001-"),
    ("01890000-0000-7000-8001-000000000001", BUSINESS),
    ("bc1-address", "bc1-other"),
    ("order-1", "order-2"),
    ("tx-1", "tx-archived"),
    ("token-of-the-session", "token-of-another-session"),
];

pub(super) fn other(text: &str) -> String {
    KEYS.into_iter().fold(text.replace("payout-1", "payout-2"), |text, (one, other)| text.replace(one, other))
}

/// Values of columns that are NULL in `rows.rs`, so that each column has one.
#[rustfmt::skip]
const VALUES: [(&str, &[(&str, Cell)]); 6] = [
    ("payments", &[
        ("requested_currency", Text("BTC")), ("requested_network", Text("BTC")), ("redirect_url", Text("https://shop.example")),
        ("estimate", Text("99.00")), ("underpayment_tolerance", Text("0.01")), ("currency", Text("BTC")), ("network", Text("BTC")),
        ("cancelled_at", Int(9)), ("description", Text("A \"kettle\"")), ("metadata", Text("{\"customer\":\"ł\"}")),
    ]),
    ("sessions", &[("ends_at", Int(8)), ("kept_until", Int(9))]),
    ("quotes", &[("tag", Text("7"))]),
    ("deposits", &[
        ("tag", Text("7")), ("from_tag", Text("8")), ("owner_name", Text("Anna")), ("owner_category", Text("SANCTIONS")),
        ("hold", Text("CURRENCY")), ("other_senders", Text("[]")), ("claimed_at", Int(5)), ("claimed_address", Text("bc1-claimed")),
        ("claimed_tag", Text("6")), ("claimed_gross", Text("50")), ("price_rate", Text("2")),
    ]),
    ("refunds", &[
        ("waits_for", Text("APPROVAL")), ("waits_reason", Text("AMOUNT")), ("asked_address", Text("bc1-asked")),
        ("asked_tag", Text("3")), ("asked_at", Int(4)), ("asked_refusal", Text("no")), ("status", Text("PENDING")),
    ]),
    ("callback_attempts", &[("reason", Text("a reason"))]),
];

/// The row of a table as that version wrote it.
fn row(table: &str, columns: &BTreeMap<String, Vec<String>>) -> Map<String, Value> {
    let known = cells(table, &columns[table]);
    let values = VALUES.iter().find(|(name, _)| *name == table).map_or(&[][..], |(_, values)| values);
    let value = |column: &String| {
        let mut cells = values.iter().copied().chain(known.iter().copied());
        let (_, cell) = cells.find(|(name, cell)| name == column && !matches!(cell, Cell::Null))?;
        Some(match cell {
            Text(text) => Value::from(other(text)),
            Int(number) => Value::from(number),
            Cell::Null => return None,
        })
    };
    let row = columns[table].iter().filter_map(|column| {
        let value = value(column);
        // A price is one or the other.
        assert!(value.is_some() || column == "price_crypto", "{table}.{column} has no value");
        Some((column.clone(), value?))
    });
    row.collect()
}

pub(super) fn record(columns: &BTreeMap<String, Vec<String>>) -> String {
    let rows = TABLES.into_iter().map(|table| {
        let mut row = row(table, columns);
        if table == "deposits" {
            // What was shown of its refund.
            row.extend([
                ("refund_kind".to_owned(), "PARTIAL".into()),
                ("payout_created_at".to_owned(), 1.into()),
            ]);
        }
        (table.to_owned(), Value::Array(vec![Value::Object(row)]))
    });
    Value::Object(rows.collect()).to_string()
}

/// What differs: polls see a change, and the refund has the state of its payout.
const OWN: [(&str, &str); 2] = [("payments", "version"), ("refunds", "status")];

/// What has other names now: `refunds.rs` has it.
const MOVED: [(&str, &str); 3] = [("deposits", "claimed_"), ("refunds", "deposit"), ("refunds", "reason")];

/// The rows of a table, with the columns that are not NULL.
async fn rows(database: &Database, table: &str) -> Vec<Map<String, Value>> {
    let found = query(format!("SELECT * FROM {table}")).fetch_all(database.readers()).await.unwrap();
    let value = |row: &Row, column: &str| match row.optional_text(column) {
        Ok(text) => text.map(Value::from),
        Err(_) => row.optional_number::<i64>(column).unwrap().map(Value::from),
    };
    let row = |row: &Row| {
        let columns = row.columns().into_iter();
        columns.filter_map(|column| value(row, &column).map(|value| (column, value))).collect()
    };
    found.iter().map(row).collect()
}

pub(super) async fn check(
    database: &Database,
    tx: &mut dyn Tx,
    columns: &BTreeMap<String, Vec<String>>,
    version: &str,
) {
    for table in TABLES {
        let mut expected = row(table, columns);
        let mut found = rows(database, table).await;
        for row in found.iter_mut().chain([&mut expected]) {
            let moved =
                |column: &str| MOVED.iter().any(|(of, name)| *of == table && column.starts_with(name));
            row.retain(|column, _| {
                columns[table].contains(column) && !OWN.contains(&(table, column)) && !moved(column)
            });
        }
        assert_eq!(found.len(), 2, "{version}: {table}");
        assert!(found.contains(&expected), "{version}: {table}\n{expected:#?}\n{found:#?}");
    }

    let (payment, deposit) = (PaymentId(id(&other(PAYMENT))), id(&other(DEPOSIT)));
    let business = BusinessId(id(BUSINESS));
    let found = PaymentStore::payment(database, payment).await.unwrap().expect(version);
    assert_eq!((found.deposits.len(), found.quotes.len()), (1, 1), "{version}");
    let decision = found.refunds[&deposit].phase.decision().expect(version);
    let to = Some(Given { address: "bc1-claimed".to_owned(), tag: Some("6".to_owned()) });
    assert_eq!((decision.at, &decision.to), (5, &to), "{version}");
    let mut locked = tx.payment(payment).await.unwrap().expect(version);
    locked.version = found.version;
    assert_eq!(locked, found, "{version}");
    let known = tx.payment_by_client_id(business, "order-2").await.unwrap();
    assert_eq!(known, Some((payment, "hash".to_owned())), "{version}");
    assert_eq!(database.sessions(payment).await.unwrap().len(), 1, "{version}");
    assert_eq!(tx.address_of(payment, Network::Btc).await.unwrap(), Some(("bc1-other".to_owned(), None)));
    assert_eq!(tx.booked(payment).await.unwrap()[&deposit].generation, 1, "{version}");

    let owners = database.owners(&[transfer_of(&found.deposits[0])]).await.unwrap();
    assert_eq!(owners[0].map(|owner| (owner.payment, owner.is_new)), Some((payment, false)), "{version}");

    let page = Page { after: None, before: None, descending: true, limit: 25 };
    let texts = |text: &str| Some(vec![text.to_owned()]);
    for filter in [
        PaymentFilter { client_payment_id: Some("order-2".to_owned()), ..PaymentFilter::default() },
        PaymentFilter { addresses: texts("bc1-other"), ..PaymentFilter::default() },
        PaymentFilter { transactions: texts("tx-archived"), ..PaymentFilter::default() },
    ] {
        let listed = database.payments(business, &filter, &page).await.unwrap();
        assert_eq!(listed, std::slice::from_ref(&found), "{version}: {filter:?}");
    }
    let of_payment = DepositFilter { payment: Some(payment), ..DepositFilter::default() };
    let listed = database.listed_deposits(business, &of_payment, &page).await.unwrap();
    let listed: Vec<_> = listed.into_iter().map(|listed| listed.deposit).collect();
    assert_eq!(listed, found.deposits, "{version}");
    let done = RefundFilter { status: Some(RefundState::Confirmed), ..RefundFilter::default() };
    let refunds = database.refunds(business, &done, &page).await.unwrap();
    assert_eq!(refunds.iter().map(|refund| refund.payment).collect::<Vec<_>>(), [payment], "{version}");
}
