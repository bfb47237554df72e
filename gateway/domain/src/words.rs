//! Enums with a word for each value, in the store or on the wire.

/// Declares an enum and its words: `known` is the inverse of `as_str`, and no value is without a word.
#[macro_export]
macro_rules! words {
    ($(#[$about:meta])* $vis:vis enum $name:ident { $($(#[$of_value:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$about])*
        $vis enum $name {
            $($(#[$of_value])* $value,)+
        }

        impl $name {
            $vis const ALL: [Self; [$($word),+].len()] = [$(Self::$value),+];

            $vis const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }

            $vis fn known(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$value),)+
                    _ => None,
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    crate::words! {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Tide {
            Low = "LOW",
            /// Twice a day.
            High = "HIGH",
        }
    }

    #[test]
    fn words_read_back() {
        assert_eq!(Tide::ALL.map(Tide::as_str), ["LOW", "HIGH"]);
        assert_eq!(Tide::ALL.map(|tide| Tide::known(tide.as_str())), [Some(Tide::Low), Some(Tide::High)]);
        assert_eq!(["low", "", "EBB"].map(Tide::known), [None; 3]);
    }
}
