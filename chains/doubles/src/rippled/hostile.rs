//! Hostile answers to `account_tx`. Servers have `delivered_amount` as `unavailable` for partial payments before 2014
//! (<https://xrpl.org/docs/concepts/payment-types/partial-payments>); the other rows are not seen at rippled 2.6 itself, but at what may
//! stand before it.

use crate::hostile::Costs::{Answer, Entry, Name, NotOurs, Nothing};
use crate::hostile::Odd::{Elsewhere, Head, Is, Lacks, Late, PageOf, Reversed, Says, Twice};
use crate::hostile::{Costs, Odd, Row, row};

const fn list(odd: Odd, costs: Costs) -> Row {
    row("account_tx", odd, costs)
}

pub static ROWS: &[Row] = &[
    list(Lacks("/meta/delivered_amount"), Entry),
    list(Is("/meta/delivered_amount", "null"), Entry),
    list(Is("/meta/delivered_amount", r#""unavailable""#), Entry),
    list(Is("/meta/delivered_amount", r#""18446744073709551616""#), Entry),
    list(Is("/meta/delivered_amount", r#""1000000000000000000000000000000000000000000""#), Entry),
    list(Is("/meta/delivered_amount", r#""1.5""#), Entry),
    list(Is("/meta/delivered_amount", r#""-1""#), Entry),
    list(Is("/meta/delivered_amount", "25000000"), Entry),
    list(Is("/meta/delivered_amount", "1e999"), Entry),
    list(Is("/meta/delivered_amount", "[]"), Entry),
    list(Lacks("/meta/delivered_amount"), Entry).of("AccountDelete"),
    list(Is("/meta", "null"), Entry),
    list(Is("/meta", r#""201C0000""#), Entry),
    list(Lacks("/meta"), Entry),
    list(Is("/meta/TransactionResult", "null"), Entry),
    list(Is("/meta/TransactionIndex", "null"), Nothing),
    list(Is("/meta/TransactionIndex", "99999999999"), Nothing),
    list(Is("/meta/AffectedNodes", "null"), Nothing),
    list(Is("/tx/Fee", "null"), Entry),
    list(Is("/tx/Fee", r#""twelve""#), Entry),
    list(Lacks("/tx/Fee"), Entry),
    list(Lacks("/tx/date"), Entry),
    list(Is("/tx/date", r#""2025""#), Entry),
    list(Is("/tx/date", "-1"), Entry),
    list(Is("/tx/DestinationTag", "null"), Entry),
    list(Is("/tx/DestinationTag", r#""495""#), Entry),
    list(Is("/tx/DestinationTag", "4294967296"), Entry),
    list(Is("/tx/SourceTag", "[7]"), Entry),
    list(Is("/tx/Sequence", r#""five""#), Nothing),
    list(Is("/tx/Amount", "1e999"), Nothing),
    list(Is("/tx/Memos", r#"["\ud800"]"#), Nothing),
    list(Lacks("/tx/Destination"), Entry),
    list(Is("/tx/Account", "null"), Entry),
    list(Is("/tx/TransactionType", "null"), Entry),
    list(Is("/tx", "null"), Name),
    list(Is("/tx/hash", "null"), Name),
    list(Is("/tx/hash", r#""\u0000""#), Name),
    list(Is("", "null"), Name),
    list(Is("", r#""E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879""#), Name),
    list(Is("", "[]"), Name),
    list(Is("/tx/ledger_index", "null"), Nothing),
    list(Is("/tx/ledger_index", "4294967295"), Nothing),
    list(Is("/tx/ledger_index", "99999999999"), Nothing),
    list(Is("/validated", "null"), Entry),
    list(Lacks("/validated"), Entry),
    list(Is("/validated", "false"), Answer),
    list(Twice, Nothing),
    list(Reversed, Nothing),
    list(PageOf(1), Nothing),
    list(Late(1_200), Nothing),
    list(Says(503, "Server is overloaded"), Answer),
    list(
        Says(200, r#"{"result":{"status":"success","ledger_index_min":1000,"ledger_index_max":90000100}}"#),
        Answer,
    ),
    list(
        Says(
            200,
            r#"{"result":{"error":"lgrIdxsInvalid","error_message":"Ledger indexes invalid.","status":"error"}}"#,
        ),
        Answer,
    ),
    list(Head("/account", r#""rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY""#), Answer),
    row("server_info", Elsewhere, Answer),
    // Of others nothing needs to be readable.
    list(Is("/meta/delivered_amount", "null"), NotOurs).of("to others"),
    list(Is("/tx/Fee", "null"), NotOurs).of("to others"),
    list(Is("/meta/delivered_amount", "null"), NotOurs).of("failed"),
    list(Is("/tx/Destination", "7"), NotOurs).of("failed"),
    list(Is("/tx/Fee", "null"), NotOurs).of("OfferCreate"),
];
