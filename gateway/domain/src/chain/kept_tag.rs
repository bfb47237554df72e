//! A tag as it is stored and compared: one text, which keeps the type of a Stellar memo, too. Digits are an id, 64 hexadecimal digits
//! a hash, everything else is a text; a text that would be read as an id has a mark before it, which no request and no chain can write.

use checkout_core::tag::{MemoType, Tag};
use checkout_core::validate::Verdict;
use checkout_core::{Network, tag};

/// Start of text, in ASCII.
const TEXT: char = '\u{2}';

/// The tag of a validated recipient.
pub fn of(verdict: &Verdict) -> Option<String> {
    verdict.destination_tag.as_deref().map(|tag| keep(tag, verdict.memo_type))
}

fn keep(tag: &str, memo_type: Option<MemoType>) -> String {
    let is_id = || read_default(tag).is_some_and(|tag| tag.number().is_some());
    if memo_type == Some(MemoType::Text) && is_id() { format!("{TEXT}{tag}") } else { tag.to_owned() }
}

/// As people read it.
pub fn shown(tag: &str) -> &str {
    tag.strip_prefix(TEXT).unwrap_or(tag)
}

/// The type of a memo, if its text alone does not say it.
pub fn memo_type(network: Network, tag: Option<&str>) -> Option<MemoType> {
    let read = memo(tag.filter(|_| network == Network::Xlm)?)?;
    let is_default = read_default(&read.to_string()).as_ref() == Some(&read);
    read.memo_type().filter(|_| !is_default)
}

/// The Stellar memo. `None` if it is none.
pub fn memo(tag: &str) -> Option<Tag> {
    let hash = || Tag::parse(Network::Xlm, tag, Some(MemoType::Hash)).ok().flatten();
    match tag.strip_prefix(TEXT) {
        Some(text) => Tag::parse(Network::Xlm, text, Some(MemoType::Text)).ok().flatten(),
        None => read_default(tag).or_else(hash),
    }
}

/// As `<address>?dt=<tag>`.
pub fn join(address: &str, tag: Option<&str>) -> String {
    tag::join(address, tag.map(shown))
}

fn read_default(tag: &str) -> Option<Tag> {
    Tag::parse(Network::Xlm, tag, None).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_kept() {
        const HASH: &str = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";
        let check = |tag: &str, asked: Option<MemoType>, expected: Tag, told: Option<MemoType>| {
            let read = Tag::parse(Network::Xlm, tag, asked).unwrap().unwrap();
            let kept = keep(&read.to_string(), read.memo_type());
            assert_eq!(memo(&kept), Some(expected), "{tag} {asked:?}");
            assert_eq!((shown(&kept), memo_type(Network::Xlm, Some(&kept))), (tag, told), "{tag} {asked:?}");
            assert_eq!(memo_type(Network::Xrp, Some(&kept)), None);
        };
        let text = |text: &str| Tag::MemoText(text.to_owned());
        check("7", None, Tag::MemoId(7), None);
        check("7", Some(MemoType::Id), Tag::MemoId(7), None);
        check("7", Some(MemoType::Text), text("7"), Some(MemoType::Text));
        check("0", Some(MemoType::Text), text("0"), Some(MemoType::Text));
        check("007", None, text("007"), None);
        check("007", Some(MemoType::Text), text("007"), None);
        check("18446744073709551616", Some(MemoType::Text), text("18446744073709551616"), None);
        check("order 7", Some(MemoType::Text), text("order 7"), None);
        let bytes = std::array::from_fn(|at| u8::try_from(at + 1).unwrap());
        check(HASH, Some(MemoType::Hash), Tag::MemoHash(bytes), Some(MemoType::Hash));
        assert_eq!(memo_type(Network::Xlm, None), None);
    }
}
