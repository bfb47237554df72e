//! The options of a caller, as bits.

use checkout_core::tag::MemoType;
use checkout_core::{Options, Table};

/// Two bits: 0 for no memo type, else one more than its index in [`MemoType::ALL`].
const MEMO_TYPE: u32 = 0;
/// The given tag is not a text and cannot be read.
const UNREADABLE_TAG: u32 = 1 << 2;
/// The given memo type is unknown.
const UNKNOWN_MEMO_TYPE: u32 = 1 << 3;
/// The given tag is an empty text, not absent.
const EMPTY_TAG: u32 = 1 << 4;
/// The first bit of [`OPTIONS`], which have one bit each.
const FIRST: u32 = 5;

type OptionField = fn(&mut Options) -> &mut bool;

/// The names of the options in JavaScript, and the options of the core that they set.
pub(crate) const OPTIONS: &[(&str, OptionField)] = &[
    ("allowTestNetworks", |options| &mut options.allow_test_networks),
    ("allowLegacyBch", |options| &mut options.allow_legacy_bch),
    ("allowLegacyLtc", |options| &mut options.allow_legacy_ltc),
    ("allowMweb", |options| &mut options.allow_mweb),
    ("allowPayToAnchor", |options| &mut options.allow_pay_to_anchor),
    ("allowContracts", |options| &mut options.allow_contracts),
    ("allowBurnAddresses", |options| &mut options.allow_burn_addresses),
    ("allowMissing0x", |options| &mut options.allow_missing_0x),
    ("allowIcap", |options| &mut options.allow_icap),
    ("allowTronHex", |options| &mut options.allow_tron_hex),
    ("allowSurroundingBlanks", |options| &mut options.allow_surrounding_blanks),
    ("refuseFutureWitness", |options| &mut options.refuse_future_witness),
    ("refuseNoChecksum", |options| &mut options.refuse_no_checksum),
    ("refuseTagInside", |options| &mut options.refuse_tag_inside),
];

/// The bit after those of [`OPTIONS`]: the pairs of the payment interface alone.
const INTERFACE: u32 = 19;

pub(crate) fn options(bits: u32) -> Options {
    let mut options = Options::STRICT;
    let place = (bits >> MEMO_TYPE & 3) as usize;
    options.memo_type = place.checked_sub(1).and_then(|at| MemoType::ALL.get(at)).copied();
    if bits >> FIRST != 0 {
        for (bit, (_, option)) in (FIRST..).zip(OPTIONS) {
            *option(&mut options) = bits >> bit & 1 == 1;
        }
        if bits >> INTERFACE & 1 == 1 {
            options.table = Table::Interface;
        }
    }
    options
}

/// Returns the bits of a tag, a memo type and names of options. Unknown names of options are ignored.
pub fn bits_of<'a>(
    tag: Option<&str>,
    memo_type: Option<&str>,
    names: impl IntoIterator<Item = &'a str>,
) -> u32 {
    let memo_type = memo_type.map_or(0, |word| {
        let place = (1..).zip(MemoType::ALL).find(|(_, memo_type)| memo_type.code() == word);
        place.map_or(UNKNOWN_MEMO_TYPE, |(place, _)| place << MEMO_TYPE)
    });
    let empty = if tag == Some("") { EMPTY_TAG } else { 0 };
    names.into_iter().fold(memo_type | empty, |bits, name| {
        let place = (FIRST..).zip(OPTIONS).find(|(_, option)| option.0 == name);
        bits | place.map_or(0, |(bit, _)| 1 << bit)
    })
}

/// The names of all options.
pub fn option_names() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|option| option.0)
}

/// The tag as it was given: an absent and an empty one have the same text.
pub(crate) fn given(tag: &str, bits: u32) -> Option<&str> {
    (!tag.is_empty() || bits & EMPTY_TAG != 0).then_some(tag)
}

pub(crate) fn unreadable_tag(bits: u32) -> bool {
    bits & UNREADABLE_TAG != 0
}

pub(crate) fn unknown_memo_type(bits: u32) -> bool {
    bits & UNKNOWN_MEMO_TYPE != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_survive_the_conversion_to_bits() {
        assert_eq!(options(bits_of(None, None, [])), Options::STRICT);
        for memo_type in MemoType::ALL {
            let bits = bits_of(None, Some(memo_type.code()), []);
            assert_eq!(options(bits).memo_type, Some(*memo_type));
            assert!(!unreadable_tag(bits) && !unknown_memo_type(bits), "two bits hold every memo type");
        }
        assert!(unknown_memo_type(bits_of(None, Some("return"), [])));
        for name in option_names() {
            let mut expected = Options::STRICT;
            *OPTIONS.iter().find(|option| option.0 == name).unwrap().1(&mut expected) = true;
            assert_eq!(options(bits_of(None, None, [name])), expected, "{name}");
        }
        let empty = bits_of(Some(""), None, []);
        assert_eq!((given("", empty), given("", 0), given("7", 0)), (Some(""), None, Some("7")));
        assert_eq!(INTERFACE as usize, FIRST as usize + OPTIONS.len());
        assert_eq!(options(1 << INTERFACE), Options { table: Table::Interface, ..Options::STRICT });
    }

    /// `Debug` prints all fields of the core's options.
    #[test]
    fn every_option_of_the_core_has_its_name() {
        let printed = format!("{:?}", Options::STRICT);
        let fields: Vec<String> = printed
            .split(['{', ','])
            .filter_map(|field| field.trim().trim_end_matches([' ', '}']).strip_suffix(": false"))
            .map(|field| {
                let mut words = field.split('_');
                let first = words.next().unwrap().to_owned();
                words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..])
            })
            .collect();
        assert_eq!(option_names().collect::<Vec<_>>(), fields);
    }
}
