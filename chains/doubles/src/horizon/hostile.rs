//! Hostile answers of Horizon. `asset_balance_changes` is null where Horizon 23 has none
//! (`services/horizon/internal/resourceadapter/operations.go`: a slice that was never made); the other rows are of what may stand before it.

use crate::hostile::Costs::{Answer, Entry, Name, NotOurs, Nothing};
use crate::hostile::Odd::{Elsewhere, Is, Lacks, Late, PageOf, Reversed, Says, Twice};
use crate::hostile::{Costs, Odd, Row, row};

const fn list(odd: Odd, costs: Costs) -> Row {
    row("payments", odd, costs)
}

const fn merged(odd: Odd, costs: Costs) -> Row {
    row("effects", odd, costs).of("account_merge")
}

const AMOUNT: &str = "/amount";
const CHANGE: &str = "/asset_balance_changes/0";

pub static ROWS: &[Row] = &[
    list(Is(AMOUNT, "null"), Entry),
    list(Lacks(AMOUNT), Entry),
    list(Is(AMOUNT, "2.5"), Entry),
    list(Is(AMOUNT, r#""-2.5""#), Entry),
    list(Is(AMOUNT, r#""1e3""#), Entry),
    list(Is(AMOUNT, r#""0.00000001""#), Entry),
    list(Is(AMOUNT, r#""922337203685.4775808""#), Entry),
    list(Is("/asset_type", "null"), Entry),
    list(Is("/type", "null"), Entry),
    list(Is("/type", r#""payment_by_moon""#), Entry),
    list(Is("/transaction_successful", "null"), Entry),
    list(Is("/from", "null"), Entry),
    list(Is("/from", r#""""#), Entry),
    list(Is("/to", "7"), Entry),
    list(Is("/to_muxed_id", "null"), Entry),
    list(Is("/to_muxed_id", r#""7e3""#), Entry),
    list(Is("/from_muxed_id", "[]"), Entry),
    list(Is("/created_at", r#""yesterday""#), Entry),
    list(Is("/transaction", "null"), Entry),
    list(Lacks("/transaction"), Entry),
    list(Is("/transaction/memo_type", "null"), Entry),
    list(Is("/transaction/memo_type", r#""song""#), Entry),
    list(Is("/transaction/memo", "null"), Entry),
    list(Lacks("/transaction/memo"), Entry),
    list(Is("/transaction/memo", r#""18446744073709551616""#), Entry),
    list(Is("/transaction/memo_type", r#""hash""#), Entry),
    list(Is("/transaction/fee_charged", r#""free""#), Entry),
    list(Is("/transaction/fee_charged", "1e999"), Entry),
    list(Is("/transaction/memo_bytes", r#""\ud800""#), Nothing),
    list(Is("/id", "null"), Nothing),
    list(Is("/paging_token", "null"), Nothing),
    list(Is("/paging_token", r#""18446744073709551615""#), Entry),
    list(Is("/paging_token", r#""1""#), Entry),
    list(Is("/paging_token", r#""now""#), Nothing),
    list(Is("/transaction_hash", "null"), Name),
    list(Is("/transaction_hash", r#""\u0000""#), Name),
    list(Is("", "null"), Name),
    list(Is("", r#""payment""#), Name),
    list(Is("/asset_balance_changes", "null"), Entry).of("invoke_host_function"),
    list(Lacks("/asset_balance_changes"), Entry).of("invoke_host_function"),
    list(Is(CHANGE, "null"), Entry).of("invoke_host_function"),
    list(Is("/asset_balance_changes/0/amount", "null"), Entry).of("invoke_host_function"),
    list(Is("/asset_balance_changes/0/to", "null"), Entry).of("invoke_host_function"),
    list(Is("/asset_balance_changes/0/type", r#""gift""#), Entry).of("invoke_host_function"),
    list(Is("/starting_balance", "null"), Entry).of("create_account"),
    list(Is("/into", "null"), Entry).of("account_merge"),
    merged(Says(200, r#"{"_embedded":{"records":[]}}"#), Entry),
    merged(Says(200, r#"{"_embedded":{"records":null}}"#), Entry),
    merged(Says(200, r#"{"_embedded":{"records":[null,{"type":"account_credited"}]}}"#), Entry),
    merged(Says(404, r#"{"title":"Resource Missing","status":404}"#), Entry),
    merged(Says(500, r#"{"title":"Internal Server Error","status":500}"#), Entry),
    merged(PageOf(1), Nothing),
    list(Twice, Nothing),
    list(Reversed, Nothing),
    list(PageOf(1), Nothing),
    list(Late(1_200), Nothing),
    list(Says(503, r#"{"title":"Historical DB Is Too Stale","status":503}"#), Answer),
    list(Says(200, r#"{"_embedded":{"records":null}}"#), Answer),
    list(Says(200, r#"{"_embedded":{"records":[{"paging_token":"1","id":"1","type":"payment"}]}}"#), Answer),
    row("root", Elsewhere, Answer),
    list(Is(AMOUNT, "null"), NotOurs).of("to others"),
    list(Is("/transaction", "null"), NotOurs).of("to others"),
    list(Is(AMOUNT, "null"), NotOurs).of("another asset"),
    list(Is("/to", "null"), NotOurs).of("failed"),
    list(Is("/created_at", "null"), NotOurs).of("manage_data"),
];
