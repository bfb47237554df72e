//! Finds the senders and the fee of a transaction from the outputs that it spends.
//!
//! A node with `txindex=1` can look these outputs up. Without it, a sender comes from an input that shows
//! its key, and the fee of a confirmed transaction is unknown.

use std::collections::BTreeMap;

use checkout_core::{Amount, Network, derive};
use serde::Deserialize;
use serde_json::json;

use crate::coins::{amount, normal_form};
use crate::rpc::{Node, is_about_object};
use crate::settings::Environment;
use crate::transaction::{Decoded, Input};
use checkout_chain_http::NodeError;

/// Transactions with more inputs are consolidations of exchanges; each input costs a request. The owners of the rest are unknown.
const MOST_INPUTS: usize = 100;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The owner of the first input; refunds go there.
    pub(crate) from: Option<String>,
    /// Those of the other inputs, each once; empty for one that is unknown.
    pub(crate) others: Vec<String>,
    pub(crate) fee: Option<Amount>,
}

impl Origin {
    /// The owners of all inputs, in their order.
    pub(crate) fn of(owners: impl IntoIterator<Item = Option<String>>, fee: Option<Amount>) -> Self {
        let mut owners = owners.into_iter();
        let from = owners.next().flatten();
        let mut others: Vec<String> = Vec::new();
        for owner in owners.map(Option::unwrap_or_default) {
            if from.as_ref() != Some(&owner) && !others.contains(&owner) {
                others.push(owner);
            }
        }
        Self { from, others, fee }
    }
}

pub(crate) async fn origin(
    node: &Node,
    network: Network,
    environment: Environment,
    transaction: &Decoded,
) -> Result<Origin, NodeError> {
    let (mut owners, mut inputs) = (Vec::new(), Some(0_u128));
    let mut parents = Parents::default();
    for input in transaction.vin.iter().take(MOST_INPUTS) {
        let previous = parents.output(node, input).await?;
        let text = match previous.as_ref().and_then(|output| output.0.clone()) {
            Some(text) => Some(text),
            None => revealed(node, network, environment, input).await?,
        };
        owners.push(text.and_then(|text| normal_form(network, &text)));
        inputs = match (inputs, previous) {
            (Some(sum), Some((_, amount))) => sum.checked_add(amount.atoms()),
            _ => None,
        };
    }
    if transaction.vin.len() > MOST_INPUTS {
        owners.push(None);
        inputs = None;
    }
    let outputs: Option<u128> =
        transaction.vout.iter().map(|output| Some(amount(output.value.get())?.atoms())).sum();
    let fee = inputs.zip(outputs).and_then(|(inputs, outputs)| inputs.checked_sub(outputs));
    Ok(Origin::of(owners, fee.and_then(|fee| Amount::from_atoms(fee).ok())))
}

/// Spent transactions, each asked for once.
#[derive(Default)]
struct Parents(BTreeMap<String, Option<Decoded>>);

impl Parents {
    /// Returns address and amount of the output that an input spends, or `None` if the node cannot find it.
    async fn output(
        &mut self,
        node: &Node,
        input: &Input,
    ) -> Result<Option<(Option<String>, Amount)>, NodeError> {
        let Some(txid) = &input.txid else { return Ok(None) };
        if !self.0.contains_key(txid) {
            let found = match node.call("getrawtransaction", json!([txid, true])).await {
                Ok(found) => Some(found),
                // The payment counts, and nobody knows who sent it.
                Err(error) if is_about_object(&error) => None,
                Err(error) => return Err(error),
            };
            self.0.insert(txid.clone(), found);
        }
        let found = self.0.get(txid).and_then(Option::as_ref);
        let at = usize::try_from(input.vout).ok();
        let output = found.zip(at).and_then(|(found, at)| found.vout.get(at));
        Ok(output.and_then(|output| {
            Some((output.script.address().map(str::to_owned), amount(output.value.get())?))
        }))
    }
}

/// `getdescriptorinfo`.
#[derive(Deserialize)]
struct Descriptor {
    descriptor: String,
}

/// Returns the address of a key in an input. The node derives that of a witness program, so that the network is right.
async fn revealed(
    node: &Node,
    network: Network,
    environment: Environment,
    input: &Input,
) -> Result<Option<String>, NodeError> {
    let Some((form, key)) = shown_key(input) else { return Ok(None) };
    if form == KEY_HASH {
        let test_network = environment.test().and_then(|test| test.addresses);
        let address = key_bytes(key).and_then(|key| derive::key_hash_address(network, test_network, &key));
        return Ok(address.map(|address| address.to_string()));
    }
    let text = format!("{form}({key})");
    let described: Descriptor = match node.call("getdescriptorinfo", json!([text])).await {
        Ok(described) => described,
        Err(error) if is_about_object(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    match node.call::<Vec<String>>("deriveaddresses", json!([described.descriptor])).await {
        Err(error) if is_about_object(&error) => Ok(None),
        addresses => Ok(addresses?.into_iter().next()),
    }
}

const KEY_HASH: &str = "pkh";

fn key_bytes(text: &str) -> Option<[u8; 33]> {
    let mut bytes = [0; 33];
    hex::decode_to_slice(text.get(..66)?, &mut bytes).ok()?;
    Some(bytes)
}

/// Returns the key of an input that spends a `wpkh` or `pkh` output, which contains exactly a signature and a
/// key.
fn shown_key(input: &Input) -> Option<(&'static str, &str)> {
    let script = input.script.as_ref().map_or("", |script| script.hex.as_str());
    match (script, input.txinwitness.as_slice()) {
        ("", [signature, key]) if is_signature(signature) && is_key(key) => Some(("wpkh", key)),
        (script, []) => {
            let (signature, rest) = pushed(script)?;
            let (key, rest) = pushed(rest)?;
            (is_signature(signature) && is_key(key) && rest.is_empty()).then_some((KEY_HASH, key))
        }
        _ => None,
    }
}

/// Splits a script into the hexadecimal text of its first push and the rest.
fn pushed(script: &str) -> Option<(&str, &str)> {
    let length = usize::from(u8::from_str_radix(script.get(..2)?, 16).ok()?);
    // One byte holds the length, up to 75.
    let end = 2 + 2 * length;
    (1..=75).contains(&length).then_some((script.get(2..end)?, script.get(end..)?))
}

/// DER with the hash type, or Schnorr as on Bitcoin Cash.
fn is_signature(hex: &str) -> bool {
    (hex.starts_with("30") && (134..=146).contains(&hex.len())) || hex.len() == 130
}

fn is_key(hex: &str) -> bool {
    hex.len() == 66 && (hex.starts_with("02") || hex.starts_with("03"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_key_from_an_input() {
        let key = format!("02{}", "ab".repeat(32));
        let signature = format!("3044{}", "cd".repeat(69));
        let check = |script: &str, witness: &[&str], expected: Option<&str>| {
            let input: Input = serde_json::from_value(json!({
                "txid": "00", "vout": 0, "scriptSig": {"asm": "", "hex": script}, "txinwitness": witness
            }))
            .unwrap();
            assert_eq!(shown_key(&input).map(|(form, _)| form), expected, "{script} {witness:?}");
        };
        check("", &[&signature, &key], Some("wpkh"));
        check("", &[&signature], None);
        check("", &["", &signature, &key], None);
        check("", &[&key, &key], None);
        let length = signature.len() / 2;
        let script = format!("{length:02x}{signature}21{key}");
        check(&script, &[], Some("pkh"));
        check(&format!("{script}00"), &[], None);
        check(&script, &[&signature, &key], None);
        check(&script[..script.len() - 2], &[], None);
        check("", &[], None);
    }

    #[test]
    fn every_owner_of_inputs_is_named_once() {
        let check = |owners: &[Option<&str>], from: Option<&str>, others: &[&str]| {
            let origin = Origin::of(owners.iter().map(|owner| owner.map(str::to_owned)), None);
            assert_eq!(
                (origin.from.as_deref(), origin.others),
                (from, others.iter().map(|&other| other.to_owned()).collect())
            );
        };
        check(&[Some("a"), Some("b"), Some("a"), Some("b")], Some("a"), &["b"]);
        check(&[Some("a"), None, None, Some("b")], Some("a"), &["", "b"]);
        check(&[None, Some("b")], None, &["b"]);
        check(&[None, None], None, &[""]);
        check(&[], None, &[]);
    }

    /// The generator of secp256k1 and its well-known address.
    #[test]
    fn the_address_of_a_key_in_an_input() {
        let key = key_bytes("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798").unwrap();
        let address = derive::key_hash_address(Network::Bch, None, &key).unwrap().to_string();
        assert_eq!(address, "bitcoincash:qp63uahgrxged4z5jswyt5dn5v3lzsem6cy4spdc2h");
        assert_eq!(key_bytes("02zz"), None);
    }
}
