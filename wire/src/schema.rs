//! JSON Schemas for numbers and lists whose Rust type is too general: `#[schemars(with = "Count")]`. The [texts](super::texts)
//! carry their own.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::MAX_EXPIRATION_MINUTES;
use super::fiat::FIAT_CURRENCIES;
use checkout_core::currency::CURRENCIES;
use checkout_core::network;

macro_rules! schemas {
    ($($(#[$doc:meta])* $name:ident: $schema:tt),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )+};
}

schemas! {
    /// Codes separated by commas.
    Codes: {"type": "string", "pattern": "^[A-Z]+(,[A-Z]+)*$"},
    Minutes: {"type": "integer", "minimum": 0, "maximum": MAX_EXPIRATION_MINUTES},
    Count: {"type": "integer", "minimum": 0},
    /// Pieces that a sale link sells.
    Stock: {"type": "integer", "minimum": 1, "maximum": 1_000_000},
    /// Decimal places of a fiat currency.
    FiatDecimals: {"type": "integer", "minimum": 0, "maximum": 3},
    /// Decimal places of a cryptocurrency.
    Decimals: {"type": "integer", "minimum": 0, "maximum": 18},
    HttpStatus: {"type": "integer", "minimum": 100, "maximum": 599},
    /// The stable name of an error.
    Code: {"type": "string", "pattern": "^[a-z0-9_]+$"},
    /// From 0 to 1, as a string or as a JSON number.
    Share: {"type": ["string", "number"], "pattern": r"^(0|1)(\.[0-9]+)?$", "minimum": 0, "maximum": 1},
    /// How long replaced credentials stay valid.
    Hours: {"type": "integer", "minimum": 0, "maximum": 8_760},
    /// An image, or nothing.
    Base64: {"type": "string", "contentEncoding": "base64"},
    /// Size of a page of a list.
    Limit: {"type": "integer", "minimum": 1, "maximum": 100, "default": 25},
}

/// The schema of an answer: a field without a value is missing, never `null`.
pub fn never_null(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(|properties| properties.as_object_mut());
    for property in properties.into_iter().flat_map(|properties| properties.values_mut()) {
        let Some(property) = property.as_object_mut() else { continue };
        if let Some(types) = property.get_mut("type").and_then(|types| types.as_array_mut()) {
            types.retain(|one| one != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                property.insert("type".into(), only);
            }
        }
        let mut choices = property.remove("anyOf");
        let choices = choices.as_mut().and_then(|choices| choices.as_array_mut()).into_iter().flatten();
        let choices = choices.filter(|choice| choice["type"] != "null");
        property.extend(choices.filter_map(|choice| choice.as_object_mut()).flat_map(core::mem::take));
    }
}

/// `0|[1-9][0-9]*` with an optional fraction.
pub(super) const AMOUNT: &str = r"^(0|[1-9][0-9]*)(\.[0-9]+)?$";

pub(super) const SIGNED_AMOUNT: &str = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$";

/// Without control characters and bidirectional overrides.
pub(super) const LABEL: &str = r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$";

/// The same, with at least one visible character.
pub(super) const CLIENT_ID: &str = concat!(
    r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*",
    r"[^\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f",
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]",
    r"[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$",
);

pub(super) fn crypto() -> Vec<&'static str> {
    CURRENCIES.iter().map(|row| row.code).collect()
}

pub(super) fn networks() -> Vec<&'static str> {
    let usual = network::Network::ALL.iter().filter(|network| !network.is_opt_in());
    usual.map(|network| network.code()).collect()
}

pub(super) fn fiat() -> Vec<&'static str> {
    FIAT_CURRENCIES.iter().map(|(code, _)| *code).collect()
}

pub(super) fn assets() -> Vec<&'static str> {
    [crypto(), fiat()].concat()
}
