//! Transaction ids as people paste them. Each network writes the 32 bytes in its
//! form.

use alloc::string::String;
use core::fmt;

use crate::chain::TransactionIdForm;
use crate::validate::is_secret;
use crate::{Address, Network};

/// In hexadecimal digits, without `0x`.
const LENGTH: usize = 64;

/// Why a text is no transaction id of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionIdError {
    Empty,
    /// The first character that no id has, by its byte in the text without white space around it.
    Character {
        position: usize,
    },
    /// Another number of hexadecimal digits than 64.
    Length {
        digits: usize,
    },
    /// It is an id of another network: with `0x` where this network has none, or without it.
    OtherNetwork,
    /// It is an address.
    Address,
    /// It looks like a private key, a seed or a recovery phrase.
    Secret,
}

impl fmt::Display for TransactionIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the transaction id is empty"),
            Self::Character { position } => write!(f, "character {position} is no hexadecimal digit"),
            Self::Length { digits } => write!(f, "{digits} digits instead of {LENGTH}"),
            Self::OtherNetwork => f.write_str("a transaction id of another network"),
            Self::Address => f.write_str("an address instead of a transaction id"),
            Self::Secret => f.write_str("a private key, a seed or a recovery phrase"),
        }
    }
}

impl core::error::Error for TransactionIdError {}

/// Returns the id as its network writes it. The address of a page in a block explorer is accepted for the id in it.
///
/// ```
/// use crypto_checkout_core::{Network, transaction_id};
///
/// let digits = "4A5E1E4BAAB89F3A32518A88C31BC87F618F76673E2CC77AB2127B7AFDEDA33B";
/// assert_eq!(transaction_id::parse(Network::Btc, digits), Ok(digits.to_ascii_lowercase()));
/// ```
pub fn parse(network: Network, text: &str) -> Result<String, TransactionIdError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(TransactionIdError::Empty);
    }
    let in_link = text.split(['/', '?', '#', '=', '&']).find(|part| digits(part).is_some());
    let Some((is_prefixed, digits)) = in_link.and_then(digits) else { return Err(error(text)) };
    let form = network.spec().transaction_id;
    if is_prefixed != (form == TransactionIdForm::Prefixed) {
        return Err(TransactionIdError::OtherNetwork);
    }
    Ok(form.write(&digits.to_ascii_lowercase()))
}

/// Whether they follow `0x`, and the digits. `None` unless the text is an id of some network.
fn digits(text: &str) -> Option<(bool, &str)> {
    let (is_prefixed, rest) = without_prefix(text);
    let is_id = rest.len() == LENGTH && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then_some((is_prefixed, rest))
}

fn without_prefix(text: &str) -> (bool, &str) {
    let rest = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    (rest.is_some(), rest.unwrap_or(text))
}

fn error(text: &str) -> TransactionIdError {
    if is_secret(text) {
        return TransactionIdError::Secret;
    }
    if Network::ALL.iter().any(|network| Address::parse(*network, text).is_ok()) {
        return TransactionIdError::Address;
    }
    let (_, rest) = without_prefix(text);
    match rest.bytes().position(|byte| !byte.is_ascii_hexdigit()) {
        Some(at) => TransactionIdError::Character { position: text.len() - rest.len() + at },
        None => TransactionIdError::Length { digits: rest.len() },
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    const ID: &str = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";

    #[track_caller]
    fn check(network: Network, text: &str, expected: Result<&str, TransactionIdError>) {
        assert_eq!(parse(network, text).as_deref(), expected.as_ref().copied(), "{network} {text}");
    }

    #[test]
    fn ids_in_the_form_of_their_network() {
        let (upper, prefixed) = (ID.to_ascii_uppercase(), format!("0x{ID}"));
        check(Network::Btc, ID, Ok(ID));
        check(Network::Btc, &upper, Ok(ID));
        check(Network::Xlm, &format!(" {ID}\n"), Ok(ID));
        check(Network::Xrp, ID, Ok(&upper));
        check(Network::Eth, &prefixed, Ok(&prefixed));
        check(Network::Polygon, &format!("0X{upper}"), Ok(&prefixed));
    }

    #[test]
    fn ids_in_links_of_explorers() {
        for network in Network::ALL {
            let id = network.spec().transaction_id.write(ID);
            check(*network, &network.spec().explorer.transaction(&id), Ok(&id));
        }
        check(Network::Trx, &format!("https://tronscan.org/#/transaction/{ID}?lang=de"), Ok(ID));
        check(
            Network::Btc,
            &format!("https://etherscan.io/tx/0x{ID}"),
            Err(TransactionIdError::OtherNetwork),
        );
    }

    #[test]
    fn mistakes_and_where_they_are() {
        use TransactionIdError as E;

        check(Network::Btc, "", Err(E::Empty));
        check(Network::Btc, " \n", Err(E::Empty));
        check(Network::Btc, &ID[..63], Err(E::Length { digits: 63 }));
        check(Network::Eth, &format!("0x{ID}0"), Err(E::Length { digits: 65 }));
        check(Network::Eth, "0x", Err(E::Length { digits: 0 }));
        check(Network::Btc, "4a5e…a33b", Err(E::Character { position: 4 }));
        check(Network::Eth, "0x4g", Err(E::Character { position: 3 }));
        check(Network::Eth, ID, Err(E::OtherNetwork));
        check(Network::Trx, &format!("0x{ID}"), Err(E::OtherNetwork));
        check(Network::Btc, "https://example.org/", Err(E::Character { position: 0 }));
    }

    #[test]
    fn addresses_and_secrets_are_no_ids() {
        // An address of Sui or Aptos has the form of an id of Ethereum.
        for network in Network::ALL.iter().filter(|network| digits(network.spec().example).is_none()) {
            check(*network, network.spec().example, Err(TransactionIdError::Address));
            check(Network::Btc, network.spec().example, Err(TransactionIdError::Address));
        }
        check(
            Network::Btc,
            "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn",
            Err(TransactionIdError::Secret),
        );
    }
}
