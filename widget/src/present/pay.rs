//! Screens `pay` and `partial`: the amount, the address and the network.

use checkout_core::uri::{self, WalletLink};
use checkout_core::{Amount, Currency, Network, Pair};
use checkout_wire::RateType;

use super::copy::{CopyButton, copy_button};
use super::form_link::{FormLink, lookup_link};
use super::links::Link;
use super::seen::{DepositLine, deposits};
use super::support::support;
use super::{
    Figure, Scene, Sentence, Status, changed_elsewhere, coins, held, network_name, sentence, tag_words,
};
use crate::quote::Quote;
use crate::screen::{Field, QrMode};
use crate::state::{Paying, WalletCall};
use crate::words::{Words, fill};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pay {
    /// The heading as plain text.
    pub title: String,
    pub currency: Currency,
    /// `None` if the network is the coin's own, because both icons would be the same.
    pub network: Option<Network>,
    pub send_only: Sentence,
    /// The amount that has arrived, on the screen `partial`.
    pub arrived: Option<Arrived>,
    /// The rest may be too small to send.
    pub small_rest: Option<String>,
    pub amount: AmountLine,
    pub address: Address,
    pub tag: Option<Tag>,
    pub qr: Qr,
    /// The most usual wallet first.
    pub wallets: Vec<Wallet>,
    pub help: Help,
    pub change_currency: Option<&'static str>,
    pub lookup: Option<FormLink>,
    /// What has arrived, on the screen `partial`.
    pub deposits: Vec<DepositLine>,
    pub status: Status,
    pub copy_failed: Option<&'static str>,
    /// No wallet has opened.
    pub no_wallet: Option<&'static str>,
    /// Information for the payer before sending.
    pub news: Option<String>,
    /// The price in the currency of the order, and the rate, if they are known.
    pub worth: Option<String>,
    /// Only if part of the amount has arrived.
    pub support: Option<Link>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    pub title: &'static str,
    pub text: String,
    /// Of the whole amount, from 0 to 100.
    pub percent: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountLine {
    /// Says also that the figure is copied, and so has a point.
    pub label: &'static str,
    /// `amount`, or `remaining` if part of the amount has arrived.
    pub part: &'static str,
    /// The exact decimal, as shown and copied.
    pub value: String,
    pub code: &'static str,
    /// `amount`, with `long` or `longer` if the digits need a smaller font to fit on one line.
    pub class: &'static str,
    pub copy: CopyButton,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub label: &'static str,
    pub value: String,
    /// The address in groups that are easy to compare by eye; joined, they are `value` without `tail`.
    pub groups: Vec<String>,
    /// The last characters, which people compare.
    pub tail: String,
    /// Who has checked it.
    pub checked: String,
    pub copy: CopyButton,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// What the payer enters, in order.
    pub steps: [&'static str; 3],
    pub label: &'static str,
    pub required: &'static str,
    pub value: String,
    pub warning: &'static str,
    /// The step to the address.
    pub noted: &'static str,
    pub copy: CopyButton,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qr {
    pub payload: String,
    pub label: String,
    /// `amount` or `address`.
    pub mode: &'static str,
    /// `Some` if there is a code with the amount and one without.
    pub switch: Option<&'static str>,
    /// The label that unfolds the code on a phone, where its wallet comes first.
    pub unfold: Option<&'static str>,
    /// Shows the code that opens the page on another device, or the payment's again.
    pub hand_over: &'static str,
    /// The purpose of the code that opens the page.
    pub hint: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wallet {
    pub label: String,
    pub href: String,
    /// It has a scheme that a wallet on this device may have registered. Otherwise it is a web page, which tells what to do
    /// without the wallet.
    pub is_scheme: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    pub question: &'static str,
    pub answer: String,
}

pub(super) fn pay(scene: Scene<'_>, paying: &Paying) -> Pay {
    let Scene { opened, words, .. } = scene;
    let due = paying.due;
    let Quote { pair, address, tag, amount, no_link } = &paying.quote;
    let wallets = if *no_link { Vec::new() } else { uri::wallet_links(pair, address, tag.as_ref(), due) };
    let wallets: Vec<Wallet> =
        wallets.into_iter().map(|link| wallet(link, pair.network.spec().name, words)).collect();
    let (asset, network) = (pair.currency.code(), network_name(pair));
    let names = [("asset", asset), ("network", network.as_str())];
    // What remains has no price of its own.
    let price = opened.payment.expected_display_amount.as_deref().filter(|_| paying.arrived.is_none());
    let price = price.map(|price| scene.format.money(price, &opened.payment.display_currency));
    let worth: Vec<String> = price.into_iter().chain(rate(scene, pair)).collect();
    let arrived = paying.arrived.map(|arrived| {
        let facts = [("arrived", &*coins(arrived, pair, words)), ("expected", &coins(*amount, pair, words))];
        Arrived {
            title: words.pay.partial_title,
            text: fill(words.pay.partial_text, &facts),
            percent: percent(arrived, *amount),
        }
    });
    let (head, tail) = address.split_at_checked(address.len().saturating_sub(TAIL)).unwrap_or((address, ""));
    let copy = |field| copy_button(field, scene.shared.copied, Some(pair.network), words);
    let vanished = opened.transfer_vanished.then(|| words.transfer.vanished.to_owned());
    let news = vanished
        .or_else(|| held(scene))
        .or_else(|| paying.changed_elsewhere.then(|| changed_elsewhere(pair, words)));
    Pay {
        title: match &arrived {
            Some(arrived) => arrived.title.to_owned(),
            None => fill(words.pay.send_only, &names),
        },
        currency: pair.currency,
        network: pair.contract.map(|_| pair.network),
        send_only: sentence(words.pay.send_only, pair),
        amount: AmountLine {
            label: if arrived.is_some() { words.pay.remaining } else { words.pay.amount },
            part: if arrived.is_some() { "remaining" } else { "amount" },
            class: match due.to_text(pair.decimals).len() {
                ..10 => "amount",
                10 | 11 => "amount long",
                _ => "amount longer",
            },
            value: Figure::Copied.show(&due.to_text(pair.decimals)),
            code: asset,
            copy: copy(Field::Amount),
        },
        address: Address {
            label: words.pay.address,
            value: address.clone(),
            groups: groups(head),
            tail: tail.to_owned(),
            checked: fill(words.pay.checked, &[("domain", checked_by(scene))]),
            copy: copy(Field::Address),
        },
        tag: tag.as_ref().map(|tag| Tag {
            steps: [words.tag.step_amount, tag_words(pair.network, words).name, words.tag.step_address],
            label: tag_words(pair.network, words).name,
            required: words.tag.required,
            value: tag.to_string(),
            warning: tag_words(pair.network, words).warning,
            noted: tag_words(pair.network, words).noted,
            copy: copy(Field::Tag),
        }),
        qr: if paying.hand_over { hand_over(scene) } else { qr(paying, is_open(&wallets), &names, words) },
        wallets,
        help: Help {
            question: words.pay.exchange_question,
            answer: fill(words.pay.exchange_answer, &[("amount", &coins(due, pair, words))]),
        },
        change_currency: (arrived.is_none() && opened.offers.len() > 1).then_some(words.pay.change_currency),
        lookup: lookup_link(scene),
        deposits: if arrived.is_some() { deposits(scene) } else { Vec::new() },
        status: scene.status(if arrived.is_some() { words.pay.waiting_rest } else { words.pay.waiting }),
        no_wallet: (paying.wallet == Some(WalletCall::Missing)).then_some(words.pay.no_wallet),
        copy_failed: scene.shared.copied.filter(|copied| !copied.done).map(|_| words.copy.not_copied),
        support: if arrived.is_some() || news.is_some() { support(scene.shared, words) } else { None },
        news,
        worth: (!worth.is_empty()).then(|| worth.join(" · ")),
        small_rest: (arrived.is_some() && is_small(due, pair))
            .then(|| fill(words.pay.partial_small, &[("merchant", &opened.merchant)])),
        arrived,
    }
}

/// Whether they come first on a phone: a link that only one wallet reads would advertise it.
fn is_open(wallets: &[Wallet]) -> bool {
    wallets.len() > 1 || wallets.iter().any(|wallet| wallet.is_scheme)
}

fn wallet(link: WalletLink, network: &str, words: &Words) -> Wallet {
    let label = match link.wallet {
        Some(wallet) => fill(words.pay.open_in, &[("wallet", wallet)]),
        None => fill(words.pay.open_wallet, &[("network", network)]),
    };
    Wallet { label, is_scheme: link.wallet.is_none(), href: link.url }
}

fn qr(paying: &Paying, folds: bool, names: &[(&str, &str)], words: &Words) -> Qr {
    let code = paying.code();
    Qr {
        payload: code.payload,
        label: fill(words.pay.qr, names),
        mode: if code.mode == QrMode::Amount { "amount" } else { "address" },
        switch: code.can_switch.then_some(words.pay.qr_with_amount),
        unfold: folds.then_some(words.pay.show_qr),
        hand_over: words.pay.hand_over,
        hint: None,
    }
}

/// The code that opens this page on another device.
fn hand_over(scene: Scene<'_>) -> Qr {
    let Scene { shared, words, .. } = scene;
    let locale = shared.url.locale().unwrap_or(&scene.opened.payment.locale);
    Qr {
        payload: [&shared.url.origin, &*shared.url.with_locale(locale)].concat(),
        label: words.pay.hand_over_code.to_owned(),
        mode: "page",
        switch: None,
        unfold: None,
        hand_over: words.pay.hand_over_back,
        hint: Some(words.pay.hand_over_hint),
    }
}

/// Rounded down; 99 at most, because something is missing.
fn percent(part: Amount, whole: Amount) -> u8 {
    let hundredths = part.atoms().checked_mul(100).and_then(|part| part.checked_div(whole.atoms()));
    hundredths.map_or(0, |percent| u8::try_from(percent).unwrap_or(99).min(99))
}

/// Less than what is sensible to send on this network.
fn is_small(amount: Amount, pair: &Pair) -> bool {
    Amount::parse(pair.limits.minimum, pair.decimals).is_ok_and(|minimum| amount < minimum)
}

/// The host of the page; the merchant where that is an IP address or a name of one machine, which say nothing to a payer.
fn checked_by(scene: Scene<'_>) -> &str {
    let domain = scene.shared.url.origin.split_once("://").map_or("", |(_, domain)| domain);
    let host = domain.split_once(':').map_or(domain, |(host, _)| host);
    let is_name = host.contains('.') && !host.ends_with(|end: char| end.is_ascii_digit());
    if is_name { host } else { &scene.opened.merchant }
}

/// How many of the last characters of an address are emphasized.
const TAIL: usize = 6;

fn rate(scene: Scene<'_>, pair: &Pair) -> Option<String> {
    let Scene { shared, opened, words, format } = scene;
    let price = format.money(opened.rate.as_deref()?, &opened.payment.display_currency);
    let facts = [("asset", pair.currency.code()), ("price", price.as_str())];
    let fixed = opened.payment.rate_type == RateType::Fixed;
    let left = shared.millis_left();
    let until = opened.window_end().filter(|_| fixed && left != Some(0));
    Some(match until {
        Some(end) => {
            let now = end.saturating_sub(left.unwrap_or_default() / 1_000);
            fill(words.rate.fixed, &[&facts[..], &[("time", &format.until(end, now))]].concat())
        }
        None => fill(words.rate.floating, &facts),
    })
}

/// A CashAddr prefix as one group, the rest in groups of four.
fn groups(address: &str) -> Vec<String> {
    let colon = address.find(':').map_or(0, |at| at + 1);
    let (prefix, rest) = address.split_at_checked(colon).unwrap_or(("", address));
    let mut groups: Vec<String> = if prefix.is_empty() { Vec::new() } else { vec![prefix.to_owned()] };
    let mut rest = rest.chars().peekable();
    while rest.peek().is_some() {
        groups.push(rest.by_ref().take(4).collect());
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_amount_in_percent() {
        let check = |part: &str, whole: &str, expected| {
            let [part, whole] = [part, whole].map(|text| Amount::parse(text, 8).expect("an amount"));
            assert_eq!(percent(part, whole), expected, "{part:?} of {whole:?}");
        };
        check("0", "1", 0);
        check("0.00000001", "0.00000003", 33);
        check("0.99999999", "1", 99);
        check("1", "1", 99);
        check("1000", "1", 99);
        check("1", "0", 0);
    }

    #[test]
    fn groups_are_the_address_and_nothing_else() {
        let check = |address: &str, expected: &[&str]| {
            assert_eq!(groups(address), expected);
            assert_eq!(groups(address).concat(), address);
        };
        check("TR7NHqjeKQ", &["TR7N", "HqjeKQ".split_at(4).0, "KQ"]);
        check("bitcoincash:qpm2qs", &["bitcoincash:", "qpm2", "qs"]);
        check("0x1234", &["0x12", "34"]);
        check("", &[]);
    }
}
