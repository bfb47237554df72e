//! Screens `paid`, `overpaid` and `paid-twice`, and the link back to the merchant.

use checkout_core::Amount;
use checkout_wire::payment::{Deposit, DepositStatus, OverpaymentPolicy, Payment};
use checkout_wire::rules::excess;

use super::claims::{ClaimLine, lines};
use super::copy::{CopyButton, copy_button};
use super::form_link::{FormLink, receipt_link};
use super::links::{Link, Return, way_back};
use super::seen::{DepositLine, deposit_amount, deposits};
use super::support::support;
use super::{Scene, Status, coins, coins_text};
use crate::quote::sum;
use crate::screen::Field;
use crate::state::Finished;
use crate::words::{Words, fill};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub title: &'static str,
    /// The price, if this payment paid for it.
    pub price: Option<String>,
    pub text: String,
    /// The payment was overpaid.
    pub over: bool,
    /// A transfer came after the order was paid.
    pub twice: bool,
    pub rows: Vec<Row>,
    pub deposits: Vec<DepositLine>,
    pub claims: Vec<ClaimLine>,
    /// The treatment of the excess if no refund shows it.
    pub excess_note: Option<String>,
    /// The treatment of the transfers after the order was paid, if no refund shows it.
    pub twice_note: Option<String>,
    pub way_back: Return,
    /// Only for a reusable payment: its page for another one, drawn by the server.
    pub again: Option<FormLink>,
    pub explorer: Option<Link>,
    pub print: &'static str,
    pub receipt: Option<FormLink>,
    /// `None` where the browser cannot share.
    pub share: Option<&'static str>,
    /// Only if the payer has sent too much.
    pub support: Option<Link>,
    pub status: Status,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub label: &'static str,
    pub value: String,
    /// Only of a transaction.
    pub copy: Option<CopyButton>,
}

impl Row {
    fn new(label: &'static str, value: String) -> Self {
        Self { label, value, copy: None }
    }
}

pub(super) fn done(scene: Scene<'_>, finished: &Finished) -> Done {
    let Scene { opened, words, .. } = scene;
    let payment = &opened.payment;
    let quote = finished.quote.as_ref();
    let twice = finished.twice;
    let (extra, counted): (Vec<&Deposit>, Vec<&Deposit>) =
        payment.deposits.iter().partition(|deposit| twice && opened.is_follow_up(deposit));
    let exact = quote.and_then(|quote| Some((quote, sum(counted.iter().copied(), quote)?)));
    let told = counted.iter().any(|deposit| deposit.refund.is_some());
    let is_dust = exact.is_some_and(|(quote, received)| {
        is_dust(excess(quote.amount, received), quote.amount, payment.expected_display_amount.as_deref())
    });
    let over = finished.overpaid && (told || !is_dust);
    let paid = match exact {
        Some((quote, received)) => coins(received.confirmed, quote.pair, words),
        None => confirmed_coins(payment, &counted, words),
    };
    let too_much = exact
        .map(|(quote, received)| (quote, excess(quote.amount, received)))
        .filter(|(_, excess)| over && !excess.is_zero())
        .map(|(quote, excess)| coins(excess, quote.pair, words));
    let facts = [
        ("amount", paid.as_str()),
        ("merchant", opened.merchant.as_str()),
        ("excess", too_much.as_deref().unwrap_or_default()),
    ];
    let (title, template) = match (over, &too_much) {
        _ if twice => (words.done.twice_title, words.done.twice_text),
        (false, _) => (words.done.paid_title, words.done.paid_text),
        (true, Some(_)) => (words.done.overpaid_title, words.done.overpaid_text),
        (true, None) => (words.done.overpaid_title, words.done.overpaid_text_plain),
    };
    let text = fill(
        template,
        &[&facts[..], &[("extra", &*sum_of(&extra, words)), ("time", &time_of(scene, &extra))]].concat(),
    );
    let mut rows = vec![Row::new(words.done.received, paid.clone())];
    if over && let Some(quote) = quote {
        rows.push(Row::new(words.done.expected, coins(quote.amount, quote.pair, words)));
    }
    rows.extend(too_much.iter().map(|value| Row::new(words.done.excess, value.clone())));
    // The value on the wire is that of all transfers.
    if !twice {
        let value = scene.format.money(&payment.actual_display_amount, &payment.display_currency);
        rows.push(Row::new(words.done.value, value));
    }
    // A receipt with one transfer and no further facts needs no list.
    let mut transfers = deposits(scene);
    let mut explorer = None;
    if transfers.len() == 1
        && let Some(only) = transfers.pop_if(|only| only.refund.is_none())
    {
        rows.extend(only.network.map(|network| Row::new(words.transfer.network, network)));
        rows.push(Row::new(words.done.date, only.time));
        explorer = only.explorer;
        let copy = copy_button(Field::Transaction, scene.shared.copied, None, words);
        rows.push(Row { label: only.transaction_label, value: only.transaction, copy: Some(copy) });
    }
    let claims = lines(scene);
    let processed =
        payment.overpayment_policy.as_ref().is_some_and(|policy| *policy == OverpaymentPolicy::Process);
    let price = payment.expected_display_amount.as_deref().filter(|_| !twice);
    Done {
        title,
        price: price.map(|price| scene.format.money(price, &payment.display_currency)),
        text,
        over,
        twice,
        rows,
        deposits: transfers,
        excess_note: (over && !told && claims.is_empty())
            .then(|| fill(if processed { words.refund.processed } else { words.refund.undecided }, &facts)),
        twice_note: if claims.is_empty() { twice_note(scene, &extra) } else { None },
        claims,
        way_back: way_back(scene, finished.leaving),
        again: opened.is_reusable().then(|| FormLink {
            link: Link {
                label: words.done.again.to_owned(),
                href: scene.shared.url.with_again(payment.deposits.len()),
            },
            framed: false,
        }),
        explorer,
        print: words.help.print,
        receipt: receipt_link(scene),
        share: scene.shared.url.can_share.then_some(words.help.share),
        support: if over || twice { support(scene.shared, words) } else { None },
        status: scene.status(words.done.paid_title),
    }
}

/// Whether an excess is worth less than the smallest coin of the price's currency, such as a cent.
fn is_dust(excess: Amount, expected: Amount, price: Option<&str>) -> bool {
    let smallest = price.unwrap_or_default().replace('.', "").parse::<u128>();
    let Some(worth) = smallest.ok().and_then(|price| excess.atoms().checked_mul(price)) else { return false };
    worth < expected.atoms()
}

/// Of the transfers that have no refund.
fn twice_note(scene: Scene<'_>, extra: &[&Deposit]) -> Option<String> {
    let Scene { opened, words, .. } = scene;
    let kept: Vec<&Deposit> = extra.iter().copied().filter(|deposit| deposit.refund.is_none()).collect();
    if kept.is_empty() {
        return None;
    }
    let payment = &opened.payment;
    if payment.refund_follow_up_deposits_for_one_time_payments == Some(true) {
        return Some(fill(words.refund.twice_pending, &[("amount", &sum_of(&kept, words))]));
    }
    let facts = [("merchant", opened.merchant.as_str()), ("order", payment.client_payment_id.as_str())];
    Some(fill(words.refund.twice_kept, &facts))
}

/// The deposits, each in its own currency.
fn sum_of(deposits: &[&Deposit], words: &Words) -> String {
    let amounts: Vec<_> = deposits.iter().map(|deposit| deposit_amount(deposit, words)).collect();
    amounts.join(" + ")
}

/// When the last one came.
fn time_of(scene: Scene<'_>, deposits: &[&Deposit]) -> String {
    let last = deposits.iter().map(|deposit| deposit.deposit_received_at.0).max();
    last.map_or(String::new(), |last| scene.format.time(last))
}

/// The confirmed deposits, whatever is quoted now.
fn confirmed_coins(payment: &Payment, counted: &[&Deposit], words: &Words) -> String {
    let mut confirmed = counted.to_vec();
    confirmed.retain(|deposit| deposit.status == DepositStatus::Confirmed);
    if !confirmed.is_empty() {
        return sum_of(&confirmed, words);
    }
    coins_text(&payment.actual_deposit_amount, payment.deposit_currency.as_deref().unwrap_or_default(), words)
}
