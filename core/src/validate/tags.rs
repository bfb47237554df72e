//! Combines the tags that belong to one address.

use crate::address::{Address, Kind, Options, Reason};
use crate::tag::{Tag, TagError};

/// Combines the separate tag and the embedded one, which must not contradict each other.
pub(super) fn join_tags(
    address: &Address,
    outer: Option<&str>,
    options: &Options,
) -> Result<Option<Tag>, TagError> {
    let inner = address.tag();
    let outer = match outer {
        Some(text) => Tag::parse(address.network(), text, options.memo_type),
        None => Ok(None),
    };
    match address.kind() {
        Kind::Muxed => match outer {
            Ok(None) => Ok(inner.map(Tag::MemoId)),
            Err(error) if error.reason() == Reason::MemoEmpty => Err(error),
            _ => Err(Reason::ConflictingMemo.into()),
        },
        // An X-address without a tag says that there is none.
        Kind::XAddress => match outer.as_ref().map_or_else(TagError::suggestion, Option::as_ref) {
            Some(meant) if meant.number() != inner => Err(Reason::ConflictingTag.into()),
            None if outer.is_ok() => Ok(inner.and_then(|tag| u32::try_from(tag).ok()).map(Tag::Destination)),
            _ => outer,
        },
        _ => outer,
    }
}

/// The separate tag, where an empty text is none unless a type is asked for.
pub(super) fn given<'a>(outer: Option<&'a str>, options: &Options) -> Option<&'a str> {
    outer.filter(|tag| !tag.is_empty() || options.memo_type.is_some())
}
