//! Whether a transaction that is in no block can still get into one.

use checkout_core::Amount;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::rpc::{ALREADY_IN_CHAIN, NOT_FOUND, Node, RpcError, TRANSACTION_ERROR, TRANSACTION_REJECTED};
use crate::settings::DECIMALS;

/// `getmempoolentry`.
#[derive(Deserialize)]
struct Entry {
    fees: Fees,
    #[serde(default)]
    vsize: u64,
    /// Bitcoin Cash has no virtual size.
    #[serde(default)]
    size: u64,
}

#[derive(Deserialize)]
struct Fees {
    base: Box<RawValue>,
}

/// A transaction in the memory pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) fee: Amount,
    pub(crate) size: u64,
}

/// `None` when it is not in the memory pool of the node.
pub(crate) async fn find(node: &Node, txid: &str) -> Result<Option<Waiting>, RpcError> {
    match node.call::<Entry>("getmempoolentry", json!([txid])).await {
        Ok(entry) => {
            let fee = Amount::parse(entry.fees.base.get(), DECIMALS)
                .map_err(|error| RpcError::Unknown(format!("getmempoolentry: fees.base: {error}")))?;
            Ok(Some(Waiting { fee, size: entry.vsize.max(entry.size) }))
        }
        Err(error) if error.code() == Some(NOT_FOUND) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What the node says to a transaction that it is sent once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resent {
    /// It is in the memory pool again.
    Taken,
    /// It got into a block meanwhile.
    InChain,
    /// Its inputs are spent by another transaction, or are gone.
    Conflict,
    /// Refused for a reason that may pass, such as a fee that is too low at present.
    NotNow,
}

/// Sends known bytes again. It does the payer and the merchant a favour: a transaction that fell out of the memory pool
/// still pays.
pub(crate) async fn resend(node: &Node, hex: &str) -> Result<Resent, RpcError> {
    // No limit for the fee: it is the sender's.
    match node.call::<String>("sendrawtransaction", json!([hex, 0])).await {
        Ok(_) => Ok(Resent::Taken),
        Err(error) => answer_to(&error).ok_or(error),
    }
}

/// `None` when nothing is known.
pub(crate) fn answer_to(error: &RpcError) -> Option<Resent> {
    let conflict = ["conflict", "rejecting replacement", "replacement", "missingorspent", "Missing inputs"];
    match error.code()? {
        ALREADY_IN_CHAIN => Some(Resent::InChain),
        _ if error.says("txn-already-in-mempool") || error.says("txn-already-known") => Some(Resent::Taken),
        TRANSACTION_ERROR | TRANSACTION_REJECTED if conflict.iter().any(|words| error.says(words)) => {
            Some(Resent::Conflict)
        }
        TRANSACTION_REJECTED => Some(Resent::NotNow),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_node_says_to_known_bytes() {
        let check = |code, message: &str, expected| {
            let error = RpcError::Node { code, message: message.to_owned() };
            assert_eq!(answer_to(&error), expected, "{error}");
        };
        check(-27, "Transaction already in block chain", Some(Resent::InChain));
        check(-27, "Transaction outputs already in utxo set", Some(Resent::InChain));
        check(-26, "txn-mempool-conflict", Some(Resent::Conflict));
        check(-26, "insufficient fee, rejecting replacement 12ab; new feerate", Some(Resent::Conflict));
        check(-25, "bad-txns-inputs-missingorspent", Some(Resent::Conflict));
        check(-26, "mempool min fee not met, 100 < 200", Some(Resent::NotNow));
        check(-26, "txn-already-in-mempool", Some(Resent::Taken));
        check(-22, "TX decode failed", None);
        check(-4, "wallet is busy", None);
        assert_eq!(answer_to(&RpcError::Unknown("no connection".to_owned())), None);
    }
}
