//! What the parameters of a pasted link mean. docs/validation.md has the table.

use crate::chain::PaymentLink;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The destination tag or the memo.
    Tag,
    MemoType,
    /// The recipient of SEP-7, and of a transfer of ERC-681.
    Destination,
    /// It changes neither account, tag nor network.
    Harmless,
}

/// `None` if it is unknown: it could be a tag.
pub(crate) fn meaning(link: PaymentLink, key: &str, value: &str) -> Option<Meaning> {
    let is = |names: &[&str]| names.iter().any(|name| is_same(name, key));
    Some(match link {
        _ if is(&["label", "message"]) || (is(&["amount"]) && is_number(value)) => Meaning::Harmless,
        // `xrpl.rs`; the others are names of the ledger's field.
        PaymentLink::Xrpl if is(&["dt", "tag", "destinationtag"]) => Meaning::Tag,
        PaymentLink::Xrpl if is(&["network"]) && value == "XRPL" => Meaning::Harmless,
        // SEP-7, also for links that only have an account before the parameters.
        PaymentLink::Sep7 if is(&["memo"]) => Meaning::Tag,
        PaymentLink::Sep7 if is(&["memotype"]) => Meaning::MemoType,
        PaymentLink::Sep7 if is(&["destination"]) => Meaning::Destination,
        PaymentLink::Sep7 if is(&["msg"]) || (is(&["assetcode"]) && value == "XLM") => Meaning::Harmless,
        PaymentLink::Erc681 { .. } if is(&["address"]) => Meaning::Destination,
        PaymentLink::Erc681 { .. }
            if is(&["value", "uint256", "gas", "gaslimit", "gasprice"]) && is_number(value) =>
        {
            Meaning::Harmless
        }
        // BIP-321 and BIP-78: other ways to pay the same recipient.
        PaymentLink::Bip321 { .. } if is(&["bc", "lightning", "lno", "pj", "pjos", "sp"]) => {
            Meaning::Harmless
        }
        _ => return None,
    })
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E'))
}

/// Letter case and separators are written in many ways.
fn is_same(name: &str, key: &str) -> bool {
    let letters = key.bytes().filter(|byte| !matches!(byte, b'_' | b'-'));
    letters.map(|byte| byte.to_ascii_lowercase()).eq(name.bytes())
}
