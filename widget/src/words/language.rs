//! The language of a page.

use checkout_core::wire::LOCALES;

use super::Words;

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

/// The direction of a language's script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dir {
    Ltr,
    Rtl,
}

impl Dir {
    /// The value of the attribute `dir`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Ltr => "ltr",
            Self::Rtl => "rtl",
        }
    }
}

/// A language, in the form used for rendering.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    pub tag: &'static str,
    pub words: &'static Words,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_locale_of_the_api_has_a_row() {
        assert_eq!(LANGUAGES.map(|(tag, _)| tag), LOCALES);
    }
}
