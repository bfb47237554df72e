use crypto_checkout_core::chain;
use crypto_checkout_core::tag::{self, MemoType, Tag};
use crypto_checkout_core::{Network, TagRule};

use crate::seeds;

/// The network, the memo type, then the text.
pub(crate) fn run(data: &[u8]) {
    let Some((&[network, memo_type], rest)) = data.split_first_chunk::<2>() else { return };
    let network = Network::ALL[usize::from(network) % Network::ALL.len()];
    let memo_type = MemoType::ALL.get(usize::from(memo_type) % (MemoType::ALL.len() + 1)).copied();
    let text = String::from_utf8_lossy(rest);
    match Tag::parse(network, &text, memo_type) {
        Ok(None) => assert!(text.is_empty() || network.tag_rule() == TagRule::None),
        Ok(Some(tag)) => {
            let printed = tag.to_string();
            let again = Tag::parse(network, &printed, tag.memo_type()).expect("what is printed parses");
            assert_eq!(again.as_ref(), Some(&tag));
            assert!(
                memo_type.is_none() || network.tag_rule() != TagRule::Memo || tag.memo_type() == memo_type
            );
            // Only a hash has more than one encoding.
            assert!(printed == text || tag.memo_type() == Some(MemoType::Hash));
            assert_eq!(
                tag.number().is_some(),
                printed.bytes().all(|byte| byte.is_ascii_digit()) && !is_text(&tag)
            );
        }
        Err(error) => {
            if let Some(suggestion) = error.suggestion() {
                let printed = suggestion.to_string();
                assert_eq!(Tag::parse(network, &printed, memo_type).as_ref(), Ok(&Some(suggestion.clone())));
            }
            assert_eq!(error.to_string(), error.reason().message());
        }
    }
}

fn is_text(tag: &Tag) -> bool {
    matches!(tag, Tag::MemoText(_) | Tag::MemoHash(_))
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let tags = seeds::vectors().into_iter().filter_map(|vector| vector.tag);
    let mut tags: Vec<String> = tags.collect();
    tags.sort();
    tags.dedup();
    let kinds = [[6, 3], [7, 0], [7, 1], [7, 2], [7, 3]];
    tags.iter().flat_map(|tag| kinds.map(|head| seeds::after(&head, tag))).collect()
}

/// The text, and its first bytes as an address and a tag.
pub(crate) fn split(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok((address, tag)) = tag::split(&text) {
        joined_is_split(address, tag.as_deref());
    }
    let (address, tag) = text.split_once('\n').unwrap_or((&text, ""));
    if !address.contains('?') {
        joined_is_split(address, Some(tag).filter(|tag| !tag.is_empty()));
    }
}

/// An address and a tag within the length limits survive joining and splitting.
fn joined_is_split(address: &str, tag: Option<&str>) {
    if address.len() <= chain::LONGEST && tag.is_none_or(|tag| tag.len() <= LONGEST) {
        let joined = tag::join(address, tag);
        let split = tag::split(&joined).expect("what is joined can be split");
        assert_eq!(split, (address, tag.map(String::from)));
    }
}

/// In bytes, as in the core's tests of its limits.
const LONGEST: usize = 64;

pub(crate) fn split_seeds() -> Vec<Vec<u8>> {
    let joined = ["r?dt=1", "r?dt=", "r?", "r?dt=%41", "r?dt=1&dt=2", "r?tag=1", "r\na&b=%?\u{e9}"];
    let published = seeds::addresses(Network::Xrp).into_iter().chain(joined.map(String::from));
    published.map(String::into_bytes).collect()
}
