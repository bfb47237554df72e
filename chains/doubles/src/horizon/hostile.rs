//! Hostile answers of Horizon. `asset_balance_changes` is null where Horizon 23 has none
//! (`services/horizon/internal/resourceadapter/operations.go`: a slice that was never made); the other rows are of what may stand before it.

use crate::hostile::Costs::{Answer, Entry, Name, NotOurs, Nothing};
use crate::hostile::Odd::{Elsewhere, Head, Is, Lacks, Late, PageOf, Reversed, Says, Twice, TwiceBut};
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
    list(Is(AMOUNT, r#""2,5""#), Entry),
    list(Is(AMOUNT, r#""2.50000000""#), Entry),
    list(Is(AMOUNT, r#""+2.5""#), Entry),
    list(Is(AMOUNT, r#""0""#), Entry),
    list(Is(AMOUNT, r#""2.5","amount":"9""#), Entry),
    list(Is("/asset_type", "null"), Entry),
    list(Is("/asset_type", r#""""#), Entry),
    list(Is("/asset_type", r#""XLM""#), Entry),
    list(Is("/asset_issuer", r#""GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ""#), Entry),
    list(Is("/type", "null"), Entry),
    list(Is("/type", r#""payment_by_moon""#), Entry),
    list(Is("/transaction_successful", "null"), Entry),
    list(Is("/transaction_successful", r#""true""#), Entry),
    list(Is("/transaction/successful", "false"), Entry),
    list(Lacks("/transaction_successful"), Entry).of("invoke_host_function"),
    list(Is("/from", "null"), Entry),
    list(Is("/from", r#""""#), Entry),
    list(Is("/to", "7"), Entry),
    list(Is("/to", r#""""#), Entry),
    list(Is("/to", r#""MDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYAAAAAAAAAAB5676E""#), Entry),
    list(
        Is(
            "/asset_balance_changes/0/to",
            r#""MDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYAAAAAAAAAAB5676E""#,
        ),
        Entry,
    )
    .of("invoke_host_function"),
    list(Is("/asset_balance_changes/0/asset_type", r#""""#), Entry).of("invoke_host_function"),
    list(Is("/asset_balance_changes/0/destination_muxed_id", r#""song""#), Entry).of("invoke_host_function"),
    list(Is("/to_muxed_id", "null"), Entry),
    list(Is("/to_muxed_id", r#""7e3""#), Entry),
    list(Is("/from_muxed_id", "[]"), Entry),
    list(Is("/created_at", r#""yesterday""#), Entry),
    list(Is("/transaction", "null"), Entry),
    list(Lacks("/transaction"), Entry),
    list(Is("/transaction/memo_type", "null"), Entry),
    list(Is("/transaction/memo_type", r#""song""#), Entry),
    list(Is("/transaction/memo_type", r#""none""#), Entry),
    list(Is("/transaction/memo_type", r#""text","memo_bytes":"Nzc=""#), Entry),
    list(Is("/transaction/memo", "495"), Entry),
    list(Is("/transaction/memo", "null"), Entry),
    list(Lacks("/transaction/memo"), Entry),
    list(Is("/transaction/memo", r#""18446744073709551616""#), Entry),
    list(Is("/transaction/memo_type", r#""hash""#), Entry),
    list(Is("/transaction/fee_charged", r#""free""#), Entry),
    list(Is("/transaction/fee_charged", "1e999"), Entry),
    list(Is("/transaction/memo_bytes", r#""\ud800""#), Nothing),
    list(Is("/transaction/envelope_xdr", "\"\u{F8FF}\""), Nothing),
    list(Is("/id", "null"), Nothing),
    // A number of its own, far behind, as the token is not readable.
    list(Is("/id", r#""214749000000000001","paging_token":7"#), Entry),
    list(Is("/paging_token", "7"), Nothing),
    list(Is("/paging_token", "null"), Nothing),
    list(Is("/paging_token", r#""18446744073709551615""#), Entry),
    list(Is("/paging_token", r#""1""#), Entry),
    list(Is("/paging_token", r#""now""#), Nothing),
    list(Is("/transaction_hash", "null"), Name),
    list(
        Is("/transaction_hash", r#""e3fe6ea3d48f0c2b639448020ea4f03d4f4f8ffdb243a852a0f59177921b4879""#),
        Name,
    ),
    list(
        Is(
            "/transaction/fee_bump_transaction",
            r#"{"hash":"e3fe6ea3d48f0c2b639448020ea4f03d4f4f8ffdb243a852a0f59177921b4879"}"#,
        ),
        Name,
    ),
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
    // Of another operation.
    merged(
        Says(
            200,
            r#"{"_embedded":{"records":[{"paging_token":"5-1","type":"account_credited","asset_type":"native",
        "account":"GDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYQ6M","amount":"9.0"}]}}"#,
        ),
        Entry,
    ),
    merged(PageOf(1), Nothing),
    list(Twice, Nothing),
    list(TwiceBut("/amount", r#""1""#), Entry),
    list(TwiceBut("/transaction_successful", "false"), Entry),
    list(Reversed, Nothing),
    list(PageOf(1), Nothing),
    list(Late(1_200), Nothing),
    list(Says(503, r#"{"title":"Historical DB Is Too Stale","status":503}"#), Answer),
    list(Says(200, r#"{"_embedded":{"records":null}}"#), Answer),
    list(Says(200, r#"{"_embedded":{"records":[{"paging_token":"1","id":"1","type":"payment"}]}}"#), Answer),
    list(Says(404, r#"{"title":"Resource Missing","status":404}"#), Answer),
    list(Says(410, r#"{"title":"Data Requested Is Before Recorded History","status":410}"#), Answer),
    list(Says(302, ""), Answer),
    list(Says(200, "<html><title>Just a moment...</title>"), Answer),
    // Of another account.
    list(
        Says(
            200,
            r#"{"_embedded":{"records":[{"paging_token":"214748373389938689","id":"214748373389938689","type":"payment",
        "transaction_successful":true,"asset_type":"native","amount":"9.0",
        "from":"GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
        "to":"GCKFBEIYV2U22IO2BJ4KVJOIP7XPWQGQFKKWXR6DOSJBV7STMAQSMTGG"}]}}"#,
        ),
        Answer,
    ),
    list(Head("/_links", r#"{"next":{"href":"http://127.0.0.1:1/"}}"#), Nothing),
    row("root", Elsewhere, Answer),
    row("root", Head("/network_passphrase", "null"), Answer),
    row("root", Head("/history_elder_ledger", "50000002"), Answer),
    row("root", Head("/history_latest_ledger", "4294967295"), Nothing),
    row("root", Head("/current_protocol_version", "null"), Nothing),
    list(Is(AMOUNT, "null"), NotOurs).of("to others"),
    list(Is("/transaction", "null"), NotOurs).of("to others"),
    list(Is(AMOUNT, "null"), NotOurs).of("another asset"),
    list(Is("/to", "null"), NotOurs).of("failed"),
    list(Is("/created_at", "null"), NotOurs).of("manage_data"),
];
