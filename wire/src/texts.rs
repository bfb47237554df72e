//! Texts and times of the wire that must not be mixed up, each with its schema.

use core::fmt;
use core::ops::Deref;

use serde::{Deserialize, Serialize};

use checkout_core::{Currency, Network};

#[cfg(feature = "schema")]
use super::schema::{AMOUNT, CLIENT_ID, LABEL, SIGNED_AMOUNT, assets, crypto, fiat, networks};

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident $(as $shown:literal)?: $schema:tt),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, text: &str) -> bool {
                self.0 == text
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, text: &&str) -> bool {
                self.0 == *text
            }
        }

        impl PartialEq<String> for $name {
            fn eq(&self, text: &String) -> bool {
                self.0 == *text
            }
        }

        /// Inline, but for the schemas with a name that clients see.
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                let shown: &[&str] = &[$($shown)?];
                shown.first().copied().unwrap_or(stringify!($name)).into()
            }

            fn inline_schema() -> bool {
                let shown: &[&str] = &[$($shown)?];
                shown.is_empty()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    )+};
}

texts! {
    PaymentId: {"type": "string", "format": "uuid"},
    BusinessId: {"type": "string", "format": "uuid"},
    DepositId: {"type": "string", "format": "uuid"},
    WithdrawalId: {"type": "string", "format": "uuid"},
    RefundId: {"type": "string", "format": "uuid"},
    AddressId: {"type": "string", "format": "uuid"},
    EntryId: {"type": "string", "format": "uuid"},
    CallbackId: {"type": "string", "format": "uuid"},
    SaleLinkId: {"type": "string", "format": "uuid"},
    CounterId: {"type": "string", "format": "uuid"},
    /// A random UUID that the page of a counter chooses.
    SaleNumber: {"type": "string", "format": "uuid"},
    /// An id that the merchant chooses.
    ClientId: {"type": "string", "minLength": 1, "maxLength": super::MAX_CLIENT_ID, "pattern": CLIENT_ID},
    /// A decimal string with its exact digits.
    AmountText: {"type": "string", "pattern": AMOUNT},
    /// The same with a sign.
    SignedAmountText: {"type": "string", "pattern": SIGNED_AMOUNT},
    /// A decimal, as a string or as a JSON number.
    NumberOrText: {"type": ["string", "number"], "pattern": AMOUNT, "exclusiveMinimum": 0},
    /// A currency, fiat or crypto.
    AssetCode as "Asset":
        {"description": "A currency, fiat or crypto.", "type": "string", "enum": assets()},
    /// A cryptocurrency.
    CurrencyCode as "Currency": {"description": "A cryptocurrency.", "type": "string", "enum": crypto()},
    SettlementCode: {"type": "string", "enum": crypto().into_iter().chain([SETTLED_AS_DEPOSITED]).collect::<Vec<_>>()},
    /// A fiat currency, by ISO 4217.
    FiatCode as "FiatCurrency":
        {"description": "A fiat currency, by ISO 4217.", "type": "string", "enum": fiat()},
    /// A network of a cryptocurrency.
    NetworkCode as "Network":
        {"description": "A network of a cryptocurrency.", "type": "string", "enum": networks()},
    /// A language of the checkout page.
    Locale as "Locale":
        {"description": "A language of the checkout page.", "type": "string", "enum": super::LOCALES},
    Url: {"type": "string", "format": "uri"},
    DescriptionText: {"type": "string", "minLength": 1, "maxLength": super::MAX_DESCRIPTION, "pattern": LABEL},
    /// What a sale link sells.
    Title: {"type": "string", "minLength": 1, "maxLength": super::MAX_TITLE, "pattern": LABEL},
    /// The last part of a sale link's address.
    SlugText: {"type": "string", "minLength": 3, "maxLength": 60, "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
    Label: {"type": "string", "maxLength": super::MAX_LABEL, "pattern": LABEL},
    /// Text that is not empty.
    NonEmpty: {"type": "string", "minLength": 1},
    /// A destination tag or memo, as a string or as a JSON number.
    TagText: {"type": ["string", "number"]},
}

/// In the place of a currency: each deposit is settled in its own.
pub const SETTLED_AS_DEPOSITED: &str = "OWN";

impl From<Option<Currency>> for SettlementCode {
    fn from(currency: Option<Currency>) -> Self {
        currency.map_or(SETTLED_AS_DEPOSITED, Currency::code).into()
    }
}

impl From<Currency> for CurrencyCode {
    fn from(currency: Currency) -> Self {
        currency.code().into()
    }
}

impl From<Network> for NetworkCode {
    fn from(network: Network) -> Self {
        network.code().into()
    }
}

/// UNIX seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub u64);

impl From<u64> for Time {
    fn from(seconds: u64) -> Self {
        Self(seconds)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Time {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Time".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "integer", "format": "int64", "minimum": 0})
    }
}
