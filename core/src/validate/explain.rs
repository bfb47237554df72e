//! Explains a refused text. Valid texts never reach this module.

use super::blanks::is_blank;
use super::rules::{accept, refusal};
use super::secret::{LONGEST_SECRET, is_secret};
use crate::address::{Address, AddressError, Options, Reason};
use crate::chain::{CHAINS, ChainSpec, Checksum, LONGEST};
use crate::encoding::query;
use crate::network::Network;
use crate::tag;

#[cold]
pub(super) fn explain(
    spec: &'static ChainSpec,
    text: &str,
    options: &Options,
    error: AddressError,
) -> AddressError {
    if text.len() > LONGEST_SECRET {
        return error;
    }
    let bare = text.trim_matches(is_blank);
    if is_secret(bare) {
        return Reason::Secret.into();
    }
    if text.len() > LONGEST {
        return error;
    }
    if bare.is_empty() {
        return Reason::Empty.into();
    }
    if bare.len() < text.len() {
        return match accept(spec, bare, options) {
            Ok(address) => AddressError::suggesting(Reason::SurroundingWhitespace, address),
            Err(_) => {
                AddressError { looks_like: looks_like(spec, bare), ..Reason::SurroundingWhitespace.into() }
            }
        };
    }
    if let Some(address) = &error.suggestion
        && let Some(reason) = refusal(spec, &address.account(), text, options)
    {
        return reason.into();
    }
    let error = AddressError { looks_like: looks_like(spec, text), ..error };
    match error.reason() {
        _ if error.suggestion.is_some() => error,
        // Many forms of other networks use mixed case.
        Reason::MixedCase if error.looks_like.is_none() => {
            AddressError { suggestion: other_case(spec, text, options), ..error }
        }
        Reason::MixedCase
        | Reason::BadCharacter
        | Reason::Unrecognized
        | Reason::BadPrefix
        | Reason::BadLength
        | Reason::BadChecksum
        | Reason::BadVersion => {
            if error.looks_like.is_some() {
                return AddressError { reason: Reason::WrongNetwork, at: None, ..error };
            }
            let suggestion = other_case(spec, text, options);
            inside_uri(spec, text, options).unwrap_or(AddressError { suggestion, ..error })
        }
        _ => error,
    }
}

/// The first other network for which the text is valid.
fn looks_like(spec: &ChainSpec, text: &str) -> Option<Network> {
    let mut others = CHAINS.iter().filter(|other| other.network != spec.network);
    others.find(|other| accept(other, text, &Options::STRICT).is_ok()).map(|other| other.network)
}

/// Refuses a payment link or an address with parameters, with a suggestion if the recipient is clear.
fn inside_uri(spec: &ChainSpec, text: &str, options: &Options) -> Option<AddressError> {
    let inside = match text.split_once(':') {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+') => {
            rest
        }
        _ => text,
    };
    let end = inside.find(['?', '@', '/', '&']).unwrap_or(inside.len());
    let (address, rest) = inside.split_at_checked(end)?;
    let address = accept(spec, address, options).ok()?;
    // `ethereum:<contract>/transfer?address=…` does not pay to its first address.
    if rest.contains('/') {
        return Some(Reason::UriLike.into());
    }
    // The tag of `r…?dt=1` becomes part of an X-address, so that the suggestion keeps it.
    let mut parameters = query::pairs(rest.split_once('?').map_or("", |parts| parts.1));
    let suggestion = match parameters.find(|(key, _)| *key == "dt") {
        Some((_, tag)) => tag::digits(tag).ok().and_then(|tag| address.with_tag(tag)),
        None => Some(address),
    };
    Some(AddressError { suggestion, ..Reason::UriLike.into() })
}

/// The same text in one letter case, if that makes it valid.
fn other_case(spec: &ChainSpec, text: &str, options: &Options) -> Option<Address> {
    if spec.checksum != Checksum::Always || !text.is_ascii() {
        return None;
    }
    let mut buffer = [0; LONGEST];
    let letters = buffer.get_mut(..text.len())?;
    letters.copy_from_slice(text.as_bytes());
    letters.make_ascii_lowercase();
    let lower = accept(spec, core::str::from_utf8(letters).ok()?, options).ok();
    lower.or_else(|| {
        letters.make_ascii_uppercase();
        accept(spec, core::str::from_utf8(letters).ok()?, options).ok()
    })
}
