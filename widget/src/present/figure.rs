//! The two kinds of figures. They never stand in one box without the type and the label that tell them apart.

use crate::words::Words;

pub enum Figure<'a> {
    /// It is copied into a wallet: a point and no groups, in the type of a code.
    Copied,
    /// The marks of the page's language.
    Read(&'a Words),
}

impl Figure<'_> {
    /// Every digit of a decimal number.
    pub fn show(&self, number: &str) -> String {
        let Self::Read(words) = self else { return number.to_owned() };
        let smallest = words.page.smallest_grouped;
        let sign = smallest.trim_matches(|mark: char| mark.is_ascii_digit());
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let is_grouped = whole.len() + sign.len() >= smallest.len();
        let mut shown = String::new();
        for (at, digit) in whole.char_indices() {
            if is_grouped && at > 0 && (whole.len() - at).is_multiple_of(3) {
                shown.push_str(sign);
            }
            shown.push(digit);
        }
        if !fraction.is_empty() {
            shown.push_str(words.page.decimal_sign);
            shown.push_str(fraction);
        }
        shown
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use crate::words::find;

    #[test]
    fn each_language_has_its_marks_and_a_copied_figure_has_none() {
        for (locale, small, thousands, millions) in [
            ("en-US", "0.00083167", "1,234.5", "1,234,567.891"),
            ("de-DE", "0,00083167", "1.234,5", "1.234.567,891"),
            ("es-ES", "0,00083167", "1234,5", "1.234.567,891"),
            ("fr-FR", "0,00083167", "1\u{202f}234,5", "1\u{202f}234\u{202f}567,891"),
            ("pt-PT", "0,00083167", "1234,5", "1\u{a0}234\u{a0}567,891"),
            ("ja-JP", "0.00083167", "1,234.5", "1,234,567.891"),
        ] {
            let words = &find(&[Some(locale)]).words;
            for (number, read) in [("0.00083167", small), ("1234.5", thousands), ("1234567.891", millions)] {
                assert_eq!(Figure::Read(words).show(number), read, "{locale}");
                assert_eq!(Figure::Copied.show(number), number);
            }
            assert_eq!(Figure::Read(words).show("100"), "100");
        }
    }
}
