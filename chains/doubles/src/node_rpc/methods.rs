//! The methods of the original that the adapter may call, with their arguments. A method that is not here is not there either:
//! Bitcoin Cash Node has no `estimatesmartfee`, `getdescriptorinfo`, `deriveaddresses` and `importdescriptors`.

use serde_json::Value;

/// The types of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Text,
    Number,
    Flag,
    List,
    Object,
    Any,
}

pub(super) struct Method {
    name: &'static str,
    /// How many must be given.
    least: usize,
    parameters: &'static [(&'static str, Type)],
}

use Type::{Any, Flag, List, Number, Object, Text};

const fn method(name: &'static str, least: usize, parameters: &'static [(&'static str, Type)]) -> Method {
    Method { name, least, parameters }
}

/// `CRPCCommand` tables and `RPCTypeCheck` calls.
static METHODS: &[Method] = &[
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
const FUNDING: [&str; 7] = [
    "include_unsafe",
    "changeAddress",
    "changePosition",
    "includeWatching",
    "lockUnspents",
    "feeRate",
    "subtractFeeFromOutputs",
];

impl Method {
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.name == name)
    }

    /// The arguments by position; names are accepted, too (`transformNamedArguments`).
    pub(super) fn checked(&self, given: &Value) -> Result<Vec<Value>, (i64, String)> {
        let given = match given {
            Value::Object(named) => self.by_position(named)?,
            Value::Array(list) => list.clone(),
            _ => Vec::new(),
        };
        if given.len() > self.parameters.len() || given.len() < self.least {
            // The original answers with the whole help.
            return Err((-1, format!("{}\n\nArguments: …", self.name)));
        }
        for (at, (value, (_, expected))) in given.iter().zip(self.parameters).enumerate() {
            if !expected.takes(value) {
                let (expected, got) = (expected.name(), name(value));
                return Err((-3, format!("Expected type {expected} at index {at}, got {got}")));
            }
        }
        let options = given.get(1).and_then(Value::as_object).filter(|_| self.name == "fundrawtransaction");
        if let Some(unknown) = options.and_then(|all| all.keys().find(|key| !FUNDING.contains(&key.as_str())))
        {
            return Err((-3, format!("Unexpected key {unknown}")));
        }
        Ok(given)
    }

    fn by_position(&self, named: &serde_json::Map<String, Value>) -> Result<Vec<Value>, (i64, String)> {
        let is_known = |name: &&String| {
            self.parameters.iter().any(|(names, _)| names.split('|').any(|known| known == name.as_str()))
        };
        if let Some(unknown) = named.keys().find(|name| !is_known(name)) {
            return Err((-8, format!("Unknown named parameter {unknown}")));
        }
        let value = |(names, _): &(&str, Type)| names.split('|').find_map(|name| named.get(name)).cloned();
        let mut values: Vec<Option<Value>> = self.parameters.iter().map(value).collect();
        while values.last() == Some(&None) {
            values.pop();
        }
        Ok(values.into_iter().map(Option::unwrap_or_default).collect())
    }
}

impl Type {
    fn takes(self, value: &Value) -> bool {
        value.is_null()
            || match self {
                Text => value.is_string(),
                Number => value.is_number(),
                Flag => value.is_boolean(),
                List => value.is_array(),
                Object => value.is_object(),
                Any => true,
            }
    }

    fn name(self) -> &'static str {
        match self {
            Text => "string",
            Number => "number",
            Flag => "bool",
            List => "array",
            Object | Any => "object",
        }
    }
}

fn name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_checked_as_in_the_source() {
        let check = |name: &str, given: Value, expected: Result<Vec<Value>, i64>| {
            let method = Method::find(name).expect(name);
            assert_eq!(method.checked(&given).map_err(|(code, _)| code), expected, "{name} {given}");
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
            assert!(Method::find(missing).is_none(), "{missing}");
        }
    }
}
