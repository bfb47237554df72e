//! Enumerations with a stable code, which is also their JSON form.

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident {
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

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.code())
            }
        }
    };
}

pub(crate) use codes;
