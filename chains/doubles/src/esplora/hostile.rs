//! Hostile answers of an Esplora server: of Blockstream's electrs and mempool's, which differ in the size of a page, and of what may stand
//! before them. The kind `another address` pays an address of its own, whose whole answer is hostile.

use crate::hostile::Costs::{Answer, Entry, Name, NotOurs, Nothing};
use crate::hostile::Odd::{Head, Is, Lacks, Late, OldestFirst, PageOf, Reversed, Says, Twice, Upper};
use crate::hostile::{COMPRESSED, Costs, Odd, Row, row};

const fn list(odd: Odd, costs: Costs) -> Row {
    row("address", odd, costs)
}

const fn other(odd: Odd) -> Row {
    row("address", odd, Costs::Later).of("another address")
}

/// In all answers about the transaction.
const fn all(odd: Odd, costs: Costs) -> Row {
    row("*", odd, costs)
}

/// A block of another chain, which is longer.
const FAR: &str = r#"{"id":"00000000000000000000000000000000000000000000000000000000000000ff","height":4700000,"timestamp":1700000000}"#;

/// A hash that no block has.
const NO_BLOCK: &str = r#""00000000000000000000000000000000000000000000000000000000000000ff""#;

/// Another one than that of any address.
const SCRIPT: &str = r#""0014751e76e8199196d454941c45d1b3a323f1433bd6""#;

pub static ROWS: &[Row] = &[
    // In the answers about an address only: one that is asked for the transaction by its id is right.
    list(Is("/vout", "null"), Nothing),
    list(Is("/vin", "null"), Nothing),
    list(Is("/vout/0/value", "null"), Nothing),
    list(Is("/status", "null"), Nothing),
    list(Is("/status/block_height", "null"), Nothing),
    list(Is("/fee", "1e999"), Nothing),
    list(Is("/weight", "null"), Nothing),
    list(Is("/locktime", r#""\ud800""#), Nothing),
    list(Is("/vin/0/sequence", "null"), Nothing),
    list(Is("/vin/0/prevout", "7"), Nothing),
    list(Is("/txid", "null"), Name),
    list(Is("/txid", r#""\u0000""#), Name),
    list(Is("", "null"), Name),
    list(Is("", "[]"), Name),
    list(Upper("/txid"), Nothing),
    list(Lacks("/vout/0/scriptpubkey_address"), Nothing),
    list(Is("/vin", "[]"), Nothing),
    list(Is("/status/block_hash", NO_BLOCK), Nothing),
    list(Is("/status/block_time", "1e999"), Nothing),
    list(Twice, Nothing),
    list(Reversed, Nothing),
    list(PageOf(1), Nothing),
    list(OldestFirst(2), Nothing),
    list(OldestFirst(3), Nothing),
    list(Late(1_200), Nothing),
    row("blocks", Says(502, "Bad Gateway"), Answer),
    row("blocks", Says(200, "null"), Answer),
    row("blocks", Says(200, "<html>"), Answer),
    row("blocks", Says(200, COMPRESSED), Answer),
    row("block-height", Says(200, COMPRESSED), Answer),
    other(Says(200, COMPRESSED)),
    row("hex", Says(200, COMPRESSED), Nothing),
    row("block", Head("/height", "-1"), Answer),
    row("block", Head("/height", "0"), Answer),
    row("block", Head("/height", "1"), Answer),
    row("block", Head("/height", "4700000"), Answer),
    row("block", Head("/height", "18446744073709551615"), Answer),
    row("block", Head("/timestamp", "18446744073709551615"), Nothing),
    row("block", Says(404, "Block not found"), Answer),
    row("block", Says(200, "{}"), Answer),
    row("block", Says(200, FAR), Answer),
    row("block-height", Says(502, "Bad Gateway"), Answer),
    row("block-height", Says(200, "<html>"), Answer),
    row("hex", Says(500, ""), Nothing),
    other(Says(400, "Invalid Bitcoin address")),
    other(Says(403, "<html>")),
    other(Says(404, "404 page not found")),
    other(Says(502, "Bad Gateway")),
    other(Says(200, "<html>")),
    other(Says(200, "null")),
    other(Says(200, r#"{"error":"too many history entries"}"#)),
    all(Upper("/txid"), Nothing),
    all(Lacks("/vout/0/scriptpubkey_address"), Entry),
    all(Is("/vout/0/scriptpubkey_address", r#""LTC1QP5WFCQ48H6D63WYY9QZ0AWTPFQWWV4SM6RLS26""#), Entry),
    list(Is("/vout/0/scriptpubkey", SCRIPT), Nothing),
    all(Is("/vout/0/scriptpubkey", SCRIPT), Entry),
    all(Lacks("/vout/0/scriptpubkey"), Nothing),
    all(Is("/vout/0/value", "50000000.0"), Entry),
    all(Is("/vout/0/value", r#""50000000""#), Entry),
    all(Is("/vout/0/value", r#"1,"value":50000000"#), Entry),
    all(Is("/vout", "[]"), Entry),
    all(Is("/vin", "[]"), Entry),
    all(Is("/vin/0/prevout", "null"), Nothing),
    all(Is("/status/block_hash", NO_BLOCK), Entry),
    all(Is("/status/block_height", r#""7""#), Entry),
    // Of a block that is far below the last one.
    all(Is("/status/block_height", "1"), Entry),
    list(Is("/status/block_height", "1"), Nothing),
    all(Lacks("/status/block_time"), Nothing),
    all(Is("/status/block_time", r#""noon""#), Nothing),
    all(Is("/vin/0/is_coinbase", "false"), NotOurs).of("mined"),
    all(Lacks("/vin/0/is_coinbase"), NotOurs).of("mined"),
    all(Is("/vout", "null"), Entry),
    all(Lacks("/vout"), Entry),
    all(Is("/vout/0", "null"), Entry),
    all(Is("/vout/0/value", "null"), Entry),
    all(Lacks("/vout/0/value"), Entry),
    all(Is("/vout/0/value", "18446744073709551616"), Entry),
    all(Is("/vout/0/value", "18446744073709551615"), Entry),
    all(Is("/vout/0/value", "-1"), Entry),
    all(Is("/vout/0/scriptpubkey_address", "7"), Entry),
    all(Is("/vin", "null"), Entry),
    all(Is("/vin/0", "null"), Entry),
    all(Is("/vin/0/is_coinbase", "null"), Entry),
    all(Is("/status", "null"), Entry),
    all(Is("/status/confirmed", "null"), Entry),
    all(Is("/status/block_height", "null"), Entry),
    all(Is("/status/block_height", "18446744073709551615"), Entry),
    all(Is("/status/block_hash", "null"), Entry),
];
