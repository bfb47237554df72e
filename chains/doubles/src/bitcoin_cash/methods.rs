//! The methods of Bitcoin Cash Node, which has no `estimatesmartfee`, `getdescriptorinfo`, `deriveaddresses` and `importdescriptors`.

use crate::node_rpc::methods::Type::{Any, Flag, List, Number, Object, Text};
use crate::node_rpc::methods::{Method, method};

/// `CRPCCommand` tables and `RPCTypeCheck` calls.
pub(super) static METHODS: &[Method] = &[
    method("createrawtransaction", 2, &[("inputs", List), ("outputs", Any), ("locktime", Number)]),
    method("createwallet", 1, &[("wallet_name", Text), ("disable_private_keys", Flag), ("blank", Flag)]),
    method("decoderawtransaction", 1, &[("hexstring", Text)]),
    method("estimatefee", 0, &[]),
    method("fundrawtransaction", 1, &[("hexstring", Text), ("options", Object)]),
    method("getaddressesbylabel", 1, &[("label", Text)]),
    method("getaddressinfo", 1, &[("address", Text)]),
    method("getbalance", 0, &[("dummy", Text), ("minconf", Number), ("include_watchonly", Flag)]),
    method("getbestblockhash", 0, &[]),
    method("getblockchaininfo", 0, &[]),
    method("getblockcount", 0, &[]),
    method("getblockhash", 1, &[("height", Number)]),
    method("getblockheader", 1, &[("blockhash|hash_or_height", Any), ("verbose", Flag)]),
    method("getdsproof", 1, &[("dspid|txid|outpoint", Any), ("verbosity", Any), ("recursive", Flag)]),
    method("getindexinfo", 0, &[("index_name", Text)]),
    method("getmempoolentry", 1, &[("txid", Text)]),
    method("getmempoolinfo", 0, &[]),
    method("getnetworkinfo", 0, &[]),
    method("getrawtransaction", 1, &[("txid", Text), ("verbose", Any), ("blockhash", Text)]),
    method("gettransaction", 1, &[("txid", Text), ("include_watchonly", Flag)]),
    method("gettxout", 2, &[("txid", Text), ("n", Number), ("include_mempool", Flag)]),
    method("getwalletinfo", 0, &[]),
    method("importmulti", 1, &[("requests", List), ("options", Object)]),
    method("listlabels", 0, &[("purpose", Text)]),
    method("listlockunspent", 0, &[]),
    method(
        "listsinceblock",
        0,
        &[
            ("blockhash", Text),
            ("target_confirmations", Number),
            ("include_watchonly", Flag),
            ("include_removed", Flag),
        ],
    ),
    method(
        "listtransactions",
        0,
        &[("label", Text), ("count", Number), ("skip", Number), ("include_watchonly", Flag)],
    ),
    method("listwallets", 0, &[]),
    method("loadwallet", 1, &[("filename", Text)]),
    method("lockunspent", 1, &[("unlock", Flag), ("transactions", List)]),
    method("rescanblockchain", 0, &[("start_height", Number), ("stop_height", Number)]),
    method("sendrawtransaction", 1, &[("hexstring", Text), ("allowhighfees", Flag)]),
    method("setlabel", 2, &[("address", Text), ("label", Text)]),
    method(
        "signrawtransactionwithwallet",
        1,
        &[("hexstring", Text), ("prevtxs", List), ("sighashtype", Text)],
    ),
    method("testmempoolaccept", 1, &[("rawtxs", List), ("allowhighfees", Flag)]),
    method("validateaddress", 1, &[("address", Text)]),
];

/// `RPCTypeCheckObjStrict` of `fundrawtransaction`.
pub(super) const FUNDING: [&str; 7] = [
    "include_unsafe",
    "changeAddress",
    "changePosition",
    "includeWatching",
    "lockUnspents",
    "feeRate",
    "subtractFeeFromOutputs",
];

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn arguments_are_checked_as_in_the_source() {
        let check = |name: &str, given: Value, expected: Result<Vec<Value>, i64>| {
            let method = Method::find(METHODS, name).expect(name);
            assert_eq!(
                method.checked(&given, &FUNDING).map_err(|(code, _)| code),
                expected,
                "{name} {given}"
            );
        };
        check("sendrawtransaction", json!(["00", true]), Ok(vec![json!("00"), json!(true)]));
        check("sendrawtransaction", json!(["00", 0]), Err(-3));
        check("sendrawtransaction", json!([]), Err(-1));
        check("listsinceblock", json!(["", 1, true, true, true]), Err(-1));
        check("createwallet", json!({"wallet_name": "a", "descriptors": true}), Err(-8));
        let expected = vec![json!("a"), Value::Null, json!(true)];
        check("createwallet", json!({"wallet_name": "a", "blank": true}), Ok(expected));
        check("fundrawtransaction", json!(["00", {"replaceable": true}]), Err(-3));
        for missing in ["estimatesmartfee", "getdescriptorinfo", "deriveaddresses", "importdescriptors"] {
            assert!(Method::find(METHODS, missing).is_err(), "{missing}");
        }
    }
}
