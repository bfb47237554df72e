//! Hostile answers of a node: of Bitcoin Core and its relatives no such answer is known, and a node of another age, or what stands before it,
//! can give them.

use crate::hostile::Costs::{Answer, Entry, Name, NotOurs, Nothing};
use crate::hostile::Odd::{Beside, Head, Id, Is, Lacks, Late, Reversed, Says, Twice, Upper};
use crate::hostile::{COMPRESSED, Costs, Odd, Row, row};

/// In the list of the wallet only: a transaction that is asked for by its id is right.
const fn list(odd: Odd, costs: Costs) -> Row {
    row("listsinceblock", odd, costs)
}

/// A hash that nothing has.
const UNKNOWN: &str = r#""00000000000000000000000000000000000000000000000000000000000000ff""#;
const LOWEST: &str = "-9223372036854775808";

/// Another one than that of any address.
const SCRIPT: &str = r#""0014751e76e8199196d454941c45d1b3a323f1433bd6""#;

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
    list(Upper("/txid"), Nothing),
    list(Is("/category", r#""send""#), Nothing),
    list(Is("/address", r#""rltc1qjzgwzugce3mqfvn2cdq8wt8drz50mf6j08yurm""#), Nothing),
    list(Is("/vout", "5"), Nothing),
    list(Is("/amount", "0.7"), Nothing),
    list(Is("/amount", "0.500000001"), Nothing),
    list(Is("/amount", "5e-1"), Nothing),
    list(Is("/confirmations", "-1"), Nothing),
    list(Is("/confirmations", LOWEST), Nothing),
    list(Is("/category", r#""receive""#), NotOurs).of("mined"),
    list(Is("/category", r#""hogex""#), NotOurs).of("mined"),
    list(Beside("/removed", "null"), Nothing),
    list(Beside("/removed", "[null,7]"), Nothing),
    list(Beside("/lastblock", "null"), Answer),
    list(Beside("/lastblock", UNKNOWN), Answer),
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
    list(
        Says(
            200,
            r#"{"jsonrpc":"2.0","error":{"code":-4,"message":"Wallet is currently rescanning."},"id":1}"#,
        ),
        Answer,
    ),
    row(
        "getblockheader",
        Says(500, r#"{"result":null,"error":{"code":-5,"message":"Block not found"},"id":1}"#),
        Answer,
    ),
    row(
        "getrawtransaction",
        Says(
            500,
            r#"{"result":null,"error":{"code":-1,"message":"Block not available (pruned data)"},"id":1}"#,
        ),
        Nothing,
    ),
    row("gettransaction", Says(502, "Bad Gateway"), Entry),
    list(Says(200, COMPRESSED), Answer),
    row("gettransaction", Says(200, COMPRESSED), Entry),
    row("getblockheader", Head("/height", "18446744073709551615"), Answer),
    row("getblockheader", Head("/height", "-1"), Answer),
    row("gettransaction", Is("/txid", UNKNOWN), Entry),
    row("decoderawtransaction", Is("/txid", UNKNOWN), Entry),
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
    row("decoderawtransaction", Is("/vout/0/value", "5e-1"), Nothing),
    row("decoderawtransaction", Is("/vout/0/scriptPubKey/hex", SCRIPT), Entry),
    row("decoderawtransaction", Lacks("/vout/0/scriptPubKey/addresses"), Nothing),
    // A proxy that gives the answer to another request.
    list(Id("7"), Answer),
    list(Id(r#""listsinceblock""#), Answer),
    list(Id("null"), Answer),
    row("getblockheader", Id("7"), Answer),
    row("gettransaction", Id("7"), Entry),
    row("gettransaction", Id("null"), Entry),
    row("gettransaction", Says(200, r#"{"result":null,"error":{"code":-5,"message":"?"},"id":7}"#), Entry),
    row(
        "gettransaction",
        Says(200, r#"{"result":null,"error":{"code":-32603,"message":"?"},"id":null}"#),
        Entry,
    ),
    row("decoderawtransaction", Is("/vin", "null"), Entry),
    row("decoderawtransaction", Is("/vin/0", "null"), Entry),
    row("decoderawtransaction", Is("/vout/0", "7"), Entry),
    // In all answers about the transaction.
    row("*", Is("/confirmations", "null"), Entry),
    row("*", Is("/confirmations", r#""one""#), Entry),
    row("*", Is("/confirmations", LOWEST), NotOurs),
    row("*", Upper("/txid"), Nothing),
];
