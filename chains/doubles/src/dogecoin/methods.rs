//! The methods of Dogecoin Core 1.14, which are those of Bitcoin Core 0.14 and `rescan`: it has one wallet without a name, and neither
//! descriptors nor `testmempoolaccept`.

use crate::node_rpc::methods::Type::{Any, Flag, List, Number, Object, Text};
use crate::node_rpc::methods::{Method, method};

/// `CRPCCommand` tables and the checks in the functions.
pub(super) static METHODS: &[Method] = &[
    method("createrawtransaction", 2, &[("inputs", List), ("outputs", Object), ("locktime", Number)]),
    method("decoderawtransaction", 1, &[("hexstring", Text)]),
    method("estimatesmartfee", 1, &[("nblocks", Number)]),
    method("fundrawtransaction", 1, &[("hexstring", Text), ("options", Any)]),
    method("getaddressesbyaccount", 1, &[("account", Text)]),
    method("getbalance", 0, &[("account", Text), ("minconf", Number), ("include_watchonly", Flag)]),
    method("getbestblockhash", 0, &[]),
    method("getblockchaininfo", 0, &[]),
    method("getblockcount", 0, &[]),
    method("getblockhash", 1, &[("height", Number)]),
    method("getblockheader", 1, &[("blockhash", Text), ("verbose", Flag)]),
    method("getmempoolentry", 1, &[("txid", Text)]),
    method("getmempoolinfo", 0, &[]),
    method("getnetworkinfo", 0, &[]),
    method("getrawtransaction", 1, &[("txid", Text), ("verbose", Any)]),
    method("gettransaction", 1, &[("txid", Text), ("include_watchonly", Flag)]),
    method("gettxout", 2, &[("txid", Text), ("n", Number), ("include_mempool", Flag)]),
    method("getwalletinfo", 0, &[]),
    method(
        "importaddress",
        1,
        &[("address", Text), ("label", Text), ("rescan", Flag), ("p2sh", Flag), ("height", Number)],
    ),
    method("importmulti", 1, &[("requests", List), ("options", Object)]),
    method("listlockunspent", 0, &[]),
    // The function does not count.
    method(
        "listsinceblock",
        0,
        &[("blockhash", Text), ("target_confirmations", Number), ("include_watchonly", Flag)],
    )
    .ignoring_more(),
    method(
        "listtransactions",
        0,
        &[("account", Text), ("count", Number), ("skip", Number), ("include_watchonly", Flag)],
    ),
    method("lockunspent", 1, &[("unlock", Flag), ("transactions", List)]),
    method("rescan", 0, &[("height", Number)]),
    method("sendrawtransaction", 1, &[("hexstring", Text), ("allowhighfees", Flag)]),
    method(
        "signrawtransaction",
        1,
        &[("hexstring", Text), ("prevtxs", List), ("privkeys", List), ("sighashtype", Text)],
    ),
    method("validateaddress", 1, &[("address", Text)]),
];

/// `RPCTypeCheckObj` of `fundrawtransaction`, which is strict.
pub(super) const FUNDING: [&str; 7] = [
    "changeAddress",
    "changePosition",
    "includeWatching",
    "lockUnspents",
    "reserveChangeKey",
    "feeRate",
    "subtractFeeFromOutputs",
];

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn arguments_are_checked_as_in_the_source() {
        let check = |name: &str, given: Value, expected: Result<usize, i64>| {
            let checked = Method::find(METHODS, name).and_then(|method| method.checked(&given, &FUNDING));
            assert_eq!(checked.map(|list| list.len()).map_err(|(code, _)| code), expected, "{name} {given}");
        };
        check("sendrawtransaction", json!(["00", true]), Ok(2));
        check("sendrawtransaction", json!(["00", 0]), Err(-3));
        check("listsinceblock", json!(["", 1, true, true, true]), Ok(3));
        check("fundrawtransaction", json!(["00", {"feeRate": "0.01", "lockUnspents": true}]), Ok(2));
        check("fundrawtransaction", json!(["00", {"replaceable": true}]), Err(-3));
        for missing in [
            "createwallet",
            "estimaterawfee",
            "getaddressinfo",
            "getdescriptorinfo",
            "getindexinfo",
            "importdescriptors",
            "listlabels",
            "listwallets",
            "loadwallet",
            "rescanblockchain",
            "setlabel",
            "signrawtransactionwithwallet",
            "testmempoolaccept",
        ] {
            check(missing, json!([]), Err(-32601));
        }
    }
}
