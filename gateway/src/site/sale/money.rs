//! Amounts in the languages of the page, with the code of their currency: no sign that two currencies share.

use checkout_core::Decimal;
use checkout_domain::rates::fiat::Fiat;

/// Language, mark between groups of three digits, decimal mark (CLDR).
const MARKS: [(&str, char, char); 8] = [
    ("en-US", ',', '.'),
    ("de-DE", '.', ','),
    ("tr-TR", '.', ','),
    ("es-ES", '.', ','),
    ("fr-FR", '\u{202f}', ','),
    ("ru-RU", '\u{a0}', ','),
    ("pt-PT", '\u{a0}', ','),
    ("ja-JP", ',', '.'),
];

pub(super) fn money(locale: &str, fiat: Fiat, amount: Decimal) -> String {
    let (_, group, mark) = *MARKS.iter().find(|(known, ..)| *known == locale).unwrap_or(&MARKS[0]);
    let text = fiat.text(amount);
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(w, f)| (w, Some(f)));
    let mut grouped = String::with_capacity(text.len() + 8);
    for (place, digit) in whole.char_indices() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(group);
        }
        grouped.push(digit);
    }
    if let Some(fraction) = fraction {
        grouped.push(mark);
        grouped.push_str(fraction);
    }
    [&grouped, "\u{a0}", fiat.code()].concat()
}

#[cfg(test)]
mod tests {
    use checkout_core::decimal;
    use checkout_wire::LOCALES;

    use super::*;

    #[test]
    fn amounts_have_the_marks_of_their_language() {
        assert_eq!(MARKS.map(|(locale, ..)| locale), LOCALES);
        for (locale, code, amount, expected) in [
            ("en-US", "EUR", "1234567.5", "1,234,567.50\u{a0}EUR"),
            ("de-DE", "EUR", "1234567.5", "1.234.567,50\u{a0}EUR"),
            ("fr-FR", "CHF", "12500", "12\u{202f}500,00\u{a0}CHF"),
            ("ja-JP", "JPY", "100000", "100,000\u{a0}JPY"),
            ("en-US", "USD", "0.05", "0.05\u{a0}USD"),
            ("en-US", "USD", "999", "999.00\u{a0}USD"),
        ] {
            let amount = decimal::parse(amount, 2).unwrap();
            assert_eq!(money(locale, code.parse().unwrap(), amount), expected);
        }
    }
}
