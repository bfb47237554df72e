//! The texts of every language.

use std::collections::BTreeSet;

use checkout_widget::page_data::LanguageData;
use checkout_widget::present::Format;
use checkout_widget::words::{LANGUAGES, PSEUDO, Piece, Translation, Words, find, pieces};

fn languages() -> impl Iterator<Item = &'static Translation> {
    LANGUAGES.into_iter().map(|(tag, _)| find(&[Some(tag)]))
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    let fact = |piece| match piece {
        Piece::Fact(name) => Some(name),
        Piece::Text(_) => None,
    };
    pieces(text).filter_map(fact).collect()
}

#[test]
fn every_text_has_the_placeholders_of_the_english_one() {
    let english = find(&[]).words.write();
    for translation in languages().chain(PSEUDO.iter()) {
        let texts = translation.words.write();
        for (english, text) in english.iter().zip(&texts) {
            assert_eq!(placeholders(text), placeholders(english), "{}: {text}", translation.tag);
            assert!(!text.trim().is_empty() && text.trim() == *text, "{}: {text:?}", translation.tag);
        }
    }
}

/// Only codes, names and words that both languages share may be equal.
#[test]
fn every_text_is_translated() {
    let shared = ["≈\u{a0}{amount}", "–:––", "Memo", "Date", "Transaction", ".", "1,000"];
    let english = find(&[]).words.write();
    for translation in languages().skip(1) {
        for (english, text) in english.iter().zip(translation.words.write()) {
            assert!(*english != text || shared.contains(&text), "{}: {text}", translation.tag);
        }
    }
}

#[test]
fn typography() {
    for translation in languages() {
        for text in translation.words.write() {
            let check =
                |wrong: &str| assert!(!text.contains(wrong), "{}: {wrong:?} in {text}", translation.tag);
            for wrong in ["'", "\"", "...", "  ", " - "] {
                check(wrong);
            }
            if translation.tag == "fr-FR" {
                for wrong in [" :", " ;", " ?", " !"] {
                    check(wrong);
                }
            }
            if translation.tag == "ja-JP" {
                for wrong in ["、 ", "。 ", ", ", ". ", "?"] {
                    check(wrong);
                }
            }
        }
    }
}

#[test]
fn texts_survive_the_transfer_to_the_page() {
    for translation in languages().chain(PSEUDO.iter()) {
        let language = LanguageData::of(translation, true).read().expect("the same version");
        assert_eq!((language.tag, language.words), (translation.tag, &translation.words));
    }
    let mut texts: Vec<String> = find(&[]).words.write().into_iter().map(str::to_owned).collect();
    texts.push("one more".to_owned());
    assert_eq!(Words::read(texts.clone()), None);
    texts.truncate(texts.len() - 2);
    assert_eq!(Words::read(texts), None);
}

#[test]
fn counts_use_their_plural_form() {
    let check = |tag, count: u64, expected: &str| {
        let translation = find(&[Some(tag)]);
        let text = translation.words.time.minutes_left.form(translation.plural(count));
        assert_eq!(text.replace("{count}", &count.to_string()), expected);
    };
    check("en-US", 1, "1 minute left to pay");
    check("en-US", 2, "2 minutes left to pay");
    check("de-DE", 1, "Noch 1 Minute zum Zahlen");
    check("de-DE", 0, "Noch 0 Minuten zum Zahlen");
    check("tr-TR", 5, "Ödeme için 5 dakika kaldı");
    check("es-ES", 1, "Queda 1 minuto para pagar");
    check("es-ES", 3, "Quedan 3 minutos para pagar");
    check("fr-FR", 0, "Il reste 0 minute pour payer");
    check("fr-FR", 2, "Il reste 2 minutes pour payer");
    check("pt-PT", 1, "Falta 1 minuto para pagar");
    check("pt-PT", 0, "Faltam 0 minutos para pagar");
    check("ja-JP", 1, "お支払い期限まであと1分です");
    check("ru-RU", 1, "На оплату осталась 1 минута");
    check("ru-RU", 2, "На оплату осталось 2 минуты");
    check("ru-RU", 5, "На оплату осталось 5 минут");
    check("ru-RU", 11, "На оплату осталось 11 минут");
    check("ru-RU", 14, "На оплату осталось 14 минут");
    check("ru-RU", 21, "На оплату осталась 21 минута");
    check("ru-RU", 112, "На оплату осталось 112 минут");
}

/// A browser journey compares the same table with `Intl`.
#[test]
fn money_and_times_match_the_browser() {
    let table: serde_json::Value =
        serde_json::from_str(include_str!("../formats.json")).expect("the table is JSON");
    for translation in languages() {
        let rows = |name: &str| table[translation.tag][name].as_array().expect("the language has rows");
        for row in rows("money") {
            let text = |at: usize| row[at].as_str().expect("a text");
            assert_eq!(translation.money(text(0), text(1)), text(2), "{}", translation.tag);
        }
        for row in rows("times") {
            let time = translation.time(row[0].as_u64().expect("a time"));
            assert_eq!(time.strip_suffix(" UTC"), row[1].as_str(), "{}", translation.tag);
        }
    }
}
