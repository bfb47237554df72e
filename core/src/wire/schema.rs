//! JSON Schemas for values whose Rust type is too general: `#[schemars(with = "Amount")]`.
//!
//! Code lists come from the tables themselves. They are named, so that a client has one type for each.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::fiat::FIAT_CURRENCIES;
use super::{LOCALES, MAX_CLIENT_ID, MAX_EXPIRATION_MINUTES, MAX_LABEL};
use crate::currency::CURRENCIES;
use crate::network;

macro_rules! schema {
    ($(#[$doc:meta])* $name:ident, $shown:expr, inline: $inline:literal, $schema:tt) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                $shown.into()
            }

            fn inline_schema() -> bool {
                $inline
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

macro_rules! schemas {
    ($($(#[$doc:meta])* $name:ident: $schema:tt),+ $(,)?) => {
        $(schema! { $(#[$doc])* $name, stringify!($name), inline: true, $schema })+
    };
}

/// Shared schemas with the names that clients see.
macro_rules! named {
    ($($name:ident, $shown:literal, $about:literal: $codes:expr;)+) => {
        $(schema! {
            #[doc = $about]
            $name, $shown, inline: false, {"description": $about, "type": "string", "enum": $codes}
        })+
    };
}

named! {
    Asset, "Asset", "A currency, fiat or crypto.": crypto().chain(fiat()).collect::<Vec<_>>();
    Crypto, "Currency", "A cryptocurrency.": crypto().collect::<Vec<_>>();
    Fiat, "FiatCurrency", "A fiat currency, by ISO 4217.": fiat().collect::<Vec<_>>();
    Network, "Network", "A network of a cryptocurrency.": networks().collect::<Vec<_>>();
    Locale, "Locale", "A language of the checkout page.": LOCALES;
}

schemas! {
    /// A decimal string with its exact digits.
    Amount: {"type": "string", "pattern": AMOUNT},
    /// A decimal, as a string or as a JSON number.
    NumberOrText: {"type": ["string", "number"], "pattern": AMOUNT, "exclusiveMinimum": 0},
    /// Codes separated by commas.
    Codes: {"type": "string", "pattern": "^[A-Z]+(,[A-Z]+)*$"},
    /// An id that the merchant chooses.
    ClientId: {"type": "string", "minLength": 1, "maxLength": MAX_CLIENT_ID, "pattern": CLIENT_ID},
    Label: {"type": "string", "maxLength": MAX_LABEL, "pattern": LABEL},
    Minutes: {"type": "integer", "minimum": 0, "maximum": MAX_EXPIRATION_MINUTES},
    /// Text that is not empty.
    NonEmpty: {"type": "string", "minLength": 1},
    /// A destination tag or memo, as a string or as a JSON number.
    Tag: {"type": ["string", "number"]},
    /// UNIX seconds.
    Time: {"type": "integer", "format": "int64", "minimum": 0},
    Count: {"type": "integer", "minimum": 0},
    /// Decimal places of a cryptocurrency.
    Decimals: {"type": "integer", "minimum": 0, "maximum": 18},
    HttpStatus: {"type": "integer", "minimum": 100, "maximum": 599},
    /// Size of a page of a list.
    Limit: {"type": "integer", "minimum": 1, "maximum": 100, "default": 25},
    Url: {"type": "string", "format": "uri"},
    Uuid: {"type": "string", "format": "uuid"},
    /// The stable name of an error.
    Code: {"type": "string", "pattern": "^[a-z0-9_]+$"},
}

/// `0|[1-9][0-9]*` with an optional fraction.
const AMOUNT: &str = r"^(0|[1-9][0-9]*)(\.[0-9]+)?$";

/// Without control characters and bidirectional overrides.
const LABEL: &str = r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$";

/// The same, with at least one visible character.
const CLIENT_ID: &str = concat!(
    r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*",
    r"[^\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f",
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]",
    r"[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$",
);

fn crypto() -> impl Iterator<Item = &'static str> {
    CURRENCIES.iter().map(|row| row.code)
}

fn networks() -> impl Iterator<Item = &'static str> {
    network::Network::ALL.iter().filter(|network| !network.is_opt_in()).map(|network| network.code())
}

fn fiat() -> impl Iterator<Item = &'static str> {
    FIAT_CURRENCIES.iter().map(|(code, _)| *code)
}
