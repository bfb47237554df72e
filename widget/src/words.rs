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

#[cfg(feature = "ssr")]
mod de_de;
#[cfg(feature = "ssr")]
mod en_us;
#[cfg(feature = "ssr")]
mod es_es;
#[cfg(feature = "ssr")]
mod fr_fr;
#[cfg(feature = "ssr")]
mod ja_jp;
#[cfg(feature = "ssr")]
mod pt_pt;
#[cfg(feature = "ssr")]
mod ru_ru;
#[cfg(feature = "ssr")]
mod tr_tr;

use checkout_core::wire::LOCALES;

#[cfg(feature = "ssr")]
pub use catalogue::{Dates, Money, Translation, find};
pub use language::{Dir, Language};
pub use plural::{Plural, PluralForm};
#[cfg(feature = "ssr")]
pub use pseudo::PSEUDO;
pub use template::{Piece, fill, pieces};
pub use texts::{
    ChooseWords, CopyWords, DoneWords, ExpiredWords, HelpWords, NoticeWords, PageWords, PayWords,
    ProblemWords, RateWords, RefundWords, TagName, TagWords, TimeWords, TransferWords, Words,
};

/// The BCP 47 tag and the native name of each language that a payer can switch to: the locales of the API, in
/// its order.
pub const LANGUAGES: [(&str, &str); LOCALES.len()] = [
    ("en-US", "English"),
    ("de-DE", "Deutsch"),
    ("tr-TR", "Türkçe"),
    ("es-ES", "Español"),
    ("fr-FR", "Français"),
    ("ru-RU", "Русский"),
    ("pt-PT", "Português"),
    ("ja-JP", "日本語"),
];

#[cfg(feature = "ssr")]
static TRANSLATIONS: [&Translation; LANGUAGES.len()] = [
    &en_us::ENGLISH,
    &de_de::GERMAN,
    &tr_tr::TURKISH,
    &es_es::SPANISH,
    &fr_fr::FRENCH,
    &ru_ru::RUSSIAN,
    &pt_pt::PORTUGUESE,
    &ja_jp::JAPANESE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_locale_of_the_api_has_a_row() {
        assert_eq!(LANGUAGES.map(|(tag, _)| tag), LOCALES);
    }
}
