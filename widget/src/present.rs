//! The view model of a state. Views make no decisions and compute nothing.

#[cfg(feature = "ssr")]
mod browser_wallet;
mod choose;
#[cfg(feature = "ssr")]
mod claim_form;
mod claims;
mod copy;
mod done;
mod expired;
mod figure;
mod form_link;
mod links;
#[cfg(feature = "ssr")]
mod lookup_form;
mod pay;
mod problem;
#[cfg(feature = "ssr")]
mod receipt;
mod seen;
mod support;

use checkout_core::{Amount, Network, Pair};
use checkout_wire::payment::DepositHold;
use checkout_wire::{Deposit, RateType};

#[cfg(feature = "ssr")]
pub use browser_wallet::browser_wallet;
pub use choose::{Choice, Choose, Networks, Pick};
#[cfg(feature = "ssr")]
pub use claim_form::{
    Claim, ClaimForm, ClaimReview, ClaimStep, Feedback, NotAsked, OwnWallet, TypedClaim, claim,
};
pub use claims::ClaimLine;
pub use copy::CopyButton;
pub use done::{Done, Row};
pub use expired::Expired;
pub use figure::Figure;
pub use form_link::FormLink;
pub use links::{Link, Return};
#[cfg(feature = "ssr")]
pub use lookup_form::{LookupAnswer, LookupForm, lookup};
pub use pay::{Address, AmountLine, Arrived, Help, Pay, Qr, Tag, Wallet};
pub use problem::ProblemView;
#[cfg(feature = "ssr")]
pub use receipt::{PaidTransfer, Receipt, ReceiptForm, Requested, receipt, receipt_form};
pub use seen::{DepositLine, RefundLine, Seen, Step};

use crate::opened::Opened;
use crate::page::{Page, Say, Shared};
use crate::page_url::PageUrl;
use crate::screen::{Field, Notice, Problem};
use crate::state::{Request, State};
use crate::words::{LANGUAGES, Language, Piece, Plural, PluralForm, TagName, Words, fill, pieces};

/// Formats money, times and counts for a language. The browser uses `Intl`; the server has patterns.
pub trait Format {
    /// A fiat amount, such as `€19.99`. `amount` is a decimal text, `currency` an ISO 4217 code.
    fn money(&self, amount: &str, currency: &str) -> String;
    /// A time in the payer's own time zone.
    fn time(&self, unix_seconds: u64) -> String;
    /// A time in the future: of today, without its date.
    fn until(&self, unix_seconds: u64, now: u64) -> String;
    /// The plural form of a whole number.
    fn plural(&self, count: u64) -> PluralForm;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewModel {
    /// The value of `data-screen`.
    pub screen: &'static str,
    /// Presses decide nothing yet.
    pub settling: bool,
    pub page_title: String,
    pub framed: bool,
    /// No real money is involved.
    pub banner: Option<String>,
    /// Shown while the script does not run; the second where the page reloads by itself.
    pub not_live: [&'static str; 2],
    pub connection: ConnectionNotice,
    /// The text of the polite live region; empty if there is nothing new.
    pub announcement: String,
    pub header: Option<Header>,
    pub body: Body,
    pub footer: Footer,
}

impl ViewModel {
    /// Or in nothing at all.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn differs_in_countdown_alone(&self, other: &Self) -> bool {
        let countdown = other.header.as_ref().and_then(|header| header.countdown.clone());
        let header = self.header.clone().map(|header| Header { countdown, ..header });
        Self { header, ..self.clone() } == *other
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionNotice {
    pub online: bool,
    /// Empty if there is no message.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub pay_to: String,
    /// The merchant's id of the payment, shortened, and as it is.
    pub order: String,
    pub whole_order: String,
    pub copy: CopyButton,
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
    pub language_label: &'static str,
    /// The tag of the page's language.
    pub language: &'static str,
    pub languages: Vec<LanguageLink>,
}

/// A language that the payer can switch to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageLink {
    pub tag: &'static str,
    /// The name in the language itself.
    pub name: &'static str,
    pub href: String,
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

/// The status of the payment, as a code and as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub value: String,
    pub text: &'static str,
}

/// The input of every part of a screen.
#[derive(Clone, Copy)]
struct Scene<'a> {
    shared: &'a Shared,
    opened: &'a Opened,
    words: &'static Words,
    format: &'a dyn Format,
}

pub fn present(page: &Page, language: &Language, format: &dyn Format) -> ViewModel {
    let Page { state, shared } = page;
    let words = language.words;
    let scene = shared.opened.as_ref().map(|opened| Scene { shared, opened, words, format });
    let body = body(page, scene, words);
    let title = heading(&body);
    ViewModel {
        screen: page.screen().name(),
        settling: shared.is_settling(),
        page_title: match &shared.opened {
            Some(opened) => [title, " – ", &opened.merchant].concat(),
            None => words.page.title.to_owned(),
        },
        framed: shared.url.framed,
        banner: shared.opened.as_ref().and_then(|opened| banner(state, opened, words)),
        not_live: [words.page.not_live, words.page.reloads],
        connection: connection_notice(page, words),
        announcement: announcement(page, &body, words, format),
        header: scene.filter(|_| state.problem().is_none()).map(|scene| header(page, scene)),
        body,
        footer: footer(&shared.url, language),
    }
}

/// On a test network the coins have no value: told from the choice on, or at once where nothing else is offered.
fn banner(state: &State, opened: &Opened, words: &Words) -> Option<String> {
    if opened.sandbox {
        return Some(words.page.sandbox.to_owned());
    }
    let name_of = |network| opened.test_network(network).map(|test| test.name.as_str());
    let quote = match state {
        State::Choosing(_) | State::Opening | State::Failed(_) => None,
        State::Paying(paying) => Some(&paying.quote),
        State::Watching(watching) => watching.quote.as_ref(),
        State::Expired(expired) => expired.quote.as_ref(),
        State::Finished(finished) => finished.quote.as_ref(),
    };
    let mut networks = match quote {
        Some(quote) => vec![name_of(quote.pair.network)],
        None => opened.offers.iter().map(|offer| name_of(offer.pair.network)).collect(),
    };
    networks.dedup();
    let names: Option<Vec<&str>> = networks.into_iter().collect();
    let names = names.filter(|names| !names.is_empty())?;
    Some(fill(words.page.test_network, &[("name", &names.join(", "))]))
}

/// A link that the gateway refuses has an answer: no connection is lost, and no payment is watched.
fn connection_notice(page: &Page, words: &Words) -> ConnectionNotice {
    let Page { state, shared } = page;
    let online = shared.connection.is_online(shared.now) || state.problem() == Some(Problem::Link);
    let busy = shared.connection.is_busy(shared.now);
    let text = match (online, busy) {
        (false, false) => words.page.offline,
        (_, true) => words.page.busy,
        (true, false) => return ConnectionNotice { online, text: String::new() },
    };
    // Before there is an address, nothing can be on its way.
    let quoted = shared.opened.as_ref().is_some_and(|opened| opened.payment.wallet_address.is_some());
    let text = if quoted { [text, " ", words.page.watched].concat() } else { text.to_owned() };
    ConnectionNotice { online, text }
}

fn body(page: &Page, scene: Option<Scene<'_>>, words: &'static Words) -> Body {
    match (&page.state, scene) {
        (State::Failed(failed), _) => Body::Problem(problem::problem(&page.shared, failed, words)),
        // Every other state follows from a payment that was read.
        (State::Opening, _) | (_, None) => Body::Loading { text: words.page.loading },
        (State::Choosing(choosing), Some(scene)) => Body::Choose(choose::choose(scene, choosing)),
        (State::Paying(paying), Some(scene)) => Body::Pay(Box::new(pay::pay(scene, paying))),
        (State::Watching(watching), Some(scene)) => Body::Seen(seen::seen(scene, watching)),
        (State::Expired(expired), Some(scene)) => Body::Expired(expired::expired(scene, expired)),
        (State::Finished(finished), Some(scene)) => Body::Done(done::done(scene, finished)),
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

fn header(page: &Page, scene: Scene<'_>) -> Header {
    let payment = &scene.opened.payment;
    let fiat = payment.expected_display_amount.as_deref();
    let order = |id: &str| fill(scene.words.help.order, &[("order", id)]);
    Header {
        pay_to: fill(scene.words.page.pay_to, &[("merchant", &scene.opened.merchant)]),
        order: order(&shortened(&payment.client_payment_id)),
        whole_order: order(&payment.client_payment_id),
        copy: copy::copy_button(Field::Reference, scene.shared.copied, None, scene.words),
        fiat: fiat.map(|amount| scene.format.money(amount, &payment.display_currency)),
        countdown: page.counts_down().then(|| countdown(page, scene)),
    }
}

/// A long id without its middle.
fn shortened(id: &str) -> String {
    let all: Vec<char> = id.chars().collect();
    match all.len() {
        ..=24 => id.to_owned(),
        end => all[..12].iter().chain(&['…']).chain(&all[end - 8..]).collect(),
    }
}

fn countdown(page: &Page, scene: Scene<'_>) -> Countdown {
    let time = &scene.words.time;
    let seconds = scene.shared.seconds_left();
    let is_paying = matches!(page.state, State::Paying(_));
    let holds_rate = is_paying && scene.opened.payment.rate_type == RateType::Fixed;
    Countdown {
        label: if holds_rate { time.rate_held } else { time.time_left },
        text: seconds.map_or(time.unknown.to_owned(), |seconds| {
            clock_face(seconds, |days| counted(&time.days, days, scene.format))
        }),
        seconds,
        urgent: seconds.is_some_and(|seconds| seconds <= 60),
    }
}

/// `4:05`, `1:04:05`, or days if it is more than one.
fn clock_face(seconds: u64, days: impl Fn(u64) -> String) -> String {
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let two = |value: u64| [if value < 10 { "0" } else { "" }, &value.to_string()].concat();
    match hours {
        0 => [&minutes.to_string(), ":", &two(seconds)].concat(),
        1..24 => [&hours.to_string(), ":", &two(minutes), ":", &two(seconds)].concat(),
        _ => days(hours / 24),
    }
}

fn announcement(page: &Page, body: &Body, words: &Words, format: &dyn Format) -> String {
    let Some(saying) = page.shared.announcement else { return String::new() };
    match saying.what {
        Say::Screen => heading(body).to_owned(),
        Say::Copied { done: false, .. } => words.copy.not_copied.to_owned(),
        Say::Copied { field, .. } => {
            let network = match &page.state {
                State::Paying(paying) => Some(paying.quote.pair.network),
                _ => None,
            };
            copy::labels(field, network, words).1.to_owned()
        }
        Say::SecondsLeft(seconds @ ..60) => counted(&words.time.seconds_left, seconds, format),
        Say::SecondsLeft(seconds) => counted(&words.time.minutes_left, seconds.div_ceil(60), format),
        Say::Offline => connection_notice(page, words).text,
        Say::Online => words.page.online_again.to_owned(),
        Say::Vanished => words.transfer.vanished.to_owned(),
        Say::NoWallet => words.pay.no_wallet.to_owned(),
        Say::Changed => match &page.state {
            State::Paying(paying) => changed_elsewhere(paying.quote.pair, words),
            _ => String::new(),
        },
        Say::Notice => {
            let notice = page.state.request().and_then(|request| request.notice);
            notice.map_or(String::new(), |notice| notice_text(notice, words).to_owned())
        }
    }
}

/// Coins that arrived and are no part of the payment.
fn held(Scene { opened, words, .. }: Scene<'_>) -> Option<String> {
    let amounts: Vec<_> = opened.held.iter().map(|held| held_amount(opened, held, words)).collect();
    let facts = [("amount", &*amounts.join(" + ")), ("merchant", &opened.merchant)];
    (!amounts.is_empty()).then(|| fill(words.transfer.held, &facts))
}

/// With its network, if the business takes the coin elsewhere.
fn held_amount(opened: &Opened, held: &Deposit, words: &Words) -> String {
    let amount = seen::deposit_amount(held, words);
    let is_elsewhere = held.hold.as_ref().is_some_and(|hold| *hold == DepositHold::Network);
    match opened.pair_of(held).filter(|_| is_elsewhere) {
        Some(pair) => [&*amount, " · ", &network_name(pair)].concat(),
        None => amount,
    }
}

fn changed_elsewhere(pair: &Pair, words: &Words) -> String {
    fill(words.rate.changed, &[("asset", pair.currency.code()), ("network", &network_name(pair))])
}

fn notice_text(notice: Notice, words: &Words) -> &'static str {
    match notice {
        Notice::NotReached => words.notice.not_reached,
        Notice::NotPossible => words.notice.not_possible,
        Notice::NoRate => words.notice.no_rate,
        Notice::Closed => words.notice.closed,
    }
}

fn footer(url: &PageUrl, language: &Language) -> Footer {
    let link = |(tag, name)| LanguageLink { tag, name, href: url.with_locale(tag) };
    Footer {
        language_label: language.words.page.language,
        language: language.tag,
        languages: LANGUAGES.map(link).to_vec(),
    }
}

/// A text with a count.
fn counted(forms: &Plural, count: u64, format: &dyn Format) -> String {
    fill(forms.form(format.plural(count)), &[("count", &count.to_string())])
}

impl Scene<'_> {
    fn status(&self, text: &'static str) -> Status {
        Status { value: self.opened.status.as_str().to_owned(), text }
    }

    fn notice(&self, request: &Request) -> Option<&'static str> {
        request.notice.map(|notice| notice_text(notice, self.words))
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

/// An on-chain amount with its code, for a person.
fn coins(amount: Amount, pair: &Pair, words: &Words) -> String {
    coins_text(&amount.to_text(pair.decimals), pair.currency.code(), words)
}

/// An on-chain amount as the gateway wrote it.
fn coins_text(amount: &str, code: &str, words: &Words) -> String {
    [&Figure::Read(words).show(amount), "\u{a0}", code].concat()
}

fn tag_words(network: Network, words: &Words) -> &TagName {
    match network.spec().tag {
        checkout_core::network::TagRule::Memo => &words.tag.memo,
        _ => &words.tag.destination_tag,
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
    fn a_long_id_keeps_its_ends() {
        let check = |id: &str, expected: &str| assert_eq!(shortened(id), expected);
        check("order-1", "order-1");
        check("123456789012345678901234", "123456789012345678901234");
        check("1234567890123456789012345", "123456789012…89012345");
        check(&"é".repeat(25), &["é".repeat(12), "é".repeat(8)].join("…"));
    }

    #[test]
    fn the_format_of_the_countdown() {
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
