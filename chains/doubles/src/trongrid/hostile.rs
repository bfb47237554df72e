//! Hostile answers of TronGrid. JSON made from protocol buffers leaves out what is empty; a proxy that writes null instead, or another server
//! behind the same URL, is what most rows are of.

use crate::hostile::Costs::{Answer, Entry, Later, NotOurs, Nothing};
use crate::hostile::Odd::{Beside, Elsewhere, Head, Is, Lacks, Late, LeftOut, PageOf, Reversed, Says, Twice};
use crate::hostile::{Costs, Odd, Row, row};

/// In the list of a block only: a transaction that is asked for by its id is right.
const fn list(odd: Odd, costs: Costs) -> Row {
    row("gettransactioninfobyblocknum", odd, costs)
}

const fn blocks(odd: Odd, costs: Costs) -> Row {
    row("getblockbylimitnext", odd, costs)
}

/// In all answers about the transaction.
const fn all(odd: Odd, costs: Costs) -> Row {
    row("*", odd, costs)
}

/// A name that is there twice.
const TWO_AMOUNTS: &str = r#""0000000000000000000000000000000000000000000000000000000000000007","data":"0000000000000000000000000000000000000000000000000000000000000005""#;
const PREFIXED: &str = r#""0x0000000000000000000000000000000000000000000000000000000000000005""#;

pub static ROWS: &[Row] = &[
    list(LeftOut, Nothing),
    list(Is("", "null"), Nothing),
    list(Is("", "[]"), Nothing),
    list(Is("/id", "null"), Nothing),
    list(Is("/blockNumber", "null"), Nothing),
    list(Is("/blockNumber", "7"), Nothing),
    list(Is("/log", "null"), Nothing),
    list(Lacks("/log"), Nothing),
    list(Is("/log", "[]"), Nothing),
    list(Is("/log/0", "null"), Nothing),
    list(Is("/fee", "1e999"), Nothing),
    list(Is("/receipt", "null"), Nothing),
    list(Twice, Nothing),
    list(Reversed, Nothing),
    list(Late(1_200), Nothing),
    list(Says(200, "[]"), Nothing),
    list(Says(200, "null"), Nothing),
    list(Says(200, r#"{"Error":"class java.lang.NullPointerException : null"}"#), Nothing),
    list(Says(200, r#"[{"id":"#), Nothing),
    list(Says(500, "Internal Server Error"), Nothing),
    list(Says(503, "upstream unavailable"), Nothing),
    list(Says(404, "<html>"), Nothing),
    list(Elsewhere, Nothing),
    list(Is("/log/0/data", TWO_AMOUNTS), Nothing),
    blocks(Is("", "null"), Nothing),
    blocks(Is("/txID", "null"), Nothing),
    blocks(Is("/raw_data", "1e999"), Nothing),
    blocks(LeftOut, Entry),
    blocks(Twice, Nothing),
    blocks(Reversed, Nothing),
    blocks(PageOf(1), Nothing),
    blocks(Lacks("/ret"), Nothing),
    blocks(Is("/ret", r#"[{"contractRet":7}]"#), Nothing),
    blocks(Beside("/block_header/raw_data/timestamp", "null"), Nothing),
    blocks(Beside("/block_header/raw_data/txTrieRoot", "7"), Nothing),
    blocks(Beside("/transactions", "[]"), Answer),
    blocks(Beside("/transactions", "null"), Answer),
    blocks(Beside("/blockID", "null"), Answer),
    blocks(Beside("/block_header/raw_data/number", "7"), Answer),
    blocks(Says(200, r#"{"block":null}"#), Answer),
    blocks(Says(200, r#"{"error":{"code":-32000,"message":"?"}}"#), Answer),
    all(Is("/log", "null"), Entry),
    all(Lacks("/log"), Entry),
    all(Is("/log", "[]"), Entry),
    all(Is("/log/0", "7"), Entry),
    all(Is("/log/0/address", "null"), Entry),
    all(Lacks("/log/0/topics"), Entry),
    all(Is("/log/0/topics", "null"), Entry),
    all(
        Is("/log/0/topics", r#"["ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"]"#),
        Entry,
    ),
    all(Is("/log/0/topics/2", "null"), Entry),
    all(Is("/log/0/topics/1", r#""00""#), Entry),
    all(Lacks("/log/0/data"), Entry),
    all(Is("/log/0/data", r#""00""#), Entry),
    all(Is("/log/0/data", r#""ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff""#), Entry),
    all(Is("/log/0/data", TWO_AMOUNTS), Entry),
    all(Is("/log/0/data", "5"), Entry),
    all(Is("/log/0/data", r#""5""#), Entry),
    all(Is("/log/0/data", PREFIXED), Nothing),
    all(Is("/log/0/address", r#""0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c""#), Nothing),
    all(Is("/log/0/address", r#""TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t""#), Nothing),
    all(Is("/receipt", "null"), Entry),
    all(Is("/receipt/result", r#""success""#), Entry),
    all(Is("/receipt/result", r#""DEFAULT""#), Entry),
    all(Is("/receipt/result", r#""""#), Entry),
    all(Is("/receipt/result", "1"), Entry),
    all(Is("/receipt/result", r#""SUCCESS","result":"REVERT""#), Entry),
    all(Is("/receipt/result", "null"), Entry),
    all(Lacks("/receipt/result"), Entry),
    all(Is("/result", "null"), Entry),
    all(Is("/result", r#""SUCESS""#), Nothing),
    all(Is("/result", r#""FAILED""#), Entry),
    all(Is("/result", r#""""#), Entry),
    all(Is("/fee", "-1"), Entry),
    all(Is("/blockTimeStamp", "null"), Entry),
    row("gettransactioninfobyid", Says(200, "{}"), Later),
    row(
        "gettransactioninfobyid",
        Says(200, r#"{"Error":"class java.lang.NullPointerException : null"}"#),
        Later,
    ),
    row("gettransactioninfobyid", Is("/blockNumber", "7"), Later),
    row("gettransactioninfobyid", Says(500, "Internal Server Error"), Later),
    row("gettransactioninfobyid", Says(504, "<html>"), Later),
    row("getblock", Says(200, "{}"), Answer),
    row("getblock", Says(502, "Bad Gateway"), Answer),
    row("getblock", Head("/block_header/raw_data/number", "80000000"), Answer),
    row("getblock", Head("/block_header/raw_data/number", "7"), Answer),
    all(Is("/log/0/data", "null"), NotOurs).of("to others"),
    all(Is("/log/0/topics/1", "null"), NotOurs).of("to others"),
    all(Is("/log/0/topics", "null"), NotOurs).of("another token"),
    all(Is("/log/0/data", "null"), NotOurs).of("failed"),
    all(Is("/log", "null"), NotOurs).of("failed"),
    all(Lacks("/log"), NotOurs).of("to others"),
    all(Lacks("/log"), NotOurs).of("another token"),
    all(Lacks("/log"), NotOurs).of("failed"),
    all(Is("/fee", "null"), NotOurs).of("without a log"),
];
