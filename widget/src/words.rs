//! Every text that a payer reads, per language.
//!
//! A language is one file with one [`Words`]; a missing text does not compile. Texts with facts are templates
//! (`{amount}`) that [`fill`] completes. Texts with counts are functions, because plurals differ between languages.

mod en_us;

use checkout_core::wire::LOCALES;

pub struct Words {
    pub page: PageWords,
    pub choose: ChooseWords,
    pub pay: PayWords,
    pub tag: TagWords,
    pub copy: CopyWords,
    pub time: TimeWords,
    pub done: DoneWords,
    pub refund: RefundWords,
    pub expired: ExpiredWords,
    pub problem: ProblemWords,
    pub notice: NoticeWords,
}

pub struct PageWords {
    pub loading: &'static str,
    /// `{merchant}`
    pub pay_to: &'static str,
    pub title: &'static str,
    pub sandbox: &'static str,
    pub offline: &'static str,
    /// The gateway asks the page to wait.
    pub busy: &'static str,
    pub online_again: &'static str,
    /// The page cannot update itself.
    pub not_live: &'static str,
    pub language: &'static str,
    /// `{language}`: the page is not translated into it yet.
    pub not_translated: &'static str,
    /// `{reference}`
    pub reference: &'static str,
}

pub struct ChooseWords {
    pub title: &'static str,
    pub hint: &'static str,
    /// `{asset}`
    pub network_title: &'static str,
    /// `{asset}`
    pub network_hint: &'static str,
    /// `{amount}`
    pub about: &'static str,
    pub networks: fn(usize) -> String,
    pub back: &'static str,
    pub asking: &'static str,
}

pub struct PayWords {
    /// `{asset}`, `{network}`: the sentence that prevents losses.
    pub send_only: &'static str,
    pub amount: &'static str,
    pub remaining: &'static str,
    pub address: &'static str,
    /// `{asset}`, `{network}`
    pub qr: &'static str,
    pub qr_with_amount: &'static str,
    pub open_wallet: &'static str,
    pub change_currency: &'static str,
    pub waiting: &'static str,
    pub exchange_question: &'static str,
    /// `{amount}`
    pub exchange_answer: &'static str,
    pub partial_title: &'static str,
    /// `{arrived}`, `{expected}`
    pub partial_text: &'static str,
    pub seen_title: &'static str,
    /// `{amount}`, `{network}`
    pub seen_text: &'static str,
    /// `{amount}`: for a deposit on another network than that of the current quote.
    pub seen_text_elsewhere: &'static str,
    /// `{merchant}`
    pub seen_hint: &'static str,
    pub confirming: &'static str,
}

pub struct TagWords {
    pub destination_tag: &'static str,
    pub memo: &'static str,
    pub required: &'static str,
    /// `{tag}`
    pub warning: &'static str,
}

pub struct CopyWords {
    pub copy: &'static str,
    pub copied: &'static str,
    pub failed: &'static str,
    pub amount: &'static str,
    pub address: &'static str,
    /// `{tag}`
    pub tag: &'static str,
    pub amount_copied: &'static str,
    pub address_copied: &'static str,
    /// `{tag}`
    pub tag_copied: &'static str,
    pub not_copied: &'static str,
}

pub struct TimeWords {
    pub rate_held: &'static str,
    pub time_left: &'static str,
    pub unknown: &'static str,
    pub days: fn(u64) -> String,
    /// For announcements: "3 minutes left".
    pub left: fn(u64) -> String,
}

pub struct DoneWords {
    pub paid_title: &'static str,
    /// `{amount}`, `{merchant}`
    pub paid_text: &'static str,
    pub overpaid_title: &'static str,
    /// `{amount}`, `{excess}`
    pub overpaid_text: &'static str,
    /// `{amount}`
    pub overpaid_text_plain: &'static str,
    pub received: &'static str,
    pub expected: &'static str,
    pub excess: &'static str,
    pub value: &'static str,
    pub date: &'static str,
    pub transaction: &'static str,
    pub confirmed: &'static str,
    pub unconfirmed: &'static str,
    /// `{merchant}`
    pub back_to: &'static str,
    pub returning_in: fn(u64) -> String,
    pub stay: &'static str,
    pub close: &'static str,
}

pub struct RefundWords {
    /// `{amount}`
    pub pending: &'static str,
    /// `{amount}`
    pub confirmed: &'static str,
    /// For an excess.
    pub non_refundable: &'static str,
    /// For a whole deposit.
    pub non_refundable_full: &'static str,
    /// `{merchant}`
    pub processed: &'static str,
    /// `{merchant}`
    pub undecided: &'static str,
    pub to: &'static str,
}

pub struct ExpiredWords {
    pub title: &'static str,
    pub text: &'static str,
    pub already_sent: &'static str,
    /// `{amount}`, `{merchant}`
    pub part_arrived: &'static str,
    pub renew: &'static str,
}

pub struct ProblemWords {
    pub link_title: &'static str,
    pub link_text: &'static str,
    pub unreachable_title: &'static str,
    pub unreachable_text: &'static str,
    pub refused_title: &'static str,
    pub refused_text: &'static str,
    pub unreadable_title: &'static str,
    pub unreadable_text: &'static str,
    pub nothing_title: &'static str,
    pub nothing_text: &'static str,
    pub retry: &'static str,
    pub reload: &'static str,
}

pub struct NoticeWords {
    pub not_reached: &'static str,
    pub not_possible: &'static str,
    pub no_rate: &'static str,
    pub closed: &'static str,
}

/// One row of [`LANGUAGES`].
pub struct Language {
    /// The BCP 47 tag, as in the API.
    pub tag: &'static str,
    /// The name in the language itself.
    pub name: &'static str,
    /// `None`: not translated yet. The page then shows a notice in English.
    words: Option<&'static Words>,
}

/// The locales of the API, in its order.
pub const LANGUAGES: [Language; LOCALES.len()] = [
    Language { tag: "en-US", name: "English", words: Some(&en_us::WORDS) },
    Language { tag: "de-DE", name: "Deutsch", words: None },
    Language { tag: "tr-TR", name: "Türkçe", words: None },
    Language { tag: "es-ES", name: "Español", words: None },
    Language { tag: "fr-FR", name: "Français", words: None },
    Language { tag: "ru-RU", name: "Русский", words: None },
    Language { tag: "pt-PT", name: "Português", words: None },
    Language { tag: "ja-JP", name: "日本語", words: None },
];

/// The language of the page.
#[derive(Clone, Copy)]
pub struct Locale {
    pub tag: &'static str,
    pub words: &'static Words,
    /// The requested language, if it is not translated yet.
    pub missing: Option<&'static str>,
}

/// Returns the language for a requested locale. Only the language part (`de` of `de-AT`) has to match.
pub fn locale(asked: Option<&str>) -> Locale {
    let english = Locale { tag: "en-US", words: &en_us::WORDS, missing: None };
    let Some(language) = asked.and_then(find) else { return english };
    match language.words {
        Some(words) => Locale { tag: language.tag, words, missing: None },
        None => Locale { missing: Some(language.name), ..english },
    }
}

/// The languages that a payer can switch to.
pub fn translated() -> impl Iterator<Item = &'static Language> {
    LANGUAGES.iter().filter(|language| language.words.is_some())
}

fn find(asked: &str) -> Option<&'static Language> {
    let base = |tag: &'static str| tag.split('-').next().unwrap_or(tag);
    let exact = LANGUAGES.iter().find(|language| language.tag.eq_ignore_ascii_case(asked));
    exact.or_else(|| {
        let wanted = asked.split('-').next().unwrap_or(asked);
        LANGUAGES.iter().find(|language| base(language.tag).eq_ignore_ascii_case(wanted))
    })
}

/// A part of a template: text, or the name of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a str),
    Fact(&'a str),
}

/// The parts of a template, in order.
pub fn pieces(template: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = template;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some(inner) = rest.strip_prefix('{')
            && let Some((name, after)) = inner.split_once('}')
        {
            rest = after;
            return Some(Piece::Fact(name));
        }
        // A brace that opens no placeholder is text.
        let end =
            rest.char_indices().skip(1).find(|(_, letter)| *letter == '{').map_or(rest.len(), |(at, _)| at);
        let (text, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(Piece::Text(text))
    })
}

/// Fills the placeholders of a template. A placeholder without a value becomes empty.
pub fn fill(template: &str, facts: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 32);
    for piece in pieces(template) {
        filled.push_str(match piece {
            Piece::Text(text) => text,
            Piece::Fact(name) => facts.iter().find(|fact| fact.0 == name).map_or("", |fact| fact.1),
        });
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_locale_of_the_interface_has_a_row() {
        assert_eq!(LANGUAGES.map(|language| language.tag), LOCALES);
    }

    #[test]
    fn asked_and_given() {
        let check = |asked, tag, missing| {
            let locale = locale(asked);
            assert_eq!((locale.tag, locale.missing), (tag, missing), "{asked:?}");
        };
        check(None, "en-US", None);
        check(Some("en-US"), "en-US", None);
        check(Some("EN-us"), "en-US", None);
        check(Some("en-GB"), "en-US", None);
        check(Some("en"), "en-US", None);
        check(Some("de-DE"), "en-US", Some("Deutsch"));
        check(Some("de-AT"), "en-US", Some("Deutsch"));
        check(Some("ja"), "en-US", Some("日本語"));
        check(Some("xx-XX"), "en-US", None);
        check(Some(""), "en-US", None);
        check(Some("日本"), "en-US", None);
    }

    #[test]
    fn templates() {
        let facts = [("asset", "USDT"), ("network", "TRON (TRC-20)")];
        let check = |template, expected: &str| assert_eq!(fill(template, &facts), expected);
        check("Send only {asset} on {network}", "Send only USDT on TRON (TRC-20)");
        check("{network}で{asset}のみ", "TRON (TRC-20)でUSDTのみ");
        check("≈ {asset}", "≈ USDT");
        check("{unknown}", "");
        check("{", "{");
        check("a{b", "a{b");
        check("", "");
        let text = "Send {asset}.";
        assert_eq!(
            pieces(text).collect::<Vec<_>>(),
            [Piece::Text("Send "), Piece::Fact("asset"), Piece::Text(".")]
        );
    }
}
