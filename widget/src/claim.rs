//! Checks the address that money goes back to. Only the server does, when it draws the form.

use checkout_core::address::{Options, Reason};
use checkout_core::network::TagRule;
use checkout_core::{Pair, pair, tag, validate_with};

use crate::opened::Opened;

/// Why money does not go to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimFault {
    /// Nothing is typed.
    Empty,
    Mistake,
    OtherNetwork,
    /// The payment's own address.
    Own,
    /// Of a token.
    Contract,
    Tag,
    /// Something beside the address could be its tag.
    TagInside,
    /// A private key.
    Secret,
}

/// What the core says of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimCheck {
    /// `None` if money can go there.
    pub fault: Option<ClaimFault>,
    /// Of the characters that are wrong.
    pub positions: Vec<usize>,
    pub suggestion: Option<ClaimFields>,
    /// In normal form.
    pub address: String,
    pub tag: Option<String>,
}

/// The content of both fields that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimFields {
    pub address: String,
    pub tag: String,
}

/// Whether addresses of the network can have a tag.
pub fn has_tag(pair: &Pair) -> bool {
    pair.network.spec().tag != TagRule::None
}

pub fn check(opened: &Opened, pair: &Pair, text: &str, beside: &str) -> ClaimCheck {
    let fault = |fault| ClaimCheck { fault: Some(fault), ..ClaimCheck::default() };
    let (text, beside) = (text.trim(), beside.trim());
    if text.is_empty() {
        return fault(ClaimFault::Empty);
    }
    let (plain, inside) = tag::split(text).unwrap_or((text, None));
    if inside.as_deref().is_some_and(|inside| !beside.is_empty() && inside != beside) {
        return fault(ClaimFault::Tag);
    }
    let outer = inside.as_deref().or(Some(beside)).filter(|tag| !tag.is_empty() && has_tag(pair));
    let on_test = opened.test_network(pair.network).is_some_and(|test| test.own_addresses);
    let options = Options { allow_test_networks: on_test, ..Options::STRICT };
    let read = |address: &str, tag: Option<&str>| {
        validate_with(pair.currency.code(), pair.network.code(), address, tag, &options)
    };
    let verdict = read(plain, outer);
    if !verdict.valid {
        let kind = match verdict.reason {
            _ if outer.is_some() && read(plain, None).valid => ClaimFault::Tag,
            Some(Reason::ConflictingTag | Reason::ConflictingMemo) => ClaimFault::Tag,
            Some(Reason::WrongNetwork | Reason::TestNetwork) => ClaimFault::OtherNetwork,
            Some(Reason::Secret) => ClaimFault::Secret,
            Some(Reason::ContractAddress) => ClaimFault::Contract,
            Some(Reason::TagInside) => ClaimFault::TagInside,
            _ if verdict.looks_like.is_some() => ClaimFault::OtherNetwork,
            _ => ClaimFault::Mistake,
        };
        let fields = |suggestion| {
            let (address, tag) = match kind {
                ClaimFault::Tag => (plain.to_owned(), suggestion),
                _ => (suggestion, verdict.destination_tag.unwrap_or_default()),
            };
            ClaimFields { address, tag }
        };
        // The fields have no type of a memo.
        let is_kept = |fields: &ClaimFields| {
            let again = read(&fields.address, Some(&fields.tag));
            again.valid && (kind == ClaimFault::Tag || again.memo_type == verdict.memo_type)
        };
        let suggestion = verdict.suggestion.map(fields).filter(is_kept);
        return ClaimCheck { positions: verdict.positions, suggestion, ..fault(kind) };
    }
    let address = verdict.normalized.unwrap_or_default();
    let payment = &opened.payment;
    let mut own = payment.deposits.iter().map(|deposit| &deposit.to_address).chain(&payment.wallet_address);
    let is_own = own.any(|own| *own == address);
    let kind = if is_own {
        Some(ClaimFault::Own)
    } else {
        pair::is_token_contract(pair.network, &address).then_some(ClaimFault::Contract)
    };
    ClaimCheck { fault: kind, address, tag: verdict.destination_tag, ..ClaimCheck::default() }
}
