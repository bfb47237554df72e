//! Enumerations with a stable code, which is also their text and JSON form.

use core::fmt;

/// The text is not a code of the enumeration. Codes are exact; whitespace is not trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCode(pub(crate) &'static str);

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {}", self.0)
    }
}

impl core::error::Error for UnknownCode {}

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident($noun:literal) {
        $($(#[$variant_doc:meta])* $([$feature:literal])? $variant:ident = $code:literal),+ $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $(#[cfg(feature = $feature)])? $variant,)+
        }

        impl $name {
            /// Every value, in the order of this list.
            pub const ALL: &[Self] = &[$($(#[cfg(feature = $feature)])? Self::$variant),+];

            /// The stable code.
            pub const fn code(self) -> &'static str {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$variant => $code,)+
                }
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::UnknownCode;

            fn from_str(code: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().find(|row| row.code() == code).copied().ok_or($crate::UnknownCode($noun))
            }
        }

        $crate::text_form::text_form!($name, |value| value.code());
    };
}

pub(crate) use codes;
