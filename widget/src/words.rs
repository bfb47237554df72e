//! All texts for payers, per language.
//!
//! A language is one file with one [`Translation`]; a missing text does not compile. Texts with values are
//! templates (`{amount}`) for [`fill`]; texts with counts are [`Plural`]s.
//!
//! The server has all languages. The page receives the texts of its language in [`crate::page_data`], so that
//! the module contains none.

#[cfg(feature = "ssr")]
mod catalogue;
mod language;
mod plural;
#[cfg(feature = "ssr")]
mod pseudo;
mod template;
mod texts;

use checkout_wire::LOCALES;

#[cfg(feature = "ssr")]
pub use catalogue::{Dates, Money, Translation, find};
pub use language::{Dir, Language};
pub use plural::{Plural, PluralForm};
#[cfg(feature = "ssr")]
pub use pseudo::PSEUDO;
pub use template::{Piece, fill, pieces};
pub use texts::{
    ChooseWords, ClaimWords, CopyWords, DoneWords, ExpiredWords, HelpWords, NoticeWords, PageWords, PayWords,
    ProblemWords, RateWords, RefundWords, TagName, TagWords, TimeWords, TransferWords, Words,
};
#[cfg(feature = "ssr")]
pub use texts::{ClaimFormWords, LookupFormWords, ReceiptWords, WalletWords};

macro_rules! translations {
    ($($file:ident = $tag:literal, $name:literal;)+) => {
        $(
            #[cfg(feature = "ssr")]
            mod $file;
        )+

        /// The BCP 47 tag and the native name of each language that a payer can switch to: the locales of the API, in
        /// its order.
        pub const LANGUAGES: [(&str, &str); LOCALES.len()] = [$(($tag, $name)),+];

        #[cfg(feature = "ssr")]
        static TRANSLATIONS: [&Translation; LANGUAGES.len()] = [$(&$file::TRANSLATION),+];
    };
}

checkout_wire::languages!(translations);

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn every_locale_of_the_api_has_its_texts() {
        assert_eq!(LANGUAGES.map(|(tag, _)| tag), LOCALES);
        assert_eq!(TRANSLATIONS.map(|translation| translation.tag), LOCALES);
    }
}
