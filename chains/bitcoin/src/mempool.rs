//! Checks whether an unconfirmed transaction can still be mined.

use checkout_core::{Amount, Network};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::rpc::{
    ALREADY_IN_CHAIN, NO_SUCH_METHOD, NOT_FOUND, Node, TRANSACTION_ERROR, TRANSACTION_REJECTED,
    is_about_object,
};
use crate::settings::DECIMALS;
use checkout_chain_http::NodeError;

/// `getmempoolentry`.
#[derive(Deserialize)]
struct MempoolEntry {
    #[serde(default)]
    fees: Option<Fees>,
    /// Before Bitcoin Core 0.17, as on Dogecoin.
    #[serde(default)]
    fee: Option<Box<RawValue>>,
    /// Beside `fee`, in atoms.
    #[serde(default)]
    ancestorfees: Option<u64>,
    #[serde(default)]
    vsize: u64,
    /// Absent on Bitcoin Cash, which has no virtual size.
    #[serde(default)]
    size: u64,
    /// With all that it spends and that is in no block either. Bitcoin Cash Node does not say.
    #[serde(default)]
    ancestorsize: Option<u64>,
    /// Itself included.
    #[serde(default)]
    descendantcount: u64,
    /// Its inputs that are in no block either.
    #[serde(default)]
    depends: Vec<String>,
}

#[derive(Deserialize)]
struct Fees {
    base: Box<RawValue>,
    #[serde(default)]
    ancestor: Option<Box<RawValue>>,
}

impl MempoolEntry {
    /// The fee, and that of all that has to come first with its own.
    fn paid(&self) -> Result<(Amount, Option<Amount>), NodeError> {
        let unknown = |why: &str| NodeError::malformed("getmempoolentry", format!("fees: {why}"));
        let read = |text: &RawValue| {
            Amount::parse(text.get(), DECIMALS).map_err(|error| unknown(&error.to_string()))
        };
        let Some(fees) = &self.fees else {
            let fee = self.fee.as_deref().ok_or_else(|| unknown("missing"))?;
            let ancestors = self.ancestorfees.and_then(|atoms| Amount::from_atoms(atoms.into()).ok());
            return Ok((read(fee)?, ancestors));
        };
        Ok((read(&fees.base)?, fees.ancestor.as_deref().map(read).transpose()?))
    }
}

/// A transaction in the memory pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) fee: Amount,
    size: u64,
    /// Fee and size together with all that it spends and that is in no block either.
    ancestors: Option<(Amount, u64)>,
    descendants: u64,
    /// It spends what is in no block either.
    pub(crate) has_parents: bool,
}

impl Waiting {
    /// Whether other transactions in the memory pool spend its outputs.
    pub(crate) fn has_descendants(&self) -> bool {
        self.descendants > 1
    }

    /// Whether miners get at least `rate` atoms for 1,000 virtual bytes, of it alone and with what has to come first.
    pub(crate) fn pays(&self, rate: u128) -> bool {
        let parts = [Some((self.fee, self.size)), self.ancestors];
        parts
            .into_iter()
            .flatten()
            .all(|(fee, size)| fee.atoms().saturating_mul(1_000) >= rate.saturating_mul(u128::from(size)))
    }
}

/// Returns `None` if the transaction is not in the node's memory pool.
pub(crate) async fn find(node: &Node, txid: &str) -> Result<Option<Waiting>, NodeError> {
    match node.call::<MempoolEntry>("getmempoolentry", json!([txid])).await {
        Ok(entry) => {
            let (fee, ancestors) = entry.paid()?;
            Ok(Some(Waiting {
                fee,
                size: entry.vsize.max(entry.size),
                ancestors: ancestors.zip(entry.ancestorsize),
                descendants: entry.descendantcount,
                has_parents: !entry.depends.is_empty(),
            }))
        }
        Err(error) if error.number() == Some(NOT_FOUND) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The node's answer to a transaction that was sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resent {
    /// Accepted into the memory pool again.
    Taken,
    /// In a block by now.
    InChain,
    /// Another transaction spent its inputs, or they no longer exist.
    Conflict,
    /// Refused for a temporary reason, such as a fee below the current minimum.
    NotNow,
}

/// Sends a transaction without a limit of its fee.
pub(crate) async fn send(node: &Node, hex: &str) -> Result<String, NodeError> {
    node.call("sendrawtransaction", json!([hex, node.dialect.any_fee()])).await
}

/// Sends the bytes of a transaction again. A deposit that fell out of the memory pool can then still be
/// mined.
pub(crate) async fn resend(node: &Node, network: Network, hex: &str) -> Result<Resent, NodeError> {
    match send(node, hex).await {
        Ok(_) => Ok(Resent::Taken),
        Err(error) => match answer_to(&error) {
            Some(answer) => Ok(answer),
            None if is_about_object(&error) => {
                tracing::warn!(%network, %error, "a deposit that the memory pool lost cannot be sent again");
                Ok(Resent::NotNow)
            }
            None => Err(error),
        },
    }
}

/// Whether somebody proved that a transaction, or one that it spends, is spent twice: only on Bitcoin Cash, and not all of its nodes
/// look.
pub(crate) async fn is_proven_double(node: &Node, txid: &str) -> Result<bool, NodeError> {
    let Some(method) = node.dialect.proof else { return Ok(false) };
    match node.call::<Value>(method, json!([txid])).await {
        Ok(proof) => Ok(!proof.is_null()),
        Err(error) if error.number() == Some(NO_SUCH_METHOD) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns `None` if the answer is not understood.
pub(crate) fn answer_to(error: &NodeError) -> Option<Resent> {
    let conflict = [
        "conflict",
        // Of a replacement; Dogecoin Core says no more.
        "insufficient fee",
        "rejecting replacement",
        "replacement",
        "missingorspent",
        "inputs-spent",
        "Missing inputs",
    ];
    match error.number()? {
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
    use checkout_chain_http::Code;

    use super::*;

    #[test]
    fn a_fee_is_judged_by_size_and_with_what_has_to_come_first() {
        let atoms = |atoms: u128| Amount::from_atoms(atoms).unwrap();
        let check = |fee, size, ancestors: Option<(u128, u64)>, rate, expected| {
            let ancestors = ancestors.map(|(fee, size)| (atoms(fee), size));
            assert_eq!(
                Waiting { fee: atoms(fee), size, ancestors, descendants: 1, has_parents: false }.pays(rate),
                expected
            );
        };
        check(1_410, 141, None, 10_000, true);
        check(1_409, 141, None, 10_000, false);
        check(1_410, 141, Some((1_410, 141)), 10_000, true);
        check(1_410, 141, Some((1_551, 282)), 10_000, false);
        check(0, 141, None, 0, true);
    }

    #[test]
    fn fees_are_read_in_the_old_form_and_in_the_new_one() {
        let check = |text: &str, expected: Option<(u128, Option<u128>)>| {
            let entry: MempoolEntry = serde_json::from_str(text).unwrap();
            let paid = entry.paid().ok();
            assert_eq!(paid.map(|(fee, all)| (fee.atoms(), all.map(Amount::atoms))), expected, "{text}");
        };
        check(r#"{"fees":{"base":0.00001410,"ancestor":0.00002820}}"#, Some((1_410, Some(2_820))));
        check(r#"{"fees":{"base":0.00001410}}"#, Some((1_410, None)));
        // `entryToJSON` of Dogecoin Core: the sum is in atoms.
        check(r#"{"fee":0.00226000,"ancestorfees":452000}"#, Some((226_000, Some(452_000))));
        check(r#"{"fees":{"base":0.1},"fee":0.2,"ancestorfees":3}"#, Some((10_000_000, None)));
        check("{}", None);
    }

    #[test]
    fn answers_to_a_transaction_sent_again() {
        let check = |code, message: &str, expected| {
            let error = NodeError::refused("sendrawtransaction", Code::Number(code), message);
            assert_eq!(answer_to(&error), expected, "{error}");
        };
        check(-27, "Transaction already in block chain", Some(Resent::InChain));
        check(-27, "Transaction outputs already in utxo set", Some(Resent::InChain));
        check(-26, "txn-mempool-conflict", Some(Resent::Conflict));
        check(-26, "insufficient fee, rejecting replacement 12ab; new feerate", Some(Resent::Conflict));
        check(-25, "bad-txns-inputs-missingorspent", Some(Resent::Conflict));
        // Bitcoin Cash Node.
        check(-26, "txn-mempool-conflict (code 18)", Some(Resent::Conflict));
        check(-26, "bad-txns-inputs-spent (code 18)", Some(Resent::Conflict));
        check(-25, "Missing inputs", Some(Resent::Conflict));
        // Dogecoin Core.
        check(-26, "258: txn-mempool-conflict", Some(Resent::Conflict));
        check(-26, "66: insufficient fee", Some(Resent::Conflict));
        check(-26, "66: min relay fee not met", Some(Resent::NotNow));
        check(-27, "transaction already in block chain", Some(Resent::InChain));
        check(-3, "Expected type bool at index 1, got number", None);
        check(-26, "mempool min fee not met, 100 < 200", Some(Resent::NotNow));
        check(-26, "txn-already-in-mempool", Some(Resent::Taken));
        check(-22, "TX decode failed", None);
        check(-4, "wallet is busy", None);
        assert_eq!(answer_to(&NodeError::Unreachable("no connection".to_owned())), None);
    }
}
