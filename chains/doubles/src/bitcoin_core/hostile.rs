//! Hostile answers of a node: of Bitcoin Core and its relatives no such answer is known, and a node of another age, or what stands before it,
//! can give them.

use crate::hostile::Costs::{Answer, Entry, Name, Nothing};
use crate::hostile::Odd::{Is, Lacks, Late, Reversed, Says, Twice};
use crate::hostile::{Costs, Odd, Row, row};

/// In the list of the wallet only: a transaction that is asked for by its id is right.
const fn list(odd: Odd, costs: Costs) -> Row {
    row("listsinceblock", odd, costs)
}

pub static ROWS: &[Row] = &[
    list(Is("", "null"), Name),
    list(Is("", r#""receive""#), Name),
    list(Is("/txid", "null"), Name),
    list(Is("/txid", r#""\u0000""#), Name),
    list(Is("/category", "null"), Nothing),
    list(Lacks("/category"), Nothing),
    list(Is("/category", r#""gift""#), Nothing),
    list(Is("/address", "null"), Nothing),
    list(Is("/address", r#""moon""#), Nothing),
    list(Is("/address", "7"), Nothing),
    list(Is("/vout", "null"), Nothing),
    list(Lacks("/vout"), Nothing),
    list(Is("/vout", "-1"), Nothing),
    list(Is("/amount", "null"), Nothing),
    list(Lacks("/amount"), Nothing),
    list(Is("/amount", r#""0.5""#), Nothing),
    list(Is("/amount", "-0.5"), Nothing),
    list(Is("/amount", "1e999"), Nothing),
    list(Is("/confirmations", "null"), Nothing),
    list(Lacks("/confirmations"), Nothing),
    list(Is("/time", "null"), Nothing),
    list(Is("/bip125-replaceable", "7"), Nothing),
    list(Is("/label", r#""\ud800""#), Nothing),
    list(Twice, Nothing),
    list(Reversed, Nothing),
    list(Late(1_200), Nothing),
    list(Says(503, "Work queue depth exceeded"), Answer),
    list(Says(200, r#"{"result":null,"error":null,"id":1}"#), Answer),
    list(
        Says(200, r#"{"result":{"transactions":null,"removed":[],"lastblock":"00"},"error":null,"id":1}"#),
        Answer,
    ),
    list(
        Says(
            500,
            r#"{"result":null,"error":{"code":-18,"message":"Requested wallet does not exist"},"id":1}"#,
        ),
        Answer,
    ),
    row("gettransaction", Is("/hex", "null"), Entry),
    row("gettransaction", Lacks("/hex"), Entry),
    row("gettransaction", Is("/confirmations", "null"), Entry),
    row("gettransaction", Is("/details", "null"), Nothing),
    row(
        "gettransaction",
        Says(500, r#"{"result":null,"error":{"code":-32603,"message":"?"},"id":1}"#),
        Entry,
    ),
    row("gettransaction", Says(200, r#"{"result":null,"error":null,"id":1}"#), Entry),
    row("decoderawtransaction", Is("/vin", "null"), Entry),
    row("decoderawtransaction", Is("/vin/0", "null"), Entry),
    row("decoderawtransaction", Is("/vout/0", "7"), Entry),
    // In all answers about the transaction.
    row("*", Is("/confirmations", "null"), Entry),
    row("*", Is("/confirmations", r#""one""#), Entry),
];
