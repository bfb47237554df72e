//! What a refused text probably is. Only refused texts come here, so that right ones pay nothing for it.

use super::{CHAINS, ChainSpec, LONGEST, LONGEST_SECRET, accept, is_blank, refusal};
use crate::address::{Address, AddressError, Options, Reason};
use crate::codec::base58;
use crate::network::Network;
use crate::tag;
use crate::uri::query;

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
        // The letters of many forms of other networks are of both cases.
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

/// The first of the other networks for which the text is right.
fn looks_like(spec: &ChainSpec, text: &str) -> Option<Network> {
    let mut others = CHAINS.iter().filter(|other| other.network != spec.network);
    others.find(|other| accept(other, text, &Options::STRICT).is_ok()).map(|other| other.network)
}

/// A payment link, or an address with parameters behind it: refused, with the address where it is plain whom it pays.
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
    // `ethereum:<contract>/transfer?address=…` pays to someone else than it starts with.
    if rest.contains('/') {
        return Some(Reason::UriLike.into());
    }
    // The tag of `r…?dt=1` fits into an X-address, so that the suggestion does not lose it.
    let mut parameters = query::pairs(rest.split_once('?').map_or("", |parts| parts.1));
    let suggestion = match parameters.find(|(key, _)| *key == "dt") {
        Some((_, tag)) => tag::digits(tag).ok().and_then(|tag| address.with_tag(tag)),
        None => Some(address),
    };
    Some(AddressError { suggestion, ..Reason::UriLike.into() })
}

/// The same text in one letter case, where that alone makes it right.
fn other_case(spec: &ChainSpec, text: &str, options: &Options) -> Option<Address> {
    if spec.case_is_checksum || !text.is_ascii() {
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

/// Whether the text has the shape of a private key, a seed or a recovery phrase. A typing error does not make it
/// less secret, so that checksums are not looked at.
fn is_secret(text: &str) -> bool {
    let bytes = text.as_bytes();
    let base58 = || bytes.iter().all(|byte| base58::is_symbol(*byte));
    match bytes {
        // Wallet import format of the Bitcoin family, main and test.
        [b'5' | b'6' | b'9', ..] if bytes.len() == 51 => base58(),
        [b'K' | b'L' | b'T' | b'c', ..] if bytes.len() == 52 => base58(),
        // BIP-38.
        [b'6', b'P', ..] if bytes.len() == 58 => base58(),
        // BIP-32: xprv, yprv, zprv, tprv, Ltpv …
        [_, b'p', b'r', b'v', ..] | [_, b't', b'p', b'v', ..] if (107..=112).contains(&bytes.len()) => {
            base58()
        }
        // XRP Ledger seeds.
        [b's', b'E', b'd', ..] if bytes.len() == 31 => base58(),
        [b's', ..] if matches!(bytes.len(), 28 | 29) => base58(),
        // Stellar.
        [b'S', ..] if bytes.len() == 56 => bytes.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7')),
        // A bare key of 32 bytes. A transaction id looks the same; to keep it back harms nobody.
        [b'0', b'x', digits @ ..] | digits if digits.len() == 64 => digits.iter().all(u8::is_ascii_hexdigit),
        _ => is_phrase(bytes),
    }
}

/// BIP-39: 12 to 24 words of three to eight letters.
fn is_phrase(bytes: &[u8]) -> bool {
    let mut count = 0;
    let words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let all = words.fold(true, |all, word| {
        count += 1;
        all && (3..=8).contains(&word.len()) && word.iter().all(u8::is_ascii_lowercase)
    });
    all && matches!(count, 12 | 15 | 18 | 21 | 24)
}
