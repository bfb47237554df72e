//! Closed lists of words, and [`Word`], which keeps a word that a newer server added to one of them.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A word of an answer. Writers write only words of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word<T> {
    Known(T),
    /// An unknown word, kept as received.
    Other(String),
}

impl<T: Copy> Word<T> {
    /// The word, if this version knows it.
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(word) => Some(*word),
            Self::Other(_) => None,
        }
    }
}

impl<T: AsRef<str>> Word<T> {
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(word) => word.as_ref(),
            Self::Other(word) => word,
        }
    }
}

impl<T> From<T> for Word<T> {
    fn from(word: T) -> Self {
        Self::Known(word)
    }
}

impl<T: PartialEq> PartialEq<T> for Word<T> {
    fn eq(&self, word: &T) -> bool {
        matches!(self, Self::Known(known) if known == word)
    }
}

impl<T: AsRef<str>> fmt::Display for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<T: AsRef<str>> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de, T: FromStr> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Ok(word.parse().map_or(Self::Other(word), Self::Known))
    }
}

/// The schema of the list, whose words are the only ones written.
#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Word<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

/// A text is none of the words of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWord;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident $(: $about:literal)? { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($variant,)+
        }

        impl $name {
            /// The words, as on the wire.
            pub const KNOWN: &[&str] = &[$($word),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// Returns the value of a word.
            pub fn known(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::words::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Self::known(word).ok_or($crate::words::UnknownWord)
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({$("description": $about,)? "type": "string", "enum": Self::KNOWN})
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <String as serde::Deserialize>::deserialize(deserializer)?;
                Self::known(&word)
                    .ok_or_else(|| <D::Error as serde::de::Error>::unknown_variant(&word, Self::KNOWN))
            }
        }
    };
}

pub(super) use words;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PaymentStatus;

    #[test]
    fn readers_keep_a_word_of_a_newer_server() {
        let check = |text: &str, known: Option<PaymentStatus>| {
            let word: Word<PaymentStatus> = serde_json::from_str(text).unwrap();
            assert_eq!(word.known(), known, "{text}");
            assert_eq!(serde_json::to_string(&word).unwrap(), text);
        };
        check("\"NEW\"", Some(PaymentStatus::New));
        check("\"ON_HOLD\"", None);
        check("\"new\"", None);
    }

    #[test]
    fn a_closed_list_has_no_other_words() {
        for word in PaymentStatus::KNOWN {
            let status: PaymentStatus = serde_json::from_str(&format!("\"{word}\"")).unwrap();
            assert_eq!(status.as_str(), *word);
        }
        for text in ["\"ON_HOLD\"", "\"new\"", "\"\"", "1"] {
            assert!(serde_json::from_str::<PaymentStatus>(text).is_err(), "{text}");
        }
    }
}
