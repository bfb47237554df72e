//! A verdict as one number and, if it has texts, the output buffer.

use checkout_core::address::Address;
use checkout_core::network::TagRule;
use checkout_core::{Pair, Reason, Table, Verdict, Warning, validate_with};

use crate::exchange::ExchangeBuffer;
use crate::options::{given, options, unknown_memo_type, unreadable_tag};

/// Checks an address for a row of [`Table::All`]; `bits` are [options](crate::bits_of).
pub fn check(row: usize, address: &str, tag: &str, bits: u32) -> Verdict {
    let Some(pair) = pair(row) else { return Verdict::default() };
    let (currency, network) = (pair.currency.code(), pair.network.code());
    let tag = given(tag, bits);
    let mut verdict = validate_with(currency, network, address, tag, &options(bits));
    if !verdict.valid || bits == 0 {
        return verdict;
    }
    let fault = match pair.network.spec().tag {
        TagRule::None if unreadable_tag(bits) => {
            verdict.warnings.push(Warning::TagIgnored);
            return verdict;
        }
        TagRule::DestinationTag | TagRule::Memo | TagRule::TextMemo if unreadable_tag(bits) => {
            Reason::TagNotDigits
        }
        TagRule::Memo if unknown_memo_type(bits) && tag.is_some_and(|tag| !tag.is_empty()) => {
            Reason::TagNotDigits
        }
        _ => return verdict,
    };
    let mut refused = Verdict::default();
    refused.supported = true;
    refused.kind = verdict.kind;
    refused.reason = Some(fault);
    refused
}

/// Returns the `valid` of [`check`].
pub(crate) fn is_valid(row: usize, address: &str, tag: &str, bits: u32) -> bool {
    let plain = given(tag, bits).is_none() && !unreadable_tag(bits);
    match pair(row) {
        // Without a tag, only the address can be wrong.
        Some(pair) if plain => Address::parse_with(pair.network, address, &options(bits)).is_ok(),
        _ => check(row, address, tag, bits).valid,
    }
}

/// The pair of a row.
fn pair(row: usize) -> Option<&'static Pair> {
    Table::All.pairs().get(row)
}

/// The position of each part in the number. A code is 0 for none, else one more than its index in its list.
pub(crate) struct Bits;

impl Bits {
    pub(crate) const VALID: u32 = 1;
    pub(crate) const SUPPORTED: u32 = 1 << 1;
    /// The normal form equals the given address, so it is not in the output.
    pub(crate) const NORMAL: u32 = 1 << 2;
    /// The output has texts or positions.
    pub(crate) const OUTPUT: u32 = 1 << 3;
    /// Five bits.
    pub(crate) const KIND: u32 = 4;
    /// Two bits.
    pub(crate) const MEMO_TYPE: u32 = 9;
    /// Seven bits.
    pub(crate) const REASON: u32 = 11;
    /// Five bits.
    pub(crate) const LOOKS_LIKE: u32 = 18;
    /// Eight bits, one for each warning.
    pub(crate) const WARNINGS: u32 = 23;
}

/// Returns the number. Writes to the output four lengths of one byte each (normal form, tag, suggestion, positions),
/// then the three texts, then the positions, one byte each.
pub(crate) fn write<const WORDS: usize>(
    verdict: &Verdict,
    address: &str,
    output: &ExchangeBuffer<WORDS>,
) -> u32 {
    let normal = verdict.normalized.as_deref() == Some(address);
    let texts = [
        verdict.normalized.as_deref().filter(|_| !normal).unwrap_or_default(),
        verdict.destination_tag.as_deref().unwrap_or_default(),
        verdict.suggestion.as_deref().unwrap_or_default(),
    ];
    let mut bits = 0;
    if verdict.valid {
        bits |= Bits::VALID;
    }
    if verdict.supported {
        bits |= Bits::SUPPORTED;
    }
    if normal {
        bits |= Bits::NORMAL;
    }
    bits |= verdict.kind.map_or(0, |kind| kind as u32 + 1) << Bits::KIND;
    bits |= verdict.memo_type.map_or(0, |memo_type| memo_type as u32 + 1) << Bits::MEMO_TYPE;
    bits |= verdict.reason.map_or(0, |reason| reason as u32 + 1) << Bits::REASON;
    bits |= verdict.looks_like.map_or(0, |network| network as u32 + 1) << Bits::LOOKS_LIKE;
    for warning in &verdict.warnings {
        bits |= 1 << (Bits::WARNINGS + *warning as u32);
    }
    if texts.iter().any(|text| !text.is_empty()) || !verdict.positions.is_empty() {
        bits |= Bits::OUTPUT;
        output.write(&packed(&texts, &verdict.positions));
    }
    bits
}

fn packed(texts: &[&str; 3], positions: &[usize]) -> Vec<u8> {
    let byte = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    let mut bytes = Vec::with_capacity(256);
    bytes.extend(texts.iter().map(|text| byte(text.len())));
    bytes.push(byte(positions.len()));
    for text in texts {
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes.extend(positions.iter().map(|position| byte(*position)));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::Network;
    use checkout_core::address::Kind;
    use checkout_core::tag::MemoType;

    #[test]
    fn codes_are_list_indices_that_fit_their_bits() {
        fn fits<T: Copy + PartialEq + std::fmt::Debug>(all: &[T], place: impl Fn(T) -> usize, bits: u32) {
            for (at, value) in all.iter().enumerate() {
                assert_eq!(place(*value), at, "{value:?}");
            }
            assert!(all.len() < 1 << bits, "{all:?}");
        }
        fits(Kind::ALL, |kind| kind as usize, Bits::MEMO_TYPE - Bits::KIND);
        fits(MemoType::ALL, |memo_type| memo_type as usize, Bits::REASON - Bits::MEMO_TYPE);
        fits(Reason::ALL, |reason| reason as usize, Bits::LOOKS_LIKE - Bits::REASON);
        fits(Network::ALL, |network| network as usize, Bits::WARNINGS - Bits::LOOKS_LIKE);
        for (at, warning) in Warning::ALL.iter().enumerate() {
            assert_eq!(*warning as usize, at);
        }
        assert!(Warning::ALL.len() <= 8);
    }

    fn row(network: &str) -> usize {
        Table::All
            .pairs()
            .iter()
            .position(|pair| pair.network.code() == network && pair.contract.is_none())
            .unwrap()
    }

    const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
    const XLM: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
    const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

    #[test]
    fn an_unreadable_tag_is_never_ignored() {
        let check = |network: &str, address: &str, tag: &str, options: u32| {
            let verdict = check(row(network), address, tag, options);
            assert_eq!(is_valid(row(network), address, tag, options), verdict.valid);
            (verdict.valid, verdict.reason, verdict.warnings)
        };
        assert_eq!(check("XRP", XRP, "", 4), (false, Some(Reason::TagNotDigits), vec![]));
        assert_eq!(check("XLM", XLM, "", 4), (false, Some(Reason::TagNotDigits), vec![]));
        assert_eq!(check("BTC", BTC, "", 4), (true, None, vec![Warning::TagIgnored]));
        assert_eq!(check("XLM", XLM, "1", 8), (false, Some(Reason::TagNotDigits), vec![]));
        assert_eq!(check("XLM", XLM, "", 8), (true, None, vec![]));
        assert_eq!(check("XRP", XRP, "1", 8), (true, None, vec![]));
    }

    #[test]
    fn an_unknown_row_is_unsupported() {
        assert_eq!(check(Table::All.pairs().len(), BTC, "", 0), Verdict::default());
        assert!(!is_valid(Table::All.pairs().len(), BTC, "", 0));
    }
}
