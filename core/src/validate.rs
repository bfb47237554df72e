//! Validates an address together with its tag.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::address::{Address, AddressError, Kind, Options, Reason};
use crate::chain;
use crate::codes::codes;
use crate::network::{Network, TagRule};
use crate::pair::Pair;

mod blanks;
mod checked;
mod explain;
mod parse;
mod pasted;
mod recipient;
mod rules;
mod secret;
mod tags;
mod verdict;

pub use checked::{Checked, Refused, Suggestion};
use recipient::Recipient;
pub(crate) use secret::is_secret;
use tags::{given, join_tags};
pub use verdict::Verdict;

codes! {
    /// Warnings about valid addresses.
    #[non_exhaustive]
    Warning("warning") {
        /// An EVM address in one letter case, or any address of a network without checksums: typing errors are not detected.
        NoChecksum = "no_checksum",
        /// A witness program of an undefined version.
        FutureWitnessVersion = "future_witness_version",
        /// The network has no tags; the given one has no effect.
        TagIgnored = "tag_ignored",
    }
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
        Some(pair) => match check_with(pair, address, tag, options) {
            Ok(checked) => Verdict::valid(checked),
            Err(refused) => Verdict::refused(refused),
        },
        None => Verdict::default(),
    }
}

/// Checks an address and its tag for a pair by the strict rules.
///
/// ```
/// use crypto_checkout_core::{Currency, Network, Pair, Reason, Tag, check};
///
/// let xrp = Pair::find(Currency::Xrp, Network::Xrp).unwrap();
/// let checked = check(xrp, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", Some("495")).unwrap();
/// assert_eq!(checked.tag(), Some(&Tag::Destination(495)));
///
/// let refused = check(xrp, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDX", None).unwrap_err();
/// assert_eq!(refused.reason(), Reason::BadChecksum);
/// ```
pub fn check(pair: &Pair, address: &str, tag: Option<&str>) -> Result<Checked, Refused> {
    check_with(pair, address, tag, &Options::STRICT)
}

/// Checks an address and its tag for a pair with options; their table has no effect.
pub fn check_with(
    pair: &Pair,
    address: &str,
    tag: Option<&str>,
    options: &Options,
) -> Result<Checked, Refused> {
    // Passed by reference: an address is large enough for moves to cost measurable time.
    match &parse::parse(pair.network, address, options) {
        Ok(found) => accepted(found, options.bare(address).1, tag, options),
        Err(error) => Err(refused(pair, address, tag, error, options)),
    }
}

fn accepted(
    address: &Address,
    text: &str,
    outer: Option<&str>,
    options: &Options,
) -> Result<Checked, Refused> {
    let network = address.network();
    let outer = given(outer, options);
    let tag = if outer.is_some() || address.tag().is_some() {
        join_tags(address, outer, options).map_err(|error| Refused::tag(address.kind(), &error))?
    } else {
        None
    };
    let normalized = chain::normal_form(address, text);
    let warnings = [
        (chain::lacks_checksum(chain::spec(network), text, &normalized), Warning::NoChecksum),
        (address.kind() == Kind::FutureWitness, Warning::FutureWitnessVersion),
        (
            outer.is_some_and(|tag| !tag.is_empty()) && network.spec().tag == TagRule::None,
            Warning::TagIgnored,
        ),
    ];
    let warnings = warnings.into_iter().filter(|row| row.0).map(|row| row.1).collect();
    Ok(Checked { address: *address, normalized, tag, warnings })
}

#[cold]
fn refused(
    pair: &Pair,
    text: &str,
    outer: Option<&str>,
    error: &AddressError,
    options: &Options,
) -> Refused {
    let network = pair.network;
    let mut refused = Refused {
        reason: error.reason(),
        kind: None,
        positions: positions(network, text, error, options),
        suggestion: None,
        looks_like: error.looks_like(),
    };
    let meant = match error.reason() {
        // Only this has a memo that is no number. The page asks only whether an address is valid.
        Reason::UriLike if !cfg!(feature = "page") => {
            let text = text.trim_matches(blanks::is_blank);
            pasted::read(chain::spec(network), pair.contract, text, options).and_then(Result::ok)
        }
        _ => error.suggestion().copied().map(Recipient::of),
    };
    let Some(meant) = meant else { return refused };
    let address = meant.address.account();
    match meant.joined(outer, options) {
        Ok(tag) => refused.suggestion = Some(Box::new(Suggestion::Recipient { address, tag })),
        Err(conflict) => refused.reason = conflict.unwrap_or(refused.reason),
    }
    refused
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
