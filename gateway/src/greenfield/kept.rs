//! What a shop sent with an invoice and gets back as it was: `metadata` and `checkout`. It is stored in the metadata of the payment, in
//! parts of the length that a value may have, with the order's id under a name of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use checkout_wire::metadata::{MAX_NAMES, MAX_VALUE};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::texts;

/// The name in a payment's metadata, by which lists find it.
pub const ORDER_ID: &str = "orderId";

const PART: &str = "greenfield.";

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Kept {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkout: Option<Box<RawValue>>,
}

/// It is longer than what a payment keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl Kept {
    /// The order's id: a text, or a number as it is written.
    pub fn order_id(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Order {
            #[serde(rename = "orderId")]
            order_id: Option<Box<RawValue>>,
        }
        let order: Order = serde_json::from_str(self.metadata.as_ref()?.get()).ok()?;
        text(&order.order_id?).filter(|id| !id.trim().is_empty())
    }

    pub fn to_metadata(&self) -> Result<BTreeMap<String, String>, TooLong> {
        let text = tidy(&serde_json::to_string(self).expect("JSON that was read is JSON"));
        let chars: Vec<char> = text.chars().collect();
        let parts = chars.chunks(MAX_VALUE).map(|part| part.iter().collect());
        // Two digits, so that they are read in order.
        let parts = (0..).zip(parts).map(|(place, part): (u32, String)| (format!("{PART}{place:02}"), part));
        let order = self.order_id().map(|id| (ORDER_ID.to_owned(), id));
        let all: BTreeMap<String, String> = parts.chain(order).collect();
        let fits = all.len() <= MAX_NAMES && all.values().all(|value| value.chars().count() <= MAX_VALUE);
        if fits { Ok(all) } else { Err(TooLong) }
    }

    /// Whether a shop asked for the payment with this metadata.
    pub fn is_in(metadata: &BTreeMap<String, String>) -> bool {
        metadata.keys().any(|name| name.starts_with(PART))
    }

    /// Of a payment that no shop asked for, its metadata as they are.
    pub fn of(metadata: &BTreeMap<String, String>) -> Self {
        let parts = metadata.iter().filter(|(name, _)| name.starts_with(PART));
        let text: String = parts.map(|(_, part)| part.as_str()).collect();
        serde_json::from_str(&text).unwrap_or_else(|_| Self {
            metadata: Some(serde_json::value::to_raw_value(metadata).expect("texts are JSON")),
            checkout: None,
        })
    }

    /// The metadata for an answer, digit for digit.
    pub fn metadata(self) -> Box<RawValue> {
        let empty = || serde_json::value::to_raw_value(&Value::Object(Map::new())).expect("it is JSON");
        self.metadata.unwrap_or_else(empty)
    }

    pub fn checkout(&self) -> Map<String, Value> {
        self.checkout.as_ref().and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }
}

/// JSON without the characters that no stored text has. Those below a blank stand only between its tokens.
fn tidy(json: &str) -> String {
    let mut tidy = String::with_capacity(json.len());
    for char in json.chars().filter(|char| *char >= ' ') {
        let mut bytes = [0; 4];
        if texts::check(char.encode_utf8(&mut bytes)).is_ok() {
            tidy.push(char);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                write!(tidy, "\\u{unit:04x}").expect("a String takes every text");
            }
        }
    }
    tidy
}

/// A text, or a number as it is written.
pub fn text(raw: &RawValue) -> Option<String> {
    let written = raw.get();
    match written.as_bytes().first() {
        Some(b'"') => serde_json::from_str(written).ok(),
        Some(b'-' | b'0'..=b'9') => Some(written.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(metadata: &str) -> Kept {
        Kept { metadata: Some(RawValue::from_string(metadata.to_owned()).unwrap()), checkout: None }
    }

    #[test]
    fn it_comes_back_as_it_was() {
        for metadata in [
            r#"{"orderId":"1042","taxIncluded":1.10,"posData":"{\"WooCommerce\":{}}"}"#,
            r#"{"orderId":42}"#,
            "{}",
            &format!(r#"{{"orderId":"é","posData":"{}"}}"#, "ü".repeat(4_000)),
        ] {
            let stored = kept(metadata).to_metadata().unwrap();
            let back = Kept::of(&stored);
            assert_eq!(back.metadata.as_ref().unwrap().get(), metadata);
            assert_eq!(stored.get(ORDER_ID), back.order_id().as_ref());
        }
        assert_eq!(kept(&format!(r#"{{"posData":"{}"}}"#, "x".repeat(10_000))).to_metadata(), Err(TooLong));
        assert_eq!(kept(&format!(r#"{{"orderId":"{}"}}"#, "x".repeat(501))).to_metadata(), Err(TooLong));
    }

    /// Lists, CSV files and the desk show the parts as they are.
    #[test]
    fn no_stored_part_has_characters_that_a_text_may_not_have() {
        let sent = "{\n\t\"posData\":\"gpj\u{202e}exe\u{2028}\u{7f}\",\r\n\"tax\":1.10}";
        let stored = kept(sent).to_metadata().unwrap();
        assert!(stored.values().all(|part| texts::check(part).is_ok()), "{stored:?}");
        let back = Kept::of(&stored).metadata();
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(read(back.get()), read(sent));
        assert!(back.get().contains("1.10"), "{back}");
    }

    #[test]
    fn the_id_of_the_order() {
        let check = |metadata: &str, expected: Option<&str>| {
            assert_eq!(kept(metadata).order_id().as_deref(), expected, "{metadata}");
        };
        check(r#"{"orderId":"A-1"}"#, Some("A-1"));
        check(r#"{"orderId":1042}"#, Some("1042"));
        check(r#"{"orderId":" "}"#, None);
        check(r#"{"orderId":null}"#, None);
        check(r#"{"orderId":{"a":1}}"#, None);
        check("[]", None);
    }
}
