//! Hostile answers of TronGrid. JSON made from protocol buffers leaves out what is empty; a proxy that writes null instead, or another server
//! behind the same URL, is what most rows are of.

use crate::hostile::Costs::{Answer, Entry, Later, NotOurs, Nothing};
use crate::hostile::Odd::{Is, Lacks, Late, LeftOut, PageOf, Reversed, Says, Twice};
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

pub static ROWS: &[Row] = &[
    list(LeftOut, Nothing),
    list(Is("", "null"), Nothing),
    list(Is("", "[]"), Nothing),
    list(Is("/id", "null"), Nothing),
    list(Is("/blockNumber", "null"), Nothing),
    list(Is("/blockNumber", "7"), Nothing),
    list(Is("/log", "null"), Nothing),
    list(Is("/log/0", "null"), Nothing),
    list(Is("/fee", "1e999"), Nothing),
    list(Is("/receipt", "null"), Nothing),
    list(Twice, Nothing),
    list(Reversed, Nothing),
    list(Late(1_200), Nothing),
    list(Says(200, "[]"), Nothing),
    list(Says(200, "null"), Nothing),
    list(Says(200, r#"{"Error":"class java.lang.NullPointerException : null"}"#), Nothing),
    list(Says(503, "upstream unavailable"), Answer),
    blocks(Is("", "null"), Nothing),
    blocks(Is("/txID", "null"), Nothing),
    blocks(Is("/raw_data", "1e999"), Nothing),
    blocks(LeftOut, Entry),
    blocks(Twice, Nothing),
    blocks(Reversed, Nothing),
    blocks(PageOf(1), Nothing),
    blocks(Says(200, r#"{"block":null}"#), Answer),
    all(Is("/log", "null"), Entry),
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
    all(Is("/receipt", "null"), Entry),
    all(Is("/receipt/result", "null"), Entry),
    all(Lacks("/receipt/result"), Entry),
    all(Is("/result", "null"), Entry),
    all(Is("/fee", "-1"), Entry),
    all(Is("/blockTimeStamp", "null"), Entry),
    row("gettransactioninfobyid", Says(200, "{}"), Later),
    row(
        "gettransactioninfobyid",
        Says(200, r#"{"Error":"class java.lang.NullPointerException : null"}"#),
        Later,
    ),
    row("gettransactioninfobyid", Is("/blockNumber", "7"), Later),
    all(Is("/log/0/data", "null"), NotOurs).of("to others"),
    all(Is("/log/0/topics/1", "null"), NotOurs).of("to others"),
    all(Is("/log/0/topics", "null"), NotOurs).of("another token"),
    all(Is("/log/0/data", "null"), NotOurs).of("failed"),
    all(Is("/log", "null"), NotOurs).of("failed"),
    all(Is("/fee", "null"), NotOurs).of("without a log"),
];
