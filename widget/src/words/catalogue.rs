//! The languages that the server has.

use super::{
    ClaimFormWords, Dir, Language, LookupFormWords, PSEUDO, PluralForm, ReceiptWords, TRANSLATIONS,
    WalletWords, Words, en_us,
};

/// A language with its texts and its patterns of numbers and dates.
#[derive(Clone, Copy)]
pub struct Translation {
    pub tag: &'static str,
    pub dir: Dir,
    pub words: Words,
    pub claim_form: ClaimFormWords,
    pub lookup_form: LookupFormWords,
    pub receipt: ReceiptWords,
    pub wallet: WalletWords,
    /// The plural form of a whole number.
    pub plural: fn(u64) -> PluralForm,
    pub money: Money,
    pub dates: Dates,
}

/// The pattern of an amount of money, as `Intl.NumberFormat` has it.
#[derive(Clone, Copy)]
pub struct Money {
    /// Whether the currency precedes the number.
    pub currency_first: bool,
    /// Currencies with a sign in this language; others use their code.
    pub signs: &'static [(&'static str, &'static str)],
}

/// The pattern of a date and time, as `Intl.DateTimeFormat` has it with the medium date and the short time.
#[derive(Clone, Copy)]
pub struct Dates {
    /// `{day}`, `{day2}` (two digits), `{month}`, `{month2}`, `{year}`, `{hour}`, `{hour2}`, `{hour12}`, `{half}`,
    /// `{minute2}`.
    pub pattern: &'static str,
    /// The value of `{month}`; empty if the pattern has none.
    pub months: &'static [&'static str],
}

/// Returns the language of the first supported locale, or English. Only the language part (`de` of `de-AT`)
/// must match.
pub fn find(locales: &[Option<&str>]) -> &'static Translation {
    locales.iter().copied().flatten().find_map(translation).unwrap_or(&en_us::TRANSLATION)
}

fn translation(locale: &str) -> Option<&'static Translation> {
    let part = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let all = || TRANSLATIONS.into_iter();
    let exact = all().chain(PSEUDO.iter()).find(|translation| translation.tag.eq_ignore_ascii_case(locale));
    exact.or_else(|| all().find(|translation| part(translation.tag) == part(locale)))
}

impl Translation {
    pub fn language(&'static self) -> Language {
        Language { tag: self.tag, words: &self.words }
    }
}

#[cfg(test)]
mod tests {
    use super::super::LANGUAGES;
    use super::*;

    #[test]
    fn asked_and_given() {
        let check = |locales: &[Option<&str>], tag| assert_eq!(find(locales).tag, tag, "{locales:?}");
        check(&[], "en-US");
        check(&[None, Some("tr-TR")], "tr-TR");
        check(&[Some("EN-us")], "en-US");
        check(&[Some("en-GB")], "en-US");
        check(&[Some("de-DE"), Some("fr-FR")], "de-DE");
        check(&[Some("de-AT")], "de-DE");
        check(&[Some("ja")], "ja-JP");
        check(&[Some("pt-BR")], "pt-PT");
        check(&[Some("en-XA")], "en-XA");
        check(&[Some("xx-XX"), Some("es-ES")], "es-ES");
        check(&[Some("")], "en-US");
        check(&[Some("日本")], "en-US");
        for (tag, _) in LANGUAGES {
            check(&[Some(tag)], tag);
        }
    }
}
