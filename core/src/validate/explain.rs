//! Explains a refused text. Valid texts never reach this module.

use super::blanks::is_blank;
use super::pasted;
use super::rules::{accept, read, refusal};
use super::secret::{LONGEST_SECRET, is_secret};
use crate::address::{Address, AddressError, Options, Reason};
use crate::chain::{ChainSpec, Checksum, LONGEST, ROWS};
use crate::network::Network;

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
    // An address of Sui is written as a bare key is.
    if is_secret(bare) && read(spec.network, bare).is_err() {
        return Reason::Secret.into();
    }
    if text.len() > LONGEST {
        return error;
    }
    if bare.is_empty() {
        return Reason::Empty.into();
    }
    if bare.len() < text.len() {
        let looks_like = match accept(spec, bare, options) {
            Ok(address) => return AddressError::suggesting(Reason::SurroundingWhitespace, address),
            Err(error) => looks_like(spec, bare, error.reason),
        };
        let link = if looks_like.is_none() { linked(spec, bare, options) } else { None };
        return link.unwrap_or(AddressError { looks_like, ..Reason::SurroundingWhitespace.into() });
    }
    if let Some(address) = &error.suggestion
        && let Some(reason) = refusal(spec, &address.account(), text, options)
    {
        return reason.into();
    }
    // A form of this network, which others share.
    if error.reason == Reason::NoChecksum {
        return error;
    }
    let error = AddressError { looks_like: looks_like(spec, text, error.reason), ..error };
    match error.reason() {
        _ if error.suggestion.is_some() => error,
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
            if let Some(address) = other_case(spec, text, options) {
                return AddressError { suggestion: Some(address), ..error };
            }
            // A known place says more than the account of a link alone.
            let linked = linked(spec, text, options);
            let linked = linked.filter(|found| found.reason != Reason::BadChecksum || error.at.is_none());
            linked.unwrap_or_else(|| match text.bytes().position(|byte| !byte.is_ascii()) {
                // A character of several bytes changes the length, too.
                Some(at) if error.reason == Reason::BadLength => {
                    AddressError::at(Reason::BadCharacter, at)
                }
                _ => error,
            })
        }
        _ => error,
    }
}

/// Of a link, or of an address with something after it.
fn linked(spec: &ChainSpec, text: &str, options: &Options) -> Option<AddressError> {
    Some(match pasted::read(spec, None, text, options)? {
        Ok(recipient) => AddressError { suggestion: recipient.into_address(), ..Reason::UriLike.into() },
        Err(error) => error,
    })
}

/// The first other network for which the text is valid. Without a checksum, nearly any text of its length is: such a network comes
/// last, and only if the text has no form of its own network, in which it may be mistyped.
fn looks_like(spec: &ChainSpec, text: &str, reason: Reason) -> Option<Network> {
    let is_foreign = matches!(reason, Reason::Unrecognized | Reason::BadLength);
    let named = |is_checked: bool| {
        let mut others = ROWS.iter().filter(|other| (other.checksum != Checksum::Never) == is_checked);
        others.find(|other| other.network != spec.network && accept(other, text, &Options::STRICT).is_ok())
    };
    let other = named(true).or_else(|| if is_foreign { named(false) } else { None });
    other.map(|other| other.network)
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
