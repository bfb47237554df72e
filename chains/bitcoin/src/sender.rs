//! Finds the sender and the fee of a transaction from the outputs that it spends.
//!
//! A node with `txindex=1` can look these outputs up. Without it, the sender comes from an input that shows
//! its key or script, and the fee of a confirmed transaction is unknown.

use checkout_core::address::Address;
use checkout_core::{Amount, Network};
use checkout_gateway::domain::chain::environment::ANY_NETWORK;
use serde::Deserialize;
use serde_json::json;

use crate::rpc::{NOT_FOUND, Node, RpcError};
use crate::settings::DECIMALS;
use crate::transaction::{Decoded, Input};

/// Transactions with more inputs are consolidations of exchanges; each input costs a request.
const MOST_INPUTS: usize = 20;

/// Returns the address of the first input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) from: Option<String>,
    pub(crate) fee: Option<Amount>,
}

pub(crate) async fn origin(node: &Node, network: Network, transaction: &Decoded) -> Result<Origin, RpcError> {
    let mut origin = Origin::default();
    let mut inputs = Some(0_u128);
    for (at, input) in transaction.vin.iter().take(MOST_INPUTS).enumerate() {
        let previous = previous(node, input).await?;
        if at == 0 {
            let text = previous.as_ref().and_then(|output| output.0.clone());
            let text = match text {
                Some(text) => Some(text),
                None => revealed(node, input).await?,
            };
            origin.from = text.and_then(|text| normal_form(network, &text));
        }
        inputs = match (inputs, previous) {
            (Some(sum), Some((_, amount))) => sum.checked_add(amount.atoms()),
            _ => None,
        };
        if inputs.is_none() {
            break;
        }
    }
    if transaction.vin.len() <= MOST_INPUTS {
        let outputs: Option<u128> =
            transaction.vout.iter().map(|output| Some(amount(output.value.get())?.atoms())).sum();
        let fee = inputs.zip(outputs).and_then(|(inputs, outputs)| inputs.checked_sub(outputs));
        origin.fee = fee.and_then(|fee| Amount::from_atoms(fee).ok());
    }
    Ok(origin)
}

/// An address in the core's normal form.
pub(crate) fn normal_form(network: Network, text: &str) -> Option<String> {
    Address::parse_with(network, text, &ANY_NETWORK).ok().map(|address| address.to_string())
}

pub(crate) fn amount(text: &str) -> Option<Amount> {
    Amount::parse(text, DECIMALS).ok()
}

/// Returns address and amount of the output that an input spends, or `None` if the node cannot find it.
async fn previous(node: &Node, input: &Input) -> Result<Option<(Option<String>, Amount)>, RpcError> {
    let Some(txid) = &input.txid else { return Ok(None) };
    let found: Decoded = match node.call("getrawtransaction", json!([txid, true])).await {
        Ok(found) => found,
        Err(error) if error.code() == Some(NOT_FOUND) => return Ok(None),
        Err(error) => return Err(error),
    };
    let output = usize::try_from(input.vout).ok().and_then(|at| found.vout.get(at));
    Ok(output
        .and_then(|output| Some((output.script.address().map(str::to_owned), amount(output.value.get())?))))
}

/// `getdescriptorinfo`.
#[derive(Deserialize)]
struct Descriptor {
    descriptor: String,
}

/// Returns the address of a key in an input. The node derives it, so that the network is right.
async fn revealed(node: &Node, input: &Input) -> Result<Option<String>, RpcError> {
    let Some((form, key)) = shown_key(input) else { return Ok(None) };
    let text = format!("{form}({key})");
    let described: Descriptor = match node.call("getdescriptorinfo", json!([text])).await {
        Ok(described) => described,
        Err(RpcError::Node { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let addresses: Vec<String> = node.call("deriveaddresses", json!([described.descriptor])).await?;
    Ok(addresses.into_iter().next())
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
            (is_signature(signature) && is_key(key) && rest.is_empty()).then_some(("pkh", key))
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
}
