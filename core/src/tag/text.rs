//! A tag as one text that says its type: `7`, `id:7`, `text:order 7`, `hash:…`.

use alloc::format;
use alloc::string::{String, ToString};
use core::str::FromStr;

use super::{Tag, TagError};
use crate::address::Reason;
use crate::network::MemoType;
use crate::text_form::text_form;

impl FromStr for Tag {
    type Err = TagError;

    /// Digits alone are a destination tag; a memo follows its type and a colon.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None => super::destination(text),
            Some((_, "")) => Err(Reason::MemoEmpty.into()),
            Some((memo_type, memo)) => {
                let memo_type: MemoType = memo_type.parse().map_err(|_| Reason::TagNotDigits)?;
                super::memo(memo, Some(memo_type))
            }
        }
    }
}

#[cfg(feature = "serde")]
fn written(tag: &Tag) -> String {
    match tag.memo_type() {
        None => tag.to_string(),
        Some(memo_type) => format!("{}:{tag}", memo_type.code()),
    }
}

text_form!(Tag, |tag| written(tag));
