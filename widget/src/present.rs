//! The view model of a state. A view decides and computes nothing.

mod choose;
mod done;
mod expired;
mod pay;
mod problem;
mod seen;

use checkout_core::wire::RateType;
use checkout_core::{Amount, Network, Pair};

pub use choose::{Choice, Choose, Networks, Pick};
pub use done::{Done, Link, Return, Row};
pub use expired::Expired;
pub use pay::{Address, AmountLine, Arrived, CopyButton, Help, Pay, Qr, Tag, Wallet};
pub use problem::ProblemView;
pub use seen::{DepositLine, RefundLine, Seen};

use crate::state::{Field, Notice, Open, Say, Screen, State};
use crate::words::{self, Locale, Piece, Words, fill, pieces};

/// Formats money and times for a locale. The browser uses `Intl`; tests need no browser.
pub trait Format {
    /// A fiat amount, such as `€19.99`. `amount` is a decimal text, `currency` an ISO 4217 code.
    fn money(&self, amount: &str, currency: &str) -> String;
    /// A time in the payer's own time zone.
    fn time(&self, unix_seconds: u64) -> String;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewModel {
    /// The value of `data-screen`.
    pub screen: &'static str,
    /// The BCP 47 tag of the page's language.
    pub lang: &'static str,
    pub page_title: String,
    pub framed: bool,
    pub sandbox: Option<&'static str>,
    pub connection: ConnectionNotice,
    /// The text of the polite live region; empty when there is nothing new.
    pub announcement: String,
    pub header: Option<Header>,
    pub body: Body,
    pub footer: Footer,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionNotice {
    pub online: bool,
    /// Empty when there is nothing to say.
    pub text: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub pay_to: String,
    pub fiat: Option<String>,
    pub countdown: Option<Countdown>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Countdown {
    pub label: &'static str,
    pub text: String,
    /// `None` until the gateway's time is known.
    pub seconds: Option<u64>,
    pub urgent: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footer {
    /// The language of the page, and those that the payer can switch to when there are several.
    pub language_label: &'static str,
    pub language: &'static str,
    pub languages: Vec<(&'static str, &'static str)>,
    pub not_translated: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    Loading { text: &'static str },
    Choose(Choose),
    Pay(Box<Pay>),
    Seen(Seen),
    Done(Done),
    Expired(Expired),
    Problem(ProblemView),
}

/// A sentence in which the asset and the network are emphasised.
pub type Sentence = Vec<Span>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    Text(String),
    Asset { code: &'static str },
    Network { code: &'static str, name: String },
}

/// The status of the payment, as a code and as a word for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub value: String,
    pub text: &'static str,
}

/// The input of every part of the page.
#[derive(Clone, Copy)]
struct Scene<'a> {
    state: &'a State,
    open: &'a Open,
    words: &'static Words,
    format: &'a dyn Format,
}

pub fn present(state: &State, format: &dyn Format) -> ViewModel {
    let locale = words::locale(state.locale.as_deref());
    let words = locale.words;
    let screen = state.screen();
    let scene = state.open.as_ref().map(|open| Scene { state, open, words, format });
    let body = body(state, screen, scene, words);
    let title = heading(&body);
    ViewModel {
        screen: screen.name(),
        lang: locale.tag,
        page_title: match &state.open {
            Some(open) => [title, " – ", &open.merchant].concat(),
            None => words.page.title.to_owned(),
        },
        framed: state.url.framed,
        sandbox: state.open.as_ref().filter(|open| open.sandbox).map(|_| words.page.sandbox),
        connection: connection_notice(state, words),
        announcement: announcement(state, &body, words),
        header: scene.filter(|_| screen != Screen::Problem).map(header),
        body,
        footer: footer(&locale),
    }
}

fn connection_notice(state: &State, words: &Words) -> ConnectionNotice {
    let (online, busy) = (state.connection.is_online(state.now), state.connection.is_busy(state.now));
    let text = match (online, busy) {
        (false, false) => words.page.offline,
        (_, true) => words.page.busy,
        (true, false) => "",
    };
    ConnectionNotice { online, text }
}

fn body(state: &State, screen: Screen, scene: Option<Scene<'_>>, words: &'static Words) -> Body {
    let Some(scene) = scene.filter(|_| screen != Screen::Problem) else {
        return match state.problem {
            Some(problem) => Body::Problem(problem::problem(state, problem, words)),
            None => Body::Loading { text: words.page.loading },
        };
    };
    match screen {
        Screen::Choose => Body::Choose(choose::choose(scene)),
        // These two screens always have a quote. Without one, no payment may be requested.
        Screen::Pay | Screen::Partial => {
            pay::pay(scene).map_or(Body::Loading { text: words.page.loading }, |pay| Body::Pay(Box::new(pay)))
        }
        Screen::Paid | Screen::Overpaid => Body::Done(done::done(scene)),
        Screen::Expired => Body::Expired(expired::expired(scene)),
        Screen::Seen | Screen::Loading | Screen::Problem => Body::Seen(seen::seen(scene)),
    }
}

/// The heading of the screen as plain text.
fn heading(body: &Body) -> &str {
    match body {
        Body::Loading { text } => text,
        Body::Choose(choose) => &choose.title,
        Body::Pay(pay) => &pay.title,
        Body::Seen(seen) => seen.title,
        Body::Done(done) => done.title,
        Body::Expired(expired) => expired.title,
        Body::Problem(problem) => problem.title,
    }
}

fn header(scene: Scene<'_>) -> Header {
    let payment = &scene.open.payment;
    let fiat = payment.expected_display_amount.as_deref();
    Header {
        pay_to: fill(scene.words.page.pay_to, &[("merchant", &scene.open.merchant)]),
        fiat: fiat.map(|amount| scene.format.money(amount, &payment.display_currency)),
        countdown: scene.state.counts_down().then(|| countdown(scene)),
    }
}

fn countdown(scene: Scene<'_>) -> Countdown {
    let time = &scene.words.time;
    let seconds = scene.state.seconds_left();
    let holds_rate =
        scene.state.screen() != Screen::Choose && scene.open.payment.rate_type == RateType::Fixed;
    Countdown {
        label: if holds_rate { time.rate_held } else { time.time_left },
        text: seconds.map_or(time.unknown.to_owned(), |seconds| clock_face(seconds, time.days)),
        seconds,
        urgent: seconds.is_some_and(|seconds| seconds <= 60),
    }
}

/// `4:05`, `1:04:05`, or days when it is more than one.
fn clock_face(seconds: u64, days: fn(u64) -> String) -> String {
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let two = |value: u64| [if value < 10 { "0" } else { "" }, &value.to_string()].concat();
    match hours {
        0 => [&minutes.to_string(), ":", &two(seconds)].concat(),
        1..24 => [&hours.to_string(), ":", &two(minutes), ":", &two(seconds)].concat(),
        _ => days(hours / 24),
    }
}

fn announcement(state: &State, body: &Body, words: &Words) -> String {
    let Some(saying) = state.announcement else { return String::new() };
    match saying.what {
        Say::Screen => heading(body).to_owned(),
        Say::Copied { done: false, .. } => words.copy.not_copied.to_owned(),
        Say::Copied { field, .. } => copied(state, field, words),
        Say::SecondsLeft(seconds) => (words.time.left)(seconds),
        Say::Offline => words.page.offline.to_owned(),
        Say::Online => words.page.online_again.to_owned(),
        Say::Notice => {
            let notice = state.open.as_ref().and_then(|open| open.notice);
            notice.map_or(String::new(), |notice| notice_text(notice, words).to_owned())
        }
    }
}

fn copied(state: &State, field: Field, words: &Words) -> String {
    match field {
        Field::Amount => words.copy.amount_copied.to_owned(),
        Field::Address => words.copy.address_copied.to_owned(),
        Field::Tag => {
            let quote = state.open.as_ref().and_then(|open| open.quote.as_ref());
            let name = quote.map_or("", |quote| tag_name(quote.pair.network, words));
            fill(words.copy.tag_copied, &[("tag", name)])
        }
    }
}

fn notice_text(notice: Notice, words: &Words) -> &'static str {
    match notice {
        Notice::NotReached => words.notice.not_reached,
        Notice::NotPossible => words.notice.not_possible,
        Notice::NoRate => words.notice.no_rate,
        Notice::Closed => words.notice.closed,
    }
}

fn footer(locale: &Locale) -> Footer {
    let languages: Vec<_> = words::translated().map(|language| (language.tag, language.name)).collect();
    Footer {
        language_label: locale.words.page.language,
        language: locale.tag,
        languages,
        not_translated: locale
            .missing
            .map(|language| fill(locale.words.page.not_translated, &[("language", language)])),
    }
}

impl Scene<'_> {
    fn status(&self, text: &'static str) -> Status {
        Status { value: self.state.status().as_str().to_owned(), text }
    }

    fn notice(&self) -> Option<&'static str> {
        self.open.notice.map(|notice| notice_text(notice, self.words))
    }
}

/// `TRON (TRC-20)`; a token always shows its standard, because exchanges list it that way.
fn network_name(pair: &Pair) -> String {
    let spec = pair.network.spec();
    match spec.token_standard.filter(|_| pair.contract.is_some()) {
        Some(standard) => [spec.name, " (", standard, ")"].concat(),
        None => spec.name.to_owned(),
    }
}

/// An on-chain amount with its code. Always with a decimal point and without grouping, as wallets accept it.
fn coins(amount: Amount, pair: &Pair) -> String {
    [&amount.to_text(pair.decimals), "\u{a0}", pair.currency.code()].concat()
}

/// An on-chain amount as the gateway wrote it.
fn coins_text(amount: &str, code: &str) -> String {
    [amount, "\u{a0}", code].concat()
}

fn tag_name(network: Network, words: &Words) -> &'static str {
    match network.spec().tag {
        checkout_core::network::TagRule::Memo => words.tag.memo,
        _ => words.tag.destination_tag,
    }
}

fn sentence(template: &str, pair: &Pair) -> Sentence {
    let span = |piece| match piece {
        Piece::Text(text) => Span::Text(text.to_owned()),
        Piece::Fact("asset") => Span::Asset { code: pair.currency.code() },
        Piece::Fact(_) => Span::Network { code: pair.network.code(), name: network_name(pair) },
    };
    pieces(template).map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_face_of_the_clock() {
        let check = |seconds, expected: &str| {
            assert_eq!(clock_face(seconds, |days| format!("{days} d")), expected);
        };
        check(0, "0:00");
        check(9, "0:09");
        check(60, "1:00");
        check(899, "14:59");
        check(3_600, "1:00:00");
        check(3_600 * 23 + 59 * 60 + 59, "23:59:59");
        check(86_400, "1 d");
        check(7 * 86_400, "7 d");
    }
}
