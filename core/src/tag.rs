//! Destination tags and memos, which identify one of many customers behind one address.

use alloc::string::{String, ToString};
use core::fmt;

use crate::address::Reason;
use crate::encoding::{base64, hex, percent, query};
use crate::network::{Network, TagRule};

mod text;

pub use crate::network::MemoType;

/// The maximum length of a Stellar memo text, in bytes.
const LONGEST_TEXT: usize = 28;

/// The maximum length of another network's memo. Cosmos Hub takes 512 bytes, other chains of its kind 256; TON has no limit.
const LONGEST_COMMENT: usize = 255;

/// The maximum length of a number; longer texts are refused unread.
const LONGEST: usize = 64;

/// The longest address with an appended tag, even if the tag is percent-encoded.
const LONGEST_JOINED: usize = 512;

/// A checked tag or memo. Its `Display` is the normal form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Tag {
    /// XRP Ledger.
    Destination(u32),
    /// Stellar `MEMO_ID`.
    MemoId(u64),
    /// Stellar `MEMO_TEXT` of 1 to 28 bytes, a memo of Cosmos or a comment of TON of up to 255.
    MemoText(String),
    /// Stellar `MEMO_HASH`.
    MemoHash([u8; 32]),
}

impl Tag {
    /// Parses a tag by its network's rules. An empty text is no tag, and networks without tags have none.
    ///
    /// A Stellar memo without a type is an id if it is a canonical `u64`, otherwise a text. With a type it must not be empty.
    ///
    /// ```
    /// use crypto_checkout_core::{Network, Reason, Tag};
    ///
    /// assert_eq!(Tag::parse(Network::Xrp, "7", None), Ok(Some(Tag::Destination(7))));
    /// let error = Tag::parse(Network::Xrp, "007", None).unwrap_err();
    /// assert_eq!(error.reason(), Reason::TagLeadingZero);
    /// assert_eq!(error.suggestion(), Some(&Tag::Destination(7)));
    /// ```
    pub fn parse(
        network: Network,
        text: &str,
        memo_type: Option<MemoType>,
    ) -> Result<Option<Self>, TagError> {
        match network.spec().tag {
            TagRule::Memo if text.is_empty() && memo_type.is_some() => Err(Reason::MemoEmpty.into()),
            _ if text.is_empty() => Ok(None),
            TagRule::None => Ok(None),
            TagRule::DestinationTag => destination(text).map(Some),
            TagRule::Memo => memo(text, memo_type).map(Some),
            TagRule::TextMemo => memo_text(text, LONGEST_COMMENT).map(Some),
        }
    }

    /// The type of a memo; `None` for destination tags.
    pub fn memo_type(&self) -> Option<MemoType> {
        match self {
            Self::Destination(_) => None,
            Self::MemoId(_) => Some(MemoType::Id),
            Self::MemoText(_) => Some(MemoType::Text),
            Self::MemoHash(_) => Some(MemoType::Hash),
        }
    }

    /// The number for an X-address or a muxed account.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Destination(tag) => Some(u64::from(*tag)),
            Self::MemoId(id) => Some(*id),
            _ => None,
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Destination(tag) => write!(f, "{tag}"),
            Self::MemoId(id) => write!(f, "{id}"),
            Self::MemoText(text) => f.write_str(text),
            Self::MemoHash(hash) => hex::write(hash, f),
        }
    }
}

/// Why a text is not a tag or memo. It contains at most a valid number found in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagError {
    reason: Reason,
    suggestion: Option<Tag>,
}

impl TagError {
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The normal form of the tag that was probably meant.
    pub fn suggestion(&self) -> Option<&Tag> {
        self.suggestion.as_ref()
    }
}

impl From<Reason> for TagError {
    fn from(reason: Reason) -> Self {
        Self { reason, suggestion: None }
    }
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.message())
    }
}

impl core::error::Error for TagError {}

fn destination(text: &str) -> Result<Tag, TagError> {
    number(text, u64::from(u32::MAX), |tag| Tag::Destination(u32::try_from(tag).unwrap_or(u32::MAX)))
}

fn memo(text: &str, memo_type: Option<MemoType>) -> Result<Tag, TagError> {
    match memo_type {
        Some(MemoType::Id) => number(text, u64::MAX, Tag::MemoId),
        Some(MemoType::Text) => memo_text(text, LONGEST_TEXT),
        Some(MemoType::Hash) => {
            let hash = hex::decode_array(text.as_bytes()).or_else(|| base64::decode_32(text));
            hash.map(Tag::MemoHash).ok_or(Reason::MemoNotHash.into())
        }
        None => match digits(text) {
            Ok(id) => Ok(Tag::MemoId(id)),
            Err(_) => memo_text(text, LONGEST_TEXT),
        },
    }
}

fn memo_text(text: &str, longest: usize) -> Result<Tag, TagError> {
    if text.len() > longest {
        return Err(Reason::MemoTooLong.into());
    }
    Ok(Tag::MemoText(text.to_string()))
}

/// Parses a canonical number up to `largest`. A sign, blanks or leading zeros are refused with the canonical
/// form as the suggestion.
fn number(text: &str, largest: u64, tag: impl Fn(u64) -> Tag) -> Result<Tag, TagError> {
    match digits(text) {
        Ok(number) if number <= largest => Ok(tag(number)),
        Ok(_) => Err(Reason::TagTooLarge.into()),
        Err(reason) => {
            let meant = text.get(..LONGEST).unwrap_or(text);
            let meant = if text.len() > LONGEST { "" } else { meant.trim() };
            let meant = meant.strip_prefix('+').unwrap_or(meant);
            let meant = match meant.trim_start_matches('0') {
                "" if !meant.is_empty() => "0",
                meant => meant,
            };
            let suggestion = digits(meant).ok().filter(|number| *number <= largest).map(tag);
            Err(TagError { reason, suggestion })
        }
    }
}

/// Digits only, no leading zeros, at most `u64`.
pub(crate) fn digits(text: &str) -> Result<u64, Reason> {
    match text.as_bytes() {
        [] => return Err(Reason::TagNotDigits),
        bytes if bytes.len() > LONGEST => return Err(Reason::TagTooLarge),
        bytes if !bytes.iter().all(u8::is_ascii_digit) => return Err(Reason::TagNotDigits),
        [b'0', _, ..] => return Err(Reason::TagLeadingZero),
        _ => {}
    }
    let add = |value: u64, digit: u8| value.checked_mul(10)?.checked_add(u64::from(digit - b'0'));
    text.bytes().try_fold(0, add).ok_or(Reason::TagTooLarge)
}

/// Splits `<address>?dt=<tag>`. Neither part is checked.
///
/// ```
/// use crypto_checkout_core::tag;
/// assert_eq!(tag::split("rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=7"), Ok(("rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", Some("7".into()))));
/// assert_eq!(tag::split("rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"), Ok(("rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", None)));
/// ```
///
/// # Errors
///
/// [`Reason::UriLike`] if there is any other parameter, or more than one.
pub fn split(text: &str) -> Result<(&str, Option<String>), TagError> {
    // A longer text is returned as an address, for which it is too long.
    let short = text.len() <= LONGEST_JOINED;
    let Some((address, rest)) = short.then(|| text.split_once('?')).flatten() else {
        return Ok((text, None));
    };
    let mut pairs = query::pairs(rest);
    match (pairs.next(), pairs.next()) {
        (Some(("dt", tag)), None) => {
            let tag = percent::decode(tag).ok_or(Reason::UriLike)?;
            Ok((address, Some(tag).filter(|tag| !tag.is_empty())))
        }
        _ => Err(Reason::UriLike.into()),
    }
}

/// Formats `<address>?dt=<tag>`, or the address alone if there is no tag.
pub fn join(address: &str, tag: Option<&str>) -> String {
    let mut text = String::from(address);
    if let Some(tag) = tag.filter(|tag| !tag.is_empty()) {
        text.push_str("?dt=");
        percent::encode_into(&mut text, tag);
    }
    text
}
