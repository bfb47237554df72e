//! Answers in the original's form: without what segregated witness, replacement by fee and descriptors brought to other nodes.

use serde_json::{Map, Value, json};

const VERSION: &str = "/Bitcoin Cash Node:28.0.1(EB32.0)/";

/// Fields that no answer has.
const ABSENT: [&str; 9] = [
    "bip125-replaceable",
    "descriptors",
    "hash",
    "incrementalfee",
    "ismweb",
    "scanning",
    "txinwitness",
    "vsize",
    "weight",
];

pub(super) fn form(method: &str, answer: Value) -> Value {
    match method {
        // `entryToJSON`
        "getmempoolentry" => json!({
            "fees": {"base": answer["fees"]["base"], "modified": answer["fees"]["modified"]},
            "size": answer["vsize"], "time": answer["time"],
            "depends": answer["depends"], "spentby": answer["spentby"],
        }),
        "getnetworkinfo" => {
            let mut answer = without(answer, &ABSENT);
            answer["subversion"] = json!(VERSION);
            answer
        }
        // Here `hash` is that of the block.
        "getblockheader" => answer,
        _ => without(answer, &ABSENT),
    }
}

fn without(value: Value, absent: &[&str]) -> Value {
    match value {
        Value::Array(list) => list.into_iter().map(|item| without(item, absent)).collect(),
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| !absent.contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name, without(value, absent))).collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// `FormatStateMessage` adds the code of `src/consensus/validation.h`.
pub(super) fn words(message: &str) -> String {
    match message {
        "bad-txns-inputs-missingorspent" => "Missing inputs".to_owned(),
        "txn-mempool-conflict" => "txn-mempool-conflict (code 18)".to_owned(),
        "Transaction already in block chain" => "transaction already in block chain".to_owned(),
        other => other.to_owned(),
    }
}
