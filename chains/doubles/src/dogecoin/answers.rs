//! Answers in the original's form: with no field that it lacks.

use serde_json::{Map, Value, json};

/// `FormatSubVersion` of `src/clientversion.cpp`.
const VERSION: &str = "/Shibetoshi:1.14.9/";

/// The fields of answers, and of objects in them.
const FIELDS: [&str; 104] = [
    "abandoned",
    "address",
    "addresses",
    "after",
    "amount",
    "ancestorcount",
    "ancestorfees",
    "ancestorsize",
    "asm",
    "balance",
    "before",
    "bestblock",
    "bestblockhash",
    "bip125-replaceable",
    "bits",
    "blockhash",
    "blockindex",
    "blocks",
    "blocks_scanned",
    "blocktime",
    "category",
    "chain",
    "chainwork",
    "changepos",
    "code",
    "coinbase",
    "complete",
    "confirmations",
    "connections",
    "depends",
    "descendantcount",
    "descendantfees",
    "descendantsize",
    "details",
    "difficulty",
    "error",
    "errors",
    "fee",
    "feerate",
    "generated",
    "hash",
    "headers",
    "height",
    "hex",
    "immature_balance",
    "incrementalfee",
    "initialblockdownload",
    "involvesWatchonly",
    "ismine",
    "isscript",
    "isvalid",
    "iswatchonly",
    "keypoololdest",
    "keypoolsize",
    "label",
    "lastblock",
    "localaddresses",
    "localrelay",
    "localservices",
    "locktime",
    "mediantime",
    "merkleroot",
    "message",
    "modifiedfee",
    "n",
    "networkactive",
    "networks",
    "nextblockhash",
    "nonce",
    "paytxfee",
    "previousblockhash",
    "protocolversion",
    "pruned",
    "pruneheight",
    "relayfee",
    "reqSigs",
    "scriptPubKey",
    "scriptSig",
    "sequence",
    "size",
    "size_on_disk",
    "subversion",
    "success",
    "time",
    "time_elapsed",
    "timeoffset",
    "timereceived",
    "transactions",
    "trusted",
    "txcount",
    "txid",
    "type",
    "unconfirmed_balance",
    "unlocked_until",
    "value",
    "verificationprogress",
    "version",
    "versionHex",
    "vin",
    "vout",
    "vsize",
    "walletconflicts",
    "walletversion",
    "warnings",
];

pub(super) fn form(method: &str, mut answer: Value) -> Value {
    match method {
        // `mempoolInfoToJSON`: there is no minimum before the memory pool is full.
        "getmempoolinfo" => json!({
            "size": answer["size"], "bytes": answer["bytes"], "usage": answer["usage"],
            "maxmempool": answer["maxmempool"], "mempoolminfee": 0.0,
        }),
        // `entryToJSON`
        "getmempoolentry" => {
            answer["size"] = answer["vsize"].clone();
            known(answer, &["vsize"])
        }
        "getnetworkinfo" => {
            let mut answer = known(answer, &[]);
            answer["subversion"] = json!(VERSION);
            answer["relayfee"] = json!(0.001);
            answer["incrementalfee"] = json!(0.0001);
            answer
        }
        _ => known(answer, &[]),
    }
}

fn known(value: Value, absent: &[&str]) -> Value {
    let is_known = |name: &str| FIELDS.contains(&name) && !absent.contains(&name);
    match value {
        Value::Array(list) => list.into_iter().map(|item| known(item, absent)).collect(),
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| is_known(name));
            Value::Object(kept.map(|(name, value)| (name, known(value, absent))).collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// `sendrawtransaction` has the number of `src/consensus/validation.h` and `src/validation.h` before a reason, and no more after it.
pub(super) fn words(code: i64, message: &str) -> String {
    let reason = message.split(", ").next().unwrap_or_default();
    match (code, reason) {
        (-25, "bad-txns-inputs-missingorspent") => "Missing inputs".to_owned(),
        (-27, _) => "transaction already in block chain".to_owned(),
        (-26, "txn-mempool-conflict") => format!("258: {reason}"),
        (-26, reason) if reason.contains("fee") => format!("66: {reason}"),
        (-26, reason) => format!("64: {reason}"),
        _ => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_the_fields_of_the_source() {
        let check = |method: &str, answer: Value, expected: Value| {
            assert_eq!(form(method, answer), expected, "{method}");
        };
        check(
            "getmempoolentry",
            json!({"fees": {"base": 0.1}, "fee": 0.1, "vsize": 226, "weight": 904, "ancestorfees": 10_000_000}),
            json!({"fee": 0.1, "size": 226, "ancestorfees": 10_000_000}),
        );
        check(
            "listsinceblock",
            json!({"transactions": [{"txid": "a", "blockheight": 7}], "removed": [], "lastblock": "00"}),
            json!({"transactions": [{"txid": "a"}], "lastblock": "00"}),
        );
        check(
            "getwalletinfo",
            json!({"scanning": false, "private_keys_enabled": true, "txcount": 1}),
            json!({"txcount": 1}),
        );
    }

    #[test]
    fn refusals_have_the_words_of_the_source() {
        let check = |code, message: &str, expected: &str| assert_eq!(words(code, message), expected);
        check(-26, "txn-mempool-conflict", "258: txn-mempool-conflict");
        check(-26, "insufficient fee, rejecting replacement 12ab; new feerate", "66: insufficient fee");
        check(-26, "min relay fee not met, 100 < 200", "66: min relay fee not met");
        check(-26, "dust", "64: dust");
        check(-25, "bad-txns-inputs-missingorspent", "Missing inputs");
        check(-5, "Block not found", "Block not found");
    }
}
