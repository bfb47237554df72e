//! Validates an address together with its tag.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;

use crate::address::{Address, AddressError, Kind, Options, Reason};
use crate::chain;
use crate::codes::codes;
use crate::network::{MemoType, Network, TagRule};
use crate::tag::Tag;

mod blanks;
mod explain;
mod parse;
mod pasted;
mod recipient;
mod rules;
mod secret;
mod tags;

use recipient::Recipient;
pub(crate) use secret::is_secret;
use tags::{given, join_tags};

codes! {
    /// Warnings about valid addresses.
    #[non_exhaustive]
    Warning("warning") {
        /// An EVM address in one letter case: typing errors are not detected.
        NoChecksum = "no_checksum",
        /// A witness program of an undefined version.
        FutureWitnessVersion = "future_witness_version",
        /// The network has no tags; the given one has no effect.
        TagIgnored = "tag_ignored",
    }
}

/// The result of [`validate`]; its JSON form is one line of `checkout validate --jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Verdict {
    /// Whether money may be sent to the address.
    pub valid: bool,
    /// Whether the currency exists on the network. If false, nothing else was checked.
    pub supported: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The address in its normal form, the same for all texts of one account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalized: Option<String>,
    /// The tag in its normal form, including a tag embedded in the address. Of a refused text, the tag that belongs to the
    /// suggestion: take both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<MemoType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Positions of errors in the address, in bytes from its start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The correct form of the refused text: of the tag if the reason concerns the tag, otherwise of the
    /// address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// The network for which the text is valid, or which it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks_like: Option<Network>,
}

/// Validates an address and its tag by the strict rules. A pair that is not in [`Table::All`](crate::Table::All) is neither valid
/// nor supported.
///
/// Codes are exact (`BTC`, `TRX`); an empty tag is no tag, but is refused with a memo type.
///
/// ```
/// use crypto_checkout_core::validate;
///
/// let verdict = validate("XRP", "XRP", "XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC", None);
/// assert!(verdict.valid);
/// assert_eq!(verdict.normalized.as_deref(), Some("rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf"));
/// assert_eq!(verdict.destination_tag.as_deref(), Some("1"));
/// ```
pub fn validate(currency: &str, network: &str, address: &str, tag: Option<&str>) -> Verdict {
    validate_with(currency, network, address, tag, &Options::STRICT)
}

/// Validates an address and its tag with options.
pub fn validate_with(
    currency: &str,
    network: &str,
    address: &str,
    tag: Option<&str>,
    options: &Options,
) -> Verdict {
    match options.table.by_codes(currency, network) {
        Some(pair) => check(pair.network, address, tag, options),
        None => Verdict::default(),
    }
}

fn check(network: Network, text: &str, tag: Option<&str>, options: &Options) -> Verdict {
    // Passed by reference: an address is large enough for moves to cost measurable time.
    match &parse::parse(network, text, options) {
        Ok(address) => accepted(address, options.bare(text).1, tag, options),
        Err(error) => refused(network, text, tag, error, options),
    }
}

fn accepted(address: &Address, text: &str, outer: Option<&str>, options: &Options) -> Verdict {
    let network = address.network();
    let outer = given(outer, options);
    let mut verdict = Verdict { supported: true, kind: Some(address.kind()), ..Verdict::default() };
    if outer.is_some() || address.tag().is_some() {
        match join_tags(address, outer, options) {
            Ok(tag) => {
                verdict.memo_type = tag.as_ref().and_then(Tag::memo_type);
                verdict.destination_tag = tag.map(|tag| tag.to_string());
            }
            Err(error) => {
                verdict.reason = Some(error.reason());
                verdict.suggestion = error.suggestion().map(ToString::to_string);
                return verdict;
            }
        }
    }
    verdict.valid = true;
    let normalized = chain::normal_form(address, text);
    let warnings = [
        (chain::lacks_checksum(chain::spec(network), text, &normalized), Warning::NoChecksum),
        (address.kind() == Kind::FutureWitness, Warning::FutureWitnessVersion),
        (
            outer.is_some_and(|tag| !tag.is_empty()) && network.spec().tag == TagRule::None,
            Warning::TagIgnored,
        ),
    ];
    verdict.warnings = warnings.into_iter().filter(|row| row.0).map(|row| row.1).collect();
    verdict.normalized = Some(normalized);
    verdict
}

#[cold]
fn refused(
    network: Network,
    text: &str,
    outer: Option<&str>,
    error: &AddressError,
    options: &Options,
) -> Verdict {
    let mut verdict = Verdict {
        supported: true,
        reason: Some(error.reason()),
        positions: positions(network, text, error, options),
        looks_like: error.looks_like(),
        ..Verdict::default()
    };
    let meant = match error.reason() {
        // Only this has a memo that is no number.
        Reason::UriLike => {
            let text = text.trim_matches(blanks::is_blank);
            pasted::read(chain::spec(network), text, options).and_then(Result::ok)
        }
        _ => error.suggestion().copied().map(Recipient::of),
    };
    let Some(meant) = meant else { return verdict };
    let account = meant.address.account();
    match meant.joined(outer, options) {
        Ok(tag) => {
            verdict.suggestion = Some(account.to_string());
            verdict.memo_type = tag.as_ref().and_then(Tag::memo_type);
            verdict.destination_tag = tag.map(|tag| tag.to_string());
        }
        Err(conflict) => verdict.reason = conflict.or(verdict.reason),
    }
    verdict
}

/// The positions of a typing error, computed for refused texts only.
fn positions(network: Network, text: &str, error: &AddressError, options: &Options) -> Vec<usize> {
    match (error.position(), error.reason()) {
        (Some(at), _) => vec![at],
        (None, Reason::BadChecksum | Reason::BadLength) => {
            let (start, text) = options.bare(text);
            chain::locate(network, text).into_iter().map(|at| start + at).collect()
        }
        _ => Vec::new(),
    }
}
