//! Texts by which something is found: any spelling that a person copies from a wallet or an explorer.

use std::collections::BTreeSet;

use checkout_core::chain::CHAINS;
use checkout_core::pair::EVERY_PAIR;
use checkout_core::{Network, Verdict};
use checkout_domain::chain::environment::Environments;
use checkout_domain::payment::amount_words::amount_words;

use crate::http::requests::fields::Fields;

/// The normal forms of `address` on the networks on which it is valid, and the tag that it carries.
pub fn addresses(
    fields: &mut Fields,
    network: Option<Network>,
    environments: &Environments,
) -> Option<(Vec<String>, Option<String>)> {
    let text = fields.text("address")?;
    let on = |network: Network| {
        let pair = EVERY_PAIR.iter().find(|pair| pair.network == network)?;
        let verdict = environments.validate(pair.currency.code(), network.code(), &text, None);
        Some(verdict).filter(|verdict| verdict.valid)
    };
    let networks =
        CHAINS.iter().map(|row| row.network).filter(|known| network.is_none_or(|network| network == *known));
    let valid: Vec<Verdict> = networks.filter_map(on).collect();
    if valid.is_empty() {
        let of = network.map_or_else(|| "any network".to_owned(), |network| network.to_string());
        fields.error("address", "bad_address", format!("is not an address of {of}"));
        return None;
    }
    let tag = valid.iter().find_map(|verdict| verdict.destination_tag.clone());
    let forms: BTreeSet<String> = valid.into_iter().filter_map(|verdict| verdict.normalized).collect();
    Some((forms.into_iter().collect(), tag))
}

/// The words of `amount`.
pub fn amounts(fields: &mut Fields) -> Option<Vec<String>> {
    let words = amount_words(&fields.text("amount")?);
    let detail = "must be a decimal number, or one and a currency, such as `25.00 EUR`";
    fields.accept("amount", words.ok_or(("bad_amount", detail)))
}

/// The spellings of `transactionId`.
pub fn transactions(fields: &mut Fields) -> Option<Vec<String>> {
    fields.text("transactionId").map(|id| spellings(&id))
}

/// The id of a transaction as the chains write it: hexadecimal in either case, on EVM networks with `0x`.
fn spellings(id: &str) -> Vec<String> {
    let digits = id.strip_prefix("0x").or_else(|| id.strip_prefix("0X")).unwrap_or(id);
    let (lower, upper) = (digits.to_ascii_lowercase(), digits.to_ascii_uppercase());
    let all = BTreeSet::from([format!("0x{lower}"), lower, upper, id.to_owned()]);
    all.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_is_found_in_every_spelling() {
        let check = |id: &str, stored: &str| {
            assert!(spellings(id).contains(&stored.to_owned()), "{id}: {stored}");
        };
        check("ABCDEF", "abcdef");
        check("abcdef", "ABCDEF");
        check("abcdef", "0xabcdef");
        check("0XABCDEF", "0xabcdef");
        check("0xabcdef", "abcdef");
    }
}
