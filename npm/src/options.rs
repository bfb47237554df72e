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
/// The first bit of [`Options::SWITCHES`], which have one bit each.
const FIRST: u32 = 5;

/// The bit after those of [`Options::SWITCHES`]: the pairs of the payment interface alone.
const INTERFACE: u32 = 19;

pub(crate) fn options(bits: u32) -> Options {
    let mut options = Options::STRICT;
    let place = (bits >> MEMO_TYPE & 3) as usize;
    options.memo_type = place.checked_sub(1).and_then(|at| MemoType::ALL.get(at)).copied();
    if bits >> FIRST != 0 {
        for (bit, (_, option)) in (FIRST..).zip(Options::SWITCHES) {
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
        let place = (FIRST..).zip(option_names()).find(|(_, option)| option == name);
        bits | place.map_or(0, |(bit, _)| 1 << bit)
    })
}

/// The names of all options in JavaScript.
pub fn option_names() -> impl Iterator<Item = String> {
    Options::SWITCHES.iter().map(|(name, _)| camel_case(name))
}

fn camel_case(name: &str) -> String {
    let mut is_first = false;
    let letters = name.chars().filter_map(|letter| {
        let was_first = core::mem::replace(&mut is_first, letter == '_');
        (letter != '_').then(|| if was_first { letter.to_ascii_uppercase() } else { letter })
    });
    letters.collect()
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
        for (name, field) in option_names().zip(Options::SWITCHES.iter().map(|switch| switch.1)) {
            let mut expected = Options::STRICT;
            *field(&mut expected) = true;
            assert_eq!(options(bits_of(None, None, [name.as_str()])), expected, "{name}");
        }
        let empty = bits_of(Some(""), None, []);
        assert_eq!((given("", empty), given("", 0), given("7", 0)), (Some(""), None, Some("7")));
        assert_eq!(INTERFACE as usize, FIRST as usize + Options::SWITCHES.len());
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
