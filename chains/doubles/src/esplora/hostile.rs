//! Hostile answers of an Esplora server: of Blockstream's electrs and mempool's, which differ in the size of a page, and of what may stand
//! before them. The kind `another address` pays an address of its own, whose whole answer is hostile.

use crate::hostile::Costs::{Answer, Entry, Name, Nothing};
use crate::hostile::Odd::{Is, Lacks, Late, PageOf, Reversed, Says, Twice};
use crate::hostile::{Costs, Odd, Row, row};

const fn list(odd: Odd, costs: Costs) -> Row {
    row("address", odd, costs)
}

const fn other(odd: Odd) -> Row {
    row("address", odd, Costs::Later).of("another address")
}

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
    list(Twice, Nothing),
    list(Reversed, Nothing),
    list(PageOf(1), Nothing),
    list(Late(1_200), Nothing),
    row("blocks", Says(502, "Bad Gateway"), Answer),
    row("blocks", Says(200, "null"), Answer),
    other(Says(400, "Invalid Bitcoin address")),
    other(Says(502, "Bad Gateway")),
    other(Says(200, "<html>")),
    other(Says(200, "null")),
    other(Says(200, r#"{"error":"too many history entries"}"#)),
    // In all answers about the transaction.
    row("*", Is("/vout", "null"), Entry),
    row("*", Lacks("/vout"), Entry),
    row("*", Is("/vout/0", "null"), Entry),
    row("*", Is("/vout/0/value", "null"), Entry),
    row("*", Lacks("/vout/0/value"), Entry),
    row("*", Is("/vout/0/value", "18446744073709551616"), Entry),
    row("*", Is("/vout/0/value", "18446744073709551615"), Entry),
    row("*", Is("/vout/0/value", "-1"), Entry),
    row("*", Is("/vout/0/scriptpubkey_address", "7"), Entry),
    row("*", Is("/vin", "null"), Entry),
    row("*", Is("/vin/0", "null"), Entry),
    row("*", Is("/vin/0/is_coinbase", "null"), Entry),
    row("*", Is("/status", "null"), Entry),
    row("*", Is("/status/confirmed", "null"), Entry),
    row("*", Is("/status/block_height", "null"), Entry),
    row("*", Is("/status/block_height", "18446744073709551615"), Entry),
    row("*", Is("/status/block_hash", "null"), Entry),
];
